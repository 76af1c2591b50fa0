"""Maximum of windows of images, in the order of memory that is fastest."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from gluonish.ops.nn.layouts import has_long_rows

if TYPE_CHECKING:
    from typing import TypeAlias

    from torch import Tensor

    Window: TypeAlias = int | tuple[int, ...] | list[int]

_WORTH_IT = 16_384  # elements; below, another order costs more than it saves


def max_pool2d(
    data: Tensor, kernel: Window, stride: Window | None = None, padding: Window = 0
) -> Tensor:
    """Return the maximum of each window.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        The images.
    kernel, stride, padding : int or tuple of int
        The windows: their size, the steps between them (their size by default), and how many
        pixels are added around the image.

    Notes
    -----
    On a CPU, torch is nearly ten times as fast where channels are innermost in memory; a copy
    that makes them so takes a tenth of what it saves. It stays away in training between
    convolutions that want them otherwise. Of equal maxima the first gets the gradient.
    """
    # A program for batches of any length must not depend on the length of one.
    is_many = torch.compiler.is_exporting() or data.numel() >= _WORTH_IT
    if data.is_cpu and data.dim() == 4 and is_many and not _is_outermost(data):
        data = data.contiguous(memory_format=torch.channels_last)
    return torch.max_pool2d(data, kernel, stride or kernel, padding)


def _is_outermost(data: Tensor) -> bool:
    """Return whether images have long rows, in the order in which filters learn from them."""
    is_trained = data.requires_grad and data.is_contiguous()
    return is_trained and has_long_rows(data.size(3), data.size(1))
