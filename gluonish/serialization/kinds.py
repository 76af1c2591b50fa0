"""All kinds of files, and what a file is by its content."""

from __future__ import annotations

import enum
from typing import TYPE_CHECKING, Final, NoReturn

from gluonish.errors import FileFormatError
from gluonish.serialization.container import Container
from gluonish.serialization.files import open_source, path_text
from gluonish.serialization.foreign import foreign
from gluonish.serialization.formats import ArrayFormat, Format, Start
from gluonish.serialization.idx_format import Idx
from gluonish.serialization.npz_format import Npy, Npz
from gluonish.serialization.other_formats import (
    Graph,
    Onnx,
    PickledStates,
    RecordIndex,
    Records,
    Unknown,
)
from gluonish.serialization.safetensors_format import Checkpoint, Safetensors, States
from gluonish.serialization.torch_format import Torch, TorchProgram

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike, Source


class Kind(enum.Enum):
    """Kind of a file; its value is what people read.

    The first kind that a file begins like, and surely is, is its own.
    """

    PARAMS = Container()
    CHECKPOINT = Checkpoint()
    STATES = States()
    SAFETENSORS = Safetensors()
    NPZ = Npz()
    NPY = Npy()
    TORCH = Torch()
    TORCH_PROGRAM = TorchProgram()
    ONNX = Onnx()
    RECORDS = Records()
    GRAPH = Graph()
    IDX = Idx()
    RECORD_INDEX = RecordIndex()
    PICKLED_STATES = PickledStates()
    UNKNOWN = Unknown()

    _value_: str
    format: Format

    def __new__(cls, each: Format) -> Kind:  # noqa: D102 - what enum calls
        kind = object.__new__(cls)
        kind._value_ = each.title
        kind.format = each
        return kind


_LOADED: Final = [
    kind.format for kind in Kind if isinstance(kind.format, ArrayFormat) and kind.format.spelled
]
# What files are converted to; MXNet's own stands last, behind those that one converts to.
TARGETS: Final = {
    kind.format.target.name: kind.format.target
    for kind in sorted(Kind, key=lambda kind: kind is Kind.PARAMS)
    if kind.format.target is not None
}
WRITERS: Final = {
    each.target.name: each
    for each in (kind.format for kind in Kind)
    if isinstance(each, ArrayFormat) and each.target is not None
}


def kind_of(path: PathLike) -> Kind:
    """Return the kind of a file.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        The file cannot be read.

    Examples
    --------
    >>> import tempfile
    >>> import gluonish as mx
    >>> from gluonish.conversion import kind_of
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     mx.nd.save(f'{folder}/x', [mx.nd.ones((2,))])
    ...     kind_of(f'{folder}/x')
    <Kind.PARAMS: 'MXNet parameters'>
    """
    with open_source(path) as source:
        return kind_of_source(source)


def kind_of_source(source: Source) -> Kind:
    """Return the kind of what a stream at its beginning holds, and leave it there."""
    start = Start(source)
    alike = [kind for kind in Kind if kind.format.begins(start.head, source.name)]
    if not alike:
        # What is damaged at its very beginning is told by its name, for better messages.
        named = [kind for kind in Kind if source.name.endswith(kind.format.ends)]
        return named[0] if named else Kind.UNKNOWN
    return next((kind for kind in alike if kind.format.is_sure(start)), Kind.UNKNOWN)


def format_to_load(source: Source) -> ArrayFormat:
    """Return the format of a stream at its beginning, and leave it there.

    Raises
    ------
    FileFormatError
        It is none that `load` takes.
    """
    head = Start(source).head
    for each in _LOADED:
        if each.begins(head, source.name):
            return each
    return _refuse_unknown(source, head)


def format_to_save(path: PathLike) -> ArrayFormat:
    """Return the format in which arrays are saved under a name."""
    name = path_text(path)
    return next(
        (each for each in _LOADED if each.suffix and name.endswith(each.suffix)), _LOADED[0]
    )


def _refuse_unknown(source: Source, head: bytes) -> NoReturn:
    found = "empty" if not head else f"of no known format (it begins with {head[:8]!r})"
    fix = "It may be damaged; save, copy or download it again."
    if (known := foreign(source)) is not None:
        found, fix = known.what, f"{known.fix}."
    *first, last = (each.spelled for each in _LOADED)
    msg = (
        f"Loading {source.name!r}: the file is {found}. "
        f"Expected {', '.join(first)} or {last}. {fix}"
    )
    raise FileFormatError(msg)
