"""Scaling of losses, so that gradients in half precision do not vanish."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import torch

from gluonish.array.core import wrap
from gluonish.array.sparse import is_sparse
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import plain
from gluonish.block.parameter_memory import attachments

if TYPE_CHECKING:
    from collections.abc import Iterable

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.block import Parameter
    from gluonish.gluon.trainer import Trainer

_log = logging.getLogger("gluonish.amp")


class LossScaler:
    """The factor on losses, which follows what the gradients bear.

    It starts at 65,536. After an update that infinite gradients have stopped it is halved, after
    2,000 good ones in a row doubled, up to 2 ** 24. As in MXNet 1.9.1 a new factor holds from the
    second step after the one that made it change, so that a step with too large a factor is
    followed by another one.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.contrib.amp.LossScaler().loss_scale
    65536.0
    """

    def __init__(self) -> None:
        self._loss_scale = 2.0**16
        self._next_loss_scale = self._loss_scale
        self._max_loss_scale = 2.0**24
        self._scale_seq_len = 2000
        self._unskipped = 0
        self.has_skipped = False
        """Whether the latest check found that an update must not take place."""

    @property
    def loss_scale(self) -> float:
        """The factor."""
        return self._loss_scale

    def has_overflow(self, params: Iterable[Parameter]) -> bool:
        """Return whether a gradient is infinite or NaN, and let the factor follow.

        Parameters
        ----------
        params : list of Parameter
            Whose gradients are looked at.
        """
        return self.follow(is_finite=_are_finite(params))

    def follow(self, *, is_finite: bool) -> bool:
        """Let the factor follow what a check of the gradients gave; return whether to skip."""
        self._loss_scale = self._next_loss_scale
        self.has_skipped = not is_finite
        if not is_finite:
            self._next_loss_scale = self._loss_scale / 2.0
            self._unskipped = 0
            _log.info("AMP: decreasing loss scale to %f", self._next_loss_scale)
            return True
        self._unskipped += 1
        if self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * 2.0)
            _log.info("AMP: increasing loss scale to %f", self._next_loss_scale)
        return False


def set_scale(trainer: Trainer, scaler: LossScaler) -> float:
    """Have a Trainer divide gradients by the factor on the loss; return that."""
    trainer._scale = trainer._amp_original_scale / scaler.loss_scale
    return scaler.loss_scale


def head_gradient(loss: NDArray, scale: float) -> NDArray:
    """Return the gradient from which that of a scaled loss is computed."""
    tensor = plain(loss)
    return wrap(torch.full_like(tensor, scale), loss.context, type(loss))


def unscale_gradients(trainer: Trainer) -> None:
    """Divide gradients by the factor that the loss had, once."""
    if trainer._scale != 1.0:
        for param in trainer._params:
            for buffer in _buffers(param):
                buffer.mul_(trainer._scale)
    trainer._scale = 1.0


def _are_finite(params: Iterable[Parameter]) -> bool:
    buffers = [buffer for param in params for buffer in _buffers(param)]
    if not buffers:
        return True
    device = buffers[0].device
    return bool(torch.stack([one.isfinite().all().to(device) for one in buffers]).all())


def _buffers(param: Parameter) -> list[Tensor]:
    """Return the memory of a parameter's gradients, on all contexts."""
    buffers = [gradient.buffer for gradient in attachments(param)]
    return [parts_of(one).values if is_sparse(one) else plain(one) for one in buffers]
