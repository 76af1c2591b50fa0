"""`mx.registry`: classes by names, for base classes of one's own."""

from __future__ import annotations

import json
import warnings
from typing import TYPE_CHECKING, Any, TypeVar

from gluonish.errors import RefusedArgumentError, RefusedClassError
from gluonish.errors.tracebacks import users_level

if TYPE_CHECKING:
    from collections.abc import Callable

Class = TypeVar("Class", bound=type)

__all__ = ["get_alias_func", "get_create_func", "get_register_func", "get_registry"]

_REGISTRY: dict[type, dict[str, type]] = {}


def get_registry(base_class: type) -> dict[str, type]:
    """Return a copy of what is registered for a base class: names in small letters, and classes.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Shape: pass
    >>> mx.registry.get_registry(Shape)
    {}
    """
    return dict(_REGISTRY.get(base_class, {}))


def get_register_func(base_class: type, nickname: str) -> Callable[..., type]:
    """Return a function that registers subclasses, by their names or by one that is given.

    Parameters
    ----------
    base_class : type
        Base of all classes.
    nickname : str
        What they are, for messages.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Shape: pass
    >>> register = mx.registry.get_register_func(Shape, 'shape')
    >>> @register
    ... class Circle(Shape): pass
    >>> sorted(mx.registry.get_registry(Shape))
    ['circle']
    """
    names = _REGISTRY.setdefault(base_class, {})

    def register(klass: type, name: str | None = None) -> type:
        given: object = klass
        if not (isinstance(given, type) and issubclass(given, base_class)):
            msg = (
                f"{nickname}.register: {klass!r} was given. Can only register subclass of "
                f"{base_class.__name__}. Expected a subclass of {base_class.__name__}: derive your "
                f"class from it."
            )
            raise RefusedClassError(msg)
        put(names, klass, name or klass.__name__, nickname)
        return klass

    register.__doc__ = f"Register {nickname} to the {nickname} factory"
    return register


def put(names: dict[str, Class], klass: Class, name: str, nickname: str) -> None:
    """Keep a class under a name in small letters; warn if another one had it before."""
    key = name.lower()
    known = names.get(key)
    if known is not None:
        warnings.warn(
            f"New {nickname} {klass.__module__}.{klass.__name__} registered with name {key} "
            f"is overriding existing {nickname} {known.__module__}.{known.__name__}",
            stacklevel=users_level(),
        )
    names[key] = klass


def get_alias_func(base_class: type, nickname: str) -> Callable[..., Callable[[type], type]]:
    """Return a decorator that registers subclasses under several names.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Shape: pass
    >>> alias = mx.registry.get_alias_func(Shape, 'shape')
    >>> @alias('round', 'disc')
    ... class Circle(Shape): pass
    >>> sorted(mx.registry.get_registry(Shape))
    ['disc', 'round']
    """
    register = get_register_func(base_class, nickname)

    def alias(*aliases: str) -> Callable[[type], type]:
        def decorate(klass: type) -> type:
            for name in aliases:
                register(klass, name)
            return klass

        return decorate

    return alias


def get_create_func(base_class: type, nickname: str) -> Callable[..., Any]:
    """Return a function that makes objects by their classes' names.

    It takes a name and the constructor's arguments; an object, which it returns; or JSON: a list
    of a name and keyword arguments, or keyword arguments with the name under `nickname`.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Shape: pass
    >>> register = mx.registry.get_register_func(Shape, 'shape')
    >>> @register
    ... class Circle(Shape):
    ...     def __init__(self, radius): self.radius = radius
    >>> create = mx.registry.get_create_func(Shape, 'shape')
    >>> create('circle', 3).radius, create('["circle", {"radius": 4}]').radius
    (3, 4)
    """
    names = _REGISTRY.setdefault(base_class, {})

    def create(*args: Any, **kwargs: Any) -> Any:  # noqa: ANN401 - a user's class
        name, *rest = args if args else (kwargs.pop(nickname, None),)
        if isinstance(name, base_class):
            if rest or kwargs:
                msg = (
                    f"{nickname}.create: {nickname} is already an instance. Additional arguments "
                    "are invalid. Give the object alone, or a name and arguments."
                )
                raise RefusedArgumentError(msg)
            return name
        if isinstance(name, dict):
            return create(**name)
        if not isinstance(name, str):
            msg = f"{nickname}.create: {name!r} was given; {nickname} must be of string type. "
            msg += "Expected a name, an object or JSON."
            raise RefusedArgumentError(msg)
        if name.startswith("["):
            listed, arguments = json.loads(name)
            return create(listed, **arguments)
        if name.startswith("{"):
            return create(**json.loads(name))
        if name.lower() not in names:
            known = ", ".join(sorted(names)) or "nothing is registered"
            msg = f"{nickname}.create: {name} is not registered. Please register with "
            msg += f"{nickname}.register first. Expected one of: {known}."
            raise RefusedArgumentError(msg)
        return names[name.lower()](*rest, **kwargs)

    create.__doc__ = f"Create a {nickname} instance from config."
    return create
