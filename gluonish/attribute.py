"""`mx.attribute`: `AttrScope`, whose attributes all Symbols made inside of it get."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping
    from types import TracebackType
    from typing import Self

__all__ = ["AttrScope", "current"]


class _Ambient(threading.local):
    """The innermost scope of one thread."""

    def __init__(self) -> None:
        self.value = AttrScope()


class _ScopeType(type):
    """What the class of scopes has, and scopes have not."""

    @override
    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), "current"})

    @property
    def current(cls) -> AttrScope:
        """The scope in force in this thread, which may be set to another one."""
        return _ambient.value

    @current.setter
    def current(cls, scope: AttrScope) -> None:
        _ambient.value = scope


class AttrScope(metaclass=_ScopeType):
    """Scope that gives attributes to the Symbols made inside of it; a context manager.

    Parameters
    ----------
    **kwargs : str
        The attributes. `ctx_group`, `lr_mult`, `wd_mult`, `force_mirroring` and `mirror_stage`
        mean something to gluonish; others start and end with two underscores.

    Raises
    ------
    InvalidArgumentError
        A value is not a string.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.AttrScope(ctx_group='stage1'):
    ...     x = mx.sym.var('x')
    >>> x.attr('ctx_group')
    'stage1'
    """

    _current: ClassVar[_Ambient]
    """Has the scope in force as `value`."""

    def __init__(self, **kwargs: object) -> None:
        attr: dict[str, str] = {}
        for name, value in kwargs.items():
            if not isinstance(value, str):
                msg = (
                    f"AttrScope: {name}={value!r} was given. Attributes need to be string. Write "
                    f"{name}={str(value)!r}."
                )
                raise InvalidArgumentError(msg)
            attr[name] = value
        self._attr = attr
        self.in_force = attr
        self._outer: list[AttrScope] = []

    def get(self, attr: Mapping[str, str] | None) -> dict[str, str]:
        """Return the attributes in force, replaced and extended by those given."""
        return self.in_force | dict(attr or {})

    def __enter__(self) -> Self:
        outer = self._current.value
        self._outer.append(outer)
        self.in_force = outer.in_force | self._attr
        self._current.value = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._current.value = self._outer.pop()
        self.in_force = self._attr


_ambient = AttrScope._current = _Ambient()  # noqa: SLF001 - MXNet's name


def current() -> AttrScope:
    """Return the scope in force."""
    return _ambient.value
