#include "data/triples_files.hpp"

#include <filesystem>
#include <system_error>

#include "base/error.hpp"

namespace pslab::data {
namespace {

namespace fs = std::filesystem;

std::string name_of(const std::string& path) {
  return fs::path(path).filename().string();
}

bool is_there(const std::string& path) {
  std::error_code error;
  return fs::exists(path, error);
}

/// The path of `name` or `name`.gz in `folder`; "": neither is there.
std::string find_file(const std::string& folder, const std::string& name) {
  const std::string plain = (fs::path(folder) / name).string();
  const std::string packed = plain + ".gz";
  if (is_there(plain) && is_there(packed)) {
    fail_input("{}: the folder has {} and {}.gz, and one of them would be left out; keep one",
               folder, name, name);
  }
  return is_there(plain) ? plain : is_there(packed) ? packed : "";
}

/// `path`: of a file that goes with other training triples than `train`; "": it is not there.
void refuse_left_out(const std::string& folder, const std::string& train, const std::string& path) {
  if (path.empty()) return;
  fail_input(
      "{}: {} would be left out, because the training triples are in {}, and files of ids (.del) "
      "and of names (.txt) do not go together; give all parts the same ending, or move it away",
      folder, name_of(path), name_of(train));
}

}  // namespace

TriplesFiles find_triples(const std::string& folder) {
  std::error_code error;
  if (!fs::is_directory(folder, error)) {
    fail_input("{}: {}, with train.del (ids) or train.txt (names)", folder,
               is_there(folder) ? "is a file; give the folder that it is in"
                                : "there is no such folder; give one");
  }
  const std::string ids = find_file(folder, "train.del");
  const std::string names = find_file(folder, "train.txt");
  if (ids.empty() && names.empty()) {
    fail_input("{}: the folder has neither train.del (ids) nor train.txt (names), plain or .gz",
               folder);
  }
  if (!ids.empty() && !names.empty()) {
    fail_input("{}: the folder has {} and {}; keep files of ids and of names in two folders",
               folder, name_of(ids), name_of(names));
  }
  TriplesFiles files;
  files.named = ids.empty();
  files.train = files.named ? names : ids;
  const std::string end = files.named ? ".txt" : ".del";
  const std::string other = files.named ? ".del" : ".txt";
  files.valid = find_file(folder, "valid" + end);
  files.test = find_file(folder, "test" + end);
  for (const char* part : {"valid", "test"}) {
    refuse_left_out(folder, files.train, find_file(folder, part + other));
  }
  files.entity_ids = find_file(folder, "entity_ids.del");
  files.relation_ids = find_file(folder, "relation_ids.del");
  if (files.named) {
    refuse_left_out(folder, files.train, files.entity_ids);
    refuse_left_out(folder, files.train, files.relation_ids);
  }
  return files;
}

TriplesFiles only_triples(const std::string& file) {
  TriplesFiles files;
  files.train = file;
  files.named = !file.ends_with(".del") && !file.ends_with(".del.gz");
  if (files.named) return files;
  const std::string folder = fs::path(file).parent_path().string();
  files.entity_ids = find_file(folder, "entity_ids.del");
  files.relation_ids = find_file(folder, "relation_ids.del");
  return files;
}

bool has_training_triples(const std::string& folder) {
  return !find_file(folder, "train.del").empty() || !find_file(folder, "train.txt").empty();
}

}  // namespace pslab::data
