"""Files of records: MXRecordIO, read and written in order, and MXIndexedRecordIO, also by key."""

from __future__ import annotations

import atexit
import contextlib
import os
import weakref
from typing import TYPE_CHECKING, Any, BinaryIO

from typing_extensions import override

from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingFileError,
    MissingRecordError,
    RecordModeError,
    RecordStateError,
)
from gluonish.errors.program_arguments import last_argument
from gluonish.errors.program_text import name_of
from gluonish.errors.suggestions import with_hints
from gluonish.errors.wording import class_name, counted, listed
from gluonish.recordio.chunks import RecordSource, read_record, write_record
from gluonish.recordio.indices import read_index
from gluonish.serialization.files import PathLike, path_text, replacing

if TYPE_CHECKING:
    from collections.abc import Callable

_writers: weakref.WeakSet[MXRecordIO] = weakref.WeakSet()


@with_hints
class MXRecordIO:
    """File of records, read or written one after the other.

    Parameters
    ----------
    uri : path
        File or URL.
    flag : {'r', 'w'}
        Whether to read or to write.

    Raises
    ------
    InvalidArgumentError
        `flag` is something else.
    MissingFileError
        There is no file to read, or no folder to write in.

    Notes
    -----
    What is written replaces a file of the same name when the writer is closed, and as a whole:
    until then, and if the process is killed, the old file stays as it was. A writer that is no
    longer referenced, or is open when Python ends, is closed.

    A reader may be pickled, shared by threads and inherited by forked processes.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> path = pathlib.Path(tempfile.mkdtemp(), "data.rec")
    >>> writer = mx.recordio.MXRecordIO(path, "w")
    >>> writer.write(b"first")
    >>> writer.write(b"second")
    >>> writer.close()
    >>> reader = mx.recordio.MXRecordIO(path, "r")
    >>> reader.read(), reader.read(), reader.read()
    (b'first', b'second', None)
    """

    def __init__(self, uri: PathLike, flag: str) -> None:
        self.is_open = False
        self.uri = path_text(uri)
        self.flag = flag
        self._source: RecordSource | None = None
        self._sink: BinaryIO | None = None
        self._open_files = contextlib.ExitStack()
        if flag not in ("r", "w"):
            msg = (
                f"{type(self).__name__}: Invalid flag {flag!r} was given. Expected 'r' to read or "
                f"'w' to write. There is no adding to a file: write a new one."
            )
            raise InvalidArgumentError(msg)
        self.writable = flag == "w"
        self.open()

    def open(self) -> None:
        """Open the file; a reader begins with the first record, a writer with an empty file."""
        self.pid = os.getpid()
        self._offset = 0
        if self.writable:
            self._sink = self._open_files.enter_context(replacing(self.uri))
            _writers.add(self)
        else:
            self._source = RecordSource(self.uri)
            self._open_files.callback(self._source.close)
        self.is_open = True

    def close(self) -> None:
        """Close the file; what was written takes the place of the file of that name.

        Raises
        ------
        FileAccessError
            The disk is full, for example. The old file stays as it was.
        """
        if not self.is_open:
            return
        self.is_open = False
        _writers.discard(self)
        self._source = self._sink = None
        if self.writable and self.pid != os.getpid():
            return  # a forked process has a copy; the file is the other's
        self._open_files.close()

    def reset(self) -> None:
        """Begin again: with the first record, or with an empty file, if this is a writer."""
        if self.writable:
            if self.is_open:  # what was written so far is left
                self.is_open = False
                self._open_files.__exit__(_AbandonedError, _AbandonedError(), None)
            self.open()
        elif self.is_open:
            self._offset = 0
        else:
            self.open()

    def write(self, buf: Any) -> None:
        """Add a record.

        Parameters
        ----------
        buf : bytes
            The record, shorter than 2**29 bytes. It may be empty.

        Raises
        ------
        RecordModeError
            The file was opened to be read.
        RecordStateError
            It was closed, or opened by another process.
        DTypeError
            `buf` is not bytes.
        """
        if not isinstance(buf, bytes | bytearray | memoryview):
            msg = (
                f"{type(self).__name__}.write: {class_name(buf)} was given. Expected bytes. Write "
                f"{_as_bytes(buf)}."
            )
            raise DTypeError(msg)
        self._offset += write_record(self._writing("write"), buf)

    def read(self) -> bytes | None:
        """Return the next record, or None after the last one.

        Raises
        ------
        RecordModeError
            The file was opened to be written.
        RecordStateError
            It was closed.
        FileFormatError
            The file is damaged.
        """
        source = self._reading("read")
        if self._offset >= source.size:
            return None
        record, self._offset = read_record(source, self._offset)
        return record

    def __del__(self) -> None:
        if getattr(self, "is_open", False):
            self.close()

    @override
    def __getstate__(self) -> dict[str, Any]:
        if self.writable:
            msg = (
                f"{type(self).__name__} {self.uri!r}: it is open to be written, and was to be "
                f"pickled. Expected a reader. Close it, and open it with 'r'."
            )
            raise RecordStateError(msg)
        left_out = ("_source", "_sink", "_open_files")
        return {name: value for name, value in self.__dict__.items() if name not in left_out}

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self._source = self._sink = None
        self._open_files = contextlib.ExitStack()
        if self.is_open:
            self.is_open = False
            offset = self._offset
            MXRecordIO.open(self)
            self._offset = offset

    def _reading(self, what: str) -> RecordSource:
        if self.writable:
            raise self._wrong_mode(what, "written", "r")
        if self._source is None:
            raise self._closed(what)
        return self._source

    def _writing(self, what: str) -> BinaryIO:
        if not self.writable:
            raise self._wrong_mode(what, "read", "w")
        if self._sink is None or self.pid != os.getpid():
            raise self._closed(what)
        return self._sink

    def _wrong_mode(self, what: str, purpose: str, flag: str) -> RecordModeError:
        name = type(self).__name__
        files = (getattr(self, "idx_path", None), self.uri)
        opened = f"mx.recordio.{name}({', '.join(repr(file) for file in files if file)}, {flag!r})"
        own = name_of(self) or "record"
        msg = (
            f"{name}.{what}: {self.uri!r} was opened to be {purpose}. Expected flag {flag!r}. "
            f"Write {own}.close() first, in place of a reset(), then {own} = {opened}"
            f"{', which begins it anew' if flag == 'w' else '; w empties a file that is there'}."
        )
        return RecordModeError(msg)

    def _closed(self, what: str) -> RecordStateError:
        state = "opened by another process" if self.is_open else "closed"
        msg = (
            f"{type(self).__name__}.{what}: {self.uri!r} was {state}. Expected an open file. Call "
            f"open() first; a writer then begins a new file."
        )
        return RecordStateError(msg)


class MXIndexedRecordIO(MXRecordIO):
    """File of records with an index: each record has a key, by which it is read in any order.

    Parameters
    ----------
    idx_path : path
        File or URL of the index. Where a reader finds none, it counts the records from 0, and
        warns.
    uri : path
        File or URL of the records.
    flag : {'r', 'w'}
        Whether to read or to write.
    key_type : type, default int
        What makes a key of its text.

    Attributes
    ----------
    keys : list
        Keys in the order of the index.
    idx : dict
        Place of each key's record, in bytes.

    Raises
    ------
    InvalidArgumentError
        `flag` is something else.
    MissingFileError
        There is no file to read, or no folder to write in.
    FileFormatError
        The index does not fit the records.

    Notes
    -----
    Records and index replace files of their names when the writer is closed.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> import gluonish as mx
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> writer = mx.recordio.MXIndexedRecordIO(folder / "a.idx", folder / "a.rec", "w")
    >>> for key in range(3):
    ...     writer.write_idx(key, b"record %d" % key)
    >>> writer.close()
    >>> reader = mx.recordio.MXIndexedRecordIO(folder / "a.idx", folder / "a.rec", "r")
    >>> reader.keys, reader.read_idx(2)
    ([0, 1, 2], b'record 2')
    """

    def __init__(
        self, idx_path: PathLike, uri: PathLike, flag: str, key_type: Callable[[str], Any] = int
    ) -> None:
        self.idx_path = path_text(idx_path)
        self.key_type = key_type
        self.idx: dict[Any, int] = {}
        self.keys: list[Any] = []
        super().__init__(uri, flag)

    @override
    def open(self) -> None:
        self.idx = {}
        self.keys = []
        if self.writable:
            # Closed last, so that no index is new before its records are.
            self._index = self._open_files.enter_context(replacing(self.idx_path))
        super().open()
        if self._source is not None:
            entries = read_index(self.idx_path, self._source, self.key_type)
            self.keys = [key for key, _ in entries]
            self.idx = dict(entries)

    @override
    def __getstate__(self) -> dict[str, Any]:
        state = super().__getstate__()
        state.pop("_index", None)
        return state

    def seek(self, idx: Any) -> None:
        """Go to the record of a key; `read` returns it.

        Raises
        ------
        MissingRecordError
            There is no such key.
        RecordModeError
            The file was opened to be written.
        """
        self._place("seek", idx)
        self._offset = self.idx[idx]

    def tell(self) -> int:
        """Return the place in bytes where the next record is written, or read."""
        return self._offset

    def read_idx(self, idx: Any) -> bytes:
        """Return the record of a key.

        Raises
        ------
        MissingRecordError
            There is no such key.
        RecordModeError
            The file was opened to be written.
        FileFormatError
            The file is damaged.
        """
        source, place = self._place("read_idx", idx)
        record, self._offset = read_record(source, place)
        return record

    def write_idx(self, idx: Any, buf: bytes) -> None:
        """Add a record with a key.

        Parameters
        ----------
        idx : int, or what `key_type` makes
            The key. Where it is there already, it stands for the new record from now on.
        buf : bytes
            The record, shorter than 2**29 bytes. It may be empty.

        Raises
        ------
        RecordModeError
            The file was opened to be read.
        RecordStateError
            It was closed, or opened by another process.
        InvalidArgumentError
            The text of the key has a tab or a line end, or begins or ends with a space.
        DTypeError
            `buf` is not bytes.
        """
        self._writing("write_idx")
        key = self.key_type(idx)
        text = str(key)
        if text != text.strip() or "\t" in text or "\n" in text:
            msg = (
                f"{type(self).__name__}.write_idx: key {text!r} was given. Expected text without "
                f"tabs, line ends, or spaces around it. Use another key."
            )
            raise InvalidArgumentError(msg)
        place = self._offset
        self.write(buf)
        self._index.write(f"{text}\t{place}\n".encode())
        self.idx[key] = place
        self.keys.append(key)

    def _place(self, what: str, idx: Any) -> tuple[RecordSource, int]:
        if not self.writable and not self.is_open:
            self.open()
        source = self._reading(what)
        place = self.idx.get(idx)
        if place is None:
            numbers = [key for key in self.keys if isinstance(key, int)]
            some = listed(self.keys, 5)
            if numbers and max(numbers) - min(numbers) + 1 == len(self.keys):
                some = f"{min(numbers)} to {max(numbers)}"
            keys = counted(len(self.keys), "key")
            msg = (
                f"{type(self).__name__}.{what}: {self.uri!r} has no record of key {idx!r}. "
                f"Expected one of the {keys} of {self.idx_path!r}: {some}. Go through the "
                f"attribute keys: for key in reader.keys."
            )
            raise MissingRecordError(msg)
        return source, place


class _AbandonedError(Exception):
    """Ends a writer without what it wrote."""


@atexit.register
def _close_writers() -> None:
    for writer in list(_writers):
        with contextlib.suppress(MissingFileError):  # whose folder is gone, as a temporary one is
            writer.close()


def _as_bytes(value: object) -> str:
    """Return how a program makes bytes of something."""
    name = last_argument() or "x"
    if isinstance(value, str):
        return f"{name}.encode()"
    if hasattr(value, "asnumpy"):
        return f"{name}.asnumpy().tobytes()"
    return f"{name}.tobytes()" if hasattr(value, "tobytes") else f"str({name}).encode()"
