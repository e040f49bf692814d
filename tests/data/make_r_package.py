"""Writes a small R package with the data frame `movielens`, as the tests of the converters need it.

    python3 make_r_package.py ROOT

Only what R's XDR serialization needs for a data frame of integers and reals; no R involved.
"""
import struct
import sys
import zlib
from pathlib import Path

CHARS, PAIRLIST, SYMBOL, INTEGERS, REALS, STRINGS, LIST, NULL = 9, 2, 1, 13, 14, 16, 19, 254
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400


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


def main():
    folder = Path(sys.argv[1]) / "usr" / "lib" / "R" / "site-library" / "dslabs" / "data"
    folder.mkdir(parents=True)
    cells = [(user, 7 * film, user + film / 2) for user in range(1, 11) for film in range(10)]
    frame = named_list({"movieId": integers([film for _, film, _ in cells]),
                        "userId": integers([user for user, _, _ in cells]),
                        "rating": reals([value for _, _, value in cells])})
    unpacked = serialized(frame)
    block = struct.pack(">I", len(unpacked)) + zlib.compress(unpacked)
    (folder / "Rdata.rdb").write_bytes(b"another" + block)
    index = named_list({"variables": named_list({"movielens": integers([7, len(block)])}),
                        "references": named_list({}), "compressed": integers([1])})
    (folder / "Rdata.rdx").write_bytes(zlib.compress(serialized(index)))


if __name__ == "__main__":
    main()
