"""Methods that copy unless told otherwise, and axes in other guises."""

from __future__ import annotations

from typing import Any

import numpy as onp
import pytest

from gluonish import autograd, nd

METHODS: list[tuple[str, dict[str, Any]]] = [
    ("flatten", {}),
    ("squeeze", {}),
    ("squeeze", {"axis": 2}),
    ("expand_dims", {"axis": 0}),
]


@pytest.mark.parametrize(("name", "given"), METHODS)
def test_methods_with_inplace_copy_without_it(name: str, given: dict[str, Any]) -> None:
    x = nd.zeros((2, 3, 1))
    copy, view = getattr(x, name)(**given), getattr(x, name)(inplace=True, **given)
    x[:] = 1
    assert copy.shape == view.shape
    assert copy.sum().asscalar() == 0
    assert view.sum().asscalar() == 6


def test_copies_have_gradients() -> None:
    x = nd.array([[1, 2]])
    x.attach_grad()
    with autograd.record():
        y = (x.flatten() * x.expand_dims(axis=0) * x.squeeze()).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [[3, 12]]


def test_moveaxis_takes_any_sequence_and_refuses_unequal_ones() -> None:
    x = nd.zeros((1, 2, 3))
    assert nd.moveaxis(x, range(3), range(3)).shape == (1, 2, 3)
    assert nd.moveaxis(x, onp.array([0, 1]), [1, 0]).shape == (2, 1, 3)
    with pytest.raises(ValueError, match="as many sources as destinations"):
        nd.moveaxis(x, 0, [0, 1])


def test_the_method_calls_the_array_that_gives_the_shape_other() -> None:
    assert nd.zeros((1, 2)).broadcast_like(other=nd.zeros((3, 2))).shape == (3, 2)
