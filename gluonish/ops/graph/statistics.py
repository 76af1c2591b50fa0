"""Operators of MXNet's graphs for NumPy's statistics, differences and checks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import InvalidArgumentError
from gluonish.ops.arrays.histogram import histogram
from gluonish.ops.np import calculus, histograms, statistics
from gluonish.ops.np.arguments import as_tensor
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.inference import when

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor


def _average_outputs(given: Mapping[str, Any]) -> int:
    return 2 if given["returned"] else 1


@op(
    np="_npi_average",
    arguments=when("a", weighted="weights"),
    outputs=_average_outputs,
    output_names=("output0",),
    graph=Graph(outputs=2),
)
def average(
    a: Tensor,
    weights: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
    returned: bool = False,
    weighted: bool = True,
) -> Tensor | list[Tensor]:
    """Return the mean, with weights if there are any.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.statistics import average
    >>> average(torch.tensor([1., 3.]), torch.tensor([3., 1.])).item()
    1.5
    """
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    return statistics.average(a, axis, weights if weighted else None, returned)


def _percentile_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("a", "q") if given["q_scalar"] is None else ("a",)


@op(np="_npi_percentile", arguments=_percentile_arguments)
def percentile(
    a: Tensor,
    q: Tensor | None = None,
    axis: int | Sequence[int] | None = None,
    interpolation: str = "linear",
    keepdims: bool = False,
    q_scalar: float | None = None,
) -> Tensor:
    """Return the values below which percentages of the elements lie.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.statistics import percentile
    >>> percentile(torch.tensor([1., 2., 3., 4.]), q_scalar=50).item()
    2.5
    """
    share: Any = q if q_scalar is None else q_scalar
    return statistics.percentile(a, share, axis, interpolation=interpolation, keepdims=keepdims)


@op(np="_npi_bincount", arguments=when("data", has_weights="weights"))
def bincount(
    data: Tensor, weights: Tensor | None = None, minlength: int = 0, has_weights: bool = False
) -> Tensor:
    """Return how often each number from 0 on comes in a vector, or the sum of its weights.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.statistics import bincount
    >>> bincount(torch.tensor([0, 1, 1])).tolist()
    [1, 2]
    """
    return histograms.bincount(data, weights if has_weights else None, minlength)


def _ediff1d_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    count = bool(given["to_begin_arr_given"]) + bool(given["to_end_arr_given"])
    return ("input1", "input2", "input3")[: 1 + count]


@op(np="_npi_ediff1d", arguments=_ediff1d_arguments)
def ediff1d(
    input1: Tensor,
    input2: Tensor | None = None,
    input3: Tensor | None = None,
    to_begin_arr_given: bool = False,
    to_end_arr_given: bool = False,
    to_begin_scalar: float | None = None,
    to_end_scalar: float | None = None,
) -> Tensor:
    """Return differences of neighbours, with numbers or arrays before and behind them.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.statistics import ediff1d
    >>> ediff1d(torch.tensor([1., 4.]), torch.tensor([7.]), to_end_arr_given=True).tolist()
    [3.0, 7.0]
    """
    arrays = [each for each in (input2, input3) if each is not None]
    begin = arrays.pop(0) if to_begin_arr_given else to_begin_scalar
    end = arrays.pop(0) if to_end_arr_given else to_end_scalar
    return calculus.ediff1d(input1, end, begin)


@op(npx="constraint_check")
def constraint_check(x: Tensor, msg: str = "Constraint violated.") -> Tensor:
    """Return whether all elements are true, and refuse to go on if not.

    Parameters
    ----------
    x : Tensor of bool, any shape
        What must be true.
    msg : str, optional
        What the error says.

    Raises
    ------
    InvalidArgumentError
        An element is not true.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.npx.constraint_check(mx.np.array([1, 2]) > 0, 'numbers above 0 are needed').item()
    True
    """
    result = as_tensor(x).all()
    if not result.is_meta and not bool(result):
        raise InvalidArgumentError(msg)
    return result


def _histogram_arguments(given: Mapping[str, Any]) -> tuple[str, ...]:
    return ("data",) if given["bin_cnt"] is not None else ("data", "bins")


@op(nd="_internal._histogram", outputs=2, arguments=_histogram_arguments, precision=EITHER)
def internal_histogram(
    data: Tensor,
    bins: Tensor | None = None,
    bin_cnt: int | None = None,
    range: tuple[float, float] | None = None,  # noqa: A002 - MXNet's name
) -> tuple[Tensor, Tensor]:
    """Count the elements in ranges of equal width, or between given edges.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    bins : Tensor, optional
        Edges of the ranges in ascending order.
    bin_cnt : int, optional
        How many ranges, where there are no edges.
    range : pair of float, optional
        Lowest and highest edge.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([1, 2, 4])
    >>> mx.nd._internal._histogram(x, bin_cnt=2, range=(0, 4))[0].asnumpy()
    array([1, 2])
    """
    return histogram(data, bins if bin_cnt is None else bin_cnt, range)  # type: ignore[arg-type]
