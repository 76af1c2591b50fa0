"""Page-locked memory, and copies that go on while the program does."""

from __future__ import annotations

import pytest
import torch

import gluonish as mx
from gluonish import nd
from gluonish.array import pinned


class Event:
    """What stands for a copy on its way to a GPU."""

    def __init__(self, said):
        self.said = said

    def synchronize(self):
        self.said.append("waited")


@pytest.fixture
def said(monkeypatch):
    said = []
    monkeypatch.setattr(pinned, "_in_flight", [Event(said)])
    return said


@pytest.mark.parametrize(
    "write",
    [
        lambda x: x.__setitem__(0, 5),
        lambda x: x.__iadd__(1),
        lambda x: nd.relu(x, out=x),
        lambda x: nd.zeros((2,)).copyto(x),
    ],
)
def test_memory_that_is_being_copied_is_written_to_afterwards(said, write):
    write(nd.ones((2,)))
    assert said == []
    x = nd.ones((2,)).copyto(mx.cpu_pinned())
    assert said == []
    write(x)
    assert said == ["waited"]
    write(x)
    assert said == ["waited"]


def test_copies_into_and_out_of_pinned_memory():
    x = nd.arange(3)
    y = x.as_in_context(mx.cpu_pinned(0))
    assert (y.context, y.asnumpy().tolist()) == (mx.cpu_pinned(0), [0, 1, 2])
    z = y.as_in_context(mx.cpu(1))
    y[:] = 7
    assert (z.context, z.asnumpy().tolist()) == (mx.cpu(1), [0, 1, 2])


def test_gradients_pass_through_pinned_memory():
    x = nd.arange(3)
    x.attach_grad()
    with mx.autograd.record():
        y = (x.as_in_context(mx.cpu_pinned(0)).as_in_context(mx.cpu()) * 3).sum()
    y.backward()
    assert x.grad.asnumpy().tolist() == [3, 3, 3]


@pytest.mark.gpu
def test_copies_to_a_gpu_go_on_while_the_program_does():
    x = nd.ones((1 << 26,)).as_in_context(mx.cpu_pinned())
    assert x.tensor.is_pinned()
    torch.cuda._sleep(200_000_000)
    y = x.as_in_context(mx.gpu(0))
    assert not torch.cuda.current_stream().query()
    x[:] = 2
    assert y.asnumpy().max() == 1
    nd.waitall()
