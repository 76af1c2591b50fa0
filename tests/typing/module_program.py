"""A user's program on graphs and arrays, which `mypy --strict` accepts."""

from __future__ import annotations

import numpy as onp

import gluonish as mx


def network() -> mx.sym.Symbol:
    """Return a perceptron."""
    data = mx.sym.Variable("data")
    hidden = mx.sym.FullyConnected(data, name="fc1", num_hidden=8)
    hidden = mx.sym.Activation(hidden, act_type="relu")
    scores = mx.sym.FullyConnected(hidden, num_hidden=2)
    outputs: mx.sym.Symbol = mx.sym.SoftmaxOutput(scores, name="softmax")
    return outputs


def accuracy() -> float:
    """Train for two epochs."""
    x = onp.random.default_rng(0).uniform(-1, 1, (64, 4)).astype("float32")
    y = (x.sum(axis=1) > 0).astype("float32")
    batches = mx.io.NDArrayIter(x, y, batch_size=16, shuffle=True)
    module = mx.mod.Module(network(), context=mx.cpu())
    module.fit(batches, optimizer="sgd", optimizer_params={"learning_rate": 0.1}, num_epoch=2)
    score = module.score(batches, mx.metric.Accuracy())
    return float(score[0][1])


if __name__ == "__main__":
    mx.log.get_logger("program", level=mx.log.INFO).info("accuracy %s", accuracy())
