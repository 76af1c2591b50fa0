"""What gluonish needs of the libraries that it stands on, checked when it is imported."""

from __future__ import annotations

import importlib
import re
import sys
from typing import Final

from gluonish.errors import OldLibraryError

OLDEST_TORCH: Final = (2, 13)
OLDEST_NUMPY: Final = (1, 26)
OLDEST_PYTHON: Final = (3, 11)


def check() -> None:
    """Refuse libraries that are too old, in one line, before anything of them is used.

    Raises
    ------
    OldLibraryError
        One is.

    Examples
    --------
    >>> from gluonish.process.requirements import check
    >>> check()
    """
    require("Python", "{}.{}.{}".format(*sys.version_info), OLDEST_PYTHON)
    for name, oldest in (("torch", OLDEST_TORCH), ("numpy", OLDEST_NUMPY)):
        require(name, importlib.import_module(name).__version__, oldest)


def require(name: str, installed: str, oldest: tuple[int, int]) -> None:
    """Refuse a version that is older than another.

    Raises
    ------
    OldLibraryError
        It is.

    Examples
    --------
    >>> from gluonish.process.requirements import require
    >>> require("torch", "2.9.1+cpu", (2, 13))
    Traceback (most recent call last):
    gluonish.errors.OldLibraryError: gluonish: torch 2.9.1+cpu is installed. Expected 2.13 or \
later. Write: pip install -U 'torch>=2.13'.
    """
    found = re.match(r"(\d+)\.(\d+)", installed)
    if found is None or (int(found[1]), int(found[2])) >= oldest:
        return
    wanted = ".".join(map(str, oldest))
    how = (
        "Make an environment with one"
        if name == "Python"
        else f"Write: pip install -U '{name}>={wanted}'"
    )
    msg = f"gluonish: {name} {installed} is installed. Expected {wanted} or later. {how}."
    raise OldLibraryError(msg)
