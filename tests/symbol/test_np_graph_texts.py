"""What files say of NumPy's functions, beside the real MXNet 1.9.1."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from tests.closeness import assert_close

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


@pytest.mark.parametrize("order", [1, -1, "inf", "-inf", "2", "1"])
@pytest.mark.parametrize("axis", [(0, 1), (1, 0), (2, 0), (0, 2), (-1, -2), (0, -1), 0, None])
@pytest.mark.parametrize("keepdims", [False, True])
def test_norms_in_graphs_are_those_outside(order: object, axis: object, keepdims: bool) -> None:
    x = mx.np.array(onp.random.RandomState(0).randn(2, 3, 4))
    options = {"ord": order, "axis": axis, "keepdims": keepdims}
    symbol = mx.sym.np.linalg.norm(mx.sym.var("x").as_np_ndarray(), **options)
    found = symbol.bind(mx.cpu(), {"x": x}).forward()[0]
    assert_close(found.asnumpy(), mx.np.linalg.norm(x, **options).asnumpy())


def test_what_is_chosen_in_a_graph_is_of_the_array_and_has_its_shares() -> None:
    x, p = mx.np.array([3.0, 4.0, 5.0]), mx.np.array([0.0, 1.0, 0.0])
    names = {name: mx.sym.var(name).as_np_ndarray() for name in "xp"}
    symbol = mx.sym.np.random.choice(names["x"], size=(2, 2), p=names["p"])
    assert symbol.bind(mx.cpu(), {"x": x, "p": p}).forward()[0].tolist() == [[4, 4], [4, 4]]
    symbol = mx.sym.np.random.choice(names["x"], size=3, replace=False)
    assert sorted(symbol.bind(mx.cpu(), {"x": x}).forward()[0].tolist()) == [3, 4, 5]
    rows = mx.sym.np.random.choice(names["x"], size=())
    assert rows.bind(mx.cpu(), {"x": mx.np.ones((2, 3))}).forward()[0].shape == (3,)
