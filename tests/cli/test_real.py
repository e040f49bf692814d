"""Runs on real processes: none of them can make a run hang, whatever happens to it."""

import json
import os
import re
import signal
import time
import unittest
from concurrent.futures import ThreadPoolExecutor

from tests.cli.program import is_alive
from tests.cli.real import ENDLESS, REAL, RealTest, WITHIN, descendants, ranks_of


class Deaths(RealTest):
    # Two at a time, which also shows that two runs do not disturb each other.
    def test_killing_any_process_at_any_moment_ends_the_run(self):
        with ThreadPoolExecutor(2) as pool:
            list(pool.map(self.kill_one, range(50)))

    def test_what_was_there_before_is_kept_and_named(self):
        process = self.start_real()
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        time.sleep(1)
        all_processes = descendants(process.pid)
        began = time.monotonic()
        os.kill(ranks_of(process.pid)[1], signal.SIGKILL)
        text = self.end_of(process, began, all_processes)
        self.assertRegex(text, r"last, node 1 was in epoch [0-9]+.*Meanwhile node 0 was in epoch "
                               r"[0-9]+.*node 2 was in epoch [0-9]+")
        summary = self.summaries()
        self.assertEqual([one["status"] for one in summary.values()], ["failed"])
        self.assertGreaterEqual(len(self.table()), 3)

    def test_a_process_that_stops_answering_ends_the_run(self):
        process = self.start_real("real.answer_within=2")
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        all_processes = descendants(process.pid)
        began = time.monotonic()
        os.kill(ranks_of(process.pid)[2], signal.SIGSTOP)
        text = self.end_of(process, began, all_processes)
        self.assertRegex(text, r"node 2 has not answered for [23] s; last, node 2 was in epoch")

    def test_a_launcher_that_is_killed_leaves_nothing(self):
        process = self.start_real()
        all_processes = descendants(process.pid)
        began = time.monotonic()
        os.kill(all_processes[0], signal.SIGKILL)
        self.end_of(process, began, all_processes)

    def test_pslab_itself_being_killed_leaves_no_process(self):
        process = self.start_real()
        all_processes = descendants(process.pid)
        process.kill()
        self.wait_for(lambda: not any(is_alive(pid) for pid in all_processes), 5)

    def test_a_run_in_which_nobody_goes_on_says_who_waits_for_what(self):
        file = self.write("endless.yaml", ENDLESS + "strategy: {name: static}\nfaults: {slow_links: "
                          "[{from_node: 0, to_node: 1, extra_latency: 1000, from: 0.1}]}\n")
        text = self.pslab("run", file, "--no-figures", "real.stall_limit=1",
                          "workload.dataset={rows: 2000, cols: 400, cells: 100000}", code=1).stderr
        self.assertRegex(text, r"no worker went on for 1 s \(real.stall_limit\). Meanwhile node 0 was "
                               r"in epoch [0-9]+: .*worker [0-2] on node [0-2] waits for [12] key\(s\) "
                               r"of a pull, the last asked for being key [0-9]+, of node [0-2]")

    def test_a_barrier_that_a_node_holds_up_names_it(self):
        file = self.write("endless.yaml", ENDLESS + "faults: {slow_links: [{from_node: 1, to_node: "
                                                    "0, extra_latency: 1000}]}\n")
        text = self.pslab("run", file, "--no-figures", "real.stall_limit=1", code=1).stderr
        self.assertIn("node 0 was in epoch 1: 1 of 1 worker on node 0 waits at a barrier, and the "
                      "barrier still waits for node 1; node 1 was", text)

    def test_an_injected_death(self):
        file = self.write("endless.yaml", ENDLESS + "faults: {failures: [{node: 1, at: 0.3}]}\n")
        text = self.pslab("run", file, "--no-figures", code=1).stderr
        self.assertIn("failed: node 1 failed at 300 ms (injected by faults.failures). Meanwhile",
                      text)

    def test_a_run_that_diverges_says_so_once(self):
        file = self.write("real.yaml", REAL)
        text = self.pslab("run", file, "--no-figures", "workload.step_size=1000", code=1).stderr
        self.assertRegex(text, "failed: node 0: epoch 1: the training loss is .*training diverged")


class Ends(RealTest):
    def test_one_interrupt_ends_it_cleanly_and_keeps_results(self):
        process = self.start_real()
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        all_processes = descendants(process.pid)
        began = time.monotonic()
        os.kill(process.pid, signal.SIGINT)
        self.end_of(process, began, all_processes, code=130)
        self.assertEqual([one["status"] for one in self.summaries().values()], ["interrupted"])
        self.assertGreaterEqual(len(self.table()), 3)

    def test_a_time_limit(self):
        file = self.write("endless.yaml", ENDLESS)
        began = time.monotonic()
        text = self.pslab("run", file, "--no-figures", "--timeout", "2", code=1).stderr
        self.assertIn("stopped after 2 s of wall time (--timeout)", text)
        self.assertLess(time.monotonic() - began, WITHIN)


class Runs(RealTest):
    def test_every_strategy_on_several_processes(self):
        file = self.write("real.yaml", REAL + "sweep: {strategy: [{name: static}, "
                                              "{name: relocation}, {name: hybrid}]}\n")
        self.pslab("run", file, "--no-figures")
        self.assertEqual([row["status"] for row in self.table()], ["succeeded"] * 6)

    def test_one_node_needs_no_launcher(self):
        file = self.write("real.yaml", REAL)
        text = self.pslab("check", file, "cluster.nodes=1", "--launch").stdout
        self.assertIn("runs in one process, without a launcher", text)
        self.environment["PATH"] = "/nowhere"
        self.pslab("run", file, "cluster.nodes=1", "--no-figures")

    def test_reads_without_locks_are_not_checked_for_being_whole(self):
        file = self.write("real.yaml", REAL + "real: {consistency: hogwild}\n")
        self.pslab("run", file, "--no-figures")
        error = self.pslab("check", file, "checks.history=true", code=2).stderr
        self.assertRegex(error, r"checks.history: .*real.consistency: hogwild.*; set "
                                r"real.consistency: per_key, or checks.history: false")

    def test_the_launch_command_is_shown(self):
        file = self.write("real.yaml", REAL)
        text = self.pslab("check", file, "--launch").stdout
        self.assertRegex(text, r"mpirun -n 3 --bind-to none --tag-output --oversubscribe .*pslab-bin rank CONFIG")
        self.write("my hosts", "10.1.1.1\n10.1.1.2\n10.1.1.3\n")
        text = self.pslab("check", file, "--launch", "cluster.hostfile=my hosts").stdout
        self.assertRegex(text, r"mpirun -n 3 .*--hostfile 'my hosts' --map-by ppr:1:node")
        self.environment["SLURM_JOB_ID"] = "1"
        text = self.pslab("check", file, "--launch").stdout
        self.assertRegex(text, r"mpirun -n 3 --bind-to none --tag-output --map-by ppr:1:node")
        self.assertNotIn("oversubscribe", text)

    def test_fewer_processes_than_nodes_are_an_error(self):
        file = self.write("real.yaml", REAL)
        line = re.search(r"(OMPI.*)rank CONFIG.yaml", self.pslab("check", file, "--launch").stdout)
        config = self.pslab("check", file, "--config").stdout
        self.write("CONFIG.yaml", config)
        result = self.shell(line.group(1).replace("-n 3", "-n 2") + "rank CONFIG.yaml")
        self.assertNotEqual(result.returncode, 0)
        self.assertIn("the run needs 3 processes, one per node (cluster.nodes), but 2 were started",
                      result.stderr)

    def test_a_missing_launcher_is_named(self):
        file = self.write("real.yaml", REAL)
        self.environment["PATH"] = "/nowhere"
        for command in ["check", "run"]:
            text = self.pslab(command, file, code=2).stderr
            self.assertIn("cluster.nodes=3: several processes are started by mpirun, which is not "
                          "in PATH. Install it (Debian: openmpi-bin), or use cluster.nodes=1", text)
        self.assertFalse((self.folder / "results").exists())


class Agreement(RealTest):
    """The same strategy does the same in simulation and on real processes."""

    def counts(self, backend):
        """Of every epoch, messages and bytes by kind, and by node."""
        file = self.write("static.yaml", REAL + "strategy: {name: static}\nseed: 3\n")
        self.pslab("run", file, "--no-figures", f"backend={backend}", "--out", backend)
        lines = next(self.folder.glob(f"{backend}/*/*/events.jsonl")).read_text().splitlines()
        events = [json.loads(line) for line in lines]
        return [(event["traffic"], [(node["messages"], node["bytes"])
                                    for node in event["nodes"]])
                for event in events if event["event"] == "epoch"]

    def test_messages_and_bytes_by_kind_for_static_placement(self):
        simulated = self.counts("sim")
        self.assertGreater(simulated[0][0]["pull"]["messages"], 100)
        self.assertEqual(simulated, self.counts("real"))


if __name__ == "__main__":
    unittest.main()
