"""Calls kernels on one part of their arguments after the other, where parts are independent.

What a kernel needs of memory beside its results, it then needs for one part at a time.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.hybrid.tape import is_view

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    # Axes along which the first arguments are cut, and all results joined; those that are whole
    # have none, and results without one are added up.
    Axes = tuple[int | None, ...]
    Cuts = tuple[Axes, Axes]

_aten = torch.ops.aten
PIECE = 2**14  # elements of the first argument that is cut


def cuts(target: Any, args: Sequence[Any]) -> Cuts | None:
    """Return along which axes arguments can be cut, and results joined; None if they can't.

    Parameters
    ----------
    target : callable or str
        A kernel, a function of torch, or the name of a tensor's method.
    args : sequence
        What it is given; nothing is cut of what is given by keywords.
    """
    tensors = [arg for arg in args if isinstance(arg, Tensor)]
    if max(map(torch.numel, tensors), default=0) <= PIECE:
        return None
    name = _name(target)
    if name in _CUTS:
        return _CUTS[name](tensors, args)
    if not _is_pointwise(target) or len({tensor.shape for tensor in tensors}) > 1:
        return None
    return tuple(0 if isinstance(arg, Tensor) else None for arg in args), (0,)


def _always(*axes: int | None, joins: Axes = (0,)) -> Callable[..., Cuts]:
    return lambda *_: (axes, joins)


def _of_product(tensors: Sequence[Tensor], _: Sequence[Any]) -> Cuts:
    """Return how to cut a product of matrices along what is longest."""
    (rows, inner), columns = tensors[0].shape, tensors[1].shape[1]
    if inner >= max(rows, columns):
        return (1, 0), (None,)
    return ((0, None), (0,)) if rows >= columns else ((None, 1), (1,))


def _of_sum(tensors: Sequence[Tensor], args: Sequence[Any]) -> Cuts:
    """Return how to cut what is added up along axes, or along all of them."""
    axes = args[1] if len(args) > 1 else ()
    axes = (axes,) if isinstance(axes, int) else axes
    is_over_first = not axes or any(axis % tensors[0].dim() == 0 for axis in axes)
    return (0,), (None,) if is_over_first else (0,)


def _of_softmax(tensors: Sequence[Tensor], args: Sequence[Any]) -> Cuts | None:
    """Return how to cut what goes along an axis, which comes after the tensors."""
    axis = args[len(tensors)] if len(args) > len(tensors) else 0
    return None if axis % tensors[0].dim() == 0 else ((0,) * len(tensors), (0,))


_CUTS: dict[str, Callable[[Sequence[Tensor], Sequence[Any]], Cuts | None]] = {
    "convolution": _always(0),
    "convolution_backward": _always(0, 0, joins=(0, None, None)),
    "native_batch_norm": _always(1, 0, 0, 0, 0, joins=(1, 0, 0)),
    "native_batch_norm_backward": _always(1, 1, 0, 0, 0, 0, 0, joins=(1, 0, 0)),
    "addmm": _always(None, 0),
    "bmm": _always(0, 0),
    "mm": _of_product,
    "sum": _of_sum,
    "_softmax": _of_softmax,
    "_log_softmax": _of_softmax,
    "_softmax_backward_data": _of_softmax,
    "_log_softmax_backward_data": _of_softmax,
}


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
        Returns what to keep of a part of a result.
    """
    first, axis = next((args[i], axis) for i, axis in enumerate(axes) if axis is not None)
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


def gives_views(target: Any) -> bool:
    """Return whether a kernel, a function or a method looks at a tensor in another way."""
    return any(is_view(kernel._schema) for kernel in _kernels(target))  # noqa: SLF001 - no public name


def _is_pointwise(target: Any) -> bool:
    """Return whether each element of a result follows from those at the same place alone."""
    return any(torch.Tag.pointwise in kernel.tags for kernel in _kernels(target))


def _kernels(target: Any) -> list[Any]:
    """Return the kernels of a name; none of one that returns what it was given."""
    name = _name(target)
    packet = getattr(_aten, name, None) if name and not name.endswith("_") else None
    return [] if packet is None else [getattr(packet, one) for one in packet.overloads()]


def _name(target: Any) -> str:
    name = target if isinstance(target, str) else getattr(target, "__name__", "")
    return name.split(".")[0]
