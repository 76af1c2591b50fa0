"""NumPy's positions of extremes."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.np.arguments import Out, as_tensor, axis_error, into, one_axis
from gluonish.ops.np.running_sums import without_nan
from gluonish.ops.table import both, op

_AXES = "axis=None keepdims=False"


@op(np="argmax", np_method="argmax", graph=both("argmax", _AXES))
def argmax(a: Tensor, axis: int | None = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the position of the first largest element, of all or along an axis, as int64.

    With `keepdims` the axes that are gone have length 1.

    Examples
    --------
    >>> from gluonish import np
    >>> np.argmax(np.array([[1, 5], [7, 4]]), axis=1)
    array([1, 0], dtype=int64)
    """
    result = _position("np.argmax", a, axis, largest=True, keepdims=keepdims)
    return result if out is None else into(out, result)


@op(np="argmin", np_method="argmin", graph=both("argmin", _AXES))
def argmin(a: Tensor, axis: int | None = None, out: Out = None, keepdims: bool = False) -> Tensor:
    """Return the position of the first smallest element, of all or along an axis, as int64.

    With `keepdims` the axes that are gone have length 1.

    Examples
    --------
    >>> from gluonish import np
    >>> np.argmin(np.array([[1, 5], [7, 4]]), axis=1)
    array([0, 1], dtype=int64)
    """
    result = _position("np.argmin", a, axis, largest=False, keepdims=keepdims)
    return result if out is None else into(out, result)


def _position(
    where: str, a: Tensor, axis: int | None, *, largest: bool, keepdims: bool = False
) -> Tensor:
    if a.dtype is torch.bool:
        a = a.to(torch.uint8)
    try:
        return (torch.argmax if largest else torch.argmin)(a, axis, keepdims)
    except (IndexError, RuntimeError) as error:
        if axis is not None:
            one_axis(where, axis, a)
        if a.numel():
            raise axis_error(axis, a, where) from error
        msg = (
            f"{where}: an array of shape {tuple(a.shape)} was given. Expected one element or "
            f"more along the axis. Check x.size first."
        )
        raise InvalidArgumentError(msg) from error


def _kept(found: Tensor, a: Tensor, axis: int | None) -> Tensor:
    return found.reshape([1] * a.ndim) if axis is None else found.unsqueeze(axis)


@op(np="nanargmax")
def nanargmax(
    a: Tensor, axis: int | None = None, out: Out = None, *, keepdims: bool = False
) -> Tensor:
    """Return the position of the largest element that is a number.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanargmax(np.array([1, np.nan, 3]))
    array(2, dtype=int64)
    """
    a = without_nan(as_tensor(a), -torch.inf)
    found = _position("np.nanargmax", a, axis, largest=True)
    return into(out, _kept(found, a, axis) if keepdims else found)


@op(np="nanargmin")
def nanargmin(
    a: Tensor, axis: int | None = None, out: Out = None, *, keepdims: bool = False
) -> Tensor:
    """Return the position of the smallest element that is a number.

    Examples
    --------
    >>> from gluonish import np
    >>> np.nanargmin(np.array([1, np.nan, 3]))
    array(0, dtype=int64)
    """
    a = without_nan(as_tensor(a), torch.inf)
    found = _position("np.nanargmin", a, axis, largest=False)
    return into(out, _kept(found, a, axis) if keepdims else found)
