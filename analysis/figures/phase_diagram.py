"""Which strategy is fastest where: a map over two options, a panel per value of a third."""

from __future__ import annotations

import math

from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Patch, Polygon, Rectangle

from analysis import style
from analysis.contest import KEPT, TIE, Axis, Cell, Grid, grid_of
from analysis.errors import NothingToDraw
from analysis.view import View

CELL_IN = 0.42  # width of a cell at the least, inches
LINE_IN = 0.125  # height of a line of text in a cell, inches
LABELS_IN = 0.55  # width that the labels of the rows take up, inches
TITLE_IN = 0.55  # height of a row of panels beside its cells, inches
CODE = 4  # letters of a strategy in a cell
NAME_PT, NUMBER_PT = 7, 6
MARGIN_IN = 0.09  # above and below these lines, together
DARK = 0.45  # luminance below which black text is hard to read
EMPTY_HATCH = "xxxx"
OUT_OF_RACE, INCOMPLETE = "†", "*"


def draw(view: View) -> Figure:
    """Cells in the colour of the winner, with its name and how much slower the next one is."""
    grid = grid_of(view)
    columns, rows = len(grid.columns.values), len(grid.rows.values)
    most = int((style.PAGE_IN - LABELS_IN) / (CELL_IN * columns))
    if most == 0:
        raise NothingToDraw(f"{grid.columns.path} has {columns} values; no more than "
                            f"{int((style.PAGE_IN - LABELS_IN) / CELL_IN)} fit beside each other")
    titles = [_title(grid.panels, value) for value in grid.panels.values] if grid.panels else [""]
    across = min(most, len(titles))
    down = math.ceil(len(titles) / across)
    codes = codes_of([grid.looks[name].strategy for name in grid.contestants], grid.contestants)
    texts = {at: _lines(cell, codes) for at, cell in grid.cells.items()}
    height = down * (TITLE_IN + rows * (max(map(len, texts.values())) * LINE_IN + MARGIN_IN))
    figure = Figure(figsize=(style.PAGE_IN, height), layout="constrained")
    panels = figure.subplots(down, across, squeeze=False, sharex=True, sharey=True).flat
    looks = style.looks_for(list(grid.looks.values()), view.strategies)
    colours = {name: _colour(looks[grid.looks[name]]) for name in grid.contestants}
    for panel, (axes, title) in enumerate(zip(panels, titles)):
        for at, cell in grid.cells.items():
            if at[0] == panel:
                _fill(axes, *at[1:], cell, colours)
                _write(axes, *at[1:], texts[at], cell)
        axes.set_title(style.plain(title), pad=3)
        _label_axes(axes, grid, first=panel % across == 0,
                    last=panel + across >= len(titles))
    for axes in list(panels)[len(titles):]:
        axes.set_axis_off()
    seen = [name for name in grid.contestants if any(
        name in (entry.contestant for entry in cell.tied) for cell in grid.cells.values())]
    handles = [Patch(facecolor=colours[name], edgecolor=style.BLACK, linewidth=0.4)
               for name in seen]
    style.frame(figure, handles, [_in_legend(codes[name], name) for name in seen],
                _caption(view, grid, seen))
    return figure


def codes_of(strategies: list[str], contestants: list[str]) -> dict[str, str]:
    """A few letters for each contestant, all different; a number tells variants apart."""
    short: dict[str, str] = {}
    for strategy in dict.fromkeys(strategies):
        length = CODE
        while strategy[:length] in short.values() and length < len(strategy):
            length += 1
        short[strategy] = strategy[:length].rstrip("_")
    counts = {strategy: strategies.count(strategy) for strategy in strategies}
    numbers = dict.fromkeys(strategies, 0)
    codes = {}
    for strategy, contestant in zip(strategies, contestants):
        numbers[strategy] += 1
        codes[contestant] = short[strategy] + (str(numbers[strategy]) if counts[strategy] > 1
                                               else "")
    return codes


def _title(panels: Axis, value: str) -> str:
    return value if panels.path == "cluster.platform" else f"{panels.name} {value}"


def _in_legend(code: str, contestant: str) -> str:
    return contestant if code == contestant else f"{code}: {contestant.replace('_', ' ')}"


def _colour(look: style.Look) -> str:
    """A shade on which black text can be read."""
    colour = style.tint(look.colour)
    return colour if _luminance(colour) > DARK else style.tint(colour)


def _fill(axes: Axes, column: int, row: int, cell: Cell, colours: dict[str, str]) -> None:
    """The winner's colour; below the diagonal, that of the one it is tied with."""
    left, low = column - 0.5, row - 0.5
    if not cell.entries:
        axes.add_patch(Rectangle((left, low), 1, 1, facecolor="white", hatch=EMPTY_HATCH,
                                 linewidth=0.6, edgecolor=style.GREY))
        return
    for corners, entry in zip((4, 3), cell.tied):
        shape = [(left, low), (left + 1, low), (left + 1, low + 1), (left, low + 1)][:corners]
        axes.add_patch(Polygon(shape, facecolor=colours[entry.contestant], edgecolor="none"))
    axes.add_patch(Rectangle((left, low), 1, 1, facecolor="none", linewidth=0.6,
                             edgecolor="white"))


def _lines(cell: Cell, codes: dict[str, str]) -> list[str]:
    """What a cell says: who is first, who is tied, by how much, how far from the bound."""
    if not cell.entries:
        return ["none" + _marks(cell)]
    names = [("= " if number else "") + codes[entry.contestant]
             for number, entry in enumerate(cell.tied[:2])]
    if len(cell.tied) > 2:
        names[1] += f" +{len(cell.tied) - 2}"
    lines = [*names, _lead(cell) + _marks(cell)]
    if cell.winner.oracle_s:
        lines.append(f"({cell.winner.time.mean / cell.winner.oracle_s:.1f})")
    return lines


def _write(axes: Axes, column: int, row: int, lines: list[str], cell: Cell) -> None:
    names = min(len(cell.tied), 2) if cell.entries else 1
    for number, text in enumerate(lines):
        axes.annotate(text, (column, row), ha="center", va="center", textcoords="offset points",
                      xytext=(0, 72 * LINE_IN * ((len(lines) - 1) / 2 - number)),
                      fontsize=NAME_PT if number < names else NUMBER_PT,
                      fontweight="bold" if number < names else "normal",
                      bbox=None if cell.entries else {"facecolor": "white", "edgecolor": "none",
                                                      "pad": 1})


def _lead(cell: Cell) -> str:
    """How many times as long the first one takes that is not tied with the winner."""
    behind = cell.entries[len(cell.tied):]
    if not behind:
        return "tie" if len(cell.tied) > 1 else "alone"
    ratio = behind[0].time.mean / cell.winner.time.mean
    return f"{ratio:.2f}×" if ratio < 10 else f"{ratio:.0f}×"


def _marks(cell: Cell) -> str:
    return ((OUT_OF_RACE if cell.faster_but_too_rare else "")
            + (INCOMPLETE if cell.missing else ""))


def _luminance(colour: str) -> float:
    red, green, blue = (int(colour[start:start + 2], 16) / 255 for start in (1, 3, 5))
    return 0.3 * red + 0.59 * green + 0.11 * blue


def _label_axes(axes: Axes, grid: Grid, first: bool, last: bool) -> None:
    axes.set_xlim(-0.5, len(grid.columns.values) - 0.5)
    axes.set_ylim(-0.5, len(grid.rows.values) - 0.5)
    axes.set_xticks(range(len(grid.columns.values)), grid.columns.values)
    axes.set_yticks(range(len(grid.rows.values)), grid.rows.values)
    axes.tick_params(length=0, labelbottom=last)
    for spine in axes.spines.values():
        spine.set_visible(False)
    if last:
        axes.set_xlabel(style.plain(grid.columns.name))
    if first:
        axes.set_ylabel(style.plain(grid.rows.name))


def _caption(view: View, grid: Grid, seen: list[str]) -> list[str]:
    cells = grid.cells.values()
    clock = f"{view.clock} " if view.clock else ""
    lines = [f"Fastest strategy: mean {clock}time of the epochs after the first. n×: the next one "
             f"takes n times as long. Two colours: a tie (within {TIE:.0%} of each other"
             .replace("%", " %")
             + (", or 95 % intervals overlap" if view.repeats > 1 else "")
             + "); n× is then of the next one that is not tied."]
    if any(cell.entries and cell.winner.oracle_s for cell in cells):
        lines.append("(n): the winner takes n times the lower bound of the oracle.")
    absent = [name for name in grid.contestants if name not in seen]
    if absent:
        lines.append("Fastest nowhere: " + ", ".join(absent).replace("_", " ") + ".")
    if any(cell.faster_but_too_rare for cell in cells):
        names = dict.fromkeys(entry.contestant for cell in cells
                              for entry in cell.faster_but_too_rare)
        lines.append(f"{OUT_OF_RACE} {', '.join(names).replace('_', ' ')} was faster, but made "
                     f"less than {KEPT:.0%} of the synchronisation rounds it was asked for: its "
                     "copies are too old to compare.".replace("%", " %"))
    if any(cell.missing for cell in cells):
        lines.append(f"{INCOMPLETE} not every strategy has a result here.")
    return lines + view.caption(" per strategy and cell", "")
