"""Bytes between nodes per epoch, by kind of message, per configuration."""

from __future__ import annotations

from matplotlib.figure import Figure

from analysis import style
from analysis.errors import NothingToDraw
from analysis.events import EVENTS, bytes_by_kind
from analysis.figures.bars import Part, refuse_too_many, stacked_bars
from analysis.units import BYTES, short, unit_for
from analysis.view import Group, View

MOST_KINDS = 8  # the smallest beyond these are drawn as one
OTHER = "other"


def mean_bytes(group: Group) -> dict[str, float] | None:
    """Bytes per epoch of each kind, mean over the runs that have events; None if none has."""
    per_run = [counts for run in group.runs if (counts := bytes_by_kind(run.folder)) is not None]
    kinds = dict.fromkeys(kind for counts in per_run for kind in counts)
    if not per_run:
        return None
    return {kind: sum(counts.get(kind, 0.0) for counts in per_run) / len(per_run)
            for kind in kinds}


def draw(view: View) -> Figure:
    """One bar per configuration whose run folders are there."""
    refuse_too_many(len(view.groups))
    traffic = {group.configuration: mean_bytes(group) for group in view.groups}
    drawn = [group for group in view.groups if traffic[group.configuration] is not None]
    if not drawn:
        raise NothingToDraw(f"no run folder has an {EVENTS} with epochs")
    measured = [traffic[group.configuration] for group in drawn]
    totals = [sum(counts.values()) for counts in measured]
    if not any(totals):
        raise NothingToDraw("no bytes were sent between nodes")
    unit = unit_for(totals, BYTES)
    parts = []
    for place, (name, kinds) in enumerate(_kinds(measured).items()):
        parts.append(Part(name.replace("_", " "), style.PALETTE[place % len(style.PALETTE)],
                          style.HATCHES[place % len(style.HATCHES)],
                          [unit.of(sum(counts.get(kind, 0.0) for kind in kinds))
                           for counts in measured]))
    notes = [f"Not drawn: {group.label} (its run folders have no {EVENTS})."
             for group in view.groups if traffic[group.configuration] is None]
    return stacked_bars([group.label for group in drawn], parts,
                        [short(unit.of(total)) for total in totals],
                        f"Sent between nodes per epoch ({unit.name})",
                        view.caption("", view.label_title) + notes)


def _kinds(measured: list[dict[str, float]]) -> dict[str, list[str]]:
    """Name in the legend -> kinds it stands for; greatest first, so that colours are stable."""
    sums: dict[str, float] = {}
    for counts in measured:
        for kind, count in counts.items():
            sums[kind] = sums.get(kind, 0.0) + count
    sent = [kind for kind in sums if sums[kind] > 0]
    ordered = sorted(sent, key=lambda kind: (-sums[kind], kind))
    if len(ordered) <= MOST_KINDS:
        return {kind: [kind] for kind in ordered}
    named = {kind: [kind] for kind in ordered[:MOST_KINDS - 1]}
    return named | {OTHER: ordered[MOST_KINDS - 1:]}
