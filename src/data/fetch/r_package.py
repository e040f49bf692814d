"""Reads objects, such as data frames, out of an unpacked R package, without R.

A package keeps its data in data/Rdata.rdb: compressed blocks, each one a serialized object. Where
each object lies is told by data/Rdata.rdx, a compressed serialized list. Read here is the part of
R's XDR serialization ("R Internals", section 1.8) that data frames, factors and strings use.
Standard library only, Python 3.8 or later.
"""
import bz2
import lzma
import struct
import zlib
from pathlib import Path

# Type numbers of the serialization format.
SYMBOL, PAIRLIST, LANGUAGE, CHARS = 1, 2, 6, 9
LOGICAL, INTEGER, REAL, STRINGS, LIST, EXPRESSION = 10, 13, 14, 16, 19, 20
ALTREP, PERSISTENT, NAMESPACE, REFERENCE = 238, 247, 249, 255
SINGLETONS = {242, 251, 252, 253, 254}  # the empty, base and global environments, missing, NULL
HAS_ATTRIBUTES, HAS_TAG = 0x200, 0x400
MISSING_INTEGER = -2**31


class Vector(list):
    """A vector with R attributes."""

    def __init__(self, values, attributes):
        super().__init__(values)
        self.attributes = attributes

    def labels(self):
        """The level of each element of a factor."""
        levels = self.attributes["levels"]
        return [None if code is None else levels[code - 1] for code in self]


class Unserializer:
    def __init__(self, data):
        if data[:2] != b"X\n":
            raise ValueError("not an XDR serialization")
        self.data, self.at, self.references = data, 2, []
        version = self.integer()
        self.at += 8  # the R versions that wrote it and can read it
        if version == 3:
            self.take(self.integer())  # name of the native encoding

    def take(self, size):
        self.at += size
        if self.at > len(self.data):
            raise ValueError("the serialization ends too early")
        return self.data[self.at - size:self.at]

    def integer(self):
        return struct.unpack(">i", self.take(4))[0]

    def numbers(self, code, size):
        count = self.length()
        return list(struct.unpack(f">{count}{code}", self.take(count * size)))

    def length(self):
        count = self.integer()
        return count if count >= 0 else (self.integer() << 32) + self.integer()

    def item(self):
        flags = self.integer()
        kind = flags & 0xFF
        if kind in SINGLETONS:
            return None
        if kind == REFERENCE:
            return self.references[(flags >> 8 or self.integer()) - 1]
        if kind == SYMBOL:
            return self.remember(self.item())
        if kind in (PERSISTENT, NAMESPACE):
            self.integer()
            return self.remember([self.item() for _ in range(self.integer())])
        if kind == CHARS:
            return self.chars()
        if kind in (PAIRLIST, LANGUAGE):
            return self.pairs(flags)
        if kind == ALTREP:
            return self.compact()
        return self.vector(kind, flags & HAS_ATTRIBUTES)

    def remember(self, thing):
        self.references.append(thing)
        return thing

    def chars(self):
        size = self.integer()
        if size < 0:
            return None
        raw = self.take(size)
        try:
            return raw.decode("utf-8")
        except UnicodeDecodeError:
            return raw.decode("latin-1")

    def pairs(self, flags):
        """A pairlist as [(tag, value), ...]."""
        result = []
        while True:
            if flags & HAS_ATTRIBUTES:
                self.item()
            tag = self.item() if flags & HAS_TAG else None
            result.append((tag, self.item()))
            flags = self.integer()
            if flags & 0xFF not in (PAIRLIST, LANGUAGE):
                if flags & 0xFF not in SINGLETONS:
                    raise ValueError("a pairlist without an end")
                return result

    def compact(self):
        """Vectors that R stores as a rule or wraps."""
        description, state, _ = self.item(), self.item(), self.item()
        name = description[0][1]
        if name in ("compact_intseq", "compact_realseq"):
            count, first, step = state
            return [first + i * step for i in range(int(count))]
        if name.startswith("wrap_"):
            return state[0][1] if isinstance(state[0], tuple) else state[0]
        raise ValueError(f"compact vectors of class {name} are not supported")

    def vector(self, kind, has_attributes):
        if kind in (LOGICAL, INTEGER):
            values = [None if v == MISSING_INTEGER else v for v in self.numbers("i", 4)]
        elif kind == REAL:
            values = self.numbers("d", 8)
        elif kind in (STRINGS, LIST, EXPRESSION):
            values = [self.item() for _ in range(self.length())]
        else:
            raise ValueError(f"objects of type {kind} are not supported")
        attributes = dict(self.item() or []) if has_attributes else {}
        return Vector(values, attributes)


def unpack_index(raw):
    if raw[:1] == b"\x78":
        return zlib.decompress(raw)
    if raw[:2] == b"\x1f\x8b":
        return zlib.decompress(raw, 31)
    return lzma.decompress(raw)


def unpack_block(block):
    """A block: its unpacked size in 4 bytes, then a letter for the method (none: zlib), the data."""
    body = block[4:]
    method, packed = body[:1], body[1:]
    if method == b"Z":
        if packed[:6] == b"\xfd7zXZ\0":
            return lzma.decompress(packed)
        raw = [{"id": lzma.FILTER_LZMA2, "preset": 6}]
        return lzma.LZMADecompressor(lzma.FORMAT_RAW, filters=raw).decompress(packed)
    if method == b"2":
        return bz2.decompress(packed)
    if method == b"0":
        return packed
    return zlib.decompress(body)


def library(root):
    """Where the R packages are in an unpacked Debian package."""
    return root / "usr" / "lib" / "R" / "site-library"


def objects(package):
    """The objects of the package unpacked at `package`: {name: (offset, size)}."""
    raw = (Path(package) / "data" / "Rdata.rdx").read_bytes()
    index = Unserializer(unpack_index(raw)).item()
    places = dict(zip(index.attributes["names"], index))["variables"]
    return dict(zip(places.attributes["names"], places))


def load(package, name):
    """Object `name` of the package unpacked at `package`."""
    offset, size = objects(package)[name]
    with open(Path(package) / "data" / "Rdata.rdb", "rb") as blocks:
        blocks.seek(offset)
        return Unserializer(unpack_block(blocks.read(size))).item()


def data_frame(package, name):
    """Data frame `name` of the package unpacked at `package`: {column: Vector}."""
    frame = load(package, name)
    return dict(zip(frame.attributes["names"], frame))
