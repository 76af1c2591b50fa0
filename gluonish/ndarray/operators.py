"""Methods behind Python's operators: the hot path of `x + y`, and of `x += y`."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.constant_results import join
from gluonish.array.core import NDArray, new
from gluonish.array.dtypes import numpy_dtype, torch_dtype, writable
from gluonish.array.sparse import is_sparse, replace_all
from gluonish.array.tensors import assign, plain, recorded
from gluonish.errors import DTypeError, MissingTensorError, MXNetError, SparseStorageError
from gluonish.errors.tracebacks import alone, shorten, without_ours
from gluonish.ndarray.arguments import call_without_tensors, check_contexts
from gluonish.ndarray.exchanges import exchangeable
from gluonish.ops.elementwise.forms import AT_ONCE
from gluonish.ops.table.explain import refusal
from gluonish.ops.table.on_host import on_host
from gluonish.process.needed_memory import needed, spare
from gluonish.process.postponed import postponed, settle_all
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.ops.table import Op

_NUMBERS = frozenset((int, float, bool, complex))
_EQUALITY = frozenset(("__eq__", "__ne__"))
_NO_OPERANDS = (type(None), str, bytes, list, tuple, dict, set)
_KERNELS: dict[str, Callable[..., Any]] = {
    "__add__": Tensor.add_, "__sub__": Tensor.sub_, "__mul__": Tensor.mul_,
    "__truediv__": Tensor.div_,
}  # fmt: skip


def binary(op: Op) -> Callable[[NDArray, Any], Any]:
    """Return an operator method: the hot path of `x + y`."""
    function = op.function
    at_once = AT_ONCE.get(function)

    def method(self: NDArray, other: Any) -> Any:
        try:
            try:
                left = self._tensor
                right = other._tensor if isinstance(other, NDArray) else None
            except MissingTensorError as error:
                missing = error.with_traceback(None)  # which would hold this frame and its arrays
            else:
                in_graph = False
                try:
                    if right is not None:
                        if left.requires_grad:
                            if state.recording:
                                left, in_graph = recorded(self), True
                            else:
                                left = plain(self)
                        if right.requires_grad:
                            if state.recording:
                                right, in_graph = recorded(other), True
                            else:
                                right = plain(other)
                        if other._ctx is not self._ctx:
                            check_contexts(self, other, op)
                    else:
                        right = other if type(other) in _NUMBERS else _as_number(other, self)
                        if right is NotImplemented:
                            if isinstance(other, _NO_OPERANDS):
                                raise _not_an_operand(op, self, other)
                            return NotImplemented
                        if left.requires_grad:
                            if state.recording:
                                left, in_graph = recorded(self), True
                            else:
                                left = plain(self)
                    if (
                        at_once is None
                        or not left.is_floating_point()
                        or (type(right) is Tensor and right.dtype is not left.dtype)
                    ):
                        result = function(left, right)
                    else:
                        try:
                            result = at_once(left, right)
                        except (RuntimeError, TypeError):  # which the operator explains
                            result = function(left, right)
                except MXNetError as error:
                    result = on_host(function, (left, right), {}, error)
                    if result is None:
                        refused = refusal(function, (left, right), {}, error)
                        refused = alone(without_ours(refused))
                        raise refused from refused.__cause__
                except (OverflowError, ValueError) as error:
                    result = _with_large_number(op, left, right, error)
                if in_graph and not result.requires_grad:
                    result = join(result, (left, right))
                array = new(type(self))
                array._tensor = result
                array._ctx = self._ctx
                return array
            return call_without_tensors(op, method, (self, other), {}, missing)
        except MXNetError as error:
            shorten(error)
            raise

    def put(by: Callable[..., Any]) -> None:
        nonlocal function, at_once
        function = by
        at_once = AT_ONCE.get(by) if by is op.function else None

    exchangeable(op.function, put)
    return method


def _not_an_operand(op: Op, array: NDArray, other: object) -> DTypeError:
    msg = (
        f"{op.name}: an array of shape {array.shape} and {type(other).__name__} were given. "
        f"Expected two arrays, or an array and a number. {_how_to_combine(op, other)}"
    )
    return DTypeError(msg)


def _how_to_combine(op: Op, other: object) -> str:
    if other is None and not _EQUALITY.isdisjoint((*op.nd_method, *op.np_method)):
        return "Write x is None, or x is not None."
    if other is None:
        return "If a function gave None, it ends without return: write return."
    if isinstance(other, str):
        with contextlib.suppress(ValueError):
            return (
                f"Write {float(other):g} without quotes, or float(text) for the number in a text."
            )
        return "Write float(text) for the number in a text."
    return "Make an array of lists first, with mx.nd.array(...) or mx.np.array(...)."


def _with_large_number(op: Op, tensor: Tensor, number: Any, error: Exception) -> Any:
    """Compute with a number that torch refused: floating-point arrays take every one."""
    if tensor.is_floating_point() and type(number) is int:
        return op.function(tensor, float(number))
    msg = (
        f"{op.name}: an array of dtype {numpy_dtype(tensor.dtype)} and {number!r} were given. "
        f"Expected a number that the dtype can hold. Write x.astype('float32') first."
    )
    raise DTypeError(msg) from error


def _as_number(value: Any, array: NDArray) -> Any:
    if isinstance(value, onp.generic):
        return value.item()
    if isinstance(value, (int, float, complex)):
        return value
    if isinstance(value, Tensor):
        return (value if state.recording else value.detach()).to(array._tensor.device)
    if isinstance(value, onp.ndarray):
        values = writable(value)
        if not values.ndim and values.dtype.kind == numpy_dtype(array._tensor.dtype).kind:
            return values.item()  # a number's dtype gives way
        return torch.as_tensor(values, device=array._tensor.device)
    return NotImplemented


_SIGNS = {
    "__add__": "+", "__sub__": "-", "__mul__": "*", "__truediv__": "/", "__floordiv__": "//",
    "__mod__": "%", "__matmul__": "@", "__and__": "&", "__or__": "|", "__xor__": "^",
    "__lshift__": "<<", "__rshift__": ">>",
}  # fmt: skip


def build_in_place(op: Op, name: str) -> Callable[[NDArray, Any], Any]:
    """Return the in-place form of an operator method (`x += y`)."""
    outside = binary(op)
    what = f"x {_SIGNS[name]}= y"
    kernel = _KERNELS.get(name)

    def method(self: NDArray, other: Any) -> Any:
        try:
            if kernel is not None and not state.recording and _writes_at_once(kernel, self, other):
                return self
            result = outside(self, other)
            if result is NotImplemented:
                return NotImplemented
            try:
                value, target = result._tensor, self._tensor
            except SparseStorageError:
                return _replaced(self, result, what)
            _check_dtypes(value.dtype, target.dtype, what)
            try:
                assign(self, value, what)
            except MXNetError as error:
                refused = alone(without_ours(error))
                raise refused from refused.__cause__
        except MXNetError as error:
            shorten(error)
            raise
        return self

    return method


def _writes_at_once(kernel: Callable[..., Any], array: NDArray, other: Any) -> bool:
    """Compute in place with torch's own kernel, if rules and errors can't differ; say if so."""
    if postponed:
        settle_all()
    try:
        target = array._tensor
        value = other._tensor if isinstance(other, NDArray) else None
    except MissingTensorError:
        return False
    if target.requires_grad or not target.is_floating_point():
        return False
    if array._ctx.device_type == "cpu_pinned":
        return False
    if needed:
        spare(target)
    try:
        if value is not None:
            if (
                value.requires_grad
                or value.dtype is not target.dtype
                or value.shape != target.shape
                or other._ctx is not array._ctx
            ):
                return False
            kernel(target, value)
        elif type(other) in _NUMBERS and type(other) is not complex:
            kernel(target, other)
        else:
            return False
    except RuntimeError:  # memory that overlaps
        return False
    return True


def _check_dtypes(value: torch.dtype, target: torch.dtype, what: str) -> None:
    if not torch.can_cast(value, target):
        msg = (
            f"{what}: x has dtype {numpy_dtype(target)}, the result is {numpy_dtype(value)}. "
            f"Expected a result that x can hold. Write x = x.astype('float32') first."
        )
        raise DTypeError(msg)


def _replaced(array: NDArray, value: NDArray, what: str) -> NDArray:
    """Write a result into an array, where one of them is sparse."""
    _check_dtypes(torch_dtype(value.dtype), torch_dtype(array.dtype), what)
    if is_sparse(array):
        replace_all(array, value, what)
    else:
        array[:] = value
    return array
