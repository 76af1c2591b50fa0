"""What a profile consists of, as one Chrome trace and as tables of statistics."""

from __future__ import annotations

import json
import os
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

__all__ = ["Amount", "Mark", "Record", "Span", "statistics", "table", "trace"]


class Span(NamedTuple):
    """Something that lasted; times in microseconds."""

    name: str
    category: str
    start: float
    duration: float
    thread: int


class Mark(NamedTuple):
    """An instant; `scope` is how far it reaches."""

    name: str
    category: str
    start: float
    thread: int
    scope: str


class Amount(NamedTuple):
    """A number that has changed, such as a Counter or the bytes in use on a device."""

    name: str
    category: str
    start: float
    value: float
    is_memory: bool


Record = Span | Mark | Amount
Row = dict[str, float]

_REACH = {"global": "g", "process": "p", "thread": "t", "task": "t", "marker": "t"}


def trace(records: Iterable[Record]) -> str:
    """Return records as a trace that chrome://tracing and Perfetto show."""
    process = os.getpid()
    events: list[dict[str, object]] = []
    for each in sorted(records, key=lambda record: record.start):
        event: dict[str, object] = {"name": each.name, "cat": each.category, "ts": each.start}
        if isinstance(each, Span):
            event |= {"ph": "X", "dur": each.duration, "tid": each.thread}
        elif isinstance(each, Mark):
            event |= {"ph": "i", "s": _REACH[each.scope], "tid": each.thread}
        else:
            event |= {"ph": "C", "args": {each.name: each.value}}
        events.append(event | {"pid": process})
    return json.dumps({"traceEvents": events, "displayTimeUnit": "ms"}, indent=1)


def statistics(records: Iterable[Record]) -> dict[str, dict[str, dict[str, Row]]]:
    """Return counts, and milliseconds or kilobytes, by category and name."""
    found: dict[str, dict[str, dict[str, list[float]]]] = {"Time": {}, "Memory": {}}
    for each in records:
        if isinstance(each, Mark) or (isinstance(each, Amount) and not each.is_memory):
            continue
        kind = "Time" if isinstance(each, Span) else "Memory"
        value = each.duration / 1e3 if isinstance(each, Span) else each.value / 1024
        names = found[kind].setdefault(each.category, {})
        names.setdefault(each.name, []).append(value)
    return {
        kind: {
            category: {name: _row(values, kind) for name, values in names.items()}
            for category, names in categories.items()
        }
        for kind, categories in found.items()
    }


def _row(values: list[float], kind: str) -> Row:
    total = {"Total": sum(values)} if kind == "Time" else {}
    extremes = {"Min": min(values), "Max": max(values), "Avg": sum(values) / len(values)}
    return {"Count": len(values), **total, **extremes}


def ordered(names: dict[str, Row], sort_by: str, ascending: bool) -> list[tuple[str, Row]]:
    """Return rows sorted by one of their numbers."""
    column = {"count": "Count", "total": "Total", "min": "Min", "max": "Max", "avg": "Avg"}[sort_by]
    key: Callable[[tuple[str, Row]], float] = lambda row: row[1].get(column, row[1]["Max"])  # noqa: E731
    return sorted(names.items(), key=key, reverse=not ascending)


def table(found: dict[str, dict[str, dict[str, Row]]], sort_by: str, ascending: bool) -> str:
    """Return statistics as text, in MXNet's layout."""
    lines = ["", "Profile Statistics:", "\tNote the difference in units for different entries."]
    for kind, titles in _TITLES.items():
        for category, names in sorted(found[kind].items()):
            lines += [category, "================="]
            width = max(40, *(len(name) + 1 for name in names))
            lines += [f"{'Name':<{width}}" + "".join(f"{title:>17}" for title in titles)]
            lines += [f"{'----':<{width}}" + "".join(f"{'-' * len(title):>17}" for title in titles)]
            for name, row in ordered(names, sort_by, ascending):
                count, *rest = row.values()
                numbers = "".join(f"{value:>17.4f}" for value in rest)
                lines.append(f"{name:<{width}}{int(count):>17}{numbers}")
            lines.append("")
    return "\n".join([*lines, ""])


_TITLES = {
    "Memory": ("Total Count", "Min Use  (kB)", "Max Use  (kB)", "Avg Use  (kB)"),
    "Time": ("Total Count", "Time (ms)", "Min Time (ms)", "Max Time (ms)", "Avg Time (ms)"),
}
