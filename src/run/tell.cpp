#include "run/tell.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <mutex>
#include <string_view>

namespace pslab::run {

namespace {
constexpr std::size_t kPart = 1000;  // bytes; pipes pass on up to 4096 at once undivided
}

Json to_json(const Beat& beat) {
  return {{"event", beat.event}, {"waits", beat.waits}, {"steps", beat.steps}, {"idle", beat.idle}};
}

Beat to_beat(const Json& json) {
  return {json.at("event").get<std::string>(), json.at("waits").get<std::string>(),
          json.at("steps").get<std::uint64_t>(), json.at("idle").get<double>()};
}

void Teller::write_all(const char* bytes, std::size_t size) const {
  while (size > 0) {
    const ssize_t written = ::write(descriptor_, bytes, size);
    if (written < 0 && errno == EINTR) continue;
    if (written <= 0) ::_exit(1);
    bytes += written;
    size -= static_cast<std::size_t>(written);
  }
}

void Teller::tell(Tell what, const Json& content) const {
  const std::string all = static_cast<char>(what) + to_text(content);
  static std::mutex one_at_a_time;  // parts of two lines of a node must not mix
  const std::scoped_lock lock(one_at_a_time);
  for (std::size_t begin = 0; begin < all.size(); begin += kPart) {
    const bool last = begin + kPart >= all.size();
    const std::string line =
        fmt::format("@{}{}{}\n", node_, last ? '.' : '+', all.substr(begin, kPart));
    write_all(line.data(), line.size());
  }
}

void Teller::tell_interrupted() const {
  // No formatting: it may be in the middle of some.
  constexpr std::string_view kRest = "!Inull\n";
  char line[32] = "@";
  char* end = std::to_chars(line + 1, line + 16, node_).ptr;
  end = std::copy(kRest.begin(), kRest.end(), end);
  write_all(line, static_cast<std::size_t>(end - line));
}

std::optional<Told> TellReader::take(const std::string& line, bool& foreign) {
  foreign = true;
  if (line.size() < 3 || line[0] != '@') return std::nullopt;
  NodeId node = 0;
  const char* const end = line.data() + line.size();
  const auto [mark, error] = std::from_chars(line.data() + 1, end, node);
  if (error != std::errc{} || mark == end ||
      std::string_view(".+!").find(*mark) == std::string_view::npos) {
    return std::nullopt;
  }
  foreign = false;
  std::string& text = parts_[node];
  if (*mark == '!') text.clear();
  text.append(mark + 1, end);
  if (*mark == '+') return std::nullopt;
  Told told{node, text.empty() ? Tell::kSay : static_cast<Tell>(text[0]),
            text.empty() ? std::string() : text.substr(1)};
  text.clear();
  return told;
}

}  // namespace pslab::run
