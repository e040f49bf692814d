"""Ratings out of an unpacked Debian package of R data, as MatrixMarket files.

    python3 ratings.py movielens-small PACKAGE_ROOT OUT_DIR

Writes train.mmc and test.mmc to OUT_DIR, the same bytes on every machine: the order of the cells and
the split depend only on the data and on the Mersenne Twister, whose output Python guarantees.
Standard library only, Python 3.8 or later.
"""
import collections
import random
import sys
from pathlib import Path

import r_package

TEST_SHARE = 0.1
SEED = 1


def movielens_small(library):
    frame = r_package.data_frame(library / "dslabs", "movielens")
    return zip(frame["userId"], frame["movieId"], frame["rating"])


def insteval(library):
    frame = r_package.data_frame(library / "lme4", "InstEval")
    students = [int(s) for s in frame["s"].labels()]
    lecturers = [int(d) for d in frame["d"].labels()]
    return zip(students, lecturers, frame["y"])


SETS = {"movielens-small": movielens_small, "insteval": insteval}


def shuffled(cells):
    """Fisher-Yates with rejection, spelled out: random.shuffle may change between versions."""
    cells = list(cells)
    generator = random.Random(SEED)
    for last in range(len(cells) - 1, 0, -1):
        choices = last + 1
        chosen = generator.getrandbits(choices.bit_length())
        while chosen >= choices:
            chosen = generator.getrandbits(choices.bit_length())
        cells[last], cells[chosen] = cells[chosen], cells[last]
    return cells


def split(cells):
    """Train and test cells. A cell is held out only while its row and column stay in train."""
    in_row = collections.Counter(row for row, _, _ in cells)
    in_col = collections.Counter(col for _, col, _ in cells)
    wanted = int(len(cells) * TEST_SHARE)
    train, test = [], []
    for row, col, value in shuffled(sorted(cells)):
        if len(test) < wanted and in_row[row] > 1 and in_col[col] > 1:
            in_row[row] -= 1
            in_col[col] -= 1
            test.append((row, col, value))
        else:
            train.append((row, col, value))
    return train, test


def indices(ids):
    """1-based index of each id: the most frequent first, equal ones in the order of their text."""
    count = collections.Counter(ids)
    order = sorted(count, key=lambda name: (-count[name], str(name)))
    return {name: index for index, name in enumerate(order, start=1)}


def write(path, rows, cols, cells):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n")
        file.write(f"{len(rows)} {len(cols)} {len(cells)}\n")
        for row, col, value in cells:
            file.write(f"{rows[row]} {cols[col]} {value:g}\n")


def main():
    if len(sys.argv) != 4 or sys.argv[1] not in SETS:
        sys.exit(f"usage: ratings.py {'|'.join(sorted(SETS))} PACKAGE_ROOT OUT_DIR")
    name, root, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    library = root / "usr" / "lib" / "R" / "site-library"
    latest = {(row, col): value for row, col, value in SETS[name](library)}
    train, test = split([(row, col, value) for (row, col), value in latest.items()])
    rows = indices(row for row, _, _ in train)
    cols = indices(col for _, col, _ in train)
    write(out / "train.mmc", rows, cols, train)
    write(out / "test.mmc", rows, cols, test)


if __name__ == "__main__":
    main()
