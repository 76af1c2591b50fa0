"""Initializers by name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from gluonish.errors import (
    ArgumentKindError,
    MXNetError,
    RefusedArgumentError,
    UnknownArgumentError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.program_layers import where_written
from gluonish.errors.suggestions import did_you_mean_value
from gluonish.registry import put
from gluonish.serialization import json_text

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["alias", "create", "register"]

Klass = TypeVar("Klass", bound=type[Any])

_SHOWN = 80  # characters of a text that errors show

_classes: dict[str, type[Any]] = {}


def register(klass: Klass) -> Klass:
    """Make an initializer known by its class name, in lower case; a decorator.

    Parameters
    ----------
    klass : type
        Subclass of `Initializer`.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.init.register
    ... class Seven(mx.init.Initializer):
    ...     def _init_weight(self, name, arr):
    ...         arr[:] = 7
    >>> net = mx.gluon.nn.Dense(1, in_units=2, weight_initializer='seven')
    """
    put(_classes, klass, klass.__name__, "initializer")
    return klass


def alias(*aliases: str) -> Callable[[Klass], Klass]:
    """Make an initializer known by further names; a decorator.

    Parameters
    ----------
    *aliases : str
        The names.

    Examples
    --------
    >>> import gluonish as mx
    >>> @mx.init.register
    ... @mx.init.alias('eights')
    ... class Eight(mx.init.Initializer):
    ...     def _init_weight(self, name, arr):
    ...         arr[:] = 8
    >>> mx.init.create('eights').dumps()
    '["eight", {}]'
    """

    def decorate(klass: Klass) -> Klass:
        for name in aliases:
            put(_classes, klass, name, "initializer")
        return klass

    return decorate


def create(initializer: Any, *args: Any, **kwargs: Any) -> Any:
    """Return an initializer by its name.

    Parameters
    ----------
    initializer : str or Initializer
        A name in any case, what `dumps()` returned, or an initializer (any callable that takes
        name and array), which is returned as it is.
    *args, **kwargs
        Arguments of its constructor.

    Raises
    ------
    RefusedArgumentError
        There is no initializer of that name, or it is no name.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.init.create('normal', sigma=0.5).dumps()
    '["normal", {"sigma": 0.5}]'
    >>> mx.init.create('["normal", {"sigma": 0.5}]').sigma
    0.5
    """
    if callable(initializer) and not isinstance(initializer, type):
        if args or kwargs:
            msg = (
                "init.create: initializer is already an instance. Additional arguments are "
                "invalid. Expected none. Pass them to its constructor."
            )
            raise RefusedArgumentError(msg)
        return initializer
    if not isinstance(initializer, str):
        is_class = any(initializer is each for each in _classes.values())
        made = f"{initializer.__name__}(...)" if is_class else "Xavier()"
        msg = (
            f"init.create: {value_text(initializer)} was given; initializer must be of string "
            f"type. Expected a name such as 'xavier', or an Initializer. Write mx.init.{made}, "
            f"or p.set_data(array) for an array's values."
        )
        raise RefusedArgumentError(msg)
    name = initializer
    is_dumped = name.startswith(("[", "{"))
    if is_dumped:
        name, kwargs = _dumped(initializer)
    klass = _classes.get(name.lower())
    if klass is None:
        how = did_you_mean_value("init", name, _classes)
        how = how.replace(" in its place.", f" in its place{where_written(name)}.")
        how = how or " Write one of these, or an Initializer such as mx.init.Normal(0.01)."
        msg = (
            f"init.create: {name} is not registered. Expected one of "
            f"{', '.join(sorted(_classes))}.{how}"
        )
        raise RefusedArgumentError(msg)
    try:
        return klass(*args, **kwargs)
    except (TypeError, ValueError) as error:
        is_of_call = isinstance(error, (UnknownArgumentError, ArgumentKindError))
        if not is_dumped or (isinstance(error, MXNetError) and not is_of_call):
            raise
        raise _not_dumped(initializer, f"{name} does not take its arguments: {error}") from error


def _dumped(text: str) -> tuple[str, dict[str, Any]]:
    """Return name and arguments from what `dumps()` returned, which may stand in a file."""
    try:
        found = json_text.parse(text)
    except ValueError as error:
        raise _not_dumped(text, f"it is no JSON: {error}") from error
    if isinstance(found, dict) and "initializer" in found:
        found = [found.pop("initializer"), found]
    if not isinstance(found, list) or [type(part) for part in found] != [str, dict]:
        raise _not_dumped(text, "it is no name with arguments")
    return found[0], found[1]


def _not_dumped(text: str, problem: str) -> RefusedArgumentError:
    shown = text if len(text) <= _SHOWN else f"{text[:_SHOWN]}..."
    msg = (
        f"init.create: {shown!r} was given; {problem}. Expected what dumps() returned, such as "
        f'\'["normal", {{"sigma": 0.5}}]\'. Write mx.init.Normal(0.5).dumps().'
    )
    return RefusedArgumentError(msg)
