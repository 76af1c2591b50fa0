"""Random operators of `np.random` and `npx.random`."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random import np_graphs
from gluonish.ops.random.arguments import (
    Size,
    draw_np,
    draw_powers,
    draw_scaled,
    draw_shifted,
    fit,
    float_dtype,
    needs_gradient,
    random_randint,
    require_limits,
)
from gluonish.ops.table import Graph, op

if TYPE_CHECKING:
    from gluonish.context import Context

_F32 = torch.float32

# Without "Tensor" in its annotation, a number stays a number on its way here.
Number: TypeAlias = "Tensor | float"


@op(
    np="random.uniform",
    recorded=np_graphs.sized("_npi_uniform"),
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
    return draw_np("np.random.uniform", "uniform", size, dtype, ctx, low=low, high=high)


@op(
    np="random.normal",
    recorded=np_graphs.sized("_npi_normal"),
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
    return draw_shifted("np.random.normal", "normal", size, dtype, ctx, loc=loc, scale=scale)


@op(
    np="random.randn",
    recorded=np_graphs.of_lengths("_npi_normal", loc=0, scale=1),
    graph=Graph(written={"np.random.randn": "dtype=float32 ctx=cpu(0)"}),
)
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
    return draw_shifted("np.random.randn", "normal", size, dtype, ctx, loc=0.0, scale=1.0)


@op(
    np="random.rand",
    recorded=np_graphs.of_lengths("_npi_uniform", low=0, high=1),
    graph=Graph(written={"np.random.rand": "dtype=float32 ctx=cpu(0)"}),
)
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
    return draw_np("np.random.rand", "uniform", size, dtype, ctx, low=0.0, high=1.0)


@op(np="random.lognormal", recorded=np_graphs.lognormal)
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
    if needs_gradient(mean, sigma):
        return draw_shifted(where, "normal", size, dtype, ctx, loc=mean, scale=sigma).exp()
    return draw_np(where, "lognormal", size, dtype, ctx, mean=mean, sigma=sigma)


@op(
    np="random.randint",
    file="_random_randint",
    recorded=np_graphs.randint,
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
    recorded=np_graphs.sized("_npi_exponential"),
    output_names=("output0",),
    graph=Graph(outputs=2, written={"np.random.exponential": "scale=1.0 size=None ctx=cpu(0)"}),
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
    return draw_scaled("np.random.exponential", "exponential", size, ctx, scale)


@op(
    np="random.rayleigh",
    recorded=np_graphs.sized("_npi_rayleigh"),
    output_names=("output0",),
    graph=Graph(written={"np.random.rayleigh": "scale=1.0 size=None ctx=cpu(0)"}),
)
def rayleigh(scale: Tensor | float = 1.0, size: Size = None, ctx: Context | None = None) -> Tensor:
    """Draw from the Rayleigh distribution of mode `scale`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.rayleigh(size=2)
    array([1.0954419, 1.0225683])
    """
    return draw_scaled("np.random.rayleigh", "rayleigh", size, ctx, scale)


@op(
    np="random.logistic",
    recorded=np_graphs.sized("_npi_logistic"),
    output_names=("output0",),
    graph=Graph(written={"np.random.logistic": "loc=0.0 scale=1.0 size=None ctx=cpu(0)"}),
)
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
    return draw_shifted("np.random.logistic", "logistic", size, None, ctx, loc=loc, scale=scale)


@op(
    np="random.gumbel",
    recorded=np_graphs.sized("_npi_gumbel"),
    output_names=("output0",),
    graph=Graph(written={"np.random.gumbel": "loc=0.0 scale=1.0 size=None ctx=cpu(0)"}),
)
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
    return draw_shifted("np.random.gumbel", "gumbel", size, None, ctx, loc=loc, scale=scale)


@op(
    np="random.weibull",
    recorded=np_graphs.sized("_npi_weibull"),
    output_names=("output0",),
    graph=Graph(written={"np.random.weibull": "a=None size=None ctx=cpu(0)"}),
)
def weibull(a: Tensor | float, size: Size = None, ctx: Context | None = None) -> Tensor:
    """Draw from the Weibull distribution of shape parameter `a` and scale 1.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.weibull(1.0, size=2)
    array([0.59999657, 0.522823  ])
    """
    return draw_powers("np.random.weibull", "weibull", size, ctx, a)


@op(
    np="random.pareto",
    recorded=np_graphs.sized("_npi_pareto"),
    output_names=("output0",),
    graph=Graph(written={"np.random.pareto": "a=None size=None ctx=cpu(0)"}),
)
def pareto(a: Tensor | float, size: Size = None, ctx: Context | None = None) -> Tensor:
    """Draw from the Pareto II distribution of shape parameter `a`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.pareto(2.0, size=2)
    array([0.3498565 , 0.29876196])
    """
    return draw_powers("np.random.pareto", "pareto", size, ctx, a, less=1.0)


@op(
    np="random.power",
    file="_npi_powerd",
    recorded=np_graphs.sized("_npi_powerd"),
    graph=Graph(written={"np.random.power": "a=None size=None"}, hint="powerd"),
)
def power(a: Tensor | float, size: Size = None) -> Tensor:
    """Draw from [0, 1] with density ``a * x ** (a - 1)``.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.power(1.0, size=2)
    array([0.45118648, 0.4071554 ])
    """
    if isinstance(a, Tensor) and a.is_meta:
        shape, _ = fit("np.random.power", size, {"a": a})
        return torch.empty(shape, dtype=_F32, device=a.device)
    if isinstance(a, Tensor) and not a.ndim:
        a = a.item()  # numbers come as arrays to functions without ctx, and have limits
    return draw_np("np.random.power", "power", size, None, None, a=a)


@op(
    np="random.gamma",
    recorded=np_graphs.sized("_npi_gamma"),
    graph=Graph(
        written={"np.random.gamma": "shape=None scale=1.0 size=None dtype=float32 ctx=cpu(0)"}
    ),
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
    return draw_np("np.random.gamma", "gamma", size, dtype, ctx, shape=shape, scale=scale)


@op(np="random.beta", recorded=np_graphs.beta)
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
    require_limits(where, "beta", {"a": a, "b": b})
    fit(where, size, {"a": a, "b": b})
    target = float_dtype(where, dtype)
    # MXNet draws for each parameter alone: as many numbers as it has, or `size`.
    first, second = (
        draw_np(where, "gamma", size, torch.float64, ctx, shape=each, scale=1.0) for each in (a, b)
    )
    return (first / (first + second)).to(target)


@op(np="random.chisquare", recorded=np_graphs.chisquare)
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
    return draw_np("np.random.chisquare", "chisquare", size, dtype, ctx, df=df)
