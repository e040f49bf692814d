#include "run/run_body.hpp"

#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <cstdio>
#include <functional>
#include <mutex>
#include <new>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/yaml.hpp"
#include "data/catalog.hpp"
#include "run/datasets.hpp"
#include "run/memory.hpp"
#include "run/past_run.hpp"
#include "run/run_result.hpp"
#include "run/tell.hpp"
#include "run/trace_parts.hpp"
#include "run/training.hpp"

namespace pslab::run {
namespace {

std::atomic<bool> stop_requested{false};
std::atomic<bool> training_began{false};
const Teller* signal_teller = nullptr;
std::atomic<int> interrupted_code{0};  ///< exit code of a process that ends before training begins

void on_terminate(int /*signal*/) {
  if (!training_began) {  // nothing that could be kept, and reading data takes no notice of the
                          // flag
    signal_teller->tell_interrupted();
    ::_exit(interrupted_code);
  }
  stop_requested = true;
}

void set_signal(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

void take_signals() {
  set_signal(SIGPIPE, SIG_IGN);
  set_signal(SIGTERM, on_terminate);
  // The terminal sends SIGINT to all processes, and the one that started this one decides. Blocked
  // and not ignored, because SimGrid sets a handler of its own, which exits.
  sigset_t blocked;
  ::sigemptyset(&blocked);
  ::sigaddset(&blocked, SIGINT);
  ::sigprocmask(SIG_SETMASK, &blocked, nullptr);
}

// Results say nothing about this computer, so its cache of data sets is left out of their names.
std::vector<std::string> without_cache_path(std::vector<std::string> lines) {
  std::string cache;
  try {
    cache = data::cache_directory() + "/";
  } catch (const InputError&) {
    return lines;
  }
  for (std::string& line : lines) {
    for (std::size_t at; (at = line.find(cache)) != std::string::npos;)
      line.erase(at, cache.size());
  }
  return lines;
}

/// What a run prints ends up in its log only.
void print_for_log(const std::string& text) {
  std::fputs(text.c_str(), stdout);
  std::fflush(stdout);
}

void tell_checked(const checks::Checked& checked, const Teller& teller) {
  print_for_log(fmt::format("checks.history: {} pulls and {} pushes of a key were checked\n",
                            checked.pulls, checked.pushes));
  if (checked.dropped == 0) return;
  teller.tell(Tell::kSay,
              fmt::format("warning: {} of {} accesses were not checked one by one, because "
                          "checks.history_memory was full: raise it, or train on less data",
                          checked.dropped, checked.pulls + checked.pushes));
}

/// Tells every half second how this process is, until the process ends.
class Heart {
 public:
  Heart(const Teller& teller, const Backend& backend) : teller_(teller), backend_(backend) {
    std::thread([this] { beat(); }).detach();
  }

  void joined() {
    const std::scoped_lock lock(mutex_);
    joined_ = true;
  }
  /// The training that is executed from now on.
  void set_training(const Training& training) {
    {
      const std::scoped_lock lock(mutex_);
      training_ = &training;
    }
    tell();
  }
  /// The training is over, and the process about to end: nothing more is worth telling.
  void stop() {
    const std::scoped_lock lock(mutex_);
    training_ = nullptr;
    stopped_ = true;
  }

 private:
  void beat() {
    bool told_stop = false;
    for (int tick = 0;; ++tick) {
      // What it waited for when it was stopped is worth knowing at once.
      const bool stopping = stop_requested && !told_stop;
      told_stop = told_stop || stopping;
      if (stopping || tick % 10 == 0) tell();
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }

  void tell() {
    const Health health = backend_.health();
    Beat beat{.event = {}, .waits = {}, .steps = health.steps, .idle = health.idle_seconds};
    {
      const std::scoped_lock lock(mutex_);
      if (stopped_) return;
      beat.joined = joined_;
      beat.event = joined_ ? "was loading its data" : "was joining the others";
      if (training_ != nullptr) {
        beat.event = fmt::format("was in epoch {}", training_->epochs_done() + 1);
        beat.waits = training_->waiting_text();
      }
    }
    teller_.tell(Tell::kBeat, to_json(beat));
  }

  const Teller& teller_;
  const Backend& backend_;
  std::mutex mutex_;
  const Training* training_ = nullptr;
  bool joined_ = false;
  bool stopped_ = false;
};

/// It lives as long as its thread: for ever. Null: nobody listens.
Heart* new_heart(const Experiment& experiment, const Teller& teller) {
  if (experiment.backend->watch().answer_within <= 0.0) return nullptr;
  return new Heart(teller, *experiment.backend);
}

/// What the run goes on from, if anything.
Checkpointing checkpointing(const Experiment& experiment, const RunFiles& files, bool first,
                            const std::function<void(const std::string&)>& say) {
  Checkpointing all;
  all.folder = files.checkpoints;
  if (files.from_epoch > 0) {
    const checkpoint::Folder folder(files.checkpoints);
    all.from =
        std::make_shared<const checkpoint::Checkpoint>(folder.of_epoch(files.from_epoch), false);
    all.events = all.from->head().events;
    all.over = all.from->head().ended;
  } else if (!experiment.checkpoint.from.empty()) {
    all.from = checkpoint_of_another_run(experiment, say);
    say(fmt::format("goes on after epoch {} of {}", all.from->head().epoch,
                    experiment.checkpoint.from));
  }
  if (first && all.from != nullptr) {
    check_data_unchanged(experiment.resolved(), all.from->head());
    all.data = all.from->head().data;
  } else if (first && !all.folder.empty()) {
    all.data = data_checksum(experiment.resolved());
  }
  return all;
}

void run_to_the_end(Experiment& experiment, const std::string& root, const RunFiles& files,
                    NodeId node, const Teller& teller, Heart* heart) {
  const ClusterSpec& cluster = experiment.cluster;
  const bool first = node == 0;
  const auto say = [&](const std::string& text) {
    if (first) teller.tell(Tell::kSay, text);
  };
  const LoadContext context{cluster.seed, cluster.nodes, cluster.workers_per_node,
                            root,         say,           experiment.train.epochs};
  experiment.workload->load(context);
  checks::Checked checked;
  Training training(
      experiment,
      [&](const EpochRecord& record) {
        if (record.checked) checked += *record.checked;
        teller.tell(Tell::kEpoch, epoch_event(record, cluster.workers_per_node));
      },
      [first](const std::string& text) {
        if (first) print_for_log(text);
      },
      [&](const std::string& why) { teller.tell(Tell::kFailed, why); },
      checkpointing(experiment, files, first, say));
  if (first) {
    const MemoryEstimate memory = estimate_memory(experiment, training);
    const std::string warning = memory_warning(memory.total(), usable_memory());
    if (!warning.empty()) teller.tell(Tell::kSay, warning);
    teller.tell(Tell::kLoaded, without_cache_path(experiment.workload->data_report()));
  }
  training_began = true;
  if (heart != nullptr) heart->set_training(training);
  const auto ended = [heart] {
    if (heart != nullptr) heart->stop();
  };
  try {
    experiment.backend->execute(cluster, training, stop_requested);
  } catch (...) {
    ended();
    throw;
  }
  ended();
  if (experiment.metrics.record_trace) write_trace_part(files.launch, node, training.trace());
  if (first && experiment.checks.history) tell_checked(checked, teller);
}

/// Returns the exit code.
int run_and_tell(const config::Value& config, const std::string& root, const RunFiles& files,
                 int descriptor) {
  Teller teller(descriptor, 0);
  signal_teller = &teller;
  take_signals();
  try {
    // Not destroyed before the process ends: see Heart.
    auto& experiment = *new Experiment(config, root);
    // The heart must beat before the processes meet: one of them may be stopped by then.
    const std::optional<NodeId> to_be = experiment.backend->node_to_be(experiment.cluster);
    if (to_be) teller = Teller(descriptor, *to_be);
    Heart* heart = to_be ? new_heart(experiment, teller) : nullptr;
    const NodeId node = experiment.backend->join(experiment.cluster);
    if (!to_be) {
      teller = Teller(descriptor, node);
      heart = new_heart(experiment, teller);
    }
    if (heart != nullptr) heart->joined();
    run_to_the_end(experiment, root, files, node, teller, heart);
    if (node == 0) teller.tell(Tell::kSucceeded, nullptr);
    return 0;
  } catch (const InputError& error) {
    teller.tell(training_began ? Tell::kFailed : Tell::kBadInput, error.what());
  } catch (const std::bad_alloc&) {
    teller.tell(Tell::kFailed, "out of memory. 'pslab check' estimates what a run needs.");
  } catch (const std::system_error& error) {
    const bool thread = error.code() == std::errc::resource_unavailable_try_again;
    teller.tell(Tell::kFailed, thread ? thread_failure(error.code().message()) : error.what());
  } catch (const std::exception& error) {
    const bool stopped = stop_requested && std::string_view(error.what()) == "interrupted";
    teller.tell(stopped ? Tell::kInterrupted : Tell::kFailed, error.what());
  }
  return 1;
}

[[noreturn]] void end_process(int code) {
  std::fflush(nullptr);
  // Not exit(): static objects of the program and of its libraries need no orderly end.
  ::_exit(code);
}

}  // namespace

void be_run(const config::Value& config, const std::string& root, const RunFiles& files,
            int tells) {
  run_and_tell(config, root, files, tells);
  end_process(0);
}

std::vector<std::string> launched_words(const RunFiles& files) {
  if (files.checkpoints.empty()) return {files.launch.string()};
  return {files.launch.string(), files.checkpoints.string(), fmt::format("{}", files.from_epoch)};
}

void be_launched_run(const std::vector<std::string>& words, const std::string& root) {
  ::prctl(PR_SET_PDEATHSIG, SIGKILL);  // not to outlive the launcher
  // A launcher may give each process a terminal for its standard output. What is written there
  // waits for a thread of the system that busy processors may keep from running for many seconds.
  const int tells = ::dup(STDERR_FILENO);
  ::dup2(STDOUT_FILENO, STDERR_FILENO);
  // Its exit code makes the launcher end the other processes, and name this one.
  interrupted_code = 1;
  RunFiles files{.launch = words.at(0), .checkpoints = {}};
  if (words.size() > 1) files = {words.at(0), words.at(1), std::stoi(words.at(2))};
  end_process(run_and_tell(config::load_yaml(files.launch), root, files, tells));
}

}  // namespace pslab::run
