// Who owns what. The home of a key is a fixed function of the key and always knows its owner; a
// node may also remember where it last saw a key (location cache; may be stale).
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "api/strategy.hpp"
#include "base/types.hpp"

namespace pslab::manager {

/// Home of each key, and the keys whose home is one node, in a dense order. An explicit placement
/// takes 4 bytes for each of these, beside the plan's 2 bytes a key.
class HomeMap {
 public:
  /// `plan` outlives it.
  HomeMap(const Plan& plan, Key num_keys, NodeId nodes, NodeId self)
      : placement_(plan.placement),
        owners_(plan.owners),
        num_keys_(num_keys),
        nodes_(nodes),
        self_(self),
        per_node_((num_keys + nodes - 1) / nodes) {
    for (Key key = 0; key < owners_.size(); ++key) {
      if (owners_[key] == self) mine_.push_back(static_cast<std::uint32_t>(key));
    }
  }

  NodeId self() const { return self_; }
  NodeId home(Key key) const {
    if (placement_ == Placement::kHash) return static_cast<NodeId>(key % nodes_);
    if (placement_ == Placement::kRange) return static_cast<NodeId>(key / per_node_);
    return owners_[key];
  }
  /// How many keys' home is this node.
  Key count() const {
    if (placement_ == Placement::kHash) return (num_keys_ + nodes_ - 1 - self_) / nodes_;
    if (placement_ == Placement::kExplicit) return mine_.size();
    const Key begin = self_ * per_node_;
    return begin >= num_keys_ ? 0 : std::min(per_node_, num_keys_ - begin);
  }
  /// The how-manieth of them this key is; its home is this node.
  Key rank(Key key) const {
    if (placement_ == Placement::kHash) return key / nodes_;
    if (placement_ == Placement::kRange) return key % per_node_;
    return static_cast<Key>(std::lower_bound(mine_.begin(), mine_.end(), key) - mine_.begin());
  }
  Key key_at(Key rank) const {
    if (placement_ == Placement::kHash) return rank * nodes_ + self_;
    if (placement_ == Placement::kRange) return self_ * per_node_ + rank;
    return mine_[rank];
  }

 private:
  Placement placement_;
  std::span<const std::uint16_t> owners_;
  Key num_keys_;
  NodeId nodes_;
  NodeId self_;
  Key per_node_;
  std::vector<std::uint32_t> mine_;  ///< explicit: keys whose home is here, ascending
};

class Directory {
 public:
  Directory(HomeMap homes, Key num_keys, bool caches)
      : homes_(std::move(homes)),
        self_(homes_.self()),
        owners_(homes_.count(), static_cast<std::uint16_t>(self_)),
        cache_(caches ? num_keys : 0, kUnknown) {}

  const HomeMap& homes() const { return homes_; }
  NodeId home(Key key) const { return homes_.home(key); }
  bool is_home(Key key) const { return home(key) == self_; }

  /// Only for keys whose home is here.
  NodeId owner(Key key) const { return owners_[homes_.rank(key)]; }
  void set_owner(Key key, NodeId owner) {
    owners_[homes_.rank(key)] = static_cast<std::uint16_t>(owner);
  }

  /// Where a worker sends an operation on a key that is not here.
  NodeId route(Key key) const {
    if (is_home(key)) return owner(key);
    if (!cache_.empty() && cache_[key] != kUnknown) return cache_[key];
    return home(key);
  }
  /// Where a server forwards an operation on a key that is not here; never trusts the cache.
  NodeId forward(Key key) const { return is_home(key) ? owner(key) : home(key); }

  void saw(Key key, NodeId node) {
    if (!cache_.empty() && node != self_) cache_[key] = static_cast<std::uint16_t>(node);
  }

 private:
  static constexpr std::uint16_t kUnknown = 0xFFFF;

  HomeMap homes_;
  NodeId self_;
  std::vector<std::uint16_t> owners_;  ///< of the keys whose home is here, by rank
  std::vector<std::uint16_t> cache_;   ///< by key; empty: no caches
};

}  // namespace pslab::manager
