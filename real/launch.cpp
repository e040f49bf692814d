#include "real/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cstdlib>
#include <thread>

namespace pslab::real {

Surroundings surroundings() {
  Surroundings found;
  found.root = ::geteuid() == 0;
  found.slurm = std::getenv("SLURM_JOB_ID") != nullptr;
  found.processors = std::max(1U, std::thread::hardware_concurrency());
  return found;
}

Launch mpi_launch(const ClusterSpec& cluster, const std::vector<std::string>& program,
                  const std::string& name, const Surroundings& surroundings) {
  Launch launch;
  if (cluster.nodes == 1) return launch;
  const bool here = cluster.hostfile.empty() && !surroundings.slurm;
  if (surroundings.root) {
    launch.environment = {{"OMPI_ALLOW_RUN_AS_ROOT", "1"}, {"OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1"}};
    launch.notes.emplace_back("started by root: told Open MPI to allow it");
  }
  std::vector<std::string>& command = launch.command;
  command = {"mpirun", "-n", fmt::format("{}", cluster.nodes), "--bind-to", "none"};
  const auto setting = [&command](const char* parameter, const std::string& value) {
    command.insert(command.end(), {"--mca", parameter, value});
  };
  if (here) {
    const unsigned threads = cluster.nodes * cluster.workers_per_node;
    command.emplace_back("--oversubscribe");
    if (threads > surroundings.processors) {
      launch.notes.push_back(fmt::format(
          "{} workers share the {} processors of this machine: good for seeing that it works, not "
          "for comparing times",
          threads, surroundings.processors));
    }
    setting("btl", "vader,self");
    if (!name.empty()) {
      // Folders of its own, so that nothing is left of a run that was killed.
      launch.folders = {"/tmp/" + name, "/dev/shm/" + name};
      setting("orte_tmpdir_base", launch.folders[0]);
      setting("btl_vader_backing_directory", launch.folders[1]);
    }
  } else {
    if (!cluster.hostfile.empty()) {
      command.insert(command.end(), {"--hostfile", cluster.hostfile});
    }
    command.insert(command.end(), {"--map-by", "ppr:1:node"});
    for (const char* variable : {"PSLAB_ROOT", "PSLAB_CACHE"}) {
      if (std::getenv(variable) != nullptr) command.insert(command.end(), {"-x", variable});
    }
  }
  setting("pml", "ob1");
  command.insert(command.end(), program.begin(), program.end());
  return launch;
}

}  // namespace pslab::real
