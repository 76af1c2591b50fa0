"""mx.sym.sparse: MXNet's names, which stand for the operators on dense arrays."""

from __future__ import annotations

import importlib

import pytest

import gluonish as mx

_OWN = {"adagrad_update", "retain"}


@pytest.mark.parametrize("name", sorted(set(mx.sym.sparse.__all__) - _OWN))
def test_names_are_those_of_dense_operators(name):
    assert getattr(mx.sym.sparse, name).__doc__ == getattr(mx.sym, name).__doc__
    assert name in dir(mx.sym.sparse)


def test_graphs_are_mxnets():
    x, y = mx.sym.var("x"), mx.sym.var("y")
    net = mx.sym.sparse.dot(x, y, transpose_a=True)
    assert net.tojson() == mx.sym.dot(x, y, transpose_a=True, name=net.name).tojson()
    found = net.eval(x=mx.nd.array([[1], [2]]), y=mx.nd.array([[3], [4]]))[0]
    assert found.asnumpy().tolist() == [[11]]


def test_rows_are_kept_in_dense_graphs():
    rows = mx.sym.sparse.retain(mx.sym.var("x"), mx.sym.var("i"))
    found = rows.eval(x=mx.nd.array([[1], [2], [3]]), i=mx.nd.array([0, 2]))[0]
    assert found.asnumpy().tolist() == [[1], [0], [3]]
    assert '"op": "_sparse_retain"' in rows.tojson()
    updated = mx.sym.sparse.adagrad_update(mx.sym.var("w"), mx.sym.var("g"), lr=0.1, name="a")
    assert updated.list_inputs() == ["w", "g", "a_history"]


def test_sparse_arguments_are_read_at_each_run():
    data = mx.nd.array([[0, 2], [3, 0]]).tostype("csr")
    grad = mx.nd.zeros((2, 1)).tostype("row_sparse")
    net = mx.sym.sparse.dot(mx.sym.var("x", stype="csr"), mx.sym.var("w"))
    executor = net.bind(mx.cpu(), {"x": data, "w": mx.nd.ones((2, 1))}, args_grad={"w": grad})
    (found,) = executor.forward(is_train=True)
    assert found.asnumpy().tolist() == [[2], [3]]
    executor.backward(mx.nd.ones((2, 1)))
    assert grad.stype == "row_sparse"
    assert grad.asnumpy().tolist() == [[3], [2]]
    data[:] = data * 2
    assert executor.forward()[0].asnumpy().tolist() == [[4], [6]]


def test_module_can_be_imported_and_refuses_other_names():
    assert importlib.import_module("gluonish.sym.sparse") is mx.sym.sparse
    with pytest.raises(AttributeError, match="no attribute 'Convolution'"):
        mx.sym.sparse.Convolution  # noqa: B018 - it raises
