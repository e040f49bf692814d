#include "workloads/matrix_factorization/schedule.hpp"

#include <algorithm>
#include <numeric>
#include <tuple>

namespace pslab::mf {

using data::Cell;

namespace {
std::uint32_t divide_up(std::uint32_t a, std::uint32_t b) {
  return std::max(1U, (a + b - 1) / b);
}
}  // namespace

Schedule::Schedule(Order order, Cluster cluster, std::uint32_t rows, std::uint32_t cols,
                   std::uint32_t tile_rows, std::vector<Cell> cells)
    : order_(order),
      cluster_(cluster),
      num_rows_(rows),
      num_cols_(cols),
      tile_rows_(tile_rows),
      rows_per_node_(divide_up(rows, cluster.nodes)),
      rows_per_block_(divide_up(rows_per_node_, cluster.workers_per_node)),
      cols_per_block_(divide_up(cols, cluster.workers())),
      cells_(std::move(cells)) {
  if (order_ == Order::kDsgd) {
    arrange_by_block();
  } else {
    arrange_by_node();
  }
}

WorkerId Schedule::row_block(std::uint32_t row) const {
  const NodeId node = node_of_row(row);
  return node * cluster_.workers_per_node + (row - node * rows_per_node_) / rows_per_block_;
}

void Schedule::arrange_by_node() {
  std::sort(cells_.begin(), cells_.end(), [this](const Cell& a, const Cell& b) {
    return std::tuple(node_of_row(a.row), a.col, a.row) <
           std::tuple(node_of_row(b.row), b.col, b.row);
  });
  std::vector<std::uint64_t> node_begin(cluster_.nodes + 1, 0);
  for (const Cell& cell : cells_) ++node_begin[node_of_row(cell.row) + 1];
  std::partial_sum(node_begin.begin(), node_begin.end(), node_begin.begin());
  for (NodeId node = 0; node < cluster_.nodes; ++node) {
    const std::uint64_t count = node_begin[node + 1] - node_begin[node];
    for (std::uint32_t i = 0; i < cluster_.workers_per_node; ++i) {
      begin_.push_back(node_begin[node] + count * i / cluster_.workers_per_node);
    }
  }
  begin_.push_back(cells_.size());
}

void Schedule::arrange_by_block() {
  std::sort(cells_.begin(), cells_.end(), [this](const Cell& a, const Cell& b) {
    return std::tuple(row_block(a.row), column_block(a.col), tile(a.row), a.col, a.row) <
           std::tuple(row_block(b.row), column_block(b.col), tile(b.row), b.col, b.row);
  });
  const std::uint64_t workers = cluster_.workers();
  block_begin_.assign(workers * workers + 1, 0);
  for (const Cell& cell : cells_) {
    ++block_begin_[row_block(cell.row) * workers + column_block(cell.col) + 1];
  }
  std::partial_sum(block_begin_.begin(), block_begin_.end(), block_begin_.begin());
  for (std::uint64_t worker = 0; worker <= workers; ++worker) {
    begin_.push_back(block_begin_[worker * workers]);
  }
}

std::span<const Cell> Schedule::cells(WorkerId worker) const {
  return std::span<const Cell>(cells_).subspan(begin_[worker], begin_[worker + 1] - begin_[worker]);
}

std::span<const Cell> Schedule::cells_of_node(NodeId node) const {
  const std::uint64_t begin = begin_[node * cluster_.workers_per_node];
  const std::uint64_t end = begin_[(node + 1) * cluster_.workers_per_node];
  return std::span<const Cell>(cells_).subspan(begin, end - begin);
}

void Schedule::start(WorkerId worker, int epoch, std::uint32_t sub_epoch, std::uint64_t seed,
                     Random& random, Visit& visit) const {
  std::uint64_t begin = begin_[worker];
  std::uint64_t end = begin_[worker + 1];
  if (order_ == Order::kDsgd) {
    const std::uint64_t block =
        std::uint64_t{worker} * cluster_.workers() + block_at(worker, epoch, sub_epoch, seed);
    begin = block_begin_[block];
    end = block_begin_[block + 1];
  }
  const auto mine = std::span<const Cell>(cells_).subspan(begin, end - begin);
  visit.runs.clear();
  if (order_ == Order::kPlain) {
    visit.shuffled.assign(mine.begin(), mine.end());
    random.shuffle(std::span(visit.shuffled));
    if (!mine.empty()) visit.runs.emplace_back(visit.shuffled);
    return;
  }
  // Cells that belong together stay neighbours: only the order of the runs and that within them
  // change.
  for (std::size_t first = 0; first < mine.size();) {
    std::size_t last = first + 1;
    while (last < mine.size() && run_of(mine[last]) == run_of(mine[first])) ++last;
    visit.runs.push_back(mine.subspan(first, last - first));
    first = last;
  }
  random.shuffle(std::span(visit.runs));
}

std::span<const Cell> Schedule::next_run(std::size_t index, Random& random, Visit& visit) const {
  const std::span<const Cell> run = visit.runs[index];
  if (order_ == Order::kPlain) return run;
  visit.shuffled.assign(run.begin(), run.end());
  random.shuffle(std::span(visit.shuffled));
  return visit.shuffled;
}

// Worker w trains on block (sub + w) mod P of its rows, after a random permutation of the workers
// and of the sub-epochs, drawn anew each epoch and the same for everybody: a Latin square.
std::uint32_t Schedule::block_at(WorkerId worker, int epoch, std::uint32_t sub_epoch,
                                 std::uint64_t seed) const {
  const std::uint32_t workers = cluster_.workers();
  std::vector<std::uint32_t> permutation(workers);
  Random random(seed, "dsgd schedule", static_cast<std::uint64_t>(epoch));
  std::iota(permutation.begin(), permutation.end(), 0U);
  random.shuffle(std::span(permutation));
  const std::uint32_t row = permutation[worker];
  random.shuffle(std::span(permutation));
  return (row + permutation[sub_epoch]) % workers;
}

std::pair<std::uint32_t, std::uint32_t> Schedule::columns(WorkerId worker, int epoch,
                                                          std::uint32_t sub_epoch,
                                                          std::uint64_t seed) const {
  const std::uint32_t begin = block_at(worker, epoch, sub_epoch, seed) * cols_per_block_;
  return {std::min(begin, num_cols_), std::min(begin + cols_per_block_, num_cols_)};
}

std::pair<std::uint32_t, std::uint32_t> Schedule::rows(NodeId node) const {
  const std::uint32_t begin = node * rows_per_node_;
  return {std::min(begin, num_rows_), std::min(begin + rows_per_node_, num_rows_)};
}

}  // namespace pslab::mf
