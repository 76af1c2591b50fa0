"""Files of arrays, of which one is read at a time."""

from __future__ import annotations

import contextlib
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Final

import torch

from gluonish import serialization
from gluonish.array.dtypes import dtype_name
from gluonish.array.sparse_tensor import SparseTensor
from gluonish.conversion.archives import whole_arrays
from gluonish.conversion.headers import read_safetensors_header
from gluonish.conversion.kinds import WITH_ARRAYS, Kind, kind_of_source
from gluonish.conversion.torch_files import load_tensors
from gluonish.errors import FileFormatError
from gluonish.io.idx import read_idx
from gluonish.serialization import container
from gluonish.serialization.cursor import Cursor, refuse
from gluonish.serialization.elements import byte_size, has_foreign_bool
from gluonish.serialization.files import open_source, path_text
from gluonish.serialization.packing import dense_problem

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from torch import Tensor

    from gluonish.serialization.files import PathLike, Source

DENSE: Final = "default"


@dataclass(frozen=True, slots=True)
class Item:
    """What a file says of one array.

    Attributes
    ----------
    name : str
        Its name; its position in a file without names.
    shape : tuple of int
        Its shape.
    dtype : torch.dtype
        The type of its values.
    storage : str
        `'default'` (dense), `'row_sparse'` or `'csr'`.
    layout : str
        How the file holds it, such as `'MXNet V2'`.
    size : int
        The bytes that it takes in the file.
    """

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    storage: str
    layout: str
    size: int

    @property
    def dtype_name(self) -> str:
        """Name of the dtype, such as `'float32'`."""
        return dtype_name(self.dtype)

    @property
    def count(self) -> int:
        """Number of elements, those included that a sparse array leaves out."""
        return torch.Size(self.shape).numel()


@dataclass(slots=True)
class Arrays:
    """The arrays of an open file.

    Attributes
    ----------
    name : str
        The file's name.
    kind : Kind
        What the file is.
    items : list of Item
        What it says of its arrays, in order.
    named : bool
        Whether it holds names.
    metadata : dict of str to str
        Texts that a safetensors file holds beside its arrays.
    notes : list of str
        What a person should know of the file.
    damage : FileFormatError or None
        Why arrays after these could not be read.
    """

    name: str
    kind: Kind
    items: list[Item]
    reader: Callable[[int], Tensor | SparseTensor]
    named: bool = True
    metadata: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    damage: FileFormatError | None = None

    def read(self, position: int) -> Tensor | SparseTensor:
        """Return the values of one array.

        Raises
        ------
        FileFormatError
            They are damaged.
        """
        return self.reader(position)

    def dense(self, position: int) -> Tensor:
        """Return the values of one array, dense in any case.

        Raises
        ------
        FileFormatError
            They are damaged, or a few bytes announce an array that no memory holds.
        """
        array = self.reader(position)
        if not isinstance(array, SparseTensor):
            return array
        item = self.items[position]
        problem = dense_problem(item.shape, item.dtype, item.size)
        if problem is not None:
            refuse(self.name, f"array {item.name!r}", problem)
        return array.dense()


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
        kind = kind_of_source(source, path_text(path))
        if kind is Kind.PARAMS:
            yield _open_container(source, partial=partial)
        elif kind in (Kind.SAFETENSORS, Kind.STATES, Kind.CHECKPOINT):
            yield _open_safetensors(source, kind, partial=partial)
        elif kind in WITH_ARRAYS:
            yield _open_whole(source, kind, partial=partial)
        else:
            # The reader of arrays knows best what to say of other files.
            serialization.load(path)
            msg = f"Loading {source.name!r}: it holds no arrays. Expected a file of parameters."
            raise FileFormatError(msg)


def _open_container(source: Source, *, partial: bool) -> Arrays:
    cursor = Cursor(source.stream, source.size, source.name)
    records: list[container.Record] = []
    names: list[str] = []
    damage = None
    try:
        _, names = container.scan(cursor, records)
    except FileFormatError as error:
        if not partial:
            raise
        damage = error
    labels = names or [str(number) for number in range(len(records))]
    items = [
        Item(
            label,
            record.shape,
            record.dtype,
            container.STORAGE_NAMES[record.storage],
            record.layout,
            record.stored_bytes,
        )
        for label, record in zip(labels, records, strict=True)
    ]

    def read(position: int) -> Tensor | SparseTensor:
        cursor.label = f"array {labels[position]!r}"
        cursor.seek(records[position].offset)
        return container.read_stored(cursor, records[position])

    return Arrays(source.name, Kind.PARAMS, items, read, bool(names) or not items, damage=damage)


def _open_safetensors(source: Source, kind: Kind, *, partial: bool) -> Arrays:
    header = read_safetensors_header(source)
    cursor = Cursor(source.stream, source.size, source.name)
    damage = None
    if header.end != source.size:
        try:
            cursor.label = "values"
            cursor.refuse(f"the file has {source.size} bytes; expected {header.end}")
        except FileFormatError as error:
            if not partial:
                raise
            damage = error
    places = [place for place in header.places if place.offset + place.size <= source.size]
    items = [
        Item(place.name, place.shape, place.dtype, DENSE, "safetensors", place.size)
        for place in places
    ]

    def read(position: int) -> Tensor:
        place = places[position]
        cursor.label = f"array {place.name!r}"
        cursor.seek(place.offset)
        values = cursor.tensor(place.shape, place.dtype, "the values")
        if has_foreign_bool(values):
            cursor.refuse("a bool is stored as a byte above 1; expected 0 or 1")
        return values

    is_list = header.metadata.get("gluonish.kind") == "list"
    if is_list:
        order = sorted(range(len(places)), key=lambda number: _number(places[number].name))
        places = [places[number] for number in order]
        items = [items[number] for number in order]
    return Arrays(source.name, kind, items, read, not is_list, dict(header.metadata), damage=damage)


def _number(name: str) -> int:
    return int(name) if name.isdecimal() else -1


def _open_whole(source: Source, kind: Kind, *, partial: bool) -> Arrays:
    """Open a file whose arrays are read all at once; of a damaged `.npz`, those that are whole."""
    try:
        return _open_undamaged(source, kind)
    except FileFormatError as error:
        if kind is not Kind.NPZ or not partial:
            raise
        return _open_tensors(source, kind, whole_arrays(source), damage=error)


def _open_undamaged(source: Source, kind: Kind) -> Arrays:
    notes: list[str] = []
    named = True
    if kind is Kind.TORCH:
        tensors, named = load_tensors(source, notes)
    elif kind is Kind.IDX:
        # Read by its path: what is read again is small, and the reader unpacks it by itself.
        stem = PurePosixPath(source.name.replace("\\", "/")).name.removesuffix(".gz")
        tensors = {stem: torch.from_numpy(read_idx(source.name))}
    else:
        loaded = serialization.load(source.path or source.name)
        named = isinstance(loaded, dict)
        tensors = (
            loaded
            if isinstance(loaded, dict)
            else {str(number): tensor for number, tensor in enumerate(loaded)}
        )
    return _open_tensors(source, kind, tensors, named=named, notes=notes)


def _open_tensors(
    source: Source,
    kind: Kind,
    tensors: dict[str, Tensor],
    *,
    named: bool = True,
    notes: Sequence[str] = (),
    damage: FileFormatError | None = None,
) -> Arrays:
    layout = {Kind.TORCH: "torch", Kind.IDX: "IDX"}.get(kind, "npy")
    items = [
        Item(
            name,
            tuple(tensor.shape),
            tensor.dtype,
            DENSE,
            layout,
            byte_size(tensor.shape, tensor.dtype),
        )
        for name, tensor in tensors.items()
    ]
    found: Sequence[Tensor] = list(tensors.values())
    return Arrays(
        source.name, kind, items, found.__getitem__, named, notes=list(notes), damage=damage
    )
