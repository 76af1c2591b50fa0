"""Blocks as ONNX files, by way of torch: other runtimes give the same results."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as onp
import onnxruntime
import pytest
import torch

import gluonish as mx
from gluonish.gluon import nn, rnn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


def convolutional() -> nn.HybridSequential:
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3, padding=1), nn.BatchNorm(), nn.Activation("relu"), nn.Dropout(0.5))
    net.add(nn.MaxPool2D(), nn.AvgPool2D(2, 1), nn.LeakyReLU(0.1), nn.GlobalAvgPool2D())
    net.add(nn.Flatten(), nn.Dense(3), nn.LayerNorm(), nn.GELU())
    return net


def symbolic() -> mx.gluon.SymbolBlock:
    x = mx.sym.var("x")
    hidden = mx.sym.Activation(mx.sym.FullyConnected(x, num_hidden=3), act_type="tanh")
    return mx.gluon.SymbolBlock([hidden, mx.sym.softmax(hidden)], x)


@pytest.mark.parametrize(
    ("build", "shape"),
    [
        (convolutional, (2, 3, 8, 8)),
        (lambda: rnn.LSTM(4, 2, layout="NTC", bidirectional=True), (2, 5, 3)),
        (lambda: rnn.GRU(4, 2, dropout=0.3), (5, 2, 3)),
        (symbolic, (2, 4)),
    ],
)
@pytest.mark.filterwarnings("ignore::DeprecationWarning")
@pytest.mark.filterwarnings("ignore::FutureWarning")
def test_other_runtime_gives_the_same_results(
    build: Callable[[], nn.HybridBlock], shape: tuple[int, ...], tmp_path: Path
) -> None:
    block = build()
    block.initialize()
    data = torch.randn(shape)
    module = block.to_torch(data).eval()
    expected = module(data)
    logging.disable(logging.WARNING)  # torch tells of what is not installed
    try:
        torch.onnx.export(module, (data,), tmp_path / "net.onnx", dynamo=True, verbose=False)
    finally:
        logging.disable(logging.NOTSET)
    session = onnxruntime.InferenceSession(tmp_path / "net.onnx")
    results = session.run(None, {session.get_inputs()[0].name: data.numpy()})
    expected = expected if isinstance(expected, list) else [expected]
    assert len(results) == len(expected)
    for one, other in zip(results, expected, strict=True):
        onp.testing.assert_allclose(one, other.detach().numpy(), rtol=1e-5, atol=1e-6)
