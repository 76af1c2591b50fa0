"""A Gluon program that runs a workload; the same text under gluonish and the real MXNet."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from benchmarks import nets_gluon

if TYPE_CHECKING:
    from benchmarks.workloads import Workload

__all__ = ["LEARNING_RATE", "GluonProgram"]

LEARNING_RATE = 0.002


class GluonProgram:
    """A net with its data, loss and trainer.

    Parameters
    ----------
    mx : module
        gluonish or the real MXNet.
    workload : Workload
        What to run.
    ctx : Context
        Where to run it.
    """

    def __init__(self, mx: Any, workload: Workload, ctx: Any) -> None:  # noqa: ANN401
        data, labels = workload.batch()
        self.data, self.labels = mx.nd.array(data, ctx=ctx), mx.nd.array(labels, ctx=ctx)
        self.batch_size = workload.labels
        self.net = getattr(nets_gluon, workload.net)(mx, **workload.sizes)
        self.net.initialize(ctx=ctx)
        self.net(self.data)
        self._params = [p for p in self.net.collect_params().values() if p.grad_req != "null"]
        values = workload.values([param.shape for param in self._params])
        self._values = [mx.nd.array(value, ctx=ctx) for value in values]
        self.restart()
        self.loss = mx.gluon.loss.SoftmaxCrossEntropyLoss()
        self.trainer = mx.gluon.Trainer(
            self.net.collect_params(), "sgd", {"learning_rate": LEARNING_RATE}
        )
        self._record = mx.autograd.record

    def hybridize(self) -> None:
        """Hybridize net and loss."""
        self.net.hybridize()
        self.loss.hybridize()

    def restart(self) -> None:
        """Give the parameters their initial values."""
        for param, value in zip(self._params, self._values, strict=True):
            param.set_data(value)

    def forward(self) -> Any:  # noqa: ANN401
        """Return the net's output, in prediction mode."""
        return self.net(self.data)

    def step(self) -> Any:  # noqa: ANN401
        """Run a training step, and return the losses of the batch."""
        with self._record():
            loss = self.loss(self.net(self.data), self.labels)
        loss.backward()
        self.trainer.step(self.batch_size)
        return loss
