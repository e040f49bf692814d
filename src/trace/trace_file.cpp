#include "trace/trace_file.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <system_error>

#include "base/hash.hpp"
#include "trace/varint.hpp"

namespace pslab::trace {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kMagic = "pslabtrc";
constexpr std::size_t kNumber = 8;  ///< bytes of the size and of the checksum
constexpr std::size_t kFixed = kMagic.size() + 4 + 2 * kNumber;
constexpr std::uint64_t kMostWorkers = 1U << 24;

void put_fixed(std::string& bytes, std::uint64_t value, std::size_t size) {
  for (std::size_t i = 0; i < size; ++i) bytes.push_back(static_cast<char>(value >> (8 * i)));
}

std::uint64_t fixed(std::string_view bytes, std::size_t at, std::size_t size) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < size; ++i) {
    value |= std::uint64_t{static_cast<unsigned char>(bytes[at + i])} << (8 * i);
  }
  return value;
}

/// What stands between the fixed numbers; checks those.
std::string_view content_of(std::string_view bytes, const std::string& place) {
  if (!bytes.starts_with(kMagic)) {
    fail_input(
        "{}: this is no trace: it does not begin with '{}'. A run with "
        "metrics.record_trace: true writes one, {}, into its folder",
        place, kMagic, kFileName);
  }
  constexpr std::size_t kVersionAt = kMagic.size();
  constexpr std::size_t kSizeAt = kVersionAt + 4;
  if (bytes.size() >= kSizeAt && fixed(bytes, kVersionAt, 4) != kVersion) {
    fail_input("{}: a trace of version {}; this pslab reads version {}. Record it again", place,
               fixed(bytes, kVersionAt, 4), kVersion);
  }
  const std::uint64_t size = bytes.size() < kFixed ? kFixed : fixed(bytes, kSizeAt, kNumber);
  if (bytes.size() != size) {
    fail_input("{}: the trace is {}: it has {} bytes and should have {}. Copy or record it again",
               place, bytes.size() < size ? "cut off" : "damaged", bytes.size(), size);
  }
  const std::string_view checked = bytes.substr(0, bytes.size() - kNumber);
  if (fnv1a(checked) != fixed(bytes, checked.size(), kNumber)) {
    fail_input("{}: the trace is damaged: its checksum is wrong. Copy or record it again", place);
  }
  return checked.substr(kSizeAt + kNumber);
}

std::vector<KeyGroup> read_groups(ByteReader& reader) {
  std::vector<KeyGroup> groups(reader.count());
  for (KeyGroup& group : groups) {
    group.name = reader.text(reader.number());
    group.count = reader.number();
    group.length = static_cast<std::uint32_t>(reader.number());
    if (group.count > kMaxKeys || group.length == 0) reader.damaged("has a group without keys");
  }
  return groups;
}

}  // namespace

std::string to_bytes(const Trace& trace) {
  std::string content;
  put(content, trace.nodes);
  put(content, trace.workers_per_node);
  put(content, trace.epochs);
  put(content, trace.groups.size());
  for (const KeyGroup& group : trace.groups) {
    put(content, group.name.size());
    content += group.name;
    put(content, group.count);
    put(content, group.length);
  }
  for (const std::string& worker : trace.workers) {
    put(content, worker.size());
    content += worker;
  }
  std::string bytes(kMagic);
  put_fixed(bytes, kVersion, 4);
  put_fixed(bytes, kFixed + content.size(), kNumber);
  bytes += content;
  put_fixed(bytes, fnv1a(bytes), kNumber);
  return bytes;
}

Trace from_bytes(std::string_view bytes, const std::string& place) {
  ByteReader reader(content_of(bytes, place), place);
  Trace trace;
  const std::uint64_t nodes = reader.number();
  const std::uint64_t workers_per_node = reader.number();
  if (nodes == 0 || nodes > kMostWorkers || workers_per_node == 0 ||
      workers_per_node > kMostWorkers / nodes) {
    reader.damaged("names no possible number of workers");
  }
  trace.nodes = static_cast<NodeId>(nodes);
  trace.workers_per_node = static_cast<std::uint32_t>(workers_per_node);
  trace.epochs = reader.number();
  trace.groups = read_groups(reader);
  for (std::uint64_t worker = 0; worker < nodes * workers_per_node; ++worker) {
    trace.workers.emplace_back(reader.text(reader.number()));
  }
  if (!reader.at_end()) reader.damaged("goes on behind its last worker");
  return trace;
}

fs::path find_trace(const fs::path& path, const std::string& option) {
  std::error_code error;
  if (!fs::exists(path, error)) {
    fail_input(
        "{}: there is no {}. Give the {} of a run with metrics.record_trace: true, or the "
        "folder that it is in",
        option, path.string(), kFileName);
  }
  if (!fs::is_directory(path, error)) return path;
  if (fs::exists(path / kFileName, error)) return path / kFileName;
  std::vector<fs::path> found;
  for (const fs::directory_entry& entry : fs::directory_iterator(path, error)) {
    if (fs::exists(entry.path() / kFileName, error)) found.push_back(entry.path() / kFileName);
  }
  std::ranges::sort(found);
  if (found.size() == 1) return found[0];
  if (found.empty()) {
    fail_input("{}: no run in {} has a {}. Run it with metrics.record_trace: true", option,
               path.string(), kFileName);
  }
  fail_input("{}: {} runs in {} have a {}; give one of them, for instance {}", option, found.size(),
             path.string(), kFileName, found[0].string());
}

}  // namespace pslab::trace
