"""Experiments for the tests: the stored one, and small ones written to a temporary folder."""

from __future__ import annotations

import csv
import json
import shutil
import tempfile
import unittest
from pathlib import Path

from analysis.load import BREAKDOWN, FIXED_COLUMNS

ROOT = Path(__file__).resolve().parents[2]
STORED = ROOT / "tests" / "data" / "results" / "mf-skew"

CONFIG = """experiment: {experiment}
cluster: {{nodes: {nodes}, workers_per_node: 2, platform: ethernet-10g}}
workload:
  name: matrix_factorization
  rank: {rank}
strategy:
  name: {strategy}
seed: {seed}
"""


class SampleCase(unittest.TestCase):
    """A test with a temporary folder."""

    def setUp(self) -> None:
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)

    def copy_of_stored(self) -> Path:
        return Path(shutil.copytree(STORED, self.folder / "mf-skew"))

    def write(self, runs: list[list[dict[str, str]]], name: str = "sample", rank: int = 32) -> Path:
        """Writes an experiment of runs, each a list of rows (see `run`), with config.yaml files."""
        folder = self.folder / name
        folder.mkdir()
        rows = [row | {"experiment": name} for run in runs for row in run]
        columns = [*FIXED_COLUMNS, *dict.fromkeys(key for row in rows for key in row
                                                  if key not in FIXED_COLUMNS)]
        with (folder / "table.csv").open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, columns, lineterminator="\n")
            writer.writeheader()
            writer.writerows(rows)
        for run in runs:
            target = folder / run[0]["run"]
            target.mkdir()
            (target / "config.yaml").write_text(CONFIG.format(
                experiment=name, rank=rank, **{key: run[0][key] for key in
                                               ("nodes", "strategy", "seed")}))
        return folder


def run(strategy: str = "static", *, metric: list[str] | tuple = ("0.9", "0.8"),
        epoch_time_s: float = 0.5, nodes: int = 1, repeat: int = 1, status: str = "succeeded",
        error: str = "", name_of_metric: str = "test_rmse", **other: str) -> list[dict[str, str]]:
    """The rows of one run: one epoch per value of `metric`, all of the same length."""
    identity = {
        "run": f"{strategy}_nodes-{nodes}_r{repeat}", "status": status, "error": error,
        "commit": "abc1234", "config_hash": f"{strategy}{nodes}", "backend": "sim",
        "platform": "ethernet-10g", "workload": "matrix_factorization", "strategy": strategy,
        "scheme": "independent", "nodes": str(nodes), "workers_per_node": "2",
        "seed": str(repeat), "repeat": str(repeat), "sweep.strategy": strategy,
        "sweep.cluster.nodes": str(nodes)} | other
    if not metric:
        return [identity | {"epoch": "0"}]
    parts = dict(zip((f"{part}_s" for part in BREAKDOWN), (0.5, 0.1, 0.2, 0.15, 0.05)))
    return [identity | {
        "epoch": str(number), "time_s": repr(number * epoch_time_s),
        "epoch_time_s": repr(epoch_time_s), "settle_s": "0.0",
        "bytes_sent": str(1000 * nodes), name_of_metric: value,
        **{column: repr(share * epoch_time_s) for column, share in parts.items()},
    } for number, value in enumerate(metric, start=1)]


def write_events(folder: Path, traffic: list[dict[str, int]]) -> None:
    """events.jsonl with bytes per kind, one dict per epoch."""
    events = [{"event": "start"}]
    events += [{"event": "epoch", "epoch": number, "traffic": {
        kind: {"messages": 1, "bytes": count} for kind, count in kinds.items()}}
        for number, kinds in enumerate(traffic, start=1)]
    events.append({"event": "end", "status": "succeeded", "error": ""})
    (folder / "events.jsonl").write_text("".join(json.dumps(event) + "\n" for event in events))
