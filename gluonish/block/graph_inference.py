"""Finding the unknown dimensions of a Block's parameters in its graph, read in both directions."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import ndarray
from gluonish.block import composing
from gluonish.errors import MXNetError
from gluonish.hybrid.structure import map_arrays
from gluonish.symbol import Group, Symbol, var
from gluonish.symbol.np_symbol import NumpySymbol

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.array import NDArray
    from gluonish.block.block import HybridBlock


def infer_from_graph(block: HybridBlock, args: tuple[Any, ...], kwargs: dict[str, Any]) -> bool:
    """Fix the shapes of a HybridBlock's own parameters; return whether all are known then.

    What is computed of a weight has the shape that a later operator wants, and so has the weight:
    `F.FullyConnected(x, F.sign(weight), ...)`.
    """
    if type(block)._has_own_forward:  # noqa: SLF001 - the Block's other half
        return False
    known: dict[str, tuple[int, ...]] = {}

    def variable(array: NDArray) -> Symbol:
        name = f"data{len(known)}"
        symbol, known[name] = var(name), array.shape
        return NumpySymbol(symbol.entries) if isinstance(array, ndarray) else symbol

    try:
        inputs, options = map_arrays(variable, (args, kwargs))
        graph = Group(list(_symbols(composing.compose(block, inputs, options))))
        shapes, _, states = graph.infer_shape_partial(**known)
    except (MXNetError, AttributeError, TypeError, ValueError):  # there is no such graph
        return False
    names = (*graph.list_arguments(), *graph.list_auxiliary_states())
    found = dict(zip(names, (*(shapes or ()), *(states or ())), strict=False))
    unknown = [param for param in block._reg_params.values() if not param.is_shape_known()]
    if not all(_is_known(found.get(param.name)) for param in unknown):
        return False
    for param in unknown:
        param.shape = found[param.name]
    return True


def _symbols(value: Any) -> Iterator[Symbol]:
    if isinstance(value, Symbol):
        yield value
    elif isinstance(value, (list, tuple)):
        for part in value:
            yield from _symbols(part)


def _is_known(shape: tuple[int, ...] | None) -> bool:
    return bool(shape) and all(size is not None and size > 0 for size in shape or ())
