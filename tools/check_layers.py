#!/usr/bin/env python3
"""Checks what the compiler does not: layers, forbidden constructs, file sizes, READMEs.

    tools/check_layers.py [ROOT]        default: the project this file belongs to

Prints `file:line: rule: what to do` for each flaw. Exit codes: 0 none, 1 some. The rules are the
tables below; tests/script/test_check_layers.py proves that each of them can fail.
"""

import os
import re
import sys
from pathlib import Path

# Which layers the files of a layer may include, apart from their own.
EVERYTHING_BELOW_CLI = ["base", "config", "graph", "data", "metrics", "api", "manager", "checks",
                        "trace", "oracle", "checkpoint", "run", "strategies", "workloads"]
ALLOWED = {
    "base": [],
    "config": ["base"],
    "graph": ["base", "config"],
    "data": ["base", "config"],
    "metrics": ["base", "config"],
    "api": ["base", "config", "metrics", "manager", "checks", "trace"],
    "manager": ["base", "config", "metrics", "api"],
    "checks": ["base", "metrics", "api", "manager"],
    "trace": ["base", "api"],
    "oracle": ["base", "api", "graph", "trace"],
    "checkpoint": ["base", "api", "data"],
    "strategies": ["base", "config", "api", "metrics"],
    "workloads": ["base", "config", "api", "data", "metrics", "trace"],
    "run": ["base", "config", "graph", "data", "metrics", "api", "manager", "checks", "trace",
            "oracle", "checkpoint"],
    "cli": ["base", "config", "graph", "data", "metrics", "api", "checkpoint", "run"],
    "sim": EVERYTHING_BELOW_CLI,
    "real": EVERYTHING_BELOW_CLI,
}

# Folders of src/ are layers; these top-level folders are too. Files elsewhere (tests, ...) may
# include every layer.
TOP_LEVEL_LAYERS = ["strategies", "workloads", "sim", "real"]

# Which files may include a library. The first pattern that matches an include decides.
LIBRARIES = [
    (r"mpi\.h", ("real/", "tests/bench/"), "MPI belongs to real/; go through api/runtime.hpp"),
    (r"(simgrid/(kernel/|simix)|src/)", "sim/kernel.cpp",
     "SimGrid's kernel interface belongs to sim/kernel.cpp alone; use public S4U, or go through it"),
    (r"(simgrid/|xbt/)", "sim/", "SimGrid belongs to sim/; go through api/runtime.hpp"),
]

# Constructs that no file of ours may contain, comments and strings left out.
FORBIDDEN = [
    ("global-random", r"(?<![\w.>:])(?:std::)?s?rand\s*\(", "take a base/random.hpp Random instead"),
    ("clock-seed", r"\btime\s*\(\s*(?:0|NULL|nullptr)\s*\)", "derive seeds from the run's seed"),
    ("random-device", r"\brandom_device\b", "derive seeds from the run's seed"),
    ("thread-local", r"\bthread_local\b",
     "actors share threads: keep the state in the node or worker it belongs to"),
]

MAX_LINES = [  # (path pattern, lines); the first pattern that matches a file decides
    (r"src/api/[^/]+\.hpp", 100),
    (r"(.+\.(cpp|hpp|py|sh)|pslab)", 400),
]

# A `catch (...)` must contain one of these: the exception travels on, or ends the process.
RETHROW = r"\bthrow\s*;|\b(?:current_exception|rethrow_exception|terminate|abort|MPI_Abort)\s*\("

NOT_OURS = {"build", "results", "data"}  # top-level folders, besides hidden ones and caches

COMMENT_OR_LITERAL = re.compile(
    r"""//[^\n]* | /\*.*?\*/ | R"([^()\\\s]{0,16})\(.*?\)\1" | "(?:\\.|[^"\\\n])*"
        | (?<![0-9A-Za-z_])'(?:\\.|[^'\\\n])+'""", re.DOTALL | re.VERBOSE)
INCLUDE = re.compile(r'^[ \t]*#[ \t]*include[ \t]*[<"]([^>"]+)[>"]', re.MULTILINE)


def main():
    root = Path(sys.argv[1] if len(sys.argv) > 1 else Path(__file__).resolve().parent.parent)
    flaws = sorted(check(root))
    for path, line, rule, advice in flaws:
        print(f"{path}:{line}: {rule}: {advice}")
    return 1 if flaws else 0


def check(root):
    """Yields (path, line, rule, what to do)."""
    paths = list(our_files(root))
    yield from check_readmes_exist(paths)
    for path in paths:
        if not re.fullmatch(r".+\.(cpp|hpp|h|py|sh|md)|pslab", path):
            continue
        text = (root / path).read_text(encoding="utf-8", errors="replace")
        yield from check_size(path, text)
        if path.endswith((".cpp", ".hpp", ".h")):
            code = COMMENT_OR_LITERAL.sub(blank, text)
            yield from check_includes(root, path, text, code)
            yield from check_forbidden(path, code)
        if path.endswith(".md"):
            yield from check_links(root, path, text)


def our_files(root):
    """Paths relative to root, with slashes."""
    for folder, subfolders, files in os.walk(root):
        left_out = NOT_OURS if Path(folder) == Path(root) else set()
        subfolders[:] = sorted(f for f in subfolders
                               if f not in left_out and f != "__pycache__" and f[0] != ".")
        for name in sorted(files):
            yield (Path(folder) / name).relative_to(root).as_posix()


def blank(match):
    """Spaces in place of the match, so that lines and columns stay what they are."""
    return re.sub(r"[^\n]", " ", match.group())


def line_of(text, position):
    return text.count("\n", 0, position) + 1


def layer_of(path):
    parts = path.split("/")
    if parts[0] == "src" and len(parts) > 2:
        return parts[1]
    return parts[0] if parts[0] in TOP_LEVEL_LAYERS else None


def included_layer(root, path, included):
    """The layer that an include names: a file beside the includer, or a path from src/ or the top."""
    if (root / path).parent.joinpath(included).exists():
        beside = os.path.normpath(os.path.join(os.path.dirname(path), included))
        return layer_of(beside)
    first = included.split("/")[0] if "/" in included else None
    return first if first in ALLOWED else None


def check_includes(root, path, text, code):
    layer = layer_of(path)
    if layer is not None and layer not in ALLOWED:
        yield path, 1, "layers", f"add '{layer}' to ALLOWED in tools/check_layers.py"
        return
    for match in INCLUDE.finditer(text):
        if code[match.start():match.end()].strip() == "":  # inside a comment
            continue
        included, line = match.group(1), line_of(text, match.start())
        for pattern, home, advice in LIBRARIES:
            if re.match(pattern, included):
                if not path.startswith(home):
                    yield path, line, "library", advice
                break
        target = included_layer(root, path, included)
        if layer and target and target != layer and target not in ALLOWED[layer]:
            may = ", ".join(ALLOWED[layer]) or "no other layer"
            yield (path, line, "layers",
                   f"{layer} must not include {included}; it may include {may}")


def check_forbidden(path, code):
    for rule, pattern, advice in FORBIDDEN:
        for match in re.finditer(pattern, code):
            yield path, line_of(code, match.start()), rule, advice
    for match in re.finditer(r"\bcatch\s*\(\s*\.\.\.\s*\)\s*\{", code):
        if not re.search(RETHROW, block_at(code, match.end())):
            yield (path, line_of(code, match.start()), "catch-all",
                   "rethrow, or catch what you can handle: backends unwind with exceptions")
    if path.endswith((".hpp", ".h")):  # formatted code: at file scope is at the start of a line
        for match in re.finditer(r"^using\s+namespace\b", code, re.MULTILINE):
            yield (path, line_of(code, match.start()), "using-namespace",
                   "name what you use; every includer would get all of it")


def block_at(code, start):
    """The text from start, just behind an opening brace, to its closing brace."""
    depth = 1
    for match in re.finditer(r"[{}]", code[start:]):
        depth += 1 if match.group() == "{" else -1
        if depth == 0:
            return code[start:start + match.start()]
    return code[start:]


def check_size(path, text):
    lines = len(text.splitlines())
    for pattern, most in MAX_LINES:
        if re.fullmatch(pattern, path):
            if lines > most:
                yield path, most + 1, "size", f"{lines} lines, at most {most}; split what holds two ideas"
            return


def check_readmes_exist(paths):
    folders = {path.split("/")[0] for path in paths if "/" in path}
    folders |= {"/".join(path.split("/")[:2]) for path in paths if re.match(r"src/[^/]+/", path)}
    for folder in folders - {os.path.dirname(p) for p in paths if p.endswith("/README.md")}:
        yield f"{folder}/README.md", 1, "readme", "missing; say in a paragraph what the folder is for"


def check_links(root, path, text):
    text = re.sub(r"^(```|~~~).*?^\1|`[^`\n]*`", blank, text, flags=re.DOTALL | re.MULTILINE)
    for match in re.finditer(r"\]\(\s*<?([^)\s>]+)", text):
        target = match.group(1).split("#")[0]
        if not target or re.match(r"[a-z][a-z0-9+.-]*:", target):
            continue
        if target.startswith("/") or not (root / path).parent.joinpath(target).exists():
            yield (path, line_of(text, match.start()), "link",
                   f"{target} does not exist; links are relative to this file's folder")


if __name__ == "__main__":
    sys.exit(main())
