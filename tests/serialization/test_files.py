"""Tests of opening and replacing files: whole or not at all, clear errors, URLs."""

from __future__ import annotations

import errno
import os
import stat
import sys
from pathlib import Path

import fsspec
import pytest
import torch
from fsspec.implementations.memory import MemoryFileSystem

from gluonish import serialization
from gluonish.errors import (
    DTypeError,
    FileAccessError,
    FileFormatError,
    InvalidArgumentError,
    MissingExtraError,
    MissingFileError,
    MXNetError,
)
from gluonish.serialization import files

ONES = [torch.ones(2)]


def test_str_and_path_are_file_names(tmp_path: Path) -> None:
    for path in (tmp_path / "a", str(tmp_path / "b"), os.fsencode(tmp_path / "c")):
        serialization.save(path, ONES)  # type: ignore[arg-type]
        assert torch.equal(serialization.load(path)[0], ONES[0])  # type: ignore[arg-type, call-overload]


def test_new_file_has_ordinary_permissions(tmp_path: Path) -> None:
    serialization.save(tmp_path / "x", ONES)
    (tmp_path / "y").touch()
    assert (tmp_path / "x").stat().st_mode == (tmp_path / "y").stat().st_mode


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
def test_replaced_file_keeps_its_permissions(tmp_path: Path, name: str) -> None:
    path = tmp_path / name
    path.touch()
    path.chmod(0o640)
    serialization.save(path, {"x": torch.ones(2)})
    assert stat.S_IMODE(path.stat().st_mode) == 0o640


def test_link_is_kept_and_its_target_replaced(tmp_path: Path) -> None:
    target, link = tmp_path / "target", tmp_path / "link"
    target.touch()
    link.symlink_to(target)
    serialization.save(link, ONES)
    assert link.is_symlink()
    assert torch.equal(serialization.load(target)[0], ONES[0])  # type: ignore[index]


def test_no_other_file_is_left(tmp_path: Path) -> None:
    serialization.save(tmp_path / "x.params", ONES)
    serialization.save(tmp_path / "y.safetensors", ONES)
    assert sorted(file.name for file in tmp_path.iterdir()) == ["x.params", "y.safetensors"]


@pytest.mark.parametrize("step", ["fsync", "write", "replace"])
def test_old_file_stays_when_writing_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    path = tmp_path / "x.params"
    serialization.save(path, ONES)
    before = path.read_bytes()

    def fail(*_: object, **__: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    if step == "fsync":
        monkeypatch.setattr(os, "fsync", fail)
    elif step == "replace":
        monkeypatch.setattr(Path, "replace", fail)
    else:
        monkeypatch.setattr("gluonish.serialization.container._write_record", fail)
    with pytest.raises(FileAccessError, match=r"^Saving '.*x.params': No space left on device"):
        serialization.save(path, [torch.zeros(3)])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_data_that_cannot_be_saved_leaves_the_old_file(tmp_path: Path) -> None:
    path = tmp_path / "x.params"
    serialization.save(path, ONES)
    before = path.read_bytes()
    with pytest.raises(DTypeError):
        serialization.save(path, [torch.ones(1), torch.ones(1, dtype=torch.complex64)])
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


@pytest.mark.parametrize(
    ("name", "told"),
    [
        ("net.params", "Check the name: its folder has 'net-0001.params', 'net-0002.params'."),
        ("other.txt", "Check the name and the working directory, {here}."),
        ("none/net.params", "Check the name and the working directory, {here}."),
        ("{here}/none/net.params", "There is no folder '{here}/none': check the name."),
    ],
)
def test_where_to_look_for_a_missing_file(
    name: str, told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for number in (1, 2):
        Path(f"net-000{number}.params").touch()
    with pytest.raises(MissingFileError) as caught:
        serialization.load(name.format(here=tmp_path))
    assert str(caught.value).endswith(told.format(here=tmp_path))


def test_missing_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "none.params"
    with pytest.raises(MissingFileError) as caught:
        serialization.load(path)
    assert str(caught.value) == (
        f"Loading '{path}': No such file or directory. Expected an existing file. Check the name."
    )
    assert isinstance(caught.value, FileNotFoundError)
    assert isinstance(caught.value, MXNetError)
    assert caught.value.errno == errno.ENOENT


def test_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(MissingFileError, match=r"Expected an existing folder. Create it first"):
        serialization.save(tmp_path / "none" / "x.params", ONES)


@pytest.mark.parametrize("call", ["load", "describe", "save"])
def test_folder_is_no_file(tmp_path: Path, call: str) -> None:
    with pytest.raises(FileAccessError, match=r"Is a directory. It is a folder; expected a file"):
        getattr(serialization, call)(tmp_path, *([ONES] if call == "save" else []))


def test_pipe_is_no_file(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(FileAccessError, match=r"It is a device or a pipe; expected a regular file"):
        serialization.load(tmp_path / "pipe")
    with pytest.raises(FileAccessError, match=r"It is a device or a pipe; expected a regular file"):
        serialization.save(tmp_path / "pipe", ONES)


def test_file_without_permission_is_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "x.params"
    serialization.save(path, ONES)

    def fail(*_: object, **__: object) -> None:
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES))

    with monkeypatch.context() as patch:
        patch.setattr(Path, "open", fail)
        with pytest.raises(FileAccessError, match=r"^Loading .*Permission denied. Expected perm"):
            serialization.load(path)


def test_file_that_may_not_be_written_is_not_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "x.params"
    serialization.save(path, ONES)
    monkeypatch.setattr(os, "access", lambda *_: False)
    with pytest.raises(FileAccessError, match=r"^Saving .*Permission denied. Expected permission"):
        serialization.save(path, [torch.zeros(1)])
    assert torch.equal(serialization.load(path)[0], ONES[0])  # type: ignore[index]


def test_other_errors_of_the_system_are_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fire = "the disk is on fire"

    def fail(*_: object) -> None:
        raise OSError(fire)

    monkeypatch.setattr(os, "fsync", fail)
    with pytest.raises(FileAccessError, match=r"the disk is on fire. Expected a file that can be"):
        serialization.save(tmp_path / "x.params", ONES)


def test_empty_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "x.params").touch()
    with pytest.raises(FileFormatError, match=r"^Loading '.*x.params': the file is empty"):
        serialization.load(tmp_path / "x.params")


@pytest.mark.parametrize("path", [3, None, ["x"]])
def test_file_name_of_another_type_is_refused(path: object) -> None:
    with pytest.raises(DTypeError, match=r"^file name: \w+ .* was given. Expected str or os.Path"):
        serialization.load(path)  # type: ignore[arg-type]
    with pytest.raises(TypeError):
        serialization.save(path, ONES)  # type: ignore[arg-type]


@pytest.mark.parametrize("path", ["", "a\0b"])
def test_impossible_file_name_is_refused(path: str) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^file name: .* Expected some text without"):
        serialization.load(path)


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
def test_url_is_written_and_read(name: str) -> None:
    url = f"memory://folder/{name}"
    serialization.save(url, {"x": torch.ones(2, 3)})
    loaded = serialization.load(url)
    assert isinstance(loaded, dict)
    assert torch.equal(loaded["x"], torch.ones(2, 3))
    assert serialization.describe(url)[0].shape == (2, 3)


def test_missing_object_behind_url_is_named() -> None:
    with pytest.raises(MissingFileError, match=r"^Loading 'memory://nothing/x.params'"):
        serialization.load("memory://nothing/x.params")


def test_url_that_cannot_be_written_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        raise PermissionError(errno.EACCES, "Permission denied")

    monkeypatch.setattr(MemoryFileSystem, "put_file", fail)
    with pytest.raises(FileAccessError, match=r"^Saving 'memory://x': .*Permission denied. Expe"):
        serialization.save("memory://x", ONES)


def test_kind_of_url_that_nobody_knows_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match=r"Expected a URL of a kind that fsspec knows"):
        serialization.load("nonsense://x")


def test_url_without_fsspec_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "fsspec", None)
    with pytest.raises(MissingExtraError, match=r"Run: pip install gluonish\[remote\]$"):
        serialization.load("s3://bucket/x.params")


def test_url_whose_package_is_missing_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> None:
        msg = "Install s3fs to access S3"
        raise ImportError(msg)

    monkeypatch.setattr(fsspec.core, "url_to_fs", fail)
    with pytest.raises(MissingExtraError, match=r"Install s3fs to access S3.*gluonish\[remote\]$"):
        serialization.load("s3://bucket/x.params")


def test_stream_name_is_beside_the_target(tmp_path: Path) -> None:
    with files.replacing(tmp_path / "x") as stream:
        assert Path(stream.name).parent == tmp_path
        stream.write(b"new")
        assert not (tmp_path / "x").exists()
    assert (tmp_path / "x").read_bytes() == b"new"
