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
#include "data/fetch_sources.hpp"
#include "data/fetch_steps.hpp"
#include "data/sha256.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

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

class Fetcher {
 public:
  Fetcher(const CatalogEntry& entry, const std::string& root, const Say& say)
      : entry_(entry),
        cache_(fs::absolute(cache_directory())),
        target_(cache_ / entry.name),
        work_(cache_ / (".fetching-" + entry.name)),
        script_(fs::absolute(root) / "src" / "data" / "fetch" / entry.converter),
        steps_(entry.name, work_, say) {}

  std::string run() {
    if (dataset_flaw(entry_).empty()) return target_;
    make_directory(cache_);
    const Lock lock(cache_ / (".lock-" + entry_.name), [this] {
      tell(fmt::format("waiting for another process that fetches {}", entry_.name));
    });
    const std::string flaw = dataset_flaw(entry_);  // somebody else may have made it meanwhile
    if (flaw.empty()) return target_;
    if (fs::exists(target_)) tell(flaw + "; fetching the set again");
    if (!fs::exists(script_)) steps_.fail("the converter", script_.string() + " is missing", "");
    std::error_code error;
    fs::remove_all(work_, error);  // of a fetch that was interrupted
    if (error) steps_.fail("removing " + work_.string(), error.message(), kPlace);
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
    tell(fmt::format("fetching {}: downloading {}", entry_.name, sources_text(entry_)));
    get_sources(entry_, steps_);
    tell(fmt::format("fetching {}: converting", entry_.name));
    steps_.run("converting with python3",
               {"python3", "-B", script_, entry_.name, work_ / "package", work_ / "out"});
    check_contents();
    write_sums(entry_, work_ / "out");
    std::error_code error;
    fs::remove_all(target_, error);
    fs::rename(work_ / "out", target_, error);
    if (error) steps_.fail("moving the set to " + target_.string(), error.message(), kPlace);
    fs::remove_all(work_, error);
    tell(fmt::format("fetched {} into {}", entry_.name, target_.string()));
  }

  void check_contents() {
    for (const CatalogFile& file : entry_.files) {
      const fs::path path = work_ / "out" / file.name;
      if (!fs::exists(path)) steps_.fail("the converter", "it did not write " + file.name, "");
      if (file.sha256.empty()) continue;
      const std::string seen = sha256_of_file(path);
      if (seen == file.sha256) continue;
      steps_.fail("checking " + file.name,
                  fmt::format("its sha256 is {}, expected {}", seen, file.sha256), other_data());
    }
    if (const std::string flaw = count_flaw(entry_, work_ / "out"); !flaw.empty()) {
      steps_.fail("checking the counts", flaw, other_data());
    }
  }

  std::string other_data() const {
    return fmt::format(
        "This system's version of {} holds other data than pslab was tested with; use a file of "
        "your own",
        sources_text(entry_));
  }

  void make_directory(const fs::path& path) {
    std::error_code error;
    fs::create_directories(path, error);
    if (error) steps_.fail("creating " + path.string(), error.message(), kPlace);
  }

  void tell(const std::string& text) const { steps_.tell(text); }

  const CatalogEntry& entry_;
  fs::path cache_;
  fs::path target_;
  fs::path work_;
  fs::path script_;
  FetchSteps steps_;
};

}  // namespace

std::string fetch(const CatalogEntry& entry, const std::string& root, const Say& say) {
  return Fetcher(entry, root, say).run();
}

}  // namespace pslab::data
