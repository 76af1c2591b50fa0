"""What is told about captured graphs: a record of each, the report as a table, lines of the log."""

from __future__ import annotations

import logging
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.display.tables import table
from gluonish.hybrid.jobs import is_switched_off

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.hybrid.blocks import Captured, Named

_log = logging.getLogger("gluonish.hybrid")
_said: set[str] = set()

TITLES = (
    "block", "signature", "backend", "capture s", "compile s", "before us", "after us", "gain",
    "since s", "state",
)  # fmt: skip


class GraphRecord:
    """What is known about how one graph runs; a report shows it.

    Attributes
    ----------
    label : str
        The signature.
    backend : str
        What runs it at present: 'fx', 'aot' or the name of another backend.
    state : str
        'fx', 'timing', 'compiling', 'racing', 'compiled'; or why it was not compiled.
    capture, compile : float
        Seconds.
    before, after : float or None
        Seconds a call: of the plain way, a loop's or the captured graph's, and of the faster one.
    since : float or None
        When the faster one was adopted, in seconds after the first call.
    """

    def __init__(self, label: str = "") -> None:
        self._begin = time.perf_counter()
        self.label = label
        self.backend = "fx"
        self.state = "fx"
        self.capture = 0.0
        self.compile = 0.0
        self.before: float | None = None
        self.after: float | None = None
        self.since: float | None = None

    def adopt(self, state: str, backend: str = "fx") -> None:
        """Note that the faster way is used from now on."""
        self.state, self.backend = state, backend
        self.since = time.perf_counter() - self._begin


@dataclass(frozen=True, slots=True)
class Row:
    """One captured graph, or one Block that stays in Python.

    Attributes
    ----------
    block : str
        Class and name of the Block.
    signature : str
        Dtypes, shapes and contexts of the inputs, and whether the call was recorded.
    backend : str
        'fx' (replayed), 'aot' (compiled), another backend's name, or 'python'.
    capture, compile : float
        Seconds; 0 where a compiled graph was found on disk.
    before, after : float or None
        Microseconds a call, where both ways were measured: of the replayed and of the compiled
        graph; for a loop that is one graph, of the loop as it was and as it is.
    since : float or None
        How many seconds after the first call the better one was adopted.
    state : str
        What is going on, or why not more.
    """

    block: str
    signature: str
    backend: str
    capture: float
    compile: float
    before: float | None
    after: float | None
    since: float | None
    state: str

    @property
    def gain(self) -> float | None:
        """How many times as fast it is as before; None until a faster way is adopted."""
        if self.since is None or self.before is None or not self.after:
            return None
        return self.before / self.after

    def cells(self) -> tuple[str, ...]:
        """Return the row as text."""
        return (
            self.block, self.signature, self.backend, f"{self.capture:.3f}",
            f"{self.compile:.1f}" if self.compile else "", _number(self.before),
            _number(self.after), "" if self.gain is None else f"{self.gain:.2f}",
            _number(self.since), self.state,
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class HybridReport:
    """A table of captured graphs; prints itself, also in notebooks.

    Attributes
    ----------
    rows : list of Row
        Its lines.
    """

    rows: list[Row]

    @override
    def __str__(self) -> str:
        lines = [TITLES, *[row.cells() for row in self.rows]]
        widths = [max(map(len, column)) for column in zip(*lines, strict=True)]
        return "\n".join(
            "  ".join(cell.ljust(width) for cell, width in zip(line, widths, strict=True)).rstrip()
            for line in lines
        )

    @override
    def __repr__(self) -> str:
        return str(self)

    def _repr_html_(self) -> str:
        return table(TITLES, [row.cells() for row in self.rows], numbers=TITLES[3:9])


def report_on(block: Captured) -> HybridReport:
    """Return the report on a Block and its children."""
    return HybridReport(list(_rows(block, set())))


def row_of(block: Named, record: GraphRecord) -> Row:
    """Return the line for one graph."""
    scale = 1e6
    return Row(
        _name(block),
        record.label,
        record.backend,
        record.capture,
        record.compile,
        None if record.before is None else record.before * scale,
        None if record.after is None else record.after * scale,
        record.since,
        record.state,
    )


def _rows(block: Captured, seen: set[int]) -> Iterator[Row]:
    if id(block) in seen:
        return
    seen.add(id(block))
    cache = block._graphs
    if cache is not None:
        if cache.in_python is not None:
            yield Row(_name(block), "", "python", 0.0, 0.0, None, None, None, cache.in_python)
        for graph in cache.graphs:
            yield row_of(block, graph.record)
            if graph.enter is not None:
                for record in graph.enter.records():
                    yield row_of(block, record)
    for child in block._children.values():
        yield from _rows(child, seen)


def _name(block: Named) -> str:
    return f"{type(block).__name__} '{block.name}'"


def _number(value: float | None) -> str:
    return "" if value is None else f"{value:.1f}"


def say_once(text: str) -> None:
    """Write a warning to the log, unless this process has written it before."""
    if text not in _said and not is_switched_off():  # which whoever did so knows
        _said.add(text)
        _log.warning(text)
