"""What graphs have in place of NumPy's draws: rules for arguments, operators of graphs alone."""

from __future__ import annotations

from numbers import Integral
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.array.dtypes import DTypeLike, torch_dtype
from gluonish.ops.np.arguments import as_shape
from gluonish.ops.random.arguments import Size, device_of, fit
from gluonish.ops.random.draws import draw
from gluonish.ops.table import Graph, op
from gluonish.process.replay_marks import opaque

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from gluonish.context import Context
    from gluonish.ops.table.registry import Call


def sized(
    file: str, size: str = "size"
) -> Callable[[Mapping[str, Any]], tuple[str, dict[str, Any]]]:
    """Return the rule of a draw: graphs have None for a size without axes.

    Examples
    --------
    >>> from gluonish.ops.random.np_graphs import sized
    >>> sized('_npi_gumbel')({'loc': 0.5, 'size': ()})
    ('_npi_gumbel', {'loc': 0.5, 'size': None})
    """

    def rule(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        lengths = given.get(size)
        return file, {**given, size: None} if lengths == () else dict(given)

    return rule


def of_lengths(file: str, **fixed: float) -> Callable[[Call], tuple[str, dict[str, Any]]]:
    """Return the rule of `rand` and `randn`: graphs have the distribution, with a size.

    Examples
    --------
    >>> from gluonish.ops.random.np_graphs import of_lengths
    >>> of_lengths('_npi_uniform', low=0, high=1)({'size': (2, 3)})
    ('_npi_uniform', {'size': (2, 3), 'low': 0, 'high': 1})
    """

    def rule(given: Mapping[str, Any]) -> tuple[str, dict[str, Any]]:
        kept = {key: value for key, value in given.items() if value is not None}
        return file, {**kept, **fixed, "size": tuple(given.get("size") or ()) or None}

    return rule


def randint(given: Call) -> tuple[str, dict[str, Any]]:
    """Rule of `randint`: graphs have both limits, and a shape."""
    low, high, size = given["low"], given.get("high"), given.get("size")
    limits = {"low": 0, "high": low} if high is None else {"low": low, "high": high}
    kept = {"dtype": given.get("dtype") or "int64", "shape": () if size is None else size}
    return "_random_randint", {**limits, **kept}


def lognormal(given: Call) -> Any:  # noqa: ANN401 - a Symbol, which stands above
    """Rule of `lognormal`: the exponential of what `normal` draws."""
    rest = {key: value for key, value in given.items() if key not in ("mean", "sigma")}
    return given.F.np.exp(given.F.np.random.normal(given["mean"], given["sigma"], **rest))


def beta(given: Call) -> Any:  # noqa: ANN401
    """Rule of `beta`: the share of one of two draws of `gamma`."""
    draws = given.F.np.random.gamma
    first, second = (
        draws(given[each], 1, size=given.get("size"), dtype="float64") for each in ("a", "b")
    )
    return (first / (first + second)).astype(given.get("dtype") or "float32")


def chisquare(given: Call) -> Any:  # noqa: ANN401
    """Rule of `chisquare`: `gamma` with half of the degrees of freedom, as MXNet scales it."""
    dtype = given.get("dtype") or "float32"
    return given.F.np.random.gamma(given["df"] / 2, 1 / 2, size=given.get("size"), dtype=dtype)


def bernoulli(given: Call) -> tuple[str, dict[str, Any]]:
    """Rule of `bernoulli`: a flag tells which of the two parameters an array is."""
    found: dict[str, Any] = {}
    for name in ("prob", "logit"):
        value = given.get(name)
        is_number = value is None or isinstance(value, (int, float))
        found[name if is_number else "input1"] = value
        found.setdefault(name, None)
    is_logit = given.get("prob") is None
    rest = {key: value for key, value in given.items() if key not in ("prob", "logit")}
    return sized("_npi_bernoulli")({**found, "is_logit": is_logit, **rest})


def choice(given: Call) -> Any:  # noqa: ANN401 - a Symbol, which stands above
    """Rule of `choice`: positions are drawn, for which the entries of an array are taken."""
    values, share = given["a"], given.get("p")
    is_count = isinstance(values, (int, str, Integral))
    arrays = [each for each in (None if is_count else values, share) if each is not None]
    name, arguments = sized("_npi_choice")(
        {
            **{f"input{1 + place}": each for place, each in enumerate(arrays)},
            "a": values if is_count else None,
            "replace": given["replace"],
            "size": given.get("size"),
            "weighted": share is not None,
        }
    )
    if is_count:
        return name, arguments
    return given.F.take(values, given.write(name, arguments))


def _bernoulli_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("input1",) if given["prob"] is None and given["logit"] is None else ()


@op(np="_npi_bernoulli", arguments=_bernoulli_arguments)
@opaque
def bernoulli_in_graphs(
    input1: Tensor | None = None,
    prob: float | None = None,
    logit: float | None = None,
    size: Size = None,
    ctx: Context | None = None,
    dtype: DTypeLike | None = None,
    is_logit: bool = False,
) -> Tensor:
    """Draw 1 with the probability that an array or a number is, or whose log-odds it is; else 0.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.random.np_graphs import bernoulli_in_graphs
    >>> bernoulli_in_graphs(torch.tensor([0.0, 1.0])).tolist()
    [0.0, 1.0]
    """
    if prob is not None or logit is not None:  # the flag is about arrays
        is_logit = prob is None
    number = logit if is_logit else prob
    given = {"logit" if is_logit else "prob": input1 if number is None else number}
    shape, values = fit("npx.random.bernoulli", size, given)
    target = torch.float32 if dtype is None else torch_dtype(dtype)
    kind = "bernoulli_logit" if is_logit else "bernoulli_prob"
    return draw(kind, shape, target, device_of(ctx), *values)


def _choice_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    count = (given["a"] is None) + bool(given["weighted"])
    return ("input1", "input2")[:count]


@op(
    np="_npi_choice",
    arguments=_choice_arguments,
    graph=Graph(written={"np._npi_choice": "ctx=None"}),
)
@opaque
def choice_in_graphs(
    input1: Tensor | None = None,
    input2: Tensor | None = None,
    a: int | None = None,
    size: Size = None,
    ctx: Context | None = None,
    replace: bool = True,
    weighted: bool = False,
) -> Tensor:
    """Draw positions below `a`, or in the array `input1`; the last array has the probabilities.

    Examples
    --------
    >>> from gluonish.ops.random.np_graphs import choice_in_graphs
    >>> choice_in_graphs(a=1, size=(2,)).tolist()
    [0, 0]
    """
    arrays = [each for each in (input1, input2) if each is not None]
    total = arrays[0].numel() if a is None else a
    shape = () if size is None else as_shape(size)
    device = arrays[0].device if arrays else device_of(ctx)
    if weighted:
        weights = arrays[-1].to(torch.float32)
        return draw("choose_weighted", shape, torch.int64, device, weights, replace)
    return draw("choose" if replace else "choose_without", shape, torch.int64, device, total)
