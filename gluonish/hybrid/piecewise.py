"""Calls kernels on one part of their arguments after the other, where parts are independent.

What a kernel needs of memory beside its results, it then needs for one part at a time.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    Axes = tuple[int | None, ...]

_aten = torch.ops.aten
PIECE = 2**14  # elements of the first argument

# Axes along which the first arguments are cut, and results are joined: those without one are sums.
_CUTS: dict[Any, tuple[Axes, Axes]] = {
    _aten.convolution.default: ((0,), (0,)),
    _aten.convolution_backward.default: ((0, 0), (0, None, None)),
    _aten.native_batch_norm.default: ((1, 0, 0, 0, 0), (1, 0, 0)),
    _aten.native_batch_norm_backward.default: ((1, 1, 0, 0, 0, 0, 0), (1, 0, 0)),
}


def cuts(target: Any, args: Sequence[Any]) -> tuple[Axes, Axes] | None:
    """Return along which axes arguments can be cut, and results joined; None if they can't.

    Parameters
    ----------
    target : callable or str
        A kernel, a function of torch, or the name of a tensor's method.
    args : sequence
        What it is given by position.
    """
    first = args[0] if args else None
    if not isinstance(first, Tensor) or first.numel() <= PIECE:
        return None
    found = _CUTS.get(target)
    if found is not None or not _is_pointwise(target):
        return found
    axes = tuple(0 if isinstance(arg, Tensor) else None for arg in args)
    shapes = {arg.shape for arg in args if isinstance(arg, Tensor)}
    return (axes, (0,)) if len(shapes) == 1 else None


def piecewise(
    call: Callable[[Sequence[Any]], Any],
    args: Sequence[Any],
    axes: Axes,
    joins: Axes,
    keep: Callable[[Tensor], Tensor],
) -> Any:
    """Return what a call gives for arguments, computed part by part.

    Parameters
    ----------
    call : callable
        What to call, with a sequence of arguments.
    args : sequence
        The arguments.
    axes, joins : tuple of int or None
        As `cuts` tells them.
    keep : callable
        Returns what to keep of a part of a result until the others are there.
    """
    first, axis = args[0], axes[0] or 0
    length = first.shape[axis]
    size = max(PIECE * length // first.numel(), 1)
    cut = itertools.zip_longest(args, axes[: len(args)])
    parts = [_parts(arg, along, size, -(-length // size)) for arg, along in cut]
    wholes: list[Any] = [None] * len(joins)
    is_one = False
    for begin, *part in zip(range(0, length, size), *parts, strict=True):
        results = call(part)
        is_one = isinstance(results, Tensor)
        for i, result in enumerate([results] if is_one else results):
            if result is not None:
                wholes[i] = _joined(wholes[i], result, joins[i], begin, length, keep)
    return wholes[0] if is_one else tuple(wholes)


def _joined(
    whole: Tensor | None,
    part: Tensor,
    axis: int | None,
    begin: int,
    length: int,
    keep: Callable[[Tensor], Tensor],
) -> Tensor:
    """Return a result so far, with one more part of it."""
    if axis is None:
        return part if whole is None else whole.add_(part)
    part = keep(part)
    shape = list(part.shape)
    if whole is None:
        whole = part.new_empty([*shape[:axis], length, *shape[axis + 1 :]])
    whole.narrow(axis, begin, shape[axis]).copy_(part)
    return whole


def _parts(value: Any, axis: int | None, size: int, count: int) -> Iterable[Any]:
    """Return the parts of an argument; of what is not cut, itself each time."""
    if axis is None or not isinstance(value, Tensor):
        return itertools.repeat(value, count)
    return torch.split(value, size, axis)


def _is_pointwise(target: Any) -> bool:
    """Return whether each element of a result follows from those at the same place alone."""
    name = getattr(target, "__name__", "").split(".")[0]
    if name.endswith("_"):  # it gives what it was given
        return False
    packet = getattr(_aten, name, None) if name else None
    if packet is None:
        return False
    return any(torch.Tag.pointwise in getattr(packet, one).tags for one in packet.overloads())
