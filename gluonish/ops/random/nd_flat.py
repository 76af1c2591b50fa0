"""Random operators of `nd` by their older, flat names, for numbers as parameters."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.arguments import (
    Size,
    draw_nd,
    float_dtype,
    random_randint,
    require_integer,
    require_not_negative,
    require_positive,
)
from gluonish.ops.random.nd_random import check_bounds
from gluonish.ops.table import EITHER, op

if TYPE_CHECKING:
    from gluonish.context import Context


@op(
    nd=("_internal._random_uniform", "random_uniform", "uniform"),
    open_shape="shape",
    precision=EITHER,
)
def random_uniform(
    low: float = 0.0,
    high: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw from the uniform distribution over [low, high).

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_uniform(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_uniform"
    check_bounds(where, low, high)
    return draw_nd(where, "nd_uniform", shape, float_dtype(where, dtype), ctx, low=low, high=high)


@op(
    nd=("_internal._random_normal", "random_normal", "normal"), open_shape="shape", precision=EITHER
)
def random_normal(
    loc: float = 0.0,
    scale: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw from the normal distribution of mean `loc` and standard deviation `scale`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_normal(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_normal"
    require_positive(where, scale=scale)
    return draw_nd(where, "nd_normal", shape, float_dtype(where, dtype), ctx, loc=loc, scale=scale)


@op(
    nd=("_internal._random_exponential", "random_exponential"), open_shape="shape", precision=EITHER
)
def random_exponential(
    lam: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw from the exponential distribution of rate `lam`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_exponential(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_exponential"
    require_positive(where, lam=lam)
    return draw_nd(where, "nd_exponential", shape, float_dtype(where, dtype), ctx, lam=lam)


@op(nd=("_internal._random_gamma", "random_gamma"), open_shape="shape", precision=EITHER)
def random_gamma(
    alpha: float = 1.0,
    beta: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw from the gamma distribution of shape parameter `alpha` and scale `beta`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_gamma(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_gamma"
    require_positive(where, alpha=alpha, beta=beta)
    kind = "nd_gamma"
    return draw_nd(where, kind, shape, float_dtype(where, dtype), ctx, alpha=alpha, beta=beta)


@op(nd=("_internal._random_poisson", "random_poisson"), open_shape="shape", precision=EITHER)
def random_poisson(
    lam: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw from the Poisson distribution of mean `lam`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_poisson(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_poisson"
    require_not_negative(where, lam=lam)
    return draw_nd(where, "nd_poisson", shape, float_dtype(where, dtype), ctx, lam=lam)


@op(
    nd=("_internal._random_negative_binomial", "random_negative_binomial"),
    open_shape="shape",
    precision=EITHER,
)
def random_negative_binomial(
    k: int = 1,
    p: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw how many failures come before the `k`-th success, each of probability `p`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_negative_binomial(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_negative_binomial"
    require_not_negative(where, k=require_integer(where, "k", k), p=p)
    return draw_nd(where, "nd_negative_binomial", shape, float_dtype(where, dtype), ctx, k=k, p=p)


@op(
    nd=("_internal._random_generalized_negative_binomial", "random_generalized_negative_binomial"),
    open_shape="shape",
    precision=EITHER,
)
def random_generalized_negative_binomial(
    mu: float = 1.0,
    alpha: float = 1.0,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw from the negative binomial distribution of mean `mu` and dispersion `alpha`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_generalized_negative_binomial(shape=(2, 3)).shape
    (2, 3)
    """
    where = "nd.random_generalized_negative_binomial"
    require_not_negative(where, mu=mu, alpha=alpha)
    kind = "nd_generalized_negative_binomial"
    return draw_nd(where, kind, shape, float_dtype(where, dtype), ctx, mu=mu, alpha=alpha)


@op(nd=("_internal._random_randint", "random_randint"), open_shape="shape", precision=EITHER)
def random_randint_flat(
    low: int,
    high: int,
    shape: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
) -> Tensor:
    """Draw integers from [low, high), int32 by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_randint(low=0, high=10, shape=(2, 3)).shape
    (2, 3)
    """
    wanted = (1,) if shape is None else as_shape(shape)
    kind = torch.int32 if dtype is None else torch_dtype(dtype)
    return random_randint("nd.random_randint", low, high, wanted, kind, ctx)
