// Where the accesses of the workload come from: drawn, or replayed from a trace.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "api/workload.hpp"
#include "workloads/synthetic/options.hpp"

namespace pslab::synthetic {

/// As those of Workload.
class Accesses {
 public:
  virtual ~Accesses() = default;
  virtual KeySpace keys() const = 0;
  virtual std::unique_ptr<WorkerTask> make_task(WorkerId worker) const = 0;
  virtual std::vector<float> direct_accesses() const = 0;
  virtual std::vector<float> sample_accesses() const = 0;
  virtual std::vector<KeyCount> node_accesses(NodeId node) const = 0;
  virtual std::function<Key(Random&)> sample_distribution() const = 0;
  virtual std::vector<std::string> data_report() const = 0;
  virtual std::uint64_t data_bytes() const = 0;
};

/// `options` must outlive them. Throw InputError when these do not fit the cluster.
std::unique_ptr<Accesses> drawn_accesses(const Options& options, const LoadContext& context);
std::unique_ptr<Accesses> replayed_accesses(const Options& options, const LoadContext& context);

}  // namespace pslab::synthetic
