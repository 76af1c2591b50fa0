"""What all functions and operators of the front ends do with out, odd operands and results."""

from __future__ import annotations

import operator

import pytest

import gluonish as mx
from gluonish import errors


@pytest.fixture(params=[mx.nd, mx.np], ids=["nd", "np"])
def front(request: pytest.FixtureRequest):
    return request.param


def test_out_may_be_none(front) -> None:
    x = front.ones((2,))
    assert front.exp(x, out=None).shape == front.exp(x, out=None, name=None).shape == (2,)


@pytest.mark.parametrize("kind", [list, tuple])
def test_out_may_be_a_list_of_one(front, kind: type) -> None:
    x, target = front.ones((2,)), front.zeros((2,))
    result = front.negative(x, out=kind([target]))
    assert type(result) is kind
    assert target.asnumpy().tolist() == [-1, -1]


@pytest.mark.parametrize(
    ("given", "builtin", "said"),
    [
        ("front.zeros((3, 2))", ValueError, r"out has shape \(3, 2\). Expected the .* \(2, 3\)"),
        ("front.zeros((6,))", ValueError, r"out has shape \(6,\). Expected the result's shape"),
        ("front.zeros((2, 3), dtype='int32')", TypeError, "dtype int32. Expected .* float32"),
        ("front.zeros((2, 3), dtype='float64')", TypeError, "dtype float64. Expected .* float32"),
        ("x.asnumpy()", TypeError, "out=numpy.ndarray was given. Expected an array for the result"),
        ("5", TypeError, "out=int was given. Expected an array for the result"),
        ("[x, x]", ValueError, "2 arrays were given as out for 1 results. Expected one for each"),
    ],
)
def test_out_that_does_not_fit_is_refused(front, given, builtin, said) -> None:
    x = front.ones((2, 3))
    with pytest.raises(errors.MXNetError, match=said) as caught:
        front.exp(x, out=eval(given, {"front": front, "x": x}))
    assert isinstance(caught.value, builtin)
    assert (x.asnumpy() == 1).all()


def test_outs_are_all_checked_before_one_is_written() -> None:
    x, first, second = mx.nd.ones((2, 2)), mx.nd.zeros((2, 1)), mx.nd.zeros((3, 1))
    with pytest.raises(errors.ShapeError, match=r"out has shape \(3, 1\)"):
        mx.nd.split(x, 2, axis=1, out=[first, second])
    assert not first.asnumpy().any()


def test_out_of_a_number_may_have_one_axis() -> None:
    target = mx.np.zeros((1,))
    assert mx.np.sum(mx.np.ones((3,)), out=target).tolist() == [3]


@pytest.mark.parametrize("other", [None, "a", [1, 2], (1, 2), {1: 2}])
def test_operand_that_is_no_number_is_refused(front, other: object) -> None:
    x = front.ones((2,))
    said = rf"shape \(2,\) and {type(other).__name__} were given. Expected two arrays"
    for compute in (
        lambda: x + other,
        lambda: other * x if isinstance(other, dict) or other is None else x * other,
        lambda: x < other,
        lambda: x.__iadd__(other),
    ):
        with pytest.raises(errors.DTypeError, match=said):
            compute()
    for compare in (operator.eq, operator.ne):
        with pytest.raises(errors.DTypeError, match=said):
            compare(x, other)


def test_operand_of_a_foreign_class_decides_itself(front) -> None:
    class Foreign:
        def __radd__(self, other: object) -> str:
            return "mine"

    assert front.ones((2,)) + Foreign() == "mine"


def test_boolean_array_cannot_hold_numbers(front) -> None:
    x = front.array([1, 0], dtype="bool")
    with pytest.raises(errors.DTypeError, match="x has dtype bool, the result is int64"):
        x += 1


def test_number_where_an_array_is_needed_is_named() -> None:
    with pytest.raises(errors.OperandError, match="dot: rhs=2 was given. Expected an array"):
        mx.nd.dot(mx.nd.ones((2, 3)), 2)
    with pytest.raises(AssertionError, match="exp: str was given where an array is needed"):
        mx.nd.exp("a")


def test_several_results_are_a_list_in_nd() -> None:
    x = mx.nd.array([1.0, 2.0, 2.0])
    assert type(mx.nd.histogram(x, bins=2, range=(0, 4))) is list
    assert type(mx.nd.random.multinomial(x / 5, shape=2, get_prob=True)) is list
    assert type(mx.np.linalg.svd(mx.np.ones((2, 2)))) is tuple


def test_numbers_stay_pythons_in_nd() -> None:
    assert type(mx.nd.maximum(2, 3)) is type(mx.nd.add(1, 2)) is int


def test_broadcast_to_the_same_shape_copies() -> None:
    x = mx.nd.ones((2, 3))
    x.broadcast_to((2, 3))[:] = 0
    mx.nd.broadcast_like(x, x)[:] = 0
    assert x.asnumpy().all()


@pytest.mark.parametrize("number", [float("nan"), float("inf"), 1e30])
def test_number_that_integers_do_not_hold_is_cast_as_by_mxnet(front, number: float) -> None:
    x = front.array([1, 2], dtype="int64")
    assert (x + number).asnumpy().tolist() == [1 - 2**63, 2 - 2**63]


def test_number_of_too_many_digits_is_refused(front) -> None:
    x = front.array([1, 2], dtype="int64")
    with pytest.raises(errors.DTypeError, match=r"dtype int64 and .* Expected a number that the"):
        x + 2**70


def test_floating_point_arrays_take_integers_of_any_size(front) -> None:
    x = front.ones((2,))
    assert (x + 2**70).asnumpy().tolist() == (x * 2**70).asnumpy().tolist() == [2**70] * 2
    with pytest.raises(errors.InvalidArgumentError, match=r"add: .*Expected"):
        front.add(x, 2**70)
