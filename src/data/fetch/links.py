"""Links between two kinds of things as a matrix of ones, with as many zeros drawn besides.

    python3 links.py gene-paper PACKAGE_ROOT OUT_DIR
"""
import bisect
import collections
import itertools
import random
import sqlite3

import command
import matrices
import r_package
from drawing import below

SEED = 1
TEST_SHARE = 0.05
MIN_LINKS = 5
MOST_DRAWS = 100  # for one zero, in a row that has links to almost all columns


def frequent(links):
    """The links between rows and columns that have MIN_LINKS each, counting such links only."""
    while True:
        in_row = collections.Counter(row for row, _ in links)
        in_col = collections.Counter(col for _, col in links)
        kept = [(row, col) for row, col in links
                if in_row[row] >= MIN_LINKS and in_col[col] >= MIN_LINKS]
        if len(kept) == len(links):
            return kept
        links = kept


def zeros(links):
    """For each link another column without one: frequent columns are drawn more often."""
    count = collections.Counter(col for _, col in links)
    columns = sorted(count)
    weights = list(itertools.accumulate(int(1000 * count[col]**0.75) for col in columns))
    generator = random.Random(SEED)
    taken = set(links)
    for row, _ in links:
        for _ in range(MOST_DRAWS):
            drawn = below(generator, weights[-1])
            cell = (row, columns[bisect.bisect_right(weights, drawn)])
            if cell not in taken:
                taken.add(cell)
                yield cell
                break


def gene_paper(root, out):
    path = r_package.library(root) / "org.Hs.eg.db" / "extdata" / "org.Hs.eg.sqlite"
    base = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
    links = frequent(sorted(base.execute("select distinct _id, pubmed_id from pubmed")))
    cells = [(gene, paper, 1) for gene, paper in links]
    cells += [(gene, paper, 0) for gene, paper in zeros(links)]
    matrices.write(out, cells, TEST_SHARE)


if __name__ == "__main__":
    command.run({"gene-paper": gene_paper})
