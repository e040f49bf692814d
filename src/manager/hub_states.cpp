#include "manager/hub_states.hpp"

#include "manager/values.hpp"

namespace pslab::manager {

void HubStates::open(Key key) {
  if (free_hubs_.empty()) {
    free_hubs_.push_back(static_cast<std::uint32_t>(hubs_.size()));
    hubs_.emplace_back();
  }
  index_.set(key, free_hubs_.back());
  hubs_[free_hubs_.back()] = Hub{};
  free_hubs_.pop_back();
}

void HubStates::close(Key key) {
  const std::uint32_t number = index_.find(key);
  for (std::uint32_t link = hubs_[number].nodes; link != kNone;) {
    const std::uint32_t next = links_[link].next;
    free_link(link);
    link = next;
  }
  free_hubs_.push_back(number);
  index_.erase(key);
}

// --- nodes

std::uint32_t HubStates::new_link(NodeId node) {
  if (free_links_ == kNone) {
    links_.push_back({node, kNone});
    return static_cast<std::uint32_t>(links_.size() - 1);
  }
  const std::uint32_t link = free_links_;
  free_links_ = links_[link].next;
  links_[link] = {node, kNone};
  return link;
}

void HubStates::free_link(std::uint32_t link) {
  links_[link].next = free_links_;
  free_links_ = link;
}

void HubStates::add_node(Key key, NodeId node) {
  std::uint32_t last = kNone;
  for (std::uint32_t link = hub(key).nodes; link != kNone; link = links_[link].next) {
    if (links_[link].node == node) return;
    last = link;
  }
  const std::uint32_t added = new_link(node);
  (last == kNone ? hub(key).nodes : links_[last].next) = added;
}

void HubStates::remove_node(Key key, NodeId node) {
  for (std::uint32_t* at = &hub(key).nodes; *at != kNone; at = &links_[*at].next) {
    const std::uint32_t link = *at;
    if (links_[link].node != node) continue;
    *at = links_[link].next;
    return free_link(link);
  }
}

std::size_t HubStates::count_nodes(Key key) const {
  std::size_t count = 0;
  for (std::uint32_t link = hub(key).nodes; link != kNone; link = links_[link].next) ++count;
  return count;
}

// --- changes

std::size_t HubStates::room(std::size_t length) {
  const std::size_t place = floats_.size();
  floats_.resize(place + length, 0.0F);
  return place;
}

HubStates::Change& HubStates::change(Key key, std::size_t length) {
  std::uint32_t& number = hub(key).change;
  if (number == kNone) {
    number = static_cast<std::uint32_t>(changes_.size());
    changes_.push_back({key, length, room(length)});
  }
  return changes_[number];
}

const HubStates::Known* HubStates::find_known(const Change& change, NodeId node) const {
  for (std::uint32_t at = change.knowing; at != kNone; at = known_[at].next) {
    if (known_[at].node == node) return &known_[at];
  }
  return nullptr;
}

/// The place of what a node knows, zeros at first.
std::size_t HubStates::known(Change& change, NodeId node) {
  if (const Known* found = find_known(change, node)) return found->floats;
  known_.push_back({node, change.knowing, room(change.length)});
  change.knowing = static_cast<std::uint32_t>(known_.size() - 1);
  return known_.back().floats;
}

void HubStates::add_change(Key key, NodeId from, std::span<const float> delta) {
  Change& all = change(key, delta.size());
  all.added = true;
  add_value(&floats_[all.sum], delta.data(), delta.size());
  if (from == self_) return;
  const std::size_t knows = known(all, from);
  add_value(&floats_[knows], delta.data(), delta.size());
}

void HubStates::set_known(Key key, NodeId node, std::span<const float> more) {
  Change& all = change(key, more.size());
  const std::size_t knows = known(all, node);
  for (std::size_t i = 0; i < more.size(); ++i) floats_[knows + i] = floats_[all.sum + i] + more[i];
}

std::span<const float> HubStates::news(const Change& change, NodeId node) {
  const float* sum = &floats_[change.sum];
  news_.assign(sum, sum + change.length);
  if (const Known* found = find_known(change, node)) {
    for (std::size_t i = 0; i < news_.size(); ++i) news_[i] -= floats_[found->floats + i];
  }
  return news_;
}

/// Much memory is not kept for the next round, which may need little.
void HubStates::forget_changes() {
  constexpr std::size_t kKeptFloats = std::size_t{1} << 18;
  changes_.clear();
  known_.clear();
  floats_.clear();
  if (floats_.capacity() <= kKeptFloats) return;
  changes_.shrink_to_fit();
  known_.shrink_to_fit();
  floats_.shrink_to_fit();
}

}  // namespace pslab::manager
