#include "tests/conformance/random_program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bit>
#include <stdexcept>

#include "base/hash.hpp"
#include "manager/worker_core.hpp"

namespace pslab::test {

using manager::Gather;
using manager::Held;

namespace {
template <typename... Args>
[[noreturn]] void wrong(fmt::format_string<Args...> text, Args&&... args) {
  throw std::runtime_error(fmt::format(text, std::forward<Args>(args)...));
}
constexpr int kRounds = 3;
/// By how much values of the second group are longer; 0: all are as long.
constexpr std::array<std::uint32_t, 3> kLonger = {5, 0, 44};
}  // namespace

struct RandomProgram::WorkerState {
  WorkerState(std::uint64_t seed, WorkerId worker)
      : id(worker), random(seed, "operations", worker) {}
  WorkerId id;
  Random random;
  std::uint64_t hash = 0;
};

RandomProgram::RandomProgram(const RandomRun& run, Strategy& strategy)
    : run_(run),
      strategy_(strategy),
      workers_(run.cluster.nodes * run.cluster.workers_per_node),
      keys_({{"short", run.keys_per_group, workers_},
             {"long", run.keys_per_group, workers_ + kLonger[run.cluster.seed % kLonger.size()]}}),
      board_(run.board, workers_, run.cluster.nodes, keys_.size()),
      hashes_(workers_, 0) {
  // Early keys are hot.
  std::vector<float> accesses(keys_.size());
  for (Key key = 0; key < keys_.size(); ++key)
    accesses[key] = 1000.0F / static_cast<float>(key + 1);
  const std::vector<float> none;
  const Task task{keys_,
                  run.cluster.nodes,
                  run.cluster.workers_per_node,
                  [&]() -> const std::vector<float>& { return accesses; },
                  [&]() -> const std::vector<float>& { return none; },
                  [&](NodeId node) {  // every other key on each node, other ones often
                    std::vector<KeyCount> counts;
                    for (Key key = node % 2; key < keys_.size(); key += 2) {
                      const bool often = key / 2 % run.cluster.nodes == node;
                      counts.push_back({static_cast<std::uint32_t>(key), often ? 10.0F : 1.0F});
                    }
                    return counts;
                  }};
  strategy.plan(task, plan_);
  averaged_or_clipped_.assign(keys_.size(), false);
  if (!strategy.guarantees().keeps_replica_sums) {
    for (const Key key : plan_.replicated) averaged_or_clipped_[key] = true;
  }
  setup_ = std::make_unique<manager::Setup>(
      manager::Setup{keys_, plan_, strategy_, run.cluster.workers_per_node,
                     [this](Key key, std::span<float> value) {
                       std::fill(value.begin(), value.end(), initial(key));
                     },
                     [](const std::vector<std::vector<double>>& all) { return all[0]; },
                     [](const std::vector<double>&) {}, run.cluster.seed});
  nodes_.resize(run.cluster.nodes);
}

RandomProgram::~RandomProgram() = default;

Receiver& RandomProgram::start_node(NodeRuntime& runtime) {
  NodeRuntime* used = &runtime;
  if (run_.mutant.wrap_runtime) {
    wrapped_runtimes_.push_back(run_.mutant.wrap_runtime(runtime));
    used = wrapped_runtimes_.back().get();
  }
  auto& node = nodes_[runtime.node()];
  node = std::make_unique<manager::NodeCore>(*setup_, *used);
  if (!run_.mutant.wrap_receiver) return *node;
  wrapped_receivers_.push_back(run_.mutant.wrap_receiver(*node, runtime.node(), *this));
  return *wrapped_receivers_.back();
}

std::size_t RandomProgram::floats(std::span<const Key> keys) const {
  std::size_t total = 0;
  for (const Key key : keys) total += keys_.length(key);
  return total;
}

// Few keys, low ones often, sometimes twice in a call.
std::vector<Key> RandomProgram::some_keys(Random& random) const {
  std::vector<Key> keys(1 + random.below(4));
  for (Key& key : keys) {
    key = random.below(keys_.size());
    if (random.below(2) == 0) key = random.below(key + 1);
  }
  return keys;
}

void RandomProgram::run_worker(NodeId node, std::uint32_t local_index) {
  manager::WorkerCore& core = nodes_[node]->worker(local_index);
  Worker worker(core);
  WorkerState state(run_.cluster.seed, core.id());
  for (int round = 0; round < kRounds; ++round) {
    core.gather(Gather::kStart, {});
    for (int i = 0; i < run_.operations / kRounds; ++i) operate(worker, state);
    if (state.random.below(2) == 0) worker.compute(1e4);
    core.gather(Gather::kSettle, {});
    check_totals(worker);
    core.gather(Gather::kExchange, {1.0});
  }
  state.hash = mix64(state.hash ^ std::bit_cast<std::uint64_t>(core.now()));
  hashes_[state.id] = state.hash;
  if (local_index == 0) leave_on_board(*nodes_[node]);
  ++board_.ended();
}

std::string RandomProgram::waiting_text() const {
  std::string text;
  for (const auto& node : nodes_) {
    for (std::uint32_t i = 0; node != nullptr && i < run_.cluster.workers_per_node; ++i) {
      const std::string one = node->worker(i).waiting_text();
      if (!one.empty()) text += one + "; ";
    }
  }
  return text + "see the seed";
}

void RandomProgram::leave_on_board(manager::NodeCore& node) {
  const Inside inside(node.runtime());
  for (Key key = 0; key < keys_.size(); ++key) {
    const manager::Holding holding = node.store().find(key);
    board_.held(node.node(), key) = static_cast<int>(holding.held());
    if (holding.held() == Held::kReplica) {
      const std::span<const float> value{node.value(key, holding), keys_.length(key)};
      std::uint64_t bits = 0;
      for (const float x : value) bits = mix64(bits ^ std::bit_cast<std::uint32_t>(x));
      board_.replica_bits(node.node(), key) = static_cast<int>(bits >> 33);
    }
    if (node.directory().is_home(key)) {
      board_.owner(key) = static_cast<int>(node.directory().owner(key));
    }
  }
  board_.open_work(node.node()) = static_cast<int>(node.open_work());
}

void RandomProgram::operate(Worker& worker, WorkerState& state) {
  const std::vector<Key> keys = some_keys(state.random);
  if (state.random.below(2) == 0) worker.advance_clock();
  if (state.random.below(3) == 0) {
    const std::uint64_t start = worker.clock() + state.random.below(4);
    worker.intent(some_keys(state.random), start, start + 1 + state.random.below(8));
  }
  switch (state.random.below(8)) {
    case 0:
    case 1:
      push(worker, state, keys, false);
      break;
    case 2:
      push(worker, state, keys, true);
      break;
    case 3:
    case 4:
      pull(worker, state, keys, false);
      break;
    case 5:
      pull(worker, state, keys, true);
      break;
    case 6:
      worker.localize(keys);
      break;
    default:
      worker.wait(worker.localize_async(keys));
      worker.compute(static_cast<double>(state.random.below(1000)));
      break;
  }
}

void RandomProgram::push(Worker& worker, WorkerState& state, std::vector<Key> keys, bool wait) {
  std::vector<float> deltas(floats(keys), 0.0F);
  std::size_t offset = 0;
  for (const Key key : keys) {
    deltas[offset + state.id] = 1.0F;
    offset += keys_.length(key);
    ++board_.pushed(state.id, key);
  }
  if (wait) {
    worker.wait(worker.push_async(keys, deltas));
  } else {
    worker.push(keys, deltas);
  }
}

void RandomProgram::pull(Worker& worker, WorkerState& state, std::vector<Key> keys,
                         bool late_wait) {
  std::vector<float> values(floats(keys), -1.0F);
  if (late_wait) {
    const Pending pending = worker.pull_async(keys, values);
    worker.localize(some_keys(state.random));
    worker.compute(100.0);
    worker.wait(pending);
  } else {
    worker.pull(keys, values);
  }
  check_read(state, keys, values);
  for (const float value : values)
    state.hash = mix64(state.hash ^ std::bit_cast<std::uint32_t>(value));
}

// A worker reads all of its own pushes, and of the others no more than they have pushed.
void RandomProgram::check_read(const WorkerState& state, std::span<const Key> keys,
                               std::span<const float> values) {
  std::size_t offset = 0;
  for (const Key key : keys) {
    for (std::uint32_t w = 0; w < workers_ && keeps_sums(key); ++w) {
      const float seen = values[offset + w] - initial(key);
      const auto expected = static_cast<float>(board_.pushed(w, key));
      const bool exact = w == state.id && strategy_.guarantees().reads_own_writes;
      if (seen < 0.0F || seen > expected || (exact && seen != expected)) {
        wrong("worker {} read {} of worker {}'s pushes to key {}, who made {}", state.id, seen, w,
              key, expected);
      }
    }
    offset += keys_.length(key);
  }
}

// After a settle every value is its initial value plus all pushes, wherever it is read.
void RandomProgram::check_totals(Worker& worker) {
  for (Key key = 0; key < keys_.size(); ++key) {
    if (!keeps_sums(key)) continue;
    std::vector<float> value(keys_.length(key));
    const Key keys[1] = {key};
    worker.pull(keys, value);
    for (std::uint32_t i = 0; i < value.size(); ++i) {
      const float pushes = i < workers_ ? static_cast<float>(board_.pushed(i, key)) : 0.0F;
      if (value[i] != initial(key) + pushes) {
        wrong("after a settle key {} has {} in component {}; initial value plus pushes is {}", key,
              value[i], i, initial(key) + pushes);
      }
    }
  }
}

void RandomProgram::check_end() {
  if (board_.ended() != static_cast<int>(workers_)) {
    wrong("{} of {} workers came to their end", board_.ended().load(), workers_);
  }
  const NodeId nodes = num_nodes();
  for (Key key = 0; key < keys_.size(); ++key) {
    NodeId owners = 0;
    NodeId replicas = 0;
    NodeId owner = 0;
    for (NodeId node = 0; node < nodes; ++node) {
      const auto held = static_cast<Held>(board_.held(node, key).load());
      if (held == Held::kArriving) wrong("key {} is still on its way to node {}", key, node);
      if (held == Held::kReplica) ++replicas;
      if (held == Held::kOwned) {
        ++owners;
        owner = node;
      }
    }
    const bool replicated = replicas == nodes && owners == 0;
    if (!replicated && (owners != 1 || (replicas != 0 && !plan_.clocks))) {
      wrong("key {} has {} owners and {} replicas", key, owners, replicas);
    }
    if (!replicated && board_.owner(key) != static_cast<int>(owner)) {
      wrong("the home of key {} believes node {} to be the owner; it is node {}", key,
            board_.owner(key).load(), owner);
    }
    if (replicated) check_replicas_agree(key);
  }
  for (NodeId node = 0; node < nodes; ++node) {
    if (board_.open_work(node) != 0) wrong("node {} has open work at the end", node);
  }
}

void RandomProgram::check_replicas_agree(Key key) {
  for (NodeId node = 1; node < num_nodes(); ++node) {
    if (board_.replica_bits(node, key) != board_.replica_bits(0, key)) {
      wrong("nodes 0 and {} have different replicas of key {} at the end", node, key);
    }
  }
}

std::string RandomProgram::summary() const {
  std::uint64_t hash = 0;
  for (const std::uint64_t one : hashes_) hash = mix64(hash ^ one);
  std::uint64_t messages = 0;
  std::uint64_t relocations = 0;
  for (const auto& node : nodes_) {
    if (node == nullptr) continue;
    for (const std::uint64_t count : node->counters().messages) messages += count;
    relocations += node->counters().relocations;
  }
  return fmt::format("ok hash {:016x} messages {} relocations {}", hash, messages, relocations);
}

}  // namespace pslab::test
