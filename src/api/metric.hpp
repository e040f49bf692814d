// A measure of quality after an epoch.
#pragma once

#include <optional>
#include <string>

namespace pslab {

/// Names end up as columns of table.csv.
struct Metric {
  std::string name;  ///< "train_loss", "test_rmse", ...; held-out ones start with "test_"
  std::optional<double> value;  ///< nullopt: not defined in this epoch; it then reaches no target
  std::string why_undefined{};  ///< "nothing was trained"
};

}  // namespace pslab
