"""Loops and branches on arrays: Python runs them, and they are differentiated like the rest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.core import NDArray, like
from gluonish.array.tensors import unwrap
from gluonish.errors import InvalidArgumentError, InvalidIndexError, OperandError, ShapeError
from gluonish.errors.arguments import value_text
from gluonish.errors.callables import called
from gluonish.errors.doors import door
from gluonish.ndarray.nested import flatten, regroup

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

_BODY = "body(slice, states), which returns outputs and new states. Write lambda x, s: (x + s, s)."
_FUNC = "func(*loop_vars), with an argument for each variable. Write one of as many."
_COND = "cond(*loop_vars), with an argument for each variable. Write one of as many."
_BRANCH = "a function without arguments. Write lambda: x + 1."


@door
def foreach(
    body: Callable[..., Any],
    data: Any,
    init_states: Any,
    name: str = "foreach",  # noqa: ARG001 - of the graph's operator
) -> Any:
    """Call a function with each slice of arrays along their first axis, and with states.

    Parameters
    ----------
    body : callable
        `body(slice, states)` returns outputs and the new states.
    data : array or nested list of arrays
        What is cut into slices; those of a list come as a list.
    init_states : array or nested list of arrays
        The first states; may be an empty list.
    name : str, default 'foreach'
        The operator's name in graphs.

    Returns
    -------
    outputs : array or nested list of arrays
        The outputs of all calls, stacked along a new first axis.
    states : array or nested list of arrays
        The last states.

    Raises
    ------
    OperandError
        Data, states or outputs are no arrays.
    InvalidIndexError
        There is no data, or one array has fewer slices than the first.
    ShapeError
        The data have no slices.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2], [3, 4]])
    >>> sums, last = mx.nd.contrib.foreach(lambda d, s: (d + s, d + s), x, mx.nd.zeros((2,)))
    >>> sums.asnumpy().tolist(), last.asnumpy().tolist()
    ([[1.0, 2.0], [4.0, 6.0]], [4.0, 6.0])
    """
    arrays, form = flatten(data, NDArray, "foreach input")
    flatten(init_states, NDArray, "foreach states")
    if not arrays:
        msg = "foreach: data=[] was given. Expected at least one array. Pass what to loop over."
        raise InvalidIndexError(msg)
    lengths = [array.shape[0] if array.shape else 0 for array in arrays]
    if min(lengths) < max(lengths[0], 1):
        msg = (
            f"foreach: data of shapes {[array.shape for array in arrays]} were given. Expected the "
            f"same length of at least 1 along the first axis. Cut or pad the arrays."
        )
        raise InvalidIndexError(msg) if lengths[0] else ShapeError(msg)
    states = init_states
    rows: list[list[NDArray]] = []
    form_of_outputs: Any = []
    for position in range(lengths[0]):
        slices = regroup([array[position] for array in arrays], form)
        outputs, states = _pair("foreach", called("foreach", _BODY, body, slices, states))
        row, form_of_outputs = flatten(outputs, NDArray, "foreach output")
        _check_count("foreach", rows, row)
        rows.append(row)
    return regroup(_stacked(rows), form_of_outputs), states


@door
def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",  # noqa: ARG001 - of the graph's operator
) -> Any:
    """Call a function with variables, which it replaces, as long as a condition holds.

    Parameters
    ----------
    cond : callable
        `cond(*loop_vars)` returns an array of one element, or a bool.
    func : callable
        `func(*loop_vars)` returns outputs (may be None or []) and the new variables.
    loop_vars : array or nested list of arrays
        The first variables.
    max_iterations : int
        How often the function is called at most.
    name : str, default 'while_loop'
        The operator's name in graphs.

    Returns
    -------
    outputs : array or nested list of arrays
        The outputs of all calls, stacked along a new first axis of length `max_iterations`; rows
        of calls that did not take place are 0. Empty if the condition never holds.
    loop_vars : array or nested list of arrays
        The last variables.

    Raises
    ------
    InvalidArgumentError
        `max_iterations` is missing or no number, there are no variables, their number changes, or
        the condition is no single value.
    OperandError
        Variables or outputs are no arrays.

    Examples
    --------
    >>> import gluonish as mx
    >>> squares, (i,) = mx.nd.contrib.while_loop(
    ...     lambda i: i < 3, lambda i: (i * i, [i + 1]), [mx.nd.array([0])], max_iterations=4)
    >>> squares.asnumpy().tolist(), i.asnumpy().tolist()
    ([[0.0], [1.0], [4.0], [0.0]], [3.0])
    """
    count = iterations(max_iterations)
    is_one = isinstance(loop_vars, NDArray)
    arrays, _ = flatten(loop_vars, NDArray, "while loop_vars")
    if not arrays:
        raise no_variables()
    variables = [loop_vars] if is_one else list(loop_vars)
    rows: list[list[NDArray]] = []
    form: Any = []
    while len(rows) < count and _is_true(
        called("while_loop", _COND, cond, *variables), "while_loop: the result of cond"
    ):
        outputs, new = _pair("while_loop", called("while_loop", _FUNC, func, *variables))
        new = [new] if isinstance(new, NDArray) else list(new)
        if len(new) != len(variables):
            msg = (
                f"while_loop: func returned {len(new)} variables for {len(variables)}. The length "
                f"of loop_vars should be consistent during the loop. Return one for each."
            )
            raise InvalidArgumentError(msg)
        variables = new
        row, form = flatten([] if outputs is None else outputs, NDArray, "while output")
        _check_count("while_loop", rows, row)
        rows.append(row)
    stacked = [_padded(array, count) for array in _stacked(rows)]
    return regroup(stacked, form), variables[0] if is_one else variables


@door
def cond(
    pred: Any,
    then_func: Callable[[], Any],
    else_func: Callable[[], Any],
    name: str = "cond",  # noqa: ARG001 - of the graph's operator
) -> Any:
    """Call one of two functions.

    Parameters
    ----------
    pred : array or bool
        A single value: whether the first one is called.
    then_func, else_func : callable
        Functions without parameters.
    name : str, default 'cond'
        The operator's name in graphs.

    Returns
    -------
    object
        What the function returned.

    Raises
    ------
    InvalidArgumentError
        `pred` is not a single value.
    OperandError
        `pred` is a function.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([-2])
    >>> mx.nd.contrib.cond(x < 0, lambda: -x, lambda: x).asnumpy().tolist()
    [2.0]
    """
    if callable(pred):
        msg = (
            f"cond: pred={pred!r} was given. Expected an array of one element, or a bool. Call "
            f"the function: pred()."
        )
        raise OperandError(msg)
    return called("cond", _BRANCH, then_func if _is_true(pred, "cond: pred") else else_func)


def iterations(max_iterations: Any) -> int:
    """Return how often a loop runs at most.

    Raises
    ------
    InvalidArgumentError
        That is not said.
    """
    if max_iterations is None:
        msg = (
            "while_loop: max_iterations should be specified, None was given. Pass a number: "
            "max_iterations=100."
        )
        raise InvalidArgumentError(msg)
    try:
        return int(max_iterations)
    except (TypeError, ValueError) as error:
        msg = (
            f"while_loop: max_iterations={max_iterations!r} was given. Expected a number: Cannot "
            f"convert max_iteration to python int. Write max_iterations=100."
        )
        raise InvalidArgumentError(msg) from error


def no_variables() -> InvalidArgumentError:
    """Return the error for a loop without variables."""
    msg = (
        "while_loop: loop_vars=[] was given. loop_vars should contain at least one element. Pass "
        "what the condition depends on."
    )
    return InvalidArgumentError(msg)


def _pair(where: str, value: Any) -> tuple[Any, Any]:
    """Return the two things that a function of a program has to return."""
    try:
        pair: Any = None if isinstance(value, NDArray) else value  # rows are no such things
        outputs, states = pair
    except (TypeError, ValueError) as error:
        msg = (
            f"{where}: the function returned {value_text(value)}. Expected two things, outputs "
            f"and new states or variables. Write return output, new_states at its end."
        )
        raise InvalidArgumentError(msg) from error
    return outputs, states


def _is_true(value: Any, what: str) -> bool:
    if isinstance(value, NDArray):
        if value.size != 1:
            msg = (
                f"{what} has shape {value.shape}. Expected one element: The current array is not "
                f"a scalar. Reduce it, for example with .max()."
            )
            raise InvalidArgumentError(msg)
        return bool(value.item())
    return bool(value)


def _check_count(where: str, rows: Sequence[Sequence[NDArray]], row: Sequence[NDArray]) -> None:
    if rows and len(rows[0]) != len(row):
        msg = (
            f"{where}: a call gave {len(row)} outputs, the one before {len(rows[0])}. Number of "
            f"elements in step_output should be the same in each step. Return the same outputs."
        )
        raise InvalidArgumentError(msg)


def _stacked(rows: Sequence[Sequence[NDArray]]) -> list[NDArray]:
    found = []
    for parts in zip(*rows, strict=True):
        shapes = {part.shape for part in parts}
        if len(shapes) > 1:
            msg = (
                f"foreach, while_loop: outputs of shapes {sorted(shapes)} were returned. Expected "
                f"the same shape from each call. Pad them to one."
            )
            raise ShapeError(msg)
        found.append(like(parts[0], torch.stack([unwrap(part) for part in parts])))
    return found


def _padded(array: NDArray, length: int) -> NDArray:
    missing = length - array.shape[0]
    if not missing:
        return array
    tensor = unwrap(array)
    return like(array, torch.cat([tensor, tensor.new_zeros((missing, *tensor.shape[1:]))]))


FUNCTIONS: dict[str, Callable[..., Any]] = {
    "foreach": foreach,
    "while_loop": while_loop,
    "cond": cond,
}
