// Notes the calls of one worker while it trains. Used by that worker only, until the epoch is over.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <unordered_map>

#include "trace/op_stream.hpp"

namespace pslab::trace {

/// When a call is executed, and until when the worker has worked; see Op. Seconds.
struct Moment {
  double executed;
  double worked;
};

class Tracer {
 public:
  /// `keep_all`: bytes of all epochs; else only of the last one.
  explicit Tracer(bool keep_all) : keep_all_(keep_all) {}

  void begin_epoch(int epoch, Moment moment);
  void end_epoch(Moment moment);

  /// kPull, kPush, kSample, kLocalize.
  void call(Kind kind, Moment moment, std::span<const Key> keys);
  /// kPullAsync, kPushAsync, kLocalizeAsync: the operation that the worker gets to wait for in
  /// place of `operation`, which may be complete.
  std::uint32_t call_async(Kind kind, Moment moment, std::span<const Key> keys,
                           std::uint32_t operation);
  /// The operation that call_async() had been given.
  std::uint32_t wait(Moment moment, std::uint32_t operation);
  void intent(std::span<const Key> keys, std::int64_t clocks_ahead, std::int64_t length);
  void prepare_sample(std::size_t count);
  void compute(double flops);
  void clock() { note({.kind = Kind::kClock}); }
  void barrier(Moment moment) { call(Kind::kBarrier, moment, {}); }

  const OpWriter& ops() const { return ops_; }

 private:
  void note(const Op& op) {
    if (training_) ops_.write(op);
  }

  bool keep_all_;
  bool training_ = false;
  OpWriter ops_;
  std::uint32_t begun_ = 0;                                  ///< asynchronous calls of this epoch
  std::unordered_map<std::uint32_t, std::uint32_t> open_{};  ///< from call to operation
};

}  // namespace pslab::trace
