"""Tests of safetensors files: read and written with the library, told by their content."""

from __future__ import annotations

import json
import struct
from typing import TYPE_CHECKING

import pytest
import torch
from hypothesis import given, settings, strategies as st
from safetensors import safe_open
from safetensors.torch import load_file, save, save_file

from gluonish import serialization
from gluonish.array.dtypes import CODE_OF_DTYPE
from gluonish.errors import DTypeError, FileFormatError, InvalidArgumentError

if TYPE_CHECKING:
    from pathlib import Path

DATA = {"w": torch.arange(6.0).reshape(2, 3), "b": torch.tensor([True, False])}


def test_name_decides_that_safetensors_are_written(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    serialization.save(path, DATA)
    loaded = load_file(path)
    assert torch.equal(loaded["w"], DATA["w"])
    assert torch.equal(loaded["b"], DATA["b"])


def test_content_decides_that_safetensors_are_read(tmp_path: Path) -> None:
    path = tmp_path / "net.params"
    save_file(DATA, path)
    loaded = serialization.load(path)
    assert isinstance(loaded, dict)
    assert loaded.keys() == DATA.keys()
    assert torch.equal(loaded["w"], DATA["w"])


def test_container_under_the_name_of_safetensors_is_read(tmp_path: Path) -> None:
    path = tmp_path / "net.safetensors"
    path.write_bytes(serialization.save_bytes([torch.ones(2)]))
    (loaded,) = serialization.load(path)
    assert torch.equal(loaded, torch.ones(2))


@pytest.mark.parametrize("dtype", sorted(CODE_OF_DTYPE, key=str), ids=str)
def test_every_dtype_survives_a_round_trip(dtype: torch.dtype, tmp_path: Path) -> None:
    tensor = torch.tensor([[0, 1, 1], [1, 0, 1]]).to(dtype)
    serialization.save(tmp_path / "x.safetensors", {"x": tensor, "s": tensor[0, 1]})
    loaded = serialization.load(tmp_path / "x.safetensors")
    assert isinstance(loaded, dict)
    assert loaded["x"].dtype is dtype
    assert torch.equal(loaded["x"].view(torch.uint8), tensor.view(torch.uint8))
    assert loaded["s"].shape == ()


def test_list_stays_a_list_in_its_order(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    serialization.save(path, [torch.full((1,), float(number)) for number in range(12)])
    loaded = serialization.load(path)
    assert isinstance(loaded, list)
    assert [tensor.item() for tensor in loaded] == list(range(12))
    assert isinstance(serialization.load_bytes(path.read_bytes()), list)


def test_dict_named_like_a_list_stays_a_dict(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    serialization.save(path, {"0": torch.ones(1)})
    assert isinstance(serialization.load(path), dict)
    assert isinstance(serialization.load_bytes(path.read_bytes()), dict)


def test_tensors_that_share_memory_are_stored_each_for_itself(tmp_path: Path) -> None:
    shared = torch.arange(6.0)
    serialization.save(
        tmp_path / "x.safetensors", {"a": shared, "b": shared, "c": shared.view(2, 3).T}
    )
    loaded = serialization.load(tmp_path / "x.safetensors")
    assert isinstance(loaded, dict)
    assert torch.equal(loaded["a"], shared)
    assert torch.equal(loaded["b"], shared)
    assert torch.equal(loaded["c"], shared.view(2, 3).T)


def test_loaded_tensors_do_not_depend_on_the_file(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    serialization.save(path, {"x": torch.ones(5000)})
    loaded = serialization.load(path)
    path.write_bytes(b"")
    assert isinstance(loaded, dict)
    loaded["x"] += 1
    assert loaded["x"].sum().item() == 10000


def test_metadata_of_others_is_ignored(tmp_path: Path) -> None:
    save_file(DATA, tmp_path / "x.safetensors", metadata={"author": "somebody"})
    loaded = serialization.load(tmp_path / "x.safetensors")
    assert isinstance(loaded, dict)
    with safe_open(tmp_path / "x.safetensors", framework="pt") as file:
        assert file.metadata() == {"author": "somebody"}


def test_buffers_are_read() -> None:
    loaded = serialization.load_bytes(save(DATA))
    assert isinstance(loaded, dict)
    assert torch.equal(loaded["w"], DATA["w"])


def test_reserved_name_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match=r"safetensors files keep this name"):
        serialization.save(tmp_path / "x.safetensors", {"__metadata__": torch.ones(1)})
    assert list(tmp_path.iterdir()) == []


def test_dtype_that_arrays_cannot_have_is_refused_on_writing(tmp_path: Path) -> None:
    with pytest.raises(DTypeError, match=r"^Saving array 'z': its dtype is complex64"):
        serialization.save(tmp_path / "x.safetensors", {"z": torch.ones(1, dtype=torch.complex64)})


@pytest.mark.parametrize("dtype", [torch.complex64, torch.float8_e5m2])
def test_dtype_that_arrays_cannot_have_is_refused_on_reading(
    dtype: torch.dtype, tmp_path: Path
) -> None:
    path = tmp_path / "x.safetensors"
    save_file({"z": torch.zeros(2).to(dtype)}, path)
    for read in (serialization.load, serialization.describe):
        with pytest.raises(FileFormatError, match=r"array 'z': the dtype is .*; expected one of"):
            read(path)
    with pytest.raises(FileFormatError, match=r"array 'z': the dtype is .*; expected one of"):
        serialization.load_bytes(path.read_bytes())


def test_unknown_dtype_tag_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(_file({"x": {"dtype": "F4", "shape": [2], "data_offsets": [0, 1]}}, b"\0"))
    for read in (serialization.load, serialization.describe):
        with pytest.raises(FileFormatError, match=r"the dtype is 'F4'"):
            read(path)
    with pytest.raises(FileFormatError, match=r"the dtype is 'F4'"):
        serialization.load_bytes(path.read_bytes())


def test_foreign_bool_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(_file({"x": {"dtype": "BOOL", "shape": [1], "data_offsets": [0, 1]}}, b"\7"))
    with pytest.raises(FileFormatError, match=r"array 'x': a bool is stored as a byte above 1"):
        serialization.load(path)


def test_truncated_file_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    path.write_bytes(save(DATA)[:-1])
    for read in (serialization.load, serialization.describe):
        with pytest.raises(FileFormatError, match=r"25 bytes of data follow it; expected 26"):
            read(path)


def test_library_reads_what_is_written(tmp_path: Path) -> None:
    data = {
        "half": torch.arange(3).half(), "b": torch.tensor([True]), "wide": torch.arange(4),
        "empty": torch.ones(0, 3), "ünï": torch.tensor(1.5), "x": torch.ones(2, 2).bfloat16(),
    }  # fmt: skip
    serialization.save(tmp_path / "x.safetensors", data)
    loaded = load_file(tmp_path / "x.safetensors")
    assert loaded.keys() == data.keys()
    assert all(torch.equal(loaded[name], data[name]) for name in data)
    assert all(tensor.data_ptr() % tensor.dtype.itemsize == 0 for tensor in loaded.values())


def test_names_keep_their_order(tmp_path: Path) -> None:
    data = {"b": torch.ones(1), "a": torch.ones(1).half(), "c": torch.ones(1, dtype=torch.int64)}
    serialization.save(tmp_path / "x.safetensors", data)
    assert list(serialization.load(tmp_path / "x.safetensors")) == ["b", "a", "c"]
    assert [entry.name for entry in serialization.describe(tmp_path / "x.safetensors")] == [
        "b", "a", "c",
    ]  # fmt: skip


def test_name_that_is_no_unicode_is_refused(tmp_path: Path) -> None:
    with pytest.raises(InvalidArgumentError, match=r"'\\ud800'.*Expected text of valid Unicode"):
        serialization.save(tmp_path / "x.safetensors", {"\ud800": torch.ones(1)})


_X = {"dtype": "F32", "shape": [2], "data_offsets": [0, 8]}
DAMAGED = {
    "takes 5 bytes; expected at most 2": struct.pack("<Q", 5) + b"{}",
    "announces 100000001 bytes": struct.pack("<Q", 100_000_001) + b"{}",
    "nested too deeply": struct.pack("<Q", 400_000) + b'{"x":' + b"[" * 399_995,
    "it is no JSON": struct.pack("<Q", 3) + b'{"x',
    "the key 'x' stands there twice": struct.pack("<Q", 13) + b'{"x":1,"x":2}',
    "its __metadata__ are no texts": {"__metadata__": {"a": 1}},
    "a int stands for it": {"x": 3},
    "its dtype, shape or data_offsets are missing": {"x": {"dtype": "F32", "shape": [2]}},
    "or data_offsets are missing or wrong": {"x": {**_X, "shape": [-2]}},
    "data_offsets are missing or wrong; ": {"x": {**_X, "shape": [True, 2]}},
    "it has 33 dimensions": {"x": {**_X, "shape": [1] * 33}},
    "expected at most 2\\*\\*63 - 1 bytes": {"x": {**_X, "shape": [2**62]}},
    "its data_offsets are .0, 12.; expected two that are 8 bytes": {
        "x": {**_X, "data_offsets": [0, 12]}
    },
    "begins at byte 0 of the data; expected 8": {"x": _X, "y": _X},
    "begins at byte 4 of the data; expected 0": {"x": {**_X, "data_offsets": [4, 12]}},
    "12 bytes of data follow it; expected 8": {"x": _X},
}


@pytest.mark.parametrize("said", DAMAGED)
def test_damaged_header_is_refused(said: str, tmp_path: Path) -> None:
    found = DAMAGED[said]
    data = found if isinstance(found, bytes) else _file(dict(found), b"\0" * 12)
    (tmp_path / "x").write_bytes(data)
    for read in (serialization.load, serialization.describe):
        with pytest.raises(FileFormatError, match=said):
            read(tmp_path / "x")
    with pytest.raises(FileFormatError, match=said):
        serialization.load_bytes(data)


@settings(max_examples=300)
@given(place=st.integers(0, 400), value=st.integers(0, 255), cut=st.booleans())
def test_mutated_buffer_is_read_or_refused_with_our_error(
    place: int, value: int, cut: bool
) -> None:
    mutated = bytearray(save(DATA))
    place %= len(mutated)
    if cut:
        del mutated[place:]
    else:
        mutated[place] = value
    try:
        serialization.load_bytes(bytes(mutated))
    except FileFormatError:
        return


def _file(header: dict[str, object], data: bytes) -> bytes:
    text = json.dumps(header).encode()
    return struct.pack("<Q", len(text)) + text + data
