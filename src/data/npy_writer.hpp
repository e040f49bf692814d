// Writes an array of floats as a .npy file (NumPy's format, version 1.0): numpy.load() reads it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "data/text_file_writer.hpp"

namespace pslab::data {

class NpyWriter {
 public:
  /// The file appears when it is complete. InputError as TextFileWriter.
  NpyWriter(const std::string& path, const std::vector<std::size_t>& shape);

  /// The next numbers, the last dimension fastest.
  void write(std::span<const float> values);
  /// std::logic_error if there were more or fewer numbers than the shape says.
  void finish();

 private:
  TextFileWriter file_;
  std::uint64_t left_ = 1;
};

}  // namespace pslab::data
