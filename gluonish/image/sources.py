"""Where iterators over pictures take their samples from: files of records, or lists of files."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.errors import RefusedArgumentError
from gluonish.image.arrays import new_array
from gluonish.recordio import MXIndexedRecordIO, MXRecordIO
from gluonish.recordio.lists import read_entries
from gluonish.serialization.files import open_source

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.serialization.files import PathLike

    Entries = list[tuple[Any, tuple[Any, str]]]

_LABELS = ("int32", "float32", "int64", "float64")


def own_entries(imglist: Sequence[Sequence[Any]], dtype: str) -> Entries:
    """Return key, and label and file name, of each entry of a list; keys count from '1'."""
    entries: Entries = []
    for number, entry in enumerate(imglist, 1):
        label: Any = entry[:-1] if len(entry) > 2 else entry[0]
        if isinstance(label, NDArray):
            label = label.asnumpy()
        entries.append((str(number), (onp.asarray(label, dtype).reshape(-1), str(entry[-1]))))
    return entries


def listed_entries(
    path_imglist: PathLike | None, imglist: Any, dtype: str, where: str
) -> Entries | None:
    """Return key, and label and file name, of each sample that is listed; labels are arrays."""
    if path_imglist:
        entries = read_entries(path_imglist, dtype, where)
    elif isinstance(imglist, list):
        entries = own_entries(imglist, dtype)
    else:
        return None
    return [(key, (new_array(label), name)) for key, (label, name) in entries]


def open_records(
    path_imgrec: PathLike | None, path_imgidx: PathLike | None
) -> tuple[MXRecordIO | None, list[Any] | None]:
    """Return a file of records, and their keys where there is an index."""
    if not path_imgrec:
        return None, None
    if not path_imgidx:
        return MXRecordIO(path_imgrec, "r"), None
    records = MXIndexedRecordIO(path_imgidx, path_imgrec, "r")
    return records, list(records.keys)


def read_file(name: str, path_root: PathLike | None) -> bytes:
    """Return the content of a file in a folder."""
    path = name
    if path_root is not None:
        root = str(path_root)
        path = f"{root.rstrip('/')}/{name}" if "://" in root else str(Path(root, name))
    with open_source(path) as source:
        return source.stream.read()


def check_sources(
    where: str, path_imgrec: object, path_imglist: object, imglist: object, dtype: str
) -> None:
    """Raise the error for samples that are not given, and labels of an unknown dtype.

    Raises
    ------
    RefusedArgumentError
        It is so.
    """
    if not (path_imgrec or path_imglist or isinstance(imglist, list)):
        msg = (
            f"{where}: no samples were given. Expected path_imgrec, path_imglist, or imglist as a "
            f"list. Write {where}(batch_size, data_shape, path_imgrec='train.rec'), for example."
        )
        raise RefusedArgumentError(msg)
    if dtype not in _LABELS:
        msg = (
            f"{where}: {dtype} label not supported, dtype={dtype!r} was given. Expected one of "
            f"{', '.join(_LABELS)}. Leave it out for float32."
        )
        raise RefusedArgumentError(msg)


def part_of(order: list[Any], part_index: int, num_parts: int, where: str) -> list[Any]:
    """Return one of equally long parts of the keys of samples.

    Raises
    ------
    RefusedArgumentError
        There is no such part.
    """
    if not 0 <= part_index < num_parts:
        msg = (
            f"{where}: part_index={part_index} was given with num_parts={num_parts}. Expected a "
            f"part from 0 to {num_parts - 1}. Count parts from 0."
        )
        raise RefusedArgumentError(msg)
    length = len(order) // num_parts
    return order[part_index * length : (part_index + 1) * length]
