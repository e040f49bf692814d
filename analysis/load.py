"""Reads table.csv of an experiment: runs, their epochs, and the configuration each belongs to.

The layout is described in src/run/README.md. An empty field means "not measured" and becomes None.
"""

from __future__ import annotations

import csv
import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from analysis.errors import InputError

TABLE = "table.csv"
STATUSES = ("succeeded", "failed", "interrupted")
BREAKDOWN = ("compute", "local_access", "remote_wait", "relocation_wait", "barrier_wait")
FIXED_COLUMNS = (
    "experiment", "run", "status", "error", "commit", "config_hash", "backend", "platform",
    "workload", "strategy", "scheme", "nodes", "workers_per_node", "seed", "repeat", "epoch",
    "time_s", "epoch_time_s", "settle_s", *(f"{part}_s" for part in BREAKDOWN), "local_share", "accesses",
    "local_accesses", "messages", "bytes_sent", "relocations", "relocation_conflicts",
    "sync_rounds", "oracle_s",
)
SWEEP_PREFIX = "sweep."


@dataclass(frozen=True)
class Configuration:
    """What runs that differ only in seed and repeat have in common."""

    experiment: str
    commit: str
    config_hash: str
    backend: str
    platform: str
    workload: str
    strategy: str
    scheme: str
    nodes: int
    workers_per_node: int
    sweep: tuple[tuple[str, str], ...]  # (dotted path, value as written); seed and repeats left out


@dataclass(frozen=True)
class Epoch:
    """One epoch of one run. Times in seconds, mean over workers."""

    epoch: int  # 1-based
    time_s: float  # training time from the start of the run to the end of this epoch
    epoch_time_s: float
    settle_s: float  # after it, until all replicas agree
    breakdown_s: dict[str, float | None]  # keys: BREAKDOWN
    bytes_sent: float | None
    sync_rounds: float | None  # all-reduce rounds of replicas
    oracle_s: float | None  # lower bound on epoch_time_s
    metrics: dict[str, float | None]  # a value may be NaN: measured, but not a number


@dataclass
class Run:
    """One run: a row of the sweep with one seed."""

    name: str
    folder: Path
    configuration: Configuration
    status: str
    error: str
    seed: str
    repeat: str
    epochs: list[Epoch] = field(default_factory=list)

    @property
    def succeeded(self) -> bool:
        return self.status == "succeeded" and bool(self.epochs)

    def mean_epoch_time_s(self) -> float:
        return sum(epoch.epoch_time_s for epoch in self.epochs) / len(self.epochs)

    def mean_bytes_per_epoch(self) -> float | None:
        """Bytes between different nodes per epoch; None if an epoch was not measured."""
        values = [epoch.bytes_sent for epoch in self.epochs]
        return None if None in values else sum(values) / len(values)

    def mean_oracle_s(self) -> float | None:
        """Lower bound on the mean epoch time; None if an epoch has none."""
        values = [epoch.oracle_s for epoch in self.epochs]
        return None if None in values else sum(values) / len(values)

    def final_metric(self, metric: str) -> float | None:
        """The value of the last epoch in which `metric` was measured."""
        values = [epoch.metrics.get(metric) for epoch in self.epochs]
        measured = [value for value in values if value is not None]
        return measured[-1] if measured else None

    def why_left_out(self) -> str:
        """Why a run that did not succeed is in no figure."""
        if self.status == "succeeded":
            return "ended before its first epoch"
        return f"{self.status}: {' '.join(self.error.split())}" if self.error else self.status


@dataclass(frozen=True)
class Experiment:
    """All runs of one table.csv, in the order of the table."""

    folder: Path
    runs: list[Run]
    metrics: list[str]  # quality metrics, in the order of the columns
    swept: list[str]  # dotted paths


def load_experiment(folder: Path) -> Experiment:
    """Reads FOLDER/table.csv. InputError names the file and the line."""
    if not folder.is_dir():
        raise InputError(f"{folder}: no such folder; give the folder that `pslab run` wrote")
    path = folder / TABLE
    if not path.is_file():
        raise InputError(
            f"{folder}: there is no {TABLE} in it; give an experiment folder, "
            "DIR/<experiment>, as `pslab run` writes it")
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            return _read_table(csv.reader(file, strict=True), path)
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None


def main_metric(experiments: Iterable[Experiment], runs: list[Run],
                wanted: str | None) -> str | None:
    """The metric to show: `wanted`, else the first test_* that was measured, else train_loss.

    None if the runs have no quality metric at all. InputError if `wanted` was not measured.
    """
    names = list(dict.fromkeys(name for experiment in experiments for name in experiment.metrics))
    measured = [name for name in names
                if any(run.final_metric(name) is not None for run in runs)]
    if wanted is not None:
        if wanted not in measured:
            known = ", ".join(measured) or "none"
            raise InputError(f"--metric {wanted}: no run measured it; measured: {known}")
        return wanted
    tests = [name for name in measured if name.startswith("test_")]
    if tests:
        return tests[0]
    return "train_loss" if "train_loss" in measured else (measured[0] if measured else None)


def group_by_configuration(runs: Iterable[Run]) -> list[list[Run]]:
    """Groups of runs that differ only in seed and repeat, in order of first appearance.

    Runs of different versions of pslab never share a group.
    """
    groups: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        key = (run.configuration.config_hash, run.configuration.commit)
        groups.setdefault(key, []).append(run)
    return list(groups.values())


def _read_table(reader, path: Path) -> Experiment:
    runs: dict[str, Run] = {}
    header: list[str] | None = None
    try:
        for cells in reader:
            if header is None:
                header = cells
                _check_header(header, path)
            elif cells:
                if len(cells) != len(header):
                    raise InputError(f"{path}:{reader.line_num}: {len(cells)} fields, but the "
                                     f"header has {len(header)} columns; is the file cut off?")
                _add_row(_Row(dict(zip(header, cells)), path, reader.line_num), runs)
    except csv.Error as error:
        raise InputError(f"{path}:{reader.line_num}: not valid CSV: {error}") from None
    if header is None:
        raise InputError(f"{path}: the file is empty; run the experiment again")
    if not runs:
        raise InputError(f"{path}: has a header but no rows; no run has ended yet")
    swept = [name.removeprefix(SWEEP_PREFIX) for name in header if name.startswith(SWEEP_PREFIX)]
    return Experiment(path.parent, list(runs.values()), _metric_columns(header), swept)


def _check_header(header: list[str], path: Path) -> None:
    missing = [name for name in FIXED_COLUMNS if name not in header]
    if missing:
        raise InputError(f"{path}:1: no column {_first_few(missing)}; is this the {TABLE} that "
                         "`pslab run` wrote? Its columns are described in src/run/README.md")
    twice = sorted({name for name in header if header.count(name) > 1})
    if twice:
        raise InputError(f"{path}:1: column {_first_few(twice)} stands there more than once")


def _first_few(names: list[str]) -> str:
    """At most three of the names, and how many there are besides."""
    more = len(names) - 3
    return ", ".join(names[:3]) + (f" and {more} more" if more > 0 else "")


def _metric_columns(header: Iterable[str]) -> list[str]:
    return [name for name in header
            if name not in FIXED_COLUMNS and not name.startswith(SWEEP_PREFIX)]


@dataclass(frozen=True)
class _Row:
    """One row with its place in the file, so that every complaint can name it."""

    cells: dict[str, str]
    path: Path
    line: int

    def fail(self, column: str, allowed: str) -> InputError:
        return InputError(f"{self.path}:{self.line}: column {column} is '{self.cells[column]}', "
                          f"but must be {allowed}")

    def integer(self, column: str, least: int) -> int:
        text = self.cells[column]
        if not (text.isascii() and text.isdigit()) or int(text) < least:
            raise self.fail(column, f"a whole number, {least} or more")
        return int(text)

    def number(self, column: str) -> float | None:
        text = self.cells[column]
        if text == "":
            return None
        try:
            return float(text)
        except ValueError:
            raise self.fail(column, "a number or empty") from None

    def seconds(self, column: str) -> float:
        value = self.number(column)
        if value is None or not math.isfinite(value) or value < 0:
            raise self.fail(column, "a time in seconds")
        return value


def _add_row(row: _Row, runs: dict[str, Run]) -> None:
    cells = row.cells
    if cells["status"] not in STATUSES:
        raise row.fail("status", "one of " + ", ".join(STATUSES))
    if not cells["run"]:
        raise row.fail("run", "the name of a run")
    run = runs.get(cells["run"])
    if run is None:
        run = Run(name=cells["run"], folder=row.path.parent / cells["run"],
                  configuration=_configuration(row), status="", error="", seed=cells["seed"],
                  repeat=cells["repeat"])
        runs[run.name] = run
    run.status, run.error = cells["status"], cells["error"]  # the last row says how the run ended
    number = row.integer("epoch", 0)
    if number == 0:
        return
    if run.epochs and number <= run.epochs[-1].epoch:
        raise row.fail("epoch", f"more than {run.epochs[-1].epoch}, the one before of this run")
    run.epochs.append(Epoch(
        epoch=number,
        time_s=row.seconds("time_s"),
        epoch_time_s=row.seconds("epoch_time_s"),
        settle_s=row.seconds("settle_s"),
        breakdown_s={part: row.number(f"{part}_s") for part in BREAKDOWN},
        bytes_sent=row.number("bytes_sent"),
        sync_rounds=row.number("sync_rounds"),
        oracle_s=row.number("oracle_s"),
        metrics={name: row.number(name) for name in _metric_columns(cells)}))


def _configuration(row: _Row) -> Configuration:
    cells = row.cells
    sweep = tuple((name.removeprefix(SWEEP_PREFIX), value) for name, value in cells.items()
                  if name.startswith(SWEEP_PREFIX) and value != ""
                  and name not in ("sweep.seed", "sweep.repeats"))
    texts = ("experiment", "commit", "config_hash", "backend", "platform", "workload", "strategy",
             "scheme")
    return Configuration(**{name: cells[name] for name in texts}, nodes=row.integer("nodes", 1),
                         workers_per_node=row.integer("workers_per_node", 1), sweep=sweep)
