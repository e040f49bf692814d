#include "workloads/matrix_factorization/task.hpp"

#include <algorithm>

#include "base/dot.hpp"
#include "workloads/matrix_factorization/kernels.hpp"

namespace pslab::mf {
namespace {

using data::Cell;

constexpr float kLargestChange = 10000.0F;
constexpr std::size_t kPrefetchAhead = 8;  ///< cells
constexpr std::size_t kCheckEvery = 1024;  ///< cells
/// Cells to announce ahead where intents wait: more than a worker visits in some rounds of 1 ms.
constexpr std::size_t kFarAhead = 1 << 16;

class Task final : public WorkerTask {
 public:
  Task(Shared& shared, WorkerId worker) : shared_(shared), worker_(worker) {
    values_.resize(2 * shared.options.length());
    deltas_.resize(2 * shared.options.length());
  }

  void train(Worker& worker, int epoch) override {
    if (shared_.options.localize_rows && !rows_localized_) localize_rows(worker);
    Random random = worker.random("cell order", static_cast<std::uint64_t>(epoch));
    const Schedule& schedule = *shared_.schedule;
    for (std::uint32_t sub = 0; sub < schedule.sub_epochs(); ++sub) {
      schedule.start(worker_, epoch, sub, shared_.seed, random, visit_);
      if (schedule.order() == Order::kDsgd) localize_block(worker, epoch, sub);
      train_runs(worker, random, epoch);
      if (sub + 1 < schedule.sub_epochs()) worker.barrier();
    }
    visit_ = {};  // thousands of workers may share this memory
  }

  void evaluate(Worker& worker) override {
    constexpr std::size_t kBatch = 64;
    const std::size_t workers = worker.num_workers();
    const std::size_t begin = shared_.test.size() * worker_ / workers;
    const std::size_t end = shared_.test.size() * (worker_ + 1) / workers;
    const std::size_t length = shared_.options.length();
    std::vector<Key> keys;
    std::vector<float> values;
    for (std::size_t i = begin; i < end; i += kBatch) {
      const auto cells = std::span(shared_.test).subspan(i, std::min(kBatch, end - i));
      keys.clear();
      for (const Cell& cell : cells) {
        keys.push_back(cell.row);
        keys.push_back(shared_.column_key(cell.col));
      }
      values.resize(keys.size() * length);
      worker.pull(keys, values);
      const float* value = values.data();
      for (const Cell& cell : cells) {
        // A row or column without training cells says nothing, and has bias 0: its cells are
        // predicted by what is left, the mean and the bias of the other.
        const bool seen = shared_.row_cells[cell.row] != 0 && shared_.col_cells[cell.col] != 0;
        const float product = seen ? dot(value, value + length, shared_.options.rank) : 0.0F;
        const double error = double{cell.value} - double{product + biases(value, value + length)};
        test_squares_ += error * error;
        value += 2 * length;
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
    rows_localized_ = true;
  }

  void localize_block(Worker& worker, int epoch, std::uint32_t sub) {
    if (shared_.options.localize_ahead == 0) return;
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

  void train_runs(Worker& worker, Random& random, int epoch) {
    const auto [part, ahead] = foresight(worker);
    std::size_t position = 0;
    next_run_ = 0;
    next_cell_ = 0;
    intended_ = 0;
    first_clock_ = worker.clock();
    for (std::size_t index = 0; index < visit_.runs.size(); ++index) {
      const auto run = shared_.schedule->next_run(index, random, visit_);
      for (std::size_t i = 0; i < run.size(); ++i) {
        if (position % kCheckEvery == 0) shared_.check_loss(train_squares_, epoch);
        if (part != 0 && position % part == 0) intend_until(worker, position + part + ahead, part);
        if (i + kPrefetchAhead < run.size()) worker.prefetch(run[i + kPrefetchAhead].row);
        step(worker, run[i]);
        worker.advance_clock();
        ++position;
      }
    }
  }

  /// How columns are announced: every so many cells, those of so many more.
  struct Foresight {
    std::size_t part;  ///< 0: never
    std::size_t ahead;
  };
  Foresight foresight(const Worker& worker) const {
    if (shared_.schedule->order() == Order::kDsgd) return {0, 0};
    if (shared_.options.localize_ahead >= 0) {
      const auto cells = static_cast<std::size_t>(shared_.options.localize_ahead);
      return {cells, cells};
    }
    const std::size_t part =
        std::clamp<std::size_t>(shared_.schedule->cells(worker_).size() / 250, 1, 500);
    return {part, worker.intents_wait() ? kFarAhead : part};
  }

  /// Announces the columns of the cells before position `until` that have not been, at most two
  /// parts at a time. A clock is a cell.
  void intend_until(Worker& worker, std::size_t until, std::size_t part) {
    while (intended_ < until && next_run_ < visit_.runs.size()) {
      const std::uint64_t start = first_clock_ + intended_;
      collect_columns(std::min(until, intended_ + 2 * part));
      worker.intent(keys_, start, first_clock_ + intended_);
    }
  }

  /// Those of the cells before position `until` that have not been announced.
  void collect_columns(std::size_t until) {
    keys_.clear();
    while (intended_ < until && next_run_ < visit_.runs.size()) {
      const std::span<const Cell> run = visit_.runs[next_run_];
      const std::size_t count = std::min(run.size() - next_cell_, until - intended_);
      for (const Cell& cell : run.subspan(next_cell_, count)) {
        const Key key = shared_.column_key(cell.col);
        if (keys_.empty() || keys_.back() != key) keys_.push_back(key);
      }
      intended_ += count;
      next_cell_ += count;
      if (next_cell_ == run.size()) {
        ++next_run_;
        next_cell_ = 0;
      }
    }
  }

  /// Those of a row's and a column's value, behind the factors; 0 if there are none.
  float biases(const float* w, const float* h) const {
    const std::size_t rank = shared_.options.rank;
    return shared_.options.biases ? w[rank] + h[rank] : 0.0F;
  }

  void step(Worker& worker, const Cell& cell) {
    const std::size_t rank = shared_.options.rank;
    const Key keys[2] = {cell.row, shared_.column_key(cell.col)};
    const float* w = values_.data();
    const float* h = w + shared_.options.length();
    worker.pull(keys, values_);
    const float error = cell.value - (dot(w, h, rank) + biases(w, h));
    const auto decay = static_cast<float>(shared_.options.decay);
    const StepSizes sizes{error, 2.0F * shared_.step_size,
                          decay / static_cast<float>(shared_.row_cells[cell.row]),
                          decay / static_cast<float>(shared_.col_cells[cell.col]), kLargestChange};
    float* dw = deltas_.data();
    float* dh = dw + shared_.options.length();
    gradient_step(w, h, sizes, dw, dh, rank);
    if (shared_.options.biases) {
      dw[rank] = bias_step(w[rank], sizes.w_decay, sizes);
      dh[rank] = bias_step(h[rank], sizes.h_decay, sizes);
    }
    worker.compute(12.0 * static_cast<double>(rank));
    worker.push(keys, deltas_);
    train_squares_ += double{error} * double{error};
  }

  Shared& shared_;
  WorkerId worker_;
  std::vector<float>
      values_;  ///< of the row, then of the column: factor, and bias if there are any
  std::vector<float> deltas_;
  std::vector<Key> keys_;
  bool rows_localized_ = false;
  Visit visit_;               ///< this sub-epoch's cells
  std::size_t next_run_ = 0;  ///< first cell whose column has not been announced
  std::size_t next_cell_ = 0;
  std::size_t intended_ = 0;       ///< cells before it
  std::uint64_t first_clock_ = 0;  ///< that of the first of these cells
  double train_squares_ = 0.0;
  double test_squares_ = 0.0;
};

}  // namespace

std::unique_ptr<WorkerTask> make_task(Shared& shared, WorkerId worker) {
  return std::make_unique<Task>(shared, worker);
}

}  // namespace pslab::mf
