"""The nd front end beside the real MXNet's answers."""

from __future__ import annotations

import importlib.util
import json
import sys
from pathlib import Path
from typing import Any, TypeAlias

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, nd

_SPEC = importlib.util.spec_from_file_location("samples", Path(__file__).with_name("samples.py"))
samples = importlib.util.module_from_spec(_SPEC)
sys.modules["samples"] = samples
_SPEC.loader.exec_module(samples)

GOLDEN = onp.load(Path(__file__).parents[1] / "golden" / "nd_ops.npz")
ROWS = json.loads(str(GOLDEN["manifest"]))["rows"]
ANSWERED = [row for row in ROWS if "result" in ROWS[row] and row not in samples.MISTAKEN_RESULTS]
DIFFERENTIABLE = [
    row for row in ROWS if ROWS[row].get("gradients") and row not in samples.MISTAKEN_GRADIENTS
]


def arrays() -> dict[str, Any]:
    return {name: nd.array(value, dtype=value.dtype) for name, value in samples.data().items()}


Result: TypeAlias = Any


def evaluate(row: str, values: dict[str, Any]) -> Result:
    return eval(row, {"nd": nd, "onp": onp, "mx": mx, **values})


def check(found: Result, expected: dict[str, Any]) -> None:
    if "parts" in expected:
        assert isinstance(found, (list, tuple))
        assert len(found) == len(expected["parts"])
        for part, other in zip(found, expected["parts"], strict=True):
            check(part, other)
        return
    values = GOLDEN[expected["array"]]
    assert type(found) is nd.NDArray
    assert found.shape == values.shape
    assert str(onp.dtype(found.dtype)) == expected["dtype"]
    assert str(found.context) == expected["ctx"]
    wide = 2e-3 if values.dtype == onp.float16 else 1e-5
    onp.testing.assert_allclose(found.asnumpy(), values, rtol=wide, atol=wide)


def test_every_sample_was_answered() -> None:
    refused = [row for row in ROWS if "result" not in ROWS[row]]
    written = [row for family in samples.FAMILIES for row in samples.rows(family)]
    assert refused == []
    assert sorted(written) == sorted(ROWS)


@pytest.mark.parametrize("row", ANSWERED)
def test_result_is_that_of_mxnet(row: str) -> None:
    check(evaluate(row, arrays()), ROWS[row]["result"])


@pytest.mark.parametrize("row", DIFFERENTIABLE)
def test_gradient_is_that_of_mxnet(row: str) -> None:
    values = arrays()
    for key in samples.DIFFERENTIABLE:
        values[key].attach_grad()
    with autograd.record():
        result = evaluate(row, values)
    parts = result if isinstance(result, (list, tuple)) else [result]
    heads = [part for part in parts if part._tensor.requires_grad]
    autograd.backward(heads, [nd.array(samples.weights(part.shape)) for part in heads])
    expected = ROWS[row]["gradients"]
    for key in samples.DIFFERENTIABLE:
        found = values[key].grad.asnumpy()
        golden = GOLDEN[expected[key]] if key in expected else onp.zeros_like(found)
        onp.testing.assert_allclose(found, golden, rtol=1e-4, atol=1e-4, err_msg=key)


def outline(value: Result) -> Result:
    if isinstance(value, (list, tuple)):
        return [outline(part) for part in value]
    return value.shape, str(onp.dtype(value.dtype))


@pytest.mark.parametrize("row", [row for row in ANSWERED if "nd.array(" not in row])
def test_result_is_outlined_without_values(row: str) -> None:
    without = {name: nd.NDArray(value.tensor.to("meta")) for name, value in arrays().items()}
    assert outline(evaluate(row, without)) == outline(evaluate(row, arrays()))


@pytest.mark.parametrize("row", samples.SHAPED)
def test_result_has_shape_and_dtype(row: str) -> None:
    found = evaluate(row, arrays())
    shape, dtype = samples.SHAPED[row]
    assert (found.shape, str(onp.dtype(found.dtype))) == (shape, dtype)
