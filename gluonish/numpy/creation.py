"""Functions of `mx.np` that turn Python's, NumPy's and files' data into arrays."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array import NDArray, ndarray, unwrap, wrap
from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.context import Context, as_context
from gluonish.errors import DTypeError, FileFormatError, MissingFileError
from gluonish.errors.wording import reason

if TYPE_CHECKING:
    from collections.abc import Iterable
    from pathlib import Path
    from typing import IO, TypeAlias

Source: TypeAlias = "str | Path | IO[str] | IO[bytes] | Iterable[str]"


def array(
    object: Any,  # noqa: A002 - NumPy's name
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> ndarray:
    """Return an array made of numbers, nested lists, a NumPy array, a tensor or an array.

    Parameters
    ----------
    object : array_like
        The values.
    dtype : str, type or dtype, optional
        Dtype of the result. By default that of a given array, and float32 for lists and numbers.
    ctx : Context, optional
        Where to put the array; by default where a given array is, else the current context.

    Returns
    -------
    ndarray
        The values, in memory of their own.

    Raises
    ------
    DTypeError
        The values are no numbers, or the lists in `object` have different lengths.

    Examples
    --------
    >>> from gluonish import np
    >>> np.array([[1, 2], [3, 4]])
    array([[1., 2.],
           [3., 4.]])
    >>> np.array([1, 2], dtype='int32')
    array([1, 2], dtype=int32)
    """
    if isinstance(object, NDArray):
        tensor, ctx = unwrap(object), as_context(ctx, object.context)
        target = tensor.dtype if dtype is None else torch_dtype(dtype)
        return wrap(tensor.to(device=ctx.device, dtype=target, copy=True), ctx, ndarray)
    ctx = as_context(ctx)
    if isinstance(object, Tensor):
        target = object.dtype if dtype is None else torch_dtype(dtype)
        return wrap(object.to(device=ctx.device, dtype=target, copy=True), ctx, ndarray)
    if isinstance(object, (onp.ndarray, onp.generic)):
        return wrap(_from_numpy(onp.asarray(object), dtype, ctx), ctx, ndarray)
    return wrap(_from_python(object, dtype, ctx), ctx, ndarray)


def _from_numpy(values: onp.ndarray[Any, Any], dtype: DTypeLike | None, ctx: Context) -> Tensor:
    if values.dtype.kind not in "biufc" and values.dtype.names is None:
        values = _convert(values, values, onp.float32)
    tensor = torch.from_numpy(onp.array(values, order="C"))
    return tensor.to(device=ctx.device, dtype=tensor.dtype if dtype is None else torch_dtype(dtype))


def _from_python(object: Any, dtype: DTypeLike | None, ctx: Context) -> Tensor:  # noqa: A002
    target = torch.float32 if dtype is None else torch_dtype(dtype)
    values = _convert(object, _without_arrays(object))
    if values.dtype.kind not in "biuf" and not target.is_complex:
        values = _convert(object, values.astype(onp.object_), onp.float32)
    if dtype is None:
        with onp.errstate(over="ignore"):  # what is too large becomes infinite
            values = values.astype(onp.float32)
    return torch.as_tensor(values, device=ctx.device).to(target)


def _without_arrays(value: Any) -> Any:
    if isinstance(value, NDArray):
        return value.asnumpy()
    if isinstance(value, Tensor):
        return value.detach().cpu().numpy()
    if isinstance(value, (list, tuple, range)):
        if value and isinstance(value[0], (NDArray, Tensor, list, tuple)):
            return [_without_arrays(part) for part in value]
        return [part.item() if isinstance(part, (NDArray, Tensor)) else part for part in value]
    return value


def _convert(given: Any, value: Any, dtype: Any = None) -> onp.ndarray[Any, Any]:
    try:
        return onp.asarray(value, dtype=dtype)
    except (TypeError, ValueError) as error:
        msg = (
            f"np.array: {type(given).__name__} {_shorten(given)} was given ({reason(error)}). "
            f"Expected numbers, or nested lists of equal lengths. {_how_to_make(error)}."
        )
        raise DTypeError(msg) from error


def _how_to_make(error: Exception) -> str:
    text = re.search(r"could not convert string to float: (.+)", reason(error))
    if text is not None:
        return f"{text[1]} is no number: replace it before, by 'nan' for example"
    return "Pad shorter lists, or make an array of each"


def _shorten(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 60 else f"{text[:57]}..."


def asarray(
    a: Any, dtype: DTypeLike | None = None, order: str | None = None, ctx: Context | None = None
) -> ndarray:
    """Return what was given as an array: itself if it is one of that dtype and context.

    Parameters
    ----------
    a : array_like
        The values.
    dtype : str, type or dtype, optional
        Dtype of the result.
    order : {'C', None}, optional
        Layout in memory; arrays are stored row by row.
    ctx : Context, optional
        Where to put the array.

    Examples
    --------
    >>> from gluonish import np
    >>> x = np.ones(2)
    >>> np.asarray(x) is x, np.asarray([1, 2])
    (True, array([1., 2.]))
    """
    if order not in (None, "C"):
        msg = f"np.asarray: order={order!r} was given. Expected 'C' or None. Leave order out."
        raise DTypeError(msg)
    same_place = isinstance(a, ndarray) and ctx in (None, a.context)
    if same_place and (dtype is None or a.tensor.dtype is torch_dtype(dtype)):
        return a  # type: ignore[no-any-return]
    return array(a, dtype, ctx)


def genfromtxt(fname: Source, *args: Any, ctx: Context | None = None, **kwargs: Any) -> ndarray:
    """Return the numbers of a text file with missing values, as `numpy.genfromtxt` reads them.

    Parameters
    ----------
    fname : str, path, file or list of str
        What to read.
    *args, **kwargs
        The other arguments of `numpy.genfromtxt`.
    ctx : Context, optional
        Where to put the array.

    Examples
    --------
    >>> from gluonish import np
    >>> np.genfromtxt(['1,2', '3,'], delimiter=',')
    array([[ 1.,  2.],
           [ 3., nan]], dtype=float64)
    """
    return array(onp.genfromtxt(fname, *args, **kwargs), ctx=ctx)


def loadtxt(fname: Source, *args: Any, ctx: Context | None = None, **kwargs: Any) -> ndarray:
    """Return the numbers of a text file, as `numpy.loadtxt` reads them.

    Parameters
    ----------
    fname : str, path, file or list of str
        What to read.
    *args, **kwargs
        The other arguments of `numpy.loadtxt`.
    ctx : Context, optional
        Where to put the array.

    Examples
    --------
    >>> from gluonish import np
    >>> np.loadtxt(['1 2', '3 4'])
    array([[1., 2.],
           [3., 4.]], dtype=float64)
    """
    try:
        values = onp.loadtxt(fname, *args, **kwargs)
    except OSError as error:
        msg = (
            f"np.loadtxt: {fname!r} can't be read: {str(error).rstrip('.')}. Expected an existing "
            f"file. Check the name and the working directory."
        )
        raise MissingFileError(msg) from error
    except ValueError as error:
        msg = (
            f"np.loadtxt: {fname!r} does not hold rows of numbers: {str(error).rstrip('.')}. "
            f"Expected as many in each row. Name what separates them, as in delimiter=',', and "
            f"skiprows=1 for a title."
        )
        raise FileFormatError(msg) from error
    return array(values, ctx=ctx)


def set_printoptions(
    precision: int | None = None, threshold: int | None = None, **kwarg: Any
) -> None:
    """Set how arrays are printed: NumPy's own options, which NumPy's arrays share.

    Parameters
    ----------
    precision : int, optional
        Digits after the point.
    threshold : int, optional
        Number of elements from which on arrays are printed in part.
    **kwarg
        The other options of `numpy.set_printoptions`.

    Examples
    --------
    >>> from gluonish import np
    >>> np.set_printoptions(precision=2)
    >>> np.array([1 / 3])
    array([0.33])
    >>> np.set_printoptions(precision=8)
    """
    onp.set_printoptions(precision=precision, threshold=threshold, **kwarg)
