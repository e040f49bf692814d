#include "workloads/synthetic/pushes.hpp"

#include <algorithm>
#include <numeric>

namespace pslab::synthetic {
namespace {

constexpr float kSmallDelta = 0x1p-10F;
constexpr std::size_t kEvaluatedFloats = 1 << 16;  ///< at a time

}  // namespace

void add_delta(std::vector<float>& deltas, std::size_t length) {
  deltas.push_back(1.0F);
  deltas.resize(deltas.size() + length - 1, kSmallDelta);
}

void count_pushes(Worker& worker, const KeySpace& space, std::vector<double>& sums) {
  const Key begin = space.size() * worker.id() / worker.num_workers();
  const Key end = space.size() * (worker.id() + Key{1}) / worker.num_workers();
  std::vector<Key> keys;
  std::vector<float> values;
  for (Key first = begin; first < end; first += keys.size()) {
    const std::size_t length = space.length(first);
    const Key same_length = space.first(space.group_of(first) + 1);
    keys.resize(
        std::min({std::max<Key>(1, kEvaluatedFloats / length), end - first, same_length - first}));
    std::iota(keys.begin(), keys.end(), first);
    values.resize(keys.size() * length);
    worker.pull(keys, values);
    for (std::size_t i = 0; i < values.size(); i += length) {
      sums[kCounted] += double{values[i]};
      if (values[i] >= kExactCounts) sums[kInexact] += 1.0;
    }
  }
}

}  // namespace pslab::synthetic
