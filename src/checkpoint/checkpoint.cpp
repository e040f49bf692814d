#include "checkpoint/checkpoint.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "data/sha256.hpp"

namespace pslab::checkpoint {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

namespace {

/// Raised when the meaning of a checkpoint's files changes.
constexpr int kVersion = 1;
constexpr const char* kHeadName = "checkpoint.json";
constexpr const char* kSum = "sha256";
constexpr std::string_view kPrefix = "epoch-";
constexpr const char* kUnfinished = ".part";

std::string part_name(std::size_t node) {
  return fmt::format("node-{}.bin", node);
}

Json to_json(const Head& head, Json parts) {
  Json groups = Json::array();
  for (const KeyGroup& group : head.groups) {
    groups.push_back({{"name", group.name}, {"count", group.count}, {"length", group.length}});
  }
  return {{"version", kVersion},
          {"epoch", head.epoch},
          {"ended", head.ended},
          {"time_s", head.time_s},
          {"clock_s", head.clock_s},
          {"nodes", head.nodes},
          {"workers_per_node", head.workers_per_node},
          {"clocks", head.clocks},
          {"workload_state", head.workload_state},
          {"groups", groups},
          {"parts", std::move(parts)},
          {"data", head.data},
          {"config", head.config},
          {"events", head.events}};
}

Head to_head(const Json& json) {
  Head head;
  json.at("epoch").get_to(head.epoch);
  json.at("ended").get_to(head.ended);
  json.at("time_s").get_to(head.time_s);
  json.at("clock_s").get_to(head.clock_s);
  json.at("nodes").get_to(head.nodes);
  json.at("workers_per_node").get_to(head.workers_per_node);
  json.at("clocks").get_to(head.clocks);
  json.at("workload_state").get_to(head.workload_state);
  json.at("data").get_to(head.data);
  json.at("config").get_to(head.config);
  json.at("events").get_to(head.events);
  for (const Json& group : json.at("groups")) {
    head.groups.push_back({group.at("name"), group.at("count"), group.at("length")});
  }
  return head;
}

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file)
    fail_input("{}: no whole checkpoint: it has no {}", path.parent_path().string(), kHeadName);
  return {std::istreambuf_iterator<char>(file), {}};
}

/// Of everything but the sum itself.
std::string sum_of(Json head) {
  head.erase(kSum);
  return data::sha256(head.dump());
}

Json read_head(const fs::path& folder) {
  const fs::path path = folder / kHeadName;
  const Json json = Json::parse(read_text(path), nullptr, false);
  if (!json.is_object() || !json.contains("version")) {
    fail_input("{}: a damaged checkpoint: not what pslab writes", path.string());
  }
  if (json.at("version") != kVersion) {
    fail_input("{}: a checkpoint of version {}; this pslab reads version {}", path.string(),
               json.at("version").dump(), kVersion);
  }
  const auto sum = json.find(kSum);
  if (sum == json.end() || *sum != sum_of(json)) {
    fail_input("{}: a damaged checkpoint: its SHA-256 is not the one in it", path.string());
  }
  return json;
}

[[noreturn]] void fail_write(const fs::path& path, const std::string& reason) {
  fail_run("cannot write the checkpoint {}: {}. Those before it are kept", path.string(), reason);
}

/// Makes sure that a file, or what a folder holds, is on the disk.
void put_on_disk(const fs::path& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = file >= 0 && ::fsync(file) == 0;
  const int reason = errno;
  if (file >= 0) ::close(file);
  if (!done) fail_write(path, std::strerror(reason));
}

void write_text(const fs::path& path, const std::string& text) {
  {
    std::ofstream file(path, std::ios::binary | std::ios::trunc);
    file << text << std::flush;
    if (!file) fail_write(path, std::strerror(errno));
  }
  put_on_disk(path);
}

}  // namespace

Checkpoint::Checkpoint(const fs::path& folder, bool verify) : keys_({{"", 1, 1}}) {
  const Json json = read_head(folder);
  try {
    head_ = to_head(json);
    keys_ = KeySpace(head_.groups);
    owners_.assign(keys_.size(), 0);
    std::size_t found = 0;
    for (const Json& part : json.at("parts")) {
      const fs::path file = folder / part.at("file").get<std::string>();
      if (verify && data::sha256_of_file(file.string()) != part.at("sha256")) {
        fail_input("{}: a damaged checkpoint: its SHA-256 is not the one in {}", file.string(),
                   kHeadName);
      }
      const auto node = static_cast<std::uint16_t>(parts_.size());
      for (const std::uint32_t key : parts_.emplace_back(file, keys_).keys()) owners_[key] = node;
      found += parts_.back().keys().size();
    }
    if (found != keys_.size() || parts_.size() != head_.nodes) {
      fail_input("{}: a damaged checkpoint: it has {} keys in {} parts instead of {} in {}",
                 folder.string(), found, parts_.size(), keys_.size(), head_.nodes);
    }
  } catch (const Json::exception& error) {
    fail_input("{}: a damaged checkpoint: {}", (folder / kHeadName).string(), error.what());
  }
}

void Checkpoint::read(Key key, std::span<float> value) const {
  const Part& part = parts_[owners_[key]];
  const auto at = std::ranges::lower_bound(part.keys(), static_cast<std::uint32_t>(key));
  const float* stored = part.value(static_cast<std::size_t>(at - part.keys().begin()));
  std::copy_n(stored, value.size(), value.begin());
}

fs::path Folder::of_epoch(int epoch) const {
  return folder_ / fmt::format("{}{}", kPrefix, epoch);
}

fs::path Folder::unfinished(int epoch) const {
  return of_epoch(epoch).string() + kUnfinished;
}

std::vector<int> Folder::epochs() const {
  std::vector<int> epochs;
  std::error_code error;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    int epoch = 0;
    if (!name.starts_with(kPrefix)) continue;
    const char* end = name.data() + name.size();
    const auto [at, failed] = std::from_chars(name.data() + kPrefix.size(), end, epoch);
    if (failed == std::errc() && at == end) epochs.push_back(epoch);
  }
  std::ranges::sort(epochs);
  return epochs;
}

void Folder::clear(bool all) const {
  std::error_code error;
  std::vector<fs::path> old;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder_, error)) {
    const std::string name = entry.path().filename().string();
    if (name.starts_with(kPrefix) && (all || name.ends_with(kUnfinished))) {
      old.push_back(entry.path());
    }
  }
  for (const fs::path& path : old) {
    fs::remove_all(path, error);
    if (error) fail_run("cannot remove {}: {}", path.string(), error.message());
  }
}

void Folder::write_part(int epoch, std::uint32_t node, const KeySpace& keys,
                        std::vector<Owned> owned) const {
  std::error_code error;
  fs::create_directories(unfinished(epoch), error);
  if (error) fail_write(unfinished(epoch), error.message());
  checkpoint::write_part(unfinished(epoch) / part_name(node), keys, std::move(owned));
}

void Folder::commit(const Head& head, int keep) const {
  const fs::path folder = unfinished(head.epoch);
  Json parts = Json::array();
  for (std::size_t node = 0; node < head.nodes; ++node) {
    const fs::path file = folder / part_name(node);
    std::error_code error;
    if (!fs::exists(file, error)) {
      fail_run(
          "node {} has left no {}. The machines of a run must share the folder of its results; "
          "choose another one with --out DIR",
          node, file.string());
    }
    parts.push_back({{"file", part_name(node)}, {"sha256", data::sha256_of_file(file.string())}});
  }
  Json json = to_json(head, std::move(parts));
  json[kSum] = sum_of(json);
  write_text(folder / kHeadName, json.dump(1) + "\n");
  put_on_disk(folder);
  std::error_code error;
  fs::remove_all(of_epoch(head.epoch), error);  // a damaged one, that this run did not go on from
  fs::rename(folder, of_epoch(head.epoch), error);
  if (error) fail_write(of_epoch(head.epoch), error.message());
  put_on_disk(folder_);
  std::vector<int> all = epochs();
  for (std::size_t i = 0; i + static_cast<std::size_t>(keep) < all.size(); ++i) {
    fs::remove_all(of_epoch(all[i]), error);  // what cannot be removed does no harm
  }
}

}  // namespace pslab::checkpoint
