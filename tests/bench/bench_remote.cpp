// What access to other nodes costs on real processes: bench_remote [NODES [COALESCE]].
//
// Worker 0 of node 0 asks, node 1 owns; further nodes are idle. Beside it, in the same processes
// and before, a bare MPI ping-pong of messages as large as a reply. It starts its processes itself.
// Not with Google Benchmark, since all processes go through the same steps together.

#include <fmt/format.h>
#include <mpi.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <thread>
#include <vector>

#include "api/worker.hpp"
#include "base/random.hpp"
#include "manager/worker_core.hpp"
#include "real/launch.hpp"
#include "tests/bench/bench_node.hpp"

namespace pslab::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point began) {
  return std::chrono::duration<double>(Clock::now() - began).count();
}

double cpu_seconds() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

/// "p50 3.1 us, p99 40 us".
std::string latency(std::vector<double> seconds) {
  std::ranges::sort(seconds);
  return fmt::format("p50 {:.2f} us, p99 {:.1f} us", 1e6 * seconds[seconds.size() / 2],
                     1e6 * seconds[seconds.size() * 99 / 100]);
}

template <typename Operation>
std::string latency_of(int times, Operation operation) {
  std::vector<double> seconds;
  for (int i = 0; i < times; ++i) {
    const auto began = Clock::now();
    operation(i);
    seconds.push_back(seconds_since(began));
  }
  return latency(seconds);
}

void line(const char* what, const std::string& value) {
  fmt::print("  {:<44} {}\n", what, value);
  std::fflush(stdout);
}

void ping_pong(int rank) {
  constexpr int kBytes = 28 + 8 + kLength * 4;
  constexpr int kTimes = 20'000;
  std::vector<char> bytes(kBytes);
  MPI_Barrier(MPI_COMM_WORLD);
  const auto once = [&](int peer, bool first) {
    if (first) MPI_Send(bytes.data(), kBytes, MPI_BYTE, peer, 9, MPI_COMM_WORLD);
    MPI_Recv(bytes.data(), kBytes, MPI_BYTE, peer, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!first) MPI_Send(bytes.data(), kBytes, MPI_BYTE, peer, 9, MPI_COMM_WORLD);
  };
  if (rank == 0) line("bare MPI, round trip", latency_of(kTimes, [&](int) { once(1, true); }));
  if (rank == 1) {
    for (int i = 0; i < kTimes; ++i) once(0, false);
  }
  MPI_Barrier(MPI_COMM_WORLD);
}

class RemoteProgram final : public BareProgram {
 public:
  using BareProgram::BareProgram;
  void run_worker(NodeId id, std::uint32_t local_index) override {
    manager::WorkerCore& core = node(id).worker(local_index);
    Worker worker(core);
    worker.barrier();
    const double cpu = cpu_seconds();
    const auto began = Clock::now();
    if (id == 0) ask(worker);
    worker.barrier();
    if (id > 0) report_idle(id, (cpu_seconds() - cpu) / seconds_since(began));
    worker.barrier();
    relocate(worker, id);
    idle(worker, id);
  }

 private:
  // Keys are placed by range: the second of n equal parts is node 1's.
  Key first() const { return (kKeys + num_nodes() - 1) / num_nodes(); }
  NodeId num_nodes() const { return nodes_; }

  void ask(Worker& worker) {
    Random random(1, "bench keys");
    const Key mine = first();
    const Key count = std::min<Key>(mine, kKeys - mine);
    std::vector<float> values(1000 * kLength);
    std::vector<Key> keys(1000);
    const auto pick = [&](std::size_t n) {
      for (std::size_t i = 0; i < n; ++i) keys[i] = mine + random.below(count);
      return std::span<const Key>(keys).first(n);
    };
    line("pull of one key",
         latency_of(20'000, [&](int) { worker.pull(pick(1), std::span(values).first(kLength)); }));
    const auto rate = [&](const char* what, int times, std::size_t n, auto operation) {
      const auto began = Clock::now();
      for (int i = 0; i < times; ++i) operation();
      line(what, fmt::format("{:.2f}M keys/s",
                             1e-6 * times * static_cast<double>(n) / seconds_since(began)));
    };
    rate("pull of 1000 keys", 2000, 1000, [&] { worker.pull(pick(1000), values); });
    rate("push of 1000 keys, waited for", 2000, 1000,
         [&] { worker.wait(worker.push_async(pick(1000), values)); });
    constexpr std::size_t kInFlight = 64;
    std::vector<Pending> pending(kInFlight);
    std::vector<std::vector<float>> room(kInFlight, std::vector<float>(kLength));
    std::vector<Key> asked(kInFlight);
    std::size_t next = 0;
    const auto pipelined = [&] {
      if (!pending[next].done()) worker.wait(pending[next]);
      asked[next] = mine + random.below(count);
      pending[next] = worker.pull_async({&asked[next], 1}, room[next]);
      next = (next + 1) % kInFlight;
    };
    rate("pull of one key, 64 in flight", 1'000'000, 1, pipelined);
    for (const Pending& one : pending) worker.wait(one);
  }

  void report_idle(NodeId id, double share) {
    if (id == 1) return;
    line("processor share of an idle node, others busy", fmt::format("{:.1f} %", 100.0 * share));
  }

  void relocate(Worker& worker, NodeId id) {
    const Key mine = first();
    const Key count = std::min<Key>(mine, kKeys - mine);
    std::vector<Key> keys(1000);
    double best = 0.0;
    for (int round = 0; round < 5; ++round) {
      for (const NodeId taker : {0U, 1U}) {
        worker.barrier();
        if (id != taker) continue;
        const auto began = Clock::now();
        for (Key begin = 0; begin + 1000 <= count; begin += 1000) {
          for (Key i = 0; i < 1000; ++i) keys[i] = mine + begin + i;
          worker.wait(worker.localize_async(keys));
        }
        if (taker == 0) best = std::max(best, static_cast<double>(count) / seconds_since(began));
      }
    }
    worker.barrier();
    if (id == 0)
      line("localize of 1000 keys (best of 5)", fmt::format("{:.2f}M keys/s", 1e-6 * best));
    if (id == 0) {
      line("localize of one key", latency_of(10'000, [&](int i) {
             const Key key = mine + static_cast<Key>(i);
             worker.wait(worker.localize_async({&key, 1}));
           }));
    }
    worker.barrier();
  }

  void idle(Worker& worker, NodeId id) {
    const double cpu = cpu_seconds();
    const auto began = Clock::now();
    if (id == 0) std::this_thread::sleep_for(std::chrono::seconds(2));
    worker.barrier();
    if (id == 1)
      line("processor share of a node, all idle",
           fmt::format("{:.1f} %", 100.0 * (cpu_seconds() - cpu) / seconds_since(began)));
    worker.barrier();
  }

 public:
  NodeId nodes_ = 2;
};

int run(NodeId nodes, bool coalesce) {
  ClusterSpec cluster;
  cluster.nodes = nodes;
  const config::Value settings = config::parse_yaml(fmt::format("coalesce: {}", coalesce), "bench");
  config::Options read(&settings, "real");
  const auto backend = Registry<Backend>::instance().find("real", "backend", "bench").make(read);
  const auto rank = static_cast<int>(backend->join(cluster));
  if (rank == 0) fmt::print("{} processes, coalesce {}\n", nodes, coalesce);
  ping_pong(rank);
  RemoteProgram program(cluster, "relocation", "{placement: range}");
  program.nodes_ = nodes;
  const std::atomic<bool> stop{false};
  backend->execute(cluster, program, stop);
  return 0;
}

/// Becomes the launcher of this program.
int launch(NodeId nodes, const std::vector<std::string>& program) {
  ClusterSpec cluster;
  cluster.nodes = nodes;
  Launch launch = real::mpi_launch(cluster, program, "", real::surroundings());
  std::erase(launch.command, "--tag-output");
  for (const auto& [name, value] : launch.environment) ::setenv(name.c_str(), value.c_str(), 1);
  std::vector<char*> arguments;
  for (const std::string& word : launch.command)
    arguments.push_back(const_cast<char*>(word.c_str()));
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  std::perror("mpirun");
  return 1;
}

}  // namespace
}  // namespace pslab::bench

int main(int argc, char** argv) {
  const auto nodes = static_cast<pslab::NodeId>(argc > 1 ? std::atoi(argv[1]) : 2);
  const std::string coalesce = argc > 2 ? argv[2] : "true";
  if (std::getenv("OMPI_COMM_WORLD_SIZE") != nullptr) {
    return pslab::bench::run(nodes, coalesce == "true");
  }
  return pslab::bench::launch(nodes, {argv[0], std::to_string(nodes), coalesce});
}
