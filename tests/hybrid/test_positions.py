"""Positions outside of an axis: torch's own check finds them, where a call is not captured."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.gluon import HybridBlock

nd = mx.nd
TABLE = nd.array([[1, 2, 3], [4, 5, 6], [7, 8, 9]])
LOOK_UPS = {
    "take": lambda F, table, at: F.take(table, at),
    "pick": lambda F, table, at: F.pick(table, at, axis=1),
    "pick along the first axis": lambda F, table, at: F.pick(table, at, axis=0, keepdims=True),
    "Embedding": lambda F, table, at: F.Embedding(at, table, input_dim=3, output_dim=3),
    "one_hot": lambda F, table, at: F.one_hot(at, 3) + table * 0,
}


class LookUp(HybridBlock):
    def __init__(self, name: str) -> None:
        super().__init__()
        self.look_up = LOOK_UPS[name]

    def hybrid_forward(self, F, table, at):
        return self.look_up(F, table, at)


@pytest.mark.parametrize("name", LOOK_UPS)
def test_positions_outside_count_as_the_edge_in_replays_too(name: str) -> None:
    inside, outside, edge = nd.array([0, 2, 1]), nd.array([-4, 9, 1.5]), nd.array([0, 2, 1])
    eager = LOOK_UPS[name](nd, TABLE, outside)
    if name != "one_hot":
        assert (eager.asnumpy() == LOOK_UPS[name](nd, TABLE, edge).asnumpy()).all()
    net = LookUp(name)
    net.hybridize()
    for _ in range(3):
        net(TABLE, inside)
    assert (net(TABLE, outside).asnumpy() == eager.asnumpy()).all()


@pytest.mark.parametrize("name", LOOK_UPS)
def test_gradients_reach_the_rows_that_positions_outside_count_as(name: str) -> None:
    grads = []
    for at in (nd.array([-4, 9, 1]), nd.array([0, 2, 1])):
        table = TABLE.copy()
        table.attach_grad()
        with mx.autograd.record():
            out = LOOK_UPS[name](nd, table, at)
        out.backward()
        grads.append(table.grad.asnumpy())
    assert (grads[0] == grads[1]).all()


def test_kept_ranges_of_one_hot_are_not_handed_out() -> None:
    nd.one_hot(nd.array([1]), 4)[:] = 7
    assert nd.one_hot(nd.array([1]), 4).asnumpy().tolist() == [[0, 1, 0, 0]]
