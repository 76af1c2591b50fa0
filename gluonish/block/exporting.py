"""Writing a HybridBlock as MXNet does: its graph as JSON, its parameters beside it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import NDArray, ndarray
from gluonish.array.dtypes import shown_dtype
from gluonish.array.tensors import held, plain
from gluonish.block import composing
from gluonish.block.calls import no_array
from gluonish.block.nesting import flatten
from gluonish.context import is_np_array, is_np_shape
from gluonish.errors import ExportError, InvalidArgumentError, MXNetError
from gluonish.errors.program_text import name_of
from gluonish.hybrid.structure import map_arrays
from gluonish.serialization import container
from gluonish.serialization.files import path_text, replacing_together, reserve
from gluonish.symbol import Group, Symbol, dtype_inference, var
from gluonish.symbol.np_symbol import NumpySymbol

if TYPE_CHECKING:
    import os
    from collections.abc import Callable

    from gluonish.block.block import HybridBlock


def graph_of(block: HybridBlock, args: tuple[Any, ...]) -> tuple[list[Symbol], Any]:
    """Return the variables for a call's arrays, and what the Block makes of them.

    Parameters
    ----------
    block : HybridBlock
        The Block.
    args : tuple
        What it is called with; classes may stand for the arrays.

    Returns
    -------
    inputs : list of Symbol
        `data`, or where there are several, `data0`, `data1` and so on; a SymbolBlock's have their
        names in its graph.
    outputs : Symbol, or a nested list of Symbols
    """
    kinds: list[type[NDArray]] = []
    _map_kinds(kinds.append, args)
    names = block._input_names(len(kinds))  # noqa: SLF001 - the Block's other half
    inputs = [
        var(name) if kind is NDArray else NumpySymbol(var(name).entries)
        for name, kind in zip(names, kinds, strict=True)
    ]
    remaining = iter(inputs)
    symbols = _map_kinds(lambda _: next(remaining), args)
    if type(block)._has_own_forward:  # noqa: SLF001 - the Block's other half
        return inputs, block.forward(*symbols)
    return inputs, composing.compose(block, symbols, {})


def _map_kinds(function: Callable[[type[NDArray]], Any], value: Any) -> Any:
    """Return a nested value with each array, or class of arrays, replaced."""
    if isinstance(value, NDArray):
        return function(type(value))
    if isinstance(value, type) and issubclass(value, NDArray):
        return function(value)
    if isinstance(value, (list, tuple)):
        return type(value)(_map_kinds(function, part) for part in value)
    return value


def flat(outputs: Any) -> list[Symbol]:
    """Return the Symbols of a nested result, in order.

    Raises
    ------
    InvalidArgumentError
        There is something else among them.
    """
    if isinstance(outputs, Symbol):
        return [outputs]
    if isinstance(outputs, (list, tuple)):
        return [symbol for part in outputs for symbol in flat(part)]
    msg = (
        f"A graph's outputs: an object of type {type(outputs).__name__} was given. Expected a "
        f"Symbol, or a (nested) list of Symbols. Return what the operators of F make."
    )
    raise InvalidArgumentError(msg)


def grouped(outputs: Any) -> Symbol:
    """Return a nested result as one Symbol."""
    symbols = flat(outputs)
    return symbols[0] if len(symbols) == 1 else Group(symbols)


def latest_graph(block: HybridBlock) -> tuple[list[Symbol], Any] | tuple[()]:
    """Return the graph of the first call since the Block was hybridized; () before."""
    graphs = block._graphs
    if graphs is None or graphs.call is None:
        return ()
    return graph_of(block, graphs.call)


def formats(block: HybridBlock) -> tuple[Any, Any]:
    """Return how arguments and results of a Block's first hybridized call are nested."""
    graph = latest_graph(block)
    graphs = block._graphs
    if graphs is None or graphs.call is None or not graph:
        return None, None
    arguments = _map_kinds(lambda _: graph[0][0], list(graphs.call))
    return flatten(arguments, "input")[1], flatten(graph[1], "output")[1]


def export(
    block: HybridBlock, path: str | os.PathLike[str], epoch: int, remove_amp_cast: bool
) -> tuple[str, str]:
    """Write graph and parameters; see `HybridBlock.export`."""
    graph = latest_graph(block) or _plain_graph(block)
    symbol = grouped(graph[1])
    start = path_text(path)
    files = f"{start}-symbol.json", f"{start}-{epoch:04d}.params"
    params = block.collect_params()
    states = set(symbol.list_auxiliary_states())
    arrays = {
        f"{'aux' if name in states else 'arg'}:{name}": plain(params[name]._reduce())
        for name in symbol.list_inputs()
        if name in params
    }
    # Together, so that a full disk or a crash leaves no graph beside values of another one.
    with replacing_together(files[1], files[0]) as (values, text):
        reserve(values, sum(array.nbytes for array in arrays.values()))
        container.write(values, arrays, np_shape=is_np_shape())
        text.write(symbol.tojson(remove_amp_cast).encode())
    return files


def _plain_graph(block: HybridBlock) -> tuple[list[Symbol], Any]:
    """Return the graph of a Block that was not called since it was hybridized, if possible.

    Raises
    ------
    ExportError
        Its parameters are not initialized, or its signature does not tell its inputs.
    """
    params = block.collect_params()
    missing = [name for name, param in params.items() if not param._arrays]
    cause: Exception | None = None
    if missing:
        reason = f"parameters have no values yet: {', '.join(missing[:10])}"
    else:
        arrays = [array for param in params.values() for array in param._arrays.values()]
        default = ndarray if is_np_array() else NDArray
        kind = type(arrays[0]) if arrays else default
        try:
            return graph_of(block, (kind,) * composing.count_inputs(block))
        except ExportError:
            raise
        except (MXNetError, TypeError, ValueError, AttributeError) as error:
            cause = error  # which may be the program's own
            reason = f"its signature does not tell what it is called with ({error})"
    own = name_of(block) or "net"
    msg = (
        f"{type(block).__name__} '{block.name}': {reason}. Please first call block.hybridize() and "
        f"then run forward with this block at least once before calling export: "
        f"{'' if block._active else f'{own}.hybridize(), then '}{own}(x) with one batch x."  # noqa: SLF001
    )
    raise ExportError(msg) from cause


def infer_type(block: HybridBlock, args: tuple[Any, ...]) -> None:
    """Give the parameters of a Block the dtypes that follow from those of a call's arrays.

    Raises
    ------
    InvalidArgumentError
        There is no array among the arguments.
    """
    arrays: list[NDArray] = []
    map_arrays(arrays.append, args)
    if not arrays:
        raise no_array(block, ())
    inputs, outputs = graph_of(block, args)
    symbol = grouped(outputs)
    given = {
        str(variable.name): held(array).dtype
        for variable, array in zip(inputs, arrays, strict=True)
    }
    found = dtype_inference.infer(symbol.entries, given)
    params = block.collect_params()
    for (node, _), dtype in found.items():
        if node.is_variable and node.name in params and dtype is not None:
            params[node.name].cast(shown_dtype(dtype))
