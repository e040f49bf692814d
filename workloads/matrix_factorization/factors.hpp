// The trained factors as files: ratings are about W * H, plus what else there is.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "api/workload.hpp"
#include "workloads/matrix_factorization/shared.hpp"

namespace pslab::mf {

/// Writes, in the order of the data set's rows and columns: W.mma (rows x rank) and H.mma (rank x
/// columns); with biases row_biases.mma and column_biases.mma (one column each); with `center`
/// mean.mma (1 x 1). Rows or columns whose ids are no such numbers: row_ids.txt, column_ids.txt,
/// one per line. Returns the names of the files.
std::vector<std::string> write_factors(const Shared& shared, const std::filesystem::path& folder,
                                       const ReadValue& read);

}  // namespace pslab::mf
