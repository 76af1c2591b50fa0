from __future__ import annotations

import pytest
import torch

from gluonish.ops.nn.max_pooling import max_pool2d

WINDOWS = [(2, 2, 0), (3, 2, 1), (3, 1, 1), ((2, 3), (1, 2), (1, 0)), (5, 3, 2), (2, None, 0)]
SHAPES = [(2, 3, 9, 8), (4, 20, 24, 24), (8, 16, 31, 33)]  # by torch, and by oneDNN


@pytest.mark.parametrize("window", WINDOWS)
@pytest.mark.parametrize("shape", SHAPES)
def test_values_and_gradients_are_torchs(shape, window):
    kernel, stride, padding = window
    ours = torch.randn(shape).relu().requires_grad_()  # with ties
    theirs = ours.detach().clone().requires_grad_()
    result = max_pool2d(ours, *window)
    expected = torch.max_pool2d(theirs, kernel, stride or kernel, padding)
    assert torch.equal(result, expected)
    assert torch.equal(max_pool2d(ours.detach(), *window), expected)
    slope = torch.randn_like(expected)
    result.backward(slope)
    expected.backward(slope)
    torch.testing.assert_close(ours.grad, theirs.grad)


def test_a_gradient_can_be_differentiated_again():
    x = torch.randn(4, 20, 32, 32, requires_grad=True)

    def curvature(pool):
        (slope,) = torch.autograd.grad(pool(x * x, 2, 2).pow(2).sum(), x, create_graph=True)
        return torch.autograd.grad(slope.sum(), x)[0]

    torch.testing.assert_close(curvature(max_pool2d), curvature(torch.max_pool2d))


@pytest.mark.parametrize(
    "change",
    [
        lambda x: x.contiguous(memory_format=torch.channels_last),
        lambda x: x[..., ::2],
        lambda x: x.double(),
        lambda x: x[:0],
    ],
)
def test_every_layout_and_dtype_works(change):
    x = change(torch.randn(4, 20, 24, 48))
    assert torch.equal(max_pool2d(x, 2, 2), torch.max_pool2d(x, 2, 2))


def test_a_backward_pass_can_be_repeated():
    x = torch.randn(4, 20, 32, 32, requires_grad=True)
    y = max_pool2d(x, 2, 2).sum()
    (first,) = torch.autograd.grad(y, x, retain_graph=True)
    (second,) = torch.autograd.grad(y, x)
    assert torch.equal(first, second)
