"""Turns what torch says about arguments that do not fit into errors that say how to fix them."""

from __future__ import annotations

import contextlib
import functools
import inspect
import re
from typing import TYPE_CHECKING, Any, NoReturn, TypeVar

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import numpy_dtype
from gluonish.errors import (
    ArgumentKindError,
    DTypeError,
    InvalidArgumentError,
    MXNetError,
    OperandError,
    OutOfMemoryError,
    ShapeError,
    UnknownArgumentError,
)
from gluonish.errors.arguments import meant
from gluonish.errors.device_memory import missing_on_device
from gluonish.errors.examples import for_example
from gluonish.errors.habits.keywords import POSITIONS
from gluonish.errors.program_arguments import array_first, of_argument, written_arguments
from gluonish.errors.program_operands import with_kept_axis
from gluonish.errors.program_text import operands
from gluonish.errors.wording import how_to_fit
from gluonish.late import LateModule
from gluonish.ops.table import registry

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gluonish.errors import kinds
else:
    kinds = LateModule("gluonish.errors.kinds")

Function = TypeVar("Function", bound="Callable[..., Any]")

TORCH_ERRORS = (RuntimeError, IndexError, ValueError, TypeError, OverflowError)
_DTYPE_SIGNS = ("not implemented for", "dtype", "scalar type", "result type", "data type")
_KERNEL = re.compile(r"^\w+\(\w+\): ")  # by which torch begins some messages
_LONGEST = 120  # characters of what torch says, where it is known what was expected
_NO_MEMORY = (
    "can't allocate memory",
    "not enough memory",
    "Storage size calculation overflowed",
    "integer multiplication overflow",
)
_BYTES = re.compile(r"tried to allocate (\d+) bytes")
_THOUSAND = 1000
_UNITS = tuple((f"{letter}iB", 1024.0**power) for power, letter in enumerate("KMGTPE", 1))
_OPERANDS = (Tensor, int, float, complex, onp.generic, onp.ndarray)
_UNRELATED = (torch.AcceleratorError,)


def refuse_pair(name: str, lhs: object, rhs: object, error: Exception) -> NoReturn:
    """Raise the error for two operands that cannot be combined element by element.

    Raises
    ------
    ShapeError
        The shapes do not broadcast.
    OutOfMemoryError
        There is no room for the result.
    DTypeError
        The operation is not defined for the dtypes.
    """
    both = f"{describe(lhs)} and {describe(rhs)}"
    if (cause := _memory_cause(error)) is not None:
        raise out_of_memory(name, both, cause) or error from error
    if isinstance(error, (MXNetError, *_UNRELATED)):
        raise error
    if _clash(lhs, rhs):
        msg = (
            f"{name}: arrays of shape {tuple(lhs.shape)} and {tuple(rhs.shape)} "  # type: ignore[attr-defined]
            f"were given. Expected equal shapes, or a length of 1 wherever they differ. "
            f"{_how_to_fit(lhs, rhs)}"  # type: ignore[arg-type]
            f"{_or_as_product(name, lhs, rhs)}."
        )
        raise ShapeError(msg) from error
    strange = next((each for each in (lhs, rhs) if not isinstance(each, _OPERANDS)), _OPERANDS)
    if strange is not _OPERANDS:
        msg = (
            f"{name}: {both} were given. Expected two arrays, or an array and a number, not "
            f"{type(strange).__name__}. Make an array with mx.np.array(...) or mx.nd.array(...)."
        )
        raise DTypeError(msg) from error
    msg = (
        f"{name}: {both} were given. Expected dtypes for which it is "
        f"defined ({_first_line(error)}). Convert with x.astype(...)."
    )
    raise DTypeError(msg) from error


def _or_as_product(name: str, lhs: object, rhs: object) -> str:
    """Return how to write the product of matrices that may be meant; or ''."""
    if not (isinstance(lhs, Tensor) and isinstance(rhs, Tensor) and "mul" in name):
        return ""
    if lhs.ndim != 2 or not 1 <= rhs.ndim <= 2:
        return ""
    for shown, axis in (("x", 1), ("x.T", 0)):
        if lhs.shape[axis] == rhs.shape[0]:
            return f"; dot({shown}, y) is the product of matrices"
    return ""


def _clash(lhs: object, rhs: object) -> bool:
    if not (isinstance(lhs, Tensor) and isinstance(rhs, Tensor)):
        return False
    pairs = zip(reversed(lhs.shape), reversed(rhs.shape), strict=False)
    return any(one != other and 1 not in (one, other) for one, other in pairs)


def one_dtype(data: Tensor, weight: Tensor) -> str:
    """Return how data and a layer get one dtype.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.table.explain import one_dtype
    >>> one_dtype(torch.ones(1).double(), torch.ones(1))
    "Convert the data with x.astype('float32'), or the layer with net.cast('float64')."
    """
    layer = f", or the layer with net.cast({str(numpy_dtype(data.dtype))!r})"
    is_usual = data.is_floating_point()
    wanted = str(numpy_dtype(weight.dtype))
    return f"Convert the data with x.astype({wanted!r}){layer * is_usual}."


def explained(expected: str | Callable[..., str]) -> Callable[[Function], Function]:
    """Say what an operator expects, for the error where a call of it fails; see `refusal`.

    Parameters
    ----------
    expected : str or callable
        What is expected, then what to do: two sentences without the words "Expected" at the
        beginning and the full stop at the end; or what returns them for the arguments.
    """

    def note(function: Function) -> Function:
        function.expects = expected  # type: ignore[attr-defined]
        return function

    return note


def refusal(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> Exception:
    """Return what a user should read where an operator's call failed; `error` is its cause.

    The front ends call it, so that calls that succeed pay nothing.
    """
    if isinstance(error, _UNRELATED):
        return error
    found: MXNetError | None = _of_memory(function, args, kwargs, error)
    if found is None:
        if isinstance(error, MXNetError):
            return error
        found = _refusal(function, args, kwargs, error)
    found.__cause__ = error
    return found


def _of_memory(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> OutOfMemoryError | None:
    """Return the error for memory that there is not, whatever the operator says of it."""
    cause = _memory_cause(error)
    if cause is None:
        return None
    values = [describe(value) for value in args]
    values += [f"{key}={describe(value)}" for key, value in kwargs.items()]
    with contextlib.suppress(TypeError):
        bound = inspect.signature(function).bind(*args, **kwargs)
        values = [f"{name}={describe(one)}" for name, one in bound.arguments.items()]
    return out_of_memory(_name(function), ", ".join(values), cause)


def _memory_cause(error: BaseException | None) -> BaseException | None:
    """Return what torch said of missing memory, if an error comes of that and says otherwise."""
    while error is not None and not isinstance(error, OutOfMemoryError):
        if isinstance(error, RuntimeError) and _is_of_memory(str(error)):
            return error
        error = error.__cause__
    return None


def _is_of_memory(told: str) -> bool:
    return any(sign in told for sign in _NO_MEMORY) or missing_on_device(told) is not None


def _refusal(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: Mapping[str, Any],
    error: Exception,
) -> MXNetError:
    if any(type(each).__name__ == "Symbol" for each in (*args, *kwargs.values())):
        name = _name(function)
        msg = (
            f"{name}: a Symbol was given. Expected arrays. Write mx.sym.{name} for symbols, or "
            f"F.{name} in hybrid_forward; symbol.eval(data=array) computes a symbol."
        )
        return DTypeError(msg)
    try:
        bound = inspect.signature(function).bind(*args, **kwargs)
    except TypeError as mismatch:
        parameters = inspect.signature(function).parameters
        unknown = {key: value for key, value in kwargs.items() if key not in parameters}
        free = [key for key in parameters if key not in kwargs]
        name = _name(function)
        hint = meant([name], unknown, free, is_one=len(unknown) == 1)
        missing = str(mismatch).partition("required argument: '")[2].rstrip("'")
        is_named = f"'{missing}'" in hint  # a keyword that stands for what is missing
        if name in POSITIONS and not is_named and (missing or not (hint or unknown)):
            hint = f" {POSITIONS[name]}."
        left = f" Leave {' and '.join(unknown)} out." if unknown else " Leave out the last."
        hint = hint or (f" Write {missing}=..." if missing else left)
        hint += for_example(name, function) if not unknown and name not in POSITIONS else ""
        values = [describe(value) for value in args]
        values += [f"{key}={describe(value)}" for key, value in kwargs.items() if key != "ctx"]
        problem = f"{', '.join(values)} was given ({mismatch})" if values else str(mismatch)
        msg = f"{name}: {problem}. Expected {_usage(function)}.{hint}"
        return UnknownArgumentError(msg)
    if (call := _array_first(function)) is not None:
        return call
    if not hasattr(function, "expects") or isinstance(error, TypeError):
        wrong = kinds.misfit([_name(function)], function, args, kwargs, error)
        if wrong is not None:
            return ArgumentKindError(_in_arrays(str(wrong)))
    own = written_arguments(_name(function), [*bound.arguments])
    given = ", ".join(
        f"{name}={own[name]} (an {describe(value)})"
        if name in own and isinstance(value, Tensor)
        else f"{name}={describe(value)}"
        for name, value in bound.arguments.items()
    )
    expected = getattr(function, "expects", None) or _in_general(function)
    if callable(expected):
        bound.apply_defaults()
        expected = expected(*bound.args, **bound.kwargs)
    if sum(isinstance(value, Tensor) for value in bound.arguments.values()) == 1:
        expected = of_argument(expected)
    kind = _kind(error)
    if kind is DTypeError and _dtypes(bound.arguments.values()) > 1:
        odd = [k for k, v in bound.arguments.items() if getattr(v, "dtype", None) == torch.float64]
        name = own.get(odd[0], "x") if odd else "x"
        expected = f"arrays of one dtype. Convert one with {name}.astype('float32')"
    line = _first_line(error)
    reason = f" ({line})" if len(line) <= _LONGEST or not hasattr(function, "expects") else ""
    return kind(f"{_name(function)}: {given} was given{reason}. Expected {expected}.")


def _array_first(function: Callable[..., Any]) -> OperandError | None:
    """Return the error for a program's call whose only array does not come first, or None."""
    taken = [*inspect.signature(function).parameters.values()]
    arrays = [str(each.annotation) == "Tensor" for each in taken]
    call = array_first() if arrays[:1] == [True] and arrays.count(True) == 1 else ""
    if not call:
        return None
    return OperandError(
        f"{_name(function)}: a number was given first. Expected {taken[0].name}, the array, to "
        f"come first. Write {call}."
    )


def _in_arrays(text: str) -> str:
    """Return a message with arrays, which programs know, in place of tensors."""
    text = text.replace("<Tensor of", "<array of").replace("Sequence[Tensor]", "a list of arrays")
    return text.replace(", a Tensor.", ", an array.").replace("Expected array", "Expected an array")


def _in_general(function: Callable[..., Any]) -> str:
    name = _name(function)
    example = for_example(name, function).rstrip(".")
    more = f".{example}" if example else ""
    return f"arguments that fit {_usage(function)}. Compare them with what help({name}) says{more}"


def _dtypes(values: Iterable[object]) -> int:
    """Return of how many dtypes the arrays among arguments are."""
    arrays = [each for each in values if isinstance(each, Tensor)]
    for value in values:
        if isinstance(value, (list, tuple)):
            arrays += [each for each in value if isinstance(each, Tensor)]
    return len({each.dtype for each in arrays})


def out_of_memory(where: str, given: str, error: BaseException) -> OutOfMemoryError | None:
    """Return what to raise where torch could not get memory, or None if that was not it.

    Examples
    --------
    >>> from gluonish.ops.table.explain import out_of_memory
    >>> told = RuntimeError("can't allocate memory: you tried to allocate 8000000000000 bytes.")
    >>> print(out_of_memory("ones", "shape=(2000000, 1000000)", told))
    ones: shape=(2000000, 1000000) was given, which needs 8,000,000,000,000 bytes (7.3 TiB) of \
memory. Expected what fits into memory. Make the arrays smaller, for example with smaller batches.
    """
    text = str(error)
    if not _is_of_memory(text):
        return None
    needed = missing_on_device(text)
    if needed is None:
        number = _BYTES.search(text)
        needed = "more bytes than can be counted of memory"
        if number is not None:
            size = float(number[1])
            unit = next((unit for unit in _UNITS if size / unit[1] < _THOUSAND), _UNITS[-1])
            needed = f"{int(number[1]):,} bytes ({size / unit[1]:.1f} {unit[0]}) of memory"
    msg = (
        f"{where}: {given} was given, which needs {needed}. Expected what fits into "
        f"memory. Make the arrays smaller, for example with smaller batches."
    )
    return OutOfMemoryError(msg)


def _how_to_fit(lhs: Tensor, rhs: Tensor) -> str:
    """Return how two arrays of a program can be combined."""
    how = how_to_fit(tuple(lhs.shape), tuple(rhs.shape), operands())
    if "keepdims=True" in how and (kept := with_kept_axis(is_second="second" in how)):
        return f"Write {kept} for the {'second' if 'second' in how else 'first'}"
    return how


def _kind(error: Exception) -> type[MXNetError]:
    if isinstance(error, (IndexError, OverflowError)):
        return InvalidArgumentError
    text = str(error)
    if isinstance(error, TypeError) or any(sign in text for sign in _DTYPE_SIGNS):
        return DTypeError
    return ShapeError


def _name(function: Callable[..., Any]) -> str:
    """Return what programs call an operator: the function's name, or else its first public one."""
    own = function.__name__.removesuffix("_method").removesuffix("_")
    paths = _paths().get(function, ())
    names = [name for path in paths if not (name := path.rpartition(".")[2]).startswith("_")]
    return own if own in names or not names else names[0]


@functools.cache
def _paths() -> dict[Callable[..., Any], list[str]]:
    found: dict[Callable[..., Any], list[str]] = {}
    for op in registry.ops():
        function = vars(op).get("function")  # none of what is not written yet
        if function is not None:
            paths = (*op.nd, *op.npx, *op.np, *op.nd_method, *op.np_method)
            found.setdefault(function, []).extend(paths)
    return found


def _usage(function: Callable[..., Any]) -> str:
    return f"{_name(function)}({', '.join(inspect.signature(function).parameters)})"


def _first_line(error: Exception) -> str:
    line = str(error).strip().partition("\n")[0].rstrip(".")
    return _KERNEL.sub("", line)


def describe(value: object) -> str:
    """Return a short description of an argument, arrays by shape and dtype."""
    if isinstance(value, Tensor):
        return f"array of shape {tuple(value.shape)} and dtype {numpy_dtype(value.dtype)}"
    if isinstance(value, (list, tuple)) and any(map(_holds_tensor, value)):
        parts = ", ".join(describe(part) for part in value[:10])
        return f"[{parts}{', ...' if len(value) > 10 else ''}]"
    if isinstance(value, onp.ndarray):
        return f"numpy array of shape {value.shape} and dtype {value.dtype}"
    return repr(value)


def _holds_tensor(value: object) -> bool:
    if isinstance(value, (list, tuple)):
        return any(map(_holds_tensor, value))
    return isinstance(value, Tensor)


def check_floats(where: str, **arrays: Tensor) -> None:
    """Check that arrays hold floating-point numbers.

    Raises
    ------
    DTypeError
        One does not.
    """
    for name, each in arrays.items():
        if not each.is_floating_point():
            msg = (
                f"{where}: {name} is an {describe(each)}. Expected a floating-point dtype. "
                f"Convert it with x.astype('float32')."
            )
            raise DTypeError(msg)
