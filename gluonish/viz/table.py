"""`print_summary`: the table of a network's operators, line for line as MXNet's."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gluonish.symbol.graph import Entry, order
from gluonish.viz.graphs import picture_of, shapes_of, symbol_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.block import HybridBlock
    from gluonish.symbol import Symbol
    from gluonish.symbol.graph import Node

_HEAD = ["Layer (type)", "Output Shape", "Param #", "Previous Layer"]
_POSITIONS = (0.44, 0.64, 0.74, 1.0)


def print_summary(
    symbol: Symbol | HybridBlock,
    shape: Mapping[str, tuple[int, ...]] | None = None,
    line_length: int = 120,
    positions: Sequence[float] = _POSITIONS,
) -> None:
    """Print a table of a network's operators: output shapes, parameters and what they read.

    Parameters
    ----------
    symbol : Symbol or HybridBlock
        The network.
    shape : dict of str to tuple of int, optional
        Shapes of the inputs by name; without them neither shapes nor numbers of parameters are
        known.
    line_length : int, default 120
        Width of the table in characters.
    positions : sequence of float, default (0.44, 0.64, 0.74, 1.0)
        Where the columns end: shares of the width, or characters.

    Raises
    ------
    SymbolTypeError
        What was given is no network.
    SymbolNameError
        The shapes do not tell all others.

    Notes
    -----
    Parameters are counted as MXNet counts them: those of Convolution, FullyConnected, BatchNorm
    and Embedding.

    Examples
    --------
    >>> import gluonish as mx
    >>> net = mx.sym.FullyConnected(mx.sym.var('data'), num_hidden=10, name='fc')
    >>> ends = (0.35, 0.55, 0.7, 1)
    >>> mx.viz.print_summary(net, {'data': (1, 4)}, 68, ends)  # doctest: +NORMALIZE_WHITESPACE
    ____________________________________________________________________
    Layer (type)           Output Shape  Param #   Previous Layer
    ====================================================================
    data(null)             4             0
    ____________________________________________________________________
    fc(FullyConnected)     10            50        data
    ====================================================================
    Total params: 50
    ____________________________________________________________________
    """
    symbol = symbol_of(symbol, "symbol must be Symbol")
    shapes = {} if shape is None else shapes_of(symbol, shape, "print_summary")
    sys.stdout.write(table(symbol, shapes, line_length, positions) + "\n")


def table(
    symbol: Symbol,
    shapes: Mapping[Entry, tuple[int, ...]],
    line_length: int,
    positions: Sequence[float],
) -> str:
    """Return the table as text."""
    ends = [int(line_length * end) if positions[-1] <= 1 else int(end) for end in positions]
    nodes = order(symbol.entries)
    rows = _Rows(nodes, shapes, symbol.entries[0].node)
    lines = ["_" * line_length, _row(_HEAD, ends), "=" * line_length]
    shown = [node for number, node in enumerate(nodes) if number == 0 or not node.is_variable]
    for node in shown:
        lines += [_row(fields, ends) for fields in rows.of(node)]
        lines.append(("=" if node is nodes[-1] or node is shown[-1] else "_") * line_length)
    lines += [f"Total params: {rows.total}", "_" * line_length]
    return "\n".join(lines)


def _row(fields: Sequence[object], ends: Sequence[int]) -> str:
    line = ""
    for field, end in zip(fields, ends, strict=False):
        line = f"{line}{field}"[:end].ljust(end)
    return line


class _Rows:
    """The rows of a table, and the number of all parameters."""

    def __init__(
        self, nodes: Sequence[Node], shapes: Mapping[Entry, tuple[int, ...]], head: Node
    ) -> None:
        self._shapes = shapes
        # MXNet shows no variables but the first one.
        self._shown = {id(node) for node in nodes if not node.is_variable}
        self._shown |= {id(nodes[0]), id(head)}
        self.total = 0

    def of(self, node: Node) -> list[list[object]]:
        """Return the rows of a node: its own, and one for each further thing that it reads."""
        count = self._parameters(node)
        self.total += count
        previous = [entry.node.name for entry in node.inputs if id(entry.node) in self._shown]
        own = [f"{node.name}({node.file_name})", _text(self._output(node)), count]
        rows: list[list[object]] = [[*own, previous[0] if previous else ""]]
        rows += [["", "", "", name] for name in previous[1:]]
        return rows

    def _output(self, node: Node) -> tuple[int, ...]:
        """Return the output's shape without the batch; () if there are several outputs."""
        return () if node.outputs > 1 else self._shapes.get(Entry(node, 0), ())[1:]

    def _features(self, node: Node) -> int:
        """Return how many features, or channels, go into a node."""
        inputs = [entry.node for entry in node.inputs if id(entry.node) in self._shown]
        return sum(shape[0] for shape in map(self._output, inputs) if shape)

    def _parameters(self, node: Node) -> int:
        rule = picture_of(node).parameters
        if rule is None:
            return 0
        shape = self._shapes.get(Entry(node, 0), ())
        return rule(node.arguments(), self._features(node), shape)


def _text(shape: Sequence[int]) -> str:
    return "x".join(map(str, shape))
