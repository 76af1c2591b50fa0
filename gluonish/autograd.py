"""`mx.autograd`: recording of operators and gradients of what was recorded."""

from __future__ import annotations

import ast
import inspect
import sys
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from typing_extensions import override

from gluonish.array.constant_results import has_own_gradients, head, join
from gluonish.array.core import NDArray, in_graph_form, like
from gluonish.array.gradients import (
    Gradient,
    attach,
    explain_backward,
    materialized,
    not_recorded,
    run_backward,
)
from gluonish.array.tensors import as_default, held, plain
from gluonish.array.used_graphs import use_up
from gluonish.array.waiting import go_back
from gluonish.errors import (
    AutogradError,
    CallCountError,
    InvalidArgumentError,
    MissingMethodError,
    OperandError,
)
from gluonish.errors.arguments import no_array
from gluonish.errors.callables import called
from gluonish.errors.program_text import of_function
from gluonish.errors.tracebacks import codes_of_program, shorten
from gluonish.errors.wording import counted
from gluonish.late import LateModule
from gluonish.process.noting import find_way, ways
from gluonish.process.recording import NOTED, differentiated, state
from gluonish.process.replay_marks import once_only

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import FrameType, TracebackType
    from typing import Self

    from gluonish.symbol import recordings
    from gluonish.symbol.recordings import get_symbol
else:
    recordings = LateModule("gluonish.symbol.recordings")

__all__ = [
    "Function",
    "NDArray",
    "backward",
    "get_symbol",
    "grad",
    "is_recording",
    "is_training",
    "mark_variables",
    "pause",
    "predict_mode",
    "record",
    "set_recording",
    "set_training",
    "train_mode",
]

_LATE_NAMES = {"gluonish.symbol.recordings": ("get_symbol",)}
_frame_at = sys._getframe  # noqa: SLF001 - the public way is slower
_GRADIENTS = ("grad_{}", "{}_grad", "d{}", "d_{}", "g{}", "{}_g")  # as programs call them
_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}


class _RecordingStateScope:
    """Sets recording and training for a `with` block; None leaves a flag as it is."""

    __slots__ = ("_before", "_recording", "_training")

    def __init__(self, recording: int | None, training: bool | None) -> None:
        self._recording = recording
        self._training = training
        self._before: Any = None  # both flags, and what was before when that was entered

    def __enter__(self) -> Self:
        self._before = (state.recording, state.training, self._before)
        if self._recording is not None:
            state.recording = self._recording
        if self._training is not None:
            state.training = self._training
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        state.recording, state.training, self._before = self._before


def record(train_mode: bool = True) -> _RecordingStateScope:
    """Return a scope in which operators are recorded for `backward()`.

    Parameters
    ----------
    train_mode : bool, default True
        Whether layers such as Dropout and BatchNorm behave as in training.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.np.array([1., 2.])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = (x * x).sum()
    >>> y.backward()
    >>> x.grad
    array([2., 4.])
    """
    way = ways.get(_frame_at(2).f_code.co_filename)  # by way of a door
    return _RecordingStateScope(_find_way(_frame_at(2)) if way is None else way, train_mode)


def pause(train_mode: bool = False) -> _RecordingStateScope:
    """Return a scope inside `record()` in which nothing is recorded.

    Parameters
    ----------
    train_mode : bool, default False
        Whether layers behave as in training meanwhile.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.autograd.record():
    ...     with mx.autograd.pause():
    ...         print(mx.autograd.is_recording())
    False
    """
    return _RecordingStateScope(False, train_mode)


def train_mode() -> _RecordingStateScope:
    """Return a scope in which layers behave as in training; recording stays as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.autograd.train_mode():
    ...     print(mx.autograd.is_training())
    True
    """
    return _RecordingStateScope(None, True)


def predict_mode() -> _RecordingStateScope:
    """Return a scope in which layers behave as in prediction; recording stays as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.autograd.record(), mx.autograd.predict_mode():
    ...     print(mx.autograd.is_recording(), mx.autograd.is_training())
    True False
    """
    return _RecordingStateScope(None, False)


def is_recording() -> bool:
    """Return whether operators are being recorded in this thread.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.autograd.is_recording()
    False
    """
    return bool(state.recording)


def is_training() -> bool:
    """Return whether layers behave as in training in this thread.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.autograd.is_training()
    False
    """
    return state.training


def set_recording(is_recording: bool) -> bool:
    """Switch recording on or off and return what it was.

    Examples
    --------
    >>> import gluonish as mx
    >>> before = mx.autograd.set_recording(True)
    >>> mx.autograd.set_recording(before)
    True
    """
    before = bool(state.recording)
    state.recording = False
    if is_recording:
        frame = _frame_at(1)  # it has no door
        way = ways.get(frame.f_code.co_filename)
        state.recording = _find_way(frame) if way is None else way
    return before


def _find_way(frame: FrameType) -> int:
    way = find_way(frame)
    if way is NOTED:
        recordings.start()
    return way


def set_training(train_mode: bool) -> bool:
    """Switch training behaviour on or off and return what it was.

    Examples
    --------
    >>> import gluonish as mx
    >>> before = mx.autograd.set_training(True)
    >>> mx.autograd.set_training(before)
    True
    """
    before = state.training
    state.training = bool(train_mode)
    return before


def mark_variables(
    variables: NDArray | Sequence[NDArray],
    gradients: NDArray | Sequence[NDArray],
    grad_reqs: str | Sequence[str] = "write",
) -> None:
    """Make arrays variables whose gradients go into given arrays.

    Parameters
    ----------
    variables : NDArray or list of NDArray
        What to differentiate by.
    gradients : NDArray or list of NDArray
        Where each gradient goes; same shape as its variable.
    grad_reqs : str or list of str, default 'write'
        `'write'`, `'add'` or `'null'`, for all or one each.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, dx = mx.nd.array([3.]), mx.nd.zeros((1,))
    >>> mx.autograd.mark_variables(x, dx)
    >>> with mx.autograd.record():
    ...     y = x * x
    >>> y.backward()
    >>> print(dx.asnumpy())
    [6.]
    """
    variables, gradients = _arrays(variables), _arrays(gradients)
    requests = [grad_reqs] * len(variables) if isinstance(grad_reqs, str) else list(grad_reqs)
    if not len(variables) == len(gradients) == len(requests):
        msg = (
            f"mark_variables: {len(variables)} variables, {len(gradients)} gradients and "
            f"{len(requests)} grad_reqs were given. Expected one gradient and one grad_req for "
            f"each variable. Pass lists of the same length."
        )
        raise InvalidArgumentError(msg)
    for variable, gradient, request in zip(variables, gradients, requests, strict=True):
        attach(variable, gradient, request)


def backward(
    heads: NDArray | Sequence[NDArray],
    head_grads: NDArray | Sequence[NDArray | None] | None = None,
    retain_graph: bool = False,
    train_mode: bool = True,
) -> None:
    """Compute the gradients of some arrays for every array with an attached gradient.

    Parameters
    ----------
    heads : NDArray or list of NDArray
        Recorded results.
    head_grads : NDArray or list of NDArray or None, optional
        Gradients of the heads' elements; ones by default.
    retain_graph : bool, default False
        Whether the recorded graph may be used again.
    train_mode : bool, default True
        Whether BatchNorm that was recorded in prediction mode is differentiated as in
        training, which is MXNet's rule. Other operators are differentiated as recorded.

    Raises
    ------
    AutogradError
        A head was not recorded, or its graph was used up.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.np.array([1., 2.])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y, z = 2 * x, 3 * x
    >>> mx.autograd.backward([y, z])
    >>> x.grad
    array([5., 5.])
    """
    heads = _as_list(heads)
    if not heads:
        msg = "backward: no heads were given. Expected recorded results. Write backward([loss])."
        raise AutogradError(msg)
    if head_grads is None and not retain_graph and train_mode and go_back(heads):
        return
    grads = _head_grads(heads, head_grads)
    with differentiated(as_training=train_mode):
        run_backward(heads, grads, retain_graph=retain_graph)


def grad(
    heads: NDArray | Sequence[NDArray],
    variables: NDArray | Sequence[NDArray],
    head_grads: NDArray | Sequence[NDArray | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    train_mode: bool = True,
) -> list[NDArray]:
    """Return the gradients of some arrays with respect to variables.

    Parameters
    ----------
    heads : NDArray or list of NDArray
        Recorded results.
    variables : NDArray or list of NDArray
        What to differentiate by; each took part in the computation of the heads.
    head_grads : NDArray or list of NDArray or None, optional
        Gradients of the heads' elements; ones by default.
    retain_graph : bool, optional
        Whether the recorded graph may be used again; by default, if `create_graph`.
    create_graph : bool, default False
        Whether the gradients can be differentiated again.
    train_mode : bool, default True
        Whether BatchNorm that was recorded in prediction mode is differentiated as in
        training, which is MXNet's rule. Other operators are differentiated as recorded.

    Returns
    -------
    list of NDArray
        One gradient for each variable; a list of one for a single variable, as in MXNet.

    Raises
    ------
    AutogradError
        A head was not recorded or does not depend on a variable.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.np.array([2.])
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = x ** 3
    ...     first = mx.autograd.grad(y, x, create_graph=True, retain_graph=True)[0]
    >>> first.backward()
    >>> x.grad
    array([12.])
    """
    heads, sources = _as_list(heads), _as_list(variables)
    if not (heads and sources):
        msg = "autograd.grad: an empty list was given. Expected heads and variables. Name them."
        raise CallCountError(msg)
    tensors = [_in_graph(held(head), "heads") for head in heads]
    given = _head_grads(heads, head_grads)
    grads = [
        torch.ones_like(tensor) if grad is None else plain(grad)
        for tensor, grad in zip(tensors, given or [None] * len(heads), strict=True)
    ]
    for position, source in enumerate(sources):
        if head(held(source)) is None:
            raise _no_variable(position, source)
    retained = create_graph if retain_graph is None else retain_graph
    if not create_graph and state.recording:
        Gradient.asked_in = next(codes_of_program(), None)
    try:
        with differentiated(as_training=train_mode):
            results = torch.autograd.grad(
                tensors,
                [held(source) for source in sources],
                grads,
                retain_graph=retained,
                create_graph=create_graph,
            )
    except RuntimeError as error:
        if "not have been used in the graph" in str(error):
            msg = (
                "autograd.grad: a variable did not take part in the computation of the heads. "
                "Expected variables that the heads depend on. Leave it out of variables."
            )
            raise AutogradError(msg) from error
        explained = explain_backward(error)
        if explained is error:
            raise  # with the cause that it has
        raise explained from error
    if not retained:
        use_up(tuple(tensors))
    found = [materialized(result) for result in results]
    if create_graph and not has_own_gradients(tensors):
        found = join(found, tensors)
    return [_as_gradient(source, result) for source, result in zip(sources, found, strict=True)]


def _no_variable(position: int, source: NDArray) -> AutogradError:
    msg = (
        f"autograd.grad: variables[{position}], of shape {source.shape}, has no gradient, nor was "
        f"it computed from what has one. Expected arrays that the heads were computed from, inside "
        f"of autograd.record(). Call attach_grad() of variables[{position}] before that."
    )
    return AutogradError(msg)


def _in_graph(tensor: Tensor, what: str) -> Tensor:
    found = head(tensor)
    if found is None:
        error = not_recorded(tensor, f"autograd.grad, {what}")
        raise error
    return found


def _parse_head(
    heads: NDArray | Sequence[NDArray], head_grads: NDArray | Sequence[NDArray | None] | None
) -> tuple[list[NDArray], list[NDArray | None] | None]:
    """Return heads, and gradients for them if there are any, as lists of one length."""
    found = _as_list(heads)
    return found, _head_grads(found, head_grads)


def _as_gradient(source: NDArray, result: torch.Tensor) -> NDArray:
    gradient = like(source, result)
    return gradient if result.layout is torch.strided else gradient.tostype("row_sparse")


def _as_list(arrays: NDArray | Sequence[NDArray]) -> list[NDArray]:
    return [in_graph_form(array) for array in _arrays(arrays)]


def _arrays(arrays: NDArray | Sequence[NDArray]) -> list[NDArray]:
    if isinstance(arrays, NDArray):
        arrays = [arrays]
    if isinstance(arrays, (list, tuple)) and all(isinstance(each, NDArray) for each in arrays):
        return list(arrays)
    msg = (
        f"autograd: {_kind(arrays)} was given. Expected an array, or a list of arrays. "
        f"{_how_to_pass(arrays)}"
    )
    raise OperandError(msg)


def _how_to_pass(value: object) -> str:
    if hasattr(value, "values") or "Parameter" in _kind(value):
        return "Write [p.data() for p in net.collect_params().values()] for a net's parameters."
    return "Pass what was computed inside autograd.record()."


def _kind(value: object) -> str:
    if isinstance(value, (list, tuple)):
        return f"a list of {', '.join(sorted({type(each).__name__ for each in value}))}"
    return type(value).__name__


def _head_grads(
    heads: list[NDArray], head_grads: NDArray | Sequence[NDArray | None] | None
) -> list[NDArray | None] | None:
    if head_grads is None:
        return None
    grads: list[NDArray | None] = (
        [head_grads] if isinstance(head_grads, NDArray) else list(head_grads)
    )
    grads = [None if grad is None else as_default(grad) for grad in grads]
    if len(grads) != len(heads):
        msg = (
            f"{len(grads)} head gradients were given for {len(heads)} heads. Expected one for "
            f"each. Use None where ones are meant."
        )
        raise CallCountError(msg)
    return grads


class Function:
    """Operator with a gradient of its own, written in Python on arrays.

    Subclasses define `forward(self, *inputs)` and `backward(self, *output_grads)`; what
    `backward` needs is kept with `save_for_backward` or as attributes.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Sigmoid(mx.autograd.Function):
    ...     def forward(self, x):
    ...         y = 1 / (1 + mx.np.exp(-x))
    ...         self.save_for_backward(y)
    ...         return y
    ...     def backward(self, dy):
    ...         y, = self.saved_tensors
    ...         return dy * y * (1 - y)
    >>> x = mx.np.zeros((2,))
    >>> x.attach_grad()
    >>> with mx.autograd.record():
    ...     y = Sigmoid()(x)
    >>> y.backward()
    >>> x.grad
    array([0.25, 0.25])
    """

    def __init__(self) -> None:
        self._used = False
        self.saved_tensors: tuple[NDArray, ...] = ()

    def save_for_backward(self, *args: NDArray) -> None:
        """Keep arrays for `backward`, where they are `self.saved_tensors`."""
        self.saved_tensors = args

    def forward(self, *inputs: NDArray) -> Any:  # noqa: ARG002 - named for subclasses
        """Compute the outputs; overridden by subclasses."""
        error = _not_defined(self, "forward()")
        raise error

    def backward(self, *output_grads: NDArray) -> Any:  # noqa: ARG002 - named for subclasses
        """Return the gradients of the inputs; overridden by subclasses."""
        error = _not_defined(self, "backward()")
        raise error

    def __call__(self, *inputs: NDArray) -> Any:
        """Compute the outputs and, while recording, remember how to go back."""
        try:
            return self._called(*inputs)
        except BaseException as error:
            shorten(error)
            raise

    def _called(self, *inputs: NDArray) -> Any:
        if not state.recording:
            return self.forward(*inputs)
        if self._used:
            msg = (
                f"{type(self).__name__}: each Function object can be called once while "
                f"recording. Make a new object for every call: {type(self).__name__}()(x)."
            )
            raise CallCountError(msg)
        if not inputs or not all(isinstance(each, NDArray) for each in inputs):
            raise _no_inputs(self, inputs)
        self._used = True
        results = _apply(self, inputs, *(held(array) for array in inputs))
        arrays = [like(inputs[0], result) for result in results]
        return arrays[0] if self.is_single else arrays

    is_single = True


def _no_inputs(function: Function, inputs: Sequence[object]) -> OperandError:
    name = type(function).__name__
    if not inputs:
        return OperandError(f"{name}: nothing was given. Expected arrays. Write {name}()(x).")
    strange = next(each for each in inputs if not isinstance(each, NDArray))
    return OperandError(no_array(name, "an input", strange, "Write mx.nd.array(...)."))


def _not_defined(function: Function, method: str) -> MissingMethodError:
    msg = (
        f"{type(function).__name__}: {method} is not defined. Expected a subclass of "
        f"autograd.Function that defines forward() and backward()."
    )
    return MissingMethodError(msg)


# A Function object serves one call, so a captured graph can't call it again.
@once_only
def _apply(function: Function, inputs: Sequence[NDArray], *tensors: Tensor) -> tuple[Tensor, ...]:
    return _Bridge.apply(function, inputs, *tensors)  # type: ignore[no-untyped-call,no-any-return]


_FORWARD = (
    "forward(self, *inputs), with as many inputs as the call has, and backward(self, *gradients). "
    "No method is static: self.save_for_backward(x) keeps what PyTorch's ctx does."
)


class _Bridge(torch.autograd.Function):
    """torch's side of `Function`."""

    @staticmethod
    @override
    def forward(
        ctx: Any, function: Function, inputs: Sequence[NDArray], *tensors: Tensor
    ) -> tuple[Tensor, ...]:
        ctx.function, ctx.sample, ctx.count = function, inputs[0], len(inputs)
        arrays = [like(a, t.detach()) for a, t in zip(inputs, tensors, strict=True)]
        with pause(train_mode=state.training):
            outputs = called(
                f"{type(function).__name__}.forward", _FORWARD, function.forward, *arrays
            )
        function.is_single = isinstance(outputs, NDArray)
        return tuple(plain(output).view_as(plain(output)) for output in _as_list(outputs))

    @staticmethod
    @override
    def backward(ctx: Any, *grads: Tensor) -> Any:
        arrays = [like(ctx.sample, grad) for grad in grads]
        with pause(train_mode=state.training):
            results = _as_list(ctx.function.backward(*arrays))
        if len(results) != ctx.count:
            msg = (
                f"{type(ctx.function).__name__}.backward: it returned "
                f"{counted(len(results), 'gradient')} for {counted(ctx.count, 'input')}"
                f"{_inputs_of(ctx.function)}. Expected one for each input of forward(), in their "
                f"order. Write return {_gradients_of(ctx.function)}."
            )
            raise CallCountError(msg)
        return (None, None, *(plain(result) for result in results))


def _gradients_of(function: Function) -> str:
    """Return names for the gradients of what a function's `forward` takes."""
    names = (_inputs_of(function).strip(" ()") or "x, y").split(", ")
    tree = of_function(function.backward)
    inner = [*ast.walk(tree)] if tree is not None else []
    own = {node.id for node in inner if isinstance(node, ast.Name)}
    found = [
        next((form.format(name) for form in _GRADIENTS if form.format(name) in own), None)
        for name in names
    ]
    written = [each or f"grad_{name}" for each, name in zip(found, names, strict=True)]
    returned = [node.value for node in inner if isinstance(node, ast.Return)]
    if len(returned) == 1 and isinstance(returned[0], ast.BinOp):
        written[0] = ast.unparse(returned[0])
    return ", ".join(written)


def _inputs_of(function: Function) -> str:
    """Return the names of what a function's `forward` takes, where it says so."""
    parameters = inspect.signature(function.forward).parameters.values()
    names = [each.name for each in parameters if each.kind is each.POSITIONAL_OR_KEYWORD]
    return f" ({', '.join(names)})" if len(names) == len(parameters) else ""
