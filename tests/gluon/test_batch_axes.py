"""Axes of batches in the guises that MXNet takes, and contexts' numbers in NumPy's."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish.gluon import loss as losses

PRED = mx.nd.array(onp.arange(24).reshape(2, 3, 4) / 7.0)
LABEL = mx.nd.array(onp.arange(24)[::-1].reshape(2, 3, 4) / 5.0)


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize(
    ("axis", "kept"),
    [
        (0, (0,)), (onp.int64(1), (1,)), ([0], (0,)), ([2], (2,)), ((0, 1), (0, 1)),
        ([0, 2], (0, 2)), ((), ()), (None, ()), ("0", (0,)), ("(0,1)", (0, 1)),
        (onp.array(0), (0,)), (-1, (2,)),
    ],
)  # fmt: skip
def test_losses_take_axes_of_batches_as_mean_does(axis, kept, hybridized):
    pred, label = PRED.asnumpy(), LABEL.asnumpy()
    others = tuple(number for number in range(3) if number not in kept)
    square = ((pred - label) ** 2 / 2).mean(others)
    found = losses.L2Loss(batch_axis=axis)
    cross = losses.SoftmaxCrossEntropyLoss(batch_axis=axis)
    if hybridized:
        found.hybridize()
        cross.hybridize()
    assert_close(found(PRED, LABEL).asnumpy(), square.reshape(found(PRED, LABEL).shape))
    classes = onp.array([[0, 1, 2], [2, 1, 0]])
    logs = pred - onp.log(onp.exp(pred).sum(-1, keepdims=True))
    entropy = -onp.take_along_axis(logs, classes[..., None], -1).mean(others)
    result = cross(PRED, mx.nd.array(classes)).asnumpy()
    assert_close(result, entropy.reshape(result.shape))


def test_weights_of_losses_are_numbers_of_any_kind():
    expected = losses.L2Loss(2.0)(PRED, LABEL).asnumpy()
    for weight in (2, onp.float32(2), onp.array(2.0)):
        assert_close(losses.L2Loss(weight)(PRED, LABEL).asnumpy(), expected)
    for weight in (onp.array([2.0]), mx.nd.array([2.0]), "2", [2]):
        with pytest.raises(AssertionError, match="weight must be a number"):
            losses.L2Loss(weight)


@pytest.mark.parametrize("axis", [0, onp.int64(0), onp.array(0)])
def test_batches_are_split_along_axes_that_count_as_numbers(axis):
    assert [part.shape for part in mx.gluon.utils.split_data(PRED, 2, axis)] == [(1, 3, 4)] * 2


@pytest.mark.parametrize("axis", ["0", 0.0, None, [0], (0,), onp.array([0])])
def test_batches_are_not_split_along_other_things(axis):
    with pytest.raises(TypeError, match="batch_axis="):
        mx.gluon.utils.split_data(PRED, 2, axis)


def test_contexts_have_numbers_in_numpys_guises():
    assert mx.cpu(onp.array([2])) is mx.cpu(onp.array(2)) is mx.cpu(onp.int64(2)) is mx.cpu(2)
    for number in ([2], (2,), onp.array([1, 2]), None):
        with pytest.raises(mx.MXNetError, match="Expected the number of a device"):
            mx.cpu(number)
