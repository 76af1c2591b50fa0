"""Ids and labels outside of what there is are told of once, at the program's line."""

from __future__ import annotations

import warnings

import pytest

import gluonish as mx
from gluonish import nd
from gluonish.gluon import loss as gloss, nn


def _embedding(*, is_hybrid: bool) -> nn.Block:
    net = nn.HybridSequential()
    net.add(nn.Embedding(3, 2), nn.Dense(2))
    net.initialize()
    if is_hybrid:
        net.hybridize()
    return net


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_ids_out_of_range_are_told_of_at_the_users_line_once(is_hybrid: bool) -> None:
    net = _embedding(is_hybrid=is_hybrid)
    told = "ids from 1 to 3 were given. Expected 0 to 2; .* make input_dim 4"
    with pytest.warns(UserWarning, match=told) as caught:
        net(nd.array([1, 3]))
    assert [each.filename for each in caught] == [__file__]
    net(nd.array([1, 3]))  # warnings are errors here


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_labels_out_of_range_are_told_of(is_hybrid: bool) -> None:
    loss = gloss.SoftmaxCrossEntropyLoss()
    if is_hybrid:
        loss.hybridize()
    pred = mx.np.zeros((2, 3))
    with pytest.warns(UserWarning, match="labels from -1 to 2 were given. Expected 0 to 2"):
        first = loss(pred, mx.np.array([-1, 2]))
    assert first.asnumpy().tolist() == loss(pred, mx.np.array([0, 2])).asnumpy().tolist()


def test_what_fits_and_what_is_weighted_is_not_told_of() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        _embedding(is_hybrid=False)(nd.array([0, 2]))
        loss = gloss.SoftmaxCrossEntropyLoss()
        loss(nd.zeros((2, 3)), nd.array([-1, 2]), nd.array([[0], [1]]))
        gloss.SoftmaxCrossEntropyLoss(axis=1)(nd.zeros((1, 2, 3)), nd.array([[0, 1, 1]]))
        gloss.SoftmaxCrossEntropyLoss()(nd.zeros((0, 3)), nd.zeros(0))
        _embedding(is_hybrid=False)(mx.sym.var("ids"))
