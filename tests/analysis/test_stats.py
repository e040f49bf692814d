"""Statistics against tables and examples worked by hand."""

import math
import unittest

from analysis.stats import (incomplete_beta, mann_whitney, summarise, t_cdf, t_quantile)


class StudentT(unittest.TestCase):
    def test_quantiles_agree_with_printed_tables(self):
        table = {(0.975, 1): 12.706, (0.975, 2): 4.303, (0.975, 3): 3.182, (0.975, 4): 2.776,
                 (0.975, 9): 2.262, (0.975, 30): 2.042, (0.975, 120): 1.980, (0.95, 5): 2.015,
                 (0.995, 2): 9.925, (0.995, 10): 3.169}
        for (probability, degrees), value in table.items():
            self.assertAlmostEqual(t_quantile(probability, degrees), value, places=3,
                                   msg=f"{probability}, {degrees}")

    def test_one_and_two_degrees_agree_with_their_closed_forms(self):
        self.assertAlmostEqual(t_quantile(0.975, 1), math.tan(math.pi * 0.475), places=9)
        self.assertAlmostEqual(t_cdf(1.5, 2), 0.5 + 1.5 / (2 * math.sqrt(2 + 1.5 ** 2)), places=14)

    def test_quantile_is_odd_and_inverts_the_distribution(self):
        self.assertEqual(t_quantile(0.1, 7), -t_quantile(0.9, 7))
        self.assertAlmostEqual(t_cdf(t_quantile(0.83, 6), 6), 0.83, places=12)

    def test_incomplete_beta_agrees_with_polynomials(self):
        self.assertAlmostEqual(incomplete_beta(2, 2, 0.3), 3 * 0.3 ** 2 - 2 * 0.3 ** 3, places=14)
        self.assertAlmostEqual(incomplete_beta(1, 3, 0.8), 1 - 0.2 ** 3, places=14)


class Interval(unittest.TestCase):
    def test_mean_and_half_width_of_three_values(self):
        summary = summarise([1.0, 2.0, 3.0])  # s = 1, t(0.975, 2) = 4.30265
        self.assertEqual(summary.mean, 2.0)
        self.assertAlmostEqual(summary.half_width, 4.30265 / math.sqrt(3), places=5)

    def test_one_value_has_no_interval(self):
        self.assertIsNone(summarise([5.0]).half_width)

    def test_equal_values_have_an_interval_of_width_zero(self):
        self.assertEqual(summarise([0.1, 0.1, 0.1]).half_width, 0.0)


class MannWhitney(unittest.TestCase):
    def test_separated_groups_of_four(self):
        test = mann_whitney([1, 2, 3, 4], [5, 6, 7, 8])
        self.assertEqual(test.u, 0)
        self.assertAlmostEqual(test.p, 2 / 70)  # 2 of C(8, 4) deals are this extreme

    def test_example_counted_by_hand(self):
        # Ranks of the first group 1, 2, 3, 5: U = 1. Deals with U <= 1: two; as many with U >= 15.
        test = mann_whitney([1, 2, 3, 5], [4, 6, 7, 8])
        self.assertEqual(test.u, 1)
        self.assertAlmostEqual(test.p, 4 / 70)

    def test_three_against_five(self):
        self.assertAlmostEqual(mann_whitney([9, 8, 7], [1, 2, 3, 4, 5]).p, 2 / 56)

    def test_ties_share_their_mean_rank(self):
        # Mid-ranks 1, 2.5, 2.5, 4, 5, 6, 7, 8; the first group has 1, 2.5, 4, 5: sum 12.5. Deals
        # with sum <= 12.5: 1+2.5+2.5+{4,5,6} = 10, 11, 12 and 1+2.5+4+5 (twice) = 12.5: five of
        # 70. Sum >= 23.5: 8+7+6+{5,4,2.5,2.5} = 26, 25, 23.5, 23.5 and 8+7+5+4 = 24: five.
        test = mann_whitney([1, 2, 3, 4], [2, 5, 6, 7])
        self.assertEqual(test.u, 2.5)
        self.assertAlmostEqual(test.p, 10 / 70)

    def test_equal_groups_have_p_one(self):
        self.assertEqual(mann_whitney([1, 1, 1, 1], [1, 1, 1, 1]).p, 1.0)

    def test_fewer_than_three_runs_are_too_few(self):
        test = mann_whitney([1, 2], list(range(3, 20)))
        self.assertIsNone(test.p)
        self.assertIn("too few runs for a test (n = 2 and 17)", test.note)

    def test_three_against_three_cannot_reach_significance(self):
        test = mann_whitney([1, 2, 3], [4, 5, 6])
        self.assertIsNone(test.p)
        self.assertIn("p cannot fall below 0.1", test.note)


if __name__ == "__main__":
    unittest.main()
