"""Updates of the rows of weights that a gradient has, and of no others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.array import storage
from gluonish.array.core import NDArray, wrap
from gluonish.array.sparse import BaseSparseNDArray, is_sparse
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import as_default, plain, unwrap

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.ops import Op


def update_rows(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    """Call an optimizer's operator for the rows of a gradient; its states change in place.

    That is done where weight and states are all dense, or all of rows.
    """
    return _update(call, op, given, by_rows=None)


def update_sparse_rows(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    """As `update_rows`, but only where weight and states are all of rows."""
    return _update(call, op, given, by_rows={"row_sparse"})


def _update(
    call: Callable[..., Any], op: Op, given: Mapping[str, Any], *, by_rows: set[str] | None
) -> Any:
    arrays = {name: given[name] for name in op.inputs if name in given}
    names = list(arrays)
    gradient = arrays[names[1]]
    if not is_sparse(gradient) or gradient.stype != "row_sparse":
        return NotImplemented
    options = {name: value for name, value in given.items() if name not in arrays}
    weight, *states = (as_default(arrays[name]) for name in names if name != names[1])
    kinds = {arrays[name].stype for name in names if name != names[1]}
    is_lazy = len(kinds) == 1 and options.get("lazy_update", True)
    if by_rows is not None:
        is_lazy = kinds == by_rows
    if is_lazy:
        result = _updated(call, weight, gradient, states, options)
    else:
        result = call(weight, gradient.todense(), *states, **options)
    for name, state in zip(names[2:], states, strict=True):
        if is_sparse(arrays[name]):
            arrays[name][:] = state
    return result


def _updated(
    call: Callable[..., Any],
    weight: NDArray,
    gradient: BaseSparseNDArray,
    states: list[NDArray],
    options: Mapping[str, Any],
) -> NDArray:
    rows, ctx = parts_of(gradient).indices, weight.context
    parts = [storage.taken(plain(state), rows) for state in states]
    pieces = [storage.taken(unwrap(weight), rows), parts_of(gradient).values, *parts]
    updated = call(*[wrap(piece, ctx, NDArray) for piece in pieces], **options)
    for state, piece in zip(states, parts, strict=True):
        plain(state)[rows] = piece
    result = plain(weight).clone()
    result[rows] = unwrap(updated)
    return wrap(result, ctx, NDArray)
