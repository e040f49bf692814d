"""Renders a comparison: as a text table for people, as JSON for programs."""

from __future__ import annotations

import json

from analysis.compare import Comparison, GroupResult, Result
from analysis.labels import metric_in_words, plural
from analysis.units import BYTES, TIME, Unit, unit_for, with_interval
from analysis.view import ERROR_BAR

NUMBER = Unit("", 1.0)


def as_text(comparison: Comparison) -> str:
    """A table per quantity, then what the numbers mean and what was left out."""
    reference = comparison.groups[0]
    lines = [f"Reference: {reference.label} ({plural(len(reference.runs), 'run')})"]
    for name in reference.results:
        lines += ["", *_table(comparison, name)]
    lines.append("")
    lines += [f"note: {text}" for text in comparison.notes]
    lines += [f"Mean over runs ± {ERROR_BAR}; none with one run. Change: of the mean, against the "
              "reference.", "p: two-sided exact Mann-Whitney U test against the reference, not "
              "corrected for the number of comparisons."]
    return "\n".join(lines)


def as_json(comparison: Comparison) -> str:
    """One object; quantities that were not measured or are undefined are null."""
    return json.dumps({
        "error_bar": ERROR_BAR,
        "test": "two-sided exact Mann-Whitney U, not corrected for multiple comparisons",
        "metric": comparison.metric,
        "reference": comparison.groups[0].label,
        "groups": [_group_object(group) for group in comparison.groups],
        "notes": comparison.notes,
    }, indent=2, ensure_ascii=False, allow_nan=False)


def _table(comparison: Comparison, name: str) -> list[str]:
    means = [group.results[name].summary.mean for group in comparison.groups
             if group.results[name].summary is not None]
    title, unit = _title_and_unit(name, means)
    rows = [(f"{title}", "n", "mean ± 95 % CI", "change", "p")]
    for group in comparison.groups:
        is_reference = group is comparison.groups[0]
        rows.append((f"  {group.label}", *_cells(group, group.results[name], unit, is_reference)))
    widths = [max(len(row[column]) for row in rows) for column in range(4)]
    return [f"{row[0]:<{widths[0]}}  {row[1]:>{widths[1]}}  {row[2]:>{widths[2]}}  "
            f"{row[3]:>{widths[3]}}  {row[4]}".rstrip() for row in rows]


def _title_and_unit(name: str, means: list[float]) -> tuple[str, Unit]:
    if name == "epoch_time_s":
        unit = unit_for(means, TIME)
        return f"Epoch time ({unit.name})", unit
    if name == "bytes_per_epoch":
        unit = unit_for(means, BYTES)
        return f"Sent between nodes per epoch ({unit.name})", unit
    return f"Final {metric_in_words(name)[:1].lower()}{metric_in_words(name)[1:]}", NUMBER


def _cells(group: GroupResult, result: Result, unit: Unit,
           is_reference: bool) -> tuple[str, str, str, str]:
    """n, mean with interval, change, p."""
    count = str(len(result.values))
    if result.missing:
        count += f" of {len(result.values) + result.missing}"
    if result.summary is None:
        return count, "not measured", "", ""
    mean = with_interval(result.summary, unit)
    if is_reference:
        return count, mean, "reference", ""
    if group.differences:
        return count, mean, "", "not comparable"
    change = "n/a" if result.change is None else _percent(100 * result.change)
    if result.test is None:
        return count, mean, change, ""
    return count, mean, change, (result.test.note if result.test.p is None
                                 else f"{result.test.p:.2g}")


def _percent(change: float) -> str:
    return f"{change:+.1f} %" if abs(change) < 10_000 else f"{change:+.1e} %"


def _group_object(group: GroupResult) -> dict:
    configuration = group.runs[0].configuration
    return {
        "label": group.label,
        "strategy": configuration.strategy,
        "nodes": configuration.nodes,
        "workers_per_node": configuration.workers_per_node,
        "config_hash": configuration.config_hash,
        "commit": configuration.commit,
        "runs": [str(run.folder) for run in group.runs],
        "not_comparable": [vars(difference) for difference in group.differences],
        "results": {name: _result_object(result) for name, result in group.results.items()},
    }


def _result_object(result: Result) -> dict:
    return {
        "n": len(result.values),
        "values": result.values,
        "runs_without_value": result.missing,
        "mean": result.summary and result.summary.mean,
        "ci95_half_width": result.summary and result.summary.half_width,
        "relative_change": result.change,
        "u": result.test and result.test.u,
        "p": result.test and result.test.p,
        "test_note": result.test.note if result.test else "",
    }
