// A trace as a whole, and its file; README.md describes the format.
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "api/key_space.hpp"
#include "base/types.hpp"

namespace pslab::trace {

/// Raised when the meaning of a file's bytes changes.
inline constexpr std::uint32_t kVersion = 1;

struct Trace {
  NodeId nodes = 1;
  std::uint32_t workers_per_node = 1;
  std::uint64_t epochs = 0;
  std::vector<KeyGroup> groups;
  std::vector<std::string> workers;  ///< by worker: the bytes of its OpWriter
};

std::string to_bytes(const Trace& trace);

/// `place`: for messages. Throws InputError when this is no trace, one of another version, or
/// damaged.
Trace from_bytes(std::string_view bytes, const std::string& place);

/// `path`: a trace, the folder of a run, or of an experiment of which one run has a trace. Throws
/// InputError; messages begin with `option`.
std::filesystem::path find_trace(const std::filesystem::path& path, const std::string& option);

/// Its name in the folder of a run.
inline constexpr const char* kFileName = "trace.bin";

}  // namespace pslab::trace
