"""Automatic mixed precision: which operators compute in half precision, and scaled losses."""

from __future__ import annotations

import contextlib
import logging
from typing import TYPE_CHECKING, Any

import torch

from gluonish.array.dtypes import numpy_dtype
from gluonish.contrib.amp import casting
from gluonish.contrib.amp.choices import lists_of, with_own
from gluonish.contrib.amp.convert import convert_hybrid_block, convert_model, convert_symbol
from gluonish.contrib.amp.lists import symbol_bf16, symbol_fp16
from gluonish.errors import (
    DTypeError,
    MissingScalerError,
    RefusedArgumentError,
)
from gluonish.gluon import Trainer
from gluonish.gluon.loss_scaling import LossScaler, set_scale, unscale_gradients
from gluonish.optimizer import Optimizer

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.contrib.amp.cards import Condition

_log = logging.getLogger("gluonish.amp")

__all__ = [
    "bfloat16",
    "convert_hybrid_block",
    "convert_model",
    "convert_symbol",
    "init",
    "init_trainer",
    "list_conditional_fp32_ops",
    "list_fp32_ops",
    "list_loss_output_functions",
    "list_lp16_fp32_ops",
    "list_lp16_ops",
    "list_lp16_use_fp32_params",
    "list_widest_type_cast",
    "scale_loss",
    "unscale",
]

bfloat16 = numpy_dtype(torch.bfloat16)
_amp_initialized = False


def init(
    target_dtype: DTypeLike = "float16",
    target_precision_ops: Sequence[str] | None = None,
    conditional_fp32_ops: Sequence[Condition] | None = None,
    fp32_ops: Sequence[str] | None = None,
) -> None:
    """Have operators compute in half precision where that is safe; the rest stays in float32.

    Parameters keep their dtype. Operators of one list convert what they are given to half
    precision, those of another one to float32, and those that combine arrays to the widest dtype
    among them. A second call changes nothing.

    Parameters
    ----------
    target_dtype : {'float16', 'bfloat16'}, default 'float16'
        The low precision.
    target_precision_ops : list of str, optional
        Operators that compute in it, instead of MXNet's list.
    conditional_fp32_ops : list of (str, str, list of str), optional
        Operators that compute in float32 if an argument has one of several values: name of the
        operator, of the argument, and the values.
    fp32_ops : list of str, optional
        Operators that compute in float32, instead of MXNet's list. Those that are also in
        `target_precision_ops` compute in low precision.

    Raises
    ------
    RefusedArgumentError
        The dtype is another one.
    UnknownOperatorError
        There is no operator of a name that is given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.contrib.amp.init('bfloat16')
    >>> x, weight = mx.nd.ones((1, 2)), mx.nd.ones((3, 2))
    >>> y = mx.nd.FullyConnected(x, weight, num_hidden=3, no_bias=True)
    >>> y.dtype == mx.contrib.amp.bfloat16, mx.nd.softmax(y).dtype
    (True, <class 'numpy.float32'>)
    """
    global _amp_initialized
    dtype, lists = lists_of(target_dtype, "init")
    if _amp_initialized:
        return
    lists = with_own(lists, target_precision_ops, conditional_fp32_ops, fp32_ops, "amp.init")
    casting.activate(casting.casts_for(dtype, lists))
    _amp_initialized = True
    _log.info("Using AMP")


def _reset() -> None:
    """End what `init` began."""
    global _amp_initialized
    casting.activate(None)
    _amp_initialized = False


def init_trainer(optimizer_or_trainer: Any) -> None:
    """Have a Trainer check its gradients for infinities, and follow with the scale of the loss.

    Parameters
    ----------
    optimizer_or_trainer : Trainer
        The Trainer; `scale_loss` is to be used with it from now on.

    Raises
    ------
    RefusedArgumentError
        `init` has not been called.
    DTypeError
        It is no Trainer.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import amp
    >>> amp.init()
    >>> net = mx.gluon.nn.Dense(1, in_units=1)
    >>> net.initialize()
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
    >>> amp.init_trainer(trainer)
    """
    if not _amp_initialized:
        msg = (
            "amp.init_trainer: AMP not initialized, did you forget to call amp.init()? Expected "
            "amp.init() first. Call it before the network is built."
        )
        raise RefusedArgumentError(msg)
    if isinstance(optimizer_or_trainer, Optimizer):
        msg = (
            f"amp.init_trainer: {type(optimizer_or_trainer).__name__} was given. AMP is currently "
            f"only compatible with Gluon Trainer. Pass gluon.Trainer(net.collect_params(), ...)."
        )
        raise DTypeError(msg)
    if not isinstance(optimizer_or_trainer, Trainer):
        msg = (
            f"amp.init_trainer: optimizer_or_trainer should be a Gluon Trainer or an optimizer, "
            f"instead is {type(optimizer_or_trainer)}. Pass gluon.Trainer(net.collect_params(), "
            f"...)."
        )
        raise DTypeError(msg)
    optimizer_or_trainer._amp_loss_scaler = LossScaler()
    optimizer_or_trainer._amp_original_scale = optimizer_or_trainer._scale


def scale_loss(loss: Any, optimizer_or_trainer: Trainer) -> contextlib.AbstractContextManager[Any]:
    """Give the loss times the Trainer's scale, to call `backward()` on.

    The Trainer's next step divides the gradients by the scale.

    Parameters
    ----------
    loss : NDArray, or list or tuple of NDArray
        The loss, still being recorded.
    optimizer_or_trainer : Trainer
        The Trainer.

    Raises
    ------
    MissingScalerError
        `init_trainer` has not been called for it.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import amp
    >>> amp.init()
    >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    >>> net.initialize(mx.init.One())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd', {'learning_rate': 0.5})
    >>> amp.init_trainer(trainer)
    >>> with mx.autograd.record():
    ...     loss = net(mx.nd.ones((1, 1))).astype('float32')
    ...     with amp.scale_loss(loss, trainer) as scaled:
    ...         scaled.backward()
    >>> trainer.step(1)
    >>> print(scaled.asnumpy(), net.weight.data().asnumpy())
    [[65536.]] [[1.]]
    """
    scaler = _scaler_of(optimizer_or_trainer, "scale_loss")
    return _scaled(loss, optimizer_or_trainer, scaler)


@contextlib.contextmanager
def _scaled(loss: Any, trainer: Trainer, scaler: LossScaler) -> Iterator[Any]:
    set_scale(trainer, scaler)
    if isinstance(loss, (list, tuple)):
        yield [scaler.scaled(one) for one in loss]
    else:
        yield scaler.scaled(loss)


def unscale(optimizer_or_trainer: Trainer) -> None:
    """Divide the gradients of a Trainer by the scale of the loss at once, to clip them.

    Parameters
    ----------
    optimizer_or_trainer : Trainer
        The Trainer, whose next step does not divide any more.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.contrib import amp
    >>> amp.init('bfloat16')
    >>> net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    >>> net.initialize(mx.init.One())
    >>> trainer = mx.gluon.Trainer(net.collect_params(), 'sgd')
    >>> amp.init_trainer(trainer)
    >>> with mx.autograd.record():
    ...     with amp.scale_loss(net(mx.nd.ones((1, 1))), trainer) as scaled:
    ...         scaled.backward()
    >>> amp.unscale(trainer)
    >>> print(net.weight.grad().asnumpy())
    [[1.]]
    """
    unscale_gradients(optimizer_or_trainer)


def _scaler_of(trainer: Trainer, name: str) -> LossScaler:
    scaler: LossScaler | None = getattr(trainer, "_amp_loss_scaler", None)
    if scaler is None:
        msg = (
            f"amp.{name}: Loss scaler is not initialized, did you forget to call "
            f"amp.init_trainer()? Expected a Trainer with one. Call amp.init_trainer(trainer)."
        )
        raise MissingScalerError(msg)
    return scaler


# --- lists ----------------------------------------------------------------------------------


def list_lp16_ops(target_dtype: DTypeLike) -> list[str]:
    """Return the operators that compute in half precision.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> amp.list_lp16_ops('float16')
    ['Convolution', 'Deconvolution', 'FullyConnected', 'RNN']
    """
    return sorted(lists_of(target_dtype, "list_lp16_ops")[1].low)


def list_fp32_ops(target_dtype: DTypeLike) -> list[str]:
    """Return the operators that compute in float32.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> 'softmax' in amp.list_fp32_ops('float16')
    True
    """
    return sorted(lists_of(target_dtype, "list_fp32_ops")[1].full)


def list_lp16_fp32_ops(target_dtype: DTypeLike) -> list[str]:
    """Return the operators that compute in the dtype of what they are given.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> 'Pooling' in amp.list_lp16_fp32_ops('float16')
    True
    """
    return sorted(lists_of(target_dtype, "list_lp16_fp32_ops")[1].either)


def list_conditional_fp32_ops(target_dtype: DTypeLike) -> list[Condition]:
    """Return the operators that compute in float32 if an argument has one of several values.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> amp.list_conditional_fp32_ops('float16')[0]
    ('Activation', 'act_type', ['softrelu'])
    """
    return list(lists_of(target_dtype, "list_conditional_fp32_ops")[1].conditions)


def list_widest_type_cast(target_dtype: DTypeLike) -> list[str]:
    """Return the operators that compute in the widest dtype of what they are given.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> 'broadcast_add' in amp.list_widest_type_cast('float16')
    True
    """
    return sorted(lists_of(target_dtype, "list_widest_type_cast")[1].widest)


def list_loss_output_functions(target_dtype: DTypeLike) -> list[str]:
    """Return the operators that make a loss of a network's output.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> amp.list_loss_output_functions('float16')[0]
    'SoftmaxOutput'
    """
    dtype, _ = lists_of(target_dtype, "list_loss_output_functions")
    lists = symbol_fp16 if dtype is torch.float16 else symbol_bf16
    return list(lists.LOSS_OUTPUT_FUNCTIONS)


def list_lp16_use_fp32_params(target_dtype: DTypeLike) -> dict[str, list[str]] | None:
    """Return the operators whose parameters stay in float32, with their arguments' names.

    Data has the empty name; None where there are no such operators.

    Examples
    --------
    >>> from gluonish.contrib import amp
    >>> sorted(amp.list_lp16_use_fp32_params('bfloat16'))
    ['BatchNorm', 'BatchNormWithReLU']
    """
    dtype, _ = lists_of(target_dtype, "list_lp16_use_fp32_params")
    if dtype is torch.float16:
        return None
    return {name: list(parameters) for name, parameters in symbol_bf16.BF16_USE_FP32_PARAMS.items()}
