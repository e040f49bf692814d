#include "data/describe.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/text.hpp"

namespace pslab::data {
namespace {

/// Points of a curve: every rank up to here, then steps of a twentieth.
constexpr std::size_t kEveryRank = 20;

std::string skew_line(const KeyAccesses& keys) {
  const auto percent = [&](double share) { return 100 * top_share(keys.accesses, share); };
  return fmt::format(
      "{}: the top 0.1 / 1 / 10 % of the {} get {:.1f} / {:.1f} / {:.1f} %, the "
      "first {:.2f} %",
      keys.sampled ? "samples" : "accesses", keys.keys, percent(0.001), percent(0.01), percent(0.1),
      percent(0));
}

double number_of(std::size_t count) {
  return static_cast<double>(count);
}

}  // namespace

Description describe(const Triples& triples) {
  Description result;
  result.kind = "graph";
  const Seen seen(triples);
  const auto unseen = std::ranges::count_if(
      triples.test, [&](const Triple& triple) { return !seen.all_of(triple); });
  result.counts = {{"entities", triples.entities},
                   {"relations", triples.relations},
                   {"train", number_of(triples.train.size())},
                   {"valid", number_of(triples.valid.size())},
                   {"test", number_of(triples.test.size())},
                   {"test_unseen", static_cast<double>(unseen)},
                   {"leaked", static_cast<double>(triples.leaked)}};
  result.lines = {
      fmt::format("size: {}, {}, {} training, {} validation and {}",
                  triples.entities == 1 ? "1 entity" : fmt::format("{} entities", triples.entities),
                  counted(triples.relations, "relation"), triples.train.size(),
                  triples.valid.size(), counted(triples.test.size(), "test triple")),
      fmt::format("test triples: {} with an entity or relation unseen in training, {} that are "
                  "training triples too",
                  unseen, triples.leaked)};
  KeyAccesses entities{"entities", false, std::vector<double>(triples.entities, 0)};
  KeyAccesses relations{"relations", false, std::vector<double>(triples.relations, 0)};
  for (const Triple& triple : triples.train) {
    ++entities.accesses[triple.subject];
    ++entities.accesses[triple.object];
    ++relations.accesses[triple.relation];
  }
  result.accesses = {std::move(entities),
                     std::move(relations),
                     {"entities", true, std::vector<double>(triples.entities, 1)}};
  result.notes = triples.notes;
  return result;
}

Description describe(const Corpus& corpus) {
  constexpr double kSamplingPower = 0.75;
  Description result;
  result.kind = "text";
  std::size_t sentences = 0;
  for (const Token& token : corpus.tokens) sentences += token.begins() ? 1 : 0;
  result.counts = {{"vocabulary", number_of(corpus.words.size())},
                   {"words", number_of(corpus.tokens.size())},
                   {"sentences", number_of(sentences)}};
  result.lines = {fmt::format("size: {} of {} different ones in {}",
                              counted(corpus.tokens.size(), "word"), corpus.words.size(),
                              counted(sentences, "sentence"))};
  KeyAccesses direct{"words", false, {}};
  KeyAccesses samples{"words", true, {}};
  for (const std::uint64_t count : corpus.counts) {
    direct.accesses.push_back(static_cast<double>(count));
    samples.accesses.push_back(std::pow(static_cast<double>(count), kSamplingPower));
  }
  result.accesses = {std::move(direct), std::move(samples)};
  result.notes = corpus.notes;
  return result;
}

std::vector<std::string> text_of(const Description& description) {
  std::vector<std::string> lines = description.lines;
  for (const KeyAccesses& keys : description.accesses) lines.push_back(skew_line(keys));
  lines.insert(lines.end(), description.notes.begin(), description.notes.end());
  return lines;
}

double top_share(std::vector<double> accesses, double share) {
  const double total = std::accumulate(accesses.begin(), accesses.end(), 0.0);
  if (!(total > 0)) return 0;
  const auto rounded =
      static_cast<std::size_t>(std::llround(share * static_cast<double>(accesses.size())));
  const auto count =
      static_cast<std::ptrdiff_t>(std::clamp<std::size_t>(rounded, 1, accesses.size()));
  const auto end = accesses.begin() + count;
  std::nth_element(accesses.begin(), end - 1, accesses.end(), std::greater<>());
  return std::accumulate(accesses.begin(), end, 0.0) / total;
}

double top_share(const std::vector<std::uint64_t>& accesses, double share) {
  return top_share(std::vector<double>(accesses.begin(), accesses.end()), share);
}

std::vector<RankShare> rank_curve(std::vector<double> accesses) {
  std::ranges::sort(accesses, std::greater<>());
  while (!accesses.empty() && accesses.back() <= 0) accesses.pop_back();
  const double total = std::accumulate(accesses.begin(), accesses.end(), 0.0);
  std::vector<RankShare> curve;
  for (std::size_t rank = 1; rank <= accesses.size();) {
    curve.push_back({rank, accesses[rank - 1] / total});
    const std::size_t next = rank + std::max<std::size_t>(1, rank / kEveryRank);
    rank = rank < accesses.size() ? std::min(next, accesses.size()) : next;
  }
  return curve;
}

}  // namespace pslab::data
