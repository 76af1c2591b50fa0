"""Operators of MXNet's graphs for NumPy's statistics, matrices and new arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.np import creation, diagonal, linalg, numeric, sorting, statistics
from gluonish.ops.np.arguments import as_tensor
from gluonish.ops.table import Graph, op
from gluonish.ops.table.inference import when

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from gluonish.array.dtypes import DTypeLike
    from gluonish.context import Context


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
    >>> from gluonish.ops.graph.np_numbers import average
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
    >>> from gluonish.ops.graph.np_numbers import percentile
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
    >>> from gluonish.ops.graph.np_numbers import bincount
    >>> bincount(torch.tensor([0, 1, 1])).tolist()
    [1, 2]
    """
    return sorting.bincount(data, weights if has_weights else None, minlength)


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
    >>> from gluonish.ops.graph.np_numbers import ediff1d
    >>> ediff1d(torch.tensor([1., 4.]), torch.tensor([7.]), to_end_arr_given=True).tolist()
    [3.0, 7.0]
    """
    arrays = [each for each in (input2, input3) if each is not None]
    begin = arrays.pop(0) if to_begin_arr_given else to_begin_scalar
    end = arrays.pop(0) if to_end_arr_given else to_end_scalar
    return numeric.ediff1d(input1, end, begin)


@op(np="_npi_pinv")
def pinv(A: Tensor, rcond: Tensor, hermitian: bool = False) -> Tensor:  # noqa: N803
    """Return the pseudo-inverse; singular values below a share of the largest count as 0.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.np_numbers import pinv
    >>> pinv(2 * torch.eye(2), torch.tensor(1e-5)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    result: Tensor = torch.linalg.pinv(A, rtol=rcond, hermitian=hermitian)
    return result


@op(np="_npi_pinv_scalar_rcond")
def pinv_scalar_rcond(
    A: Tensor,  # noqa: N803 - MXNet's name
    rcond: float = 1e-15,
    hermitian: bool = False,
) -> Tensor:
    """Return the pseudo-inverse; singular values below a share of the largest count as 0.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.np_numbers import pinv_scalar_rcond
    >>> pinv_scalar_rcond(2 * torch.eye(2)).tolist()
    [[0.5, 0.0], [0.0, 0.5]]
    """
    return linalg.pinv(A, rcond, hermitian)


@op(np="_npi_norm", output_names=("output0",), graph=Graph(outputs=4))
def norm(
    data: Tensor,
    ord: float = 2.0,  # noqa: A002 - MXNet's name
    axis: int | Sequence[int] | None = None,
    keepdims: bool = False,
    flag: int = -2,
) -> Tensor:
    """Return a norm: of order `ord` for flags -1 and 0, Frobenius' for -2 and 1, nuclear for 2.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.np_numbers import norm
    >>> norm(torch.tensor([3., 4.])).item(), norm(torch.tensor([3., 4.]), 1, flag=-1).item()
    (5.0, 7.0)
    """
    if isinstance(axis, (list, tuple)) and len(axis) == 1:
        axis = axis[0]
    kind: Any = {-2: None, 1: None, 2: "nuc"}.get(flag, ord)
    return linalg.norm(data, kind, axis, keepdims)


@op(np="_npi_identity", open_shape="shape")
def identity(
    shape: Sequence[int] = (),
    ctx: Context | None = None,
    dtype: DTypeLike | None = "float32",
) -> Tensor:
    """Return the identity matrix of a shape.

    Examples
    --------
    >>> from gluonish.ops.graph.np_numbers import identity
    >>> identity((2, 2)).tolist()
    [[1.0, 0.0], [0.0, 1.0]]
    """
    return creation.identity(shape[0] if shape else 0, dtype, ctx)


@op(np="_npi_diag_indices_from")
def diag_indices_from(data: Tensor) -> Tensor:
    """Return the positions of an array's main diagonal, one row for each axis.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.np_numbers import diag_indices_from
    >>> diag_indices_from(torch.zeros(2, 2)).tolist()
    [[0, 1], [0, 1]]
    """
    return torch.stack(diagonal.diag_indices_from(data))


@op(np="_npi_boolean_mask_assign_scalar")
def boolean_mask_assign_scalar(
    data: Tensor, mask: Tensor, value: float = 0.0, start_axis: int = 0
) -> Tensor:
    """Return an array in which the elements where a mask is true are one number.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.np_numbers import boolean_mask_assign_scalar
    >>> boolean_mask_assign_scalar(torch.zeros(2), torch.tensor([True, False]), 3.).tolist()
    [3.0, 0.0]
    """
    spread = mask.reshape((1,) * start_axis + tuple(mask.shape))
    spread = spread.reshape(*spread.shape, *(1,) * (data.dim() - spread.dim()))
    return torch.where(spread.to(torch.bool), value, data)


@op(np="_npi_boolean_mask_assign_tensor")
def boolean_mask_assign_tensor(
    data: Tensor, mask: Tensor, value: Tensor, start_axis: int = 0
) -> Tensor:
    """Return an array in which the elements where a mask is true are another array's.

    Examples
    --------
    >>> import torch
    >>> from gluonish.ops.graph.np_numbers import boolean_mask_assign_tensor
    >>> mask = torch.tensor([True, False])
    >>> boolean_mask_assign_tensor(torch.zeros(2), mask, torch.tensor([3.])).tolist()
    [3.0, 0.0]
    """
    result = data.clone()
    result[(slice(None),) * start_axis + (mask.to(torch.bool),)] = value
    return result


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
