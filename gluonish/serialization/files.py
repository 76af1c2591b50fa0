"""Opening files and URLs for readers, and replacing files atomically for writers."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import sys
from pathlib import Path, PurePath
from typing import TYPE_CHECKING, BinaryIO, Final, NamedTuple, TypeAlias

from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.serialization import remote
from gluonish.serialization.cursor import Cursor
from gluonish.serialization.refusals import refuse_file, refusing
from gluonish.serialization.replacement import LocalReplacement, regular_file

if TYPE_CHECKING:
    from collections.abc import Iterator

PathLike: TypeAlias = "str | os.PathLike[str]"

_LOCAL: Final = re.compile(r"(?:file|local)://(?=.)")
_FLATTENED: Final = re.compile(r"[A-Za-z][A-Za-z0-9+.\-]+:/(?!/)")
_OF_WRITING: Final = (errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO, errno.EROFS)
_RESERVED_FROM: Final = 2**20  # bytes; below, setting room aside costs more than it saves


class Source(NamedTuple):
    """A readable stream, its length in bytes, and its name; `path` is None for buffers and URLs."""

    stream: BinaryIO
    size: int
    name: str
    path: str | None

    def cursor(self, *, maps: bool = False) -> Cursor:
        """Return a reading position; it may map a local file if `maps` is given."""
        is_mapped = maps and self.path is not None
        return Cursor(self.stream, self.size, self.name, self.path, maps=is_mapped)


def path_text(path: object) -> str:
    """Return a file name or URL as text; of a URL of a local file, its name.

    Raises
    ------
    DTypeError
        The value is no file name.
    InvalidArgumentError
        It is empty, or holds a NUL character, or is a URL that pathlib has made a path of.

    Examples
    --------
    >>> from gluonish.serialization.files import path_text
    >>> path_text("s3://bucket/net.params"), path_text("file:///data/net.params")
    ('s3://bucket/net.params', '/data/net.params')
    """
    if not isinstance(path, str | bytes | os.PathLike):
        msg = (
            f"file name: {type(path).__name__} {path!r} was given. "
            f"Expected str or os.PathLike. Pass the name of the file."
        )
        raise DTypeError(msg)
    text = os.fsdecode(path)
    if not text or "\0" in text:
        msg = f"file name: {text!r} was given. Expected some text without NUL characters."
        raise InvalidArgumentError(msg)
    if isinstance(path, PurePath) and _FLATTENED.match(text):
        msg = (
            f"file name: {path!r} was given, a URL of which pathlib has dropped a slash. Expected "
            f"URLs as text. Write {text.replace(':/', '://', 1)!r} without Path()."
        )
        raise InvalidArgumentError(msg)
    return _LOCAL.sub("", text, count=1) if _LOCAL.match(text) else text


def is_url(path: PathLike) -> bool:
    """Return whether a path is a URL of something that is not a local file.

    Notes
    -----
    A URL begins with the name of its kind, of two letters or more, and `://`, so that `C://x` is
    a path on Windows. Kinds can be chained as fsspec does it: `simplecache::s3://bucket/x`. A
    local file in a folder named like that is reached by `./s3://bucket/x`.

    Examples
    --------
    >>> from gluonish.serialization.files import is_url
    >>> [is_url(path) for path in ("s3://b/x", "file:///x", "C://x", "./s3://b/x")]
    [True, False, False, False]
    """
    return remote.is_url(path_text(path))


@contextlib.contextmanager
def open_source(path: PathLike, *, entire: bool = False) -> Iterator[Source]:
    """Open a file, or the object behind a URL, for reading.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL.
    entire : bool, default False
        Whether everything will be read. A large object behind a URL is then fetched in one request,
        into a temporary file; otherwise the parts that are read are.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        It is a folder, no regular file, or may not be read.
    MissingExtraError
        It is a URL, and the package for URLs of its kind is not installed.
    """
    name = path_text(path)
    if remote.is_url(name):
        with remote.reading(name, entire=entire) as (stream, size):
            yield Source(stream, size, name, None)
        return
    with refusing("Loading", name):
        regular_file(name)
        opened = Path(name).open("rb")  # noqa: SIM115 - closed below
    with opened as stream:
        yield Source(stream, os.fstat(stream.fileno()).st_size, name, name)


def buffer_source(data: bytes | bytearray | memoryview, name: str = "buffer") -> Source:
    """Return a source over bytes in memory."""
    stream = io.BytesIO(data)
    return Source(stream, stream.getbuffer().nbytes, name, None)


@contextlib.contextmanager
def replacing(path: PathLike) -> Iterator[BinaryIO]:
    """Open a stream whose content replaces the file as a whole when the block ends well.

    Parameters
    ----------
    path : str or os.PathLike
        File or URL to write. For a file, the stream is a temporary file in the same folder; for a
        URL, one in the folder for temporary files, which is sent when it is complete.

    Raises
    ------
    MissingFileError
        There is no such folder.
    FileAccessError
        The file or its folder may not be written, or the disk is full. The old file stays.

    Notes
    -----
    What was written can be read again by the stream's `name` after a `flush`, and an error then
    leaves the old file in its place.

    The new content is on the disk before the file's name leads to it, and the folder is written
    too, so that a crash at any moment, also of the machine, leaves the old content or the new one.
    What a killed writer leaves of a temporary file is removed when the file is written next.

    Examples
    --------
    >>> import tempfile
    >>> from pathlib import Path
    >>> from gluonish.serialization.files import replacing
    >>> path = Path(tempfile.mkdtemp(), "x")
    >>> with replacing(path) as stream:
    ...     _ = stream.write(b"all of it")
    >>> path.read_bytes()
    b'all of it'
    """
    with replacing_together(path) as (stream,):
        yield stream


@contextlib.contextmanager
def replacing_together(*paths: PathLike) -> Iterator[tuple[BinaryIO, ...]]:
    """Open a stream for each of several files that belong together; see `replacing`.

    Parameters
    ----------
    *paths : str or os.PathLike
        The files, in the order in which they take their places.

    Notes
    -----
    All are complete and on the disk before the first takes its place, so that whatever fails,
    fails before anything is replaced. No system can rename two files at once: a crash in the
    microseconds between leaves the first new and the others old. So the parameters stand before
    their graph: an old graph with new values is what a training goes on from.
    """
    names = [path_text(path) for path in paths]
    started: list[remote.RemoteReplacement | LocalReplacement] = []
    with contextlib.ExitStack() as undo:
        for name in names:
            begin = remote.RemoteReplacement if remote.is_url(name) else LocalReplacement
            with refusing("Saving", name):
                started.append(begin(name))
            undo.callback(started[-1].discard)
        try:
            yield tuple(replacement.stream for replacement in started)
        except OSError as error:
            if error.errno not in _OF_WRITING:
                raise  # of something else that the block does
            refuse_file(error, "Saving", names[0])
        for name, replacement in zip(names, started, strict=True):
            with refusing("Saving", name):
                replacement.prepare()
        for name, replacement in zip(names, started, strict=True):
            with refusing("Saving", name):
                replacement.publish()


def reserve(stream: BinaryIO, size: int) -> None:
    """Have the disk set room aside for what will be written.

    Parameters
    ----------
    stream : BinaryIO
        From `replacing`, nothing written yet.
    size : int
        Number of bytes, at most as many as will be written.

    Raises
    ------
    OSError
        The disk has not as much room, or files must not be as large.
    """
    if size < _RESERVED_FROM or sys.platform in ("darwin", "win32"):
        return
    try:
        os.posix_fallocate(stream.fileno(), 0, size)
    except OSError as error:  # a buffer in memory has no number, and some file systems no rooms
        if error.errno in (errno.ENOSPC, errno.EDQUOT, errno.EFBIG):
            raise
