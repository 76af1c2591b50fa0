"""What a training step on several contexts computes with on each, and its results as one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.tensors import plain
from gluonish.gluon.splitting import split_and_load
from gluonish.hybrid.structure import map_arrays

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context


def split(args: tuple[Any, ...], contexts: Sequence[Context]) -> list[tuple[Any, ...]]:
    """Return arguments for each context, with its part of every array along the first axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.sharing import split
    >>> parts = split((mx.np.arange(4), None), [mx.cpu(0), mx.cpu(1)])
    >>> parts[1][0].tolist(), parts[1][0].context, parts[1][1]
    ([2.0, 3.0], cpu(1), None)
    """
    slices: dict[int, list[NDArray]] = {}

    def load(array: NDArray) -> NDArray:
        slices[id(array)] = split_and_load(array, contexts, even_split=False)
        return array

    map_arrays(load, args)
    found = []
    for place in range(len(contexts)):

        def part(array: NDArray, place: int = place) -> NDArray:
            return slices[id(array)][place]

        found.append(map_arrays(part, args))
    return found


def joined(results: Sequence[Any]) -> Any:
    """Return results of all contexts as one, on the first: arrays are put one after the other.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.sharing import joined
    >>> joined([mx.np.array([1, 2]), mx.np.array([3], ctx=mx.cpu(1))])
    array([1., 2., 3.])
    """
    first = results[0]
    if isinstance(first, (list, tuple)):
        return type(first)(map(joined, zip(*results, strict=True)))
    if not isinstance(first, NDArray):
        return first
    tensors = [plain(one).to(plain(first).device) for one in results]
    whole = torch.cat(tensors) if first.ndim else torch.stack(tensors)
    return wrap(whole, first.context, type(first))
