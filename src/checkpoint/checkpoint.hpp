// Checkpoints: what training needs to go on from the end of an epoch. A folder per checkpoint, with
// a part per node (part.hpp) and a head that names them; it has its name only when all of it is on
// the disk.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "api/key_space.hpp"
#include "checkpoint/part.hpp"

namespace pslab::checkpoint {

/// Everything but keys and values.
struct Head {
  int epoch = 0;         ///< the last one that was trained
  bool ended = false;    ///< the run was over with it
  double time_s = 0.0;   ///< training time
  double clock_s = 0.0;  ///< the run's clock when it goes on
  std::uint32_t nodes = 1;
  std::uint32_t workers_per_node = 1;
  std::vector<std::uint64_t> clocks;   ///< by worker
  std::vector<double> workload_state;  ///< Workload::state
  std::vector<std::string> events;     ///< the epochs' lines of events.jsonl
  std::vector<KeyGroup> groups;
  std::string config;  ///< of the run: the text of its config.yaml
  std::string data;    ///< a checksum of the files of the user's that it was trained on
};

/// A whole checkpoint, for reading.
class Checkpoint {
 public:
  /// Throws InputError when it cannot be read or is damaged. `verify`: compares checksums.
  explicit Checkpoint(const std::filesystem::path& folder, bool verify = true);

  const Head& head() const { return head_; }
  const KeySpace& keys() const { return keys_; }
  /// Which node owned each key.
  std::span<const std::uint16_t> owners() const { return owners_; }
  void read(Key key, std::span<float> value) const;

 private:
  Head head_;
  KeySpace keys_;
  std::vector<Part> parts_;
  std::vector<std::uint16_t> owners_;
};

/// The checkpoints of one run, in a folder of theirs.
class Folder {
 public:
  explicit Folder(std::filesystem::path folder) : folder_(std::move(folder)) {}

  /// Removes what a process that was killed has left unfinished; with `all`, everything.
  void clear(bool all) const;
  /// Every node, in any order. Throws RunError.
  void write_part(int epoch, std::uint32_t node, const KeySpace& keys,
                  std::vector<Owned> owned) const;
  /// One node, when all parts are there; keeps the newest `keep` checkpoints. Throws RunError.
  void commit(const Head& head, int keep) const;

  std::filesystem::path of_epoch(int epoch) const;
  /// Of all checkpoints that are there, ascending.
  std::vector<int> epochs() const;

 private:
  std::filesystem::path unfinished(int epoch) const;

  std::filesystem::path folder_;
};

/// Name of the folder of checkpoints in the folder of a run.
inline constexpr const char* kFolderName = "checkpoints";

}  // namespace pslab::checkpoint
