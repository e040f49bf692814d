#include <unistd.h>

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <mutex>
#include <system_error>
#include <thread>

#include "api/backend.hpp"
#include "api/registry.hpp"
#include "base/error.hpp"
#include "base/text.hpp"
#include "real/launch.hpp"
#include "real/node.hpp"

namespace pslab {
namespace {

using real::RealNode;

/// A failed run's workers leave when they next wait or access something.
constexpr std::chrono::seconds kLeaveWithin(3);

class RealBackend final : public Backend {
 public:
  explicit RealBackend(config::Options& options) {
    options_.hogwild =
        options.choice("consistency", "per_key", {"per_key", "hogwild"},
                       "what a read sees: per_key: each value whole; hogwild: perhaps half of an "
                       "addition that another worker of the node makes meanwhile, without locking "
                       "(additions are never lost); not with checks.history") == "hogwild";
    options_.coalesce = options.flag(
        "coalesce", true,
        "join messages to one node that are made shortly after each other into one transfer",
        config::Affects::kSpeed);
    options_.answer_within =
        options.real("answer_within", 8.0, 1.0, 1e6, "s",
                     "a process that is silent for longer is taken for lost, and the run fails",
                     config::Affects::kSpeed);
    options_.stall_limit =
        options.real("stall_limit", 60.0, 0.1, 1e9, "s",
                     "wall time without any worker going on after which the run fails, naming who "
                     "waits for what",
                     config::Affects::kSpeed);
  }

  Launch launch(const ClusterSpec& cluster, const std::vector<std::string>& program,
                const std::string& name) const override {
    return real::mpi_launch(cluster, program, name, real::surroundings());
  }
  void check_launch(const ClusterSpec& cluster) const override {
    real::check_launch(cluster, real::surroundings());
  }
  bool torn_reads() const override { return options_.hogwild; }
  Watch watch() const override { return {options_.answer_within, options_.stall_limit}; }

  std::optional<NodeId> node_to_be(const ClusterSpec& cluster) const override {
    if (cluster.nodes == 1) return 0;
    return real::rank_to_be();
  }

  NodeId join(const ClusterSpec& cluster) override {
    if (cluster.nodes == 1) return 0;
    transport_ = real::make_mpi_transport(cluster.nodes);
    return transport_->node();
  }

  void execute(const ClusterSpec& cluster, Program& program,
               const std::atomic<bool>& stop) override {
    if (cluster.nodes > 1 && transport_ == nullptr) join(cluster);
    RealNode node(transport_ == nullptr ? 0 : transport_->node(), cluster, options_,
                  transport_.get(), stop);
    node.set_receiver(program.start_node(node));
    node.set_last_words([&program](const std::string& why) { program.dying(why); });
    node.meet(program.begins_at());
    set_node(&node);
    run_workers(node, cluster, program);
    if (!node.failed()) leave_together(node);
    set_node(nullptr);
    node.stop_communication();
    if (node.failed()) throw RunError(node.reason());
    if (transport_ != nullptr) transport_->close();
  }

  Health health() const override {
    const std::scoped_lock lock(node_mutex_);
    return node_ == nullptr ? Health{} : node_->health();
  }

  std::string version() const override { return real::mpi_version(); }

 private:
  void set_node(RealNode* node) {
    const std::scoped_lock lock(node_mutex_);
    node_ = node;
  }

  static void run_workers(RealNode& node, const ClusterSpec& cluster, Program& program) {
    std::mutex mutex;
    std::condition_variable ended;
    std::uint32_t running = cluster.workers_per_node;
    std::vector<std::thread> threads;
    node.start_communication();
    const auto work = [&](std::uint32_t local) {
      try {
        program.run_worker(node.node(), local);
      } catch (const std::exception& error) {
        node.fail(error.what());
      }
      const std::scoped_lock lock(mutex);
      --running;
      ended.notify_all();
    };
    try {
      while (threads.size() < cluster.workers_per_node) {
        threads.emplace_back(work, static_cast<std::uint32_t>(threads.size()));
      }
    } catch (const std::system_error& error) {
      node.fail(thread_failure(error.code().message()));
      const std::scoped_lock lock(mutex);
      running -= cluster.workers_per_node - static_cast<std::uint32_t>(threads.size());
    }
    {
      std::unique_lock<std::mutex> lock(mutex);
      while (running > 0) {
        ended.wait_for(lock, std::chrono::milliseconds(100));
        if (!node.failed()) continue;
        if (!ended.wait_for(lock, kLeaveWithin, [&] { return running == 0; })) {
          // It may never leave, and what it uses cannot be taken away from under it.
          std::fprintf(stderr, "%s\n", node.reason().c_str());
          ::_exit(1);
        }
      }
    }
    for (std::thread& thread : threads) thread.join();
  }

  // Others may still need this process to pass on the last messages.
  void leave_together(RealNode& node) {
    if (transport_ == nullptr) return;
    {
      const Inside inside(node);
      transport_->begin_barrier();
    }
    for (bool done = false; !done && !node.failed();) {
      node.try_progress();
      {
        const Inside inside(node);
        done = transport_->all_sent() && transport_->barrier_done();
      }
      std::this_thread::yield();
    }
  }

  real::RealOptions options_;
  std::unique_ptr<real::Transport> transport_;
  mutable std::mutex node_mutex_;
  RealNode* node_ = nullptr;
};

PSLAB_REGISTER(Backend, RealBackend, "real",
               "one process per node (Open MPI) with several worker threads", "Open MPI");

}  // namespace
}  // namespace pslab
