"""Tests of the inspection of files, and of bytes in memory."""

from __future__ import annotations

from pathlib import Path

import numpy as onp
import pytest
import torch

from gluonish import serialization
from gluonish.serialization import Entry

CONTAINERS = Path(__file__).parents[1] / "golden" / "mxnet" / "containers"


def test_container_is_described_without_its_values() -> None:
    entries = serialization.describe(CONTAINERS / "v2_mixed.params")
    assert [entry.format for entry in entries] == [
        "MXNet V2",
        "MXNet V2 row_sparse",
        "MXNet V2 csr",
    ]
    with onp.load(CONTAINERS / "v2_mixed.npz") as arrays:
        assert [(entry.name, entry.shape) for entry in entries] == [
            (name, array.shape) for name, array in arrays.items()
        ]


def test_list_is_described_without_names() -> None:
    entries = serialization.describe(CONTAINERS / "v3_list.params")
    assert entries[1] == Entry(None, (), "int64", "MXNet V3")


def test_safetensors_are_described(tmp_path: Path) -> None:
    path = tmp_path / "x.safetensors"
    serialization.save(path, {"b": torch.ones(2, dtype=torch.bfloat16)})
    assert serialization.describe(path) == [Entry("b", (2,), "bfloat16", "safetensors")]


def test_numpy_files_are_described(tmp_path: Path) -> None:
    onp.savez(tmp_path / "x.npz", w=onp.ones((2, 3)))
    onp.save(tmp_path / "x.npy", onp.ones(4, "int8"))
    assert serialization.describe(tmp_path / "x.npz") == [Entry("w", (2, 3), "float64", "npy")]
    assert serialization.describe(tmp_path / "x.npy") == [Entry(None, (4,), "int8", "npy")]


@pytest.mark.parametrize("kind", [bytes, bytearray, memoryview])
def test_any_buffer_is_read_into_writable_tensors(kind: type) -> None:
    data = kind(serialization.save_bytes([torch.zeros(2)]))
    (loaded,) = serialization.load_bytes(data)
    loaded += 1
    assert loaded.tolist() == [1, 1]
    assert serialization.load_bytes(data)[0].tolist() == [0, 0]
