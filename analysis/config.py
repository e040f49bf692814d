"""Reads a resolved config.yaml into flat paths, for comparing configs.

Not a YAML parser: it knows the subset that pslab writes. Block maps and lists, flow maps and lists
in one line, plain and quoted scalars, comments. Values stay text.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from pathlib import Path

from analysis.errors import InputError

CONFIG = "config.yaml"
_KEY = re.compile(r"""(?P<key>"[^"]*"|'[^']*'|[^\s'"\[\]{}#,&*!|>%@`-][^:#]*?)\s*:(?:\s+|$)""")


def load_config(run_folder: Path) -> dict[str, str]:
    """Flat paths of RUN/config.yaml. InputError names the file and the line."""
    path = run_folder / CONFIG
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise InputError(f"{path}: not UTF-8 text") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}; without it nobody can tell "
                         "whether runs are comparable") from None
    return flatten(text, str(path))


def flatten(text: str, source: str) -> dict[str, str]:
    """`a: {b: [1, 2]}` becomes {"a.b[0]": "1", "a.b[1]": "2"}; empty collections stay {} and []."""
    lines = [_Line(number, len(raw) - len(raw.lstrip(" ")), content)
             for number, raw in enumerate(text.splitlines(), start=1)
             if (content := _without_comment(raw).strip()) and content != "---"]
    result: dict[str, str] = {}
    reader = _Block(lines, source)
    if lines:
        reader.read(lines[0].indent, "", result)
    if reader.next < len(lines):
        raise reader.fail("is indented less than the lines before it")
    return result


def flatten_flow(text: str, path: str, source: str) -> dict[str, str]:
    """Flat paths of one value: a scalar, {a: 1} or [1, 2]."""
    result: dict[str, str] = {}
    _Flow(text, source).read(path, result)
    return result


@dataclass(frozen=True)
class _Line:
    number: int  # 1-based
    indent: int  # spaces
    text: str


class _Block:
    """Walks over lines; each call of read() takes the lines of one block."""

    def __init__(self, lines: list[_Line], source: str) -> None:
        self.lines = lines
        self.source = source
        self.next = 0

    def fail(self, what: str) -> InputError:
        line = self.lines[min(self.next, len(self.lines) - 1)]
        return InputError(f"{self.source}:{line.number}: '{line.text}' {what}; "
                          "expected the YAML that `pslab run` writes")

    def read(self, indent: int, path: str, result: dict[str, str]) -> None:
        items = 0
        while self.next < len(self.lines) and self.lines[self.next].indent == indent:
            line = self.lines[self.next]
            if line.text == "-" or line.text.startswith("- "):
                self._item(line, f"{path}[{items}]", result)
                items += 1
            elif items:  # a list at the indent of its key ends at the next key
                return
            else:
                self._entry(line, path, result)
        if self.next < len(self.lines) and self.lines[self.next].indent > indent:
            raise self.fail("is indented more than the lines before it")

    def _item(self, line: _Line, path: str, result: dict[str, str]) -> None:
        rest = line.text[1:].lstrip(" ")
        if rest and _KEY.match(rest) is None and not rest.startswith("- "):
            self.next += 1
            self._value(line, rest, path, result)
            return
        if rest:  # "- key: value" opens a block at the column of the key
            column = line.indent + len(line.text) - len(rest)
            self.lines[self.next] = _Line(line.number, column, rest)
            self.read(column, path, result)
            return
        self.next += 1
        self._nested(line, path, result)

    def _entry(self, line: _Line, path: str, result: dict[str, str]) -> None:
        match = _KEY.match(line.text)
        if match is None:
            raise self.fail("is not 'key: value'")
        key = match["key"].strip("\"'")
        here = f"{path}.{key}" if path else key
        value = line.text[match.end():].strip()
        self.next += 1
        if value:
            self._value(line, value, here, result)
        else:
            self._nested(line, here, result)

    def _value(self, line: _Line, text: str, path: str, result: dict[str, str]) -> None:
        result.update(flatten_flow(text, path, f"{self.source}:{line.number}"))

    def _nested(self, line: _Line, path: str, result: dict[str, str]) -> None:
        if self.next < len(self.lines):
            following = self.lines[self.next]
            is_list = following.text == "-" or following.text.startswith("- ")
            if following.indent > line.indent or (following.indent == line.indent and is_list
                                                  and not line.text.startswith("-")):
                self.read(following.indent, path, result)
                return
        result[path] = ""


class _Flow:
    """Reads one value in flow style."""

    def __init__(self, text: str, source: str) -> None:
        self.text = text
        self.source = source
        self.at = 0

    def read(self, path: str, result: dict[str, str]) -> None:
        self._value(path, result, stop="")
        if self.text[self.at:].strip():
            raise self._fail(f"unexpected '{self.text[self.at:].strip()}'")

    def _fail(self, what: str) -> InputError:
        return InputError(f"{self.source}: {what} in '{self.text}'")

    def _skip(self) -> str:
        while self.at < len(self.text) and self.text[self.at] == " ":
            self.at += 1
        return self.text[self.at:self.at + 1]

    def _value(self, path: str, result: dict[str, str], stop: str) -> None:
        first = self._skip()
        if first in ("{", "["):
            self._collection(path, result, closing="}" if first == "{" else "]")
        else:
            result[path] = self._scalar(stop)

    def _collection(self, path: str, result: dict[str, str], closing: str) -> None:
        start = self.at
        self.at += 1
        count = 0
        while self._skip() != closing:
            if closing == "}":
                key = self._scalar(":,}")
                if self._skip() != ":":
                    raise self._fail(f"no ':' after '{key}'")
                self.at += 1
                here = f"{path}.{key}" if path else key
            else:
                here = f"{path}[{count}]"
            self._value(here, result, stop=",]}")
            count += 1
            after = self._skip()
            if after == ",":
                self.at += 1
            elif after != closing:
                raise self._fail(f"no '{closing}' to end '{self.text[start:start + 20]}'")
        self.at += 1
        if count == 0:
            result[path] = self.text[start] + closing

    def _scalar(self, stop: str) -> str:
        quote = self._skip()
        if quote in ("'", '"') and quote:
            pattern = r'"(?:[^"\\]|\\.)*"' if quote == '"' else r"'(?:[^']|'')*'"
            match = re.compile(pattern).match(self.text, self.at)
            if match is None:
                raise self._fail("a quote is not closed")
            self.at = match.end()
            return _unquoted(match[0])
        end = self.at
        while end < len(self.text) and self.text[end] not in stop:
            end += 1
        text = self.text[self.at:end].strip()
        self.at = end
        return text


def _unquoted(text: str) -> str:
    if text[0] == "'":
        return text[1:-1].replace("''", "'")
    try:
        return str(json.loads(text))
    except json.JSONDecodeError:  # an escape that YAML has and JSON has not
        return text[1:-1]


def _without_comment(line: str) -> str:
    quote = ""
    for index, character in enumerate(line):
        if quote:
            quote = "" if character == quote else quote
        elif character in "'\"" and (index == 0 or line[index - 1] in " [{,:"):
            quote = character
        elif character == "#" and (index == 0 or line[index - 1] == " "):
            return line[:index]
    return line
