"""Numbers for readers: a unit that fits, three significant digits."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass

from analysis.stats import Summary


@dataclass(frozen=True)
class Unit:
    """`name` is what `size` base units (seconds, bytes) are called."""

    name: str
    size: float

    def of(self, value: float) -> float:
        """A value in base units, in this unit."""
        return value / self.size


TIME = (Unit("s", 1.0), Unit("ms", 1e-3), Unit("µs", 1e-6))
BYTES = (Unit("GB", 1e9), Unit("MB", 1e6), Unit("kB", 1e3), Unit("B", 1.0))


def unit_for(values: Iterable[float], units: tuple[Unit, ...]) -> Unit:
    """The largest unit in which the greatest finite value is at least 1; else the smallest unit."""
    greatest = max((abs(value) for value in values if math.isfinite(value)), default=0.0)
    if greatest == 0:
        return units[0] if units is TIME else units[-1]
    return next((unit for unit in units if greatest >= unit.size), units[-1])


def short(value: float) -> str:
    """Three significant digits, without an exponent from 0.001 to 99999."""
    if value == 0 or not math.isfinite(value):
        return f"{value:g}"
    rounded = float(f"{value:.3g}")
    digits = 2 - math.floor(math.log10(abs(rounded)))
    if -3 <= digits <= 5:
        return f"{rounded:.{max(digits, 0)}f}"
    return f"{value:.2e}"


def with_interval(summary: Summary, unit: Unit) -> str:
    """Mean ± half width of the interval: two digits of the latter, and as many places of both."""
    mean = unit.of(summary.mean)
    if not summary.half_width:
        return short(mean) + ("" if summary.half_width is None else " ± 0")
    half = unit.of(summary.half_width)
    digits = 1 - math.floor(math.log10(float(f"{half:.1e}")))
    if not -4 <= digits <= 9:
        return f"{mean:.6g} ± {half:.1e}"
    return f"{mean:.{max(digits, 0)}f} ± {half:.{max(digits, 0)}f}"
