from __future__ import annotations

import numpy as onp
import torch

import gluonish as mx
from gluonish.gluon import nn


def is_innermost(array):
    return array.tensor.is_contiguous(memory_format=torch.channels_last)


def built(**options):
    layer = nn.Conv2D(8, 3, in_channels=4, **options)
    layer.initialize()
    return layer


def test_filters_of_images_lie_with_their_channels_innermost():
    layer = built()
    assert is_innermost(layer.weight.data())
    assert is_innermost(layer.weight.grad())
    assert is_innermost(layer(mx.nd.ones((2, 4, 9, 9))))
    assert not is_innermost(built(layout="NHWC").weight.data())


def test_the_order_of_memory_survives_new_values(tmp_path):
    layer = built()
    layer.weight.set_data(mx.nd.ones((8, 4, 3, 3)))
    assert is_innermost(layer.weight.data())
    layer.save_parameters(tmp_path / "f.params")
    layer.load_parameters(tmp_path / "f.params")
    assert is_innermost(layer.weight.data())
    layer.cast("float64")
    assert layer.weight.data().asnumpy().sum() == 8 * 4 * 9


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
