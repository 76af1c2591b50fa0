"""Samples of a batch read and changed together, where one by one gives the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

from gluonish.array import NDArray, ndarray, wrap
from gluonish.block.hooks import is_watched
from gluonish.context import cpu
from gluonish.errors import MXNetError
from gluonish.gluon.data.batching import from_numpy
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

__all__ = ["change_together", "read_together", "rows_together"]

_METHOD = "_together"
_OF_DATASETS = ("__getitem__",)
_OF_TRANSFORMS = ("__call__", "forward", "hybrid_forward")


def read_together(dataset: Any, positions: Sequence[int]) -> Any:
    """Return samples at some positions, part by part stacked; None if one by one is needed.

    Datasets whose samples are rows of arrays have a method `_together(positions)` for it. It counts
    unless a subclass reads otherwise, or random numbers would be drawn in another order.
    """
    read = _own(dataset, _OF_DATASETS)
    return None if read is None or state.recording else read(positions)


def change_together(transform: Any, column: Any) -> Any:
    """Return stacked samples after a transform of each; None if one by one is needed.

    Transforms of batches have a method `_together(column)`. It counts unless a subclass, the object
    itself or a hook does something else.
    """
    change = _own(transform, _OF_TRANSFORMS)
    if change is None or is_watched(transform):
        return None
    try:
        return change(column)
    except MXNetError:
        return None  # one by one the error tells of a sample


def rows_together(data: Any, positions: Sequence[int]) -> Any:
    """Return some elements of an array or a list, stacked; None if one by one is needed."""
    kind = type(data)
    if kind in (list, tuple):
        found = [data[position] for position in positions]
        is_plain = {type(each) for each in found} <= {int, float}
        return from_numpy(onp.asarray(found), cpu()) if is_plain else None
    if kind not in (NDArray, ndarray, onp.ndarray) or data.ndim < (2 if kind is NDArray else 1):
        return None
    if min(positions) < 0 or max(positions) >= len(data):
        return None
    if kind is onp.ndarray:
        is_plain = data.dtype.kind in "biuf" and data.dtype.isnative
        return from_numpy(data[list(positions)], cpu()) if is_plain else None
    chosen = torch.from_numpy(onp.asarray(positions, onp.int64)).to(data.tensor.device)
    return wrap(data.tensor.index_select(0, chosen), data.context, kind)


def _own(thing: Any, rivals: tuple[str, ...]) -> Callable[[Any], Any] | None:
    """Return the method of a dataset or transform, unless one of its rivals is another's."""
    kind = type(thing)
    owner = next((base for base in kind.__mro__ if _METHOD in vars(base)), None)
    if owner is None or vars(thing).keys() & {_METHOD, *rivals}:
        return None
    if any(getattr(kind, name, None) is not getattr(owner, name, None) for name in rivals):
        return None
    return getattr(thing, _METHOD)  # type: ignore[no-any-return]
