#include "manager/local_access.hpp"

#include <cstring>
#include <type_traits>

#include "base/isa.hpp"
#include "manager/node_core.hpp"
#include "manager/worker_core.hpp"

namespace pslab::manager {

namespace {

/// N floats as one operand.
template <std::size_t N>
using Block [[gnu::vector_size(N * sizeof(float)), gnu::aligned(alignof(float)), gnu::may_alias]] =
    float;

/// Copies N floats, or adds them where Floats is const.
template <std::size_t N, typename Floats>
[[gnu::always_inline]] inline void move_block(float* value, Floats* floats) {
  if constexpr (N == 1 && std::is_const_v<Floats>) {
    *value += *floats;
  } else if constexpr (N == 1) {
    *floats = *value;
  } else if constexpr (std::is_const_v<Floats>) {
    *reinterpret_cast<Block<N>*>(value) += *reinterpret_cast<const Block<N>*>(floats);
  } else {
    *reinterpret_cast<Block<N>*>(floats) = *reinterpret_cast<const Block<N>*>(value);
  }
}

/// The same for fewer than 2 N floats.
template <std::size_t N, typename Floats>
[[gnu::always_inline]] inline void move_rest(float* value, Floats* floats, std::size_t length) {
  if ((length & N) != 0) {
    move_block<N>(value, floats);
    value += N;
    floats += N;
  }
  if constexpr (N > 1) move_rest<N / 2>(value, floats, length);
}

/// The same for any number of floats, `kWidth` at a time. Not one at a time: of such a loop the
/// compiler makes a call of memcpy.
template <std::size_t kWidth, typename Floats>
[[gnu::always_inline]] inline void move_value(float* value, Floats* floats, std::size_t length) {
  std::size_t i = 0;
  for (; i + kWidth <= length; i += kWidth) move_block<kWidth>(value + i, floats + i);
  move_rest<kWidth / 2>(value + i, floats + i, length);
}

}  // namespace

/// What a node's accesses need no code for.
struct LocalAccess::Kind {
  bool one_length;  ///< of all values
  bool torn;        ///< reads without locks
  bool copies;      ///< replicas are Copies
};

/// The code that all versions share. Floats: float to read values into, const float to add.
struct LocalAccess::Body {
  template <Kind kKind>
  [[gnu::always_inline]] static std::size_t group_of(const LocalAccess& here, Key key) {
    std::size_t group = 0;
    if constexpr (!kKind.one_length) {
      while (key >= here.next_first_[group]) ++group;
    }
    return group;
  }

  /// Moves the value between its place and `floats`. Returns whether it is to be found here.
  template <std::size_t kWidth, Kind kKind, typename Floats>
  [[gnu::always_inline]] static bool serve(const LocalAccess& here, std::size_t group, Key key,
                                           Floats* floats) {
    const Holding holding(here.words_[key].load(std::memory_order_relaxed));
    const Slab& slab = *here.slabs_[group];
    float* value = nullptr;
    if (holding.held() == Held::kOwned) [[likely]] {
      value = slab.slot(holding.reference());
    } else if (holding.held() != Held::kReplica) {
      return false;
    } else if constexpr (kKind.copies) {
      value = here.copies_[group]->slot(holding.reference());
      if (!prepare_copy<kWidth>(here, value, floats, slab.length())) return false;
    } else {
      value = here.replicas_->value(holding.reference());
      if constexpr (std::is_const_v<Floats>) here.replicas_->mark_changed(holding.reference());
    }
    move_value<kWidth>(value, floats, slab.length());
    return true;
  }

  /// Adds to a copy's sum, or sees whether its value is new enough to be read. False: this is not
  /// to be done here. (Somebody has to note which copies become dirty.)
  template <std::size_t kWidth, typename Floats>
  [[gnu::always_inline]] static bool prepare_copy(const LocalAccess& here, float* value,
                                                  Floats* floats, std::size_t length) {
    const Copies::State state = Copies::state_of(value, length);
    if constexpr (!std::is_const_v<Floats>) return state.stamp >= here.oldest_;
    if (state.dirty != 0) move_value<kWidth>(Copies::sum_of(value, length), floats, length);
    return state.dirty != 0;
  }

  /// The same under the key's lock, where one is needed. Also false when somebody else holds it, or
  /// when the key has left meanwhile.
  template <std::size_t kWidth, Kind kKind, typename Floats>
  [[gnu::always_inline]] static bool try_serve(const LocalAccess& here, Key key, Floats* floats) {
    const std::size_t group = group_of<kKind>(here, key);
    if constexpr (kKind.torn && !std::is_const_v<Floats>) {
      const std::uint32_t before = here.words_[key].load(std::memory_order_acquire);
      if (!serve<kWidth, kKind>(here, group, key, floats)) return false;
#ifndef __SANITIZE_THREAD__  // which knows no fences, and is not for races that are meant to be
      std::atomic_thread_fence(std::memory_order_acquire);
#endif
      return here.words_[key].load(std::memory_order_relaxed) == before;
    }
    auto& flag = here.flags_[KeyLocks::stripe(key)];
    if (flag.exchange(1, std::memory_order_acquire) != 0) [[unlikely]]
      return false;
    const bool served = serve<kWidth, kKind>(here, group, key, floats);
    flag.store(0, std::memory_order_release);
    return served;
  }

  template <std::size_t kWidth, Kind kKind, typename Floats>
  [[gnu::always_inline]] static Served several(const LocalAccess& here, const Key* keys,
                                               std::size_t n, Floats* floats) {
    Served served;
    for (; served.keys < n; ++served.keys) {
      const Key key = keys[served.keys];
      if (!try_serve<kWidth, kKind>(here, key, floats + served.floats)) break;
      served.floats += here.slabs_[group_of<kKind>(here, key)]->length();
    }
    return served;
  }

  template <std::size_t kWidth, Kind kKind, typename Floats>
  [[gnu::always_inline]] static void one(WorkerCore& worker, const Key* at, Floats* floats) {
    const Key key = *at;
    if (worker.routine() && try_serve<kWidth, kKind>(*worker.local_, key, floats)) [[likely]] {
      ++worker.ledger_.accesses;
      ++worker.ledger_.local_accesses;
      return;
    }
    return WorkerCore::access_one_generally(worker, at, floats);
  }
};

// A macro, because a target is one function's and cannot be a template's argument.
#define PSLAB_VERSION(NAME, WIDTH, TARGET)                                                \
  template <Kind kKind, typename Floats>                                                  \
  struct NAME {                                                                           \
    TARGET static Served several(const LocalAccess& here, const Key* keys, std::size_t n, \
                                 Floats* floats) {                                        \
      return Body::several<WIDTH, kKind>(here, keys, n, floats);                          \
    }                                                                                     \
    TARGET static void one(WorkerCore& worker, const Key* key, Floats* floats) {          \
      Body::one<WIDTH, kKind>(worker, key, floats);                                       \
    }                                                                                     \
  };

struct LocalAccess::Versions {
  PSLAB_VERSION(Avx512, 16, PSLAB_TARGET_AVX512)
  PSLAB_VERSION(Avx2, 8, PSLAB_TARGET_AVX2)
  PSLAB_VERSION(Basic, 4, )

  template <Kind kKind, typename Floats>
  static auto several() {
    return choose_version(Avx512<kKind, Floats>::several, Avx2<kKind, Floats>::several,
                          Basic<kKind, Floats>::several);
  }
  template <Kind kKind, typename Floats>
  static auto one() {
    return choose_version(Avx512<kKind, Floats>::one, Avx2<kKind, Floats>::one,
                          Basic<kKind, Floats>::one);
  }
  /// Members of Kind, as far as they are chosen.
  template <bool... kChosen, typename... Rest>
  static void choose(LocalAccess& here, bool next, Rest... rest) {
    next ? choose<kChosen..., true>(here, rest...) : choose<kChosen..., false>(here, rest...);
  }
  template <bool... kChosen>
  static void choose(LocalAccess& here) {
    constexpr Kind kKind{kChosen...};
    here.pull_ = several<kKind, float>();
    here.push_ = several<kKind, const float>();
    here.one_ = {one<kKind, float>(), one<kKind, const float>()};
  }
};
#undef PSLAB_VERSION

LocalAccess::LocalAccess(NodeCore& node)
    : flags_(node.locks().flags()),
      words_(node.store().words()),
      next_first_(node.setup().keys.firsts().data() + 1),
      replicas_(&node.replicas()) {
  for (std::size_t group = 0; group < node.setup().keys.groups().size(); ++group) {
    slabs_.push_back(&node.store().slab_of_group(group));
    if (node.copies() != nullptr) copies_.push_back(&node.copies()->slab_of_group(group));
  }
  Versions::choose<>(*this, node.setup().keys.uniform_length() != 0, node.runtime().torn_reads(),
                     node.copies() != nullptr);
}

}  // namespace pslab::manager
