"""`mx.libinfo`: the version of the package, written once, and where the libraries below are."""

from __future__ import annotations

from pathlib import Path

import torch

__version__ = "0.1.0"

__all__ = ["__version__", "find_include_path", "find_lib_path"]


def find_lib_path(prefix: str = "libtorch") -> list[str]:
    """Return the paths of PyTorch's shared libraries.

    Parameters
    ----------
    prefix : str, default 'libtorch'
        What their names begin with.

    Examples
    --------
    >>> import gluonish as mx
    >>> any('torch' in path for path in mx.libinfo.find_lib_path())
    True
    """
    folder = Path(torch.__file__).parent / "lib"
    suffixes = (".so", ".dylib", ".dll")
    start = prefix.removeprefix("lib")  # which Windows leaves out
    files = (path for path in folder.iterdir() if path.name.removeprefix("lib").startswith(start))
    return sorted(str(path) for path in files if path.suffix in suffixes)


def find_include_path() -> str:
    """Return the folder of PyTorch's headers.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.libinfo.find_include_path().endswith('include')
    True
    """
    return str(Path(torch.__file__).parent / "include")
