"""Work on arrays that is put off, in any thread: whoever writes to memory has it done first."""

from __future__ import annotations

from typing import Any

postponed: list[Any] = []


def settle_all() -> None:
    """Do all work that is put off."""
    for work in tuple(postponed):
        work.settle()
