"""What calls of nets, losses and metrics return, as `mypy --strict` sees it."""

from __future__ import annotations

from typing import Any, assert_type

import gluonish as mx
from gluonish import autograd, gluon, nd, np
from gluonish.gluon import nn, rnn


class Net(gluon.HybridBlock):
    """A Block of a program, which may return anything."""

    def __init__(self) -> None:
        super().__init__()
        self.fc = nn.Dense(3)

    def hybrid_forward(self, F: Any, x: Any) -> Any:  # type: ignore[explicit-override]
        """Return what the layer makes of it."""
        return F.relu(self.fc(x))


def check(x: nd.NDArray, y: nd.NDArray) -> None:
    """Call layers, losses and metrics."""
    net = nn.HybridSequential()
    net.add(nn.Conv2D(4, 3), nn.BatchNorm(), nn.MaxPool2D(), nn.Dense(2))
    net.initialize()
    assert_type(net(x), nd.NDArray)
    assert_type(net(mx.sym.var("data")), mx.sym.Symbol)
    assert_type(nn.Flatten()(np.ones((2, 3))), np.ndarray)
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    with autograd.record():
        loss = loss_of(net(x), y)
    assert_type(loss, nd.NDArray)
    assert_type(loss.mean(), nd.NDArray)
    metric = mx.metric.Accuracy()
    metric.update(y, net(x))
    assert_type(metric.get(), tuple[str, float])
    assert_type(mx.metric.create("acc"), mx.metric.EvalMetric)
    other = Net()
    other.initialize()
    assert_type(other(x), Any)


def check_steps(x: nd.NDArray) -> None:
    """Call a recurrent layer and a cell."""
    layer = rnn.LSTM(4)
    layer.initialize()
    assert_type(layer(x), nd.NDArray)
    assert_type(layer(x, layer.begin_state(2)), tuple[nd.NDArray, list[nd.NDArray]])
    cell = rnn.GRUCell(4)
    cell.initialize()
    assert_type(cell(x[0], cell.begin_state(2)), tuple[nd.NDArray, list[nd.NDArray]])


if __name__ == "__main__":
    check(nd.ones((2, 3, 8, 8)), nd.array([0, 1]))
    check_steps(nd.ones((5, 2, 3)))
