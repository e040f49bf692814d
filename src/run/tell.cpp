#include "run/tell.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <mutex>
#include <string_view>
#include <utility>

namespace pslab::run {

namespace {
// JSON has no such characters in it.
constexpr char kBegin = '\x02';
constexpr char kEnd = '\x03';
constexpr char kLess = '\x04';  ///< for '<', so that no text looks as what a launcher adds

/// The size of "[JOB,NODE]<stdout>:" (or stderr) that `text` begins with; 0: it does not.
std::size_t tag_at(std::string_view text, NodeId& node) {
  std::uint64_t job = 0;
  const char* const end = text.data() + text.size();
  const auto [comma, bad_job] = std::from_chars(text.data() + 1, end, job);
  if (bad_job != std::errc{} || comma == end || *comma != ',') return 0;
  const auto [bracket, bad_node] = std::from_chars(comma + 1, end, node);
  if (bad_node != std::errc{}) return 0;
  const std::string_view rest(bracket, static_cast<std::size_t>(end - bracket));
  for (const std::string_view stream : {"]<stdout>:", "]<stderr>:"}) {
    if (rest.starts_with(stream)) {
      return static_cast<std::size_t>(bracket - text.data()) + stream.size();
    }
  }
  return 0;
}

/// "NODE.WHAT" or "NODE!WHAT".
std::optional<Told> parse(const std::string& record) {
  Told told;
  const char* const end = record.data() + record.size();
  const auto [mark, error] = std::from_chars(record.data(), end, told.node);
  if (error != std::errc{} || end - mark < 2 || (*mark != '.' && *mark != '!')) {
    return std::nullopt;
  }
  told.what = static_cast<Tell>(mark[1]);
  told.text.assign(mark + 2, end);
  std::ranges::replace(told.text, kLess, '<');
  return told;
}
}  // namespace

Json to_json(const Beat& beat) {
  return {{"event", beat.event},
          {"waits", beat.waits},
          {"steps", beat.steps},
          {"idle", beat.idle},
          {"joined", beat.joined}};
}

Beat to_beat(const Json& json) {
  return {json.at("event").get<std::string>(), json.at("waits").get<std::string>(),
          json.at("steps").get<std::uint64_t>(), json.at("idle").get<double>(),
          json.at("joined").get<bool>()};
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
  std::string record =
      fmt::format("{}{}.{}{}", kBegin, node_, static_cast<char>(what), to_text(content));
  std::ranges::replace(record, '<', kLess);
  record += kEnd;
  record += '\n';
  static std::mutex one_at_a_time;  // two records of a node must not mix
  const std::scoped_lock lock(one_at_a_time);
  write_all(record.data(), record.size());
}

void Teller::tell_interrupted() const {
  // No formatting: it may be in the middle of some.
  constexpr std::string_view kRest = "!Inull\x03\n";
  char record[32] = {kBegin};
  char* end = std::to_chars(record + 1, record + 16, node_).ptr;
  end = std::copy(kRest.begin(), kRest.end(), end);
  write_all(record, static_cast<std::size_t>(end - record));
}

std::vector<Fragment> fragments(const std::string& line) {
  std::vector<Fragment> all;
  std::optional<NodeId> node;
  std::size_t begin = 0;
  const auto add = [&](std::size_t end) {
    if (node || end > begin) all.push_back({node, line.substr(begin, end - begin)});
  };
  for (std::size_t at = line.find('['); at != std::string::npos; at = line.find('[', at + 1)) {
    NodeId found = 0;
    const std::size_t size = tag_at(std::string_view(line).substr(at), found);
    if (size == 0) continue;
    add(at);
    node = found;
    begin = at + size;
  }
  add(line.size());
  return all;
}

std::vector<Told> TellReader::take(const std::string& line, std::vector<std::string>& foreign) {
  std::vector<Told> all;
  for (Fragment& fragment : fragments(line)) {
    std::string& begun = begun_[fragment.node ? std::int64_t{*fragment.node} : -1];
    begun += fragment.text;
    for (std::size_t end; (end = begun.find(kEnd)) != std::string::npos; begun.erase(0, end + 1)) {
      // A record that another one interrupted is left.
      const std::size_t begin = begun.rfind(kBegin, end);
      std::optional<Told> told;
      if (begin != std::string::npos) told = parse(begun.substr(begin + 1, end - begin - 1));
      if (!told) {
        foreign.push_back(begun.substr(0, end));
        continue;
      }
      if (fragment.node) told->node = *fragment.node;  // it may not have known yet
      if (begin > 0 && begun[0] != kBegin) foreign.push_back(begun.substr(0, begin));
      all.push_back(std::move(*told));
    }
    if (!begun.empty() && begun.find(kBegin) == std::string::npos) {
      foreign.push_back(std::exchange(begun, {}));
    }
  }
  return all;
}

}  // namespace pslab::run
