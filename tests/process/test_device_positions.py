"""Positions on devices whose kernels check none, with the CPU in the place of one."""

from __future__ import annotations

import pytest
import torch

import gluonish as mx
from gluonish import nd
from gluonish.errors import InvalidArgumentError, InvalidIndexError, ShapeError
from gluonish.process import device_positions

ROWS = nd.arange(6).reshape((3, 2))


@pytest.fixture
def checked(monkeypatch):
    """Have all positions checked here, and count the checks."""
    asked = []

    def is_unchecked(tensor):
        asked.append(tuple(tensor.shape))
        return not tensor.is_meta

    monkeypatch.setattr(device_positions, "_is_unchecked", is_unchecked)
    return asked


CALLS = {
    "gather_nd": (lambda at: nd.gather_nd(ROWS, nd.array([[at], [0]])), InvalidIndexError),
    "scatter_nd": (
        lambda at: nd.scatter_nd(nd.ones((1,)), nd.array([[at]]), shape=(3,)),
        InvalidArgumentError,
    ),
    "index_copy": (
        lambda at: nd.contrib.index_copy(ROWS, nd.array([at], dtype="int64"), nd.ones((1, 2))),
        InvalidArgumentError,
    ),
    "np.take": (
        lambda at: mx.np.take(mx.np.ones((3,)), mx.np.array([at - 3 * (at < 3)])),
        InvalidIndexError,
    ),
    "np.take_along_axis": (
        lambda at: mx.np.take_along_axis(
            mx.np.ones((3, 1)), mx.np.array([[at]], dtype="int64"), axis=0
        ),
        ShapeError,
    ),
    "SequenceLast": (
        lambda at: nd.SequenceLast(ROWS, nd.array([at + 1, 1]), use_sequence_length=True),
        InvalidArgumentError,
    ),
    "SequenceReverse": (
        lambda at: nd.SequenceReverse(ROWS, nd.array([at + 1, 1]), use_sequence_length=True),
        (InvalidArgumentError, ShapeError),
    ),
    "count_sketch": (
        lambda at: nd.contrib.count_sketch(
            nd.ones((1, 2)), nd.array([[0, at]]), nd.ones((1, 2)), out_dim=3
        ),
        InvalidArgumentError,
    ),
}


@pytest.mark.parametrize("name", CALLS)
def test_positions_outside_are_refused_before_a_kernel_sees_them(checked, name):
    call, error = CALLS[name]
    call(2).asnumpy()
    assert checked
    with pytest.raises(error, match=r"7|8|out of bounds"):
        call(7).asnumpy()


def test_replays_check_anew(checked):
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, at):
            return F.gather_nd(F.ones((3, 2)), F.stack(at, at * 0))

    net = Net()
    net.hybridize()
    for _ in range(3):
        net(nd.array([2]))
    with pytest.raises(IndexError, match="index 7 is out of bounds"):
        net(nd.array([7])).asnumpy()


def test_words_are_those_of_cpus():
    for places, back in (([0, 3], True), ([-4], True), ([-1, 0], False)):
        with pytest.raises(IndexError, match=r"index -?\d is out of bounds for dimension 1 with"):
            device_positions._checked(torch.tensor(places), 3, 1, back)
    assert device_positions._checked(torch.tensor([-3, 2]), 3, 0, True).tolist() == [-3, 2]
    assert device_positions._checked(torch.tensor([], dtype=torch.int64), 0, 0, False).numel() == 0


def test_triangles_are_of_square_matrices():
    with pytest.raises(mx.MXNetError, match="square"):
        nd.linalg.extracttrian(nd.ones((3, 2)))
