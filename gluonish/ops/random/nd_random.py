"""Random operators of `nd.random`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import ExportError, InvalidArgumentError, ShapeError
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.arguments import (
    Size,
    device_of,
    draw_nd,
    random_randint,
    require_array,
    require_positive,
    shuffled,
)
from gluonish.ops.random.draws import draw
from gluonish.ops.table import EITHER, EXACT, Graph, op

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from gluonish.context import Context


@op(nd="random.uniform", graph=Graph(written={"nd.random.uniform": "low=0 high=1"}))
def uniform(
    low: Tensor | float = 0,
    high: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the uniform distribution over [low, high).

    Parameters
    ----------
    low, high : float or array, default 0 and 1
        Bounds: two numbers, or two arrays of one shape, each pair of which gets `shape` draws.
    shape : int or tuple of int, default 1
        Shape of the result, or of each pair's part of it.
    dtype : {'float16', 'float32', 'float64'}, default 'float32'
        Dtype of the result.
    ctx : Context, optional
        Where the result is; by default the current context.

    Notes
    -----
    On the CPU all random numbers equal MXNet 1.9.1's, bit for bit. On a GPU they come from torch's
    generator for it, which `mx.random.seed` seeds too.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.uniform(shape=2)
    <BLANKLINE>
    [0.5488135 0.5928446]
    <NDArray 2 @cpu(0)>
    """
    return draw_nd("nd.random.uniform", "nd_uniform", shape, dtype, ctx, low=low, high=high)


@op(nd="random.normal", graph=Graph(written={"nd.random.normal": "loc=0 scale=1"}))
def normal(
    loc: Tensor | float = 0,
    scale: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the normal distribution of mean `loc` and standard deviation `scale`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.normal(shape=2)
    <BLANKLINE>
    [2.2122064 0.7740038]
    <NDArray 2 @cpu(0)>
    """
    return draw_nd("nd.random.normal", "nd_normal", shape, dtype, ctx, loc=loc, scale=scale)


@op(nd="random.randn", graph=Graph(written={"nd.random.randn": "loc=0 scale=1"}))
def randn(
    *shape: int,
    loc: float = 0,
    scale: float = 1,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw an array of the given shape from the normal distribution.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.randn(2, 1)
    <BLANKLINE>
    [[2.2122064]
     [0.7740038]]
    <NDArray 2x1 @cpu(0)>
    """
    return draw_nd("nd.random.randn", "nd_normal", shape, dtype, ctx, loc=loc, scale=scale)


@op(nd="random.randint")
def randint(
    low: int,
    high: int,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw integers from [low, high), int32 by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.randint(0, 10, shape=4)
    <BLANKLINE>
    [1 4 3 9]
    <NDArray 4 @cpu(0)>
    """
    wanted = (1,) if shape is None else as_shape(shape)
    kind = torch.int32 if dtype is None else torch_dtype(dtype)
    return random_randint("nd.random.randint", low, high, wanted, kind, ctx)


@op(nd="random.exponential", graph=Graph(written={"nd.random.exponential": "lam=1.0"}))
def exponential(
    scale: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the exponential distribution of mean `scale`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.exponential(shape=2)
    <BLANKLINE>
    [0.79587454 0.89856035]
    <NDArray 2 @cpu(0)>
    """
    where = "nd.random.exponential"
    if not isinstance(scale, Tensor):
        require_positive(where, "scale", scale)
        scale = float(scale)
    return draw_nd(where, "nd_exponential", shape, dtype, ctx, lam=1.0 / scale)


@op(nd="random.gamma", graph=Graph(written={"nd.random.gamma": "alpha=1 beta=1"}))
def gamma(
    alpha: Tensor | float = 1,
    beta: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the gamma distribution of shape parameter `alpha` and scale `beta`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.gamma(2, 1, shape=2)
    <BLANKLINE>
    [6.4644885 2.1283226]
    <NDArray 2 @cpu(0)>
    """
    return draw_nd("nd.random.gamma", "nd_gamma", shape, dtype, ctx, alpha=alpha, beta=beta)


@op(nd="random.poisson", graph=Graph(written={"nd.random.poisson": "lam=1"}))
def poisson(
    lam: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the Poisson distribution of mean `lam`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.poisson(3, shape=4)
    <BLANKLINE>
    [7. 4. 2. 3.]
    <NDArray 4 @cpu(0)>
    """
    return draw_nd("nd.random.poisson", "nd_poisson", shape, dtype, ctx, lam=lam)


@op(nd="random.negative_binomial", graph=Graph(written={"nd.random.negative_binomial": "k=1 p=1"}))
def negative_binomial(
    k: Tensor | int = 1,
    p: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw how many failures come before the `k`-th success, each of probability `p`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.negative_binomial(3, 0.4, shape=(2, 3)).shape
    (2, 3)
    """
    return draw_nd(
        "nd.random.negative_binomial", "nd_negative_binomial", shape, dtype, ctx, k=k, p=p
    )


@op(
    nd="random.generalized_negative_binomial",
    graph=Graph(written={"nd.random.generalized_negative_binomial": "mu=1 alpha=1"}),
)
def generalized_negative_binomial(
    mu: Tensor | float = 1,
    alpha: Tensor | float = 1,
    shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw from the negative binomial distribution of mean `mu` and dispersion `alpha`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random.generalized_negative_binomial(3, 0.4, shape=(2, 3)).shape
    (2, 3)
    """
    where, kind = "nd.random.generalized_negative_binomial", "nd_generalized_negative_binomial"
    return draw_nd(where, kind, shape, dtype, ctx, mu=mu, alpha=alpha)


def _draw_outputs(given: Mapping[str, Any]) -> int:
    """Rule for the number of outputs: logarithms of probabilities are one more."""
    return 2 if given["get_prob"] else 1


@op(
    nd=("_internal._sample_multinomial", "sample_multinomial", "random.multinomial"),
    outputs=_draw_outputs,
    graph=Graph(written={"nd.random.multinomial": "get_prob=True dtype=int32"}),
    precision=EITHER,
)
def multinomial(
    data: Tensor,
    shape: Size = None,
    get_prob: bool = False,
    dtype: DTypeLike = "int32",
) -> Tensor | tuple[Tensor, Tensor]:
    """Draw outcomes with the probabilities along the last axis of `data`.

    Parameters
    ----------
    data : array, shape (*, outcomes)
        Probabilities; each row sums to 1.
    shape : int or tuple of int, optional
        How many draws for each row; one by default.
    get_prob : bool, default False
        Also return the logarithm of each outcome's probability, through which gradients flow.
    dtype : dtype, default 'int32'
        Dtype of the outcomes.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.multinomial(mx.nd.array([0.2, 0.3, 0.5]), shape=4)
    <BLANKLINE>
    [2 2 2 2]
    <NDArray 4 @cpu(0)>
    """
    where = "nd.random.multinomial"
    data = require_array(where, "data", data)
    wanted = () if shape is None else as_shape(shape)
    each = torch.Size(wanted).numel()
    rows = data.reshape(-1, data.shape[-1])
    outcomes = draw("sample_outcomes", (rows.shape[0], each), torch.int64, data.device, rows)
    result_shape = (*data.shape[:-1], *wanted) or (1,)
    chosen = outcomes.reshape(result_shape).to(torch_dtype(dtype))
    if not get_prob:
        return chosen
    places = outcomes.clamp_max(data.shape[-1] - 1)
    return chosen, rows.gather(1, places).log().reshape(result_shape)


@op(
    nd=("_internal._shuffle", "shuffle", "random.shuffle"),
    graph=Graph(written={"nd.random.shuffle": ""}),
    precision=EXACT,
)
def shuffle(data: Tensor) -> Tensor:
    """Return a copy of an array, shuffled along its first axis.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.random.seed(0)
    >>> mx.nd.random.shuffle(mx.nd.arange(5))
    <BLANKLINE>
    [0. 2. 3. 1. 4.]
    <NDArray 5 @cpu(0)>
    """
    return shuffled(require_array("nd.random.shuffle", "data", data))


@op(
    nd="_internal._sample_unique_zipfian",
    outputs=2,
    output_names=("output0", "output1"),
    precision=EXACT,
)
def sample_unique_zipfian(
    range_max: int, shape: Size = None, ctx: Context | None = None
) -> tuple[Tensor, Tensor]:
    """Draw classes below `range_max`, small ones more often, and none twice in a row.

    Parameters
    ----------
    range_max : int
        How many classes there are.
    shape : tuple of int
        How many rows, and how many classes in each.
    ctx : Context, optional
        Where the result is; by default the current context.

    Returns
    -------
    (Tensor, Tensor)
        The classes in the order of the draws, and how many draws each row took, as int64.

    Examples
    --------
    >>> import gluonish as mx
    >>> classes, draws = mx.nd._internal._sample_unique_zipfian(5, shape=(1, 5))
    >>> sorted(classes.asnumpy()[0].tolist()), draws.shape
    ([0, 1, 2, 3, 4], (1,))
    """
    where = "nd._internal._sample_unique_zipfian"
    rows, count = _table(where, shape)
    if not 0 <= count <= range_max:
        msg = (
            f"{where}: {count} of {range_max} classes were asked for. Expected no more than there "
            f"are. Ask for fewer."
        )
        raise InvalidArgumentError(msg)
    if torch.compiler.is_exporting():
        msg = (
            f"{where}: the graph is being exported. Expected operators that draw a number of "
            f"times which is known; this one draws until it has {count} different classes. Make "
            f"the classes an input of the graph."
        )
        raise ExportError(msg)
    device = device_of(ctx)
    found = [_distinct(range_max, count, device) for _ in range(rows)]
    classes = torch.stack([one for one, _ in found]) if found else torch.empty((0, count))
    return classes.to(device, torch.int64), torch.tensor([n for _, n in found], device=device)


def _table(where: str, shape: Size) -> tuple[int, int]:
    lengths = () if shape is None else as_shape(shape)
    if len(lengths) != 2:
        msg = f"{where}: shape={shape} was given. Expected two lengths. Write (rows, classes)."
        raise ShapeError(msg)
    return lengths[0], lengths[1]


def _distinct(range_max: int, count: int, device: torch.device) -> tuple[Tensor, int]:
    """Return the first classes that are drawn, and with which draw the last of them came."""
    drawn = torch.empty(0, dtype=torch.int64)
    while True:
        more = max(2 * count, 64)
        limit = math.log(range_max)
        numbers = draw("nd_uniform", (more,), torch.float64, device, 0.0, limit).cpu()
        drawn = torch.cat([drawn, numbers.exp().round().to(torch.int64) - 1])
        _, firsts = onp.unique(drawn.numpy(), return_index=True)
        if len(firsts) >= count:
            places = onp.sort(firsts)[:count]
            return drawn[torch.from_numpy(places)], int(places[-1]) + 1 if count else 0
