"""Layers print, name, initialize, compute and differentiate as the real MXNet's do."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import harness
import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish.gluon import Block, nn

_GOLDEN = Path(__file__).parents[1] / "golden"
_LAYERS = json.loads((_GOLDEN / "layers.json").read_text())


@pytest.fixture(scope="module")
def arrays() -> dict[str, onp.ndarray[Any, Any]]:
    with onp.load(_GOLDEN / "layers.npz") as stored:
        return dict(stored)


def _build(text: str) -> Block:
    harness.fresh_names()
    return eval(f"nn.{text}", {"nn": nn, "mx": mx})


def _close(ours: mx.nd.NDArray, golden: onp.ndarray[Any, Any], what: str) -> None:
    assert_close(ours, golden, steps=64, where=what)


@pytest.mark.parametrize("row", _LAYERS["rows"], ids=lambda row: row["key"])
def test_layer_prints_and_names_as_in_mxnet(row: dict[str, Any]) -> None:
    block = _build(row["text"])
    assert repr(block) == row["before"]
    params = block.collect_params().values()
    assert {p.name: list(p.shape) for p in params} == row["params_before"]
    assert {p.name: [p.grad_req, str(p.dtype)] for p in params} == row["settings"]
    block.initialize()
    x = mx.nd.zeros(tuple(row["shape"]))
    block(x)
    assert repr(block) == row["after"]
    assert str(block.collect_params()) == row["params"]


@pytest.mark.parametrize("row", _LAYERS["rows"], ids=lambda row: row["key"])
def test_layer_computes_as_in_mxnet(
    row: dict[str, Any], arrays: dict[str, onp.ndarray[Any, Any]]
) -> None:
    key = row["key"]
    mx.random.seed(42)
    block = _build(row["text"])
    block.initialize()
    x = mx.nd.array(arrays[f"{key}/x"])
    x.attach_grad()
    _close(block(x), arrays[f"{key}/predicted"], "prediction")
    params = block.collect_params()
    for name, param in params.items():
        golden = arrays[f"{key}/param/{name}"]
        onp.testing.assert_array_equal(param.data().asnumpy(), golden, err_msg=name)
    with mx.autograd.record():
        y = block(x)
    y.backward(mx.nd.array(arrays[f"{key}/head"]))
    _close(y, arrays[f"{key}/trained"], "training")
    if f"{key}/grad" in arrays:
        _close(x.grad, arrays[f"{key}/grad"], "gradient of the data")
    for name, param in params.items():
        if param.grad_req != "null":
            _close(param.grad(), arrays[f"{key}/grad/{name}"], f"gradient of {name}")
        _close(param.data(), arrays[f"{key}/after/{name}"], f"{name} afterwards")


@pytest.mark.parametrize("text", _LAYERS["printed"])
def test_other_layers_print_as_in_mxnet(text: str) -> None:
    assert repr(_build(text)) == _LAYERS["printed"][text]


@pytest.mark.parametrize("text", _LAYERS["printed_in_np"])
def test_unknown_sizes_print_as_minus_one_in_np_mode(text: str) -> None:
    mx.npx.set_np()
    assert repr(_build(text)) == _LAYERS["printed_in_np"][text]
