#include "data/corpus_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <future>
#include <optional>
#include <string_view>
#include <system_error>
#include <thread>
#include <unordered_map>

#include "base/error.hpp"
#include "base/text.hpp"
#include "data/cell_value.hpp"
#include "data/line_reader.hpp"

namespace pslab::data {
namespace {

constexpr std::size_t kBlockBytes = std::size_t{4} << 20;
constexpr std::string_view kBlanks = " \t\r\v\f";
constexpr std::string_view kReplacement = "\xEF\xBF\xBD";

/// Some lines of a file, and what a thread makes of them.
struct Block {
  std::string path;
  std::uint64_t first_line = 0;  ///< its number
  std::string text;              ///< every line ends in '\n'
  std::uint64_t lines = 0;
  std::uint64_t blank = 0;
  std::uint64_t replaced = 0;  ///< bytes
  std::string refusal;         ///< of the first thing that is wrong; empty: nothing
  std::vector<Token> tokens;   ///< of the vocabulary, in the second pass
};

struct Hash {
  using is_transparent = void;
  std::size_t operator()(std::string_view text) const {
    return std::hash<std::string_view>()(text);
  }
};
using Counts = std::unordered_map<std::string, std::uint64_t, Hash, std::equal_to<>>;
using Vocabulary = std::unordered_map<std::string_view, std::uint32_t>;

/// Finds the words of blocks; one thread's.
class BlockReader {
 public:
  explicit BlockReader(InvalidUtf8 invalid) : invalid_(invalid) {}

  /// Counts what the words are, and everything else in `block`.
  void count(Block& block, Counts& counts) {
    read(block, [&](std::string_view word, bool /*begins*/) {
      const auto found = counts.find(word);
      if (found != counts.end()) {
        ++found->second;
      } else {
        counts.emplace(word, 1);
      }
    });
  }

  /// Fills `block.tokens`.
  void encode(Block& block, const Vocabulary& vocabulary) {
    bool begins = false;
    read(block, [&](std::string_view word, bool first) {
      begins |= first;
      const auto found = vocabulary.find(word);
      if (found == vocabulary.end()) return;
      block.tokens.emplace_back(found->second, begins);
      begins = false;
    });
  }

 private:
  /// Calls `visit(word, whether it is the first of its line)` for each word.
  template <typename Visit>
  void read(Block& block, Visit visit) {
    std::string_view rest = block.text;
    while (!rest.empty() && block.refusal.empty()) {
      const std::size_t end = rest.find('\n');
      if (!read_line(rest.substr(0, end), block, visit)) ++block.blank;
      rest.remove_prefix(end + 1);
      ++block.lines;
    }
  }

  /// Returns whether there is a word.
  template <typename Visit>
  bool read_line(std::string_view line, Block& block, Visit& visit) {
    bool begins = true;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != line.npos;
         at = line.find_first_not_of(kBlanks, at)) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
      std::string_view word = line.substr(at, end - at);
      if (!is_ascii(word) && invalid_ != InvalidUtf8::kKeep) word = checked(word, block);
      visit(word, begins);
      begins = false;
      at = end;
    }
    return !begins;
  }

  static bool is_ascii(std::string_view word) {
    return std::ranges::all_of(word, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
  }

  /// The word, or its replacement, which is valid until the next call.
  std::string_view checked(std::string_view word, Block& block) {
    replacement_.clear();
    bool valid = true;
    for (std::string_view rest = word; !rest.empty();) {
      const std::size_t length = utf8_length(rest);
      if (length == 0) {
        valid = false;
        replacement_ += kReplacement;
        ++block.replaced;
        rest.remove_prefix(1);
      } else {
        replacement_ += rest.substr(0, length);
        rest.remove_prefix(length);
      }
    }
    if (valid) return word;
    if (invalid_ == InvalidUtf8::kRefuse) {
      block.refusal = fmt::format(
          "{}:{}: the word '{}' is not valid UTF-8; convert the file, or set invalid_utf8 to "
          "replace or keep",
          block.path, block.first_line + block.lines, excerpt(word));
    }
    return replacement_;
  }

  InvalidUtf8 invalid_;
  std::string replacement_;
};

/// Reads all blocks, as many at a time as there are threads: once to count words, and again to turn
/// them into numbers, so that the text is in memory once and in its final form.
class CorpusReader {
 public:
  CorpusReader(const std::vector<std::string>& files, const CorpusReading& how)
      : files_(files), how_(how) {
    unsigned threads = how.threads;
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    readers_.assign(threads, BlockReader(how.invalid_utf8));
  }

  Corpus read() {
    count();
    encode();
    report();
    return std::move(corpus_);
  }

 private:
  static std::optional<Block> next_block(LineReader& lines) {
    Block block;
    block.path = lines.path();
    block.first_line = lines.number() + 1;
    std::string_view line;
    while (block.text.size() < kBlockBytes && lines.next(line)) {
      block.text += line;
      block.text += '\n';
    }
    if (block.text.empty()) return std::nullopt;
    return block;
  }

  /// Calls `work(thread, block)` for all blocks in several threads, then `done(block)` in their
  /// order.
  template <typename Work, typename Done>
  void for_each_block(Work work, Done done) {
    std::vector<Block> round;
    const auto finish_round = [&] {
      run_round(round, work);
      for (Block& block : round) {
        if (!block.refusal.empty()) throw InputError(block.refusal);
        done(block);
      }
      round.clear();
    };
    for (const std::string& file : files_) {
      LineReader lines(file);
      while (std::optional<Block> block = next_block(lines)) {
        round.push_back(std::move(*block));
        if (round.size() == readers_.size()) finish_round();
      }
    }
    finish_round();
  }

  template <typename Work>
  void run_round(std::vector<Block>& round, Work work) const {
    try {
      std::vector<std::future<void>> others;
      for (std::size_t i = 1; i < round.size(); ++i) {
        others.push_back(std::async(std::launch::async, [&, i] { work(i, round[i]); }));
      }
      if (!round.empty()) work(0, round[0]);
      for (std::future<void>& other : others) other.get();
    } catch (const std::system_error& error) {
      fail_input(
          "{}: a thread to read it with could not be started: {}. Set threads: 1, or raise the "
          "limits of memory and of processes ('ulimit -v', 'ulimit -u')",
          files_.front(), error.what());
    }
  }

  void count() {
    std::vector<Counts> by_thread(readers_.size());
    for_each_block(
        [&](std::size_t thread, Block& block) { readers_[thread].count(block, by_thread[thread]); },
        [&](const Block& block) {
          lines_ += block.lines;
          blank_ += block.blank;
          replaced_ += block.replaced;
        });
    Counts& counts = by_thread[0];
    for (std::size_t i = 1; i < by_thread.size(); ++i) {
      for (const auto& [word, count] : by_thread[i]) counts[word] += count;
      by_thread[i] = {};
    }
    for (const auto& [word, count] : counts) met_ += count;
    choose_words(counts);
  }

  /// The words that are kept get their numbers.
  void choose_words(const Counts& counts) {
    distinct_ = counts.size();
    std::vector<std::pair<std::string_view, std::uint64_t>> kept(counts.begin(), counts.end());
    std::ranges::sort(kept, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    refuse_if_empty(kept);
    while (kept.back().second < how_.min_count) kept.pop_back();
    rare_ = distinct_ - kept.size();
    if (how_.max_vocabulary != 0 && kept.size() > how_.max_vocabulary) {
      beyond_ = kept.size() - how_.max_vocabulary;
      kept.resize(how_.max_vocabulary);
    }
    if (kept.size() > kMaxWords) {
      fail_input("{}: {} words are more than {}; raise min_count or set max_vocabulary",
                 files_.front(), kept.size(), kMaxWords);
    }
    for (const auto& [word, count] : kept) {
      corpus_.words.emplace_back(word);
      corpus_.counts.push_back(count);
      kept_ += count;
    }
  }

  template <typename Words>
  void refuse_if_empty(const Words& by_count) const {
    if (by_count.empty()) fail_input("{}: there is no word in this text", files_.front());
    const auto& [word, count] = by_count.front();
    if (count < how_.min_count) {
      fail_input(
          "{}: no word occurs min_count ({}) times; the most frequent of {}, '{}', occurs {}. "
          "Lower min_count",
          files_.front(), how_.min_count, counted(distinct_, "word"), excerpt(word),
          counted(count, "time"));
    }
  }

  void encode() {
    Vocabulary vocabulary;
    for (std::uint32_t number = 0; number < corpus_.words.size(); ++number) {
      vocabulary.emplace(corpus_.words[number], number);
    }
    corpus_.tokens.reserve(kept_);
    for_each_block(
        [&](std::size_t thread, Block& block) { readers_[thread].encode(block, vocabulary); },
        [&](const Block& block) {
          for (const Token token : block.tokens) append(token);
        });
    if (corpus_.tokens.size() != kept_) {
      fail_input("{}: the text has changed while it was read", files_.front());
    }
  }

  void append(Token token) {
    bool begins = token.begins();
    if (!begins && length_ == kMaxSentence) {
      ++splits_;
      begins = true;
    }
    if (begins) {
      ++sentences_;
      length_ = 0;
    }
    corpus_.tokens.emplace_back(token.word(), begins);
    ++length_;
  }

  void report() {
    auto& notes = corpus_.notes;
    notes.push_back(fmt::format(
        "{}: {} lines, {} blank, {} of {} different words",
        files_.size() == 1
            ? files_.front()
            : fmt::format("{} and {} more", files_.front(), counted(files_.size() - 1, "file")),
        lines_, blank_, counted(met_, "token"), distinct_));
    notes.push_back(
        fmt::format("{} out of vocabulary skipped: words that occur fewer than {} times ({})",
                    counted(met_ - kept_, "token"), how_.min_count, counted(rare_, "word")) +
        (how_.max_vocabulary == 0 ? std::string(", no limit of the vocabulary")
                                  : fmt::format(", and those beyond max_vocabulary, {} ({})",
                                                how_.max_vocabulary, counted(beyond_, "word"))));
    notes.push_back(fmt::format("{}; {} made by splitting longer ones after {} words",
                                counted(sentences_, "sentence"), splits_, kMaxSentence));
    if (replaced_ != 0) {
      notes.push_back(
          fmt::format("{} of invalid UTF-8 replaced by U+FFFD", counted(replaced_, "byte")));
    }
  }

  const std::vector<std::string>& files_;
  const CorpusReading& how_;
  std::vector<BlockReader> readers_;
  Corpus corpus_;
  std::uint64_t lines_ = 0;
  std::uint64_t blank_ = 0;
  std::uint64_t replaced_ = 0;
  std::uint64_t met_ = 0;   ///< tokens
  std::uint64_t kept_ = 0;  ///< of these
  std::size_t length_ = 0;  ///< of the current sentence
  std::uint64_t distinct_ = 0;
  std::uint64_t rare_ = 0;
  std::uint64_t beyond_ = 0;
  std::uint64_t sentences_ = 0;
  std::uint64_t splits_ = 0;
};

}  // namespace

std::vector<std::string> text_files(const std::string& folder) {
  namespace fs = std::filesystem;
  std::error_code error;
  if (fs::exists(folder, error) && !fs::is_directory(folder, error)) {
    fail_input("{}: is a file; give it as file, or the folder that it is in as folder", folder);
  }
  std::vector<std::string> files;
  for (const auto& entry : fs::directory_iterator(folder, error)) {
    if (entry.is_directory()) {
      fail_input("{}: the folder {} in it would be left out; move its files up, or move it away",
                 folder, entry.path().filename().string());
    }
    if (entry.is_regular_file()) files.push_back(entry.path().string());
  }
  if (error) fail_input("{}: cannot be read as a folder: {}", folder, error.message());
  if (files.empty()) fail_input("{}: there is no file in this folder", folder);
  std::ranges::sort(files);
  for (const std::string& file : files) {
    if (!std::ranges::binary_search(files, file + ".gz")) continue;
    fail_input("{}: the folder has {} and the same with .gz, and both would be read; keep one",
               folder, fs::path(file).filename().string());
  }
  return files;
}

Corpus read_corpus(const std::vector<std::string>& files, const CorpusReading& how) {
  return CorpusReader(files, how).read();
}

}  // namespace pslab::data
