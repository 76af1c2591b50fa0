"""What a file format is: how its files begin, what is in them, and how they are written."""

from __future__ import annotations

import functools
import zipfile
from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Final, Literal, NamedTuple, TypeAlias, TypeVar

from gluonish.array.sparse_tensor import SparseTensor
from gluonish.serialization.elements import byte_size, check_dtype

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import BinaryIO

    import torch
    from torch import Tensor

    from gluonish.array.sparse_tensor import Stored
    from gluonish.errors import FileFormatError
    from gluonish.serialization.cursor import Cursor
    from gluonish.serialization.elements import Tensors
    from gluonish.serialization.files import Source

T = TypeVar("T")
Use: TypeAlias = Literal["arrays", "states", "graph"]

NUMPY: Final = b"\x93NUMPY"  # how arrays begin
ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")  # how archives begin
DENSE: Final = "default"
_HEAD: Final = 4096  # bytes


class Item(NamedTuple):
    """What a file says, or will say, of one array.

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
        The bytes that it takes in the file; of one that is to be written, when it is dense.
    offset : int or None
        Where its values begin in the file; None if they do not stand there as in memory.
    """

    name: str
    shape: tuple[int, ...]
    dtype: torch.dtype
    storage: str
    layout: str
    size: int
    offset: int | None = None


@dataclass(slots=True)
class Arrays:
    """The arrays of an open file.

    Attributes
    ----------
    name : str
        The file's name.
    items : list of Item
        What it says of its arrays, in order.
    reader : callable
        Takes the position of an array, and whether it stays sparse; returns its values.
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
    items: list[Item]
    reader: Callable[[int, bool], Tensor | SparseTensor]
    named: bool = True
    metadata: dict[str, str] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    damage: FileFormatError | None = None

    def read(self, position: int) -> Tensor | SparseTensor:
        """Return the values of one array, sparse if it is.

        Raises
        ------
        FileFormatError
            They are damaged.
        """
        return self.reader(position, True)

    def dense(self, position: int) -> Tensor:
        """Return the values of one array, dense in any case.

        Raises
        ------
        FileFormatError
            They are damaged, or a few bytes announce an array that no memory holds.
        """
        array = self.reader(position, False)
        return array.dense() if isinstance(array, SparseTensor) else array

    def load(self) -> Tensors:
        """Return all arrays, dense in any case, which are read in the order of the file.

        Raises
        ------
        FileFormatError
            They are damaged.
        """
        return self._all(self.dense)

    def load_stored(self) -> Stored:
        """Return all arrays, sparse ones as such; see `load`."""
        return self._all(self.read)

    def _all(self, read: Callable[[int], T]) -> list[T] | dict[str, T]:
        order = sorted(
            range(len(self.items)), key=[item.offset or 0 for item in self.items].__getitem__
        )
        found = {position: read(position) for position in order}
        return self.arranged([found[position] for position in range(len(order))])

    def arranged(self, tensors: list[T]) -> list[T] | dict[str, T]:
        """Return what was made of the arrays as they were saved: by their names, or in a list."""
        if not self.named:
            return tensors
        return {item.name: tensor for item, tensor in zip(self.items, tensors, strict=True)}


def arrays_at_once(
    name: str,
    tensors: Tensors,
    layout: str,
    *,
    notes: Sequence[str] = (),
    damage: FileFormatError | None = None,
) -> Arrays:
    """Return the arrays of a file that was read as a whole."""
    named = isinstance(tensors, dict)
    names, values = _parted(tensors)
    items = [item_of(key, tensor, layout) for key, tensor in zip(names, values, strict=True)]
    return Arrays(
        name, items, lambda position, _: values[position], named, notes=list(notes), damage=damage
    )


def item_of(name: str, array: Tensor | SparseTensor, layout: str = "") -> Item:
    """Return what is said of an array in memory."""
    storage = array.storage if isinstance(array, SparseTensor) else DENSE
    shape = tuple(array.shape)
    return Item(name, shape, array.dtype, storage, layout, byte_size(shape, array.dtype))


def _parted(data: Sequence[T] | Mapping[str, T]) -> tuple[list[str], list[T]]:
    if isinstance(data, Mapping):
        return list(data), list(data.values())
    return [str(number) for number in range(len(data))], list(data)


@dataclass(frozen=True, slots=True)
class Content:
    """Arrays that are to be written, which need not be in memory all at once.

    Attributes
    ----------
    items : sequence of Item
        What is to be said of them.
    values : callable
        Takes a position; returns the array when its turn has come.
    named : bool
        Whether they have names; else they are a list.
    metadata : dict of str to str
        Texts for formats that hold such.
    np_shape : bool
        Whether MXNet's container gets V3 records (NumPy semantics) instead of V2.
    """

    items: Sequence[Item]
    values: Callable[[int], Tensor | SparseTensor]
    named: bool
    metadata: Mapping[str, str] = field(default_factory=dict)
    np_shape: bool = False

    def tensor(self, position: int) -> Tensor:
        """Return an array, dense in any case."""
        array = self.values(position)
        return array.dense() if isinstance(array, SparseTensor) else array


def content_of(
    data: Tensors | Stored, metadata: Mapping[str, str] | None = None, *, np_shape: bool = False
) -> Content:
    """Return arrays in memory as what is to be written.

    Raises
    ------
    DTypeError
        A dtype is none that files hold.
    """
    named = isinstance(data, dict)
    names, arrays = _parted(data)
    for name, array in zip(names, arrays, strict=True):
        check_dtype(array, f"array {name!r}" if named else f"array {name}")
    items = [item_of(name, array) for name, array in zip(names, arrays, strict=True)]
    return Content(items, arrays.__getitem__, named, metadata or {}, np_shape)


class Start:
    """How a file begins, for those who tell what it is.

    Parameters
    ----------
    source : Source
        At its beginning, where it is left.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.head = self.read(_HEAD)

    def read(self, size: int) -> bytes:
        """Return the first bytes of the file, as many as there are."""
        try:
            return self.source.stream.read(min(size, self.source.size))
        finally:
            self.source.stream.seek(0)

    @functools.cached_property
    def members(self) -> list[str]:
        """Names of what a zip archive holds; of a damaged one, of its first member."""
        stream = self.source.stream
        try:
            with zipfile.ZipFile(stream) as archive:
                return archive.namelist()
        except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError, EOFError):
            length = int.from_bytes(self.head[26:28], "little")
            return [self.head[30 : 30 + length].decode("utf-8", "replace")]
        finally:
            stream.seek(0)


class Target(NamedTuple):
    """What `convert` calls a format that it writes, how names of files end, and their use."""

    name: str
    end: str
    purpose: str


class Format:
    """A kind of file.

    Attributes
    ----------
    title : str
        What people read.
    use : str or None
        What `convert` takes it for; None if it is not converted.
    advice : str
        What to do with a file that is not converted.
    target : Target or None
        As what `convert` writes it, if it does.
    ends : tuple of str
        Ends of names, by which files are told whose beginning is damaged.
    is_of_models : bool
        Whether files of this kind that are found in a folder are a model's.
    """

    title: ClassVar[str]
    use: ClassVar[Use | None] = None
    advice: ClassVar[str] = " `gluonish inspect` shows what a file is."
    target: ClassVar[Target | None] = None
    ends: ClassVar[tuple[str, ...]] = ()
    is_of_models: ClassVar[bool] = True

    def begins(self, head: bytes, name: str) -> bool:  # noqa: ARG002
        """Return whether a file may be of this kind by its first bytes, or by its name."""
        return False

    def is_sure(self, start: Start) -> bool:  # noqa: ARG002
        """Return whether a file is of this kind which begins like one."""
        return True


class ArrayFormat(Format, ABC):
    """A kind of file that holds arrays.

    Attributes
    ----------
    spelled : str
        What messages of `load` call it; empty if `load` leaves such files to others.
    suffix : str
        End of the names under which `save` writes this format.
    holds_sparse : bool
        Whether sparse arrays stay sparse in it.
    tells_names : bool
        Whether its names tell how they came about.
    writers : dict of str to str
        What wrote a file, by layouts.
    """

    use: ClassVar[Use | None] = "arrays"
    spelled: ClassVar[str] = ""
    suffix: ClassVar[str] = ""
    holds_sparse: ClassVar[bool] = False
    tells_names: ClassVar[bool] = False
    writers: ClassVar[Mapping[str, str]] = {}

    @abstractmethod
    def scan(self, cursor: Cursor, *, partial: bool = False) -> Arrays:
        """Read and check everything in a file but the values of large arrays.

        Parameters
        ----------
        cursor : Cursor
            At the beginning of the file.
        partial : bool, default False
            Whether to take a damaged file too, with the arrays before the damage.

        Raises
        ------
        FileFormatError
            The file is damaged, or says something no array can be.
        """

    def write(self, stream: BinaryIO, content: Content) -> None:
        """Write a file; those formats do that have a `suffix`; others are only read.

        Raises
        ------
        DTypeError
            A dtype that files do not hold. Nothing was written.
        InvalidArgumentError
            A name that files do not hold. Nothing was written.
        """
        msg = f"{type(self).__name__} is a format that is read, and not written."
        raise NotImplementedError(msg)
