"""Upsampling of images."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import InvalidArgumentError
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import explained

if TYPE_CHECKING:
    from collections.abc import Mapping


_JOINS = ("concat", "sum")
_KINDS = ("bilinear", "nearest")


def _up_sampling_shapes(
    shapes: Mapping[str, tuple[int, ...] | None],
    scale: int = 1,
    num_filter: int = 0,
    sample_type: str = "",
    **_: object,
) -> dict[str, tuple[int, ...]]:
    """Rule for an unknown weight: one square filter for each channel."""
    data = shapes.get("data:0")
    if sample_type != "bilinear" or data is None:
        return {}
    size = 2 * scale - scale % 2
    return {"data:1": (num_filter or data[1], 1, size, size)}


def _parts(texts: Mapping[str, str]) -> tuple[str, ...]:
    return ("data", "weight") if texts.get("sample_type") == "bilinear" else ()


@op(
    nd="UpSampling",
    shapes=_up_sampling_shapes,
    graph=Graph(
        needed=("scale", "sample_type"), initial={"weight": '["bilinear", {}]'}, parts=_parts
    ),
    precision=EITHER,
    choices={"sample_type": _KINDS, "multi_input_mode": _JOINS},
)
@explained("images of shape (batch, channels, height, width) that fit together. Reshape them")
def up_sampling(
    *data: Tensor,
    scale: int = 1,
    num_filter: int = 0,
    sample_type: str = "",
    multi_input_mode: str = "concat",
    num_args: int | None = None,
    workspace: int = 512,  # noqa: ARG001 - a hint to MXNet's own kernels
) -> Tensor:
    """Enlarge images by a whole factor.

    Parameters
    ----------
    *data : Tensor, shape (batch, channels, height, width)
        Images; for `'bilinear'`, one array of them and the weight of the deconvolution that
        interpolates, of shape (channels, 1, k, k) with k = 2 * scale - scale % 2.
    scale : int
        The factor for the first array; the others are brought to the same size.
    num_filter : int, default 0
        Number of channels, for `'bilinear'` only; by default the data's.
    sample_type : {'nearest', 'bilinear'}
        Whether to repeat or to interpolate.
    multi_input_mode : {'concat', 'sum'}, default 'concat'
        How several arrays are put together.
    num_args : int, optional
        Number of arrays, which is counted.
    workspace : int
        Hint to MXNet's own kernels, which torch's do not need.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[1, 2]]]])
    >>> print(mx.nd.UpSampling(x, scale=2, sample_type='nearest').asnumpy())
    [[[[1. 1. 2. 2.]
       [1. 1. 2. 2.]]]]
    """
    if sample_type not in ("nearest", "bilinear"):
        raise unknown_choice(sample_type, "UpSampling", "sample_type", _KINDS)
    if multi_input_mode not in _JOINS:
        raise unknown_choice(multi_input_mode, "UpSampling", "multi_input_mode", _JOINS)
    needed = 2 if sample_type == "bilinear" else None
    if not data or len(data) != (needed or len(data)) or num_args not in (None, len(data)):
        msg = (
            f"UpSampling: {len(data)} arrays and num_args={num_args} were given with "
            f"sample_type={sample_type!r}. Expected data and weight for 'bilinear', and one array "
            f"or more for 'nearest'. Pass those, and leave num_args out."
        )
        raise InvalidArgumentError(msg)
    if needed:
        return _bilinear(data[0], data[1], scale, num_filter)
    height = data[0].size(2) * scale
    enlarged = [_repeat(image, height // image.size(2)) for image in data]
    if len(enlarged) == 1:
        return enlarged[0]
    if multi_input_mode == "concat":
        return torch.cat(enlarged, 1)
    return sum(enlarged[1:], enlarged[0])


def _repeat(image: Tensor, factor: int) -> Tensor:
    return image.repeat_interleave(factor, 2).repeat_interleave(factor, 3)


def _bilinear(data: Tensor, weight: Tensor, scale: int, num_filter: int) -> Tensor:
    if num_filter not in (0, data.size(1)):
        msg = (
            f"UpSampling: num_filter={num_filter} was given for data of shape "
            f"{tuple(data.shape)}. Expected the number of channels. Pass {data.size(1)}."
        )
        raise InvalidArgumentError(msg)
    padding = scale // 2  # ceil((scale - 1) / 2)
    return functional.conv_transpose2d(data, weight, None, scale, padding, 0, groups=data.size(1))
