"""Headers of image records, and pictures packed behind them."""

from __future__ import annotations

import pickle
import struct
import sys

import numpy as onp
import pytest

import gluonish as mx
from gluonish.numpy_images.codec import decode
from gluonish.recordio import IRHeader, pack, pack_img, unpack, unpack_img


@pytest.mark.parametrize(
    ("label", "expected"),
    [
        (3, "00000000000040400200000000000000030000000000000078"),
        (2.5, "00000000000020400200000000000000030000000000000078"),
        (onp.float32(1), "000000000000803f0200000000000000030000000000000078"),
        (True, "000000000000803f0200000000000000030000000000000078"),
        ((1, 2.5), "02000000000000000200000000000000030000000000000000" + "00803f0000204078"),
        (onp.array(5), "01000000000000000200000000000000030000000000000000" + "00a04078"),
        ([], "00000000000000000200000000000000030000000000000078"),
        (onp.zeros((1, 2)), "0200000000000000020000000000000003" + "00" * 15 + "78"),
    ],
)
def test_labels_are_packed_as_mxnet_packs_them(label, expected):
    assert pack(IRHeader(9, label, 2, 3), b"x").hex() == expected


def test_labels_may_be_arrays_of_ours():
    label = mx.nd.array([1, 2])
    assert unpack(pack(IRHeader(0, label, 2, 3), b"x"))[0].label.tolist() == [1.0, 2.0]


def test_headers_print_pickle_and_unpack_as_tuples():
    header = IRHeader(0, 1.0, 2, 3)
    assert repr(header) == "HEADER(flag=0, label=1.0, id=2, id2=3)"
    assert pickle.loads(pickle.dumps(header)) == header == (0, 1.0, 2, 3)
    assert pack((0, 1.0, 2, 3), b"") == pack(header, b"")
    assert header._replace(id=7).id == 7


@pytest.mark.parametrize(
    "header", [(0, 1, -1, 0), (0, 1, 2**64, 0), (0, 1, 1.5, 0), (0, 1e300, 1, 0), (0, "a", 1, 0)]
)
def test_headers_that_cannot_be_packed_are_refused(header):
    with pytest.raises(mx.errors.RecordHeaderError, match=r"recordio.pack: .* was given"):
        pack(header, b"")


def test_records_shorter_than_their_header_are_refused():
    with pytest.raises(struct.error, match="a record of 3 bytes was given"):
        unpack(b"abc")
    with pytest.raises(ValueError, match="announces 65535 labels, and 4 bytes follow"):
        unpack(b"\xff\xff\0\0" + bytes(20) + b"abcd")
    with pytest.raises(TypeError, match="NoneType was given. Expected the bytes of a record"):
        unpack(None)
    with pytest.raises(TypeError, match="of type str, was given. Expected bytes"):
        pack(IRHeader(0, 1, 2, 3), "text")


def picture(*shape):
    return (onp.arange(onp.prod(shape)) * 5 % 256).astype("uint8").reshape(shape)


@pytest.mark.parametrize("shape", [(4, 5), (4, 5, 3), (4, 5, 4)])
def test_png_keeps_a_picture(shape):
    record = pack_img(IRHeader(0, 4, 1, 0), picture(*shape), quality=9, img_fmt=".png")
    header, same = unpack_img(record)
    assert header.label == 4.0
    assert (same == picture(*shape)).all()


def test_colours_are_blue_green_red():
    blue = onp.zeros((8, 8, 3), "uint8")
    blue[..., 0] = 255
    record = pack_img(IRHeader(0, 4, 1, 0), blue, img_fmt=".png")
    assert decode(unpack(record)[1], 1, "test")[0, 0].tolist() == [0, 0, 255]
    jpeg = unpack_img(pack_img(IRHeader(0, 4, 1, 0), blue))[1]
    assert jpeg[0, 0].tolist() == [254, 0, 0]


def test_iscolor_says_how_a_picture_is_read():
    record = pack_img(IRHeader(0, 4, 1, 0), picture(4, 5, 4), img_fmt=".png")
    assert unpack_img(record, 1)[1].shape == (4, 5, 3)
    assert unpack_img(record, 0)[1].shape == (4, 5)
    with pytest.raises(mx.errors.InvalidArgumentError, match="iscolor=3 was given"):
        unpack_img(record, 3)


def test_quality_is_that_of_jpeg_and_pictures_may_be_arrays_of_ours():
    header, image = IRHeader(0, 4, 1, 0), mx.nd.array(picture(30, 40, 3), dtype="uint8")
    small, large = (len(pack_img(header, image, quality)) for quality in (10, 95))
    assert small < large


def test_pictures_that_cannot_be_written_are_refused():
    header = IRHeader(0, 4, 1, 0)
    with pytest.raises(mx.errors.InvalidArgumentError, match="img_fmt='.xyz' was given"):
        pack_img(header, picture(4, 5, 3), img_fmt=".xyz")
    for wrong in (onp.zeros((2, 2, 3)), onp.zeros(3, "uint8"), onp.zeros((0, 2, 3), "uint8")):
        with pytest.raises(mx.errors.InvalidArgumentError, match="Expected uint8 of shape"):
            pack_img(header, wrong)
    with pytest.raises(mx.errors.ImageFormatError, match="Decoding failed, 3 bytes"):
        unpack_img(pack(header, b"abc"))


def test_without_pillow_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(mx.errors.MissingExtraError, match=r'pip install "gluonish\[image\]"'):
        pack_img(IRHeader(0, 4, 1, 0), picture(4, 5, 3))
