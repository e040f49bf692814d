#include "cli/origin.hpp"

#include <fmt/format.h>

#include <cstdio>
#include <system_error>

#include "base/error.hpp"
#include "run/json.hpp"
#include "run/result_folder.hpp"

namespace pslab::cli {

namespace fs = std::filesystem;

fs::path experiment_folder(const fs::path& given) {
  const fs::path folder = fs::absolute(given).lexically_normal();
  const fs::path plain = folder.has_filename() ? folder : folder.parent_path();
  std::error_code error;
  if (!fs::is_directory(plain, error)) {
    fail_input("{}: no such folder; give the folder that 'pslab run' wrote", given.string());
  }
  const fs::path above = plain.parent_path();
  for (const fs::path& candidate : {plain, above, above.parent_path().parent_path()}) {
    if (fs::exists(candidate / "experiment.yaml", error)) return candidate;
  }
  fail_input(
      "{}: there is no experiment.yaml in it or above it; give the folder of an experiment, "
      "DIR/<experiment>, as 'pslab run' writes it",
      given.string());
}

void enter_working_directory(const fs::path& folder) {
  const auto text = run::read_file(folder / "origin.json");
  if (!text) return;
  const run::Json origin = run::Json::parse(*text, nullptr, false);
  if (!origin.is_object()) return;
  std::error_code error;
  fs::current_path(origin.value("working_directory", "."), error);
  if (!error) return;
  fmt::print(stderr, "warning: the experiment was started in {}, which is gone: {}\n",
             origin.value("working_directory", "."), error.message());
}

}  // namespace pslab::cli
