"""Batches that are sent to a device while the program works on the one before."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd
from gluonish.gluon.data import ArrayDataset, DataLoader
from gluonish.gluon.data.ahead import one_ahead

DATA = ArrayDataset(nd.arange(10).reshape((5, 2)), onp.arange(5))


class Lane:
    """What stands for a GPU's stream, and writes down what it is told."""

    def __init__(self, said):
        self.said = said
        self.count = 0

    def send(self, tensor):
        self.said.append(f"send {tuple(tensor.shape)}")
        return tensor.clone()

    def sent(self):
        self.count += 1
        return self.count

    def receive(self, event, tensors):
        self.said.append(f"receive {event}: {len(tensors)}")


def test_a_batch_is_sent_before_the_one_before_is_handed_out():
    said = []
    batches = one_ahead(iter(DataLoader(DATA, 2)), mx.cpu(3), Lane(said))
    for x, y in batches:
        said.append(f"work on {y.asnumpy().tolist()}")
        assert x.context == y.context == mx.cpu(3)
    assert said == [
        "send (2, 2)", "send (2,)",
        "send (2, 2)", "send (2,)", "receive 1: 2", "work on [0, 1]",
        "send (1, 2)", "send (1,)", "receive 2: 2", "work on [2, 3]",
        "receive 3: 2", "work on [4]",
    ]  # fmt: skip
    assert list(one_ahead(iter([]), mx.cpu(), Lane(said))) == []


@pytest.mark.parametrize("options", [{}, {"num_workers": 2, "thread_pool": True}])
def test_batches_come_on_the_context_that_was_asked_for(options):
    loader = DataLoader(DATA, 2, ctx=mx.cpu(1), pin_memory=True, **options)
    for _ in range(2):
        found = [(x.context, y.context, y.asnumpy().tolist()) for x, y in loader]
        assert found == [(mx.cpu(1), mx.cpu(1), part) for part in ([0, 1], [2, 3], [4])]


def test_dictionaries_and_other_things_in_batches_are_kept():
    def batchify(samples):
        return {"x": nd.array(samples), "names": ["a"] * len(samples), "more": (nd.ones((1,)), 3)}

    [batch] = DataLoader([1, 2], 2, batchify_fn=batchify, ctx=mx.cpu(1), pin_memory=True)
    assert batch["x"].context == batch["more"][0].context == mx.cpu(1)
    assert (batch["names"], batch["more"][1]) == (["a", "a"], 3)


def test_a_context_that_is_none_is_refused():
    with pytest.raises(mx.MXNetError, match="Expected a context"):
        DataLoader(DATA, 2, ctx=3)


@pytest.mark.gpu
def test_batches_arrive_on_a_gpu():
    loader = DataLoader(DATA, 2, ctx=mx.gpu(0), last_batch="keep")
    found = [(x + 0, y) for x, y in loader]
    assert all(x.context == y.context == mx.gpu(0) for x, y in found)
    assert onp.concatenate([y.asnumpy() for _, y in found]).tolist() == [0, 1, 2, 3, 4]
