"""How figures look: sizes of a paper, the Okabe-Ito palette, and shapes that survive grey print."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

import matplotlib
from matplotlib.figure import Figure
from matplotlib.legend import Legend

from analysis.errors import NothingToDraw
from analysis.load import Configuration

PAGE_IN = 7.16  # width of a page of two columns, inches
MARGIN_IN = 0.05
LINE_IN = 0.145  # height of a line of text of FONT_PT, inches
CHARACTER_IN = 0.066  # width of an average character of FONT_PT, inches
FONT_PT = 8

BLACK, ORANGE, SKY, GREEN = "#000000", "#E69F00", "#56B4E9", "#009E73"
GREY = "#B3B3B3"  # for what is no strategy
YELLOW, BLUE, VERMILLION, PURPLE = "#F0E442", "#0072B2", "#D55E00", "#CC79A7"
PALETTE = (BLUE, ORANGE, GREEN, VERMILLION, PURPLE, SKY, BLACK, YELLOW)  # Okabe and Ito
MARKERS = ("o", "s", "^", "D", "v", "P", "X", "*")
LINES = ("-", (0, (5, 1.5)), (0, (1, 1)), (0, (5, 1.2, 1, 1.2)))
MOST_LINES = 32  # that can be told apart in one panel
HATCHES = ("", "////", "....", "xxxx", "\\\\\\\\", "||||", "----", "++++")

# Strategies that come with pslab have the same look in every experiment; others take what is free.
FIXED_PLACES = {"static": 0, "full_replication": 1, "relocation": 2, "hybrid": 3, "adaptive": 4,
                "ssp": 5, "essp": 6, "oracle": 7}

RC = {
    "font.family": "DejaVu Sans",
    "font.size": FONT_PT,
    "axes.titlesize": FONT_PT,
    "axes.labelsize": FONT_PT,
    "xtick.labelsize": FONT_PT,
    "ytick.labelsize": FONT_PT,
    "legend.fontsize": FONT_PT,
    "legend.frameon": False,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.linewidth": 0.6,
    "axes.axisbelow": True,
    "grid.color": "#D9D9D9",
    "grid.linewidth": 0.5,
    "lines.linewidth": 1.3,
    "lines.markersize": 4,
    "hatch.linewidth": 0.5,
    "pdf.fonttype": 42,
    "savefig.dpi": 200,
}


@contextmanager
def applied() -> Iterator[None]:
    """Figures are made and saved within this; the user's own matplotlib settings have no effect."""
    with matplotlib.rc_context():
        matplotlib.rcdefaults()
        matplotlib.rcParams.update(RC)
        yield


@dataclass(frozen=True)
class Look:
    """How one configuration is drawn: the strategy sets colour and marker, its variant the line."""

    colour: str
    marker: str
    line: str | tuple
    hollow: bool

    def line_arguments(self) -> dict:
        """Arguments of Axes.plot."""
        return {"color": self.colour, "marker": self.marker, "linestyle": self.line,
                "markerfacecolor": "white" if self.hollow else self.colour,
                "markeredgecolor": BLACK if self.colour == YELLOW else self.colour}


def looks_for(configurations: Sequence[Configuration],
              strategies: Sequence[str]) -> dict[Configuration, Look]:
    """A look per configuration; `strategies` are all of the experiment, in order.

    With one strategy only, colour and marker tell its variants apart instead.
    """
    places = _places(strategies)
    several = len(set(configuration.strategy for configuration in configurations)) > 1
    counts: dict[str, int] = {}
    variants = []
    for configuration in configurations:
        variants.append(counts.get(configuration.strategy, 0))
        counts[configuration.strategy] = variants[-1] + 1
    looks = {}
    for configuration, variant in zip(configurations, variants):
        place = places[configuration.strategy] if several else variant
        if len(configurations) == 1:
            place = places[configuration.strategy]
        step = variant if several and max(counts.values()) > 1 else place
        line = LINES[(step + step // len(PALETTE)) % len(LINES)]
        looks[configuration] = Look(PALETTE[place % len(PALETTE)], MARKERS[place % len(MARKERS)],
                                    line, hollow=step // len(LINES) % 2 == 1)
    return looks


def refuse_too_many_lines(lines: int) -> None:
    """NothingToDraw if nobody could tell so many lines of one panel apart."""
    if lines > MOST_LINES:
        raise NothingToDraw(f"{lines} lines in one panel, and no more than {MOST_LINES} can be "
                            "told apart; run a part of the sweep")


def _places(strategies: Sequence[str]) -> dict[str, int]:
    names = list(dict.fromkeys(strategies))
    places = {name: FIXED_PLACES[name] for name in names if name in FIXED_PLACES}
    free = [place for place in range(len(PALETTE)) if place not in places.values()]
    for name in names:
        if name not in places:
            places[name] = free.pop(0) if free else len(places)
    return places


def tint(colour: str) -> str:
    """A lighter shade, for areas: no strategy has it, and hatches stand out on it."""
    channels = (int(colour[start:start + 2], 16) for start in (1, 3, 5))
    return "#" + "".join(f"{round(255 - 0.6 * (255 - channel)):02X}" for channel in channels)


def plain(text: str) -> str:
    """Text in which matplotlib must not see a formula."""
    return text.replace("$", r"\$")


def frame(figure: Figure, handles: Sequence, texts: Sequence[str],
          caption: Sequence[str]) -> None:
    """Puts a legend above and a caption below the panels, and makes the figure as much taller.

    Neither can cover data. `figure` has the height that the panels need.
    """
    width, height = figure.get_size_inches()
    characters = int((width - 2 * MARGIN_IN) / CHARACTER_IN)
    lines = [line for text in caption for line in textwrap.wrap(text, characters)]
    below = len(lines) * LINE_IN + (0.06 if lines else 0)
    legend = _legend(figure, handles, [plain(text) for text in texts])
    above = legend.get_window_extent().height / figure.dpi + MARGIN_IN
    total = height + above + below
    figure.set_size_inches(width, total)
    figure.get_layout_engine().set(rect=(0, below / total, 1, height / total))
    legend.set_bbox_to_anchor((0.5, 1 - MARGIN_IN / 2 / total))
    if lines:
        figure.text(MARGIN_IN / width, MARGIN_IN / 2 / total, plain("\n".join(lines)), va="bottom",
                    ha="left", linespacing=1.25, color="#333333").set_in_layout(False)


def _legend(figure: Figure, handles: Sequence, texts: Sequence[str]) -> Legend:
    """A legend that reads row by row, with as few rows as the width of the figure allows."""
    items = list(zip(handles, texts))
    for rows in range(1, len(items) + 1):
        columns = math.ceil(len(items) / rows)
        by_column = [item for column in range(columns) for item in items[column::columns]]
        legend = figure.legend(*zip(*by_column), loc="upper center", bbox_to_anchor=(0.5, 1),
                               ncol=columns, borderpad=0.1, borderaxespad=0, columnspacing=1.2,
                               labelspacing=0.3, handlelength=2.6)
        legend.set_in_layout(False)
        fits = legend.get_window_extent().width <= figure.bbox.width - 2 * MARGIN_IN * figure.dpi
        if fits or columns == 1:
            break
        legend.remove()
    return legend
