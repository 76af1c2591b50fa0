"""Tests of NumPy's `.npz` and `.npy` files, as MXNet 2.0 writes them."""

from __future__ import annotations

import io
import struct
import time
import tracemalloc
import zipfile
from typing import TYPE_CHECKING

import numpy as onp
import pytest
import torch
from hypothesis import given, settings, strategies as st

from gluonish import serialization
from gluonish.errors import FileFormatError

if TYPE_CHECKING:
    from pathlib import Path

ARRAYS = {
    "0.weight": onp.arange(6, dtype="float32").reshape(2, 3),
    "scalar": onp.array(2.5),
    "empty": onp.zeros((0, 3), "int8"),
    "mask": onp.array([True, False]),
}


def npy(array: onp.ndarray) -> bytes:
    stream = io.BytesIO()
    onp.save(stream, array, allow_pickle=True)
    return stream.getvalue()


def npz(members: dict[str, bytes], compression: int = zipfile.ZIP_STORED) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        for name, data in members.items():
            archive.writestr(name, data)
    return stream.getvalue()


@pytest.mark.parametrize("write", [onp.savez, onp.savez_compressed])
def test_npz_is_read_whatever_its_name(write: object, tmp_path: Path) -> None:
    assert callable(write)
    write(tmp_path / "x.npz", **ARRAYS)
    path = (tmp_path / "x.npz").rename(tmp_path / "net.params")
    loaded = serialization.load(path)
    assert isinstance(loaded, dict)
    assert list(loaded) == list(ARRAYS)
    for name, array in ARRAYS.items():
        assert loaded[name].shape == array.shape
        assert loaded[name].numpy().dtype == array.dtype
        onp.testing.assert_array_equal(loaded[name].numpy(), array)


def test_npy_is_a_list_of_one(tmp_path: Path) -> None:
    onp.save(tmp_path / "x.npy", ARRAYS["0.weight"])
    (loaded,) = serialization.load(tmp_path / "x.npy")
    loaded += 1
    onp.testing.assert_array_equal(loaded.numpy(), ARRAYS["0.weight"] + 1)


def test_empty_npz_is_an_empty_dict() -> None:
    assert serialization.load_bytes(npz({})) == {}


def test_bfloat16_of_mxnet_2_is_native() -> None:
    bits = onp.array([0x3F80, 0xC000], "<u2").view([("bfloat16", "<u2")])
    (loaded,) = serialization.load_bytes(npy(bits))
    assert loaded.dtype is torch.bfloat16
    assert loaded.tolist() == [1, -2]


@pytest.mark.parametrize(
    "array",
    [
        onp.asfortranarray(onp.arange(24, dtype="int16").reshape(2, 3, 4)),
        onp.arange(6, dtype=">f8").reshape(3, 2),
        onp.asfortranarray(onp.arange(6, dtype=">i4").reshape(3, 2)),
        onp.zeros((0, 2), ">f4"),
    ],
    ids=["fortran", "swapped", "both", "empty"],
)
def test_other_memory_orders_are_read(array: onp.ndarray) -> None:
    (loaded,) = serialization.load_bytes(npy(array))
    assert loaded.is_contiguous()
    onp.testing.assert_array_equal(loaded.numpy(), array)


def test_sparse_arrays_of_mxnet_2_are_read_dense() -> None:
    text = b"\x93NUMPY\x01\x00\x08\x00{}{}   \n"
    members = {
        "r/data.npy": npy(onp.array([[1, 2], [3, 4]], "float32")),
        "r/indices.npy": npy(onp.array([2, 0])),
        "r/shape.npy": npy(onp.array([3, 2])),
        "r/format.npy": text + b"row_sparse",
        "c/data.npy": npy(onp.array([5.0, 6.0, 7.0])),
        "c/indptr.npy": npy(onp.array([0, 2, 2, 3])),
        "c/indices.npy": npy(onp.array([3, 0, 1])),
        "c/shape.npy": npy(onp.array([3, 4])),
        "c/format.npy": text + b"csr",
        "d/plain.npy": npy(onp.ones(1)),
    }
    loaded = serialization.load_bytes(npz(members))
    assert isinstance(loaded, dict)
    assert list(loaded) == ["r", "c", "d/plain"]
    assert loaded["r"].tolist() == [[3, 4], [0, 0], [1, 2]]
    assert loaded["c"].tolist() == [[6, 0, 0, 5], [0, 0, 0, 0], [0, 7, 0, 0]]


@pytest.mark.parametrize(
    ("part", "array", "said"),
    [
        ("indices", onp.array([0, 9]), "row index 9 is outside of the array; expected 0 to 2"),
        ("indices", onp.array([0, 0]), "a row index occurs twice"),
        ("indices", onp.array([0.0, 1.0]), "its indices are float64 of 1 dimensions"),
        ("indices", onp.array([[0, 1]]), "its indices are int64 of 2 dimensions"),
        ("indices", onp.array([0]), r"its values have shape \(2, 2\); expected \(1, 2\)"),
        ("shape", onp.array([2**40, 2]), "bytes of dense float64"),
        ("shape", onp.array([], "int64"), r"its shape \(\) is none of a row_sparse array"),
        ("shape", onp.array([-1, 2]), "expected no negative dimension"),
        ("format", None, "its storage type is unknown; expected row_sparse or csr"),
    ],
)
def test_damaged_sparse_array_is_refused(part: str, array: onp.ndarray | None, said: str) -> None:
    members = {
        "r/data.npy": npy(onp.ones((2, 2))),
        "r/indices.npy": npy(onp.array([2, 0])),
        "r/shape.npy": npy(onp.array([3, 2])),
        "r/format.npy": b"\x93NUMPY\x01\x00\x02\x00{}row_sparse",
    }
    members[f"r/{part}.npy"] = b"" if array is None else npy(array)
    with pytest.raises(FileFormatError, match=f"sparse array 'r': .*{said}"):
        serialization.load_bytes(npz(members))


def test_csr_array_with_wrong_indptr_is_refused() -> None:
    members = {
        "c/data.npy": npy(onp.ones(1)),
        "c/indptr.npy": npy(onp.array([0, 1])),
        "c/indices.npy": npy(onp.array([0])),
        "c/shape.npy": npy(onp.array([3, 2])),
        "c/format.npy": b"\x93NUMPY\x01\x00\x02\x00{}csr",
    }
    with pytest.raises(FileFormatError, match=r"its indptr has 2 entries; expected 4"):
        serialization.load_bytes(npz(members))


def test_sparse_array_without_its_parts_is_refused() -> None:
    with pytest.raises(FileFormatError, match=r"the parts \['data', 'indices', 'shape'\] are miss"):
        serialization.load_bytes(npz({"r/format.npy": b"\x93NUMPY\x01\x00\x02\x00{}row_sparse"}))


def test_pickled_objects_are_refused_and_not_run() -> None:
    with pytest.raises(FileFormatError, match=r"the dtype is \|O; expected one of float32"):
        serialization.load_bytes(npy(onp.array([{}], dtype=object)))


@pytest.mark.parametrize("dtype", ["complex64", "U3", "datetime64[s]", "i4,f4"])
def test_other_dtypes_are_refused(dtype: str) -> None:
    with pytest.raises(FileFormatError, match=r"the dtype is .*; expected one of float32"):
        serialization.load_bytes(npy(onp.zeros(2, dtype)))


def test_shape_without_values_is_refused_before_allocation() -> None:
    header = b"{'descr': '<f4', 'fortran_order': False, 'shape': (1099511627776,), }"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    with pytest.raises(FileFormatError, match=r"takes 4398046511104 bytes; expected at most 0"):
        serialization.load_bytes(data)
    with pytest.raises(FileFormatError, match=r"'buffer: x', header, .* takes 4398046511104"):
        serialization.load_bytes(npz({"x.npy": data}))


@pytest.mark.parametrize(
    ("header", "said"),
    [
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': (-1,), }",
            "expected descr, fortran_order and shape",
        ),
        (
            b"{'descr': '<f4', 'fortran_order': False, 'shape': (" + b"1," * 40 + b")}",
            "expected at most 32 dimensions",
        ),
        (b"__import__('os').getcwd()", "expected descr, fortran_order and shape"),
        (b"{", "expected descr, fortran_order and shape"),
    ],
)
def test_odd_header_is_refused(header: bytes, said: str) -> None:
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header + bytes(8)
    with pytest.raises(FileFormatError, match=said):
        serialization.load_bytes(data)


def test_unknown_version_of_npy_is_refused() -> None:
    with pytest.raises(
        FileFormatError, match=r"the version of .npy is \(9, 0\); expected \(1, 0\), \(2"
    ):
        serialization.load_bytes(b"\x93NUMPY\x09\x00" + bytes(20))


def test_bytes_after_the_values_are_refused() -> None:
    with pytest.raises(FileFormatError, match=r"3 bytes follow the values"):
        serialization.load_bytes(npy(onp.ones(2)) + b"abc")


def test_foreign_bool_is_refused() -> None:
    data = bytearray(npy(onp.array([True])))
    data[-1] = 7
    with pytest.raises(FileFormatError, match=r"a bool is stored as a byte above 1"):
        serialization.load_bytes(data)


def test_checkpoint_of_torch_is_named(tmp_path: Path) -> None:
    torch.save({"x": torch.ones(1)}, tmp_path / "net.params")
    with pytest.raises(FileFormatError, match=r"this is a file of torch.save\(\)"):
        serialization.load(tmp_path / "net.params")


def test_member_that_announces_more_than_deflate_holds_is_refused() -> None:
    data = bytearray(npz({"x.npy": npy(onp.ones(2))}, zipfile.ZIP_DEFLATED))
    place = data.index(b"PK\x01\x02")
    struct.pack_into("<I", data, place + 24, 2**31)
    with pytest.raises(FileFormatError, match=r"2147483648 bytes are announced from"):
        serialization.load_bytes(data)


def test_compression_that_numpy_does_not_use_is_refused() -> None:
    with pytest.raises(FileFormatError, match=r"its compression is not NumPy's"):
        serialization.load_bytes(npz({"x.npy": npy(onp.ones(2))}, zipfile.ZIP_LZMA))


def test_damaged_member_is_refused() -> None:
    data = bytearray(npz({"x.npy": npy(onp.ones(2))}))
    data[60] ^= 1
    with pytest.raises(FileFormatError, match=r"array 'x': it cannot be unpacked"):
        serialization.load_bytes(data)


def test_name_that_occurs_twice_is_refused() -> None:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("x.npy", npy(onp.ones(1)))
        with pytest.warns(UserWarning, match="Duplicate"):
            archive.writestr("x.npy", npy(onp.ones(1)))
    with pytest.raises(FileFormatError, match=r"a name occurs twice in the zip archive"):
        serialization.load_bytes(stream.getvalue())


@settings(max_examples=300)
@given(
    place=st.integers(0, 2000), value=st.integers(0, 255), cut=st.booleans(), packed=st.booleans()
)
def test_mutated_npz_is_read_or_refused_with_our_error(
    place: int, value: int, cut: bool, packed: bool
) -> None:
    members = {"a.npy": npy(ARRAYS["0.weight"]), "b.npy": npy(ARRAYS["mask"])}
    mutated = bytearray(npz(members, zipfile.ZIP_DEFLATED if packed else zipfile.ZIP_STORED))
    place %= len(mutated)
    if cut:
        del mutated[place:]
    else:
        mutated[place] = value
    try:
        serialization.load_bytes(mutated)
    except FileFormatError:
        return


@settings(max_examples=300)
@given(place=st.integers(0, 150), value=st.integers(0, 255))
def test_mutated_npy_is_read_or_refused_with_our_error(place: int, value: int) -> None:
    mutated = bytearray(npy(ARRAYS["0.weight"]))
    mutated[place % len(mutated)] = value
    try:
        serialization.load_bytes(mutated)
    except FileFormatError:
        return


def test_bomb_is_refused_before_it_is_unpacked() -> None:
    data = npz({"a.npy": npy(onp.zeros(1 << 27, "u1"))}, zipfile.ZIP_DEFLATED)
    with pytest.raises(FileFormatError, match=r"compressed bytes announce 1342.*unzip first"):
        serialization.load_bytes(data)


def test_no_more_is_unpacked_than_the_directory_announces() -> None:
    data = bytearray(npz({"a.npy": npy(onp.zeros(1 << 27, "u1"))}, zipfile.ZIP_DEFLATED))
    struct.pack_into("<I", data, data.index(b"PK\x01\x02") + 24, 8)
    tracemalloc.start()
    with pytest.raises(FileFormatError, match=r"array 'a': it cannot be unpacked \(Bad CRC"):
        serialization.load_bytes(data)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 2**20


def test_many_members_are_looked_up_quickly() -> None:
    one = npy(onp.ones(1, "u1"))
    data = npz({f"w/{number}.npy": one for number in range(5000)}, zipfile.ZIP_STORED)
    start = time.process_time()
    assert len(serialization.load_bytes(data)) == 5000
    assert time.process_time() - start < 3


def test_a_format_that_is_no_word_is_refused_unread(tmp_path):
    path = tmp_path / "x.npz"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, size in {"data": 2, "indices": 2, "shape": 2, "format": 2**20}.items():
            archive.writestr(f"w/{part}.npy", b"\0" * size)
    with pytest.raises(FileFormatError, match="its storage type is unknown"):
        serialization.load(path)
