"""A new file that takes the place of an old one as a whole, or leaves it as it was."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import secrets
import shutil
import stat
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO, Final

if TYPE_CHECKING:
    from types import ModuleType

fcntl: ModuleType | None
try:
    import fcntl
except ImportError:  # Windows, where open files cannot be removed anyway
    fcntl = None

_BUFFER: Final = 2**18  # bytes
_SHOWN: Final = 50  # characters of the file's name in that of its temporary file
_RANDOM: Final = re.compile(r"\.[0-9a-f]{12}\.tmp")
_own: dict[int, object] = {}  # who has which number of a file open: new content, in any thread


class LocalReplacement:
    """New content of a local file: a temporary file beside it, locked while it is written."""

    def __init__(self, name: str) -> None:
        self._target = os.path.realpath(name)
        self._old = _replaced(self._target)
        _sweep(self._target)
        self.stream = _new_file_beside(self._target)
        self._number = self.stream.fileno()
        _own[self._number] = self
        self._temporary = Path(self.stream.name)

    def prepare(self) -> None:
        """Have everything written to the disk, with the old file's owner and permissions."""
        self.stream.flush()
        number = self.stream.fileno()
        if self._old is not None:
            # The owner comes first, since a new owner takes some permissions away.
            with contextlib.suppress(PermissionError, AttributeError):
                os.fchown(number, self._old.st_uid, self._old.st_gid)
            self._temporary.chmod(stat.S_IMODE(self._old.st_mode))
        os.fsync(number)

    def publish(self) -> None:
        """Give the new file the old one's name, and have the folder written to the disk.

        A file that this process holds open for writing, as a temporary file is, stays the one that
        it is, and gets the new content.
        """
        if fcntl is None:
            self._close()
        elif self._old is not None and _is_held(self._old):
            self._write_over()
            return
        self._temporary.replace(self._target)
        self._close()
        _sync_folder(self._target)

    def _write_over(self) -> None:
        with self._temporary.open("rb") as source, Path(self._target).open("r+b") as target:
            shutil.copyfileobj(source, target, _BUFFER)
            target.truncate()
            target.flush()
            os.fsync(target.fileno())
        self.discard()

    def _close(self) -> None:
        try:
            self.stream.close()
        finally:
            if _own.get(self._number) is self:  # else it is another one's already
                del _own[self._number]

    def discard(self) -> None:
        """Remove the temporary file, if it is still there."""
        with contextlib.suppress(OSError):  # a full disk refuses what is buffered once more
            self._close()
        with contextlib.suppress(OSError):
            self._temporary.unlink(missing_ok=True)


def regular_file(name: str) -> os.stat_result:
    """Return what the system knows of a file.

    Raises
    ------
    OSError
        There is none, or it is a folder, a device or a pipe.
    """
    found = Path(name).stat()
    if not stat.S_ISREG(found.st_mode):
        kind = errno.EISDIR if stat.S_ISDIR(found.st_mode) else errno.EINVAL
        raise OSError(kind, os.strerror(kind))
    return found


def _replaced(target: str) -> os.stat_result | None:
    """Return what the system knows of the file that will be replaced, or None if there is none."""
    try:
        found = regular_file(target)
    except FileNotFoundError:
        return None
    if not os.access(target, os.W_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))
    return found


def _is_held(file: os.stat_result) -> bool:
    """Return whether this process has a file open for writing, but for a writer of new content.

    That has just given the file its name, and is about to close it.
    """
    try:
        numbers = [int(each.name) for each in Path("/dev/fd").iterdir()]
    except OSError:  # a system without it
        return False
    return any(number not in _own and _writes_to(number, file) for number in numbers)


def _writes_to(number: int, file: os.stat_result) -> bool:
    assert fcntl is not None  # noqa: S101 - the caller looked
    try:
        found = os.fstat(number)
        if (found.st_dev, found.st_ino) != (file.st_dev, file.st_ino):
            return False
        mode = fcntl.fcntl(number, fcntl.F_GETFL) & os.O_ACCMODE
    except OSError:  # closed meanwhile, as that of the listing is
        return False
    return bool(mode != os.O_RDONLY)


def _new_file_beside(target: str) -> BinaryIO:
    folder, base = os.path.split(target)
    while True:
        temporary = Path(folder, f".{base[:_SHOWN]}.{secrets.token_hex(6)}.tmp")
        # Opened without tempfile, which would make the file readable for its owner alone.
        stream = temporary.open("xb", buffering=_BUFFER)
        _lock(stream, waits=True)
        if os.fstat(stream.fileno()).st_nlink or fcntl is None:
            return stream
        stream.close()  # another writer's sweep had locked it before, and removed it


def _sweep(target: str) -> None:
    """Remove the temporary files of writers of this file that are no more."""
    folder, base = os.path.split(target)
    start = f".{base[:_SHOWN]}"
    # A folder may be writable and not readable; and others may be faster.
    with contextlib.suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(start) and _RANDOM.fullmatch(entry.name, len(start)):
                _remove_unlocked(Path(entry.path))


def _remove_unlocked(path: Path) -> None:
    with contextlib.suppress(OSError):
        if not stat.S_ISREG(path.lstat().st_mode):
            return
        with path.open("rb") as stream:
            if _lock(stream):
                path.unlink()


def _lock(stream: BinaryIO, *, waits: bool = False) -> bool:
    """Lock a file as long as it is open; return whether it is.

    If another one has locked it, it is not, or with `waits` after that one has closed it.
    """
    if fcntl is None:
        return False
    try:
        fcntl.flock(stream.fileno(), fcntl.LOCK_EX | (0 if waits else fcntl.LOCK_NB))
    except OSError:  # locked, or in a file system without locks
        return False
    return True


def _sync_folder(target: str) -> None:
    """Make the new name durable; not every system can do that for folders."""
    with contextlib.suppress(OSError):
        folder = os.open(Path(target).parent, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)
