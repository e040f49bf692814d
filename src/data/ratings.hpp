// A set of rating cells (row, column, value): what matrix factorization trains on.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace pslab::data {

struct Cell {
  std::uint32_t row;
  std::uint32_t col;
  float value;
};

/// What a reader met: shown to the user and stored with the results; nothing is skipped silently.
struct ReadReport {
  std::string source;            ///< file or generator, as the user named it
  std::uint64_t records = 0;     ///< cells kept
  std::uint64_t blank = 0;       ///< empty lines skipped
  std::uint64_t duplicates = 0;  ///< records merged into another one of the same row and column
  std::uint64_t stripped = 0;    ///< ids whose surrounding blanks were removed
  std::uint64_t remapped =
      0;  ///< ids that were not already dense 0-based (or MatrixMarket 1-based)
  std::vector<std::string> notes;  ///< further sentences for the user (warnings, decisions taken)
};

/// Train and held-out cells over one row and one column space.
struct Ratings {
  std::uint32_t rows = 0;
  std::uint32_t cols = 0;
  std::vector<Cell> train;
  std::vector<Cell> test;  ///< may be empty: then there is no test metric
  std::vector<std::string>
      row_names;  ///< id of each row in the user's file; empty: the index itself
  std::vector<std::string> col_names;
  std::uint64_t test_unseen = 0;  ///< test cells whose row or column has no training cell
  std::uint64_t leaked = 0;       ///< cells that are in train and in test
  std::vector<ReadReport> reports;
};

}  // namespace pslab::data
