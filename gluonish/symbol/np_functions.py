"""Functions of `mx.sym.np` that graphs have as several operators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import UnsupportedOptionError
from gluonish.symbol.frontend import by_path, compose, write
from gluonish.symbol.np_symbol import NumpySymbol

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from gluonish.symbol.symbol import Symbol


def _call(space: str, path: str, *args: Any, **kwargs: Any) -> Any:
    return compose(by_path(space, path), space, path, NumpySymbol, args, kwargs)


def take(
    a: Symbol,
    indices: Symbol,
    axis: int | None = None,
    mode: str = "raise",
    out: object = None,
) -> NumpySymbol:
    """Return elements at some positions: along an axis, or of all elements in a row.

    As everywhere in graphs, `out` is for calls that are written for arrays, too.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, i = mx.sym.var('x').as_np_ndarray(), mx.sym.var('i').as_np_ndarray()
    >>> mx.sym.np.take(x, i).infer_shape(x=(2, 3), i=(4,))[1]
    [(4,)]
    """
    if axis is None:
        a, axis = _call("npx", "reshape", a, -1), 0
    result: NumpySymbol = _call("np", "take", a, indices, axis=axis, mode=mode, out=out)
    return result


def outer(a: Symbol, b: Symbol) -> NumpySymbol:
    """Return the products of all elements of two arrays.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y = mx.sym.var('x').as_np_ndarray(), mx.sym.var('y').as_np_ndarray()
    >>> mx.sym.np.outer(x, y).infer_shape(x=(2,), y=(3,))[1]
    [(2, 3)]
    """
    return _of_rows(a, b, 0)


def vdot(a: Symbol, b: Symbol) -> NumpySymbol:
    """Return the sum of products of the elements of two arrays.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, y = mx.sym.var('x').as_np_ndarray(), mx.sym.var('y').as_np_ndarray()
    >>> mx.sym.np.vdot(x, y).list_arguments()
    ['x', 'y']
    """
    return _of_rows(a, b, 1)


def _of_rows(a: Symbol, b: Symbol, axes: int) -> NumpySymbol:
    rows = [each.reshape(-1) for each in (a, b)]
    result: NumpySymbol = _call("np", "tensordot", *rows, axes=axes)
    return result


def unravel_index(indices: Symbol, shape: int | Sequence[int], order: str = "C") -> NumpySymbol:
    """Return the positions along each axis for flat positions, one row for each axis.

    `order` must be 'C': rows stand one after another.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x').as_np_ndarray()
    >>> mx.sym.np.unravel_index(x, (2, 3)).eval(x=mx.np.array([5, 1], dtype='int64'))[0].tolist()
    [[1, 0], [2, 1]]
    """
    if order != "C":
        msg = f"unravel_index: order={order!r} was given. Expected 'C' in graphs. Leave it out."
        raise UnsupportedOptionError(msg)
    result: NumpySymbol = write(
        NumpySymbol, "Custom:unravel_index_fallback", {"indices": indices, "shape": shape}
    )
    return result


def array_split(
    ary: Symbol, indices_or_sections: int | Sequence[int], axis: int = 0
) -> list[NumpySymbol]:
    """Return parts of an array; graphs cut into equal ones, or at some positions.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.sym.var('x').as_np_ndarray()
    >>> [part.infer_shape(x=(4,))[1] for part in mx.sym.np.array_split(x, 2)]
    [[(2,)], [(2,)]]
    """
    result: list[NumpySymbol] = _call("np", "split", ary, indices_or_sections, axis=axis)
    return result


FUNCTIONS: dict[str, Callable[..., Any]] = {
    function.__name__: function for function in (take, outer, vdot, unravel_index, array_split)
}
