"""Methods of Symbols whose arguments differ from their operators'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import SymbolTypeError
from gluonish.symbol import np_functions
from gluonish.symbol.frontend import by_path, compose
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array.dtypes import DTypeLike


def _call(symbol: Symbol, path: str, *args: Any, np: str | None = None, **kwargs: Any) -> Symbol:
    space = "nd"
    if isinstance(symbol, NumpySymbol) and np is not None:
        space, path = "np", np
    op = by_path(space, path)
    result: Symbol = compose(
        op, space, path, type(symbol), (symbol, *args), kwargs, f"{space}_method.{path}"
    )
    return result


def reshape(self: Symbol, *shape: int | Sequence[int], **kwargs: Any) -> Symbol:
    """Return the elements in another shape.

    Parameters
    ----------
    *shape : int or tuple of int
        The shape, with MXNet's codes.
    **kwargs
        `shape=`, `reverse=` and what every operator takes.

    Raises
    ------
    SymbolTypeError
        No shape was given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.sym.var('x', shape=(2, 3)).reshape((3, 2)).infer_shape()[1]
    [(3, 2)]
    """
    if shape:
        is_one = len(shape) == 1 and isinstance(shape[0], (list, tuple))
        kwargs["shape"] = tuple(shape[0]) if is_one else shape  # type: ignore[arg-type]
    elif "shape" not in kwargs:
        msg = f"{self!r}: reshape() was called without a shape. Write reshape((2, -1))."
        raise SymbolTypeError(msg)
    if isinstance(self, NumpySymbol):
        return _call(self, "", np="reshape", newshape=kwargs.pop("shape"), **kwargs)
    return _call(self, "reshape", **kwargs)


def transpose(self: Symbol, *axes: Any, **kwargs: Any) -> Symbol:
    """Return the axes in another order; all reversed by default."""
    if axes:
        is_one = len(axes) == 1 and (axes[0] is None or isinstance(axes[0], (list, tuple)))
        kwargs["axes"] = axes[0] if is_one else axes
    return _call(self, "transpose", np="transpose", **kwargs)


def astype(self: Symbol, dtype: DTypeLike, **kwargs: Any) -> Symbol:
    """Return the values as another dtype."""
    return _call(self, "cast", dtype=dtype, **kwargs)


def expand_dims(self: Symbol, axis: int, **kwargs: Any) -> Symbol:
    """Return the same with a new axis of length 1."""
    return _call(self, "expand_dims", np="expand_dims", axis=axis, **kwargs)


def squeeze(self: Symbol, axis: int | Sequence[int] | None = None, **kwargs: Any) -> Symbol:
    """Return the same without axes of length 1."""
    return _call(self, "squeeze", np="squeeze", axis=axis, **kwargs)


def flatten(self: Symbol, **kwargs: Any) -> Symbol:
    """Return a matrix with the first axis as rows; in np mode a vector."""
    if isinstance(self, NumpySymbol):
        return _call(self, "", np="reshape", newshape=(-1,), **kwargs)
    return _call(self, "flatten", **kwargs)


def take(self: Symbol, indices: Symbol, *args: Any, **kwargs: Any) -> Symbol:
    """Return the elements, or slices, at some indices."""
    if isinstance(self, NumpySymbol):
        return np_functions.take(self, indices, *args, **kwargs)
    return _call(self, "take", indices, *args, **kwargs)


def rounded(self: Symbol, *args: Any, **kwargs: Any) -> Symbol:
    """Return the nearest whole numbers."""
    return _call(self, "round", *args, np="round", **kwargs)


def install() -> None:
    """Give both classes of Symbols these methods."""
    for method in (
        reshape, transpose, astype, expand_dims, squeeze, flatten, take,
    ):  # fmt: skip
        setattr(Symbol, method.__name__, method)
    setattr(Symbol, "round", rounded)  # noqa: B010 - mypy knows it from the stub
    setattr(NumpySymbol, "T", property(transpose))  # noqa: B010
