"""Files of text that are named one by one, or by their folder."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from gluonish.errors import MissingFileError
from gluonish.serialization.files import is_url, open_source, path_text

if TYPE_CHECKING:
    from collections.abc import Iterator


def read_files(path: Any, where: str) -> Iterator[tuple[str, bytes]]:
    """Give name and content of a file, or of all files in a folder in the order of their names.

    Raises
    ------
    MissingFileError
        There is neither.
    """
    name = path_text(path)
    if is_url(name) or Path(name).is_file():
        names = [name]
    elif Path(name).is_dir():
        names = sorted(str(one) for one in Path(name).iterdir() if one.is_file())
    else:
        names = []
    if not names:
        msg = (
            f"{where}: there is no file {name!r}, and no folder with files. Expected one of them. "
            f"Check the path."
        )
        raise MissingFileError(msg)
    for one in names:
        with open_source(one, entire=True) as source:
            yield one, source.stream.read()
