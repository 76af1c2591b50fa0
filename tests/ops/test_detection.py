"""Operators for object detection and resizing, beside the real MXNet's answers."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
import torch

from gluonish import autograd, nd, np, npx
from gluonish.errors import AutogradError, DTypeError, InvalidArgumentError, ShapeError
from gluonish.ops.detection_overlap import overlaps, suppress

_SPEC = importlib.util.spec_from_file_location(
    "samples_detection", Path(__file__).with_name("samples_detection.py")
)
samples = importlib.util.module_from_spec(_SPEC)
sys.modules["samples_detection"] = samples
_SPEC.loader.exec_module(samples)

HERE = Path(__file__).parents[1] / "golden"
GOLDEN = onp.load(HERE / "detection.npz")
ROWS = json.loads((HERE / "detection.json").read_text())["rows"]
DIFFERENTIABLE = [row for row in ROWS if ROWS[row]["gradients"]]


def arrays() -> dict[str, Any]:
    return {name: nd.array(value) for name, value in samples.data().items()}


def evaluate(row: str, values: dict[str, Any]) -> list[Any]:
    names = {"nd": nd, "npx": npx, "np_of": lambda array: array.as_np_ndarray(), **values}
    result = eval(row, names)
    return list(result) if isinstance(result, (list, tuple)) else [result]


def test_every_sample_was_answered() -> None:
    assert sorted(ROWS) == sorted(row for each in samples.FAMILIES for row in samples.rows(each))


@pytest.mark.parametrize("row", ROWS)
def test_result_is_that_of_mxnet(row: str) -> None:
    found = evaluate(row, arrays())
    expected = [GOLDEN[name] for name in ROWS[row]["results"]]
    assert len(found) == len(expected)
    for part, golden in zip(found, expected, strict=True):
        assert type(part) is (np.ndarray if row.startswith("npx") else nd.NDArray)
        assert (part.shape, part.dtype) == (golden.shape, golden.dtype)
        onp.testing.assert_allclose(part.asnumpy(), golden, rtol=1e-5, atol=2e-6)


@pytest.mark.parametrize("row", DIFFERENTIABLE)
def test_gradient_is_that_of_mxnet(row: str) -> None:
    values = arrays()
    for key in samples.DIFFERENTIABLE:
        values[key].attach_grad()
    with autograd.record():
        parts = evaluate(row, values)
    make = np.array if row.startswith("npx") else nd.array
    autograd.backward(parts, [make(samples.weights(part.shape), dtype=part.dtype) for part in parts])
    expected = ROWS[row]["gradients"]
    for key in samples.DIFFERENTIABLE:
        found = values[key].grad.asnumpy()
        golden = GOLDEN[expected[key]] if key in expected else onp.zeros_like(found)
        onp.testing.assert_allclose(found, golden, rtol=1e-4, atol=2e-5, err_msg=key)
