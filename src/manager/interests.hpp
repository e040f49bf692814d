// What the workers of a node have announced to access (AdaPM: intents), and which of it is to be
// acted on now. Intents wait until they begin soon by their worker's clock (the strategy says how
// soon), are active until it has passed their end, and are forgotten then. Costs follow the number
// of intents, not that of all keys.
#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <span>
#include <vector>

#include "api/strategy.hpp"
#include "base/types.hpp"
#include "manager/key_table.hpp"

namespace pslab::manager {

class Interests {
 public:
  explicit Interests(std::uint32_t workers);

  /// By the worker itself, whenever it likes.
  void announce(std::uint32_t worker, std::span<const Key> keys, std::uint64_t start,
                std::uint64_t end);

  /// Inside the node: acts on what is due by these clocks. `begun`: keys that some worker is
  /// interested in now and none was before; `ended`: the reverse.
  void act(std::span<const std::uint64_t> clocks, const Strategy& strategy, std::vector<Key>& begun,
           std::vector<Key>& ended);
  /// Whether a worker of this node is interested in a key now.
  bool active(Key key) const { return active_.contains(key); }
  /// Forgets everything. `ended` gets the keys that were active.
  void cancel(std::vector<Key>& ended);

 private:
  struct Intent {
    std::uint64_t start;
    std::uint64_t end;
    std::vector<Key> keys;
  };
  struct Worker {
    std::mutex mutex;
    std::vector<Intent> announced;  ///< under the mutex
    std::vector<Intent> waiting;    ///< heap: the one that starts first on top
    std::vector<Intent> active;     ///< heap: the one that ends first on top
    std::uint64_t clock = 0;        ///< at the last act()
    double expected = 0.0;          ///< clocks between two of them; the strategy's estimate
  };
  void begin(const Intent& intent, std::vector<Key>& begun);
  void end(const Intent& intent, std::vector<Key>& ended);

  std::vector<std::unique_ptr<Worker>> workers_;
  KeyTable active_;  ///< how many active intents have the key
};

}  // namespace pslab::manager
