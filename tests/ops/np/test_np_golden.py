"""The np and npx front ends beside the real MXNet's answers."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, np, npx

_PATH = Path(__file__).parents[1] / "samples_np.py"
_SPEC = importlib.util.spec_from_file_location("samples_np", _PATH)
samples_np = importlib.util.module_from_spec(_SPEC)
sys.modules["samples_np"] = samples_np
_SPEC.loader.exec_module(samples_np)

GOLDEN = onp.load(Path(__file__).parents[2] / "golden" / "np_ops.npz")
ROWS = json.loads(str(GOLDEN["manifest"]))["rows"]
ANSWERED = [row for row, answer in ROWS.items() if "result" in answer]
COMPARED = [row for row in ANSWERED if row not in samples_np.MISTAKEN_RESULTS]
DIFFERENTIABLE = [
    row for row in ANSWERED if ROWS[row]["gradients"] and row not in samples_np.MISTAKEN_GRADIENTS
]
NUMBERS = (bool, int, float, onp.generic)


def arrays() -> dict[str, Any]:
    return {name: np.array(value) for name, value in samples_np.data().items()}


def evaluate(row: str, values: dict[str, Any]) -> Any:  # noqa: ANN401
    return eval(row, {"np": np, "npx": npx, "onp": onp, "mx": mx, **values})


def check(found: Any, expected: dict[str, Any]) -> None:  # noqa: ANN401
    if "array" in expected:
        values = GOLDEN[expected["array"]]
        assert isinstance(found, np.ndarray)
        assert (found.shape, str(found.dtype)) == (values.shape, expected["dtype"])
        assert str(found.ctx) == expected["ctx"]
        wide = 2e-3 if values.dtype == onp.float16 else 1e-5
        onp.testing.assert_allclose(found.asnumpy(), values, rtol=wide, atol=wide)
    elif "parts" in expected:
        assert isinstance(found, (list, tuple))
        assert len(found) == len(expected["parts"])
        for part, other in zip(found, expected["parts"], strict=True):
            check(part, other)
    elif isinstance(expected["value"], (bool, int, float)):
        assert isinstance(found, (np.ndarray, *NUMBERS))
        onp.testing.assert_allclose(float(found), expected["value"], rtol=1e-5)
    else:
        assert str(found) == expected["value"]


@pytest.mark.parametrize("row", COMPARED)
def test_result_is_that_of_mxnet(row: str) -> None:
    check(evaluate(row, arrays()), ROWS[row]["result"])


@pytest.mark.parametrize("row", DIFFERENTIABLE)
def test_gradient_is_that_of_mxnet(row: str) -> None:
    values = arrays()
    for key in samples_np.DIFFERENTIABLE:
        values[key].attach_grad()
    with autograd.record():
        result = evaluate(row, values)
        parts = result if isinstance(result, (list, tuple)) else [result]
        heads = [each for each in parts if isinstance(each, np.ndarray) and each.dtype.kind == "f"]
        heads = [each for each in heads if each.tensor.requires_grad]
    weights = [np.array(samples_np.weights(each.shape), dtype=each.dtype) for each in heads]
    autograd.backward(heads, weights)
    for key, name in ROWS[row]["gradients"].items():
        onp.testing.assert_allclose(values[key].grad.asnumpy(), GOLDEN[name], rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("row", list(samples_np.MISTAKEN_RESULTS))
def test_result_is_that_of_numpy_where_mxnet_is_mistaken(row: str) -> None:
    expected = eval(row, {"np": onp, **samples_np.data()})
    assert_close(evaluate(row, arrays()).asnumpy(), expected)


@pytest.mark.parametrize("row", list(samples_np.MISTAKEN_GRADIENTS))
def test_gradient_is_the_slope_where_mxnet_is_mistaken(row: str) -> None:
    def total(values: dict[str, Any]) -> Any:  # noqa: ANN401
        result = evaluate(row, values)
        parts = result if isinstance(result, (list, tuple)) else [result]
        return sum((part * np.array(weights_of(part))).sum() for part in parts)

    for key in ROWS[row]["gradients"]:
        values = {name: np.array(value) for name, value in samples_np.data().items()}
        values = {
            name: value.astype("float64") if value.dtype.kind == "f" else value
            for name, value in values.items()
        }
        values[key].attach_grad()
        with autograd.record():
            loss = total(values)
        loss.backward()
        slope = onp.zeros(values[key].shape)
        for place in onp.ndindex(slope.shape):
            ends = []
            for step in (1e-6, -1e-6):
                moved = values[key].copy()
                moved[place] = moved[place] + step
                ends.append(float(total({**values, key: moved})))
            slope[place] = (ends[0] - ends[1]) / 2e-6
        onp.testing.assert_allclose(values[key].grad.asnumpy(), slope, atol=1e-6)


def weights_of(part: np.ndarray) -> onp.ndarray:
    return samples_np.weights(part.shape).astype("float64")
