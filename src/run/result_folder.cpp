#include "run/result_folder.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <sstream>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "trace/trace_file.hpp"

namespace pslab::run {

namespace fs = std::filesystem;

namespace {

// Where events stand until the run has ended.
constexpr const char* kPartialEvents = "events.jsonl.part";
// Holds room, until then, for what says how the run has ended: the disk may be full by then.
constexpr const char* kRoom = "room.part";
constexpr std::size_t kRoomBytes = std::size_t{32} << 10;

std::string first_difference(const std::string& stored, const std::string& wanted) {
  std::istringstream before(stored);
  std::istringstream after(wanted);
  std::string line_before;
  std::string line_after;
  while (true) {
    const bool more_before = static_cast<bool>(std::getline(before, line_before));
    const bool more_after = static_cast<bool>(std::getline(after, line_after));
    if (!more_before && !more_after) return "nothing";
    if (!more_before) return fmt::format("now also '{}'", line_after);
    if (!more_after) return fmt::format("now without '{}'", line_before);
    if (line_before != line_after) {
      return fmt::format("'{}', now '{}'", line_before.substr(line_before.find_first_not_of(' ')),
                         line_after.substr(line_after.find_first_not_of(' ')));
    }
  }
}

/// False if the files are not what this version of pslab writes; then the run counts as not ended.
bool parse(const std::string& summary, const std::string& events, RunResult& result) {
  try {
    const Json ended = Json::parse(summary);
    const std::string status = ended.at("status");
    for (const Status known : {Status::kSucceeded, Status::kFailed, Status::kInterrupted}) {
      if (status == name(known)) result.status = known;
    }
    result.error = ended.at("error");
    result.commit = ended.at("commit");
    result.data = ended.at("data").get<std::vector<std::string>>();
    std::istringstream lines(events);
    for (std::string line; std::getline(lines, line);) {
      Json event = Json::parse(line);
      if (event.at("event") != "epoch") continue;
      keep_totals(event);
      result.epochs.push_back(std::move(event));
    }
    totals(result);  // reads every number
    return true;
  } catch (const Json::exception&) {
    return false;
  }
}

std::string ended_text(const RunResult& result) {
  const std::string status = name(result.status);
  return result.error.empty() ? status : status + ": " + result.error;
}

[[noreturn]] void fail_file(const char* what, const fs::path& path, const std::string& reason) {
  fail_run("cannot {} {}: {}", what, path.string(), reason);
}

[[noreturn]] void remove_and_fail(const fs::path& temporary, const fs::path& path,
                                  const std::string& reason) {
  std::error_code ignored;
  fs::remove(temporary, ignored);
  fail_file("write", path, reason);
}

[[noreturn]] void fail_place(const char* what, const fs::path& path, const std::string& reason) {
  fail_input("cannot {} {}: {}. Choose another place with --out DIR.", what, path.string(), reason);
}

}  // namespace

void make_folder(const fs::path& path) {
  std::error_code error;
  fs::create_directories(path, error);
  if (error) fail_place("make the folder", path, error.message());
  if (::access(path.c_str(), W_OK) != 0) fail_place("write into", path, std::strerror(errno));
}

void write_file(const fs::path& path, const std::string& text) {
  const fs::path temporary = path.string() + ".tmp";
  {
    std::ofstream file(temporary, std::ios::binary | std::ios::trunc);
    file.write(text.data(), static_cast<std::streamsize>(text.size()));
    file.flush();
    const int reason = errno;
    if (!file) remove_and_fail(temporary, path, std::strerror(reason));
  }
  std::error_code error;
  fs::rename(temporary, path, error);
  if (error) remove_and_fail(temporary, path, error.message());
}

std::optional<std::string> read_file(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) return std::nullopt;
  return std::string(std::istreambuf_iterator<char>(file), {});
}

FolderLock::FolderLock(const fs::path& folder)
    : descriptor_(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC)) {
  if (descriptor_ < 0) fail_place("open the folder", folder, std::strerror(errno));
  if (::flock(descriptor_, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK) return;
  ::close(descriptor_);
  fail_input(
      "another pslab is running the experiment in {}. Wait until it has ended, or choose another "
      "place with --out DIR.",
      folder.string());
}

FolderLock::~FolderLock() {
  ::close(descriptor_);
}

StoredRun read_stored_run(const fs::path& folder, const PlannedRun& run) {
  StoredRun stored;
  const auto config = read_file(folder / "config.yaml");
  if (!config) return stored;
  if (*config != run.resolved) {
    stored.state = StoredRun::State::kOtherConfig;
    stored.difference = first_difference(*config, run.resolved);
    return stored;
  }
  const auto ended = read_file(folder / "summary.json");
  const auto events = read_file(folder / "events.jsonl");
  if (!ended || !events || !parse(*ended, *events, stored.result)) return stored;
  stored.state = StoredRun::State::kEnded;
  const Json environment =
      Json::parse(read_file(folder / "env.json").value_or("{}"), nullptr, false);
  if (environment.is_object()) stored.program = environment.value("program", "");
  return stored;
}

RunFolder::RunFolder(fs::path folder, const PlannedRun& run)
    : folder_(std::move(folder)), run_(run) {}

LineFile::LineFile(fs::path path, bool go_on)
    : path_(std::move(path)),
      descriptor_(::open(path_.c_str(),
                         O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | (go_on ? 0 : O_TRUNC), 0666)) {
  if (descriptor_ < 0) fail_file("write", path_, std::strerror(errno));
  size_ = ::lseek(descriptor_, 0, SEEK_END);
}

LineFile::~LineFile() {
  ::close(descriptor_);
}

void LineFile::append(const std::string& line) {
  const std::string text = line + "\n";
  for (std::size_t done = 0; done < text.size();) {
    const ssize_t count = ::write(descriptor_, text.data() + done, text.size() - done);
    const int reason = errno;
    if (count < 0 && reason == EINTR) continue;
    if (count < 0) {
      if (::ftruncate(descriptor_, size_) != 0) fail_file("shorten", path_, std::strerror(errno));
      fail_file("write", path_, std::strerror(reason));
    }
    done += static_cast<std::size_t>(count);
  }
  size_ += static_cast<off_t>(text.size());
}

void RunFolder::begin(const std::vector<std::string>& before) {
  make_folder(folder_);
  for (const char* old :
       {"summary.json", "events.jsonl", "env.json", kPartialEvents, trace::kFileName}) {
    std::error_code error;
    fs::remove(folder_ / old, error);
    if (error) fail_file("remove", folder_ / old, error.message());
  }
  write_file(folder_ / "config.yaml", run_.resolved);
  write_file(folder_ / kRoom, std::string(kRoomBytes, '\0'));
  log_ = std::make_unique<LineFile>(folder_ / "log.txt", !before.empty());
  events_ = std::make_unique<LineFile>(folder_ / kPartialEvents, false);
  event(to_text(start_event(run_)));
  for (const std::string& line : before) event(line);
}

void RunFolder::append(LineFile& file, const std::string& line) {
  if (!trouble_.empty()) return;
  try {
    file.append(line);
  } catch (const RunError& error) {
    trouble_ = error.what();
  }
}

void RunFolder::event(const std::string& line) {
  append(*events_, line);
}

void RunFolder::log(const std::string& line) {
  append(*log_, line);
}

void RunFolder::end(const RunResult& result, const Json& environment) {
  std::error_code error;
  fs::remove(folder_ / kRoom, error);
  trouble_.clear();  // the run has failed of it, and there is room again
  if (result.status != Status::kSucceeded) log("run " + ended_text(result));
  events_->append(to_text(end_event(result)));
  events_.reset();
  log_.reset();
  fs::rename(folder_ / kPartialEvents, folder_ / "events.jsonl", error);
  if (error) fail_file("write", folder_ / "events.jsonl", error.message());
  write_file(folder_ / "env.json", to_text(environment, 2) + "\n");
  write_file(folder_ / "summary.json", to_text(summary(run_, result), 2) + "\n");
}

}  // namespace pslab::run
