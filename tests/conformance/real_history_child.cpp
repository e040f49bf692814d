// One process of a run on real processes whose history is checked: real_history_child STRATEGY
// OPTIONS SEED NODES MUTANT. Node 0 prints what came out.

#include <cstdio>
#include <cstdlib>

#include "tests/conformance/real_history.hpp"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const auto nodes = static_cast<pslab::NodeId>(std::atoi(argv[4]));
  const std::string config =
      pslab::test::real_history(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10), nodes);
  const std::string result =
      pslab::test::perform_history(config, pslab::test::real_mutant(argv[5]));
  if (result != "ok") std::printf("%s\n", result.c_str());
  return result.starts_with("ok") ? 0 : 1;
}
