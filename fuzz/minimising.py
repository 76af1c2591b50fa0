"""Makes a file that goes wrong as small as it can be, and still go wrong in the same way."""

from __future__ import annotations

import os
import pickle
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.checking import Checker

_SECONDS = 60.0  # of search
_CRASH = "it crashed"


def isolated(checker: Checker) -> Callable[[bytes, int], str | None]:
    """Return a function that checks files in copies of this process, which may crash."""

    def check(data: bytes, number: int) -> str | None:
        read, write = os.pipe()
        child = os.fork()
        if child == 0:
            os.write(write, pickle.dumps(checker.check(data, number).problem))
            os._exit(0)
        os.close(write)
        with open(read, "rb") as stream:  # noqa: PTH123 - a pipe
            told = stream.read()
        os.waitpid(child, 0)
        return pickle.loads(told) if told else _CRASH

    return check


def minimise(data: bytes, number: int, check: Callable[[bytes, int], str | None]) -> bytes:
    """Return a small file that has the same problem.

    Parameters
    ----------
    data : bytes
        A file that goes wrong.
    number : int
        Its case's number.
    check : callable
        Returns a file's problem.
    """
    problem = check(data, number)
    deadline = time.monotonic() + _SECONDS
    size = max(1, len(data) // 2)
    while size and time.monotonic() < deadline:
        place = 0
        while place < len(data) and time.monotonic() < deadline:
            shorter = data[:place] + data[place + size :]
            if check(shorter, number) == problem:
                data = shorter
            else:
                place += size
        size //= 2
    return data
