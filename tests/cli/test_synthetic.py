"""Options of the synthetic workload that change what a run costs, not what it is."""

from tests.cli.program import ProgramTest

TEXT = """\
experiment: stored
cluster: {nodes: 3, workers_per_node: 2}
sim: {network: alpha_beta}
workload: {name: synthetic, keys: 500, value_length: 40, steps: 60, sample_share: 0.25}
metrics: {oracle: true}
sweep:
  strategy:
  - {name: static}
  - {name: relocation}
  - {name: full_replication, sync_rate: 2000}
  - {name: hybrid, hot_factor: 5, sync_rate: 2000}
  - {name: ssp}
  - {name: essp}
  - {name: adaptive, rounds_per_second: 5000}
  workload.stored_floats: [all, one]
"""


class StoredFloats(ProgramTest):
    def test_one_stands_for_all_in_times_messages_and_bounds(self):
        self.run_small(text=TEXT)
        by_strategy = {}
        for row in self.table("stored"):
            self.assertEqual(row["status"], "succeeded")
            by_strategy.setdefault(row["strategy"], []).append(
                {name: row[name] for name in ("epoch_time_s", "messages", "bytes_sent", "oracle_s",
                                              "local_share", "relocations", "test_lost_updates")})
        self.assertEqual(len(by_strategy), 7)
        for strategy, (stored, one) in by_strategy.items():
            self.assertEqual(stored, one, strategy)
            self.assertEqual(float(stored["test_lost_updates"]), 0)

    def test_is_refused_where_messages_are_real(self):
        file = self.write("stored.yaml", TEXT)
        result = self.pslab("check", file, "backend=real", "workload.stored_floats=one",
                            "metrics.oracle=false", "strategy={name: static}", code=2)
        self.assertIn("the workload stores one of each 40 floats, but backend: real sends what is "
                      "stored", result.stderr)


class AnnouncedTogether(ProgramTest):
    def test_not_more_steps_than_the_look_ahead(self):
        file = self.write("stored.yaml", TEXT)
        result = self.pslab("check", file, "workload.announce_together=11", code=2)
        self.assertIn("workload.announce_together: must not be larger than lookahead (10)",
                      result.stderr)


class RareRounds(ProgramTest):
    def test_the_end_of_an_epoch_does_not_wait_for_the_next_round(self):
        rare = """\
sweep:
  strategy:
  - {name: full_replication, sync_rate: 0.001}
  - {name: hybrid, hot_factor: 5, sync_rate: 0.001}
  - {name: adaptive, rounds_per_second: 0.001}
"""
        self.run_small(text=TEXT[:TEXT.index("sweep:")] + rare)
        for row in self.table("stored"):
            self.assertEqual(row["status"], "succeeded")
            self.assertLess(float(row["epoch_time_s"]) + float(row["settle_s"]), 1.0)
            self.assertEqual(float(row["test_lost_updates"]), 0)


class AListOfKeys(ProgramTest):
    def test_a_list_names_at_least_one(self):
        path = self.write("keys.txt", "# none\n")
        file = self.write("stored.yaml", TEXT)
        result = self.pslab("check", file, f"strategy={{name: hybrid, key_list: '{path}'}}", code=2)
        self.assertIn("keys.txt names no key", result.stderr)
