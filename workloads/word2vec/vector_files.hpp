// Word vectors in the formats of the original word2vec, as other programs read them: a line "WORDS
// FLOATS", then each word and its vector; most frequent words first.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>

namespace pslab::word2vec {

/// Fills the vector of word number i.
using ReadVector = std::function<void(std::size_t, std::span<float>)>;

/// InputError when the file cannot be written.
/// "word 0.1 -0.25 ...\n": numbers read back to the same floats.
void write_text(const std::filesystem::path& file, std::span<const std::string> words,
                std::size_t dimension, const ReadVector& read);
/// "word ", then 32-bit floats, little endian, then "\n".
void write_binary(const std::filesystem::path& file, std::span<const std::string> words,
                  std::size_t dimension, const ReadVector& read);

}  // namespace pslab::word2vec
