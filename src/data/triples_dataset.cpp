#include "data/triples_dataset.hpp"

#include "config/unused.hpp"
#include "data/fetch.hpp"
#include "data/triples_reader.hpp"

namespace pslab::data {

TriplesDataset::TriplesDataset(config::Options& options)
    : name_(read_dataset_name(options, DatasetKind::kGraph, "folder")),
      folder_(options.text("folder", "",
                           "folder with train.del, valid.del, test.del (LibKGE's integer ids) or "
                           "train.txt, ... (names), tab-separated, may be .gz")),
      // The default depends on the folder, so that the resolved config reads back to the same.
      generated_(options.choice("generator",
                                name_.empty() && folder_.empty() ? "zipf_graph" : "none",
                                {"zipf_graph", "none"},
                                "makes the data; none where name or folder says what to read") ==
                 "zipf_graph"),
      graph_(options) {
  if (!name_.empty() && !folder_.empty()) {
    options.reject("folder", "cannot be combined with name; give one");
  }
  const bool read = !name_.empty() || !folder_.empty();
  if (generated_ && read) {
    options.reject("generator", "cannot be combined with name or folder; give one");
  }
  if (!generated_ && !read) {
    options.reject("generator", "leaves no data; give generator, name or folder");
  }
  if (generated_) {
    graph_.check(options);
  } else {
    config::refuse_unused(
        options, name_.empty() ? "on data from a folder" : "on data from the catalog",
        {"entities", "relations", "triples", "zipf", "classes", "noise", "test_share", "seed"});
  }
}

Triples TriplesDataset::load(const std::string& root, const Say& say, Names names) const {
  if (generated_) return generate_zipf_graph(graph_);
  return read_triples(name_.empty() ? folder_ : fetch(find_dataset(name_), root, say), names);
}

}  // namespace pslab::data
