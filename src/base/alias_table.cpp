#include "base/alias_table.hpp"

#include <numeric>

namespace pslab {

AliasTable::AliasTable(std::span<const double> weights) {
  constexpr double kAllBits = 0x1.0p32;
  const auto n = static_cast<std::uint32_t>(weights.size());
  const double total = std::accumulate(weights.begin(), weights.end(), 0.0);
  std::vector<double> left(weights.begin(), weights.end());  // in columns
  for (double& weight : left) weight *= n / total;
  std::vector<std::uint32_t> small;
  std::vector<std::uint32_t> large;
  for (std::uint32_t i = 0; i < n; ++i) (left[i] < 1.0 ? small : large).push_back(i);
  columns_.resize(n);
  while (!small.empty() && !large.empty()) {
    const std::uint32_t low = small.back();
    const std::uint32_t high = large.back();
    small.pop_back();
    columns_[low] = {static_cast<std::uint32_t>(left[low] * kAllBits), high};
    left[high] -= 1.0 - left[low];
    if (left[high] < 1.0) {
      large.pop_back();
      small.push_back(high);
    }
  }
  // What is left is 1 but for rounding.
  for (const auto* rest : {&small, &large}) {
    for (const std::uint32_t i : *rest) columns_[i] = {0, i};
  }
}

}  // namespace pslab
