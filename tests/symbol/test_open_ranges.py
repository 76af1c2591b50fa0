"""Ranges of a graph whose length the other operators tell."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.errors import ShapeError


def test_range_is_as_long_as_what_it_is_added_to() -> None:
    x = mx.sym.var("x")
    total = mx.sym.elemwise_add(x, mx.sym.arange(1, step=2, repeat=2, infer_range=True))
    assert total.infer_shape(x=(5,))[1] == [(5,)]
    zeros = mx.nd.zeros((5,))
    assert total.eval(x=zeros)[0].asnumpy().tolist() == [1, 1, 3, 3, 5]
    executor = total.simple_bind(mx.cpu(), x=(3,))
    assert executor.forward(x=mx.nd.zeros((3,)))[0].asnumpy().tolist() == [1, 1, 3]
    block = mx.gluon.SymbolBlock(total, [x])
    block.hybridize()
    assert block(zeros).asnumpy().tolist() == [1, 1, 3, 3, 5]


def test_open_range_lies_in_files_as_mxnet_writes_it() -> None:
    numbers = mx.sym.arange(2, infer_range=True, name="r")
    assert numbers.attr_dict()["r"]["infer_range"] == "True"
    again = mx.sym.load_json((numbers + mx.sym.zeros((3,))).tojson())
    assert again.eval()[0].asnumpy().tolist() == [2, 3, 4]


def test_end_that_is_given_counts() -> None:
    assert mx.sym.arange(2, 4, infer_range=True).eval()[0].asnumpy().tolist() == [2, 3]
    assert mx.sym.arange(2).eval()[0].asnumpy().tolist() == [0, 1]


def test_range_that_nothing_tells_is_refused() -> None:
    x = mx.sym.var("x")
    graph = mx.sym.broadcast_add(x, mx.sym.arange(0, infer_range=True))
    with pytest.raises(ShapeError, match=r"does not tell how many numbers follow 0"):
        graph.eval(x=mx.nd.ones((2, 3)))
