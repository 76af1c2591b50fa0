"""Count sketches, which the real MXNet has on GPUs only: compared with their definition."""

from __future__ import annotations

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish.errors import ShapeError
from gluonish.ops.linear.count_sketch import count_sketch


def arrays(batch, length, out_dim):
    draws = onp.random.RandomState(0)
    data = draws.randn(batch, length)
    return data, draws.randint(0, out_dim, (1, length)), draws.choice([-1, 1], (1, length))


@pytest.mark.parametrize("kind", ["nd", "sym"])
def test_numbers_are_added_where_they_belong(kind):
    data, places, signs = arrays(3, 10, 4)
    expected = onp.zeros((3, 4))
    for number in range(10):
        expected[:, places[0, number]] += signs[0, number] * data[:, number]
    given = [mx.nd.array(each) for each in (data, places, signs)]
    if kind == "nd":
        found = mx.nd.contrib.count_sketch(*given, out_dim=4, processing_batch_size=16)
    else:
        names = [mx.sym.var(name) for name in "abc"]
        symbol = mx.sym.contrib.count_sketch(*names, out_dim=4)
        (found,) = symbol.eval(**dict(zip("abc", given, strict=True)))
    onp.testing.assert_allclose(found.asnumpy(), expected, rtol=1e-5, atol=1e-6)


def test_gradients_are_those_of_numbers():
    data, places, signs = map(torch.from_numpy, arrays(2, 5, 3))
    data.requires_grad_()
    assert torch.autograd.gradcheck(lambda data: count_sketch(data, places, signs, 3), (data,))


@pytest.mark.parametrize("shape", [(2, 5), (4,), (2, 2, 4)])
def test_shapes_have_to_fit(shape):
    with pytest.raises(ShapeError, match=r"count_sketch: data of shape .* Expected data of shape"):
        mx.nd.contrib.count_sketch(mx.nd.ones(shape), mx.nd.ones((1, 4)), mx.nd.ones((1, 4)), 3)
