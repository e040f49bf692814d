// Sparse matrices in the MatrixMarket coordinate format, as text.
//
//   %%MatrixMarket matrix coordinate real general
//   % comments
//   ROWS COLUMNS ENTRIES
//   row column value          (1-based, ENTRIES lines)
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "data/cell_file.hpp"
#include "data/text_file_writer.hpp"

namespace pslab::data {

/// True if `line` starts like the banner, in any case.
bool is_matrix_market_banner(std::string_view line);

struct MatrixFile : CellFile {
  std::uint32_t rows = 0;  ///< of the header; cells are 0-based and inside
  std::uint32_t cols = 0;
};

/// Reads a `coordinate real|integer general` matrix. InputError with file and line for any other
/// kind (pattern matrices hold no values, symmetric ones leave half of their cells out; both would
/// have to be guessed at), for indices outside the header's sizes and for a wrong number of
/// entries.
MatrixFile read_matrix_market(const std::string& path);

/// Writes cells as they come, so that matrices larger than the memory can be made. The file appears
/// under its name only when it is complete.
class MatrixMarketWriter {
 public:
  /// `entries` cells must follow. InputError if the file cannot be created.
  MatrixMarketWriter(const std::string& path, std::uint32_t rows, std::uint32_t cols,
                     std::uint64_t entries);

  /// Values are written so that they read back to the same float. InputError if the disk is full.
  void write(std::span<const Cell> cells);
  void finish();

 private:
  std::string path_;
  TextFileWriter file_;
  std::uint64_t missing_;  ///< entries that must still come
};

void write_matrix_market(const std::string& path, std::uint32_t rows, std::uint32_t cols,
                         std::span<const Cell> cells);

/// Writes a dense matrix (`array real general`) as its values come: one column after the other.
class MatrixMarketArrayWriter {
 public:
  /// `rows` * `cols` values must follow. InputError if the file cannot be created.
  MatrixMarketArrayWriter(const std::string& path, std::size_t rows, std::size_t cols);

  /// Values are written so that they read back to the same float. InputError if the disk is full.
  void write(std::span<const float> values);
  void finish();

 private:
  std::string path_;
  TextFileWriter file_;
  std::size_t missing_;  ///< values that must still come
};

}  // namespace pslab::data
