// A worker's operations as bytes; README.md describes them. An epoch can be read without those
// before it.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trace/op.hpp"
#include "trace/varint.hpp"

namespace pslab::trace {

class OpWriter {
 public:
  /// Times must not fall within an epoch; the first operation of all is a kEpoch.
  void write(const Op& op);
  const std::string& bytes() const { return bytes_; }
  /// The operations of the epoch that began last.
  std::string_view epoch() const { return std::string_view(bytes_).substr(epoch_); }
  void clear();

 private:
  void write_keys(std::span<const Key> keys);

  std::string bytes_;
  std::size_t epoch_ = 0;
  std::int64_t time_ns_ = 0;
  double flops_ = 0.0;
  std::vector<Key> keys_;  ///< the last list that was written whole
};

class OpReader {
 public:
  /// Throws InputError at bytes that no OpWriter made. `keys`: of the key space. `place`: for
  /// messages; it and the bytes must outlive the reader.
  OpReader(std::string_view bytes, Key keys, const std::string& place)
      : bytes_(bytes, place), num_keys_(keys) {}

  /// False at the end. The operation's keys are valid until the next call.
  bool next(Op& op);
  /// Bytes read so far.
  std::size_t position() const { return bytes_.position(); }
  [[noreturn]] void damaged(const char* how) const { bytes_.damaged(how); }

 private:
  void read_keys(std::uint8_t flags);
  void read_whole_list();

  ByteReader bytes_;
  Key num_keys_;
  bool began_ = false;
  std::int64_t time_ns_ = 0;
  double flops_ = 0.0;
  std::vector<Key> keys_;
  std::span<const Key> read_;
};

}  // namespace pslab::trace
