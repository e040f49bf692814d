"""Reading table.csv and events.jsonl: what is understood and what is refused, with the line."""

import csv
import math

from analysis.errors import InputError
from analysis.events import bytes_by_kind
from analysis.load import BREAKDOWN, group_by_configuration, load_experiment, main_metric
from tests.analysis.sample import STORED, SampleCase, run, write_events


class Table(SampleCase):
    def test_stored_experiment_is_read(self):
        experiment = load_experiment(STORED)
        self.assertEqual(len(experiment.runs), 8)
        self.assertEqual([len(item.epochs) for item in experiment.runs], [3] * 7 + [1])
        self.assertEqual(experiment.metrics, ["train_loss", "test_rmse"])
        self.assertEqual(experiment.swept, ["strategy", "cluster.nodes"])
        self.assertEqual([item.name for item in experiment.runs if not item.succeeded],
                         [experiment.runs[-1].name])
        self.assertEqual([len(group) for group in group_by_configuration(experiment.runs)],
                         [2, 2, 2, 2])

    def test_stored_epochs_add_up(self):
        for item in load_experiment(STORED).runs:
            for epoch in item.epochs:
                self.assertAlmostEqual(sum(epoch.breakdown_s[part] for part in BREAKDOWN),
                                       epoch.epoch_time_s, places=9)

    def test_empty_field_is_not_measured_and_nan_is_a_value(self):
        (item,) = load_experiment(self.write([run(metric=["", "nan", "0.5"])])).runs
        values = [epoch.metrics["test_rmse"] for epoch in item.epochs]
        self.assertIsNone(values[0])
        self.assertTrue(math.isnan(values[1]))
        self.assertEqual(values[2], 0.5)

    def test_run_that_failed_before_its_first_epoch(self):
        folder = self.write([run(), run("ssp", metric=[], status="failed", error="out of\nmemory")])
        failed = load_experiment(folder).runs[1]
        self.assertFalse(failed.succeeded)
        self.assertEqual(failed.epochs, [])
        self.assertEqual(failed.why_left_out(), "failed: out of memory")

    def test_runs_of_two_versions_do_not_share_a_group(self):
        folder = self.write([run(), run(repeat=2, commit="fff0000")])
        self.assertEqual(len(group_by_configuration(load_experiment(folder).runs)), 2)

    def test_main_metric_prefers_test_metrics_over_training_loss(self):
        folder = self.write([run(train_loss="3")])
        experiment = load_experiment(folder)
        self.assertEqual(main_metric([experiment], experiment.runs, None), "test_rmse")
        self.assertEqual(main_metric([experiment], experiment.runs, "train_loss"), "train_loss")
        with self.assertRaisesRegex(InputError, "--metric mrr: .* measured: test_rmse, train_loss|"
                                                "--metric mrr: .* measured: train_loss, test_rmse"):
            main_metric([experiment], experiment.runs, "mrr")

    def test_main_metric_falls_back_to_training_loss(self):
        folder = self.write([run(metric=["", ""], train_loss="3")])
        experiment = load_experiment(folder)
        self.assertEqual(main_metric([experiment], experiment.runs, None), "train_loss")


class BadTable(SampleCase):
    def refuse(self, pattern: str) -> None:
        with self.assertRaisesRegex(InputError, pattern):
            load_experiment(self.folder / "mf-skew")

    def change(self, line: int, column: str, value: str) -> None:
        """Sets a field of a row; `line` is 1-based and counts the header."""
        path = self.copy_of_stored() / "table.csv"
        with path.open(newline="") as file:
            rows = list(csv.reader(file))
        rows[line - 1][rows[0].index(column)] = value
        with path.open("w", newline="") as file:
            csv.writer(file).writerows(rows)

    def test_missing_folder(self):
        self.refuse("no such folder")

    def test_missing_table(self):
        (self.folder / "mf-skew").mkdir()
        self.refuse("there is no table.csv in it")

    def test_empty_file_and_header_only(self):
        table = self.copy_of_stored() / "table.csv"
        header = table.read_text().splitlines()[0]
        table.write_text("")
        self.refuse("table.csv: the file is empty")
        table.write_text(header + "\n")
        self.refuse("has a header but no rows")

    def test_missing_column(self):
        table = self.copy_of_stored() / "table.csv"
        table.write_text(table.read_text().replace("barrier_wait_s", "barrier", 1))
        self.refuse(r"table.csv:1: no column barrier_wait_s")

    def test_garbage_names_a_few_of_the_missing_columns(self):
        (self.copy_of_stored() / "table.csv").write_text("garbage\nmore\n")
        self.refuse(r"table.csv:1: no column experiment, run, status and 30 more; is this the "
                    r"table.csv that `pslab run` wrote\?")

    def test_row_cut_off(self):
        table = self.copy_of_stored() / "table.csv"
        table.write_text("\n".join(table.read_text().splitlines()[:5])[:-40])
        self.refuse(r"table.csv:5: \d+ fields, but the header has 37 columns")

    def test_field_that_is_no_number(self):
        self.change(4, "epoch_time_s", "soon")
        self.refuse(r"table.csv:4: column epoch_time_s is 'soon'")

    def test_time_that_is_not_finite(self):
        self.change(3, "time_s", "inf")
        self.refuse(r"table.csv:3: column time_s is 'inf', but must be a time in seconds")

    def test_node_count_and_status(self):
        self.change(2, "nodes", "0")
        self.refuse(r"table.csv:2: column nodes is '0', but must be a whole number, 1 or more")

    def test_unknown_status(self):
        self.change(2, "status", "ok")
        self.refuse(r"table.csv:2: column status is 'ok', but must be one of succeeded, failed")

    def test_epoch_twice(self):
        self.change(3, "epoch", "1")
        self.refuse(r"table.csv:3: column epoch is '1', but must be more than 1")

    def test_bytes_that_are_no_text(self):
        (self.copy_of_stored() / "table.csv").write_bytes(b"\xff\xfe\x00")
        self.refuse("table.csv: not UTF-8 text")

    def test_quote_that_is_not_closed(self):
        table = self.copy_of_stored() / "table.csv"
        table.write_text(table.read_text() + '"open')
        self.refuse(r"table.csv:\d+: not valid CSV")


class Events(SampleCase):
    def test_bytes_are_averaged_over_epochs(self):
        write_events(self.folder, [{"pull": 100, "push": 40}, {"pull": 300}])
        self.assertEqual(bytes_by_kind(self.folder), {"pull": 200.0, "push": 20.0})

    def test_run_without_events(self):
        self.assertIsNone(bytes_by_kind(self.folder))

    def test_line_cut_off(self):
        write_events(self.folder, [{"pull": 100}])
        path = self.folder / "events.jsonl"
        path.write_text(path.read_text() + '{"event": "ep')
        with self.assertRaisesRegex(InputError, r"events.jsonl:4: not a JSON object"):
            bytes_by_kind(self.folder)

    def test_epoch_without_traffic(self):
        (self.folder / "events.jsonl").write_text('{"event": "epoch", "epoch": 1}\n')
        with self.assertRaisesRegex(InputError, r'events.jsonl:1: the epoch event needs "traffic"'):
            bytes_by_kind(self.folder)

    def test_stored_traffic_agrees_with_the_table(self):
        for item in load_experiment(STORED).runs:
            self.assertAlmostEqual(sum(bytes_by_kind(item.folder).values()),
                                   item.mean_bytes_per_epoch())
