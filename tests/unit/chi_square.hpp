// Pearson's chi-square test of counted draws against what was expected.
//
// Statistical tests use fixed seeds, so they cannot fail by chance; the bounds are those that a
// correct generator passes with overwhelming probability.
#pragma once

#include <cmath>
#include <cstddef>
#include <numeric>
#include <vector>

namespace pslab::test {

inline double chi_square(const std::vector<int>& counts, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) {
    sum += (counts[i] - expected[i]) * (counts[i] - expected[i]) / expected[i];
  }
  return sum;
}

/// Against equal counts.
inline double chi_square(const std::vector<int>& counts) {
  const double total = std::accumulate(counts.begin(), counts.end(), 0.0);
  return chi_square(counts,
                    std::vector<double>(counts.size(), total / static_cast<double>(counts.size())));
}

/// Five standard deviations above the mean of a chi-square distribution.
inline double chi_square_limit(std::size_t cells) {
  const double degrees = static_cast<double>(cells - 1);
  return degrees + 5 * std::sqrt(2 * degrees);
}

}  // namespace pslab::test
