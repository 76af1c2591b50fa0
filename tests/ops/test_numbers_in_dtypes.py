"""Numbers that a dtype does not hold become there what MXNet, and C, makes of them."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
import torch

from gluonish import autograd, nd, np, npx, sym
from gluonish.array.dtypes import number_in

if TYPE_CHECKING:
    from collections.abc import Callable

_INF = math.inf
# What MXNet 1.9.1 answers, except for `np.full_like` and its kin, which take what `full` takes.
_CALLS: dict[str, tuple[Callable[[], Any], list[float]]] = {
    "full of bytes": (lambda: nd.full((2,), -2.5, dtype="uint8"), [254, 254]),
    "full, short": (lambda: nd.full((1,), 300, dtype="int8"), [44]),
    "full, far": (lambda: nd.full((2,), 2**40, dtype="int32"), [-(2**31)] * 2),
    "_full": (lambda: nd._internal._full(shape=(1,), value=-2.5, dtype="uint8"), [254]),
    "np.full": (lambda: np.full((1,), 3e9, dtype="uint8"), [0]),
    "np.full, half": (lambda: np.full((1,), -1e9, dtype="float16"), [-_INF]),
    "np.full_like": (lambda: np.full_like(np.zeros(1, dtype="uint8"), 300), [44]),
    "maximum of bytes": (lambda: nd.maximum(nd.ones(1, dtype="uint8"), 300), [44]),
    "maximum of halves": (lambda: nd.maximum(nd.ones(1, dtype="float16"), 1e9), [_INF]),
    "minimum": (lambda: np.minimum(-1e9, np.ones(1, dtype="float16")), [-_INF]),
    "power": (lambda: np.power(np.ones(1, dtype="float16") * 2, 1e9), [_INF]),
    "ldexp": (lambda: np.ldexp(np.array([1, 5], dtype="uint8"), -1), [0, 0]),
    "clip of halves": (lambda: nd.clip(nd.ones(1, dtype="float16"), -1e9, 1e9), [1]),
    "clip of bytes": (lambda: nd.clip(nd.array([1, 200], dtype="uint8"), -3, 300), [1, 200]),
    "clip above": (lambda: nd.clip(nd.array([1, 200], dtype="uint8"), 300, 400), [44, 44]),
    "clip below": (lambda: nd.clip(nd.array([1, 200], dtype="uint8"), -9, -3), [253, 253]),
    "clip upside down": (lambda: nd.clip(nd.array([1, 20], dtype="uint8"), 7.5, 2.5), [7, 2]),
    "smooth_l1": (lambda: nd.smooth_l1(nd.ones(1, dtype="float16"), scalar=1e3), [1]),
}


@pytest.mark.parametrize("name", list(_CALLS))
def test_operators_take_numbers_as_the_dtype_has_them(name: str) -> None:
    call, expected = _CALLS[name]
    assert call().asnumpy().tolist() == expected


@pytest.mark.parametrize("zeros", [nd.zeros, np.zeros])
def test_halves_are_written_with_numbers_beyond_them(zeros: Callable[..., Any]) -> None:
    x = zeros((3,), dtype="float16")
    x[:] = -1e9
    x[1] = 65519
    assert x.asnumpy().tolist() == [-_INF, 65504, -_INF]


def test_padding_and_masks_hold_the_number_of_the_dtype() -> None:
    x = nd.ones((2, 2), dtype="uint8")
    masked = nd.SequenceMask(x, nd.array([1, 2]), use_sequence_length=True, value=300)
    assert masked.asnumpy().tolist() == [[1, 1], [44, 1]]
    y = np.pad(np.ones(1, dtype="float16"), ((1, 1),), constant_values=1e9)
    assert y.tolist() == [_INF, 1, _INF]


def test_number_in_agrees_with_casts_of_the_processor() -> None:
    for dtype in (torch.uint8, torch.int8, torch.int32, torch.int64, torch.float16):
        for number in (-2.5, 300.0, 1.7, 3e9, -3e9, 1e30, _INF, -_INF, 65519.0, 65520.0):
            assert torch.tensor(number, dtype=torch.float64).to(dtype) == torch.tensor(
                number_in(number, dtype), dtype=dtype
            )


def test_what_stands_before_bytes_is_a_byte() -> None:
    assert (-300 % nd.array([7, 100], dtype="uint8")).asnumpy().tolist() == [212 % 7, 212 % 100]


def test_powers_of_booleans_have_gradients() -> None:
    x, truth = np.array([1.0, 2.0, 3.0]), np.array([True, False, True])
    x.attach_grad()
    with autograd.record():
        y = x**truth
    y.backward()
    assert x.grad.tolist() == [1, 0, 1]


def test_draws_of_symbols_read_numbers_in_text() -> None:
    drawn = sym.np.random.normal("0.5", 1.0, size=3)
    assert drawn.list_arguments() == []


def test_activations_of_nothing_keep_its_dtype() -> None:
    assert nd.Activation(nd.zeros((0, 3), dtype="int32"), act_type="sigmoid").dtype is onp.int32


def test_no_dtype_is_the_default_one() -> None:
    x = np.array([3, 1])
    assert npx.topk(x, dtype=None).dtype == npx.one_hot(x, 4, dtype=None).dtype == onp.float32


def test_positions_are_counted_round_and_round() -> None:
    found = nd.contrib.index_array(nd.zeros((1, 2)), axes=(-3, 5))
    assert found.asnumpy().tolist() == [[[0, 0], [1, 1]]]


def test_one_length_is_a_shape() -> None:
    places = nd.array([[0, 2]])
    assert nd.scatter_nd(nd.ones(2), places, shape=3).asnumpy().tolist() == [1, 0, 1]
    assert nd.ravel_multi_index(places, shape=5).asnumpy().tolist() == [0, 2]
    assert nd.unravel_index(places[0], shape=5).asnumpy().tolist() == [[0, 2]]
    assert np.transpose(np.ones(3), 0).shape == (3,)


def test_products_as_whole_numbers() -> None:
    x = np.array([[1.9, -0.7, 1.5, 1.2]])
    assert np.nanprod(x, axis=1, dtype="int32").tolist() == [0]  # NumPy's, of converted numbers
    assert np.prod(x, axis=1, dtype="int32").tolist() == [-2]  # MXNet's own
    halves = np.array([100, 100, 100], dtype="float16")
    assert np.prod(halves, dtype="int64").item() == 1_000_000
    large = np.array([4097, 4097, 3])  # more than float32 holds
    assert np.prod(large, dtype="int64").item() == 4097 * 4097 * 3
    assert np.mean(x, dtype="bool").dtype == bool
    assert math.isnan(np.average(np.zeros((0, 2))).item())


@pytest.mark.parametrize(("number", "kept"), [(300, 44), (256.7, 0), (-1, 255), (float("nan"), 0)])
def test_parts_become_what_casts_make_of_a_number(number, kept):
    x = nd.ones((2,), dtype="uint8")
    y = nd._internal._slice_assign_scalar(x, scalar=number, begin=(1,), end=(2,))
    assert y.asnumpy().tolist() == [1, kept]


def test_squares_of_integers_are_computed_in_float32():
    x = nd.array(onp.array([16777217, 2147483649, -7]), dtype="int64")
    assert nd.square(x).asnumpy().tolist() == [281474976710656, 4611686018427387904, 49]


def test_numbers_in_symbols_may_be_arrays_without_axes():
    x = sym.var("x")
    assert sym.concat(x, dim=onp.array(0)).list_attr()["dim"] == "0"
    y = sym._internal._PlusScalar(x, scalar=onp.array(0.1, dtype="float32"))
    assert y.list_attr()["scalar"] == "0.1"
