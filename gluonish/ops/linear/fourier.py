"""Fourier transforms of real rows, in MXNet's interleaved form."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, FULL, op
from gluonish.ops.table.explain import explained


@op(nd="contrib.fft", precision=FULL)
@explained("floating-point numbers, 2 or 4 axes. Convert them with x.astype('float32')")
def fft(data: Tensor, compute_size: int = 128) -> Tensor:
    """Return the Fourier coefficients of each row, real and imaginary parts side by side.

    Parameters
    ----------
    data : Tensor, shape (*, length)
        Real rows.
    compute_size : int, default 128
        How many rows MXNet transforms at once; torch decides on that itself.

    Returns
    -------
    Tensor, shape (*, 2 * length)

    Examples
    --------
    >>> import gluonish as mx
    >>> print(mx.nd.contrib.fft(mx.nd.array([[1, 2, 3, 4]])).asnumpy())
    [[10.  0. -2.  2. -2.  0. -2. -2.]]
    """
    _check(compute_size)
    return torch.view_as_real(torch.fft.fft(data)).flatten(-2)


@op(nd="contrib.ifft", precision=EITHER)
@explained("floating-point numbers, an even number in each row. Pass what fft returned")
def ifft(data: Tensor, compute_size: int = 128) -> Tensor:
    """Return the real part of the inverse transform of each row, times the row's length.

    Parameters
    ----------
    data : Tensor, shape (*, 2 * length)
        Real and imaginary parts side by side, as `fft` returns them.
    compute_size : int, default 128
        How many rows MXNet transforms at once; torch decides on that itself.

    Returns
    -------
    Tensor, shape (*, length)

    Notes
    -----
    As in MXNet there is no division by the length: `ifft(fft(x))` is `length * x`.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2, 4]])
    >>> print((mx.nd.contrib.ifft(mx.nd.contrib.fft(x)) / 3).asnumpy())
    [[1. 2. 4.]]
    """
    _check(compute_size)
    pairs = data.reshape(*data.shape[:-1], -1, 2).contiguous()
    return torch.real(torch.fft.ifft(torch.view_as_complex(pairs), norm="forward"))


def _check(compute_size: int) -> None:
    if compute_size < 1:
        msg = f"compute_size={compute_size} was given. Expected 1 or more. Leave it out."
        raise InvalidArgumentError(msg)
