"""Normalization over batches, layers, groups and neighbouring channels."""

from __future__ import annotations

import math
from functools import partial
from typing import TYPE_CHECKING, Any, NoReturn

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.ops.nn.batch_gradient import normalize_recorded
from gluonish.ops.nn.pictures import BATCH_NORM
from gluonish.ops.table import FULL, UNLISTED, Graph, Precision, Quantized, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import TORCH_ERRORS, describe, explained
from gluonish.ops.table.inference import like_first
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.ops.table import Shape

Normalized = Tensor | tuple[Tensor, Tensor, Tensor]


_NORMS = ("channel", "instance", "spatial")


def _per_channel(shapes: dict[str, Shape | None], axis: int = 1, **_: object) -> dict[str, Shape]:
    """Rule for unknown shapes: one number per channel."""
    data = shapes["data"]
    if data is None or not -len(data) <= axis < len(data):
        return {}
    return {name: (data[axis],) for name in shapes if name != "data"}


def _with_moments(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: mean and spread are two more."""
    return 3 if given["output_mean_var"] else 1


def _is_by_channel(given: Mapping[str, Any]) -> bool:
    """Rule for quantized networks: mean and spread are no results, channels are on axis 1."""
    return given["axis"] == 1 and not given["output_mean_var"]


_IN_FLOAT32 = ("", "gamma", "beta", "moving_mean", "moving_var")
_LIKE_DATA: dict[str, Any] = {
    "reverse": like_first,
    "graph": Graph(outputs=3),
    "precision": FULL,
}
_normalizing = partial(
    op, outputs=_with_moments, output_names=("output", "mean", "std"), **_LIKE_DATA
)
moments_of_batch = partial(
    op,
    outputs=_with_moments,
    output_names=("output", "mean", "var"),
    shapes=_per_channel,
    aux=("moving_mean", "moving_var"),
    **_LIKE_DATA,
)
"""Registers an operator that normalizes by the moments of a batch, and keeps moving averages."""


@moments_of_batch(
    nd=("BatchNorm", "contrib.BatchNorm"),
    npx="batch_norm",
    precision=Precision(
        "either", "either", others={"_contrib_BatchNorm": UNLISTED}, parameters=_IN_FLOAT32
    ),
    picture=BATCH_NORM,
    quantized=Quantized(
        "_contrib_quantized_batch_norm",
        _is_by_channel,
        "normal",
        floats=("gamma", "beta", "moving_mean", "moving_var"),
        is_calibrated=True,
    ),
)
def batch_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,  # noqa: ARG001 - a hint to MXNet's own kernels
    min_calib_range: float | None = None,  # noqa: ARG001 - used by quantized networks only
    max_calib_range: float | None = None,  # noqa: ARG001 - the same
) -> Normalized:
    """Normalize each channel to mean 0 and variance 1, then scale and shift it.

    While training, mean and variance are the batch's and the moving ones are updated; in
    prediction the moving ones are used.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *)
        Floating-point numbers.
    gamma, beta : Tensor, shape (channels,)
        Scale and shift.
    moving_mean, moving_var : Tensor, shape (channels,)
        Moving average of mean and variance, updated in place.
    eps : float, default 1e-3
        Added to the variance.
    momentum : float in [0, 1], default 0.9
        Share of the moving average that stays at an update.
    fix_gamma : bool, default True
        Whether gamma counts as 1 and gets no gradient.
    use_global_stats : bool, default False
        Whether the moving averages are used while training too.
    output_mean_var : bool, default False
        Whether to return mean and 1 / sqrt(variance + eps) too.
    axis : int, default 1
        Axis of the channels.
    cudnn_off, min_calib_range, max_calib_range
        Hints to MXNet's own kernels, which torch's do not need.

    Notes
    -----
    The variance is divided by n in both places, where torch's running variance is divided by
    n - 1. MXNet updates the moving averages during `backward()`, gluonish during the forward pass
    whose `backward()` would do so: while training, if a gradient flows through the layer.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, one, zero = mx.nd.array([[1], [3]]), mx.nd.ones((1,)), mx.nd.zeros((1,))
    >>> with mx.autograd.train_mode():
    ...     y = mx.nd.BatchNorm(x, one, zero, zero, one, eps=1e-12)
    >>> print(y.asnumpy().round(4))
    [[-1.]
     [ 1.]]
    """
    result, mean, variance = normalized_and_moments(
        data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats, axis
    )
    return (result, mean, (variance + eps).rsqrt()) if output_mean_var else result


def normalized_and_moments(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    eps: float,
    momentum: float,
    fix_gamma: bool,
    use_global_stats: bool,
    axis: int,
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the normalized data, the mean and the variance; see `batch_norm`."""
    given, place = data, axis
    is_vector = data.dim() == 1 and axis in (0, -1)
    if gamma.dim() != 1 or beta.dim() != 1:  # torch computes with such, but not their gradients
        gamma, beta = gamma.reshape(-1), beta.reshape(-1)
        moving_mean, moving_var = moving_mean.view(-1), moving_var.view(-1)
    try:
        if is_vector:
            data, axis = data.unsqueeze(0), 1
        if axis not in (1, 1 - data.dim()):
            data = data.movedim(axis, 1)
        scale = None if fix_gamma else gamma
        if scale is None and data.is_cuda:  # where torch has no gradient of beta otherwise
            scale = torch.ones_like(gamma, requires_grad=False)
        if moving_mean.requires_grad or moving_var.requires_grad:  # which have no gradient
            moving_mean, moving_var = moving_mean.detach(), moving_var.detach()
        if not (use_global_stats or state.training) and _is_recorded(data, scale, beta):
            result = normalize_recorded(data, scale, beta, moving_mean, moving_var, eps)
            mean, variance = moving_mean, moving_var
        elif use_global_stats or not state.training:
            result = torch.batch_norm(
                data, scale, beta, moving_mean, moving_var, False, 0.0, eps, True
            )
            mean, variance = moving_mean, moving_var
        else:
            result, mean, variance = _normalize_batch(data, scale, beta, eps)
            if result.requires_grad or state.as_module:
                moving_mean.mul_(momentum).add_(mean, alpha=1 - momentum)
                moving_var.mul_(momentum).add_(variance, alpha=1 - momentum)
    except TORCH_ERRORS as error:
        _refuse("BatchNorm", given, gamma, place, error)
    if axis not in (1, 1 - data.dim()):
        result = result.movedim(1, axis)
    if is_vector:
        result = result.squeeze(0)
    return result, mean, variance


def _is_recorded(data: Tensor, gamma: Tensor | None, beta: Tensor) -> bool:
    if state.as_module:
        return False
    return data.requires_grad or beta.requires_grad or (gamma is not None and gamma.requires_grad)


def _normalize_batch(
    data: Tensor, gamma: Tensor | None, beta: Tensor, eps: float
) -> tuple[Tensor, Tensor, Tensor]:
    """Return the normalized batch and each channel's mean and variance (divided by n)."""
    mean = torch.zeros_like(beta, requires_grad=False)
    variance = torch.zeros_like(mean)
    count = data.numel() // max(beta.numel(), 1)
    if count == 1:  # torch's running variance of single elements is NaN, or an error
        result = torch.batch_norm(data, gamma, beta, None, None, True, 1.0, eps, True)
        return result, data.detach().reshape(mean.shape).to(mean.dtype), variance
    result = torch.batch_norm(data, gamma, beta, mean, variance, True, 1.0, eps, True)
    # torch leaves n / (n - 1) of the variance in its running variance.
    variance = variance * ((count - 1) / count) if count > 1 else torch.zeros_like(mean)
    return result, mean, variance


def _refuse(where: str, data: Tensor, gamma: Tensor, axis: int, error: Exception) -> NoReturn:
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    given = f"{where}: data is an {describe(data)}, gamma an {describe(gamma)}, axis={axis}"
    if not -data.dim() <= axis < data.dim():
        msg = f"{given}. Expected an axis of the data. Pass axis=-1 for the last one."
        raise InvalidArgumentError(msg) from error
    if not data.is_floating_point():
        msg = f"{given}. Expected a floating-point dtype. Convert it with x.astype('float32')."
        raise DTypeError(msg) from error
    channels, expected = data.size(axis), gamma.numel()
    how = f"Build the layer with in_channels={channels}, or leave that out to have it inferred."
    moved = None if channels == expected else _moved(tuple(data.shape), axis % data.dim(), expected)
    if moved is not None:
        place, order = moved
        how = (
            f"Axis {place} has {expected}: move it to axis {axis} by x.transpose({order}), or "
            f"build the layer with axis={place}."
        )
    if channels == expected:
        reason = str(error).strip().partition("\n")[0].rstrip(".")
        given, wanted = f"{given} ({reason})", "one number per channel in all parameters"
    else:
        wanted = f"{expected} channels along axis {axis}, not {channels}"
    msg = f"{given}. Expected {wanted}. {how}"
    told = ShapeError(msg)
    told.is_of_inference = moved is None
    raise told from error


def _moved(shape: Shape, axis: int, expected: int) -> tuple[int, Shape] | None:
    """Return the axis of a batch that has the expected length, and an order with it in place."""
    place = next((i for i in range(len(shape) - 1, 0, -1) if shape[i] == expected), None)
    if place is None:
        return None
    order = [i for i in range(len(shape)) if i != place]
    order.insert(axis, place)
    return (-1 if place == len(shape) - 1 else place), tuple(order)


@moments_of_batch(
    nd="contrib.BatchNormWithReLU",
    graph=Graph(outputs=4),
    precision=Precision(
        others={"BatchNormWithReLU": Precision("", "either")}, parameters=_IN_FLOAT32
    ),
)
def batch_norm_with_relu(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    moving_mean: Tensor,
    moving_var: Tensor,
    eps: float = 1e-3,
    momentum: float = 0.9,
    fix_gamma: bool = True,
    use_global_stats: bool = False,
    output_mean_var: bool = False,
    axis: int = 1,
    cudnn_off: bool = False,
    min_calib_range: float | None = None,
    max_calib_range: float | None = None,
) -> Normalized:
    """Normalize as `BatchNorm` does, then replace what is negative by 0.

    Parameters are those of `BatchNorm`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, one, zero = mx.nd.array([[-1], [3]]), mx.nd.ones((1,)), mx.nd.zeros((1,))
    >>> print(mx.nd.contrib.BatchNormWithReLU(x, one, zero, zero, one, eps=0).asnumpy())
    [[0.]
     [3.]]
    """
    result = batch_norm(
        data, gamma, beta, moving_mean, moving_var, eps, momentum, fix_gamma, use_global_stats,
        output_mean_var, axis, cudnn_off, min_calib_range, max_calib_range,
    )  # fmt: skip
    if isinstance(result, tuple):
        return torch.relu(result[0]), *result[1:]
    return torch.relu(result)


def _layer_norm_shapes(shapes: dict[str, Shape | None], axis: int, **_: object) -> dict[str, Shape]:
    """Rule for unknown shapes: one number per element of the normalized axis."""
    return _per_channel(shapes, axis)


@_normalizing(nd="LayerNorm", npx="layer_norm", shapes=_layer_norm_shapes)
def layer_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    axis: int = -1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Normalized:
    """Normalize along one axis to mean 0 and variance 1, then scale and shift.

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    gamma, beta : Tensor, shape (data.shape[axis],)
        Scale and shift.
    axis : int, default -1
        The axis.
    eps : float, default 1e-5
        Added to the variance.
    output_mean_var : bool, default False
        Whether to return mean and sqrt(variance + eps) too.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 3]])
    >>> y = mx.nd.LayerNorm(x, mx.nd.ones((2,)), mx.nd.zeros((2,)), eps=1e-12)
    >>> print(y.asnumpy().round(4))
    [[-1.  1.]]
    """
    try:
        inner = axis not in (-1, data.dim() - 1)
        moved = data.movedim(axis, -1) if inner else data
        result = functional.layer_norm(moved, gamma.shape, gamma, beta, eps)
    except TORCH_ERRORS as error:
        _refuse("LayerNorm", data, gamma, axis, error)
    if inner:
        result = result.movedim(-1, axis)
    if output_mean_var:
        variance, mean = torch.var_mean(data, axis, correction=0, keepdim=True)
        return result, mean.detach(), (variance + eps).sqrt().detach()
    return result


def _group_norm_shapes(
    shapes: dict[str, Shape | None],  # noqa: ARG001 - rules receive all arguments
    num_groups: int,
    **_: object,
) -> dict[str, Shape]:
    """Rule for unknown shapes: one number per group."""
    return {"gamma": (num_groups,), "beta": (num_groups,)}


@_normalizing(nd="GroupNorm", shapes=_group_norm_shapes)
def group_norm(
    data: Tensor,
    gamma: Tensor,
    beta: Tensor,
    num_groups: int = 1,
    eps: float = 1e-5,
    output_mean_var: bool = False,
) -> Normalized:
    """Normalize groups of channels to mean 0 and variance 1, then scale and shift each group.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Floating-point numbers.
    gamma, beta : Tensor, shape (num_groups,)
        Scale and shift of each group.
    num_groups : int, default 1
        Number of groups, which divides the channels.
    eps : float, default 1e-5
        Added to the variance.
    output_mean_var : bool, default False
        Whether to return mean and sqrt(variance + eps) of each group too.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[1], [3]]])
    >>> y = mx.nd.GroupNorm(x, mx.nd.ones((1,)), mx.nd.zeros((1,)), eps=1e-12)
    >>> print(y.asnumpy().round(4))
    [[[-1.]
      [ 1.]]]
    """
    if data.dim() < 3 or data.size(1) % num_groups:
        msg = (
            f"GroupNorm: data of shape {tuple(data.shape)} and num_groups={num_groups} were "
            f"given. Expected batch, channels and one spatial axis or more, and groups that "
            f"divide the channels. Reshape the data, or change num_groups."
        )
        raise ShapeError(msg)
    try:
        if gamma.shape != (num_groups,) or beta.shape != (num_groups,):
            msg = "parameters of other groups"
            raise ValueError(msg)
        groups = data.reshape(data.size(0), num_groups, -1)
        result = functional.layer_norm(groups, groups.shape[2:], None, None, eps)
        scaled = torch.addcmul(beta.unsqueeze(1), result, gamma.unsqueeze(1))
    except TORCH_ERRORS as error:
        _refuse_groups(data, gamma, num_groups, error)
    if output_mean_var:
        variance, mean = torch.var_mean(groups, 2, correction=0)
        return scaled.reshape(data.shape), mean.detach(), (variance + eps).sqrt().detach()
    return scaled.reshape(data.shape)


def _refuse_groups(data: Tensor, gamma: Tensor, num_groups: int, error: Exception) -> NoReturn:
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    msg = (
        f"GroupNorm: data is an {describe(data)}, gamma an {describe(gamma)}, "
        f"num_groups={num_groups}. Expected floating-point data, and gamma and beta of shape "
        f"({num_groups},). Convert the data, or change num_groups."
    )
    raise ShapeError(msg) from error


@op(nd="InstanceNorm", shapes=_per_channel, **_LIKE_DATA)
def instance_norm(data: Tensor, gamma: Tensor, beta: Tensor, eps: float = 1e-3) -> Tensor:
    """Normalize each channel of each example to mean 0 and variance 1, then scale and shift.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Floating-point numbers, with one spatial axis or more.
    gamma, beta : Tensor, shape (channels,)
        Scale and shift.
    eps : float, default 1e-3
        Added to the variance.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[1, 3]]])
    >>> y = mx.nd.InstanceNorm(x, mx.nd.ones((1,)), mx.nd.zeros((1,)), eps=1e-12)
    >>> print(y.asnumpy().round(4))
    [[[-1.  1.]]]
    """
    if data.dim() < 3:
        msg = (
            f"InstanceNorm: data of shape {tuple(data.shape)} was given. Expected batch, channels "
            f"and one spatial axis or more. Reshape the data, or use LayerNorm."
        )
        raise ShapeError(msg)
    try:
        return torch.instance_norm(data, gamma, beta, None, None, True, 0.0, eps, True)
    except TORCH_ERRORS as error:
        _refuse("InstanceNorm", data, gamma, 1, error)


@op(
    nd="L2Normalization",
    reverse=like_first,
    graph=Graph(names_input=True, outputs=2),
    precision=FULL,
    choices={"mode": _NORMS},
)
@explained("floating-point data of two axes or more. Convert it with x.astype('float32')")
def l2_normalization(data: Tensor, eps: float = 1e-10, mode: str = "instance") -> Tensor:
    """Divide by the Euclidean norm of each example, position or channel.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Floating-point numbers.
    eps : float, default 1e-10
        Added to the sum of squares.
    mode : {'instance', 'channel', 'spatial'}, default 'instance'
        What has norm 1: all of an example, the channels at each position, or all positions of
        each channel.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.L2Normalization(mx.nd.array([[3, 4]])).asnumpy())
    [[0.6 0.8]]
    """
    axes = {
        "instance": tuple(range(1, data.dim())),
        "channel": (1,),
        "spatial": tuple(range(2, data.dim())),
    }.get(mode)
    if axes is None:
        raise unknown_choice(mode, "L2Normalization", "mode", _NORMS)
    squares = data.square()
    if axes:  # which for torch would be all of them
        squares = squares.sum(axes, keepdim=True)
    return data / (squares + eps).sqrt()


@op(
    nd="LRN",
    reverse=like_first,
    graph=Graph(names_input=True, needed=("nsize",), outputs=2),
    precision=Precision("full", "either"),
)
@explained("floating-point data of shape (batch, channels, height, width). Reshape it")
def lrn(
    data: Tensor, alpha: float = 1e-4, beta: float = 0.75, knorm: float = 2.0, nsize: int = 0
) -> Tensor:
    """Divide each element by a function of its neighbours in other channels.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Floating-point numbers.
    alpha, beta, knorm : float
        Of (knorm + alpha / nsize * sum of squares) ** beta, which is the divisor.
    nsize : int
        Number of neighbouring channels, those on both sides and itself. Of an even number, one
        counts for the mean alone.

    References
    ----------
    Krizhevsky, Sutskever, Hinton: ImageNet classification with deep convolutional neural
    networks (2012), section 3.3.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.ones((1, 1, 1, 1))
    >>> print(mx.nd.LRN(x, alpha=2, beta=1, nsize=1).asnumpy().item())
    0.25
    """
    if nsize < 1:
        msg = (
            f"LRN: nsize={nsize} was given. Expected a number of channels, at least 1. Pass "
            f"nsize=5, for example."
        )
        raise InvalidArgumentError(msg)
    half = (nsize - 1) // 2
    flat = data.square().reshape(data.size(0), 1, data.size(1), math.prod(data.shape[2:]))
    means = functional.avg_pool2d(functional.pad(flat, (0, 0, half, half)), (2 * half + 1, 1), 1)
    scale = alpha * (2 * half + 1) / nsize
    # A power of -beta, so that the gradient of a divisor that overflows is 0.
    return data * (knorm + scale * means.reshape(data.shape)) ** -beta
