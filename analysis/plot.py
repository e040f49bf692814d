"""The command `plot`: draws every figure that applies into EXPERIMENT_DIR/figures."""

from __future__ import annotations

import sys
from pathlib import Path

from matplotlib.figure import Figure

from analysis import style
from analysis.errors import AnalysisError, NothingToDraw
from analysis.figures import FIGURES
from analysis.load import Experiment, load_experiment
from analysis.view import left_out, views_by_workload

FOLDER = "figures"
# No date and no version of matplotlib: the same results give the same files.
METADATA = {"png": {"Software": None}, "pdf": {"CreationDate": None, "Creator": "pslab",
                                               "Producer": None}}


def plot(folder: Path, metric: str | None) -> None:
    """Draws; prints the path of each file on stdout, what could not be drawn on stderr."""
    experiment = load_experiment(folder)
    views = views_by_workload(experiment, metric)
    if not views:
        raise AnalysisError(f"{folder}: no run succeeded, so there is nothing to draw:\n  "
                            + "\n  ".join(left_out(experiment.runs)))
    for text in left_out(experiment.runs):
        print(f"not drawn: {text}", file=sys.stderr)
    with style.applied():
        for workload, view in views.items():
            suffix = f"_{workload}" if len(views) > 1 else ""
            for name, draw in FIGURES.items():
                try:
                    _save(draw(view), experiment, name + suffix)
                except NothingToDraw as reason:
                    _remove(experiment, name + suffix)
                    print(f"no figure {name}{suffix}: {reason}", file=sys.stderr)


def _remove(experiment: Experiment, name: str) -> None:
    """A figure of earlier results would be taken for one of these."""
    for kind in METADATA:
        (experiment.folder / FOLDER / f"{name}.{kind}").unlink(missing_ok=True)


def _save(figure: Figure, experiment: Experiment, name: str) -> None:
    folder = experiment.folder / FOLDER
    try:
        folder.mkdir(exist_ok=True)
        for kind, metadata in METADATA.items():
            path = folder / f"{name}.{kind}"
            figure.savefig(path, metadata=metadata)
            print(path)
    except OSError as error:
        raise AnalysisError(f"{folder}: cannot write {name}: {error.strerror}") from None
