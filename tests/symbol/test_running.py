"""Evaluating graphs on arrays."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import ShapeError, SymbolNameError
from gluonish.symbol.running import evaluate


def test_lists_of_inputs_optional_inputs_and_several_outputs_are_evaluated() -> None:
    x = mx.sym.var("x")
    parts = mx.sym.split(mx.sym.Concat(x, 2 * x, dim=1), num_outputs=2, axis=1)
    net = mx.sym.Group([parts[1] - parts[0], mx.sym.zeros((2,)), mx.sym.clip(x, a_min=0, a_max=1)])
    found = evaluate(net.entries, {"x": mx.nd.array([[1, -2]])})
    assert [each.asnumpy().tolist() for each in found] == [[[1, -2]], [0, 0], [[1, 0]]]
    assert all(type(each) is mx.nd.NDArray for each in found)


def test_evaluation_is_recorded() -> None:
    x = mx.nd.array([3.0])
    x.attach_grad()
    with mx.autograd.record():
        (y,) = evaluate((mx.sym.var("x") ** 2).entries, {"x": x})
    y.backward()
    assert x.grad is not None
    assert x.grad.asnumpy().tolist() == [6]


def test_results_for_np_arrays_are_np_arrays() -> None:
    (y,) = evaluate(mx.sym.np.exp(mx.sym.var("x")).entries, {"x": mx.np.zeros((2,))})
    assert type(y) is mx.np.ndarray
    onp.testing.assert_array_equal(y.asnumpy(), [1, 1])


def test_missing_values_are_named_at_once() -> None:
    net = mx.sym.var("a") + mx.sym.var("b")
    with pytest.raises(SymbolNameError, match="there is no value for 'a', 'b'"):
        evaluate(net.entries, {})


def test_an_error_names_the_node_that_it_comes_from() -> None:
    net = mx.sym.dot(mx.sym.var("a"), mx.sym.var("b"), name="product")
    with pytest.raises(ShapeError) as caught:
        evaluate(net.entries, {"a": mx.nd.ones((2, 3)), "b": mx.nd.ones((2, 3))})
    note = "in operator product (dot) of a: array of shape (2, 3) and dtype float32"
    assert caught.value.__notes__[0].startswith(note)
