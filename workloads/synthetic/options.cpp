#include "workloads/synthetic/options.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace pslab::synthetic {
namespace {

constexpr double kMostZipf = 3.0;

std::uint64_t rounded(double share, std::uint64_t number) {
  return static_cast<std::uint64_t>(std::llround(share * static_cast<double>(number)));
}

std::uint64_t count(config::Options& options, const char* name, std::int64_t initial,
                    std::int64_t min, std::int64_t max, const char* unit, const char* help) {
  return static_cast<std::uint64_t>(options.integer(name, initial, min, max, unit, help));
}

/// A trace says all that other options do. A resolved config names every option, so defaults are no
/// wish for anything.
void refuse_others(const config::Options& options) {
  config::Options none(nullptr, "workload");
  const Options initial(none);
  const config::Value defaults = none.resolved();
  const config::Value given = options.resolved();
  for (const auto& [name, value] : *given.map()) {
    if (name == "trace" || name == "evaluate") continue;
    const config::Value* const unchanged = defaults.find(name);
    if (unchanged == nullptr || *unchanged == value) continue;
    options.reject(name, "must be left out with workload.trace, which says what is accessed");
  }
}

}  // namespace

Options::Options(config::Options& options)
    : keys(count(options, "keys", 100'000, 1, static_cast<std::int64_t>(kMaxKeys), "keys",
                 "number of keys")),
      value_length(static_cast<std::uint32_t>(
          count(options, "value_length", 32, 1, 100'000, "floats", "length of a value"))),
      stored_length(options.choice("stored_floats", "all", {"all", "one"},
                                   "floats of a value that are kept in memory; one: it stands for "
                                   "all of them, and messages and times are those of whole values "
                                   "(simulation only; for very many keys)") == "one"
                        ? 1
                        : value_length),
      steps(count(options, "steps", 1000, 1, 1'000'000'000, "steps",
                  "steps of each worker in an epoch; a clock is a step")),
      accesses(count(options, "accesses", 8, 1, 100'000, "keys",
                     "keys that a step reads, direct and sample accesses together; the same key "
                     "may come twice")),
      sample_share(options.real("sample_share", 0.0, 0.0, 1.0, "",
                                "share of the accesses that are sample accesses")),
      write_share(options.real("write_share", 1.0, 0.0, 1.0, "",
                               "share of the accesses, of direct ones and of samples alike, whose "
                               "key is pushed too, after the step's computing")),
      zipf(options.real("zipf", 1.1, 0.0, kMostZipf, "",
                        "exponent of the Zipf law of direct accesses; 0: uniform. Popularity has "
                        "nothing to do with the number of a key")),
      sample_zipf(options.real("sample_zipf", 0.0, 0.0, kMostZipf, "",
                               "exponent of the Zipf law of sample accesses; 0: uniform. The order "
                               "of popularity is the one that direct accesses begin with; it "
                               "knows no locality, drift or phases")),
      compute_per_step(options.real("compute_per_step", 10'000.0, 0.0, 1e15, "flop",
                                    "arithmetic of a step between its reads and writes; costs "
                                    "time in a simulation only")),
      locality(options.real(
          "locality", 0.0, 0.0, 1.0, "",
          "share of a worker's direct accesses that go to its own part of the keys: of each "
          "successive `workers` places in the order of popularity, one belongs to each worker, and "
          "such an access goes there instead of to the place that was drawn; the others go to all "
          "keys")),
      lookahead(count(options, "lookahead", 10, 0, 1'000'000, "steps",
                      "announce the direct accesses of a step (Worker::intent) and prepare its "
                      "samples this many steps before; 0: never announce direct accesses, prepare "
                      "samples when they are used")),
      together(count(options, "announce_together", 1, 1, 1'000'000, "steps",
                     "announce (and prepare the samples of) this many steps with one call: fewer "
                     "and larger messages under a strategy that acts at once; at most lookahead")),
      drift(options.real(
          "drift", 0.0, 0.0, 1e9, "ranks/step",
          "the order of popularity moves on by so many ranks each step, e.g. 0.01: one rank every "
          "100 steps. Each time, the most popular key becomes the least popular one and all others "
          "rise by a rank. An epoch begins where the first one did")),
      phases(count(options, "phases", 1, 1, 10'000, "phases",
                   "divide an epoch into so many parts of equal length, each with an order of "
                   "popularity, and so parts of the keys for locality, of its own; 1: one order "
                   "for all; the same ones in every epoch")),
      evaluate(options.flag("evaluate", true,
                            "read all keys after each epoch and count lost updates; false: no "
                            "metric, for very many keys")),
      trace(options.text(
          "trace", "",
          "replay the accesses of a run with metrics.record_trace: true: its trace.bin, or the "
          "folder that it is in. All other options but evaluate must be left out; the number of "
          "workers must be that of the trace. Empty: draw accesses")) {
  if (!trace.empty()) refuse_others(options);
  if (together > std::max<std::uint64_t>(lookahead, 1)) {
    options.reject("announce_together",
                   fmt::format("must not be larger than lookahead ({})", lookahead));
  }
  if (phases > steps) {
    options.reject("phases", fmt::format("must not be larger than steps ({})", steps));
  }
}

std::uint64_t Options::samples_before(std::uint64_t step) const {
  return rounded(sample_share, accesses * step);
}

std::uint64_t Options::writes_among(std::uint64_t first_accesses) const {
  return rounded(write_share, first_accesses);
}

StepSizes sizes_of(const Options& options, std::uint64_t step) {
  const std::uint64_t direct = options.direct_before(step);
  const std::uint64_t direct_after = options.direct_before(step + 1);
  const std::uint64_t samples = options.samples_before(step);
  const std::uint64_t samples_after = options.samples_before(step + 1);
  return {direct_after - direct, options.writes_among(direct_after) - options.writes_among(direct),
          samples_after - samples,
          options.writes_among(samples_after) - options.writes_among(samples)};
}

}  // namespace pslab::synthetic
