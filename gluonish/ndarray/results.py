"""What becomes of an operator's results: new arrays, or the values of those given as `out`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch import Tensor

from gluonish.array.core import NDArray, wrap
from gluonish.array.dtypes import numpy_dtype
from gluonish.array.tensors import assign, unwrap
from gluonish.errors import ArgumentKindError, DTypeError, ShapeError, SparseStorageError
from gluonish.errors.wording import class_name
from gluonish.ndarray.sparse_rules import write

if TYPE_CHECKING:
    from gluonish.context import Context
    from gluonish.ops.table import Op


def wrap_result(result: Any, ctx: Context, cls: type[NDArray]) -> Any:
    """Return a result with arrays of class `cls` for its tensors."""
    if isinstance(result, Tensor):
        return wrap(result, ctx, cls)
    if isinstance(result, (list, tuple)):
        parts = [wrap_result(part, ctx, cls) for part in result]
        # Several results are a list in nd; np has NumPy's tuples, too.
        return parts if cls is NDArray or type(result) is list else type(result)(parts)
    return result


def write_out(result: Any, out: Any, op: Op, where: str) -> Any:
    """Write the result, or each of several, into `out`; nothing is written if one can't be.

    `where` is what errors call the operator.
    """
    try:
        return _write_dense(result, out, op, where)
    except SparseStorageError:
        return write(result, out, where)


def _write_dense(result: Any, out: Any, op: Op, where: str) -> Any:
    several = isinstance(out, (list, tuple))
    targets = list(out) if several else [out]
    results = result if isinstance(result, (list, tuple)) else [result]
    for part in results:
        if not isinstance(part, (NDArray, Tensor)):
            msg = (
                f"{where}: out was given, and {part!r} is among the results, which is no array. "
                f"Expected arrays alone. Leave out the argument out."
            )
            raise ArgumentKindError(msg)
    values = [unwrap(part) for part in results]
    if len(targets) != len(values):
        msg = (
            f"{where}: {len(targets)} arrays were given as out for {len(values)} results. "
            f"Expected one for each. Give none to get new ones."
        )
        raise ShapeError(msg)
    pairs = list(zip(values, targets, strict=True))
    for value, target in pairs:
        _check_out(value, target, op, where)
    for value, target in pairs:
        assign(target, value.reshape(target.shape), f"{where}(..., out=x)")
    return out


def _check_out(value: Tensor, target: object, op: Op, where: str) -> None:
    if not isinstance(target, NDArray):
        msg = (
            f"{where}: out={class_name(target)} was given. Expected an array for the "
            f"result. Give none to get a new one."
        )
        raise DTypeError(msg)
    shape, dtype = target._tensor.shape, target._tensor.dtype
    if value.shape != shape and not value.numel() == target.size == 1:
        msg = (
            f"{where}: out has shape {tuple(shape)}. Expected the result's shape "
            f"{tuple(value.shape)}. Pass an array of that shape as out, or none."
        )
        raise ShapeError(msg)
    if value.dtype is not dtype and not op.takes_ctx:
        msg = (
            f"{where}: out has dtype {numpy_dtype(dtype)}. Expected the result's dtype "
            f"{numpy_dtype(value.dtype)}. Pass an array of that dtype as out, or none."
        )
        raise DTypeError(msg)
