#include "run/datasets.hpp"

#include <algorithm>
#include <filesystem>
#include <set>
#include <string_view>
#include <system_error>
#include <utility>

#include "base/error.hpp"
#include "base/text.hpp"
#include "config/path.hpp"
#include "config/yaml.hpp"
#include "data/catalog.hpp"
#include "data/corpus_reader.hpp"
#include "data/fetch.hpp"
#include "data/line_reader.hpp"
#include "data/sha256.hpp"
#include "data/triples_reader.hpp"

namespace pslab::run {
namespace {

constexpr std::uint64_t kQuickFile = 32 << 20;
constexpr std::int64_t kQuickRecords = 3'000'000;

/// The options of a workload that name files.
constexpr std::pair<std::string_view, std::string_view> kFileOptions[] = {
    {"dataset", "train"},  {"dataset", "test"},         {"dataset", "file"},
    {"dataset", "folder"}, {"evaluation", "analogies"}, {"evaluation", "similarities"}};

/// The value of an option of the run's data set as text; "" if there is no such option.
std::string dataset_option(const config::Value& resolved, const std::string& option) {
  const config::Value* value = config::find_path(resolved, {"workload", "dataset", option});
  return value == nullptr || value->text() == nullptr ? "" : *value->text();
}

/// The file of a data set's folder that a run cannot do without. What may be a single file, too, is
/// text, whose folder has any files; otherwise they are triples.
std::string main_file(const config::Value& resolved, const std::string& folder) {
  const bool text = config::find_path(resolved, {"workload", "dataset", "file"}) != nullptr;
  return text ? data::text_files(folder).front() : data::find_training_triples(folder);
}

/// The largest files of the run's data set, as far as it is in files that are here.
std::vector<std::string> large_files(const config::Value& resolved) {
  std::vector<std::string> files;
  if (const std::string name = dataset_option(resolved, "name"); data::is_dataset(name)) {
    const data::CatalogEntry& entry = data::find_dataset(name);
    for (const data::CatalogFile& file : entry.files) {
      files.push_back((std::filesystem::path(data::dataset_directory(entry)) / file.name).string());
    }
  }
  for (const char* option : {"train", "test", "file"}) {
    if (std::string file = dataset_option(resolved, option); !file.empty()) files.push_back(file);
  }
  if (const std::string folder = dataset_option(resolved, "folder"); !folder.empty()) {
    files.push_back(main_file(resolved, folder));
  }
  return files;
}

bool small_file(const std::string& path) {
  std::error_code error;
  const auto size = std::filesystem::file_size(path, error);
  return error || size <= kQuickFile;  // loading a missing one is quick
}

}  // namespace

void fetch_datasets(const ExperimentPlan& plan, const std::string& root,
                    const std::function<void(const std::string&)>& say) {
  std::set<std::string> names;
  for (const PlannedRun& run : plan.runs) {
    const config::Value resolved = config::parse_yaml(run.resolved, run.id);
    const std::string name = dataset_option(resolved, "name");
    if (!data::is_dataset(name) || !names.insert(name).second) continue;
    data::fetch(data::find_dataset(name), root, say);
  }
}

bool quick_to_load(const PlannedRun& run) {
  const config::Value resolved = config::parse_yaml(run.resolved, run.id);
  if (!std::ranges::all_of(large_files(resolved), small_file)) return false;
  const std::string name = dataset_option(resolved, "name");
  if (data::is_dataset(name) && !data::dataset_flaw(data::find_dataset(name)).empty()) return false;
  for (const char* option : {"cells", "triples"}) {
    const config::Value* records = config::find_path(resolved, {"workload", "dataset", option});
    if (records != nullptr && records->integer() != nullptr && *records->integer() > kQuickRecords)
      return false;
  }
  return true;
}

void check_data_files(const std::vector<const PlannedRun*>& runs) {
  std::set<std::string> seen;
  std::vector<std::string> problems;
  for (const PlannedRun* run : runs) {
    const config::Value resolved = config::parse_yaml(run->resolved, run->id);
    for (const auto& [group, option] : kFileOptions) {
      const config::Value* path = config::find_path(
          run->sweep.config, {"workload", std::string(group), std::string(option)});
      if (path == nullptr || path->text() == nullptr || path->text()->empty()) continue;
      if (!seen.insert(*path->text()).second) continue;
      try {
        data::LineReader opened(option == "folder" ? main_file(resolved, *path->text())
                                                   : *path->text());
      } catch (const InputError& error) {
        problems.push_back(fmt::format("{}: workload.{}.{}: {}", path->origin().text(), group,
                                       option, error.what()));
      }
    }
  }
  if (!problems.empty()) throw InputError(join(problems, "\n"));
}

std::string data_checksum(const config::Value& resolved) {
  std::vector<std::string> files;
  for (const char* option : {"train", "test", "file"}) {
    const std::string path = dataset_option(resolved, option);
    if (!path.empty()) files.push_back(path);
  }
  if (const std::string folder = dataset_option(resolved, "folder"); !folder.empty()) {
    const std::size_t before = files.size();
    for (const auto& entry : std::filesystem::directory_iterator(folder)) {
      if (entry.is_regular_file()) files.push_back(entry.path().string());
    }
    std::sort(files.begin() + static_cast<std::ptrdiff_t>(before), files.end());
  }
  std::string sums;
  for (const std::string& file : files) sums += data::sha256_of_file(file);
  return sums.empty() ? "" : data::sha256(sums);
}

void check_data_unchanged(const config::Value& resolved, const checkpoint::Head& head) {
  if (data_checksum(resolved) == head.data) return;
  fail_input(
      "the files of workload.dataset have changed since the checkpoint of epoch {} was written, so "
      "its values may belong to other things now. Bring the files back, or begin anew",
      head.epoch);
}

}  // namespace pslab::run
