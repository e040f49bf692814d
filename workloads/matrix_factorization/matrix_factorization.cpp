// Matrix factorization by stochastic gradient descent: a rating x of row i and column j is
// approximated by the inner product of the row's and the column's factor. As in Lapse, NuPS and
// AdaPM:
//   error e = x - w.h;  dw = 2 eps (e h - lambda w / cells of row i);  dh likewise;  components cut
//   to +-10000; bold driver: after an epoch the step size grows by 5 % if the training loss fell,
//   else it is halved.
// With biases a rating is approximated by the product, the bias of its row and that of its column;
//   db = 2 eps (e - lambda b / cells).
// train_loss is the mean squared error of the cells as they were met, before each update. test_rmse
// is over the held-out cells, with the factors at the end of the epoch.

#include <cmath>
#include <numeric>

#include "api/registry.hpp"
#include "api/workload.hpp"
#include "workloads/matrix_factorization/factors.hpp"
#include "workloads/matrix_factorization/shared.hpp"
#include "workloads/matrix_factorization/task.hpp"

namespace pslab {
namespace {

using data::Cell;

/// Of the cell's row and of its column: each is pulled and pushed.
constexpr float kAccessesPerCell = 2.0F;

class MatrixFactorization final : public Workload {
 public:
  explicit MatrixFactorization(config::Options& options) : shared_(options) {}

  void load(const LoadContext& context) override {
    data::Ratings ratings = shared_.dataset.load(context.root, context.say);
    if (ratings.train.empty()) throw InputError("the data set has no training cells");
    report(ratings);
    shared_.row_names.ids = std::move(ratings.row_names);
    shared_.col_names.ids = std::move(ratings.col_names);
    if (shared_.options.shuffle_ids) shuffle_ids(ratings, context.seed);
    shared_.seed = context.seed;
    shared_.rows = ratings.rows;
    shared_.cols = ratings.cols;
    shared_.step_size = static_cast<float>(shared_.options.step_size);
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
    if (shared_.options.center) shared_.mean = sum / cells;
    const double deviation = shared_.options.initial_deviation;
    shared_.untrained_loss = squares / cells - shared_.mean * shared_.mean + deviation * deviation;
    for (Cell& cell : ratings.train) cell.value -= static_cast<float>(shared_.mean);
    for (Cell& cell : ratings.test) cell.value -= static_cast<float>(shared_.mean);
    shared_.test = std::move(ratings.test);
    shared_.schedule = std::make_unique<mf::Schedule>(
        shared_.options.order, mf::Cluster{context.nodes, context.workers_per_node}, ratings.rows,
        ratings.cols, shared_.options.rows_per_tile(), std::move(ratings.train));
  }

  std::vector<std::string> metric_names() const override { return {"test_rmse", "train_loss"}; }

  KeySpace keys() const override {
    const auto length = static_cast<std::uint32_t>(shared_.options.length());
    return KeySpace({{"rows", shared_.rows, length}, {"columns", shared_.cols, length}});
  }

  /// Factors are normal, so that their product has standard deviation initial_deviation.
  void initial_value(Key key, std::span<float> value) const override {
    Random random(shared_.seed, "initial factors", key);
    const auto rank = static_cast<double>(shared_.options.rank);
    const double deviation = std::sqrt(shared_.options.initial_deviation) * std::pow(rank, -0.25);
    for (float& x : value.first(shared_.options.rank)) {
      x = static_cast<float>(deviation * random.normal());
    }
    if (shared_.options.biases) value.back() = 0.0F;
  }

  std::unique_ptr<WorkerTask> make_task(WorkerId worker) override {
    return mf::make_task(shared_, worker);
  }

  std::vector<Metric> epoch_metrics(std::span<const double> sums, int epoch) override {
    const double loss = sums[0] / static_cast<double>(shared_.schedule->num_cells());
    shared_.check_loss(sums[0], epoch);
    if (shared_.options.bold_driver && epoch > 1) {
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

  std::vector<double> state() const override { return {double{shared_.step_size}, last_loss_}; }

  void restore(std::span<const double> state) override {
    if (state.size() != 2) {
      fail_input("the state of matrix_factorization is a step size and a loss, seen {} numbers",
                 state.size());
    }
    shared_.step_size = static_cast<float>(state[0]);
    last_loss_ = state[1];
  }

  std::vector<std::string> model_formats() const override { return {"matrix_market"}; }

  std::vector<std::string> write_model(const std::string& /*format*/,
                                       const std::filesystem::path& folder,
                                       const ReadValue& read) const override {
    return mf::write_factors(shared_, folder, read);
  }

  std::vector<float> direct_accesses() const override {
    // A row's cells are all on one node, which pulls and pushes the row for each of them.
    const float row_share = shared_.options.localize_rows ? 0.0F : kAccessesPerCell;
    std::vector<float> accesses;
    accesses.reserve(std::size_t{shared_.rows} + shared_.cols);
    for (const std::uint32_t n : shared_.row_cells)
      accesses.push_back(row_share * static_cast<float>(n));
    for (const std::uint32_t n : shared_.col_cells)
      accesses.push_back(kAccessesPerCell * static_cast<float>(n));
    return accesses;
  }

  std::vector<KeyCount> node_accesses(NodeId node) const override {
    std::vector<std::uint32_t> cells(std::size_t{shared_.rows} + shared_.cols, 0);
    for (const Cell& cell : shared_.schedule->cells_of_node(node)) {
      ++cells[cell.row];
      ++cells[shared_.column_key(cell.col)];
    }
    std::vector<KeyCount> counts;
    for (std::uint32_t key = 0; key < cells.size(); ++key) {
      if (cells[key] != 0)
        counts.push_back({key, kAccessesPerCell * static_cast<float>(cells[key])});
    }
    return counts;
  }

  std::vector<std::string> data_report() const override { return report_; }

  std::uint64_t data_bytes() const override {
    const bool twice = shared_.options.order == mf::Order::kPlain;  // cells, and their order
    return ((twice ? 2 : 1) * shared_.schedule->num_cells() + shared_.test.size()) * sizeof(Cell) +
           2 * (std::uint64_t{shared_.rows} + shared_.cols) * sizeof(std::uint32_t);
  }

 private:
  void shuffle_ids(data::Ratings& ratings, std::uint64_t seed) {
    const auto permutation = [seed](const char* purpose, std::uint32_t count) {
      std::vector<std::uint32_t> numbers(count);
      std::iota(numbers.begin(), numbers.end(), 0U);
      Random(seed, purpose).shuffle(std::span(numbers));
      return numbers;
    };
    const auto& rows = shared_.row_names.order = permutation("row order", ratings.rows);
    const auto& cols = shared_.col_names.order = permutation("column order", ratings.cols);
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
      report_.push_back(fmt::format(
          "{} held-out cells have a row or column without training cells; they are "
          "predicted by the mean{}",
          ratings.test_unseen, shared_.options.biases ? " and the bias of the other" : ""));
    }
    if (ratings.leaked != 0) {
      report_.push_back(fmt::format(
          "warning: {} held-out cells are training cells too (leak); the test error is too good",
          ratings.leaked));
    }
  }

  mf::Shared shared_;
  double last_loss_ = 0.0;
  std::vector<std::string> report_;
};

PSLAB_REGISTER(Workload, MatrixFactorization, "matrix_factorization",
               "low-rank factorization of a rating matrix by SGD", "Lapse, NuPS and AdaPM papers");

}  // namespace
}  // namespace pslab
