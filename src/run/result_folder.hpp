// The files of results on disk: each is written beside its place and then renamed, so that a reader
// sees a whole file or none. What cannot be written is a RunError, with the system's reason.
#pragma once

#include <sys/types.h>

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

/// A file of lines that grows, each line on its way at once and there as a whole or not at all.
class LineFile {
 public:
  /// RunError if it cannot be opened. `go_on`: after the lines that it has.
  LineFile(std::filesystem::path path, bool go_on);
  ~LineFile();
  LineFile(const LineFile&) = delete;
  LineFile& operator=(const LineFile&) = delete;

  /// RunError if there is no room.
  void append(const std::string& line);

 private:
  std::filesystem::path path_;
  int descriptor_ = -1;
  off_t size_ = 0;
};

/// Writes the folder of one run while it goes on.
class RunFolder {
 public:
  RunFolder(std::filesystem::path folder, const PlannedRun& run);

  /// Removes what an earlier run left, and writes config.yaml. `before`: the events of epochs that
  /// it goes on from; the log then goes on, too.
  void begin(const std::vector<std::string>& before);
  const std::filesystem::path& path() const { return folder_; }
  bool begun() const { return events_ != nullptr; }
  /// After the first line that cannot be written nothing more is; see trouble().
  void event(const std::string& line);
  void log(const std::string& line);
  /// Why not everything could be written; empty: it could.
  const std::string& trouble() const { return trouble_; }
  /// Writes what ends a run; only from then on it counts as ended.
  void end(const RunResult& result, const Json& environment);

 private:
  void append(LineFile& file, const std::string& line);

  std::filesystem::path folder_;
  const PlannedRun& run_;
  std::unique_ptr<LineFile> events_;
  std::unique_ptr<LineFile> log_;
  std::string trouble_;
};

}  // namespace pslab::run
