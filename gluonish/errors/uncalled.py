"""Methods that say so where somebody takes them for what they return."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NoReturn

from gluonish.errors import OperandError, ReadOnlyError, UnknownNameError
from gluonish.errors.doors import door
from gluonish.errors.program_text import method_of_line
from gluonish.errors.tracebacks import shorten
from gluonish.late import LateModule

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeVar

    from gluonish.errors import arguments

    Method = TypeVar("Method", bound=Callable[..., Any])
else:
    arguments = LateModule("gluonish.errors.arguments")


def asked_for(function: Method) -> Method:
    """Have a method refuse what belongs to its result: indexing, attributes; a decorator.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.gluon.Parameter('w', shape=(2,))
    >>> w.data[:] = 0
    Traceback (most recent call last):
    gluonish.errors.UnknownNameError: the method 'data' has no attribute '__setitem__'. It is to \
be called: write w.data()[:] = ... with its parentheses.
    """
    return _Method(door(function))  # type: ignore[return-value]


class _Method:
    """Stands for a method in its class."""

    def __init__(self, function: Callable[..., Any]) -> None:
        functools.update_wrapper(self, function)  # type: ignore[arg-type]
        self._function = function

    def __get__(self, obj: object, cls: type | None = None) -> Callable[..., Any]:
        if obj is None:
            return self._function
        own: Callable[..., Any] | None = vars(obj).get(self._function.__name__)
        return _Bound(self._function, obj) if own is None else own

    def __set__(self, obj: object, value: object) -> None:
        if callable(value):  # another method, for this object alone
            vars(obj)[self._function.__name__] = value
            return
        try:
            self._refuse_value(obj, value)
        except ReadOnlyError as error:
            shorten(error)
            raise

    def _refuse_value(self, obj: object, value: object) -> NoReturn:
        name = self._function.__name__
        how = "set_data(array)" if name == "data" else f"{name}()[:] = array"
        msg = (
            f"{type(obj).__name__}: {name}={arguments.value_text(value)} was to be set. "
            f"Expected a call, for {name} is a method. Write w.{how}."
        )
        raise ReadOnlyError(msg)


# PyTorch's methods that write to a parameter, and what they write.
_IN_PLACE = {
    "normal_": "mx.nd.random.normal({}, shape=w.shape)",
    "uniform_": "mx.nd.random.uniform({}, shape=w.shape)",
    "zero_": "mx.nd.zeros(w.shape)",
    "fill_": "mx.nd.full(w.shape, {})",
    "copy_": "{}",
}


def _set_by(method: str) -> str:
    """Return how a parameter gets what a method of PyTorch would write to it."""
    owner, given = method_of_line(method) or ("w", "...")
    return f"{owner}.set_data({_IN_PLACE[method].format(given).replace('(, ', '(')})".replace(
        "w.shape", f"{owner}.shape"
    )


class _Bound(functools.partial[Any]):
    """A method of an object, which only can be called."""

    def __getattr__(self, name: str) -> NoReturn:
        try:
            self._refuse(name)
        except UnknownNameError as error:
            shorten(error)
            raise

    def __getitem__(self, key: object) -> NoReturn:
        try:
            self._refuse("__getitem__")
        except UnknownNameError as error:
            shorten(error)
            raise

    def __setitem__(self, key: object, value: object) -> NoReturn:
        try:
            self._refuse("__setitem__")
        except UnknownNameError as error:
            shorten(error)
            raise

    def _refuse(self, name: str) -> NoReturn:
        method = self.func.__name__
        text = f" It is to be called: w.{method}() returns the array."
        if name == "__setitem__":
            text = f" It is to be called: write w.{method}()[:] = ... with its parentheses."
        if method == "data" and name in _IN_PLACE:
            text = f" Write {_set_by(name)}."
        if name.startswith("_") and not name.startswith("__"):  # what an operator wants of arrays
            msg = f"the method {method!r} was given where an array is expected.{text}"
            raise OperandError(msg)
        raise UnknownNameError(name, f"the method {method!r}", functools.partial(str, text))
