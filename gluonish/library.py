"""`mx.library`: MXNet's plug-ins in C++, for which PyTorch has its own."""

from __future__ import annotations

from pathlib import Path
from typing import NoReturn

from gluonish.errors import MissingFileError, UnsupportedOptionError

__all__ = ["load"]


def load(path: str, verbose: bool = True) -> NoReturn:  # noqa: ARG001 - MXNet's argument
    """Say that MXNet's plug-ins cannot be loaded, and what to use.

    Raises
    ------
    MissingFileError
        If there is no such file.
    UnsupportedOptionError
        If there is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.library.load('libmyop.so')
    Traceback (most recent call last):
        ...
    gluonish.errors.MissingFileError: library.load: load path libmyop.so does NOT exist. ...
    """
    if not Path(path).exists():
        msg = f"library.load: load path {path} does NOT exist. Expected a plug-in's file. "
        msg += "Note that MXNet's plug-ins cannot be loaded here."
        raise MissingFileError(msg)
    msg = (
        f"library.load: {path} is a plug-in for MXNet's own C++. Gluonish runs on PyTorch. Write "
        "the operator as a mx.operator.CustomOp, or in C++ for PyTorch, by torch.ops.load_library."
    )
    raise UnsupportedOptionError(msg)
