// Lists of changes to replicated keys, as they are collected, sent and added up when replicas are
// synchronised. Replicas are numbered in the order of their keys, the same on every node.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "api/key_space.hpp"
#include "api/message.hpp"

namespace pslab::manager {

/// The replicated keys, and where each one's value is among the floats of all of them.
class ReplicaLayout {
 public:
  ReplicaLayout(const KeySpace& space, std::vector<Key> keys);

  std::size_t size() const { return keys_.size(); }
  Key key(std::uint32_t number) const { return keys_[number]; }
  std::size_t begin(std::uint32_t number) const { return begin_[number]; }
  std::size_t length(std::uint32_t number) const { return begin_[number + 1] - begin_[number]; }
  std::size_t total_floats() const { return begin_.back(); }

 private:
  std::vector<Key> keys_;           ///< ascending
  std::vector<std::size_t> begin_;  ///< one more than keys
};

/// Numbers of replicas, ascending (tags are 0), and the changes of one after the other.
struct DeltasView {
  std::span<const MessageKey> numbers;
  std::span<const float> floats;
};

struct Deltas {
  std::vector<MessageKey> numbers;
  std::vector<float> floats;

  DeltasView view() const { return {numbers, floats}; }
  void clear();
  void append(std::uint32_t number, std::span<const float> delta);
  void assign(DeltasView other);
};

/// sum = a + b, where a change that only one of them has is taken as it is. `sum` is neither of
/// them. Gives the same bits for (a, b) as for (b, a).
void add(const ReplicaLayout& layout, DeltasView a, DeltasView b, Deltas& sum);

/// L2 norm.
double norm(std::span<const float> delta);

/// Says how far a summed change must be scaled down so as not to exceed `factor` times the mean
/// norm of those before it (NuPS). The first changes are left alone: their mean says little yet.
class DeltaClip {
 public:
  explicit DeltaClip(double factor) : factor_(factor) {}

  /// The number to multiply a change of this norm with, at most 1. Counts it into the mean: all
  /// nodes must ask about the same changes in the same order.
  double scale(double norm);

 private:
  static constexpr std::uint64_t kWarmUp = 1000;  ///< changes

  double factor_;
  double mean_ = 0.0;
  std::uint64_t seen_ = 0;
};

}  // namespace pslab::manager
