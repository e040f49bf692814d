"""Stopping an experiment, and going on with it."""

import fcntl
import json
import os
import signal
import time
import unittest

from tests.cli.program import (ENDLESS, SMALL, TWO_STRATEGIES, ProgramTest, children_of, is_alive,
                               send)

# Relocation runs first and ends at once; then static goes on.
SECOND_ENDLESS = ENDLESS + "sweep: {train.epochs: [2, 1000000, 3]}\n"


class Stop(ProgramTest):
    def stop(self, process, number=signal.SIGINT):
        send(process, number)
        output, messages = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 130, messages)
        return output, messages

    def test_first_interrupt_keeps_results(self):
        for number in (signal.SIGINT, signal.SIGTERM):
            process = self.start_endless("--force")
            output, messages = self.stop(process, number)
            self.assertIn("interrupted: 0 of 1 run succeeded, 1 to do. "
                          "Go on with: pslab resume results/small", messages)
            shown = next(line for line in output.splitlines() if "(interrupted)" in line)
            rows = self.table()
            self.assertGreaterEqual(len(rows), 3)
            self.assertEqual({(row["status"], row["error"]) for row in rows}, {("interrupted", "")})
            (summary,) = self.summaries().values()
            self.assertEqual((summary["status"], summary["error"]), ("interrupted", ""))
            self.assertEqual(summary["epochs"], len(rows))
            self.assertIn(f"{summary['metrics']['test_rmse']:.4g}", shown)

    def test_the_command_to_go_on_with_can_be_pasted(self):
        self.environment["PSLAB_COMMAND"] = "./pslab"
        process = self.start_endless("--out", "my results")
        _, messages = self.stop(process)
        self.assertIn("Go on with: ./pslab resume 'my results/small'\n", messages)
        origin = json.loads((self.folder / "my results/small/origin.json").read_text())
        self.assertTrue(origin["command_line"].endswith(" --out 'my results'"), origin)

    def test_interrupt_while_data_are_made(self):
        file = self.write("a.yaml", "experiment: small\n"
                                    "workload: {dataset: {cells: 50000000, rows: 10000000}}\n")
        process = self.start("run", file, "--no-figures")
        self.wait_for(lambda: children_of(process))
        self.stop(process)
        self.assertEqual([row["status"] for row in self.table()], ["interrupted"])

    def test_second_interrupt_kills_at_once(self):
        process = self.start_endless()
        (child,) = children_of(process)
        os.kill(child, signal.SIGSTOP)  # takes no notice of the first one
        os.kill(process.pid, signal.SIGINT)
        self.wait_for(lambda: "interrupted" in os.read(process.stderr.fileno(), 1000).decode())
        self.assertIsNone(process.poll())
        time.sleep(0.4)  # sooner, it would count as the same Ctrl-C
        os.kill(process.pid, signal.SIGINT)
        process.communicate(timeout=10)
        self.assertEqual(process.returncode, 130)
        self.assertFalse(is_alive(child))
        self.assertEqual(self.summaries(), {})

    def test_an_interrupt_that_arrives_twice_counts_once(self):
        process = self.start_endless()
        send(process)
        self.stop(process)
        self.assertEqual([entry["status"] for entry in self.summaries().values()], ["interrupted"])

    def test_no_process_is_left_behind_when_the_program_is_killed(self):
        process = self.start_endless()
        (child,) = children_of(process)
        process.kill()
        self.wait_for(lambda: not is_alive(child))

    def test_several_at_once_are_all_stopped(self):
        process = self.start_endless("-j", "2", text=ENDLESS + "repeats: 3\n")
        self.wait_for(lambda: len(children_of(process)) == 2)
        self.stop(process)
        self.assertEqual([entry["status"] for entry in self.summaries().values()],
                         ["interrupted"] * 2)


class Resume(ProgramTest):
    def test_finished_runs_are_kept_and_the_rest_is_run(self):
        process = self.start_endless(text=SECOND_ENDLESS)
        self.wait_for(lambda: len(self.summaries()) == 1)
        self.wait_for(lambda: self.epochs_so_far() >= 3)
        send(process)
        _, messages = process.communicate(timeout=20)
        self.assertIn("interrupted: 1 of 3 runs succeeded, 2 to do.", messages)
        statuses = [entry["status"] for entry in self.summaries().values()]
        self.assertEqual(sorted(statuses), ["interrupted", "succeeded"])
        result = self.pslab("resume", "results/small", "--no-figures", "--timeout", "1", code=1)
        self.assertIn("1 of 3 runs is finished already", result.stderr)
        self.assertEqual(sorted(entry["status"] for entry in self.summaries().values()),
                         ["failed", "succeeded", "succeeded"])

    def test_needs_nothing_but_the_folder(self):
        file = self.write("a.yaml", "experiment: small\n"
                                    "workload: {rank: 2, dataset: {train: data/r.tsv}}\n"
                                    "sweep: {strategy: [{name: static}, {name: relocation}]}\n")
        self.write("data/r.tsv", "".join(f"{row}\t{row % 7}\t1.5\n" for row in range(50)))
        self.pslab("run", file, "workload.rank=3", "--no-figures")
        before = (self.results() / "table.csv").read_bytes()
        run = next(self.results().glob("relocation-*"))
        (run / "summary.json").unlink()
        file.unlink()
        (self.folder / "x").mkdir()
        result = self.pslab("resume", run, "--no-figures", cwd=self.folder / "x")
        self.assertIn("[2/2] relocation: succeeded", result.stderr)
        self.assertEqual((self.results() / "table.csv").read_bytes(), before)
        self.assertIn("rank: 3", (run / "config.yaml").read_text())

    def test_of_something_else_is_refused(self):
        self.assertIn("no such folder", self.pslab("resume", "nowhere", code=2).stderr)
        self.assertIn("there is no experiment.yaml", self.pslab("resume", ".", code=2).stderr)


class Reuse(ProgramTest):
    def test_finished_runs_are_not_run_again_unless_forced(self):
        self.run_small()
        again = self.run_small()
        self.assertIn("2 of 2 runs are finished already; --force runs them again", again.stderr)
        self.assertNotIn("[1/2]", again.stderr)
        self.assertIn("[1/2] static: succeeded", self.run_small("--force").stderr)

    def test_results_of_another_build_are_named(self):
        self.run_small()
        for path in self.results().glob("*/env.json"):
            path.write_text(path.read_text().replace('"program": "', '"program": "0'))
        self.assertIn("warning: 2 of the finished runs were made by another build",
                      self.run_small("--quiet").stderr)

    def test_a_cut_off_file_is_run_again(self):
        self.run_small()
        path = next(self.results().glob("static-*/events.jsonl"))
        whole = path.read_bytes()
        path.write_bytes(whole[:-200])
        self.assertIn("1 of 2 runs is finished already", self.run_small().stderr)
        self.assertEqual(path.read_bytes(), whole)

    def test_a_folder_with_another_config_is_not_overwritten(self):
        self.run_small()
        path = next(self.results().glob("static-*/config.yaml"))
        path.write_text(path.read_text().replace("rank: 4", "rank: 5"))
        result = self.run_small(code=2)
        self.assertIn("holds a run with another config: 'rank: 5', now 'rank: 4'", result.stderr)
        self.run_small("--force")
        self.assertIn("rank: 4", path.read_text())

    def test_another_sweep_leaves_runs_and_makes_the_table_its_own(self):
        self.run_small()
        self.run_small("workload.rank=8")
        self.assertEqual(len(self.summaries()), 4)
        self.assertEqual(len(self.table()), 4)

    def test_two_programs_do_not_share_a_folder(self):
        self.run_small()
        lock = os.open(self.results(), os.O_RDONLY)
        self.addCleanup(os.close, lock)
        fcntl.flock(lock, fcntl.LOCK_EX)
        self.assertIn("another pslab is running the experiment", self.run_small(code=2).stderr)


if __name__ == "__main__":
    unittest.main()
