"""What the figure functions see of an experiment: what can be drawn, and how it is named."""

from __future__ import annotations

from dataclasses import dataclass

from analysis import stats
from analysis.labels import Labels, label_all, name_of_run, plural
from analysis.load import Configuration, Experiment, Run, group_by_configuration, main_metric


MOST_LEFT_OUT = 8  # runs that a caption names; it counts the others


@dataclass(frozen=True)
class Group:
    """A configuration with its succeeded runs, at least one."""

    configuration: Configuration
    label: str
    runs: list[Run]


@dataclass(frozen=True)
class View:
    """The results of one workload, ready to be drawn."""

    groups: list[Group]
    label_title: str  # what the labels say
    metric: str | None
    strategies: list[str]  # all of the experiment, so that looks are the same in all its figures
    left_out: list[str]  # failed and interrupted runs, one sentence each
    without_result: list[Configuration]  # those of which no run succeeded

    @property
    def repeats(self) -> int:
        return max(len(group.runs) for group in self.groups)

    @property
    def clock(self) -> str:
        """What a second is: "simulated", "wall", or "" where both occur."""
        backends = {group.configuration.backend for group in self.groups}
        return {"sim": "simulated", "real": "wall"}.get(*backends, "") if len(backends) == 1 else ""

    def caption(self, shows: str, label_title: str) -> list[str]:
        """Caption lines: what marks show (with repeats), what labels say, what is left out."""
        lines = []
        if self.repeats > 1:
            least = min(len(group.runs) for group in self.groups)
            runs = plural(self.repeats, "run")
            runs = runs if least == self.repeats else f"{least} to {runs}"
            lines.append(f"Mean of {runs}{shows}.")
        if label_title not in ("", "strategy"):
            lines.append(f"Labels: {label_title}.")
        more = len(self.left_out) - MOST_LEFT_OUT
        lines += [f"Not drawn: {text}." for text in self.left_out[:MOST_LEFT_OUT]]
        return lines + ([f"Not drawn either: {plural(more, 'more run')}."] if more > 0 else [])


ERROR_BAR = f"{stats.LEVEL:.0%} confidence interval of the mean (Student t)".replace("%", " %")


def views_by_workload(experiment: Experiment, wanted: str | None) -> dict[str, View]:
    """One view per workload, since quality metrics of different workloads share no axis.

    Workloads without any succeeded run are left out.
    """
    strategies = list(dict.fromkeys(run.configuration.strategy for run in experiment.runs))
    views = {}
    for workload in dict.fromkeys(run.configuration.workload for run in experiment.runs):
        runs = [run for run in experiment.runs if run.configuration.workload == workload]
        succeeded = [run for run in runs if run.succeeded]
        if succeeded:
            metric = main_metric([experiment], succeeded, wanted)
            views[workload] = _view(runs, metric, strategies)
    return views


def left_out(runs: list[Run]) -> list[str]:
    """One sentence per run that did not succeed, without its full stop."""
    grouped = group_by_configuration(runs)
    labels = label_all([members[0].configuration for members in grouped])
    return [f"{name_of_run(run, label)} ({shortened(run.why_left_out())})"
            for members, label in zip(grouped, labels.texts)
            for run in members if not run.succeeded]


def shortened(text: str, most: int = 90) -> str:
    """At most `most` characters."""
    return text if len(text) <= most else text[:most - 1].rstrip() + "…"


def _view(runs: list[Run], metric: str | None, strategies: list[str]) -> View:
    grouped = group_by_configuration(runs)
    labels: Labels = label_all([members[0].configuration for members in grouped])
    groups = [Group(members[0].configuration, label, [run for run in members if run.succeeded])
              for members, label in zip(grouped, labels.texts)
              if any(run.succeeded for run in members)]
    without_result = [members[0].configuration for members in grouped
                      if not any(run.succeeded for run in members)]
    return View(groups, labels.title, metric, strategies, left_out(runs), without_result)
