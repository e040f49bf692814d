#include "data/npy_writer.hpp"

#include <fmt/format.h>

#include <bit>
#include <stdexcept>

namespace pslab::data {
namespace {

/// Magic bytes, version, length of the description, description: together a multiple of 64 bytes.
std::string header(const std::vector<std::size_t>& shape) {
  std::string dimensions;
  for (const std::size_t length : shape) dimensions += fmt::format("{}, ", length);
  std::string description =
      fmt::format("{{'descr': '<f4', 'fortran_order': False, 'shape': ({}), }}", dimensions);
  constexpr std::size_t kBefore = 10;
  constexpr std::size_t kAlign = 64;
  const std::size_t whole = (kBefore + description.size() + 1 + kAlign - 1) / kAlign * kAlign;
  description.append(whole - kBefore - description.size() - 1, ' ');
  description += '\n';
  std::string text = "\x93NUMPY";
  text += '\x01';
  text += '\0';
  text += static_cast<char>(description.size() % 256);
  text += static_cast<char>(description.size() / 256);
  return text + description;
}

}  // namespace

NpyWriter::NpyWriter(const std::string& path, const std::vector<std::size_t>& shape) : file_(path) {
  for (const std::size_t length : shape) left_ *= length;
  file_.write(header(shape));
}

void NpyWriter::write(std::span<const float> values) {
  static_assert(std::endian::native == std::endian::little);
  if (values.size() > left_) throw std::logic_error("more numbers than the array's shape says");
  left_ -= values.size();
  file_.write({reinterpret_cast<const char*>(values.data()), values.size_bytes()});
}

void NpyWriter::finish() {
  if (left_ != 0) throw std::logic_error("fewer numbers than the array's shape says");
  file_.finish();
}

}  // namespace pslab::data
