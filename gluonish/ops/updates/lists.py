"""Operators for one update of many weights by SGD; states change in place."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import op
from gluonish.ops.updates.rules import sgd_

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.ops.updates.foreach import Rates


@op(nd="multi_sgd_update", outputs=0)
def multi_sgd_update(
    *data: Tensor,
    lrs: Sequence[float],
    wds: Sequence[float],
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several weights after one update of SGD.

    Parameters
    ----------
    *data : Tensor
        A weight and its gradient, the next weight and its gradient, and so on.
    lrs, wds : tuple of float
        Learning rate and weight decay of each weight, per update.
    rescale_grad : float, default 1.0
        Factor on all gradients.
    clip_gradient : float, default -1.0
        Each element of a gradient is kept within this bound; no bound below 0.
    num_weights : int, optional
        How many weights there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, v = mx.nd.ones((1,)), mx.nd.ones((2,))
    >>> _ = mx.nd.multi_sgd_update(w, w, v, v, lrs=(0.5, 0.25), wds=(0, 0), out=[w, v])
    >>> print(w.asnumpy(), v.asnumpy())
    [0.5] [0.75 0.75]
    """
    weights, grads = columns("multi_sgd_update", data, 2, num_weights)
    rates = per_weight("multi_sgd_update", len(weights), lrs=lrs, wds=wds)
    return _sgd(weights, grads, [], rates, 0.0, rescale_grad, clip_gradient)


@op(nd="multi_sgd_mom_update", outputs=0)
def multi_sgd_mom_update(
    *data: Tensor,
    lrs: Sequence[float],
    wds: Sequence[float],
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several weights after one update of SGD with momentum.

    Parameters
    ----------
    *data : Tensor
        A weight, its gradient and its momentum, which changes in place; the same of the next
        weight, and so on.
    lrs, wds : tuple of float
        Learning rate and weight decay of each weight, per update.
    momentum : float, default 0.0
        Share of the old momentum in the new one.
    rescale_grad : float, default 1.0
        Factor on all gradients.
    clip_gradient : float, default -1.0
        Each element of a gradient is kept within this bound; no bound below 0.
    num_weights : int, optional
        How many weights there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, m = mx.nd.ones((1,)), mx.nd.zeros((1,))
    >>> mx.nd.multi_sgd_mom_update(w, w, m, lrs=(0.5,), wds=(0,), momentum=0.9).asnumpy()
    array([0.5], dtype=float32)
    """
    weights, grads, momenta = columns("multi_sgd_mom_update", data, 3, num_weights)
    rates = per_weight("multi_sgd_mom_update", len(weights), lrs=lrs, wds=wds)
    return _sgd(weights, grads, momenta, rates, momentum, rescale_grad, clip_gradient)


@op(nd="multi_mp_sgd_update", outputs=0)
def multi_mp_sgd_update(
    *data: Tensor,
    lrs: Sequence[float],
    wds: Sequence[float],
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several half-precision weights after one update of SGD on their float32 copies.

    Parameters
    ----------
    *data : Tensor
        A weight, its gradient and its float32 copy, which changes in place; the same of the next
        weight, and so on.
    lrs, wds, rescale_grad, clip_gradient, num_weights
        As in `multi_sgd_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w = mx.nd.ones((1,))
    >>> half = w.astype('float16')
    >>> mx.nd.multi_mp_sgd_update(half, half, w, lrs=(0.5,), wds=(0,)).asnumpy()
    array([0.5], dtype=float16)
    """
    weights, grads, masters = columns("multi_mp_sgd_update", data, 3, num_weights)
    rates = per_weight("multi_mp_sgd_update", len(weights), lrs=lrs, wds=wds)
    return _sgd(weights, grads, [], rates, 0.0, rescale_grad, clip_gradient, masters)


@op(nd="multi_mp_sgd_mom_update", outputs=0)
def multi_mp_sgd_mom_update(
    *data: Tensor,
    lrs: Sequence[float],
    wds: Sequence[float],
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several half-precision weights after SGD with momentum on their float32 copies.

    Parameters
    ----------
    *data : Tensor
        A weight, its gradient, its momentum and its float32 copy, the last two of which change in
        place; the same of the next weight, and so on.
    lrs, wds, momentum, rescale_grad, clip_gradient, num_weights
        As in `multi_sgd_mom_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, m = mx.nd.ones((1,)), mx.nd.zeros((1,))
    >>> half = w.astype('float16')
    >>> mx.nd.multi_mp_sgd_mom_update(half, half, m, w, lrs=(0.5,), wds=(0,)).asnumpy()
    array([0.5], dtype=float16)
    """
    weights, grads, momenta, masters = columns("multi_mp_sgd_mom_update", data, 4, num_weights)
    rates = per_weight("multi_mp_sgd_mom_update", len(weights), lrs=lrs, wds=wds)
    return _sgd(weights, grads, momenta, rates, momentum, rescale_grad, clip_gradient, masters)


@op(nd="preloaded_multi_sgd_update", outputs=0)
def preloaded_multi_sgd_update(
    *data: Tensor,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several weights after one update of SGD, whose rates are arrays.

    Parameters
    ----------
    *data : Tensor
        As in `multi_sgd_update`; then an array of learning rates and one of weight decays.
    rescale_grad, clip_gradient, num_weights
        As in `multi_sgd_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, lrs, wds = mx.nd.ones((1,)), mx.nd.array([0.5]), mx.nd.array([0])
    >>> mx.nd.preloaded_multi_sgd_update(w, w, lrs, wds).asnumpy()
    array([0.5], dtype=float32)
    """
    (weights, grads), rates = _preloaded("preloaded_multi_sgd_update", data, 2, num_weights)
    return _sgd(weights, grads, [], rates, 0.0, rescale_grad, clip_gradient)


@op(nd="preloaded_multi_sgd_mom_update", outputs=0)
def preloaded_multi_sgd_mom_update(
    *data: Tensor,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several weights after one update of SGD with momentum, whose rates are arrays.

    Parameters
    ----------
    *data : Tensor
        As in `multi_sgd_mom_update`; then an array of learning rates and one of weight decays.
    momentum, rescale_grad, clip_gradient, num_weights
        As in `multi_sgd_mom_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, m, lrs, wds = mx.nd.ones((1,)), mx.nd.zeros((1,)), mx.nd.array([0.5]), mx.nd.array([0])
    >>> mx.nd.preloaded_multi_sgd_mom_update(w, w, m, lrs, wds, momentum=0.9).asnumpy()
    array([0.5], dtype=float32)
    """
    found, rates = _preloaded("preloaded_multi_sgd_mom_update", data, 3, num_weights)
    weights, grads, momenta = found
    return _sgd(weights, grads, momenta, rates, momentum, rescale_grad, clip_gradient)


@op(nd="preloaded_multi_mp_sgd_update", outputs=0)
def preloaded_multi_mp_sgd_update(
    *data: Tensor,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several half-precision weights after one update of SGD, whose rates are arrays.

    Parameters
    ----------
    *data : Tensor
        As in `multi_mp_sgd_update`; then an array of learning rates and one of weight decays.
    rescale_grad, clip_gradient, num_weights
        As in `multi_sgd_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, lrs, wds = mx.nd.ones((1,)), mx.nd.array([0.5]), mx.nd.array([0])
    >>> half = w.astype('float16')
    >>> mx.nd.preloaded_multi_mp_sgd_update(half, half, w, lrs, wds).asnumpy()
    array([0.5], dtype=float16)
    """
    found, rates = _preloaded("preloaded_multi_mp_sgd_update", data, 3, num_weights)
    weights, grads, masters = found
    return _sgd(weights, grads, [], rates, 0.0, rescale_grad, clip_gradient, masters)


@op(nd="preloaded_multi_mp_sgd_mom_update", outputs=0)
def preloaded_multi_mp_sgd_mom_update(
    *data: Tensor,
    momentum: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    num_weights: int | None = None,
) -> Tensor | list[Tensor]:
    """Return several half-precision weights after SGD with momentum, whose rates are arrays.

    Parameters
    ----------
    *data : Tensor
        As in `multi_mp_sgd_mom_update`; then an array of learning rates and one of weight decays.
    momentum, rescale_grad, clip_gradient, num_weights
        As in `multi_sgd_mom_update`.

    Examples
    --------
    >>> import gluonish as mx
    >>> w, m, lrs, wds = mx.nd.ones((1,)), mx.nd.zeros((1,)), mx.nd.array([0.5]), mx.nd.array([0])
    >>> half = w.astype('float16')
    >>> mx.nd.preloaded_multi_mp_sgd_mom_update(half, half, m, w, lrs, wds).asnumpy()
    array([0.5], dtype=float16)
    """
    found, rates = _preloaded("preloaded_multi_mp_sgd_mom_update", data, 4, num_weights)
    weights, grads, momenta, masters = found
    return _sgd(weights, grads, momenta, rates, momentum, rescale_grad, clip_gradient, masters)


def _sgd(
    weights: list[Tensor],
    grads: list[Tensor],
    momenta: list[Tensor],
    rates: Sequence[Rates],
    momentum: float,
    scale: float,
    clip: float,
    masters: list[Tensor] | None = None,
) -> Tensor | list[Tensor]:
    """Return updated weights; momenta and float32 copies change in place."""
    lrs, wds = rates
    factors: dict[str, Rates] = {"lr": lrs, "scale": [scale] * len(weights), "wd": wds}
    if masters is None:
        updated = [weight.clone() for weight in weights]
    else:
        updated = [master.detach() for master in masters]
        grads = [grad.float() for grad in grads]
    states = [[state.detach() for state in momenta]] if momenta else []
    sgd_(updated, grads, states, factors, momentum=momentum, clip=clip)
    return as_given([new.to(old.dtype) for new, old in zip(updated, weights, strict=True)])


def _preloaded(
    name: str, data: Sequence[Tensor], width: int, told: int | None
) -> tuple[list[list[Tensor]], list[Rates]]:
    """Return columns, and learning rates and weight decays, which come last."""
    found = columns(name, data[:-2], width, told)
    rates: list[Rates] = []
    for what, one in zip(("learning rates", "weight decays"), data[-2:], strict=True):
        if one.numel() != len(found[0]):
            _refuse_count(name, what, one.numel(), len(found[0]))
        rates.append(list(one.detach().reshape(-1).unbind()))
    return found, rates


def columns(name: str, data: Sequence[Tensor], width: int, told: int | None) -> list[list[Tensor]]:
    """Return weights, gradients and so on of arrays that are given weight by weight.

    Raises
    ------
    InvalidArgumentError
        Their number is not a multiple of `width`, or not what the caller has told.
    """
    count, rest = divmod(len(data), width)
    if rest or not count or (told is not None and told != count):
        expected = "a multiple of that" if told is None else f"num_weights={told} times as many"
        msg = (
            f"{name}: {len(data)} arrays were given beside the rates. Expected {width} for each "
            f"weight, {expected}. Pass weight, gradient and states of one weight after the other."
        )
        raise InvalidArgumentError(msg)
    return [list(data[start::width]) for start in range(width)]


def per_weight(name: str, count: int, **numbers: float | Sequence[float]) -> list[list[float]]:
    """Return lists of one number for each weight.

    Raises
    ------
    InvalidArgumentError
        There are more or fewer.
    """
    found = []
    for what, given in numbers.items():
        values = [given] if isinstance(given, (int, float)) else list(given)
        if len(values) != count:
            _refuse_count(name, what, len(values), count)
        found.append([float(value) for value in values])
    return found


def as_given(updated: list[Tensor]) -> Tensor | list[Tensor]:
    """Return a list, or the tensor alone where there is one."""
    return updated if len(updated) > 1 else updated[0]


def _refuse_count(name: str, what: str, given: int, expected: int) -> None:
    msg = (
        f"{name}: {given} {what} were given for {expected} weights. Expected one for each. Pass "
        f"{expected} numbers."
    )
    raise InvalidArgumentError(msg)
