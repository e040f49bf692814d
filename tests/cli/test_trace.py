"""Traces that runs record, and the oracle's bound, seen from outside."""

import json

from tests.cli.program import SMALL, ProgramTest
from tests.cli.real import REAL, RealTest

RECORDED = SMALL.replace("experiment: small", "experiment: recorded") + \
    "metrics: {record_trace: true}\n"
REPLAY = """\
experiment: replayed
cluster: {nodes: 2, workers_per_node: 2}
workload: {name: synthetic, trace: TRACE}
train: {epochs: 2}
"""


class Traces(ProgramTest):
    def record(self, *arguments, text=RECORDED):
        self.run_small("strategy.name=static", *arguments, text=text)
        (trace,) = self.results("recorded").glob("*/trace.bin")
        return trace

    def replay(self, trace, *arguments, code=0):
        file = self.write("replay.yaml", REPLAY.replace("TRACE", str(trace)))
        return self.pslab("run", file, "--no-figures", "strategy.name=static", *arguments,
                          code=code)

    def test_a_recorded_run_is_the_same_run_and_replays_with_the_same_traffic(self):
        trace = self.record()
        recorded, = self.summaries("recorded").values()
        self.run_small("strategy.name=static", text=SMALL)
        plain, = self.summaries().values()
        for what in ("time_s", "messages", "bytes_sent", "metrics"):
            self.assertEqual(recorded[what], plain[what])
        self.replay(trace)
        replayed, = self.summaries("replayed").values()
        for what in ("messages", "bytes_sent"):
            self.assertEqual(recorded[what], replayed[what])
        self.assertAlmostEqual(recorded["time_s"], replayed["time_s"], places=12)
        self.assertEqual(replayed["metrics"], {"test_lost_updates": 0})
        self.assertRegex(replayed["data"][0], r"^trace of 2 epochs of 2 nodes x 2 workers: "
                                              r"2880 keys pulled and 2880 pushed, of 140 keys$")

    def test_the_same_run_gives_the_same_trace(self):
        first = self.record().read_bytes()
        self.assertEqual(self.record("--force").read_bytes(), first)

    def test_nothing_but_the_trace_is_left(self):
        run = self.record().parent
        self.assertEqual(sorted(path.name for path in run.iterdir()),
                         ["config.yaml", "env.json", "events.jsonl", "log.txt", "summary.json",
                          "trace.bin"])
        self.assertEqual(list(run.parent.glob(".*")), [])

    def test_the_folder_of_an_experiment_will_do(self):
        self.record()
        self.replay(self.results("recorded"))

    def refusal(self, trace, *arguments):
        result = self.replay(trace, *arguments, code=2)
        self.assertFalse(self.results("replayed").is_dir() and self.summaries("replayed"))
        return result.stderr

    def test_bad_traces_are_refused_with_the_reason(self):
        trace = self.record()
        whole = trace.read_bytes()
        bad = self.folder / "bad.bin"
        for content, reason in [
                (b"rows,columns\n", "this is no trace: it does not begin with 'pslabtrc'"),
                (whole[:-5], f"the trace is cut off: it has {len(whole) - 5} bytes and should have "
                             f"{len(whole)}. Copy or record it again"),
                (whole[:99] + bytes([whole[99] ^ 1]) + whole[100:],
                 "the trace is damaged: its checksum is wrong. Copy or record it again"),
                (whole[:8] + b"\x09" + whole[9:], "a trace of version 9; this pslab reads version 1")]:
            bad.write_bytes(content)
            self.assertIn(f"workload.trace: {bad}: {reason}", self.refusal(bad))
        self.assertIn("workload.trace: there is no nowhere.bin. Give the trace.bin of a run",
                      self.refusal("nowhere.bin"))

    def test_a_cluster_with_other_workers_is_refused(self):
        self.assertIn("was recorded with 2 nodes x 2 workers, but the cluster has 3 x 2. Each worker "
                      "does what one of the trace did: set cluster.nodes",
                      self.refusal(self.record(), "cluster.nodes=3"))

    def test_options_that_a_trace_replaces_are_refused(self):
        self.assertIn("workload.zipf: must be left out with workload.trace",
                      self.refusal(self.record(), "workload.zipf=1.3"))


class RealTraces(RealTest):
    def test_processes_record_one_trace_that_a_simulation_replays(self):
        text = REAL.replace("experiment: small", "experiment: recorded") + \
            "metrics: {record_trace: true}\n"
        self.run_small("strategy.name=static", text=text)
        (trace,) = self.results("recorded").glob("*/trace.bin")
        self.assertEqual(list(self.results("recorded").glob(".*")), [])
        replay = REPLAY.replace("TRACE", str(trace)).replace(
            "{nodes: 2, workers_per_node: 2}", "{nodes: 3, workers_per_node: 1}")
        file = self.write("replay.yaml", replay)
        for backend in ("sim", "real"):
            self.pslab("run", file, "--no-figures", "--force", "strategy.name=static",
                       f"backend={backend}")
        recorded, = self.summaries("recorded").values()
        for replayed in self.summaries("replayed").values():
            self.assertEqual(replayed["messages"], recorded["messages"])
            self.assertEqual(replayed["bytes_sent"], recorded["bytes_sent"])
            self.assertEqual(replayed["metrics"], {"test_lost_updates": 0})


class Oracle(ProgramTest):
    def test_table_summary_and_comparison_have_it(self):
        output = self.run_small("metrics.oracle=true").stdout
        self.assertRegex(output, r"(?m)^ +nodes x +epoch +times the ")
        for row in self.table():
            self.assertGreater(float(row["oracle_s"]), 0.0)
            self.assertGreaterEqual(float(row["epoch_time_s"]), float(row["oracle_s"]))
        for name, summary in self.summaries().items():
            bounds = [float(row["oracle_s"]) for row in self.table() if row["run"] == name]
            self.assertAlmostEqual(summary["mean_oracle_s"], sum(bounds) / 2)

    def test_it_is_computed_only_when_asked_for(self):
        output = self.run_small().stdout
        self.assertNotIn("times the", output)
        self.assertEqual({row["oracle_s"] for row in self.table()}, {""})
        self.assertEqual({summary["mean_oracle_s"] for summary in self.summaries().values()}, {None})
        events = next(self.results().glob("*/events.jsonl")).read_text().splitlines()
        self.assertIsNone(json.loads(events[1])["oracle_s"])

    def test_it_does_not_change_the_run(self):
        self.run_small()
        plain = [row["epoch_time_s"] for row in self.table()]
        self.run_small("metrics.oracle=true", "--out", "other")
        self.assertEqual(plain, [row["epoch_time_s"] for row in self.table()])

    def test_on_real_processes_it_is_refused(self):
        file = self.write("small.yaml", SMALL)
        self.assert_refused(
            ["check", file, "backend=real", "metrics.oracle=true"],
            "command line: metrics.oracle=true: metrics.oracle: needs backend: sim, which knows what "
            "things cost on its platform, seen the flag true. Leave it out, or set backend: sim")
