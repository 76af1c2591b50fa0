"""mx.sym.sparse: MXNet's names, which stand for the operators on dense arrays."""

from __future__ import annotations

import importlib

import pytest

import gluonish as mx


@pytest.mark.parametrize("name", mx.sym.sparse.__all__)
def test_names_are_those_of_dense_operators(name):
    assert getattr(mx.sym.sparse, name).__doc__ == getattr(mx.sym, name).__doc__
    assert name in dir(mx.sym.sparse)


def test_graphs_are_mxnets():
    x, y = mx.sym.var("x"), mx.sym.var("y")
    net = mx.sym.sparse.dot(x, y, transpose_a=True)
    assert net.tojson() == mx.sym.dot(x, y, transpose_a=True, name=net.name).tojson()
    found = net.eval(x=mx.nd.array([[1], [2]]), y=mx.nd.array([[3], [4]]))[0]
    assert found.asnumpy().tolist() == [[11]]


def test_module_can_be_imported_and_refuses_other_names():
    assert importlib.import_module("gluonish.sym.sparse") is mx.sym.sparse
    with pytest.raises(AttributeError, match="no attribute 'Convolution'"):
        mx.sym.sparse.Convolution  # noqa: B018 - it raises
