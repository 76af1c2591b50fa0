"""Lists of pictures: lines with a key, labels and a file name."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import FileFormatError
from gluonish.serialization.files import open_source

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike

    Entry = tuple[onp.ndarray[Any, Any], str]
    Listed = dict[Any, Entry]


def read_list(path: PathLike, dtype: str, where: str) -> Listed:
    """Return label and file name of each key in a `.lst` file; of equal keys the last one counts.

    Raises
    ------
    FileFormatError
        A line is not: key, labels and file name with tabs between.
    """
    return dict(read_entries(path, dtype, where))


def read_entries(path: PathLike, dtype: str, where: str) -> list[tuple[Any, Entry]]:
    """Return key, and label and file name, of each line in a `.lst` file.

    Raises
    ------
    FileFormatError
        A line is not: key, labels and file name with tabs between.
    """
    entries: list[tuple[Any, Entry]] = []
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
        entries.append((key, (values, parts[-1].strip())))
    return entries
