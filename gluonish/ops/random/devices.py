"""Draws with torch's own generators, for devices that MXNet's CPU streams don't serve."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from gluonish.process.torch_names import standard_gamma

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Generator

    Shape = tuple[int, ...]

Parameter = Any


class Source(NamedTuple):
    """What is drawn, and what by: shape, dtype and place of the result, and torch's generator.

    Without a generator it is torch's own for the place, in calls that do not name it: exporters
    know those only.
    """

    shape: Shape
    dtype: torch.dtype
    device: torch.device
    generator: Generator | None

    @property
    def given(self) -> dict[str, Any]:
        """The generator, as an option of torch's functions."""
        return {} if self.generator is None else {"generator": self.generator}

    @property
    def float(self) -> torch.dtype:
        """The dtype to compute in."""
        return torch.float64 if self.dtype == torch.float64 else torch.float32

    def unit(self) -> Tensor:
        """Return values in [0, 1)."""
        return torch.rand(self.shape, device=self.device, dtype=self.float, **self.given)

    def open_unit(self) -> Tensor:
        """Return values in (0, 1], of which a logarithm is finite."""
        return 1 - self.unit()

    def normal(self) -> Tensor:
        """Return values of mean 0 and deviation 1."""
        return torch.randn(self.shape, device=self.device, dtype=self.float, **self.given)

    def exponential(self) -> Tensor:
        """Return values of mean 1."""
        return -torch.log(self.open_unit())

    def full(self, value: Parameter) -> Tensor:
        """Return a parameter in the shape of the result."""
        tensor = torch.as_tensor(value, dtype=self.float, device=self.device)
        if tensor.ndim == 1 and tensor.numel() == torch.Size(self.shape).numel():
            return tensor.reshape(self.shape)
        return tensor.expand(self.shape)

    def shifted(self, noise: Tensor, loc: Parameter, scale: Parameter) -> Tensor:
        """Return noise of another place and scale."""
        return noise * self.full(scale) + self.full(loc)

    def poisson(self, mean: Tensor) -> Tensor:
        """Return counts of these means."""
        if self.generator is not None:
            mean = torch.where(mean >= 0, mean, 0)  # a GPU refuses all that follows others
        return torch.poisson(mean, **self.given)


def draw_with(
    kind: str,
    shape: Shape,
    dtype: torch.dtype,
    device: torch.device,
    generator: Generator | None,
    *parameters: Parameter,
) -> Tensor:
    """Draw with a generator of torch's; the result may have another dtype yet."""
    return DRAWS[kind](Source(shape, dtype, device, generator), *parameters)


def _uniform(source: Source, low: Parameter, high: Parameter) -> Tensor:
    start = source.full(low)
    return start + source.unit() * (source.full(high) - start)


def _normal(source: Source, loc: Parameter, scale: Parameter) -> Tensor:
    return source.shifted(source.normal(), loc, scale)


def _bernoulli_logit(source: Source, logit: Parameter) -> Tensor:
    prob = torch.sigmoid(source.full(logit))
    return prob > source.unit()


def _logistic(source: Source, loc: Parameter, scale: Parameter) -> Tensor:
    return source.shifted(torch.logit(source.open_unit(), eps=2.0**-25), loc, scale)


def _gumbel(source: Source, loc: Parameter, scale: Parameter) -> Tensor:
    noise = -torch.log(source.exponential().clamp_min(2.0**-60))
    return source.shifted(noise, loc, scale)


def _gamma(source: Source, a: Parameter, scale: Parameter) -> Tensor:
    alpha = source.full(a).contiguous()
    if source.generator is None:
        return standard_gamma(alpha) * source.full(scale)
    is_known = alpha >= 0  # a GPU looks for others' noise for ever
    noise = standard_gamma(torch.where(is_known, alpha, 1), **source.given)
    return torch.where(is_known, noise, torch.nan) * source.full(scale)


def _negative_binomial(source: Source, k: Parameter, p: Parameter) -> Tensor:
    prob = source.full(p)
    return source.poisson(_gamma(source, k, (1 - prob) / prob))


def _generalized_negative_binomial(source: Source, mu: Parameter, alpha: Parameter) -> Tensor:
    mean, dispersion = source.full(mu), source.full(alpha)
    mixed = _gamma(source, 1 / dispersion.clamp_min(1e-30), dispersion * mean)
    return source.poisson(torch.where(dispersion == 0, mean, mixed))


def _randint(source: Source, low: int, high: int) -> Tensor:
    return torch.randint(
        low, high, source.shape, device=source.device, dtype=source.dtype, **source.given
    )


def _choose_without(source: Source, total: int) -> Tensor:
    count = torch.Size(source.shape).numel()
    order = torch.randperm(total, device=source.device, **source.given)
    return order[:count].reshape(source.shape)


def _choose_weighted(source: Source, weights: Tensor, replace: bool) -> Tensor:
    count = torch.Size(source.shape).numel()
    if replace:
        return _outcomes(source, weights.reshape(1, -1), count).reshape(source.shape)
    noise = torch.rand(weights.shape, device=source.device, **source.given)
    times = weights / -torch.log(1 - noise)  # of the outcomes; the largest come first
    return times.topk(count).indices.reshape(source.shape)


def _outcomes(source: Source, weights: Tensor, count: int) -> Tensor:
    """Return so many numbers of outcomes for each row of weights.

    `torch.multinomial` ends the program on a GPU where a row has no weight; here, as in MXNet, it
    gives the last outcome. Exporters know that function alone.
    """
    if source.generator is None:
        return torch.multinomial(weights.float(), count, replacement=True)
    sums = weights.double().cumsum(-1)
    units = torch.rand((len(sums), count), device=source.device, **source.given).double()
    found = torch.searchsorted(sums, units * sums[:, -1:], right=True)
    return found.clamp(max=sums.shape[-1] - 1)


def _count_outcomes(
    source: Source,
    trials: int,
    weights: Any,  # noqa: ANN401 - numbers or a tensor
) -> Tensor:
    wanted = torch.as_tensor(weights, dtype=torch.float32, device=source.device)
    rows = torch.Size(source.shape[:-1]).numel()
    counts = torch.zeros((rows, wanted.numel()), dtype=source.dtype, device=source.device)
    if rows and trials:
        chosen = _outcomes(source, wanted.expand(rows, -1), trials)
        counts.scatter_add_(1, chosen, torch.ones_like(chosen, dtype=source.dtype))
    return counts.reshape(source.shape)


def _sample_outcomes(source: Source, weights: Tensor) -> Tensor:
    return _outcomes(source, weights, source.shape[-1])


def _order(source: Source) -> Tensor:
    return torch.randperm(source.shape[0], device=source.device, **source.given)


DRAWS: dict[str, Callable[..., Tensor]] = {
    "bernoulli_logit": _bernoulli_logit,
    "bernoulli_prob": lambda source, prob: source.full(prob) > source.unit(),
    "chisquare": lambda source, df: _gamma(source, source.full(df) / 2, 0.5),
    "choose": lambda source, total: _randint(source, 0, total),
    "choose_weighted": _choose_weighted,
    "choose_without": _choose_without,
    "count_outcomes": _count_outcomes,
    "dropout": lambda source, p: (source.unit() <= 1.0 - p) / (1.0 - p),
    "exponential": lambda source, scale: source.exponential() * source.full(scale),
    "gamma": _gamma,
    "gumbel": _gumbel,
    "logistic": _logistic,
    "lognormal": lambda *given: _normal(*given).exp(),
    "nd_exponential": lambda source, lam: source.exponential() / source.full(lam),
    "nd_gamma": _gamma,
    "nd_generalized_negative_binomial": _generalized_negative_binomial,
    "nd_negative_binomial": _negative_binomial,
    "nd_normal": _normal,
    "nd_poisson": lambda source, lam: source.poisson(source.full(lam).contiguous()),
    "nd_uniform": _uniform,
    "normal": _normal,
    "pareto": lambda source, a: torch.expm1(source.exponential() / source.full(a)),
    "power": lambda source, a: source.open_unit() ** (1 / source.full(a)),
    "randint": _randint,
    "rayleigh": lambda source, scale: (2 * source.exponential()).sqrt() * source.full(scale),
    "sample_outcomes": _sample_outcomes,
    "shuffle_order": _order,
    "shuffle_rows_order": _order,
    "uniform": _uniform,
    "vectors": lambda source: source.normal(),
    "weibull": lambda source, a: source.exponential() ** (1 / source.full(a)),
}
