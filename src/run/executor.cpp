#include "run/executor.hpp"

#include <fmt/format.h>
#include <poll.h>
#include <signal.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <list>
#include <memory>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "config/yaml.hpp"
#include "run/active_run.hpp"
#include "run/datasets.hpp"
#include "run/environment.hpp"
#include "run/experiment.hpp"
#include "run/past_run.hpp"
#include "run/result_folder.hpp"
#include "run/table.hpp"
#include "run/trace_parts.hpp"

namespace pslab::run {
namespace {

using Seconds = std::chrono::duration<double>;

// One Ctrl-C may arrive twice, from the terminal and from a program that passes it on.
constexpr std::chrono::milliseconds kSameSignal(300);
// Processes that fell silent are noticed by looking, not by anything that arrives.
constexpr std::chrono::milliseconds kLook(200);

/// SIGINT and SIGTERM as something to poll, while it lives.
class StopSignals {
 public:
  StopSignals() {
    ::sigemptyset(&signals_);
    ::sigaddset(&signals_, SIGINT);
    ::sigaddset(&signals_, SIGTERM);
    ::sigprocmask(SIG_BLOCK, &signals_, &before_);
    descriptor_ = ::signalfd(-1, &signals_, SFD_NONBLOCK | SFD_CLOEXEC);
  }
  ~StopSignals() {
    ::close(descriptor_);
    ::sigprocmask(SIG_SETMASK, &before_, nullptr);
  }
  StopSignals(const StopSignals&) = delete;
  StopSignals& operator=(const StopSignals&) = delete;

  int descriptor() const { return descriptor_; }
  int take() const {
    int count = 0;
    signalfd_siginfo info{};
    while (::read(descriptor_, &info, sizeof(info)) == static_cast<ssize_t>(sizeof(info))) ++count;
    return count;
  }

 private:
  sigset_t signals_{};
  sigset_t before_{};
  int descriptor_ = -1;
};

std::string utc_now() {
  const std::time_t now = std::chrono::system_clock::to_time_t(std::chrono::system_clock::now());
  std::tm parts{};
  ::gmtime_r(&now, &parts);
  return fmt::format("{:04}-{:02}-{:02}T{:02}:{:02}:{:02}Z", parts.tm_year + 1900, parts.tm_mon + 1,
                     parts.tm_mday, parts.tm_hour, parts.tm_min, parts.tm_sec);
}

class Executor {
 public:
  Executor(const ExperimentPlan& plan, const ExecutionOptions& options, Observer& observer)
      : plan_(plan),
        options_(options),
        observer_(observer),
        lock_((prepare_folder(plan, options), options.folder)),
        environment_(environment(options.root, options.command_line)) {}

  Execution run() {
    find_ended_runs();
    check_waiting_runs();
    if (!execution_.results.empty()) store_source();
    while (!active_.empty() || (!waiting_.empty() && !stopping_)) {
      start_some();
      wait();
      take_signals();
      if (killed_) break;
      take_news();
      check_time();
    }
    active_.clear();
    if (!execution_.results.empty()) write_table();
    execution_.interrupted = stopping_;
    return std::move(execution_);
  }

 private:
  struct Job {
    Job(const std::filesystem::path& path, const PlannedRun& planned) : folder(path, planned) {}
    RunFolder folder;
    std::string started_at = utc_now();
    std::unique_ptr<ActiveRun> run;
    std::vector<std::string> early_log;  ///< before the folder was begun
    std::vector<std::string> before;     ///< events of epochs that it goes on from
    bool timed_out = false;
  };

  // Where nothing is yet, nothing is made either when no run can be started.
  static void prepare_folder(const ExperimentPlan& plan, const ExecutionOptions& options) {
    if (std::error_code ignored; !std::filesystem::exists(options.folder, ignored)) {
      std::vector<const PlannedRun*> runs;
      for (const PlannedRun& run : plan.runs) runs.push_back(&run);
      check_runs(runs, options.root);
    }
    make_folder(options.folder);
  }

  static void check_runs(const std::vector<const PlannedRun*>& runs, const std::string& root) {
    check_data_files(runs);
    check_origins(runs, root);
    check_launches(runs, root);
  }

  std::filesystem::path folder_of(std::size_t index) const {
    return options_.folder / plan_.runs[index].id;
  }

  void find_ended_runs() {
    std::vector<std::size_t> reused;
    std::vector<std::size_t> of_another_build;
    const std::string program = environment_.value("program", "");
    for (std::size_t index = 0; index < plan_.runs.size(); ++index) {
      StoredRun stored = read_stored_run(folder_of(index), plan_.runs[index]);
      if (stored.state == StoredRun::State::kOtherConfig && !options_.force) {
        fail_input(
            "{} holds a run with another config: {}. Run with --force to replace it, or choose "
            "another place with --out DIR.",
            folder_of(index).string(), stored.difference);
      }
      const bool finished =
          stored.state == StoredRun::State::kEnded && stored.result.status == Status::kSucceeded;
      if (!finished || options_.force) {
        waiting_.push_back(index);
        continue;
      }
      reused.push_back(index);
      if (stored.program != program) of_another_build.push_back(index);
      execution_.results.emplace(index, std::move(stored.result));
    }
    if (!reused.empty()) observer_.reused(reused, of_another_build);
  }

  void check_waiting_runs() const {
    std::vector<const PlannedRun*> runs;
    for (const std::size_t index : waiting_) runs.push_back(&plan_.runs[index]);
    check_runs(runs, options_.root);
  }

  // The first run alone until its data are there: if these are bad, nothing else was started.
  std::size_t jobs() const {
    return any_loaded_ ? static_cast<std::size_t>(options_.jobs) : std::size_t{1};
  }

  void start_some() {
    while (!stopping_ && !waiting_.empty() && active_.size() < jobs()) {
      const std::size_t index = waiting_.front();
      waiting_.pop_front();
      Job& job = active_.emplace_back(folder_of(index), plan_.runs[index]);
      observer_.started(index);
      const RunEvents events = events_of(job, index);
      const int epoch = past_epochs(job, events);
      job.run = std::make_unique<ActiveRun>(
          index, plan_.runs[index].facts.nodes,
          start_run_process(plan_.runs[index], options_.root, options_.folder, epoch), events,
          job.before);
    }
  }

  /// How many epochs there is a checkpoint of to go on from.
  int past_epochs(Job& job, const RunEvents& events) const {
    const std::filesystem::path& path = job.folder.path();
    checkpoint::Folder(path / checkpoint::kFolderName).clear(options_.force);
    const auto checkpoint = newest_checkpoint(path, events.said);
    if (checkpoint == nullptr) return 0;
    const checkpoint::Head& head = checkpoint->head();
    events.said(fmt::format("goes on after epoch {}, from its checkpoint", head.epoch));
    job.before = head.events;
    return head.epoch;
  }

  RunEvents events_of(Job& job, std::size_t index) {
    const auto log = [&job](const std::string& text) {
      if (job.folder.begun()) {
        job.folder.log(text);
        check_written(job);
      } else {
        job.early_log.push_back(text);
      }
    };
    return {[this, index, log](const std::string& text) {
              log(text);
              observer_.said(index, text);
            },
            log, [this, &job] { begin_folder(job); },
            [this, &job, index](const std::string& line, const Json& event) {
              job.folder.event(line);
              if (!check_written(job)) return false;
              observer_.epoch(index, event);
              return true;
            }};
  }

  static bool check_written(Job& job) {
    const std::string& trouble = job.folder.trouble();
    if (!trouble.empty()) job.run->fail(trouble + ". What was written before is kept");
    return trouble.empty();
  }

  void begin_folder(Job& job) {
    if (!any_loaded_ && execution_.results.empty()) store_source();
    any_loaded_ = true;
    job.folder.begin(job.before);
    for (const std::string& line : job.early_log) job.folder.log(line);
    check_written(job);
  }

  // What `resume` needs. A path in the config may be relative to the working directory.
  void store_source() const {
    const Json origin = {{"working_directory", std::filesystem::current_path().string()},
                         {"command_line", options_.command_line}};
    write_file(options_.folder / "experiment.yaml", config::dump_yaml(plan_.source));
    write_file(options_.folder / "origin.json", to_text(origin, 2) + "\n");
  }

  void wait() const {
    std::vector<pollfd> descriptors = {{signals_.descriptor(), POLLIN, 0}};
    for (const Job& job : active_) {
      descriptors.push_back({job.run->tells(), POLLIN, 0});
      descriptors.push_back({job.run->prints(), POLLIN, 0});
    }
    Clock::time_point until = next_tick_;
    for (const Job& job : active_) {
      if (job.run->watched()) until = std::min(until, Clock::now() + kLook);
      if (options_.timeout > 0.0 && !job.timed_out) until = std::min(until, deadline(job));
    }
    const double milliseconds = 1000.0 * Seconds(until - Clock::now()).count();
    const int limit = static_cast<int>(std::clamp(std::ceil(milliseconds), 0.0, 60'000.0));
    ::poll(descriptors.data(), descriptors.size(), limit);
  }

  Clock::time_point deadline(const Job& job) const {
    const auto allowed = std::chrono::duration_cast<Clock::duration>(Seconds(options_.timeout));
    return job.run->begin() + allowed;
  }

  void take_signals() {
    if (signals_.take() == 0) return;
    const Clock::time_point now = Clock::now();
    if (!stopping_) {
      stopping_ = true;
      stop_asked_ = now;
      for (const Job& job : active_) job.run->ask_to_stop();
      observer_.stopping();
    } else if (now - stop_asked_ > kSameSignal) {
      killed_ = true;
    }
  }

  void take_news() {
    for (auto job = active_.begin(); job != active_.end();) {
      if (!job->run->read()) {
        ++job;
        continue;
      }
      end(*job);
      job = active_.erase(job);
    }
  }

  void end(Job& job) {
    const std::size_t index = job.run->index();
    RunResult result = job.run->finish();
    const bool nothing_ran = !any_loaded_ && execution_.results.empty();
    if (job.run->bad_input() && nothing_ran) throw InputError(result.error);
    result.commit = environment_.at("commit").get<std::string>();
    if (!job.folder.begun()) begin_folder(job);
    keep_trace(index, result);
    if (result.status != Status::kSucceeded) {
      checkpoint::Folder(job.folder.path() / checkpoint::kFolderName).clear(false);
    }
    store(job, result);
    observer_.ended(index, result);
    execution_.results.insert_or_assign(index, std::move(result));
    write_table();
  }

  void store(Job& job, const RunResult& result) {
    try {
      job.folder.end(result, environment_of(job));
    } catch (const RunError&) {  // it would hide why the run failed
      if (result.status == Status::kFailed) observer_.ended(job.run->index(), result);
      throw;
    }
  }

  void keep_trace(std::size_t index, RunResult& result) const {
    const PlannedRun& run = plan_.runs[index];
    if (!run.facts.record_trace) return;
    if (result.status != Status::kSucceeded) return remove_trace_parts(options_.folder, run);
    try {
      join_trace_parts(options_.folder, run);
    } catch (const std::runtime_error& error) {
      remove_trace_parts(options_.folder, run);
      result.status = Status::kFailed;
      result.error = error.what();
    }
  }

  Json environment_of(const Job& job) const {
    const Experiment experiment(plan_.runs[job.run->index()].sweep.config, options_.root);
    Json all = {{"started_at", job.started_at},
                {"wall_time_s", Seconds(Clock::now() - job.run->begin()).count()},
                {"peak_memory_bytes", job.run->peak_memory_bytes()}};
    all.update(environment_);
    all["backend_version"] = experiment.backend->version();
    return all;
  }

  void write_table() const {
    write_file(options_.folder / "table.csv", table_csv(plan_, execution_.results));
  }

  void check_time() {
    const Clock::time_point now = Clock::now();
    for (Job& job : active_) {
      job.run->check_health();
      if (options_.timeout <= 0.0 || job.timed_out || now < deadline(job)) continue;
      job.timed_out = true;
      job.run->time_out(options_.timeout);
    }
    if (now < next_tick_) return;
    next_tick_ = now + std::chrono::duration_cast<Clock::duration>(Seconds(options_.tick));
    observer_.tick();
  }

  const ExperimentPlan& plan_;
  const ExecutionOptions& options_;
  Observer& observer_;
  StopSignals signals_;
  FolderLock lock_;
  Json environment_;
  std::list<std::size_t> waiting_;
  std::list<Job> active_;
  Execution execution_;
  Clock::time_point next_tick_ = Clock::now();
  bool stopping_ = false;
  Clock::time_point stop_asked_;
  bool killed_ = false;
  bool any_loaded_ = false;
};

}  // namespace

Execution execute(const ExperimentPlan& plan, const ExecutionOptions& options, Observer& observer) {
  return Executor(plan, options, observer).run();
}

}  // namespace pslab::run
