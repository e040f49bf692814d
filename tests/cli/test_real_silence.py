"""Runs on real processes whose processes or launcher fall silent, die or are asked to end."""

import os
import signal
import time
import unittest
from pathlib import Path

from tests.cli.program import PROGRAM, is_alive
from tests.cli.real import ENDLESS, REAL, RealTest, descendants, ranks_of

# For this host it does nothing, for ever; for others it executes here what ssh would there.
AGENT = """\
#!/bin/bash
host=$1
shift
if [ "$host" = 10.9.9.2 ]; then exec sleep 1000; fi
exec bash -c "$*"
"""


class Silence(RealTest):
    def check_stopped(self, of, message, nodes=3):
        """`of`: from the run's process ids to those to stop."""
        file = self.write("endless.yaml", ENDLESS)
        process = self.start("run", file, "--no-figures", "--progress", "3600", "--out", "results",
                             f"cluster.nodes={nodes}")
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        all_processes = descendants(process.pid)
        began = time.monotonic()
        for pid in of(process.pid):
            os.kill(pid, signal.SIGSTOP)
        self.assertRegex(self.end_of(process, began, all_processes), message)

    def test_of_the_only_process_is_noticed_in_time(self):
        self.check_stopped(descendants, r"node 0 has not answered for (8|9) s", nodes=1)

    def test_of_one_node_is_noticed_in_time(self):
        self.check_stopped(lambda pid: [ranks_of(pid)[1]], r"node 1 has not answered for (8|9) s")

    def test_of_one_node_before_all_have_met_is_noticed_in_time(self):
        file = self.write("endless.yaml", ENDLESS)
        process = self.start("run", file, "--no-figures", "--progress", "3600", "--out", "results",
                             "cluster.nodes=3")
        self.wait_for(lambda: 1 in ranks_of(process.pid))
        began = time.monotonic()
        os.kill(ranks_of(process.pid)[1], signal.SIGSTOP)
        text = self.end_of(process, began, descendants(process.pid))
        self.assertRegex(text, r"node 1 has not (started|answered) for (8|9) s; last, node 1 (had "
                               r"not started|was (joining the others|loading its data|in epoch))")

    def test_of_all_nodes_is_noticed_in_time_and_blamed_on_none(self):
        self.check_stopped(lambda pid: ranks_of(pid).values(),
                           r"no node has answered for (8|9) s; the launcher \(mpirun\) or the "
                           r"machine may be stopped")

    def test_of_the_launcher_is_noticed_in_time_and_blamed_on_no_node(self):
        self.check_stopped(lambda pid: descendants(pid)[:1],
                           r"no node has answered for (8|9) s; the launcher \(mpirun\) or the "
                           r"machine may be stopped")


class AMachineThatDoesNotAnswer(RealTest):
    def start_on_hosts(self, *arguments):
        agent = self.write("agent", AGENT)
        agent.chmod(0o755)
        # Open MPI takes words apart at spaces, and the folder's name has some.
        path = f"/tmp/pslab_test_agent_{os.getpid()}"
        os.symlink(agent, path)
        self.addCleanup(os.unlink, path)
        self.environment["OMPI_MCA_plm_rsh_agent"] = path
        self.write("hosts", "10.9.9.1\n10.9.9.2\n")
        file = self.write("real.yaml", REAL)
        process = self.start("run", file, "--no-figures", "--out", "results", "cluster.nodes=2",
                             "cluster.hostfile=hosts", *arguments)
        self.wait_for(lambda: any("sleep" in self.command_of(pid)
                                  for pid in descendants(process.pid)))
        return process

    @staticmethod
    def command_of(pid):
        try:
            return Path(f"/proc/{pid}/cmdline").read_text()
        except (FileNotFoundError, ProcessLookupError):
            return ""

    def test_ends_at_the_time_limit_with_the_host_file_named(self):
        process = self.start_on_hosts("--timeout", "3")
        all_processes = descendants(process.pid)
        text = self.end_of(process, time.monotonic(), all_processes)
        self.assertRegex(text, r"stopped after 3 s of wall time \(--timeout\); no node had started: "
                               r"does each machine of hosts \(cluster.hostfile\) answer")

    def test_ends_at_the_first_interrupt(self):
        process = self.start_on_hosts()
        all_processes = descendants(process.pid)
        began = time.monotonic()
        process.send_signal(signal.SIGINT)
        self.end_of(process, began, all_processes, code=130)

    def test_ends_when_the_launcher_is_killed(self):
        process = self.start_on_hosts()
        all_processes = descendants(process.pid)
        began = time.monotonic()
        os.kill(all_processes[0], signal.SIGKILL)
        text = self.end_of(process, began, all_processes)
        self.assertIn("the launcher (mpirun) was killed by SIGKILL (Killed)", text)


class Signals(RealTest):
    def text_after(self, number, of):
        process = self.start_real()
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        time.sleep(0.6)
        all_processes = descendants(process.pid)
        began = time.monotonic()
        os.kill(of(process.pid), number)
        return self.end_of(process, began, all_processes)

    def test_a_node_that_was_asked_to_end_is_named(self):
        text = self.text_after(signal.SIGTERM, lambda pid: ranks_of(pid)[1])
        self.assertRegex(text, r"node 1 was asked to end by SIGTERM, which did not come from pslab; "
                               r"last, node 1 was in epoch")

    def test_a_node_that_was_asked_to_end_before_training_is_named(self):
        process = self.start_real("workload.dataset={rows: 4000, cols: 2000, cells: 3000000}")
        all_processes = descendants(process.pid)
        time.sleep(0.5)
        began = time.monotonic()
        os.kill(ranks_of(process.pid)[2], signal.SIGTERM)
        self.assertIn("node 2 was asked to end by SIGTERM, which did not come from pslab; last, node "
                      "2 ", self.end_of(process, began, all_processes))

    def test_a_launcher_that_was_asked_to_end_is_named(self):
        text = self.text_after(signal.SIGTERM, lambda pid: descendants(pid)[0])
        self.assertIn("the launcher (mpirun) was asked to end by a signal that did not come from "
                      "pslab", text)

    def test_a_launcher_that_was_killed_is_named_and_memory_is_not(self):
        text = self.text_after(signal.SIGKILL, lambda pid: descendants(pid)[0])
        self.assertRegex(text, r"the launcher \(mpirun\) was killed by SIGKILL \(Killed\).*Meanwhile "
                               r"node 0 was in epoch")
        self.assertNotIn("memory runs out", text)


class ManyNodes(RealTest):
    def test_nothing_of_what_they_tell_is_lost(self):
        file = self.write("real.yaml", REAL)
        self.pslab("run", file, "--no-figures", "cluster.nodes=50", "train.epochs=1", "repeats=2",
                   "real.answer_within=60")
        self.assertEqual([row["status"] for row in self.table()], ["succeeded"] * 2)

    def test_a_warning_says_that_this_machine_is_too_small(self):
        file = self.write("real.yaml", REAL)
        nodes = 8 * os.cpu_count() + 1
        text = self.pslab("check", file, f"cluster.nodes={nodes}").stderr
        self.assertIn(f"warning: {nodes} processes on this machine, which has", text)
        self.assertEqual(self.pslab("check", file).stderr, "")


class Leftovers(RealTest):
    def test_what_a_killed_pslab_left_is_removed_by_the_next(self):
        process = self.start_real()
        all_processes = descendants(process.pid)
        process.kill()
        process.wait()
        left = [f"{place}/pslab-{process.pid}-1" for place in ["/tmp", "/dev/shm"]]
        self.assertTrue(all(os.path.isdir(folder) for folder in left))
        alive = self.start_real(out="other")
        self.assertFalse(any(os.path.isdir(folder) for folder in left))
        self.assertFalse(any(is_alive(pid) for pid in all_processes))
        file = self.write("real.yaml", REAL)
        self.pslab("run", file, "--no-figures", "--out", "third")
        self.assertTrue(os.path.isdir(f"/tmp/pslab-{alive.pid}-1"), "of one that lives")


class Limits(RealTest):
    def test_a_thread_that_cannot_be_started_is_explained(self):
        file = self.write("real.yaml", REAL)
        out = self.folder / "results"
        line = (f"ulimit -v 3000000; '{PROGRAM}' run '{file}' --no-figures --out '{out}' "
                "cluster.nodes=1 cluster.workers_per_node=1000")
        result = self.shell(line)
        self.assertEqual(result.returncode, 1, result.stdout + result.stderr)
        self.assertRegex(result.stderr, r"a thread could not be started: Resource temporarily "
                                        r"unavailable.*'ulimit -v'.*fewer cluster.workers_per_node")


if __name__ == "__main__":
    unittest.main()
