#include "checks/history_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/text.hpp"
#include "checks/clock_time.hpp"

namespace pslab::checks {

namespace {

struct Line {
  const Event* event;
  WorkerId worker;
};

std::string line_text(const EpochHistory& history, const Line& line,
                      const std::optional<Clocks>& clocks) {
  const Event& event = *line.event;
  std::string text = fmt::format("  {:.9f} s  worker {}", event.began_s, line.worker);
  if (clocks) text += " at " + clock_text(clock_of(event, *clocks));
  text += "  ";
  if (event.kind == Event::Kind::kPush) {
    text += fmt::format("push {}", event.own_before + 1);
    if (event.ended != kNever) text += fmt::format(", acknowledged at {:.9f} s", event.ended_s);
  } else {
    const std::span<const float> seen(history.workers[line.worker]->seen);
    text += fmt::format("pull until {:.9f} s, saw {}", event.ended_s,
                        pushes_text(seen.subspan(event.seen, history.workers.size())));
    if (event.evaluating) text += " (evaluation)";
  }
  return text + "\n";
}

}  // namespace

std::string pushes_text(std::span<const float> counters) {
  constexpr std::size_t kMost = 16;
  std::vector<std::string> parts;
  std::size_t more = 0;
  for (std::size_t worker = 0; worker < counters.size(); ++worker) {
    if (counters[worker] == 0.0F) continue;
    if (parts.size() < kMost) {
      parts.push_back(fmt::format("{} of w{}", counters[worker], worker));
    } else {
      ++more;
    }
  }
  if (parts.empty()) return "none";
  return join(parts, ", ") + (more == 0 ? "" : fmt::format(" and those of {} more workers", more));
}

std::string events_text(const EpochHistory& history, const Excerpt& excerpt) {
  const auto is_shown = [&](WorkerId worker) {
    return excerpt.workers.empty() ||
           std::ranges::find(excerpt.workers, worker) != excerpt.workers.end();
  };
  std::vector<Line> lines;
  for (WorkerId worker = 0; worker < history.workers.size(); ++worker) {
    if (!is_shown(worker)) continue;
    for (const Event& event : history.workers[worker]->events) {
      if (event.key != excerpt.key || event.began_s > excerpt.until_s) continue;
      if (event.evaluating && !excerpt.evaluation) continue;
      lines.push_back({&event, worker});
    }
  }
  std::ranges::stable_sort(lines, {}, [](const Line& line) {
    return std::pair(line.event->began_s, line.event->began);
  });
  const std::size_t before = lines.size() > excerpt.most ? lines.size() - excerpt.most : 0;
  std::string text = before == 0 ? "" : fmt::format("  ({} earlier ones)\n", before);
  for (const Line& line : std::span(lines).subspan(before))
    text += line_text(history, line, excerpt.clocks);
  return text;
}

}  // namespace pslab::checks
