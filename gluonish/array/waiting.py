"""Arrays whose values are put off: whoever looks at one has all that was put off done first."""

from __future__ import annotations

import functools
import os
import threading
from typing import TYPE_CHECKING, Any

from gluonish.array.core import NDArray, np_class
from gluonish.errors import AutogradError
from gluonish.process.postponed import postponed, settle_all
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Protocol

    from torch import Tensor

    from gluonish.array.scaling import Rule

    class Postponed(Protocol):
        """Work that is put off, on some arrays."""

        def settle(self) -> None:
            """Do it now, the plain way; nothing is put off afterwards."""

        def look(self, array: NDArray) -> None:
            """Take note that this thread looks at an array that waits, or seems to."""

        def concerns(self, array: NDArray) -> bool:
            """Return whether the value of an array that waits may be among what is put off."""

        def backward(self, heads: Sequence[NDArray]) -> bool:
            """Differentiate, if that is what was expected; otherwise do nothing, and say so."""

        def update(self, owner: Any, make: Any) -> bool:
            """Do what was put off, with an owner's update; otherwise say that it didn't update."""

        def scale(
            self, arrays: Sequence[NDArray], rule: Rule, number: float, result: NDArray | None
        ) -> bool:
            """Put off that gradients are scaled; otherwise do nothing, and say so."""

        def operator(self, function: Any, args: Any, kwargs: Any) -> Any:
            """Call an operator on arrays that wait, or on results that are watched."""


SLOT: Any = NDArray.__dict__["_tensor"]
# What an array holds, and has it hold another one, even if it waits: for those who know.
slot_of: Callable[[NDArray], Tensor] = SLOT.__get__
put: Callable[[NDArray, Tensor], None] = SLOT.__set__
WAITING: dict[type[NDArray], type[NDArray]] = {}
# What an array's class becomes when it is hidden, and when it is shown; itself where it is already.
HIDDEN: dict[type, type[NDArray]] = {}
SHOWN: dict[type, type[NDArray]] = {}


class _Local(threading.local):
    """What this thread has put off, or watches."""

    postponed: Postponed | None = None


class _Looks:
    """How often an array was shown again: those that were hidden before are still so if never."""

    count = 0


class _Failure:
    """What was said of the latest call that was put off, and failed."""

    told = ""


failure = _Failure()
local = _Local()
looks = _Looks()


def hide(array: NDArray) -> None:
    """Have everybody who looks at an array's tensor settle what is put off first."""
    array.__class__ = HIDDEN[type(array)]


def show(array: NDArray) -> None:
    """Let everybody look at an array's tensor again."""
    looks.count += 1
    array.__class__ = SHOWN[type(array)]


def handed_out(array: NDArray) -> NDArray:
    """Return an array that a program asks for, shown if nothing is put off."""
    if not postponed and is_waiting(array):
        show(array)
    return array


def can_wait(array: NDArray) -> bool:
    """Return whether an array is of a class that can wait, and does not wait already."""
    return type(array) in WAITING


def is_waiting(value: object) -> bool:
    """Return whether something is an array that waits, or is watched."""
    return type(value) in _waiting_classes


def plain_class(array: NDArray) -> type[NDArray]:
    """Return the class of an array as it is when nothing is put off."""
    cls = type(array)
    return SHOWN.get(cls, cls)


def following(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return what calls a method that computes, where its array waits or is watched."""

    @functools.wraps(function)
    def call(self: NDArray, *args: Any, **kwargs: Any) -> Any:
        return follow(function, (self, *args), kwargs)

    return call


def follow(function: Callable[..., Any], args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Call an operator on arrays of which one waits, or is watched, as a part of the loop."""
    work = local.postponed
    if work is not None and state.recording and state.training:
        return work.operator(function, args, kwargs)
    for array in (*args, *kwargs.values()):
        if is_waiting(array):
            _look_at(array)
    return function(*args, **kwargs)


def _read(array: NDArray) -> Tensor:
    _look_at(array)
    return array._tensor


def _write(array: NDArray, tensor: Tensor) -> None:
    _look_at(array)
    array._tensor = tensor


def _is_fresh(array: NDArray) -> bool:
    _look_at(array)
    return array._fresh_grad


def _set_fresh(array: NDArray, value: bool) -> None:
    _look_at(array)
    array._fresh_grad = value


def _look_at(array: NDArray) -> None:
    work = local.postponed
    if work is not None:
        work.look(array)
    for work in tuple(postponed):
        if work.concerns(array):
            work.settle()
    if is_waiting(array):
        try:
            slot_of(array)
        except AttributeError:
            msg = (
                f"This array has no values, since the call that was to compute them failed: "
                f"{failure.told}"
            )
            raise AutogradError(msg) from None
        show(array)


def go_back(heads: Sequence[NDArray]) -> bool:
    """Return whether a loop differentiates some results in its own way."""
    work = local.postponed
    return work is not None and work.backward(heads)


def _backward(
    array: NDArray,
    out_grad: NDArray | None = None,
    retain_graph: bool = False,
    train_mode: bool = True,
) -> None:
    """Compute gradients; see `NDArray.backward`."""
    if out_grad is None and not retain_graph and train_mode and go_back([array]):
        return
    _look_at(array)
    array.backward(out_grad, retain_graph, train_mode)


def _waiting_class(cls: type[NDArray]) -> type[NDArray]:
    """Return the class of arrays that wait; the memory is laid out as in the class itself."""
    members = {
        "__slots__": (),
        "__module__": cls.__module__,
        "__doc__": cls.__doc__,
        "_tensor": property(_read, _write),
        "_fresh_grad": property(_is_fresh, _set_fresh),
        "backward": _backward,
    }
    return type(cls.__name__, (cls,), members)


for _cls in (NDArray, np_class()):
    WAITING[_cls] = HIDDEN[_cls] = _hidden = _waiting_class(_cls)
    HIDDEN[_hidden] = _hidden
    SHOWN[_cls] = SHOWN[_hidden] = _cls
_waiting_classes = frozenset(WAITING.values())
if hasattr(os, "register_at_fork"):  # a child has no thread that could do the work
    os.register_at_fork(before=settle_all)
