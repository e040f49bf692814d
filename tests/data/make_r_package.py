"""Writes small R packages with the data frame `movielens` and with a novel, as the tests of the
converters need them.

    python3 make_r_package.py ROOT

Only what R's XDR serialization needs for data frames of integers and reals, and text; no R involved.
"""
import struct
import sys
import zlib
from pathlib import Path

CHARS, PAIRLIST, SYMBOL, INTEGERS, REALS, STRINGS, LIST, NULL = 9, 2, 1, 13, 14, 16, 19, 254
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400

NOVEL = ["It was a dull afternoon. Mr. Smith didn't come at all.", "",
         "The second paragraph goes on", "in the next line."]


def number(*values):
    return struct.pack(f">{len(values)}i", *values)


def chars(text):
    return number(CHARS, len(text)) + text.encode()


def integers(values):
    return number(INTEGERS, len(values), *values)


def reals(values):
    return number(REALS, len(values)) + struct.pack(f">{len(values)}d", *values)


def named_list(items):
    names = number(STRINGS, len(items)) + b"".join(chars(name) for name in items)
    attributes = number(PAIRLIST | HAS_TAG, SYMBOL) + chars("names") + names + number(NULL)
    return number(LIST | HAS_ATTRIBUTES, len(items)) + b"".join(items.values()) + attributes


def serialized(item):
    return b"X\n" + number(2, 0x30500, 0x20300) + item


def strings(values):
    return number(STRINGS, len(values)) + b"".join(chars(value) for value in values)


def write_package(root, package, name, thing):
    folder = Path(root) / "usr" / "lib" / "R" / "site-library" / package / "data"
    folder.mkdir(parents=True)
    unpacked = serialized(thing)
    block = struct.pack(">I", len(unpacked)) + zlib.compress(unpacked)
    (folder / "Rdata.rdb").write_bytes(b"another" + block)
    index = named_list({"variables": named_list({name: integers([7, len(block)])}),
                        "references": named_list({}), "compressed": integers([1])})
    (folder / "Rdata.rdx").write_bytes(zlib.compress(serialized(index)))


def main():
    cells = [(user, 7 * film, user + film / 2) for user in range(1, 11) for film in range(10)]
    frame = named_list({"movieId": integers([film for _, film, _ in cells]),
                        "userId": integers([user for user, _, _ in cells]),
                        "rating": reals([value for _, _, value in cells])})
    write_package(sys.argv[1], "dslabs", "movielens", frame)
    write_package(sys.argv[1], "janeaustenr", "novel", strings(NOVEL))


if __name__ == "__main__":
    main()
