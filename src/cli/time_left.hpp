// How long runs take that go on in turn at so many places.
#pragma once

#include <cstddef>
#include <functional>
#include <queue>
#include <vector>

namespace pslab::cli {

/// Seconds until the last run has ended. `left`: seconds until the run at each place ends, at least
/// one place; then `waiting` runs of `whole` seconds each take the places that become free first.
inline double time_until_all_end(const std::vector<double>& left, std::size_t waiting,
                                 double whole) {
  std::priority_queue<double, std::vector<double>, std::greater<>> ends(left.begin(), left.end());
  double last = 0.0;
  for (; waiting > 0; --waiting) {
    const double end = ends.top() + whole;
    ends.pop();
    ends.push(end);
  }
  for (; !ends.empty(); ends.pop()) last = ends.top();
  return last;
}

}  // namespace pslab::cli
