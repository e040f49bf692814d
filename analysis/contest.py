"""Who is fastest, in every cell of a grid of two options: what the phase diagram draws."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from analysis.config import CONFIG, flatten_flow, load_config
from analysis.errors import NothingToDraw
from analysis.events import bytes_by_kind
from analysis.load import Configuration, Run
from analysis.stats import Summary, summarise
from analysis.view import Group, View

TIE = 0.02  # times that differ by less than this share are equal
KEPT = 0.5  # a run with less than this share of the synchronisation rounds it was asked for is out
SYNC_RATE = "strategy.sync_rate"  # path in config.yaml, rounds per second
ALL_REDUCE = "replica_delta"  # kind of the messages of these rounds


@dataclass(frozen=True)
class Axis:
    """A swept option and its values as written, in order."""

    path: str
    values: list[str]

    @property
    def name(self) -> str:
        return self.path.rpartition(".")[2].replace("_", " ")


@dataclass(frozen=True)
class Entry:
    """The result of one contestant in one cell; times in seconds."""

    contestant: str
    configuration: Configuration
    time: Summary  # of an epoch
    oracle_s: float | None  # lower bound on it
    kept_rate: bool  # its replicas were synchronised about as often as was asked for


@dataclass(frozen=True)
class Cell:
    """Entries that kept their rate in order of time, and the others in order of time."""

    entries: list[Entry]
    too_rare: list[Entry]
    missing: list[str]  # contestants that have a result elsewhere, or failed everywhere

    @property
    def winner(self) -> Entry:
        return self.entries[0]

    @property
    def tied(self) -> list[Entry]:
        """The winner and all whose times cannot be told from its time."""
        return [entry for entry in self.entries if _equal(self.winner.time, entry.time)]

    @property
    def faster_but_too_rare(self) -> list[Entry]:
        return [entry for entry in self.too_rare if not self.entries or
                entry.time.mean < self.winner.time.mean]


@dataclass(frozen=True)
class Grid:
    """Cells by (panel, column, row), numbers of the axes' values; every one is there."""

    columns: Axis
    rows: Axis
    panels: Axis | None
    contestants: list[str]  # strategy, or strategy and options, in the order of the experiment
    looks: dict[str, Configuration]  # a configuration of each contestant
    cells: dict[tuple[int, int, int], Cell]


def grid_of(view: View) -> Grid:
    """NothingToDraw if the configurations do not differ in a strategy and two numbers."""
    everything = [group.configuration for group in view.groups] + view.without_result
    options = {configuration: _options(configuration) for configuration in everything}
    columns, rows, panels = _axes(list(options.values()))
    names = _contestants(everything)
    contestants = list(dict.fromkeys(names.values()))
    if len(contestants) < 2:
        raise NothingToDraw("there is one strategy only, hence nobody to compare it with")

    def place(configuration: Configuration) -> tuple[int, int, int]:
        at = options[configuration]
        return (panels.values.index(at[panels.path]) if panels else 0,
                columns.values.index(at[columns.path]), rows.values.index(at[rows.path]))

    entries: dict[tuple[int, int, int], list[Entry]] = {}
    for group in view.groups:
        here = entries.setdefault(place(group.configuration), [])
        here.append(_entry(names[group.configuration], group))
    cells = {(panel, column, row): _cell(entries.get((panel, column, row), []), contestants)
             for panel in range(len(panels.values) if panels else 1)
             for column in range(len(columns.values)) for row in range(len(rows.values))}
    for at, here in entries.items():
        if len(here) > len(set(entry.contestant for entry in here)):
            raise NothingToDraw(f"a cell has several results of one strategy ({len(here)} of "
                                f"{len(set(entry.contestant for entry in here))}); do "
                                "configurations differ in something that is not swept?")
    looks = {names[configuration]: configuration for configuration in reversed(everything)}
    return Grid(columns, rows, panels, contestants, looks, cells)


def counted_epochs(run: Run) -> list:
    """All but the first, which begins with nothing moved or copied; all of a run of one epoch."""
    return run.epochs[1:] or run.epochs


def _options(configuration: Configuration) -> dict[str, str]:
    """Swept values by path, but those of the strategy."""
    result = {}
    for path, value in configuration.sweep:
        if path.partition(".")[0] != "strategy":
            result |= flatten_flow(value, path, f"column sweep.{path}")
    return result


def _axes(options: Sequence[dict[str, str]]) -> tuple[Axis, Axis, Axis | None]:
    """Columns, rows, panels: the numbers as swept; a third one with the fewest values is panels."""
    values: dict[str, list[str]] = {}
    for one in options:
        for path, value in one.items():
            values.setdefault(path, [])
            if value not in values[path]:
                values[path].append(value)
    differing = {path: seen for path, seen in values.items() if len(seen) > 1}
    if any(path not in one for path in differing for one in options):
        raise NothingToDraw("not all configurations have the same options")
    numeric = [path for path in differing if all(map(_is_number, differing[path]))]
    if len(numeric) < 2 or len(differing) > 3:
        named = ", ".join(differing) or "none"
        raise NothingToDraw("configurations must differ in the strategy, two numbers and at most "
                            f"one more option; they differ in: {named}")
    others = [path for path in differing if path not in numeric]
    if len(differing) == 3 and not others:
        others = [min(numeric, key=lambda path: len(differing[path]))]
        numeric.remove(others[0])
    columns, rows = (Axis(path, sorted(differing[path], key=float)) for path in numeric)
    return columns, rows, Axis(others[0], differing[others[0]]) if others else None


def _is_number(text: str) -> bool:
    try:
        float(text)
    except ValueError:
        return False
    return True


def _contestants(configurations: Iterable[Configuration]) -> dict[Configuration, str]:
    """The strategy; with its swept options where it has several."""
    described = {configuration: ", ".join(
        value if path in ("strategy", "strategy.name") else
        f"{path.rpartition('.')[2].replace('_', ' ')} {value}"
        for path, value in configuration.sweep if path.partition(".")[0] == "strategy")
        for configuration in configurations}
    variants: dict[str, set[str]] = {}
    for configuration, text in described.items():
        variants.setdefault(configuration.strategy, set()).add(text)
    return {configuration: text if len(variants[configuration.strategy]) > 1
            else configuration.strategy for configuration, text in described.items()}


def _cell(entries: list[Entry], contestants: list[str]) -> Cell:
    ordered = sorted(entries, key=lambda entry: entry.time.mean)
    there = {entry.contestant for entry in entries}
    return Cell([entry for entry in ordered if entry.kept_rate],
                [entry for entry in ordered if not entry.kept_rate],
                [name for name in contestants if name not in there])


def _entry(contestant: str, group: Group) -> Entry:
    epochs = [counted_epochs(run) for run in group.runs]
    bounds = [epoch.oracle_s for run in epochs for epoch in run]
    return Entry(contestant, group.configuration, _mean(epochs, lambda epoch: epoch.epoch_time_s),
                 None if None in bounds else _mean(epochs, lambda epoch: epoch.oracle_s).mean,
                 all(map(_kept_rate, group.runs)))


def _mean(epochs: Sequence[list], value: Callable) -> Summary:
    return summarise([sum(map(value, run)) / len(run) for run in epochs])


def _kept_rate(run: Run) -> bool:
    """Whether replicas were synchronised about as often as asked for; yes, where nobody asked."""
    if not (run.folder / CONFIG).is_file():
        return True
    rate = float(load_config(run.folder).get(SYNC_RATE, 0))
    epochs = counted_epochs(run)
    if rate == 0 or any(epoch.sync_rounds is None for epoch in epochs):
        return True
    rounds = sum(epoch.sync_rounds for epoch in epochs)
    if rounds == 0 and not (bytes_by_kind(run.folder) or {}).get(ALL_REDUCE):
        return True  # nothing is replicated, or there is one node only
    asked = sum(int(rate * epoch.epoch_time_s) for epoch in epochs)  # whole ones only
    return rounds >= KEPT * asked


def _equal(best: Summary, other: Summary) -> bool:
    if other.mean - best.mean <= TIE * best.mean:
        return True
    if best.half_width is None or other.half_width is None:
        return False
    return other.mean - other.half_width <= best.mean + best.half_width
