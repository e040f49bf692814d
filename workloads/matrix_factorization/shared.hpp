// The options of matrix factorization, and what all workers of a process share.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/error.hpp"
#include "config/options.hpp"
#include "config/unused.hpp"
#include "data/ratings_dataset.hpp"
#include "workloads/matrix_factorization/schedule.hpp"

namespace pslab::mf {

struct Options {
  std::size_t rank;
  Order order;
  double step_size;
  double decay;
  bool bold_driver;
  bool center;
  bool biases;
  double initial_deviation;
  bool shuffle_ids;
  bool localize_rows;
  std::int64_t localize_ahead;
  std::int64_t tile_rows;

  explicit Options(config::Options& options)
      : rank(static_cast<std::size_t>(
            options.integer("rank", 32, 1, 100'000, "floats", "length of a factor"))),
        order(read_order(options)),
        step_size(options.real("step_size", 0.01, 1e-12, 1e3, "",
                               "eps, of the first epoch; components of an update are cut to "
                               "+-10000")),
        decay(options.real(
            "l2", 0.01, 0.0, 1e6, "",
            "lambda: L2 regularisation of each factor and bias, per pass over its cells")),
        bold_driver(
            options.flag("bold_driver", true,
                         "adapt the step size after each epoch: +5 % if the training loss fell, "
                         "else halve it")),
        center(options.flag("center", true, "factorize the ratings minus their mean")),
        biases(options.flag("biases", false,
                            "a row and a column have a bias besides the factor: the last component "
                            "of their value, 0 at first")),
        initial_deviation(options.real(
            "initial_deviation", 1.0, 0.0, 1e6, "",
            "standard deviation of the products of the initial factors; 0, with biases: the "
            "factors stay 0")),
        shuffle_ids(
            options.flag("shuffle_ids", true,
                         "number rows and columns in random order, so that equal ranges of them "
                         "hold about as many cells (data sets often come sorted by frequency)")),
        localize_rows(
            options.flag("localize_rows", true,
                         "each node localizes the rows of its cells at the start of an epoch")),
        localize_ahead(options.integer(
            "localize_ahead", -1, -1, 1'000'000'000, "cells",
            "column_wise, plain: announce (Worker::intent) the columns of this many cells ahead of "
            "their use, in groups of as many; -1: a 250th of the worker's cells, at most 500 (a "
            "column that is localized long before its use has often moved on by then), or 65536 "
            "where intents wait until they are due (adaptive); dsgd localizes its block of "
            "columns; 0: never announce or localize columns")),
        tile_rows(options.integer(
            "tile_rows", -1, -1, 1'000'000'000, "rows",
            "dsgd: visit the cells of a block in tiles of this many rows, so that their factors "
            "stay in the processor's cache: the tiles in random order, and the cells of a tile in "
            "random order; -1: as many rows as fill 256 KiB; 0: the whole block in random order "
            "(Lapse)")) {
    if (!biases && initial_deviation == 0.0) {
      options.reject("initial_deviation", "must be above 0 without biases",
                     "Factors that are all 0 stay 0");
    }
    if (order != Order::kDsgd) {
      config::refuse_unused(options, "without schedule: dsgd", {"tile_rows"});
    } else if (localize_ahead > 0) {
      options.reject("localize_ahead", "must be -1 or 0 with schedule: dsgd",
                     "Its workers localize their whole block of columns");
    }
  }

  /// Floats of a value.
  std::size_t length() const { return rank + (biases ? 1 : 0); }

  std::uint32_t rows_per_tile() const {
    constexpr std::size_t kTileBytes = std::size_t{256} << 10;
    if (tile_rows >= 0) return static_cast<std::uint32_t>(tile_rows);
    return static_cast<std::uint32_t>(
        std::max<std::size_t>(kTileBytes / (rank * sizeof(float)), 1));
  }

  static Order read_order(config::Options& options) {
    const std::string order = options.choice(
        "schedule", "column_wise", {"column_wise", "plain", "dsgd"},
        "order of the cells: a worker's columns one after the other, random, or in blocks "
        "that no two workers share");
    if (order == "plain") return Order::kPlain;
    return order == "dsgd" ? Order::kDsgd : Order::kColumnWise;
  }
};

/// From the numbers that rows (or columns) have in keys back to those of the data set.
struct Names {
  std::vector<std::uint32_t> order;  ///< number of each row of the data set; empty: the same
  std::vector<std::string> ids;      ///< of each row of the data set; empty: its number

  std::uint32_t number(std::uint32_t row) const { return order.empty() ? row : order[row]; }
};

/// What all workers of a process share.
struct Shared {
  explicit Shared(config::Options& given)
      : options(given),
        dataset(given.group("dataset", "the ratings: one of generator, name, train")) {}

  Options options;
  data::RatingsDataset dataset;
  std::uint64_t seed = 0;
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  double mean = 0.0;
  float step_size = 0.0F;
  double untrained_loss = 0.0;  ///< about that of the initial factors
  std::unique_ptr<Schedule> schedule;
  std::vector<data::Cell> test;
  std::vector<std::uint32_t> row_cells;  ///< training cells of each row
  std::vector<std::uint32_t> col_cells;
  Names row_names;
  Names col_names;

  Key column_key(std::uint32_t col) const { return Key{rows} + col; }

  /// RunError if training has diverged: if its root mean squared error is at least a hundred times
  /// that of no training. `squares`: sum of the squared errors so far in this epoch.
  void check_loss(double squares, int epoch) const {
    constexpr double kDiverged = 100.0;
    const double loss = squares / static_cast<double>(schedule->num_cells());
    if (loss <= kDiverged * kDiverged * untrained_loss) return;
    fail_run(
        "epoch {}: the training loss is at least {:.4g}, that of the initial factors about {:.4g}: "
        "training diverged. Try a smaller workload.step_size (now {}) in a new run",
        epoch, loss, untrained_loss, step_size);
  }
};

}  // namespace pslab::mf
