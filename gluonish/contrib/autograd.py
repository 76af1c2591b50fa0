"""Differentiation by the names that it had before `mx.autograd`: `mx.contrib.autograd`."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any

from gluonish import autograd, ndarray as nd
from gluonish.array import NDArray
from gluonish.autograd import mark_variables
from gluonish.errors import CallCountError, OperandError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

__all__ = [
    "TrainingStateScope",
    "backward",
    "compute_gradient",
    "grad",
    "grad_and_loss",
    "mark_variables",
    "set_is_training",
    "test_section",
    "train_section",
]


def set_is_training(is_train: bool) -> bool:
    """Record what follows, as in training, or stop that; return whether it was so before.

    Examples
    --------
    >>> from gluonish.contrib import autograd
    >>> autograd.set_is_training(True), autograd.set_is_training(False)
    (False, True)
    """
    autograd.set_recording(is_train)
    return autograd.set_training(is_train)


class TrainingStateScope:
    """Scope in which operators are recorded, as in training, or not.

    Parameters
    ----------
    enter_state : bool
        Whether they are.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import autograd
    >>> with autograd.TrainingStateScope(True):
    ...     mx.autograd.is_recording(), mx.autograd.is_training()
    (True, True)
    >>> mx.autograd.is_recording()
    False
    """

    def __init__(self, enter_state: bool) -> None:
        self._state = enter_state
        self._before: list[bool] = []

    def __enter__(self) -> None:
        self._before.append(set_is_training(self._state))

    def __exit__(self, *_: object) -> None:
        set_is_training(self._before.pop())


def train_section() -> AbstractContextManager[Any]:
    """Return a scope in which operators are recorded, as in training.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import autograd
    >>> x, dx = mx.nd.array([3]), mx.nd.zeros((1,))
    >>> autograd.mark_variables([x], [dx])
    >>> with autograd.train_section():
    ...     y = x * x
    >>> autograd.compute_gradient([y])
    >>> dx.asnumpy().tolist()
    [6.0]
    """
    return autograd.record()


def test_section() -> AbstractContextManager[Any]:
    """Return a scope in which nothing is recorded, and operators behave as in prediction.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import autograd
    >>> with autograd.train_section(), autograd.test_section():
    ...     mx.autograd.is_recording()
    False
    """
    return autograd.pause()


vars(test_section)["__test__"] = False  # pytest takes it for a test of those who import it


def backward(
    outputs: Sequence[NDArray],
    out_grads: Sequence[NDArray | None] | None = None,
    retain_graph: bool = False,
) -> None:
    """Compute gradients and put them where `mark_variables` said.

    Parameters
    ----------
    outputs : list of NDArray
        Recorded results.
    out_grads : list of NDArray or None, optional
        Gradients of their elements; ones by default.
    retain_graph : bool, default False
        Whether the record may be used again.

    Raises
    ------
    OperandError
        The outputs are no list.
    CallCountError
        There are more or fewer gradients than outputs.
    """
    if not isinstance(outputs, (list, tuple)):
        msg = (
            f"backward: {type(outputs).__name__} was given. outputs must be a list or tuple of "
            f"NDArrays. Write backward([loss])."
        )
        raise OperandError(msg)
    if out_grads is not None and len(out_grads) != len(outputs):
        msg = (
            f"backward: {len(out_grads)} out_grads were given for {len(outputs)} outputs. outputs "
            f"and out_grads must have the same length. Pass one for each, or None."
        )
        raise CallCountError(msg)
    autograd.backward(list(outputs), out_grads, retain_graph)


def compute_gradient(outputs: Sequence[NDArray]) -> None:
    """Compute gradients; the older name of `backward`."""
    backward(outputs)


def grad_and_loss(
    func: Callable[..., Any], argnum: int | Sequence[int] | None = None
) -> Callable[..., Any]:
    """Return a function that computes another one's gradients and result.

    Parameters
    ----------
    func : callable
        A function of arrays that returns an array, or a list of them.
    argnum : int or list of int, optional
        Positions of the arguments to differentiate by; all by default.

    Returns
    -------
    callable
        It returns the list of gradients, and the result.

    Raises
    ------
    OperandError
        When it is called with something else than arrays.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import autograd
    >>> grads, loss = autograd.grad_and_loss(lambda x: x * x)(mx.nd.array([3]))
    >>> grads[0].asnumpy().tolist(), loss.asnumpy().tolist()
    ([6.0], [9.0])
    """

    @functools.wraps(func)
    def wrapped(*args: Any) -> tuple[list[NDArray], Any]:
        variables = list(args)
        if argnum is not None:
            positions = [argnum] if isinstance(argnum, int) else list(argnum)
            variables = [_chosen(args, position) for position in positions]
        for variable in variables:
            if not isinstance(variable, NDArray):
                msg = (
                    f"grad_and_loss: {variable!r} was given. type of autograd input should "
                    f"NDArray. Leave that argument out of argnum, or write mx.nd.array(...)."
                )
                raise OperandError(msg)
        grads = [nd.zeros_like(variable) for variable in variables]
        mark_variables(variables, grads)
        with train_section():
            outputs = func(*args)
        compute_gradient([outputs] if isinstance(outputs, NDArray) else outputs)
        return grads, outputs

    return wrapped


def grad(
    func: Callable[..., Any], argnum: int | Sequence[int] | None = None
) -> Callable[..., list[NDArray]]:
    """Return a function that computes another one's gradients.

    Parameters
    ----------
    func : callable
        A function of arrays that returns an array, or a list of them.
    argnum : int or list of int, optional
        Positions of the arguments to differentiate by; all by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import autograd
    >>> by_x = autograd.grad(lambda x, y: x * y, argnum=0)
    >>> by_x(mx.nd.array([3]), mx.nd.array([4]))[0].asnumpy().tolist()
    [4.0]
    """
    both = grad_and_loss(func, argnum)

    @functools.wraps(both)
    def wrapped(*args: Any) -> list[NDArray]:
        found: list[NDArray] = both(*args)[0]
        return found

    return wrapped


def _chosen(args: Sequence[Any], position: Any) -> Any:
    if not isinstance(position, int) or not -len(args) <= position < len(args):
        msg = (
            f"grad_and_loss: argnum={position!r} was given for {len(args)} arguments. Expected the "
            f"position of one of them. Count from 0."
        )
        raise OperandError(msg)
    return args[position]
