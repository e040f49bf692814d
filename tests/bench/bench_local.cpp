// Where everything is local: the whole of pslab (simulation, parameter store, measuring) on one
// node with one worker, against a plain training loop over arrays, in one process, epoch by epoch
// in turn. Both use the same kernels, cells and order, and both measure the held-out error after
// each epoch.
//
//   bench_local [rank [cells]]

#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

#include "api/registry.hpp"
#include "base/dot.hpp"
#include "base/isa.hpp"
#include "config/yaml.hpp"
#include "data/ratings_dataset.hpp"
#include "run/experiment.hpp"
#include "run/training.hpp"
#include "workloads/matrix_factorization/kernels.hpp"
#include "workloads/matrix_factorization/schedule.hpp"

namespace pslab {
namespace {

using Clock = std::chrono::steady_clock;

constexpr int kEpochs = 7;

std::string config_text(const std::string& rank, const std::string& cells) {
  return "workload:\n  name: matrix_factorization\n  rank: " + rank +
         "\n  center: false\n  shuffle_ids: false\n  bold_driver: false\n  dataset: {generator: "
         "zipf_matrix, "
         "rows: 100000, cols: 10000, cells: " +
         cells + ", zipf: 1.1, seed: 1}\ntrain: {epochs: " + std::to_string(kEpochs) + "}\n";
}

// The step of the plain loop: as mf::gradient_step, with the same instructions, but without a copy
// of the values and of their changes.
[[gnu::always_inline]] inline void step_of(float* __restrict w, float* __restrict h,
                                           const mf::StepSizes& sizes, std::size_t n) {
  const auto [error, step, w_decay, h_decay, limit] = sizes;
  for (std::size_t i = 0; i < n; ++i) {
    const float dw = step * (error * h[i] - w_decay * w[i]);
    const float dh = step * (error * w[i] - h_decay * h[i]);
    w[i] += std::min(std::max(dw, -limit), limit);
    h[i] += std::min(std::max(dh, -limit), limit);
  }
}
PSLAB_TARGET_AVX512 void step_avx512(float* w, float* h, const mf::StepSizes& sizes,
                                     std::size_t n) {
  step_of(w, h, sizes, n);
}
PSLAB_TARGET_AVX2 void step_avx2(float* w, float* h, const mf::StepSizes& sizes, std::size_t n) {
  step_of(w, h, sizes, n);
}
void step_basic(float* w, float* h, const mf::StepSizes& sizes, std::size_t n) {
  step_of(w, h, sizes, n);
}
void (*const step_in_place)(float*, float*, const mf::StepSizes&,
                            std::size_t) = choose_version(step_avx512, step_avx2, step_basic);

/// The same training over two arrays.
class PlainLoop {
 public:
  PlainLoop(const data::Ratings& ratings, std::size_t rank, const Workload& workload)
      : rank_(rank),
        rows_(std::size_t{ratings.rows} * rank),
        cols_(std::size_t{ratings.cols} * rank),
        row_cells_(ratings.rows, 0),
        col_cells_(ratings.cols, 0),
        test_(ratings.test),
        schedule_(mf::Order::kColumnWise, {1, 1}, ratings.rows, ratings.cols, 0, ratings.train) {
    for (const data::Cell& cell : ratings.train) {
      ++row_cells_[cell.row];
      ++col_cells_[cell.col];
    }
    for (std::size_t row = 0; row < ratings.rows; ++row) {
      workload.initial_value(row, std::span(rows_).subspan(row * rank, rank));
    }
    for (std::size_t col = 0; col < ratings.cols; ++col) {
      workload.initial_value(ratings.rows + col, std::span(cols_).subspan(col * rank, rank));
    }
  }

  /// Mean squared training error as met, and the held-out RMSE.
  std::pair<double, double> epoch(int number, std::uint64_t seed) {
    Random random(seed, "cell order", 0, static_cast<std::uint64_t>(number));
    schedule_.start(0, number, 0, seed, random, visit_);
    double squares = 0.0;
    for (std::size_t run = 0; run < visit_.runs.size(); ++run) {
      for (const data::Cell& cell : schedule_.next_run(run, random, visit_)) squares += step(cell);
    }
    double test_squares = 0.0;
    for (const data::Cell& cell : test_) {
      const float prediction = dot(&rows_[cell.row * rank_], &cols_[cell.col * rank_], rank_);
      if (row_cells_[cell.row] == 0 || col_cells_[cell.col] == 0) continue;
      const double error = double{cell.value} - double{prediction};
      test_squares += error * error;
    }
    return {squares / static_cast<double>(schedule_.num_cells()), test_squares};
  }

 private:
  double step(const data::Cell& cell) {
    float* __restrict w = &rows_[cell.row * rank_];
    float* __restrict h = &cols_[cell.col * rank_];
    const float error = cell.value - dot(w, h, rank_);
    const mf::StepSizes sizes{error, 0.02F, 0.01F / static_cast<float>(row_cells_[cell.row]),
                              0.01F / static_cast<float>(col_cells_[cell.col]), 10000.0F};
    step_in_place(w, h, sizes, rank_);
    return double{error} * double{error};
  }

  std::size_t rank_;
  std::vector<float> rows_;
  std::vector<float> cols_;
  std::vector<std::uint32_t> row_cells_;
  std::vector<std::uint32_t> col_cells_;
  std::vector<data::Cell> test_;
  mf::Schedule schedule_;
  mf::Visit visit_;
};

void compare(const std::string& rank, const std::string& cells) {
  const char* root = std::getenv("PSLAB_ROOT");
  const config::Value config = config::parse_yaml(config_text(rank, cells), "bench");
  run::Experiment experiment(config, root != nullptr ? root : ".");
  experiment.workload->load({1, 1, 1, experiment.cluster.root, [](const std::string&) {}});
  config::Options dataset(config.find("workload")->find("dataset"), "dataset");
  const data::Ratings ratings = data::RatingsDataset(dataset).load(experiment.cluster.root);
  PlainLoop plain(ratings, std::stoul(rank), *experiment.workload);
  // The plain loop runs inside the callback at the end of each epoch, so that the two take turns.
  Clock::time_point began = Clock::now();
  run::Training training(experiment, [&](const run::EpochRecord& record) {
    const double ours = std::chrono::duration<double>(Clock::now() - began).count();
    const auto plain_began = Clock::now();
    const auto [loss, test] = plain.epoch(record.epoch, 1);
    const double theirs = std::chrono::duration<double>(Clock::now() - plain_began).count();
    const double our_loss = record.metrics.back().value.value();
    std::printf(
        "epoch %d: pslab %.3f s, plain loop %.3f s, ratio %.2f; training losses %.6f and %.6f\n",
        record.epoch, ours, theirs, ours / theirs, our_loss, loss);
    began = Clock::now();
  });
  const std::atomic<bool> stop{false};
  experiment.backend->execute(experiment.cluster, training, stop);
}

}  // namespace
}  // namespace pslab

int main(int argc, char** argv) {
  pslab::compare(argc > 1 ? argv[1] : "32", argc > 2 ? argv[2] : "1000000");
  return 0;
}
