"""Densities, or probabilities, that distributions give to samples."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import ShapeError
from gluonish.ops.arrays.reduction import at_least_1d
from gluonish.ops.table import WIDEST, op


def _names(name: str) -> tuple[str, str]:
    return f"_internal._random_pdf_{name}", f"random_pdf_{name}"


def _beside(where: str, sample: Tensor, *parameters: Tensor, inner: int = 0) -> list[Tensor]:
    """Return parameters with the sample's number of axes."""
    found = []
    for parameter in parameters:
        outer = parameter.dim() - inner
        if sample.shape[:outer] != parameter.shape[:outer]:
            msg = (
                f"random_pdf_{where}: samples of shape {tuple(sample.shape)} and a parameter of "
                f"shape {tuple(parameter.shape)} were given. Expected samples whose first axes "
                f"are the parameter's. Reshape them."
            )
            raise ShapeError(msg)
        missing = (1,) * (sample.dim() - parameter.dim())
        shape = (*parameter.shape[:outer], *missing, *parameter.shape[outer:])
        found.append(parameter.reshape(shape))
    return found


def _result(logarithm: Tensor, is_log: bool) -> Tensor:
    return logarithm if is_log else torch.exp(logarithm)


@op(nd=_names("uniform"), precision=WIDEST)
def random_pdf_uniform(sample: Tensor, low: Tensor, high: Tensor, is_log: bool = False) -> Tensor:
    """Return the densities of samples from uniform distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Samples of each distribution, taken to lie between the bounds.
    low, high : Tensor, shape (*distributions)
        The bounds.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, low, high = mx.nd.array([[1, 2]]), mx.nd.array([0]), mx.nd.array([4])
    >>> mx.nd.random_pdf_uniform(x, low, high).asnumpy().round(4)
    array([[0.25, 0.25]], dtype=float32)
    """
    low, high = _beside("uniform", sample, low, high)
    return _result(-torch.log(high - low) + torch.zeros_like(sample), is_log)


@op(nd=_names("normal"), precision=WIDEST)
def random_pdf_normal(sample: Tensor, mu: Tensor, sigma: Tensor, is_log: bool = False) -> Tensor:
    """Return the densities of samples from normal distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Samples of each distribution.
    mu, sigma : Tensor, shape (*distributions)
        Means and standard deviations.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, mu, sigma = mx.nd.array([[0, 1]]), mx.nd.array([0]), mx.nd.array([1])
    >>> mx.nd.random_pdf_normal(x, mu, sigma).asnumpy().round(4)
    array([[0.3989, 0.242 ]], dtype=float32)
    """
    mu, sigma = _beside("normal", sample, mu, sigma)
    distance = (sample - mu) / sigma
    return _result(-0.5 * distance.square() - torch.log(sigma * (2 * torch.pi) ** 0.5), is_log)


@op(nd=_names("gamma"), precision=WIDEST)
def random_pdf_gamma(sample: Tensor, alpha: Tensor, beta: Tensor, is_log: bool = False) -> Tensor:
    """Return the densities of samples from gamma distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Samples of each distribution.
    alpha, beta : Tensor, shape (*distributions)
        Shapes and rates.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, alpha, beta = mx.nd.array([[1, 2]]), mx.nd.array([2]), mx.nd.array([1])
    >>> mx.nd.random_pdf_gamma(x, alpha, beta).asnumpy().round(4)
    array([[0.3679, 0.2707]], dtype=float32)
    """
    alpha, beta = _beside("gamma", sample, alpha, beta)
    logarithm = (
        alpha * torch.log(beta)
        + (alpha - 1) * torch.log(sample)
        - beta * sample
        - torch.lgamma(alpha)
    )
    return _result(logarithm, is_log)


@op(nd=_names("exponential"), precision=WIDEST)
def random_pdf_exponential(sample: Tensor, lam: Tensor, is_log: bool = False) -> Tensor:
    """Return the densities of samples from exponential distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Samples of each distribution.
    lam : Tensor, shape (*distributions)
        Rates.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_pdf_exponential(mx.nd.array([[0, 1]]), mx.nd.array([2])).asnumpy().round(4)
    array([[2.    , 0.2707]], dtype=float32)
    """
    (lam,) = _beside("exponential", sample, lam)
    return _result(torch.log(lam) - lam * sample, is_log)


@op(nd=_names("poisson"), precision=WIDEST)
def random_pdf_poisson(sample: Tensor, lam: Tensor, is_log: bool = False) -> Tensor:
    """Return the probabilities of samples from Poisson distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Samples of each distribution.
    lam : Tensor, shape (*distributions)
        Means.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.random_pdf_poisson(mx.nd.array([[0, 1]]), mx.nd.array([2])).asnumpy().round(4)
    array([[0.1353, 0.2707]], dtype=float32)
    """
    sample = sample.detach()  # a count: MXNet's gradient for it is 0
    (lam,) = _beside("poisson", sample, lam)
    return _result(sample * torch.log(lam) - torch.lgamma(sample + 1) - lam, is_log)


@op(nd=_names("negative_binomial"), precision=WIDEST)
def random_pdf_negative_binomial(
    sample: Tensor, k: Tensor, p: Tensor, is_log: bool = False
) -> Tensor:
    """Return the probabilities of samples from negative binomial distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Numbers of failures.
    k, p : Tensor, shape (*distributions)
        Numbers of successes that end the trials, and their probabilities.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, k, p = mx.nd.array([[0, 1]]), mx.nd.array([2]), mx.nd.array([0.5])
    >>> mx.nd.random_pdf_negative_binomial(x, k, p).asnumpy().round(4)
    array([[0.25, 0.25]], dtype=float32)
    """
    sample = sample.detach()  # a count: MXNet's gradient for it is 0
    k, p = _beside("negative_binomial", sample, k, p)
    return _result(_failures(sample, k, p), is_log)


@op(nd=_names("generalized_negative_binomial"), precision=WIDEST)
def random_pdf_generalized_negative_binomial(
    sample: Tensor, mu: Tensor, alpha: Tensor, is_log: bool = False
) -> Tensor:
    """Return the probabilities of samples from generalized negative binomial distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples)
        Samples of each distribution.
    mu, alpha : Tensor, shape (*distributions)
        Means and dispersions.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, mu, alpha = mx.nd.array([[0, 1]]), mx.nd.array([2]), mx.nd.array([0.5])
    >>> mx.nd.random_pdf_generalized_negative_binomial(x, mu, alpha).asnumpy().round(4)
    array([[0.25, 0.25]], dtype=float32)
    """
    sample = sample.detach()  # a count: MXNet's gradient for it is 0
    mu, alpha = _beside("generalized_negative_binomial", sample, mu, alpha)
    return _result(_failures(sample, 1 / alpha, 1 / (mu * alpha + 1)), is_log)


def _failures(sample: Tensor, k: Tensor, p: Tensor) -> Tensor:
    """Return logarithms of the probabilities of failures before k successes."""
    ways = torch.lgamma(sample + k) - torch.lgamma(sample + 1) - torch.lgamma(k)
    return ways + k * torch.log(p) + sample * torch.log(1 - p)


@op(nd=_names("dirichlet"), precision=WIDEST)
def random_pdf_dirichlet(sample: Tensor, alpha: Tensor, is_log: bool = False) -> Tensor:
    """Return the densities of samples from Dirichlet distributions.

    Parameters
    ----------
    sample : Tensor, shape (*distributions, *samples, outcomes)
        Samples of each distribution: probabilities of outcomes.
    alpha : Tensor, shape (*distributions, outcomes)
        Concentrations.
    is_log : bool, default False
        Whether to return the logarithm.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, alpha = mx.nd.array([[[0.5, 0.5]]]), mx.nd.array([[2, 3]])
    >>> mx.nd.random_pdf_dirichlet(x, alpha).asnumpy().round(4)
    array([[1.5]], dtype=float32)
    """
    (alpha,) = _beside("dirichlet", sample, alpha, inner=1)
    constant = torch.lgamma(alpha.sum(-1)) - torch.lgamma(alpha).sum(-1)
    return at_least_1d(_result(constant + ((alpha - 1) * torch.log(sample)).sum(-1), is_log))
