"""Lists of pictures: lines with a key, labels and a file name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import FileFormatError
from gluonish.serialization.files import open_source

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike

    Listed = dict[Any, tuple[onp.ndarray[Any, Any], str]]


def read_list(path: PathLike, dtype: str, where: str) -> Listed:
    """Return label and file name of each key in a `.lst` file.

    Raises
    ------
    FileFormatError
        A line is not: key, labels and file name with tabs between.
    """
    listed: Listed = {}
    with open_source(path) as source:
        lines = source.stream.read().decode("utf-8", "surrogateescape").splitlines()
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        parts = line.strip().split("\t")
        try:
            key, values = int(parts[0]), onp.array([float(label) for label in parts[1:-1]], dtype)
        except ValueError:
            parts = []
        if len(parts) < 3:
            msg = (
                f"{where}: line {number} of {str(path)!r} is {line[:80]!r}. Expected a whole "
                f"number, one or more labels and a file name, tabs between. Make the list anew."
            )
            raise FileFormatError(msg)
        listed[key] = (values, parts[-1].strip())
    return listed
