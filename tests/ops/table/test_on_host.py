"""Calls that a device has no kernel for, with the CPU in the place of both."""

from __future__ import annotations

import operator

import pytest
import torch

import gluonish as mx
from gluonish import nd
from gluonish.errors import MXNetError, OutOfMemoryError
from gluonish.ops.table import on_host as room
from gluonish.ops.table.explain import out_of_memory
from gluonish.ops.table.on_host import on_host

NO_KERNEL = RuntimeError("\"addmm_cuda\" not implemented for 'Long'")
A, B = torch.arange(6).reshape(2, 3), torch.arange(6).reshape(3, 2)


@pytest.fixture
def elsewhere(monkeypatch):
    """Take the CPU for another device."""
    monkeypatch.setattr(room, "_is_elsewhere", lambda device: True)


def test_a_call_is_made_where_there_is_a_kernel(elsewhere):
    assert on_host(torch.mm, [A, B], {}, NO_KERNEL).tolist() == [[10, 13], [28, 40]]
    assert on_host(torch.cat, [[A, A]], {"dim": 1}, NO_KERNEL).shape == (2, 6)
    whole, rest = on_host(torch.max, [A], {"dim": 0}, NO_KERNEL)
    assert (whole.tolist(), rest.tolist()) == ([3, 4, 5], [1, 1, 1])


def test_other_failures_and_places_are_left_alone(elsewhere, monkeypatch):
    assert on_host(torch.mm, [A, B], {}, RuntimeError("mat1 and mat2 shapes")) is None
    assert on_host(torch.mm, [A, A], {}, NO_KERNEL) is None  # which the CPU refuses, too
    assert on_host(torch.ones, [3], {}, NO_KERNEL) is None
    monkeypatch.undo()
    assert on_host(torch.mm, [A, B], {}, NO_KERNEL) is None
    assert on_host(torch.mm, [A.to("meta"), B.to("meta")], {}, NO_KERNEL) is None


def test_what_is_written_to_is_written_back(elsewhere, monkeypatch):
    monkeypatch.setattr(torch.Tensor, "cpu", torch.Tensor.clone)
    target = torch.zeros(2)
    on_host(torch.Tensor.add_, [target, 1], {}, NO_KERNEL)
    assert target.tolist() == [1, 1]


@pytest.mark.parametrize("call", [nd.dot, mx.np.dot, mx.np.matmul, operator.matmul])
def test_operators_go_there(call, elsewhere, monkeypatch):
    cls = mx.np.array if call is not nd.dot else nd.array
    given = cls(A.numpy(), dtype="int64"), cls(B.numpy(), dtype="int64")
    asked = []

    def fails_first(function):
        def run(*args, **kwargs):
            asked.append(1)
            if len(asked) == 1:
                raise NO_KERNEL
            return function(*args, **kwargs)

        return run

    for name in ("mm", "matmul", "tensordot", "dot"):
        monkeypatch.setattr(torch, name, fails_first(getattr(torch, name)))
    assert call(*given).asnumpy().tolist() == [[10, 13], [28, 40]]
    assert len(asked) >= 2


TOLD = (
    "CUDA out of memory. Tried to allocate 4096.00 GiB. GPU 1 has a total capacity of 139.80 GiB "
    "of which 137.09 GiB is free. Process 520 has 808.00 MiB memory in use."
)


def test_a_full_gpu_is_told_in_our_words(monkeypatch):
    found = out_of_memory("zeros", "shape=(1099511627776,)", RuntimeError(TOLD))
    assert str(found) == (
        "zeros: shape=(1099511627776,) was given, which needs 4096.00 GiB of memory on gpu(1), "
        "where 137.09 GiB of 139.80 GiB are free. Expected what fits into memory. Make the arrays "
        "smaller, for example with smaller batches."
    )

    def fails(*args, **kwargs):
        raise torch.OutOfMemoryError(TOLD)

    monkeypatch.setattr(torch, "matmul", fails)
    with pytest.raises(OutOfMemoryError, match=r"needs 4096.00 GiB of memory on gpu\(1\)"):
        mx.np.matmul(mx.np.ones((2, 2, 2)), mx.np.ones((2, 2, 2)))


def test_a_gpu_that_is_full_in_backward_is_told_in_our_words():
    class Fails(mx.autograd.Function):
        def forward(self, x):
            return x * 2

        def backward(self, grad):
            raise torch.OutOfMemoryError(TOLD)

    x = nd.ones((2,))
    x.attach_grad()
    with mx.autograd.record():
        y = Fails()(x)
    with pytest.raises(MXNetError, match=r"backward: it needs 4096.00 GiB of memory on gpu\(1\)"):
        y.backward()


LONG, WIDE = nd.ones((10**7, 1)), nd.ones((1, 10**8))
NP_LONG, NP_WIDE = mx.np.ones((10**7, 1)), mx.np.ones((1, 10**8))


@pytest.mark.parametrize(
    "call",
    [
        lambda: nd.dot(LONG, WIDE),
        lambda: LONG + WIDE,
        lambda: NP_LONG @ NP_WIDE,
        lambda: mx.np.matmul(NP_LONG, NP_WIDE),
        lambda: mx.np.einsum("ij,jk->ik", NP_LONG, NP_WIDE),
        lambda: mx.np.tensordot(NP_LONG, NP_WIDE, 1),
        lambda: nd.linalg.gemm2(LONG, WIDE),
        lambda: nd.FullyConnected(LONG, WIDE.T, no_bias=True, num_hidden=10**8),
        lambda: nd.repeat(LONG, 10**9),
        lambda: nd.random.uniform(shape=(10**9, 10**9)),
        lambda: mx.np.random.normal(size=10**16),
    ],
)
def test_memory_that_there_is_not_is_told_by_every_operator(call):
    with pytest.raises(OutOfMemoryError, match=r"which needs [\d,]* bytes .* fits into memory"):
        call()
