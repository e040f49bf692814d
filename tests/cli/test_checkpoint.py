"""Runs that go on from their checkpoints."""

import filecmp
import json
import os
import random
import shutil
import signal
import subprocess
import unittest
from pathlib import Path

from tests.cli.program import SMALL, ProgramTest, is_alive
from tests.cli.real import descendants

CHECKPOINTS = SMALL.replace("epochs: 2", "epochs: 6") + "checkpoint: {every: 2, keep: 9}\n"
# Everything that could remember what was before a checkpoint.
TROUBLES = """\
faults:
  message_delay: {probability: 0.1, max: 1.0e-3}
  slow_nodes: [{node: 1, slowdown: 3, from: 1.0e-3, until: 3.0e-3}, {node: 0, slowdown: 2, from: 1}]
  slow_links: [{from_node: 0, to_node: 1, extra_latency: 1.0e-3, from: 2.0e-3}]
"""
# Epochs take some 50 ms.
LONGER = """\
experiment: small
cluster: {nodes: 2, workers_per_node: 2}
workload: {rank: 16, dataset: {rows: 3000, cols: 600, cells: 60000}}
strategy: {name: adaptive}
train: {epochs: 8}
checkpoint: {every: 1}
"""
RESULTS = ("events.jsonl", "summary.json")


class Checkpoint(ProgramTest):
    def names(self, kind):
        return [line.split()[0] for line in self.pslab("list", kind).stdout.splitlines()]

    def run_folders(self, out="results"):
        return sorted(path.parent for path in (self.folder / out / "small").glob("*/config.yaml"))

    def forget(self, folder, after):
        """As if the run had been killed in the epoch after `after`."""
        (folder / "summary.json").unlink()
        for checkpoint in (folder / "checkpoints").iterdir():
            if int(checkpoint.name.split("-")[1]) > after:
                shutil.rmtree(checkpoint)

    def assert_same(self, before, after):
        for name in RESULTS:
            self.assertTrue(filecmp.cmp(before / name, after / name, shallow=False),
                            f"{before.name}: {name}")
        last = max((before / "checkpoints").iterdir(), key=lambda path: int(path.name[6:])).name
        for part in (before / "checkpoints" / last).iterdir():
            self.assertTrue(filecmp.cmp(part, after / "checkpoints" / last / part.name,
                                        shallow=False), f"{before.name}: {part.name}")

    def check_exact(self, text):
        file = self.write("small.yaml", text)
        self.pslab("run", file, "--no-figures", "--quiet", "--out", "whole", seconds=250)
        shutil.copytree(self.folder / "whole", self.folder / "cut")
        folders = self.run_folders("whole")
        for folder in folders:
            self.forget(self.folder / "cut" / "small" / folder.name, after=2)
        self.pslab("resume", "cut/small", "--no-figures", "--quiet", seconds=250)
        for folder in folders:
            cut = self.folder / "cut" / "small" / folder.name
            self.assertIn("goes on after epoch 2, from its checkpoint", (cut / "log.txt").read_text())
            self.assert_same(folder, cut)
        self.assertTrue(filecmp.cmp(self.folder / "whole/small/table.csv",
                                    self.folder / "cut/small/table.csv", shallow=False))

    def test_every_strategy_goes_on_exactly(self):
        strategies = ", ".join(f"{{name: {name}}}" for name in self.names("strategies"))
        self.check_exact(CHECKPOINTS + TROUBLES +
                         "sweep: {sim.network: [flow, alpha_beta], "
                         f"strategy: [{strategies}]}}\n")

    def test_every_scheme_goes_on_exactly(self):
        schemes = ", ".join(f"{{scheme: {name}}}" for name in self.names("schemes"))
        strategies = ", ".join(f"{{name: {name}}}" for name in self.names("strategies"))
        graph = CHECKPOINTS[:CHECKPOINTS.index("workload")] + (
            "workload:\n  name: knowledge_graph\n  dimension: 4\n"
            "  dataset: {generator: zipf_graph, entities: 200, relations: 3, triples: 300}\n"
            "train: {epochs: 4}\ncheckpoint: {every: 2, keep: 9}\n")
        self.check_exact(graph + f"sweep: {{sampling: [{schemes}], strategy: [{strategies}]}}\n")

    def test_every_schedule_and_adapted_step_sizes_go_on_exactly(self):
        self.check_exact(CHECKPOINTS + "sweep: {workload.schedule: [plain, column_wise, dsgd], "
                                       "workload.bold_driver: [true, false]}\n")

    def test_words_go_on_exactly(self):
        self.check_exact("experiment: small\ncluster: {nodes: 2, workers_per_node: 2}\n"
                         "workload:\n  name: word2vec\n  dimension: 4\n  shuffle: true\n"
                         "  dataset: {topics: 4, items: 5, sentences: 100}\n"
                         "train: {epochs: 4}\ncheckpoint: {every: 2, keep: 9}\n"
                         "sweep: {workload.model: [skip_gram, cbow], "
                         "strategy: [{name: relocation}, {name: adaptive}]}\n")

    def test_drawn_accesses_go_on_exactly(self):
        self.check_exact("experiment: small\ncluster: {nodes: 2, workers_per_node: 2}\n"
                         "workload: {name: synthetic, keys: 100, steps: 200, accesses: 2, sample_share: 0.5}\n"
                         "train: {epochs: 6}\ncheckpoint: {every: 2, keep: 9}\n"
                         "sweep: {strategy: [{name: static}, {name: adaptive}]}\n")

    def killed(self, text, moments, seed):
        """Runs it, killing it or one of its processes at random moments before."""
        file = self.write("small.yaml", text)
        choice = random.Random(seed)
        for _ in range(moments):
            process = self.start("run", file, "--no-figures", "--quiet")
            try:
                process.communicate(timeout=choice.uniform(0.0, 0.8))
            except subprocess.TimeoutExpired:  # it is at work
                processes = [process.pid, *descendants(process.pid)]
                os.kill(choice.choice(processes), signal.SIGKILL)
                process.communicate(timeout=30)
                self.wait_for(lambda: not any(map(is_alive, processes)))
        self.pslab("run", file, "--no-figures", "--quiet")

    def test_killed_at_any_moment(self):
        file = self.write("small.yaml", LONGER)
        self.pslab("run", file, "--no-figures", "--quiet", "--out", "whole")
        (whole,) = self.run_folders("whole")
        for seed in range(int(os.environ.get("PSLAB_KILLS", "3"))):
            shutil.rmtree(self.folder / "results", ignore_errors=True)
            self.killed(LONGER, 2, seed)
            (folder,) = self.run_folders()
            self.assert_same(whole, folder)

    def test_killed_on_real_processes(self):
        for seed in range(int(os.environ.get("PSLAB_KILLS", "2"))):
            shutil.rmtree(self.folder / "results", ignore_errors=True)
            self.killed("backend: real\n" + LONGER, 2, seed)
            (folder,) = self.run_folders()
            epochs = [json.loads(line) for line in (folder / "events.jsonl").read_text().splitlines()]
            self.assertEqual([e.get("epoch") for e in epochs[1:-1]], list(range(1, 9)))
            losses = [epoch["metrics"]["train_loss"] for epoch in epochs[1:-1]]
            self.assertEqual(losses, sorted(losses, reverse=True))

    def test_other_clusters_and_more_epochs(self):
        self.run_small(text=CHECKPOINTS)
        (folder,) = self.run_folders()
        self.pslab("resume", folder, "cluster.nodes=3", "cluster.workers_per_node=1",
                   "train.epochs=8", "--no-figures")
        (more,) = [path.parent for path in
                   (self.folder / "results/small_resumed").glob("*/summary.json")]
        events = [json.loads(line) for line in (more / "events.jsonl").read_text().splitlines()]
        self.assertEqual([event.get("epoch") for event in events[1:-1]], [7, 8])
        before = json.loads((folder / "summary.json").read_text())
        self.assertLess(events[2]["metrics"]["train_loss"], before["metrics"]["train_loss"])
        self.assertGreater(events[1]["time_s"], before["time_s"])
        self.assertEqual(len(events[1]["nodes"]), 3)
        summary = json.loads((more / "summary.json").read_text())
        self.assertEqual(summary["end_reason"], "all epochs done")
        own = [event["epoch_time_s"] for event in events[1:-1]]
        self.assertAlmostEqual(summary["mean_epoch_time_s"], sum(own) / 2, delta=1e-6 * own[0])
        self.assertEqual(summary["time_s"], events[2]["time_s"])

    def test_changed_tasks_are_refused(self):
        self.run_small(text=CHECKPOINTS)
        (folder,) = self.run_folders()
        for change, message in (("workload.rank=8", "workload.rank: 4 there, 8 here"),
                                ("seed=2", "seed: 1 there, 2 here"),
                                ("strategy={name: static}", "strategy.name: relocation there, "
                                                            "static here"),
                                ("strategy.name=static", "strategy.name: relocation there, static "
                                                         "here. What goes on from a checkpoint may "
                                                         "differ in these only: experiment, "),
                                ("workload.name=word2vec", "workload.name: matrix_factorization "
                                                           "there, word2vec here"),
                                ("strategy.foo=1", "strategy.foo: unknown option"),
                                ("checkpoint.from=x", "goes on from the run that it is given"),
                                ("experiment=small", "'small' is the experiment that this would go "
                                                     "on from")):
            result = self.pslab("resume", folder, change, "train.epochs=8", code=2)
            self.assertIn(message, result.stderr)
        result = self.pslab("resume", folder, "cluster.nodes=3", code=2)
        self.assertIn("has trained 6 epochs already, and train.epochs is 6", result.stderr)
        self.assertFalse((self.folder / "results/small_resumed").exists())

    def test_the_new_experiment_may_be_named(self):
        self.run_small(text=CHECKPOINTS)
        (folder,) = self.run_folders()
        for name in ("other", "small_resumed"):
            changes = [f"experiment={name}"] if name == "other" else []
            self.pslab("resume", folder, "train.epochs=7", *changes, "--no-figures")
            (summary,) = self.summaries(name).values()
            self.assertEqual((summary["experiment"], summary["epochs"]), (name, 1))

    def test_advice_after_divergence_can_be_followed(self):
        for text, option, large, small in (
                (SMALL, "step_size", 100, 0.001),
                ("experiment: small\nworkload: {name: knowledge_graph, dimension: 4}\n",
                 "learning_rate", 1e15, 0.1),
                ("experiment: small\nworkload: {name: word2vec, dimension: 4, dataset: "
                 "{generator: planted_corpus, sentences: 500}}\n", "alpha", 10, 0.05)):
            file = self.write("diverging.yaml", text + "checkpoint: {every: 1}\n")
            large, small = (f"workload.{option}={value}" for value in (large, small))
            out = ("--no-figures", "--out", option)
            result = self.pslab("run", file, large, *out, code=1)
            self.assertRegex(result.stderr, rf"training diverged. Try a smaller workload.{option} "
                                            r"\(now .*\) in a new run")
            (failed,) = (self.folder / option).glob("small/*/summary.json")
            self.assertIn("With another config begin anew: pslab run",
                          self.pslab("resume", failed.parent, small, code=2).stderr)
            self.pslab("run", file, small, *out)

    def test_changed_data_are_refused(self):
        lines = [f"u{row} i{col} {(row * col) % 5}\n" for row in range(20) for col in range(10)]
        ratings = self.write("ratings.txt", "".join(lines))
        text = CHECKPOINTS.replace("{rows: 100, cols: 40, cells: 800, test_share: 0.1}",
                                   f"{{train: {ratings.name}}}")
        self.run_small(text=text)
        (folder,) = self.run_folders()
        self.pslab("export", folder)
        ratings.write_text("".join(reversed(lines)))
        message = "the files of workload.dataset have changed since the checkpoint of epoch"
        self.assertIn(message, self.pslab("export", folder, code=2).stderr)
        self.assertIn(message, self.pslab("resume", folder, "train.epochs=8", code=2).stderr)
        self.forget(folder, after=4)
        self.assertIn(message, self.pslab("resume", "results/small", code=2).stderr)
        ratings.write_text("".join(lines))
        self.pslab("resume", "results/small", "--no-figures")

    def test_checkpoints_that_cannot_be_used_are_refused(self):
        file = self.write("small.yaml", CHECKPOINTS)
        for option in ("checks.history=true", "metrics.record_trace=true"):
            self.assertIn("cannot be combined with " + option.split("=")[0],
                          self.pslab("check", file, option, code=2).stderr)
        self.assertIn("nowhere: no such folder",
                      self.pslab("check", file, "checkpoint.from=nowhere", code=2).stderr)
        self.run_small()
        self.assertIn("this run has no checkpoint",
                      self.pslab("check", file, f"checkpoint.from='{self.run_folders()[0]}'",
                                 code=2).stderr)

    def test_damaged_checkpoints_are_passed_over(self):
        self.run_small(text=CHECKPOINTS)
        (folder,) = self.run_folders()
        whole = {name: (folder / name).read_text() for name in RESULTS}
        self.forget(folder, after=4)
        with open(folder / "checkpoints/epoch-4/node-1.bin", "r+b") as part:
            part.seek(-4, os.SEEK_END)
            part.write(b"\0\0\0\0")
        result = self.pslab("resume", "results/small", "--no-figures")
        self.assertIn("epoch-4/node-1.bin: a damaged checkpoint", result.stderr)
        self.assertIn("goes on after epoch 2", result.stderr)
        self.assertEqual(whole, {name: (folder / name).read_text() for name in RESULTS})

    def test_damaged_checkpoints_are_named_by_export_and_by_what_goes_on_elsewhere(self):
        self.run_small(text=CHECKPOINTS)
        (folder,) = self.run_folders()
        part = folder / "checkpoints/epoch-6/node-1.bin"
        part.write_bytes(part.read_bytes()[:-4])
        damage = "warning: " + str(part)
        result = self.pslab("export", folder)
        self.assertIn(damage, result.stderr)
        self.assertIn("model after epoch 4", result.stdout)
        result = self.pslab("resume", folder, "train.epochs=8", "--no-figures")
        self.assertIn(damage, result.stderr)
        self.assertIn(f"goes on after epoch 4 of {folder}", result.stderr)
        for checkpoint in (folder / "checkpoints").iterdir():
            (checkpoint / "checkpoint.json").unlink()
            self.assertIn("it has no checkpoint.json",
                          self.pslab("export", checkpoint, code=2).stderr)
        self.assertIn("none of the checkpoints of this run is whole:\nwarning: ",
                      self.pslab("export", folder, code=2).stderr)

    def test_force_begins_anew(self):
        self.run_small(text=CHECKPOINTS)
        result = self.run_small("--force", text=CHECKPOINTS)
        self.assertNotIn("goes on", result.stderr)

    def test_after_a_failed_node_the_run_goes_on(self):
        text = CHECKPOINTS.replace("every: 2", "every: 1")
        self.run_small("--out", "whole", text=text)
        result = self.run_small(text=text + "faults: {failures: [{node: 1, at: 2.0e-3}]}\n", code=1)
        self.assertIn("node 1 failed at 2 ms", result.stderr)
        (folder,) = self.run_folders()
        self.assertEqual(json.loads((folder / "summary.json").read_text())["status"], "failed")
        epoch = int(self.last_checkpoint(folder).name[6:])
        self.assertIn(epoch, range(1, 6))
        result = self.pslab("resume", "results/small", "--no-figures")
        self.assertIn(f"goes on after epoch {epoch}", result.stderr)
        (whole,) = self.run_folders("whole")
        lines = [(path / "events.jsonl").read_text().splitlines()[1:-1] for path in (whole, folder)]
        self.assertEqual(*lines)

    def test_export_writes_the_model(self):
        self.run_small(text=CHECKPOINTS)
        (folder,) = self.run_folders()
        result = self.pslab("export", folder)
        self.assertIn("model after epoch 6, as ", result.stdout)
        files = [Path(line.strip()) for line in result.stdout.splitlines()[1:]]
        self.assertTrue(files)
        for file in files:
            self.assertEqual(file.parent, folder / "model")
            self.assertGreater(file.stat().st_size, 0)
        older = self.pslab("export", folder / "checkpoints/epoch-2", "--out", "old")
        self.assertIn("model after epoch 2", older.stdout)
        self.assertNotEqual((self.folder / "old" / files[0].name).read_bytes(),
                            files[0].read_bytes())
        self.assertIn("none of workload 'matrix_factorization'",
                      self.pslab("export", folder, "--format", "x", code=2).stderr)
        self.assertIn("no such folder", self.pslab("export", "nowhere", code=2).stderr)
        self.assertIn("not the folder of a run; give one of the runs in it",
                      self.pslab("export", "results/small", code=2).stderr)

    @staticmethod
    def last_checkpoint(folder) -> Path:
        return max((folder / "checkpoints").iterdir(), key=lambda path: int(path.name[6:]))


if __name__ == "__main__":
    unittest.main()
