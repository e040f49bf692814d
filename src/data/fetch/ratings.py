"""Ratings out of an unpacked Debian package of R data, as MatrixMarket files.

    python3 ratings.py movielens-small PACKAGE_ROOT OUT_DIR
"""
import command
import matrices
import r_package

TEST_SHARE = 0.1


def write(out, ratings):
    latest = {(row, col): value for row, col, value in ratings}
    cells = [(row, col, value) for (row, col), value in latest.items()]
    matrices.write(out, cells, TEST_SHARE)


def movielens_small(root, out):
    frame = r_package.data_frame(r_package.library(root) / "dslabs", "movielens")
    write(out, zip(frame["userId"], frame["movieId"], frame["rating"]))


def insteval(root, out):
    frame = r_package.data_frame(r_package.library(root) / "lme4", "InstEval")
    students = [int(s) for s in frame["s"].labels()]
    lecturers = [int(d) for d in frame["d"].labels()]
    write(out, zip(students, lecturers, frame["y"]))


if __name__ == "__main__":
    command.run({"movielens-small": movielens_small, "insteval": insteval})
