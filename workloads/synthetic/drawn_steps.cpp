#include "workloads/synthetic/drawn_steps.hpp"

#include <algorithm>

namespace pslab::synthetic {

DrawnSteps::DrawnSteps(const Options& options, const Popularity& popularity, WorkerId worker,
                       Random random)
    : options_(options),
      popularity_(popularity),
      worker_(worker),
      random_(random),
      kept_(std::min(options.lookahead + options.together, options.steps)) {}

std::span<const Key> DrawnSteps::draw() {
  std::vector<Key>& keys = kept_[next_ % kept_.size()];
  keys.resize(sizes_of(options_, next_).direct);
  for (Key& key : keys) key = popularity_.draw(worker_, next_, random_);
  ++next_;
  return keys;
}

std::span<const Key> DrawnSteps::keys(std::uint64_t step) const {
  return kept_[step % kept_.size()];
}

}  // namespace pslab::synthetic
