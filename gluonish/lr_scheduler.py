"""`mx.lr_scheduler`: learning rates that change with the number of updates."""

from __future__ import annotations

import logging
import math
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.array.guises import plain_number
from gluonish.errors import (
    ArgumentKindError,
    InvalidArgumentError,
    MissingMethodError,
    ParameterError,
    RefusedArgumentError,
)
from gluonish.errors.arguments import value_text
from gluonish.errors.program_arguments import keyword
from gluonish.errors.suggestions import with_hints

if TYPE_CHECKING:
    from collections.abc import Sequence

__all__ = [
    "CosineScheduler",
    "FactorScheduler",
    "LRScheduler",
    "MultiFactorScheduler",
    "PolyScheduler",
]

_log = logging.getLogger()  # MXNet logs to the root, where programs look for it


@with_hints
class LRScheduler:
    """Base of the schedules: a callable from the number of updates to the learning rate.

    Parameters
    ----------
    base_lr : float, default 0.01
        Learning rate after the warm-up.
    warmup_steps : int, default 0
        Number of updates during which the rate rises to `base_lr`.
    warmup_begin_lr : float, default 0
        Learning rate at the first update.
    warmup_mode : {'linear', 'constant'}, default 'linear'
        Whether it rises step by step, or stays at `warmup_begin_lr` until the warm-up ends.

    Raises
    ------
    InvalidArgumentError
        An argument is out of range.

    Examples
    --------
    >>> import gluonish as mx
    >>> schedule = mx.lr_scheduler.FactorScheduler(step=2, factor=0.5, base_lr=1.0)
    >>> [schedule(n) for n in (1, 3, 5)]
    [1.0, 0.5, 0.25]
    """

    def __init__(
        self,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        self.base_lr: float = plain_number(base_lr)
        self.warmup_steps = warmup_steps
        self.warmup_begin_lr: float = plain_number(warmup_begin_lr)
        self.warmup_final_lr: float = self.base_lr
        self.warmup_mode = warmup_mode
        _require_integer(self, "warmup_steps", warmup_steps)
        _require(self, warmup_steps >= 0, "warmup_steps", warmup_steps, "0 or more")
        _require(
            self,
            warmup_begin_lr <= base_lr,
            "warmup_begin_lr",
            warmup_begin_lr,
            f"at most {base_lr}",
        )
        _require(
            self,
            warmup_mode in ("linear", "constant"),
            "warmup_mode",
            warmup_mode,
            "'linear' or 'constant'",
        )

    def get_warmup_lr(self, num_update: int) -> float:
        """Return the learning rate during the warm-up."""
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        rise = self.warmup_final_lr - self.warmup_begin_lr
        return self.warmup_begin_lr + rise * float(num_update) / self.warmup_steps

    def __call__(self, num_update: int) -> float:
        """Return the learning rate for the next update after `num_update`."""
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        return self.scheduled(num_update)

    def scheduled(self, num_update: int) -> float:
        """Return the learning rate after the warm-up; defined by subclasses.

        Raises
        ------
        MissingMethodError
            A subclass defines neither this nor `__call__`.
        """
        msg = (
            f"{type(self).__name__}: it has no learning rate for update {num_update}. Expected a "
            f"subclass of LRScheduler that defines __call__(self, num_update)."
        )
        raise MissingMethodError(msg)


class FactorScheduler(LRScheduler):
    """Multiplies the rate by a factor every so many updates.

    Parameters
    ----------
    step : int
        Number of updates between two changes, 1 or more.
    factor : float, default 1
        What the rate is multiplied by, at most 1.
    stop_factor_lr : float, default 1e-8
        The rate goes no lower.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.lr_scheduler.FactorScheduler(step=10, factor=0.1, base_lr=1.0)(11)
    0.1
    """

    def __init__(
        self,
        step: int,
        factor: float = 1,
        stop_factor_lr: float = 1e-8,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        several: object = step
        if isinstance(several, (list, tuple)):
            msg = (
                f"FactorScheduler: step={several} was given. Expected one number of updates, after "
                f"each of which the rate falls. For several times write "
                f"mx.lr_scheduler.MultiFactorScheduler(step={[*several]}, factor={factor})."
            )
            raise ArgumentKindError(msg)
        _require(self, step >= 1, "step", step, "1 or more")
        _require(self, factor <= 1, "factor", factor, "at most 1, so that the rate falls")
        self.step = step
        self.factor: float = plain_number(factor)
        self.stop_factor_lr = stop_factor_lr
        self.count = 0

    @override
    def scheduled(self, num_update: int) -> float:
        """Return the learning rate after the warm-up."""
        while num_update > self.count + self.step:
            self.count += self.step
            self.base_lr *= self.factor
            if self.base_lr < self.stop_factor_lr:
                self.base_lr = self.stop_factor_lr
                _log.info(
                    "Update[%d]: now learning rate arrived at %0.5e, will not change in the future",
                    num_update,
                    self.base_lr,
                )
            else:
                _say_changed(num_update, self.base_lr)
        return self.base_lr


class MultiFactorScheduler(LRScheduler):
    """Multiplies the rate by a factor after given numbers of updates.

    Parameters
    ----------
    step : list of int
        After how many updates, increasing.
    factor : float, default 1
        What the rate is multiplied by, at most 1.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Examples
    --------
    >>> import gluonish as mx
    >>> schedule = mx.lr_scheduler.MultiFactorScheduler([2, 4], factor=0.5, base_lr=1.0)
    >>> [schedule(n) for n in (2, 3, 5)]
    [1.0, 0.5, 0.25]
    """

    def __init__(
        self,
        step: Sequence[int],
        factor: float = 1,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if not isinstance(step, (list, tuple)) or not step:
            example = [step] if isinstance(step, int) else [1000, 2000]
            msg = (
                f"MultiFactorScheduler: step={step!r} was given. Expected a list of at least one "
                f"number of updates. Write step={example}."
            )
            raise ParameterError(msg)
        for before, after in zip((0, *step), step, strict=False):
            _require(
                self, after > before, "step", list(step), "an increasing list of integers from 1"
            )
        _require(self, factor <= 1, "factor", factor, "at most 1, so that the rate falls")
        self.step = list(step)
        self.cur_step_ind = 0
        self.factor: float = plain_number(factor)
        self.count = 0

    @override
    def scheduled(self, num_update: int) -> float:
        """Return the learning rate after the warm-up."""
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            self.base_lr *= self.factor
            _say_changed(num_update, self.base_lr)
        return self.base_lr


class PolyScheduler(LRScheduler):
    """Lets the rate fall as a power of what is left of the training.

    Parameters
    ----------
    max_update : int
        Number of updates after which the rate stays at `final_lr`.
    base_lr : float, default 0.01
        Learning rate after the warm-up.
    pwr : int, default 2
        The power.
    final_lr : float, default 0
        Learning rate at the end.
    warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.lr_scheduler.PolyScheduler(max_update=10, base_lr=1.0)(5)
    0.25
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        pwr: int = 2,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        _require_integer(self, "max_update", max_update)
        _require(self, max_update >= 1, "max_update", max_update, "1 or more")
        self.power = pwr
        self.base_lr_orig = self.base_lr
        self.max_update = max_update
        self.final_lr: float = plain_number(final_lr)
        self.max_steps = max_update - warmup_steps

    @override
    def scheduled(self, num_update: int) -> float:
        """Return the learning rate after the warm-up."""
        if num_update <= self.max_update:
            left = 1 - float(num_update - self.warmup_steps) / self.max_steps
            self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * left**self.power
        return self.base_lr


class CosineScheduler(LRScheduler):
    """Lets the rate fall along half a period of the cosine.

    Parameters
    ----------
    max_update : int
        Number of updates after which the rate stays at `final_lr`.
    base_lr : float, default 0.01
        Learning rate after the warm-up.
    final_lr : float, default 0
        Learning rate at the end.
    warmup_steps, warmup_begin_lr, warmup_mode
        See `LRScheduler`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.lr_scheduler.CosineScheduler(max_update=10, base_lr=1.0)(5)
    0.5
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        _require_integer(self, "max_update", max_update)
        _require(self, max_update >= 1, "max_update", max_update, "1 or more")
        self.base_lr_orig = self.base_lr
        self.max_update = max_update
        self.final_lr: float = plain_number(final_lr)
        self.max_steps = max_update - warmup_steps

    @override
    def scheduled(self, num_update: int) -> float:
        """Return the learning rate after the warm-up."""
        if num_update <= self.max_update:
            done = float(num_update - self.warmup_steps) / self.max_steps
            height = (1 + math.cos(math.pi * done)) / 2
            self.base_lr = self.final_lr + (self.base_lr_orig - self.final_lr) * height
        return self.base_lr


def _say_changed(num_update: int, rate: float) -> None:
    _log.info("Update[%d]: Change learning rate to %0.5e", num_update, rate)


def _require_integer(schedule: LRScheduler, name: str, value: object) -> None:
    if not isinstance(value, int):
        msg = (
            f"{type(schedule).__name__}: {name}={value_text(value)} was given. Expected an "
            f"integer. Schedules count updates: write {name}=1000, for example."
        )
        raise RefusedArgumentError(msg)


def _require(schedule: LRScheduler, holds: bool, name: str, value: object, expected: str) -> None:
    if not holds:
        given = f"{name}={value!r} was given"
        how = f"Correct {name}"
        if name == "step":
            least = f"step=max(1, {keyword('step') or 'n'})"
            how = f"Schedules count updates: write step=1000, for example, or {least}"
        if isinstance(value, list) and min(value, default=0) > 0:
            how = f"Write {name}={sorted(set(value))}"
        elif name == "factor":
            part = 1 / value if isinstance(value, (int, float)) and value > 1 else 0.5
            how = (
                f"Write factor={part:.3g}, which is what the rate is multiplied by; "
                f"warmup_steps=100 lets it rise first"
            )
        msg = f"{type(schedule).__name__}: {given}. Expected {expected}. {how}."
        raise InvalidArgumentError(msg)
