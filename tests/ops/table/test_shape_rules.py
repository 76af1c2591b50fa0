"""Rules that find shapes of inputs from those of outputs."""

from __future__ import annotations

from typing import Any

import pytest

import gluonish as mx
from gluonish.ops import ops
from gluonish.ops.table.graph_names import find

ANY = None


@pytest.mark.parametrize(
    ("name", "shapes", "outputs", "arguments", "expected"),
    [
        ("elemwise_add", {"lhs": None, "rhs": None}, [(2, 3)], {},
         {"lhs": (2, 3), "rhs": (2, 3)}),
        ("add_n", {"args:0": (None, 3), "args:1": None}, [(2, None)], {},
         {"args:0": (2, 3), "args:1": (2, 3)}),
        ("Activation", {"data": None}, [(2, 3)], {"act_type": "relu"}, {"data": (2, 3)}),
        ("transpose", {"data": None}, [(2, 3, 4)], {"axes": (1, 0, 2)}, {"data": (3, 2, 4)}),
        ("transpose", {"data": (None, 3)}, [(3, 2)], {"axes": ()}, {"data": (2, 3)}),
        ("transpose", {"data": None}, [(2, 3, 4)], {"axes": (1, 2, 0)}, {"data": (4, 2, 3)}),
        ("SwapAxis", {"data": None}, [(2, 3, 4)], {"dim1": 0, "dim2": 2}, {"data": (4, 3, 2)}),
        ("expand_dims", {"data": None}, [(2, 1, 3)], {"axis": 1}, {"data": (2, 3)}),
        ("Reshape", {"data": (None, 2, 3)}, [(2, 6)], {"shape": (0, -1)}, {"data": (2, 2, 3)}),
        ("Reshape", {"data": (None, 2, 4)}, [(6, 4)], {"shape": (-1, 4)}, {"data": (3, 2, 4)}),
        ("Reshape", {"data": None}, [(24,)], {"shape": (-1,)}, {}),
        ("Flatten", {"data": (None, 2, 3)}, [(2, 6)], {}, {"data": (2, 2, 3)}),
        ("Embedding", {"data": None, "weight": None}, [(2, 3, 4)], {}, {"data": (2, 3)}),
        ("FullyConnected", {"data": (None, 3)}, [(2, 4)], {"flatten": True}, {"data": (2, 3)}),
        ("FullyConnected", {"data": (None, None, 3)}, [(2, 5, 4)], {"flatten": False},
         {"data": (2, 5, 3)}),
        ("FullyConnected", {"data": None}, [(2, 4)], {"flatten": True}, {}),
        ("Convolution", {"data": (None, 3, 8, 8)}, [(2, 4, 6, 6)], {}, {"data": (2, 3, 8, 8)}),
        ("Concat", {"data:0": None, "data:1": (2, 3)}, [(2, 5)], {"dim": 1},
         {"data:0": (2, 2), "data:1": (2, 3)}),
        ("Concat", {"data:0": (None, 4), "data:1": (2, 3)}, [None], {"dim": -1},
         {"data:0": (2, 4), "data:1": (2, 3)}),
        ("stack", {"data:0": None, "data:1": (None, 3)}, [(2, 2, 3)], {"axis": 0},
         {"data:0": (2, 3), "data:1": (2, 3)}),
        ("SliceChannel", {"data": None}, [(2, 3), None],
         {"num_outputs": 2, "axis": 1, "squeeze_axis": False}, {"data": (2, 6)}),
        ("SliceChannel", {"data": None}, [None, (3, 4)],
         {"num_outputs": 2, "axis": 1, "squeeze_axis": True}, {"data": (3, 2, 4)}),
        ("where", {"condition": None, "x": None, "y": (2, None)}, [(None, 3)], {},
         {"x": (2, 3), "y": (2, 3)}),
        ("RNN", {"data": (7, None, 3), "parameters": None, "state": None, "state_cell": None},
         [(7, 2, 4)], {},
         {"data": (7, 2, 3), "state": (None, 2, None), "state_cell": (None, 2, None)}),
        ("RNN", {"data": (7, None, 3), "parameters": None, "state": (1, 2, 4)}, [None], {},
         {"data": (7, 2, 3), "state": (1, 2, 4), "state_cell": (None, 2, None)}),
        ("BatchNorm", {"data": None, "gamma": None}, [(2, 3)], {}, {"data": (2, 3)}),
        ("cumsum", {"a": None}, [(2, 3)], {"axis": 1}, {"a": (2, 3)}),
        ("cumsum", {"a": None}, [(6,)], {"axis": None}, {}),
    ],
)  # fmt: skip
def test_shapes_of_inputs_follow_from_those_of_outputs(
    name: str,
    shapes: dict[str, Any],
    outputs: list[Any],
    arguments: dict[str, Any],
    expected: dict[str, Any],
) -> None:
    found = find(name)
    assert found is not None
    assert found.op.reverse is not None
    assert dict(found.op.reverse(shapes, tuple(outputs), **arguments)) == expected


def test_a_recurrent_layer_says_what_it_knows_without_a_batch_size() -> None:
    rule = find("RNN").op.shapes  # type: ignore[union-attr]
    assert rule is not None
    found = rule(
        {"data": (7, None, 3)}, mode="lstm", state_size=4, num_layers=1, bidirectional=False
    )
    assert found == {"parameters": (144,), "state": (1, None, 4), "state_cell": (1, None, 4)}


def test_operators_with_open_shapes_have_that_parameter() -> None:
    named = [op for op in ops() if op.open_shape]
    assert all(op.open_shape in op.signature.parameters for op in named)
    assert {"_zeros", "_ones", "_full", "_random_uniform"} <= {
        file for op in named for file in op.files.values()
    }


def test_the_state_of_an_unrolled_cell_learns_its_batch_size() -> None:
    state = mx.sym.zeros(shape=(0, 4))
    x = mx.sym.FullyConnected(mx.sym.var("x"), num_hidden=4, name="i2h")
    h = mx.sym.FullyConnected(state, num_hidden=4, name="h2h")
    y = mx.sym.Activation(x + h, act_type="tanh")
    _, outputs, _ = y.infer_shape(x=(2, 3))
    assert outputs == [(2, 4)]
