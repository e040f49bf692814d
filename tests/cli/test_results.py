"""What `run` writes and prints."""

import csv
import json
import os
import re
import shutil
import signal
import sys
import unittest

from tests.cli.program import (ENDLESS, PROGRAM, PROJECT, SMALL, TWO_STRATEGIES, ProgramTest,
                               children_of)

DETERMINISTIC = ["table.csv", "*/events.jsonl", "*/summary.json", "*/config.yaml"]
FAILING = SMALL + "sweep: {faults.failures: [[{node: 1, at: 0.0001}], []]}\n"


class Results(ProgramTest):
    def contents(self, folder):
        return {path.relative_to(folder).as_posix(): path.read_bytes()
                for pattern in DETERMINISTIC for path in folder.glob(pattern)}

    def test_two_executions_are_equal_byte_for_byte_also_in_parallel(self):
        sweep = TWO_STRATEGIES + "repeats: 2\n"
        self.run_small(text=sweep)
        self.run_small("--out", "again", "-j", "3", text=sweep)
        first = self.contents(self.results())
        self.assertEqual(len(first), 1 + 3 * 4)
        self.assertEqual(first, self.contents(self.folder / "again/small"))

    def test_folders_and_files(self):
        self.run_small()
        names = sorted(path.name for path in self.results().iterdir())
        self.assertEqual([name.partition("-")[0] for name in names],
                         ["experiment.yaml", "origin.json", "relocation", "static", "table.csv"])
        run = next(self.results().glob("static-*"))
        self.assertEqual(sorted(path.name for path in run.iterdir()),
                         ["config.yaml", "env.json", "events.jsonl", "log.txt", "summary.json"])
        environment = json.loads((run / "env.json").read_text())
        for key in ("wall_time_s", "host", "cores", "system", "compiler", "build_type", "commit",
                    "dirty", "command_line", "peak_memory_bytes"):
            self.assertIn(key, environment)
        self.assertIn("SimGrid", environment["backend_version"])

    def test_what_is_left_for_the_end_of_an_epoch_is_in_its_settling_time(self):
        self.run_small(text=SMALL + "sweep: {strategy: [{name: static}, "
                                    "{name: full_replication, sync_rate: 0}]}\n")
        seconds = {row["strategy"]: float(row["settle_s"]) for row in self.table()}
        self.assertGreater(seconds["static"], 0.0)
        self.assertGreater(seconds["full_replication"], 1.5 * seconds["static"])
        for summary in self.summaries().values():
            self.assertAlmostEqual(summary["mean_settle_s"], sum(
                float(row["settle_s"]) for row in self.table() if row["run"] == summary["run"]) / 2)

    def test_table_events_and_summary_say_the_same(self):
        self.run_small()
        rows = self.table()
        self.assertEqual([(row["strategy"], row["epoch"]) for row in rows],
                         [("static", "1"), ("static", "2"),
                          ("relocation", "1"), ("relocation", "2")])
        for name, summary in self.summaries().items():
            lines = (self.results() / name / "events.jsonl").read_text().splitlines()
            events = [json.loads(line) for line in lines]
            self.assertEqual([event["event"] for event in events],
                             ["start", "epoch", "epoch", "end"])
            mine = [row for row in rows if row["run"] == name]
            for row, event in zip(mine, events[1:3]):
                self.assertEqual(float(row["time_s"]), event["time_s"])
                self.assertEqual(float(row["test_rmse"]), event["metrics"]["test_rmse"])
                self.assertEqual(int(row["bytes_sent"]), event["totals"]["bytes_sent"])
                self.assertAlmostEqual(sum(event["breakdown_s"].values()), event["epoch_time_s"])
            self.assertEqual(summary["metrics"], events[2]["metrics"])
            self.assertEqual(summary["time_s"], events[2]["time_s"])
            self.assertEqual(summary["status"], "succeeded")
            self.assertEqual(summary["bytes_sent"], sum(int(row["bytes_sent"]) for row in mine))

    def test_swept_values_have_columns(self):
        self.run_small(text=SMALL + "sweep: {strategy: [{name: hybrid, hot_factor: 2}], "
                                    "cluster.nodes: [1, 2]}\n")
        self.assertEqual([(row["sweep.strategy"], row["sweep.cluster.nodes"])
                          for row in self.table()[::2]],
                         [("hybrid (hot_factor 2)", "1"), ("hybrid (hot_factor 2)", "2")])

    def test_another_seed_has_a_folder_of_its_own(self):
        self.run_small(text=SMALL)
        self.run_small("seed=7", text=SMALL)
        names = [path.name.rpartition("-")[0] for path in sorted(self.results().glob("*-*"))]
        self.assertEqual(names, ["run", "seed-7"])

    def test_comparison_is_printed_and_speed_up_is_over_the_single_node(self):
        result = self.run_small(text=SMALL + "sweep: {cluster.nodes: [1, 2]}\n")
        lines = result.stdout.strip().splitlines()
        self.assertRegex(lines[1], r"^configuration +workers +time +over 1 node +test_rmse")
        self.assertRegex(lines[2], r"^relocation +1 x 2 .* 1\.00 .* 100\.0 % +0 B ")
        self.assertRegex(lines[3], r"^relocation +2 x 2 .* kB ")
        self.assertIn("results/small/table.csv", result.stdout)

    def test_repeats_make_one_line_with_an_interval(self):
        result = self.run_small(text=SMALL + "repeats: 3\n")
        lines = [line for line in result.stdout.splitlines() if line.startswith("relocation")]
        self.assertEqual(len(lines), 1)
        self.assertEqual(lines[0].count("±"), 2)

    def test_json_is_all_there_is_on_standard_output(self):
        result = self.run_small("--json")
        self.assertEqual([entry["strategy"] for entry in json.loads(result.stdout)],
                         ["static", "relocation"])
        self.assertEqual(json.loads(result.stdout), list(reversed(self.summaries().values())))

    def test_progress_lines_and_quiet(self):
        text = self.run_small().stderr
        self.assertIn("[2/2] relocation: succeeded: 2 epochs", text)
        self.assertEqual(self.run_small("--force", "--quiet").stderr, "")
        self.assertIn("succeeded: 1 epoch, ", self.run_small("train.epochs=1").stderr)

    def test_progress_of_a_long_run_names_epoch_rate_and_metric(self):
        self.write("endless.yaml", ENDLESS)
        result = self.pslab("run", "endless.yaml", "--no-figures", "--timeout", "1.5",
                            "--progress", "0.4", code=1)
        self.assertRegex(result.stderr, r"\[1/1\] relocation: epoch \d+/1000000 \(0 %\), .+ "
                                        r"simulated, .+ wall, .+ epochs/s, .+ left, test_rmse ")

    def test_why_a_run_ended_is_said_and_stored(self):
        target = "train.target={metric: test_rmse, value: %s}"
        for arguments, reason, shown in [
                ([], "all epochs done", "succeeded: 2 epochs, "),
                ([target % 1e6], "target reached", "succeeded, target reached: 1 epoch, "),
                ([target % 0], "target not reached in 2 epochs",
                 "succeeded, target not reached in 2 epochs: 2 epochs, "),
                (["train.target={metric: test_rmse, value: 1e6, reached: at_or_above}",
                  "train.epochs=1"], "target not reached in 1 epoch", "not reached in 1 epoch: 1"),
                (["train.max_time=1e-9"], "max_time reached",
                 "succeeded, max_time reached: 1 epoch, ")]:
            result = self.run_small(*arguments, "--json", text=SMALL)
            (summary,) = json.loads(result.stdout)
            self.assertEqual(summary["end_reason"], reason)
            self.assertEqual(self.summaries()[summary["run"]], summary)
            self.assertIn(shown, result.stderr)

    def test_output_that_cannot_be_written(self):
        self.run_small()
        for command in ["run small.yaml --no-figures", "run small.yaml --no-figures --json",
                        "resume results/small --no-figures", "check small.yaml", "list",
                        "describe cluster", "--help", "run --help", "compare results/small"]:
            result = self.shell(f'"{PROGRAM}" {command} 2>&1 >/dev/full')
            self.assertEqual(result.returncode, 1, command)
            self.assertEqual(result.stdout.splitlines()[-1],
                             "error: cannot write to standard output", command)

    def test_streams_that_are_closed_get_nothing_and_break_nothing(self):
        for closed in ["2>&-", "<&- 2>&-", "<&-"]:
            file = self.write("small.yaml", TWO_STRATEGIES)
            result = self.shell(f'"{PROGRAM}" run "{file}" --force --no-figures {closed}')
            self.assertEqual(result.returncode, 0, closed)
            self.assertIn("table: ", result.stdout, closed)
            self.assertEqual([row["status"] for row in self.table()], ["succeeded"] * 4)
        result = self.shell(f'"{PROGRAM}" run "{file}" --force --no-figures >&-')
        self.assertEqual(result.returncode, 1)
        self.assertIn("error: cannot write to standard output", result.stderr)
        for arguments in ["run nothing.yaml", "check nothing.yaml", "lits"]:
            for closed in ["2>&-", "2>/dev/full"]:
                result = self.shell(f'"{PROGRAM}" {arguments} {closed}')
                self.assertEqual(result.returncode, 2, arguments + closed)

    def test_what_is_left_is_the_same_beside_all_runs_that_go_on(self):
        file = self.write("endless.yaml", ENDLESS + "sweep: {train.epochs: [3, 1000000, 600000, "
                                                    "500000]}\n")
        result = self.pslab("run", file, "--no-figures", "-j", "2", "--timeout", "2", "--progress",
                            "0.4", code=1)
        lines = [line for line in result.stderr.splitlines() if " left" in line]
        pairs = [(first, second) for first, second in zip(lines, lines[1:])
                 if first.startswith("[2/4]") and second.startswith("[3/4]")]
        self.assertGreater(len(pairs), 1, result.stderr)
        for pair in pairs:
            every = [re.search(r" left \(all runs (.+?)\)", line) for line in pair]
            self.assertEqual(every[0][1], every[1][1])

    def test_from_another_directory_and_without_the_script(self):
        file = self.write("small.yaml", SMALL)
        (self.folder / "elsewhere").mkdir()
        self.environment.pop("PSLAB_ROOT")
        self.pslab("run", file, "--no-figures", "--out", "here", cwd=self.folder / "elsewhere")
        self.assertTrue((self.folder / "elsewhere/here/small/table.csv").exists())


class Failures(ProgramTest):
    def test_a_failed_run_is_a_row_and_the_others_go_on(self):
        result = self.run_small(text=FAILING, code=1)
        self.assertIn("failed: node 1 failed at 100 us (injected by faults.failures)",
                      result.stderr)
        self.assertEqual([(row["status"], row["epoch"]) for row in self.table()],
                         [("failed", "0"), ("succeeded", "1"), ("succeeded", "2")])
        self.assertIn("node 1 failed", self.table()[0]["error"])
        self.assertIn("(failed)", result.stdout)

    def test_what_is_known_of_runs_that_failed_is_shown_where_no_repeat_succeeded(self):
        failing = SMALL + "repeats: 2\nfaults: {failures: [{node: 1, at: %s}]}\n"
        output = self.run_small(text=failing % "8.0e-4", code=1).stdout
        row = next(line for line in output.splitlines() if "2 of 2 failed" in line)
        rows = self.table()
        self.assertEqual([(row["status"], row["epoch"]) for row in rows], [("failed", "1")] * 2)
        mean = sum(float(row["epoch_time_s"]) for row in rows) / 2
        self.assertIn(f"{mean * 1e6:.0f} us ± ", row)
        self.assertRegex(row, r"us +- +- +\d+\.\d %")  # no node to compare with, no one quality

    def test_failed_runs_are_tried_again(self):
        self.run_small(text=FAILING, code=1)
        result = self.run_small(text=FAILING, code=1)
        self.assertIn("1 of 2 runs is finished already; --force runs it again", result.stderr)
        self.assertIn("[1/2]", result.stderr)

    def test_timeout(self):
        file = self.write("endless.yaml", ENDLESS)
        result = self.pslab("run", file, "--no-figures", "--timeout", "0.7", code=1)
        self.assertIn("failed: stopped after 0.7 s of wall time (--timeout)", result.stderr)
        rows = self.table()
        self.assertGreater(len(rows), 1)
        self.assertEqual({row["status"] for row in rows}, {"failed"})

    def test_a_run_that_is_killed_has_failed(self):
        sweep = ENDLESS + "sweep: {train.epochs: [1000000, 1]}\n"
        process = self.start_endless(text=sweep)
        os.kill(children_of(process)[0], signal.SIGKILL)
        _, messages = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 1)
        self.assertIn("killed by SIGKILL (Killed)", messages)
        ends = {row["run"]: row["status"] for row in self.table()}
        self.assertEqual(list(ends.values()), ["failed", "succeeded"])

    def test_a_run_that_crashes_has_failed(self):
        process = self.start_endless()
        os.kill(children_of(process)[0], signal.SIGSEGV)
        _, messages = process.communicate(timeout=20)
        self.assertEqual(process.returncode, 1)
        self.assertIn("killed by SIGSEGV (Segmentation fault)", messages)

    def test_bad_data_of_a_later_run_fail_that_run(self):
        self.write("ratings.tsv", "1\t1\tgood\n")
        sweep = SMALL.replace("  dataset", "#  dataset") + (
            "sweep:\n  workload.dataset:\n    - {rows: 100, cols: 40, cells: 800}\n"
            "    - {train: ratings.tsv}\n")
        self.run_small(text=sweep, code=1)
        self.assertEqual([row["status"] for row in self.table()],
                         ["succeeded", "succeeded", "failed"])
        self.assertIn("ratings.tsv:1", self.table()[-1]["error"])

    def test_warnings_about_the_data_are_shown_once_per_experiment(self):
        self.write("train.tsv", "".join(f"{row}\t{row % 7}\t1.5\n" for row in range(50)))
        self.write("test.tsv", "1\t1\t2\n99\t1\t2\n")
        text = ("experiment: small\nworkload: {rank: 2, dataset: {train: train.tsv, "
                "test: test.tsv}}\nsweep: {strategy: [{name: static}, {name: relocation}]}\n")
        messages = self.run_small(text=text).stderr
        self.assertEqual(messages.count("leak"), 1, messages)
        self.assertIn("warning: 1 held-out cells are training cells too", messages)
        self.assertEqual(messages.count("without"), 1, messages)
        quiet = self.run_small("--force", "--quiet", text=text).stderr
        self.assertRegex(quiet, r"\A  warning: 1 held-out cell.* training cell.*\n\Z")
        self.assertEqual(self.pslab("check", "small.yaml").stderr, "")

    def test_debug_and_sanitizer_builds_say_so(self):
        result = self.run_small(text=SMALL)
        environment = json.loads(next(self.results().glob("*/env.json")).read_text())
        slow = environment["build_type"] == "Debug" or environment["sanitizer"] != ""
        self.assertEqual("it takes much longer than a release build" in result.stderr, slow)


class Figures(ProgramTest):
    def test_are_drawn_and_plot_and_compare_read_the_results(self):
        self.write("small.yaml", TWO_STRATEGIES)
        result = self.pslab("run", "small.yaml")
        if "warning: no figures were drawn" in result.stderr:
            self.skipTest(result.stderr)
        self.assertIn("results/small/figures", result.stdout)
        self.assertTrue((self.results() / "figures/quality_over_time.png").exists())
        shutil.rmtree(self.results() / "figures")
        self.pslab("plot", "results/small")
        self.assertTrue((self.results() / "figures/quality_over_time.pdf").exists())
        self.assertIn("relocation", self.pslab("compare", "results/small").stdout)

    def test_quickstart_draws_the_same_on_both_backends(self):
        if "real  not part of this build" in self.pslab("list", "backends").stdout:
            self.skipTest("there is one backend only")
        small = ["workload.dataset={rows: 100, cols: 40, cells: 800}", "train.epochs=1",
                 "workload.rank=4"]
        names = []
        for backend in ([], ["backend=real", "cluster.nodes=2", "cluster.workers_per_node=1"]):
            result = self.pslab("run", PROJECT / "configs/quickstart.yaml", *small, *backend)
            if "warning: no figures were drawn" in result.stderr:
                self.skipTest(result.stderr)
            names.append(sorted(path.name
                                for path in self.results("quickstart").glob("figures/*.png")))
            shutil.rmtree(self.results("quickstart"))
        self.assertEqual(names, 2 * [["quality_over_time.png", "time_breakdown.png",
                                      "traffic.png"]])

    def test_bad_usage_of_plot_is_exit_code_2(self):
        self.assertIn("no such folder", self.pslab("plot", "nowhere", code=2).stderr)

    def test_without_matplotlib_the_run_still_succeeds(self):
        python = self.write("python", f"#!/bin/sh\nexec {sys.executable} -S -I -c "
                                      "'import sys; sys.exit(\"error: matplotlib is missing\")'\n")
        python.chmod(0o755)
        self.environment["PSLAB_PYTHON"] = str(python)
        self.write("small.yaml", SMALL)
        result = self.pslab("run", "small.yaml")
        self.assertIn("warning: no figures were drawn: error: matplotlib is missing", result.stderr)
        self.environment["PSLAB_PYTHON"] = "no-such-python"
        result = self.pslab("run", "small.yaml")
        self.assertIn("there is no program no-such-python", result.stderr)
        self.assertIn("cannot start no-such-python", self.pslab("plot", "x", code=2).stderr)


class CheckedHistoryTest(ProgramTest):
    def test_a_run_tells_how_much_of_its_history_was_checked(self):
        self.run_small("checks.history=true", text=SMALL)
        (name, summary), = self.summaries().items()
        # 80 of 800 cells are held out: 2 epochs x 2 keys; training pulls and pushes, evaluation pulls.
        self.assertEqual(summary["checked_history"],
                         {"pulls": 3200, "pushes": 2880, "dropped": 0})
        self.assertIn("checks.history: 3200 pulls and 2880 pushes of a key were checked\n",
                      (self.results() / name / "log.txt").read_text())

    def test_a_run_that_does_not_check_says_so(self):
        self.run_small(text=SMALL)
        (summary,) = self.summaries().values()
        self.assertIsNone(summary["checked_history"])

    def test_memory_that_the_machine_does_not_have_is_refused(self):
        result = self.run_small("checks.history=true", "checks.history_memory=1048576", text=SMALL,
                                code=2)
        self.assertIn("checks.history: to count the pushes of 4 workers to each of 140 keys and to "
                      "keep checks.history_memory of events takes about 1", result.stderr)


if __name__ == "__main__":
    unittest.main()
