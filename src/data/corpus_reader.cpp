#include "data/corpus_reader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <future>
#include <numeric>
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
  std::vector<Token> tokens;     ///< of the thread's own words
  std::uint64_t lines = 0;
  std::uint64_t blank = 0;
  std::uint64_t replaced = 0;  ///< bytes
  std::string refusal;         ///< of the first thing that is wrong; empty: nothing
};

/// The words that a thread has met, numbered in that order.
class WordTable {
 public:
  std::uint32_t add(std::string_view word) {
    const auto found = numbers_.find(word);
    std::uint32_t number = 0;
    if (found != numbers_.end()) {
      number = found->second;
    } else {
      number = static_cast<std::uint32_t>(words_.size());
      const auto at = numbers_.emplace(word, number).first;
      words_.push_back({&at->first, 0});
    }
    ++words_[number].count;
    return number;
  }

  struct Entry {
    const std::string* word;
    std::uint64_t count;
  };
  const std::vector<Entry>& words() const { return words_; }

 private:
  struct Hash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const {
      return std::hash<std::string_view>()(text);
    }
  };
  std::unordered_map<std::string, std::uint32_t, Hash, std::equal_to<>> numbers_;
  std::vector<Entry> words_;
};

/// What one thread does.
class BlockReader {
 public:
  explicit BlockReader(InvalidUtf8 invalid) : invalid_(invalid) {}

  const WordTable& table() const { return table_; }

  void read(Block& block) {
    std::string_view rest = block.text;
    while (!rest.empty() && block.refusal.empty()) {
      const std::size_t end = rest.find('\n');
      read_line(rest.substr(0, end), block);
      rest.remove_prefix(end + 1);
      ++block.lines;
    }
  }

 private:
  void read_line(std::string_view line, Block& block) {
    bool begins = true;
    for (std::size_t at = line.find_first_not_of(kBlanks); at != line.npos;
         at = line.find_first_not_of(kBlanks, at)) {
      const std::size_t end = std::min(line.find_first_of(kBlanks, at), line.size());
      std::string_view word = line.substr(at, end - at);
      if (!is_ascii(word) && invalid_ != InvalidUtf8::kKeep) word = checked(word, block);
      block.tokens.emplace_back(table_.add(word), begins);
      begins = false;
      at = end;
    }
    if (begins) ++block.blank;
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
  WordTable table_;
  std::string replacement_;
};

/// Reads all blocks, as many at a time as there are threads.
class CorpusReader {
 public:
  CorpusReader(const std::vector<std::string>& files, const CorpusReading& how)
      : files_(files), how_(how) {
    unsigned threads = how.threads;
    if (threads == 0) threads = std::max(1U, std::thread::hardware_concurrency());
    readers_.assign(threads, BlockReader(how.invalid_utf8));
  }

  Corpus read() {
    std::vector<Block> round;
    for (const std::string& file : files_) {
      LineReader lines(file);
      while (std::optional<Block> block = next_block(lines)) {
        round.push_back(std::move(*block));
        if (round.size() == readers_.size()) read_round(round);
      }
    }
    read_round(round);
    choose_words();
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

  void read_round(std::vector<Block>& round) {
    try {
      std::vector<std::future<void>> others;
      for (std::size_t i = 1; i < round.size(); ++i) {
        others.push_back(
            std::async(std::launch::async, [this, i, &round] { readers_[i].read(round[i]); }));
      }
      if (!round.empty()) readers_[0].read(round[0]);
      for (std::future<void>& other : others) other.get();
    } catch (const std::system_error& error) {
      throw InputError(thread_failure(error.what()));
    }
    for (std::size_t i = 0; i < round.size(); ++i) {
      Block& block = round[i];
      if (!block.refusal.empty()) throw InputError(block.refusal);
      block.text = {};
      lines_ += block.lines;
      blank_ += block.blank;
      replaced_ += block.replaced;
      met_ += block.tokens.size();
      block.tokens.shrink_to_fit();
      blocks_.push_back({i, std::move(block.tokens)});
    }
    round.clear();
  }

  /// Adds up what the threads counted; the words that are kept get their final numbers.
  void choose_words() {
    std::unordered_map<std::string_view, std::uint64_t> counts;
    for (const BlockReader& reader : readers_) {
      for (const auto& [word, count] : reader.table().words()) counts[*word] += count;
    }
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
      numbers_.emplace(word, static_cast<std::uint32_t>(corpus_.words.size()));
      corpus_.words.emplace_back(word);
      corpus_.counts.push_back(count);
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

  /// Joins the blocks' tokens, in final numbers.
  void encode() {
    constexpr std::uint32_t kNone = ~std::uint32_t{0};
    std::vector<std::vector<std::uint32_t>> final_number(readers_.size());
    for (std::size_t i = 0; i < readers_.size(); ++i) {
      for (const WordTable::Entry& entry : readers_[i].table().words()) {
        const auto found = numbers_.find(*entry.word);
        final_number[i].push_back(found == numbers_.end() ? kNone : found->second);
      }
    }
    corpus_.tokens.reserve(
        std::accumulate(corpus_.counts.begin(), corpus_.counts.end(), std::uint64_t{0}));
    bool begins = false;
    std::size_t length = 0;
    for (auto& [reader, tokens] : blocks_) {
      for (const Token token : tokens) {
        begins |= token.begins();
        const std::uint32_t number = final_number[reader][token.word()];
        if (number == kNone) continue;
        if (!begins && length == kMaxSentence) {
          ++splits_;
          begins = true;
        }
        if (begins) {
          ++sentences_;
          length = 0;
        }
        corpus_.tokens.emplace_back(number, begins);
        ++length;
        begins = false;
      }
      tokens = {};
    }
  }

  void report() {
    const std::uint64_t kept = corpus_.tokens.size();
    auto& notes = corpus_.notes;
    notes.push_back(fmt::format(
        "{}: {} lines, {} blank, {} of {} different words",
        files_.size() == 1
            ? files_.front()
            : fmt::format("{} and {} more", files_.front(), counted(files_.size() - 1, "file")),
        lines_, blank_, counted(met_, "token"), distinct_));
    notes.push_back(
        fmt::format("{} out of vocabulary skipped: words that occur fewer than {} times ({})",
                    counted(met_ - kept, "token"), how_.min_count, counted(rare_, "word")) +
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

  /// The tokens of a block, in the numbers of the thread that read it.
  struct Encoded {
    std::size_t reader;
    std::vector<Token> tokens;
  };

  const std::vector<std::string>& files_;
  const CorpusReading& how_;
  std::vector<BlockReader> readers_;
  std::vector<Encoded> blocks_;
  std::unordered_map<std::string_view, std::uint32_t> numbers_;  ///< of the words that are kept
  Corpus corpus_;
  std::uint64_t lines_ = 0;
  std::uint64_t blank_ = 0;
  std::uint64_t replaced_ = 0;
  std::uint64_t met_ = 0;  ///< tokens
  std::uint64_t distinct_ = 0;
  std::uint64_t rare_ = 0;
  std::uint64_t beyond_ = 0;
  std::uint64_t sentences_ = 0;
  std::uint64_t splits_ = 0;
};

}  // namespace

Corpus read_corpus(const std::vector<std::string>& files, const CorpusReading& how) {
  return CorpusReader(files, how).read();
}

}  // namespace pslab::data
