"""Memory of the arrays that bound graphs need."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.array import NDArray, wrap
from gluonish.errors import ShapeError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.context import Context


def zeros(shape: Sequence[int], dtype: torch.dtype | None, ctx: Context, what: str) -> NDArray:
    """Return an array of zeros.

    Parameters
    ----------
    shape : sequence of int
        Its shape, which a file may have told.
    dtype : torch.dtype or None
        Its dtype.
    ctx : Context
        Where it is.
    what : str
        What errors call it.

    Raises
    ------
    ShapeError
        No memory has room for such an array.
    """
    try:
        tensor = torch.zeros(tuple(shape), dtype=dtype, device=ctx.device)
    except (RuntimeError, OverflowError) as error:
        if isinstance(error, (torch.OutOfMemoryError, torch.AcceleratorError)):
            raise
        told = str(error).strip().partition("\n")[0]
        msg = (
            f"bind: {what} has shape {tuple(shape)}, for which there is no memory ({told}). "
            f"Expected an array that fits. Bind smaller shapes, or correct the graph's arguments."
        )
        raise ShapeError(msg) from error
    return wrap(tensor, ctx, NDArray)
