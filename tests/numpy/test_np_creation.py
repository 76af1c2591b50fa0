"""np.array and its relatives."""

from __future__ import annotations

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import np
from gluonish.errors import DTypeError, MXNetError


def test_lists_and_numbers_become_float32() -> None:
    for value in ([1, 2], (True, False), range(2), [[1.5]], 3, 2.5, True):
        assert np.array(value).dtype == onp.float32


def test_numpy_arrays_and_scalars_keep_their_dtype() -> None:
    for dtype in ("float64", "int32", "uint8", "bool", "float16"):
        values = onp.ones(2, dtype=dtype)
        assert np.array(values).dtype == values.dtype
        assert np.array(values[0]).dtype == values.dtype


def test_array_copies() -> None:
    values = onp.zeros(2)
    x = np.array(values)
    x[0] = 1
    y = np.array(x)
    y[1] = 2
    assert values.tolist() == [0, 0]
    assert x.tolist() == [1, 0]


def test_array_takes_a_tensor_and_an_nd_array() -> None:
    assert np.array(torch.arange(2)).dtype == onp.int64
    x = np.array(mx.nd.array([1, 2]))
    assert type(x) is np.ndarray


def test_array_of_arrays_stacks_them() -> None:
    x = np.array([np.array([1, 2]), np.array([3, 4])])
    assert x.tolist() == [[1, 2], [3, 4]]
    assert np.array([np.array(1.0), 2]).tolist() == [1, 2]


def test_array_of_an_array_stays_where_that_is() -> None:
    assert np.array(np.ones(2, ctx=mx.cpu(3))).ctx == mx.cpu(3)
    assert np.array([1], ctx=mx.cpu(2)).ctx == mx.cpu(2)
    with mx.cpu(1):
        assert np.array([1]).ctx == mx.cpu(1)


def test_none_becomes_not_a_number() -> None:
    assert onp.isnan(np.array(None).item())


@pytest.mark.parametrize(
    ("value", "message"),
    [
        ("a", r"np.array: str 'a' was given .*Expected numbers"),
        ([1, "b"], r"np.array: list \[1, 'b'\] was given"),
        ([[1, 2], [3]], r"list \[\[1, 2\], \[3\]\] was given .*inhomogeneous.*equal lengths"),
        (1 + 2j, r"np.array: complex \(1\+2j\) was given"),
    ],
)
def test_what_holds_no_numbers_is_refused(value: object, message: str) -> None:
    with pytest.raises(DTypeError, match=message) as caught:
        np.array(value)
    assert isinstance(caught.value, (MXNetError, TypeError))


def test_asarray_returns_the_array_itself() -> None:
    x = np.ones(2)
    assert np.asarray(x) is x
    assert np.asarray(x, dtype="float64") is not x
    with pytest.raises(DTypeError, match="order='F' was given"):
        np.asarray(x, order="F")


def test_text_is_read_as_numpy_reads_it() -> None:
    assert np.genfromtxt(["1,2", "3,4"], delimiter=",", dtype=onp.float32).dtype == onp.float32
    assert np.loadtxt(["1 2"], ctx=mx.cpu(1)).ctx == mx.cpu(1)


def test_dtypes_are_those_of_numpy() -> None:
    assert np.float32 is onp.float32
    assert np.bool is onp.bool_
    assert np.finfo("float32").eps == onp.finfo("float32").eps
    assert np.pi == onp.pi
    assert np.newaxis is None
