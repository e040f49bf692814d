"""word2vec from outside: what it finds in a generated text on real processes, and what it says of a
text."""

import json
import struct
import unittest

from tests.cli.program import ProgramTest

PLANTED = """\
experiment: planted
backend: real
workload: {name: word2vec, dimension: 32, alpha: 0.05, dataset: {generator: planted_corpus}}
train: {epochs: 5}
strategy: {name: static}
"""
TEXT = """\
experiment: text
cluster: {nodes: 2, workers_per_node: 2}
workload: {name: word2vec, dimension: 4, dataset: {file: text.txt, min_count: 2}}
"""


class PlantedText(ProgramTest):
    def finds_the_analogies(self, *overrides):
        self.run_small(*overrides, text=PLANTED)
        last = self.table("planted")[-1]
        # By chance, an analogy is right once in 1,900 times, and Spearman's correlation is 0.
        self.assertGreater(float(last["test_analogies"]), 0.7)
        self.assertGreater(float(last["test_spearman"]), 0.85)

    def test_is_learnt_by_two_workers_of_one_process(self):
        self.finds_the_analogies("cluster.workers_per_node=2")

    def test_is_learnt_by_two_processes(self):
        self.finds_the_analogies("cluster.nodes=2", "strategy.name=relocation")


class Vectors(ProgramTest):
    def test_are_exported_most_frequent_words_first(self):
        self.run_small("workload.dimension=4", "workload.dataset.sentences=200", "train.epochs=1",
                       "checkpoint.every=1", text=PLANTED)
        run = next(self.folder.glob("results/planted/run-*"))
        for kind in ("text", "binary"):
            self.pslab("export", run, f"--format=word2vec_{kind}")
        lines = (run / "model" / "vectors.txt").read_text().splitlines()
        words = len(lines) - 1
        self.assertEqual(lines[0], f"{words} 4")
        by_text = {line.split()[0]: [float(x) for x in line.split()[1:]] for line in lines[1:]}
        self.assertEqual(len(by_text), words)
        rest = (run / "model" / "vectors.bin").read_bytes()
        header, rest = rest.split(b"\n", 1)
        self.assertEqual(header.decode(), lines[0])
        for line in lines[1:]:
            word, rest = rest.split(b" ", 1)
            self.assertEqual(word.decode(), line.split()[0])
            self.assertEqual([struct.unpack("<f", struct.pack("<f", x))[0]
                              for x in by_text[word.decode()]],
                             list(struct.unpack("<4f", rest[:16])))
            self.assertEqual(rest[16:17], b"\n")
            rest = rest[17:]
        self.assertEqual(rest, b"")


class Text(ProgramTest):
    def test_that_has_fewer_sentences_than_there_are_workers_leaves_some_idle(self):
        self.write("text.txt", "the cat the cat\nthe rare dog the dog\n")
        result = self.run_small(text=TEXT)
        self.assertIn("8 tokens of 3 words: 6 keys", result.stderr)
        self.assertIn("1 token out of vocabulary skipped", result.stderr)
        self.assertIn("2 of 4 workers are idle: they have no sentence", result.stderr)

    def test_without_a_frequent_word_is_refused(self):
        self.write("text.txt", "the cat\n")
        result = self.run_small(text=TEXT, code=2)
        self.assertIn("text.txt: no word occurs min_count (2) times; the most frequent of 2 words, "
                      "'cat', occurs 1 time. Lower min_count", result.stderr)

    def test_and_its_questions_are_looked_for_by_check(self):
        self.write("small.yaml", TEXT)
        self.write("text.txt", "a b\n" * 9)
        result = self.pslab("check", "small.yaml", "workload.evaluation.analogies=nowhere.txt",
                            code=2)
        self.assertIn("workload.evaluation.analogies: nowhere.txt: cannot open: No such file",
                      result.stderr)

    def test_of_one_word_trains_on_nothing_which_has_no_loss_and_reaches_no_target(self):
        self.write("text.txt", "word\nword\n")
        result = self.run_small("train.epochs=3", "train.target={metric: train_loss, value: 1}",
                                text=TEXT)
        self.assertEqual([row["train_loss"] for row in self.table("text")], ["", "", ""])
        self.assertIn("train_loss not defined", result.stderr)
        ((run, summary),) = self.summaries("text").items()
        self.assertEqual(summary["metrics"], {"train_loss": None})
        self.assertEqual(summary["end_reason"], "target not reached in 3 epochs")
        log = (self.results("text") / run / "log.txt").read_text()
        self.assertEqual(log.count("train_loss is not defined: no word was predicted"), 1)

    def test_correlation_of_a_single_pair_is_not_defined(self):
        self.write("text.txt", "the cat saw the cat\nthe cat saw the dog and the dog\n" * 3)
        pairs = [("the cat 9\n", None), ("the cat 5\nthe dog 5\n", None),
                 ("the cat 5\nthe dog 1\n", 1.0)]
        for number, (text, size) in enumerate(pairs):
            file = self.write(f"pairs-{number}.txt", text)
            self.run_small("--out", f"out-{number}", f"workload.evaluation.similarities={file.name}",
                           "train.epochs=2", text=TEXT)
            (folder,) = (self.folder / f"out-{number}" / "text").glob("*/summary.json")
            value = json.loads(folder.read_text())["metrics"]["test_spearman"]
            self.assertEqual(value if value is None else abs(value), size)
            log = (folder.parent / "log.txt").read_text()
            self.assertEqual(log.count("test_spearman is not defined"), int(size is None))


if __name__ == "__main__":
    unittest.main()
