// Trained embeddings as files, in the order of the data set's ids.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "api/workload.hpp"
#include "workloads/knowledge_graph/shared.hpp"

namespace pslab::kge {

/// "tsv": entities.tsv and relations.tsv, a line for each: its name, then its numbers, separated by
/// tabs; they read back to the same floats. "npy": entities.npy and relations.npy, float32 arrays
/// with a row for each (a matrix for models whose relations are matrices), and entities.txt and
/// relations.txt, a name a line. Names are those of the data set's files, or ids. Reads the data
/// set again for them.
std::vector<std::string> model_formats();

/// Returns the names of the files.
std::vector<std::string> write_model(const Shared& shared, const std::string& format,
                                     const std::filesystem::path& folder, const ReadValue& read);

}  // namespace pslab::kge
