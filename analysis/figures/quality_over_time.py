"""Quality over training time, and over epochs: one line per configuration."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis import style
from analysis.errors import NothingToDraw
from analysis.labels import cluster_text, metric_in_words, plural
from analysis.load import Configuration, Run
from analysis.stats import summarise
from analysis.units import TIME, Unit, unit_for
from analysis.view import ERROR_BAR, Group, View

MOST_LINES = 6  # in one panel; with more, every cluster size has a row of its own
PANEL_IN = 2.3  # height of a single row, inches
ROW_IN = 1.7  # height of each of several rows, inches
LOG_RANGE = 30  # an axis whose greatest value is more than this times the smallest is logarithmic


@dataclass(frozen=True)
class Curve:
    """Mean over repeats at the end of each epoch that all of them measured."""

    epochs: np.ndarray  # 1-based
    time_s: np.ndarray
    mean: np.ndarray  # NaN where the metric of some repeat is not finite: a gap in the line
    low: np.ndarray  # 95 % confidence interval; equal to mean with one run
    high: np.ndarray


def curve_of(runs: Sequence[Run], metric: str) -> Curve:
    """The curve of the runs of one configuration."""
    measured = [{epoch.epoch: epoch for epoch in run.epochs
                 if epoch.metrics.get(metric) is not None} for run in runs]
    common = sorted(set.intersection(*(set(epochs) for epochs in measured)))
    points = []
    for number in common:
        values = [epochs[number].metrics[metric] for epochs in measured]
        time_s = sum(epochs[number].time_s for epochs in measured) / len(measured)
        if all(math.isfinite(value) for value in values):
            summary = summarise(values)
            half = summary.half_width or 0.0
            points.append((number, time_s, summary.mean, summary.mean - half, summary.mean + half))
        else:
            points.append((number, time_s, math.nan, math.nan, math.nan))
    return Curve(*np.array(points, dtype=float).reshape(-1, 5).T)


def draw(view: View) -> Figure:
    """A row of two panels; several rows, one per cluster size, when there are many lines."""
    if view.metric is None:
        raise NothingToDraw("no run measured a quality metric")
    curves = {group.configuration: curve_of(group.runs, view.metric) for group in view.groups}
    drawn = [group for group in view.groups
             if np.isfinite(curves[group.configuration].mean).any()]
    if not drawn:
        raise NothingToDraw(f"{view.metric} is not a finite number in any epoch")
    rows = _rows(drawn)
    style.refuse_too_many_lines(max(map(len, rows.values())))
    looks = style.looks_for([group.configuration for group in drawn], view.strategies)
    if len(rows) > 1:  # the rows tell the cluster sizes apart, so the looks need not
        looks = {configuration: look for row in rows.values() for configuration, look in
                 style.looks_for([group.configuration for group in row], view.strategies).items()}
    unit = unit_for([curve.time_s[-1] for curve in curves.values() if curve.time_s.size], TIME)
    figure = Figure(figsize=(style.PAGE_IN, PANEL_IN if len(rows) == 1 else ROW_IN * len(rows)),
                    layout="constrained")
    panels = figure.subplots(len(rows), 2, squeeze=False, sharex="col", sharey=True)
    legend: dict[str, object] = {}
    for (title, groups), (over_time, over_epochs) in zip(rows.items(), panels):
        for group in groups:
            curve, look = curves[group.configuration], looks[group.configuration]
            line = _draw_curve(over_time, unit.of(curve.time_s), curve, look, group.label)
            _draw_curve(over_epochs, curve.epochs, curve, look, group.label)
            legend.setdefault(_without_cluster(group) if len(rows) > 1 else group.label, line)
        if title:
            over_time.set_title(title, loc="left")
    _label_axes(panels, view, unit, [curves[group.configuration] for group in drawn])
    style.frame(figure, list(legend.values()), list(legend),
                view.caption(f" per line; bands: {ERROR_BAR}",
                             view.label_title if len(rows) == 1 else "") + _gaps(view, curves))
    return figure


def _rows(groups: Sequence[Group]) -> dict[str, list[Group]]:
    rows: dict[str, list[Group]] = {}
    for group in groups:
        rows.setdefault(_cluster_in_words(group), []).append(group)
    if len(groups) <= MOST_LINES or len(rows) == 1 or len(rows) == len(groups):
        return {"": list(groups)}
    return rows


def _cluster_in_words(group: Group) -> str:
    nodes, workers = group.configuration.nodes, group.configuration.workers_per_node
    return f"{plural(nodes, 'node')} × {plural(workers, 'worker')}"


def _without_cluster(group: Group) -> str:
    cluster = cluster_text(group.configuration)
    return ", ".join(part for part in group.label.split(", ") if part != cluster)


def _draw_curve(axes: Axes, x: np.ndarray, curve: Curve, look: style.Look, label: str):
    if np.any(curve.high > curve.low):
        axes.fill_between(x, curve.low, curve.high, color=look.colour, alpha=0.2, linewidth=0)
    every = max(1, math.ceil(len(x) / 15))  # markers stay apart in long runs
    return axes.plot(x, curve.mean, label=style.plain(label), markevery=every,
                     **look.line_arguments())[0]


def _label_axes(panels: np.ndarray, view: View, unit: Unit, curves: Sequence[Curve]) -> None:
    clock = f", {view.clock}" if view.clock else ""
    panels[-1, 0].set_xlabel(f"Training time ({unit.name}{clock})")
    panels[-1, 1].set_xlabel("Epoch")
    for axes in panels.flat:
        axes.grid(True)
    words = style.plain(metric_in_words(view.metric))
    for axes in panels[:, 0]:
        axes.set_ylabel(words if len(panels) == 1 else words.replace(" (", "\n("))
    ends = [curve.time_s[-1] for curve in curves]
    if min(ends) > 0 and max(ends) > LOG_RANGE * min(ends):
        panels[0, 0].set_xscale("log")
    else:
        panels[0, 0].set_xlim(left=0)
    panels[0, 1].xaxis.set_major_locator(MaxNLocator(integer=True, min_n_ticks=1))
    values = np.concatenate([curve.mean[np.isfinite(curve.mean)] for curve in curves])
    if values.min() > 0 and values.max() > LOG_RANGE * values.min():
        panels[0, 0].set_yscale("log")


def _gaps(view: View, curves: dict[Configuration, Curve]) -> list[str]:
    """What the reader must know about lines that are absent, have gaps or end early."""
    notes = []
    for group in view.groups:
        curve = curves[group.configuration]
        last = max(run.epochs[-1].epoch for run in group.runs)
        shortest = min(run.epochs[-1].epoch for run in group.runs)
        if not curve.epochs.size:
            notes.append(f"Not drawn: {group.label} (did not measure {view.metric}).")
        elif np.isnan(curve.mean).any():
            first = int(curve.epochs[np.isnan(curve.mean)][0])
            notes.append(f"{group.label}: {view.metric} is not a finite number in epoch {first}"
                         + (" and later ones." if np.isnan(curve.mean).sum() > 1 else "."))
        elif shortest < last:
            notes.append(f"{group.label}: drawn up to epoch {shortest}, where the first of its "
                         "runs ended.")
    return notes
