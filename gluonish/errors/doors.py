"""Doors: what public classes and functions say where they are called in another way than theirs."""

from __future__ import annotations

import functools
import inspect
from types import FunctionType, ModuleType
from typing import TYPE_CHECKING, Any

from gluonish.errors import MXNetError, UnknownArgumentError
from gluonish.errors.tracebacks import alone, is_from_ours, is_ours, shorten
from gluonish.late import LateModule

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from gluonish.errors import arguments, kinds, makers
else:
    arguments = LateModule("gluonish.errors.arguments")
    kinds = LateModule("gluonish.errors.kinds")
    makers = LateModule("gluonish.errors.makers")

# What is called for every operator, layer or weight has no door: an array's methods and functions
# have their own way to explain calls, and Blocks theirs.
_HOT_METHODS = frozenset(
    (
        "__call__", "forward", "hybrid_forward", "data", "grad", "list_data", "list_grad",
        "register_child", "asnumpy", "astype", "as_in_context", "as_in_ctx", "copy", "detach",
        "wait_to_read", "receive", "arrive", "prepare", "scale_for", "has_own_steps",
    )
)  # fmt: skip
_NOT_HOT = ("gluonish.module", "gluonish.symbol.executor")  # whose forward is for a whole batch
_HOT_FUNCTIONS = frozenset(
    (
        "is_recording", "is_training", "set_recording", "set_training", "current_context",
        "is_np_array", "is_np_shape", "cpu", "gpu",
    )
)  # fmt: skip
_NO_METHODS = ("Context", "Optimizer", "Initializer", "LRScheduler")
_MADE = ("__init__", "__new__")
_SPECIAL = ("__getitem__", "__setitem__", "__bool__", "__len__", "__iter__", "__contains__")
_BUILTIN = (
    TypeError, AttributeError, ValueError, IndexError, KeyError, ArithmeticError, RuntimeError,
)  # fmt: skip
_doors: dict[Callable[..., Any], Callable[..., Any]] = {}
_with_doors: set[type] = set()
_OUTSIDE = ("gluonish.errors", "gluonish.ops", "gluonish.process", "gluonish.mxnet_import")


def door(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return a function with tracebacks that end where it is called; a decorator.

    Calls that do not fit its signature are explained in words of ours.

    Examples
    --------
    >>> from gluonish.errors.doors import door
    >>> @door
    ... def scale(x, factor=2):
    ...     return x * factor
    >>> scale(3, factr=4)
    Traceback (most recent call last):
    gluonish.errors.UnknownArgumentError: scale: got an unexpected keyword argument, factr=4. \
Expected some of x, factor. Did you mean 'factor'? Write factor=4.
    """
    told, end, base = _explained, shorten, BaseException
    keep = functools.partial(_kept, function) if function.__name__ in _MADE else None

    def call(*args: Any, **kwargs: Any) -> object:
        try:
            if keep is None:
                return function(*args, **kwargs)
            return keep(args, kwargs, function(*args, **kwargs))
        except base as error:
            other = told(made, args, kwargs, error)
            if other is None:
                end(error)
                raise
            try:
                raise other
            except base as shown:
                end(shown)
                raise

    # Its globals are those of the function, by which doctest finds where functions are from.
    made = FunctionType(call.__code__, function.__globals__, None, None, call.__closure__)
    functools.update_wrapper(made, function)
    made.__is_door__ = True  # type: ignore[attr-defined]
    return made


def settle(module: ModuleType) -> None:
    """Put doors in front of the public classes and functions of a module of ours.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.init.Normal(std=0.1)
    Traceback (most recent call last):
    gluonish.errors.UnknownArgumentError: Normal: got an unexpected keyword argument, std=0.1. \
Expected some of sigma. Did you mean 'sigma'? Write sigma=0.1.
    """
    package = module.__name__.partition(".")[0]
    for name, value in _public(module, package):
        if isinstance(value, type):
            settle_class(value)
        else:
            if value not in _doors:
                _doors[value] = door(value)
            setattr(module, name, _doors[value])


def _public(module: ModuleType, package: str) -> Iterator[tuple[str, Any]]:
    for name in vars(module).get("__all__", ()):
        value = vars(module).get(name)
        home = getattr(value, "__module__", None) or ""
        if not home.startswith(f"{package}.") or home.startswith(_OUTSIDE):
            continue
        if isinstance(value, type) or (_is_plain(value) and name not in _HOT_FUNCTIONS):
            yield name, value


def settle_class(cls: type) -> None:
    """Put doors before the constructors and methods of a class, and those that it inherits.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.errors.doors import settle_class
    >>> settle_class(mx.init.Normal)
    """
    package = __name__.partition(".")[0]
    for each in cls.__mro__:
        if each in _with_doors:
            continue
        _with_doors.add(each)
        home = each.__module__
        if not home.startswith(f"{package}.") or home.startswith(_OUTSIDE):
            continue
        has_methods = not any(base.__name__ in _NO_METHODS for base in each.__mro__)
        for name, value in list(vars(each).items()):
            is_wanted = not name.startswith("_") or name in _SPECIAL
            is_hot = name in _HOT_METHODS and not home.startswith(_NOT_HOT)
            is_taken = has_methods or isinstance(value, staticmethod)
            if name in _MADE or (is_taken and is_wanted and not is_hot):
                if isinstance(value, staticmethod) and _is_plain(value.__func__):
                    setattr(each, name, staticmethod(door(value.__func__)))
                elif isinstance(value, property) and _is_plain(value.fset):
                    setattr(each, name, value.setter(door(value.fset)))  # type: ignore[arg-type]
                elif _is_plain(value):
                    setattr(each, name, door(value))


def _is_plain(value: object) -> bool:
    """Return whether something is a function of ours that is written out, and has no door yet."""
    return (
        type(value) is FunctionType
        and not hasattr(value, "__is_door__")
        and not hasattr(value, "__signature__")
        and is_ours(value.__code__.co_filename)
    )


def _explained(
    function: Callable[..., Any],
    args: Sequence[Any],
    kwargs: dict[str, Any],
    error: BaseException,
) -> MXNetError | None:
    """Return what to raise for an error of a call, or None: itself."""
    if isinstance(error, MXNetError):
        alone(error)
        is_passed_on = hasattr(error, "is_kept") and function.__name__ in _MADE
        outer = kinds.kept_misfit(function, args, kwargs) if is_passed_on else None
        return None if outer is None else alone(outer(_names(function, args)[0]))
    trace = error.__traceback__
    if isinstance(error, OSError) and is_from_ours(error):
        arguments.note_file(error, _names(function, args)[0][0])
    if trace is None or not isinstance(error, _BUILTIN):
        return None
    if (without := makers.on_class(function, args)) is not None:
        return alone(UnknownArgumentError(without))
    names, more = _names(function, args)
    if trace.tb_next is None:
        if type(error) is not TypeError:
            return None
        told: MXNetError | None = arguments.refused_call(names, function, args, kwargs, error, more)
    else:
        is_inside = is_from_ours(error)
        kept = kinds.kept_misfit(function, args, kwargs) if function.__name__ in _MADE else None
        told = kept(names) if kept is not None else None
        if told is None and is_inside:
            told = kinds.misfit(names, function, args, kwargs, error)
            told = told or kinds.lacking_key(names, function, args, kwargs, error)
        if told is None and is_inside and not hasattr(error, "is_explained"):
            arguments.note_call(error, names, function, args, kwargs)
    if told is not None:
        alone(told)
    return told


def _kept(
    function: Callable[..., Any], args: Sequence[Any], kwargs: dict[str, Any], made: object
) -> object:
    """Return what a constructor returned, unless it kept what can't have been meant."""
    told = kinds.kept_misfit(function, args, kwargs)
    if told is not None:
        raise told(_names(function, args)[0])
    return made


def _names(function: Callable[..., Any], args: Sequence[Any]) -> tuple[list[str], list[str]]:
    """Return what a function is called for users, and which keywords classes below it take."""
    name, qualified = function.__name__, function.__qualname__
    owner = qualified.rpartition(".")[0].rpartition(".")[2]
    if not owner or not args:
        home = function.__module__.rpartition(".")[2]
        return [name, f"{home}.{name}"], []
    kind = args[0] if name == "__new__" else type(args[0])
    classes = [each for each in kind.__mro__ if each.__module__.startswith("gluonish.")]
    if name not in _MADE:
        return [f"{each.__name__}.{name}" for each in classes] or [qualified], []
    above = next((i for i, each in enumerate(classes) if each.__name__ == owner), 0)
    while above and (
        classes[above].__name__.startswith("_") or _passes_on(classes[above - 1].__init__)  # type: ignore[misc]
    ):
        above -= 1
    shown = classes[above:]
    if not shown:
        return [qualified], []
    is_own = shown[0].__name__ == owner and not _passes_on(function)
    return [each.__name__ for each in shown], [] if is_own else _keywords(shown[0])


def _passes_on(function: Callable[..., Any]) -> bool:
    """Return whether a function takes keywords of any name."""
    parameters = inspect.signature(function).parameters.values()
    return any(one.kind is one.VAR_KEYWORD for one in parameters)


def _keywords(cls: type) -> list[str]:
    """Return the keywords that the constructors of a class and its bases take."""
    known: dict[str, None] = {}
    for each in cls.__mro__[:-1]:
        if "__init__" in vars(each):
            parameters = inspect.signature(vars(each)["__init__"]).parameters.values()
            known.update((one.name, None) for one in parameters if one.kind < one.VAR_KEYWORD)
    known.pop("self", None)
    return list(known)
