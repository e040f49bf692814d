"""Debian's packages, what they depend on and what is said of them, as a knowledge graph.

    python3 debian.py debian-core PACKAGE_ROOT OUT_DIR

Reads PACKAGE_ROOT/lists/Packages, the list of all packages. A letter before an entity's name tells
what it is: p a package (or what packages provide), s a source package, m a maintainer, c a section,
y a priority, a an architecture, h the host of a home page, g a tag. `replaces` and `built-using`
are left out, because they follow from other relations.
"""
import re
import urllib.parse

import command
import graphs

HELD_OUT = 10_000
LEAST_TRIPLES = 5  # of an entity

PACKAGE_FIELDS = ("Depends", "Pre-Depends", "Recommends", "Suggests", "Enhances", "Breaks",
                  "Conflicts", "Provides")
NAME = re.compile(r"[a-z0-9][a-z0-9+.\-]+")
ADDRESS = re.compile(r"<([^>]+)>")


def stanzas(lines):
    """The fields of each package."""
    fields, last = {}, None
    for line in lines:
        line = line.rstrip("\n")
        if not line:
            if fields:
                yield fields
            fields, last = {}, None
        elif line[0] in " \t":
            if last is not None:
                fields[last] += " " + line.strip()
        else:
            last, _, value = line.partition(":")
            fields[last] = value.strip()
    if fields:
        yield fields


def package_names(field):
    """All that are named, also as alternatives; without versions."""
    for text in re.split(r"[,|]", field):
        found = NAME.match(text.strip())
        if found:
            yield found.group()


def attributes(fields):
    """(relation, object) of what is said of a package itself."""
    yield "source", "s:" + fields.get("Source", fields["Package"]).split()[0]
    address = ADDRESS.search(fields.get("Maintainer", ""))
    if address:
        yield "maintainer", "m:" + address.group(1).lower()
    for field, letter in (("Section", "c"), ("Priority", "y"), ("Architecture", "a")):
        if field in fields:
            yield field.lower(), f"{letter}:{fields[field]}"
    if "Multi-Arch" in fields:
        yield "multi_arch", "a:multi-arch-" + fields["Multi-Arch"]
    host = urllib.parse.urlsplit(fields.get("Homepage", "")).hostname
    if host:
        yield "homepage_host", "h:" + re.sub(r"^www\.", "", host.lower())
    for tag in fields.get("Tag", "").split(","):
        facet, _, value = tag.strip().partition("::")
        if value:
            yield "tag_" + facet, f"g:{facet}::{value}"


def triples(fields):
    package = "p:" + fields["Package"]
    for field in PACKAGE_FIELDS:
        for name in package_names(fields.get(field, "")):
            yield package, field.lower().replace("-", "_"), "p:" + name
    for relation, thing in attributes(fields):
        yield package, relation, thing


def debian_core(root, out):
    with open(root / "lists" / "Packages", encoding="utf-8", errors="replace") as lines:
        latest = {fields["Package"]: fields for fields in stanzas(lines)}
    everything = graphs.unique(triple for fields in latest.values() for triple in triples(fields))
    graphs.write(out, graphs.core(everything, LEAST_TRIPLES), HELD_OUT, keep_pairs=True)


if __name__ == "__main__":
    command.run({"debian-core": debian_core})
