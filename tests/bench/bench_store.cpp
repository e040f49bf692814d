// Local pulls and pushes of one key per call, by one and two threads, of keys that the node owns
// and of copies of others' keys, beside what plain arrays allow: copying out of them, and adding to
// them without any lock (as Hogwild does).

#include <benchmark/benchmark.h>
#include <sys/mman.h>

#include <atomic>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <new>
#include <vector>

#include "api/worker.hpp"
#include "base/random.hpp"
#include "manager/values.hpp"
#include "manager/worker_core.hpp"
#include "real/node.hpp"
#include "tests/bench/bench_node.hpp"

namespace pslab::bench {
namespace {

constexpr int kThreads = 2;
constexpr std::size_t kSequence = std::size_t{1} << 18;

ClusterSpec one_node() {
  ClusterSpec cluster;
  cluster.workers_per_node = kThreads;
  return cluster;
}

/// The order in which a thread visits keys: random, and long enough not to be learnt.
std::vector<Key> random_keys(int thread) {
  Random random(1, "bench keys", static_cast<std::uint64_t>(thread));
  std::vector<Key> keys(kSequence);
  for (Key& key : keys) key = random.below(kKeys);
  return keys;
}

struct Fixture {
  ClusterSpec cluster = one_node();
  std::atomic<bool> stop{false};
  real::RealNode runtime;
  BareProgram program;
  explicit Fixture(bool hogwild, const std::string& strategy = "static")
      : runtime(0, cluster, {.hogwild = hogwild}, nullptr, stop), program(cluster, strategy, "{}") {
    runtime.set_receiver(program.start_node(runtime));
  }
};

/// `hogwild`: see real.consistency.
Fixture& fixture(bool hogwild = false) {
  static Fixture locked(false);
  static Fixture torn(true);
  return hogwild ? torn : locked;
}

/// All keys are copies of keys that another node would be the hub of.
Fixture& fixture_of_copies() {
  static Fixture adaptive(false, "adaptive");
  static const bool copied = [] {
    manager::NodeCore& node = adaptive.program.node(0);
    for (Key key = 0; key < kKeys; ++key) {
      node.store().set(key, {manager::Held::kReplica, node.copies()->make(key)});
    }
    return true;
  }();
  static_cast<void>(copied);
  return adaptive;
}

float* arrays() {
  static float* const values = [] {
    constexpr std::size_t kHugePage = std::size_t{2} << 20;
    constexpr std::size_t kBytes = kKeys * kLength * sizeof(float);
    constexpr std::size_t kSize = (kBytes + kHugePage - 1) / kHugePage * kHugePage;
    void* memory = std::aligned_alloc(kHugePage, kSize);
    if (memory == nullptr) throw std::bad_alloc();
    ::madvise(memory, kSize, MADV_HUGEPAGE);
    return static_cast<float*>(std::memset(memory, 0, kSize));
  }();
  return values;
}

template <typename Access>
void measure(benchmark::State& state, Access access) {
  const std::vector<Key> keys = random_keys(state.thread_index());
  std::size_t next = 0;
  for (auto _ : state) access(keys[next++ % kSequence]);
  state.SetItemsProcessed(state.iterations());
}

void array_copy(benchmark::State& state) {
  float* values = arrays();
  alignas(64) float value[kLength] = {};
  measure(state, [&](Key key) {
    std::memcpy(value, values + key * kLength, sizeof(value));
    benchmark::DoNotOptimize(value);
  });
}

void array_add(benchmark::State& state) {
  float* values = arrays();
  alignas(64) float delta[kLength] = {};
  measure(state, [&](Key key) {
    manager::add_value(values + key * kLength, delta, kLength);
    benchmark::ClobberMemory();
  });
}

void pull_from(benchmark::State& state, Fixture& of) {
  Worker worker(of.program.node(0).worker(static_cast<std::uint32_t>(state.thread_index())));
  alignas(64) float value[kLength] = {};
  measure(state, [&](Key key) {
    worker.pull({&key, 1}, value);
    benchmark::DoNotOptimize(value);
  });
}

void pull(benchmark::State& state) {
  pull_from(state, fixture());
}
void pull_hogwild(benchmark::State& state) {
  pull_from(state, fixture(true));
}

void pull_copies(benchmark::State& state) {
  pull_from(state, fixture_of_copies());
}

void push_to(benchmark::State& state, Fixture& of) {
  Worker worker(of.program.node(0).worker(static_cast<std::uint32_t>(state.thread_index())));
  alignas(64) float delta[kLength] = {};
  measure(state, [&](Key key) { worker.push({&key, 1}, delta); });
}

void push(benchmark::State& state) {
  push_to(state, fixture());
}
void push_copies(benchmark::State& state) {
  push_to(state, fixture_of_copies());
}

BENCHMARK(array_copy)->Threads(1)->Threads(kThreads)->UseRealTime();
BENCHMARK(pull_hogwild)->Threads(1)->Threads(kThreads)->UseRealTime();
BENCHMARK(pull)->Threads(1)->Threads(kThreads)->UseRealTime();
BENCHMARK(pull_copies)->Threads(1)->Threads(kThreads)->UseRealTime();
BENCHMARK(array_add)->Threads(1)->Threads(kThreads)->UseRealTime();
BENCHMARK(push)->Threads(1)->Threads(kThreads)->UseRealTime();
BENCHMARK(push_copies)->Threads(1)->Threads(kThreads)->UseRealTime();

}  // namespace
}  // namespace pslab::bench

BENCHMARK_MAIN();
