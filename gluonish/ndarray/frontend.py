"""Builds the functions and methods of the front ends nd, np and npx out of the op table."""

from __future__ import annotations

import inspect
import operator
import sys
from types import ModuleType
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.core import (
    NDArray,
    assign,
    compatible,
    mismatch,
    new,
    plain,
    unwrap,
    wrap,
)
from gluonish.array.dtypes import numpy_dtype, torch_dtype, writable
from gluonish.array.order import put_in_order
from gluonish.array.pending import settle_inputs
from gluonish.array.sparse import is_sparse, replace_all
from gluonish.context import Context, as_context, current_context
from gluonish.errors import (
    DTypeError,
    MissingTensorError,
    MXNetError,
    OperandError,
    ShapeError,
    SparseStorageError,
    UnknownShapeError,
)
from gluonish.errors.tracebacks import alone, without_ours
from gluonish.ndarray.sparse_rules import dispatch, write, zeros
from gluonish.ops.table.explain import TORCH_ERRORS, refusal
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gluonish.ops.table import Op

_SCALARS = (int, float, complex, onp.generic)
_PLAIN = frozenset((int, bool, float, str, type(None)))
_SEQUENCES = frozenset((list, tuple))
_ARRAY_LIKE = (list, tuple, onp.ndarray)
_DENSE = (None, "default")
_POSITIONAL = inspect.Parameter.POSITIONAL_OR_KEYWORD

# For each operator's function, what makes the functions and methods built for it call another.
_exchanges: dict[Callable[..., Any], list[Callable[[Callable[..., Any]], None]]] = {}


def exchange(function: Callable[..., Any], by: Callable[..., Any]) -> None:
    """Have all that was built for an operator, in every front end, call another function.

    Parameters
    ----------
    function : callable
        The operator's function in the table.
    by : callable
        What is called in its place, with the same arguments; `function` itself undoes it.
    """
    for put in _exchanges.get(function, ()):
        put(by)


def build_function(
    op: Op, cls: type[NDArray], name: str, *, renamed: Mapping[str, str] | None = None
) -> Callable[..., Any]:
    """Return a front end's function for an operator; its results are of class `cls`.

    `renamed` gives parameters that have another name in this front end: its name -> the
    operator's.
    """
    call = _creator(op, cls) if op.takes_ctx else _caller(op, cls, renamed)
    return _dress(call, op, name, renamed=renamed)


def _caller(
    op: Op, cls: type[NDArray], renamed: Mapping[str, str] | None = None
) -> Callable[..., Any]:
    function = op.function

    def call_with_one(value: NDArray, kwargs: dict[str, Any]) -> Any:
        # The hot path: one array of the front end's class, and numbers and names at most.
        tensor = value._tensor
        if tensor.requires_grad and not state.recording:
            tensor = plain(value)
        try:
            result = function(tensor, **kwargs) if kwargs else function(tensor)
        except TORCH_ERRORS as error:
            refused = _refusal(function, [tensor], kwargs, error)
            raise refused from refused.__cause__
        except AttributeError as error:
            _refuse_what_is_no_array(op, [tensor], kwargs, error)
            raise
        if type(result) is Tensor:
            array = new(cls)
            array._tensor = result
            array._ctx = value._ctx
            return array
        return _wrap_result(result, value._ctx, cls)

    def call(*args: Any, **kwargs: Any) -> Any:
        if kwargs:
            kwargs.pop("name", None)  # which every function takes, and Symbols use
        if len(args) == 1 and type(args[0]) is cls:
            if not kwargs:
                return call_with_one(args[0], kwargs)
            for key, value in kwargs.items():
                if type(value) not in _PLAIN or key == "out":
                    break
            else:
                return call_with_one(args[0], kwargs)
        if kwargs and "out" in kwargs:
            try:
                return _call_into(call, args, kwargs, op)
            except MXNetError as error:
                failure = alone(without_ours(error))
                raise failure from failure.__cause__
        first = foreign = None
        tensors: list[Any] = []
        push = tensors.append
        named = kwargs
        try:
            for value in args:
                if isinstance(value, NDArray):
                    tensor = value._tensor
                    if tensor.requires_grad and not state.recording:
                        tensor = plain(value)
                    if first is None:
                        first = value
                    elif value._ctx is not first._ctx:
                        _check_contexts(first, value, op)
                    push(tensor)
                elif type(value) in _PLAIN:
                    push(value)
                elif type(value) in _SEQUENCES:
                    value, first = _unwrap_sequence(value, first, op)
                    push(value)
                else:
                    if type(value) is onp.ndarray:
                        foreign = value
                    push(value)
            if kwargs:
                if renamed:
                    kwargs = {renamed.get(key, key): value for key, value in kwargs.items()}
                named = kwargs
                for key, value in kwargs.items():
                    if type(value) in _PLAIN:
                        continue
                    if isinstance(value, NDArray):
                        tensor = value._tensor
                        if tensor.requires_grad and not state.recording:
                            tensor = plain(value)
                        if first is None:
                            first = value
                        elif value._ctx is not first._ctx:
                            _check_contexts(first, value, op)
                        if named is kwargs:
                            named = kwargs.copy()
                        named[key] = tensor
                    elif type(value) in _SEQUENCES:
                        unwrapped, first = _unwrap_sequence(value, first, op)
                        if unwrapped is not value:
                            if named is kwargs:
                                named = kwargs.copy()
                            named[key] = unwrapped
                    elif type(value) is onp.ndarray:
                        foreign = value
        except MissingTensorError as error:
            missing = error
        else:
            try:
                if first is None:
                    return _call_without_arrays(op, cls, tensors, named)
                if foreign is not None and (bound := _with_tensors(op, tensors, named, first)):
                    result = function(*bound.args, **bound.kwargs)
                else:
                    result = function(*tensors, **named)
            except TORCH_ERRORS as error:
                if first is None or (bound := _with_tensors(op, tensors, named, first)) is None:
                    refused = _refusal(function, tensors, named, error)
                    raise refused from refused.__cause__
                result = _called(function, bound)
            except AttributeError as error:
                _refuse_what_is_no_array(op, tensors, named, error)
                raise
            if type(result) is Tensor:
                array = new(cls)
                array._tensor = result
                array._ctx = first._ctx
                return array
            return _wrap_result(result, first._ctx, cls)
        return _call_without_tensors(op, call, args, kwargs, missing)

    def put(by: Callable[..., Any]) -> None:
        nonlocal function
        function = by

    _exchanges.setdefault(op.function, []).append(put)
    return call


def _call_without_tensors(
    op: Op,
    call: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: MissingTensorError,
) -> Any:
    """Call an operator again, one of whose arrays has no tensor: it is sparse, or pending."""
    if not isinstance(error, UnknownShapeError):
        return dispatch(op, call, args, kwargs)
    settle_inputs(op, args, kwargs, error)
    return call(*args, **kwargs)


def _refuse_what_is_no_array(
    op: Op, args: list[Any], kwargs: dict[str, Any], error: AttributeError
) -> None:
    """Raise the error for an input that the operator took for an array, and that is none."""
    if error.name is None:  # somebody's `raise`, not an attribute that was looked up
        return
    try:
        given = op.signature.bind(*args, **kwargs).arguments
    except TypeError:
        return
    for name in op.inputs:
        value = given.get(name)
        if name in given and value is error.obj and not isinstance(value, Tensor):
            msg = (
                f"{op.name}: {name}={value!r} was given. Expected an array. Write "
                f"mx.nd.array(...) or mx.np.array(...)."
            )
            raise OperandError(msg) from error


def _with_tensors(
    op: Op, args: list[Any], kwargs: dict[str, Any], first: NDArray
) -> inspect.BoundArguments | None:
    """Return arguments in which NumPy arrays and lists are tensors; None if there are none."""
    try:
        bound = op.signature.bind(*args, **kwargs)
    except TypeError:
        return None
    given = [
        name
        for name in op.inputs
        if isinstance(bound.arguments.get(name), _ARRAY_LIKE)
        and not _takes_many(op.signature.parameters[name])
    ]
    for name in given:
        bound.arguments[name] = _to_tensor(bound.arguments[name], first._ctx, op)
    return bound if given else None


def _called(function: Callable[..., Any], bound: inspect.BoundArguments) -> Any:
    """Return what an operator makes of arguments, or raise the error that explains."""
    try:
        return function(*bound.args, **bound.kwargs)
    except TORCH_ERRORS as error:
        refused = _refusal(function, list(bound.args), bound.kwargs, error)
        raise refused from refused.__cause__


def _refusal(
    function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any], error: Exception
) -> Exception:
    """Return the error to raise for a failed call, without the frames that lead to it."""
    return alone(without_ours(refusal(function, args, kwargs, error)))


def _call_into(
    call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], op: Op
) -> Any:
    """Call with `out`, which every function takes."""
    out = kwargs.pop("out", None)
    result = call(*args, **kwargs)
    return result if out is None else _write(result, out, op)


def _unwrap_sequence(values: Any, first: NDArray | None, op: Op) -> tuple[Any, NDArray | None]:
    for value in values:
        if isinstance(value, NDArray):
            break
    else:
        return values, first
    unwrapped = []
    for value in values:
        if isinstance(value, NDArray):
            if first is None:
                first = value
            elif value._ctx is not first._ctx:
                _check_contexts(first, value, op)
            unwrapped.append(unwrap(value))
        else:
            unwrapped.append(value)
    return type(values)(unwrapped), first


def _check_contexts(first: NDArray, second: NDArray, op: Op) -> None:
    if not compatible(first._ctx, second._ctx):
        raise mismatch(first, second, op.name)


def _wrap_result(result: Any, ctx: Context, cls: type[NDArray]) -> Any:
    if isinstance(result, Tensor):
        return wrap(result, ctx, cls)
    if isinstance(result, (list, tuple)):
        parts = [_wrap_result(part, ctx, cls) for part in result]
        # Several results are a list in nd; np has NumPy's tuples, too.
        return parts if cls is NDArray or type(result) is list else type(result)(parts)
    return result


def _call_without_arrays(
    op: Op, cls: type[NDArray], args: list[Any], kwargs: dict[str, Any]
) -> Any:
    """Call an operator on Python numbers, lists or NumPy arrays, as NumPy's users do."""
    ctx = current_context()
    bound = op.signature.bind(*args, **kwargs)
    numbers = True
    for name in op.inputs:
        if name in bound.arguments:
            value = bound.arguments[name]
            parameter = op.signature.parameters[name]
            is_many = parameter.kind is parameter.VAR_POSITIONAL
            if is_many or not (value is None or isinstance(value, _SCALARS)):
                numbers = False
            bound.arguments[name] = _to_tensors(value, ctx, parameter, op)
    if numbers and (by_numpy := _numpys_own(op)) is not None:
        number = by_numpy(*args, **kwargs)
        return number.item() if cls is NDArray and isinstance(number, onp.generic) else number
    return _wrap_result(op.function(*bound.args, **bound.kwargs), ctx, cls)


def _numpys_own(op: Op) -> Callable[..., Any] | None:
    """Return NumPy's function of the same name: MXNet leaves plain numbers to it, too."""
    for name in (*op.np, *op.nd):
        found = getattr(onp, name, None)
        if isinstance(found, onp.ufunc) or inspect.isfunction(found):
            return found
    return None


def _to_tensors(value: Any, ctx: Context, parameter: inspect.Parameter, op: Op) -> Any:
    if value is None or isinstance(value, Tensor):
        return value
    if _takes_many(parameter):
        return [_to_tensor(part, ctx, op) for part in value]
    return _to_tensor(value, ctx, op)


def _takes_many(parameter: inspect.Parameter) -> bool:
    """Return whether an input is a list of arrays."""
    return parameter.kind is parameter.VAR_POSITIONAL or "Sequence" in str(parameter.annotation)


def _to_tensor(value: Any, ctx: Context, op: Op) -> Tensor:
    if isinstance(value, float):
        return torch.tensor(value, dtype=torch.float64, device=ctx.device)
    try:
        values = writable(value)
        if isinstance(value, (list, tuple)) and values.dtype != bool:
            values = values.astype(onp.float32)
        return torch.as_tensor(values, device=ctx.device)
    except (TypeError, ValueError) as error:
        msg = (
            f"{op.name}: {type(value).__name__} was given where an array is needed. Expected an "
            f"array, or numbers that make one. Write mx.nd.array(...) or mx.np.array(...)."
        )
        raise OperandError(msg) from error


def _creator(op: Op, cls: type[NDArray]) -> Callable[..., Any]:
    function = op.function
    position = list(op.signature.parameters).index("ctx")
    is_positional = op.signature.parameters["ctx"].kind is _POSITIONAL
    shape = op.signature.parameters.get("shape")
    fills_out = shape is not None and shape.default is None
    shape_position = list(op.signature.parameters).index("shape") if fills_out else 0
    may_be_sparse = cls is NDArray and "stype" in op.signature.parameters
    stype_position = list(op.signature.parameters).index("stype") if may_be_sparse else 0

    def call(*args: Any, **kwargs: Any) -> Any:
        out = kwargs.pop("out", None)
        kwargs.pop("name", None)
        first: NDArray | None = None
        unwrapped = list(args)
        for index, value in enumerate(args):
            if isinstance(value, NDArray):
                first = value if first is None else first
                unwrapped[index] = unwrap(value)
            elif type(value) in _SEQUENCES:
                unwrapped[index], first = _unwrap_sequence(value, first, op)
        for key, value in kwargs.items():
            if isinstance(value, NDArray):
                first = value if first is None else first
                kwargs[key] = unwrap(value)
            elif type(value) in _SEQUENCES:
                kwargs[key], first = _unwrap_sequence(value, first, op)
        given = args[position] if is_positional and len(args) > position else kwargs.get("ctx")
        around = first if out is None else out
        ctx = as_context(given, None if around is None else around._ctx)
        if is_positional and len(args) > position:
            unwrapped[position] = ctx
        else:
            kwargs["ctx"] = ctx
        if fills_out and out is not None and len(args) <= shape_position:
            kwargs.setdefault("shape", out.shape)
        try:
            if may_be_sparse and _stype(stype_position, unwrapped, kwargs) not in _DENSE:
                result = zeros(op.signature.bind(*unwrapped, **kwargs).arguments)
            else:
                result = _wrap_result(function(*unwrapped, **kwargs), ctx, cls)
        except TORCH_ERRORS as error:
            refused = _refusal(function, unwrapped, kwargs, error)
            raise refused from refused.__cause__
        return result if out is None else _write(result, out, op)

    def put(by: Callable[..., Any]) -> None:
        nonlocal function
        function = by

    _exchanges.setdefault(op.function, []).append(put)
    return call


def _stype(position: int, args: list[Any], kwargs: Mapping[str, Any]) -> Any:
    return args[position] if len(args) > position else kwargs.get("stype")


def _write(result: Any, out: Any, op: Op) -> Any:
    """Write the result, or each of several, into `out`; nothing is written if one can't be."""
    try:
        return _write_dense(result, out, op)
    except SparseStorageError:
        return write(result, out, op.name)


def _write_dense(result: Any, out: Any, op: Op) -> Any:
    several = isinstance(out, (list, tuple))
    targets = list(out) if several else [out]
    values = [unwrap(part) for part in (result if isinstance(result, (list, tuple)) else [result])]
    if len(targets) != len(values):
        msg = (
            f"{op.name}: {len(targets)} arrays were given as out for {len(values)} results. "
            f"Expected one for each. Leave out away to get new ones."
        )
        raise ShapeError(msg)
    pairs = list(zip(values, targets, strict=True))
    for value, target in pairs:
        _check_out(value, target, op)
    for value, target in pairs:
        assign(target, value.reshape(target.shape), f"{op.name}(..., out=x)")
    return out


def _check_out(value: Tensor, target: object, op: Op) -> None:
    if not isinstance(target, NDArray):
        msg = (
            f"{op.name}: out={type(target).__name__} was given. Expected an array for the "
            f"result. Leave out away to get a new one."
        )
        raise DTypeError(msg)
    shape, dtype = target._tensor.shape, target._tensor.dtype
    if value.shape != shape and not value.numel() == target.size == 1:
        msg = (
            f"{op.name}: out has shape {tuple(shape)}. Expected the result's shape "
            f"{tuple(value.shape)}. Pass an array of that shape as out, or leave out away."
        )
        raise ShapeError(msg)
    if value.dtype is not dtype and not op.takes_ctx:
        msg = (
            f"{op.name}: out has dtype {numpy_dtype(dtype)}. Expected the result's dtype "
            f"{numpy_dtype(value.dtype)}. Pass an array of that dtype as out, or leave out away."
        )
        raise DTypeError(msg)


def build_method(op: Op, cls: type[NDArray], name: str) -> Callable[..., Any]:
    """Return the method of `cls` that calls an operator; results are of that class."""
    if name in _BINARY_NAMES:
        return _dress(_binary(op, strict=name not in _EQUALITY), op, name, is_method=True)
    call = _caller(op, cls)
    return _dress(_sharing(call) if name in _SHARING else call, op, name, is_method=True)


_SHARING = ("reshape", "reshape_view", "ravel")


def _sharing(call: Callable[..., Any]) -> Callable[..., Any]:
    """Return a method whose result shares memory with its array, whatever order that has had."""

    def method(self: NDArray, *args: Any, **kwargs: Any) -> Any:
        try:
            in_order = self._tensor.is_contiguous()
        except MissingTensorError:
            in_order = True
        if not in_order:
            put_in_order(self)
        return call(self, *args, **kwargs)

    return method


_COMPARISONS = ("eq", "ne", "lt", "le", "gt", "ge")
_ARITHMETIC = (
    "add", "sub", "mul", "truediv", "floordiv", "mod", "pow", "matmul", "and", "or", "xor",
    "lshift", "rshift",
)  # fmt: skip
_BINARY_NAMES = frozenset(
    [f"__{name}__" for name in _COMPARISONS + _ARITHMETIC]
    + [f"__r{name}__" for name in _ARITHMETIC]
)
_EQUALITY = ("__eq__", "__ne__")
_IN_PLACE = {f"__{name}__": f"__i{name}__" for name in _ARITHMETIC}


# What operators of these names do with floating-point tensors, without asking further.
_AT_ONCE: dict[str, Callable[..., Any]] = {
    "add": operator.add, "subtract": operator.sub, "multiply": operator.mul,
    "divide": operator.truediv, "true_divide": operator.truediv,
}  # fmt: skip


def _binary(op: Op, *, strict: bool = True) -> Callable[[NDArray, Any], Any]:
    """Return an operator method: the hot path of `x + y`.

    A strict one refuses what can't be an operand at all; others leave it to Python.
    """
    function = op.function
    at_once = _AT_ONCE.get(function.__name__)

    def method(self: NDArray, other: Any) -> Any:
        try:
            left = self._tensor
            right = other._tensor if isinstance(other, NDArray) else None
        except MissingTensorError as error:
            missing = error
        else:
            try:
                if right is not None:
                    if not state.recording:
                        if left.requires_grad:
                            left = plain(self)
                        if right.requires_grad:
                            right = plain(other)
                    if other._ctx is not self._ctx:
                        _check_contexts(self, other, op)
                else:
                    right = other if type(other) in _NUMBERS else _as_number(other, self)
                    if right is NotImplemented:
                        if strict and isinstance(other, _NO_OPERANDS):
                            raise _not_an_operand(op, self, other)
                        return NotImplemented
                    if left.requires_grad and not state.recording:
                        left = plain(self)
                if at_once is None or not left.is_floating_point():
                    result = function(left, right)
                else:
                    try:
                        result = at_once(left, right)
                    except (RuntimeError, TypeError):  # which the operator explains
                        result = function(left, right)
            except MXNetError as error:
                refused = alone(without_ours(error))
                raise refused from refused.__cause__
            except (OverflowError, ValueError) as error:
                result = _with_large_number(op, left, right, error)
            array = new(type(self))
            array._tensor = result
            array._ctx = self._ctx
            return array
        return _call_without_tensors(op, method, (self, other), {}, missing)

    def put(by: Callable[..., Any]) -> None:
        nonlocal function, at_once
        function = by
        at_once = _AT_ONCE.get(by.__name__) if by is op.function else None

    _exchanges.setdefault(op.function, []).append(put)
    return method


_NUMBERS = frozenset((int, float, bool, complex))
_NO_OPERANDS = (type(None), str, bytes, list, tuple, dict, set)


def _not_an_operand(op: Op, array: NDArray, other: object) -> DTypeError:
    msg = (
        f"{op.name}: an array of shape {array.shape} and {type(other).__name__} were given. "
        f"Expected two arrays, or an array and a number. Make an array of lists first, with "
        f"mx.nd.array(...) or mx.np.array(...)."
    )
    return DTypeError(msg)


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
        return torch.as_tensor(values, device=array._tensor.device)
    return NotImplemented


_KERNELS: dict[str, Callable[..., Any]] = {
    "__add__": Tensor.add_, "__sub__": Tensor.sub_, "__mul__": Tensor.mul_,
    "__truediv__": Tensor.div_,
}  # fmt: skip


def _writes_at_once(kernel: Callable[..., Any], array: NDArray, other: Any) -> bool:
    """Compute in place with torch's own kernel, if rules and errors can't differ; say if so."""
    try:
        target = array._tensor
        value = other._tensor if isinstance(other, NDArray) else None
    except MissingTensorError:
        return False
    if target.requires_grad or not target.is_floating_point():
        return False
    if array._ctx.device_type == "cpu_pinned":
        return False
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


def build_in_place(op: Op, name: str) -> Callable[[NDArray, Any], Any]:
    """Return the in-place form of an operator method (`x += y`)."""
    outside = _binary(op)
    what = f"x {op.name} y in place"
    kernel = _KERNELS.get(name)

    def method(self: NDArray, other: Any) -> Any:
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
        return self

    return method


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


def _dress(
    call: Callable[..., Any],
    op: Op,
    name: str,
    *,
    is_method: bool = False,
    renamed: Mapping[str, str] | None = None,
) -> Callable[..., Any]:
    """Give a built function the operator's name, documentation and signature."""
    call.__name__ = name.rpartition(".")[2]
    call.__qualname__ = call.__name__
    call.__module__ = op.function.__module__
    call.__doc__ = op.function.__doc__
    signature = public_signature(op, is_method=is_method, renamed=renamed)
    call.__signature__ = signature  # type: ignore[attr-defined]
    return call


_NUMPY_NAMES = {"data": "x", "lhs": "x1", "rhs": "x2", "base": "x1", "exp": "x2"}


def numpy_names(op: Op) -> dict[str, str]:
    """Return NumPy's names of parameters that an operator has under MXNet's first names."""
    found = op.signature.parameters.keys() & _NUMPY_NAMES.keys() if op.nd else ()
    return {_NUMPY_NAMES[name]: name for name in found}


def public_signature(
    op: Op, *, is_method: bool = False, renamed: Mapping[str, str] | None = None
) -> inspect.Signature:
    """Return the signature that users see: the operator's, with `out` and, on methods, `self`."""
    parameters = list(op.signature.parameters.values())
    if renamed:
        new = {old: name for name, old in renamed.items()}
        parameters = [each.replace(name=new.get(each.name, each.name)) for each in parameters]
    if is_method and parameters and parameters[0].kind is _POSITIONAL:
        parameters[0] = parameters[0].replace(name="self", annotation=inspect.Parameter.empty)
    if not is_method and "out" not in op.signature.parameters:
        out = inspect.Parameter("out", inspect.Parameter.KEYWORD_ONLY, default=None)
        at = len(parameters)
        if parameters and parameters[-1].kind is inspect.Parameter.VAR_KEYWORD:
            at -= 1
        parameters.insert(at, out)
    return op.signature.replace(parameters=parameters)


def fill(module: ModuleType, table: Iterable[Op], field: str, cls: type[NDArray]) -> list[str]:
    """Put one front end's functions into a module and its sub-namespaces; return their names."""
    names = []
    for op in table:
        for path in getattr(op, field):
            *spaces, name = path.split(".")
            target = module
            for space in spaces:
                target = _subspace(target, space)
            renamed = numpy_names(op) if field == "np" else None
            setattr(target, name, build_function(op, cls, path, renamed=renamed))
            if not spaces:
                names.append(name)
    return names


def _subspace(module: ModuleType, name: str) -> ModuleType:
    found = vars(module).get(name)
    if isinstance(found, ModuleType):
        return found
    path = f"{module.__name__}.{name}"
    space = ModuleType(path, f"Operators {name}.* of {module.__name__}.")
    sys.modules[path] = space
    setattr(module, name, space)
    return space


def install_methods(cls: type[NDArray], table: Iterable[Op], *fields: str) -> None:
    """Install the operators' methods on an array class; later fields replace earlier ones."""
    for field in fields:
        for op in table:
            for name in getattr(op, field):
                setattr(cls, name, build_method(op, cls, name))
                if name in _IN_PLACE:
                    setattr(cls, _IN_PLACE[name], build_in_place(op, name))
