"""Clipping of gradients by their global norm, and updates with clipped gradients."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array import NDArray, wrap
from gluonish.array.scaling import by_norm, scale_
from gluonish.array.sparse import is_sparse
from gluonish.array.tensors import hold, writable
from gluonish.array.waiting import local, plain_class
from gluonish.errors import InvalidArgumentError, RefusedArgumentError
from gluonish.errors.tracebacks import users_level
from gluonish.gluon.loss_scaling import unscale_gradients

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.block import Parameter
    from gluonish.gluon.trainer import Trainer

__all__ = ["clip_global_norm"]


def clip_global_norm(
    arrays: Sequence[NDArray], max_norm: float, check_isfinite: bool = True
) -> Any:
    """Scale arrays in place so that the 2-norm of all their elements is at most `max_norm`.

    Parameters
    ----------
    arrays : list of NDArray
        Gradients; they may be on several contexts.
    max_norm : float
        Largest norm, 0 or more.
    check_isfinite : bool, default True
        Whether to look at the norm, which waits for the device. Without it the norm is returned
        as an array, and clipping may become a part of the step that `trainer.step()` ends.

    Returns
    -------
    float or NDArray, shape (1,)
        The norm before scaling.

    Raises
    ------
    RefusedArgumentError
        `arrays` is empty.
    InvalidArgumentError
        `max_norm` is negative or not a number.

    Warns
    -----
    UserWarning
        The norm is not finite (seen only with `check_isfinite`).

    Notes
    -----
    Scales by ``min(1, max_norm / (norm + 1e-8))``.

    Examples
    --------
    >>> import gluonish as mx
    >>> gradients = [mx.nd.array([3.0]), mx.nd.array([4.0])]
    >>> mx.gluon.utils.clip_global_norm(gradients, 1.0)
    5.0
    >>> [round(float(x.asscalar()), 4) for x in gradients]
    [0.6, 0.8]
    """
    if not len(arrays):
        msg = (
            "clip_global_norm: no array was given. Expected one or more. Write "
            "[p.grad() for p in net.collect_params().values() if p.grad_req != 'null']."
        )
        raise RefusedArgumentError(msg)
    if not max_norm >= 0:
        msg = (
            f"clip_global_norm: max_norm={max_norm} was given. Expected 0 or more. 1.0 is a "
            f"usual choice."
        )
        raise InvalidArgumentError(msg)
    arrays = [array.data if is_sparse(array) else array for array in arrays]
    if not check_isfinite:
        norm = wrap(torch.zeros(1), arrays[0].context, plain_class(arrays[0]))
        work = local.postponed
        if work is None or not work.scale(arrays, by_norm, float(max_norm), norm):
            hold(norm, _clip(arrays, max_norm))
        return norm
    number = _clip(arrays, max_norm).item()
    if not math.isfinite(number):
        warnings.warn(
            "nan or inf is detected. Clipping results will be undefined.", stacklevel=users_level()
        )
    return number


def _clip(arrays: Sequence[NDArray], max_norm: float) -> Tensor:
    tensors = [writable(array, "clip_global_norm") for array in arrays]
    norm = scale_(tensors, by_norm, max_norm)
    assert norm is not None  # noqa: S101 - for the type checker
    return norm


def step_clipped(
    trainer: Trainer, batch_size: float, max_norm: float, params: Sequence[Parameter]
) -> None:
    """Update by gradients that are clipped once they are summed over contexts.

    Parameters
    ----------
    trainer : Trainer
        Who updates.
    batch_size : int
        What gradients are divided by, afterwards.
    max_norm : float
        Largest norm of all gradients of a context together, before they are divided.
    params : list of Parameter
        Whose gradients are clipped, in the order in which their norms are added.

    Raises
    ------
    StoreUpdateError
        The store updates the weights: several contexts without `update_on_kvstore=False`.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.clipping import step_clipped
    >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    >>> net.initialize(mx.init.One())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
    >>> with mx.autograd.record():
    ...     loss = net(mx.nd.array([[8.]]))
    >>> loss.backward()
    >>> step_clipped(trainer, 1, 1.0, [net.weight])
    >>> print(net.weight.data().asnumpy())
    [[0.5]]
    """
    trainer.allreduce_grads()
    if trainer._amp_loss_scaler is not None:
        unscale_gradients(trainer)
    grads = [param.list_grad() for param in params if param.grad_req != "null"]
    for arrays in zip(*grads, strict=True):
        clip_global_norm(list(arrays), max_norm, check_isfinite=False)
    trainer.update(batch_size)
