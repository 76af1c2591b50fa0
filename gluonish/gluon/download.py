"""Files from the web: fetched with a progress bar, checked, and put in place in one step."""

from __future__ import annotations

import contextlib
import hashlib
import http.client
import os
import shutil
import urllib.error
import urllib.parse
import warnings
import zipfile
import zlib
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish.display.progress import bar, tell
from gluonish.errors import (
    FileAccessError,
    FileChecksumError,
    FileDownloadError,
    FileFormatError,
    InvalidArgumentError,
    RefusedArgumentError,
)
from gluonish.errors.tracebacks import users_level
from gluonish.gluon import web
from gluonish.serialization.files import is_url, open_source, replacing

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Protocol, TypeAlias

    class Readable(Protocol):
        """What bytes come from."""

        def read(self, count: int, /) -> bytes:
            """Return some of them, or none at the end."""


__all__ = ["check_sha1", "download", "replace_file", "repository_url", "unpack"]

FilePath: TypeAlias = "str | os.PathLike[str]"

_PAGES = ("http://", "https://")
_CHUNK = 1 << 16  # bytes: slow lines move the progress bar, too
REPOSITORY = "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/"


def download(
    url: str,
    path: FilePath | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Fetch a file, unless it is there already.

    Parameters
    ----------
    url : str
        Address: http, https, or of a kind that fsspec knows, such as s3.
    path : path, optional
        Where to put it: a file name or a folder, by default the current one. Missing folders are
        made.
    overwrite : bool, default False
        Whether to fetch it although a file of that name is there.
    sha1_hash : str, optional
        Checksum that the file must have; a file with another one is fetched anew.
    retries : int, default 5
        How often to try again after a failure. A web server that is silent for 30 seconds, or sends
        less than 1000 bytes per second for a minute, is given up and not tried again.
    verify_ssl : bool, default True
        Whether to check the server's certificate.

    Returns
    -------
    str
        Name of the file.

    Raises
    ------
    FileDownloadError
        The file could not be fetched.
    FileChecksumError
        It was fetched and has another checksum; it is not kept.
    InvalidArgumentError
        `url` names no file, or is no address.
    RefusedArgumentError
        `retries` is negative.

    Examples
    --------
    >>> from gluonish.gluon.utils import download
    >>> download("example.org/w.params")
    Traceback (most recent call last):
    ...
    gluonish.errors.InvalidArgumentError: download: the address 'example.org/w.params' was ...
    """
    if retries < 0:
        msg = (
            f"download: Number of retries should be at least 0, currently it's {retries}. Leave "
            f"it out for 5."
        )
        raise RefusedArgumentError(msg)
    if not verify_ssl:
        warnings.warn(
            "Unverified HTTPS request is being made (verify_ssl=False). Adding certificate "
            "verification is strongly advised.",
            stacklevel=users_level(),
        )
    target = _target(url, path)
    if target.exists() and not overwrite and (not sha1_hash or check_sha1(target, sha1_hash)):
        return str(target)
    target.parent.mkdir(parents=True, exist_ok=True)
    for attempt in range(retries + 1):
        try:
            _fetch(url, target, sha1_hash, verify_ssl)
        except (urllib.error.URLError, http.client.HTTPException, OSError) as error:
            if isinstance(error, urllib.error.HTTPError):
                error.close()
            if attempt == retries or _is_given_up(error):
                if isinstance(error, FileChecksumError):
                    raise
                raise _failed(url, target, attempt + 1, error) from error
        else:
            break
    return str(target)


def check_sha1(filename: FilePath, sha1_hash: str) -> bool:
    """Return whether a file has a SHA-1 checksum.

    Parameters
    ----------
    filename : path
        Name of the file.
    sha1_hash : str
        40 hexadecimal digits.

    Examples
    --------
    >>> from gluonish.gluon.utils import check_sha1
    >>> check_sha1(__file__, "0" * 40)
    False
    """
    with Path(filename).open("rb") as file:
        return hashlib.file_digest(file, "sha1").hexdigest() == sha1_hash


def replace_file(src: FilePath, dst: FilePath) -> None:
    """Put one file in the place of another in one step; on failure `src` is removed.

    Raises
    ------
    FileAccessError
        It cannot be done.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> from gluonish.gluon.utils import replace_file
    >>> folder = pathlib.Path(tempfile.mkdtemp())
    >>> _ = (folder / "new").write_text("text")
    >>> replace_file(folder / "new", folder / "old")
    >>> (folder / "old").read_text()
    'text'
    """
    try:
        Path(src).replace(dst)
    except OSError as error:
        Path(src).unlink(missing_ok=True)
        msg = (
            f"replace_file: Moving downloaded temp file - {os.fspath(src)}, to {os.fspath(dst)} "
            f"failed: {error.strerror}. Expected both in one file system. Please retry the "
            f"download."
        )
        raise FileAccessError(msg) from error


def repository_url(namespace: str, filename: str) -> str:
    """Return the address of a file in MXNet's repository, or in the one MXNET_GLUON_REPO names.

    Examples
    --------
    >>> from gluonish.gluon.download import repository_url
    >>> repository_url("gluon/dataset/mnist", "t10k-labels-idx1-ubyte.gz").rsplit("/", 3)[1:]
    ['dataset', 'mnist', 't10k-labels-idx1-ubyte.gz']
    """
    root = os.environ.get("MXNET_GLUON_REPO", REPOSITORY).rstrip("/")
    return f"{root}/{namespace}/{filename}"


def unpack(archive: FilePath, name: str, target: Path) -> Path:
    """Put one file of a zip archive in its place, and return that.

    Raises
    ------
    FileFormatError
        It is no archive, is damaged, or does not hold the file.
    """
    try:
        with (
            zipfile.ZipFile(archive) as files,
            files.open(name) as source,
            replacing(target) as file,
        ):
            shutil.copyfileobj(source, file, _CHUNK)
    except (zipfile.BadZipFile, zlib.error, EOFError, KeyError, OSError) as error:
        msg = (
            f"{os.fspath(archive)}: it is no archive that holds {name} ({error}). Expected the one "
            f"of MXNet's repository. Remove it, so that it is downloaded anew."
        )
        raise FileFormatError(msg) from error
    return target


def _target(url: str, path: FilePath | None) -> Path:
    parsed = urllib.parse.urlparse(url)
    name = parsed.path.rsplit("/", 1)[-1]
    if not is_url(url):
        msg = (
            f"download: the address {url!r} was given. Expected one that starts with http://, "
            f"https:// or s3://. Copy local files with the tools of the system."
        )
        raise InvalidArgumentError(msg)
    target = Path(path).expanduser() if path is not None else Path(name)
    is_folder = path is not None and (target.is_dir() or os.fspath(path).endswith("/"))
    if not name and (path is None or is_folder):
        msg = (
            f"download: Can't construct file-name from the address {url!r}. Expected a name "
            f"after the last slash. Please set the path argument to a file name."
        )
        raise InvalidArgumentError(msg)
    return target / name if is_folder else target


def _fetch(url: str, target: Path, sha1_hash: str | None, verify_ssl: bool) -> None:
    digest = hashlib.sha1(usedforsecurity=False)
    is_page = url.startswith(_PAGES)
    opened = web.opened(url, verify_ssl=verify_ssl) if is_page else _open_object(url)
    with (
        opened as (source, size),
        replacing(target) as file,
        bar(
            total=size or None,
            desc=f"Downloading {target.name}",
            unit="B",
            unit_scale=True,
            unit_divisor=1024,
        ) as progress,
    ):
        while chunk := source.read(_CHUNK):
            file.write(chunk)
            digest.update(chunk)
            progress.update(len(chunk))
        tell(progress)
        if progress.n < (size or 0):
            raise http.client.IncompleteRead(partial=b"", expected=size - progress.n)
        if sha1_hash and digest.hexdigest() != sha1_hash:
            raise _mismatch(url, sha1_hash, digest.hexdigest())


@contextlib.contextmanager
def _open_object(url: str) -> Iterator[tuple[Readable, int]]:
    with open_source(url) as source:
        yield source.stream, source.size


def _mismatch(url: str, expected: str, found: str) -> FileChecksumError:
    msg = (
        f"download: {url} is downloaded but the content hash does not match: it is {found}. "
        f"Expected {expected}. The repo may be outdated or download may be incomplete: try again, "
        f"or fetch the file from elsewhere."
    )
    return FileChecksumError(msg)


def _failed(url: str, target: Path, tries: int, error: Exception) -> FileDownloadError:
    msg = (
        f"download: Failed downloading url {url} after {tries} {'try' if tries == 1 else 'tries'}: "
        f"{_told(error)}. Expected the server to send the file. Check the address and the network, "
        f"or fetch the file by other means and put it at {target}."
    )
    return FileDownloadError(msg)


def _is_given_up(error: Exception) -> bool:
    return isinstance(getattr(error, "reason", error), TimeoutError)


def _told(error: Exception) -> str:
    if _is_given_up(error):
        if isinstance(getattr(error, "reason", error), web.SlowServerError):
            rate = f"less than {web.LEAST:g} bytes per second"
            return f"in {web.WINDOW:g} seconds the server sent {rate}"
        return f"the server was silent for {web.SILENCE:g} seconds"
    if isinstance(error, http.client.IncompleteRead):
        missing = "" if error.expected is None else f", {error.expected} bytes early"
        return f"the server ended the connection in the middle of the file{missing}"
    return " ".join(str(error).split())
