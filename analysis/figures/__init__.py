"""One module per figure. FIGURES is the list of them; the README says how to add one.

A figure is a function View -> matplotlib Figure. It raises NothingToDraw when it does not apply.
"""

from __future__ import annotations

from collections.abc import Callable

from matplotlib.figure import Figure

from analysis.figures import phase_diagram, quality_over_time, scaling, time_breakdown, traffic
from analysis.view import View

FIGURES: dict[str, Callable[[View], Figure]] = {
    "quality_over_time": quality_over_time.draw,
    "time_breakdown": time_breakdown.draw,
    "scaling": scaling.draw,
    "traffic": traffic.draw,
    "phase_diagram": phase_diagram.draw,
}
