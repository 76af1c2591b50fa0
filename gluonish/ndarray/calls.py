"""Functions that call operators with arrays: the hot path of `nd.relu(x)` and `x.sum()`."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.constant_results import beside, join
from gluonish.array.core import NDArray, new
from gluonish.array.tensors import plain, recorded, unwrap
from gluonish.array.waiting import follow, is_waiting
from gluonish.context import as_context, current_context
from gluonish.errors import (
    MissingTensorError,
    MXNetError,
    OperandError,
    ShapeError,
    UnknownArgumentError,
)
from gluonish.errors.arguments import no_array
from gluonish.errors.program_text import operands
from gluonish.errors.tracebacks import alone, is_from_ours, shorten, without_ours
from gluonish.ndarray.arguments import (
    call_without_arrays,
    call_without_tensors,
    check_contexts,
    unwrap_sequence,
    with_plain_numbers,
    with_tensors,
)
from gluonish.ndarray.exchanges import exchangeable
from gluonish.ndarray.flags import flag_of, with_flags, with_named_flags
from gluonish.ndarray.results import wrap_result, write_out
from gluonish.ndarray.sparse_rules import zeros
from gluonish.ops.table.explain import TORCH_ERRORS, describe, refusal
from gluonish.ops.table.inference import elementwise
from gluonish.ops.table.loose_keywords import with_out, without_loose
from gluonish.ops.table.on_host import on_host
from gluonish.process.recording import NOTED, state

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from gluonish.ops.table import Op
    from gluonish.ops.table.loose_keywords import Loose

_PLAIN: frozenset[type] = frozenset((int, bool, float, str, type(None)))
_PLAIN_BUT_FLAGS: frozenset[type] = _PLAIN - {bool}
_NUMBERS = frozenset((int, float))
_SEQUENCES = frozenset((list, tuple))
_DENSE = (None, "default")
_EMPTY = ()
_PAIR = 2
_SIGNS = {"add": "+", "sub": "-", "mul": "*", "div": "/"}
_NEVER = 10**6  # more arguments than a call has
_ARRAY_OR_NUMBER = (Tensor, onp.ndarray, int, float, type(None))
# What else operators raise for arguments that they don't know what to do with.
_OF_OTHER_KINDS = (AttributeError, KeyError, ZeroDivisionError)


def _are_plain(values: Iterable[Any]) -> bool:
    """Return whether all are numbers, text, None, or tuples of such."""
    for value in values:
        kind = type(value)
        if kind not in _PLAIN and not (kind is tuple and _PLAIN.issuperset(map(type, value))):
            return False
    return True


def _are_plain_keywords(kwargs: Mapping[str, Any], flags: Mapping[str | int, Any]) -> bool:
    """Return the same of keyword arguments, of which no flag is given as anything but a flag."""
    for key, value in kwargs.items():
        kind = type(value)
        if kind in _PLAIN_BUT_FLAGS:
            if key in flags:
                return False
        elif kind is not bool and (
            kind is not tuple or key in flags or not _PLAIN.issuperset(map(type, value))
        ):
            return False
    return True


def caller(
    op: Op, cls: type[NDArray], kind: Loose, renamed: Mapping[str, str] | None = None
) -> Callable[..., Any]:
    """Return what calls an operator on arrays.

    `kind` tells which keywords it passes over; `renamed` as in `frontend.build_function`.
    """
    is_paired = op.reverse is elementwise and len(op.inputs) == _PAIR
    function = _of_one_shape(op, op.function) if is_paired else op.function
    flags = op.flags
    flag_places = sorted(place for place in flags if isinstance(place, int))
    first_flag = min(flag_places, default=_NEVER)
    own = op.graph.own_dtypes
    quiet = [] if own == op.inputs else [(op.parameters.index(name), name) for name in own]

    def call_with_one(value: NDArray, rest: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        # The hot path: one array of the front end's class, then numbers and names at most.
        tensor = value._tensor
        in_graph = False
        if tensor.requires_grad:
            if state.recording:
                in_graph = True
                if not tensor.is_leaf:
                    tensor = recorded(value)
            else:
                tensor = plain(value)
        try:
            result = function(tensor, *rest, **kwargs) if rest or kwargs else function(tensor)
        except TORCH_ERRORS as error:
            if rest and (with_last := with_out(op, (value, *rest), kwargs, kind)) is not None:
                return call(value, *rest[:-1], **with_last)
            if (known := without_loose(op, call.__name__, kwargs, kind)) is not None:
                return call(value, *rest, **known)
            result = _with_plain_numbers(op, function, [tensor, *rest], kwargs, error)
        except _OF_OTHER_KINDS as error:
            _refuse_what_is_no_array(op, [tensor, *rest], kwargs, error)
            raise
        if in_graph and (type(result) is not Tensor or not result.requires_grad):
            result = join(result, tensor)
        if type(result) is Tensor:
            array = new(cls)
            array._tensor = result
            array._ctx = value._ctx
            return array
        return wrap_result(result, value._ctx, cls)

    # Every function takes a name, which Symbols use.
    def call(*args: Any, name: object = None, **kwargs: Any) -> Any:
        try:
            if kwargs and "out" in kwargs:
                try:
                    return _call_into(call, args, kwargs, op)
                except MXNetError as error:
                    failure = alone(without_ours(error))
                    raise failure from failure.__cause__
            if args and type(args[0]) is cls:
                if len(args) == 1:
                    if not kwargs or _are_plain_keywords(kwargs, flags):
                        return call_with_one(args[0], _EMPTY, kwargs)
                elif type(args[1]) is not cls:
                    rest = args[1:]
                    if (
                        len(rest) < first_flag
                        and _are_plain(rest)
                        and (not kwargs or _are_plain_keywords(kwargs, flags))
                    ):
                        return call_with_one(args[0], rest, kwargs)
            first = foreign = None
            in_graph = False
            tensors: list[Any] = []
            push = tensors.append
            named = kwargs
            try:
                for value in args:
                    kind_of = type(value)
                    if kind_of in _PLAIN:
                        push(value)
                    elif kind_of is cls or isinstance(value, NDArray):
                        if kind_of is not cls and is_waiting(value):
                            return follow(call, args, kwargs)
                        tensor = value._tensor
                        if tensor.requires_grad:
                            if state.recording:
                                in_graph = True
                                if not tensor.is_leaf:
                                    tensor = recorded(value)
                            else:
                                tensor = plain(value)
                        if first is None:
                            first = value
                        elif value._ctx is not first._ctx:
                            check_contexts(first, value, op)
                        push(tensor)
                    elif kind_of in _SEQUENCES:
                        value, first = unwrap_sequence(value, first, op)
                        push(value)
                    else:
                        if isinstance(value, onp.ndarray):
                            foreign = value
                        push(value)
                count = len(tensors)
                if count > first_flag:
                    for place in flag_places:
                        if place < count and type(tensors[place]) is not bool:
                            tensors[:] = with_flags(op, args, tensors)
                            break
                if kwargs:
                    if renamed:
                        kwargs = {renamed.get(key, key): value for key, value in kwargs.items()}
                    named = kwargs
                    for key, value in kwargs.items():
                        if type(value) is not bool and key in flags:
                            if named is kwargs:
                                named = kwargs.copy()
                            named[key] = flag_of(op, key, value)
                            continue
                        if type(value) in _PLAIN:
                            continue
                        if isinstance(value, NDArray):
                            if type(value) is not cls and is_waiting(value):
                                return follow(call, args, kwargs)
                            tensor = value._tensor
                            if tensor.requires_grad:
                                if state.recording:
                                    in_graph = True
                                    if not tensor.is_leaf:
                                        tensor = recorded(value)
                                else:
                                    tensor = plain(value)
                            if first is None:
                                first = value
                            elif value._ctx is not first._ctx:
                                check_contexts(first, value, op)
                            if named is kwargs:
                                named = kwargs.copy()
                            named[key] = tensor
                        elif type(value) in _SEQUENCES:
                            unwrapped, first = unwrap_sequence(value, first, op)
                            if unwrapped is not value:
                                if named is kwargs:
                                    named = kwargs.copy()
                                named[key] = unwrapped
                        elif isinstance(value, onp.ndarray):
                            foreign = value
            except MissingTensorError as error:
                missing = error.with_traceback(None)  # which would hold this frame and its arrays
            else:
                try:
                    if first is None:
                        return call_without_arrays(op, cls, tensors, named)
                    if foreign is not None and (bound := _without_numpy(op, tensors, named, first)):
                        result = function(*bound.args, **bound.kwargs)
                    else:
                        result = function(*tensors, **named)
                except TORCH_ERRORS as error:
                    if (with_last := with_out(op, args, kwargs, kind)) is not None:
                        return call(*args[:-1], **with_last)
                    if (known := without_loose(op, call.__name__, kwargs, kind)) is not None:
                        return call(*args, **known)
                    if first is None:
                        function_of_numbers = _without_arrays(op, cls)
                        return _with_plain_numbers(op, function_of_numbers, tensors, named, error)
                    if (bound := with_tensors(op, tensors, named, first)) is not None:
                        result = _called(function, bound)
                    else:
                        result = _with_plain_numbers(op, function, tensors, named, error)
                except _OF_OTHER_KINDS as error:
                    _refuse_what_is_no_array(op, tensors, named, error)
                    raise
                if in_graph:
                    if type(result) is not Tensor or not result.requires_grad:
                        result = join(result, (tensors, named))
                    elif quiet and state.recording != NOTED:  # no gradient flows to these inputs
                        for place, name in quiet:
                            source = tensors[place] if place < count else named.get(name)
                            if isinstance(source, Tensor) and source.requires_grad:
                                result = beside(result, source)
                if type(result) is Tensor:
                    array = new(cls)
                    array._tensor = result
                    array._ctx = first._ctx
                    return array
                return wrap_result(result, first._ctx, cls)
            if flags:
                args, kwargs = with_flags(op, args), with_named_flags(op, kwargs)
            known = without_loose(op, call.__name__, kwargs, kind)
            return call_without_tensors(op, call, args, kwargs if known is None else known, missing)
        except MXNetError as error:
            shorten(error)
            raise

    def put(by: Callable[..., Any]) -> None:
        nonlocal function
        function = _of_one_shape(op, by) if is_paired else by

    exchangeable(op.function, put)
    return call


def _instead(op: Op, first: Tensor, second: Tensor) -> str:
    """Return what to write in place of an operator of equal shapes."""
    try:
        torch.broadcast_shapes(first.shape, second.shape)  # type: ignore[no-untyped-call]
    except RuntimeError:
        return "Give two arrays of one shape"
    short = op.name.rpartition(".")[2].removeprefix("elemwise_").removeprefix("_")
    pair = ", ".join(name or other for name, other in zip(operands(), "xy", strict=True))
    by_sign = f" {_SIGNS[short]} ".join(pair.split(", ")) if short in _SIGNS else ""
    return f"Write {by_sign and f'{by_sign}, or '}nd.broadcast_{short}({pair}), which broadcasts"


def _of_one_shape(op: Op, function: Callable[..., Any]) -> Callable[..., Any]:
    """Return an operator's function that refuses shapes which torch would broadcast."""

    def call(*args: Any, **kwargs: Any) -> Any:
        first, second = (*args, *(kwargs.get(name) for name in op.inputs[len(args) :]))[:_PAIR]
        if isinstance(first, Tensor) and isinstance(second, Tensor) and first.shape != second.shape:
            msg = (
                f"{op.name}: arrays of shape {tuple(first.shape)} and {tuple(second.shape)} were "
                f"given. Expected equal shapes. {_instead(op, first, second)}."
            )
            raise ShapeError(msg)
        return function(*args, **kwargs)

    return call


def creator(op: Op, cls: type[NDArray], kind: Loose) -> Callable[..., Any]:
    """Return what calls an operator that makes arrays on a context; `kind` as for `caller`."""
    function = op.function
    position = list(op.signature.parameters).index("ctx")
    flags = op.flags
    is_positional = op.signature.parameters["ctx"].kind is inspect.Parameter.POSITIONAL_OR_KEYWORD
    is_pure = not any("random" in path for path in (*op.nd, *op.np, *op.npx))
    shape = op.signature.parameters.get("shape")
    fills_out = shape is not None and shape.default is None
    shape_position = list(op.signature.parameters).index("shape") if fills_out else 0
    may_be_sparse = cls is NDArray and "stype" in op.signature.parameters
    stype_position = list(op.signature.parameters).index("stype") if may_be_sparse else 0

    def call_plainly(args: tuple[Any, ...]) -> NDArray | None:
        # The hot path: a shape and numbers, or an array whose like is made.
        ctx = None
        for value in args:
            if type(value) is cls and ctx is None and value is args[0]:
                try:
                    tensor = value._tensor
                except MissingTensorError:
                    return None
                if tensor.requires_grad:
                    return None
                ctx = value._ctx
                args = (tensor, *args[1:])
            elif type(value) is tuple:
                for length in value:
                    if type(length) is not int:
                        return None
            elif type(value) not in _NUMBERS:
                return None
        if ctx is None:
            ctx = current_context()
        try:
            result = function(*args, ctx=ctx)
        except MXNetError:
            raise
        except TORCH_ERRORS:  # the plain way explains it
            return None
        if type(result) is not Tensor:
            return None
        array = new(cls)
        array._tensor = result
        array._ctx = ctx
        return array

    def call(*args: Any, **kwargs: Any) -> Any:
        try:
            if not (kwargs or state.recording) and len(args) <= position and is_pure:
                array = call_plainly(args)
                if array is not None:
                    return array
            out = kwargs.pop("out", None)
            kwargs.pop("name", None)
            first: NDArray | None = None
            if flags:
                args, kwargs = with_flags(op, args), with_named_flags(op, kwargs)
            unwrapped = list(args)
            for index, value in enumerate(args):
                if isinstance(value, NDArray):
                    first = value if first is None else first
                    unwrapped[index] = unwrap(value)
                elif type(value) in _SEQUENCES:
                    unwrapped[index], first = unwrap_sequence(value, first, op)
            for key, value in kwargs.items():
                if isinstance(value, NDArray):
                    first = value if first is None else first
                    kwargs[key] = unwrap(value)
                elif type(value) in _SEQUENCES:
                    kwargs[key], first = unwrap_sequence(value, first, op)
            given = args[position] if is_positional and len(args) > position else kwargs.get("ctx")
            around = first if out is None else out
            ctx = as_context(given, None if around is None else around._ctx)
            if is_positional and len(args) > position:
                unwrapped[position] = ctx
            else:
                kwargs["ctx"] = ctx
            if fills_out and out is not None and first is None and len(args) <= shape_position:
                kwargs.setdefault("shape", out.shape)
            try:
                if may_be_sparse and _stype(stype_position, unwrapped, kwargs) not in _DENSE:
                    result = zeros(op.signature.bind(*unwrapped, **kwargs).arguments)
                else:
                    result = function(*unwrapped, **kwargs)
                    if state.recording:
                        result = join(result, (unwrapped, kwargs))
                    result = wrap_result(result, ctx, cls)
            except TORCH_ERRORS as error:
                if (known := without_loose(op, call.__name__, kwargs, kind)) is not None:
                    return call(*args, **known, out=out)
                numbers = _with_plain_numbers(op, function, unwrapped, kwargs, error)
                if state.recording:
                    numbers = join(numbers, (unwrapped, kwargs))
                result = wrap_result(numbers, ctx, cls)
            except _OF_OTHER_KINDS as error:
                _refuse_what_is_no_array(op, unwrapped, kwargs, error)
                raise
            return result if out is None else write_out(result, out, op, call.__name__)
        except MXNetError as error:
            shorten(error)
            raise

    def put(by: Callable[..., Any]) -> None:
        nonlocal function
        function = by

    exchangeable(op.function, put)
    return call


def _stype(position: int, args: list[Any], kwargs: Mapping[str, Any]) -> Any:
    return args[position] if len(args) > position else kwargs.get("stype")


def _call_into(
    call: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any], op: Op
) -> Any:
    """Call with `out`, which every function takes that returns arrays."""
    out = kwargs.pop("out", None)
    if out is not None and not op.returns_arrays:
        msg = (
            f"{call.__name__}: got an unexpected keyword argument, out={describe(out)}. "
            f"Expected some of {', '.join(op.parameters)}. Leave out what it does not have."
        )
        raise UnknownArgumentError(msg)
    result = call(*args, **kwargs)
    return result if out is None else write_out(result, out, op, call.__name__)


def _with_plain_numbers(
    op: Op,
    function: Callable[..., Any],
    args: list[Any],
    kwargs: dict[str, Any],
    error: Exception,
) -> Any:
    """Call what failed again, with Python's numbers for parameters; or raise what explains it."""
    bound = with_plain_numbers(op, args, kwargs)
    if bound is None:
        return _on_host(op.function, args, kwargs, error)
    return _called(function, bound)


def _without_numpy(
    op: Op, args: list[Any], kwargs: dict[str, Any], first: NDArray
) -> inspect.BoundArguments | None:
    return with_tensors(op, args, kwargs, first) or with_plain_numbers(op, args, kwargs)


def _without_arrays(op: Op, cls: type[NDArray]) -> Callable[..., Any]:
    def call(*args: Any, **kwargs: Any) -> Any:
        return call_without_arrays(op, cls, list(args), kwargs)

    return call


def _called(function: Callable[..., Any], bound: inspect.BoundArguments) -> Any:
    """Return what an operator makes of arguments, or raise the error that explains."""
    try:
        return function(*bound.args, **bound.kwargs)
    except TORCH_ERRORS as error:
        return _on_host(function, list(bound.args), bound.kwargs, error)


def _on_host(
    function: Callable[..., Any], args: list[Any], kwargs: dict[str, Any], error: Exception
) -> Any:
    """Return what the CPU makes of a failed call; or raise the error, without frames before it."""
    result = on_host(function, args, kwargs, error)
    if result is None:
        refused = alone(without_ours(refusal(function, args, kwargs, error)))
        raise refused from refused.__cause__
    return result


def _refuse_what_is_no_array(
    op: Op, args: list[Any], kwargs: dict[str, Any], error: Exception
) -> None:
    """Raise the error for an input that the operator took for an array, and that is none."""
    if isinstance(error, MXNetError) or not is_from_ours(error):  # a program's function
        return
    try:
        given = op.signature.bind(*args, **kwargs).arguments
    except TypeError:
        given = {}
    taken = getattr(error, "obj", None)  # for an array
    for name in op.inputs:
        value = given.get(name)
        if name in given and (value is taken or not isinstance(value, _ARRAY_OR_NUMBER)):
            of = value if isinstance(value, (list, tuple)) else (value,)
            if value is taken or not all(isinstance(each, _ARRAY_OR_NUMBER) for each in of):
                how = "Write mx.nd.array(...) or mx.np.array(...)."
                is_alone = len(op.inputs) == 1
                told = OperandError(no_array(op.name, name, value, how, is_alone=is_alone))
                told.__cause__ = error
                raise alone(told)
    _on_host(op.function, args, kwargs, error)
