"""What files say of NumPy's functions, beside the real MXNet 1.9.1."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx

if TYPE_CHECKING:
    from collections.abc import Iterator

_GOLDEN = Path(__file__).parents[1] / "golden"
_SPEC = importlib.util.spec_from_file_location("np_graphs", _GOLDEN / "np_graph_programs.py")
programs: Any = importlib.util.module_from_spec(_SPEC)  # type: ignore[arg-type]
_SPEC.loader.exec_module(programs)  # type: ignore[union-attr]
EXPECTED = json.loads((_GOLDEN / "np_graph_texts.json").read_text())


@pytest.fixture(autouse=True)
def np_mode() -> Iterator[None]:
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


@pytest.mark.parametrize("row", programs.ROWS)
def test_a_function_of_numpy_is_written_as_mxnet_writes_it(row: str) -> None:
    assert programs.nodes(mx, onp, row) == EXPECTED[row]


def test_nan_to_num_in_a_graph_leaves_its_argument_alone() -> None:
    x = mx.np.array([1.0, onp.nan])
    result = mx.sym.np.nan_to_num(mx.sym.var("x").as_np_ndarray(), copy=False)
    found = result.bind(mx.cpu(), {"x": x}).forward()[0]
    assert found.asnumpy().tolist() == [1, 0]
    assert onp.isnan(x.asnumpy()[1])


@pytest.mark.parametrize("retstep", [False, 0])
def test_a_distance_that_linspace_does_not_return_is_not_written(retstep: object) -> None:
    symbol = mx.sym.np.linspace(0, 1, 3, retstep=retstep, axis=0)
    (node,) = json.loads(symbol.tojson())["nodes"]
    assert "retstep" not in node["attrs"]  # as in MXNet
    assert symbol.bind(mx.cpu(), {}).forward()[0].asnumpy().tolist() == [0, 0.5, 1]
