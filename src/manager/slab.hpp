// Values of one length, in slots of large chunks: no heap block per key, no value moves when more
// come. A free slot holds the number of the next free one, so freeing costs no memory. One thread
// at a time may allocate and release; others may use slots meanwhile.
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

namespace pslab::manager {

class Slab {
 public:
  /// At most `most` slots of `length` floats at a time. `large`: in chunks of huge pages, which
  /// spare most address translations but may leave most of a chunk unused.
  Slab(std::uint32_t length, std::uint64_t most, bool large)
      : length_(length),
        shift_(
            slots_shift(large ? std::min(kLargeChunkFloats, most * length) : kChunkFloats, length)),
        mask_((1U << shift_) - 1),
        chunks_((most >> shift_) + 1) {}

  std::uint32_t length() const { return length_; }

  float* slot(std::uint32_t number) const {
    return chunks_[number >> shift_].get() + static_cast<std::size_t>(number & mask_) * length_;
  }

  /// A slot with unspecified content.
  std::uint32_t allocate() {
    if (free_ != kNone) {
      const std::uint32_t number = free_;
      std::memcpy(&free_, slot(number), sizeof(free_));
      return number;
    }
    auto& chunk = chunks_[next_ >> shift_];
    if (chunk == nullptr) chunk.reset(allocate_floats(std::size_t{length_} << shift_));
    return next_++;
  }

  void release(std::uint32_t number) {
    std::memcpy(slot(number), &free_, sizeof(free_));
    free_ = number;
  }

 private:
  static constexpr std::uint64_t kChunkFloats = 1U << 14;
  static constexpr std::uint64_t kLargeChunkFloats = 1U << 21;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  static unsigned slots_shift(std::uint64_t floats, std::uint32_t length) {
    return static_cast<unsigned>(std::bit_width(floats / length | 1U)) - 1;
  }
  struct Free {
    void operator()(float* floats) const { std::free(floats); }
  };
  static float* allocate_floats(std::size_t count);

  std::uint32_t length_;
  unsigned shift_;                                      ///< log2 of the slots per chunk
  std::uint32_t mask_;                                  ///< slots per chunk - 1
  std::vector<std::unique_ptr<float[], Free>> chunks_;  ///< null: not needed so far
  std::uint32_t next_ = 0;
  std::uint32_t free_ = kNone;
};

}  // namespace pslab::manager
