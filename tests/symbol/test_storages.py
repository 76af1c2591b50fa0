"""Graphs of sparse arrays beside the real MXNet's answers (golden/storages.json)."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path

import pytest

import gluonish as mx

_SPEC = importlib.util.spec_from_file_location(
    "storage_programs", Path(__file__).with_name("storage_programs.py")
)
storage_programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(storage_programs)
ANSWERS = json.loads((Path(__file__).parents[1] / "golden" / "storages.json").read_text())


@pytest.mark.parametrize("name", ANSWERS)
def test_graphs_store_what_mxnets_do(name):
    with mx.name.NameManager():  # names count from 0
        assert json.loads(json.dumps(storage_programs.PROGRAMS[name](mx))) == ANSWERS[name]


def test_every_program_has_an_answer():
    assert storage_programs.PROGRAMS.keys() == ANSWERS.keys()


def test_executors_of_sparse_arrays_are_reshaped():
    net = mx.sym.sparse.dot(mx.sym.var("x", stype="csr"), mx.sym.var("w", stype="row_sparse"))
    executor = net.simple_bind(mx.cpu(), x=(4, 2), w=(2, 1)).reshape(x=(3, 2))
    assert [array.stype for array in executor.arg_arrays] == ["csr", "row_sparse"]
    assert executor.outputs[0].shape == (3, 1)
    assert executor.debug_str().endswith("Total 0 MB allocated\n")


def test_gradients_of_rows_add_up():
    w = mx.nd.ones((2, 2)).tostype("row_sparse")
    grad = mx.nd.zeros((2, 2)).tostype("row_sparse")
    net = mx.sym.sparse.square(mx.sym.var("w", stype="row_sparse"))
    executor = net.bind(mx.cpu(), {"w": w}, args_grad={"w": grad}, grad_req="add")
    for _ in range(2):
        executor.forward(is_train=True)
        executor.backward(mx.nd.array([[1, 2], [0, 0]]))
    assert grad.stype == "row_sparse"
    assert grad.indices.asnumpy().tolist() == [0]
    assert grad.asnumpy().tolist() == [[4, 8], [0, 0]]
