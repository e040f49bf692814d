// The one way from text to a Corpus.
//
// A line is a sentence; words are separated by any run of white space (ASCII), and are bytes
// otherwise: no case folding, no quoting, no normal forms. Plain or gzip files. The text is
// read twice, to count its words and to turn them into numbers, by several threads that work on a
// block of lines each; the result does not depend on how many.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "data/corpus.hpp"

namespace pslab::data {

enum class InvalidUtf8 {
  kRefuse,   ///< InputError with file and line
  kReplace,  ///< each byte that begins no character becomes U+FFFD
  kKeep,     ///< words are bytes
};

struct CorpusReading {
  std::uint64_t min_count = 5;       ///< rarer words are left out of the text
  std::uint64_t max_vocabulary = 0;  ///< keep so many of the most frequent words; 0: all
  InvalidUtf8 invalid_utf8 = InvalidUtf8::kRefuse;
  unsigned threads = 0;  ///< 0: one for each processor
};

/// The files of a text in shards, by name. InputError for what is no folder, for an empty one, and
/// for one that has a folder in it, or a file plain and as .gz.
std::vector<std::string> text_files(const std::string& folder);

/// Reads files as one text. InputError as LineReader, for invalid UTF-8, and when no word is left.
Corpus read_corpus(const std::vector<std::string>& files, const CorpusReading& how);

}  // namespace pslab::data
