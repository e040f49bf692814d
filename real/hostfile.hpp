// The machines that a host file names, in mpirun's format.
#pragma once

#include <string>

namespace pslab::real {

/// A line names one machine, perhaps with slots=N, which does not count here: each machine gets one
/// process. Throws InputError, with the line, if the file is of another kind, names fewer distinct
/// machines than `nodes`, or one that this machine does not know.
void check_hostfile(const std::string& path, unsigned nodes);

}  // namespace pslab::real
