#include "workloads/knowledge_graph/ranking.hpp"

namespace pslab::kge {

void RankSums::add(double rank) {
  reciprocal += 1.0 / rank;
  if (rank <= 1.0) hits_1 += 1.0;
  if (rank <= 3.0) hits_3 += 1.0;
  if (rank <= 10.0) hits_10 += 1.0;
}

double Ranking::rank(std::uint64_t better, std::uint64_t tied, Ties ties) {
  const double behind = ties == Ties::kMean ? 0.5 : ties == Ties::kWorst ? 1.0 : 0.0;
  return 1.0 + static_cast<double>(better) + behind * static_cast<double>(tied);
}

void Ranking::add(std::uint32_t first, std::span<const float> scores) {
  std::uint32_t better = 0;
  std::uint32_t tied = 0;
  std::uint32_t worse = 0;
  for (const float score : scores) {
    better += score > score_ ? 1U : 0U;
    tied += score == score_ ? 1U : 0U;
    worse += score < score_ ? 1U : 0U;
  }
  better_ += better;
  tied_ += tied;
  not_numbers_ += scores.size() - better - tied - worse;
  while (!known_.empty() && known_.front().object < first + scores.size()) {
    const std::uint32_t entity = known_.front().object;
    known_ = known_.subspan(1);
    const float score = scores[entity - first];
    if (entity == answer_) {
      // Whatever it is compared with: nobody ranks before or beside itself.
      if (score > score_) --better_;
      if (score == score_) --tied_;
      continue;
    }
    if (score > score_) ++known_better_;
    if (score == score_) ++known_tied_;
  }
}

}  // namespace pslab::kge
