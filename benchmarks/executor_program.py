"""A training iteration with an Executor and arrays, as in 2016; `mx` is gluonish or MXNet."""

from __future__ import annotations

from typing import Any

import numpy as onp

__all__ = ["BATCH", "CLASSES", "FEATURES", "HIDDEN", "RATE", "ExecutorProgram", "batch", "weights"]

BATCH, FEATURES, HIDDEN, CLASSES = 100, 100, 128, 10
RATE = 0.1
_SEED = 20242


def batch() -> tuple[Any, Any]:
    """Return data and labels."""
    generator = onp.random.Generator(onp.random.PCG64(_SEED))
    data = generator.random((BATCH, FEATURES), "float32")
    return data, generator.integers(0, CLASSES, BATCH).astype("float32")


def weights() -> dict[str, Any]:
    """Return initial values by the names of the arguments."""
    generator = onp.random.Generator(onp.random.PCG64(_SEED + 1))
    shapes = {"fc1_weight": (HIDDEN, FEATURES), "fc2_weight": (CLASSES, HIDDEN)}
    found = {n: (generator.random(s, "float32") - 0.5) / 5 for n, s in shapes.items()}
    found["fc1_bias"], found["fc2_bias"] = onp.zeros(HIDDEN), onp.zeros(CLASSES)
    return found


class ExecutorProgram:
    """A perceptron that is trained by a loop over its arrays, the data among them.

    Parameters
    ----------
    mx : module
        gluonish or the real MXNet.
    """

    def __init__(self, mx: Any) -> None:  # noqa: ANN401
        net = mx.sym.Variable("data")
        net = mx.sym.FullyConnected(data=net, name="fc1", num_hidden=HIDDEN)
        net = mx.sym.Activation(data=net, name="relu1", act_type="relu")
        net = mx.sym.FullyConnected(data=net, name="fc2", num_hidden=CLASSES)
        net = mx.sym.SoftmaxOutput(data=net, name="out")
        self.executor = net.simple_bind(ctx=mx.cpu(), data=(BATCH, FEATURES))
        self.restart()

    def restart(self) -> None:
        """Give all arrays their initial values."""
        arrays = self.executor.arg_dict
        arrays["data"][:], arrays["out_label"][:] = batch()
        for name, values in weights().items():
            arrays[name][:] = values

    def step(self) -> Any:  # noqa: ANN401
        """Run an iteration, and return the probabilities."""
        executor = self.executor
        executor.forward(is_train=True)
        executor.backward()
        for weight, grad in zip(executor.arg_arrays, executor.grad_arrays, strict=True):
            weight[:] -= RATE * (grad / BATCH)
        return executor.outputs[0]
