#include "oracle/key_cost.hpp"

#include <algorithm>
#include <utility>

namespace pslab::oracle {

KeyCost::KeyCost(NodeId nodes, Transfer transfer, bool uniform)
    : transfer_(std::move(transfer)), uniform_(uniform), sites_(nodes) {}

void KeyCost::begin(const Prices& prices, double longest) {
  prices_ = prices;
  longest_ = longest;
  ++key_;
  elsewhere_ = 0.0;
  far_ = -prices.move;  // where the key is at first costs nothing
  least_ = 0.0;
  departures_.clear();
  writes_ = 0;
  last_write_ = {};
  last_other_write_ = {};
}

KeyCost::Site& KeyCost::site(NodeId node) {
  Site& site = sites_[node];
  if (site.key != key_) site = {.key = key_};
  return site;
}

void KeyCost::take(const Step& step) {
  Site& here = site(step.node);
  const double owned = std::min(here.owner + step.here, cost_of_move(step));
  const double elsewhere = cost_elsewhere(step, here);
  if (step.write) {
    note_write(step);
    ++here.writes;
  } else {
    here.foreign_seen = writes_ - here.writes;
  }
  elsewhere_ += elsewhere;
  here.owner = owned - elsewhere;
  depart(step, here.owner);
}

/// The key comes here for this step.
double KeyCost::cost_of_move(const Step& step) {
  while (!departures_.empty() && departures_.front().executed + longest_ <= step.executed) {
    far_ = std::min(far_, departures_.front().cost);
    departures_.pop_front();
  }
  double least = far_ + step.here;
  for (const Departure& departure : departures_) {
    double cost = step.here;
    if (!step.write && departure.node != step.node) {
      const double arrives = departure.executed + transfer_(departure.node, step.node);
      cost = std::max(cost, step.wait * (arrives - step.waits_from));
    }
    least = std::min(least, departure.cost + cost);
  }
  return least + prices_.move;
}

double KeyCost::cost_elsewhere(const Step& step, Site& site) const {
  if (step.write) return step.remote;
  if (site.foreign_seen == writes_ - site.writes) return step.here;
  const Write& write = last_write_.node == step.node ? last_other_write_ : last_write_;
  const double arrives = write.executed + transfer_(write.node, step.node);
  const double copy = prices_.copy + std::max(step.here, step.wait * (arrives - step.waits_from));
  return std::min(step.remote, copy);
}

void KeyCost::note_write(const Step& step) {
  ++writes_;
  if (last_write_.node != step.node) last_other_write_ = last_write_;
  last_write_ = {step.node, step.executed};
}

void KeyCost::depart(const Step& step, double cost) {
  least_ = std::min(least_, cost);
  if (!departures_.empty()) {
    // One that left earlier at no higher cost is nowhere later.
    const Departure& last = departures_.back();
    if (last.cost <= cost && (uniform_ || last.node == step.node)) return;
  }
  departures_.push_back({step.node, step.executed, cost});
  if (departures_.size() <= kMostDepartures) return;
  far_ = std::min(far_, departures_.front().cost);
  departures_.pop_front();
}

}  // namespace pslab::oracle
