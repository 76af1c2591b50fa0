"""Initializers fill arrays with the real MXNet's values."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish.gluon import nn

_GOLDEN = Path(__file__).parents[1] / "golden"
_FOUND = json.loads((_GOLDEN / "init.json").read_text())


@pytest.fixture(scope="module")
def arrays() -> dict[str, onp.ndarray[Any, Any]]:
    with onp.load(_GOLDEN / "init.npz") as stored:
        return dict(stored)


def _build(text: str) -> mx.init.Initializer:
    return eval(f"init.{text}", {"init": mx.init, "mx": mx})


def _assert_equal(ours: onp.ndarray[Any, Any], golden: onp.ndarray[Any, Any], text: str) -> None:
    if not text.startswith("Orthogonal"):
        onp.testing.assert_array_equal(ours, golden)
        return
    # The signs of singular vectors are the linear algebra library's.
    ours, golden = ours.reshape(len(ours), -1), golden.reshape(len(golden), -1)
    if len(ours) > ours.shape[1]:
        ours, golden = ours.T, golden.T
    onp.testing.assert_allclose(abs(ours), abs(golden), atol=1e-5)


@pytest.mark.parametrize("row", _FOUND["rows"], ids=lambda row: f"{row['key']}_{row['text']}")
def test_initializer_gives_mxnets_values(
    row: dict[str, Any], arrays: dict[str, onp.ndarray[Any, Any]]
) -> None:
    if row["mode"] == "np":
        mx.npx.set_np()
    array = (mx.nd if row["mode"] == "nd" else mx.np).zeros(tuple(row["shape"]))
    mx.random.seed(row["seed"])
    _build(row["text"])(mx.init.InitDesc(row["name"]), array)
    _assert_equal(array.asnumpy(), arrays[row["key"]], row["text"])


@pytest.mark.parametrize("mode", ["nd", "np"])
@pytest.mark.parametrize("text", _FOUND["nets"])
def test_network_is_initialized_as_in_mxnet(
    text: str, mode: str, arrays: dict[str, onp.ndarray[Any, Any]]
) -> None:
    if mode == "np":
        mx.npx.set_np()
    mx.random.seed(7)
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(3, 3), nn.BatchNorm(), nn.Dense(4), nn.Dense(2, in_units=4))
    net.initialize(_build(text))
    net((mx.nd if mode == "nd" else mx.np).zeros((2, 2, 6, 6)))
    start = f"net_{mode}_{text}/"
    params = net.collect_params()
    assert {start + name for name in params} == {key for key in arrays if key.startswith(start)}
    for name, param in params.items():
        text_of = text if name.endswith("weight") else "constant"
        _assert_equal(param.data().asnumpy(), arrays[start + name], text_of)


@pytest.mark.parametrize(("name", "shape"), _FOUND["legacy"])
def test_plain_names_follow_the_deprecated_rules(
    name: str, shape: list[int], arrays: dict[str, onp.ndarray[Any, Any]]
) -> None:
    mx.random.seed(0)
    array = mx.nd.zeros(tuple(shape))
    with pytest.warns(DeprecationWarning, match=r"init\(str, NDArray\) has been deprecated"):
        mx.init.Uniform()(name, array)
    onp.testing.assert_array_equal(array.asnumpy(), arrays[f"legacy_{name}"])


@pytest.mark.parametrize("text", _FOUND["dumps"])
def test_dumps_gives_mxnets_text(text: str) -> None:
    assert _build(text).dumps() == _FOUND["dumps"][text]
    again = mx.init.create(_FOUND["dumps"][text])
    assert again.dumps() == _FOUND["dumps"][text]
