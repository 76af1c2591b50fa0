"""Tests of MXNet's NDArray list container: golden files, round trips, bytes, speed of refusal."""

from __future__ import annotations

import json
import struct
from pathlib import Path

import numpy as onp
import pytest
import torch
from hypothesis import given, strategies as st

from gluonish import serialization
from gluonish.array.dtypes import CODE_OF_DTYPE
from gluonish.errors import DTypeError, InvalidArgumentError

GOLDEN = Path(__file__).parents[1] / "golden" / "mxnet"
CONTAINERS = GOLDEN / "containers"
DTYPES = sorted(CODE_OF_DTYPE, key=str)


def expected(name: str) -> dict[str, onp.ndarray]:
    with onp.load(CONTAINERS / f"{name}.npz") as archive:
        return dict(archive)


def assert_same(tensor: torch.Tensor, array: onp.ndarray) -> None:
    found = tensor.numpy()
    assert found.dtype == array.dtype
    assert found.shape == array.shape
    assert found.tobytes() == array.tobytes()


def as_torch(arrays: dict[str, onp.ndarray]) -> dict[str, torch.Tensor]:
    return {name: torch.from_numpy(array) for name, array in arrays.items()}


@pytest.mark.parametrize("name", ["v2_single", "v2_list", "v2_ndim20", "v3_list"])
def test_golden_list_is_read_as_list(name: str) -> None:
    loaded = serialization.load(CONTAINERS / f"{name}.params")
    wanted = expected(name)
    assert isinstance(loaded, list)
    assert len(loaded) == len(wanted)
    for number, tensor in enumerate(loaded):
        assert_same(tensor, wanted[f"a{number}"])


@pytest.mark.parametrize("name", ["v2_dtypes", "v3_dtypes", "v2_scalar", "v2_contexts", "v3_dict"])
def test_golden_dict_is_read_as_dict(name: str) -> None:
    loaded = serialization.load(CONTAINERS / f"{name}.params")
    wanted = expected(name)
    assert isinstance(loaded, dict)
    assert list(loaded) == list(wanted)
    for key, tensor in loaded.items():
        assert_same(tensor, wanted[key])


def test_golden_names_keep_order_and_spelling() -> None:
    loaded = serialization.load(CONTAINERS / "v2_dict.params")
    assert isinstance(loaded, dict)
    assert list(loaded) == json.loads((CONTAINERS / "v2_dict.names.json").read_text())
    for number, tensor in enumerate(loaded.values()):
        assert_same(tensor, expected("v2_dict")[f"a{number}"])


def test_golden_bfloat16_is_native_bfloat16() -> None:
    loaded = serialization.load(CONTAINERS / "v2_bfloat16.params")
    (tensor,) = loaded.values() if isinstance(loaded, dict) else loaded
    assert tensor.dtype is torch.bfloat16
    assert_same(tensor.float(), expected("v2_bfloat16")["as_float32"])
    assert_same(tensor.view(torch.int16).view(torch.uint16), expected("v2_bfloat16")["bits"])


@pytest.mark.parametrize("name", ["v2_row_sparse", "v2_row_sparse_stale", "v2_csr"])
def test_golden_sparse_arrays_are_read_dense(name: str) -> None:
    loaded = serialization.load(CONTAINERS / f"{name}.params")
    wanted = expected(name.removesuffix("_stale"))
    assert isinstance(loaded, dict)
    assert {f"{key}_dense" for key in loaded} <= wanted.keys()
    for key, tensor in loaded.items():
        assert_same(tensor, wanted[f"{key}_dense"])


def test_golden_file_mixes_dense_and_sparse_arrays() -> None:
    loaded = serialization.load(CONTAINERS / "v2_mixed.params")
    assert isinstance(loaded, dict)
    for key, array in expected("v2_mixed").items():
        assert_same(loaded[key], array)


def test_golden_empty_file_is_an_empty_list() -> None:
    assert serialization.load(CONTAINERS / "v2_empty.params") == []


@pytest.mark.parametrize("version", ["v0", "v1"])
def test_golden_old_versions_are_read(version: str) -> None:
    loaded = serialization.load(GOLDEN / "v0_v1" / f"{version}_dict.params")
    assert isinstance(loaded, dict)
    with onp.load(GOLDEN / "v0_v1" / "dict.npz") as wanted:
        assert list(loaded) == list(wanted)
        for key, tensor in loaded.items():
            assert_same(tensor, wanted[key])


def test_golden_file_mixes_versions() -> None:
    loaded = serialization.load(GOLDEN / "v0_v1" / "mixed_versions_list.params")
    with onp.load(GOLDEN / "v0_v1" / "mixed_versions_list.npz") as wanted:
        for number, tensor in enumerate(loaded):
            assert_same(tensor, wanted[f"a{number}"])


@pytest.mark.parametrize("name", ["v2_list", "v3_list", "v2_single", "v2_ndim20"])
def test_written_list_has_the_bytes_of_mxnet(name: str) -> None:
    tensors = list(as_torch(expected(name)).values())
    assert (
        serialization.save_bytes(tensors, name.startswith("v3"))
        == (CONTAINERS / f"{name}.params").read_bytes()
    )


@pytest.mark.parametrize("name", ["v2_dtypes", "v3_dtypes", "v2_scalar", "v3_dict"])
def test_written_dict_has_the_bytes_of_mxnet(name: str) -> None:
    tensors = as_torch(expected(name))
    assert (
        serialization.save_bytes(tensors, name.startswith("v3"))
        == (CONTAINERS / f"{name}.params").read_bytes()
    )


def test_written_names_have_the_bytes_of_mxnet() -> None:
    names = json.loads((CONTAINERS / "v2_dict.names.json").read_text())
    tensors = dict(zip(names, as_torch(expected("v2_dict")).values(), strict=True))
    written = serialization.save_bytes(tensors)
    assert written == (CONTAINERS / "v2_dict.params").read_bytes()


def test_written_bfloat16_has_the_bytes_of_mxnet() -> None:
    golden = (CONTAINERS / "v2_bfloat16.params").read_bytes()
    assert serialization.save_bytes(serialization.load_bytes(golden)) == golden


@pytest.mark.parametrize("data", [[], {}], ids=["list", "dict"])
def test_nothing_is_written_as_mxnet_writes_it(data: list[torch.Tensor]) -> None:
    assert serialization.save_bytes(data) == (CONTAINERS / "v2_empty.params").read_bytes()


@pytest.mark.parametrize("np_shape", [False, True])
@pytest.mark.parametrize("dtype", DTYPES, ids=str)
def test_every_dtype_survives_a_round_trip(dtype: torch.dtype, np_shape: bool) -> None:
    tensor = torch.tensor([[0, 1, 1], [1, 0, 1]]).to(dtype)
    loaded = serialization.load_bytes(serialization.save_bytes({"x": tensor}, np_shape))
    assert isinstance(loaded, dict)
    assert loaded["x"].dtype is dtype
    assert torch.equal(loaded["x"].view(torch.uint8), tensor.view(torch.uint8))


@given(
    shapes=st.lists(st.lists(st.integers(0, 4), max_size=4), max_size=4),
    np_shape=st.booleans(),
    names=st.lists(
        st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0")),
        min_size=4,
        max_size=4,
        unique=True,
    ),
)
def test_any_shapes_and_names_survive_a_round_trip(
    shapes: list[list[int]], np_shape: bool, names: list[str]
) -> None:
    data = {name: torch.rand(shape) for name, shape in zip(names, shapes, strict=False)}
    loaded = serialization.load_bytes(serialization.save_bytes(data, np_shape))
    if not data:
        assert loaded == []
        return
    assert isinstance(loaded, dict)
    assert list(loaded) == list(data)
    assert all(torch.equal(loaded[name], data[name]) for name in data)


def test_views_and_tensors_with_gradients_are_written_by_value() -> None:
    base = torch.arange(6.0).reshape(2, 3).requires_grad_()
    (loaded,) = serialization.load_bytes(serialization.save_bytes([base.T]))
    assert torch.equal(loaded, base.detach().T)


def test_loaded_tensors_are_writable_and_independent(tmp_path: Path) -> None:
    path = tmp_path / "x.params"
    serialization.save(path, [torch.zeros(3), torch.zeros(3)])
    first, second = serialization.load(path)
    path.write_bytes(b"")
    first += 1
    assert first.tolist() == [1, 1, 1]
    assert second.tolist() == [0, 0, 0]


def test_aligned_and_unaligned_arrays_follow_each_other() -> None:
    data = [torch.tensor([1], dtype=torch.int8), torch.tensor([2.5], dtype=torch.float64)]
    loaded = serialization.load_bytes(serialization.save_bytes(data))
    assert [tensor.item() for tensor in loaded] == [1, 2.5]


def test_dtype_without_code_is_refused_by_name() -> None:
    with pytest.raises(
        DTypeError, match=r"^Saving array 'z': its dtype is complex64, which no parameter file"
    ):
        serialization.save_bytes({"z": torch.zeros(1, dtype=torch.complex64)})


def test_dtype_in_a_list_is_refused_by_number() -> None:
    with pytest.raises(DTypeError, match=r"^Saving array 1: .* Convert the array with astype"):
        serialization.save_bytes([torch.zeros(1), torch.zeros(1, dtype=torch.complex64)])


@pytest.mark.parametrize("name", ["a\0b", "\ud800"])
def test_name_that_cannot_be_stored_is_refused(name: str) -> None:
    with pytest.raises(InvalidArgumentError, match=r"^Saving array .*: the name cannot be stored"):
        serialization.save_bytes({name: torch.zeros(1)})


def test_reserved_word_of_the_header_is_ignored() -> None:
    data = bytearray(serialization.save_bytes([torch.ones(1)]))
    struct.pack_into("<Q", data, 8, 5)
    (loaded,) = serialization.load_bytes(data)
    assert loaded.item() == 1
