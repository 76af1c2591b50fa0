"""Arrays of one element that `asnumpy()` returns: numbers as well, as before NumPy 2.4."""

from __future__ import annotations

import copy
import math
import pickle

import numpy as onp
import pytest

import gluonish as mx

KINDS = [mx.nd.array, mx.np.array]


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("shape", [(1,), (1, 1)])
def test_one_element_is_a_number(kind, shape):
    array = kind([1.5]).reshape(shape).asnumpy()
    assert "%f" % array == "1.500000"  # noqa: UP031 - as programs of that time print
    assert "%d" % array == "1"  # noqa: UP031
    assert (float(array), int(array), complex(array)) == (1.5, 1, 1.5 + 0j)
    assert math.exp(array) == math.exp(1.5)
    assert float(array * 2 + array) == 4.5


@pytest.mark.parametrize("kind", KINDS)
def test_one_element_is_put_into_an_array(kind):
    numbers = onp.zeros(3)
    numbers[1] = kind([2.0]).asnumpy()
    assert numbers.tolist() == [0, 2, 0]


@pytest.mark.parametrize("kind", KINDS)
def test_one_element_prints_and_travels_as_numpys(kind):
    array = kind([2.0]).asnumpy()
    assert repr(array) == "array([2.], dtype=float32)"
    assert str([array]) == "[array([2.], dtype=float32)]"
    assert type(pickle.loads(pickle.dumps(array))) is onp.ndarray
    assert float(copy.deepcopy(array)) == 2


def test_what_has_more_elements_is_numpys_array():
    one = mx.nd.array([2.0]).asnumpy()
    for found in (one * onp.ones(3), onp.ones(3) + one, onp.maximum(onp.ones((2, 1)), one)):
        assert type(found) is onp.ndarray
    assert type(mx.nd.ones((2,)).asnumpy()) is onp.ndarray
    assert type(mx.np.array(2.0).asnumpy()) is onp.ndarray
    assert isinstance(one.sum(), onp.float32)
    assert isinstance(one[0], onp.float32)


def test_no_element_is_no_number():
    with pytest.raises(TypeError):
        float(mx.nd.ones((1,)).asnumpy()[:0])


@pytest.mark.parametrize("kind", KINDS)
def test_operators_take_one_element_as_any_array_of_numpy(kind):
    x, one = kind([1.0, 2.0]), kind([2.0]).asnumpy()
    plain = onp.array([2.0], onp.float32)
    for apply in (lambda y: x * y, lambda y: y - x, kind, lambda y: x[y.astype(int) - 1]):
        assert apply(one).asnumpy().tolist() == apply(plain).asnumpy().tolist()
