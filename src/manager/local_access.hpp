// Reading and adding to values that a node holds, where workers are threads: made so that the
// processor overlaps the cache misses of several keys. Few instructions per key, and none that load
// what was stored before a lock was taken: such a load (a saved register, say) waits for the lock.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "base/types.hpp"

namespace pslab::manager {

class NodeCore;
class Replicas;
class Slab;
class WorkerCore;

class LocalAccess {
 public:
  /// How far a call got: keys, and floats of their values.
  struct Served {
    std::size_t keys = 0;
    std::size_t floats = 0;
  };
  /// A whole call of one key by a worker.
  struct One {
    void (*pull)(WorkerCore&, const Key*, float*);
    void (*push)(WorkerCore&, const Key*, const float*);
  };

  /// Of a node whose index is dense and whose keys have locks.
  explicit LocalAccess(NodeCore& node);

  /// Serves keys one after the other, each under its lock, up to one that is not held here or
  /// that somebody else is accessing. Reads into values, adds deltas.
  Served access(const Key* keys, std::size_t n, float* values) const {
    return pull_(*this, keys, n, values);
  }
  Served access(const Key* keys, std::size_t n, const float* deltas) const {
    return push_(*this, keys, n, deltas);
  }
  One one() const { return one_; }
  /// Copies with an older stamp are not read from now on.
  void read_copies_since(std::uint64_t stamp) { oldest_ = stamp; }

 private:
  struct Kind;
  struct Body;
  struct Versions;
  using Pull = Served (*)(const LocalAccess&, const Key*, std::size_t, float*);
  using Push = Served (*)(const LocalAccess&, const Key*, std::size_t, const float*);

  std::atomic<std::uint32_t>* flags_;        ///< of the locks
  const std::atomic<std::uint32_t>* words_;  ///< of the index
  const Key* next_first_;                    ///< by group of keys: the first key after it
  std::vector<const Slab*> slabs_;           ///< by group of keys
  std::vector<const Slab*> copies_;          ///< the same of copies, if there are any
  Replicas* replicas_;
  std::uint64_t oldest_ = 0;  ///< stamp of a copy that may be read
  Pull pull_;
  Push push_;
  One one_;
};

}  // namespace pslab::manager
