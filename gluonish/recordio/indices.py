"""Index files: a line with key and place for each record of a file."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any

from gluonish.errors import MissingFileError
from gluonish.errors.tracebacks import users_level
from gluonish.recordio.chunks import HEAD, record_starts
from gluonish.serialization.cursor import refuse
from gluonish.serialization.files import PathLike, open_source
from gluonish.serialization.other_formats import RECORD_MAGIC

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.recordio.chunks import RecordSource

_FIX = "Make the index anew: where there is no file of that name, records are counted from 0."


def read_index(
    path: PathLike, source: RecordSource, key_type: Callable[[str], Any]
) -> list[tuple[Any, int]]:
    """Return keys and places, in the order of an index file.

    Where there is no such file, a warning says so, and the records are counted from 0.

    Raises
    ------
    FileFormatError
        A line is no key and place, or no record can begin at the place.
    """
    try:
        with open_source(path) as index:
            text = index.stream.read()
    except MissingFileError:
        warnings.warn(
            f"{path}: there is no such index. The records of {source.name} are read with keys "
            f"0, 1, 2, ... in their order.",
            stacklevel=users_level(),
        )
        return list(enumerate(record_starts(source)))
    if text.startswith(RECORD_MAGIC):
        problem = "it holds records; expected an index, which has a key, a tab and a place a line"
        how = f"The index comes first: MXIndexedRecordIO({source.name!r}, {str(path)!r}, 'r')."
        if str(path).endswith(".idx"):
            how = (
                "The two files were exchanged when they were written, it seems: the index comes "
                "first in MXIndexedRecordIO(idx_path, rec_path, 'w')."
            )
        refuse(str(path), "", problem, how)
    lines = text.split(b"\n")
    if lines[-1].strip() == b"":
        lines.pop()
    return [
        _entry(str(path), number, line, source, key_type) for number, line in enumerate(lines, 1)
    ]


def _entry(
    name: str, number: int, line: bytes, source: RecordSource, key_type: Callable[[str], Any]
) -> tuple[Any, int]:
    key_text, _, rest = line.strip().partition(b"\t")
    place_text = rest.partition(b"\t")[0].strip()
    try:
        key = key_type(key_text.decode())
        place = int(place_text) if place_text.isdigit() and len(place_text) < 20 else -1
    except ValueError:
        key, place = None, -1
    if place < 0:
        refuse(name, f"line {number}", f"{line[:80]!r}; expected a key, a tab and a place", _FIX)
    if place % 4 or place > source.size - HEAD.size:
        problem = (
            f"a record at byte {place}; expected a multiple of 4 up to "
            f"{source.size - HEAD.size} in {source.name!r}"
        )
        refuse(name, f"line {number}", problem, _FIX)
    return key, place
