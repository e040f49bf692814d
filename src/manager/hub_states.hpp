// What a hub knows of each of its keys: which other nodes have copies, and what has been added
// since they were last sent changes. No heap block per key: lists of nodes are links in one vector
// (a key needs about 30 bytes, and 8 for each copy), and changes lie in vectors that are emptied
// every round.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "base/types.hpp"
#include "manager/key_table.hpp"

namespace pslab::manager {

class HubStates {
 public:
  explicit HubStates(NodeId self) : self_(self) {}

  bool contains(Key key) const { return index_.contains(key); }
  std::size_t size() const { return index_.size(); }
  /// A key that is not among them, without copies.
  void open(Key key);
  void close(Key key);

  // Of one of the keys. Nodes are kept in the order in which they were added.
  void add_node(Key key, NodeId node);  ///< unless it is there already
  void remove_node(Key key, NodeId node);
  std::size_t count_nodes(Key key) const;
  NodeId first_node(Key key) const { return links_[hub(key).nodes].node; }
  /// Whether the last node has been offered the key.
  bool offered(Key key) const { return hub(key).offered; }
  void set_offered(Key key, bool offered) { hub(key).offered = offered; }

  /// Something was added, and `from` knows: a node with a copy, or this one.
  void add_change(Key key, NodeId from, std::span<const float> delta);
  /// A node gets a copy with all changes so far, and `more`, which is still to be added.
  void set_known(Key key, NodeId node, std::span<const float> more);
  /// Calls send(key, node, news) for every copy and what its node does not know yet, and forgets
  /// the changes.
  template <typename Send>
  void send_changes(Send send);

 private:
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};
  struct Hub {
    std::uint32_t nodes = kNone;   ///< first link
    std::uint32_t change = kNone;  ///< its number; none: nothing has been added
    bool offered = false;
  };
  struct Link {
    NodeId node;
    std::uint32_t next;  ///< kNone: the last one
  };
  struct Change {
    Key key;
    std::size_t length;
    std::size_t sum;                ///< place among the floats
    std::uint32_t knowing = kNone;  ///< first node that knows some of it
    bool added = false;             ///< anything but zeros
  };
  struct Known {
    NodeId node;
    std::uint32_t next;
    std::size_t floats;
  };

  Hub& hub(Key key) { return hubs_[index_.find(key)]; }
  const Hub& hub(Key key) const { return hubs_[index_.find(key)]; }
  std::uint32_t new_link(NodeId node);
  void free_link(std::uint32_t link);
  std::size_t room(std::size_t length);
  Change& change(Key key, std::size_t length);
  std::size_t known(Change& change, NodeId node);
  const Known* find_known(const Change& change, NodeId node) const;
  void forget_changes();
  std::span<const float> news(const Change& change, NodeId node);

  NodeId self_;
  KeyTable index_;
  std::vector<Hub> hubs_;
  std::vector<std::uint32_t> free_hubs_;
  std::vector<Link> links_;
  std::uint32_t free_links_ = kNone;
  // Of this round:
  std::vector<Change> changes_;
  std::vector<Known> known_;
  std::vector<float> floats_;
  std::vector<float> news_;
};

template <typename Send>
void HubStates::send_changes(Send send) {
  for (std::uint32_t number = 0; number < changes_.size(); ++number) {
    const Change& change = changes_[number];
    const std::uint32_t at = index_.find(change.key);
    // It may have been closed, and opened again.
    if (at == KeyTable::kNone || hubs_[at].change != number) continue;
    hubs_[at].change = kNone;
    for (std::uint32_t link = hubs_[at].nodes; change.added && link != kNone;
         link = links_[link].next) {
      const std::span<const float> fresh = news(change, links_[link].node);
      if (std::ranges::any_of(fresh, [](float x) { return x != 0.0F; })) {
        send(change.key, links_[link].node, fresh);
      }
    }
  }
  forget_changes();
}

}  // namespace pslab::manager
