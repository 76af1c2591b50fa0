"""Arguments of operators that are not simply dense arrays on one context."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.contexts import compatible, mismatch
from gluonish.array.core import NDArray
from gluonish.array.dtypes import writable
from gluonish.array.guises import flag_read, number_read
from gluonish.array.pending import settle_inputs
from gluonish.array.tensors import unwrap
from gluonish.context import current_context
from gluonish.errors import OperandError, UnknownShapeError
from gluonish.errors.arguments import how_to_array, value_text
from gluonish.errors.wording import class_name
from gluonish.ndarray.results import wrap_result
from gluonish.ndarray.sparse_rules import dispatch

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from gluonish.context import Context
    from gluonish.errors import MissingTensorError
    from gluonish.ops.table import Op

_SCALARS = (int, float, complex, onp.generic)
_NUMBERS = (bool, str, onp.generic, onp.ndarray)  # what the parameters of draws may be
_ARRAY_LIKE = (list, tuple, onp.ndarray)
_TEXTS = ("str", "Literal", "DType", "Any", "Context")  # annotations of what strings may be


def check_contexts(first: NDArray, second: NDArray, op: Op) -> None:
    """Refuse arrays of contexts that may not meet."""
    if not compatible(first._ctx, second._ctx):
        own = op.name.lstrip("_")  # of operators that layers alone know
        where = op.name if own == op.name else own.replace("_", " ")
        raise mismatch(first, second, where)


def unwrap_sequence(values: Any, first: NDArray | None, op: Op) -> tuple[Any, NDArray | None]:
    """Return a list or tuple with tensors for arrays, and the operator's first array so far."""
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
                check_contexts(first, value, op)
            unwrapped.append(unwrap(value))
        else:
            unwrapped.append(value)
    return type(values)(unwrapped), first


def call_without_tensors(
    op: Op,
    call: Callable[..., Any],
    args: tuple[Any, ...],
    kwargs: dict[str, Any],
    error: MissingTensorError,
) -> Any:
    """Call an operator again, one of whose arrays has no tensor: it is sparse, or pending."""
    if not isinstance(error, UnknownShapeError):
        return dispatch(op, call, args, kwargs)
    settle_inputs(_meant(op, kwargs), args, kwargs, error)
    return call(*args, **kwargs)


def _meant(op: Op, kwargs: dict[str, Any]) -> Op:
    """Return the operator that a call is of, where its arguments name one, as Custom's do."""
    if op.graph.stands_for is None:
        return op
    texts = {key: value for key, value in kwargs.items() if not isinstance(value, NDArray)}
    meant: Op = op.graph.stands_for(texts)
    return meant


def with_tensors(
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
        if isinstance(bound.arguments.get(name), _ARRAY_LIKE) and not op.takes_many(name)
    ]
    for name in given:
        bound.arguments[name] = _to_tensor(bound.arguments[name], first._ctx, op)
    return bound if given else None


def with_plain_numbers(
    op: Op, args: Sequence[Any], kwargs: Mapping[str, Any]
) -> inspect.BoundArguments | None:
    """Return arguments whose parameters are Python's numbers; None if they are that already.

    MXNet writes an operator's parameters out and reads them again, so that NumPy's numbers, arrays
    without axes, '2', 'inf' and True for 1 come to the same as the number itself.
    """
    try:
        bound = op.signature.bind(*args, **kwargs)
    except TypeError:
        return None
    changed = False
    for name, value in bound.arguments.items():
        if name in op.inputs and not (op.takes_ctx and isinstance(value, _NUMBERS)):
            continue
        number = _plain_number(value, str(op.signature.parameters[name].annotation))
        changed = changed or number is not value
        bound.arguments[name] = number
    return bound if changed else None


def _plain_number(value: Any, annotation: str) -> Any:
    """Return a parameter as Python's number or tuple; itself where it is one, or something else."""
    if isinstance(value, onp.generic) or (isinstance(value, Tensor) and not value.ndim):
        return flag_read(value.item(), annotation)
    if isinstance(value, onp.ndarray):
        return tuple(value.tolist()) if value.ndim else flag_read(value.item(), annotation)
    if isinstance(value, (list, tuple)):
        numbers = [_plain_number(each, annotation) for each in value]
        unchanged = all(number is each for number, each in zip(numbers, value, strict=True))
        return value if unchanged else tuple(numbers)
    if isinstance(value, bool) and "bool" not in annotation:
        return int(value)
    if isinstance(value, str) and not any(kind in annotation for kind in _TEXTS):
        return number_read(value)
    return flag_read(value, annotation)


def call_without_arrays(op: Op, cls: type[NDArray], args: list[Any], kwargs: dict[str, Any]) -> Any:
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
            bound.arguments[name] = _to_tensors(value, ctx, name, op)
    if numbers and (by_numpy := _numpys_own(op)) is not None:
        number = by_numpy(*args, **kwargs)
        return number.item() if cls is NDArray and isinstance(number, onp.generic) else number
    return wrap_result(op.function(*bound.args, **bound.kwargs), ctx, cls)


def _numpys_own(op: Op) -> Callable[..., Any] | None:
    """Return NumPy's function of the same name: MXNet leaves plain numbers to it, too."""
    for name in (*op.np, *op.nd):
        found = getattr(onp, name, None)
        if isinstance(found, onp.ufunc) or inspect.isfunction(found):
            return found
    return None


def _to_tensors(value: Any, ctx: Context, name: str, op: Op) -> Any:
    if value is None or isinstance(value, Tensor):
        return value
    if op.takes_many(name):
        return [_to_tensor(part, ctx, op) for part in value]
    return _to_tensor(value, ctx, op)


def _to_tensor(value: Any, ctx: Context, op: Op) -> Tensor:
    if isinstance(value, float):
        return torch.tensor(value, dtype=torch.float64, device=ctx.device)
    try:
        values = writable(value)
        if isinstance(value, (list, tuple)) and values.dtype != bool:
            values = values.astype(onp.float32)
        return torch.as_tensor(values, device=ctx.device)
    except (TypeError, ValueError) as error:
        how = "Write mx.nd.array(...) or mx.np.array(...)."
        how = how_to_array(value, how, op.name, is_alone=len(op.inputs) == 1)
        msg = (
            f"{op.name}: {class_name(value)} was given where an array is needed, as "
            f"{value_text(value)}. Expected an array, or numbers that make one. "
            f"{how}"
        )
        raise OperandError(msg) from error
