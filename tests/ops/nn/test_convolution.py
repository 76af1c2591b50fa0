"""Layouts and shapes of convolutions."""

from __future__ import annotations

import numpy as onp
import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

import gluonish as mx
from gluonish import autograd, nd
from tests.closeness import assert_close


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


@pytest.mark.parametrize("dtype", ["float32", "float64"])
def test_padding_may_take_all_of_a_transposed_convolution_and_no_more(dtype: str) -> None:
    x, w, b = (nd.ones(s, dtype=dtype) for s in ((3, 4, 1, 3), (4, 2, 2, 2), (2,)))
    for each in (x, w, b):
        each.attach_grad()
    common = {"kernel": (2, 2), "num_filter": 2}
    with autograd.record():
        y = nd.Deconvolution(x, w, b, pad=(1, 1), no_bias=False, **common)
    y.backward()
    assert y.shape == (3, 2, 0, 2)
    assert [each.grad.abs().sum().asscalar() for each in (x, w, b)] == [0, 0, 0]
    with pytest.raises(mx.MXNetError, match=r"pad=\(2, 1\) was given where .* sizes \(2, 4\)"):
        nd.Deconvolution(x, w, pad=(2, 1), **common)


def test_deferred_shapes_follow_from_the_data() -> None:
    for net in (
        mx.gluon.nn.Conv2D(4, 3, layout="NHWC"),
        mx.gluon.nn.Conv2DTranspose(4, 3, layout="NHWC"),
    ):
        net.initialize()
        net(nd.ones((2, 6, 5, 3)))
        assert sorted(net.weight.shape) == [3, 3, 3, 4]


class Strides(TorchDispatchMode):
    """Notes the strides by which torch convolves."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[int, ...]] = []

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        if func is torch.ops.aten.convolution.default:
            self.found.append(tuple(args[3]))
        return func(*args, **(kwargs or {}))


@pytest.mark.parametrize("channels", [1, 3, 4, 12])
@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("stride", [2, (2, 2), (1, 3)])
def test_filters_of_one_element_need_no_strides_of_onednn(channels, layout, stride) -> None:
    # Its kernel for AVX2 writes beyond its memory: the process ends some calls later.
    data, filters = nd.random.normal(shape=(2, channels, 7, 8)), nd.ones((8, channels, 1, 1))
    steps = (stride, stride) if isinstance(stride, int) else stride
    read = data.asnumpy()[:, :, :: steps[0], :: steps[1]].astype("float64")
    if layout == "NHWC":
        data, filters = data.transpose((0, 2, 3, 1)), filters.transpose((0, 2, 3, 1))
    filters.attach_grad()
    with Strides() as strides, autograd.record():
        result = nd.Convolution(
            data, filters, kernel=(1, 1), stride=stride, num_filter=8, layout=layout, no_bias=True
        )
    result.backward()
    assert [max(each) for each in strides.found] == [1]
    sums = read.sum(1, keepdims=True).repeat(8, 1)
    assert_close(result, sums if layout == "NCHW" else sums.transpose(0, 2, 3, 1))
    wanted = read.sum((0, 2, 3)).reshape(1, channels, 1, 1).repeat(8, 0)
    terms = abs(read).sum((0, 2, 3)).max()
    found = filters.grad.asnumpy()
    found = found if layout == "NCHW" else found.transpose(0, 3, 1, 2)
    onp.testing.assert_allclose(found, wanted, rtol=0, atol=16 * 2.0**-23 * terms)


def test_filters_of_one_element_keep_their_strides_where_data_is_padded() -> None:
    data, filters = nd.random.normal(shape=(2, 4, 7, 8)), nd.ones((8, 4, 1, 1))
    found = nd.Convolution(
        data, filters, kernel=(1, 1), stride=(2, 2), pad=(1, 1), num_filter=8, no_bias=True
    )
    padded = onp.pad(data.asnumpy(), ((0, 0), (0, 0), (1, 1), (1, 1)))[:, :, ::2, ::2]
    assert_close(found, padded.sum(1, keepdims=True).repeat(8, 1))


def is_innermost(array: nd.NDArray) -> bool:
    return array._tensor.is_contiguous(memory_format=torch.channels_last)


@pytest.mark.parametrize(
    ("options", "learns_outermost"),
    [
        ({"kernel": (3, 3)}, True),
        ({"kernel": (3, 3), "stride": (1, 1), "pad": (1, 1)}, True),
        ({"kernel": (1, 1)}, False),
        ({"kernel": (3, 3), "stride": (2, 2)}, False),
        ({"kernel": (3, 3), "num_group": 48}, False),
    ],
)
def test_filters_learn_from_long_rows_in_the_quicker_order(options, learns_outermost) -> None:
    x = nd.random.normal(shape=(2, 8, 200, 48)).transpose((0, 3, 1, 2))
    channels = 48 // options.get("num_group", 1)
    w = nd.random.normal(shape=(48, channels, *options["kernel"])) / 20
    w.attach_grad()
    predicted = nd.Convolution(x, w, no_bias=True, num_filter=48, **options)
    with autograd.record():
        y = nd.Convolution(x, w, no_bias=True, num_filter=48, **options)
        pooled = nd.Pooling(y, kernel=(2, 2), stride=(2, 2))
    assert is_innermost(predicted)
    assert is_innermost(y) is is_innermost(pooled) is not learns_outermost
    onp.testing.assert_allclose(y.asnumpy(), predicted.asnumpy(), rtol=1e-4, atol=1e-5)
    pooled.backward()
    wide = torch.from_numpy(w.asnumpy()).double().requires_grad_()
    of_wide = torch.conv2d(
        torch.from_numpy(x.asnumpy()).double(), wide, None, options.get("stride", 1),
        options.get("pad", 0), 1, options.get("num_group", 1),
    )  # fmt: skip
    torch.max_pool2d(of_wide, 2, 2).sum().backward()
    onp.testing.assert_allclose(w.grad.asnumpy(), wide.grad.numpy(), rtol=1e-3, atol=1e-2)
