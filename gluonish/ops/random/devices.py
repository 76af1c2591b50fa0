"""Draws with torch's own generators, for devices that MXNet's CPU streams don't serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Generator

    Shape = tuple[int, ...]

Parameter = Any


def _float(dtype: torch.dtype) -> torch.dtype:
    return torch.float64 if dtype == torch.float64 else torch.float32


def _unit(shape: Shape, dtype: torch.dtype, generator: Generator) -> Tensor:
    device = generator.device
    return torch.rand(shape, generator=generator, device=device, dtype=_float(dtype))


def _open_unit(shape: Shape, dtype: torch.dtype, generator: Generator) -> Tensor:
    """Return values in (0, 1], of which a logarithm is finite."""
    return 1 - _unit(shape, dtype, generator)


def _full(value: Parameter, shape: Shape, dtype: torch.dtype, generator: Generator) -> Tensor:
    tensor = torch.as_tensor(value, dtype=_float(dtype), device=generator.device)
    if tensor.ndim == 1 and len(shape) != 1:
        return tensor.reshape(shape)
    return tensor.expand(shape)


def _uniform(
    shape: Shape, dtype: torch.dtype, generator: Generator, low: Parameter, high: Parameter
) -> Tensor:
    start = _full(low, shape, dtype, generator)
    return start + _unit(shape, dtype, generator) * (_full(high, shape, dtype, generator) - start)


def _normal(
    shape: Shape, dtype: torch.dtype, generator: Generator, loc: Parameter, scale: Parameter
) -> Tensor:
    noise = torch.randn(shape, generator=generator, device=generator.device, dtype=_float(dtype))
    return noise * _full(scale, shape, dtype, generator) + _full(loc, shape, dtype, generator)


def _bernoulli_prob(
    shape: Shape, dtype: torch.dtype, generator: Generator, prob: Parameter
) -> Tensor:
    return _full(prob, shape, dtype, generator) > _unit(shape, dtype, generator)


def _bernoulli_logit(
    shape: Shape, dtype: torch.dtype, generator: Generator, logit: Parameter
) -> Tensor:
    prob = torch.sigmoid(_full(logit, shape, dtype, generator))
    return prob > _unit(shape, dtype, generator)


def _logistic(
    shape: Shape, dtype: torch.dtype, generator: Generator, loc: Parameter, scale: Parameter
) -> Tensor:
    noise = torch.logit(_open_unit(shape, dtype, generator), eps=2.0**-25)
    return noise * _full(scale, shape, dtype, generator) + _full(loc, shape, dtype, generator)


def _gumbel(
    shape: Shape, dtype: torch.dtype, generator: Generator, loc: Parameter, scale: Parameter
) -> Tensor:
    noise = -torch.log(_standard_exponential(shape, dtype, generator).clamp_min(2.0**-60))
    return noise * _full(scale, shape, dtype, generator) + _full(loc, shape, dtype, generator)


def _standard_exponential(shape: Shape, dtype: torch.dtype, generator: Generator) -> Tensor:
    return -torch.log(_open_unit(shape, dtype, generator))


def _exponential(
    shape: Shape, dtype: torch.dtype, generator: Generator, scale: Parameter
) -> Tensor:
    noise = _standard_exponential(shape, dtype, generator)
    return noise * _full(scale, shape, dtype, generator)


def _nd_exponential(
    shape: Shape, dtype: torch.dtype, generator: Generator, lam: Parameter
) -> Tensor:
    noise = _standard_exponential(shape, dtype, generator)
    return noise / _full(lam, shape, dtype, generator)


def _rayleigh(shape: Shape, dtype: torch.dtype, generator: Generator, scale: Parameter) -> Tensor:
    noise = torch.sqrt(2 * _standard_exponential(shape, dtype, generator))
    return noise * _full(scale, shape, dtype, generator)


def _pareto(shape: Shape, dtype: torch.dtype, generator: Generator, a: Parameter) -> Tensor:
    noise = _standard_exponential(shape, dtype, generator)
    return torch.expm1(noise / _full(a, shape, dtype, generator))


def _weibull(shape: Shape, dtype: torch.dtype, generator: Generator, a: Parameter) -> Tensor:
    noise = _standard_exponential(shape, dtype, generator)
    return noise ** (1 / _full(a, shape, dtype, generator))


def _power(shape: Shape, dtype: torch.dtype, generator: Generator, a: Parameter) -> Tensor:
    return _open_unit(shape, dtype, generator) ** (1 / _full(a, shape, dtype, generator))


def _gamma(
    shape: Shape, dtype: torch.dtype, generator: Generator, a: Parameter, scale: Parameter
) -> Tensor:
    alpha = _full(a, shape, dtype, generator).contiguous()
    noise = torch._standard_gamma(alpha, generator=generator)  # noqa: SLF001 - no public name
    return noise * _full(scale, shape, dtype, generator)


def _beta(
    shape: Shape, dtype: torch.dtype, generator: Generator, a: Parameter, b: Parameter
) -> Tensor:
    first = _gamma(shape, dtype, generator, a, 1.0)
    return first / (first + _gamma(shape, dtype, generator, b, 1.0))


def _chisquare(shape: Shape, dtype: torch.dtype, generator: Generator, df: Parameter) -> Tensor:
    half = _full(df, shape, dtype, generator) / 2
    return _gamma(shape, dtype, generator, half, 0.5)


def _poisson(shape: Shape, dtype: torch.dtype, generator: Generator, lam: Parameter) -> Tensor:
    mean = _full(lam, shape, dtype, generator).contiguous()
    return torch.poisson(mean, generator=generator)


def _negative_binomial(
    shape: Shape, dtype: torch.dtype, generator: Generator, k: Parameter, p: Parameter
) -> Tensor:
    prob = _full(p, shape, dtype, generator)
    mean = _gamma(shape, dtype, generator, k, (1 - prob) / prob)
    return torch.poisson(mean, generator=generator)


def _generalized_negative_binomial(
    shape: Shape, dtype: torch.dtype, generator: Generator, mu: Parameter, alpha: Parameter
) -> Tensor:
    mean = _full(mu, shape, dtype, generator)
    dispersion = _full(alpha, shape, dtype, generator)
    mixed = _gamma(shape, dtype, generator, 1 / dispersion.clamp_min(1e-30), dispersion * mean)
    return torch.poisson(torch.where(dispersion == 0, mean, mixed), generator=generator)


def _randint(shape: Shape, dtype: torch.dtype, generator: Generator, low: int, high: int) -> Tensor:
    device = generator.device
    return torch.randint(low, high, shape, generator=generator, device=device, dtype=dtype)


def _choose(shape: Shape, dtype: torch.dtype, generator: Generator, total: int) -> Tensor:
    return _randint(shape, dtype, generator, 0, total)


def _choose_without(
    shape: Shape,
    dtype: torch.dtype,  # noqa: ARG001 - the signature of all draws
    generator: Generator,
    total: int,
) -> Tensor:
    count = torch.Size(shape).numel()
    order = torch.randperm(total, generator=generator, device=generator.device)
    return order[:count].reshape(shape)


def _choose_weighted(
    shape: Shape,
    dtype: torch.dtype,  # noqa: ARG001 - the signature of all draws
    generator: Generator,
    weights: Tensor,
    replace: bool,
) -> Tensor:
    count = torch.Size(shape).numel()
    chosen = torch.multinomial(weights, count, replacement=replace, generator=generator)
    return chosen.reshape(shape)


def _count_outcomes(
    shape: Shape,
    dtype: torch.dtype,
    generator: Generator,
    trials: int,
    weights: Any,  # noqa: ANN401 - numbers or a tensor
) -> Tensor:
    wanted = torch.as_tensor(weights, dtype=torch.float32, device=generator.device)
    rows = torch.Size(shape[:-1]).numel()
    counts = torch.zeros((rows, wanted.numel()), dtype=dtype, device=generator.device)
    if rows and trials:
        chosen = torch.multinomial(
            wanted.expand(rows, -1), trials, replacement=True, generator=generator
        )
        counts.scatter_add_(1, chosen, torch.ones_like(chosen, dtype=dtype))
    return counts.reshape(shape)


def _sample_outcomes(
    shape: Shape,
    dtype: torch.dtype,  # noqa: ARG001 - the signature of all draws
    generator: Generator,
    weights: Tensor,
) -> Tensor:
    return torch.multinomial(weights.float(), shape[-1], replacement=True, generator=generator)


def _order(
    shape: Shape,
    dtype: torch.dtype,  # noqa: ARG001 - the signature of all draws
    generator: Generator,
) -> Tensor:
    return torch.randperm(shape[0], generator=generator, device=generator.device)


def _dropout(shape: Shape, dtype: torch.dtype, generator: Generator, p: float) -> Tensor:
    keep = 1.0 - p
    return (_unit(shape, dtype, generator) <= keep) / keep


DRAWS: dict[str, Callable[..., Tensor]] = {
    "bernoulli_logit": _bernoulli_logit,
    "bernoulli_prob": _bernoulli_prob,
    "beta": _beta,
    "chisquare": _chisquare,
    "choose": _choose,
    "choose_weighted": _choose_weighted,
    "choose_without": _choose_without,
    "count_outcomes": _count_outcomes,
    "dropout": _dropout,
    "exponential": _exponential,
    "gamma": _gamma,
    "gumbel": _gumbel,
    "logistic": _logistic,
    "lognormal": lambda *arguments: _normal(*arguments).exp(),
    "nd_exponential": _nd_exponential,
    "nd_gamma": _gamma,
    "nd_generalized_negative_binomial": _generalized_negative_binomial,
    "nd_negative_binomial": _negative_binomial,
    "nd_normal": _normal,
    "nd_poisson": _poisson,
    "nd_uniform": _uniform,
    "normal": _normal,
    "pareto": _pareto,
    "power": _power,
    "randint": _randint,
    "rayleigh": _rayleigh,
    "sample_outcomes": _sample_outcomes,
    "shuffle_order": _order,
    "shuffle_rows_order": _order,
    "uniform": _uniform,
    "vectors": lambda shape, dtype, generator: _normal(shape, dtype, generator, 0.0, 1.0),
    "weibull": _weibull,
}
