"""Kernels that compiled libraries can't call are called in another form, with the same values."""

from __future__ import annotations

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from gluonish.hybrid.callable_kernels import made_callable

WEIGHTS = [torch.randn(16, 3), torch.randn(16, 4), torch.randn(16), torch.randn(16)]


def outputs(data, *weights):
    start = torch.zeros(1, 2, 4)
    return torch.lstm(data, (start, start), weights, True, 1, 0.0, True, False, False)[0]


def gradients(data, *weights):
    leaves = [weight.detach().requires_grad_() for weight in weights]
    with torch.enable_grad():
        found = outputs(data, *leaves)
    return torch.autograd.grad([found.sum()], leaves)


def names(traced):
    return {str(node.target) for node in traced.graph.nodes if "lstm" in str(node.target)}


@pytest.mark.parametrize("is_on", [True, False])
def test_gradient_of_an_lstm_layer(is_on):
    given = [torch.randn(5, 2, 3), *WEIGHTS]
    traced = make_fx(gradients)(*given)
    made_callable(traced)
    traced.recompile()
    assert names(traced) == {
        "gluonish.lstm_layer.default",
        "gluonish.lstm_layer_backward.default",
    }
    assert not any("mkldnn_rnn" in str(node.target) for node in traced.graph.nodes)
    with torch.set_grad_enabled(is_on):
        found = traced(*given)
    for one, right in zip(found, gradients(*given), strict=True):
        torch.testing.assert_close(one, right)


def test_layers_without_gradients_stay_as_they_are():
    with torch.no_grad():
        traced = make_fx(outputs)(torch.randn(5, 2, 3), *WEIGHTS)
    made_callable(traced)
    assert names(traced) == set()
