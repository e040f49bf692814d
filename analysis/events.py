"""Reads what only events.jsonl holds: the bytes of each kind of message."""

from __future__ import annotations

import json
from pathlib import Path

from analysis.errors import InputError

EVENTS = "events.jsonl"


def bytes_by_kind(run_folder: Path) -> dict[str, float] | None:
    """Mean bytes per epoch of each message kind; None if the run has no events.jsonl.

    A kind that is absent from an epoch counts as 0 bytes there. InputError names the line.
    """
    path = run_folder / EVENTS
    if not path.is_file():
        return None
    sums: dict[str, float] = {}
    epochs = 0
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, start=1):
                traffic = _traffic(line, f"{path}:{number}")
                if traffic is None:
                    continue
                epochs += 1
                for kind, count in traffic.items():
                    sums[kind] = sums.get(kind, 0.0) + count
    except UnicodeDecodeError as error:
        raise InputError(f"{path}: not UTF-8 text ({error.reason} at byte {error.start})") from None
    except OSError as error:
        raise InputError(f"{path}: cannot be read: {error.strerror}") from None
    if epochs == 0:
        return None
    return {kind: total / epochs for kind, total in sums.items()}


def _traffic(line: str, where: str) -> dict[str, float] | None:
    """Bytes per message kind of an epoch event; None for other events."""
    try:
        event = json.loads(line)
    except json.JSONDecodeError as error:
        raise InputError(f"{where}: not a JSON object: {error.msg}; is the file cut off?") from None
    if not isinstance(event, dict) or event.get("event") != "epoch":
        return None
    try:
        return {kind: float(counts["bytes"]) for kind, counts in event["traffic"].items()}
    except (KeyError, TypeError, AttributeError, ValueError):
        raise InputError(f"{where}: the epoch event needs \"traffic\": "
                         "{kind: {\"messages\": ..., \"bytes\": ...}}") from None
