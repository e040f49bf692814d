// Whole numbers in as few bytes as they need: 7 bits a byte, the lowest first; the highest bit says
// that more follow. Signed ones are folded first: 0, -1, 1, -2, ...
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "base/error.hpp"

namespace pslab::trace {

inline void put(std::string& bytes, std::uint64_t value) {
  for (; value >= 0x80; value >>= 7) bytes.push_back(static_cast<char>(value | 0x80));
  bytes.push_back(static_cast<char>(value));
}

inline void put_signed(std::string& bytes, std::int64_t value) {
  const auto bits = static_cast<std::uint64_t>(value);
  put(bytes, value < 0 ? ~(bits << 1) : bits << 1);
}

/// Reads what put() wrote. Throws InputError at bytes that it cannot have written.
class ByteReader {
 public:
  /// `place`: for messages; must outlive it, as must the bytes.
  ByteReader(std::string_view bytes, const std::string& place) : bytes_(bytes), place_(&place) {}

  bool at_end() const { return next_ == bytes_.size(); }

  std::size_t position() const { return next_; }

  std::uint8_t byte() {
    if (at_end()) damaged("ends too early");
    return static_cast<std::uint8_t>(bytes_[next_++]);
  }

  std::uint64_t number() {
    std::uint64_t value = 0;
    for (unsigned shift = 0; shift < 64; shift += 7) {
      const std::uint64_t one = byte();
      value |= (one & 0x7F) << shift;
      if (one < 0x80) return value;
    }
    damaged("holds a number of more than 64 bits");
  }

  /// A number of things of at least one byte each.
  std::uint64_t count() {
    const std::uint64_t value = number();
    if (value > bytes_.size() - next_) damaged("ends too early");
    return value;
  }

  std::int64_t signed_number() {
    const std::uint64_t folded = number();
    return static_cast<std::int64_t>((folded & 1) != 0 ? ~(folded >> 1) : folded >> 1);
  }

  std::string_view text(std::uint64_t size) {
    if (size > bytes_.size() - next_) damaged("ends too early");
    next_ += size;
    return bytes_.substr(next_ - size, size);
  }

  [[noreturn]] void damaged(const char* how) const {
    fail_input("{}: the trace is damaged: it {} (byte {} of a part of {}). Record it again",
               *place_, how, next_, bytes_.size());
  }

 private:
  std::string_view bytes_;
  const std::string* place_;
  std::size_t next_ = 0;
};

}  // namespace pslab::trace
