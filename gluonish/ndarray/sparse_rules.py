"""What operators do with sparse arrays: compute with what is stored, or with dense arrays."""

from __future__ import annotations

import numbers
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import storage
from gluonish.array.contexts import compatible, mismatch
from gluonish.array.core import NDArray, wrap
from gluonish.array.dtypes import torch_dtype
from gluonish.array.sparse import (
    BaseSparseNDArray,
    RowSparseNDArray,
    empty,
    is_in_graph,
    is_sparse,
    sparse_array,
)
from gluonish.array.sparse_base import parts_of
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.array.tensors import unwrap
from gluonish.errors import InvalidArgumentError, ShapeError, SparseStorageError
from gluonish.ndarray.sparse_products import dot
from gluonish.ndarray.sparse_updates import update_rows, update_sparse_rows
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.ops import Op


def dispatch(
    op: Op, call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]
) -> Any:
    """Call an operator that was given a sparse array.

    Parameters
    ----------
    op : Op
        The operator.
    call : callable
        The front end's function or method, which takes dense arrays.
    args, kwargs : tuple and dict
        What it was called with.
    """
    given = {key: value for key, value in kwargs.items() if key not in ("out", "name")}
    result: Any = NotImplemented
    rule = _RULES[op.sparse.rule]
    if rule is dot or not _is_differentiated((*args, *given.values())):
        result = stored_result(call, op, op.signature.bind(*args, **given).arguments)
    if result is NotImplemented:
        dense = [_dense(value) for value in args]
        result = call(*dense, **{key: _dense(value) for key, value in given.items()})
    out = kwargs.get("out")
    return result if out is None else write(result, out, op.name)


def stored_result(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    """Return what an operator computes of what is stored; NotImplemented where it needs more."""
    rule = _RULES[op.sparse.rule]
    return NotImplemented if rule is None else rule(call, op, given)


def zeros(given: Mapping[str, Any]) -> NDArray:
    """Return zeros for what `nd.zeros` or `nd.empty` was given with a sparse storage type."""
    shape, dtype = given["shape"], given.get("dtype")
    kind = torch.float32 if dtype is None else torch_dtype(dtype)
    lengths = (shape,) if isinstance(shape, int) else tuple(shape)
    return empty(lengths, kind, given["ctx"], given["stype"])


def write(result: Any, out: Any, where: str) -> Any:
    """Write a result, or each of several, into `out`, whatever their storage types."""
    several = isinstance(out, (list, tuple))
    targets = list(out) if several else [out]
    values = list(result) if isinstance(result, (list, tuple)) else [result]
    if len(targets) != len(values):
        msg = (
            f"{where}: {len(targets)} arrays were given as out for {len(values)} results. "
            f"Expected one for each. Give none to get new ones."
        )
        raise ShapeError(msg)
    for value, target in zip(values, targets, strict=True):
        if value.shape != target.shape:
            msg = (
                f"{where}: out has shape {target.shape}. Expected the result's shape "
                f"{value.shape}. Pass an array of that shape as out, or none."
            )
            raise ShapeError(msg)
    for value, target in zip(values, targets, strict=True):
        if value is not target:
            target[:] = value
    return out


def _dense(value: Any) -> Any:
    if is_sparse(value):
        return value.todense()
    if type(value) in (list, tuple):
        return type(value)(_dense(part) for part in value)
    return value


def _is_differentiated(values: tuple[Any, ...]) -> bool:
    """Return whether gradients flow through one of the values that an operator was given."""
    if not state.recording:
        return False
    for value in values:
        if is_sparse(value):
            if is_in_graph(value):
                return True
        elif isinstance(value, NDArray):
            if value._tensor.requires_grad:
                return True
        elif isinstance(value, (list, tuple)) and _is_differentiated(tuple(value)):
            return True
    return False


def _like(array: BaseSparseNDArray, values: torch.Tensor) -> Any:
    return sparse_array(storage.with_values(parts_of(array), values), array.context)


# --- rules: each returns NotImplemented where the dense arrays are to be computed with -----------


def _elementwise(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    (_first, array), *rest = given.items()
    if not is_sparse(array):
        return NotImplemented
    options = dict(rest)
    return _like(array, unwrap(call(array.data, **options)))


def _where_zeros_stay(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    """Compute with what is stored if the number that stands beside it makes 0 of 0."""
    (name, array), *rest = given.items()
    if not is_sparse(array):
        return NotImplemented
    zero = wrap(torch.zeros(1, dtype=parts_of(array).dtype), array.context, NDArray)
    if float(call(**{name: zero, **dict(rest)}).asscalar()):
        return NotImplemented
    return _elementwise(call, op, given)


def _clip(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    low, high = given.get("a_min"), given.get("a_max")
    if (low is None or low <= 0) and (high is None or high >= 0):
        return _elementwise(call, op, given)
    return NotImplemented


def _zeros_like(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    (array, *_rest) = given.values()
    parts = parts_of(array)
    zeros = storage.nothing(parts.shape, parts.dtype, array.context.device, array.stype)
    return sparse_array(zeros, array.context)


def _scalar(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    """Compare a sparse array with a number that zeros do not compare to as true."""
    first, second = given.values()
    array, number = (first, second) if is_sparse(first) else (second, first)
    if not (is_sparse(array) and isinstance(number, numbers.Real)):
        return NotImplemented
    zero = wrap(torch.zeros(1, dtype=parts_of(array).dtype), array.context, NDArray)
    pair = (zero, number) if array is first else (number, zero)
    if float(call(*pair).asscalar()):
        return NotImplemented
    pair = (array.data, number) if array is first else (number, array.data)
    return _like(array, unwrap(call(*pair)))


def _add(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    first, second = given.values()
    if isinstance(first, numbers.Real) and first == 0:
        return _like(second, unwrap(call(first, second.data)))
    return _subtract(call, op, given)


def _subtract(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    first, second = given.values()
    if isinstance(second, numbers.Real) and second == 0:
        return _like(first, unwrap(call(first.data, second)))
    if not (is_sparse(first) and is_sparse(second)):
        return NotImplemented
    return _both(call, first, second)


def _multiply(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    first, second = given.values()
    if isinstance(second, numbers.Real) and is_sparse(first):
        return _like(first, unwrap(call(first.data, second)))
    if isinstance(first, numbers.Real) and is_sparse(second):
        return _like(second, unwrap(call(first, second.data)))
    if is_sparse(first) and is_sparse(second):
        return _both(call, first, second)
    return _with_dense(call, first, second)


def _multiply_in_either_order(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    first, second = given.values()
    is_turned = is_sparse(second) and isinstance(first, NDArray) and not is_sparse(first)
    if is_turned and first.shape == second.shape:
        return _with_dense(lambda one, other: call(other, one), second, first)
    return _multiply(call, op, given)


def _by_operators(rule: Callable[..., Any], *, keeps: str = "") -> Callable[..., Any]:
    """Return a rule for Python's operators and numbers; functions of arrays give dense ones.

    A dense operand leaves the storage type that `keeps` names.
    """

    def chosen(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
        first, second = given.values()
        if isinstance(first, NDArray) and isinstance(second, NDArray):
            is_operator = call.__name__.startswith("__")
            is_kept = is_sparse(first) and not is_sparse(second) and first.stype == keeps
            if not (is_operator or is_kept):
                return NotImplemented
        return rule(call, op, given)

    return chosen


def _divide_by_number(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    first, second = given.values()
    if isinstance(second, numbers.Real) and is_sparse(first):
        return _like(first, unwrap(call(first.data, second)))
    return NotImplemented


def _divide(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    first, second = given.values()
    is_csr = is_sparse(first) and first.stype == "csr"
    if is_csr and isinstance(second, NDArray) and not is_sparse(second):
        return _with_dense(call, first, second)
    return _divide_by_number(call, op, given)


def _scatter(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    """Compute with the stored rows of the first array alone; with numbers, of csr, elements."""
    (_first, array), (name, other), *rest = given.items()
    if not is_sparse(array) or (isinstance(other, NDArray) and array.stype == "csr"):
        return NotImplemented
    if isinstance(other, NDArray):
        return _with_dense(call, array, other.todense() if is_sparse(other) else other)
    return _like(array, unwrap(call(array.data, **{name: other, **dict(rest)})))


def _both(call: Callable[..., Any], first: BaseSparseNDArray, second: BaseSparseNDArray) -> Any:
    if first.stype != second.stype or first.shape != second.shape:
        return NotImplemented
    if not compatible(first.context, second.context):
        raise mismatch(first, second, "sparse arrays")

    def function(one: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        return unwrap(call(wrap(one, first.context, NDArray), wrap(other, first.context, NDArray)))

    return sparse_array(
        storage.combined(parts_of(first), parts_of(second), function), first.context
    )


def _with_dense(call: Callable[..., Any], first: Any, second: Any) -> Any:
    """Compute with the elements of a dense array in the places of a sparse one."""
    if (
        not (is_sparse(first) and isinstance(second, NDArray))
        or first.context is not second.context
    ):
        return NotImplemented
    tensor = unwrap(second)
    if first.stype == "row_sparse" and second.shape != first.shape:
        return NotImplemented
    shape = (1,) * (first.ndim - tensor.ndim) + tuple(tensor.shape)
    fits = len(shape) == first.ndim and all(
        size in (1, full) for size, full in zip(shape, first.shape, strict=True)
    )
    if not fits:
        return NotImplemented
    other = wrap(storage.values_at(tensor, parts_of(first)), first.context, NDArray)
    return _like(first, unwrap(call(first.data, other)))


def _add_n(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    (arrays,) = given.values()
    if len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
        (arrays,) = arrays
    if not all(isinstance(each, RowSparseNDArray) for each in arrays):
        return NotImplemented
    if len({(each.shape, parts_of(each).dtype, each.context) for each in arrays}) > 1:
        return NotImplemented
    parts = storage.summed([parts_of(each) for each in arrays])
    return sparse_array(parts, arrays[0].context)


def _mean(call: Callable[..., Any], op: Op, given: Mapping[str, Any]) -> Any:
    return _sum(call, op, given, is_mean=True)


def _sum(_: Callable[..., Any], __: Op, given: Mapping[str, Any], *, is_mean: bool = False) -> Any:
    """Add up a csr array, over its rows or its columns or both."""
    array, *rest = given.values()
    options = dict(zip(list(given)[1:], rest, strict=True))
    axis, keepdims = options.pop("axis", None), options.pop("keepdims", False)
    axes = {None: (0, 1), 0: (0,), 1: (1,), -1: (1,), -2: (0,)}.get(_hashed(axis))
    if not is_sparse(array) or array.stype != "csr" or options or axes is None:
        return NotImplemented
    parts = parts_of(array)
    if not parts.dtype.is_floating_point:
        return NotImplemented
    counts = [parts.shape[axis] for axis in axes]
    if len(axes) == 2:
        total = parts.values.sum().reshape(1, 1)
    else:
        where = storage.places(parts)[1 - axes[0]]
        total = torch.zeros(parts.shape[1 - axes[0]], dtype=parts.dtype, device=where.device)
        total = total.index_add_(0, where, parts.values).unsqueeze(axes[0])
    if is_mean:
        for count in counts:
            total = total / count
    if not keepdims:
        total = total.reshape(1) if len(axes) == 2 else total.squeeze(axes[0])
    return wrap(total, array.context, NDArray)


def _square_sum(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    array, *rest = given.values()
    options = dict(zip(list(given)[1:], rest, strict=True))
    is_by_row = _hashed(options.get("axis")) == 1 and options.get("keepdims")
    if not (isinstance(array, RowSparseNDArray) and array.ndim == 2 and is_by_row):
        return NotImplemented
    parts = parts_of(array)
    sums = unwrap(call(array.data, **options))
    shape = (parts.shape[0], 1)
    return sparse_array(SparseTensor(shape, sums, parts.indices), array.context)


def _retain(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    array, indices = given.values()
    return array.retain(indices) if isinstance(array, RowSparseNDArray) else NotImplemented


def _take(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    """Take rows of a csr array."""
    array, indices, *rest = given.values()
    options = dict(zip(list(given)[2:], rest, strict=True))
    positions = unwrap(indices) if isinstance(indices, NDArray) and not is_sparse(indices) else None
    if not is_sparse(array) or array.stype != "csr" or positions is None or positions.ndim != 1:
        return NotImplemented
    if options.get("axis", 0) or options.get("mode", "clip") not in ("clip", "wrap"):
        return NotImplemented
    parts = parts_of(array)
    whole = positions.to(parts.indices.device, torch.int64)
    last = parts.shape[0] - 1
    is_clipped = options.get("mode", "clip") == "clip"
    whole = whole.clamp(0, last) if is_clipped else whole.remainder(last + 1)
    return sparse_array(storage.chosen(parts, whole), array.context)


def _hashed(axis: Any) -> Any:
    if isinstance(axis, list):
        axis = tuple(axis)
    if isinstance(axis, tuple) and len(axis) == 1:
        return axis[0]
    return None if axis in ((0, 1), (1, 0)) else axis


def _slice(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    array, begin, end, *step = given.values()
    if not is_sparse(array) or array.stype != "csr" or any(step):
        return NotImplemented
    begin, end = _full(begin), _full(end)
    if len(begin) > 2 or len(end) > 2:
        return NotImplemented
    pieces = [
        slice(first, last).indices(size)[:2]
        for first, last, size in zip(begin, end, array.shape, strict=True)
    ]
    if any(stop <= start for start, stop in pieces):
        return NotImplemented
    parts = storage.rows(parts_of(array), *pieces[0])
    if pieces[1] != (0, array.shape[1]):
        parts = storage.columns(parts, *pieces[1])
    return sparse_array(storage.moved(parts, array.context.device, copy=True), array.context)


def _full(edges: Any) -> tuple[Any, ...]:
    found = (edges,) if isinstance(edges, int) or edges is None else tuple(edges)
    return found + (None,) * (2 - len(found))


def _concat(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    options = dict(given)
    arrays = next(iter(options.values()))
    if len(arrays) == 1 and isinstance(arrays[0], (list, tuple)):
        (arrays,) = arrays
    dim = options.get("dim", 1)
    kinds = {(each.stype, each.shape[1:], each.context) for each in arrays}
    if dim != 0 or len(kinds) != 1 or arrays[0].stype != "csr":
        return NotImplemented
    if len({parts_of(each).dtype for each in arrays}) > 1:
        return NotImplemented
    return sparse_array(storage.below([parts_of(each) for each in arrays]), arrays[0].context)


def _norm(call: Callable[..., Any], _: Op, given: Mapping[str, Any]) -> Any:
    (_first, array), *rest = given.items()
    options = dict(rest)
    if options.get("axis") is not None or not is_sparse(array):
        return NotImplemented
    result: NDArray = call(array.data.reshape((-1,)), **options)
    if options.get("keepdims"):
        return result.reshape((1,) * array.ndim)
    return result


def _cast_storage(_: Callable[..., Any], __: Op, given: Mapping[str, Any]) -> Any:
    array, stype = given.values()
    if stype not in storage.STORAGE_TYPES:
        msg = (
            f"cast_storage: stype={stype!r} was given. Expected 'default', 'row_sparse' or 'csr'. "
            f"Choose one of them."
        )
        raise InvalidArgumentError(msg)
    return array.tostype(stype)


def _refuse(_: Callable[..., Any], op: Op, __: Mapping[str, Any]) -> Any:
    msg = (
        f"{op.name}: a sparse array was given. Expected dense arrays. Convert with "
        f"x.tostype('default')."
    )
    raise SparseStorageError(msg)


# By the words of the cards in the op table; None computes with dense arrays.
_RULES: dict[str, Callable[[Callable[..., Any], Op, Mapping[str, Any]], Any] | None] = {
    "": None,
    "gives rows": None,
    "adds": _add,
    "adds by operators": _by_operators(_add),
    "adds several": _add_n,
    "averages": _mean,
    "casts": _cast_storage,
    "clips": _clip,
    "compares": _scalar,
    "cuts": _slice,
    "divides": _divide,
    "divides by numbers": _divide_by_number,
    "keeps zeros": _elementwise,
    "keeps zeros beside some numbers": _where_zeros_stay,
    "makes zeros": _zeros_like,
    "multiplies by operators": _by_operators(_multiply, keeps="csr"),
    "multiplies in either order": _multiply_in_either_order,
    "multiplies matrices": dot,
    "refuses": _refuse,
    "retains rows": _retain,
    "scatters": _scatter,
    "stacks rows": _concat,
    "subtracts": _subtract,
    "subtracts by operators": _by_operators(_subtract),
    "sums": _sum,
    "takes both": _subtract,
    "sums squares": _square_sum,
    "takes norm": _norm,
    "takes rows": _take,
    "updates rows": update_rows,
    "updates sparse rows": update_sparse_rows,
}
