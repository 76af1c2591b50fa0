from __future__ import annotations

import gc
from pathlib import Path

import pytest
import torch

import gluonish as mx
from gluonish.array.gradients import Gradient
from gluonish.array.zero_pages import zeros_for

STATM = Path("/proc/self/statm")
linux = pytest.mark.skipif(not STATM.exists(), reason="only Linux tells what is resident")


def resident():
    """Return the mebibytes of this process."""
    return int(STATM.read_text().split()[1]) * 4 / 1024


@linux
def test_a_gradient_takes_no_memory_before_it_is_written():
    weight = mx.gluon.Parameter("weight", shape=(4096, 4096))
    weight.initialize("zeros")
    before = resident()
    weight.grad_req = "add"  # new gradients
    gradient = weight.grad()
    assert resident() - before < 5
    gradient[:1024] = 1
    assert resident() - before > 15
    assert float(gradient.sum().asscalar()) == 1024 * 4096


@pytest.mark.parametrize("dtype", [torch.float64, torch.float16, torch.bfloat16, torch.int8])
def test_zeros_have_shape_and_dtype_of_what_they_are_for(dtype):
    like = torch.ones(300, 400, dtype=dtype)
    zeros = zeros_for(like)
    assert torch.equal(zeros, torch.zeros_like(like))
    assert zeros.dtype is dtype


def test_what_does_not_lie_in_order_has_zeros_that_lie_alike():
    like = torch.ones(300, 400).t()
    assert zeros_for(like).stride() == like.stride()


def loss_of(x):
    with mx.autograd.record():
        return (x * x).sum()


class Watching(mx.autograd.Function):
    """Notes what the gradient of an array is while one goes back."""

    def __init__(self, x, seen):
        super().__init__()
        self.x, self.seen = x, seen

    def forward(self, y):
        return y

    def backward(self, dy):
        self.seen.append(float(self.x.grad.sum().asscalar()))
        return dy


@pytest.mark.parametrize(("grad_req", "kept"), [("write", 0.0), ("add", 2.0 * 2**20)])
def test_a_large_gradient_makes_room_for_the_next_one(grad_req, kept):
    x, seen = mx.nd.ones((1024, 1024)), []
    x.attach_grad(grad_req)
    loss_of(x).backward()
    with mx.autograd.record():
        loss = Watching(x, seen)((x * x).sum())
    loss.backward()
    assert seen == [kept]
    assert float(x.grad.max().asscalar()) == (2.0 if grad_req == "write" else 4.0)


def test_a_large_gradient_stays_where_the_graph_was_used_up():
    x = mx.nd.ones((1024, 1024))
    x.attach_grad()
    with mx.autograd.record():
        y = x * x
        first, second = y.sum(), (2 * y).sum()
    first.backward()
    with pytest.raises(mx.MXNetError, match="used up"):
        second.backward()
    assert float(x.grad.max().asscalar()) == 2.0


def test_a_large_gradient_stays_where_nothing_goes_back_to_it():
    x, other = mx.nd.ones((1024, 1024)), mx.nd.ones((3,))
    x.attach_grad()
    other.attach_grad()
    loss_of(x).backward()
    loss_of(other).backward()
    assert Gradient.are_large
    assert float(x.grad.max().asscalar()) == 2.0


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_finding_shapes_leaves_no_tensors_to_the_collector(is_hybrid):
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Conv2D(3, 3), mx.gluon.nn.BatchNorm(), mx.gluon.nn.Dense(2))
    net.initialize()
    if is_hybrid:
        net.hybridize()
    gc.collect()
    gc.disable()
    gc.set_debug(gc.DEBUG_SAVEALL)
    try:
        net(mx.nd.ones((2, 3, 8, 8)))
        gc.collect()
        left = [one for one in gc.garbage if type(one) is torch.Tensor and one.numel() > 1]
    finally:
        gc.set_debug(0)
        gc.garbage.clear()
        gc.enable()
    assert [tuple(tensor.shape) for tensor in left] == []
