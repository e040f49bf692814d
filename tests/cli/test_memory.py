"""What check and run say of a run's memory, and what it takes."""

import json
import re
import subprocess

from tests.cli.program import PROGRAM, SMALL, ProgramTest

LITTLE_MEMORY_KIB = 512 << 10
PROGRAM_MIB = 30
# Where most memory is that of parameters.
LARGE_VALUES = """\
experiment: large
cluster: {nodes: 6}
workload:
  rank: 128
  dataset: {rows: 6000, cols: 2000, cells: 15000, test_share: 0.1}
train: {epochs: 1}
sweep:
  strategy:
    - {name: full_replication}
    - {name: hybrid, replicated_keys: 2000}
    - {name: ssp}
    - {name: essp}
    - {name: adaptive}
"""


class Memory(ProgramTest):
    def test_estimates_the_memory_of_strategies_that_replicate(self):
        self.write("a.yaml", LARGE_VALUES)
        table = self.pslab("check", "a.yaml").stdout
        self.pslab("run", "a.yaml", "--no-figures")
        runs = list((self.folder / "results" / "large").glob("*-*"))
        self.assertEqual(len(runs), 5)
        for run in runs:
            peak = json.loads((run / "env.json").read_text())["peak_memory_bytes"] / 2**20
            row = re.search(rf"(?m)^{run.name} .* ([\d.]+) MiB$", table)
            with self.subTest(run=run.name, peak=peak, estimate=row[1]):
                self.assertLess(peak, 1.25 * float(row[1]) + PROGRAM_MIB)
                if not run.name.startswith("adaptive"):  # which drops copies: it has a bound only
                    self.assertGreater(peak, 0.75 * float(row[1]) + PROGRAM_MIB / 3)

    def test_says_that_data_do_not_fit_into_memory(self):
        if "sanitizer" in self.pslab("--version").stdout:
            self.skipTest("a sanitizer needs more address space than the limit leaves")
        self.write("large.yaml", "experiment: large\nworkload: {name: knowledge_graph, dataset: "
                   "{entities: 500000000, triples: 1000}}\n")
        result = subprocess.run(
            ["sh", "-c", f"ulimit -v {LITTLE_MEMORY_KIB} && exec {PROGRAM} check large.yaml"],
            cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60)
        self.assertEqual(result.returncode, 1)
        self.assertEqual(result.stderr, "error: there is not enough memory. Make the data or the "
                         "model smaller, raise the limit ('ulimit -v'), or use a larger machine\n")

    def test_warns_of_a_run_that_needs_more_memory_than_there_is(self):
        self.write("a.yaml", SMALL)
        if "sanitizer" in self.pslab("--version").stdout:
            self.skipTest("a sanitizer needs more address space than the limit leaves")
        command = f"ulimit -v {LITTLE_MEMORY_KIB} && exec {PROGRAM} \"$@\""
        for arguments in (["check", "a.yaml"], ["run", "a.yaml", "--no-figures"]):
            self.assertNotIn("of memory", self.pslab(*arguments).stderr)
            result = subprocess.run(
                ["sh", "-c", command, "sh", *arguments, "workload.rank=100000",
                 "workload.dataset.rows=2000"],
                cwd=self.folder, env=self.environment, capture_output=True, text=True, timeout=60)
            self.assertEqual(result.returncode, 0 if arguments[0] == "check" else 1)
            self.assertRegex(result.stderr, r"warning: a run needs about 7\d\d MiB of memory, but "
                                            r"this machine gives it at most 512 MiB, so ")
