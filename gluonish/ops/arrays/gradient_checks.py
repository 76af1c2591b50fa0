"""What a training step asks of all gradients: whether they are finite, and how long they are."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.variadic import check_count, flat


def _one(condition: Tensor) -> Tensor:
    return condition.to(torch.float32).reshape(1)


@op(nd="all_finite", graph=Graph(names_input=True), precision=EITHER)
def all_finite(data: Tensor, init_output: bool = True) -> Tensor:
    """Return 1 if no element is infinite or NaN, else 0.

    Parameters
    ----------
    data : Tensor, any shape
        Numbers.
    init_output : bool, default True
        MXNet's switch for results collected in `out`; only True exists.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.all_finite(mx.nd.array([1, float('inf')])).asnumpy()
    array([0.], dtype=float32)
    """
    _check_init("all_finite", init_output)
    return _one(torch.isfinite(data).all())


@op(nd="multi_all_finite", precision=EITHER)
def multi_all_finite(
    *data: Tensor, num_arrays: int | None = None, init_output: bool = True
) -> Tensor:
    """Return 1 if no element of any array is infinite or NaN, else 0.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    num_arrays : int, optional
        How many there are; checked if given.
    init_output : bool, default True
        MXNet's switch for results collected in `out`; only True exists.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.multi_all_finite(mx.nd.ones((2,)), mx.nd.ones((3,))).asnumpy()
    array([1.], dtype=float32)
    """
    _check_init("multi_all_finite", init_output)
    parts = flat(data)
    check_count("multi_all_finite", len(parts), num_arrays, "num_arrays")
    return _one(torch.stack([torch.isfinite(part).all() for part in parts]).all())


def _check_init(name: str, init_output: bool) -> None:
    if not init_output:
        msg = (
            f"{name}: init_output=False was given. Expected True: results are not collected in "
            f"out. Multiply the results of several calls."
        )
        raise InvalidArgumentError(msg)


@op(nd="multi_sum_sq")
def multi_sum_sq(*data: Tensor, num_arrays: int | None = None) -> Tensor:
    """Return the sum of squares of each array, as float32.

    Parameters
    ----------
    *data : Tensor
        The arrays.
    num_arrays : int, optional
        How many there are; checked if given.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.multi_sum_sq(mx.nd.ones((2,)), mx.nd.ones((3,))).asnumpy()
    array([2., 3.], dtype=float32)
    """
    parts = flat(data)
    check_count("multi_sum_sq", len(parts), num_arrays, "num_arrays")
    return torch.stack([part.to(torch.float32).square().sum() for part in parts])
