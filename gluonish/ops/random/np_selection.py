"""Choices, multinomials, shuffles and Bernoulli draws of `np.random` and `npx.random`."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as onp
import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.ops.linear.linalg import how_definite
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random import np_graphs
from gluonish.ops.random.arguments import (
    Size,
    device_of,
    draw_np,
    draw_shifted,
    fit,
    refuse,
    require_all,
    require_array,
    require_integer,
    require_not_negative,
    require_number,
    shuffled,
)
from gluonish.ops.random.draws import draw
from gluonish.ops.table import Graph, op
from gluonish.process.postponed import settle_all
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context

_SURPLUS = 1e-6

# Without "Tensor" in its annotation, a list is not made an array of on its way here.
Target: TypeAlias = "Tensor"


@op(
    np="random.bernoulli",
    npx="random.bernoulli",
    recorded=np_graphs.bernoulli,
    graph=Graph(
        written=dict.fromkeys(
            ("np.random.bernoulli", "npx.random.bernoulli"),
            "size=None dtype=float32 ctx=cpu(0)",
        )
    ),
)
def bernoulli(
    prob: Tensor | float | None = None,
    logit: Tensor | float | None = None,
    size: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw 1 with the given probability, else 0.

    Parameters
    ----------
    prob : float or array
        Probability of 1, in [0, 1].
    logit : float or array
        Its log-odds, to be given instead of `prob`.
    size : int or tuple of int, optional
        Shape of the result; by default that of the parameter.
    dtype : dtype, default 'float32'
        Dtype of the result.
    ctx : Context, optional
        Where the result is; by default the current context.

    Examples
    --------
    >>> from gluonish import npx
    >>> npx.random.seed(0)
    >>> npx.random.bernoulli(0.55, size=4)
    array([1., 0., 0., 0.])
    """
    where = "npx.random.bernoulli"
    if (prob is None) == (logit is None):
        msg = (
            f"{where}: Either `prob` or `logit` must be specified, but not both. "
            f"Received prob={prob}, logit={logit}. Leave one of them out."
        )
        raise InvalidArgumentError(msg)
    if prob is None:
        kind, given = "bernoulli_logit", {"logit": logit}
    else:
        kind, given = "bernoulli_prob", {"prob": prob}
        if not isinstance(prob, Tensor) and not 0 <= require_number(where, "prob", prob) <= 1:
            raise refuse(where, "prob", prob, "in [0, 1]")
        require_all(where, "prob", prob, "in [0, 1]")
    shape, values = fit(where, size, given)
    target = torch.float32 if dtype is None else torch_dtype(dtype)
    return draw(kind, shape, target, device_of(ctx), *values)


@op(
    npx="random.uniform_n",
    file="_npi_uniform_n",
    recorded=np_graphs.sized("_npi_uniform_n", "batch_shape"),
    attributes={"size": "batch_shape"},
    graph=Graph(
        written={"npx.random.uniform_n": "low=0.0 high=1.0 size=None dtype=float32 ctx=cpu(0)"},
        hint="uniform_n",
    ),
)
def uniform_n(
    low: Tensor | float = 0.0,
    high: Tensor | float = 1.0,
    batch_shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw `batch_shape` values from the uniform distribution for each pair of bounds.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.uniform_n(np.array([0.0, 1.0]), 2.0, batch_shape=(3,)).shape
    (3, 2)
    """
    where = "npx.random.uniform_n"
    size = _batch(where, batch_shape, low=low, high=high)
    return draw_np(where, "uniform", size, dtype, ctx, low=low, high=high)


@op(
    npx="random.normal_n",
    file="_npi_normal_n",
    recorded=np_graphs.sized("_npi_normal_n", "batch_shape"),
    attributes={"size": "batch_shape"},
    graph=Graph(
        written={"npx.random.normal_n": "loc=0.0 scale=1.0 size=None dtype=float32 ctx=cpu(0)"},
        hint="normal_n",
    ),
    output_names=("output0",),
)
def normal_n(
    loc: Tensor | float = 0.0,
    scale: Tensor | float = 1.0,
    batch_shape: Size = None,
    dtype: DTypeLike | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw `batch_shape` values from each of the normal distributions.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.normal_n(np.array([0.0, 1.0]), 2.0, batch_shape=(3,)).shape
    (3, 2)
    """
    where = "npx.random.normal_n"
    size = _batch(where, batch_shape, loc=loc, scale=scale)
    return draw_shifted(where, "normal", size, dtype, ctx, loc=loc, scale=scale)


def _batch(where: str, batch_shape: Size, **parameters: Any) -> tuple[int, ...]:
    batch = () if batch_shape is None else as_shape(batch_shape)
    return batch + fit(where, None, parameters)[0]


@op(
    np="random.choice",
    recorded=np_graphs.choice,
    graph=Graph(written={"np.random.choice": "size=None replace=True ctx=cpu(0)"}),
)
def choice(
    a: Tensor | int,
    size: Size = None,
    replace: bool = True,
    p: Tensor | None = None,
    ctx: Context | None = None,
) -> Tensor:
    """Draw elements of an array, or integers below `a`.

    Parameters
    ----------
    a : array or int
        What to choose from: a vector, or 0, 1, ..., a - 1. Of an array with more axes the entries
        along the first are chosen, and as in MXNet by far most often the last of them.
    size : int or tuple of int, optional
        Shape of the choice; one element by default.
    replace : bool, default True
        Whether an element can be chosen more than once.
    p : array, optional
        Probabilities; all are equal by default.
    ctx : Context, optional
        Where the result is; by default the current context.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.choice(10, 5)
    array([4, 9, 3, 0, 3], dtype=int64)
    """
    where = "np.random.choice"
    total = a.numel() if isinstance(a, Tensor) and a.ndim else _total(where, a)
    shape = () if size is None else as_shape(size)
    _check_total(where, total, shape, replace=replace)
    device = a.device if isinstance(a, Tensor) else device_of(ctx)
    if p is not None:
        weights = torch.as_tensor(p, dtype=torch.float32, device=device)
        if tuple(weights.shape) != (total,):
            msg = (
                f"{where}: p of shape {tuple(weights.shape)} was given. Expected one probability "
                f"for each of the {total} elements. Pass p of shape {(total,)}."
            )
            raise ShapeError(msg)
        chosen = draw("choose_weighted", shape, torch.int64, device, weights, replace)
    elif replace:
        chosen = draw("choose", shape, torch.int64, device, total)
    else:
        chosen = draw("choose_without", shape, torch.int64, device, total)
    if not isinstance(a, Tensor) or not a.ndim:
        return chosen
    places = chosen.clamp_max(a.shape[0] - 1)  # MXNet counts all elements, and clips
    return a.index_select(0, places.reshape(-1)).reshape(shape + tuple(a.shape[1:]))


def _total(where: str, a: object) -> int:
    if isinstance(a, Tensor):
        a = a.item()
    if isinstance(a, (list, tuple)):
        how = f"{where}(mx.np.array({a!r}), ...)"
        if any(isinstance(each, str) for each in a):
            how = f"names[int({where}({len(a)}))], with names for this list"
        msg = (
            f"{where}: a={a!r} was given. Expected an array, or the number of choices. Write {how}."
        )
        raise DTypeError(msg)
    total = require_integer(where, "a", a)
    if total <= 0:
        raise refuse(where, "a", total, "> 0")
    return total


def _check_total(where: str, total: int, shape: tuple[int, ...], *, replace: bool) -> None:
    count = torch.Size(shape).numel()
    if (not total and count) or (not replace and count > total):
        msg = (
            f"{where}: {count} elements of {total} were asked for with replace={replace}. Expected "
            f"no more than there are. Choose fewer, or pass replace=True."
        )
        raise InvalidArgumentError(msg)


@op(np="random.multinomial")
def multinomial(
    n: int, pvals: Tensor | Sequence[float], size: Size = None, *, ctx: Context | None = None
) -> Tensor:
    """Count how often each outcome comes up in `n` trials.

    Parameters
    ----------
    n : int
        Number of trials.
    pvals : list of float or array
        Probability of each outcome. They sum to 1; what is missing goes to the last one.
    size : int or tuple of int, optional
        How many such experiments; one by default.
    ctx : Context, optional
        Where the result is; by default where `pvals` is.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.multinomial(10, [0.2, 0.3, 0.5])
    array([1, 4, 5], dtype=int64)
    """
    where = "np.random.multinomial"
    trials = require_integer(where, "n", n)
    require_not_negative(where, "n", trials)
    weights: Any = pvals
    if isinstance(pvals, Tensor):
        outcomes = pvals.numel()
        sums = pvals.detach().double().sum() if not pvals.is_meta else None
        total = 1.0 if sums is None else float(sums)
    else:
        weights = tuple(require_number(where, "pvals", one) for one in pvals)
        outcomes = len(weights)
        total = list(itertools.accumulate(weights, initial=0.0))[-1]
    if total > 1.0 + _SURPLUS:
        msg = (
            f"{where}: pvals that sum to {total:.6g} were given. Expected a sum of at most 1. "
            f"Divide them by their sum."
        )
        raise InvalidArgumentError(msg)
    shape = (() if size is None else as_shape(size)) + (outcomes,)
    device = pvals.device if isinstance(pvals, Tensor) else device_of(ctx)
    if not outcomes:
        return torch.empty(shape, dtype=torch.int64, device=device)
    return draw("count_outcomes", shape, torch.int64, device, trials, weights)


@op(
    np="random.multivariate_normal",
    file="Custom:mvn_fallback",
    graph=Graph(
        written={"np.random.multivariate_normal": "size=None"},
        unwritten=("check_valid", "tol"),
        hint="custom",
    ),
)
def multivariate_normal(
    mean: Tensor,
    cov: Tensor,
    size: Size = None,
    check_valid: str | None = None,
    tol: float | None = None,
) -> Tensor:
    """Draw vectors from a multivariate normal distribution.

    Parameters
    ----------
    mean : array, shape (*, n)
        Means.
    cov : array, shape (*, n, n)
        Covariance matrices, symmetric and positive definite.
    size : int or tuple of int, optional
        How many vectors for each mean and matrix; one by default.
    check_valid : {None, 'raise'}, default None
        A matrix that is not positive definite always raises.
    tol : float, optional
        Tolerance when `cov` is checked for symmetry with ``check_valid='raise'``; 1e-8 by default.

    Notes
    -----
    The vectors are ``mean + z @ L`` for normal z and the Cholesky factor L of `cov`, so that their
    covariance is ``L.T @ L``, not `cov` (the same for a diagonal matrix); and seeds don't change
    z. Both are so in MXNet 1.9.1.

    Examples
    --------
    >>> from gluonish import np
    >>> cov = np.array([[2.0, 0.5], [0.5, 1.0]])
    >>> np.random.multivariate_normal(np.array([0.0, 1.0]), cov, size=3).shape
    (3, 2)
    """
    where = "np.random.multivariate_normal"
    mean = require_array(where, "mean", mean)
    cov = require_array(where, "cov", cov)
    _check_covariance(where, mean, cov, check_valid, tol)
    batch = onp.broadcast_shapes(tuple(mean.shape[:-1]), tuple(cov.shape[:-2]))
    shape = (() if size is None else as_shape(size)) + tuple(batch) + (mean.shape[-1],)
    noise = draw("vectors", shape, torch.float32, mean.device)
    factor, failed = torch.linalg.cholesky_ex(cov)
    if not cov.is_meta and bool(failed.any()):
        msg = f"{where}: cov is not positive definite. Expected {how_definite(cov)}."
        raise InvalidArgumentError(msg)
    return mean + torch.einsum("...jk,...j->...k", factor, noise.to(factor.dtype))


def _check_covariance(
    where: str, mean: Tensor, cov: Tensor, check_valid: str | None, tol: float | None
) -> None:
    count = mean.shape[-1] if mean.ndim else 0
    if not mean.ndim or tuple(cov.shape[-2:]) != (count, count):
        msg = (
            f"{where}: mean of shape {tuple(mean.shape)} and cov of shape {tuple(cov.shape)} were "
            f"given. Expected (*, n) and (*, n, n). Reshape one of them."
        )
        raise ShapeError(msg)
    if check_valid not in (None, "raise", "warn", "ignore"):
        raise refuse(where, "check_valid", check_valid, "None, 'raise', 'warn' or 'ignore'")
    if check_valid == "raise" and not cov.is_meta:
        off = (cov - cov.transpose(-1, -2)).abs().max()
        if float(off) > (1e-8 if tol is None else tol):
            msg = (
                f"{where}: cov differs from its transpose by {float(off):.3g}. Expected a "
                f"symmetric matrix. Pass (cov + cov.T) / 2, or a larger tol."
            )
            raise InvalidArgumentError(msg)


@opaque
def _shuffle_(x: Tensor) -> None:
    settle_all()
    x.copy_(shuffled(x))


@op(np="random.shuffle", file="_shuffle", is_loose=True)
def shuffle(x: Target) -> None:
    """Shuffle an array in place along its first axis.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> x = np.arange(5)
    >>> np.random.shuffle(x)
    >>> x
    array([0., 2., 3., 1., 4.])
    """
    with torch.no_grad():
        _shuffle_(require_array("np.random.shuffle", "x", x))


@op(np="random.permutation")
def permutation(x: Tensor | int, ctx: Context | None = None) -> Tensor:
    """Return a shuffled copy of an array, or of 0, 1, ..., x - 1.

    Notes
    -----
    NumPy's function, which MXNet 1.9.1 lacks, on the random numbers of `np.random.shuffle`.

    Examples
    --------
    >>> from gluonish import np, npx
    >>> npx.random.seed(0)
    >>> np.random.permutation(5)
    array([0, 2, 3, 1, 4], dtype=int64)
    """
    if isinstance(x, Tensor) and x.ndim:
        return shuffled(x)
    where = "np.random.permutation"
    count = require_integer(where, "x", x.item() if isinstance(x, Tensor) else x)
    require_not_negative(where, "x", count)
    return draw("shuffle_order", (count,), torch.int64, device_of(ctx))
