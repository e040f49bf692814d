#include "cli/data_info.hpp"

#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "base/error.hpp"
#include "cli/analysis.hpp"

namespace pslab::cli {
namespace {

namespace fs = std::filesystem;

using run::Json;

Json set_json(const data::CatalogEntry& entry) {
  Json files = Json::object();
  for (const data::CatalogFile& file : entry.files) {
    files[file.name] = file.sha256.empty() ? Json(nullptr) : Json(file.sha256);
  }
  return {{"name", entry.name},       {"task", data::task_of(entry.kind)},
          {"licence", entry.licence}, {"provenance", entry.provenance},
          {"counts", entry.counts},   {"sha256", files}};
}

Json skew_json(const data::KeyAccesses& keys) {
  Json curve = Json::array();
  for (const data::RankShare& point : data::rank_curve(keys.accesses)) {
    curve.push_back({point.rank, point.share});
  }
  return {{"keys", keys.keys},
          {"sampled", keys.sampled},
          {"number", keys.accesses.size()},
          {"top_0.1_percent", data::top_share(keys.accesses, 0.001)},
          {"top_1_percent", data::top_share(keys.accesses, 0.01)},
          {"top_10_percent", data::top_share(keys.accesses, 0.1)},
          {"curve", curve}};
}

Json description_json(const data::Description& description) {
  Json counts = Json::object();
  for (const auto& [name, count] : description.counts) {
    counts[name] = static_cast<std::uint64_t>(count);
  }
  Json skew = Json::array();
  for (const data::KeyAccesses& keys : description.accesses) skew.push_back(skew_json(keys));
  return {{"kind", description.kind},
          {"counts", counts},
          {"lines", description.lines},
          {"skew", skew},
          {"notes", description.notes}};
}

}  // namespace

Json dataset_list_json() {
  Json list = Json::array();
  for (const data::CatalogEntry& entry : data::catalog()) {
    Json set = set_json(entry);
    set["description"] = entry.description;
    set["fetched"] = fs::exists(data::dataset_directory(entry));
    list.push_back(std::move(set));
  }
  return list;
}

Json to_json(const data::Info& info) {
  Json json = Json::object();
  if (info.entry != nullptr) json["set"] = set_json(*info.entry);
  if (!info.assumed.empty()) json["assumed"] = info.assumed;
  json["data"] = info.description ? description_json(*info.description) : Json(nullptr);
  return json;
}

void check_figure(const std::string& figure) {
  const fs::path path = fs::absolute(figure).lexically_normal();
  const std::string folder = path.parent_path().string();
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored)) {
    fail_input("cannot draw {}: there is no folder {}; make it first, or name another", figure,
               folder);
  }
  if (fs::is_directory(path, ignored)) {
    fail_input("cannot draw {}: it is a folder; name a file", figure);
  }
  if (::access(folder.c_str(), W_OK) != 0) {
    fail_input("cannot draw {}: the folder {} cannot be written to: {}; name another", figure,
               folder, std::strerror(errno));
  }
}

void draw_skew(const data::Info& info, const std::string& root, const std::string& figure) {
  if (!info.description) {
    fail_input("there is nothing to draw: the data set is not here; `pslab data fetch` it first");
  }
  const fs::path path = fs::absolute(figure).lexically_normal();
  const fs::path curves = path.string() + ".json";
  std::ofstream(curves) << run::to_text(to_json(info)) << "\n";
  const Figures drawn = run_analysis(root, {"skew", curves, path}, path.string() + ".log");
  std::error_code ignored;
  fs::remove(curves, ignored);
  if (drawn.drawn) return;
  std::string reason;
  for (const std::string& line : drawn.output) reason += "\n  " + line;
  fail_input("cannot draw {}:{}", figure, reason);
}

}  // namespace pslab::cli
