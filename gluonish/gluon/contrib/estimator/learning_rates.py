"""The learning-rate finder: losses while the rate rises, on a training that is taken back."""

from __future__ import annotations

import dataclasses
import itertools
import math
import tempfile
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.block.parameter import State
from gluonish.errors import InvalidArgumentError
from gluonish.gluon.checkpoints import Checkpoint, randomness

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gluonish.gluon.contrib.estimator.estimator import Estimator

_SMOOTHING = 0.9  # share of the mean loss that stays from batch to batch
_DIVERGED = 4.0  # times the least loss


@dataclasses.dataclass(frozen=True)
class LearningRates:
    """What a search for a learning rate found; `viz.plot_learning_rates` draws it.

    Attributes
    ----------
    rates : list of float
        The rates that were tried, rising.
    losses : list of float
        The mean loss at each, smoothed.
    suggestion : float
        The rate at which the loss fell fastest.
    """

    rates: list[float]
    losses: list[float]
    suggestion: float


def search(
    estimator: Estimator,
    train_data: Iterable[Any],
    smallest: float,
    largest: float,
    batches: int,
    batch_axis: int,
) -> LearningRates:
    """Train with rising rates, and take the training back.

    Examples
    --------
    See `Estimator.find_learning_rate`.
    """
    _check(smallest, largest, batches)
    trainer, stream = estimator.trainer, _endless(train_data)
    before = randomness.get_state()
    first = next(stream, None)
    randomness.set_state(before)  # who trains afterwards gets the same order of data
    if first is None:
        msg = (
            "Estimator.find_learning_rate: train_data gave no batch. Expected at least one. Give "
            "the DataLoader a dataset that is not empty."
        )
        raise InvalidArgumentError(msg)
    if any(param.state is State.DEFERRED for param in estimator.net.collect_params().values()):
        estimator.batch_processor.evaluate_batch(estimator, first, batch_axis)
    optimizer = trainer.optimizer
    schedule, rate = optimizer.lr_scheduler, optimizer.lr
    with tempfile.TemporaryDirectory() as folder:
        checkpoint = Checkpoint(folder, estimator.net, trainer)
        checkpoint.save()
        try:
            optimizer.lr_scheduler = None
            found = _losses(estimator, itertools.chain([first], stream), batch_axis,
                            onp.geomspace(smallest, largest, batches))  # fmt: skip
        finally:
            optimizer.lr_scheduler, optimizer.lr = schedule, rate
            checkpoint.restore()
            optimizer.lr_scheduler, optimizer.lr = schedule, rate
    rates, losses = [pair[0] for pair in found], [pair[1] for pair in found]
    return LearningRates(rates, losses, _suggestion(rates, losses))


def _losses(
    estimator: Estimator, stream: Iterator[Any], batch_axis: int, rates: Iterable[float]
) -> list[tuple[float, float]]:
    """Return rates and smoothed losses, until these have grown far."""
    found: list[tuple[float, float]] = []
    mean = 0.0
    for count, (rate, batch) in enumerate(zip(rates, stream, strict=False), 1):
        estimator.trainer.set_learning_rate(float(rate))
        *_, losses = estimator.batch_processor.fit_batch(estimator, batch, batch_axis)
        parts = losses if isinstance(losses, (list, tuple)) else [losses]
        samples = sum(part.size for part in parts)
        loss = sum(float(part.sum().asscalar()) for part in parts) / samples
        mean = _SMOOTHING * mean + (1 - _SMOOTHING) * loss
        smooth = mean / (1 - _SMOOTHING**count)
        least = min((value for _, value in found), default=math.inf)
        if not math.isfinite(smooth) or smooth > _DIVERGED * least:
            break
        found.append((float(rate), smooth))
        estimator.trainer.step(sum(part.shape[0] if part.shape else 1 for part in parts))
    if len(found) < 2:
        msg = (
            "Estimator.find_learning_rate: the loss is not finite, or grew fourfold, at once. "
            "Expected it to be finite at the smallest rate. Give a smaller one, smallest=1e-8, or "
            "look at the data for NaN."
        )
        raise InvalidArgumentError(msg)
    return found


def _endless(data: Iterable[Any]) -> Iterator[Any]:
    while True:
        batch = None
        for batch in data:
            yield batch
        if batch is None:
            return


def _suggestion(rates: list[float], losses: list[float]) -> float:
    """Return the rate at which the loss falls fastest, over the logarithm of rates."""
    slopes = onp.gradient(onp.array(losses), onp.log(rates))
    return rates[int(slopes.argmin())]


def _check(smallest: float, largest: float, batches: int) -> None:
    if not 0 < smallest < largest:
        msg = (
            f"Estimator.find_learning_rate: smallest={smallest!r} and largest={largest!r} were "
            f"given. Expected 0 < smallest < largest. Leave both out for 1e-6 and 1."
        )
        raise InvalidArgumentError(msg)
    if not isinstance(batches, int) or batches < 10:
        msg = (
            f"Estimator.find_learning_rate: batches={batches!r} was given. Expected a whole number "
            f"of at least 10: a rate is tried with each. Leave it out for 100."
        )
        raise InvalidArgumentError(msg)
