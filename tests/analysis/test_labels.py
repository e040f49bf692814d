"""Labels say only what differs; numbers and units are fit for readers."""

import unittest

from analysis.labels import label_all, metric_in_words
from analysis.load import group_by_configuration, load_experiment
from analysis.stats import Summary
from analysis.style import PALETTE, looks_for
from analysis.units import BYTES, TIME, Unit, short, unit_for, with_interval
from tests.analysis.sample import SampleCase, run


class Labels(SampleCase):
    def labels(self, runs):
        groups = group_by_configuration(load_experiment(self.write(runs)).runs)
        return label_all([group[0].configuration for group in groups])

    def test_only_the_strategy_differs(self):
        labels = self.labels([run("static"), run("ssp")])
        self.assertEqual((labels.title, labels.texts), ("strategy", ["static", "ssp"]))

    def test_only_the_nodes_differ(self):
        self.assertEqual(self.labels([run(nodes=1), run(nodes=4)]).texts, ["1 × 2", "4 × 2"])

    def test_one_configuration_is_named_by_its_strategy(self):
        self.assertEqual(self.labels([run("ssp")]).texts, ["ssp"])

    def test_options_of_a_swept_strategy_are_shown_where_they_differ(self):
        sweep = {"sweep.strategy": "{name: ssp, staleness: 4, eager: true}"}
        other = {"sweep.strategy": "{name: ssp, staleness: 16, eager: true}", "config_hash": "b"}
        labels = self.labels([run("static", **{"sweep.strategy": "{name: static}"}),
                              run("ssp", **sweep), run("ssp", repeat=2, **other)])
        self.assertEqual(labels.title, "strategy, staleness")
        self.assertEqual(labels.texts, ["static", "ssp, staleness 4", "ssp, staleness 16"])

    def test_so_are_those_of_strategies_as_the_table_names_them(self):
        labels = self.labels([
            run("static", **{"sweep.strategy": "static"}),
            run("hybrid", **{"sweep.strategy": "hybrid (hot_factor 2, sync_rate 50)"}),
            run("hybrid", repeat=2, config_hash="b",
                **{"sweep.strategy": "hybrid (hot_factor 5, sync_rate 50)"})])
        self.assertEqual(labels.texts, ["static", "hybrid, hot factor 2", "hybrid, hot factor 5"])

    def test_other_swept_values_are_shown(self):
        labels = self.labels([run(**{"sweep.workload.rank": "32"}),
                              run(repeat=2, config_hash="b", **{"sweep.workload.rank": "64"})])
        self.assertEqual(labels.texts, ["rank 32", "rank 64"])

    def test_labels_are_distinct_even_if_no_column_differs(self):
        labels = self.labels([run(config_hash="aaaa"), run(repeat=2, config_hash="bbbb")])
        self.assertEqual(labels.texts, ["static (aaaa)", "static (bbbb)"])


class Looks(SampleCase):
    def looks(self, runs, strategies):
        configurations = [item.configuration for item in load_experiment(self.write(runs)).runs]
        return [looks_for(configurations, strategies)[item] for item in configurations]

    def test_strategy_keeps_its_colour_whatever_else_is_drawn(self):
        everything = self.looks([run("ssp"), run("relocation"), run("mine")],
                                ["ssp", "relocation", "mine"])
        self.assertEqual(len({look.colour for look in everything}), 3)
        self.assertEqual(len({look.marker for look in everything}), 3)
        self.folder = self.folder / "second"
        self.folder.mkdir()
        fewer = self.looks([run("relocation"), run("mine")], ["ssp", "relocation", "mine"])
        self.assertEqual(fewer, everything[1:])

    def test_variants_of_a_strategy_differ_in_their_line(self):
        looks = self.looks([run("ssp"), run("static", nodes=1), run("static", nodes=2)],
                           ["ssp", "static"])
        self.assertEqual(looks[1].colour, looks[2].colour)
        self.assertNotEqual(looks[1].line, looks[2].line)

    def test_one_strategy_uses_the_colours_for_its_variants(self):
        looks = self.looks([run(nodes=count) for count in range(1, 17)], ["static"])
        self.assertEqual({look.colour for look in looks}, set(PALETTE))
        self.assertEqual(len(set(looks)), 16)


class Words(unittest.TestCase):
    def test_metrics(self):
        self.assertEqual(metric_in_words("test_rmse"), "Test RMSE (lower is better)")
        self.assertEqual(metric_in_words("test_mrr"), "Test MRR (higher is better)")
        self.assertEqual(metric_in_words("train_loss"), "Train loss (lower is better)")
        self.assertEqual(metric_in_words("coverage"), "Coverage")

    def test_units(self):
        self.assertEqual(unit_for([0.002, 0.9], TIME).name, "ms")
        self.assertEqual(unit_for([2e-6], TIME).name, "µs")
        self.assertEqual(unit_for([0.002, 70.0, float("nan")], TIME).name, "s")
        self.assertEqual(unit_for([0.0], TIME).name, "s")
        self.assertEqual(unit_for([5e6], BYTES).name, "MB")

    def test_three_significant_digits(self):
        self.assertEqual([short(value) for value in (0, 1234.5, 99.96, 0.012345, 7, 1e-9, 1e12)],
                         ["0", "1230", "100", "0.0123", "7.00", "1.00e-09", "1.00e+12"])

    def test_interval_sets_the_digits_of_the_mean(self):
        milli = Unit("ms", 1e-3)
        self.assertEqual(with_interval(Summary(3, 0.0918, 0.000463), milli), "91.80 ± 0.46")
        self.assertEqual(with_interval(Summary(3, 0.2, 0.0099999), milli), "200 ± 10")
        self.assertEqual(with_interval(Summary(1, 0.0918, None), milli), "91.8")
        self.assertEqual(with_interval(Summary(2, 0.0918, 0.0), milli), "91.8 ± 0")


if __name__ == "__main__":
    unittest.main()
