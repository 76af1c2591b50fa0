"""`nd.imdecode`: pictures as MXNet's first versions decode them."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import ImageFormatError, InvalidArgumentError, ShapeError

PIXELS = (onp.arange(2 * 3 * 3, dtype="uint8") * 14).reshape((2, 3, 3))
FILE = b"P6 3 2 255 " + PIXELS.tobytes()
SEEN = PIXELS[:, :, ::-1].transpose(2, 0, 1)


def test_colours_come_first_blue_before_red():
    picture = mx.nd.imdecode(FILE)
    assert picture.dtype is onp.float32
    assert (picture.asnumpy() == SEEN).all()
    grey = mx.nd.imdecode(FILE, channels=1)
    assert grey.shape == (1, 2, 3)
    assert (grey[0].asnumpy() == mx.image.imdecode(FILE, flag=0).asnumpy()[:, :, 0]).all()


def test_parts_differences_and_batches():
    assert (mx.nd.imdecode(FILE, (1, 0, 3, 1)).asnumpy() == SEEN[:, :1, 1:]).all()
    mean = mx.nd.ones((3, 2, 3)) * 5
    assert (mx.nd.imdecode(FILE, mean=mean).asnumpy() == SEEN - 5.0).all()
    batch = mx.nd.zeros((2, 3, 2, 3))
    assert mx.nd.imdecode(FILE, out=batch, index=1) is batch
    assert (batch.asnumpy() == onp.stack([SEEN * 0, SEEN])).all()
    one = mx.nd.zeros((3, 2, 3), dtype="uint8")
    mx.nd.imdecode(FILE, out=one)
    assert (one.asnumpy() == SEEN).all()


@pytest.mark.parametrize(
    ("options", "kind", "text"),
    [
        ({"channels": 4}, InvalidArgumentError, "channels=4 was given. Expected 3 for colours"),
        ({"clip_rect": (0, 0, 4, 1)}, InvalidArgumentError, "width 3 and height 2"),
        ({"mean": mx.nd.ones((3, 2, 2))}, ShapeError, "mean has shape"),
        ({"out": mx.nd.ones((1, 3, 2, 2))}, ShapeError, "a picture of out has shape"),
        ({"str_img": b"abc"}, ImageFormatError, "Decoding failed"),
    ],
)
def test_what_does_not_fit_is_explained(options, kind, text):
    with pytest.raises(kind, match=text):
        mx.nd.imdecode(**{"str_img": FILE, **options})
