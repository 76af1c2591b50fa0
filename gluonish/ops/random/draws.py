"""One entry to all random draws: from MXNet's streams on the CPU, from torch's elsewhere."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from torch import Tensor

from gluonish import random_streams
from gluonish.array.dtypes import numpy_dtype
from gluonish.ops.random.devices import draw_with
from gluonish.process.recording import state
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy.typing as npt

    Array = npt.NDArray[Any]
    Shape = tuple[int, ...]

_main = random_streams.main
_parallel = random_streams.parallel
_selection = random_streams.selection


def _choose_weighted(
    shape: Shape,
    dtype: npt.DTypeLike,  # noqa: ARG001 - the signature of all draws
    weights: Array,
    replace: bool,
) -> Array:
    if replace:
        return _selection.choose_weighted(weights, shape)
    return _selection.choose_weighted_without(weights, math.prod(shape)).reshape(shape)


def _count_outcomes(
    shape: Shape,
    dtype: npt.DTypeLike,  # noqa: ARG001 - the signature of all draws
    trials: int,
    weights: Array | Sequence[float],
) -> Array:
    discarded = 0 if isinstance(weights, onp.ndarray) else 2 * len(weights)
    values = onp.asarray(weights)
    counts = _selection.count_outcomes(trials, values, math.prod(shape[:-1]), discarded)
    return counts.reshape(shape)


_CPU_DRAWS: dict[str, Callable[..., Array]] = {
    "bernoulli_logit": lambda shape, dtype, logit: _main.bernoulli_logit(logit, shape, dtype),
    "bernoulli_prob": lambda shape, dtype, prob: _main.bernoulli_prob(prob, shape, dtype),
    "chisquare": lambda shape, dtype, df: _main.chisquare(df, shape, dtype),
    "choose": lambda shape, _, total: _selection.choose(total, shape),
    "choose_weighted": _choose_weighted,
    "choose_without": lambda shape, _, total: _selection.choose_without(
        total, math.prod(shape)
    ).reshape(shape),
    "count_outcomes": _count_outcomes,
    "dropout": lambda shape, dtype, p, axes: _parallel.dropout_mask(p, shape, dtype, axes),
    "exponential": lambda shape, _, scale: _main.exponential(scale, shape),
    "gamma": lambda shape, dtype, a, scale: _main.gamma(a, scale, shape, dtype),
    "gumbel": lambda shape, _, loc, scale: _main.gumbel(loc, scale, shape),
    "logistic": lambda shape, _, loc, scale: _main.logistic(loc, scale, shape),
    "lognormal": lambda shape, dtype, mean, sigma: _main.lognormal(mean, sigma, shape, dtype),
    "nd_exponential": lambda shape, dtype, lam: _parallel.exponential(lam, shape, dtype),
    "nd_gamma": lambda shape, dtype, a, b: _parallel.gamma(a, b, shape, dtype),
    "nd_generalized_negative_binomial": lambda shape, dtype, mu, alpha: (
        _parallel.generalized_negative_binomial(mu, alpha, shape, dtype)
    ),
    "nd_negative_binomial": lambda shape, dtype, k, p: _parallel.negative_binomial(
        k, p, shape, dtype
    ),
    "nd_normal": lambda shape, dtype, loc, scale: _parallel.normal(loc, scale, shape, dtype),
    "nd_poisson": lambda shape, dtype, lam: _parallel.poisson(lam, shape, dtype),
    "nd_uniform": lambda shape, dtype, low, high: _parallel.uniform(low, high, shape, dtype),
    "normal": lambda shape, dtype, loc, scale: _main.normal(loc, scale, shape, dtype),
    "pareto": lambda shape, _, a: _main.pareto(a, shape),
    "power": lambda shape, _, a: _main.power(a, shape),
    "randint": lambda shape, dtype, low, high: _parallel.randint(low, high, shape, dtype),
    "rayleigh": lambda shape, _, scale: _main.rayleigh(scale, shape),
    "sample_outcomes": lambda shape, _, weights: _selection.sample_outcomes(weights, shape[-1]),
    "shuffle_order": lambda shape, _: _selection.shuffle_order(shape[0]),
    "shuffle_rows_order": lambda shape, _: _selection.shuffle_rows_order(shape[0]),
    "uniform": lambda shape, dtype, low, high: _main.uniform(low, high, shape, dtype),
    "vectors": lambda shape, _: _main.vectors(shape),
    "weibull": lambda shape, _, a: _main.weibull(a, shape),
}


def _as_numpy(tensor: Tensor) -> onp.ndarray[Any, Any]:
    """Return the values of parameters, which may be on a GPU."""
    return tensor.detach().cpu().numpy()


@opaque
def draw(
    kind: str, shape: Shape, dtype: torch.dtype, device: torch.device, *parameters: Any
) -> Tensor:
    """Draw a tensor of random values; a captured graph draws again at each replay.

    Parameters
    ----------
    kind : str
        Name of the distribution; those of the `nd` front end, which has its own rules and its
        own generators, begin with ``nd_``.
    shape : tuple of int
        Shape of the result.
    dtype : torch.dtype
        Dtype of the result.
    device : torch.device
        Device of the result; on "meta" nothing is drawn.
    *parameters
        Parameters of the distribution: numbers or tensors.
    """
    kind_of_device = device.type
    if state.as_module and kind_of_device != "meta":
        result = draw_with(kind, shape, dtype, device, None, *parameters)
    elif kind_of_device == "cpu":
        if parameters:
            parameters = tuple(
                [_as_numpy(one) if isinstance(one, Tensor) else one for one in parameters]
            )
            if kind.startswith("nd_") and isinstance(parameters[0], onp.ndarray):
                count = math.prod(shape)
                parameters = tuple([_parallel.spread(one, count) for one in parameters])
        try:
            values = _CPU_DRAWS[kind](shape, numpy_dtype(dtype), *parameters)
        except MemoryError as error:
            count = math.prod(shape) * dtype.itemsize
            msg = f"can't allocate memory: you tried to allocate {count} bytes."
            raise RuntimeError(msg) from error  # as torch says it
        result = torch.from_numpy(onp.asarray(values))
    elif kind_of_device == "meta":
        return torch.empty(shape, dtype=dtype, device=device)
    else:
        generator = random_streams.device_generator(device)
        result = draw_with(kind, shape, dtype, device, generator, *parameters)
    return result if result.dtype == dtype else result.to(dtype)


def dropout_mask(
    shape: Shape,
    p: float,
    axes: Sequence[int],
    dtype: torch.dtype,
    device: torch.device,
) -> Tensor:
    """Draw the mask by which Dropout multiplies its data.

    Parameters
    ----------
    shape : tuple of int
        Shape of the data.
    p : float
        Probability of 0, in [0, 1]; the other elements are ``1 / (1 - p)``.
    axes : sequence of int
        Axes along which one value is shared; the mask has length 1 there.
    dtype : torch.dtype
        Dtype of the data and of the mask.
    device : torch.device
        Device of the data.

    Returns
    -------
    Tensor

    Examples
    --------
    >>> random_streams.seed(0)
    >>> dropout_mask((4,), 0.5, (), torch.float32, torch.device("cpu"))
    tensor([0., 0., 0., 0.])
    """
    if device.type == "cpu" and not state.as_module:
        kind = torch.float32 if dtype == torch.bfloat16 else dtype
        return draw("dropout", shape, kind, device, p, tuple(axes)).to(dtype)
    shared = {axis % len(shape) for axis in axes}
    shape = tuple(1 if axis in shared else size for axis, size in enumerate(shape))
    if state.as_module:  # in torch's words, which its compilers know
        return torch.empty(shape, dtype=dtype, device=device).bernoulli_(1 - p).div_(1 - p)
    return draw("dropout", shape, dtype, device, p)
