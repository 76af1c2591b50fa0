"""Tests of large files, whose values are mapped."""

from __future__ import annotations

import mmap
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import serialization
from gluonish.errors import FileFormatError
from gluonish.serialization import container, safetensors_format
from gluonish.serialization.cursor import Cursor

if TYPE_CHECKING:
    from torch import Tensor

_LARGE = 2**18  # elements; 1 MiB of float32
SUFFIXES = ("params", "safetensors", "npy")


def values() -> Tensor:
    return torch.arange(_LARGE, dtype=torch.float32).reshape(2, -1)


def saved(path: Path) -> Path:
    if path.suffix == ".npy":
        onp.save(path, values().numpy())
    else:
        serialization.save(path, {"w": values()})
    return path


def loaded(path: Path) -> Tensor:
    found = serialization.load(path)
    return found["w"] if isinstance(found, dict) else found[0]


def is_mapped(path: Path) -> bool:
    return str(path) in Path("/proc/self/maps").read_text(encoding="utf-8")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_large_files_are_mapped(tmp_path: Path, suffix: str) -> None:
    path = saved(tmp_path / f"x.{suffix}")
    tensor = loaded(path)
    assert is_mapped(path)
    assert torch.equal(tensor, values())


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_written_values_stay_in_the_process(tmp_path: Path, suffix: str) -> None:
    path = saved(tmp_path / f"x.{suffix}")
    before = path.read_bytes()
    tensor = loaded(path)
    tensor += 1
    assert torch.equal(tensor, values() + 1)
    assert path.read_bytes() == before
    assert torch.equal(loaded(path), values())


@pytest.mark.parametrize("suffix", SUFFIXES[:2])
def test_saving_over_a_mapped_file_leaves_its_arrays_alone(tmp_path: Path, suffix: str) -> None:
    path = saved(tmp_path / f"x.{suffix}")
    tensor = loaded(path)
    serialization.save(path, {"w": torch.zeros(1)})
    assert torch.equal(tensor, values())


def test_array_is_saved_over_the_file_that_it_maps(tmp_path: Path) -> None:
    path = saved(tmp_path / "x.params")
    mx.nd.save(str(path), {"w": mx.nd.load(str(path))["w"] * 1})
    mx.nd.save(str(path), mx.nd.load(str(path)))
    assert torch.equal(loaded(path), values())


def test_values_outlive_the_file(tmp_path: Path) -> None:
    path = saved(tmp_path / "x.params")
    tensor = loaded(path)
    path.unlink()
    assert torch.equal(tensor, values())


def test_mapped_parameters_train(tmp_path: Path) -> None:
    array = mx.nd.load(str(saved(tmp_path / "x.params")))["w"]
    array.attach_grad()
    with mx.autograd.record():
        loss = (array * array).sum()
    loss.backward()
    mx.nd.sgd_update(array, array.grad, lr=0.25, out=array)
    assert torch.equal(array.tensor, values() / 2)


@pytest.mark.parametrize("suffix", SUFFIXES[:2])
def test_every_dtype_of_a_large_file_is_read(tmp_path: Path, suffix: str) -> None:
    dtypes = [torch.float64, torch.bfloat16, torch.int8, torch.uint64, torch.bool, torch.float16]
    data = {str(dtype): torch.arange(7).to(dtype) for dtype in dtypes}
    data["odd"] = torch.ones(3, dtype=torch.int8)  # what follows it is not aligned in a container
    data["last"] = torch.arange(5, dtype=torch.float64)
    path = tmp_path / f"x.{suffix}"
    serialization.save(path, {"w": values(), **data, "empty": torch.zeros(0, 3)})
    found = serialization.load(path)
    assert isinstance(found, dict)
    assert is_mapped(path)
    for name, tensor in data.items():
        assert found[name].dtype is tensor.dtype
        assert torch.equal(found[name], tensor), name
    assert found["empty"].shape == (0, 3)


def test_mapped_safetensors_begin_on_a_line_of_the_cache(tmp_path: Path) -> None:
    assert loaded(saved(tmp_path / "x.safetensors")).data_ptr() % 64 == 0


def test_small_files_are_read(tmp_path: Path) -> None:
    path = tmp_path / "x.params"
    serialization.save(path, {"w": values()[:1]})
    tensor = loaded(path)
    assert not is_mapped(path)
    assert torch.equal(tensor, values()[:1])


def test_variable_has_large_files_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GLUONISH_MAP_FILES", "0")
    path = saved(tmp_path / "x.params")
    tensor = loaded(path)
    assert not is_mapped(path)
    assert torch.equal(tensor, values())


def test_file_system_that_cannot_map_is_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def unable(*_: object, **__: object) -> None:
        raise OSError(19, "No such device")

    path = saved(tmp_path / "x.safetensors")
    monkeypatch.setattr(mmap, "mmap", unable)
    assert torch.equal(loaded(path), values())


@pytest.mark.parametrize("suffix", SUFFIXES[:2])
def test_file_that_shrank_before_it_was_mapped_is_refused(tmp_path: Path, suffix: str) -> None:
    path = saved(tmp_path / f"x.{suffix}")
    size = path.stat().st_size
    with path.open("rb") as stream:
        cursor = Cursor(stream, size, "x", maps=True)
        if suffix == "params":
            (item,) = container.Container().scan(cursor).items
        else:
            (item,) = safetensors_format.Safetensors().scan(cursor).items
        cursor.seek(item.offset)
        with path.open("r+b") as other:
            other.truncate(size // 2)
        with pytest.raises(FileFormatError, match=rf"expected {size} bytes: the file shrank"):
            cursor.values((2, _LARGE // 2), torch.float32, "the values")


@pytest.mark.parametrize("suffix", SUFFIXES[:2])
def test_nets_do_not_hang_on_the_file(tmp_path: Path, suffix: str) -> None:
    path = tmp_path / f"x.{suffix}"
    serialization.save(path, {"weight": values(), "bias": torch.zeros(2)})
    for net in (mx.gluon.nn.Dense(2), mx.gluon.nn.Dense(2, in_units=_LARGE // 2)):
        if net.weight.shape[1]:
            net.initialize()
        net.load_parameters(str(path))
        assert not is_mapped(path)
        with path.open("r+b") as other:  # what ends a process that has mapped the file
            other.truncate(0)
        assert torch.equal(net.weight.data().tensor, values())
        serialization.save(path, {"weight": values(), "bias": torch.zeros(2)})


def test_nets_copy_large_values_from_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def filled() -> Tensor:
        net = mx.gluon.nn.Dense(2, in_units=_LARGE // 2)
        net.initialize()
        net.load_parameters(str(path))
        return net.weight.data().tensor

    path = tmp_path / "x.params"
    serialization.save(path, {"bias": torch.ones(2), "weight": values()})
    copied = []
    original = Cursor._copy_pages
    monkeypatch.setattr(
        Cursor, "_copy_pages", lambda *args: copied.append(original(*args)) or copied[-1]
    )
    assert torch.equal(filled(), values())
    assert copied == [True]
    assert not is_mapped(path)
    monkeypatch.setenv("GLUONISH_MAP_FILES", "0")
    assert torch.equal(filled(), values())
    assert copied == [True]
