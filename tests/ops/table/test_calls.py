"""Operators that stand for several of MXNet's are these in graphs, as their cards say."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import SymbolTypeError
from gluonish.symbol.graph import order


def test_an_operator_of_ours_is_written_as_those_of_mxnet() -> None:
    loss = mx.sym._l2_loss(mx.sym.var("data"), mx.sym.var("label"), weight=3.0)
    kinds = [node.file_name for node in order(loss.entries) if not node.is_variable]
    assert kinds == ["reshape_like", "elemwise_sub", "square", "_mul_scalar", "mean"]
    data, label = mx.nd.array([[1, 2]]), mx.nd.array([[3, 5]])
    found = loss.bind(mx.cpu(), {"data": data, "label": label}).forward()[0]
    expected = mx.nd._l2_loss(data, label, weight=3.0)
    onp.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-6)


def test_the_name_of_a_call_starts_the_names_of_its_nodes() -> None:
    inputs = [mx.sym.var(name) for name in ("x", "h", "w", "u", "b", "c")]
    run = mx.sym._internal._rnn_step
    [new] = run(inputs[0], inputs[1:2], inputs[2:], mode="rnn_tanh", hidden_size=2, name="t7_")
    names = [node.name for node in order(new.entries) if not node.is_variable]
    assert names == ["t7_i2h", "t7_h2h", "t7_plus0", "t7_out"]


def test_what_such_an_operator_needs_has_to_be_given() -> None:
    expected = r"_l2_loss: label is missing. Expected data, label at least, as Symbols. Give all"
    with pytest.raises(SymbolTypeError, match=expected):
        mx.sym._l2_loss(mx.sym.var("data"))
