#include "data/corpus_dataset.hpp"

#include <algorithm>
#include <vector>

#include "config/unused.hpp"
#include "data/fetch.hpp"

namespace pslab::data {
namespace {

CorpusReading read_options(config::Options& options) {
  CorpusReading reading;
  reading.min_count = static_cast<std::uint64_t>(options.integer(
      "min_count", 5, 1, 1'000'000'000'000, "", "words that occur less often are left out"));
  reading.max_vocabulary = static_cast<std::uint64_t>(
      options.integer("max_vocabulary", 0, 0, static_cast<std::int64_t>(kMaxWords), "words",
                      "keep only so many of the most frequent words; 0: all"));
  const std::string invalid =
      options.choice("invalid_utf8", "refuse", {"refuse", "replace", "keep"},
                     "words that are not valid UTF-8: an error; each wrong byte becomes U+FFFD; "
                     "words are bytes");
  reading.invalid_utf8 = invalid == "refuse"    ? InvalidUtf8::kRefuse
                         : invalid == "replace" ? InvalidUtf8::kReplace
                                                : InvalidUtf8::kKeep;
  reading.threads = static_cast<unsigned>(options.integer(
      "threads", 0, 0, 1024, "threads",
      "that each process reads the text with; 0: one for each processor", config::Affects::kSpeed));
  return reading;
}

constexpr const char* kAnalogies = "analogies.txt";
constexpr const char* kSimilarities = "similarities.tsv";

/// The questions that a set has about its text.
WordTests tests_of(const CatalogEntry& entry) {
  WordTests tests;
  for (const CatalogFile& file : entry.files) {
    const std::string path = dataset_directory(entry) + "/" + file.name;
    if (file.name == kAnalogies) tests.analogies = read_analogies(path);
    if (file.name == kSimilarities) tests.similarities = read_similarities(path);
  }
  return tests;
}

}  // namespace

CorpusDataset::CorpusDataset(config::Options& options)
    : name_(read_dataset_name(options, DatasetKind::kText, "file")),
      file_(options.text("file", "", "text with a sentence in each line; may be .gz")),
      folder_(options.text("folder", "",
                           "folder whose files, by name, are read as one such text (shards)")),
      reading_(read_options(options)),
      // The default depends on the others, so that the resolved config reads back to the same.
      generated_(options.choice(
                     "generator",
                     name_.empty() && file_.empty() && folder_.empty() ? "planted_corpus" : "none",
                     {"planted_corpus", "none"},
                     "makes the text, with topics and analogies to be found; none where "
                     "name, file or folder says what to read") == "planted_corpus"),
      planted_(options) {
  if (!file_.empty() && !folder_.empty()) {
    options.reject("folder", "cannot be combined with file; give one");
  }
  if (!name_.empty() && !(file_.empty() && folder_.empty())) {
    options.reject("name", "cannot be combined with file or folder; give one");
  }
  const bool read = !name_.empty() || !file_.empty() || !folder_.empty();
  if (generated_ && read) {
    options.reject("generator", "cannot be combined with name, file or folder; give one");
  }
  if (!generated_ && !read) {
    options.reject("generator", "leaves no text; give generator, name, file or folder");
  }
  if (generated_) {
    config::refuse_unused(options, "on data from a generator",
                          {"min_count", "max_vocabulary", "invalid_utf8", "threads"});
  } else {
    config::refuse_unused(options, "on data from a file",
                          {"topics", "items", "forms", "sentences", "zipf", "noise", "seed"});
  }
}

bool CorpusDataset::has_file(const char* file) const {
  if (name_.empty()) return false;
  const std::vector<CatalogFile>& files = find_dataset(name_).files;
  return std::ranges::any_of(files, [&](const CatalogFile& each) { return each.name == file; });
}

bool CorpusDataset::has_analogies() const {
  return generated_ || has_file(kAnalogies);
}

bool CorpusDataset::has_similarities() const {
  return generated_ || has_file(kSimilarities);
}

PlantedText CorpusDataset::load(const std::string& root, const Say& say) const {
  if (generated_) return generate_planted_corpus(planted_);
  if (!file_.empty()) return {read_corpus({file_}, reading_), {}};
  if (!folder_.empty()) return {read_corpus(text_files(folder_), reading_), {}};
  const CatalogEntry& entry = find_dataset(name_);
  fetch(entry, root, say);
  const std::string file = text_file(entry);
  Corpus corpus = read_corpus({file}, reading_);
  // The place of the cache is this computer's; results must not depend on it.
  for (std::string& note : corpus.notes) {
    if (note.starts_with(file)) note.replace(0, file.size(), name_);
  }
  return {std::move(corpus), tests_of(entry)};
}

}  // namespace pslab::data
