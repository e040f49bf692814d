"""The command line: exit codes, what goes to which stream, and the files it writes."""

import json
import os
import shutil
import subprocess
import sys

from tests.analysis.sample import ROOT, STORED, SampleCase, run


class CommandLine(SampleCase):
    def call(self, *arguments, **environment):
        return subprocess.run([sys.executable, "-m", "analysis", *map(str, arguments)],
                              capture_output=True, text=True, check=False,
                              cwd=self.folder, env=os.environ | {"PYTHONPATH": str(ROOT)}
                              | environment)

    def assert_refused(self, done, code, *texts):
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertNotIn("Traceback", done.stderr)
        self.assertEqual(done.stdout, "")
        for text in texts:
            self.assertIn(text, done.stderr)

    def test_plot_prints_the_path_of_each_figure(self):
        folder = self.copy_of_stored()
        done = self.call("plot", folder)
        self.assertEqual(done.returncode, 0, done.stderr)
        names = ("quality_over_time", "time_breakdown", "scaling", "traffic")
        self.assertEqual(done.stdout.splitlines(), [str(folder / "figures" / f"{name}.{kind}")
                                                    for name in names for kind in ("png", "pdf")])
        for line in done.stdout.splitlines():
            self.assertGreater(os.path.getsize(line), 5000)
        self.assertIn("not drawn: relocation, 2 × 2, seed 2 (failed: ", done.stderr)

    def test_plot_removes_a_figure_that_applies_no_more(self):
        folder = self.write([run("static"), run("ssp")])
        (folder / "figures").mkdir()
        for name in ("scaling.png", "scaling.pdf", "mine.png"):
            (folder / "figures" / name).touch()
        done = self.call("plot", folder)
        self.assertIn("no figure scaling: ", done.stderr)
        left = {path.name for path in (folder / "figures").iterdir()}
        self.assertEqual({"scaling.png", "scaling.pdf", "mine.png"} & left, {"mine.png"})

    def test_figures_are_the_same_bytes_every_time(self):
        first = self.copy_of_stored()
        second = shutil.copytree(STORED, self.folder / "second")
        paths = [self.call("plot", folder).stdout.split() for folder in (first, second)]
        self.assertEqual(len(paths[0]), 8)
        for one, other in zip(*paths):
            with open(one, "rb") as left, open(other, "rb") as right:
                self.assertEqual(left.read(), right.read(), one)

    def test_plot_refuses_bad_folders(self):
        self.assert_refused(self.call("plot", "absent"), 2, "absent: no such folder")
        (self.folder / "bare").mkdir()
        self.assert_refused(self.call("plot", "bare"), 2, "there is no table.csv in it")

    def test_plot_refuses_an_unknown_metric(self):
        self.assert_refused(self.call("plot", self.copy_of_stored(), "--metric", "mrr"), 2,
                            "--metric mrr", "train_loss, test_rmse")

    def test_plot_without_any_succeeded_run(self):
        folder = self.write([run(status="failed", error="no memory"), run("ssp", metric=[],
                                                                          status="interrupted")])
        self.assert_refused(self.call("plot", folder), 1, "no run succeeded", "no memory",
                            "interrupted")

    def test_missing_matplotlib_names_the_package(self):
        (self.folder / "matplotlib.py").write_text(
            "raise ModuleNotFoundError(\"No module named 'matplotlib'\", name='matplotlib')\n")
        done = self.call("plot", STORED, PYTHONPATH=f"{self.folder}{os.pathsep}{ROOT}")
        self.assert_refused(done, 1, "matplotlib is missing", "apt install python3-matplotlib")

    def test_compare_needs_no_matplotlib(self):
        (self.folder / "matplotlib.py").write_text("raise ModuleNotFoundError(name='matplotlib')\n")
        done = self.call("compare", STORED, PYTHONPATH=f"{self.folder}{os.pathsep}{ROOT}")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_compare_prints_json_and_nothing_else(self):
        done = self.call("compare", "--json", STORED)
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(json.loads(done.stdout)["groups"]), 4)

    def test_compare_refuses_what_is_not_comparable_with_code_2(self):
        first = self.write([run("static")], "first", rank=32)
        second = self.write([run("ssp")], "second", rank=64)
        done = self.call("compare", first, second)
        self.assertEqual(done.returncode, 2)
        self.assertIn("not comparable because workload.rank differs (32 vs 64)", done.stderr)
        self.assertEqual((done.stdout + done.stderr).count("workload.rank differs"), 1)
        self.assertIn("Epoch time", done.stdout)

    def test_compare_refuses_bad_input(self):
        self.assert_refused(self.call("compare", "absent"), 2, "absent: no such folder")
        self.assert_refused(self.call("compare", STORED / "no-such-run"), 2,
                            "no-such-run: no such run in")

    def test_output_that_cannot_be_written(self):
        commands = [("compare", STORED), ("compare", STORED, "--json"), ("--help",),
                    ("plot", self.copy_of_stored())]
        for command in commands:
            for output in ("/dev/full", "&-"):
                line = f'exec "$@" >{output}'
                done = subprocess.run(
                    ["sh", "-c", line, "sh", sys.executable, "-m", "analysis", *map(str, command)],
                    capture_output=True, text=True, check=False, cwd=self.folder,
                    env=os.environ | {"PYTHONPATH": str(ROOT)})
                self.assertEqual(done.returncode, 1, done.stderr)
                self.assertEqual(done.stderr.splitlines()[-1],
                                 "error: cannot write to standard output", command)
                self.assertNotIn("Traceback", done.stderr)

    def test_usage_errors_have_code_2(self):
        for command in ("plot", "compare"):
            self.assertIn(f"\npslab {command}: error: the following arguments are required: ",
                          self.call(command).stderr)
        self.assertEqual(self.call().returncode, 2)
        self.assertEqual(self.call("draw", STORED).returncode, 2)
        self.assertEqual(self.call("compare").returncode, 2)
