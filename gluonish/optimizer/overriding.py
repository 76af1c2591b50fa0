"""What a program's own optimizer overrides, by its class or on one object."""

from __future__ import annotations

from typing_extensions import override

RULES = {"update", "update_multi_precision", "compute", "apply", "create_state"}
OBEYED = frozenset(
    {"_get_lr", "_get_wd", "_get_lrs", "_get_wds", "_update_count"}
    | {"update", "update_multi_precision", "_update_impl"}
)


class Watched:
    """What tells an optimizer that it has not been given a method of its own since it looked."""

    __slots__ = ("_plain_size",)
    _plain_size: int

    @override
    def __delattr__(self, name: str) -> None:
        super().__delattr__(name)
        self._plain_size = -1  # as many attributes as before may be other ones from now on


def is_of_program(kind: type[object], name: str) -> bool:
    """Return whether a method of an optimizer was written by a program, not here."""
    owner = next(one for one in kind.__mro__ if name in one.__dict__)
    return owner.__module__.partition(".")[0] != "gluonish"
