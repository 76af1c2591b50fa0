"""Operators of an array and a number, as the real MXNet 1.9.1 computes them."""

from __future__ import annotations

import numpy as onp
import pytest
import torch
from closeness import assert_close

import gluonish as mx
from gluonish.ops.table.graph_names import find
from gluonish.ops.table.inference import elementwise, merged

INTEGERS = [5, -7, 2]
FLOATS = [5, -7, 2.5]


def call(name: str, values: list[float], dtype: str, **arguments: object) -> onp.ndarray:
    found = find(name)
    assert found is not None
    result: onp.ndarray = found.op.function(
        torch.tensor(onp.array(values, dtype)), **arguments
    ).numpy()
    return result


@pytest.mark.parametrize(
    ("name", "scalar", "expected"),
    [
        ("_plus_scalar", 2, [7, -5, 4.5]),
        ("_PlusScalar", 2.5, [7.5, -4.5, 5]),
        ("_minus_scalar", 2, [3, -9, 0.5]),
        ("_rminus_scalar", 2, [-3, 9, -0.5]),
        ("_mul_scalar", 2, [10, -14, 5]),
        ("_div_scalar", 2.5, [2, -2.8, 1]),
        ("_rdiv_scalar", 2, [0.4, -0.2857143, 0.8]),
        ("_mod_scalar", 2.5, [0, 0.5, 0]),
        ("_npi_rmod_scalar", 2, [2, -5, 2]),
        ("_power_scalar", 2, [25, 49, 6.25]),
        ("_RPowerScalar", 2, [32, 2**-7, 5.656854]),
        ("_hypot_scalar", 2.5, [5.59017, 7.4330344, 3.535534]),
        ("_maximum_scalar", 2.5, [5, 2.5, 2.5]),
        ("_npi_minimum_scalar", 2.5, [2.5, -7, 2.5]),
        ("_greater_scalar", 2, [1, 0, 1]),
        ("_EqualScalar", 2.5, [0, 0, 1]),
        ("_LogicalAndScalar", 2.5, [1, 1, 1]),
        ("_scatter_plus_scalar", 2.5, [7.5, -4.5, 5]),
        ("_npi_rtrue_divide_scalar", 2.5, [0.5, -0.35714287, 1]),
        ("_npi_rldexp_scalar", 2, [64, 2**-6, 11.313708]),
    ],
)
def test_operators_of_floats_compute_as_mxnet_does(
    name: str, scalar: float, expected: list[float]
) -> None:
    result = call(name, FLOATS, "float32", scalar=scalar)
    assert result.dtype == onp.float32
    assert_close(result, expected)


@pytest.mark.parametrize(
    ("name", "scalar", "expected"),
    [
        ("_plus_scalar", 2, [7, -5, 4]),
        ("_div_scalar", 2, [2, -3, 1]),
        ("_rdiv_scalar", 2, [0, 0, 1]),
        ("_mod_scalar", 2, [1, 1, 0]),
        ("_power_scalar", 2, [25, 49, 4]),
        ("_rpower_scalar", 2, [32, 0, 4]),
        ("_hypot_scalar", 2, [5, 7, 2]),
        ("_greater_scalar", 2, [1, 0, 0]),
        ("_npi_bitwise_and_scalar", 2, [0, 0, 2]),
        ("_npi_lcm_scalar", 2, [10, 14, 2]),
    ],
)
def test_operators_of_integers_keep_the_dtype(
    name: str, scalar: float, expected: list[float]
) -> None:
    result = call(name, INTEGERS, "int32", scalar=float(scalar))
    assert result.dtype == onp.int32
    assert result.tolist() == expected


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("_plus_scalar", [7.5, -4.5, 4.5]),
        ("_npi_rsubtract_scalar", [-2.5, 9.5, 0.5]),
        ("_rdiv_scalar", [0.5, -2.5 / 7, 1.25]),
        ("_maximum_scalar", [5, 2.5, 2.5]),
        ("_npi_mod_scalar", [0, 0.5, 2]),
    ],
)
def test_a_number_that_is_no_integer_widens_integers(name: str, expected: list[float]) -> None:
    result = call(name, INTEGERS, "int32", scalar=2.5, is_int=False)
    assert result.dtype == onp.float64
    onp.testing.assert_allclose(result, expected)


def test_true_division_by_a_number_gives_float32() -> None:
    result = call("_npi_true_divide_scalar", INTEGERS, "int32", scalar=2.5, is_int=False)
    assert result.dtype == onp.float32


def test_comparisons_are_booleans_in_np_alone() -> None:
    assert call("_npi_less_scalar", FLOATS, "float32", scalar=3).dtype == bool
    assert call("_lesser_scalar", FLOATS, "float32", scalar=3).dtype == onp.float32


def test_scalar_operators_are_functions_of_internal() -> None:
    result = mx.nd._internal._RMinusScalar(mx.nd.array([1, 2]), scalar=3)
    assert result.asnumpy().tolist() == [2, 1]


def test_find_knows_aliases_and_prefers_the_operator_of_nd() -> None:
    found = [find(name) for name in ("FullyConnected", "_npx_fully_connected", "_sparse_dot")]
    assert [each and (each.space, each.path) for each in found] == [
        ("nd", "FullyConnected"),
        ("nd", "FullyConnected"),
        ("nd", "dot"),
    ]


def test_find_gives_nothing_for_an_unknown_name() -> None:
    assert find("NoSuchOperator") is None


def test_shapes_that_contradict_each_other_say_nothing() -> None:
    assert merged([(2, 3), (2, 4)]) is None
    assert merged([(2,), (2, 4)]) is None
    assert elementwise({"lhs": (2, None), "rhs": None}, [(None, 3)]) == {
        "lhs": (2, 3),
        "rhs": (2, 3),
    }
