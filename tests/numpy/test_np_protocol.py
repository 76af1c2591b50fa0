"""NumPy's own functions on np arrays."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, np

X = onp.array([[1.0, 2.0], [3.0, 4.0]], dtype="float32")


@pytest.mark.parametrize(
    "call",
    [
        lambda x: onp.mean(x),
        lambda x: onp.sum(x, axis=0),
        lambda x: onp.concatenate([x, x], axis=1),
        lambda x: onp.stack([x, x]),
        lambda x: onp.exp(x),
        lambda x: onp.maximum(x, 2),
        lambda x: onp.matmul(x, x),
        lambda x: onp.linalg.norm(x),
        lambda x: onp.amax(x, axis=1),
        lambda x: onp.where(x > 2, x, 0),
        lambda x: onp.fft.ifftshift(x),
        lambda x: onp.logaddexp(x, x),
        lambda x: onp.add(X, x),
        lambda x: X * x,
        lambda x: onp.float32(2) - x,
        lambda x: onp.transpose(x),
    ],
)
def test_numpy_functions_return_our_arrays(call: object) -> None:
    found = call(np.array(X, ctx=mx.cpu(1)))
    assert type(found) is np.ndarray
    assert found.ctx == mx.cpu(1)
    assert_close(found.asnumpy(), call(X))


def test_numpy_function_with_a_gradient() -> None:
    x = np.array(X)
    x.attach_grad()
    with autograd.record():
        y = onp.sum(onp.square(x))
    y.backward()
    onp.testing.assert_allclose(x.grad.asnumpy(), 2 * X)


def test_ufunc_methods_are_computed_by_numpy() -> None:
    assert onp.add.reduce(np.array(X), axis=0).tolist() == [4, 6]
    assert type(onp.add.accumulate(np.array(X))) is np.ndarray


def test_results_go_into_out() -> None:
    target = np.zeros((2, 2))
    assert onp.add(np.array(X), 1, out=target) is target
    assert target.tolist() == [[2, 3], [4, 5]]
    plain = onp.zeros((2, 2))
    assert onp.add(np.array(X), 1, out=plain) is plain
    assert plain.tolist() == [[2, 3], [4, 5]]


def test_functions_without_ours_pass_through_numpy() -> None:
    x = np.array([3, 1, 2])
    assert np.apply_along_axis(lambda row: row.sum(), 0, x).item() == 6
    assert [part.tolist() for part in np.unravel_index(np.array([5], dtype="int64"), (2, 3))] == [
        [1],
        [2],
    ]
    assert np.polyfit(np.arange(3), 2 * np.arange(3), 1).round(4).tolist()[0] == 2


def test_numpys_functions_take_none_beside_arrays_and_arrays_of_nd() -> None:
    found = onp.broadcast_arrays(mx.np.arange(3), None)  # as matplotlib's bar() calls it
    assert [each.shape for each in found] == [(3,), (3,)]
    assert onp.mean(mx.nd.array([[1, 2]])).asnumpy().tolist() == [1.5]
    assert onp.mean(mx.nd.array([[1, 2]]), axis=0).asnumpy().tolist() == [1, 2]


def test_numpys_functions_do_not_replace_ours_while_recording() -> None:
    with mx.autograd.record(), pytest.raises(mx.MXNetError, match="NoneType was given where"):
        onp.broadcast_arrays(mx.np.arange(3), None)
    with pytest.raises(mx.MXNetError, match="was given where an array is needed"):
        onp.broadcast_arrays(mx.np.arange(3), {"a": 1}, [1, [2]])
