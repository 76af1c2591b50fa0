"""The same programs by hand in PyTorch: eager, with a compiled model, and as one compiled step."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.func import functional_call, grad_and_value
from torch.nn.functional import cross_entropy

from benchmarks import nets_torch
from benchmarks.gluon_program import LEARNING_RATE

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.workloads import Workload

__all__ = ["TorchProgram", "WholeStep"]


class TorchProgram:
    """A model for predictions, another one for training, data, loss and optimizer.

    Two models, so that neither pays for guards that tell training from prediction.

    Parameters
    ----------
    workload : Workload
        What to run.
    device : str
        Where to run it.
    convert : callable, optional
        What becomes of a model before it runs; `torch.compile`.
    layout : {'plain', 'channels last'}
        How pictures and weights of convolutions lie in memory.
    """

    def __init__(
        self,
        workload: Workload,
        device: str,
        convert: Callable[[torch.nn.Module], Callable[[Tensor], Tensor]] | None = None,
        layout: str = "plain",
    ) -> None:
        data, labels = (torch.from_numpy(array).to(device) for array in workload.batch())
        self.data, self.labels = (data.long() if workload.ids else data), labels.long()
        self.model, self.predictor = _model(workload, device), _model(workload, device).eval()
        if layout == "channels last":
            self.model.to(memory_format=torch.channels_last)
            self.predictor.to(memory_format=torch.channels_last)
            if self.data.dim() == 4:
                self.data = self.data.to(memory_format=torch.channels_last)
        self._values = [param.detach().clone() for param in self.model.parameters()]
        convert = convert or (lambda model: model)
        self._train, self._predict = convert(self.model), convert(self.predictor)
        self._optimizer = torch.optim.SGD(self.model.parameters(), lr=LEARNING_RATE)
        self._loss = torch.nn.CrossEntropyLoss()

    def restart(self) -> None:
        """Give the parameters their initial values."""
        for param, value in zip(self.model.parameters(), self._values, strict=True):
            param.detach().copy_(value)

    def forward(self) -> Tensor:
        """Return the model's output; the caller switches gradients off, once for many calls."""
        return self._predict(self.data)

    def step(self) -> Tensor:
        """Run a training step, and return the mean loss of the batch."""
        self._optimizer.zero_grad()
        loss = self._loss(self._train(self.data), self.labels)
        loss.backward()
        self._optimizer.step()
        return loss


class WholeStep:
    """Forward, loss, gradients and update under one `torch.compile`.

    `loss.backward()` and an optimizer's `step` break a compiled graph, so this is written with
    `torch.func`, as a person has to who wants one graph. `torch.nn.LSTM` cannot be traced so; a
    model that has one gets the plain step under `torch.compile`, which breaks where it must.
    """

    def __init__(self, workload: Workload, device: str) -> None:
        program = TorchProgram(workload, device)
        self.restart = program.restart
        if any(isinstance(module, torch.nn.RNNBase) for module in program.model.modules()):
            self.step = torch.compile(program.step)
            return
        compiled = torch.compile(_whole_step(program.model), fullgraph=True)
        data, labels = program.data, program.labels
        self.step = lambda: compiled(data, labels)


def _whole_step(model: torch.nn.Module) -> Callable[[Tensor, Tensor], Tensor]:
    values = {name: param.detach() for name, param in model.named_parameters()}
    buffers = dict(model.named_buffers())

    def objective(
        values: dict[str, Tensor], buffers: dict[str, Tensor], data: Tensor, labels: Tensor
    ) -> Tensor:
        return cross_entropy(functional_call(model, (values, buffers), (data,)), labels)

    def step(data: Tensor, labels: Tensor) -> Tensor:
        gradients, loss = grad_and_value(objective)(values, buffers, data, labels)
        for name, value in values.items():
            value.sub_(gradients[name], alpha=LEARNING_RATE)
        return loss

    return step


def _model(workload: Workload, device: str) -> torch.nn.Module:
    model = getattr(nets_torch, workload.net)(**workload.sizes)
    params = list(model.parameters())
    with torch.no_grad():
        for param, value in zip(
            params, workload.values([tuple(p.shape) for p in params]), strict=True
        ):
            param.copy_(torch.from_numpy(value))
    return model.to(device)
