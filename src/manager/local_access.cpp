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

  /// Moves the value between its place and `floats`. Returns whether the key is held here.
  template <std::size_t kWidth, typename Floats>
  [[gnu::always_inline]] static bool serve(const LocalAccess& here, const Slab& slab, Key key,
                                           Floats* floats) {
    const Holding holding(here.words_[key].load(std::memory_order_relaxed));
    float* value = nullptr;
    if (holding.held() == Held::kOwned) [[likely]] {
      value = slab.slot(holding.reference());
    } else if (holding.held() == Held::kReplica && here.replicas_ != nullptr) {
      value = here.replicas_->value(holding.reference());
      if constexpr (std::is_const_v<Floats>) here.replicas_->mark_changed(holding.reference());
    } else {
      return false;
    }
    move_value<kWidth>(value, floats, slab.length());
    return true;
  }

  /// The same under the key's lock, where one is needed. Also false when somebody else holds it, or
  /// when the key has left meanwhile.
  template <std::size_t kWidth, bool kOneLength, bool kTorn, typename Floats>
  [[gnu::always_inline]] static bool try_serve(const LocalAccess& here, Key key, Floats* floats) {
    const Slab& slab = slab_of<kOneLength>(here, key);
    if constexpr (kTorn) {
      const std::uint32_t before = here.words_[key].load(std::memory_order_acquire);
      if (!serve<kWidth>(here, slab, key, floats)) return false;
#ifndef __SANITIZE_THREAD__  // which knows no fences, and is not for races that are meant to be
      std::atomic_thread_fence(std::memory_order_acquire);
#endif
      return here.words_[key].load(std::memory_order_relaxed) == before;
    }
    auto& flag = here.flags_[KeyLocks::stripe(key)];
    if (flag.exchange(1, std::memory_order_acquire) != 0) [[unlikely]]
      return false;
    const bool served = serve<kWidth>(here, slab, key, floats);
    flag.store(0, std::memory_order_release);
    return served;
  }

  template <std::size_t kWidth, bool kOneLength, bool kTorn, typename Floats>
  [[gnu::always_inline]] static Served several(const LocalAccess& here, const Key* keys,
                                               std::size_t n, Floats* floats) {
    Served served;
    for (; served.keys < n; ++served.keys) {
      const Key key = keys[served.keys];
      if (!try_serve<kWidth, kOneLength, kTorn>(here, key, floats + served.floats)) break;
      served.floats += slab_of<kOneLength>(here, key).length();
    }
    return served;
  }

  template <std::size_t kWidth, bool kOneLength, bool kTorn, typename Floats>
  [[gnu::always_inline]] static void one(WorkerCore& worker, const Key* at, Floats* floats) {
    const Key key = *at;
    if (worker.routine() && try_serve<kWidth, kOneLength, kTorn>(*worker.local_, key, floats))
        [[likely]] {
      ++worker.ledger_.accesses;
      ++worker.ledger_.local_accesses;
      return;
    }
    return WorkerCore::access_one_generally(worker, at, floats);
  }
};

// A macro, because a target is one function's and cannot be a template's argument.
#define PSLAB_VERSION(NAME, WIDTH, TARGET)                                                \
  template <bool kOneLength, bool kTorn, typename Floats>                                 \
  struct NAME {                                                                           \
    TARGET static Served several(const LocalAccess& here, const Key* keys, std::size_t n, \
                                 Floats* floats) {                                        \
      return Body::several<WIDTH, kOneLength, kTorn>(here, keys, n, floats);              \
    }                                                                                     \
    TARGET static void one(WorkerCore& worker, const Key* key, Floats* floats) {          \
      Body::one<WIDTH, kOneLength, kTorn>(worker, key, floats);                           \
    }                                                                                     \
  };

struct LocalAccess::Versions {
  PSLAB_VERSION(Avx512, 16, PSLAB_TARGET_AVX512)
  PSLAB_VERSION(Avx2, 8, PSLAB_TARGET_AVX2)
  PSLAB_VERSION(Basic, 4, )

  template <bool kOneLength, bool kTorn, typename Floats>
  static auto several() {
    return choose_version(Avx512<kOneLength, kTorn, Floats>::several,
                          Avx2<kOneLength, kTorn, Floats>::several,
                          Basic<kOneLength, kTorn, Floats>::several);
  }
  template <bool kOneLength, bool kTorn, typename Floats>
  static auto one() {
    return choose_version(Avx512<kOneLength, kTorn, Floats>::one,
                          Avx2<kOneLength, kTorn, Floats>::one,
                          Basic<kOneLength, kTorn, Floats>::one);
  }
  template <bool kOneLength, bool kTornReads>
  static void choose(LocalAccess& here) {
    here.pull_ = several<kOneLength, kTornReads, float>();
    here.push_ = several<kOneLength, false, const float>();
    here.one_ = {one<kOneLength, kTornReads, float>(), one<kOneLength, false, const float>()};
  }
};
#undef PSLAB_VERSION

LocalAccess::LocalAccess(NodeCore& node)
    : flags_(node.locks().flags()),
      words_(node.store().words()),
      next_first_(node.setup().keys.firsts().data() + 1),
      replicas_(node.copies() == nullptr ? &node.replicas() : nullptr) {
  for (std::size_t group = 0; group < node.setup().keys.groups().size(); ++group) {
    slabs_.push_back(&node.store().slab_of_group(group));
  }
  const bool torn_reads = node.runtime().torn_reads();
  if (node.setup().keys.uniform_length() != 0) {
    torn_reads ? Versions::choose<true, true>(*this) : Versions::choose<true, false>(*this);
  } else {
    torn_reads ? Versions::choose<false, true>(*this) : Versions::choose<false, false>(*this);
  }
}

}  // namespace pslab::manager
