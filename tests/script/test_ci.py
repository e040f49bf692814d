""".ci/run: phases in order, stopping at the first that fails."""

import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]


class CiRunTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pslab ci ")
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for path in [".ci", "tools"]:
            (self.root / path).mkdir()
        shutil.copy(PROJECT / ".ci/run", self.root / ".ci")
        self.write("tools/check_tidy.sh", "echo tidy")

    def write(self, path, body):
        file = self.root / path
        file.write_text(f"#!/usr/bin/env bash\n{body}\n")
        file.chmod(0o755)

    def run_ci(self):
        run = subprocess.run([self.root / ".ci/run"], cwd="/", capture_output=True, text=True)
        return run.returncode, [line for line in run.stdout.splitlines() if line[:3] != "== "], run.stdout

    def test_all_phases_run_and_say_how_long_they_took(self):
        self.write("pslab", 'echo "pslab $*"')
        code, phases, output = self.run_ci()
        self.assertEqual(code, 0)
        self.assertEqual(phases, ["pslab test", "tidy", "pslab test --preset asan -L sanitize",
                                  "pslab test --preset tsan -L threads"])
        self.assertRegex(output, r"(?m)^== static analysis: passed after \d+ s$")

    def test_the_first_failed_phase_ends_the_run_with_its_exit_code(self):
        self.write("pslab", 'echo "pslab $*"; [[ $# == 1 ]] || exit 8')
        code, phases, output = self.run_ci()
        self.assertEqual(code, 8)
        self.assertEqual(len(phases), 3)
        self.assertTrue(output.splitlines()[-1].startswith("== sanitizers: FAILED (8) after "))


if __name__ == "__main__":
    unittest.main()
