"""Files that others write and people take for ours: what they are, and how to go on."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Final, NamedTuple

from gluonish.serialization.formats import Start

if TYPE_CHECKING:
    from gluonish.serialization.files import Source


class Foreign(NamedTuple):
    """What a file is, as 'an HDF5 file', and what to do, as a sentence without its end."""

    what: str
    fix: str


_ANEW: Final = "save its arrays anew: mx.nd.save(file, {name: mx.nd.array(value)})"
# By the bytes that such files begin with.
_BEGINNINGS: Final = {
    b"\x89HDF": Foreign("an HDF5 file, as Keras writes weights", f"Read it with h5py and {_ANEW}"),
    b"\x1f\x8b": Foreign("compressed with gzip", "Unpack it first"),
    b"BZh": Foreign("compressed with bzip2", "Unpack it first"),
    b"\xfd7zXZ": Foreign("compressed with xz", "Unpack it first"),
    b"\x28\xb5\x2f\xfd": Foreign("compressed with zstd", "Unpack it first"),
    b"\x89PNG": Foreign("a picture, PNG", "Pictures are read by mx.image.imread(file)"),
    b"\xff\xd8\xff": Foreign("a picture, JPEG", "Pictures are read by mx.image.imread(file)"),
    b"GIF8": Foreign("a picture, GIF", "Pictures are read by mx.image.imread(file)"),
    b"version https://git-lfs": Foreign(
        "a pointer of Git LFS, not the file itself", "Fetch the file with git lfs pull"
    ),
    b"%PDF": Foreign("a PDF document", "Name the file that was meant"),
}
_PICKLE: Final = Foreign(
    "a Python pickle, which gluonish never runs",
    "If torch.save() or pickle wrote it, read it with that and save the arrays anew",
)
_ZIP: Final = Foreign("a zip archive", "Unpack it first")
_KERAS: Final = Foreign("a model of Keras", f"Read its weights with Keras and {_ANEW}")
_KERAS_JSON: Final = Foreign(
    "a model of Keras, written as JSON", "Build its layers from mx.gluon.nn; weights are arrays"
)
_JSON: Final = Foreign(
    "JSON text, such as a -symbol.json", "The parameters are in the .params file beside it"
)
_PAGE: Final = Foreign(
    "a web page, which a server may have sent in place of the file", "Download the file again"
)
_LITE: Final = Foreign(
    "a model of TensorFlow Lite", f"Read its weights with TensorFlow and {_ANEW}"
)
_TABLE: Final = Foreign(
    "text, a table of numbers",
    "Read it with numpy.loadtxt(file), and mx.nd.array makes an array of it",
)
_COMMAS: Final = Foreign(
    "text, a table of numbers",
    "Read it with numpy.loadtxt(file, delimiter=','), and mx.nd.array makes an array of it; "
    "mx.io.CSVIter goes through such files",
)
_TEXT: Final = Foreign("text", "Name the file that was meant; if this is it, download it again")

_PAGES = re.compile(rb"\s*<(!doctype html|html|\?xml|head|body)", re.IGNORECASE)
_OF_KERAS = re.compile(rb'"(class_name|keras_version)"')
_ROW = re.compile(r"[#\"\w ,;\t|-]*\n?\s*[-+]?\d[\d.eE+-]*([,;\t ]+[-+]?\d[\d.eE+-]*)+\s")
_LOOKED_AT: Final = 4096  # bytes


def foreign(source: Source) -> Foreign | None:
    r"""Return what a stream at its beginning holds, where that is known, and leave it there.

    Examples
    --------
    >>> import tempfile
    >>> from gluonish.serialization.files import open_source
    >>> from gluonish.serialization.foreign import foreign
    >>> with tempfile.NamedTemporaryFile() as file:
    ...     _ = file.write(b'\x89HDF...')
    ...     file.flush()
    ...     with open_source(file.name) as source:
    ...         foreign(source).what
    'an HDF5 file, as Keras writes weights'
    """
    start = Start(source)
    head = start.read(_LOOKED_AT)
    for beginning, known in _BEGINNINGS.items():
        if head.startswith(beginning):
            return known
    if head[:4] == b"PK\x03\x04":
        is_keras = {"config.json", "metadata.json"} <= set(start.members)
        return _KERAS if is_keras else _ZIP
    if head[4:8] == b"TFL3":
        return _LITE
    if head[:1] == b"\x80":
        return _PICKLE
    if _PAGES.match(head):
        return _PAGE
    return _text(head)


def foreign_json(keys: set[str]) -> Foreign | None:
    """Return whose model a JSON object with these keys is, where that is known."""
    return _KERAS_JSON if {"class_name", "config"} <= keys else None


def _text(head: bytes) -> Foreign | None:
    """Return what kind of text a file begins like, if it is text."""
    try:
        text = head.decode() if len(head) < _LOOKED_AT else head[:-3].decode(errors="ignore")
    except UnicodeDecodeError:
        return None
    if not text.strip() or not all(each.isprintable() or each in "\n\r\t" for each in text):
        return None
    if text.lstrip().startswith("{"):
        return _KERAS_JSON if _OF_KERAS.search(head) else _JSON
    row = _ROW.match(text)
    if row is None:
        return _TEXT
    return _COMMAS if "," in row[0] else _TABLE
