"""Command line: python3 -m analysis plot DIR | skew INFO_JSON FIGURE | compare DIR_OR_RUN...

Exit codes: 0 done, 2 bad input or usage, 1 anything else that went wrong.
"""

from __future__ import annotations

import argparse
import contextlib
import io
import os
import sys
from pathlib import Path

from analysis.errors import AnalysisError, InputError


def main(arguments: list[str]) -> int:
    """Runs one command; returns the exit code."""
    output = io.StringIO()  # of the command; written at its end, so that only this can fail there
    try:
        with contextlib.redirect_stdout(output):
            code = _run(arguments)
    except InputError as error:
        print(f"error: {error}", file=sys.stderr)
        code = 2
    except AnalysisError as error:
        print(f"error: {error}", file=sys.stderr)
        code = 1
    return code if _write(output.getvalue()) else 1


def _run(arguments: list[str]) -> int:
    try:
        options = _parser().parse_args(arguments)
    except SystemExit as stop:  # --help, or a usage error
        return int(stop.code or 0)
    return options.command(options)


def _write(text: str) -> bool:
    """False if that is not possible. If the reader has left, nobody needs to hear of it."""
    try:
        if text:
            sys.stdout.write(text)
            sys.stdout.flush()
        return True
    except BrokenPipeError:
        pass
    except (OSError, AttributeError):  # there is no sys.stdout when it was closed from the start
        print("error: cannot write to standard output", file=sys.stderr)
    if sys.stdout is not None:  # what it still holds must go somewhere when Python ends
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return False


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="pslab", description="Figures and comparisons of the "
                                     "results that `pslab run` wrote.")
    commands = parser.add_subparsers(required=True, metavar="COMMAND")
    metric_help = "quality metric to show (default: the first test_*, else train_loss)"

    plot = commands.add_parser("plot", help="draw the figures of one experiment")
    plot.add_argument("folder", type=Path, metavar="EXPERIMENT_DIR")
    plot.add_argument("--metric", metavar="NAME", help=metric_help)
    plot.set_defaults(command=_plot)

    skew = commands.add_parser("skew", help="draw how often the keys of a data set are accessed")
    skew.add_argument("info", type=Path, metavar="INFO_JSON", help="of `pslab data info --json`")
    skew.add_argument("figure", type=Path, metavar="FIGURE", help=".png or .pdf file")
    skew.set_defaults(command=_skew)

    compare = commands.add_parser("compare", help="compare configurations with the first one")
    compare.add_argument("paths", type=Path, nargs="+", metavar="DIR_OR_RUN",
                         help="experiment folder or run folder")
    compare.add_argument("--metric", metavar="NAME", help=metric_help)
    compare.add_argument("--json", action="store_true", help="JSON on standard output")
    compare.set_defaults(command=_compare)
    return parser


@contextlib.contextmanager
def _figures():
    """Where modules are imported that draw: the others need neither matplotlib nor numpy."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name is None or error.name.split(".")[0] not in ("matplotlib", "numpy"):
            raise
        raise AnalysisError(f"{error.name} is missing for {sys.executable}, and no figure can be "
                            "drawn without it; on Debian: apt install python3-matplotlib, then "
                            "run with /usr/bin/python3") from None


def _plot(options: argparse.Namespace) -> int:
    with _figures():
        from analysis.plot import plot
    plot(options.folder, options.metric)
    return 0


def _skew(options: argparse.Namespace) -> int:
    with _figures():
        from analysis.skew import draw
    draw(options.info, options.figure)
    return 0


def _compare(options: argparse.Namespace) -> int:
    """Exit code 2 if a group was not comparable; the table is printed all the same."""
    from analysis.compare import compare
    from analysis.compare_output import as_json, as_text
    comparison = compare(options.paths, options.metric)
    print(as_json(comparison) if options.json else as_text(comparison))
    for group in comparison.refused:
        reasons = "; ".join(difference.text() for difference in group.differences)
        print(f"error: not comparable because {reasons}: {comparison.groups[0].label} and "
              f"{group.label}; compare runs that differ in the strategy, the sampling scheme or "
              "what both experiments sweep", file=sys.stderr)
    return 2 if comparison.refused else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
