#include "oracle/accesses.hpp"

#include <algorithm>
#include <unordered_map>

#include "trace/op_stream.hpp"

namespace pslab::oracle {
namespace {

using trace::Kind;
using trace::Op;

constexpr double kSecond = 1e9;  // in nanoseconds

/// Fills the sections of one worker.
class Sections {
 public:
  explicit Sections(NodeId node) : node_(node), all_(1) {}

  void take(const Op& op) {
    switch (op.kind) {
      case Kind::kPull:
      case Kind::kPush:
        add(all_.back().accesses, op, op.kind == Kind::kPush);
        break;
      case Kind::kSample:
        add(all_.back().samples, op, false);
        break;
      case Kind::kPullAsync:
      case Kind::kPushAsync:
      case Kind::kLocalizeAsync:
        begin(op);
        break;
      case Kind::kWait:
        wait(op);
        break;
      case Kind::kCompute:
        all_.back().flops += op.flops;
        ++all_.back().computations;
        break;
      case Kind::kBarrier:
        all_.emplace_back();
        break;
      default:
        break;
    }
  }

  std::vector<Section> all() && { return std::move(all_); }

 private:
  /// Of an asynchronous pull.
  struct Range {
    std::size_t section;
    std::size_t begin;
    std::size_t end;
  };

  void add(std::vector<Access>& accesses, const Op& op, bool write) {
    Access access;
    access.executed = static_cast<double>(op.time_ns) / kSecond;
    access.waits_from = static_cast<double>(op.time_ns + op.ahead_ns) / kSecond;
    access.node = node_;
    access.call_keys = static_cast<std::uint32_t>(op.keys.size());
    access.distinct_keys = distinct(op.keys);
    access.write = write;
    for (const Key key : op.keys) {
      access.key = static_cast<std::uint32_t>(key);
      accesses.push_back(access);
    }
  }

  std::uint32_t distinct(std::span<const Key> keys) {
    sorted_.assign(keys.begin(), keys.end());
    std::ranges::sort(sorted_);
    const auto end = std::unique(sorted_.begin(), sorted_.end());
    return static_cast<std::uint32_t>(end - sorted_.begin());
  }

  void begin(const Op& op) {
    std::vector<Access>& accesses = all_.back().accesses;
    const std::size_t first = accesses.size();
    if (op.kind != Kind::kLocalizeAsync) add(accesses, op, op.kind == Kind::kPushAsync);
    open_.emplace(begun_++, Range{all_.size() - 1, first, accesses.size()});
  }

  void wait(const Op& op) {
    const auto open = open_.find(begun_ - 1 - op.number);
    if (open == open_.end()) return;
    const Range range = open->second;
    open_.erase(open);
    const double from = static_cast<double>(op.time_ns + op.ahead_ns) / kSecond;
    for (std::size_t i = range.begin; i < range.end; ++i) {
      Access& access = all_[range.section].accesses[i];
      access.waits_from = from;
      access.slack = static_cast<float>(from - access.executed);
    }
  }

  NodeId node_;
  std::vector<Section> all_;
  std::vector<Key> sorted_;
  std::int64_t begun_ = 0;
  std::unordered_map<std::int64_t, Range> open_;
};

}  // namespace

std::vector<Section> read_sections(std::string_view ops, Key keys, NodeId node,
                                   const std::string& place) {
  Sections sections(node);
  trace::OpReader reader(ops, keys, place);
  for (Op op; reader.next(op);) sections.take(op);
  return std::move(sections).all();
}

}  // namespace pslab::oracle
