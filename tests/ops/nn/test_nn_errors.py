"""What neural-network operators say about arguments that do not fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import gluonish as mx
from gluonish import nd
from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable

_I = {"dtype": "int32"}


def _ones(*shape: int, **options: str) -> nd.NDArray:
    return nd.ones(shape, **options)


_CASES: dict[str, tuple[Callable[[], object], str]] = {
    "features": (
        lambda: nd.FullyConnected(_ones(8, 12), _ones(256, 16), _ones(256), num_hidden=256),
        (
            r"FullyConnected: data of shape \(8, 12\) has 12 features per row. The weight of shape "
            r"\(256, 16\) expects 16. Build the layer with in_units=12, or without in_units "
            r"to have it inferred; or give it data of 16 features."
        ),
    ),
    "units": (
        lambda: nd.FullyConnected(_ones(2, 3), _ones(4, 3), _ones(4), num_hidden=5),
        r"num_hidden=5 and a weight of shape \(4, 3\) .* Expected a weight with 5 rows",
    ),
    "no bias": (
        lambda: nd.FullyConnected(_ones(2, 3), _ones(4, 3), num_hidden=4),
        "FullyConnected: no bias was given although no_bias=False. Expected 3 inputs",
    ),
    "extra bias": (
        lambda: nd.FullyConnected(_ones(2, 3), _ones(4, 3), _ones(4), no_bias=True),
        r"a bias of shape \(4,\) was given although no_bias=True. Expected 2 inputs",
    ),
    "bias shape": (
        lambda: nd.FullyConnected(_ones(2, 3), _ones(4, 3), _ones(5)),
        r"a bias of shape \(5,\) was given beside a weight of shape \(4, 3\). Expected shape",
    ),
    "dense dtype": (
        lambda: nd.FullyConnected(_ones(2, 3, dtype="float64"), _ones(4, 3), _ones(4)),
        "data is an array of shape .* float64, .* Expected one floating-point dtype for all",
    ),
    "embedding dims": (
        lambda: nd.Embedding(_ones(2), _ones(4, 3), input_dim=5, output_dim=3),
        r"Embedding: a weight of shape \(4, 3\) was given with input_dim=5 and output_dim=3",
    ),
    "embedding table": (
        lambda: nd.Embedding(_ones(2), _ones(4)),
        r"Embedding: .* weight an array of shape \(4,\).* Expected .* a table of two axes",
    ),
    "activation": (
        lambda: nd.Activation(_ones(2), act_type="foo"),
        (
            "Activation: act_type='foo' was given. Expected one of 'relu', 'sigmoid', 'softrelu', "
            "'softsign', 'tanh'"
        ),
    ),
    "activation of integers": (
        lambda: nd.LeakyReLU(_ones(2, **_I), act_type="gelu"),
        "LeakyReLU: data is an array .* int32. Expected a floating-point dtype",
    ),
    "leaky": (
        lambda: nd.LeakyReLU(_ones(2), act_type="foo"),
        "LeakyReLU: act_type='foo' was given. Expected one of 'elu', 'gelu', 'leaky', 'prelu'",
    ),
    "no gamma": (
        lambda: nd.LeakyReLU(_ones(2), act_type="prelu"),
        "act_type='prelu' was given without gamma",
    ),
    "extra gamma": (
        lambda: nd.LeakyReLU(_ones(2), _ones(2)),
        r"gamma of shape \(2,\) was given with act_type='leaky'. Expected no gamma",
    ),
    "gamma shape": (
        lambda: nd.LeakyReLU(_ones(2, 3, 4), _ones(2), act_type="prelu"),
        (
            r"gamma of shape \(2,\) was given for data of shape \(2, 3, 4\). Expected one "
            r"number, or "
            "one for each of the 3 channels"
        ),
    ),
    "softmax of integers": (
        lambda: nd.softmax(_ones(2, 3, **_I)),
        "softmax: data is an array .* int32 and axis=-1. Expected a floating-point dtype",
    ),
    "softmax axis": (
        lambda: nd.log_softmax(_ones(2, 3), axis=2),
        r"data is an array of shape \(2, 3\) .* axis=2. Expected an axis from -2 to 1",
    ),
    "length unused": (
        lambda: nd.softmax(_ones(2, 3), _ones(2, **_I)),
        "use_length=False was given with length. Expected both or neither",
    ),
    "length missing": (
        lambda: nd.softmax(_ones(2, 3), use_length=True),
        "use_length=True was given without length. Expected both or neither",
    ),
    "length dtype": (
        lambda: nd.softmax(_ones(2, 3), _ones(2), use_length=True),
        "length is an array .* float32. Expected an integer dtype",
    ),
    "log_softmax length": (
        lambda: nd.log_softmax(_ones(2, 3), use_length=True),
        "log_softmax: use_length=True was given. Expected False",
    ),
    "softmax mode": (
        lambda: nd.SoftmaxActivation(_ones(2, 3), mode="foo"),
        "SoftmaxActivation: mode='foo' was given. Expected one of 'channel', 'instance'",
    ),
    "channels": (
        lambda: nd.Convolution(_ones(1, 3, 5, 5), _ones(4, 2, 3, 3), no_bias=True),
        (
            r"Convolution: data of shape \(1, 3, 5, 5\) has 3 channels. .* expects 2. Build "
            r"the layer "
            "with in_channels=3"
        ),
    ),
    "one image": (
        lambda: nd.Convolution(_ones(3, 5, 5), _ones(4, 3, 3, 3), no_bias=True),
        r"data of shape \(3, 5, 5\) .* Expected 4 axes: batch, channels and 2 spatial ones",
    ),
    "kernel": (
        lambda: nd.Convolution(_ones(1, 3, 5, 5), _ones(4, 3, 3, 3), kernel=(2, 2), no_bias=True),
        (
            r"kernel=\(2, 2\) was given with a weight of shape \(4, 3, 3, 3\). Expected "
            r"kernel=\(3, 3\)"
        ),
    ),
    "filters": (
        lambda: nd.Convolution(
            _ones(1, 3, 5, 5), _ones(4, 3, 3, 3), kernel=(3, 3), num_filter=5, no_bias=True
        ),
        r"num_filter=5 was given with a weight of shape \(4, 3, 3, 3\). Expected num_filter=4",
    ),
    "kernel too large": (
        lambda: nd.Convolution(_ones(1, 3, 2, 2), _ones(4, 3, 3, 3), no_bias=True),
        "Expected data at least as large as the kernel",
    ),
    "conv bias": (
        lambda: nd.Convolution(_ones(1, 3, 2, 2), _ones(4, 3, 3, 3)),
        "Convolution: no bias was given although no_bias=False",
    ),
    "conv dtype": (
        lambda: nd.Convolution(_ones(1, 3, 5, 5, dtype="float64"), _ones(4, 3, 3, 3), no_bias=True),
        "Convolution: data is an array .* float64, .* Expected one floating-point dtype for all",
    ),
    "conv weight": (
        lambda: nd.Convolution(_ones(1, 3), _ones(4, 3), no_bias=True),
        r"a weight of shape \(4, 3\) was given. Expected 3 to 5 axes",
    ),
    "layout": (
        lambda: nd.Convolution(_ones(1, 3, 5), _ones(4, 3, 3), no_bias=True, layout="NCHW"),
        "Convolution: layout='NCHW' was given for 1 spatial axes. Expected 'NCW' or 'NWC'",
    ),
    "deconv channels": (
        lambda: nd.Deconvolution(_ones(1, 3, 5, 5), _ones(2, 4, 3, 3)),
        r"Deconvolution: data of shape \(1, 3, 5, 5\) has 3 channels. .* expects 2",
    ),
    "deconv filters": (
        lambda: nd.Deconvolution(_ones(1, 3, 5, 5), _ones(3, 4, 3, 3), num_filter=5),
        r"num_filter=5 was given .* in 1 groups. Expected num_filter=4",
    ),
    "adj": (
        lambda: nd.Deconvolution(_ones(1, 3, 5), _ones(3, 4, 3), adj=(1,)),
        r"adj=\(1,\) was given with stride=\(1,\). Expected adj smaller than the stride",
    ),
    "target": (
        lambda: nd.Deconvolution(_ones(1, 3, 5), _ones(3, 4, 3), stride=(2,), target_shape=(12,)),
        r"target_shape=\(12,\) was given .* sizes \(11,\). Expected no larger target",
    ),
    "pool type": (
        lambda: nd.Pooling(_ones(1, 1, 4), kernel=(2,), pool_type="foo"),
        "Pooling: pool_type='foo' was given. Expected one of 'avg', 'lp', 'max', 'sum'",
    ),
    "convention": (
        lambda: nd.Pooling(_ones(1, 1, 4), kernel=(2,), pooling_convention="foo"),
        "pooling_convention='foo' was given. Expected one of 'full', 'same', 'valid'",
    ),
    "same with pad": (
        lambda: nd.Pooling(_ones(1, 1, 4), kernel=(2,), pad=(1,), pooling_convention="same"),
        r"pad=\(1,\) was given with pooling_convention='same'. Expected no padding",
    ),
    "p_value": (
        lambda: nd.Pooling(_ones(1, 1, 4), kernel=(2,), pool_type="lp"),
        "pool_type='lp' was given with p_value=None. Expected which power to sum: 1, 2 or 3",
    ),
    "no window": (
        lambda: nd.Pooling(_ones(1, 1, 4, 4)),
        r"kernel=\(\) was given. Expected a window of 2 sizes, or global_pool=True",
    ),
    "window too large": (
        lambda: nd.Pooling(_ones(1, 1, 4, 4), kernel=(5, 5)),
        (
            r"kernel=\(5, 5\) and pad=\(0, 0\) were given for data of shape \(1, 1, 4, 4\). "
            r"Expected a "
            "window that fits"
        ),
    ),
    "window axes": (
        lambda: nd.Pooling(_ones(1, 4, 4), kernel=(2, 2)),
        r"data of shape \(1, 4, 4\) was given. Expected batch, channels and one to three spatial",
    ),
    "pool axes": (
        lambda: nd.Pooling(_ones(4, 4), global_pool=True),
        r"data of shape \(4, 4\) was given. Expected batch, channels and one to three spatial",
    ),
    "pool layout": (
        lambda: nd.Pooling(_ones(1, 1, 4, 4), kernel=(2, 2), layout="NCW"),
        "Pooling: layout='NCW' was given for 2 spatial axes. Expected 'NCHW' or 'NHWC'",
    ),
    "batch norm channels": (
        lambda: nd.BatchNorm(_ones(2, 3), *[_ones(4)] * 4),
        (
            r"BatchNorm: data is an array of shape \(2, 3\) .* Expected 4 channels along axis 1, "
            "not 3.*in_channels=3"
        ),
    ),
    "batch norm axis": (
        lambda: nd.BatchNorm(_ones(2, 3), *[_ones(3)] * 4, axis=3),
        "axis=3. Expected an axis of the data",
    ),
    "batch norm of integers": (
        lambda: nd.BatchNorm(_ones(2, 3, **_I), *[_ones(3)] * 4),
        "BatchNorm: data is an array .* int32.* Expected a floating-point dtype",
    ),
    "layer norm": (
        lambda: nd.LayerNorm(_ones(2, 3), _ones(4), _ones(4)),
        r"LayerNorm: data is an array of shape \(2, 3\) .* gamma an array of shape \(4,\)",
    ),
    "instance norm": (
        lambda: nd.InstanceNorm(_ones(2, 3, 2), _ones(4), _ones(4)),
        r"InstanceNorm: data is an array of shape \(2, 3, 2\) .* gamma an array of shape \(4,\)",
    ),
    "instance norm axes": (
        lambda: nd.InstanceNorm(_ones(2, 3), _ones(3), _ones(3)),
        r"InstanceNorm: data of shape \(2, 3\) was given. Expected batch, channels and one spatial",
    ),
    "group norm axes": (
        lambda: nd.GroupNorm(_ones(2, 4), _ones(2), _ones(2), num_groups=2),
        r"GroupNorm: data of shape \(2, 4\) and num_groups=2 were given",
    ),
    "group norm groups": (
        lambda: nd.GroupNorm(_ones(2, 4, 3), _ones(3), _ones(3), num_groups=3),
        r"GroupNorm: data of shape \(2, 4, 3\) and num_groups=3 were given. .* groups that divide",
    ),
    "group norm gamma": (
        lambda: nd.GroupNorm(_ones(2, 4, 3), _ones(4), _ones(4), num_groups=2),
        r"gamma an array of shape \(4,\) .* Expected .* gamma and beta of shape \(2,\)",
    ),
    "l2 mode": (
        lambda: nd.L2Normalization(_ones(2, 3), mode="foo"),
        "L2Normalization: mode='foo' was given. Expected one of 'channel', 'instance', 'spatial'",
    ),
    "lrn": (
        lambda: nd.LRN(_ones(1, 3, 2, 2), nsize=0),
        "LRN: nsize=0 was given. Expected a number of channels, at least 1",
    ),
    "dropout p": (
        lambda: nd.Dropout(_ones(2), p=1.5),
        r"Dropout: p=1.5 was given. Expected a probability in \[0, 1\]",
    ),
    "dropout mode": (
        lambda: nd.Dropout(_ones(2), mode="foo"),
        "Dropout: mode='foo' was given. Expected one of 'always', 'training'",
    ),
    "dropout of integers": (
        lambda: nd.Dropout(_ones(2, **_I)),
        "Dropout: data is an array .* int32. Expected a floating-point dtype",
    ),
    "pad mode": (
        lambda: nd.Pad(_ones(1, 1, 2, 2), mode="foo", pad_width=(0,) * 8),
        "Pad: mode='foo' was given. Expected one of 'constant', 'edge', 'reflect'",
    ),
    "pad axes": (
        lambda: nd.Pad(_ones(2, 3), mode="edge", pad_width=(0, 0, 1, 1)),
        r"Pad: data of shape \(2, 3\) .* Expected 4 or 5 axes, and two widths for each",
    ),
    "pad batch": (
        lambda: nd.Pad(_ones(1, 1, 2, 2), mode="edge", pad_width=(1, 0, 0, 0, 1, 1, 1, 1)),
        "Expected no negative width, and 0 for the first two axes",
    ),
    "pad too wide": (
        lambda: nd.Pad(_ones(1, 1, 2, 2), mode="reflect", pad_width=(0, 0, 0, 0, 2, 2, 0, 0)),
        "Pad: mode='reflect' .* larger than the mirrored widths",
    ),
    "upsampling type": (
        lambda: nd.UpSampling(_ones(1, 1, 2, 2), scale=2),
        "UpSampling: sample_type='' was given. Expected one of 'bilinear', 'nearest'",
    ),
    "upsampling mode": (
        lambda: nd.UpSampling(
            _ones(1, 1, 2, 2), scale=2, sample_type="nearest", multi_input_mode="x"
        ),
        "multi_input_mode='x' was given. Expected one of 'concat', 'sum'",
    ),
    "upsampling arrays": (
        lambda: nd.UpSampling(_ones(1, 1, 2, 2), scale=2, sample_type="bilinear"),
        "1 arrays and num_args=None were given with sample_type='bilinear'. Expected data and",
    ),
    "upsampling filters": (
        lambda: nd.UpSampling(
            _ones(1, 2, 2, 2), _ones(2, 1, 4, 4), scale=2, sample_type="bilinear", num_filter=3
        ),
        "num_filter=3 was given .* Expected the number of channels. Pass 2",
    ),
    "upsampling shape": (
        lambda: nd.UpSampling(_ones(2, 2), scale=2, sample_type="nearest"),
        r"Expected images of shape \(batch, channels, height, width\)",
    ),
    "ctc blank": (
        lambda: nd.CTCLoss(_ones(4, 2, 3), _ones(2, 2), blank_label="foo"),
        "CTCLoss: blank_label='foo' was given. Expected one of 'first', 'last'",
    ),
    "ctc lengths": (
        lambda: nd.CTCLoss(_ones(4, 2, 3), _ones(2, 2), use_label_lengths=True),
        "use_label_lengths=True was given without label_lengths",
    ),
    "ctc shape": (
        lambda: nd.CTCLoss(_ones(4, 2), _ones(2, 2)),
        r"Expected data of shape \(steps, batch, classes\) and labels of shape \(batch, length\)",
    ),
    "cross entropy shape": (
        lambda: nd.softmax_cross_entropy(_ones(4, 2), _ones(3)),
        r"Expected data of shape \(batch, classes\) and labels of shape \(batch,\)",
    ),
}


@pytest.mark.parametrize("name", _CASES)
def test_arguments_that_do_not_fit_are_explained(name: str) -> None:
    call, text = _CASES[name]
    with pytest.raises(mx.MXNetError, match=text):
        call()


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"kernel": (-2, 2)}, r"kernel=\(-2, 2\) was given. Expected a window of 2 sizes"),
        ({"kernel": (2, 2), "stride": (0, 1)}, r"stride=\(0, 1\) and pad=\(\) were given"),
        ({"kernel": (2, 2), "pad": (-1, 0)}, r"pad=\(-1, 0\) were given. Expected steps of 1"),
    ],
)
@pytest.mark.parametrize("kind", ["max", "avg", "sum"])
def test_windows_that_are_none_are_refused(settings, said, kind):
    with pytest.raises(InvalidArgumentError, match=said):
        mx.nd.Pooling(mx.nd.ones((1, 1, 4, 4)), pool_type=kind, **settings)


def test_shapes_of_pooled_images_are_found_without_counting_to_billions():
    pooled = mx.sym.Pooling(
        mx.sym.var("data"), kernel=(2**31 - 1, 2), pad=(2**31 - 1, 0), pool_type="avg"
    )
    assert pooled.infer_shape(data=(1, 1, 4, 4))[1] == [(1, 1, 2**31 + 4, 3)]


@pytest.mark.parametrize("padding", [float("nan"), float("inf")])
def test_steps_beyond_their_lengths_have_no_part_in_ctc_losses(padding):
    x = nd.array([[[0.0, 0, 0]], [[0, 0, 0]], [[padding] * 3]])
    x.attach_grad()
    with mx.autograd.record():
        loss = nd.CTCLoss(x, nd.array([[1.0, 0]]), nd.array([2.0]), use_data_lengths=True)
    loss.backward()
    assert loss.asscalar() == pytest.approx(1.0986123, rel=1e-5)
    assert x.grad[2].asnumpy().tolist() == [[0, 0, 0]]


def test_crop_in_the_middle_reads_no_offset() -> None:
    x = mx.nd.arange(16).reshape((1, 1, 4, 4))
    window = mx.nd.Crop(x, h_w=(1, 2), center_crop=True, num_args=1, offset=(2, 5, 3))
    assert window.asnumpy().tolist() == [[[[5, 6]]]]  # MXNet's
