"""What a program's own optimizer overrides, by its class or on one object."""

from __future__ import annotations

from typing import Any, ClassVar

from typing_extensions import override

_UPDATES = {"update", "update_multi_precision"}
_RULES = _UPDATES | {"compute", "apply", "create_state"}
_OBEYED = frozenset(
    {"_get_lr", "_get_wd", "_get_lrs", "_get_wds", "_update_count", "_update_impl", *_UPDATES}
)


class Watched:
    """What knows of an optimizer which methods a program has given it, and when to look again."""

    __slots__ = ("_plain_size",)
    _plain_size: int
    is_traceable: ClassVar[bool]
    is_elementwise: ClassVar[bool]

    asks_update: ClassVar[bool] = True
    """Whether `update_multi_precision` calls `update`, if that is a subclass's own."""

    has_update_impl: ClassVar[bool] = False
    """Whether both ways to update go by `_update_impl`, as those of SGD and others do in MXNet."""

    overridden: ClassVar[frozenset[str]] = frozenset()
    """Which methods of an update a program's own class defines: they are called for each weight."""

    own_updates: ClassVar[frozenset[str]] = frozenset()
    """Which of `update` and `update_multi_precision` any subclass defines, ours as well."""

    @override
    def __init_subclass__(cls, **kwargs: Any) -> None:
        super().__init_subclass__(**kwargs)
        cls.overridden = frozenset(name for name in _OBEYED if _is_of_program(cls, name))
        plain = cls.__mro__[cls.__mro__.index(Watched) - 1]
        cls.own_updates = frozenset(
            name for name in _UPDATES if getattr(cls, name) is not getattr(plain, name)
        )
        own = cls.overridden or cls.__dict__.keys() & _UPDATES
        if own and "is_traceable" not in cls.__dict__:
            cls.is_traceable = False
        if (cls.overridden or cls.__dict__.keys() & _RULES) and (
            "is_elementwise" not in cls.__dict__
        ):
            cls.is_elementwise = False

    def obeys(self) -> bool:
        """Return whether the program's own methods take part in an update."""
        try:
            if self._plain_size == len(self.__dict__):  # nothing was set that was not there
                return False
        except AttributeError:  # not looked at yet
            pass
        if self.overridden or self.is_patched():
            return True
        self._plain_size = len(self.__dict__)
        return False

    def is_patched(self) -> bool:
        """Return whether a method of an update was replaced on this very object."""
        return not _OBEYED.isdisjoint(self.__dict__)

    def _has_own_impl(self) -> bool:
        name = "_update_impl"
        return self.has_update_impl and (name in self.overridden or name in self.__dict__)

    def _has_own_update(self) -> bool:
        return "update" in self.own_updates or "update" in self.__dict__

    @override
    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        self._plain_size = -1  # as many attributes as before may be other ones from now on


def _is_of_program(kind: type[object], name: str) -> bool:
    """Return whether a method of an optimizer was written by a program, not here."""
    owner = next(one for one in kind.__mro__ if name in one.__dict__)
    return owner.__module__.partition(".")[0] != "gluonish"
