#include "data/triples_dataset.hpp"

#include "data/triples_reader.hpp"
#include "data/unused_options.hpp"

namespace pslab::data {

TriplesDataset::TriplesDataset(config::Options& options)
    : folder_(options.text("folder", "",
                           "folder with train.del, valid.del, test.del (LibKGE's integer ids) or "
                           "train.txt, ... (names), tab-separated, may be .gz")),
      // The default depends on the folder, so that the resolved config reads back to the same.
      generated_(options.choice(
                     "generator", folder_.empty() ? "zipf_graph" : "none", {"zipf_graph", "none"},
                     "makes the data; none where folder says what to read") == "zipf_graph"),
      graph_(options) {
  if (generated_ && !folder_.empty()) {
    options.reject("generator", "cannot be combined with folder; give one");
  }
  if (!generated_ && folder_.empty()) {
    options.reject("generator", "leaves no data; give generator or folder");
  }
  if (generated_) {
    graph_.check(options);
  } else {
    refuse_unused(
        options, "a folder",
        {"entities", "relations", "triples", "zipf", "classes", "noise", "test_share", "seed"});
  }
}

Triples TriplesDataset::load(Names names) const {
  return generated_ ? generate_zipf_graph(graph_) : read_triples(folder_, names);
}

}  // namespace pslab::data
