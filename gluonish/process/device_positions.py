"""Positions on GPUs, whose kernels check none: a wrong one ends all later work of the program."""

from __future__ import annotations

import torch
from torch import Tensor

from gluonish.process.replay_marks import opaque


def within(places: Tensor, length: int, axis: int = 0, *, counts_back: bool = False) -> Tensor:
    """Return positions that a kernel may use; on CPUs, whose kernels check them, at no cost.

    On a GPU this waits for the values, as MXNet does. With `counts_back` negative positions count
    from the end.

    Raises
    ------
    IndexError
        One is outside of an axis of this length; in the words of torch on CPUs.

    Examples
    --------
    >>> import torch
    >>> from gluonish.process.device_positions import within
    >>> within(torch.tensor([2, 0]), 3)
    tensor([2, 0])
    """
    return _checked(places, length, axis, counts_back) if _is_unchecked(places) else places


def _is_unchecked(tensor: Tensor) -> bool:
    return tensor.is_cuda


@opaque  # since it reads the values
def _checked(places: Tensor, length: int, axis: int, counts_back: bool) -> Tensor:
    if not places.numel() or torch.compiler.is_exporting():  # values, which exported graphs hide
        return places
    lowest, highest = torch.stack(places.aminmax()).tolist()
    if lowest < (-length if counts_back else 0) or highest >= length:
        wrong = highest if highest >= length else lowest
        msg = f"index {wrong} is out of bounds for dimension {axis} with size {length}"
        raise IndexError(msg)
    return places
