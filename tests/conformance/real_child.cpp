// One process of a random run on real processes: real_child STRATEGY OPTIONS SEED NODES BOARD.
// Prints what was wrong; exit code 0: nothing.

#include <cstdio>
#include <cstdlib>

#include "tests/conformance/real_run.hpp"

int main(int argc, char** argv) {
  if (argc != 6) return 2;
  const auto nodes = static_cast<pslab::NodeId>(std::atoi(argv[4]));
  pslab::test::RandomRun run =
      pslab::test::real_run(argv[1], argv[2], std::strtoull(argv[3], nullptr, 10), nodes);
  run.board = argv[5];
  run.hogwild = run.cluster.seed % 2 == 0;
  const std::string result = pslab::test::perform(run);
  if (result.starts_with("ok")) return 0;
  std::printf("%s\n", result.c_str());
  return 1;
}
