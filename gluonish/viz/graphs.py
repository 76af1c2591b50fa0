"""The graph of what is to be shown: a Symbol, or a HybridBlock."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, TypeVar

from gluonish.array import NDArray
from gluonish.block import HybridBlock
from gluonish.block.composing import count_inputs
from gluonish.block.exporting import graph_of, grouped, latest_graph
from gluonish.errors import SymbolNameError, SymbolTypeError
from gluonish.errors.wording import listed
from gluonish.ops.table import Picture
from gluonish.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.symbol.graph import Entry, Node

T = TypeVar("T")
WEIGHTS = (  # endings of what nets learn, and keep
    "_weight", "_bias", "_beta", "_gamma", "_moving_var", "_moving_mean", "_running_var",
    "_running_mean",
)  # fmt: skip


def picture_of(node: Node) -> Picture:
    """Return what pictures show of an operator: nothing under another name than its first."""
    op = node.op
    is_first = op is not None and op.nd and node.file_name == op.files["nd", op.nd[0]]
    return op.picture if op is not None and is_first else Picture()


def symbol_of(network: object, message: str) -> Symbol:
    """Return a Symbol as it is, and for a HybridBlock the Symbol that it makes.

    Raises
    ------
    SymbolTypeError
        It is neither.
    """
    if isinstance(network, Symbol):
        return network
    if isinstance(network, HybridBlock):
        graph = latest_graph(network)
        if not graph:
            graph = graph_of(network, (NDArray,) * count_inputs(network))
        return grouped(graph[1])
    msg = (
        f"{message}: {type(network).__name__} was given. Expected a Symbol, or a HybridBlock. "
        f"Call a Block of another kind with mx.sym.var('data'), and pass what it returns."
    )
    raise SymbolTypeError(msg)


def shapes_of(symbol: Symbol, shape: object, where: str) -> dict[Entry, tuple[int, ...]]:
    """Return the shape of each array of a graph.

    Raises
    ------
    SymbolTypeError
        The shapes are not given by name.
    SymbolNameError
        They do not tell all others.
    """
    given = _mapping(shape, "shape", "(1, 3, 28, 28)", where)
    return _told(symbol, symbol.get_internals().infer_shape(**given)[1], "shape", given, where)


def dtypes_of(symbol: Symbol, dtype: object, where: str) -> dict[Entry, Any]:
    """Return the dtype of each array of a graph.

    Raises
    ------
    SymbolTypeError
        The dtypes are not given by name.
    SymbolNameError
        They do not tell all others.
    """
    given = _mapping(dtype, "dtype", "'float32'", where)
    return _told(symbol, symbol.get_internals().infer_type(**given)[1], "dtype", given, where)


def _told(
    symbol: Symbol, found: Sequence[T] | None, what: str, given: Mapping[str, Any], where: str
) -> dict[Entry, T]:
    if found is None:
        arguments = symbol.list_arguments()
        others = [each for each in arguments if each not in given and not each.endswith(WEIGHTS)]
        msg = (
            f"{where}: Input {what} is incomplete: {given!r} was given. Expected what tells the "
            f"{what}s of all arguments {arguments}. Add that of {listed(others) or 'the inputs'}."
        )
        raise SymbolNameError(msg)
    return dict(zip(symbol.get_internals().entries, found, strict=True))


def _mapping(value: object, name: str, example: str, where: str) -> dict[str, Any]:
    if not isinstance(value, Mapping):
        if isinstance(value, (tuple, list)) and all(isinstance(each, int) for each in value):
            example = str(tuple(value))
        msg = (
            f"{where}: {name}={value!r} was given. Expected a dictionary by the names of inputs, a "
            f"mapping. Write {name}={{'data': {example}}}."
        )
        raise SymbolTypeError(msg)
    return dict(value)
