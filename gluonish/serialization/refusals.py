"""Errors of systems and servers, told as ours: what failed where, why, and what to do."""

from __future__ import annotations

import contextlib
import errno
import tempfile
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING, Final, NoReturn

from gluonish.errors import FileAccessError, MissingFileError, MXNetError

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

_FULL: Final = "Expected more room on the disk. Free some; nothing was changed"
_REASONS: Final[Mapping[int, str]] = {
    errno.EISDIR: "It is a folder; expected a file. Add the name of the file",
    errno.EINVAL: "It is a device or a pipe; expected a regular file. Give another name",
    errno.EACCES: "Expected permission. Change the permissions, or give another place",
    errno.EPERM: "Expected permission. Change the permissions, or give another place",
    errno.EROFS: "Expected a place that can be written. Give another place",
    errno.ENOSPC: _FULL,
    errno.EDQUOT: _FULL,
    errno.EFBIG: "Expected to be allowed files of this size. Raise the limit (ulimit -f), or give "
    "another place; nothing was changed",
    errno.ENAMETOOLONG: "Expected a shorter name. Give another one",
    errno.ENOTDIR: "Expected a folder before the last slash. Check the name",
}
_MISSING: Final = {
    "Loading": "Expected an existing file. {}",
    "Saving": "Expected an existing folder. Create it first: os.makedirs(folder, exist_ok=True)",
}
_MOST_NEAR: Final = 3
_SETTINGS: Final = "Settings of fsspec apply (environment FSSPEC_..., ~/.config/fsspec)"


@contextlib.contextmanager
def refusing(doing: str, name: str) -> Iterator[None]:
    """Say what the system's errors mean for a file that is `'Loading'` or `'Saving'`."""
    try:
        yield
    except OSError as error:
        refuse_file(error, doing, name)


def refuse_file(error: OSError, doing: str, name: str) -> NoReturn:
    """Raise our error for one of the system's; ours stay as they are.

    Parameters
    ----------
    error : OSError
        What the system said.
    doing : {'Loading', 'Saving'}
        What was done.
    name : str
        Name of the file.
    """
    if isinstance(error, MXNetError):
        raise error
    reason = _REASONS.get(error.errno or 0, "Expected a file that can be used. Give another place")
    if isinstance(error, FileNotFoundError):
        reason = _MISSING[doing].format(_where_to_look(Path(name)))
    _raise(error, f"{doing} {name!r}: {error.strerror or error}. {reason}.")


def _where_to_look(path: Path) -> str:
    """Return what to do about a file that is not there."""
    if path.is_absolute() and not path.parent.is_dir():
        return f"There is no folder {str(path.parent)!r}: check the name"
    try:
        there = [
            each.name
            for each in path.parent.iterdir()
            if each.suffix == path.suffix or each.stem == path.stem
        ]
    except OSError:
        there = []
    near = get_close_matches(path.name, sorted(there), n=_MOST_NEAR)
    if f"{path.name}-model.params" in near:
        return f"net.save(prefix) wrote other names: write net.load({str(path)!r})"
    if near == [saved := f"{path.stem}.npy"]:
        return f"Check the name: its folder has {saved!r}, read by nd.array(np.load({saved!r}))"
    if near == [saved := f"{path.stem}.nd"]:
        return f"Check the name: its folder has {saved!r}, read by nd.load({saved!r})[0]"
    if near:
        return f"Check the name: its folder has {', '.join(map(repr, sorted(near)))}"
    where = "" if path.is_absolute() else f" and the working directory, {Path.cwd()}"
    return f"Check the name{where}"


def refuse_url(error: BaseException, doing: str, name: str) -> NoReturn:
    """Raise our error for one of a server, of the network, or of a library that speaks to it.

    Parameters
    ----------
    error : BaseException
        What was said.
    doing : {'Loading', 'Saving'}
        What was done.
    name : str
        The URL.
    """
    if isinstance(error, MXNetError):
        raise error
    cause = error.__cause__
    if isinstance(error, FileNotFoundError) and (
        isinstance(cause, OSError) or getattr(cause, "status", 404) != 404
    ):
        error = cause or error  # fsspec calls every page missing that a server does not give
    said = getattr(error, "strerror", None) or str(error).strip() or type(error).__name__
    _raise(error, f"{doing} {name!r}: {said.rstrip('.')}. {_url_reason(error, doing)}.")


def _url_reason(error: BaseException, doing: str) -> str:
    kind = type(error).__name__
    code = getattr(error, "errno", None)
    status = getattr(error, "status", None)
    if isinstance(error, FileNotFoundError) or status == 404:
        there = "an existing object" if doing == "Loading" else "an existing bucket or folder"
        return f"Expected {there}. Check the spelling of the URL, and the server's address"
    if "Credential" in kind:
        return (
            f"Expected credentials for this server. Set them as its own tools read them (for S3: "
            f"AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or a profile). {_SETTINGS}"
        )
    if isinstance(error, PermissionError) or status in (401, 403):
        return f"Expected permission. Check the credentials and what they allow. {_SETTINGS}"
    if isinstance(error, NotImplementedError):
        return "Expected a URL that can be written. Save to a file, or to an object store"
    if isinstance(error, IsADirectoryError):
        return "It is a folder or a bucket; expected an object. Add its name to the URL"
    if code == errno.ENOSPC:
        return f"Expected more room in {tempfile.gettempdir()!r}. Free some, or set TMPDIR"
    if isinstance(error, ConnectionError | TimeoutError) or "Connect" in kind or "Timeout" in kind:
        return (
            f"Expected an answer. Check the network and the server's address, and try again. "
            f"{_SETTINGS}"
        )
    return f"Expected the server to do it. Try again, or check the URL. {_SETTINGS}"


def _raise(error: BaseException, msg: str) -> NoReturn:
    is_missing = isinstance(error, FileNotFoundError) or getattr(error, "status", None) == 404
    refusal = MissingFileError(msg) if is_missing else FileAccessError(msg)
    refusal.errno = getattr(error, "errno", None)
    raise refusal from error
