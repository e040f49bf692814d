"""Commands, options, and what is refused before anything starts."""

import os
import re
import signal
import subprocess
import unittest
from pathlib import Path

from tests.cli.program import PROGRAM, PROJECT, SMALL, TWO_STRATEGIES, ProgramTest, send

COMMANDS = "run, check, resume, export, list, describe, data, plot, compare"


def sleeps(process):
    return Path(f"/proc/{process.pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "S"


class Usage(ProgramTest):
    def test_help_names_commands_and_what_the_script_adds(self):
        text = self.pslab("--help").stdout
        for word in [*COMMANDS.split(", "), "./pslab test", "./pslab build", "quickstart.yaml"]:
            self.assertIn(word, text)
        self.assertLess(len(text.splitlines()), 30)

    def test_every_command_has_help(self):
        for command in COMMANDS.split(", ")[:6]:
            self.assertIn(f"Usage: pslab {command}", self.pslab(command, "--help").stdout)

    def test_help_of_export_names_the_formats_of_every_workload(self):
        text = self.pslab("export", "--help").stdout
        for line in self.pslab("list", "workloads").stdout.splitlines():
            self.assertRegex(text, rf"\n  {line.split()[0]} +\w")
        self.assertRegex(text, "word2vec +word2vec_text, word2vec_binary\n")
        self.assertRegex(text, "synthetic +none\n")

    def test_no_command_shows_the_help_and_is_an_error(self):
        self.assertEqual(self.pslab(code=2).stdout, self.pslab("--help").stdout)

    def test_version(self):
        self.assertRegex(self.pslab("--version").stdout, r"^pslab \d+\.\d+\.\d+ \(commit ")

    def test_unknown_command_is_named_with_the_nearest(self):
        self.assert_refused(["rnu"], f"unknown command 'rnu'. Did you mean 'run'? "
                                     f"Commands: {COMMANDS}. See: pslab --help")
        self.assert_refused(["calibrate"], f"unknown command 'calibrate'. Commands: {COMMANDS}. "
                                           "See: pslab --help")

    def test_unknown_option_is_named_with_the_nearest(self):
        result = self.pslab("run", "--foce", "x.yaml", code=2)
        self.assertIn("pslab run: unknown option '--foce'. Did you mean '--force'?", result.stderr)
        self.assert_refused(["--froce"], "unknown option '--froce'; a command comes first. "
                                         "See: pslab --help")

    def test_missing_and_superfluous_arguments(self):
        self.assert_refused(["run"], "pslab run: FILE is required. See: pslab run --help")
        self.assert_refused(["list", "a", "b"],
                            "pslab list: unexpected argument 'b'. See: pslab list --help")

    def test_values_of_options_are_checked(self):
        seconds = "expected seconds, above 0 and at most 1000000000"
        jobs = "expected an integer in 1 .. 1024"
        for option, seen, allowed in [
                ("--jobs", "0", jobs), ("--jobs", "many", jobs), ("--jobs", "1e99", jobs),
                ("--timeout", "0", seconds), ("--timeout", "-1", seconds),
                ("--timeout", "soon", seconds), ("--timeout", "nan", seconds),
                ("--timeout", "1e99", seconds), ("--progress", "0", seconds)]:
            self.assert_refused(["run", "x.yaml", option, seen],
                                f"pslab run: {option}: {allowed}, seen '{seen}'. "
                                "See: pslab run --help")


class Refusals(ProgramTest):
    def setUp(self):
        super().setUp()
        self.write("a.yaml", SMALL)

    def test_missing_file(self):
        self.assert_refused(["run", "no.yaml"],
                            "no.yaml: cannot be opened: No such file or directory; a relative path "
                            f"counts from the working directory, {self.folder}.")
        self.assertIn("cluster.platform: x/y.yaml: cannot be opened: No such file or directory; a "
                      f"relative path counts from the working directory, {self.folder}.",
                      self.pslab("check", "a.yaml", "cluster.platform=x/y.yaml", code=2).stderr)

    def test_unknown_key_has_file_line_and_nearest_name(self):
        self.write("b.yaml", SMALL.replace("nodes: 2", "nods: 2"))
        self.assert_refused(
            ["run", "b.yaml"], "b.yaml:2: cluster.nods: unknown option. Did you mean 'nodes'? "
                               "Allowed here: nodes, workers_per_node, platform, "
                               "hostfile")

    def test_bad_overrides_are_quoted(self):
        self.assert_refused(
            ["run", "a.yaml", "cluster.nodes"],
            "command line: cluster.nodes: is not an override, it has no '='. Write KEY.PATH=VALUE, "
            "as in 'cluster.nodes=4'.")
        self.assert_refused(
            ["run", "a.yaml", "cluster.nodes=many"],
            "command line: cluster.nodes=many: cluster.nodes: expected an integer in 1 .. 65534 "
            "(nodes), seen the text 'many'")

    def test_every_run_of_a_sweep_is_checked_before_the_first_starts(self):
        result = self.pslab("run", "a.yaml", "sweep.cluster.nodes=[1, 0]", code=2)
        self.assertIn("cluster.nodes: expected an integer", result.stderr)
        self.assertFalse((self.folder / "results").exists())

    def test_unknown_backend(self):
        self.assert_refused(
            ["run", "a.yaml", "backend=rael"],
            "command line: backend=rael: backend: unknown value 'rael'. Did you mean 'real'? "
            "Allowed: real, sim")

    def test_unknown_platform(self):
        result = self.pslab("run", "a.yaml", "cluster.platform=infiniband-10g", code=2)
        self.assertIn("cluster.platform: unknown platform 'infiniband-10g'. Did you mean "
                      "'infiniband-100g'?", result.stderr)

    def test_name_that_is_no_folder(self):
        result = self.pslab("run", "a.yaml", "experiment=../up", code=2)
        self.assertIn("'../up' cannot be the name of a folder", result.stderr)

    def test_runs_that_are_equal_with_defaults_filled_in(self):
        result = self.pslab(
            "run", "a.yaml",
            "sweep.strategy=[{name: static}, {name: static, placement: hash}]", code=2)
        self.assertIn("are the same once defaults are filled in", result.stderr)

    def test_results_that_cannot_be_written(self):
        self.write("file", "")
        result = self.pslab("run", "a.yaml", "--out", "file/results", code=2)
        self.assertEqual(result.stderr.splitlines()[-1],
                         "error: cannot make the folder file/results/small: Not a directory. "
                         "Choose another place with --out DIR.")

    @unittest.skipIf(os.geteuid() == 0, "root may write everywhere")
    def test_folder_that_is_read_only(self):
        (self.folder / "closed").mkdir(mode=0o555)
        result = self.pslab("run", "a.yaml", "--out", "closed", code=2)
        self.assertIn("Permission denied. Choose another place with --out DIR.", result.stderr)

    def test_missing_data_files_of_all_runs_are_found_before_the_first(self):
        self.write("good.tsv", "1\t1\t2\n1\t2\t3\n")
        self.write("b.yaml", "experiment: b\n"
                             "sweep:\n"
                             "  workload.dataset:\n"
                             "    - {train: good.tsv}\n"
                             "    - {train: good.tsv, test: gone.tsv}\n"
                             f"    - {{train: '{self.folder}/lost.tsv'}}\n"
                             "    - {train: .}\n")
        message = ("b.yaml:5: workload.dataset.test: gone.tsv: cannot open: No such file or "
                   "directory; a relative path counts from the working directory, "
                   f"{self.folder}\n"
                   f"b.yaml:6: workload.dataset.train: {self.folder}/lost.tsv: cannot open: No "
                   "such file or directory\n"
                   "b.yaml:7: workload.dataset.train: .: is a directory; name the file in it that "
                   "has the data")
        self.assert_refused(["check", "b.yaml"], message)
        self.assertTrue(self.pslab("run", "b.yaml", code=2).stderr.endswith(f"error: {message}\n"))
        self.assertFalse((self.folder / "results").exists())

    def test_missing_folders_of_triples_are_found_before_the_first_run(self):
        self.write("b.yaml", "experiment: b\n"
                             "workload:\n"
                             "  name: knowledge_graph\n"
                             "  dataset: {folder: gone}\n")
        for command in ["check", "run"]:
            self.assertIn("b.yaml:4: workload.dataset.folder: gone: there is no such folder",
                          self.pslab(command, "b.yaml", code=2).stderr)

    def test_pipes_are_no_data_and_no_platform(self):
        for pipe in ["pipe.tsv", "pipe.yaml"]:
            os.mkfifo(self.folder / pipe)
        self.write("good.tsv", "1\t1\t2\n1\t2\t3\n")
        data = "pipe.tsv: not a regular file; store the data in a file first"
        self.write("b.yaml", "workload:\n  dataset: {train: good.tsv, test: pipe.tsv}\n")
        self.assert_refused(["check", "b.yaml"], f"b.yaml:2: workload.dataset.test: {data}")
        self.assertIn(data, self.pslab("run", "b.yaml", code=2).stderr)
        self.assert_refused(["data", "info", "pipe.tsv"], data)
        argument = "cluster.platform=pipe.yaml"
        for command in ["check", "run"]:
            self.assert_refused(
                [command, "a.yaml", argument],
                f"command line: {argument}: cluster.platform: pipe.yaml: not a regular file; "
                "store the platform in a file first")

    def test_a_config_may_come_from_a_pipe_and_waiting_for_it_ends_on_interrupt(self):
        result = subprocess.run(["bash", "-c", f'"{PROGRAM}" check <(cat a.yaml)'],
                                cwd=self.folder, env=self.environment, capture_output=True,
                                text=True, timeout=60)
        self.assertIn("experiment small: 1 run\n", result.stdout, result.stderr)
        os.mkfifo(self.folder / "pipe.yaml")
        for command in ["check", "run"]:
            process = self.start(command, "pipe.yaml")
            self.wait_for(lambda: sleeps(process))
            send(process)
            process.communicate(timeout=10)
            self.assertIn(process.returncode, (130, -signal.SIGINT))

    def test_a_config_in_which_nothing_is_written(self):
        self.write("empty.yaml", "")
        self.write("comments.yaml", "# cluster: {nodes: 2}\n\n")
        for name in ["empty.yaml", "comments.yaml", "/dev/null"]:
            for command in ["check", "run"]:
                self.assert_refused(
                    [command, name], f"{name}: is empty, or has comments only. Write 'key: value' "
                                     "lines, or {} if everything is to have its default.")

    def test_data_files_of_finished_runs_are_not_needed(self):
        self.write("good.tsv", "1\t1\t2\n1\t2\t3\n")
        self.write("b.yaml", "experiment: b\nworkload: {dataset: {train: good.tsv}}\n")
        self.pslab("run", "b.yaml", "--no-figures")
        (self.folder / "good.tsv").unlink()
        self.pslab("run", "b.yaml", "--no-figures")
        self.pslab("run", "b.yaml", "--no-figures", "--force", code=2)

    def test_unknown_swept_path_has_the_nearest_name(self):
        for path, unknown, near in [("cluster.nods", "cluster.nods", "nodes"),
                                    ("clustr.nodes", "clustr", "cluster"),
                                    ("nodes", "nodes", "cluster.nodes"),
                                    ("nods", "nods", "cluster.nodes"),
                                    ("cluster.epochs", "cluster.epochs", "train.epochs"),
                                    ("workload.dataset.row", "workload.dataset.row", "rows")]:
            self.write("b.yaml", SMALL + f"sweep:\n  {path}: [1, 2]\n")
            self.assertIn(f"error: b.yaml:8: {unknown}: unknown option. Did you mean '{near}'? "
                          "Allowed here: ", self.pslab("check", "b.yaml", code=2).stderr)

    def test_names_at_the_top_include_those_of_the_sweep(self):
        for key, near in [("sweeep", "sweep"), ("repeat", "repeats"), ("sede", "seed")]:
            self.write("b.yaml", SMALL + f"{key}: 1\n")
            self.assert_refused(
                ["check", "b.yaml"], f"b.yaml:7: {key}: unknown option. Did you mean '{near}'? "
                "Allowed here: experiment, repeats, sweep, backend, cluster, workload, strategy, "
                "sampling, train, seed, real, sim, faults, checks, metrics, checkpoint")

    def test_a_target_is_a_metric_and_a_value(self):
        for target, path, needs, seen in [
                ("metric: test_rmse", "metric", "value", "the text 'test_rmse'"),
                ("value: 0.5", "value", "metric", "the real 0.5"),
                ("reached: at_or_above", "reached", "metric", "the text 'at_or_above'")]:
            self.write("b.yaml", SMALL.replace("epochs: 2", f"target: {{{target}}}"))
            self.assert_refused(["check", "b.yaml"],
                                f"b.yaml:6: train.target.{path}: needs train.target.{needs} beside "
                                f"it, seen {seen}")

    def test_a_target_is_measured_after_each_epoch(self):
        text = ("workload:\n  name: knowledge_graph\n  evaluation: {every: 2}\n"
                "train: {epochs: 4, target: {metric: %s, value: 0.5}}\n")
        self.write("b.yaml", text % "test_mrr")
        self.assert_refused(["check", "b.yaml"],
                            "b.yaml:4: train.target.metric: is measured every 2 epochs only; for a "
                            "target set workload.evaluation.every: 1, seen the text 'test_mrr'")
        self.pslab("check", "b.yaml", "workload.evaluation.every=1")
        self.write("b.yaml", text % "train_loss")
        self.pslab("check", "b.yaml")

    def test_numbers_out_of_range(self):
        seed = f"expected an integer in 0 .. {10 ** 15}, seen the integer"
        self.assertIn(seed, self.pslab("check", "a.yaml", f"seed={10 ** 15 + 1}", code=2).stderr)
        self.assertIn(f"0 .. {10 ** 15}", self.pslab("describe", "seed").stdout)
        self.assertIn("Where a real is allowed, write it with a decimal point.",
                      self.pslab("check", "a.yaml", f"seed={10 ** 20}", code=2).stderr)

    def test_slow_link_from_a_node_to_itself(self):
        self.write("b.yaml", SMALL + "faults:\n  slow_links:\n    - {from_node: 1, to_node: 1}\n")
        self.assert_refused(["check", "b.yaml"],
                            "b.yaml:9: faults.slow_links[0].to_node: must differ from from_node, "
                            "for a node is not connected to itself, seen the integer 1")
        self.write("b.yaml", SMALL + "faults: {slow_links: [{extra_latency: 0.1}]}\n")
        self.assertIn("b.yaml:7: faults.slow_links[0].to_node: must differ from from_node",
                      self.pslab("check", "b.yaml", code=2).stderr)

    def test_bad_data_of_the_first_run_leave_nothing_behind(self):
        self.write("ratings.tsv", "1\t1\tgood\n")
        self.write("b.yaml", "experiment: b\nworkload: {dataset: {train: ratings.tsv}}\n")
        result = self.pslab("run", "b.yaml", code=2)
        self.assertIn("error: ratings.tsv:1: ", result.stderr)
        self.assertEqual(list((self.folder / "results" / "b").iterdir()), [])


class Check(ProgramTest):
    def test_shows_runs_with_keys_and_memory(self):
        self.write("a.yaml", TWO_STRATEGIES)
        text = self.pslab("check", "a.yaml").stdout
        self.assertIn("experiment small: 2 runs\n", text)
        self.assertRegex(text, r"(?m)^static-[0-9a-f]{8} +static +2 x 2 +2 +140 +1\.0\d MiB$")
        self.assertIn("memory of the largest run, about", text)
        self.assertFalse((self.folder / "results").exists())

    def test_an_override_of_a_swept_path_holds_for_all_runs(self):
        quickstart = PROJECT / "configs/quickstart.yaml"
        result = self.pslab("check", quickstart, "cluster.nodes=4")
        self.assertIn("experiment quickstart: 3 runs\n", result.stdout)
        self.assertEqual(result.stdout.count("4 x 4"), 3)
        self.assertRegex(result.stderr, r"^note: cluster\.nodes=4 takes cluster\.nodes out of the "
                                        r"sweep \(.*/quickstart\.yaml:\d+\)\n$")
        for arguments in (["sweep.zip.cluster.nodes=[1, 4, 4, 4]"],
                          ["sweep={cluster.nodes: [1, 4]}", "strategy={name: static}"]):
            self.assertEqual(self.pslab("check", quickstart, *arguments).stderr, "")

    def test_advice_on_an_override_inside_a_swept_path_works(self):
        quickstart = PROJECT / "configs/quickstart.yaml"
        error = self.pslab("check", quickstart, "strategy.placement=range", code=2).stderr
        self.assertIn("Override the whole list, 'sweep.zip.strategy=[...]' with 4 values; or give "
                      "one value for all runs, 'strategy={...}'.", error)
        values = ", ".join(f"{{name: {name}, placement: range}}"
                           for name in ["static", "static", "relocation"]) + ", {name: hybrid}"
        for argument, runs in [(f"sweep.zip.strategy=[{values}]", 4),
                               ("strategy={name: static, placement: range}", 2)]:
            self.assertIn(f"experiment quickstart: {runs} runs\n",
                          self.pslab("check", quickstart, argument).stdout)

    def test_data_that_are_not_here_are_not_fetched(self):
        self.write("a.yaml", "workload: {dataset: {name: insteval}}\n")
        text = self.pslab("check", "a.yaml").stdout
        self.assertIn("keys and memory: unknown until the data are read", text)

    def test_resolved_config_runs_to_the_same_results(self):
        self.write("a.yaml", TWO_STRATEGIES)
        self.write("resolved.yaml", self.pslab("check", "a.yaml", "--config").stdout)
        self.run_small()
        self.pslab("run", "resolved.yaml", "--no-figures", "--out", "again")
        first = next(self.results().glob("static-*/events.jsonl")).read_text()
        again = next(self.folder.glob("again/small/*/events.jsonl")).read_text()
        self.assertEqual(first.splitlines()[1:], again.splitlines()[1:])

    def test_refuses_what_run_refuses(self):
        self.write("a.yaml", SMALL + "sede: 1\n")
        self.assertEqual(self.pslab("check", "a.yaml", code=2).stderr,
                         self.pslab("run", "a.yaml", code=2).stderr)


class Names(ProgramTest):
    def test_list_shows_every_plugin_file(self):
        text = self.pslab("list", "strategies").stdout
        files = [path.stem for path in (PROJECT / "strategies").glob("*.cpp")]
        for stem in files:
            self.assertRegex(text, rf"(?m)^{re.escape(stem)}  ")
        self.assertRegex(text, r"(?m)^relocation  .*\(Lapse\) +Renz-Wieland et al., PVLDB 13, 2020$")

    def test_list_of_everything_and_of_unknown_kinds(self):
        text = self.pslab("list").stdout
        for word in ["matrix_factorization", "independent", "ethernet-10g", "movielens-small",
                     "configs/quickstart.yaml", "real  one process per node"]:
            self.assertIn(word, text)
        self.assert_refused(["list", "strategis"],
                            "pslab list: unknown kind 'strategis'. Did you mean 'strategies'? "
                            "Kinds: strategies, schemes, workloads, backends, platforms, datasets, "
                            "configs.")

    def test_describe_knows_plugins_platforms_data_sets_and_options(self):
        self.assertIn("strategy.sync_rate: real", self.pslab("describe", "hybrid").stdout)
        self.assertIn("10 us latency", self.pslab("describe", "ethernet-10g").stdout)
        self.assertIn("not fetched yet", self.pslab("describe", "movielens-small").stdout)
        self.assertIn("cluster.nodes: integer, 1 .. 65534",
                      self.pslab("describe", "cluster").stdout)
        self.assertIn("workload.rank: integer", self.pslab("describe", "rank").stdout)
        self.assertIn("faults.slow_nodes[].until", self.pslab("describe", "faults").stdout)
        self.assertIn("real.coalesce: flag", self.pslab("describe", "real").stdout)
        self.assertIn("repeats: integer, 1 .. 10000, default 1",
                      self.pslab("describe", "repeats").stdout)
        self.assertIn("lists under zip vary together", self.pslab("describe", "sweep").stdout)

    def test_describe_of_an_unknown_name_gives_the_nearest(self):
        self.assert_refused(["describe", "hybird"],
                            "nothing is called 'hybird'. Did you mean 'hybrid'? 'pslab list' shows "
                            "names; options are dotted paths.")

    def test_defaults_file_is_up_to_date_and_valid(self):
        generated = self.pslab("describe", "--defaults").stdout
        self.assertEqual(generated, (PROJECT / "configs/defaults.yaml").read_text(),
                         "\nregenerate it: ./pslab describe --defaults > configs/defaults.yaml")
        self.pslab("check", PROJECT / "configs/defaults.yaml")


if __name__ == "__main__":
    unittest.main()
