"""`out=` of every operator of the table that returns arrays, by the samples of its front end."""

from __future__ import annotations

import ast
import runpy
from pathlib import Path
from typing import Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, np, npx
from gluonish.ops import ops

OPS = Path(__file__).parents[1]
SAMPLES = {
    front: runpy.run_path(str(OPS / file))
    for front, file in {"nd": "samples.py", "np": "samples_np.py"}.items()
}  # each as the names of its file
ARRAY = {"nd": nd.array, "np": np.array}
IN_TABLE = {
    f"{front}.{path}": op
    for op in ops()
    for front in ("nd", "np", "npx")
    for path in getattr(op, front)
}
TAKEN = {"onehot_encode"}  # where the array to write to has a place of its own


def called(row: str) -> str:
    """Return the operator that a row calls, with nothing but arguments after it."""
    call = ast.parse(row, mode="eval").body
    if not isinstance(call, ast.Call) or any(each.arg == "out" for each in call.keywords):
        return ""
    return ast.unparse(call.func)


CALLS = [
    (front, row)
    for front, sample in SAMPLES.items()
    for family in sample["FAMILIES"]
    for row in sample["rows"](family)
    if (name := called(row)) in IN_TABLE and name.rpartition(".")[2] not in TAKEN
]


def evaluate(front: str, row: str, **more: object) -> Any:  # noqa: ANN401
    values = SAMPLES[front]["data"]().items()
    given = {name: ARRAY[front](value, dtype=value.dtype) for name, value in values}
    mx.random.seed(1)
    return eval(row, {"nd": nd, "np": np, "npx": npx, "onp": onp, "mx": mx, **given, **more})


def test_samples_call_most_operators() -> None:
    assert len(CALLS) > 800


@pytest.mark.parametrize(("front", "row"), CALLS)
def test_out_receives_what_a_call_returns(front: str, row: str) -> None:
    written = f"{row[:-1]}{'' if row.endswith('()') else ', '}out=_out)"
    if not IN_TABLE[called(row)].returns_arrays:
        with pytest.raises(TypeError, match="got an unexpected keyword argument, out="):
            evaluate(front, written, _out=ARRAY[front](0))
        return
    result = evaluate(front, row)
    parts = result if isinstance(result, (list, tuple)) else [result]
    if not all(isinstance(part, nd.NDArray) for part in parts):
        with pytest.raises(TypeError, match="is among the results, which is no array"):
            evaluate(front, written, _out=ARRAY[front](0))
        return
    targets = [ARRAY[front](onp.zeros(part.shape), dtype=part.dtype) for part in parts]
    out = targets if isinstance(result, (list, tuple)) else targets[0]
    assert evaluate(front, written, _out=out) is out
    for target, part in zip(targets, parts, strict=True):
        onp.testing.assert_array_equal(target.asnumpy(), part.asnumpy())


def test_an_array_is_not_shuffled_when_out_is_refused() -> None:
    mx.random.seed(3)
    expected = float(np.random.uniform())
    x = np.arange(100.0)
    mx.random.seed(3)
    with pytest.raises(TypeError, match="out="):
        np.random.shuffle(x, out=x)
    assert x.tolist() == list(range(100))
    assert float(np.random.uniform()) == expected


@pytest.mark.parametrize(
    ("call", "count"),
    [
        ("np.signbit(x, out=a)", 1),
        ("np.float_power(x, 2, a)", 1),
        ("np.choose(np.array([0, 1, 0], dtype='int64'), [x, x], out=a)", 1),
        ("np.nanmedian(np.stack([x, x]), axis=0, out=a)", 1),
        ("np.modf(x, out=(a, b))", 2),
        ("np.divmod(x, 2, a, b)", 2),
    ],
)
def test_out_of_functions_that_numpy_computes(call: str, count: int) -> None:
    x, a, b = np.array([1.5, -2.25, 3.0]), np.zeros(3), np.zeros(3)
    result = eval(call, {"np": np, "x": x, "a": a, "b": b})
    expected = [onp.zeros(3, dtype="float32") for _ in range(2)]
    eval(call, {"np": onp, "x": x.asnumpy(), "a": expected[0], "b": expected[1]})
    parts = result if isinstance(result, tuple) else [result]
    assert [part is each for part, each in zip(parts, [a, b], strict=False)] == [True] * count
    for part, other in zip(parts, expected, strict=False):
        onp.testing.assert_array_equal(part.asnumpy(), other)
