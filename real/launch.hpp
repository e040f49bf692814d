// The command that starts the processes of a run: one per node, through Open MPI's mpirun on this
// machine, on the machines of a host file, or within the allocation of a Slurm job.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "api/backend.hpp"

namespace pslab::real {

/// What the command depends on besides the config.
struct Surroundings {
  bool root = false;         ///< this user is root, whom mpirun refuses unless told otherwise
  bool slurm = false;        ///< within the allocation of a Slurm job
  unsigned slurm_nodes = 0;  ///< of the job; 0: not known
  unsigned processors = 1;   ///< of this machine
};
Surroundings surroundings();
/// The rank that the launcher has given to this process; nullopt: no launcher that says so.
std::optional<NodeId> rank_to_be();

/// Throws InputError when it is known beforehand that the processes cannot be started.
void check_launch(const ClusterSpec& cluster, const Surroundings& surroundings);

Launch mpi_launch(const ClusterSpec& cluster, const std::vector<std::string>& program,
                  const std::string& name, const Surroundings& surroundings);

}  // namespace pslab::real
