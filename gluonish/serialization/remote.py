"""Files behind URLs, through fsspec: read in parts or as a whole, written as a whole."""

from __future__ import annotations

import contextlib
import errno
import io
import os
import re
import secrets
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Final

from gluonish.errors import FileAccessError, InvalidArgumentError, MissingExtraError
from gluonish.serialization.refusals import refuse_url
from gluonish.serialization.views import PartStream

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from typing import Protocol

    class FileSystem(Protocol):
        """The part of fsspec's file systems that is used."""

        protocol: str | tuple[str, ...]

        def invalidate_cache(self, path: str) -> None:
            """Forget what is known of a path."""

        def info(self, path: str) -> dict[str, Any]:
            """Return size, type and more."""

        def cat_file(self, path: str, start: int = 0, end: int | None = None) -> bytes:
            """Return an object's bytes."""

        def open(self, path: str, mode: str, *, cache_type: str) -> BinaryIO:
            """Open an object as a stream."""

        def get_file(self, rpath: str, lpath: str) -> None:
            """Copy an object into a local file."""

        def put_file(self, lpath: str, rpath: str) -> None:
            """Copy a local file into an object."""

        def mv(self, path1: str, path2: str) -> None:
            """Rename an object."""

        def rm_file(self, path: str) -> None:
            """Remove an object."""

        def ls(self, path: str, *, detail: bool) -> list[dict[str, Any]]:
            """Return what is in a folder."""

        def makedirs(self, path: str, *, exist_ok: bool) -> None:
            """Make a folder and those above it."""


_URL: Final = re.compile(r"(?:[A-Za-z][A-Za-z0-9+.\-]+(?:::|://))+")
_SMALL: Final = 2**23  # bytes; up to here an object is fetched at once
_BUFFER: Final = 2**20  # bytes that are read ahead
_REQUEST: Final = 2**24  # bytes of one request, at most
# Stores that show an object only when all of it has come; elsewhere a new name is given at the end.
_WHOLE_OBJECTS: Final = frozenset({"s3", "s3a", "gs", "gcs", "abfs", "abfss", "az", "adl", "oss"})
_WEB: Final = ("http://", "https://")
_PACKAGES: Final[Mapping[str, str]] = {
    "abfs": "adlfs", "abfss": "adlfs", "az": "adlfs", "gcs": "gcsfs", "gs": "gcsfs",
    "hdfs": "pyarrow", "hf": "huggingface_hub", "oci": "ocifs", "oss": "ossfs", "sftp": "paramiko",
    "ssh": "paramiko", "smb": "smbprotocol",
}  # fmt: skip
# What libraries raise beside OSError, by module; only those that are loaded can have raised it.
_FOREIGN_ERRORS: Final[Mapping[str, Sequence[str]]] = {
    "aiohttp": ("ClientError",),
    "azure.core.exceptions": ("AzureError",),
    "botocore.exceptions": ("BotoCoreError", "ClientError"),
    "gcsfs.retry": ("HttpError",),
    "google.auth.exceptions": ("GoogleAuthError",),
    "paramiko": ("SSHException",),
    "requests": ("RequestException",),
}


def is_url(name: str) -> bool:
    """Return whether a name is a URL; see `files.is_url`."""
    match = _URL.match(name)
    return match is not None and match[0].endswith("://")


@contextlib.contextmanager
def reading(name: str, *, entire: bool) -> Iterator[tuple[BinaryIO, int]]:
    """Open what is behind a URL as a stream that can seek; give its size too."""
    system, path = _located(name, "Loading")
    with contextlib.ExitStack() as cleanup:
        with _refusing("Loading", name):
            stream, size = _opened(system, path, name, cleanup, entire=entire)
        yield stream, size


def _opened(
    system: FileSystem, path: str, name: str, cleanup: contextlib.ExitStack, *, entire: bool
) -> tuple[BinaryIO, int]:
    system.invalidate_cache(path)  # listings of before may tell an old size
    info = system.info(path)
    size = info.get("size")
    if info.get("type") == "directory":
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR))
    if size is not None and size <= _SMALL:
        data = system.cat_file(path)
        return io.BytesIO(data), len(data)
    if size is not None and not entire:
        fetch = _fetch_of_parts(system, path, name, cleanup)
        if fetch is not None:
            return cleanup.enter_context(io.BufferedReader(PartStream(fetch, size), _BUFFER)), size
    copy = cleanup.enter_context(_fetched(system, path))
    return copy, os.fstat(copy.fileno()).st_size


def _fetch_of_parts(
    system: FileSystem, path: str, name: str, cleanup: contextlib.ExitStack
) -> Callable[[int, int], bytes] | None:
    """Return what fetches the bytes from one place to another, unless the server cannot do it."""
    file: BinaryIO | None = None
    if name.lower().startswith(_WEB):
        # Not every web server has parts. The library's stream notices, before all of it has come.
        file = cleanup.enter_context(system.open(path, "rb", cache_type="none"))

    def fetch(start: int, end: int) -> bytes:
        end = min(end, start + _REQUEST)
        with _refusing("Loading", name):
            if file is None:
                return system.cat_file(path, start=start, end=end)
            file.seek(start)
            return file.read(end - start)

    try:
        if file is not None:
            fetch(1, 2)
    except ValueError:
        return None
    return fetch


@contextlib.contextmanager
def _fetched(system: FileSystem, path: str) -> Iterator[BinaryIO]:
    """Give a temporary file with the whole object, so that it is not in memory twice."""
    handle, local = tempfile.mkstemp(prefix="gluonish-", suffix=".tmp")
    os.close(handle)
    temporary = Path(local)
    try:
        system.get_file(path, local)
        with temporary.open("rb") as stream:
            yield stream
    finally:
        temporary.unlink(missing_ok=True)


class RemoteReplacement:
    """New content of an object behind a URL: a temporary file that is sent when it is complete."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._system, self._path = _located(name, "Saving")
        handle, local = tempfile.mkstemp(prefix="gluonish-", suffix=".tmp")
        os.close(handle)
        self._temporary = Path(local)
        self.stream: BinaryIO = self._temporary.open("wb")  # by its name, which readers ask for

    def prepare(self) -> None:
        """Complete the temporary file."""
        self.stream.close()

    def publish(self) -> None:
        """Send it."""
        with _refusing("Saving", self._name):
            if _protocols(self._system) & _WHOLE_OBJECTS:
                self._system.put_file(str(self._temporary), self._path)
            else:
                self._send_and_rename()

    def discard(self) -> None:
        """Remove the temporary file."""
        with contextlib.suppress(OSError):
            self.stream.close()
        self._temporary.unlink(missing_ok=True)

    def _send_and_rename(self) -> None:
        folder, slash, base = self._path.rpartition("/")
        beside = f"{folder}{slash}.{base[:50]}.{secrets.token_hex(6)}.tmp"
        try:
            self._system.put_file(str(self._temporary), beside)
            self._system.mv(beside, self._path)
        except BaseException:
            with contextlib.suppress(*_errors()):
                self._system.rm_file(beside)
            raise


def names_in(name: str) -> list[str]:
    """Return the names of the objects in a folder behind a URL, without those of its folders.

    A folder that is not there is empty, as in stores that know objects only.
    """
    system, path = _located(name, "Loading")
    with _refusing("Loading", name), contextlib.suppress(FileNotFoundError):
        system.invalidate_cache(path)
        return [
            entry["name"].rstrip("/").rpartition("/")[2]
            for entry in system.ls(path, detail=True)
            if entry["type"] == "file"
        ]
    return []


def exists(name: str) -> bool:
    """Return whether there is an object behind a URL that would be written."""
    system, path = _located(name, "Saving")
    with _refusing("Saving", name), contextlib.suppress(FileNotFoundError):
        system.invalidate_cache(path)
        system.info(path)
        return True
    return False


def make_folder(name: str) -> None:
    """Make a folder behind a URL, and those above it, where there are folders."""
    system, path = _located(name, "Saving")
    if not _protocols(system) & _WHOLE_OBJECTS:
        with _refusing("Saving", name):
            system.makedirs(path, exist_ok=True)


def remove(name: str) -> None:
    """Remove the object behind a URL, if it is there."""
    system, path = _located(name, "Saving")
    with _refusing("Saving", name), contextlib.suppress(FileNotFoundError):
        system.rm_file(path)


def _protocols(system: FileSystem) -> set[str]:
    protocol = system.protocol
    return {protocol} if isinstance(protocol, str) else set(protocol)


def _located(name: str, doing: str) -> tuple[FileSystem, str]:
    """Return the file system of a URL, and the path in it."""
    kind = re.split("::|://", name, maxsplit=1)[0].lower()
    try:
        from fsspec.core import url_to_fs
    except ImportError as error:
        msg = (
            f"{name!r}: URLs are read and written with the package fsspec, which is not "
            f"installed. Expected it beside gluonish. Run: pip install gluonish[remote]"
        )
        raise MissingExtraError(msg) from error
    try:
        system, path = url_to_fs(name)
    except ImportError as error:
        package = _PACKAGES.get(kind, "gluonish[remote]")
        msg = (
            f"{name!r}: fsspec needs another package for this kind of URL ({error}). "
            f"Expected it beside gluonish. Run: pip install {package}"
        )
        raise MissingExtraError(msg) from error
    except ValueError as error:
        msg = (
            f"{name!r}: {error}. Expected a URL of a kind that fsspec knows, such as s3:// or "
            f"https://. Correct the part before '://', or write './' before the name of a file."
        )
        raise InvalidArgumentError(msg) from error
    except _errors() as error:
        refuse_url(error, doing, name)
    # fsspec would send it to a web server as a form
    if doing == "Saving" and name.lower().startswith(_WEB):
        msg = (
            f"Saving {name!r}: web servers take no files. Expected a URL that can be written. "
            f"Save to a file, or to an object store."
        )
        raise FileAccessError(msg)
    return system, path


@contextlib.contextmanager
def _refusing(doing: str, name: str) -> Iterator[None]:
    try:
        yield
    except _errors() as error:
        refuse_url(error, doing, name)


def _errors() -> tuple[type[BaseException], ...]:
    """Return what may be raised when a server is spoken to."""
    found: list[type[BaseException]] = [OSError, NotImplementedError]
    for module, names in _FOREIGN_ERRORS.items():
        loaded = sys.modules.get(module)
        found += [getattr(loaded, name) for name in names if hasattr(loaded, name)]
    return tuple(found)
