"""Epoch time and speed-up over the number of nodes, one line per strategy."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.ticker import FixedLocator, FuncFormatter, LogLocator, NullLocator

from analysis import style
from analysis.errors import NothingToDraw
from analysis.labels import label_all, plural
from analysis.load import Configuration
from analysis.stats import Summary, summarise
from analysis.units import TIME, unit_for
from analysis.view import ERROR_BAR, View

Series = dict[Configuration, dict[int, Summary]]  # what is equal -> nodes -> epoch time, seconds
MARGIN = 0.15  # between the outermost ticks and the ends of an axis, powers of two


def series_of(view: View) -> tuple[Series, Series]:
    """Mean epoch time per number of nodes, of configurations that differ in nothing else.

    Second, those that have a single number of nodes, and hence no line.
    """
    series: Series = {}
    for group in view.groups:
        times = summarise([run.mean_epoch_time_s() for run in group.runs])
        if times.mean == 0:
            continue  # no place on a logarithmic axis
        equal = _without_nodes(group.configuration)
        series.setdefault(equal, {})[group.configuration.nodes] = times
    several = {equal: dict(sorted(points.items())) for equal, points in series.items()
               if len(points) > 1}
    return several, {equal: points for equal, points in series.items() if equal not in several}


def draw(view: View) -> Figure:
    """Two panels with logarithmic axes to base 2: epoch time, and speed-up with the ideal line."""
    series, single = series_of(view)
    if not series:
        raise NothingToDraw("no two configurations differ only in cluster.nodes")
    labels = label_all([*series, *single])
    if single and len(series) == 1:
        raise NothingToDraw(f"only {labels.texts[0]} has results on several numbers of nodes; "
                            "alone it would mislead")
    style.refuse_too_many_lines(len(series))
    looks = style.looks_for(list(series), view.strategies)
    nodes = sorted({count for points in series.values() for count in points})
    base = nodes[0]
    unit = unit_for([point.mean for points in series.values() for point in points.values()], TIME)
    figure = Figure(figsize=(style.PAGE_IN, 2.5), layout="constrained")
    time_axes, speed_axes = figure.subplots(1, 2)
    handles = []
    notes = [f"Not drawn: {label} (results on {plural(next(iter(points)), 'node')} only)."
             for points, label in zip(single.values(), labels.texts[len(series):])]
    for (equal, points), label in zip(series.items(), labels.texts):
        look, name = looks[equal], style.plain(label)
        bars = [unit.of(point.half_width or 0.0) for point in points.values()]
        times = [unit.of(point.mean) for point in points.values()]
        handles.append(time_axes.plot(list(points), times, label=name, **look.line_arguments())[0])
        if any(bars):
            time_axes.errorbar(list(points), times, yerr=_positive(times, bars), fmt="none",
                               ecolor=look.colour, capsize=2, elinewidth=0.8)
        if base in points:
            speed = [points[base].mean / point.mean for point in points.values()]
            speed_axes.plot(list(points), speed, label=name, **look.line_arguments())
        else:
            notes.append(f"No speed-up for {label}: it has no result on {plural(base, 'node')}.")
    handles.append(speed_axes.plot(nodes, [count / base for count in nodes], color=style.GREY,
                                   linewidth=1, label="ideal", zorder=1)[0])
    _label_axes(time_axes, nodes, f"Epoch time ({unit.name}" + (f", {view.clock})" if view.clock
                                                              else ")"))
    _label_axes(speed_axes, nodes, f"Speed-up over {'one node' if base == 1 else f'{base} nodes'}")
    shows = f"; bars: {ERROR_BAR}"
    style.frame(figure, handles, [*labels.texts[:len(series)], "ideal"],
                view.caption(shows, labels.title) + notes)
    return figure


def _without_nodes(configuration: Configuration) -> Configuration:
    sweep = tuple((path, value) for path, value in configuration.sweep if path != "cluster.nodes")
    return dataclasses.replace(configuration, nodes=1, config_hash="", sweep=sweep)


def _positive(values: Sequence[float], halves: Sequence[float]) -> list[list[float]]:
    """Lower and upper lengths of error bars that stay above 0, as a logarithmic axis needs."""
    lower = [min(half, 0.99 * value) for value, half in zip(values, halves)]
    return [lower, list(halves)]


def _label_axes(axes: Axes, nodes: Sequence[int], label: str) -> None:
    axes.set_xscale("log", base=2)
    axes.set_yscale("log", base=2)
    low, high = axes.dataLim.intervaly
    low, high = math.floor(math.log2(low)), math.ceil(math.log2(high))  # two ticks at least
    axes.set_ylim(2 ** (low - MARGIN), 2 ** (max(high, low + 1) + MARGIN))
    axes.xaxis.set_major_locator(FixedLocator(nodes))
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.yaxis.set_major_locator(LogLocator(base=2, numticks=9))
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.yaxis.set_minor_locator(NullLocator())
    axes.set_xlabel("Nodes")
    axes.set_ylabel(label)
    axes.grid(True)
