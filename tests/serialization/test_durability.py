"""Tests that nothing saved is lost: killed writers, full disks, leftovers, writers side by side."""

from __future__ import annotations

import ast
import contextlib
import errno
import fcntl
import json
import os
import resource
import subprocess
import sys
import threading
from pathlib import Path
from typing import TYPE_CHECKING, BinaryIO

import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.errors import FileAccessError, MXNetError
from gluonish.serialization import container, files, replacement
from gluonish.serialization.files import replacing, replacing_together
from gluonish.serialization.replacement import LocalReplacement

if TYPE_CHECKING:
    from collections.abc import Iterator

ONES = [torch.ones(2)]
BIG = {"a": torch.ones(1_000_000)}
LEFT = ".x.params.0123456789ab.tmp"
PACKAGE = Path(mx.__file__).parent


@contextlib.contextmanager
def at_most(size: int) -> Iterator[None]:
    """Let no file become larger than some bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def net() -> mx.gluon.nn.HybridBlock:
    block = mx.gluon.nn.Dense(300_000, in_units=1, prefix="dense_")
    block.initialize()
    block.hybridize()
    block(mx.nd.ones((1, 1)))
    return block


def test_killed_writer_leaves_an_old_or_a_new_checkpoint(tmp_path: Path) -> None:
    script = Path(__file__).with_name("killed_writer.py")
    command = [sys.executable, str(script), "20", str(tmp_path)]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout)["kills"] == 20
    assert json.loads(run.stdout)["leftovers"] == 0


# --- full disks -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x.params", "x.safetensors"])
@pytest.mark.parametrize("is_reserved", [True, False])
def test_full_disk_leaves_the_old_file(
    tmp_path: Path, name: str, is_reserved: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / name
    serialization.save(path, {"a": torch.ones(2)})
    before = path.read_bytes()
    if not is_reserved:
        monkeypatch.setattr(files, "_RESERVED_FROM", 2**60)
    with (
        at_most(1_000_000),
        pytest.raises(
            FileAccessError,
            match=r"^Saving '.*': File too large. Expected to be allowed .*ulimit -f.*nothing was",
        ),
    ):
        serialization.save(path, BIG)
    assert path.read_bytes() == before
    assert list(tmp_path.iterdir()) == [path]


def test_disk_without_room_is_noticed_before_anything_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object) -> None:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))

    monkeypatch.setattr(os, "posix_fallocate", full)
    monkeypatch.setattr(container.Container, "write", lambda *_: pytest.fail("wrote"))
    with pytest.raises(FileAccessError, match=r"No space left on device. Expected more room on"):
        serialization.save(tmp_path / "x", BIG)
    assert list(tmp_path.iterdir()) == []


def test_file_system_that_reserves_no_room_is_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.EOPNOTSUPP, os.strerror(errno.EOPNOTSUPP))

    monkeypatch.setattr(os, "posix_fallocate", unknown)
    serialization.save(tmp_path / "x", BIG)
    assert (tmp_path / "x").stat().st_size > 4_000_000


def test_export_that_fails_leaves_graph_and_parameters(tmp_path: Path) -> None:
    start = tmp_path / "net"
    mx.gluon.nn.HybridSequential().save_parameters(tmp_path / "other")
    net().export(start)
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with (
        at_most(1_000_000),
        pytest.raises(FileAccessError, match=r"net-0000.params': File too lar"),
    ):
        net().export(start)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


@pytest.mark.parametrize("kind", ["states", "checkpoint", "block"])
def test_saves_that_fail_leave_old_files(tmp_path: Path, kind: str) -> None:
    block = net()
    trainer = mx.gluon.Trainer(block.collect_params(), "adam")
    with mx.autograd.record():
        loss = block(mx.nd.ones((1, 1))).sum()
    loss.backward()
    trainer.step(1)
    params = {name: param.data() for name, param in block.collect_params().items()}
    symbol = block(mx.sym.var("data"))
    saves = {
        "states": lambda: trainer.save_states(tmp_path / "x.states"),
        "checkpoint": lambda: mx.model.save_checkpoint(f"{tmp_path}/x", 1, symbol, params, {}),
        "block": lambda: block.save(f"{tmp_path}/x"),
    }
    saves[kind]()
    before = {path: path.read_bytes() for path in tmp_path.iterdir()}
    with at_most(1_000_000), pytest.raises(FileAccessError, match=r"^Saving .*File too large"):
        saves[kind]()
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == before


# --- files that belong together ---------------------------------------------------------------


def test_files_are_complete_before_the_first_is_replaced(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    steps = []
    fsync = os.fsync

    def synced(number: int) -> None:
        steps.append("folder" if os.path.isdir(f"/proc/self/fd/{number}") else "file")  # noqa: PTH112
        fsync(number)

    replace = Path.replace
    monkeypatch.setattr(os, "fsync", synced)
    monkeypatch.setattr(Path, "replace", lambda *a: [steps.append(Path(a[1]).name), replace(*a)])
    with replacing_together(tmp_path / "a", tmp_path / "b") as (one, other):
        one.write(b"1")
        other.write(b"2")
    assert steps == ["file", "file", "a", "folder", "b", "folder"]


def test_missing_folder_of_one_file_leaves_the_other(tmp_path: Path) -> None:
    (tmp_path / "a").write_bytes(b"old")
    with (
        pytest.raises(FileAccessError, match=r"Saving '.*none/b'.*Create it first"),
        replacing_together(tmp_path / "a", tmp_path / "none" / "b"),
    ):
        pytest.fail("began")
    assert (tmp_path / "a").read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [tmp_path / "a"]


def test_errors_of_the_block_stay_what_they_are(tmp_path: Path) -> None:
    def fail() -> None:
        raise TimeoutError(errno.ETIMEDOUT, "the network")

    with pytest.raises(TimeoutError) as caught, replacing(tmp_path / "a"):
        fail()
    assert not isinstance(caught.value, MXNetError)
    assert list(tmp_path.iterdir()) == []


# --- leftovers and other writers --------------------------------------------------------------


def test_leftover_of_a_killed_writer_is_removed_by_the_next_save(tmp_path: Path) -> None:
    others = [".y.params.0123456789ab.tmp", ".x.params.tmp", ".x.params.0123456789AB.tmp", "x.tmp"]
    for name in (LEFT, *others):
        (tmp_path / name).touch()
    (tmp_path / ".x.params.aaaaaaaaaaaa.tmp").mkdir()
    (tmp_path / ".x.params.bbbbbbbbbbbb.tmp").symlink_to(tmp_path / "x.tmp")
    serialization.save(tmp_path / "x.params", ONES)
    kept = {*others, "x.params", ".x.params.aaaaaaaaaaaa.tmp", ".x.params.bbbbbbbbbbbb.tmp"}
    assert {path.name for path in tmp_path.iterdir()} == kept


def test_temporary_file_of_a_living_writer_stays(tmp_path: Path) -> None:
    (tmp_path / LEFT).touch()
    with (tmp_path / LEFT).open("rb") as other:
        fcntl.flock(other, fcntl.LOCK_EX)
        serialization.save(tmp_path / "x.params", ONES)
        assert (tmp_path / LEFT).exists()
    serialization.save(tmp_path / "x.params", ONES)
    assert not (tmp_path / LEFT).exists()


def test_temporary_file_that_a_sweep_took_is_made_anew(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, taken = replacement._lock, []

    def slow(stream: BinaryIO, **options: bool) -> bool:
        if not taken:
            taken.append(stream.name)
            Path(stream.name).unlink()
        return lock(stream, **options)

    monkeypatch.setattr(replacement, "_lock", slow)
    serialization.save(tmp_path / "x", ONES)
    assert taken
    assert list(tmp_path.iterdir()) == [tmp_path / "x"]


def test_file_systems_without_locks_are_written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unknown(*_: object) -> None:
        raise OSError(errno.ENOLCK, os.strerror(errno.ENOLCK))

    (tmp_path / LEFT).touch()
    monkeypatch.setattr(fcntl, "flock", unknown)
    serialization.save(tmp_path / "x.params", ONES)
    assert {path.name for path in tmp_path.iterdir()} == {"x.params", LEFT}


def test_systems_without_locks_are_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replacement, "fcntl", None)
    serialization.save(tmp_path / "x.params", ONES)
    assert list(tmp_path.iterdir()) == [tmp_path / "x.params"]


def test_a_writer_whose_new_file_is_being_removed_makes_another(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lock, timers = replacement._lock, []

    def lock_after_a_sweep_has(stream: BinaryIO, **options: bool) -> bool:
        if not timers:
            swept = Path(stream.name).open("rb")  # noqa: SIM115 - the timer closes it
            assert lock(swept)
            timers.append(threading.Timer(0.1, lambda: (Path(stream.name).unlink(), swept.close())))
            timers[0].start()
        return lock(stream, **options)

    monkeypatch.setattr(replacement, "_lock", lock_after_a_sweep_has)
    serialization.save(tmp_path / "x.params", [torch.ones(3)])
    timers[0].join()
    assert [path.name for path in tmp_path.iterdir()] == ["x.params"]


def test_writers_side_by_side_leave_one_of_their_files(tmp_path: Path) -> None:
    path = tmp_path / "x.params"
    failures: list[BaseException] = []

    def write(number: int) -> None:
        try:
            for _ in range(20):
                serialization.save(path, [torch.full((50_000,), float(number))])
        except MXNetError as error:
            failures.append(error)

    threads = [threading.Thread(target=write, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    while any(thread.is_alive() for thread in threads):
        with contextlib.suppress(FileNotFoundError):
            (loaded,) = serialization.load(path)
            assert len(loaded.unique()) == 1
    for thread in threads:
        thread.join()
    assert failures == []
    assert list(tmp_path.iterdir()) == [path]


def test_a_writer_that_has_not_closed_its_file_yet_is_replaced_as_a_whole(tmp_path: Path) -> None:
    target = tmp_path / "x"
    first = LocalReplacement(str(target))
    first.stream.write(b"first")
    first.prepare()
    Path(first.stream.name).replace(target)  # and is interrupted here, before it closes the file
    second = LocalReplacement(str(target))
    second.stream.write(b"second")
    number = os.fstat(second.stream.fileno()).st_ino
    second.prepare()
    second.publish()
    first.discard()
    assert target.stat().st_ino == number
    assert target.read_bytes() == b"second"
    assert replacement._own == {}


# --- names and rights -------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["x" * 255, "ü" * 127, "𝄞" * 63])
def test_longest_names_are_written(tmp_path: Path, name: str) -> None:
    serialization.save(tmp_path / name, ONES)
    assert [path.name for path in tmp_path.iterdir()] == [name]


def test_name_that_is_too_long_is_told(tmp_path: Path) -> None:
    with pytest.raises(FileAccessError, match=r"File name too long. Expected a shorter name"):
        serialization.save(tmp_path / ("x" * 256), ONES)
    assert list(tmp_path.iterdir()) == []


def test_file_in_the_place_of_a_folder_is_told(tmp_path: Path) -> None:
    (tmp_path / "x").touch()
    with pytest.raises(FileAccessError, match=r"Not a directory. Expected a folder before the la"):
        serialization.save(tmp_path / "x" / "y", ONES)


def test_folder_that_may_not_be_written_is_told(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object, **__: object) -> None:
        raise OSError(errno.EROFS, os.strerror(errno.EROFS))

    monkeypatch.setattr(replacement, "_new_file_beside", refuse)
    with pytest.raises(FileAccessError, match=r"Read-only file system. Expected a place that can"):
        serialization.save(tmp_path / "x", ONES)


def test_owner_of_the_old_file_stays_if_the_system_allows_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    given = []
    serialization.save(tmp_path / "x", ONES)
    monkeypatch.setattr(os, "fchown", lambda _, user, group: given.append((user, group)))
    serialization.save(tmp_path / "x", ONES)
    old = (tmp_path / "x").stat()
    assert given == [(old.st_uid, old.st_gid)]

    def refuse(*_: object) -> None:
        raise PermissionError

    monkeypatch.setattr(os, "fchown", refuse)
    serialization.save(tmp_path / "x", [torch.zeros(1)])
    assert serialization.load(tmp_path / "x")[0].shape == (1,)


# What writes without `replacing`, and why that loses nothing.
OTHER_WRITERS = {
    "gluon/data/vision/datasets.py": "batches unpacked into a temporary folder, to be read there",
    "gluon/checkpoints/trainers.py": "a copy in a temporary folder, for a store to read",
    "hybrid/jobs.py": "tasks of compilers, in a cache",
    "hybrid/worker.py": "results of compilers, in a cache, published by renaming a folder",
    "serialization/replacement.py": "the temporary files themselves",
    "serialization/remote.py": "the temporary files themselves",
    "test_utils/surroundings.py": "the null device, in the place of the error output",
}


def test_every_save_of_the_package_replaces_files_as_a_whole() -> None:
    found = set()
    for path in PACKAGE.rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and _writes(node):
                found.add(str(path.relative_to(PACKAGE)))
    assert found == OTHER_WRITERS.keys()


def _writes(call: ast.Call) -> bool:
    name = getattr(call.func, "attr", getattr(call.func, "id", ""))
    if name in ("write_text", "write_bytes", "savetxt", "savez", "tofile", "mkstemp"):
        return True
    if name in ("open", "fdopen"):
        modes = [*call.args, *(word.value for word in call.keywords if word.arg == "mode")]
        return any(
            isinstance(mode, ast.Constant)
            and isinstance(mode.value, str)
            and mode.value.strip("bt+") in ("w", "a", "x")
            for mode in modes
        )
    return False
