from __future__ import annotations

import gzip
import struct
from pathlib import Path

import numpy as onp
import pytest
from hypothesis import given, strategies as st
from hypothesis.extra import numpy as hnp

from gluonish.errors import FileFormatError
from gluonish.serialization.idx_format import read_idx

TINY = Path(__file__).parents[1] / "golden" / "mxnet" / "mnist"
CODES = {"u1": 8, "i1": 9, "i2": 11, "i4": 12, "f4": 13, "f8": 14}


def pack(values, code=None):
    code = CODES[values.dtype.str[1:]] if code is None else code
    head = struct.pack(f">BBBB{values.ndim}I", 0, 0, code, values.ndim, *values.shape)
    return head + values.astype(values.dtype.newbyteorder(">")).tobytes()


@pytest.mark.parametrize("suffix", ["", ".gz"])
def test_files_read_as_mxnet_read_them(suffix):
    with onp.load(TINY / "tiny.npz") as expected:
        images, labels = expected["images"], expected["labels"]
    assert (read_idx(TINY / f"tiny-images-idx3-ubyte{suffix}") == images).all()
    assert (read_idx(str(TINY / f"tiny-labels-idx1-ubyte{suffix}")) == labels).all()


@given(
    values=st.sampled_from(sorted(CODES)).flatmap(
        lambda code: hnp.arrays(code, hnp.array_shapes(min_dims=0, max_dims=4, max_side=4))
    ),
    zipped=st.booleans(),
)
def test_every_type_and_shape_makes_the_round_trip(tmp_path_factory, values, zipped):
    path = tmp_path_factory.mktemp("idx") / "file"
    content = pack(values)
    path.write_bytes(gzip.compress(content) if zipped else content)
    found = read_idx(path)
    assert (found.dtype, found.shape) == (values.dtype, values.shape)
    onp.testing.assert_array_equal(found, values)
    found[...] = 0  # its memory is its own


GOOD = pack(onp.arange(6, dtype="u1").reshape(2, 3))


@pytest.mark.parametrize("zipped", [False, True])
@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "it starts with b''. Expected an IDX file"),
        (b"\0\0\x08", "Expected an IDX file"),
        (b"PK\x03\x04 something", "Expected an IDX file"),
        (b"\0\0\x07\x01\0\0\0\x01\0", "Expected an IDX file"),
        (GOOD[:9], "5 bytes follow its start. Expected 8 bytes of dimensions"),
        (GOOD[:-1], r"5 bytes follow its header. Expected 6 bytes .* shape \(2, 3\)"),
        (GOOD + b"\0", "at least 7 bytes follow its header. Expected 6 bytes"),
        (
            b"\0\0\x08\x03" + b"\xff" * 12 + b"data",
            "(4 bytes follow its header. Expected|compressed bytes announce) 792281",
        ),
        (b"\0\0\x0e\xff" + b"\xff" * 1020, "it announces 255 dimensions. Expected at most 32"),
        (b"\0\0\x08\x41" + b"\0\0\0\1" * 65 + b"x", "65 dimensions. Expected at most 32"),
        (b"\0\0\x08\x04" + b"\0" * 4 + b"\xff" * 12, "0 bytes follow its header"),
    ],
)
def test_damaged_files_are_refused_without_allocating(tmp_path, content, message, zipped):
    path = tmp_path / "file"
    path.write_bytes(gzip.compress(content) if zipped else content)
    with pytest.raises(FileFormatError, match=message) as caught:
        read_idx(path)
    assert str(path) in str(caught.value)


def test_damaged_gzip_is_refused(tmp_path):
    path = tmp_path / "file.gz"
    whole = gzip.compress(pack(onp.arange(200, dtype="u1")))
    changed = whole[:-8] + b"\0\0\0\0" + whole[-4:]
    for content in (whole[:-9], whole[:12] + b"\xff" * 9 + whole[21:], changed, b"\x1f\x8b junk"):
        path.write_bytes(content)
        with pytest.raises(FileFormatError, match="its gzip data is damaged"):
            read_idx(path)


def test_bomb_is_refused_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.gz"
    size = 1 << 27
    path.write_bytes(gzip.compress(struct.pack(">BBBBI", 0, 0, 8, 1, size) + bytes(size), 1))
    with pytest.raises(FileFormatError, match=r"compressed bytes announce 134217728.*gunzip"):
        read_idx(path)
