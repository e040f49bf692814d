"""The command `compare`: groups of runs against the first group, with intervals and a rank test."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from analysis.config import load_config
from analysis.errors import InputError
from analysis.labels import label_all, name_of_run, plural
from analysis.load import (TABLE, Experiment, Run, group_by_configuration, load_experiment,
                           main_metric)
from analysis.stats import RankTest, Summary, mann_whitney, summarise
from analysis.view import left_out

# Top-level keys of a config in which compared runs may differ: names, repeats, what is studied.
FREE_KEYS = ("experiment", "seed", "repeat", "repeats", "sweep", "strategy", "sampling")


@dataclass(frozen=True)
class Difference:
    """A path in which a group's config differs from the reference although nobody swept it."""

    path: str
    reference: str
    value: str

    def text(self) -> str:
        return f"{self.path} differs ({self.reference} vs {self.value})"


@dataclass(frozen=True)
class Result:
    """One quantity of one group."""

    values: list[float]  # one per run, finite
    missing: int  # runs without a finite value
    summary: Summary | None  # None if no run has a finite value
    change: float | None  # of the mean against the reference, 0.1 = 10 % more; None if undefined
    test: RankTest | None  # None for the reference and for groups that are not comparable


@dataclass(frozen=True)
class GroupResult:
    """Runs that differ only in seed and repeat, against the reference."""

    label: str
    runs: list[Run]
    differences: list[Difference]  # not comparable if there are any
    results: dict[str, Result]  # by the name of the quantity


@dataclass(frozen=True)
class Comparison:
    """The first group is the reference of all others."""

    groups: list[GroupResult]
    metric: str | None
    notes: list[str]  # what was left out, and other things the reader must know

    @property
    def refused(self) -> list[GroupResult]:
        return [group for group in self.groups if group.differences]


def compare(paths: Sequence[Path], wanted: str | None) -> Comparison:
    """Loads experiment and run folders and compares their groups of succeeded runs."""
    experiments, runs = _load(paths)
    succeeded = [run for run in runs if run.succeeded]
    notes = [f"left out: {text}" for text in left_out(runs)]
    grouped = group_by_configuration(succeeded)
    if len(grouped) < 2:
        have = "no run that succeeded" if not grouped else (
            f"one configuration only ({plural(len(succeeded), 'run')} of "
            f"{grouped[0][0].configuration.strategy})")
        raise InputError("; ".join([f"nothing to compare: there is {have}; give runs or "
                                    "experiments of at least two configurations", *notes]))
    labels = label_all([group[0].configuration for group in grouped]).texts
    groups = []
    for group, label in zip(grouped, labels):
        independent, copies = _without_copies(group)
        notes += [f"counted once: {name_of_run(run, label)} in {run.folder} is the same simulated "
                  "run again" for run in copies]
        groups.append(independent)
    if len({group[0].configuration.commit for group in groups}) > 1:
        notes.append("the runs were made by different versions of pslab")
    metric = main_metric(experiments.values(), succeeded, wanted)
    return Comparison(_results(groups, labels, experiments, metric), metric, notes)


def quantities(metric: str | None) -> dict[str, Callable[[Run], float | None]]:
    """What is compared; one value per run. The name ends in its unit, if it has one."""
    result: dict[str, Callable[[Run], float | None]] = {"epoch_time_s": Run.mean_epoch_time_s}
    if metric is not None:
        result[metric] = lambda run: run.final_metric(metric)
    result["bytes_per_epoch"] = Run.mean_bytes_per_epoch
    return result


def differences(first: dict[str, str], second: dict[str, str],
                swept: set[str]) -> list[Difference]:
    """Paths of two flat configs that differ and are neither free nor below a swept path."""
    result = []
    for path in dict.fromkeys([*first, *second]):
        values = first.get(path, "not set"), second.get(path, "not set")
        if values[0] == values[1] or _is_below(path, FREE_KEYS) or _is_below(path, swept):
            continue
        result.append(Difference(path, *values))
    return result


def _is_below(path: str, roots: Sequence[str] | set[str]) -> bool:
    return any(path == root or path.startswith((f"{root}.", f"{root}[")) for root in roots)


def _load(paths: Sequence[Path]) -> tuple[dict[Path, Experiment], list[Run]]:
    """Experiments by folder, and the wanted runs in the order given, each once."""
    experiments: dict[Path, Experiment] = {}
    runs: dict[Path, Run] = {}
    for path in paths:
        is_run = not (path / TABLE).is_file() and (path.resolve().parent / TABLE).is_file()
        folder = path.resolve().parent if is_run else path.resolve()
        if folder not in experiments:
            experiments[folder] = load_experiment(folder if is_run else path)
        chosen = [run for run in experiments[folder].runs
                  if not is_run or run.name == path.resolve().name]
        if not path.is_dir() or not chosen:
            raise InputError(f"{path}: no such run in {folder / TABLE}; give run folders or "
                             "experiment folders")
        for run in chosen:
            runs.setdefault(folder / run.name, run)
    return experiments, list(runs.values())


def _without_copies(group: Sequence[Run]) -> tuple[list[Run], list[Run]]:
    """Splits off simulated runs with the seed of an earlier one: equal by design, no evidence."""
    seen: set[str] = set()
    independent, copies = [], []
    for run in group:
        is_copy = run.configuration.backend == "sim" and run.seed in seen
        (copies if is_copy else independent).append(run)
        seen.add(run.seed)
    return independent, copies


def _results(groups: Sequence[list[Run]], labels: Sequence[str],
             experiments: dict[Path, Experiment], metric: str | None) -> list[GroupResult]:
    reference = groups[0]
    results = []
    for group, label in zip(groups, labels):
        found: list[Difference] = []
        if group is not reference:
            swept = [set(experiments[run.folder.resolve().parent].swept)
                     for run in (reference[0], group[0])]
            found = differences(load_config(reference[0].folder), load_config(group[0].folder),
                                swept[0] & swept[1])
        values = {name: _result(group, reference, measure, comparable=not found)
                  for name, measure in quantities(metric).items()}
        results.append(GroupResult(label, list(group), found, values))
    return results


def _result(group: Sequence[Run], reference: Sequence[Run],
            measure: Callable[[Run], float | None], comparable: bool) -> Result:
    values, base = _finite(group, measure), _finite(reference, measure)
    summary = summarise(values) if values else None
    change = test = None
    if comparable and group is not reference and values and base:
        mean = summarise(base).mean
        change = (summary.mean - mean) / abs(mean) if mean else None
        test = mann_whitney(values, base)
    return Result(values, len(group) - len(values), summary, change, test)


def _finite(group: Sequence[Run], measure: Callable[[Run], float | None]) -> list[float]:
    values = [measure(run) for run in group]
    return [value for value in values if value is not None and math.isfinite(value)]
