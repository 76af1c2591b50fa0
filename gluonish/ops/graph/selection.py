"""Operators of MXNet's graphs that choose elements, take some out or put some in."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.ops.np import elements, indexing, insertion, shapes
from gluonish.ops.table import op

if TYPE_CHECKING:
    from collections.abc import Mapping


op(np="_np_reshape")(shapes.reshape)


@op(np="_npi_where_lscalar")
def where_lscalar(condition: Tensor, x: Tensor, scalar: float = 0.0) -> Tensor:
    """Return a number where the condition is true, and elements of `x` elsewhere.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import where_lscalar
    >>> where_lscalar(torch.tensor([1, 0]), torch.tensor([3., 4.]), scalar=7).tolist()
    [7.0, 4.0]
    """
    return _where(condition, scalar, x)


@op(np="_npi_where_rscalar")
def where_rscalar(condition: Tensor, y: Tensor, scalar: float = 0.0) -> Tensor:
    """Return elements of `y` where the condition is true, and a number elsewhere.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import where_rscalar
    >>> where_rscalar(torch.tensor([1, 0]), torch.tensor([3., 4.]), scalar=7).tolist()
    [3.0, 7.0]
    """
    return _where(condition, y, scalar)


@op(np="_npi_where_scalar2")
def where_scalar2(condition: Tensor, x: float = 0.0, y: float = 0.0) -> Tensor:
    """Return one number where the condition is true, and another elsewhere, as float32.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import where_scalar2
    >>> where_scalar2(torch.tensor([1, 0]), x=3, y=4).tolist()
    [3.0, 4.0]
    """
    return _where(condition, float(x), float(y)).to(torch.float32)


@op(np="_npi_where")
def where(condition: Tensor, x: Tensor, y: Tensor) -> Tensor:
    """Return elements of `x` where the condition is true, of `y` elsewhere.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import where
    >>> where(torch.tensor([1, 0]), torch.tensor([3., 4.]), torch.tensor([5., 6.])).tolist()
    [3.0, 6.0]
    """
    return _where(condition, x, y)


def _where(condition: Tensor, x: Tensor | float, y: Tensor | float) -> Tensor:
    return indexing.where(condition, x, y)  # type: ignore[return-value]


def _places(
    given: Tensor | None, start: int | None, stop: int | None, step: int | None, place: int | None
) -> Any:  # noqa: ANN401 - what NumPy's functions take as positions
    """Return the positions that an operator's arguments mean."""
    if given is not None:
        return given
    return slice(start, stop, step) if place is None else place


def _delete_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    names = ("start", "stop", "step", "int_ind")
    return ("arr", "obj") if all(given[name] is None for name in names) else ("arr",)


@op(np="_npi_delete", arguments=_delete_arguments)
def delete(
    arr: Tensor,
    obj: Tensor | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Return the array without some elements: those of an array, a slice or one position.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import delete
    >>> delete(torch.arange(3), int_ind=1).tolist()
    [0, 2]
    """
    return insertion.delete(arr, _places(obj, start, stop, step, int_ind), axis)


def _values_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("arr", "values") if given["val"] is None else ("arr",)


@op(np="_npi_insert_scalar", arguments=_values_arguments)
def insert_scalar(
    arr: Tensor,
    values: Tensor | None = None,
    val: float | None = None,
    start: int | None = None,  # noqa: ARG001 - graphs may have the three, they count for nothing
    stop: int | None = None,  # noqa: ARG001
    step: int | None = None,  # noqa: ARG001
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Return the array with elements put in at one position, the first one by default.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import insert_scalar
    >>> insert_scalar(torch.arange(3), val=7, int_ind=1).tolist()
    [0, 7, 1, 2]
    """
    given: Any = val if values is None else values
    return insertion.insert(arr, int_ind or 0, given, axis)


@op(np="_npi_insert_slice", arguments=_values_arguments)
def insert_slice(
    arr: Tensor,
    values: Tensor | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,  # noqa: ARG001 - graphs may have it, it counts for nothing
    axis: int | None = None,
) -> Tensor:
    """Return the array with elements put in before those of a slice.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import insert_slice
    >>> insert_slice(torch.arange(3), val=7, stop=2).tolist()
    [7, 0, 7, 1, 2]
    """
    given: Any = val if values is None else values
    return insertion.insert(arr, slice(start, stop, step), given, axis)


def _insert_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("arr", "values", "obj") if given["val"] is None else ("arr", "obj")


@op(np="_npi_insert_tensor", arguments=_insert_arguments)
def insert_tensor(
    arr: Tensor,
    values: Tensor | None = None,
    obj: Tensor | None = None,
    val: float | None = None,
    start: int | None = None,
    stop: int | None = None,
    step: int | None = None,
    int_ind: int | None = None,
    axis: int | None = None,
) -> Tensor:
    """Return the array with elements put in at the positions that an array holds.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import insert_tensor
    >>> insert_tensor(torch.arange(3), obj=torch.tensor([1]), val=7).tolist()
    [0, 7, 1, 2]
    """
    given: Any = val if values is None else values
    return insertion.insert(arr, _places(obj, start, stop, step, int_ind), given, axis)


@op(np="_npi_nan_to_num")
def nan_to_num(
    data: Tensor,
    copy: bool = True,
    nan: float = 0.0,
    posinf: float | None = None,
    neginf: float | None = None,
) -> Tensor:
    """Return the array without NaN and infinities; graphs never write to it, whatever `copy` is.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.selection import nan_to_num
    >>> nan_to_num(torch.tensor([1.0, torch.nan]), copy=False).tolist()
    [1.0, 0.0]
    """
    del copy
    return elements.nan_to_num(data, True, nan, posinf, neginf)
