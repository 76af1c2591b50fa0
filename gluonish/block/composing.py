"""Calling Blocks with Symbols: the graph that comes out of `hybrid_forward`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from gluonish.array.symbols import is_symbol
from gluonish.block.frontends import FRONTENDS
from gluonish.errors import InvalidArgumentError, NotImplementedForSymbol, UnknownNameError
from gluonish.hybrid.structure import first_array
from gluonish.late import LateModule

if TYPE_CHECKING:
    from gluonish import symbol as symbols
    from gluonish.block.block import HybridBlock
    from gluonish.symbol import Symbol, frontend, symbol as symbol_words
else:
    symbol_words = LateModule("gluonish.symbol.symbol")
    symbols = LateModule("gluonish.symbol")
    frontend = LateModule("gluonish.symbol.frontend")

_GRAPHS = (
    "The Block was written as a graph (export, or a call with a Symbol), where data have no values "
    "and no shape yet. Expected a hybrid_forward that uses operators only: F.where(condition, x, "
    "y) or F.contrib.cond for an if on data; 0 and -1 for lengths, as in x.reshape((0, -1)); "
    "F.contrib.foreach for a loop; F.argsort(x) for numpy.argsort(x.asnumpy())."
)


def first_symbol(value: Any) -> Symbol | None:
    """Return the first Symbol of a nested value, or None.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.block.composing import first_symbol
    >>> first_symbol((1, [mx.sym.var('x')]))
    <Symbol x>
    """
    if is_symbol(value):
        return value
    if isinstance(value, dict):
        value = tuple(value.values())
    if isinstance(value, (list, tuple)):
        for part in value:
            found = first_symbol(part)
            if found is not None:
                return found
    return None


def has_symbols(args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Return whether a call has Symbols among its arguments; quick where the first is an array."""
    if args and type(args[0]) in FRONTENDS:
        return False
    return first_symbol((args, kwargs)) is not None


def check_kinds(block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]) -> None:
    """Refuse arrays and Symbols in one call.

    Raises
    ------
    InvalidArgumentError
        There are both.
    """
    if first_array((args, kwargs)) is None or first_symbol((args, kwargs)) is None:
        return
    msg = (
        f"{type(block).__name__} '{block.name}': arrays and Symbols were given. In HybridBlock, we "
        f"do not support mixed NDArrays and Symbols types for the input. Expected one of both. "
        f"Write mx.sym.var('x') for an input of a graph."
    )
    raise InvalidArgumentError(msg)


def compose(block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return what a HybridBlock makes of Symbols.

    Its operators are named after the Block, and its parameters become variables.
    """
    check_kinds(block, args, kwargs)
    kind: Any = type(first_symbol((args, kwargs)))
    cls: type[Symbol] = kind if kind in frontend.OPERATORS else symbols.Symbol
    params = {key: cls(param.var().entries) for key, param in block._reg_params.items()}
    operators: Any = frontend.OPERATORS[cls]
    forward: Any = type(block).hybrid_forward  # the class's: operator hooks watch arrays
    try:
        with block.name_scope():
            return forward(block, operators, *args, **params, **kwargs)
    except (AttributeError, NotImplementedForSymbol) as error:
        _explain(error)
        raise


def _explain(error: AttributeError | NotImplementedForSymbol) -> None:
    """Say, once, why what a forward does with arrays can't be done while a graph is written."""
    about_symbol = isinstance(error, NotImplementedForSymbol) or is_symbol(error.obj)
    if isinstance(error, UnknownNameError):  # of F, or of a Symbol
        about_symbol = about_symbol or "gluonish.symbol" in error.args[1]
    if about_symbol and _GRAPHS not in getattr(error, "__notes__", ()):
        words = str(error.args[0]) if error.args else ""
        if words.endswith(symbol_words.BIND_FIRST):  # which only a finished graph can be
            told = "Expected operators of F in its place."
            error.args = (words.removesuffix(symbol_words.BIND_FIRST) + told, *error.args[1:])
        error.add_note(_GRAPHS)


def count_inputs(block: HybridBlock) -> int:
    """Return how many arrays a Block is called with at least, as its graph or signature says."""
    names = block._graph_inputs  # noqa: SLF001 - the Block's other half
    if names:
        return len(names)
    is_own = type(block)._has_own_forward  # noqa: SLF001
    method = type(block).forward if is_own else type(block).hybrid_forward
    parameters = list(inspect.signature(method).parameters.values())
    skipped = 1 if is_own else 2
    return sum(
        parameter.default is parameter.empty
        and parameter.kind is parameter.POSITIONAL_OR_KEYWORD
        and parameter.name not in block._reg_params
        for parameter in parameters[skipped:]
    )
