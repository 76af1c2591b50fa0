"""Opening files and URLs for readers, and replacing files atomically for writers."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import secrets
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, NamedTuple, NoReturn, TypeAlias

from gluonish.errors import (
    DTypeError,
    FileAccessError,
    InvalidArgumentError,
    MissingExtraError,
    MissingFileError,
)

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import ModuleType

PathLike: TypeAlias = "str | os.PathLike[str]"


class Source(NamedTuple):
    """A readable stream, its length in bytes, and its name; `path` is None for buffers and URLs."""

    stream: BinaryIO
    size: int
    name: str
    path: str | None


def path_text(path: object) -> str:
    """Return a file name or URL as text.

    Raises
    ------
    DTypeError
        The value is no file name.
    InvalidArgumentError
        It is empty, or holds a NUL character.
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
    return text


@contextlib.contextmanager
def open_source(path: PathLike) -> Iterator[Source]:
    """Open a file, or the object behind a URL, for reading.

    Raises
    ------
    MissingFileError
        There is no such file.
    FileAccessError
        It is a folder, no regular file, or may not be read.
    MissingExtraError
        It is a URL, and the package for URLs is not installed.
    """
    name = path_text(path)
    if "://" in name:
        data = _download(name)
        yield Source(io.BytesIO(data), len(data), name, None)
        return
    with _open_file(name) as stream:
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
        File or URL to write. For a file, the stream is a temporary file in the same folder, whose
        path is `stream.name`.

    Raises
    ------
    MissingFileError
        There is no such folder.
    FileAccessError
        The file or its folder may not be written, or the disk is full. The old file stays.
    """
    name = path_text(path)
    if "://" in name:
        buffer = io.BytesIO()
        yield buffer
        _upload(name, buffer.getbuffer())
        return
    target = os.path.realpath(name)
    try:
        mode = _mode_of(target)
        stream = _new_file_beside(target)
        temporary = Path(stream.name)
        with contextlib.ExitStack() as cleanup:
            cleanup.callback(temporary.unlink, missing_ok=True)
            with stream:
                yield stream
                stream.flush()
                os.fsync(stream.fileno())
            if mode is not None:
                temporary.chmod(mode)
            temporary.replace(target)
        _sync_folder(target)
    except OSError as error:
        _refuse(error, "Saving", name)


def _mode_of(target: str) -> int | None:
    """Return the permissions of the file that will be replaced, or None if there is none."""
    try:
        mode = _regular_mode(target)
    except FileNotFoundError:
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return stat.S_IMODE(mode)


def _regular_mode(name: str) -> int:
    mode = Path(name).stat().st_mode
    if not stat.S_ISREG(mode):
        kind = errno.EISDIR if stat.S_ISDIR(mode) else errno.EINVAL
        raise OSError(kind, os.strerror(kind))
    return mode


def _open_file(name: str) -> BinaryIO:
    try:
        _regular_mode(name)
        return Path(name).open("rb")
    except OSError as error:
        _refuse(error, "Loading", name)


def _new_file_beside(target: str) -> BinaryIO:
    folder, base = os.path.split(target)
    temporary = Path(folder, f".{base[:100]}.{secrets.token_hex(6)}.tmp")
    # Opened without tempfile, which would make the file readable for its owner alone.
    return temporary.open("xb")


def _sync_folder(target: str) -> None:
    """Make the new name durable; not every system can do that for folders."""
    with contextlib.suppress(OSError):
        folder = os.open(Path(target).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


def _refuse(error: OSError, doing: str, name: str) -> NoReturn:
    if isinstance(error, FileAccessError):
        raise error
    reasons = {
        errno.ENOENT: "Expected an existing file. Check the name and the working directory"
        if doing == "Loading"
        else "Expected an existing folder. Create the folder first",
        errno.EISDIR: "It is a folder; expected a file. Add the name of the file",
        errno.EINVAL: "It is a device or a pipe; expected a regular file. Give another name",
        errno.EACCES: "Expected permission. Change the permissions, or give another place",
        errno.ENOSPC: "Expected more room on the disk. Free some; nothing was changed",
    }
    reason = reasons.get(error.errno or 0, "Expected a file that can be used. Give another place")
    msg = f"{doing} {name!r}: {error.strerror or error}. {reason}."
    kind = MissingFileError if isinstance(error, FileNotFoundError) else FileAccessError
    refusal = kind(msg)
    refusal.errno = error.errno
    raise refusal from error


def _fsspec(name: str) -> ModuleType:
    try:
        import fsspec
    except ImportError as error:
        msg = (
            f"{name!r}: URLs are read and written with the package fsspec, which is not "
            f"installed. Expected it beside gluonish. Run: pip install gluonish[remote]"
        )
        raise MissingExtraError(msg) from error
    return fsspec  # type: ignore[no-any-return]


def _open_url(name: str, mode: str) -> BinaryIO:
    fsspec = _fsspec(name)
    try:
        return fsspec.open(name, mode).open()  # type: ignore[no-any-return]
    except ImportError as error:
        msg = (
            f"{name!r}: fsspec needs another package for this kind of URL ({error}). "
            f"Expected it beside gluonish. Run: pip install gluonish[remote]"
        )
        raise MissingExtraError(msg) from error
    except ValueError as error:
        msg = (
            f"{name!r}: {error}. Expected a URL of a kind that fsspec knows, such as s3:// or "
            f"https://. Correct the part before '://'."
        )
        raise InvalidArgumentError(msg) from error


def _download(name: str) -> bytes:
    try:
        with _open_url(name, "rb") as stream:
            return stream.read()
    except OSError as error:
        _refuse(error, "Loading", name)


def _upload(name: str, data: memoryview) -> None:
    try:
        with _open_url(name, "wb") as stream:
            stream.write(data)
    except OSError as error:
        _refuse(error, "Saving", name)
