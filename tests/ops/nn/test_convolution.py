"""Layouts and shapes of convolutions."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd


@pytest.mark.parametrize("op", ["Convolution", "Deconvolution"])
@pytest.mark.parametrize("layout", ["NWC", "NHWC", "NDHWC"])
def test_channels_last_equals_channels_first(op: str, layout: str) -> None:
    axes = len(layout) - 2
    x = nd.random.normal(shape=(2, 3, 6, 5, 4)[: axes + 2])
    shape = (3, 4) if op == "Deconvolution" else (4, 3)
    w = nd.random.normal(shape=shape + (2,) * axes)
    common = {"kernel": (2,) * axes, "num_filter": 4, "stride": (2,) * axes, "no_bias": True}
    last = (0, *range(2, axes + 2), 1)
    expected = getattr(nd, op)(x, w, **common).transpose(last)
    found = getattr(nd, op)(x.transpose(last), w.transpose(last), layout=layout, **common)
    onp.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-5, atol=1e-5)


def test_target_shape_of_deconvolution_cuts_evenly() -> None:
    x, w = nd.ones((1, 1, 5, 5)), nd.arange(9).reshape((1, 1, 3, 3))
    found = nd.Deconvolution(
        x, w, kernel=(3, 3), num_filter=1, stride=(2, 2), target_shape=(10, 10)
    )
    assert found.shape == (1, 1, 10, 10)
    assert found[0, 0, 0].asnumpy().tolist() == [4, 8, 4, 8, 4, 8, 4, 8, 4, 5]


def test_deferred_shapes_follow_from_the_data() -> None:
    for net in (
        mx.gluon.nn.Conv2D(4, 3, layout="NHWC"),
        mx.gluon.nn.Conv2DTranspose(4, 3, layout="NHWC"),
    ):
        net.initialize()
        net(nd.ones((2, 6, 5, 3)))
        assert sorted(net.weight.shape) == [3, 3, 3, 4]
