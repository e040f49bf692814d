// The cheapest way to manage one key over an epoch, given who accesses it when. README.md describes
// the model. Knows nothing of platforms: what things cost is in the steps.
#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <limits>
#include <vector>

#include "base/types.hpp"

namespace pslab::oracle {

/// An access, with what it costs in each case. Costs are in the unit of the objective: a worker's
/// and a server's seconds, each times its price.
struct Step {
  NodeId node = 0;
  bool write = false;
  double executed = 0.0;    ///< seconds; ascending
  double waits_from = 0.0;  ///< seconds; not before `executed`
  double here = 0.0;        ///< the key, or a copy that may be read, is here
  double remote = 0.0;      ///< it is elsewhere, and is asked there: a read, or a push
  double wait = 0.0;        ///< each second that its worker waits for the key or a copy to come
};

/// What bringing something costs beside waiting for it.
struct Prices {
  double copy = 0.0;
  double move = 0.0;
};

class KeyCost {
 public:
  using Transfer = std::function<double(NodeId from, NodeId to)>;

  /// `transfer`: seconds from one node to another. `uniform`: for all pairs the same, which is
  /// faster.
  KeyCost(NodeId nodes, Transfer transfer, bool uniform);

  /// The first step of the next key follows, of which no transfer takes longer than `longest`.
  void begin(const Prices& prices, double longest);
  void take(const Step& step);
  /// Of the steps since begin(), at the least.
  double cheapest() const { return least_ + elsewhere_; }

 private:
  static constexpr double kNever = -std::numeric_limits<double>::infinity();
  static constexpr double kImpossible = std::numeric_limits<double>::infinity();
  /// More keys that have just left are not told apart.
  static constexpr std::size_t kMostDepartures = 64;

  /// Of a node that has accessed the key.
  struct Site {
    std::uint64_t key = 0;           ///< for which the rest is true; else the node is new
    double owner = kImpossible;      ///< cost when the key has been here since the last access
    std::uint64_t writes = 0;        ///< by this node
    std::uint64_t foreign_seen = 0;  ///< writes by others before its last read
  };
  /// The key has left a node after an access to wherever it is accessed next.
  struct Departure {
    NodeId node;
    double executed;
    double cost;
  };

  Site& site(NodeId node);
  double cost_elsewhere(const Step& step, Site& site) const;
  double cost_of_move(const Step& step);
  void note_write(const Step& step);
  void depart(const Step& step, double cost);

  Transfer transfer_;
  bool uniform_;
  double longest_ = 0.0;
  Prices prices_;
  std::uint64_t key_ = 0;
  std::vector<Site> sites_;
  /// Added to all costs since begin(): what every step cost where the key is elsewhere. Costs below
  /// are stored without it.
  double elsewhere_ = 0.0;
  double far_ = 0.0;                  ///< the key left long ago: nobody waits for it
  double least_ = 0.0;                ///< wherever the key is
  std::deque<Departure> departures_;  ///< lately; in the order of time
  std::uint64_t writes_ = 0;
  struct Write {
    NodeId node = 0;
    double executed = kNever;
  };
  Write last_write_;
  Write last_other_write_;  ///< by another node than that
};

}  // namespace pslab::oracle
