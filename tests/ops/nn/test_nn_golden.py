"""Neural-network operators give the real MXNet's values, gradients and side effects."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as onp
import pytest

import gluonish as mx

_GOLDEN = Path(__file__).parents[2] / "golden"
_ROWS = json.loads((_GOLDEN / "nn_ops.json").read_text())["rows"]
_NPX = {
    "FullyConnected": "fully_connected",
    "Embedding": "embedding",
    "Activation": "activation",
    "LeakyReLU": "leaky_relu",
    "Convolution": "convolution",
    "Deconvolution": "deconvolution",
    "Pooling": "pooling",
    "BatchNorm": "batch_norm",
    "LayerNorm": "layer_norm",
    "softmax": "softmax",
    "log_softmax": "log_softmax",
}


@pytest.fixture(scope="module")
def arrays() -> dict[str, onp.ndarray[Any, Any]]:
    with onp.load(_GOLDEN / "nn_ops.npz") as stored:
        return dict(stored)


def _close(ours: mx.nd.NDArray, golden: onp.ndarray[Any, Any], what: str) -> None:
    assert ours.shape == golden.shape, what
    assert ours.dtype == golden.dtype, what
    onp.testing.assert_allclose(ours.asnumpy(), golden, rtol=2e-5, atol=4e-6, err_msg=what)


def _arguments(row: dict[str, Any]) -> dict[str, Any]:
    given = row["kwargs"].items()
    return {key: tuple(value) if isinstance(value, list) else value for key, value in given}


@pytest.mark.parametrize("front", ["nd", "npx"])
@pytest.mark.parametrize("row", _ROWS, ids=lambda row: row["name"])
def test_operator_gives_mxnets_values_and_gradients(
    row: dict[str, Any], front: str, arrays: dict[str, onp.ndarray[Any, Any]]
) -> None:
    name = row["name"]
    space, array = (mx.nd, mx.nd.array) if front == "nd" else (mx.npx, mx.np.array)
    op = getattr(space, row["op"] if front == "nd" else _NPX.get(row["op"], row["op"]), None)
    if op is None:  # MXNet has it in nd alone
        assert front == "npx"
        assert row["op"] not in _NPX
        return
    golden = [arrays[f"{name}/in{index}"] for index in range(row["inputs"])]
    inputs = [array(values, dtype=values.dtype) for values in golden]
    for index, one in enumerate(inputs):
        if index not in row["no_grad"]:
            one.attach_grad()
    with mx.autograd.record(train_mode=row["train"]):
        result = op(*inputs, **_arguments(row))
    outputs = result if row["outputs"] > 1 else [result]
    for index, output in enumerate(outputs):
        _close(output, arrays[f"{name}/out{index}"], f"output {index}")
    gradients = [index for index in range(row["inputs"]) if f"{name}/grad{index}" in arrays]
    if gradients:
        outputs[0].backward(array(arrays[f"{name}/head"]), train_mode=row["train"])
    for index in gradients:
        _close(inputs[index].grad, arrays[f"{name}/grad{index}"], f"gradient {index}")
    for index, one in enumerate(inputs):
        if row["op"] == "BatchNorm" and index == 1:
            continue  # MXNet writes ones into a fixed gamma
        _close(one, arrays[f"{name}/after{index}"], f"input {index} afterwards")
