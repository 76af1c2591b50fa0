"""Graphs that the real MXNet 1.9.1 wrote of NumPy's functions: read, run, written again."""

from __future__ import annotations

import gzip
import importlib.util
import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx

if TYPE_CHECKING:
    from collections.abc import Iterator

_ROOT = Path(__file__).parents[1]
_SPEC = importlib.util.spec_from_file_location("samples_np", _ROOT / "ops" / "samples_np.py")
samples: Any = importlib.util.module_from_spec(_SPEC)  # type: ignore[arg-type]
sys.modules["samples_np"] = samples
_SPEC.loader.exec_module(samples)  # type: ignore[union-attr]

GRAPHS = json.loads(gzip.decompress((_ROOT / "golden" / "np_sample_graphs.json.gz").read_bytes()))
RESULTS = onp.load(_ROOT / "golden" / "np_ops.npz")
ANSWERS = json.loads(str(RESULTS["manifest"]))
ROWS = ANSWERS.get("rows", ANSWERS)

OTHER = {
    "np.array_split(f, 2)": "MXNet writes equal parts, which these are not",
    "np.array_split(v, 3)": "the same",
    "np.diag_indices_from(q)": "rows of one array in graphs, a tuple of arrays outside",
    "np.may_share_memory(f, f)": "there is no memory to share in a graph",
    "np.shares_memory(f, p)": "the same",
    "np.resize(v, (2, 3))": "needs an operator in Python that MXNet registers itself",
    "np.cumsum(h, axis=0)": "float16 is summed in float16",
}
RUNNING = [
    row
    for row in GRAPHS
    if row not in OTHER and row not in samples.MISTAKEN_RESULTS and "result" in ROWS.get(row, {})
]


@pytest.fixture(autouse=True)
def np_mode() -> Iterator[None]:
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


@pytest.mark.parametrize("row", RUNNING)
def test_graph_of_mxnet_computes_the_same(row: str) -> None:
    attrs = {"mxnet_version": ["int", 10901], "is_np_shape": ["int", 1]}
    symbol = mx.sym.load_json(json.dumps({**GRAPHS[row][1], "attrs": attrs}))
    given = {
        name: mx.np.array(value, dtype=value.dtype)
        for name, value in samples.data().items()
        if name in symbol.list_arguments()
    }
    found = symbol.eval(**given)
    results = found if isinstance(found, list) else [found]
    answer = ROWS[row]["result"]
    expected = [part for part in answer.get("parts") or [answer] if "array" in part]
    assert len(results) >= len(expected) > 0 or "value" in answer
    for result, part in zip(results, expected, strict=False):
        values = RESULTS[part["array"]]
        assert result.shape == values.shape
        assert str(onp.dtype(result.dtype)) == part["dtype"]
        onp.testing.assert_allclose(result.asnumpy(), values, rtol=1e-4, atol=1e-4)
