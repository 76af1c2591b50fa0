"""Folders, local or behind URLs: what is in them, and what makes and removes it."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING

from gluonish.serialization import remote
from gluonish.serialization.files import path_text
from gluonish.serialization.refusals import refusing

if TYPE_CHECKING:
    from gluonish.serialization.files import PathLike


def names_in(folder: PathLike) -> list[str]:
    """Return the names of the files in a folder; a folder that is not there is empty.

    Raises
    ------
    FileAccessError
        It is no folder, or may not be read.

    Examples
    --------
    >>> from gluonish.serialization.folders import names_in
    >>> names_in("memory://nowhere"), names_in("nowhere")
    ([], [])
    """
    name = path_text(folder)
    if remote.is_url(name):
        return remote.names_in(name)
    missing = contextlib.suppress(FileNotFoundError)
    with refusing("Loading", name), missing, os.scandir(name) as entries:
        return [entry.name for entry in entries if entry.is_file()]
    return []


def exists(path: PathLike) -> bool:
    """Return whether something has the name of a file that would be written.

    Examples
    --------
    >>> from gluonish.serialization.folders import exists
    >>> exists("memory://nowhere"), exists("nowhere"), exists(".")
    (False, False, True)
    """
    name = path_text(path)
    return remote.exists(name) if remote.is_url(name) else os.path.lexists(name)


def make_folder(folder: PathLike) -> None:
    """Make a folder, and those above it, unless they are there.

    Raises
    ------
    FileAccessError
        A file has its name, or it may not be made.
    """
    name = path_text(folder)
    if remote.is_url(name):
        remote.make_folder(name)
        return
    with refusing("Saving", name):
        Path(name).mkdir(parents=True, exist_ok=True)


def remove(path: PathLike) -> None:
    """Remove a file, if it is there.

    Raises
    ------
    FileAccessError
        It may not be removed.
    """
    name = path_text(path)
    if remote.is_url(name):
        remote.remove(name)
        return
    with refusing("Saving", name):
        Path(name).unlink(missing_ok=True)


def inside(folder: PathLike, name: str) -> str:
    """Return the path of a file in a folder.

    Examples
    --------
    >>> from gluonish.serialization.folders import inside
    >>> inside("s3://bucket/run/", "x"), inside("run", "x")
    ('s3://bucket/run/x', 'run/x')
    """
    text = path_text(folder)
    return f"{text.rstrip('/')}/{name}" if remote.is_url(text) else str(Path(text, name))
