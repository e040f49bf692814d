"""Cells (row, column, value) to train.mmc and test.mmc, in the MatrixMarket format."""
import collections
import random

from drawing import shuffled

SEED = 1


def split(cells, test_share):
    """Train and test cells. A cell is held out only while its row and column stay in train."""
    in_row = collections.Counter(row for row, _, _ in cells)
    in_col = collections.Counter(col for _, col, _ in cells)
    wanted = int(len(cells) * test_share)
    train, test = [], []
    for row, col, value in shuffled(sorted(cells), random.Random(SEED)):
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


def write_file(path, rows, cols, cells, form):
    with open(path, "w", encoding="ascii", newline="\n") as file:
        file.write("%%MatrixMarket matrix coordinate real general\n")
        file.write(f"{len(rows)} {len(cols)} {len(cells)}\n")
        for row, col, value in cells:
            file.write(f"{rows[row]} {cols[col]} {value:{form}}\n")


def write(out, cells, test_share, form="g"):
    """Splits the cells and writes both parts; `form` is the format of the values."""
    train, test = split(cells, test_share)
    rows = indices(row for row, _, _ in train)
    cols = indices(col for _, col, _ in train)
    write_file(out / "train.mmc", rows, cols, train, form)
    write_file(out / "test.mmc", rows, cols, test, form)
