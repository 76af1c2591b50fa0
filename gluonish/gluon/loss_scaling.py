"""Scaling of losses, so that gradients in half precision do not vanish."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import torch

from gluonish.array.core import wrap
from gluonish.array.scaling import by_number, scale_
from gluonish.array.sparse import is_sparse
from gluonish.array.sparse_base import parts_of
from gluonish.array.tensors import held, plain
from gluonish.array.waiting import follow, is_waiting, local, plain_class
from gluonish.block.parameter_memory import attachments

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from torch import Tensor

    from gluonish.array import NDArray
    from gluonish.block import Parameter
    from gluonish.gluon.trainer import Trainer

__all__ = ["LossScaler"]

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

    def scaled(self, loss: NDArray) -> NDArray:
        """Return a loss times the factor; a loop that waits for it takes the factor as an array."""
        if not is_waiting(loss):
            return loss * self._loss_scale
        factor = wrap(torch.tensor(self._loss_scale), loss.context, plain_class(loss))
        result: NDArray = follow(_times, (loss, factor), {})
        return result

    def has_overflow(self, params: Iterable[Parameter]) -> bool:
        """Return whether a gradient is infinite or NaN, and let the factor follow.

        Parameters
        ----------
        params : list of Parameter
            Whose gradients are looked at.
        """
        return self.follow(is_finite=_have_finite_gradients(params))

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


def _times(loss: NDArray, factor: NDArray) -> NDArray:
    """Return a loss times a number in an array without axes, rounded once."""
    tensor, number = held(loss), held(factor)
    wide = tensor.float() if tensor.element_size() < 4 else tensor
    return wrap((wide * number).to(tensor.dtype), loss.context, type(loss))


def set_scale(trainer: Trainer, scaler: LossScaler) -> float:
    """Have a Trainer divide gradients by the factor on the loss; return that."""
    trainer._scale = trainer._amp_original_scale / scaler.loss_scale
    return scaler.loss_scale


def unscale_gradients(trainer: Trainer) -> None:
    """Divide gradients by the factor that the loss had, once."""
    scale = trainer._scale
    if scale != 1.0:
        arrays = [one.buffer for param in trainer._params for one in attachments(param)]
        work = local.postponed
        if work is None or not work.scale(arrays, by_number, scale, None):
            scale_([_memory_of(array) for array in arrays], by_number, scale)
    trainer._scale = 1.0


def _have_finite_gradients(params: Iterable[Parameter]) -> bool:
    return are_finite([buffer for param in params for buffer in _buffers(param)])


def are_finite(tensors: Sequence[Tensor]) -> bool:
    """Return whether all elements of tensors are finite."""
    if not tensors:
        return True
    device = tensors[0].device
    return bool(torch.stack([one.isfinite().all().to(device) for one in tensors]).all())


def _buffers(param: Parameter) -> list[Tensor]:
    """Return the memory of a parameter's gradients, on all contexts."""
    return [_memory_of(gradient.buffer) for gradient in attachments(param)]


def _memory_of(buffer: NDArray) -> Tensor:
    return parts_of(buffer).values if is_sparse(buffer) else plain(buffer)
