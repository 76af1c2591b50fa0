from __future__ import annotations

import contextlib

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish.gluon import nn


def is_innermost(array):
    return array.tensor.is_contiguous(memory_format=torch.channels_last)


def built(**options):
    layer = nn.Conv2D(8, 3, in_channels=4, **options)
    layer.initialize()
    return layer


def test_images_that_are_convolved_have_their_channels_innermost():
    images = mx.nd.ones((2, 4, 9, 9))
    once = built()(images)
    assert is_innermost(once)
    assert is_innermost(nn.MaxPool2D()(once))
    filters = mx.nd.ones((500, 4, 3, 3))  # larger than the images
    convolve = {"kernel": (3, 3), "num_filter": 500, "no_bias": True}
    assert is_innermost(mx.nd.Convolution(images, filters, **convolve))


def test_images_of_one_channel_have_many_innermost_afterwards():
    layer = nn.Conv2D(8, 3, in_channels=1)
    layer.initialize()
    images = mx.nd.random.uniform(shape=(2, 1, 9, 9))
    images.attach_grad()
    with mx.autograd.record():
        once = layer(images)
    once.backward()
    assert is_innermost(once)
    x, w = images.tensor.double(), layer.weight.data().tensor.double()
    expected = torch.nn.functional.conv2d(x, w, layer.bias.data().tensor.double())
    onp.testing.assert_allclose(once.asnumpy(), expected.numpy(), rtol=1e-4, atol=1e-6)
    spread = torch.nn.functional.conv_transpose2d(torch.ones_like(expected), w)
    onp.testing.assert_allclose(images.grad.asnumpy(), spread.numpy(), rtol=1e-4, atol=1e-6)


def test_filters_and_gradients_lie_in_order():
    layer = built()
    with mx.autograd.record():
        loss = layer(mx.nd.ones((2, 4, 9, 9))).sum()
    loss.backward()
    for array in (layer.weight.data(), layer.weight.grad()):
        assert array.tensor.is_contiguous()
        array[1].reshape((-1,))[2] = 7
        assert array[1, 0, 0, 2].asscalar() == 7


def test_parameters_lie_in_order_whatever_they_are_made_of():
    layer = nn.Dense(3)
    layer.initialize()
    layer.weight.set_data(mx.nd.arange(6).reshape((2, 3)).T)
    layer(mx.nd.ones((1, 2)))
    assert layer.weight.data().tensor.is_contiguous()


@pytest.mark.parametrize("is_recorded", [False, True])
@pytest.mark.parametrize("make", [mx.nd.ones, mx.np.ones])
def test_other_shapes_of_what_is_convolved_share_memory(make, is_recorded):
    layer = built()
    with mx.autograd.record() if is_recorded else contextlib.nullcontext():
        result = layer(make((2, 4, 9, 9)))
        again = result * 1
    before = result.asnumpy()
    flat = result.reshape((-1,))
    onp.testing.assert_array_equal(flat.asnumpy(), before.ravel())
    flat[5] = 100
    assert result[0, 0, 0, 5].asnumpy() == 100
    assert result.sum().asnumpy() == pytest.approx(before.sum() - before.ravel()[5] + 100, rel=1e-4)
    if is_recorded:
        again.backward()
        assert layer.bias.grad().asnumpy()[0] == pytest.approx(2 * 7 * 7)


def test_reshaping_leaves_views_of_other_arrays_views():
    array = mx.nd.zeros((2, 3))
    turned = array.T
    turned.reshape((-1,))
    turned[:] = 1
    assert array.asnumpy().all()


def test_values_and_gradients_do_not_depend_on_it():
    layer = built()
    x = mx.nd.random.normal(shape=(2, 4, 9, 9))
    x.attach_grad()
    with mx.autograd.record():
        loss = (layer(x) ** 2).sum()
    loss.backward()
    data, weight = x.tensor.clone().requires_grad_(), layer.weight.data().tensor.contiguous()
    weight = weight.clone().requires_grad_()
    expected = torch.conv2d(data, weight, layer.bias.data().tensor)
    expected.pow(2).sum().backward()
    torch.testing.assert_close(layer(x).tensor, expected.detach())
    torch.testing.assert_close(x.grad.tensor, data.grad)
    torch.testing.assert_close(layer.weight.grad().tensor, weight.grad)


def test_numpy_arrays_of_it_are_in_c_order():
    layer = built()
    for array in (layer.weight.data(), layer(mx.nd.ones((2, 4, 9, 9)))):
        values = array.asnumpy()
        assert values.flags.c_contiguous
        onp.testing.assert_array_equal(values, array.tensor.contiguous().numpy())
