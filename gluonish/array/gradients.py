"""Gradients of arrays: how they are asked for, and how they arrive."""

from __future__ import annotations

from itertools import compress
from typing import TYPE_CHECKING, Any, ClassVar, Final

import torch

from gluonish.array.constant_results import head, is_captured
from gluonish.array.dtypes import numpy_dtype
from gluonish.array.tensors import as_default, overwritten, plain
from gluonish.array.used_graphs import reached, use_up
from gluonish.array.zero_pages import zeros_for
from gluonish.errors import (
    AutogradError,
    DTypeError,
    GradientRequestError,
    MXNetError,
    OutOfMemoryError,
    ShapeError,
)
from gluonish.errors.device_memory import missing_on_device
from gluonish.errors.program_recording import (
    attached,
    constant_gradient,
    earlier_backward,
    names_of_gradients,
    variables,
    what_is_frozen,
    what_replaced_them,
    what_to_record,
    where_it_is_lost,
)
from gluonish.errors.program_text import of_receiver, place
from gluonish.errors.tracebacks import alone, codes_of_program
from gluonish.process.noting import ways
from gluonish.process.recording import state
from gluonish.process.torch_names import execution_engine

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from torch import Tensor

    from gluonish.array.core import NDArray

_ENGINE = execution_engine  # spares 10 us a backward
_GRAD_REQS = ("write", "add", "null")
_LARGE: Final = 2**20  # bytes of a gradient that makes room for the next one
_GRADIENT: Final = "gradient_of_leaf"
_USED_UP = (
    "backward: the recorded graph was used up by {}. Expected one "
    "pass per recording, from whichever head. {}, or record again."
)


class Gradient:
    """What `attach_grad` adds to an array: the gradient's array and how it is updated."""

    __slots__ = ("buffer", "grad_req", "is_fresh", "is_large", "listener")
    are_large: ClassVar[bool] = False  # some of all there ever were
    are_wanted: ClassVar[bool] = False  # of some array there ever was
    asked_in: ClassVar[Any] = None  # the code that asked for some while operators were recorded

    def __init__(self, buffer: NDArray, grad_req: str) -> None:
        self.buffer = buffer
        self.grad_req = grad_req
        self.is_fresh = False
        self.is_large = False  # so that it pays to make room before another one takes its place
        self.listener: Callable[[], None] | None = None  # told of each new gradient
        Gradient.are_wanted = True

    def listen(self, leaf: Tensor) -> None:
        """Be told when torch has accumulated the gradient of a leaf."""
        leaf.register_post_accumulate_grad_hook(self.receive)  # type: ignore[no-untyped-call]
        self.is_large = self.grad_req == "write" and leaf.nbytes >= _LARGE
        if self.is_large:
            Gradient.are_large = True
            setattr(leaf, _GRADIENT, self)

    def make_room(self) -> None:
        """Let go of a gradient that another one is about to replace."""
        self.buffer._tensor = zeros_for(plain(self.buffer))

    def receive(self, leaf: Tensor) -> None:
        """Take over the gradient that torch has just accumulated on the leaf."""
        gradient = leaf.grad
        leaf.grad = None
        if gradient is None:
            return
        if gradient._is_zerotensor():
            gradient = torch.zeros_like(gradient)
        if self.grad_req == "write" and self.listener is None:  # as `arrive` does
            self.buffer._tensor = gradient
            self.is_fresh = True
            return
        self.arrive(gradient)

    def arrive(self, gradient: Tensor) -> None:
        """Take over a gradient, which is in memory of its own."""
        if self.grad_req == "add":
            overwritten(self.buffer).add_(gradient)
        else:
            self.buffer._tensor = gradient
        self.is_fresh = True
        if self.listener is not None:
            self.listener()


def materialized(gradient: Tensor) -> Tensor:
    """Return the zeros that torch only promises for some second derivatives; others as they are."""
    if is_captured():  # a captured graph must not ask
        return gradient
    return torch.zeros_like(gradient) if gradient._is_zerotensor() else gradient


def attachment(array: NDArray) -> Gradient | None:
    """Return what `attach_grad` added, or None."""
    try:
        return array._attached
    except AttributeError:
        return None


def deliver(arrays: Sequence[NDArray], gradients: Sequence[Tensor]) -> None:
    """Have gradients, each in memory of its own, arrive where they are attached."""
    for array, gradient in zip(arrays, gradients, strict=True):
        array._attached.arrive(gradient)


def attach(array: NDArray, buffer: NDArray, grad_req: str) -> None:
    """Make an array a leaf whose gradient goes into `buffer`.

    Raises
    ------
    GradientRequestError
        `grad_req` is not known.
    """
    if grad_req not in _GRAD_REQS:
        msg = (
            f"grad_req {grad_req!r} was given. Expected 'write', 'add' or 'null'. Write "
            f"x.attach_grad('write')."
        )
        raise GradientRequestError(msg)
    if array.stype != "default":
        array._attach(buffer, grad_req)
        return
    outside = plain(array)
    if grad_req == "null":
        array._tensor = outside
        array._attached = Gradient(buffer, grad_req)
        return
    if not (outside.dtype.is_floating_point or outside.dtype.is_complex):
        array._tensor = outside
        array._attached = Gradient(buffer, grad_req)  # which stays zeros
        return
    leaf = outside.data.requires_grad_()
    gradient = buffer._gradient_class(buffer, grad_req)
    gradient.listen(leaf)
    array._plain = outside
    array._tensor = leaf
    array._attached = gradient


def drop_gradient(array: NDArray) -> None:
    """Undo `attach_grad`."""
    array._tensor = plain(array)
    if attachment(array) is not None:
        del array._attached


def rebind(array: NDArray, tensor: Tensor) -> None:
    """Give an array other memory, keeping its attached gradient where it has one."""
    attached = attachment(array)
    array._tensor = tensor
    if hasattr(array, "_plain"):
        del array._plain
    if attached is not None:
        attach(array, attached.buffer, attached.grad_req)


def run_backward(
    heads: list[NDArray], head_grads: list[NDArray | None] | None, *, retain_graph: bool
) -> None:
    """Run torch's backward from some arrays; gradients arrive where they are attached."""
    first = heads[0]._tensor
    node = first.grad_fn if len(heads) == 1 and head_grads is None else None
    if node is not None and node._sequence_nr() >= state.last_pass.until:  # of new operators alone
        tensors: tuple[Tensor, ...] = (first,)
        grads: tuple[Tensor, ...] = (torch.ones_like(first),)
    else:
        tensors, grads = _checked(heads, head_grads)
    if Gradient.are_large and not retain_graph:
        _make_room(tensors)
    try:
        # What torch.autograd.backward calls after it has checked what is checked above.
        _ENGINE.run_backward(
            tensors, grads, retain_graph, False, (),
            allow_unreachable=True, accumulate_grad=True,
        )  # fmt: skip
    except RuntimeError as error:
        explained = explain_backward(error)
        if explained is error:
            raise  # with the cause that it has
        explained.__cause__ = error
        raise explained from alone(explained).__cause__
    if not retain_graph:
        use_up(tensors)


def _checked(
    heads: list[NDArray], head_grads: list[NDArray | None] | None
) -> tuple[tuple[Tensor, ...], tuple[Tensor, ...]]:
    """Return the tensors to go back from, and their gradients.

    Raises
    ------
    AutogradError
        Nothing was recorded of one, or its graph was used up.
    """
    tensors = tuple([head._tensor for head in heads])
    if len(tensors) > 1:
        wanted = [not _is_passed_over(each) for each in heads]
        if any(wanted) and not all(wanted):
            head_grads = head_grads and list(compress(head_grads, wanted))
            tensors = tuple(compress(tensors, wanted))
    for position, tensor in enumerate(tensors):
        if not tensor.requires_grad:
            if any(tensor is each for each in state.fused_heads):
                raise _used_up()
            found = head(tensor)
            if found is None:
                error = not_recorded(tensor, "backward")
                raise error
            tensors = (*tensors[:position], found, *tensors[position + 1 :])
        for used in state.last_pass.heads:
            if used is tensor and tensor.grad_fn is not None:  # an array by itself is no graph
                raise _used_up()
    grads = tuple(
        torch.ones_like(tensor) if grad is None else _head_gradient(tensor, grad)
        for tensor, grad in zip(tensors, head_grads or [None] * len(tensors), strict=True)
    )
    return tensors, grads


def _is_passed_over(array: NDArray) -> bool:
    """Return whether an array was told that nobody wants its gradient."""
    attached = attachment(array)
    return attached is not None and attached.grad_req == "null"


def _make_room(heads: Sequence[Tensor]) -> None:
    """Let go of large gradients that a backward pass through new graphs will replace."""
    nodes = [node for head in heads if (node := head.grad_fn) is not None]
    if any(node._sequence_nr() < state.last_pass.until for node in nodes):
        return  # which may be used up, so that the pass may fail at once
    for node in reached(nodes):
        gradient: Gradient | None = getattr(getattr(node, "variable", None), _GRADIENT, None)
        if gradient is not None:
            gradient.make_room()


def gradients_of(
    heads: Sequence[Tensor],
    sources: Sequence[Tensor],
    grads: Sequence[Tensor],
    *,
    create_graph: bool = False,
) -> Sequence[Tensor | None]:
    """Return gradients for gradients of heads, of their shapes; None where there is none.

    As `torch.autograd.grad` does it, whose first call imports a library of symbolic mathematics,
    which takes a quarter of a second.
    """
    found: Sequence[Tensor | None] = _ENGINE.run_backward(
        tuple(heads), tuple(grads), create_graph, create_graph, tuple(sources),
        allow_unreachable=True, accumulate_grad=False,
    )  # fmt: skip
    return found


def not_recorded(tensor: Tensor, what: str) -> MXNetError:
    """Return the error for going back from what was not computed from arrays with gradients."""
    if not tensor.is_floating_point():
        return DTypeError(
            f"{what}: an array of dtype {numpy_dtype(tensor.dtype)} was given. Expected "
            f"floating-point numbers, since integers have no gradient here. Write "
            f"x.astype('float32') before x.attach_grad()."
        )
    if (bare := variables()) or not Gradient.are_wanted:
        calls, who = attached(bare or names_of_gradients()), " and ".join(bare) or "No array"
        has = "have" if len(bare) > 1 else "has"
        so_far = f"{who} {has} {'no' if bare else 'a'} gradient so far"
        how = f"{so_far}: write {calls} before autograd.record()."
    elif Gradient.asked_in is not None and Gradient.asked_in in codes_of_program():
        line, call = constant_gradient() or (
            0,
            "autograd.grad(heads, variables, create_graph=True)",
        )
        how = (
            f"What autograd.grad() returns is a constant, unless it is told to record its own "
            f"operators: write {call}{f' in line {line}' if line else ''} to go back through a "
            f"gradient."
        )
    elif (lost := where_it_is_lost() or what_replaced_them() or what_is_frozen()) is not None:
        how = lost
    else:
        how = (
            "Compute it inside 'with autograd.record():', outside of autograd.pause() and "
            "torch.no_grad(), with net(x) and the loss in it, and leave out .detach(), .asnumpy() "
            "and nd.array(...) on the way, as nd.maximum(x, y) does; an array x that is no Block's "
            "parameter needs x.attach_grad() before."
        )
        if not ways:
            how = (
                f"Nothing was recorded so far: write 'with autograd.record():'{what_to_record()}. "
                f"autograd.train_mode() alone records nothing."
            )
    return AutogradError(
        f"{what}: an array of shape {tuple(tensor.shape)} was not computed inside "
        f"autograd.record() from an array with a gradient. Expected a recorded result. {how}"
    )


def _head_gradient(tensor: Tensor, grad: NDArray) -> Tensor:
    value = plain(as_default(grad))
    if value.shape != tensor.shape:
        how = of_receiver("x.backward(nd.ones_like(x))", r"x\b", place())
        msg = (
            f"backward: a head gradient of shape {tuple(value.shape)} was given for an array of "
            f"shape {tuple(tensor.shape)}. Expected the same shape. Write {how}, or a number for "
            f"each of its."
        )
        raise ShapeError(msg)
    return value.to(tensor.dtype)


def _used_up() -> AutogradError:
    first = earlier_backward()
    if first is None:
        how = "Call the first one with retain_graph=True"
        return AutogradError(_USED_UP.format("an earlier backward()", how))
    line, call = first
    by = f"{call.partition('(')[0]}() in line {line}"
    return AutogradError(_USED_UP.format(by, f"Write {call} there"))


def explain_backward(error: RuntimeError) -> RuntimeError:
    """Return the error to raise for what torch said about a backward pass."""
    told = str(error)
    if "second time" in told:
        return _used_up()
    if (missing := missing_on_device(told)) is not None:
        msg = (
            f"backward: it needs {missing}. Expected what fits into memory. Make the batches "
            f"smaller."
        )
        return OutOfMemoryError(msg)
    return error
