"""What tests of runs on real processes share."""

import os
import random
import signal
import time
from pathlib import Path

from tests.cli.program import ProgramTest, SMALL, is_alive

REAL = SMALL.replace("cluster: {nodes: 2, workers_per_node: 2}",
                     "backend: real\ncluster: {nodes: 3, workers_per_node: 1}")
ENDLESS = REAL.replace("epochs: 2", "epochs: 1000000")
WITHIN = 10  # seconds, from the death of a process to the end of the run


def descendants(pid):
    """Process ids of all that a process has started, directly or not, and that still live."""
    found = []
    try:
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
    except (FileNotFoundError, ProcessLookupError):
        return found
    for child in children:
        found += [int(child), *descendants(child)]
    return found


def ranks_of(pid):
    """Process ids of a run's processes by rank, as far as they have begun."""
    ranks = {}
    for child in descendants(pid):
        try:
            arguments = Path(f"/proc/{child}/cmdline").read_bytes().split(b"\0")
            variables = Path(f"/proc/{child}/environ").read_bytes().split(b"\0")
        except (FileNotFoundError, ProcessLookupError):
            continue
        if arguments[1:2] == [b"rank"]:
            for variable in variables:
                if variable.startswith(b"OMPI_COMM_WORLD_RANK="):
                    ranks[int(variable.split(b"=")[1])] = child
    return ranks


class RealTest(ProgramTest):
    def start_real(self, *arguments, out="results", nodes=3):
        file = self.write("endless.yaml", ENDLESS)
        process = self.start("run", file, "--no-figures", "--out", out,
                             f"cluster.nodes={nodes}", *arguments)
        self.wait_for(lambda: len(ranks_of(process.pid)) == nodes)
        return process

    def end_of(self, process, began, all_processes, code=1):
        """Its output, when it has ended in time, leaving nothing behind."""
        out, err = process.communicate(timeout=WITHIN + 5)
        self.assertLess(time.monotonic() - began, WITHIN)
        self.assertEqual(process.returncode, code, out + err)
        self.wait_for(lambda: not any(is_alive(pid) for pid in all_processes), 3)
        for place in ["/tmp", "/dev/shm"]:
            left = list(Path(place).glob(f"pslab-{process.pid}-*"))
            self.assertEqual(left, [], "files were left behind")
        return out + err

    def kill_one(self, number):
        chance = random.Random(number)
        nodes = chance.choice([2, 3, 4])
        process = self.start_real("seed=" + str(number), out=f"results-{number}", nodes=nodes)
        time.sleep(chance.random() * 1.2)
        all_processes = descendants(process.pid)
        rank, pid = chance.choice(list(ranks_of(process.pid).items()))
        began = time.monotonic()
        os.kill(pid, signal.SIGKILL)
        text = self.end_of(process, began, all_processes)
        self.assertIn(f"node {rank} was killed by SIGKILL", text)
        self.assertRegex(text, rf"last, node {rank} (had not started|was )")
