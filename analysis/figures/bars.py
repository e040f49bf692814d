"""Stacked horizontal bars, one per configuration, the total printed at the end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator

from analysis import style
from analysis.errors import NothingToDraw

BAR_IN = 0.24  # height a bar takes up with the space around it, inches
MOST_BARS = 60  # in one figure
AXIS_IN = 0.5  # height of the axis and its label, inches


@dataclass(frozen=True)
class Part:
    """One colour of the stack. `values` are in the unit of the axis, one per bar."""

    name: str
    colour: str
    hatch: str
    values: Sequence[float]


@dataclass(frozen=True)
class Marks:
    """A thick line across each bar at a value of the axis; none where it is None."""

    name: str
    colour: str
    values: Sequence[float | None]


def refuse_too_many(bars: int) -> None:
    """To be called before the bars' values are gathered, which may take long."""
    if bars > MOST_BARS:
        raise NothingToDraw(f"{bars} configurations, and one figure has room for {MOST_BARS} "
                            "bars; run a part of the sweep")


def stacked_bars(labels: Sequence[str], parts: Sequence[Part], totals: Sequence[str],
                 axis_label: str, caption: Sequence[str], marks: Marks | None = None) -> Figure:
    """Bars in the order of `labels`, from top to bottom; `totals` are the texts at their ends."""
    figure = Figure(figsize=(style.PAGE_IN, BAR_IN * len(labels) + AXIS_IN), layout="constrained")
    axes = figure.subplots()
    positions = range(len(labels))
    ends = [0.0] * len(labels)
    handles = []
    for part in parts:
        handles.append(axes.barh(positions, part.values, left=ends, height=0.68,
                                 color=style.tint(part.colour), hatch=part.hatch,
                                 edgecolor=style.BLACK, linewidth=0.4,
                                 label=style.plain(part.name)))
        ends = [end + value for end, value in zip(ends, part.values)]
    names = [part.name for part in parts]
    if marks is not None:
        places = [(value, row) for row, value in enumerate(marks.values) if value is not None]
        handles.append(axes.vlines([value for value, _ in places],
                                   [row - 0.46 for _, row in places],
                                   [row + 0.46 for _, row in places], color=marks.colour,
                                   linewidth=2.4, zorder=3, label=style.plain(marks.name)))
        names.append(marks.name)
    widest = max(ends) or 1.0
    for position, end, total in zip(positions, ends, totals):
        axes.text(end + 0.01 * widest, position, style.plain(total), va="center", ha="left")
    longest = max(len(total) for total in totals)
    labels_in = max(len(label) for label in labels) * style.CHARACTER_IN
    room = longest * style.CHARACTER_IN / (style.PAGE_IN - labels_in)  # share of the axis
    axes.set_xlim(0, widest / max(0.5, 0.98 - room))
    axes.set_yticks(list(positions), [style.plain(label) for label in labels])
    axes.set_ylim(len(labels) - 0.5, -0.5)
    axes.tick_params(axis="y", length=0)
    axes.xaxis.set_major_locator(MaxNLocator(nbins=7))
    axes.grid(True, axis="x")
    axes.set_xlabel(axis_label)
    style.frame(figure, handles, names, caption)
    return figure
