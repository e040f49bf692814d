#include "workloads/word2vec/vector_files.hpp"

#include <fmt/format.h>

#include <bit>
#include <iterator>
#include <vector>

#include "data/text_file_writer.hpp"

namespace pslab::word2vec {
namespace {

/// Writes the header, then for each word what `append` puts into a buffer.
template <typename Append>
void write(const std::filesystem::path& file, std::span<const std::string> words,
           std::size_t dimension, const ReadVector& read, Append append) {
  data::TextFileWriter out(file.string());
  out.write(fmt::format("{} {}\n", words.size(), dimension));
  std::vector<float> vector(dimension);
  std::string line;
  for (std::size_t i = 0; i < words.size(); ++i) {
    read(i, vector);
    line = words[i];
    append(line, vector);
    line += '\n';
    out.write(line);
  }
  out.finish();
}

}  // namespace

void write_text(const std::filesystem::path& file, std::span<const std::string> words,
                std::size_t dimension, const ReadVector& read) {
  write(file, words, dimension, read, [](std::string& line, const std::vector<float>& vector) {
    for (const float x : vector) fmt::format_to(std::back_inserter(line), " {}", x);
  });
}

void write_binary(const std::filesystem::path& file, std::span<const std::string> words,
                  std::size_t dimension, const ReadVector& read) {
  static_assert(std::endian::native == std::endian::little);
  write(file, words, dimension, read, [](std::string& line, const std::vector<float>& vector) {
    line += ' ';
    line.append(reinterpret_cast<const char*>(vector.data()), vector.size() * sizeof(float));
  });
}

}  // namespace pslab::word2vec
