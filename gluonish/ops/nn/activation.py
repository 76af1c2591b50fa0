"""Activation functions that are chosen by name: Activation and LeakyReLU."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError, ShapeError
from gluonish.ops.elementwise.functions import softsign
from gluonish.ops.nn.pictures import ACTIVATION, LEAKY
from gluonish.ops.random.draws import draw
from gluonish.ops.table import Graph, Precision, Quantized, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import TORCH_ERRORS, describe
from gluonish.ops.table.inference import elementwise, like_first
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from gluonish.ops.table import Shape


ACTIVATIONS: dict[str, Callable[[Tensor], Tensor]] = {
    "relu": torch.relu,
    "sigmoid": torch.sigmoid,
    "softrelu": functional.softplus,
    "softsign": softsign,
    "tanh": torch.tanh,
}
_LEAKY = ("elu", "gelu", "leaky", "prelu", "rrelu", "selu")


def refuse_integers(where: str, data: Tensor, error: Exception) -> NoReturn:
    """Raise the error for an activation of data that has no fractions."""
    if isinstance(error, (MXNetError, torch.OutOfMemoryError)):
        raise error
    msg = (
        f"{where}: data is an {describe(data)}. Expected a floating-point dtype. Convert it with "
        f"x.astype('float32')."
    )
    raise DTypeError(msg) from error


def _is_relu(given: Mapping[str, Any]) -> bool:
    """Rule for quantized networks: they have the one activation."""
    return bool(given["act_type"] == "relu")


def _relu_in_kernels(given: Mapping[str, Any]) -> tuple[str, tuple[float, ...]] | None:
    """Rule for the activation of quantized layers."""
    return ("relu", ()) if _is_relu(given) else None


def _leaky_in_kernels(given: Mapping[str, Any]) -> tuple[str, tuple[float, ...]] | None:
    """Rule for the activation of quantized layers."""
    if given["act_type"] == "leaky":
        return "leaky", (float(given["slope"]),)
    return ("gelu", ()) if given["act_type"] == "gelu" else None


@op(
    nd="Activation",
    npx="activation",
    reverse=elementwise,
    graph=Graph(needed=("act_type",)),
    precision=Precision(when={"act_type": ("softrelu",)}),
    picture=ACTIVATION,
    quantized=Quantized("_contrib_quantized_act", _is_relu, "activation", after=_relu_in_kernels),
    choices={"act_type": tuple(ACTIVATIONS)},
)
def activation(data: Tensor, act_type: str = "") -> Tensor:
    """Apply an activation function, chosen by name, to each element.

    Parameters
    ----------
    data : Tensor, any shape
        Floating-point numbers.
    act_type : {'relu', 'sigmoid', 'softrelu', 'softsign', 'tanh'}
        max(x, 0), 1 / (1 + exp(-x)), log(1 + exp(x)), x / (1 + abs(x)) or tanh(x).

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.Activation(mx.nd.array([-1, 2]), act_type='relu').asnumpy())
    [0. 2.]
    """
    try:
        found = ACTIVATIONS[act_type]
        if not (data.is_floating_point() or data.numel()):
            return data.clone()
        return found(data)
    except KeyError as error:
        raise unknown_choice(act_type, "Activation", "act_type", ACTIVATIONS) from error
    except TORCH_ERRORS as error:
        refuse_integers("Activation", data, error)


def check_activation(name: str, where: str) -> None:
    """Refuse what is no name of an activation function.

    Raises
    ------
    InvalidArgumentError
        There is none of that name.

    Examples
    --------
    >>> from gluonish.ops.nn.activation import check_activation
    >>> check_activation('relu', 'Dense')
    """
    if name not in ACTIVATIONS:
        raise unknown_choice(name, where, "activation", ACTIVATIONS)


def _leaky_shapes(shapes: dict[str, Shape | None], act_type: str, **_: object) -> dict[str, Shape]:
    """Rule for an unknown gamma: one number per channel."""
    data = shapes["data"]
    if act_type != "prelu" or data is None or len(shapes["gamma"] or ()) > 1:
        return {}
    return {"gamma": data[1:2] if len(data) > 1 else data}


def _draw_slopes(data: Tensor, lower: float, upper: float) -> Tensor:
    """Return a slope for each element, uniform between the bounds."""
    kind = torch.float32 if data.device.type == "cpu" else data.dtype
    return draw("nd_uniform", tuple(data.shape), kind, data.device, lower, upper).to(data.dtype)


def _prelu(data: Tensor, gamma: Tensor) -> Tensor:
    channels = data.size(1) if data.dim() > 1 else data.numel()
    if gamma.dim() == 1 and gamma.numel() in (1, channels) and data.dim() > 1:
        return torch.prelu(data, gamma)
    if gamma.dim() == 1 and data.dim() > 1:
        msg = (
            f"LeakyReLU: gamma of shape {tuple(gamma.shape)} was given for data of shape "
            f"{tuple(data.shape)}. Expected one number, or one for each of the {channels} "
            f"channels. Build the layer with in_channels={channels} or 1."
        )
        raise ShapeError(msg)
    slopes = gamma
    if 1 < gamma.dim() < data.dim():  # one for each of the first axes' places
        slopes = gamma.reshape(*gamma.shape, *[1] * (data.dim() - gamma.dim()))
    return torch.where(data > 0, data, data * slopes)


def _leaky_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    """Rule for the array inputs that there are: learned slopes only for `'prelu'`."""
    return ("data", "gamma") if given["act_type"] == "prelu" else ("data",)


@op(
    nd="LeakyReLU",
    npx="leaky_relu",
    shapes=_leaky_shapes,
    arguments=_leaky_arguments,
    reverse=like_first,
    graph=Graph(initial={"gamma": '["Constant", {"value": 0.25}]'}),
    precision=Precision(when={"act_type": ("elu", "selu")}),
    picture=LEAKY,
    quantized=Quantized(role="activation", after=_leaky_in_kernels),
    choices={"act_type": _LEAKY},
)
def leaky_relu(
    data: Tensor,
    gamma: Tensor | None = None,
    act_type: str = "leaky",
    slope: float = 0.25,
    lower_bound: float = 0.125,
    upper_bound: float = 0.334,
) -> Tensor:
    """Keep what is positive and bend the rest, in one of several ways.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *)
        Floating-point numbers.
    gamma : Tensor, shape (channels,) or (1,), optional
        Slopes for `'prelu'`, which alone takes it.
    act_type : {'leaky', 'elu', 'selu', 'gelu', 'prelu', 'rrelu'}, default 'leaky'
        How x below 0 is bent: slope * x; slope * (exp(x) - 1); SELU's fixed version of it;
        x times the normal distribution function (for all x); gamma * x; a slope drawn anew for
        each element while training, and the mean slope otherwise.
    slope : float, default 0.25
        Slope for `'leaky'` and scale for `'elu'`.
    lower_bound, upper_bound : float, default 0.125 and 0.334
        Range of the slopes of `'rrelu'`.

    Notes
    -----
    MXNet 1.9.1 crashes in `'rrelu'` while training on a CPU; here it draws from the stream of
    `mx.nd.random`. MXNet's gradient of `'selu'` below 0 is wrong by a constant; here it is right.

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.LeakyReLU(mx.nd.array([-1, 2]), slope=0.5).asnumpy())
    [-0.5  2. ]
    """
    if (act_type == "prelu") is (gamma is None):
        _refuse_gamma(act_type, gamma)
    try:
        if act_type == "leaky":
            return functional.leaky_relu(data, slope)
        if act_type == "elu":
            return functional.elu(data, slope)
        if act_type == "selu":
            return torch.selu(data)
        if act_type == "gelu":
            return functional.gelu(data)
        if gamma is not None:
            return _prelu(data, gamma)
        if act_type == "rrelu":
            slopes: Tensor | float = (lower_bound + upper_bound) / 2
            if state.training:
                slopes = _draw_slopes(data, lower_bound, upper_bound)
            return torch.where(data > 0, data, data * slopes)
    except TORCH_ERRORS as error:
        refuse_integers("LeakyReLU", data, error)
    raise unknown_choice(act_type, "LeakyReLU", "act_type", _LEAKY)


def _refuse_gamma(act_type: str, gamma: Tensor | None) -> NoReturn:
    if gamma is None:
        msg = (
            "LeakyReLU: act_type='prelu' was given without gamma. Expected an array of slopes as "
            "second input. Pass gamma."
        )
    else:
        msg = (
            f"LeakyReLU: gamma of shape {tuple(gamma.shape)} was given with "
            f"act_type={act_type!r}. Expected no gamma: only 'prelu' has one. Leave it out."
        )
    raise InvalidArgumentError(msg)
