// Values of one length, in slots of large chunks: no heap block per key, no value moves when more
// come. A free slot holds the number of the next free one, so freeing costs no memory. One thread
// at a time may allocate and release; others may use slots meanwhile.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

namespace pslab::manager {

class Slab {
 public:
  /// At most `most` slots of `length` floats at a time.
  Slab(std::uint32_t length, std::uint64_t most)
      : length_(length),
        shift_(static_cast<unsigned>(std::bit_width(kChunkFloats / length | 1U)) - 1),
        chunks_((most >> shift_) + 1) {}

  std::uint32_t length() const { return length_; }

  float* slot(std::uint32_t number) {
    return chunks_[number >> shift_].get() +
           static_cast<std::size_t>(number & ((1U << shift_) - 1)) * length_;
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
  static constexpr std::uint32_t kChunkFloats = 1U << 14;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  static constexpr std::align_val_t kCacheLine{64};

  struct Free {
    void operator()(float* floats) const { ::operator delete[](floats, kCacheLine); }
  };
  static float* allocate_floats(std::size_t count) {
    return static_cast<float*>(::operator new[](count * sizeof(float), kCacheLine));
  }

  std::uint32_t length_;
  unsigned shift_;                                      ///< log2 of the slots per chunk
  std::vector<std::unique_ptr<float[], Free>> chunks_;  ///< null: not needed so far
  std::uint32_t next_ = 0;
  std::uint32_t free_ = kNone;
};

}  // namespace pslab::manager
