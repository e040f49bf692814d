// A small simulated matrix factorization (4 nodes with 2 workers each, 3,000 cells, 2 epochs) that
// tests run with changes of its config.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "run/experiment.hpp"
#include "run/record.hpp"

namespace pslab::test {

/// The run's config with `overrides` ("strategy.name=static;cluster.nodes=3"), its data loaded.
std::unique_ptr<run::Experiment> small_experiment(const std::string& overrides);

/// Overrides for every registered strategy; hybrid a second time, with keys that are hot in so
/// small a task.
std::vector<std::string> every_strategy();

using Describe = std::function<std::string(const std::vector<run::EpochRecord>&)>;

/// What came out, exactly: "time 0.018 messages 10908 ...". Counts are sums over all epochs and
/// nodes, metrics those of the last epoch; numbers read back to the same double.
std::string totals(const std::vector<run::EpochRecord>& epochs);

/// Runs it in a process of its own. What `describe` makes of its epochs, or "exception: ...".
std::string run_small(const std::string& overrides, const Describe& describe = totals);

/// The number behind `name` in such a text. Throws std::runtime_error when there is none.
double number(const std::string& text, const std::string& name);

/// Training time of a run, in simulated seconds.
double time_of(const std::string& overrides);

}  // namespace pslab::test
