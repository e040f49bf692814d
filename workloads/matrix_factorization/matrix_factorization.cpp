// Matrix factorization by stochastic gradient descent: a rating x of row i and column j is
// approximated by the inner product of the row's and the column's factor. As in Lapse, NuPS and
// AdaPM:
//   error e = x - w.h;  dw = 2 eps (e h - lambda w / cells of row i);  dh likewise;  components cut
//   to +-10000; bold driver: after an epoch the step size grows by 5 % if the training loss fell,
//   else it is halved.
// train_loss is the mean squared error of the cells as they were met, before each update. test_rmse
// is over the held-out cells, with the factors at the end of the epoch.

#include <algorithm>
#include <cmath>
#include <numeric>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "data/ratings_dataset.hpp"
#include "workloads/matrix_factorization/kernels.hpp"
#include "workloads/matrix_factorization/schedule.hpp"

namespace pslab {
namespace {

using data::Cell;

constexpr float kLargestChange = 10000.0F;
/// Training has diverged when its root mean squared error is this many times that of no training.
constexpr double kDiverged = 100.0;
constexpr std::size_t kPrefetchAhead = 4;  ///< cells

struct MfOptions {
  std::size_t rank;
  mf::Order order;
  double step_size;
  double decay;
  bool bold_driver;
  bool center;
  bool shuffle_ids;
  bool localize_rows;
  std::int64_t localize_ahead;

  explicit MfOptions(config::Options& options)
      : rank(static_cast<std::size_t>(
            options.integer("rank", 32, 1, 100'000, "floats", "length of a factor"))),
        order(read_order(options)),
        step_size(options.real("step_size", 0.01, 1e-12, 1e3, "",
                               "eps, of the first epoch; components of an update are cut to "
                               "+-10000")),
        decay(options.real("l2", 0.01, 0.0, 1e6, "",
                           "lambda: L2 regularisation of each factor, per pass over its cells")),
        bold_driver(
            options.flag("bold_driver", true,
                         "adapt the step size after each epoch: +5 % if the training loss fell, "
                         "else halve it")),
        center(options.flag("center", true, "factorize the ratings minus their mean")),
        shuffle_ids(
            options.flag("shuffle_ids", true,
                         "number rows and columns in random order, so that equal ranges of them "
                         "hold about as many cells (data sets often come sorted by frequency)")),
        localize_rows(
            options.flag("localize_rows", true,
                         "each node localizes the rows of its cells before the first step")),
        localize_ahead(options.integer("localize_ahead", -1, -1, 1'000'000'000, "cells",
                                       "column_wise, plain: localize the columns of this many "
                                       "cells ahead of their use, in groups of "
                                       "as many; -1: a 250th of the worker's cells, at most "
                                       "500 (a column that is localized long "
                                       "before its use has often moved on by then); dsgd localizes "
                                       "its block of columns; 0: never "
                                       "localize columns")) {}

  static mf::Order read_order(config::Options& options) {
    const std::string order = options.choice(
        "schedule", "column_wise", {"column_wise", "plain", "dsgd"},
        "order of the cells: a worker's columns one after the other, random, or in blocks "
        "that no two workers share");
    if (order == "plain") return mf::Order::kPlain;
    return order == "dsgd" ? mf::Order::kDsgd : mf::Order::kColumnWise;
  }
};

/// What all workers of a process share.
struct MfShared {
  explicit MfShared(config::Options& options)
      : mf(options),
        dataset(options.group("dataset", "the ratings: one of generator, name, train")) {}

  MfOptions mf;
  data::RatingsDataset dataset;
  std::uint64_t seed = 0;
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  double mean = 0.0;
  float step_size = 0.0F;
  std::unique_ptr<mf::Schedule> schedule;
  std::vector<Cell> test;
  std::vector<std::uint32_t> row_cells;  ///< training cells of each row
  std::vector<std::uint32_t> col_cells;

  Key column_key(std::uint32_t col) const { return Key{rows} + col; }
};

class MfTask final : public WorkerTask {
 public:
  MfTask(MfShared& shared, WorkerId worker) : shared_(shared), worker_(worker) {
    values_.resize(2 * shared.mf.rank);
    deltas_.resize(2 * shared.mf.rank);
  }

  void train(Worker& worker, int epoch) override {
    if (epoch == 1 && shared_.mf.localize_rows) localize_rows(worker);
    Random random = worker.random("cell order", static_cast<std::uint64_t>(epoch));
    mf::Schedule& schedule = *shared_.schedule;
    for (std::uint32_t sub = 0; sub < schedule.sub_epochs(); ++sub) {
      schedule.visit(worker_, epoch, sub, shared_.seed, random, runs_);
      if (schedule.order() == mf::Order::kDsgd) localize_block(worker, epoch, sub);
      train_runs(worker);
      if (sub + 1 < schedule.sub_epochs()) worker.barrier();
    }
    runs_ = {};  // thousands of workers may share this memory
  }

  void evaluate(Worker& worker) override {
    constexpr std::size_t kBatch = 64;
    const std::size_t workers = worker.num_workers();
    const std::size_t begin = shared_.test.size() * worker_ / workers;
    const std::size_t end = shared_.test.size() * (worker_ + 1) / workers;
    const std::size_t rank = shared_.mf.rank;
    std::vector<Key> keys;
    std::vector<float> values;
    for (std::size_t i = begin; i < end; i += kBatch) {
      const auto cells = std::span(shared_.test).subspan(i, std::min(kBatch, end - i));
      keys.clear();
      for (const Cell& cell : cells) {
        keys.push_back(cell.row);
        keys.push_back(shared_.column_key(cell.col));
      }
      values.resize(keys.size() * rank);
      worker.pull(keys, values);
      const float* value = values.data();
      for (const Cell& cell : cells) {
        // A row or column without training cells says nothing: its cells are predicted by the mean.
        const bool seen = shared_.row_cells[cell.row] != 0 && shared_.col_cells[cell.col] != 0;
        const float prediction = seen ? mf::dot(value, value + rank, rank) : 0.0F;
        const double error = double{cell.value} - double{prediction};
        test_squares_ += error * error;
        value += 2 * rank;
      }
    }
  }

  std::vector<double> take_sums() override {
    std::vector<double> sums = {train_squares_, test_squares_};
    train_squares_ = 0.0;
    test_squares_ = 0.0;
    return sums;
  }

 private:
  // One worker does it for its node: fewer and larger messages.
  void localize_rows(Worker& worker) {
    if (worker_ % (worker.num_workers() / worker.num_nodes()) == 0) {
      const auto [begin, end] = shared_.schedule->rows(worker.node());
      localize_range(worker, begin, end);
    }
    worker.barrier();
  }

  void localize_block(Worker& worker, int epoch, std::uint32_t sub) {
    if (shared_.mf.localize_ahead == 0) return;
    const auto [begin, end] = shared_.schedule->columns(worker_, epoch, sub, shared_.seed);
    localize_range(worker, shared_.column_key(begin), shared_.column_key(end));
  }

  // In parts, so that only a part of the values is under way (and in memory twice) at a time.
  void localize_range(Worker& worker, Key begin, Key end) {
    constexpr Key kPart = 2048;
    for (; begin < end; begin += std::min(kPart, end - begin)) {
      keys_.clear();
      for (Key key = begin; key < std::min(begin + kPart, end); ++key) keys_.push_back(key);
      worker.wait(worker.localize_async(keys_));
    }
  }

  void train_runs(Worker& worker) {
    const std::size_t ahead = cells_ahead();
    std::size_t position = 0;
    next_run_ = 0;
    next_cell_ = 0;
    localized_ = 0;
    for (const std::span<Cell> run : runs_) {
      for (std::size_t i = 0; i < run.size(); ++i) {
        if (ahead != 0 && position % ahead == 0) localize_until(worker, position + 2 * ahead);
        if (i + kPrefetchAhead < run.size()) worker.prefetch(run[i + kPrefetchAhead].row);
        step(worker, run[i]);
        ++position;
      }
    }
  }

  std::size_t cells_ahead() const {
    if (shared_.schedule->order() == mf::Order::kDsgd) return 0;
    if (shared_.mf.localize_ahead >= 0) return static_cast<std::size_t>(shared_.mf.localize_ahead);
    return std::clamp<std::size_t>(shared_.schedule->cells(worker_).size() / 250, 1, 500);
  }

  /// Localizes the columns of the cells before position `until` that have not been.
  void localize_until(Worker& worker, std::size_t until) {
    keys_.clear();
    while (localized_ < until && next_run_ < runs_.size()) {
      const std::span<Cell> run = runs_[next_run_];
      const std::size_t count = std::min(run.size() - next_cell_, until - localized_);
      for (const Cell& cell : run.subspan(next_cell_, count)) {
        const Key key = shared_.column_key(cell.col);
        if (keys_.empty() || keys_.back() != key) keys_.push_back(key);
      }
      localized_ += count;
      next_cell_ += count;
      if (next_cell_ == run.size()) {
        ++next_run_;
        next_cell_ = 0;
      }
    }
    worker.localize(keys_);
  }

  void step(Worker& worker, const Cell& cell) {
    const std::size_t rank = shared_.mf.rank;
    const Key keys[2] = {cell.row, shared_.column_key(cell.col)};
    const float* w = values_.data();
    const float* h = w + rank;
    worker.pull(keys, values_);
    const float error = cell.value - mf::dot(w, h, rank);
    const auto decay = static_cast<float>(shared_.mf.decay);
    mf::gradient_step(w, h, error, 2.0F * shared_.step_size,
                      decay / static_cast<float>(shared_.row_cells[cell.row]),
                      decay / static_cast<float>(shared_.col_cells[cell.col]), kLargestChange,
                      deltas_.data(), deltas_.data() + rank, rank);
    worker.compute(12.0 * static_cast<double>(rank));
    worker.push(keys, deltas_);
    train_squares_ += double{error} * double{error};
  }

  MfShared& shared_;
  WorkerId worker_;
  std::vector<float> values_;  ///< row factor, column factor
  std::vector<float> deltas_;
  std::vector<Key> keys_;
  std::vector<std::span<Cell>> runs_;  ///< this sub-epoch's cells
  std::size_t next_run_ = 0;           ///< first cell whose column has not been localized
  std::size_t next_cell_ = 0;
  std::size_t localized_ = 0;  ///< cells before it
  double train_squares_ = 0.0;
  double test_squares_ = 0.0;
};

class MatrixFactorization final : public Workload {
 public:
  explicit MatrixFactorization(config::Options& options) : shared_(options) {}

  void load(const LoadContext& context) override {
    data::Ratings ratings = shared_.dataset.load(context.root, context.say);
    if (ratings.train.empty()) throw InputError("the data set has no training cells");
    report(ratings);
    if (shared_.mf.shuffle_ids) shuffle_ids(ratings, context.seed);
    shared_.seed = context.seed;
    shared_.rows = ratings.rows;
    shared_.cols = ratings.cols;
    shared_.step_size = static_cast<float>(shared_.mf.step_size);
    shared_.row_cells.assign(ratings.rows, 0);
    shared_.col_cells.assign(ratings.cols, 0);
    double sum = 0.0;
    double squares = 0.0;
    for (const Cell& cell : ratings.train) {
      ++shared_.row_cells[cell.row];
      ++shared_.col_cells[cell.col];
      sum += double{cell.value};
      squares += double{cell.value} * double{cell.value};
    }
    const auto cells = static_cast<double>(ratings.train.size());
    if (shared_.mf.center) shared_.mean = sum / cells;
    // The products of the initial factors have variance 1.
    untrained_loss_ = squares / cells - shared_.mean * shared_.mean + 1.0;
    for (Cell& cell : ratings.train) cell.value -= static_cast<float>(shared_.mean);
    for (Cell& cell : ratings.test) cell.value -= static_cast<float>(shared_.mean);
    shared_.test = std::move(ratings.test);
    shared_.schedule = std::make_unique<mf::Schedule>(
        shared_.mf.order, mf::Cluster{context.nodes, context.workers_per_node}, ratings.rows,
        ratings.cols, std::move(ratings.train));
  }

  std::vector<std::string> metric_names() const override { return {"test_rmse", "train_loss"}; }

  KeySpace keys() const override {
    const auto rank = static_cast<std::uint32_t>(shared_.mf.rank);
    return KeySpace({{"rows", shared_.rows, rank}, {"columns", shared_.cols, rank}});
  }

  /// Normal with standard deviation rank^(-1/4), so that a product of factors has variance 1.
  void initial_value(Key key, std::span<float> value) const override {
    Random random(shared_.seed, "initial factors", key);
    const double deviation = std::pow(static_cast<double>(shared_.mf.rank), -0.25);
    for (float& x : value) x = static_cast<float>(deviation * random.normal());
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId worker) override {
    return std::make_unique<MfTask>(shared_, worker);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) override {
    const double loss = sums[0] / static_cast<double>(shared_.schedule->num_cells());
    if (!(loss <= kDiverged * kDiverged * untrained_loss_)) {
      fail_run(
          "epoch {}: the training loss is {:.4g}, that of the initial factors about {:.4g}: "
          "training "
          "diverged. Try a smaller workload.step_size (now {})",
          epoch, loss, untrained_loss_, shared_.step_size);
    }
    if (shared_.mf.bold_driver && epoch > 1) {
      shared_.step_size *= loss < last_loss_ ? 1.05F : 0.5F;
    }
    last_loss_ = loss;
    std::vector<Metric> metrics;
    if (!shared_.test.empty()) {
      metrics.push_back(
          {"test_rmse", std::sqrt(sums[1] / static_cast<double>(shared_.test.size()))});
    }
    metrics.push_back({"train_loss", loss});
    return metrics;
  }

  std::vector<float> direct_accesses() const override {
    // A row's cells are all on one node, which pulls and pushes the row for each of them.
    const float row_share = shared_.mf.localize_rows ? 0.0F : 2.0F;
    std::vector<float> accesses;
    accesses.reserve(std::size_t{shared_.rows} + shared_.cols);
    for (const std::uint32_t n : shared_.row_cells)
      accesses.push_back(row_share * static_cast<float>(n));
    for (const std::uint32_t n : shared_.col_cells)
      accesses.push_back(2.0F * static_cast<float>(n));
    return accesses;
  }

  std::vector<std::string> data_report() const override { return report_; }

  std::uint64_t data_bytes() const override {
    return (shared_.schedule->num_cells() + shared_.test.size()) * sizeof(Cell) +
           (std::uint64_t{shared_.rows} + shared_.cols) * sizeof(std::uint32_t);
  }

 private:
  static void shuffle_ids(data::Ratings& ratings, std::uint64_t seed) {
    const auto permutation = [seed](const char* purpose, std::uint32_t count) {
      std::vector<std::uint32_t> numbers(count);
      std::iota(numbers.begin(), numbers.end(), 0U);
      Random(seed, purpose).shuffle(std::span(numbers));
      return numbers;
    };
    const auto rows = permutation("row order", ratings.rows);
    const auto cols = permutation("column order", ratings.cols);
    for (auto* cells : {&ratings.train, &ratings.test}) {
      for (Cell& cell : *cells) cell = {rows[cell.row], cols[cell.col], cell.value};
    }
  }

  void report(const data::Ratings& ratings) {
    report_.push_back(fmt::format("{} rows x {} columns, {} training cells, {} held-out cells",
                                  ratings.rows, ratings.cols, ratings.train.size(),
                                  ratings.test.size()));
    for (const data::ReadReport& file : ratings.reports) {
      report_.push_back(fmt::format(
          "{}: {} records kept, {} blank lines, {} duplicates, {} ids stripped, "
          "{} ids mapped to dense ones",
          file.source, file.records, file.blank, file.duplicates, file.stripped, file.remapped));
      report_.insert(report_.end(), file.notes.begin(), file.notes.end());
    }
    if (ratings.test_unseen != 0) {
      report_.push_back(
          fmt::format("{} held-out cells have a row or column without training cells; they are "
                      "predicted by the mean",
                      ratings.test_unseen));
    }
    if (ratings.leaked != 0) {
      report_.push_back(fmt::format(
          "warning: {} held-out cells are training cells too (leak); the test error is too good",
          ratings.leaked));
    }
  }

  MfShared shared_;
  double untrained_loss_ = 0.0;
  double last_loss_ = 0.0;
  std::vector<std::string> report_;
};

PSLAB_REGISTER(Workload, MatrixFactorization, "matrix_factorization",
               "low-rank factorization of a rating matrix by SGD", "Lapse, NuPS and AdaPM papers");

}  // namespace
}  // namespace pslab
