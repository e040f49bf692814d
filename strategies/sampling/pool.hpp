// A worker's pool of keys for samples: groups of independent draws, each handed out several times.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "api/sampling.hpp"
#include "config/options.hpp"

namespace pslab {

class Pool {
 public:
  explicit Pool(config::Options& options)
      : size_(static_cast<std::size_t>(
            options.integer("group", 250, 1, 1'000'000, "keys",
                            "draws that a worker makes, localizes and uses together; each worker "
                            "has its own (the published pool is one per node)"))),
        uses_(static_cast<std::size_t>(options.integer("uses", 16, 1, 1'000'000, "",
                                                       "times that a drawn key is handed out"))) {}

  /// Draws and localizes a group whenever one is used up; each use of it is in another random
  /// order.
  Key next(SamplingContext& context, Random& random) {
    if (position_ == group_.size()) {
      if (uses_left_ == 0) {
        draw_group(context, random);
      } else {
        random.shuffle(std::span(group_));
      }
      --uses_left_;
      position_ = 0;
    }
    return group_[position_++];
  }

 private:
  void draw_group(SamplingContext& context, Random& random) {
    group_.resize(size_);
    for (Key& key : group_) key = context.draw(random);
    context.localize(group_);
    uses_left_ = uses_;
  }

  std::size_t size_;
  std::size_t uses_;
  std::vector<Key> group_;
  std::size_t position_ = 0;
  std::size_t uses_left_ = 0;  ///< after this one
};

}  // namespace pslab
