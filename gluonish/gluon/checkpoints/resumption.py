"""What a checkpoint says of where the training was."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True)
class Resumption:
    """Where a training goes on.

    Attributes
    ----------
    path : str
        The checkpoint's file.
    epoch : int or None
        What was passed to `save`.
    batch : int or None
        Number of batches done of an epoch that was not finished.
    values : dict
        What else was passed to `save`.
    damaged : tuple of str
        Later checkpoints that are damaged, and were passed over.

    Examples
    --------
    >>> from gluonish.gluon import Resumption
    >>> Resumption('run/checkpoint-00000003.safetensors', 2).next_epoch
    3
    >>> Resumption('run/checkpoint-00000003.safetensors', 2, batch=50).next_epoch
    2
    """

    path: str
    epoch: int | None = None
    batch: int | None = None
    values: dict[str, Any] = field(default_factory=dict)
    damaged: tuple[str, ...] = ()

    @property
    def next_epoch(self) -> int:
        """The epoch to go on with: one that was not finished, or the one after the last."""
        if self.epoch is None:
            return 0
        return self.epoch if self.batch is not None else self.epoch + 1
