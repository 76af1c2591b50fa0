"""The same training iteration by hand in PyTorch; the data stay as they are."""

from __future__ import annotations

import torch
from torch.nn.functional import cross_entropy, linear

from benchmarks.executor_program import BATCH, RATE, batch, weights

__all__ = ["TorchIteration"]


class TorchIteration:
    """A perceptron that is trained by a loop over its parameters."""

    def __init__(self) -> None:
        data, labels = batch()
        self._data, self._labels = torch.from_numpy(data), torch.from_numpy(labels).long()
        self._weights: dict[str, torch.Tensor] = {}
        self.restart()

    def restart(self) -> None:
        """Give the parameters their initial values."""
        self._weights = {
            name: torch.from_numpy(values).float().requires_grad_()
            for name, values in weights().items()
        }

    def step(self) -> torch.Tensor:
        """Run an iteration, and return the scores."""
        own = self._weights
        hidden = torch.relu(linear(self._data, own["fc1_weight"], own["fc1_bias"]))
        scores = linear(hidden, own["fc2_weight"], own["fc2_bias"])
        for weight in own.values():
            weight.grad = None
        cross_entropy(scores, self._labels, reduction="sum").backward()
        with torch.no_grad():
            for weight in own.values():
                weight -= RATE * (weight.grad / BATCH)
        return scores
