"""Anchor boxes for each pixel of a feature map."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import torch
from torch import Tensor

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import Graph, Precision, op
from gluonish.ops.table.explain import check_floats
from gluonish.ops.vision.checks import several, wrong_shape

if TYPE_CHECKING:
    from collections.abc import Sequence

_WHERE = "MultiBoxPrior"


@op(
    nd="contrib.MultiBoxPrior",
    npx="multibox_prior",
    graph=Graph(names_input=True),
    precision=Precision("full", "widest"),
)
def multibox_prior(
    data: Tensor,
    sizes: float | Sequence[float] = (1.0,),
    ratios: float | Sequence[float] = (1.0,),
    clip: bool = False,
    steps: Sequence[float] = (-1.0, -1.0),
    offsets: Sequence[float] = (0.5, 0.5),
) -> Tensor:
    """Return anchor boxes of several sizes and shapes, centred on each pixel.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        Feature map, of which the shape counts.
    sizes : float or sequence of float, default (1,)
        Sizes relative to the image's height; each is used with the first ratio.
    ratios : float or sequence of float, default (1,)
        Ratios of width to height; those after the first are used with the first size.
    clip : bool, default False
        Whether the boxes are cut off at the image's edges.
    steps : pair of float, default (-1, -1)
        Distances of the centres along y and x, relative to the image; by default it is covered.
    offsets : pair of float, default (0.5, 0.5)
        Where the first centre is along y and x, in steps.

    Returns
    -------
    Tensor, shape (1, height * width * (len(sizes) + len(ratios) - 1), 4)
        Corners (xmin, ymin, xmax, ymax) relative to the image. There is no gradient.

    Examples
    --------
    >>> import gluonish as mx
    >>> image = mx.np.zeros((1, 3, 1, 2))
    >>> mx.npx.multibox_prior(image, sizes=[0.5])
    array([[[0.125, 0.25 , 0.375, 0.75 ],
            [0.625, 0.25 , 0.875, 0.75 ]]])
    """
    if data.dim() != 4:
        expected = "a feature map of shape (batch, channels, height, width)"
        raise wrong_shape(_WHERE, expected, "Reshape the data", data=data)
    check_floats(_WHERE, data=data)
    height, width = data.shape[2:]
    many_sizes, many_ratios = several(_WHERE, "sizes", sizes), several(_WHERE, "ratios", ratios)
    step_y, step_x = _steps(several(_WHERE, "steps", steps, 2), height, width)
    offset_y, offset_x = several(_WHERE, "offsets", offsets, 2)
    center_y = (torch.arange(height, dtype=data.dtype, device=data.device) + offset_y) * step_y
    center_x = (torch.arange(width, dtype=data.dtype, device=data.device) + offset_x) * step_x
    forms = _forms(many_sizes, many_ratios, height, width)
    half_width = data.new_tensor([half for half, _ in forms])
    half_height = data.new_tensor([half for _, half in forms])
    shape = (height, width, len(forms))
    x, y = center_x[:, None], center_y[:, None, None]
    edges = (x - half_width, y - half_height, x + half_width, y + half_height)
    boxes = torch.stack([edge.expand(shape) for edge in edges], -1).reshape(1, -1, 4)
    return boxes.clamp(0, 1) if clip else boxes


def _steps(steps: tuple[float, ...], height: int, width: int) -> tuple[float, float]:
    """Return the distances of the centres, where those below 0 are found from the size."""
    step_y, step_x = steps
    if (step_y <= 0) is not (step_x <= 0):
        msg = (
            f"{_WHERE}: steps={steps} was given. Expected two distances, or two negative numbers "
            f"to have them found. Pass both (step_y, step_x), or leave steps out."
        )
        raise InvalidArgumentError(msg)
    return (1 / max(height, 1), 1 / max(width, 1)) if step_y <= 0 else (step_y, step_x)


def _forms(
    sizes: tuple[float, ...], ratios: tuple[float, ...], height: int, width: int
) -> list[tuple[float, float]]:
    """Return half widths and half heights of a pixel's boxes, rounded as MXNet does."""
    if min(ratios) <= 0:
        msg = (
            f"{_WHERE}: ratios={ratios} was given. Expected ratios of width to height above 0. "
            f"Pass ratios=(1, 2, 0.5), for example."
        )
        raise InvalidArgumentError(msg)
    single = onp.float32
    pairs = [(size, ratios[0]) for size in sizes] + [(sizes[0], ratio) for ratio in ratios[1:]]
    forms = []
    for number, ratio in pairs:
        size, root = single(number), onp.sqrt(single(ratio))
        half_width = size * single(height) / single(max(width, 1)) * root / single(2)
        forms.append((float(half_width), float(size / root / single(2))))
    return forms
