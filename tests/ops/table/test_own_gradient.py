"""A gradient of an operator's own is the same, however the operator is run."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish.array import wrap
from gluonish.ops.table.own_gradient import with_gradient


def doubled(data, _):
    return 2 * data


def gap(result, label, head, factor):
    return factor * (result - label)


class Net(mx.gluon.HybridBlock):
    def hybrid_forward(self, F, x, label):
        result = with_gradient(doubled, gap, F.exp(x).tensor, label.tensor, 3)
        return wrap(result, x.context, type(x))


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_captured_graph_keeps_it(hybridized):
    net = Net()
    net.hybridize(hybridized)
    x, label = mx.nd.zeros(2), mx.nd.array([1, 5])
    x.attach_grad()
    for _ in range(3):
        with mx.autograd.record():
            y = net(x, label)
        y.backward()
        assert y.asnumpy().tolist() == [2, 2]
        assert x.grad.asnumpy().tolist() == [3, -9]
