"""What 8-bit integers cost: the demo's LeNet, trained on real digits, before and after."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.cli.demo import lenet
from gluonish.gluon.data import ArrayDataset, DataLoader
from gluonish.gluon.data.vision import MNISTSample

LARGEST_LOSS = 0.005  # of the test set's digits


def digits(train):
    images, labels = zip(*MNISTSample(train=train), strict=True)
    pixels = mx.nd.stack(*images).transpose((0, 3, 1, 2)).astype("float32") / 255
    return pixels, mx.nd.array(labels)


def right(net, data, labels):
    return float((net(data).argmax(axis=1) == labels).mean().asscalar())


@pytest.fixture(scope="module")
def trained():
    mx.random.seed(1)
    net = lenet()
    net.initialize(mx.init.Xavier())
    net.hybridize(backend="fx")
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 2e-3})
    loss_of = mx.gluon.loss.SoftmaxCrossEntropyLoss()
    data, labels = digits(train=True)
    for _ in range(2):
        for x, y in DataLoader(ArrayDataset(data, labels), 64, shuffle=True):
            with mx.autograd.record():
                loss = loss_of(net(x), y)
            loss.backward()
            trainer.step(len(x))
    return net, data, digits(train=False)


@pytest.mark.parametrize("dtype", ["auto", "int8"])
@pytest.mark.parametrize("mode", ["naive", "entropy"])
def test_a_net_that_reads_digits_reads_them_on_integers(trained, mode, dtype):
    net, data, (images, labels) = trained
    calibration = mx.io.NDArrayIter(data[:320], batch_size=64)
    quantized = mx.contrib.quantization.quantize_net_v2(
        net, quantized_dtype=dtype, calib_mode=mode, calib_data=calibration
    )
    text = quantized._symbol.tojson()
    assert text.count("_sg_mkldnn_conv") >= 2
    assert text.count("_sg_mkldnn_fully_connected") >= 2
    before, after = right(net, images, labels), right(quantized, images, labels)
    assert before > 0.95
    assert after >= before - LARGEST_LOSS
