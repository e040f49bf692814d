"""The command `skew`: how the accesses to a data set's keys spread, as shares over ranks."""

from __future__ import annotations

import json
from pathlib import Path

from matplotlib.figure import Figure

from analysis import style
from analysis.errors import AnalysisError, InputError

SIZE_IN = (style.PAGE_IN / 2, 2.4)
# No date and no version of matplotlib: the same data give the same file.
METADATA = {".png": {"Software": None},
            ".pdf": {"CreationDate": None, "Creator": "pslab", "Producer": None}}


def draw(info: Path, figure: Path) -> None:
    """Reads what `pslab data info --json` wrote; prints the path of the figure."""
    if figure.suffix not in METADATA:
        raise InputError(f"{figure}: expected a file that ends with .png or .pdf")
    curves = _curves(info)
    with style.applied():
        try:
            _figure(curves).savefig(figure, metadata=METADATA[figure.suffix])
        except OSError as error:
            raise AnalysisError(f"{figure}: cannot be written: {error.strerror}") from None
    print(figure)


def _curves(info: Path) -> list[dict]:
    try:
        data = json.loads(info.read_text(encoding="utf-8"))["data"]
        curves = [skew for skew in data["skew"] if skew["curve"]]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InputError(f"{info}: not what `pslab data info --json` writes: {error!r}") from None
    if not curves:
        raise AnalysisError(f"{info}: the data have no accesses, so there is nothing to draw")
    return curves


def _figure(curves: list[dict]) -> Figure:
    figure = Figure(figsize=SIZE_IN, layout="constrained")
    axes = figure.add_subplot()
    for number, curve in enumerate(curves):
        ranks, shares = zip(*curve["curve"])
        kind = "samples" if curve["sampled"] else "accesses"
        axes.plot(ranks, shares, color=style.PALETTE[number], label=f"{curve['keys']}: {kind}",
                  linestyle=style.LINES[1 if curve["sampled"] else 0])
    axes.set(xscale="log", yscale="log", xlabel="rank of the key", ylabel="share of the accesses")
    axes.grid(True)
    axes.legend()
    return figure
