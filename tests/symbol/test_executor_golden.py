"""Graphs that the real MXNet 1.9.1 exported: loaded, bound to arrays, run there and back."""

from __future__ import annotations

import json

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, npx
from tests.test_golden_models import GRADIENTS, MODELS, PLAIN, RECURRENT, recorded


@pytest.fixture(params=[*PLAIN, *RECURRENT])
def name(request):
    if request.param.endswith("_np"):
        npx.set_np()
    yield request.param
    npx.reset_np()


def bound(name):
    """Return an Executor for an exported net, its recorded values, and where gradients are."""
    symbol = mx.sym.load(str(MODELS / name / "net-symbol.json"))
    params = nd.load(str(MODELS / name / "net-0007.params"))
    io = recorded(name)
    arrays = {key.partition(":")[2]: value for key, value in params.items()}
    arrays["data"] = nd.array(io["input"])
    grads = {key: nd.zeros(arrays[key].shape) for key in symbol.list_arguments()}
    states = {key: arrays[key] for key in symbol.list_auxiliary_states()}
    return symbol.bind(mx.cpu(), arrays, grads, aux_states=states), io


def gradients(name, io, is_train):
    """Return MXNet's gradients of the sum of squares, by the full names of parameters."""
    names = json.loads((MODELS / name / "names.json").read_text()) | {"input": "data"}
    if name in RECURRENT:
        found = {key.removeprefix("grad."): io[key] for key in io if key.startswith("grad.")}
    else:
        start = f"{name}/{is_train}/"
        with onp.load(GRADIENTS) as arrays:
            found = {key[len(start) :]: arrays[key] for key in arrays if key.startswith(start)}
    return {names[key]: value for key, value in found.items()}


@pytest.mark.parametrize("is_train", [True, False])
def test_outputs_and_gradients_are_those_of_mxnet(name, is_train):
    executor, io = bound(name)
    wanted = gradients(name, io, is_train)
    for _ in range(3):
        (output,) = executor.forward()
        onp.testing.assert_allclose(output.asnumpy(), io["output"], rtol=1e-5, atol=1e-5)
        executor.backward(2 * output, is_train=is_train)
        for key, value in wanted.items():
            found = executor.grad_dict[key].asnumpy()
            assert abs(found - value).max() <= 1e-4 * abs(value).max(), key


def test_outputs_in_training_mode_are_those_of_mxnet(name):
    executor, io = bound(name)
    expected = io.get("output_train_mode")
    assert expected is not None or name.startswith("mlp")
    for _ in range(3):
        (output,) = executor.forward(is_train=True)
        if expected is not None:
            onp.testing.assert_allclose(output.asnumpy(), expected, rtol=1e-4, atol=1e-5)
