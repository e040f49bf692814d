// One worker's share of training word vectors.
#pragma once

#include <memory>

#include "api/workload.hpp"
#include "workloads/word2vec/shared.hpp"

namespace pslab::word2vec {

/// What a worker adds to the sums of an epoch; behind them, its right answers in each section of
/// the analogies.
enum Sum : std::size_t { kLoss, kPredictions, kNotNumbers, kSpearman, kSections };

/// `shared` has been loaded and outlives it.
std::unique_ptr<WorkerTask> make_task(const Shared& shared);

}  // namespace pslab::word2vec
