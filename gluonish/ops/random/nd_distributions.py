"""Distributions of `nd`, each for numbers, for arrays, and as many values as an array has."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.arguments import Size, draw_like, draw_nd, draw_samples, random_randint
from gluonish.ops.table import EITHER, op

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.context import Context

_SCOPE = {each.__name__: each for each in (draw_like, draw_nd, draw_samples)}
_DEFINITION = """
def {name}({parameters}) -> Tensor:
    return {call}
"""
_DOC = """Draw {what}.

    Examples
    --------
    >>> import gluonish as mx
{example}
    (2, 3)
    """


class _Distribution(NamedTuple):
    """What the forms of a distribution differ in.

    Parameters
    ----------
    name : str
        In the operators' names.
    numbers : str
        Its parameters, with what they are by default.
    arrays : str
        Their names where they are arrays.
    by_numbers, by_arrays, alike : str
        What is drawn.
    """

    name: str
    numbers: str
    arrays: str
    by_numbers: str
    by_arrays: str
    alike: str


_DISTRIBUTIONS = (
    _Distribution(
        "uniform",
        "low=0.0 high=1.0",
        "low high",
        "from the uniform distribution over [low, high)",
        "from the uniform distribution for each pair of bounds",
        "uniform values",
    ),
    _Distribution(
        "normal",
        "loc=0.0 scale=1.0",
        "mu sigma",
        "from the normal distribution of mean `loc` and standard deviation `scale`",
        "from the normal distribution for each mean and deviation",
        "normal values",
    ),
    _Distribution(
        "exponential",
        "lam=1.0",
        "lam",
        "from the exponential distribution of rate `lam`",
        "from the exponential distribution for each rate",
        "exponential values of rate `lam`",
    ),
    _Distribution(
        "gamma",
        "alpha=1.0 beta=1.0",
        "alpha beta",
        "from the gamma distribution of shape parameter `alpha` and scale `beta`",
        "from the gamma distribution for each pair of parameters",
        "gamma values",
    ),
    _Distribution(
        "poisson",
        "lam=1.0",
        "lam",
        "from the Poisson distribution of mean `lam`",
        "from the Poisson distribution for each mean",
        "Poisson values of mean `lam`",
    ),
    _Distribution(
        "negative_binomial",
        "k=1 p=1.0",
        "k p",
        "how many failures come before the `k`-th success, each of probability `p`",
        "from the negative binomial distribution for each `k` and `p`",
        "negative binomial values",
    ),
    _Distribution(
        "generalized_negative_binomial",
        "mu=1.0 alpha=1.0",
        "mu alpha",
        "from the negative binomial distribution of mean `mu` and dispersion `alpha`",
        "of each mean and dispersion",
        "negative binomial values of mean `mu`",
    ),
)


def _register(kind: _Distribution) -> None:
    pairs = [pair.split("=") for pair in kind.numbers.split()]
    numbers = ", ".join(
        f"{name}: {'float' if '.' in value else 'int'} = {value}" for name, value in pairs
    )
    named = ", ".join(f"{name}={name}" for name, _ in pairs)
    arrays = kind.arrays.split()

    name = f"random_{kind.name}"
    shorter = (kind.name,) if kind.name in ("uniform", "normal") else ()
    function = _function(
        name,
        f"{numbers}, shape: Size = None, ctx: Context | None = None, "
        "dtype: DTypeLike | None = None",
        f"draw_nd('nd.{name}', 'nd_{kind.name}', shape, dtype, ctx, {named})",
        kind.by_numbers,
        f"    >>> mx.nd.{name}(shape=(2, 3)).shape",
    )
    op(nd=(f"_internal._{name}", name, *shorter), open_shape="shape", precision=EITHER)(function)

    name = f"sample_{kind.name}"
    function = _function(
        name,
        f"{', '.join(f'{each}: Tensor' for each in arrays)}, shape: Size = None, "
        "dtype: DTypeLike | None = None",
        f"draw_samples('nd.{name}', 'nd_{kind.name}', shape, dtype, "
        f"{', '.join(f'{each}={each}' for each in arrays)})",
        f"`shape` values {kind.by_arrays}",
        _example(name, arrays),
    )
    op(nd=(f"_internal._{name}", name), precision=EITHER)(function)

    name = f"{kind.name}_like"
    function = _function(
        name,
        f"data: Tensor, {numbers}",
        f"draw_like('nd.random.{name}', 'nd_{kind.name}', data, {named})",
        f"{kind.alike}, as many as there are in `data`",
        f"    >>> mx.nd.random.{name}(mx.nd.zeros((2, 3))).shape",
    )
    op(nd=(f"random.{name}", f"_internal._random_{name}"), precision=EITHER)(function)


def _function(
    name: str, parameters: str, call: str, what: str, example: str
) -> Callable[..., Tensor]:
    """Return a function; its code is written, as Python's own way to find arguments is quick."""
    scope: dict[str, Any] = dict(_SCOPE)
    exec(_DEFINITION.format(name=name, parameters=parameters, call=call), scope)
    function: Callable[..., Tensor] = scope[name]
    function.__module__ = __name__
    function.__doc__ = _DOC.format(what=what, example=example)
    return function


def _example(name: str, arrays: list[str]) -> str:
    values = ", ".join(["mx.nd.array([1.0, 2.0])"] * len(arrays))
    if "binomial" not in name:
        return f"    >>> mx.nd.{name}({values}, shape=3).shape"
    names = ", ".join(arrays)
    return (
        f"    >>> {names} = mx.nd.array([1.0, 2.0]), mx.nd.array([0.3, 0.6])\n"
        f"    >>> mx.nd.{name}({names}, shape=3).shape"
    )


for _kind in _DISTRIBUTIONS:
    _register(_kind)


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
