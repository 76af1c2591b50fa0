"""Arrays of nd from lists, NumPy arrays, tensors and DLPack."""

from __future__ import annotations

import numpy as onp
import pytest
import torch

import gluonish as mx
from gluonish import errors, nd


def test_array_of_a_list_or_numpy_array_is_float32() -> None:
    assert nd.array([[1, 2], [3, 4]]).dtype is onp.float32
    assert nd.array(onp.arange(3)).dtype is onp.float32
    assert nd.array(onp.ones(3, dtype="float64")).dtype is onp.float32


def test_array_of_an_array_keeps_dtype_and_context() -> None:
    x = nd.array([1, 2], dtype="int32", ctx=mx.cpu(1))
    copy = nd.array(x)
    copy[0] = 9
    assert (copy.dtype, copy.context) == (onp.int32, mx.cpu(1))
    assert x.asnumpy().tolist() == [1, 2]


def test_array_of_arrays_stacks_them() -> None:
    assert nd.array([nd.array([1, 2]), nd.array([3, 4])]).shape == (2, 2)


def test_array_does_not_share_memory_with_numpy() -> None:
    source = onp.zeros(2, dtype="float32")
    nd.array(source)[0] = 1
    assert source.tolist() == [0, 0]


def test_array_of_one_number_has_one_axis() -> None:
    assert nd.array(3).shape == ()


def test_array_of_an_np_array_is_an_nd_array() -> None:
    assert type(nd.array(mx.np.ones((2,)))) is nd.NDArray


@pytest.mark.parametrize("source", [[[1, 2], [3]], ["a"], [None, object()]])
def test_array_refuses_what_is_no_regular_array_of_numbers(source: object) -> None:
    with pytest.raises(errors.DTypeError, match=r"array: list was given .* Expected numbers, or"):
        nd.array(source)
    with pytest.raises(TypeError):
        nd.array(source)


def test_from_numpy_shares_memory_and_locks_the_source() -> None:
    source = onp.zeros(2)
    x = nd.from_numpy(source)
    x[0] = 1
    assert source.tolist() == [1, 0]
    assert x.dtype is onp.float64
    assert not source.flags.writeable


def test_from_numpy_copies_on_request() -> None:
    source = onp.zeros((2, 2)).T
    nd.from_numpy(source, zero_copy=False)[0] = 1
    assert not source.any()


def test_from_numpy_makes_other_classes() -> None:
    assert type(nd.from_numpy(onp.zeros(2), array_cls=mx.np.ndarray)) is mx.np.ndarray


def test_from_numpy_refuses_what_it_cannot_share() -> None:
    with pytest.raises(errors.InvalidArgumentError, match=r"Pass numpy\.ascontiguousarray"):
        nd.from_numpy(onp.zeros((2, 3)).T)
    with pytest.raises(errors.DTypeError, match="from_numpy: list was given"):
        nd.from_numpy([1, 2])


def test_from_torch_shares_memory() -> None:
    tensor = torch.zeros(2)
    x = nd.from_torch(tensor)
    x += 1
    assert tensor.tolist() == [1, 1]
    with pytest.raises(errors.DTypeError, match="from_torch: list was given"):
        nd.from_torch([1, 2])


def test_dlpack_shares_memory() -> None:
    x = nd.zeros((2,))
    nd.from_dlpack(nd.to_dlpack_for_write(x))[0] = 7
    assert x.asnumpy().tolist() == [7, 0]
    assert nd.from_dlpack(nd.to_dlpack_for_read(x)).asnumpy().tolist() == [7, 0]
    assert nd.from_dlpack(torch.ones(2)).shape == (2,)


def test_onehot_encode_refuses_shapes_that_do_not_fit() -> None:
    with pytest.raises(errors.ShapeError, match=r"Expected shapes \(batch,\)"):
        nd.onehot_encode(nd.ones((3,)), nd.zeros((2, 3)))


def test_waitall_returns() -> None:
    assert nd.waitall() is None


def test_functions_take_numbers_first() -> None:
    x = nd.array([-1, 2])
    assert nd.maximum(0, x).asnumpy().tolist() == [0, 2]
    assert nd.power(2, x).asnumpy().tolist() == [0.5, 4]
    assert mx.np.maximum(0, mx.np.array([-1, 2])).tolist() == [0, 2]
    assert mx.np.true_divide(1, 4) == 0.25


def test_out_receives_the_result() -> None:
    x, y = nd.ones((2,)), nd.zeros((2,))
    assert nd.elemwise_add(x, x, out=y) is y
    assert y.asnumpy().tolist() == [2, 2]


def test_arange_warns_about_infer_range() -> None:
    with pytest.warns(DeprecationWarning, match="infer_range is deprecated"):
        assert nd.arange(3, infer_range=False).shape == (3,)


def test_full_takes_numbers_that_broadcast() -> None:
    assert nd.full((2, 2), [1, 2]).asnumpy().tolist() == [[1, 2], [1, 2]]
    assert nd.full((2,), nd.array([5])).asnumpy().tolist() == [5, 5]


def test_gradients_flow_through_torch_in_both_directions() -> None:
    x = mx.nd.array([1.0, 2.0])
    x.attach_grad()
    weight = torch.ones(2, requires_grad=True)
    with mx.autograd.record():
        y = mx.nd.from_torch(torch.square(x.tensor)) * mx.nd.from_torch(weight) * weight
    y.backward()
    assert x.grad.asnumpy().tolist() == [2, 4]
    assert weight.grad.tolist() == [2, 8]


def test_tensor_with_gradient_leaves_its_graph_outside_of_record() -> None:
    weight = torch.ones(2, requires_grad=True)
    x = mx.nd.from_torch(weight)
    assert not x.tensor.requires_grad
    assert not (mx.nd.ones((2,)) * weight).tensor.requires_grad
    x[0] = 5
    assert weight.tolist() == [5, 1]


@pytest.mark.skipif(onp.__version__.startswith("1."), reason="NumPy 1 has no copy=False there")
def test_numpy_shares_memory_if_it_must_not_copy() -> None:
    x = mx.np.ones((2,))
    onp.asarray(x, copy=False)[0] = 5
    assert x.tolist() == [5, 1]
    onp.asarray(x)[1] = 7
    assert x.tolist() == [5, 1]
    with pytest.raises(ValueError, match="copy=False was given for an array of dtype float32 on c"):
        onp.asarray(x, dtype="int32", copy=False)


def test_arrays_that_numpy_protects_are_copied_without_a_warning():
    bits = onp.frombuffer(onp.arange(4, dtype="float32").tobytes(), "float32")
    places = onp.frombuffer(onp.array([2, 0]).tobytes(), "int64")
    x = nd.array(bits)
    x[:] = bits[::-1]
    assert x.asnumpy().tolist() == [3, 2, 1, 0]
    assert x[places].asnumpy().tolist() == [1, 3]
    assert (mx.np.array(bits) + bits).asnumpy().tolist() == [0, 2, 4, 6]
    assert bits.tolist() == [0, 1, 2, 3]


def test_eye_is_square_for_a_negative_number_of_columns():
    assert nd.eye(2, -1).asnumpy().tolist() == [[1, 0], [0, 1]]


def test_from_numpy_shares_the_memory_of_an_array_that_is_shared_already() -> None:
    values = onp.arange(3, dtype="float32")
    first, second = nd.from_numpy(values), nd.from_numpy(values)
    first[0] = 9
    assert values.tolist() == second.asnumpy().tolist() == [9, 1, 2]
    assert not values.flags.writeable
    text = onp.frombuffer(b"ab", dtype="uint8")
    nd.from_numpy(text)[0] = 0
    assert text.tolist() == [97, 98]
