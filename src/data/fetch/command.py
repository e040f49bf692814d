"""The command line that all converters have: CONVERTER NAME PACKAGE_ROOT OUT_DIR."""
import sys
from pathlib import Path


def run(sets):
    """Calls the function of the set that was asked for, with PACKAGE_ROOT and OUT_DIR."""
    if len(sys.argv) != 4 or sys.argv[1] not in sets:
        sys.exit(f"usage: {Path(sys.argv[0]).name} {'|'.join(sorted(sets))} PACKAGE_ROOT OUT_DIR")
    sets[sys.argv[1]](Path(sys.argv[2]), Path(sys.argv[3]))


def write_counts(out, counts):
    """What the catalog checks of a set whose source changes now and then: NAME TAB NUMBER."""
    with open(out / "counts.tsv", "w", encoding="ascii", newline="\n") as file:
        for name, number in counts.items():
            file.write(f"{name}\t{number}\n")
