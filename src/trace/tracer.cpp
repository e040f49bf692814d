#include "trace/tracer.hpp"

#include <cmath>

namespace pslab::trace {
namespace {

constexpr double kPerSecond = 1e9;

Op at(Kind kind, Moment moment) {
  Op op{.kind = kind};
  op.time_ns = static_cast<std::int64_t>(std::floor(moment.executed * kPerSecond));
  op.ahead_ns = static_cast<std::int64_t>(std::ceil(moment.worked * kPerSecond)) - op.time_ns;
  return op;
}

}  // namespace

void Tracer::begin_epoch(int epoch, Moment moment) {
  if (!keep_all_) ops_.clear();
  training_ = true;
  begun_ = 0;
  Op op = at(Kind::kEpoch, moment);
  op.number = epoch;
  note(op);
}

void Tracer::end_epoch(Moment moment) {
  note(at(Kind::kEnd, moment));
  training_ = false;
}

void Tracer::call(Kind kind, Moment moment, std::span<const Key> keys) {
  Op op = at(kind, moment);
  op.keys = keys;
  note(op);
}

std::uint32_t Tracer::call_async(Kind kind, Moment moment, std::span<const Key> keys,
                                 std::uint32_t operation) {
  call(kind, moment, keys);
  open_.emplace(begun_, operation);
  return begun_++;
}

std::uint32_t Tracer::wait(Moment moment, std::uint32_t operation) {
  Op op = at(Kind::kWait, moment);
  op.number = static_cast<std::int64_t>(begun_ - 1 - operation);
  note(op);
  const auto open = open_.find(operation);
  const std::uint32_t given = open->second;
  open_.erase(open);
  return given;
}

void Tracer::intent(std::span<const Key> keys, std::int64_t clocks_ahead, std::int64_t length) {
  note({.kind = Kind::kIntent, .number = clocks_ahead, .length = length, .keys = keys});
}

void Tracer::prepare_sample(std::size_t count) {
  note({.kind = Kind::kPrepareSample, .number = static_cast<std::int64_t>(count)});
}

void Tracer::compute(double flops) {
  note({.kind = Kind::kCompute, .flops = flops});
}

}  // namespace pslab::trace
