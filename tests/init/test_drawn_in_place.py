"""Large weights are drawn where they are, and are the same numbers as elsewhere."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx

SHAPE = (300, 501)


@pytest.mark.parametrize(
    ("initializer", "draw"),
    [
        (mx.init.Uniform(0.07), lambda: mx.nd.random.uniform(-0.07, 0.07, SHAPE)),
        (mx.init.Normal(0.01), lambda: mx.nd.random.normal(0, 0.01, SHAPE)),
    ],
)
def test_large_weights_are_what_the_streams_give(initializer, draw):
    mx.random.seed(7)
    expected, after = draw().asnumpy(), mx.nd.random.uniform(shape=(3,)).asnumpy()
    mx.random.seed(7)
    weight = mx.nd.zeros(SHAPE)
    initializer(mx.init.InitDesc("weight"), weight)
    onp.testing.assert_array_equal(weight.asnumpy(), expected)
    onp.testing.assert_array_equal(mx.nd.random.uniform(shape=(3,)).asnumpy(), after)


@pytest.mark.parametrize("view", [lambda x: x.T, lambda x: x.astype("float16")])
def test_weights_that_lie_otherwise_are_filled_as_well(view):
    weight = view(mx.nd.zeros(SHAPE))
    mx.init.Uniform(0.5)(mx.init.InitDesc("weight"), weight)
    values = weight.asnumpy()
    assert values.min() < -0.4
    assert values.max() > 0.4


def test_torch_knows_that_a_weight_was_written_to():
    weight = mx.nd.zeros(SHAPE)
    before = weight.tensor._version
    mx.init.Uniform(0.5)(mx.init.InitDesc("weight"), weight)
    assert weight.tensor._version > before
