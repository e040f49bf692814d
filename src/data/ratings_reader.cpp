#include "data/ratings_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <utility>

#include "base/error.hpp"
#include "base/types.hpp"
#include "data/dense_ids.hpp"
#include "data/id_map.hpp"
#include "data/line_reader.hpp"
#include "data/matrix_market.hpp"

namespace pslab::data {
namespace {

using Format = RatingsSource::Format;

const std::map<std::string, Delimiter, std::less<>> kDelimiterOptions = {
    {"auto", Delimiter::kAuto},
    {"tab", Delimiter::kTab},
    {"comma", Delimiter::kComma},
    {"semicolon", Delimiter::kSemicolon},
    {"double_colon", Delimiter::kDoubleColon},
    {"space", Delimiter::kSpace}};

Format detect_format(const std::string& path) {
  LineReader lines(path);
  std::string_view first;
  return lines.next(first) && is_matrix_market_banner(first) ? Format::kMatrixMarket
                                                             : Format::kText;
}

class RatingsReader {
 public:
  explicit RatingsReader(const RatingsSource& source) : source_(source) {}

  Ratings read() {
    const Format format =
        source_.format == Format::kAuto ? detect_format(source_.train) : source_.format;
    check_test_format(format);
    if (format == Format::kMatrixMarket) {
      read_matrices();
    } else {
      read_texts();
    }
    if (std::uint64_t{ratings_.rows} + ratings_.cols > kMaxKeys) {
      fail_input("{}: {} rows and {} columns are more than {} keys", source_.train, ratings_.rows,
                 ratings_.cols, kMaxKeys);
    }
    merge(train_, ratings_.train);
    if (!source_.test.empty()) {
      merge(test_, ratings_.test);
    } else if (source_.split.test_share > 0) {
      hold_out(ratings_, source_.split.test_share, source_.split.seed);
      note_hold_out();
    }
    if (ratings_.train.empty()) {
      fail_input("{}: no cell is left to train on; lower test_share ({})", source_.train,
                 source_.split.test_share);
    }
    count_unseen_and_leaked(ratings_);
    if (test_only_ids_ > 0) {
      ratings_.reports.back().notes.push_back(
          fmt::format("{} row or column ids occur only in the test file", test_only_ids_));
    }
    return std::move(ratings_);
  }

 private:
  void read_matrices() {
    if (source_.text.skip_lines > 0 || source_.text.delimiter != Delimiter::kAuto ||
        source_.text.ignore_extra_columns) {
      fail_input(
          "{}: skip_lines, delimiter and extra_columns are for text ratings, but this is a "
          "MatrixMarket file; remove them or set format: text",
          source_.train);
    }
    MatrixFile train = read_matrix_market(source_.train);
    ratings_.rows = train.rows;
    ratings_.cols = train.cols;
    take(train_, std::move(train), source_.train);
    if (!source_.test.empty()) read_test_matrix();
    const std::uint64_t entries = train_.cells.size() + test_.cells.size();
    if (std::max(ratings_.rows, ratings_.cols) > most_ids(entries)) {
      fail_input(
          "{}: a matrix of {} x {} with {}: each row and column gets a factor, and at most {} are "
          "allowed for so few. Number rows and columns from 1 without gaps; or give the entries as "
          "text (row, column, value), whose ids are numbered anew",
          source_.train, ratings_.rows, ratings_.cols, entries_text(entries), most_ids(entries));
    }
  }

  static std::string entries_text(std::uint64_t entries) {
    return entries == 1 ? "1 entry" : fmt::format("{} entries", entries);
  }

  void read_test_matrix() {
    MatrixFile test = read_matrix_market(source_.test);
    if (test.rows != ratings_.rows || test.cols != ratings_.cols) {
      test.report.notes.push_back(
          fmt::format("the header says {} x {}, that of the training file {} x {}; the larger of "
                      "each is used",
                      test.rows, test.cols, ratings_.rows, ratings_.cols));
      ratings_.rows = std::max(ratings_.rows, test.rows);
      ratings_.cols = std::max(ratings_.cols, test.cols);
    }
    take(test_, std::move(test), source_.test);
  }

  /// Of the test file; that of the training file was found out.
  void check_test_format(Format train) const {
    if (source_.test.empty() || source_.format != Format::kAuto) return;
    if (detect_format(source_.test) == train) return;
    const bool text = train == Format::kText;
    fail_input("{}: {} a MatrixMarket file, but the training file {} {}; give both in one format",
               source_.test, text ? "is" : "is not", source_.train, text ? "is not" : "is");
  }

  void read_texts() {
    IdMap row_ids;
    IdMap col_ids;
    take(train_, read_ratings_text(source_.train, source_.text, row_ids, col_ids), source_.train);
    const std::uint32_t train_rows = row_ids.size();
    const std::uint32_t train_cols = col_ids.size();
    if (!source_.test.empty()) {
      take(test_, read_ratings_text(source_.test, source_.text, row_ids, col_ids), source_.test);
      test_only_ids_ = row_ids.size() - train_rows + col_ids.size() - train_cols;
    }
    IdMap::Final rows = row_ids.finish();
    IdMap::Final cols = col_ids.finish();
    for (CellFile* file : {&train_, &test_}) {
      for (Cell& cell : file->cells) {
        cell.row = rows.index[cell.row];
        cell.col = cols.index[cell.col];
      }
    }
    ratings_.rows = row_ids.size();
    ratings_.cols = col_ids.size();
    ratings_.row_names = std::move(rows.names);
    ratings_.col_names = std::move(cols.names);
    train_.report.remapped = rows.remapped + cols.remapped;  // the ids of both files together
  }

  static void take(CellFile& to, CellFile from, const std::string& path) {
    if (from.cells.empty()) fail_input("{}: there is no record in this file", path);
    to = std::move(from);
  }

  /// Moves the cells of `file` to `cells`, without duplicates, and its report to the ratings.
  void merge(CellFile& file, std::vector<Cell>& cells) {
    file.report.duplicates = merge_duplicates(
        file.cells, ratings_.rows, ratings_.cols, source_.duplicates,
        [&file](std::uint64_t first, std::uint64_t second) {
          fail_input(
              "{}:{}: the same row and column as in line {}; remove one, or set duplicates: "
              "keep_last or mean",
              file.report.source, file.lines.line(second), file.lines.line(first));
        });
    cells = std::move(file.cells);
    file.report.records = cells.size();
    ratings_.reports.push_back(std::move(file.report));
  }

  void note_hold_out() {
    ratings_.reports.front().notes.push_back(
        fmt::format("held out {} of the {} cells as test cells (test_share {}, seed {})",
                    ratings_.test.size(), ratings_.test.size() + ratings_.train.size(),
                    source_.split.test_share, source_.split.seed));
  }

  const RatingsSource& source_;
  CellFile train_;
  CellFile test_;
  Ratings ratings_;
  std::uint64_t test_only_ids_ = 0;
};

}  // namespace

Split::Split(config::Options& options)
    : test_share(options.real("test_share", 0.01, 0.0, 0.9, "",
                              "share of the cells held out for testing, if there is no test file")),
      seed(static_cast<std::uint64_t>(
          options.integer("seed", 1, 0, std::int64_t{1} << 53, "",
                          "seed of the generated data and of the choice of held-out cells"))) {}

RatingsSource::RatingsSource(config::Options& options, const Split& shared_split)
    : split(shared_split) {
  train = options.text("train", "", "file of training ratings, text or MatrixMarket, may be gzip");
  test = options.text("test", "", "file of test ratings; none: hold test_share out");
  const std::string kind = options.choice("format", "auto", {"auto", "text", "matrix_market"},
                                          "format of the files; auto looks at the first line");
  format = kind == "text"            ? Format::kText
           : kind == "matrix_market" ? Format::kMatrixMarket
                                     : Format::kAuto;
  text.delimiter =
      kDelimiterOptions
          .find(options.choice("delimiter", "auto",
                               {"auto", "tab", "comma", "semicolon", "double_colon", "space"},
                               "what separates the columns of text ratings; auto: see line 1"))
          ->second;
  text.skip_lines = static_cast<std::uint64_t>(options.integer(
      "skip_lines", 0, 0, 1'000'000'000, "lines", "header lines to skip in text ratings"));
  text.ignore_extra_columns =
      options.choice("extra_columns", "refuse", {"refuse", "ignore"},
                     "text ratings with more than the columns row, column, value") == "ignore";
  const std::string merging =
      options.choice("duplicates", "keep_last", {"keep_last", "mean", "refuse"},
                     "what to do with several values for one cell in a file");
  duplicates = merging == "mean"     ? Duplicates::kMean
               : merging == "refuse" ? Duplicates::kRefuse
                                     : Duplicates::kKeepLast;
}

Ratings read_ratings(const RatingsSource& source) {
  return RatingsReader(source).read();
}

}  // namespace pslab::data
