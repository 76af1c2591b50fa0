"""Tests of the readers on damaged and hostile files: one clear error, quickly, without memory."""

from __future__ import annotations

import json
import struct
import time
import tracemalloc
from pathlib import Path

import pytest
import torch
from hypothesis import given, settings, strategies as st

from gluonish import serialization
from gluonish.errors import FileFormatError, MXNetError

GOLDEN = Path(__file__).parents[1] / "golden" / "mxnet"
BAD = GOLDEN / "bad"
BAD_NAMES = sorted(json.loads((BAD / "why.json").read_text()))

# What each family of bad files is told, so that a message that stops naming the fault is noticed.
SAID = {
    "big_endian": "it begins with b'\\x00",
    "bool_7": "a bool is stored as a byte above 1",
    "count_2_40": "1099511627776 arrays are announced",
    "count_2_63": "9223372036854775808 arrays are announced",
    "count_too_many": "array 1, byte",
    "csr_1d": "a csr array has shape (3,)",
    "csr_column_out": "column index 99 is outside of the array; expected 0 to 3",
    "csr_column_twice": "a column occurs twice in one row",
    "csr_indptr_falls": "indptr falls",
    "csr_indptr_past_end": "indptr runs from 0 to 900; expected 0 to 3",
    "csr_indptr_short": "indptr has 3 entries; expected 4 for 3 rows",
    "csr_indptr_start": "indptr runs from 1 to 3; expected 0 to 3",
    "dim_minus_1": "the shape is (-1, 3); expected no negative dimension",
    "dim_minus_2_62": "expected no negative dimension",
    "dims_2_40": "takes 4398046511104 bytes; expected at most",
    "dims_overflow": "expected at most 2**63 - 1 bytes",
    "dims_wrap_to_6": "expected at most 2**63 - 1 bytes",
    "dtype_13": "the dtype code is 13; expected 0 to 12",
    "dtype_big": "takes 48 bytes; expected at most 41",
    "dtype_minus_1": "the dtype code is -1",
    "empty_but_huge": "expected at most 2**63 - 1 bytes",
    "empty_file": "the file is empty",
    "list_magic": "of no known format",
    "magic_only": "the header takes 24 bytes; expected at most 8",
    "name_len_2_40": "the name takes 1099511627776 bytes; expected at most 1",
    "name_not_utf8": "expected UTF-8",
    "name_nul": "expected no NUL character",
    "name_twice": "the name 'x' occurs twice",
    "names_2_63": "9223372036854775808 names are announced; expected 0 or 1",
    "names_wrong": "1 names are announced; expected 0 or 2",
    "ndim_huge": "the number of dimensions is 2147483647; expected 0 to 32",
    "ndim_minus_1": "the number of dimensions is -1",
    "ndim_minus_2": "the number of dimensions is -2",
    "not_params_zip": "it begins as a zip archive and is none",
    "pickle": "a Python pickle, which gluonish never runs",
    "rs_aux_2d": "the indices have shape (1, 2); expected one dimension",
    "rs_aux_float": "the dtype code of the indices is 0",
    "rs_index_negative": "row index -3 is outside of the array; expected 0 to 4",
    "rs_index_out": "row index 9 is outside of the array; expected 0 to 4",
    "rs_index_twice": "a row index occurs twice",
    "rs_rows_differ": "the stored values have shape (3, 2); expected (2, 2)",
    "rs_width_differs": "the stored values have shape (2, 3); expected (2, 2)",
    "stype_3": "the storage type is 3; expected 0, 1 or 2",
    "stype_minus_1": "the storage type is -1",
    "trailing": "7 bytes follow the last name",
    "truncated_at_24": "1 arrays are announced; expected at most 0",
    "truncated_at_27": "1 arrays are announced; expected at most 0",
    "v0_ndim_huge": "the record begins with 0xfffffff0",
    "v3_sparse": "a V3 record has storage type 1",
}


@pytest.mark.parametrize("name", BAD_NAMES)
def test_bad_file_is_refused_quickly_and_without_memory(name: str) -> None:
    torch.unique(torch.tensor([1]))  # the first call imports what it needs
    tracemalloc.start()
    start = time.process_time()
    with pytest.raises(FileFormatError) as caught:
        serialization.load(BAD / name)
    seconds = time.process_time() - start
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert seconds < 0.1
    assert peak < 2**20
    message = str(caught.value)
    assert message.startswith(f"Loading '{BAD / name}'")
    assert SAID.get(name.removesuffix(".params"), "bytes; expected at most") in message


@pytest.mark.parametrize("name", BAD_NAMES)
def test_bad_bytes_are_refused(name: str) -> None:
    with pytest.raises(FileFormatError, match=r"^Loading 'buffer'"):
        serialization.load_bytes((BAD / name).read_bytes())


def test_error_is_caught_as_mxnet_error_and_as_value_error() -> None:
    assert issubclass(FileFormatError, MXNetError)
    assert issubclass(FileFormatError, ValueError)


def test_message_names_file_array_byte_and_what_to_do() -> None:
    path = BAD / "bool_7.params"
    with pytest.raises(FileFormatError) as caught:
        serialization.load(path)
    assert str(caught.value) == (
        f"Loading '{path}', array 0, byte 56: a bool is stored as a byte above 1; expected 0 or 1. "
        f"The file is damaged or incomplete; save, copy or download it again."
    )


def small_files() -> dict[str, bytes]:
    files = {
        name: (GOLDEN / name).read_bytes()
        for name in (
            "containers/v2_dict.params",
            "containers/v2_mixed.params",
            "containers/v3_dict.params",
            "v0_v1/v0_dict.params",
            "v0_v1/mixed_versions_list.params",
        )
    }
    tensors = {"a": torch.arange(6.0).reshape(2, 3), "b": torch.tensor([True, False])}
    files["v2"] = serialization.save_bytes(tensors)
    return files


FILES = small_files()


@settings(max_examples=600)
@given(data=st.data(), name=st.sampled_from(sorted(FILES)))
def test_mutated_file_is_read_or_refused_with_our_error(data: st.DataObject, name: str) -> None:
    mutated = bytearray(FILES[name])
    for _ in range(data.draw(st.integers(1, 3))):
        place = data.draw(st.integers(0, len(mutated) - 1))
        kind = data.draw(st.sampled_from(["byte", "word", "cut", "insert"]))
        if kind == "byte":
            mutated[place] = data.draw(st.integers(0, 255))
        elif kind == "word" and place + 8 <= len(mutated):
            word = data.draw(st.sampled_from([-1, -(2**63), 2**31, 2**40, 2**62, 2**20, 0, 1, 2]))
            struct.pack_into("<q", mutated, place, word)
        elif kind == "insert":
            mutated[place:place] = data.draw(st.binary(max_size=9))
        elif place > 0:
            del mutated[place:]
    try:
        loaded = serialization.load_bytes(mutated)
    except FileFormatError:
        return
    tensors = loaded.values() if isinstance(loaded, dict) else loaded
    assert all(isinstance(tensor, torch.Tensor) for tensor in tensors)


@given(data=st.binary(max_size=200))
def test_random_bytes_after_the_magic_are_refused(data: bytes) -> None:
    with pytest.raises(FileFormatError):
        serialization.load_bytes(struct.pack("<QQQ", 0x112, 0, 1) + data + b"\0")


def test_sparse_array_that_would_grow_to_terabytes_is_refused() -> None:
    record = struct.pack("<Iiiqqiqqiii", 0xF993FAC9, 1, 2, 0, 2**20, 2, 2**20, 2**20, 1, 0, 0)
    record += struct.pack("<iiq", 6, 1, 0)
    with pytest.raises(FileFormatError, match=r"would take 4398046511104 bytes of dense float32"):
        serialization.load_bytes(struct.pack("<QQQ", 0x112, 0, 1) + record + bytes(8))


@pytest.mark.parametrize("start", [struct.pack("<I", 0), struct.pack("<Ii", 0xF993FAC8, 0)])
def test_array_saved_before_it_had_a_value_is_refused(start: bytes) -> None:
    with pytest.raises(FileFormatError, match=r"was saved before it had a value"):
        serialization.load_bytes(struct.pack("<QQQ", 0x112, 0, 1) + start + bytes(24))


def test_unknown_device_type_is_refused() -> None:
    data = bytearray(serialization.save_bytes([torch.ones(1)]))
    struct.pack_into("<i", data, 44, 99)
    with pytest.raises(FileFormatError, match=r"the device type is 99; expected 1, 2, 3 or 5"):
        serialization.load_bytes(data)


@pytest.mark.parametrize(
    ("head", "said"),
    [
        (b"\x1f\x8b\x08\0", "compressed with gzip. Expected .* Unpack it first."),
        (b"\x89HDF\r\n", "an HDF5 file"),
        (b'{"nodes"', "JSON text, such as a -symbol.json"),
        (b"plain text", "the file is text"),
        (b"\0\1\2", "of no known format"),
        (b"BZh9", "compressed with bzip2. Expected.*Unpack it first"),
        (b"a,b\n1,2\n3,4\n", "text, a table of numbers.*numpy.loadtxt"),
        (b"<!DOCTYPE html><html>", "a web page.*Download"),
        (b"version https://git-lfs.github.com/spec/v1", "a pointer of Git LFS.*git lfs pull"),
        (b"\xff\xd8\xff\xe0", "a picture, JPEG.*mx.image.imread"),
    ],
)
def test_foreign_file_is_named(head: bytes, said: str) -> None:
    with pytest.raises(FileFormatError, match=said):
        serialization.load_bytes(head)


def test_file_that_shrinks_while_it_is_read_is_refused() -> None:
    from gluonish.serialization import container
    from gluonish.serialization.cursor import Cursor
    from gluonish.serialization.files import buffer_source

    data = serialization.save_bytes([torch.ones(1000)])
    source = buffer_source(data[:500])
    with pytest.raises(FileFormatError, match=r"the file shrank meanwhile"):
        container.Container().scan(Cursor(source.stream, len(data), "x.params")).load()
