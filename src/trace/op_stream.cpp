#include "trace/op_stream.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>

namespace pslab::trace {
namespace {

// Flags beside the kind in an operation's first byte.
constexpr std::uint8_t kSame = 0x80;  ///< keys or flops as in the last list or computation
constexpr std::uint8_t kPart = 0x40;  ///< keys that are a part of the last whole list
constexpr std::uint8_t kFlags = kSame | kPart;

void put_double(std::string& bytes, double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i, bits >>= 8) bytes.push_back(static_cast<char>(bits & 0xFF));
}

double read_double(ByteReader& bytes) {
  std::uint64_t bits = 0;
  for (unsigned shift = 0; shift < 64; shift += 8) bits |= std::uint64_t{bytes.byte()} << shift;
  return std::bit_cast<double>(bits);
}

}  // namespace

void OpWriter::clear() {
  bytes_.clear();
  epoch_ = 0;
}

void OpWriter::write(const Op& op) {
  if (op.kind == Kind::kEpoch) {
    epoch_ = bytes_.size();
    time_ns_ = 0;
    flops_ = 0.0;
    keys_.clear();
  }
  const Fields has = fields(op.kind);
  const std::size_t first = bytes_.size();
  bytes_.push_back(static_cast<char>(op.kind));
  if (has.time) {
    put(bytes_, static_cast<std::uint64_t>(op.time_ns - time_ns_));
    time_ns_ = op.time_ns;
  }
  if (has.ahead) put(bytes_, static_cast<std::uint64_t>(op.ahead_ns));
  if (has.number) put_signed(bytes_, op.number);
  if (op.kind == Kind::kIntent) put_signed(bytes_, op.length);
  if (op.kind == Kind::kCompute) {
    if (op.flops == flops_) {
      bytes_[first] = static_cast<char>(static_cast<std::uint8_t>(op.kind) | kSame);
    } else {
      put_double(bytes_, op.flops);
      flops_ = op.flops;
    }
  }
  if (!has.keys) return;
  const auto found = std::search(keys_.begin(), keys_.end(), op.keys.begin(), op.keys.end());
  if (op.keys.empty() || found == keys_.end()) {
    write_keys(op.keys);
    return;
  }
  const bool same = op.keys.size() == keys_.size();
  bytes_[first] = static_cast<char>(static_cast<std::uint8_t>(op.kind) | (same ? kSame : kPart));
  if (same) return;
  put(bytes_, static_cast<std::uint64_t>(found - keys_.begin()));
  put(bytes_, op.keys.size());
}

void OpWriter::write_keys(std::span<const Key> keys) {
  put(bytes_, keys.size());
  auto before = static_cast<std::int64_t>(keys_.empty() ? 0 : keys_.back());
  for (const Key key : keys) {
    put_signed(bytes_, static_cast<std::int64_t>(key) - before);
    before = static_cast<std::int64_t>(key);
  }
  keys_.assign(keys.begin(), keys.end());
}

bool OpReader::next(Op& op) {
  if (bytes_.at_end()) return false;
  const std::uint8_t first = bytes_.byte();
  const auto kind = static_cast<std::uint8_t>(first & ~kFlags);
  if (kind >= kKinds) bytes_.damaged("holds an operation of unknown kind");
  op = {};
  op.kind = static_cast<Kind>(kind);
  if (op.kind == Kind::kEpoch) {
    began_ = true;
    time_ns_ = 0;
    flops_ = 0.0;
    keys_.clear();
  }
  if (!began_) bytes_.damaged("does not begin with an epoch");
  const Fields has = fields(op.kind);
  if (has.time) {
    // Modulo 2^64, so that no number of a damaged trace overflows.
    time_ns_ = static_cast<std::int64_t>(static_cast<std::uint64_t>(time_ns_) + bytes_.number());
    op.time_ns = time_ns_;
  }
  if (has.ahead) op.ahead_ns = static_cast<std::int64_t>(bytes_.number());
  if (has.number) op.number = bytes_.signed_number();
  if (op.kind == Kind::kIntent) op.length = bytes_.signed_number();
  if (op.kind == Kind::kCompute) {
    if ((first & kSame) == 0) flops_ = read_double(bytes_);
    op.flops = flops_;
  }
  if (has.keys) {
    read_keys(first & kFlags);
    op.keys = read_;
  }
  return true;
}

void OpReader::read_keys(std::uint8_t flags) {
  if (flags == 0) read_whole_list();
  read_ = keys_;
  if (flags != kPart) return;
  const std::uint64_t offset = bytes_.number();
  const std::uint64_t count = bytes_.number();
  if (offset > keys_.size() || count > keys_.size() - offset) {
    bytes_.damaged("refers to a list of keys that is not there");
  }
  read_ = read_.subspan(offset, count);
}

void OpReader::read_whole_list() {
  std::uint64_t before = keys_.empty() ? 0 : keys_.back();
  keys_.resize(bytes_.count());
  for (Key& key : keys_) {
    before += static_cast<std::uint64_t>(bytes_.signed_number());
    if (before >= num_keys_) bytes_.damaged("names a key that does not exist");
    key = before;
  }
}

}  // namespace pslab::trace
