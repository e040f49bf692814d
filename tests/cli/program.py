"""Runs the built program (PSLAB_BIN) in an empty folder, on small experiments."""

import csv
import json
import os
import signal
import subprocess
import tempfile
import time
import unittest
from pathlib import Path

PROJECT = Path(__file__).resolve().parents[2]
PROGRAM = os.environ.get("PSLAB_BIN", str(PROJECT / "build" / "release" / "pslab-bin"))

SMALL = """\
experiment: small
cluster: {nodes: 2, workers_per_node: 2}
workload:
  rank: 4
  dataset: {rows: 100, cols: 40, cells: 800, test_share: 0.1}
train: {epochs: 2}
"""
TWO_STRATEGIES = SMALL + "sweep: {strategy: [{name: static}, {name: relocation}]}\n"
# Goes on for minutes, with many epochs per second.
ENDLESS = SMALL.replace("epochs: 2", "epochs: 1000000").replace("cells: 800", "cells: 100")


class ProgramTest(unittest.TestCase):
    maxDiff = None

    def setUp(self):
        folder = tempfile.TemporaryDirectory(prefix="pslab cli ")
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.environment = dict(os.environ, PSLAB_ROOT=str(PROJECT),
                                PSLAB_DATA=str(self.folder / "no data"))
        self.environment.pop("PSLAB_COMMAND", None)

    def write(self, name, text):
        path = self.folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return path

    def pslab(self, *arguments, code=0, cwd=None, seconds=60):
        """Runs it to the end and checks the exit code."""
        result = subprocess.run([PROGRAM, *map(str, arguments)], cwd=cwd or self.folder,
                                env=self.environment, capture_output=True, text=True,
                                timeout=seconds)
        self.assertEqual(result.returncode, code, result.stdout + result.stderr)
        return result

    def shell(self, line):
        return subprocess.run(line, shell=True, cwd=self.folder, env=self.environment,
                              capture_output=True, text=True, timeout=60)

    def run_small(self, *arguments, code=0, text=TWO_STRATEGIES):
        """`run` without figures, which take longer than the runs."""
        file = self.write("small.yaml", text)
        return self.pslab("run", file, "--no-figures", *arguments, code=code)

    def assert_refused(self, arguments, message):
        """Exit code 2, this whole text on standard error, nothing on standard output."""
        result = self.pslab(*arguments, code=2)
        self.assertEqual(result.stderr, f"error: {message}\n")
        self.assertEqual(result.stdout, "")

    def start(self, *arguments):
        process = subprocess.Popen([PROGRAM, *map(str, arguments)], cwd=self.folder,
                                   env=self.environment, stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, text=True, start_new_session=True)
        self.addCleanup(self.end, process)
        return process

    @staticmethod
    def end(process):
        if process.poll() is None:
            process.kill()
        process.communicate()

    def start_endless(self, *arguments, text=ENDLESS):
        """A run that has finished some epochs and goes on."""
        file = self.write("endless.yaml", text)
        process = self.start("run", file, "--no-figures", "--quiet", *arguments)
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        return process

    def epochs_so_far(self):
        parts = list(self.folder.glob("*results/*/*/events.jsonl.part"))
        return min((part.read_text().count('"event":"epoch"') for part in parts), default=0)

    def wait_for(self, condition, seconds=20):
        end = time.monotonic() + seconds
        while not condition():
            self.assertLess(time.monotonic(), end, "waited in vain")
            time.sleep(0.02)

    def results(self, name="small"):
        return self.folder / "results" / name

    def table(self, name="small"):
        with (self.results(name) / "table.csv").open(newline="") as file:
            return list(csv.DictReader(file))

    def summaries(self, name="small"):
        return {path.parent.name: json.loads(path.read_text())
                for path in sorted(self.results(name).glob("*/summary.json"))}


def children_of(process):
    text = Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text()
    return [int(pid) for pid in text.split()]


def is_alive(pid):
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie has ended; nobody has asked for its exit code yet.
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"


def send(process, number=signal.SIGINT):
    """To the program and all its children, as a terminal does."""
    os.killpg(process.pid, number)
