"""A user's training program, which `mypy --strict` accepts."""

from __future__ import annotations

import gluonish as mx
from gluonish import autograd, gluon, init, nd
from gluonish.gluon import nn
from gluonish.gluon.data import ArrayDataset, DataLoader


def train(epochs: int, ctx: mx.Context) -> dict[str, list[float]]:
    """Train a perceptron; return the mean loss of each epoch."""
    features = nd.random.normal(shape=(64, 4), ctx=ctx)
    labels = nd.sum(features, axis=1) > 0
    loader = DataLoader(ArrayDataset(features, labels), batch_size=16, shuffle=True)
    net = nn.HybridSequential()
    net.add(nn.Dense(8, activation="relu"), nn.Dropout(0.1), nn.Dense(2))
    net.initialize(init.Xavier(), ctx=ctx)
    net.hybridize()
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    history: dict[str, list[float]] = {"train loss": []}
    for _ in range(epochs):
        total = 0.0
        for x, y in loader:
            with autograd.record():
                loss = loss_of(net(x), y)
            loss.backward()
            trainer.step(x.shape[0])
            total += float(loss.mean().asscalar())
        history["train loss"].append(total / len(loader))
    return history


if __name__ == "__main__":
    mx.viz.plot_history(train(3, mx.cpu()), "history.png")
