// Who owns what. The home of a key is a fixed function of the key and always knows its owner; a
// node may also remember where it last saw a key (location cache; may be stale).
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "api/strategy.hpp"
#include "base/types.hpp"

namespace pslab::manager {

/// Home of each key: key modulo nodes (hash), or equal ranges of consecutive keys.
class HomeMap {
 public:
  HomeMap(Placement placement, Key num_keys, NodeId nodes)
      : placement_(placement),
        num_keys_(num_keys),
        nodes_(nodes),
        per_node_((num_keys + nodes - 1) / nodes) {}

  NodeId home(Key key) const {
    return static_cast<NodeId>(placement_ == Placement::kHash ? key % nodes_ : key / per_node_);
  }
  /// The how-manieth key of its home this is.
  Key rank(Key key) const {
    return placement_ == Placement::kHash ? key / nodes_ : key % per_node_;
  }
  /// Keys whose home is `node`; count(node) of them.
  Key key_at(NodeId node, Key rank) const {
    return placement_ == Placement::kHash ? rank * nodes_ + node : node * per_node_ + rank;
  }
  Key count(NodeId node) const {
    if (placement_ == Placement::kHash) return (num_keys_ + nodes_ - 1 - node) / nodes_;
    const Key begin = node * per_node_;
    return begin >= num_keys_ ? 0 : std::min(per_node_, num_keys_ - begin);
  }

 private:
  Placement placement_;
  Key num_keys_;
  NodeId nodes_;
  Key per_node_;
};

class Directory {
 public:
  Directory(const HomeMap& homes, NodeId self, Key num_keys, bool caches)
      : homes_(homes),
        self_(self),
        owners_(homes.count(self), static_cast<std::uint16_t>(self)),
        cache_(caches ? num_keys : 0, kUnknown) {}

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
