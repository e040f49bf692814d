#include "tests/conformance/launched.hpp"

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <filesystem>

#include "real/launch.hpp"

namespace pslab::test {

std::string launched(const std::vector<std::string>& program, NodeId nodes,
                     const std::string& name) {
  ClusterSpec cluster;
  cluster.nodes = nodes;
  cluster.workers_per_node = 2;
  Launch launch = real::mpi_launch(cluster, program, name, real::surroundings());
  std::erase(launch.command, "--tag-output");  // only one process prints
  std::string line = "timeout -k 1 60 env";
  for (const auto& [variable, value] : launch.environment) line += " " + variable + "=" + value;
  for (const std::string& word : launch.command) line += " '" + word + "'";
  for (const std::string& folder : launch.folders) std::filesystem::create_directories(folder);
  std::string output;
  std::FILE* pipe = ::popen((line + " 2>&1 </dev/null").c_str(), "r");
  std::array<char, 4096> part{};
  while (const std::size_t size = std::fread(part.data(), 1, part.size(), pipe)) {
    output.append(part.data(), size);
  }
  const int status = ::pclose(pipe);
  for (const std::string& folder : launch.folders) std::filesystem::remove_all(folder);
  return status == 0 ? output : fmt::format("{}(status {})", output, status);
}

}  // namespace pslab::test
