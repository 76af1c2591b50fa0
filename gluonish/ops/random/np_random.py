"""Random operators of `np.random` and `npx.random`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.arguments import (
    Size,
    device_of,
    draw_np,
    fit,
    float_dtype,
    random_randint,
    require_not_negative,
    require_positive,
)
from gluonish.ops.random.draws import draw
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from gluonish.context import Context

_F32 = torch.float32

# Without "Tensor" in its annotation, a number stays a number on its way here.
Number: TypeAlias = "Tensor | float"


@op(
    np="random.uniform",
    graph=Graph(
        written={"np.random.uniform": "low=0.0 high=1.0 size=None dtype=float32 ctx=cpu(0)"}
    ),
)
def uniform(
    low: Tensor | float = 0.0,
    high: Tensor | float = 1.0,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the uniform distribution over [low, high).

    Parameters
    ----------
    low, high : float or array, default 0 and 1
        Bounds, broadcast to `size`.
    size : int or tuple of int, optional
        Shape of the result; by default that of the bounds.
    dtype : {'float16', 'float32', 'float64'}, default 'float32'
        Dtype of the result.
    ctx : Context, optional
        Where the result is; by default the current context.

    Notes
    -----
    On the CPU all random numbers equal MXNet 1.9.1's, bit for bit. On a GPU they come from torch's
    generator for it, which `npx.random.seed` seeds too.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.uniform(size=(2,))
    array([0.5488135, 0.5928446])
    """
    where = "np.random.uniform"
    dtype = float_dtype(where, dtype)
    return draw_np(where, "uniform", size, dtype, ctx, low=low, high=high)


@op(
    np="random.normal",
    output_names=("output0",),
    graph=Graph(
        outputs=2,
        written={"np.random.normal": "loc=0.0 scale=1.0 size=None dtype=float32 ctx=cpu(0)"},
    ),
)
def normal(
    loc: Tensor | float = 0.0,
    scale: Tensor | float = 1.0,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the normal distribution of mean `loc` and standard deviation `scale`.

    Gradients flow to `loc` and `scale`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.normal(size=(2,))
    array([2.2122064, 1.1630787])
    """
    return _normal("np.random.normal", loc, scale, size, dtype, ctx)


def _normal(
    where: str,
    loc: Tensor | float,
    scale: Tensor | float,
    size: Size,
    dtype: DTypeLike | None,
    ctx: Context | None,
) -> Tensor:
    require_not_negative(where, scale=scale)
    return _location_scale(where, "normal", loc, scale, size, float_dtype(where, dtype), ctx)


def _location_scale(
    where: str,
    kind: str,
    loc: Tensor | float,
    scale: Tensor | float,
    size: Size,
    dtype: torch.dtype,
    ctx: Context | None,
) -> Tensor:
    shape, values = fit(where, size, {"loc": loc, "scale": scale})
    device = device_of(ctx)
    if not _needs_gradient(*values):
        return draw(kind, shape, dtype, device, *values)
    mean, deviation = values
    noise = draw(kind, shape, _F32, device, 0.0, 1.0)
    return (noise * deviation + mean).to(dtype)


def _needs_gradient(*parameters: object) -> bool:
    return any(isinstance(value, Tensor) and value.requires_grad for value in parameters)


@op(np="random.randn")
def randn(*size: int, dtype: DTypeLike | None = None, ctx: Context | None = None) -> Tensor:
    """Draw an array of the given shape from the standard normal distribution.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.randn(2, 1)
    array([[2.2122064],
           [1.1630787]])
    """
    return _normal("np.random.randn", 0.0, 1.0, size, dtype, ctx)


@op(np="random.rand")
def rand(*size: int, dtype: DTypeLike | None = None, ctx: Context | None = None) -> Tensor:
    """Draw an array of the given shape from the uniform distribution over [0, 1).

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.rand(2, 1)
    array([[0.5488135],
           [0.5928446]])
    """
    where = "np.random.rand"
    return draw_np(where, "uniform", size, float_dtype(where, dtype), ctx, low=0.0, high=1.0)


@op(np="random.lognormal")
def lognormal(
    mean: Tensor | float = 0.0,
    sigma: Tensor | float = 1.0,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the distribution whose logarithm is normal.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.lognormal(size=(2,))
    array([9.135851 , 3.1997693])
    """
    where = "np.random.lognormal"
    if _needs_gradient(mean, sigma):
        return _normal(where, mean, sigma, size, dtype, ctx).exp()
    require_not_negative(where, sigma=sigma)
    dtype = float_dtype(where, dtype)
    return draw_np(where, "lognormal", size, dtype, ctx, mean=mean, sigma=sigma)


@op(
    np="random.randint",
    file="_random_randint",
    attributes={"shape": "size"},
    graph=Graph(written={"np.random.randint": "dtype=int64 ctx=cpu(0)"}, hint="random_randint"),
)
def randint(
    low: int,
    high: int | None = None,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw integers from [low, high), or from [0, low) without `high`; int64 by default.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.randint(0, 10, size=4)
    array([1, 4, 3, 9], dtype=int64)
    """
    if high is None:
        low, high = 0, low
    shape = () if size is None else as_shape(size)
    kind = torch.int64 if dtype is None else torch_dtype(dtype)
    return random_randint("np.random.randint", low, high, shape, kind, ctx)


@op(
    np="random.exponential",
    output_names=("output0",),
    graph=Graph(outputs=2, written={"np.random.exponential": "scale=1.0 ctx=cpu(0)"}),
)
def exponential(
    scale: Tensor | float = 1.0, size: Size = None, ctx: Context | None = None
) -> Tensor:
    """Draw from the exponential distribution of mean `scale`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.exponential(size=2)
    array([0.59999657, 0.522823  ])
    """
    where = "np.random.exponential"
    require_not_negative(where, scale=scale)
    return draw_np(where, "exponential", size, _F32, ctx, scale=scale)


@op(np="random.rayleigh", output_names=("output0",))
def rayleigh(scale: Tensor | float = 1.0, size: Size = None, ctx: Context | None = None) -> Tensor:
    """Draw from the Rayleigh distribution of mode `scale`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.rayleigh(size=2)
    array([1.0954419, 1.0225683])
    """
    where = "np.random.rayleigh"
    require_not_negative(where, scale=scale)
    return draw_np(where, "rayleigh", size, _F32, ctx, scale=scale)


@op(np="random.logistic", output_names=("output0",))
def logistic(
    loc: Tensor | float = 0.0,
    scale: Tensor | float = 1.0,
    size: Size = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the logistic distribution.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.logistic(size=2)
    array([0.19587798, 0.3757374 ])
    """
    where = "np.random.logistic"
    require_not_negative(where, scale=scale)
    return _location_scale(where, "logistic", loc, scale, size, _F32, ctx)


@op(np="random.gumbel", output_names=("output0",))
def gumbel(
    loc: Tensor | float = 0.0,
    scale: Tensor | float = 1.0,
    size: Size = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the Gumbel distribution.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.gumbel(size=2)
    array([0.51083136, 0.64851236])
    """
    where = "np.random.gumbel"
    require_not_negative(where, scale=scale)
    return _location_scale(where, "gumbel", loc, scale, size, _F32, ctx)


@op(np="random.weibull", output_names=("output0",))
def weibull(a: Tensor | float, size: Size = None, ctx: Context | None = None) -> Tensor:
    """Draw from the Weibull distribution of shape parameter `a` and scale 1.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.weibull(1.0, size=2)
    array([0.59999657, 0.522823  ])
    """
    require_positive("np.random.weibull", a=a)
    return draw_np("np.random.weibull", "weibull", size, _F32, ctx, a=a)


@op(np="random.pareto", output_names=("output0",))
def pareto(a: Tensor | float, size: Size = None, ctx: Context | None = None) -> Tensor:
    """Draw from the Pareto II distribution of shape parameter `a`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.pareto(2.0, size=2)
    array([0.3498565 , 0.29876196])
    """
    require_positive("np.random.pareto", a=a)
    return draw_np("np.random.pareto", "pareto", size, _F32, ctx, a=a)


@op(np="random.power", file="_npi_powerd")
def power(a: Number, size: Size = None) -> Tensor:
    """Draw from [0, 1] with density ``a * x ** (a - 1)``.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.power(1.0, size=2)
    array([0.45118648, 0.4071554 ])
    """
    require_positive("np.random.power", a=a)
    return draw_np("np.random.power", "power", size, _F32, None, a=a)


@op(
    np="random.gamma",
    graph=Graph(written={"np.random.gamma": "scale=1.0 dtype=float32 ctx=cpu(0)"}),
)
def gamma(
    shape: Tensor | float,
    scale: Tensor | float = 1.0,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the gamma distribution.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.gamma(2.0, size=2)
    array([0.42224035, 1.3180723 ])
    """
    where = "np.random.gamma"
    require_positive(where, shape=shape, scale=scale)
    return draw_np(where, "gamma", size, float_dtype(where, dtype), ctx, shape=shape, scale=scale)


@op(np="random.beta")
def beta(
    a: Tensor | float,
    b: Tensor | float,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the beta distribution.

    Examples
    --------
    >>> from gluonish import np
    >>> np.random.beta(2.0, 3.0, size=(2, 3)).shape
    (2, 3)
    """
    where = "np.random.beta"
    require_positive(where, a=a, b=b)
    return draw_np(where, "beta", size, float_dtype(where, dtype), ctx, a=a, b=b)


@op(np="random.chisquare")
def chisquare(
    df: Tensor | float,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the chi-square distribution as MXNet 1.9.1 does: a quarter of the right values.

    Examples
    --------
    >>> from gluonish import np
    >>> np.random.chisquare(3.0, size=(2, 3)).shape
    (2, 3)
    """
    where = "np.random.chisquare"
    require_positive(where, df=df)
    return draw_np(where, "chisquare", size, float_dtype(where, dtype), ctx, df=df)
