// The files of results on disk: each is written beside its place and then renamed, so that a reader
// sees a whole file or none. What cannot be written is a RunError, with the system's reason.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>

#include "run/run_result.hpp"
#include "run/sweep_plan.hpp"

namespace pslab::run {

/// Replaces the file at once.
void write_file(const std::filesystem::path& path, const std::string& text);
/// nullopt: there is no such file.
std::optional<std::string> read_file(const std::filesystem::path& path);
/// InputError if there can be none or nothing can be written into it.
void make_folder(const std::filesystem::path& path);

/// Holds the folder of an experiment for one process at a time. InputError if another one has it.
class FolderLock {
 public:
  explicit FolderLock(const std::filesystem::path& folder);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;

 private:
  int descriptor_ = -1;
};

/// What lies in the folder of a run.
struct StoredRun {
  enum class State {
    kNone,        ///< nothing, or what an interrupted run left behind
    kOtherConfig  ///< a run with another config
    ,
    kEnded  ///< `result` holds it
  };
  State state = State::kNone;
  std::string difference{};  ///< of kOtherConfig: the first line that differs
  RunResult result{};
  std::string program{};  ///< fingerprint of the program that made it
};
StoredRun read_stored_run(const std::filesystem::path& folder, const PlannedRun& run);

/// Writes the folder of one run while it goes on.
class RunFolder {
 public:
  RunFolder(std::filesystem::path folder, const PlannedRun& run);

  /// Removes what an earlier run left, and writes config.yaml. `before`: the events of epochs that
  /// it goes on from; the log then goes on, too.
  void begin(const std::vector<std::string>& before);
  const std::filesystem::path& path() const { return folder_; }
  bool begun() const { return events_ != nullptr; }
  void event(const std::string& line);
  void log(const std::string& line);
  /// Writes what ends a run; only from then on it counts as ended.
  void end(const RunResult& result, const Json& environment);

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  using File = std::unique_ptr<std::FILE, Close>;
  File open(const char* name, const char* mode) const;

  std::filesystem::path folder_;
  const PlannedRun& run_;
  File events_;
  File log_;
};

}  // namespace pslab::run
