#include "workloads/synthetic/popularity.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "base/error.hpp"

namespace pslab::synthetic {

/// The shifts first .. first + count - 1, each equally often.
struct Popularity::Shifts {
  std::uint64_t first;
  std::uint64_t count;
};

Popularity::Popularity(const Options& options, WorkerId workers, std::uint64_t seed)
    : keys_(options.keys),
      steps_(options.steps),
      locality_(options.locality),
      drift_(options.drift),
      workers_(workers),
      groups_(std::max<Key>(1, options.keys / workers)),
      direct_(options.keys, options.zipf),
      sample_(options.keys, options.sample_zipf) {
  if (locality_ > 0.0 && keys_ < workers) {
    fail_input(
        "workload.locality: {} workers cannot have a part each of {} keys. Use at least as many "
        "workload.keys as workers, or workload.locality: 0",
        workers, keys_);
  }
  orders_.reserve(options.phases);
  for (std::uint64_t phase = 0; phase < options.phases; ++phase) {
    orders_.emplace_back(keys_, Random(seed, "order of popularity", phase));
  }
}

std::uint64_t Popularity::phase_of(std::uint64_t step) const {
  return step * orders_.size() / steps_;
}

std::uint64_t Popularity::first_step(std::uint64_t phase) const {
  return (phase * steps_ + orders_.size() - 1) / orders_.size();
}

std::uint64_t Popularity::shift_at(std::uint64_t step) const {
  return static_cast<std::uint64_t>(drift_ * static_cast<double>(step));
}

Key Popularity::draw(WorkerId worker, std::uint64_t step, Random& random) const {
  Key place = (direct_.draw(random) + shift_at(step)) % keys_;
  if (locality_ > 0.0 && random.uniform() < locality_) {
    place = std::min(place / workers_, groups_ - 1) * workers_ + worker;
  }
  return orders_[phase_of(step)](place);
}

Key Popularity::draw_sample(Random& random) const {
  return orders_[0](sample_.draw(random));
}

/// Adds to places of a large table in any order: a few at a time, each fetched into the cache while
/// those before it are added.
class Popularity::Adder {
 public:
  explicit Adder(std::vector<float>& table) : table_(table) {}
  ~Adder() { flush(); }

  void add(Key place, float value) {
    __builtin_prefetch(&table_[place], 1);
    waiting_[count_++] = {place, value};
    if (count_ == waiting_.size()) flush();
  }

 private:
  void flush() {
    for (std::size_t i = 0; i < count_; ++i) table_[waiting_[i].first] += waiting_[i].second;
    count_ = 0;
  }

  std::vector<float>& table_;
  std::array<std::pair<Key, float>, 32> waiting_;
  std::size_t count_ = 0;
};

/// That an access is drawn at this place, over all shifts.
double Popularity::probability(Key place, const Shifts& shifts) const {
  const std::uint64_t rounds = shifts.count / keys_;  // every place gets every rank in a round
  const std::uint64_t rest = shifts.count % keys_;
  // The ranks that this place has with the rest of the shifts end before `end`.
  const std::uint64_t end = (place + keys_ - shifts.first % keys_) % keys_ + 1;
  double sum = static_cast<double>(rounds);
  if (end >= rest) {
    sum += direct_.probability(end - rest, end);
  } else {
    sum += direct_.probability(0, end) + direct_.probability(keys_ - (rest - end), keys_);
  }
  return sum / static_cast<double>(shifts.count);
}

void Popularity::add_direct(std::uint64_t phase, double accesses,
                            std::vector<float>& expected) const {
  const std::uint64_t first = shift_at(first_step(phase));
  const Shifts shifts{first, shift_at(first_step(phase + 1) - 1) - first + 1};
  const Permutation& order = orders_[phase];
  Adder adder(expected);
  std::vector<double> drawn;
  for (Key group = 0; group < groups_; ++group) {
    const Key begin = group * workers_;
    const Key end = group + 1 == groups_ ? keys_ : begin + workers_;
    drawn.clear();
    double of_group = 0.0;
    for (Key place = begin; place < end; ++place) {
      drawn.push_back(accesses * probability(place, shifts));
      of_group += drawn.back();
    }
    const double local = locality_ * of_group / workers_;
    for (Key place = begin; place < end; ++place) {
      const bool owned = place - begin < workers_;
      adder.add(order(place), static_cast<float>((1.0 - locality_) * drawn[place - begin] +
                                                 (owned ? local : 0.0)));
    }
  }
}

void Popularity::add_samples(double accesses, std::vector<float>& expected) const {
  Adder adder(expected);
  for (Key place = 0; place < keys_; ++place) {
    adder.add(orders_[0](place),
              static_cast<float>(accesses * sample_.probability(place, place + 1)));
  }
}

}  // namespace pslab::synthetic
