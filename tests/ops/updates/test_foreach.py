"""Passes over several arrays at once give what formulas give, and leave odd arrays to these."""

from __future__ import annotations

import pytest
import torch

from gluonish.ops.updates.foreach import descend_with_momentum_, lie_alike, shrink_

SHAPES = [(7, 5), (3,), (), (2, 0), (33, 16)]


def drawn(seed, dtype):
    generator = torch.Generator().manual_seed(seed)
    return [torch.randn(shape, generator=generator, dtype=dtype) for shape in SHAPES]


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("wd", [None, 0.0, 0.01])
@pytest.mark.parametrize("momentum", [0.9, -0.5])
@pytest.mark.parametrize(("lr", "scale"), [(0.1, 1.0), (0.0, 0.5), (1e-6, 1 / 64), (-0.3, 2.0)])
def test_momentum(dtype, wd, momentum, lr, scale):
    weights, grads, momenta = drawn(1, dtype), drawn(2, dtype), drawn(3, dtype)
    expected = []
    for weight, grad, state in zip(weights, grads, momenta, strict=True):
        state = momentum * state - lr * (scale * grad + (wd or 0.0) * weight)
        expected.append((weight + state, state))
    count = len(SHAPES)
    wds = None if wd is None else [wd] * count
    rates = [lr] * count, [scale] * count, wds
    assert descend_with_momentum_(weights, grads, momenta, *rates, momentum)
    for weight, state, right in zip(weights, momenta, expected, strict=True):
        torch.testing.assert_close((weight, state), right)


@pytest.mark.parametrize(
    ("lrs", "scales", "wds", "momentum"),
    [
        ([0.1, 0.2], [1.0, 1.0], None, 0.9),
        ([0.1, 0.1], [1.0, 2.0], None, 0.9),
        ([0.1, 0.1], [1.0, 1.0], [0.1, 0.0], 0.9),
        ([0.1, 0.1], [0.0, 0.0], [0.1, 0.1], 0.9),
        ([0.1, 0.1], [1.0, 1.0], None, 0.0),
        ([torch.tensor(0.1)] * 2, [1.0, 1.0], None, 0.9),
    ],
    ids=["rates", "scales", "decays", "no scale", "no momentum", "traced"],
)
def test_momentum_is_left_to_formulas(lrs, scales, wds, momentum):
    arrays = [[torch.ones(2), torch.ones(3)] for _ in range(3)]
    assert not descend_with_momentum_(*arrays, lrs, scales, wds, momentum)
    assert all(bool((array == 1).all()) for each in arrays for array in each)


@pytest.mark.parametrize(
    "other",
    [
        torch.ones(1),
        torch.ones(2, 3),
        torch.ones(3, 2).t(),
        torch.ones(3, 2, dtype=torch.float64),
        torch.ones(6),
    ],
    ids=["a number for all", "transposed shape", "transposed", "dtype", "flat"],
)
def test_arrays_that_do_not_lie_alike(other):
    first = [torch.ones(3, 2)]
    assert lie_alike(first, [torch.zeros(3, 2)])
    assert not lie_alike(first, [other])
    assert not lie_alike([torch.ones(2, 3).t()], [torch.ones(3, 2)])


@pytest.mark.parametrize("dtype", [torch.float16, torch.float32, torch.float64])
def test_shrinking(dtype):
    arrays = drawn(4, dtype)
    expected = [array * 0.37 for array in arrays]
    shrink_(arrays, 0.37)
    for array, right in zip(arrays, expected, strict=True):
        torch.testing.assert_close(array, right)
