// Values of one length, in slots of large chunks: no heap block per key, no value moves when more
// come. A free slot holds the number of the next free one, so freeing costs no memory.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

namespace pslab::manager {

class Slab {
 public:
  /// Slots of `length` floats.
  explicit Slab(std::uint32_t length)
      : length_(length),
        shift_(static_cast<unsigned>(std::bit_width(kChunkFloats / length | 1U)) - 1) {}

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
    if (next_ >> shift_ == chunks_.size()) {
      chunks_.push_back(std::make_unique_for_overwrite<float[]>(std::size_t{length_} << shift_));
    }
    return next_++;
  }

  void release(std::uint32_t number) {
    std::memcpy(slot(number), &free_, sizeof(free_));
    free_ = number;
  }

 private:
  static constexpr std::uint32_t kChunkFloats = 1U << 14;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  std::uint32_t length_;
  unsigned shift_;  ///< log2 of the slots per chunk
  std::vector<std::unique_ptr<float[]>> chunks_;
  std::uint32_t next_ = 0;
  std::uint32_t free_ = kNone;
};

}  // namespace pslab::manager
