"""NumPy's sorting, searching and sets."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import as_tensor, as_tensors, one_axis
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

_KINDS = (None, "quicksort", "mergesort", "heapsort", "stable")


def _ordered(
    where: str, a: Tensor, axis: int | None, kind: str | None, order: object
) -> tuple[Tensor, Tensor]:
    if kind not in _KINDS or order is not None:
        msg = (
            f"{where}: kind={kind!r} and order={order!r} were given. Expected one of "
            f"{_KINDS[1:]}, and no order: arrays have no fields. Leave both out."
        )
        raise InvalidArgumentError(msg)
    a = as_tensor(a)
    if axis is None or not a.ndim:
        a, axis = a.reshape(-1), 0
    values, places = torch.sort(a, dim=one_axis(where, axis, a), stable=True)
    return values, places


@op(
    np="sort",
    file="sort",
    np_method="sort",
    output_names=("output0",),
    graph=Graph(outputs=2, written={"np.sort": "axis=-1 is_ascend=True"}),
)
def sort(
    a: Tensor, axis: int | None = -1, kind: str | None = None, order: str | None = None
) -> Tensor:
    """Return a sorted copy, along an axis or of all elements; equal elements keep their order.

    Parameters
    ----------
    a : ndarray
        What to sort.
    axis : int, default -1
        Along which axis; None flattens first.
    kind : str, optional
        NumPy's name of a method; all give the same result.
    order : None
        Name of a field, which arrays do not have.

    Examples
    --------
    >>> from gluonish import np
    >>> np.sort(np.array([3, 1, 2]))
    array([1., 2., 3.])
    """
    return _ordered("np.sort", a, axis, kind, order)[0]


@op(
    np="argsort",
    file="argsort",
    np_method="argsort",
    recorded=recorded.argsort,
    graph=Graph(written={"np_method.argsort": "axis=-1 is_ascend=True dtype=int64"}),
)
def argsort(
    a: Tensor, axis: int | None = -1, kind: str | None = None, order: str | None = None
) -> Tensor:
    """Return the positions that sort an array, as int64.

    Examples
    --------
    >>> from gluonish import np
    >>> np.argsort(np.array([3, 1, 2]))
    array([1, 2, 0], dtype=int64)
    """
    return _ordered("np.argsort", a, axis, kind, order)[1]


@op(np="msort")
def msort(a: Tensor) -> Tensor:
    """Return a copy that is sorted along the first axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.msort(np.array([[3, 1], [2, 4]]))
    array([[2., 1.],
           [3., 4.]])
    """
    return _ordered("np.msort", a, 0, None, None)[0]


@op(np="searchsorted")
def searchsorted(a: Tensor, v: Tensor, side: str = "left", sorter: Tensor | None = None) -> Tensor:
    """Return where elements would have to be put into a sorted vector.

    Examples
    --------
    >>> from gluonish import np
    >>> np.searchsorted(np.array([1, 2, 3]), np.array([2, 9]))
    array([1, 3], dtype=int64)
    """
    if side not in ("left", "right"):
        msg = (
            f"np.searchsorted: side={side!r} was given. Expected 'left' or 'right'. Write "
            f"side='right' to put equal elements behind."
        )
        raise InvalidArgumentError(msg)
    a, v = as_tensors((a, v))
    order = None if sorter is None else as_tensor(sorter, a).to(torch.int64)
    common = torch.promote_types(a.dtype, v.dtype)
    return torch.searchsorted(
        a.to(common).contiguous(), v.to(common).contiguous(), side=side, sorter=order
    )


@op(np="digitize")
def digitize(x: Tensor, bins: Tensor, right: bool | int = False) -> Tensor:
    """Return the number of the bin that each element falls into.

    Examples
    --------
    >>> from gluonish import np
    >>> np.digitize(np.array([0.5, 2.5]), np.array([0, 1, 2]))
    array([1, 3], dtype=int64)
    """
    x, bins = as_tensors((x, bins))
    common = torch.promote_types(x.dtype, bins.dtype)
    x, bins = x.to(common).contiguous(), bins.to(common)
    if len(bins) > 1 and not bins.is_meta and bool(bins[0] > bins[-1]):
        found = torch.searchsorted(bins.flip(0).contiguous(), x, right=not right)
        return len(bins) - found
    return torch.searchsorted(bins.contiguous(), x, right=not right)


def _unique_outputs(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: each kind of positions is one more."""
    return 1 + sum(map(bool, (given[f"return_{kind}"] for kind in ("index", "inverse", "counts"))))


@op(
    np="unique",
    outputs=_unique_outputs,
    graph=Graph(
        written={
            "np.unique": "return_index=False return_inverse=False return_counts=False axis=None"
        }
    ),
)
def unique(
    ar: Tensor,
    return_index: bool = False,
    return_inverse: bool = False,
    return_counts: bool = False,
    axis: int | None = None,
) -> Tensor | tuple[Tensor, ...]:
    """Return the different elements, sorted.

    Parameters
    ----------
    ar : ndarray
        The elements.
    return_index : bool, default False
        Whether to return where each one comes first.
    return_inverse : bool, default False
        Whether to return which one stands at each place.
    return_counts : bool, default False
        Whether to return how often each one comes.
    axis : int, optional
        Compare slices of this axis instead of elements.

    Examples
    --------
    >>> from gluonish import np
    >>> np.unique(np.array([2, 1, 2]), return_counts=True)
    (array([1., 2.]), array([1, 2], dtype=int64))
    """
    ar = as_tensor(ar)
    if axis is None or ar.ndim < 2:
        if axis is not None and ar.ndim:
            one_axis("np.unique", axis, ar)
        values, inverse, counts = _different(ar.detach().reshape(-1))
    else:
        values, inverse, counts = _different_slices(ar.detach(), one_axis("np.unique", axis, ar))
    results = [values]
    if return_index:
        order = torch.sort(inverse, stable=True)[1]
        results.append(order[counts.cumsum(0) - counts])
    if return_inverse:
        results.append(inverse)
    if return_counts:
        results.append(counts)
    return results[0] if len(results) == 1 else tuple(results)


def _different(numbers: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    """Return sorted numbers, places among them, and counts; what is no number counts as one."""
    values, inverse, counts = torch.unique(numbers, return_inverse=True, return_counts=True)
    if values.is_floating_point() and len(values) > 1:
        last = len(values) - max(int(values.isnan().sum()), 1)
        values, inverse = values[: last + 1], inverse.clamp(max=last)
        counts = torch.cat([counts[:last], counts[last:].sum(0, keepdim=True)])
    return values, inverse, counts


def _different_slices(array: Tensor, axis: int) -> tuple[Tensor, Tensor, Tensor]:
    """Return the same of slices; one with what is no number differs from all, as in NumPy."""
    if not array.numel() or not array.is_floating_point():
        dim = axis if array.numel() else None
        found, inverse, counts = torch.unique(
            array, return_inverse=True, return_counts=True, dim=dim
        )
        return found, inverse, counts
    # torch compares slices one by one, and finds no order where one is no number.
    values, codes, _ = _different(array.reshape(-1))
    rows = codes.view(array.shape).movedim(axis, 0).flatten(1)
    numbers = torch.arange(len(rows), device=array.device)
    own = torch.where((values.isnan()[rows]).any(1), numbers, -1)
    rows = torch.cat([rows, own.unsqueeze(1)], 1)
    found, inverse, counts = torch.unique(rows, return_inverse=True, return_counts=True, dim=0)
    shape = list(array.shape)
    shape.insert(0, len(found))
    del shape[axis + 1]
    return values[found[:, :-1]].view(shape).movedim(0, axis), inverse, counts


@op(np="isin")
def isin(
    element: Tensor,
    test_elements: Tensor,
    assume_unique: bool | int = False,  # noqa: ARG001 - a promise, not relied on
    invert: bool | int = False,
) -> Tensor:
    """Return which elements are among others.

    What `assume_unique` promises is not relied on: it may not hold.

    Examples
    --------
    >>> from gluonish import np
    >>> np.isin(np.arange(3), np.array([0, 2]))
    array([ True, False,  True])
    """
    element, test_elements = (
        each.to(torch.uint8) if each.dtype is torch.bool else each.contiguous()
        for each in as_tensors((element, test_elements))
    )
    return torch.isin(element, test_elements, invert=bool(invert))


@op(np="in1d")
def in1d(
    ar1: Tensor, ar2: Tensor, assume_unique: bool | int = False, invert: bool | int = False
) -> Tensor:
    """Return which elements, in order, are among others.

    Examples
    --------
    >>> from gluonish import np
    >>> np.in1d(np.arange(3), np.array([0, 2]))
    array([ True, False,  True])
    """
    return isin(as_tensor(ar1).reshape(-1), ar2, assume_unique, invert)
