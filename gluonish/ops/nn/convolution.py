"""Convolution and its transpose, along one, two or three axes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NoReturn

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.ops.nn.dense import refuse_bias
from gluonish.ops.nn.layouts import (
    Sizes,
    channels_first,
    channels_last,
    has_long_rows,
    is_channels_last,
    per_axis,
)
from gluonish.ops.nn.pictures import CONVOLUTION
from gluonish.ops.table import FULL, Graph, Precision, Quantized, op, shape_rules
from gluonish.ops.table.choices import LAYOUTS, TUNING
from gluonish.ops.table.explain import describe, one_dtype
from gluonish.ops.table.inference import unless

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.ops.table import Shape

_NO_STEPS = (None, 1, (), (1, 1), [1, 1])
_SMALL = 20480  # elements, up to which torch convolves one example without oneDNN
_SIZES = ("depth", "height", "width")
_LARGEST_KERNEL = 7  # usually; larger ones may be channels, misplaced
_BLOCK = 16  # channels that oneDNN's kernels take at once, at the most
_CONVOLUTIONS = {3: functional.conv1d, 4: functional.conv2d, 5: functional.conv3d}
_TRANSPOSES = {
    3: functional.conv_transpose1d,
    4: functional.conv_transpose2d,
    5: functional.conv_transpose3d,
}


def _has_channels_first(given: Mapping[str, Any]) -> bool:
    """Rule for quantized networks: their convolutions have the channels first."""
    return not (given["layout"] or "").endswith("C")


def _channels(
    where: str, data: Shape | None, kernel: tuple[int, ...], layout: str | None
) -> int | None:
    if data is None:
        return None
    if kernel and len(data) != len(kernel) + 2:
        raise _other_axes(where, data, f"kernel={tuple(kernel)}", len(kernel))
    last = layout is not None and layout.endswith("C")
    return data[-1 if last else 1]


def convolution_shapes(
    shapes: dict[str, Shape | None],
    kernel: tuple[int, ...],
    num_filter: int,
    num_group: int,
    layout: str | None,
    **_: object,
) -> dict[str, Shape]:
    """Rule for unknown shapes: the channels of the data, and the filters."""
    channels = _channels("Convolution", shapes["data"], kernel, layout)
    each = None if channels is None else channels // num_group
    if layout is not None and layout.endswith("C"):
        weight = (num_filter, *kernel, each)
    else:
        weight = (num_filter, each, *kernel)
    return {"weight": weight, "bias": (num_filter,)}


def _convolution_reverse(
    shapes: dict[str, Shape | None],
    outputs: tuple[Shape | None, ...],
    kernel: Sizes = (),
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    layout: str | None = None,
    **_: object,
) -> dict[str, Shape]:
    """Rule for unknown lengths of the data: by those of the result, for filters without stride."""
    data, output = shapes["data"], outputs[0]
    if not data or not output or len(output) != len(data):
        return {}
    found: list[int | None] = [output[0], *[None] * (len(data) - 1)]
    axes = len(data) - 2
    sizes, steps, gaps, edges = (
        per_axis(given, axes, default)
        for given, default in ((kernel, 0), (stride, 1), (dilate, 1), (pad, 0))
    )
    first = 1 if layout is not None and layout.endswith("C") else 2
    for axis, (size, step, gap, edge) in enumerate(zip(sizes, steps, gaps, edges, strict=False)):
        length = output[first + axis]
        if size and step == 1 and length is not None:
            found[first + axis] = length + gap * (size - 1) - 2 * edge
    pairs = zip(data, found, strict=True)
    return {"data": tuple(new if old is None else old for old, new in pairs)}


@op(
    nd=(("Convolution",), ("Convolution_v1",)),
    npx="convolution",
    shapes=convolution_shapes,
    arguments=unless("no_bias", "data", "weight", "bias"),
    reverse=_convolution_reverse,
    graph=Graph(needed=("kernel", "num_filter")),
    precision=Precision("low", others={"Convolution_v1": FULL}),
    picture=CONVOLUTION,
    quantized=Quantized(
        "_contrib_quantized_conv",
        _has_channels_first,
        "product",
        "_sg_mkldnn_conv",
        parameters=("weight", "bias"),
        is_wide=True,
        is_must=True,
    ),
    choices={"cudnn_tune": TUNING, "layout": LAYOUTS},
)
def convolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    kernel: Sizes = (),
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    num_filter: int | None = None,
    num_group: int = 1,
    workspace: int = 1024,  # noqa: ARG001 - a hint to MXNet's own kernels
    no_bias: bool = False,
    cudnn_tune: str | None = None,  # noqa: ARG001 - the same
    cudnn_off: bool = False,  # noqa: ARG001 - the same
    layout: str | None = None,
) -> Tensor:
    """Slide filters over the data.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        One, two or three spatial axes; channels come last in the layouts that say so.
    weight : Tensor, shape (num_filter, channels / num_group, *kernel)
        The filters.
    bias : Tensor, shape (num_filter,), optional
        What is added to each output channel.
    kernel : tuple of int
        Sizes of a filter; by default what the weight says.
    stride, dilate : tuple of int, default 1 everywhere
        Steps of the filter over the data, and between the elements it reads.
    pad : tuple of int, default 0 everywhere
        Zeros added on each side.
    num_filter : int, optional
        Number of output channels; by default what the weight says.
    num_group : int, default 1
        Into how many groups channels and filters are divided.
    no_bias : bool, default False
        Whether there is no bias.
    workspace, cudnn_tune, cudnn_off
        Hints to MXNet's own kernels, which torch's do not need.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Order of the axes of data, weight and result.

    Raises
    ------
    ShapeError
        Data, weight and bias do not fit.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.nd.array([[[1, 2, 4]]]), mx.nd.array([[[-1, 1]]])
    >>> print(mx.nd.Convolution(x, w, kernel=(2,), num_filter=1, no_bias=True).asnumpy())
    [[[1. 2.]]]
    """
    axes = weight.dim() - 2
    last = layout is not None and is_channels_last("Convolution", layout, axes)
    if last:
        data, weight = channels_first(data), channels_first(weight)
    if (
        no_bias is not (bias is None)
        or (kernel and weight.shape[2:] != kernel)
        or (num_filter is not None and weight.size(0) != num_filter)
        or data.dim() != axes + 2
    ):
        _check("Convolution", data, weight, bias, kernel, num_filter, no_bias)
    if axes == 2 and data.is_cpu and data.dtype is torch.float32:
        if weight.size(2) == weight.size(3) == 1 and weight.size(1) % _BLOCK:
            data, stride = _strided(data, stride, pad)
        if weight.requires_grad and _learns_outermost(data, weight, stride, num_group):
            data = data.contiguous()
        else:
            data, weight = _innermost(data, weight)
    try:
        convolve = _CONVOLUTIONS[axes + 2]
        result = convolve(data, weight, bias, stride or 1, pad or 0, dilate or 1, num_group)
    except (KeyError, RuntimeError) as error:
        _explain("Convolution", data, weight, num_group, error)
    return channels_last(result) if last else result


def _strided(data: Tensor, stride: Sizes, pad: Sizes) -> tuple[Tensor, Sizes]:
    """Return what filters of one element read, and the steps that are left.

    With channels innermost, oneDNN 3's kernel for AVX2 (`jit_1x1:avx2`) writes beyond its memory
    when it differentiates by such a filter with a stride, if a pixel has less channels than a
    register has numbers. Without a stride it does not.
    """
    steps = per_axis(stride, 2, 1)
    if max(steps) == 1 or any(per_axis(pad, 2, 0)):
        return data, stride
    return data[:, :, :: steps[0], :: steps[1]], 1


def _learns_outermost(data: Tensor, weight: Tensor, stride: Sizes | None, groups: int) -> bool:
    """Return whether filters are to learn from images whose channels are not innermost in memory.

    So it is for filters of several elements that go over long rows without steps, which is up to
    three times as fast.
    """
    return (
        groups == 1
        and weight.size(2) > 1
        and stride in _NO_STEPS
        and has_long_rows(data.size(3), max(weight.size(0), weight.size(1)))
    )


def _innermost(data: Tensor, weight: Tensor) -> tuple[Tensor, Tensor]:
    """Have torch convolve with channels innermost in memory, which is faster on CPUs.

    It does so where data or filters have them so, and its result has them so, too: in a network
    the first layer copies, the smaller of both. A single channel is innermost as it is, which its
    strides have to say. One small example stays as it is: torch has kernels of its own for it.
    """
    # A program for batches of any length must not depend on the length of one.
    is_fixed = not torch.compiler.is_exporting()
    if is_fixed and data.size(0) == 1 and data.numel() <= _SMALL and weight.is_contiguous():
        return data, weight
    if data.size(1) == 1:
        if data.stride(1) != 1 and is_fixed:
            data = data.squeeze(1).unsqueeze(-1).movedim(-1, 1)
    elif not data.is_contiguous(memory_format=torch.channels_last):
        if not is_fixed or weight.numel() < data.numel():
            weight = weight.contiguous(memory_format=torch.channels_last)
        else:
            data = data.contiguous(memory_format=torch.channels_last)
    return data, weight


_ONE_PICTURE = 3  # axes
_ROWS = 2
_CHANNELS = (1, 3, 4)  # what pictures have


def _is_picture(sizes: list[int]) -> bool:
    """Return whether rows of numbers are likely to be one picture: about as many as columns."""
    return 2 * min(sizes) > max(sizes)


def _other_axes(where: str, data: Shape, given: str, axes: int) -> ShapeError:
    mend = (
        "Reshape the data; one example becomes a batch with x.expand_dims(0), images of one "
        "channel get their axis with x.expand_dims(1)."
    )
    one = data if len(data) == axes + 1 == _ONE_PICTURE else ()
    if one and one[-1] in _CHANNELS and (one[0] or 0) > (one[-1] or 0):
        mend = "Its channels seem to come last: write x.transpose((2, 0, 1)).expand_dims(0)."
    elif one and one[0] in _CHANNELS and (one[0] or 0) < (one[-1] or 0):
        mend = "One picture becomes a batch with x.expand_dims(0)."
    elif len(data) == _ROWS == axes and _is_picture([length or 0 for length in data]):
        mend = f"One picture of one channel is written x.reshape({(1, 1, *data)})."
    elif len(data) == _ROWS == axes + 1:
        mend = (
            "Rows of one channel get its axis with x.expand_dims(1); one example becomes a batch "
            "with x.expand_dims(0)."
        )
    elif len(data) == _ROWS < axes + 1:
        mend = (
            f"Rows of numbers become pictures of one pixel with x.reshape({(*data, *[1] * axes)})."
        )
    msg = (
        f"{where}: data of shape {data} was given for {given}. Expected {axes + 2} axes: batch, "
        f"channels and {axes} spatial ones. {mend}"
    )
    return ShapeError(msg)


def _check(
    where: str,
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None,
    kernel: Sizes,
    num_filter: int | None,
    no_bias: bool,
) -> None:
    """Refuse what does not fit to the weight; what is only written differently passes."""
    if bool(no_bias) is not (bias is None):
        refuse_bias(where, bias)
    axes = weight.dim() - 2
    if data.dim() != axes + 2:
        given = f"a weight of shape {tuple(weight.shape)}"
        raise _other_axes(where, tuple(data.shape), given, axes)
    sizes = per_axis(kernel, axes, 0) if kernel else tuple(weight.shape[2:])
    if sizes != tuple(weight.shape[2:]):
        msg = (
            f"{where}: kernel={kernel} was given with a weight of shape {tuple(weight.shape)}. "
            f"Expected kernel={tuple(weight.shape[2:])}, the weight's last axes. Pass that, or "
            f"another weight."
        )
        raise ShapeError(msg)
    if where == "Convolution" and num_filter not in (None, weight.size(0)):
        msg = (
            f"{where}: num_filter={num_filter} was given with a weight of shape "
            f"{tuple(weight.shape)}. Expected num_filter={weight.size(0)}, the weight's first "
            f"axis. Pass that, or another weight."
        )
        raise ShapeError(msg)


def _explain(
    where: str,
    data: Tensor,
    weight: Tensor,
    num_group: int,
    error: Exception,
) -> NoReturn:
    if isinstance(error, torch.OutOfMemoryError):
        raise error
    axes = weight.dim() - 2
    channels = data.size(1)
    expected = weight.size(1) * num_group if where == "Convolution" else weight.size(0)
    if axes not in (1, 2, 3):
        msg = (
            f"{where}: a weight of shape {tuple(weight.shape)} was given. Expected 3 to 5 axes: "
            f"filters, channels and the kernel's sizes. Pass such a weight."
        )
        raise ShapeError(msg) from error
    if channels != expected and channels % num_group:
        msg = (
            f"{where}: data of shape {tuple(data.shape)} has {channels} channels, and "
            f"num_group={num_group}. Expected a number of channels that the groups divide. Build "
            f"the layer with groups={channels} or groups=1, for example."
        )
        raise ShapeError(msg) from error
    if channels != expected:
        how = (
            f"Build the layer with in_channels={channels}, or leave in_channels out to have it "
            f"inferred."
        )
        is_last = data.size(-1) == expected
        if is_last:
            how = (
                f"Its last axis has {expected}: move it to the front by "
                f"x.transpose({(0, axes + 1, *range(1, axes + 1))})."
            )
        groups = "" if num_group == 1 else f" in {num_group} groups"
        msg = (
            f"{where}: data of shape {tuple(data.shape)} has {channels} channels. The weight of "
            f"shape {tuple(weight.shape)}{groups} expects {expected}. {how}"
        )
        told = ShapeError(msg)
        told.is_of_inference = not is_last
        raise told from error
    if data.dtype is not weight.dtype:
        msg = (
            f"{where}: data is an {describe(data)}, weight an {describe(weight)}. Expected one "
            f"floating-point dtype for all. {one_dtype(data, weight)}"
        )
        raise DTypeError(msg) from error
    reason = str(error).strip().partition("\n")[0].rstrip(".")
    if "Kernel size can't be greater" in reason:
        msg = (
            f"{where}: data of shape {tuple(data.shape)} was given for a weight of shape "
            f"{tuple(weight.shape)}"
        )
        last = _channels_last(tuple(data.shape))
        msg += last or (
            f", whose kernel is larger. Expected data at least as large as the kernel, padding "
            f"included. {_how_to_fit(tuple(data.shape), weight)}"
        )
        raise ShapeError(msg) from error
    msg = (
        f"{where}: data is an {describe(data)}, weight an {describe(weight)}, "
        f"num_group={num_group} ({reason}). Expected data at least as large as the kernel, and "
        f"filters that the groups divide. Pad the data, or change the layer."
    )
    raise ShapeError(msg) from error


def _channels_last(shape: tuple[int, ...]) -> str:
    """Return what to do about data whose channels seem to come last, '' of others."""
    if shape[-1] not in _CHANNELS or shape[1] in _CHANNELS or shape[-1] >= min(shape[1:-1]):
        return ""
    order = (0, len(shape) - 1, *range(1, len(shape) - 1))
    axes = ", ".join(["batch", "channels", *_SIZES[-(len(shape) - 2) :]])
    return f": its channels seem to come last. Expected ({axes}). Write x.transpose({order})."


def _how_to_fit(shape: tuple[int, ...], weight: Tensor) -> str:
    """Return what to do about a kernel that is larger than the data."""
    kernel, sizes = tuple(weight.shape[2:]), shape[2:]
    shown = " x ".join(map(str, sizes))
    largest = max(k - size for k, size in zip(kernel, sizes, strict=True))
    how = f"Write padding={-(-largest // 2)} or more, or a smaller kernel_size"
    if max(kernel) > _LARGEST_KERNEL:
        given, size = f"{weight.shape[0]}, {kernel[0]}, size", f"{kernel[0]}, size"
        return (
            f"PyTorch's Conv2d({given}) is nn.Conv2D({size}) here. Where that kernel was meant, "
            f"it needs padding={-(-largest // 2)} or more."
        )
    return (
        f"{how}. Where strides and poolings before have left {shown}, take one out, or give larger "
        f"data."
    )


def _deconvolution_shapes(
    shapes: dict[str, Shape | None],
    kernel: tuple[int, ...],
    num_filter: int,
    num_group: int,
    layout: str | None,
    **_: object,
) -> dict[str, Shape]:
    """Rule for unknown shapes: the channels of the data, and the filters of a group."""
    channels = _channels("Deconvolution", shapes["data"], kernel, layout)
    if layout is not None and layout.endswith("C"):
        weight = (channels, *kernel, num_filter // num_group)
    else:
        weight = (channels, num_filter // num_group, *kernel)
    return {"weight": weight, "bias": (num_filter,)}


@op(
    nd="Deconvolution",
    npx="deconvolution",
    shapes=_deconvolution_shapes,
    arguments=unless("no_bias", "data", "weight", "bias"),
    reverse=shape_rules.keeps_batch,
    graph=Graph(needed=("kernel", "num_filter")),
    precision=Precision("low", "full"),
    choices={"cudnn_tune": TUNING, "layout": LAYOUTS},
)
def deconvolution(
    data: Tensor,
    weight: Tensor,
    bias: Tensor | None = None,
    kernel: Sizes = (),
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
    adj: Sizes = (),
    target_shape: Sizes = (),
    num_filter: int | None = None,
    num_group: int = 1,
    workspace: int = 512,  # noqa: ARG001 - a hint to MXNet's own kernels
    no_bias: bool = True,
    cudnn_tune: str | None = None,  # noqa: ARG001 - the same
    cudnn_off: bool = False,  # noqa: ARG001 - the same
    layout: str | None = None,
) -> Tensor:
    """Spread each element over a filter's shape: the transpose of a convolution.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        One, two or three spatial axes; channels come last in the layouts that say so.
    weight : Tensor, shape (channels, num_filter / num_group, *kernel)
        The filters.
    bias : Tensor, shape (num_filter,), optional
        What is added to each output channel.
    kernel, stride, dilate, pad : tuple of int
        Of the convolution whose transpose this is.
    adj : tuple of int, default 0 everywhere
        Elements added at the end of each axis; smaller than the stride.
    target_shape : tuple of int, optional
        Sizes of the result; `pad` and `adj` then follow from it.
    num_filter : int, optional
        Number of output channels; by default what the weight says.
    num_group : int, default 1
        Into how many groups channels and filters are divided.
    no_bias : bool, default True
        Whether there is no bias.
    workspace, cudnn_tune, cudnn_off
        Hints to MXNet's own kernels, which torch's do not need.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Order of the axes of data, weight and result.

    Raises
    ------
    ShapeError
        Data, weight and bias do not fit.

    Examples
    --------
    >>> import gluonish as mx
    >>> x, w = mx.nd.array([[[1, 2]]]), mx.nd.array([[[1, 10]]])
    >>> print(mx.nd.Deconvolution(x, w, kernel=(2,), num_filter=1).asnumpy())
    [[[ 1. 12. 20.]]]
    """
    axes = weight.dim() - 2
    last = layout is not None and is_channels_last("Deconvolution", layout, axes)
    if last:
        data, weight = channels_first(data), channels_first(weight)
    _check("Deconvolution", data, weight, bias, kernel, num_filter, no_bias)
    filters = weight.size(1) * num_group
    if num_filter not in (None, filters):
        msg = (
            f"Deconvolution: num_filter={num_filter} was given with a weight of shape "
            f"{tuple(weight.shape)} in {num_group} groups. Expected num_filter={filters}. Pass "
            f"that, or another weight."
        )
        raise ShapeError(msg)
    strides, steps = per_axis(stride, axes, 1), per_axis(dilate, axes, 1)
    padding, extra = per_axis(pad, axes, 0), per_axis(adj, axes, 0)
    if target_shape:
        full = _spread(data, weight, strides, steps)
        padding, extra = _fit(full, per_axis(target_shape, axes, 0))
    if any(more >= step for more, step in zip(extra, strides, strict=True)):
        msg = (
            f"Deconvolution: adj={extra} was given with stride={strides}. Expected adj smaller "
            f"than the stride. Lower it (output_padding in the layer)."
        )
        raise InvalidArgumentError(msg)
    try:
        transpose = _TRANSPOSES[axes + 2]
        result = transpose(data, weight, bias, strides, padding, extra, num_group, steps)
    except (KeyError, RuntimeError) as error:
        if axes + 2 not in _TRANSPOSES or data.size(1) != weight.size(0):
            _explain("Deconvolution", data, weight, num_group, error)
        full = _spread(data, weight, strides, steps)
        sizes = [
            size - 2 * edge + more for size, edge, more in zip(full, padding, extra, strict=True)
        ]
        if min(sizes) > 0:
            _explain("Deconvolution", data, weight, num_group, error)
        if min(sizes) < 0:
            msg = (
                f"Deconvolution: pad={padding} was given where the result without padding has "
                f"sizes {tuple(full)}. Expected at most half of them at each end. Lower pad."
            )
            raise ShapeError(msg) from error
        given = (data, weight) if bias is None else (data, weight, bias)
        number = torch.stack([each.sum() for each in given]).sum()  # their gradients are zeros
        result = number.expand(data.size(0), filters, *sizes)
    return channels_last(result) if last else result


def _spread(
    data: Tensor, weight: Tensor, strides: tuple[int, ...], steps: tuple[int, ...]
) -> list[int]:
    """Return the sizes of a transposed convolution's result without padding."""
    lengths = zip(data.shape[2:], weight.shape[2:], strides, steps, strict=True)
    return [
        step * (size - 1) + (width - 1) * dilation + 1 for size, width, step, dilation in lengths
    ]


def _fit(full: list[int], target: tuple[int, ...]) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return padding and adjustment that cut the full sizes down to the target's."""
    if any(size < wanted for size, wanted in zip(full, target, strict=True)):
        msg = (
            f"Deconvolution: target_shape={target} was given where the result without padding has "
            f"sizes {tuple(full)}. Expected no larger target. Lower it, or raise the stride."
        )
        raise InvalidArgumentError(msg)
    surplus = [size - wanted for size, wanted in zip(full, target, strict=True)]
    return tuple((more + 1) // 2 for more in surplus), tuple(more % 2 for more in surplus)
