// Which worker trains on which cells, and in which order. Rows are split over the nodes in equal
// ranges, so that a row is used on one node only.
//
//  column_wise  a node's cells are sorted by column and cut evenly over its workers; an epoch
//               visits a worker's columns in random order, and the cells of a column in random
//               order (NuPS, AdaPM)
//  plain        a node's cells are cut evenly over its workers; an epoch visits them in random
//               order
//  dsgd         rows and columns in as many blocks as there are workers; an epoch has as many
//               sub-epochs, in each of which every worker trains on one block of its rows and no
//               two share a column (Lapse). A worker visits the tiles (ranges of rows) of a block
//               in random order, and the cells of a tile in random order: the factors of a tile
//               stay in the processor's cache.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/hash.hpp"
#include "base/random.hpp"
#include "base/types.hpp"
#include "data/ratings.hpp"

namespace pslab::mf {

enum class Order { kColumnWise, kPlain, kDsgd };

struct Cluster {
  NodeId nodes;
  std::uint32_t workers_per_node;
  WorkerId workers() const { return nodes * workers_per_node; }
};

/// A worker's cells of one sub-epoch, in the order in which it visits them.
struct Visit {
  /// To be visited one after the other; the cells of each in the order that Schedule::next_run
  /// gives.
  std::vector<std::span<const data::Cell>> runs;
  std::vector<data::Cell> shuffled;  ///< plain: all cells; else: those of the present run
};

/// Owns the training cells, arranged so that each worker's are contiguous. They never move, so that
/// the order of an epoch does not depend on the epochs before.
class Schedule {
 public:
  /// `tile_rows`: dsgd: rows per tile; 0: a block is one tile.
  Schedule(Order order, Cluster cluster, std::uint32_t rows, std::uint32_t cols,
           std::uint32_t tile_rows, std::vector<data::Cell> cells);

  Order order() const { return order_; }
  /// Sub-epochs per epoch, with a barrier after each: the number of workers in dsgd, else 1.
  std::uint32_t sub_epochs() const { return order_ == Order::kDsgd ? cluster_.workers() : 1; }
  /// Starts a worker's visit of one sub-epoch. `random` is the worker's own for the epoch: call
  /// with sub_epoch from 0 upwards, and next_run() for every run in between.
  void start(WorkerId worker, int epoch, std::uint32_t sub_epoch, std::uint64_t seed,
             Random& random, Visit& visit) const;
  /// The cells of visit.runs[index] in random order; for each index from 0 upwards once.
  std::span<const data::Cell> next_run(std::size_t index, Random& random, Visit& visit) const;
  /// Column range [first, second) of a worker's block in a sub-epoch of dsgd.
  std::pair<std::uint32_t, std::uint32_t> columns(WorkerId worker, int epoch,
                                                  std::uint32_t sub_epoch,
                                                  std::uint64_t seed) const;
  /// Row range [first, second) of a node.
  std::pair<std::uint32_t, std::uint32_t> rows(NodeId node) const;
  std::uint64_t num_cells() const { return cells_.size(); }
  std::span<const data::Cell> cells(WorkerId worker) const;
  std::span<const data::Cell> cells_of_node(NodeId node) const;

 private:
  NodeId node_of_row(std::uint32_t row) const { return row / rows_per_node_; }
  WorkerId row_block(std::uint32_t row) const;
  std::uint32_t column_block(std::uint32_t col) const { return col / cols_per_block_; }
  std::uint32_t block_at(WorkerId worker, int epoch, std::uint32_t sub_epoch,
                         std::uint64_t seed) const;
  /// Dsgd: number of the tile of a row, among all rows.
  std::uint32_t tile(std::uint32_t row) const { return tile_rows_ == 0 ? 0 : row / tile_rows_; }
  /// What cells that are visited together have in common: their column, or their tile.
  std::uint32_t run_of(const data::Cell& cell) const {
    return order_ == Order::kDsgd ? tile(cell.row) : cell.col;
  }
  void arrange_by_node();
  void arrange_by_block();

  Order order_;
  Cluster cluster_;
  std::uint32_t num_rows_;
  std::uint32_t num_cols_;
  std::uint32_t tile_rows_;
  std::uint32_t rows_per_node_;
  std::uint32_t rows_per_block_;  ///< of a worker's, within its node's rows
  std::uint32_t cols_per_block_;
  std::vector<data::Cell> cells_;
  std::vector<std::uint64_t> begin_;        ///< of each worker's cells; one more than workers
  std::vector<std::uint64_t> block_begin_;  ///< dsgd: of each (worker, column block)
};

}  // namespace pslab::mf
