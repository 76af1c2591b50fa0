"""Methods of Symbols whose arguments differ from their operators'."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import InvalidIndexError, SymbolTypeError
from gluonish.symbol import np_functions
from gluonish.symbol.frontend import by_path, compose
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

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


def part(self: NumpySymbol, key: object) -> Any:
    """Return what an index of numbers and slices selects; of several outputs, some of these.

    Raises
    ------
    InvalidIndexError
        The index holds something else.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x').as_np_ndarray()
    >>> x[0, 1:].infer_shape(x=(2, 3, 4))[1]
    [(2, 4)]
    """
    if len(self.entries) != 1:
        return Symbol.__getitem__(self, key)
    parts = key if isinstance(key, tuple) else (key,)
    if not all(isinstance(each, (slice, int, onp.integer)) for each in parts):
        msg = (
            f"{self!r}: {key!r} was given as index. Only integer, slice, or tuple of these types "
            f"are supported for Symbols. Write x.expand_dims(0) for None, F.np.take(x, i, axis=-1) "
            f"for x[..., i] and for lists."
        )
        raise InvalidIndexError(msg)
    bounds = [_bounds(each) for each in parts]
    if not bounds:
        return self
    begin, end, step = zip(*bounds, strict=True)
    bounds_of: dict[str, Any] = {"begin": begin, "end": end}
    if any(step):
        bounds_of["step"] = step
    found = _call(self, "slice", **bounds_of)
    if all(isinstance(each, slice) for each in parts):
        return found
    lengths = tuple(_KEPT if isinstance(each, slice) else _DROPPED for each in parts)
    op = by_path("npx", "reshape")
    return compose(op, "npx", "reshape", type(self), (found, (*lengths, _REST)), {})


_KEPT, _DROPPED, _REST = -2, -3, -4  # what `npx.reshape` does with an axis, and with all others


def _bounds(part: Any) -> tuple[int | None, int | None, int | None]:
    if isinstance(part, slice):
        return part.start, part.stop, part.step
    place = int(part)
    return place, place + 1 or None, None


def length(self: NumpySymbol) -> int:
    """Return how many outputs there are; one alone has no length that is known.

    Raises
    ------
    SymbolTypeError
        There is one.
    """
    if len(self.entries) == 1:
        msg = (
            f"{self!r} is not a list and does not support len(). Expected several outputs. How "
            f"long an axis is, is known where the graph is run: write -1, or -2, in npx.reshape."
        )
        raise SymbolTypeError(msg)
    return len(self.entries)


def outputs(self: NumpySymbol) -> Iterator[NumpySymbol]:
    """Return the outputs one after the other.

    Raises
    ------
    SymbolTypeError
        There is one.
    """
    if len(self.entries) == 1:
        msg = (
            f"{self!r} is not iterable. Expected several outputs. Write x[0] for the first row, "
            f"or F.np.split(x, 2) for some, of which there are as many as it says."
        )
        raise SymbolTypeError(msg)
    return Symbol.__iter__(self)


def install() -> None:
    """Give both classes of Symbols these methods."""
    for method in (
        reshape, transpose, astype, expand_dims, squeeze, flatten, take,
    ):  # fmt: skip
        setattr(Symbol, method.__name__, method)
    setattr(Symbol, "round", rounded)  # noqa: B010 - mypy knows it from the stub
    setattr(NumpySymbol, "T", property(transpose))  # noqa: B010
    for name, special in (("__getitem__", part), ("__len__", length), ("__iter__", outputs)):
        setattr(NumpySymbol, name, special)
