#include "workloads/knowledge_graph/metrics.hpp"

#include <array>

namespace pslab::kge {
namespace {

constexpr std::size_t kSide = 2 * RankSums::kSize;
constexpr std::size_t kSplit = 2 * kSide;

void add(const RankSums& ranks, std::span<double> sums) {
  sums[0] += ranks.reciprocal;
  sums[1] += ranks.hits_1;
  sums[2] += ranks.hits_3;
  sums[3] += ranks.hits_10;
}

}  // namespace

std::size_t number_of_sums(std::size_t splits) {
  return kRanks + splits * kSplit;
}

void add_ranks(const Evaluation& evaluation, std::size_t split, std::span<double> sums) {
  sums = sums.subspan(kRanks + split * kSplit, kSplit);
  for (const Evaluation::Side& side : evaluation.sides) {
    add(side.filtered, sums);
    add(side.raw, sums.subspan(RankSums::kSize));
    sums = sums.subspan(kSide);
  }
}

std::vector<std::string> rank_metric_names(const std::string& split) {
  std::vector<std::string> names;
  for (const char* kind : {"", "_raw", "_object", "_subject"}) {
    for (const char* measure : {"_mrr", "_hits_at_1", "_hits_at_3", "_hits_at_10"}) {
      names.push_back(split + measure + kind);
    }
  }
  return names;
}

std::vector<double> rank_metrics(std::span<const double> sums, std::size_t split,
                                 std::size_t triples) {
  const std::span<const double> object = sums.subspan(kRanks + split * kSplit, kSide);
  const std::span<const double> subject = sums.subspan(kRanks + split * kSplit + kSide, kSide);
  const auto count = static_cast<double>(triples);
  std::vector<double> metrics;
  for (std::size_t i = 0; i < kSide; ++i) {
    metrics.push_back((object[i] + subject[i]) / (2.0 * count));
  }
  for (const auto& side : {object, subject}) {
    for (const double sum : side.first(RankSums::kSize)) metrics.push_back(sum / count);
  }
  return metrics;
}

}  // namespace pslab::kge
