#include "data/fetch.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <system_error>
#include <vector>

#include "base/error.hpp"
#include "data/program.hpp"
#include "data/sha256.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPlace =
    "Free some space, or set PSLAB_DATA to a directory you can write to";

/// Held while a set is made; the system releases it when the process ends, however it ends.
class Lock {
 public:
  Lock(const std::string& path, const std::function<void()>& must_wait)
      : file_(::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0666)) {
    if (file_ < 0) fail_input("{}: cannot create: {}. {}", path, std::strerror(errno), kPlace);
    if (::flock(file_, LOCK_EX | LOCK_NB) == 0) return;
    must_wait();
    while (::flock(file_, LOCK_EX) != 0) {
      if (errno == EINTR) continue;
      const int reason = errno;
      ::close(file_);
      fail_input("{}: cannot lock: {}", path, std::strerror(reason));
    }
  }
  ~Lock() { ::close(file_); }
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;

 private:
  int file_;
};

bool contains(const std::string& text, std::string_view part) {
  return text.find(part) != std::string::npos;
}

/// The lines of a program's output that say what went wrong: the last three.
std::string last_lines(std::string output) {
  while (!output.empty() && (output.back() == '\n' || output.back() == ' ')) output.pop_back();
  std::size_t begin = output.size();
  for (int lines = 0; lines < 3 && begin != std::string::npos && begin > 0; ++lines) {
    begin = output.rfind('\n', begin - 1);
  }
  return begin == std::string::npos || begin == 0 ? output : output.substr(begin + 1);
}

class Fetcher {
 public:
  Fetcher(const CatalogEntry& entry, const std::string& root, const Say& say)
      : entry_(entry),
        say_(say),
        cache_(fs::absolute(cache_directory())),
        target_(cache_ / entry.name),
        work_(cache_ / (".fetching-" + entry.name)),
        script_(fs::absolute(root) / "src" / "data" / "fetch" / entry.converter) {}

  std::string run() {
    if (dataset_flaw(entry_).empty()) return target_;
    make_directory(cache_);
    const Lock lock(cache_ / (".lock-" + entry_.name), [this] {
      tell(fmt::format("waiting for another process that fetches {}", entry_.name));
    });
    const std::string flaw = dataset_flaw(entry_);  // somebody else may have made it meanwhile
    if (flaw.empty()) return target_;
    if (fs::exists(target_)) tell(flaw + "; fetching the set again");
    if (!fs::exists(script_)) fail("the converter", script_.string() + " is missing", "");
    std::error_code error;
    fs::remove_all(work_, error);  // of a fetch that was interrupted
    if (error) fail("removing " + work_.string(), error.message(), kPlace);
    make_directory(work_ / "out");
    try {
      make();
    } catch (...) {
      std::error_code ignored;
      fs::remove_all(work_, ignored);
      throw;
    }
    return target_;
  }

 private:
  void make() {
    tell(fmt::format("fetching {}: downloading package {}", entry_.name, entry_.package));
    const std::string package = download();
    tell(fmt::format("fetching {}: converting", entry_.name));
    run_step("unpacking with dpkg-deb", {"dpkg-deb", "-x", package, work_ / "package"});
    run_step("converting with python3",
             {"python3", "-B", script_, entry_.name, work_ / "package", work_ / "out"});
    check_contents();
    std::error_code error;
    fs::remove_all(target_, error);
    fs::rename(work_ / "out", target_, error);
    if (error) fail("moving the set to " + target_.string(), error.message(), kPlace);
    fs::remove_all(work_, error);
    tell(fmt::format("fetched {} into {}", entry_.name, target_.string()));
  }

  /// The path of the downloaded package.
  std::string download() {
    // As root, apt would switch to a user who cannot write here, and warn.
    std::vector<std::string> command = {"apt-get", "download", entry_.package};
    if (::geteuid() == 0) command.insert(command.end(), {"-o", "APT::Sandbox::User=root"});
    ProgramResult result = run_program(command, work_, work_ / "log");
    if (result.found && package_is_unknown(result.output)) {
      tell("the package is unknown; updating the list of packages");
      const ProgramResult update = run_program({"apt-get", "update"}, work_, work_ / "log");
      if (!update.succeeded()) {
        fail("apt-get update", last_lines(update.output),
             "Run `sudo apt-get update` with a network connection, then try again");
      }
      result = run_program(command, work_, work_ / "log");
    }
    require(result, "downloading with apt-get",
            "Check the network connection and that this system's package sources offer " +
                entry_.package);
    for (const fs::directory_entry& file : fs::directory_iterator(work_)) {
      if (file.path().extension() == ".deb") return file.path();
    }
    fail("downloading with apt-get", "no package arrived", "");
  }

  static bool package_is_unknown(const std::string& output) {
    return contains(output, "Unable to locate package") || contains(output, "No packages found") ||
           contains(output, "Can't find a source") || contains(output, "404  Not Found");
  }

  void run_step(const std::string& step, const std::vector<std::string>& command) {
    require(run_program(command, work_, work_ / "log"), step, "");
  }

  void require(const ProgramResult& result, const std::string& step, const std::string& advice) {
    if (result.succeeded()) return;
    if (!result.found) {
      fail(step, "there is no such program",
           "Sets are fetched on Debian and its relatives, with apt-get, dpkg-deb and python3");
    }
    if (result.signal != 0) {
      fail(step, fmt::format("ended by signal {}", result.signal), "Run the same command again");
    }
    const std::string reason = last_lines(result.output);
    const bool no_room = contains(reason, "No space left") || contains(reason, "Permission denied");
    fail(step, reason, no_room ? kPlace : std::string_view(advice));
  }

  void check_contents() {
    for (const CatalogFile& file : entry_.files) {
      const fs::path path = work_ / "out" / file.name;
      if (!fs::exists(path)) fail("the converter", "it did not write " + file.name, "");
      const std::string seen = sha256_of_file(path);
      if (seen == file.sha256) continue;
      fail("checking " + file.name, fmt::format("its sha256 is {}, expected {}", seen, file.sha256),
           "This system's version of " + entry_.package +
               " holds other data than pslab was tested with; use a file of your own with train:");
    }
  }

  void make_directory(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) fail("creating " + path.string(), error.message(), kPlace);
  }

  [[noreturn]] void fail(std::string_view step, std::string_view reason, std::string_view advice) {
    fail_input(
        "cannot fetch the data set {}: {}: {}.{}{} The configs in configs/smoke/ need no fetched "
        "data.",
        entry_.name, step, reason, advice.empty() ? "" : " ",
        advice.empty() ? "" : fmt::format("{}.", advice));
  }

  void tell(const std::string& text) const {
    if (say_) say_(text);
  }

  const CatalogEntry& entry_;
  const Say& say_;
  fs::path cache_;
  fs::path target_;
  fs::path work_;
  fs::path script_;
};

}  // namespace

std::string fetch(const CatalogEntry& entry, const std::string& root, const Say& say) {
  return Fetcher(entry, root, say).run();
}

}  // namespace pslab::data
