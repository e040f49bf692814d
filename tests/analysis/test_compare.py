"""compare: groups, intervals, changes, and the refusal to compare what is not comparable."""

import json

from analysis.compare import compare, differences
from analysis.compare_output import as_json, as_text
from analysis.errors import InputError
from tests.analysis.sample import STORED, SampleCase, run


def repeats(strategy, times, **other):
    return [run(strategy, epoch_time_s=time, repeat=number, **other)
            for number, time in enumerate(times, start=1)]


class Compare(SampleCase):
    def test_groups_changes_and_exact_test(self):
        folder = self.write(repeats("static", [0.4, 0.41, 0.42, 0.43])
                            + repeats("ssp", [0.2, 0.21, 0.22, 0.23]))
        static, ssp = compare([folder], None).groups
        self.assertEqual((static.label, ssp.label), ("static", "ssp"))
        result = ssp.results["epoch_time_s"]
        self.assertEqual(result.values, [0.2, 0.21, 0.22, 0.23])
        self.assertAlmostEqual(result.change, 0.215 / 0.415 - 1)
        self.assertAlmostEqual(result.test.p, 2 / 70)
        self.assertIsNone(static.results["epoch_time_s"].change)
        self.assertEqual(ssp.results["test_rmse"].change, 0.0)

    def test_table_states_error_bar_unit_and_test(self):
        text = as_text(compare([self.write(repeats("static", [0.4, 0.41, 0.42, 0.43])
                                           + repeats("ssp", [0.2, 0.21, 0.22, 0.23]))], None))
        self.assertIn("Reference: static (4 runs)", text)
        self.assertIn("Epoch time (ms)", text)
        self.assertRegex(text, r"ssp +4 +215 ± 21 +-48\.2 % +0\.029")
        self.assertIn("95 % confidence interval of the mean (Student t)", text)
        self.assertIn("Final test RMSE (lower is better)", text)

    def test_too_few_runs_for_a_test(self):
        text = as_text(compare([self.write(repeats("static", [0.4, 0.5]) + [run("ssp")])], None))
        self.assertIn("too few runs for a test (n = 1 and 2)", text)

    def test_runs_of_one_experiment_by_their_folders(self):
        runs = sorted(STORED.glob("*_nodes-2_r1-*"))
        comparison = compare(runs, None)
        self.assertEqual([group.label for group in comparison.groups], ["relocation", "static"])
        self.assertEqual([len(group.runs) for group in comparison.groups], [1, 1])
        self.assertEqual(comparison.refused, [])

    def test_failed_runs_are_left_out_and_noted(self):
        comparison = compare([STORED], None)
        self.assertEqual([len(group.runs) for group in comparison.groups], [2, 2, 2, 1])
        self.assertEqual(comparison.notes, ["left out: relocation, 2 × 2, seed 2 "
                                            "(failed: test_rmse is not a number in epoch 2)"])

    def test_not_comparable_because_of_a_value_nobody_swept(self):
        first = self.write(repeats("static", [0.4, 0.5]), "first", rank=32)
        second = self.write(repeats("ssp", [0.4, 0.5], config_hash="b"), "second", rank=64)
        comparison = compare([first, second], None)
        self.assertEqual(comparison.refused[0].differences[0].text(),
                         "workload.rank differs (32 vs 64)")
        result = comparison.groups[1].results["epoch_time_s"]
        self.assertIsNone(result.change)
        self.assertIsNone(result.test)
        text = as_text(comparison)
        self.assertRegex(text, r"ssp.* 2 +450 ± 635 +not comparable")

    def test_swept_values_may_differ_only_where_both_experiments_sweep_them(self):
        first, second = {"a.b": "1", "strategy.name": "x"}, {"a.b": "2", "strategy.name": "y"}
        self.assertEqual(differences(first, second, {"a.b"}), [])
        self.assertEqual(differences(first, second, {"a"}), [])
        self.assertEqual([item.path for item in differences(first, second, {"a.bc"})], ["a.b"])
        self.assertEqual(differences({"x": "1"}, {}, set())[0].text(), "x differs (1 vs not set)")

    def test_config_that_cannot_be_read(self):
        folder = self.copy_of_stored()
        for path in folder.glob("relocation_nodes-1_r1*/config.yaml"):
            path.unlink()
        with self.assertRaisesRegex(InputError, "config.yaml: cannot be read: No such file"):
            compare([folder], None)

    def test_one_configuration_is_nothing_to_compare(self):
        with self.assertRaisesRegex(InputError, "one configuration only .2 runs of static."):
            compare([self.write(repeats("static", [0.4, 0.5]))], None)

    def test_the_same_simulated_run_counts_once(self):
        folder = self.write([run("static"), run("ssp"), run("ssp", run="again")])
        comparison = compare([folder, folder], None)
        self.assertEqual([len(group.runs) for group in comparison.groups], [1, 1])
        self.assertRegex(comparison.notes[0], "counted once: ssp, seed 1 in .*again")

    def test_real_runs_with_one_seed_are_all_counted(self):
        folder = self.write([run("static", backend="real"), run("ssp", backend="real"),
                             run("ssp", run="again", backend="real")])
        self.assertEqual([len(group.runs) for group in compare([folder], None).groups], [1, 2])

    def test_two_versions_of_pslab_are_two_groups_and_noted(self):
        first = self.write([run("static")], "first")
        second = self.write([run("static", commit="def5678")], "second")
        comparison = compare([first, second], None)
        self.assertEqual([group.label for group in comparison.groups],
                         ["static, first, version abc1234", "static, second, version def5678"])
        self.assertIn("the runs were made by different versions of pslab", comparison.notes)

    def test_runs_without_a_finite_value_are_counted_apart(self):
        folder = self.write([run("static"), run("ssp", metric=["0.9", "nan"]),
                             run("ssp", repeat=2)])
        comparison = compare([folder], None)
        self.assertEqual(comparison.groups[1].results["test_rmse"].missing, 1)
        self.assertRegex(as_text(comparison), r"ssp +1 of 2 +0\.800")

    def test_json_is_strict_and_complete(self):
        folder = self.write([run("static"), run("ssp", metric=["nan", "nan"])])
        data = json.loads(as_json(compare([folder], None)),
                          parse_constant=lambda name: self.fail(f"{name} is not JSON"))
        self.assertEqual([group["label"] for group in data["groups"]], ["static", "ssp"])
        self.assertIsNone(data["groups"][1]["results"]["test_rmse"]["mean"])
        self.assertEqual(data["groups"][0]["results"]["epoch_time_s"]["values"], [0.5])
        self.assertEqual(data["metric"], "test_rmse")
