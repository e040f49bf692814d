"""What the literature claims of the strategies, each as a config in configs/claims and a rule.

Times are those of an epoch and of what it left to be settled: a strategy that brings replicas
together late saves nothing. Simulated runs repeat bit for bit, so a rule either holds or something
has changed.
"""

import unittest

from tests.cli.program import PROJECT, ProgramTest


class Claims(ProgramTest):
    def run_claim(self, name):
        """The last epoch of each run, in the order of the config."""
        self.pslab("run", PROJECT / "configs" / "claims" / f"{name}.yaml", "--no-figures",
                   seconds=280)
        last = {row["run"]: row for row in self.table(name)}
        rows = [{key: _number(value) for key, value in row.items()} for row in last.values()]
        for row in rows:
            row["seconds"] = row["epoch_time_s"] + row["settle_s"]
        self.assertTrue(all(row["status"] == "succeeded" for row in rows))
        return rows

    def assert_slower(self, slow, fast, times=1.0):
        self.assertGreater(slow["seconds"], times * fast["seconds"],
                           f"{_name(slow)} against {_name(fast)}")

    def test_relocation_wins_where_accesses_are_cold_and_known(self):
        one_node, static, relocation, replication = self.run_claim("cold")
        self.assert_slower(static, one_node)
        self.assert_slower(one_node, relocation, 2)
        self.assert_slower(static, relocation, 2)
        self.assert_slower(replication, relocation, 1.5)
        self.assertGreater(replication["bytes_sent"], 3 * relocation["bytes_sent"])
        self.assertGreater(relocation["local_share"], 0.95)
        self.assertLess(relocation["relocation_conflicts"], 0.01 * relocation["relocations"])

    def test_replication_wins_on_hot_keys_and_hybrid_beats_both(self):
        static, relocation, replication, hybrid = self.run_claim("hot")
        self.assert_slower(relocation, static, 1.2)
        self.assertGreater(relocation["relocation_conflicts"], 0.1 * relocation["relocations"])
        self.assert_slower(static, replication, 3)
        self.assert_slower(replication, hybrid, 1.1)
        self.assert_slower(relocation, hybrid, 5)
        self.assertLess(hybrid["bytes_sent"], 0.5 * replication["bytes_sent"])
        self.assertLess(hybrid["relocation_conflicts"], 0.01 * hybrid["relocations"])

    def test_cheap_schemes_remove_the_cost_of_sampling(self):
        none, independent, reuse, local = self.run_claim("samples")
        self.assert_slower(independent, none, 1.8)
        self.assert_slower(independent, reuse, 1.5)
        self.assertLess(reuse["seconds"], 1.5 * none["seconds"])
        self.assertLess(local["seconds"], 1.1 * none["seconds"])

    def test_adaptive_needs_no_tuning(self):
        *hybrids, adaptive = self.run_claim("adaptive")
        self.assertEqual(len(hybrids), 20)
        best = min(hybrids, key=lambda row: row["seconds"])
        self.assertLess(adaptive["seconds"], 1.1 * best["seconds"], _name(best))

    def test_adaptive_follows_a_moving_hot_set(self):
        rows = self.run_claim("moving_hot_set")
        fixed, moving = rows[:4], rows[4:]
        self.assert_slower(moving[2], fixed[2], 5)  # the published heuristic
        for hybrid in moving[:3]:
            self.assert_slower(hybrid, moving[3], 1.3)
        self.assertLess(moving[3]["seconds"], 2 * fixed[3]["seconds"])

    def test_matrix_factorization(self):
        one_node, static, relocation, *hybrids, adaptive = self.run_claim("mf")
        self.assert_slower(static, one_node)
        self.assert_slower(one_node, relocation)
        best = min(hybrids, key=lambda row: row["seconds"])
        self.assert_slower(relocation, best)
        self.assertLess(adaptive["seconds"], 1.1 * best["seconds"])
        errors = [row["test_rmse"] for row in (one_node, static, relocation, best, adaptive)]
        self.assertLess(max(errors), 1.05 * min(errors))


def _number(value):
    try:
        return float(value)
    except ValueError:
        return value


def _name(row):
    return ", ".join(f"{key} {value}" for key, value in row.items()
                     if key in ("strategy", "nodes") or key.startswith("sweep."))


if __name__ == "__main__":
    unittest.main()
