#include "workloads/synthetic/recording.hpp"

#include <cmath>
#include <fstream>
#include <iterator>
#include <set>

#include "base/error.hpp"

namespace pslab::synthetic {
namespace {

using trace::Kind;
using trace::Op;

constexpr const char* kOption = "workload.trace";
constexpr std::int64_t kMostClocks = std::int64_t{1} << 60;

bool beyond(std::int64_t clocks) {
  return clocks > kMostClocks || clocks < -kMostClocks;
}

trace::Trace read_trace(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) fail_input("{}: cannot read {}", kOption, path);
  const std::string bytes(std::istreambuf_iterator<char>(file), {});
  return trace::from_bytes(bytes, std::string(kOption) + ": " + path);
}

}  // namespace

/// One worker's operations, as they must follow each other.
class Recording::Check {
 public:
  explicit Check(const trace::OpReader& reader) : reader_(reader) {}

  void take(const Op& op) {
    if (training_ == (op.kind == Kind::kEpoch)) {
      reader_.damaged("has an epoch within another, or an operation outside of all");
    }
    switch (op.kind) {
      case Kind::kEpoch:
        training_ = true;
        break;
      case Kind::kEnd:
        if (!open_.empty()) reader_.damaged("has an operation that nobody waits for");
        begun_ = 0;
        training_ = false;
        break;
      case Kind::kPullAsync:
      case Kind::kPushAsync:
      case Kind::kLocalizeAsync:
        open_.insert(begun_++);
        break;
      case Kind::kWait:
        if (op.number < 0 || op.number >= begun_ || open_.erase(begun_ - 1 - op.number) == 0) {
          reader_.damaged("waits for nothing");
        }
        break;
      case Kind::kIntent:
        if (beyond(op.number) || beyond(op.length)) {
          reader_.damaged("announces an access at an impossible clock");
        }
        break;
      case Kind::kCompute:
        if (!std::isfinite(op.flops) || op.flops < 0.0) {
          reader_.damaged("has an impossible amount of arithmetic");
        }
        break;
      default:
        break;
    }
  }
  bool over() const { return !training_; }

 private:
  const trace::OpReader& reader_;
  bool training_ = false;
  std::int64_t begun_ = 0;
  std::set<std::int64_t> open_;
};

Recording::Recording(const std::string& path)
    : place_(trace::find_trace(path, kOption).string()),
      trace_(read_trace(place_)),
      keys_(trace_.groups),
      epochs_(trace_.workers.size()) {
  place_ = std::string(kOption) + ": " + place_;
  if (trace_.epochs == 0) fail_input("{}: the trace has no epoch. Record it again", place_);
  std::vector<std::uint64_t> barriers;
  for (WorkerId worker = 0; worker < workers(); ++worker) {
    std::vector<std::uint64_t> of_worker;
    read_worker(worker, of_worker);
    if (worker == 0) barriers = of_worker;
    if (of_worker != barriers || of_worker.size() != trace_.epochs) {
      fail_input(
          "{}: the trace is damaged: worker {} has other epochs or barriers than worker 0. "
          "Record it again",
          place_, worker);
    }
  }
}

void Recording::read_worker(WorkerId worker, std::vector<std::uint64_t>& barriers) {
  trace::OpReader reader = all(worker);
  Check check(reader);
  std::size_t begin = 0;
  for (Op op; reader.next(op);) {
    check.take(op);
    if (op.kind == Kind::kEpoch) {
      epochs_[worker].push_back(begin);
      barriers.push_back(0);
    }
    if (op.kind == Kind::kBarrier) ++barriers.back();
    begin = reader.position();
    const bool push = op.kind == Kind::kPush || op.kind == Kind::kPushAsync;
    const bool pull =
        op.kind == Kind::kPull || op.kind == Kind::kPullAsync || op.kind == Kind::kSample;
    if (push) pushed_ += op.keys.size();
    if (pull) pulled_ += op.keys.size();
  }
  if (!check.over()) reader.damaged("ends within an epoch");
  epochs_[worker].push_back(begin);
}

std::uint64_t Recording::bytes() const {
  std::uint64_t sum = 0;
  for (const std::string& worker : trace_.workers) sum += worker.size();
  return sum;
}

trace::OpReader Recording::epoch(WorkerId worker, int epoch) const {
  const std::size_t index = static_cast<std::size_t>(epoch - 1) % trace_.epochs;
  const std::size_t begin = epochs_[worker][index];
  const std::size_t end = epochs_[worker][index + 1];
  return {std::string_view(trace_.workers[worker]).substr(begin, end - begin), keys_.size(),
          place_};
}

}  // namespace pslab::synthetic
