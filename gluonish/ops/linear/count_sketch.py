"""Short vectors that stand for long ones."""

from __future__ import annotations

from torch import Tensor  # noqa: TC002 - the table reads the annotations

from gluonish.errors import ShapeError
from gluonish.ops.table import FULL, op
from gluonish.ops.table.explain import describe
from gluonish.process.device_positions import within


@op(nd="contrib.count_sketch", precision=FULL)
def count_sketch(
    data: Tensor,
    h: Tensor,
    s: Tensor,
    out_dim: int,
    processing_batch_size: int = 32,  # noqa: ARG001 - a hint to MXNet's own kernel
) -> Tensor:
    """Add each number of a vector, times its sign, to a place of a shorter vector.

    Parameters
    ----------
    data : Tensor, shape (batch, length)
        Vectors.
    h : Tensor, shape (1, length)
        The place of each number, in [0, out_dim).
    s : Tensor, shape (1, length)
        The sign of each number, 1 or -1.
    out_dim : int
        Length of the shorter vectors.
    processing_batch_size : int, default 32
        A hint to MXNet's own kernel; it changes nothing.

    Returns
    -------
    Tensor, shape (batch, out_dim)
        The sums. Only the data has a gradient.

    Notes
    -----
    MXNet has it on GPUs only.

    References
    ----------
    Pham and Pagh, "Fast and scalable polynomial kernels via explicit feature maps", KDD 2013.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[1, 2, 3, 4]])
    >>> places, signs = mx.nd.array([[0, 1, 1, 2]]), mx.nd.array([[1, -1, 1, 1]])
    >>> print(mx.nd.contrib.count_sketch(x, places, signs, out_dim=3).asnumpy())
    [[1. 1. 4.]]
    """
    if data.dim() != 2 or not h.numel() == s.numel() == data.shape[1]:
        msg = (
            f"count_sketch: data of shape {tuple(data.shape)}, h {describe(h)} and s {describe(s)} "
            f"were given. Expected data of shape (batch, length), h and s of shape (1, length). "
            f"Reshape them."
        )
        raise ShapeError(msg)
    signed = data * s.detach().reshape(-1).to(data.dtype)
    places = within(h.detach().reshape(-1).long(), out_dim, 1)
    return data.new_zeros((data.shape[0], out_dim)).index_add(1, places, signed)
