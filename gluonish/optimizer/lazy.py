"""Updates by row_sparse gradients: rows are taken out, updated as dense arrays, and put back."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from gluonish.array import NDArray, wrap
from gluonish.array.core import like
from gluonish.array.sparse import RowSparseNDArray, is_sparse, memory
from gluonish.array.sparse_base import parts_of
from gluonish.array.storage import is_complete, taken
from gluonish.array.tensors import as_default, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.optimizer.base import Optimizer


class DenseUpdate(NamedTuple):
    """Weights, gradients and states that are dense, and what is to be done after the update."""

    weights: list[NDArray]
    grads: list[NDArray]
    states: list[Any]
    finish: Callable[[], None]


def as_dense(
    optimizer: Optimizer,
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    states: Sequence[Any],
) -> DenseUpdate:
    """Return arrays to update in place of those that are sparse, or have sparse gradients."""
    found: list[tuple[NDArray, NDArray, Any]] = []
    endings: list[Callable[[], None]] = []
    for weight, grad, own in zip(weights, grads, states, strict=True):
        target = stand_in(weight)
        if is_sparse(weight) and not is_complete(parts_of(weight)):
            endings.append(_replacing(weight, target))
        if isinstance(grad, RowSparseNDArray) and optimizer.is_lazy(weight):
            rows = parts_of(grad).indices
            if optimizer.sees_whole_weight:
                copy = target.copy()
                kept = _mapped(own, NDArray.copy)
                endings.append(_putting_back(target, own, copy, kept, rows, rows))
                found.append((copy, grad.todense(), kept))
            else:
                piece = _rows(rows, target)
                kept = _mapped(own, partial(_rows, rows))
                endings.append(_putting_back(target, own, piece, kept, rows, None))
                found.append((piece, grad.data, kept))
        else:
            found.append((target, as_default(grad), own))

    def finish() -> None:
        for ending in reversed(endings):
            ending()

    return DenseUpdate(
        [weight for weight, _, _ in found],
        [grad for _, grad, _ in found],
        [own for _, _, own in found],
        finish,
    )


def stand_in(weight: NDArray) -> NDArray:
    """Return a dense array in place of a weight, sharing its memory if all rows are stored."""
    if not is_sparse(weight):
        return weight
    if is_complete(parts_of(weight)):
        return wrap(memory(weight), weight.context, NDArray)
    return as_default(weight)


def _rows(rows: Tensor, array: NDArray) -> NDArray:
    return like(array, taken(plain(array), rows))


def _mapped(state: Any, function: Callable[[NDArray], NDArray]) -> Any:
    if isinstance(state, (tuple, list)):
        return type(state)(_mapped(part, function) for part in state)
    return function(state) if isinstance(state, NDArray) else state


def _leaves(state: Any) -> list[NDArray]:
    if isinstance(state, (tuple, list)):
        return [leaf for part in state for leaf in _leaves(part)]
    return [state] if isinstance(state, NDArray) else []


def _replacing(weight: NDArray, target: NDArray) -> Callable[[], None]:
    def ending() -> None:
        weight[:] = target

    return ending


def _putting_back(
    target: NDArray, own: Any, piece: NDArray, kept: Any, rows: Tensor, chosen: Tensor | None
) -> Callable[[], None]:
    """Return what writes updated rows to where they came from."""

    def ending() -> None:
        pairs = zip([target, *_leaves(own)], [piece, *_leaves(kept)], strict=True)
        for whole, part in pairs:
            values = plain(part)
            plain(whole)[rows] = values if chosen is None else values[chosen]

    return ending
