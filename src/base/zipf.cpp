#include "base/zipf.hpp"

#include <algorithm>
#include <cmath>

namespace pslab {
namespace {

/// (exp(a t) - 1) / a and its inverse, with their limits at a = 0.
double scaled_expm1(double a, double t) {
  return a == 0.0 ? t : std::expm1(a * t) / a;
}
double scaled_log1p(double a, double y) {
  return a == 0.0 ? y : std::log1p(a * y) / a;
}

}  // namespace

Zipf::Zipf(std::uint64_t ranks, double exponent) : ranks_(ranks), exponent_(exponent) {
  for (std::size_t rank = 0; rank < kHead; ++rank) head_[rank] = weight(rank);
  total_ = weight(0, ranks);
  least_area_ = area(0.5) - 1.0;
  most_area_ = area(static_cast<double>(ranks) - 0.5);
  accepted_ = 1.0 - rank_at(area(1.5) - weight(1));
}

/// The integral of (1 + x)^-exponent from 0 to `rank`.
double Zipf::area(double rank) const {
  return scaled_expm1(1.0 - exponent_, std::log1p(rank));
}

double Zipf::rank_at(double area) const {
  return std::expm1(scaled_log1p(1.0 - exponent_, area));
}

double Zipf::weight(std::uint64_t rank) const {
  return std::pow(1.0 + static_cast<double>(rank), -exponent_);
}

std::uint64_t Zipf::draw(Random& random) const {
  if (exponent_ == 0.0) return random.below(ranks_);
  while (true) {
    const double area_drawn = most_area_ + random.uniform() * (least_area_ - most_area_);
    const double x = rank_at(area_drawn);
    const double nearest = std::clamp(std::floor(x + 0.5), 0.0, static_cast<double>(ranks_ - 1));
    const auto rank = static_cast<std::uint64_t>(nearest);
    if (nearest - x <= accepted_ || area_drawn >= area(nearest + 0.5) - weight(rank)) return rank;
  }
}

double Zipf::weight(std::uint64_t begin, std::uint64_t end) const {
  double sum = 0.0;
  for (; begin < std::min<std::uint64_t>(end, kHead); ++begin) sum += head_[begin];
  return begin < end ? sum + tail_weight(begin, end - 1) : sum;
}

/// By the formula of Euler and Maclaurin; `first` is at least kHead. The integral is taken so that
/// it stays exact where the weights are tiny against the total.
double Zipf::tail_weight(std::uint64_t first, std::uint64_t last) const {
  const double f = weight(first);
  if (first == last) return f;
  const double g = weight(last);
  const double a = 1.0 + static_cast<double>(first);
  const double b = 1.0 + static_cast<double>(last);
  const double integral =
      f * a * scaled_expm1(1.0 - exponent_, std::log1p(static_cast<double>(last - first) / a));
  const double slope = exponent_;  // of f is -slope f / a; of its second derivative -third f / a^3
  const double third = exponent_ * (exponent_ + 1.0) * (exponent_ + 2.0);
  return integral + (f + g) / 2.0 + slope * (f / a - g / b) / 12.0 -
         third * (f / (a * a * a) - g / (b * b * b)) / 720.0;
}

}  // namespace pslab
