"""Files of arrays, of which one is read at a time."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from gluonish.errors import FileFormatError
from gluonish.serialization.arrays import load
from gluonish.serialization.files import open_source
from gluonish.serialization.formats import ArrayFormat
from gluonish.serialization.kinds import kind_of_source

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.serialization.files import PathLike
    from gluonish.serialization.formats import Arrays


@contextlib.contextmanager
def open_arrays(path: PathLike, *, partial: bool = False) -> Iterator[Arrays]:
    """Open a file of arrays, of any kind.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL: MXNet's parameters of any version, safetensors, `.npz`, `.npy`, a state_dict
        of PyTorch, or IDX.
    partial : bool, default False
        Whether to open a damaged file too, with the arrays before the damage.

    Raises
    ------
    FileFormatError
        The file is damaged, or of another kind.
    """
    with open_source(path) as source:
        each = kind_of_source(source).format
        if not isinstance(each, ArrayFormat):
            # The reader of arrays knows best what to say of other files.
            load(path)
            msg = f"Loading {source.name!r}: it holds no arrays. Expected a file of parameters."
            raise FileFormatError(msg)
        arrays = each.scan(source.cursor(), partial=partial)
        arrays.named = arrays.named or not arrays.items
        yield arrays
