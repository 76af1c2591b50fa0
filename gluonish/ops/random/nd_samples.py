"""Random operators of `nd` with arrays as parameters, or with the shape of another array."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.ops.random.arguments import (
    Size,
    draw_nd,
    float_dtype,
    require_array,
    require_integer,
    require_not_negative,
    require_positive,
)
from gluonish.ops.random.draws import draw
from gluonish.ops.random.nd_random import check_bounds
from gluonish.ops.table import EITHER, op
from gluonish.random_streams import parse_float32

if TYPE_CHECKING:
    from torch import Tensor

    from gluonish.array.dtypes import DTypeLike


def _sample(
    where: str, kind: str, shape: Size, dtype: DTypeLike | None, **parameters: Tensor
) -> Tensor:
    for name, value in parameters.items():
        require_array(where, name, value)
    return draw_nd(where, kind, shape, float_dtype(where, dtype), None, **parameters)


def _like(where: str, kind: str, data: Tensor, *parameters: float) -> Tensor:
    dtype = float_dtype(where, require_array(where, "data", data).dtype)
    values: list[Any] = [float(parse_float32(value)) for value in parameters]
    return draw(kind, tuple(data.shape), dtype, data.device, *values)


@op(nd=("_internal._sample_uniform", "sample_uniform"), precision=EITHER)
def sample_uniform(
    low: Tensor, high: Tensor, shape: Size = None, dtype: DTypeLike | None = None
) -> Tensor:
    """Draw `shape` values from the uniform distribution for each pair of bounds.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sample_uniform(mx.nd.array([1.0, 2.0]), mx.nd.array([1.0, 2.0]), shape=3).shape
    (2, 3)
    """
    return _sample("nd.sample_uniform", "nd_uniform", shape, dtype, low=low, high=high)


@op(nd=("_internal._sample_normal", "sample_normal"), precision=EITHER)
def sample_normal(
    mu: Tensor, sigma: Tensor, shape: Size = None, dtype: DTypeLike | None = None
) -> Tensor:
    """Draw `shape` values from the normal distribution for each mean and deviation.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sample_normal(mx.nd.array([1.0, 2.0]), mx.nd.array([1.0, 2.0]), shape=3).shape
    (2, 3)
    """
    return _sample("nd.sample_normal", "nd_normal", shape, dtype, mu=mu, sigma=sigma)


@op(nd=("_internal._sample_exponential", "sample_exponential"), precision=EITHER)
def sample_exponential(lam: Tensor, shape: Size = None, dtype: DTypeLike | None = None) -> Tensor:
    """Draw `shape` values from the exponential distribution for each rate.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sample_exponential(mx.nd.array([1.0, 2.0]), shape=3).shape
    (2, 3)
    """
    return _sample("nd.sample_exponential", "nd_exponential", shape, dtype, lam=lam)


@op(nd=("_internal._sample_gamma", "sample_gamma"), precision=EITHER)
def sample_gamma(
    alpha: Tensor, beta: Tensor, shape: Size = None, dtype: DTypeLike | None = None
) -> Tensor:
    """Draw `shape` values from the gamma distribution for each pair of parameters.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sample_gamma(mx.nd.array([1.0, 2.0]), mx.nd.array([1.0, 2.0]), shape=3).shape
    (2, 3)
    """
    return _sample("nd.sample_gamma", "nd_gamma", shape, dtype, alpha=alpha, beta=beta)


@op(nd=("_internal._sample_poisson", "sample_poisson"), precision=EITHER)
def sample_poisson(lam: Tensor, shape: Size = None, dtype: DTypeLike | None = None) -> Tensor:
    """Draw `shape` values from the Poisson distribution for each mean.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.sample_poisson(mx.nd.array([1.0, 2.0]), shape=3).shape
    (2, 3)
    """
    return _sample("nd.sample_poisson", "nd_poisson", shape, dtype, lam=lam)


@op(nd=("_internal._sample_negative_binomial", "sample_negative_binomial"), precision=EITHER)
def sample_negative_binomial(
    k: Tensor, p: Tensor, shape: Size = None, dtype: DTypeLike | None = None
) -> Tensor:
    """Draw `shape` values from the negative binomial distribution for each `k` and `p`.

    Examples
    --------
    >>> import gluonish as mx
    >>> k, p = mx.nd.array([1.0, 2.0]), mx.nd.array([0.3, 0.6])
    >>> mx.nd.sample_negative_binomial(k, p, shape=3).shape
    (2, 3)
    """
    return _sample("nd.sample_negative_binomial", "nd_negative_binomial", shape, dtype, k=k, p=p)


@op(
    nd=("_internal._sample_generalized_negative_binomial", "sample_generalized_negative_binomial"),
    precision=EITHER,
)
def sample_generalized_negative_binomial(
    mu: Tensor, alpha: Tensor, shape: Size = None, dtype: DTypeLike | None = None
) -> Tensor:
    """Draw `shape` values of each mean and dispersion.

    Examples
    --------
    >>> import gluonish as mx
    >>> mu, alpha = mx.nd.array([1.0, 2.0]), mx.nd.array([0.3, 0.6])
    >>> mx.nd.sample_generalized_negative_binomial(mu, alpha, shape=3).shape
    (2, 3)
    """
    return _sample(
        "nd.sample_generalized_negative_binomial",
        "nd_generalized_negative_binomial",
        shape,
        dtype,
        mu=mu,
        alpha=alpha,
    )


@op(nd=("random.uniform_like", "_internal._random_uniform_like"), precision=EITHER)
def uniform_like(data: Tensor, low: float = 0.0, high: float = 1.0) -> Tensor:
    """Draw uniform values, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.uniform_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.uniform_like"
    check_bounds(where, low, high)
    return _like(where, "nd_uniform", data, low, high)


@op(nd=("random.normal_like", "_internal._random_normal_like"), precision=EITHER)
def normal_like(data: Tensor, loc: float = 0.0, scale: float = 1.0) -> Tensor:
    """Draw normal values, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.normal_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.normal_like"
    require_positive(where, scale=scale)
    return _like(where, "nd_normal", data, loc, scale)


@op(nd=("random.exponential_like", "_internal._random_exponential_like"), precision=EITHER)
def exponential_like(data: Tensor, lam: float = 1.0) -> Tensor:
    """Draw exponential values of rate `lam`, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.exponential_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.exponential_like"
    require_positive(where, lam=lam)
    return _like(where, "nd_exponential", data, lam)


@op(nd=("random.gamma_like", "_internal._random_gamma_like"), precision=EITHER)
def gamma_like(data: Tensor, alpha: float = 1.0, beta: float = 1.0) -> Tensor:
    """Draw gamma values, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.gamma_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.gamma_like"
    require_positive(where, alpha=alpha, beta=beta)
    return _like(where, "nd_gamma", data, alpha, beta)


@op(nd=("random.poisson_like", "_internal._random_poisson_like"), precision=EITHER)
def poisson_like(data: Tensor, lam: float = 1.0) -> Tensor:
    """Draw Poisson values of mean `lam`, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.poisson_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.poisson_like"
    require_not_negative(where, lam=lam)
    return _like(where, "nd_poisson", data, lam)


@op(
    nd=("random.negative_binomial_like", "_internal._random_negative_binomial_like"),
    precision=EITHER,
)
def negative_binomial_like(data: Tensor, k: int = 1, p: float = 1.0) -> Tensor:
    """Draw negative binomial values, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.negative_binomial_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.negative_binomial_like"
    require_not_negative(where, k=require_integer(where, "k", k), p=p)
    return _like(where, "nd_negative_binomial", data, k, p)


@op(
    nd=(
        "random.generalized_negative_binomial_like",
        "_internal._random_generalized_negative_binomial_like",
    ),
    precision=EITHER,
)
def generalized_negative_binomial_like(data: Tensor, mu: float = 1.0, alpha: float = 1.0) -> Tensor:
    """Draw negative binomial values of mean `mu`, as many as there are in `data`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.generalized_negative_binomial_like(mx.nd.zeros((2, 3))).shape
    (2, 3)
    """
    where = "nd.random.generalized_negative_binomial_like"
    require_not_negative(where, mu=mu, alpha=alpha)
    return _like(where, "nd_generalized_negative_binomial", data, mu, alpha)
