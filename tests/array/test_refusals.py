"""What arrays, contexts and autograd refuse, and what they say then."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import errors


@pytest.mark.parametrize(
    ("key", "builtin", "said"),
    [
        ("a", ValueError, r"index x\['a'\]: a str was given. Expected integers, slices"),
        (1.0, ValueError, r"index x\[1.0\]: a float was given.*Convert it, as in x\[1\]"),
        (slice(1.5, None), TypeError, r"slice indices must be integers"),
        (slice(None, None, 0), ValueError, r"step cannot be zero"),
    ],
)
def test_key_of_another_kind_is_named(key: object, builtin: type[Exception], said: str) -> None:
    x = mx.np.zeros((4, 3))
    with pytest.raises(errors.IndexKindError, match=said) as caught:
        x[key]
    assert isinstance(caught.value, builtin)
    with pytest.raises(errors.IndexKindError, match=said):
        x[key] = 1
    assert not x.asnumpy().any()


def test_list_that_reaches_beyond_the_array_is_refused_and_changes_nothing() -> None:
    x = mx.nd.zeros((4, 3))
    with pytest.raises(errors.InvalidIndexError, match=r"\(4, 3\)"):
        x[[0, 5]] = 1
    assert not x.asnumpy().any()


def test_array_can_be_moved_along_itself() -> None:
    x = mx.nd.arange(6)
    x[1:] = x[:5]
    assert x.asnumpy().tolist() == [0, 0, 1, 2, 3, 4]


@pytest.mark.parametrize("key", [(0, slice(None), [1, 2]), ([0, 1], slice(None), 1)])
def test_integer_and_list_apart_put_the_selected_axis_first(key: tuple[object, ...]) -> None:
    values = onp.arange(24.0, dtype="float32").reshape(2, 3, 4)
    x = mx.np.array(values)
    assert (x[key].asnumpy() == values[key]).all()
    x[key] = 7
    values[key] = 7
    assert (x.asnumpy() == values).all()


def test_what_is_no_number_cannot_be_assigned() -> None:
    x = mx.np.zeros((4, 3))
    with pytest.raises(errors.DTypeError, match=r"shape \(4, 3\): str was given. Expected numbers"):
        x[0] = "a"


@pytest.mark.parametrize("stype", ["default", "row_sparse", "csr"])
def test_array_copied_to_itself_warns(stype: str) -> None:
    x = mx.nd.zeros((2, 2)).tostype(stype)
    with pytest.warns(RuntimeWarning, match="copy an array to itself"):
        assert x.copyto(x) is False


def test_unknown_device_is_named() -> None:
    with pytest.raises(errors.ContextNameError, match=r"'npu' is not known. Expected one of 'cpu'"):
        mx.Context("npu")
    with pytest.raises(KeyError, match="'npu' is not known"):
        mx.Context("npu")


def test_device_id_that_is_no_number_is_refused() -> None:
    with pytest.raises(errors.ContextNameError, match=r"device_id 'a' was given. Expected the num"):
        mx.cpu("a")
    with pytest.raises(TypeError, match="device_id 'a'"):
        mx.cpu("a")


def test_unknown_grad_req_is_refused_and_leaves_the_array_alone() -> None:
    x = mx.nd.zeros((2,))
    with pytest.raises(errors.GradientRequestError, match=r"'replace' was given. Expected 'write'"):
        x.attach_grad("replace")
    assert x.grad is None
    with pytest.raises(KeyError, match="'replace' was given"):
        x.attach_grad("replace")


def test_head_gradients_are_counted() -> None:
    x = mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = 2 * x
    said = "2 head gradients were given for 1 heads. Expected one for each"
    with pytest.raises(errors.CallCountError, match=said):
        mx.autograd.backward([y], [x, x])
    assert not x.grad.asnumpy().any()


def test_backward_of_nothing_is_refused() -> None:
    with pytest.raises(errors.AutogradError, match=r"no heads were given. Expected recorded"):
        mx.autograd.backward([])


def test_function_serves_one_call() -> None:
    class Double(mx.autograd.Function):
        def forward(self, x):
            return 2 * x

        def backward(self, dy):
            return 2 * dy

    double, x = Double(), mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = double(x)
        with pytest.raises(
            errors.CallCountError, match=r"Make a new object for every call: Double"
        ):
            double(y)


def test_gradients_that_a_function_returns_are_counted() -> None:
    class Product(mx.autograd.Function):
        def forward(self, x, y):
            return x * y

        def backward(self, dz):
            return dz

    x, y = mx.nd.ones((2,)), mx.nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        z = Product()(x, y)
    with pytest.raises(
        errors.CallCountError, match=r"Product.backward: it returned 1 gradient for 2 inputs"
    ):
        z.backward()


@pytest.mark.parametrize("key", [(..., [0, 3]), (None, [-5]), ([True] * 4, [3]), (0, None, [3])])
def test_list_that_reaches_beyond_its_own_axis_is_refused(key: tuple[object, ...]) -> None:
    x = mx.np.zeros((4, 3))
    with pytest.raises(errors.InvalidIndexError, match="is out of bounds for [34] elements"):
        x[key] = 1
    assert not x.asnumpy().any()


def test_value_with_more_axes_than_the_part_is_refused() -> None:
    x = mx.nd.zeros((3,))
    said = r"a value of shape \(2, 3\) was given for a part of shape \(3,\)"
    with pytest.raises(errors.ShapeError, match=said):
        x[:] = mx.nd.ones((2, 3))
    x[:] = mx.nd.ones((1, 3))
    assert x.asnumpy().all()


def test_number_out_of_range_wraps_as_in_c() -> None:
    x = mx.np.zeros((2,), dtype="uint8")
    x[0], x[1] = 300, -1
    assert x.tolist() == [44, 255]
    x[0] = 2**70
    assert x.tolist() == [0, 255]
    y = mx.np.zeros((1,))
    y[0] = 2**70
    assert y.item() == 2**70


def test_number_without_axes_can_be_transposed() -> None:
    assert mx.np.array(3).T.item() == 3


def test_array_without_elements_is_false() -> None:
    assert not mx.np.zeros((0, 3))


def test_format_of_an_array_with_axes_is_refused() -> None:
    with pytest.raises(errors.DTypeError, match=r"'.2f' was given for an array of shape \(2,\)"):
        f"{mx.np.ones((2,)):.2f}"
    assert f"{mx.np.array(1.25):.1f} {mx.np.ones((1,))}" == "1.2 [1.]"


@pytest.mark.parametrize(
    ("program", "builtin", "said"),
    [
        ("mx.nd.ones((2,)).reshape()", AssertionError, "no shape was given. Expected lengths"),
        ("mx.nd.ones((2,)).reshape((2,), order='F')", TypeError, "order was given"),
        ("mx.np.ones((2,)).reshape()", TypeError, "no shape was given. Expected lengths"),
        ("mx.np.ones((2,)).reshape(2, order='F')", NotImplementedError, "order='F' was given"),
        ("mx.np.zeros((2,), order='F')", NotImplementedError, "order='F' was given. Expected 'C'"),
        ("mx.np.ones(1).astype(int, casting='safe')", ValueError, "'safe'.*Expected 'K' or 'C'"),
        ("mx.np.ones(1).astype(int, order='F')", ValueError, "order='F'.*Expected 'K' or 'C'"),
        ("mx.np.ones(1).copy('F')", NotImplementedError, "copy: order='F' was given. Expected 'C'"),
        ("mx.nd.array([1 + 2j])", TypeError, "array: list was given"),
        ("mx.autograd.backward(None)", TypeError, "autograd: NoneType was given. Expected an arr"),
        ("mx.autograd.backward([None])", TypeError, "a list of NoneType was given"),
        ("mx.autograd.grad(mx.nd.ones(1), [])", AssertionError, "an empty list was given"),
        ("mx.autograd.mark_variables(mx.nd.ones(1), None)", AssertionError, "NoneType was given"),
    ],
)
def test_error_is_mxnets_and_says_what_was_given(
    program: str, builtin: type[Exception], said: str
) -> None:
    with pytest.raises(errors.MXNetError, match=said) as caught:
        eval(program)
    assert isinstance(caught.value, builtin)


def test_too_large_numbers_become_infinite_silently() -> None:
    assert mx.np.array([1e40]).tolist() == [float("inf")]
