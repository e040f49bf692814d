#include "manager/local_access.hpp"

#include <cstring>
#include <type_traits>

#include "base/isa.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {

/// The floats of a cache line, as one operand.
using Block [[gnu::vector_size(64), gnu::aligned(alignof(float)), gnu::may_alias]] = float;
constexpr std::size_t kBlock = sizeof(Block) / sizeof(float);

/// Copies, or adds where Floats is const.
template <typename Floats>
[[gnu::always_inline]] inline void move_value(float* __restrict value, Floats* __restrict floats,
                                              std::size_t length) {
  std::size_t i = 0;
  for (; i + kBlock <= length; i += kBlock) {
    if constexpr (std::is_const_v<Floats>) {
      *reinterpret_cast<Block*>(value + i) += *reinterpret_cast<const Block*>(floats + i);
    } else {
      *reinterpret_cast<Block*>(floats + i) = *reinterpret_cast<const Block*>(value + i);
    }
  }
  for (; i < length; ++i) {
    if constexpr (std::is_const_v<Floats>) {
      value[i] += floats[i];
    } else {
      floats[i] = value[i];
    }
  }
}

}  // namespace

/// The code that all versions share. Floats: float to read values into, const float to add.
struct LocalAccess::Body {
  template <bool kOneLength>
  [[gnu::always_inline]] static const Slab& slab_of(const LocalAccess& here, Key key) {
    std::size_t group = 0;
    if constexpr (!kOneLength) {
      while (key >= here.next_first_[group]) ++group;
    }
    return *here.slabs_[group];
  }

  /// Under the key's lock. Returns whether the key is held here.
  template <typename Floats>
  [[gnu::always_inline]] static bool serve(const LocalAccess& here, const Slab& slab, Key key,
                                           Floats* floats) {
    const Holding holding(here.words_[key].load(std::memory_order_relaxed));
    float* value = nullptr;
    if (holding.held() == Held::kOwned) [[likely]] {
      value = slab.slot(holding.reference());
    } else if (holding.held() == Held::kReplica) {
      value = here.replicas_->value(holding.reference());
      if constexpr (std::is_const_v<Floats>) here.replicas_->mark_changed(holding.reference());
    } else {
      return false;
    }
    move_value(value, floats, slab.length());
    return true;
  }

  template <bool kOneLength, typename Floats>
  [[gnu::always_inline]] static Served several(const LocalAccess& here, const Key* keys,
                                               std::size_t n, Floats* floats) {
    Served served;
    for (; served.keys < n; ++served.keys) {
      const Key key = keys[served.keys];
      const Slab& slab = slab_of<kOneLength>(here, key);
      const KeyLocks::Guard guard(here.flags_[KeyLocks::stripe(key)]);
      if (!serve(here, slab, key, floats + served.floats)) break;
      served.floats += slab.length();
    }
    return served;
  }

  template <bool kOneLength, typename Floats>
  [[gnu::always_inline]] static void one(WorkerCore& worker, const Key* at, Floats* floats) {
    const LocalAccess& here = *worker.local_;
    const Key key = *at;
    if (worker.routine()) {
      auto& flag = here.flags_[KeyLocks::stripe(key)];
      if (flag.exchange(1, std::memory_order_acquire) == 0) [[likely]] {
        const bool served = serve(here, slab_of<kOneLength>(here, key), key, floats);
        flag.store(0, std::memory_order_release);
        if (served) [[likely]] {
          ++worker.ledger_.accesses;
          ++worker.ledger_.local_accesses;
          return;
        }
      }
    }
    return WorkerCore::access_one_generally(worker, at, floats);
  }
};

// Each version is a function of its own because a target is one function's. PSLAB_VERSIONS defines
// several_NAME and one_NAME.
#define PSLAB_VERSIONS(NAME, TARGET)                                                           \
  template <bool kOneLength, typename Floats>                                                  \
  TARGET static Served several_##NAME(const LocalAccess& here, const Key* keys, std::size_t n, \
                                      Floats* floats) {                                        \
    return Body::several<kOneLength>(here, keys, n, floats);                                   \
  }                                                                                            \
  template <bool kOneLength, typename Floats>                                                  \
  TARGET static void one_##NAME(WorkerCore& worker, const Key* key, Floats* floats) {          \
    Body::one<kOneLength>(worker, key, floats);                                                \
  }

struct LocalAccess::Versions {
  PSLAB_VERSIONS(avx512, PSLAB_TARGET_AVX512)
  PSLAB_VERSIONS(avx2, PSLAB_TARGET_AVX2)
  PSLAB_VERSIONS(basic, )

  template <bool kOneLength>
  static void choose(LocalAccess& here) {
    here.pull_ = choose_version(several_avx512<kOneLength, float>, several_avx2<kOneLength, float>,
                                several_basic<kOneLength, float>);
    here.push_ = choose_version(several_avx512<kOneLength, const float>,
                                several_avx2<kOneLength, const float>,
                                several_basic<kOneLength, const float>);
    here.one_.pull = choose_version(one_avx512<kOneLength, float>, one_avx2<kOneLength, float>,
                                    one_basic<kOneLength, float>);
    here.one_.push =
        choose_version(one_avx512<kOneLength, const float>, one_avx2<kOneLength, const float>,
                       one_basic<kOneLength, const float>);
  }
};
#undef PSLAB_VERSIONS

LocalAccess::LocalAccess(NodeCore& node)
    : flags_(node.locks().flags()),
      words_(node.store().words()),
      next_first_(node.setup().keys.firsts().data() + 1),
      replicas_(&node.replicas()) {
  for (std::size_t group = 0; group < node.setup().keys.groups().size(); ++group) {
    slabs_.push_back(&node.store().slab_of_group(group));
  }
  if (node.setup().keys.uniform_length() != 0) {
    Versions::choose<true>(*this);
  } else {
    Versions::choose<false>(*this);
  }
}

}  // namespace pslab::manager
