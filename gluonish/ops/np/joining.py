"""NumPy's functions that join arrays, and that split them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.errors import ShapeError
from gluonish.ops.arrays.joinable import how_to_join
from gluonish.ops.np import recorded
from gluonish.ops.np.arguments import Out, as_tensor, as_tensors, into, one_axis
from gluonish.ops.table import Graph, Precision, op

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import TypeAlias

Sections: TypeAlias = "int | Sequence[int] | torch.Tensor"


def _refuse(
    where: str, tensors: Sequence[Tensor], axis: int, expected: str, error: Exception
) -> ShapeError:
    shapes = ", ".join(str(tuple(each.shape)) for each in tensors[:10]) or "no"
    more = f" and {len(tensors) - 10} more" if len(tensors) > 10 else ""
    reason = f" ({str(error).splitlines()[0].rstrip('.')})"
    has_axis = where in ("np.concatenate", "np.append")
    word = "axis" if has_axis else "np.concatenate with axis"
    how = how_to_join(tensors, axis, word)
    if len({each.ndim for each in tensors}) > 1:
        expected = f"{expected}, and as many axes in each"
        reason = ""
    if where == "np.stack":
        how = "Cut or pad them, or choose another way: np.concatenate joins along an axis"
    given = f"{where}: arrays of shape {shapes}{more} were given{reason}"
    msg = f"{given}. Expected {expected}. {how}."
    return ShapeError(msg)


def _cat(where: str, seq: Sequence[Tensor], axis: int | None) -> Tensor:
    if axis is not None:
        try:
            return torch.cat(seq, axis)  # type: ignore[arg-type]
        except (RuntimeError, IndexError, ValueError, TypeError):
            pass  # numbers among the arrays are converted below, and what is wrong is explained
    tensors = as_tensors(seq)
    if axis is None:
        tensors, axis = [each.reshape(-1) for each in tensors], 0
    try:
        return torch.cat(tensors, axis)
    except (RuntimeError, IndexError, ValueError, TypeError) as error:
        if tensors:
            one_axis(where, axis, tensors[0])
        expected = "one array or more, of equal lengths on all axes but the one that is joined"
        raise _refuse(where, tensors, axis, expected, error) from error


@op(
    np="concatenate",
    attributes={"dim": ""},
    output_names=("out",),
    graph=Graph(written={"np.concatenate": "axis=0"}),
    precision=Precision(like="concat"),
)
def concatenate(seq: Sequence[Tensor], axis: int | None = 0, out: Out = None) -> Tensor:
    """Join arrays along an axis that they have; None joins their flattened elements.

    Examples
    --------
    >>> from gluonish import np
    >>> np.concatenate([np.ones((1, 2)), np.zeros((1, 2))])
    array([[1., 1.],
           [0., 0.]])
    """
    result = _cat("np.concatenate", seq, axis)
    return result if out is None else into(out, result)


@op(np="stack", graph=Graph(written={"np.stack": "axis=0"}))
def stack(arrays: Sequence[Tensor], axis: int = 0, out: Out = None) -> Tensor:
    """Join arrays of one shape along a new axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.stack([np.ones(2), np.zeros(2)], axis=1)
    array([[1., 0.],
           [1., 0.]])
    """
    try:
        result = torch.stack(arrays, axis)  # type: ignore[arg-type]
    except (RuntimeError, IndexError, ValueError, TypeError):
        result = _stack(as_tensors(arrays), axis)
    return result if out is None else into(out, result)


def _stack(tensors: list[Tensor], axis: int) -> Tensor:
    try:
        return torch.stack(tensors, axis)
    except (RuntimeError, IndexError, ValueError) as error:
        if tensors:
            one_axis("np.stack", axis, tensors[0].unsqueeze(0))
        expected = "one array or more, all of one shape"
        msg = "np.stack"
        raise _refuse(msg, tensors, 0, expected, error) from error


@op(np=("vstack", "row_stack"), graph=Graph(hint="vstack"))
def vstack(arrays: Sequence[Tensor], out: Out = None) -> Tensor:
    """Join arrays row after row.

    Examples
    --------
    >>> from gluonish import np
    >>> np.vstack([np.ones(2), np.zeros(2)])
    array([[1., 1.],
           [0., 0.]])
    """
    rows = [each.reshape(1, -1) if each.ndim < 2 else each for each in as_tensors(arrays)]
    return into(out, _cat("np.vstack", rows, 0))


@op(np="hstack", attributes={"dim": ""}, output_names=("out",))
def hstack(arrays: Sequence[Tensor]) -> Tensor:
    """Join arrays column after column; vectors end to end.

    Examples
    --------
    >>> from gluonish import np
    >>> np.hstack([np.ones(2), np.zeros(1)])
    array([1., 1., 0.])
    """
    parts = [each if each.ndim else each.reshape(1) for each in as_tensors(arrays)]
    return _cat("np.hstack", parts, 0 if parts and parts[0].ndim == 1 else 1)


@op(np="dstack", attributes={"dim": ""}, output_names=("out",))
def dstack(arrays: Sequence[Tensor]) -> Tensor:
    """Join arrays along the third axis.

    Examples
    --------
    >>> from gluonish import np
    >>> np.dstack([np.ones((2, 3)), np.zeros((2, 3))]).shape
    (2, 3, 2)
    """
    parts = as_tensors(arrays)
    return _cat("np.dstack", [torch.atleast_3d(each) for each in parts], 2)  # type: ignore[no-untyped-call]


@op(np="column_stack")
def column_stack(tup: Sequence[Tensor]) -> Tensor:
    """Join vectors as columns, and matrices side by side.

    Examples
    --------
    >>> from gluonish import np
    >>> np.column_stack([np.ones(2), np.zeros(2)])
    array([[1., 0.],
           [1., 0.]])
    """
    columns = [each.reshape(-1, 1) if each.ndim < 2 else each for each in as_tensors(tup)]
    return _cat("np.column_stack", columns, 1)


@op(np="append", recorded=recorded.append)
def append(arr: Tensor, values: Tensor, axis: int | None = None) -> Tensor:
    """Return an array with others behind it; flattened unless an axis is named.

    Examples
    --------
    >>> from gluonish import np
    >>> np.append(np.ones(2), np.zeros(1))
    array([1., 1., 0.])
    """
    return _cat("np.append", [arr, values], axis)


@op(np="split", file="_split_v2", outputs=0, recorded=recorded.split_along(None))
def split(ary: Tensor, indices_or_sections: Sections, axis: int = 0) -> list[Tensor]:
    """Split an array into equal parts, or at positions.

    Parameters
    ----------
    ary : ndarray
        What to split.
    indices_or_sections : int or sequence of int
        How many equal parts, or the positions where a new part begins.
    axis : int, default 0
        Along which axis.

    Returns
    -------
    list of ndarray
        The parts, sharing memory with the array.

    Raises
    ------
    ShapeError
        The array can't be split into that many equal parts.

    Examples
    --------
    >>> from gluonish import np
    >>> np.split(np.arange(4), 2)
    [array([0., 1.]), array([2., 3.])]
    """
    return _split("np.split", as_tensor(ary), indices_or_sections, axis)


def _split(where: str, a: Tensor, sections: Sections, axis: int) -> list[Tensor]:
    axis = one_axis(where, axis, a)
    length = a.shape[axis]
    if isinstance(sections, int) and (sections < 1 or length % sections):
        msg = (
            f"{where}: array split does not result in an equal division: axis {axis} of an array "
            f"of shape {tuple(a.shape)} into {sections} parts. Expected a divisor of {length}. "
            f"Use np.array_split for parts of unequal lengths."
        )
        raise ShapeError(msg)
    return _parts(a, sections, axis)


def _parts(a: Tensor, sections: Sections, axis: int) -> list[Tensor]:
    if isinstance(sections, Tensor):
        sections = sections.tolist()
    if isinstance(sections, int):
        return list(torch.tensor_split(a, sections, axis))
    return list(torch.tensor_split(a, tuple(int(each) for each in sections), axis))


@op(np="array_split", outputs=0)
def array_split(ary: Tensor, indices_or_sections: Sections, axis: int = 0) -> list[Tensor]:
    """Split an array into parts of nearly equal length, or at positions.

    Examples
    --------
    >>> from gluonish import np
    >>> np.array_split(np.arange(3), 2)
    [array([0., 1.]), array([2.])]
    """
    a = as_tensor(ary)
    axis = one_axis("np.array_split", axis, a)
    if isinstance(indices_or_sections, int) and indices_or_sections < 1:
        msg = (
            f"np.array_split: {indices_or_sections} parts were asked for. Expected 1 or more. "
            f"Pass how many parts you want."
        )
        raise ShapeError(msg)
    return _parts(a, indices_or_sections, axis)


@op(np="hsplit", outputs=0, recorded=recorded.split_along(1, "_npi_hsplit"))
def hsplit(ary: Tensor, indices_or_sections: Sections) -> list[Tensor]:
    """Split an array into groups of columns.

    Examples
    --------
    >>> from gluonish import np
    >>> [part.shape for part in np.hsplit(np.zeros((2, 4)), 2)]
    [(2, 2), (2, 2)]
    """
    a = as_tensor(ary)
    return _split("np.hsplit", a, indices_or_sections, 0 if a.ndim == 1 else 1)


@op(np="vsplit", outputs=0, recorded=recorded.split_along(0))
def vsplit(ary: Tensor, indices_or_sections: Sections) -> list[Tensor]:
    """Split an array into groups of rows.

    Examples
    --------
    >>> from gluonish import np
    >>> [part.shape for part in np.vsplit(np.zeros((2, 4)), 2)]
    [(1, 4), (1, 4)]
    """
    a = _with_axes("np.vsplit", as_tensor(ary), 2)
    return _split("np.vsplit", a, indices_or_sections, 0)


@op(np="dsplit", outputs=0, recorded=recorded.split_along(2, "_npi_dsplit"))
def dsplit(ary: Tensor, indices_or_sections: Sections) -> list[Tensor]:
    """Split an array along its third axis.

    Examples
    --------
    >>> from gluonish import np
    >>> [part.shape for part in np.dsplit(np.zeros((2, 3, 4)), 2)]
    [(2, 3, 2), (2, 3, 2)]
    """
    a = _with_axes("np.dsplit", as_tensor(ary), 3)
    return _split("np.dsplit", a, indices_or_sections, 2)


def _with_axes(where: str, a: Tensor, count: int) -> Tensor:
    if a.ndim < count:
        msg = (
            f"{where}: an array of shape {tuple(a.shape)} was given. Expected {count} axes or "
            f"more. Use np.split(x, ..., axis=0)."
        )
        raise ShapeError(msg)
    return a
