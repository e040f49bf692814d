#include "real/launch.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <string_view>
#include <system_error>
#include <thread>

#include "base/error.hpp"
#include "base/text.hpp"
#include "real/hostfile.hpp"

namespace pslab::real {

namespace {

constexpr const char* kLauncher = "mpirun";
constexpr unsigned kMostPerProcessor = 8;  // processes; with more, beats come too late

bool in_path(const std::string& program) {
  const char* variable = std::getenv("PATH");
  std::istringstream path(variable == nullptr ? "/bin:/usr/bin" : variable);
  for (std::string folder; std::getline(path, folder, ':');) {
    const std::string file = (folder.empty() ? "." : folder) + "/" + program;
    std::error_code ignored;
    if (std::filesystem::is_regular_file(file, ignored) && ::access(file.c_str(), X_OK) == 0) {
      return true;
    }
  }
  return false;
}

}  // namespace

Surroundings surroundings() {
  Surroundings found;
  found.root = ::geteuid() == 0;
  found.slurm = std::getenv("SLURM_JOB_ID") != nullptr;
  for (const char* variable : {"SLURM_JOB_NUM_NODES", "SLURM_NNODES"}) {
    if (const char* nodes = std::getenv(variable)) {
      found.slurm_nodes = static_cast<unsigned>(std::strtoul(nodes, nullptr, 10));
      break;
    }
  }
  found.processors = std::max(1U, std::thread::hardware_concurrency());
  return found;
}

void check_launch(const ClusterSpec& cluster, const Surroundings& surroundings) {
  if (cluster.nodes == 1) return;
  if (!in_path(kLauncher)) {
    fail_input(
        "cluster.nodes={}: several processes are started by {}, which is not in PATH. Install it "
        "(Debian: openmpi-bin), or use cluster.nodes=1",
        cluster.nodes, kLauncher);
  }
  if (!cluster.hostfile.empty()) return check_hostfile(cluster.hostfile, cluster.nodes);
  if (surroundings.slurm && surroundings.slurm_nodes > 0 &&
      surroundings.slurm_nodes < cluster.nodes) {
    fail_input(
        "cluster.nodes={} needs as many machines, but this Slurm job has {}: each gets one "
        "process. Ask Slurm for more (--nodes), or lower cluster.nodes",
        cluster.nodes, surroundings.slurm_nodes);
  }
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
  // Tags tell whose output a line is, however the launcher divides it.
  command = {kLauncher,   "-n",   fmt::format("{}", cluster.nodes),
             "--bind-to", "none", "--tag-output"};
  const auto setting = [&command](const char* parameter, const std::string& value) {
    command.insert(command.end(), {"--mca", parameter, value});
  };
  if (here) {
    const unsigned threads = cluster.nodes * cluster.workers_per_node;
    command.emplace_back("--oversubscribe");
    if (cluster.nodes > kMostPerProcessor * surroundings.processors) {
      launch.notes.push_back(fmt::format(
          "warning: {} processes on this machine, which has {}: they may come up too slowly, or "
          "seem lost because they do not get to answer in time (real.answer_within); use fewer "
          "cluster.nodes, or more machines (cluster.hostfile)",
          cluster.nodes, counted(surroundings.processors, "processor")));
    } else if (threads > surroundings.processors) {
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
      launch.advice = fmt::format(
          "does each machine of {} (cluster.hostfile) answer, to 'ssh HOST true' without a "
          "password, and does it have pslab at the same place?",
          cluster.hostfile);
    } else {
      launch.advice = "do all machines of the Slurm job answer?";
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

std::optional<NodeId> rank_to_be() {
  const char* const text = std::getenv("OMPI_COMM_WORLD_RANK");
  NodeId rank = 0;
  if (text == nullptr) return std::nullopt;
  const std::string_view all(text);
  const auto [end, error] = std::from_chars(all.data(), all.data() + all.size(), rank);
  if (error != std::errc() || end != all.data() + all.size()) return std::nullopt;
  return rank;
}

}  // namespace pslab::real
