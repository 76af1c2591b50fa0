"""`mx.name`: `NameManager` numbers Symbols, `Prefix` puts a text before their names."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, ClassVar

from typing_extensions import override

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

__all__ = ["NameManager", "Prefix", "current"]


class _Ambient(threading.local):
    """The innermost manager of one thread."""

    def __init__(self) -> None:
        self.value = NameManager()


class _ManagerType(type):
    """What the class of managers has, and managers have not."""

    @override
    def __dir__(cls) -> list[str]:
        return sorted({*super().__dir__(), "current"})

    @property
    def current(cls) -> NameManager:
        """The manager in force in this thread, which may be set to another one."""
        return _ambient.value

    @current.setter
    def current(cls, manager: NameManager) -> None:
        _ambient.value = manager


class NameManager(metaclass=_ManagerType):
    """Gives names to Symbols that are made without one; a context manager.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.name.NameManager():
    ...     print(mx.sym.exp(mx.sym.var('x')).name, mx.sym.exp(mx.sym.var('x')).name)
    exp0 exp1
    """

    _current: ClassVar[_Ambient]
    """Has the manager in force as `value`."""

    def __init__(self) -> None:
        self._counter: dict[str, int] = {}
        self._outer: list[NameManager] = []

    def get(self, name: str | None, hint: str) -> str:
        """Return the name that was given, or the hint with the next free number."""
        if name:
            return name
        number = self._counter.get(hint, 0)
        self._counter[hint] = number + 1
        return f"{hint}{number}"

    def __enter__(self) -> Self:
        self._outer.append(self._current.value)
        self._current.value = self
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._current.value = self._outer.pop()


class Prefix(NameManager):
    """A name manager that puts a text before all names.

    Parameters
    ----------
    prefix : str
        The text.

    Examples
    --------
    >>> import gluonish as mx
    >>> with mx.name.Prefix('left_'):
    ...     print(mx.sym.exp(mx.sym.var('x')).name)
    left_exp0
    """

    def __init__(self, prefix: str) -> None:
        super().__init__()
        self._prefix = prefix

    @override
    def get(self, name: str | None, hint: str) -> str:
        """Return the prefix and the name that `NameManager` gives."""
        return self._prefix + super().get(name, hint)


_ambient = NameManager._current = _Ambient()  # noqa: SLF001 - MXNet's name


def current() -> NameManager:
    """Return the name manager in force."""
    return _ambient.value
