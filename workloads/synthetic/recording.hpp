// A trace that is known to be one that can be replayed.
#pragma once

#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "trace/op_stream.hpp"
#include "trace/trace_file.hpp"

namespace pslab::synthetic {

class Recording {
 public:
  /// Reads the file that `path` leads to (trace::find_trace). Throws InputError when it cannot be
  /// replayed: a wait for nothing, workers at different numbers of barriers, ...
  explicit Recording(const std::string& path);

  const trace::Trace& trace() const { return trace_; }
  const KeySpace& keys() const { return keys_; }
  WorkerId workers() const { return static_cast<WorkerId>(trace_.workers.size()); }
  std::uint64_t bytes() const;
  std::uint64_t pulled() const { return pulled_; }  ///< keys, samples among them
  std::uint64_t pushed() const { return pushed_; }

  /// What a worker does in an epoch; after the last recorded one, the first comes again.
  trace::OpReader epoch(WorkerId worker, int epoch) const;
  /// Of all epochs.
  trace::OpReader all(WorkerId worker) const {
    return {trace_.workers[worker], keys_.size(), place_};
  }

 private:
  class Check;
  void read_worker(WorkerId worker, std::vector<std::uint64_t>& barriers);

  std::string place_;
  trace::Trace trace_;
  KeySpace keys_;
  std::vector<std::vector<std::size_t>> epochs_;  ///< by worker: where each begins, and the end
  std::uint64_t pulled_ = 0;
  std::uint64_t pushed_ = 0;
};

}  // namespace pslab::synthetic
