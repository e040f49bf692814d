#include "manager/deltas.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

namespace pslab::manager {

ReplicaLayout::ReplicaLayout(const KeySpace& space, std::vector<Key> keys)
    : keys_(std::move(keys)) {
  std::sort(keys_.begin(), keys_.end());
  begin_.push_back(0);
  for (const Key key : keys_) begin_.push_back(begin_.back() + space.length(key));
}

void Deltas::clear() {
  numbers.clear();
  floats.clear();
}

void Deltas::append(std::uint32_t number, std::span<const float> delta) {
  numbers.push_back({number, 0});
  floats.insert(floats.end(), delta.begin(), delta.end());
}

void Deltas::assign(DeltasView other) {
  numbers.assign(other.numbers.begin(), other.numbers.end());
  floats.assign(other.floats.begin(), other.floats.end());
}

void add(const ReplicaLayout& layout, DeltasView a, DeltasView b, Deltas& sum) {
  sum.clear();
  const float* a_float = a.floats.data();
  const float* b_float = b.floats.data();
  auto a_next = a.numbers.begin();
  auto b_next = b.numbers.begin();
  while (a_next != a.numbers.end() || b_next != b.numbers.end()) {
    const bool take_a =
        b_next == b.numbers.end() || (a_next != a.numbers.end() && a_next->key <= b_next->key);
    const bool take_b =
        a_next == a.numbers.end() || (b_next != b.numbers.end() && b_next->key <= a_next->key);
    const std::uint32_t number = take_a ? a_next->key : b_next->key;
    const std::size_t length = layout.length(number);
    sum.append(number, {take_a ? a_float : b_float, length});
    if (take_a && take_b) {
      float* both = &sum.floats[sum.floats.size() - length];
      for (std::size_t i = 0; i < length; ++i) both[i] += b_float[i];
    }
    if (take_a) {
      ++a_next;
      a_float += length;
    }
    if (take_b) {
      ++b_next;
      b_float += length;
    }
  }
}

double norm(std::span<const float> delta) {
  double squares = 0.0;
  for (const float x : delta) squares += double{x} * double{x};
  return std::sqrt(squares);
}

double DeltaClip::scale(double norm) {
  ++seen_;
  mean_ += (norm - mean_) / static_cast<double>(seen_);
  const double most = factor_ * mean_;
  return seen_ <= kWarmUp || norm <= most ? 1.0 : most / norm;
}

}  // namespace pslab::manager
