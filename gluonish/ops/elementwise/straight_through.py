"""Rounding and signs whose gradient goes straight through."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.ops.elementwise.functions import round_half_away
from gluonish.ops.table import op
from gluonish.ops.table.inference import elementwise


def _straight(result: Tensor, data: Tensor) -> Tensor:
    """Return the result with the gradient of the data."""
    return result.detach() + (data - data.detach())


@op(nd="contrib.round_ste", reverse=elementwise)
def round_ste(data: Tensor) -> Tensor:
    """Round to the nearest integer, halves away from 0; the gradient is passed on as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.round_ste(mx.nd.array([0.4, 2.5])).asnumpy()
    array([0., 3.], dtype=float32)
    """
    return _straight(round_half_away(data), data)


@op(nd="contrib.sign_ste", reverse=elementwise)
def sign_ste(data: Tensor) -> Tensor:
    """Return the sign, 0 for 0; the gradient is passed on as it is.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.contrib.sign_ste(mx.nd.array([-0.4, 2.5])).asnumpy()
    array([-1.,  1.], dtype=float32)
    """
    return _straight(torch.sign(data), data)
