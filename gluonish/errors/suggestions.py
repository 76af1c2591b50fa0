"""Nearest names: what errors propose where a name is misspelt, in registries and in modules."""

from __future__ import annotations

import re
import sys
from difflib import get_close_matches
from functools import partial
from inspect import getattr_static
from typing import TYPE_CHECKING, NoReturn, TypeVar

import numpy as onp
import torch
from typing_extensions import override

from gluonish.errors import UnknownNameError, program_text
from gluonish.errors.habits.attributes import ATTRIBUTES, SEALED
from gluonish.errors.tracebacks import shorten
from gluonish.late import LateModule

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gluonish.errors import habits
else:
    habits = LateModule("gluonish.errors.habits")

_Class = TypeVar("_Class", bound=type)
# Where functions of arrays are, in the order in which they are looked for.
_FRONT_ENDS = {
    "numpy_extension": "npx",
    "numpy": "np",
    "ndarray": "nd",
    "ndarray.contrib": "nd.contrib",
    "numpy.random": "np.random",
    "ndarray.random": "nd.random",
    "numpy.linalg": "np.linalg",
    "ndarray.linalg": "nd.linalg",
}
_INNER = (["array"], ["block"], ["hybrid"], ["ops"])  # rooms that a room above shows to programs
_FEW = 30  # names
# What advice about objects of a class calls them.
_PLACEHOLDERS = {
    "NDArray": r"x\b", "Sequential": r"net\b", "HybridSequential": r"net\b",
    "Block": r"net(?=\.)", "Trainer": r"trainer\b", "EvalMetric": r"metric\b",
    "MXRecordIO": r"record\b", "Dataset": r"dataset\b",
}  # fmt: skip
_BEGINNING = 3  # letters of a name that say enough
_OF_ARRAYS = frozenset(
    ("gluonish", "gluonish.random", *(f"gluonish.{space}" for space in _FRONT_ENDS))
)
_OF_TORCH = {"torch": torch, "torch.nn.functional": torch.nn.functional}
_SPACES = frozenset(f"gluonish.{space}" for space in _FRONT_ENDS)


def nearest(name: str, known: Iterable[str], cutoff: float = 0.6) -> str | None:
    """Return the known name that looks most like another, whatever their case, or None.

    Where none does, the only one that begins with it, as `act_type` begins with `act`.

    Examples
    --------
    >>> from gluonish.errors.suggestions import nearest
    >>> nearest("addam", ["sgd", "adam"]), nearest("Relu", ["relu"]), nearest("x", ["adam"])
    ('adam', 'relu', None)
    """
    spelt = sorted(known)
    found = get_close_matches(name.lower(), {each.lower() for each in spelt}, n=1, cutoff=cutoff)
    alike = [each for each in spelt if each.lower() in found]
    begun = [] if alike else [each for each in spelt if each.startswith(f"{name}_")]
    if len(begun) == 1 and len(name) >= _BEGINNING:
        return begun[0]
    return next(iter(get_close_matches(name, alike, n=1, cutoff=0)), None)


def did_you_mean(name: str, known: Iterable[str]) -> str:
    """Return a question for the end of a message, with a space before it; or nothing.

    Examples
    --------
    >>> from gluonish.errors.suggestions import did_you_mean
    >>> did_you_mean("acuracy", ["accuracy", "mse"])
    " Did you mean 'accuracy'?"
    >>> did_you_mean("acuracy", [])
    ''
    """
    found = nearest(name, known)
    return "" if found is None else f" Did you mean {found!r}?"


def misspelt_method(cls: type, name: str) -> str:
    """Return what to say where a class has not a method, but one that looks like it; or nothing.

    Examples
    --------
    >>> from gluonish.errors.suggestions import misspelt_method
    >>> class Net:
    ...     __module__ = 'program'
    ...     def foward(self, x): ...
    >>> misspelt_method(Net, 'forward')
    " Net has 'foward': write forward."
    """
    own = [
        each
        for base in cls.__mro__
        if not base.__module__.startswith("gluonish.")
        for each in vars(base)
        if not each.startswith("__")
    ]
    found = nearest(name, own, 0.75)
    if found is None and name != "forward" and "forward" in own:
        found = "forward"
    if found is None:
        found = next((each for each in _FORWARDS if each in own), None)
    return "" if found in (None, name) else f" {cls.__name__} has {found!r}: write {name}."


def unknown_name(module: str, name: str) -> UnknownNameError:
    """Return the error for a name that a module does not have, with the nearest one it has.

    Examples
    --------
    >>> from gluonish.errors.suggestions import unknown_name
    >>> import gluonish
    >>> print(unknown_name("gluonish.ndarray", "sofmax"))
    module 'gluonish.ndarray' has no attribute 'sofmax'. The nearest name there is 'softmax'.
    """
    return UnknownNameError(name, f"module {module!r}", partial(_in_module, module, name))


def instead(path: str) -> str | None:
    """Return what to use in place of a name that gluonish lacks on purpose, or None.

    Examples
    --------
    >>> from gluonish.errors.suggestions import instead
    >>> instead("gluonish.contrib.quant")
    'contrib.quantization is it.'
    >>> instead("gluonish.nd.zeros")
    """
    known = path.partition(".")[2]
    name = known.rpartition(".")[2]
    found = habits.NAMES.get(known) or habits.RARER.get(known) or habits.ANYWHERE.get(name)
    return None if found is None else f"{found}."


def did_you_mean_value(registry: str, name: object, known: Iterable[str]) -> str:
    """Return what to write in place of a registered name, with a space before it; or nothing.

    Examples
    --------
    >>> from gluonish.errors.suggestions import did_you_mean_value
    >>> did_you_mean_value("init", "he_normal", ["xavier"])
    " Write mx.init.MSRAPrelu('in', 0) in its place."
    >>> did_you_mean_value("init", "xaviar", ["xavier"])
    " Did you mean 'xavier'?"
    """
    if not isinstance(name, str):
        return ""
    ours = habits.VALUES[registry].get(name.lower().replace("_", ""))
    return did_you_mean(name, known) if ours is None else f" {ours}."


def late_import(text: str) -> str | None:
    """Return what to import where Python says that a module of ours lacks a name; or None.

    Examples
    --------
    >>> import gluonish
    >>> from gluonish.errors.suggestions import late_import
    >>> late_import("cannot import name 'Dence' from 'gluonish.nn' (x.py)")
    "The nearest name there is 'Dense'."
    >>> late_import("No module named 'gluonish.loss'")
    'Write from gluonish.gluon import loss.'
    """
    lacking = re.match(r"cannot import name '(\w+)' from '(gluonish[\w.]*)'", text)
    if lacking is None:
        module = re.match(r"No module named '(gluonish\.(?:[\w.]+\.)?(\w+))'", text)
        if module is None:
            return None
        other = _home_of(module[2]) or instead(module[1])
        return other or "Write import gluonish as mx: mx.nd, mx.gluon and all others come with it."
    name, place = lacking.groups()
    other = instead(f"{place}.{name}")
    return other or _home_of(name) or _in_module(place, name).strip()


def _home_of(name: str) -> str | None:
    """Return the line that imports a public name from the shortest module that lists it."""
    home = _home(name)
    return None if home is None else f"Write from {home} import {name}."


def _home(name: str) -> str | None:
    homes = [
        path
        for path, module in list(sys.modules.items())
        if path.partition(".")[0] == "gluonish"
        and name in (vars(module).get("__all__") or ())
        and not any(part.startswith("_") for part in path.split("."))
    ]
    inner = [path for path in homes if path.split(".")[1:2] in _INNER]
    return min(set(homes) - set(inner) or inner, key=lambda p: (p.count("."), p), default=None)


_FORWARDS = ("call", "__call__", "predict", "run")  # where other libraries compute


class _Hint:
    """An attribute that is not there, and says what to use."""

    def __init__(self, name: str, hint: str) -> None:
        self._name = name
        self._hint = hint

    def __get__(self, obj: object, cls: type) -> object:
        own = getattr(obj, "__dict__", {})
        if self._name in own:
            return own[self._name]
        try:
            self._refuse(cls)
        except UnknownNameError as error:
            shorten(error)
            raise

    def _refuse(self, cls: type) -> NoReturn:
        hint = partial(self._told, cls, program_text.place())
        raise UnknownNameError(self._name, f"{cls.__name__!r} object", hint)

    def _told(self, cls: type, place: program_text.Place | None) -> str:
        names = (base.__name__ for base in cls.__mro__)
        stands_for = next((_PLACEHOLDERS[name] for name in names if name in _PLACEHOLDERS), None)
        text = self._text(cls)
        if stands_for is None or (stands_for.endswith(".)") and "net[" in text):
            return text
        return program_text.of_receiver(text, stands_for, place)

    def _text(self, cls: type) -> str:  # noqa: ARG002 - those below ask
        return f" {self._hint}."


class _Sealed(_Hint):
    """One that can't be set either, since that would change nothing; classes of programs may."""

    def __set__(self, obj: object, value: object) -> None:
        if not type(obj).__module__.startswith("gluonish.") and hasattr(obj, "__dict__"):
            obj.__dict__[self._name] = value
            return
        try:
            self._refuse(type(obj))
        except UnknownNameError as error:
            shorten(error)
            raise


class _Foreign(_Sealed):
    """One of torch's tensors for which there is no better hint."""

    @override
    def _text(self, cls: type) -> str:  # looked up here, since the front ends are made after arrays
        name = self._name
        if name.endswith("_"):
            plain = name.rstrip("_")
            is_method = callable(getattr(cls, plain, None))
            value = f"x.{plain}(...)" if is_method else "value"
            return f" Write to an array by x[:] = {value}, or x += value."
        is_nd = cls.__name__ == "NDArray"
        spaces = [*_FRONT_ENDS.items()]
        for space, short in sorted(spaces, key=lambda each: is_nd and each[1].startswith("np")):
            if name in names_of(f"gluonish.{space}"):
                is_other = short.startswith("np") and is_nd
                x = "x.as_np_ndarray()" if is_other else "x"
                return f" {short}.{name}({x}, ...) is a function of mx.{short}."
        return f" x.tensor.{name} is that of torch's tensor; nd.from_torch(tensor) makes an array."


def with_hints(cls: _Class, foreign: Iterable[str] = ()) -> _Class:
    """Have objects of a class say what to use in place of names that PyTorch's objects have.

    Classes below may have such names, and so may objects. `hasattr` does not see them, nor `dir`.
    `foreign` are names that torch's class has, for which there may be no hint in the table.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.ones(2).numpy()
    Traceback (most recent call last):
    gluonish.errors.UnknownNameError: 'NDArray' object has no attribute 'numpy'. x.asnumpy() \
copies an array to NumPy.
    """
    hints = ATTRIBUTES[cls.__name__]
    sealed = SEALED.get(cls.__name__, ())
    for name, hint in hints.items():
        if name.isidentifier() and not hasattr(cls, name):
            kind = _Sealed if sealed is None or name in sealed else _Hint
            setattr(cls, name, kind(name, hint))
    for name in foreign:
        if not (name.startswith("_") or name in hints or hasattr(cls, name)):
            setattr(cls, name, _Foreign(name, ""))
    cls.__dir__ = _there  # type: ignore[assignment, method-assign]
    return cls


def _there(self: object) -> list[str]:
    listed = object.__dir__(self)
    return [name for name in listed if not isinstance(getattr_static(self, name, None), _Hint)]


def names_of(module: str) -> set[str]:
    """Return the names of a module that is imported, those among them that it builds when asked.

    Examples
    --------
    >>> import gluonish
    >>> from gluonish.errors.suggestions import names_of
    >>> "arctanh" in names_of("gluonish.ndarray"), names_of("no_such_module")
    (True, set())
    """
    names = vars(sys.modules[module]) if module in sys.modules else {}
    return {*names, *names.get("_BUILDERS", ())}


def _in_module(module: str, name: str) -> str:
    other = instead(f"{module}.{name}")
    if other is not None:
        return f" {other}"
    for space, short in _FRONT_ENDS.items():
        path = f"gluonish.{space}"
        if module in _SPACES and path != module and name in names_of(path):
            return f" mx.{short}.{name} is it."
    listed = vars(sys.modules.get(module, object)).get("__all__") or names_of(module)
    rooms = [each for each in names_of(module) if f"{module}.{each}" in sys.modules]
    found = nearest(name, [each for each in {*listed, *rooms} if not each.startswith("_")])
    if found is not None and found.lower() == name.lower():
        return f" The nearest name there is {found!r}."
    if (elsewhere := _elsewhere(module, name)) is not None:
        return f" {elsewhere}."
    if found is not None:
        return f" The nearest name there is {found!r}."
    public = sorted(each for each in listed if not each.startswith("_"))
    if 0 < len(public) <= _FEW:
        return f" Expected one of {', '.join(public)}."
    return f" Expected one of the names that dir({module}) lists."


def _elsewhere(module: str, name: str) -> str | None:
    """Return where a name is that a module lacks: in another module of ours, in NumPy, in torch."""
    home = _home(name)
    if home is not None and home != module:
        shown = home.replace("gluonish.nn", "gluonish.gluon.nn").replace("gluonish", "mx", 1)
        return f"{shown}.{name} is it"
    if module not in _OF_ARRAYS:
        return None
    if name in onp.__all__ and callable(getattr(onp, name)):
        space = "np" if module.startswith("gluonish.numpy") else "nd"
        return f"numpy.{name}(x.asnumpy()) is NumPy's; mx.{space}.array(...) makes an array of it"
    for space, module_of_torch in _OF_TORCH.items():
        if callable(getattr(module_of_torch, name, None)) and not name.startswith("_"):
            return f"{space}.{name}(x.tensor) is PyTorch's; nd.from_torch(...) makes an array of it"
    return None
