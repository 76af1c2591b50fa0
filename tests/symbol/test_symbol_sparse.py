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


def test_module_can_be_imported_and_refuses_other_names():
    assert importlib.import_module("gluonish.sym.sparse") is mx.sym.sparse
    with pytest.raises(AttributeError, match="no attribute 'Convolution'"):
        mx.sym.sparse.Convolution  # noqa: B018 - it raises
