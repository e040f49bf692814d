#include "data/ratings_dataset.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <string_view>

#include "base/text.hpp"
#include "config/unused.hpp"
#include "data/catalog.hpp"

namespace pslab::data {
namespace {

constexpr std::string_view kZipfMatrix = "zipf_matrix";

/// The default depends on the others, so that the resolved config of a run reads back to the same.
bool read_generator(config::Options& options, bool has_other) {
  return options.choice(
             "generator", has_other ? "none" : kZipfMatrix, {std::string(kZipfMatrix), "none"},
             "makes the data; none where name or train says what to read") == kZipfMatrix;
}

}  // namespace

RatingsDataset::RatingsDataset(config::Options& options)
    : split_(options),
      name_(read_dataset_name(options, DatasetKind::kRatings, "train")),
      files_(options, split_),
      generated_(read_generator(options, !name_.empty() || !files_.train.empty())),
      matrix_(options, split_) {
  if (!name_.empty() && !files_.train.empty()) {
    options.reject("train", fmt::format("cannot be combined with name ({}); give one", name_));
  }
  if (generated_ && (!name_.empty() || !files_.train.empty())) {
    options.reject("generator", fmt::format("cannot be combined with {}; give one",
                                            name_.empty() ? "train" : "name"));
  }
  if (!generated_ && name_.empty() && files_.train.empty()) {
    options.reject("generator", files_.test.empty()
                                    ? "leaves no data; give generator, name or train"
                                    : "leaves no training data; give train besides test");
  }
  if (generated_) {
    matrix_.check(options);
  } else {
    config::refuse_unused(options,
                          name_.empty() ? "on data from a file" : "on data from the catalog",
                          {"rows", "cols", "cells", "zipf", "truth_rank", "noise"});
  }
  if (files_.train.empty()) {
    config::refuse_unused(
        options, name_.empty() ? "on data from a generator" : "on data from the catalog",
        {"test", "format", "delimiter", "skip_lines", "extra_columns", "duplicates"});
  }
  if (!name_.empty() || !files_.test.empty()) {
    config::refuse_unused(options, "on data from a set with test cells of its own",
                          {"test_share", "seed"});
  } else if (!generated_ && split_.test_share == 0.0) {
    config::refuse_unused(options, "with test_share: 0", {"seed"});
  }
  if (files_.format == RatingsSource::Format::kMatrixMarket) {
    config::refuse_unused(options, "with format: matrix_market",
                          {"delimiter", "skip_lines", "extra_columns"});
  }
}

Ratings RatingsDataset::load(const std::string& root, const Say& say) const {
  if (generated_) return generate_zipf_matrix(matrix_);
  if (name_.empty()) return read_ratings(files_);
  const CatalogEntry& entry = find_dataset(name_);
  fetch(entry, root, say);
  Ratings ratings = read_ratings(ratings_source(entry));
  // The place of the cache is this computer's; results must not depend on it.
  for (ReadReport& report : ratings.reports) {
    report.source = name_ + "/" + std::filesystem::path(report.source).filename().string();
  }
  return ratings;
}

std::string RatingsDataset::describe() const {
  if (generated_) return matrix_.describe();
  if (!name_.empty()) return fmt::format("{}: {}", name_, find_dataset(name_).counts);
  return files_.test.empty() ? fmt::format("ratings in {}, {} of them held out", files_.train,
                                           files_.split.test_share)
                             : fmt::format("ratings in {}, test in {}", files_.train, files_.test);
}

}  // namespace pslab::data
