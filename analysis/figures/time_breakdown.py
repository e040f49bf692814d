"""Where the time of an epoch goes, per configuration: one stacked bar, in words."""

from __future__ import annotations

from matplotlib.figure import Figure

from analysis import style
from analysis.errors import NothingToDraw
from analysis.figures.bars import Marks, Part, refuse_too_many, stacked_bars
from analysis.labels import PART_NAMES
from analysis.load import BREAKDOWN
from analysis.stats import summarise
from analysis.units import TIME, unit_for, with_interval
from analysis.view import ERROR_BAR, Group, View

# Work is grey, waiting is coloured.
LOOKS = {
    "compute": (style.BLACK, ""),
    "local_access": (style.GREY, ""),
    "remote_wait": (style.VERMILLION, "////"),
    "relocation_wait": (style.SKY, "...."),
    "barrier_wait": (style.YELLOW, "\\\\\\\\"),
}
TOLERANCE = 0.01  # share of the epoch time that may be missing from the parts without a note


def mean_breakdown_s(group: Group) -> dict[str, float] | None:
    """Seconds per epoch of each part, mean over epochs, then over runs; None if not measured."""
    epochs = [epoch for run in group.runs for epoch in run.epochs]
    if any(epoch.breakdown_s[part] is None for epoch in epochs for part in BREAKDOWN):
        return None
    return {part: summarise([sum(epoch.breakdown_s[part] for epoch in run.epochs)
                             / len(run.epochs) for run in group.runs]).mean
            for part in BREAKDOWN}


def mean_oracle_s(group: Group) -> float | None:
    """The lower bound on the group's mean epoch time; None if not computed for all of its runs."""
    bounds = [run.mean_oracle_s() for run in group.runs]
    return None if None in bounds else summarise(bounds).mean


def draw(view: View) -> Figure:
    """One bar per configuration that measured all parts; a mark at the oracle's bound."""
    refuse_too_many(len(view.groups))
    breakdowns = {group.configuration: mean_breakdown_s(group) for group in view.groups}
    drawn = [group for group in view.groups if breakdowns[group.configuration] is not None]
    if not drawn:
        raise NothingToDraw("no run measured where its time went")
    totals = [summarise([run.mean_epoch_time_s() for run in group.runs]) for group in drawn]
    unit = unit_for([total.mean for total in totals], TIME)
    parts = [Part(PART_NAMES[part], *LOOKS[part],
                  [unit.of(breakdowns[group.configuration][part]) for group in drawn])
             for part in BREAKDOWN]
    texts = [with_interval(total, unit) for total in totals]
    notes = [f"Not drawn: {group.label} (did not measure where its time went)."
             for group in view.groups if breakdowns[group.configuration] is None]
    for group, total in zip(drawn, totals):
        share = sum(breakdowns[group.configuration].values()) / total.mean if total.mean else 1.0
        if abs(share - 1) > TOLERANCE:
            notes.append(f"{group.label}: the parts add up to {share:.0%} of the epoch time.")
    bounds = [mean_oracle_s(group) for group in drawn]
    marks = None
    if any(bound is not None for bound in bounds):
        marks = Marks("oracle", style.BLUE,
                      [None if bound is None else unit.of(bound) for bound in bounds])
        notes.append("oracle: what each takes at the least, all accesses known beforehand.")
    clock = f", {view.clock}" if view.clock else ""
    return stacked_bars([group.label for group in drawn], parts, texts,
                        f"Mean epoch time ({unit.name}{clock})",
                        view.caption(f"; ±: {ERROR_BAR}", view.label_title) + notes, marks)
