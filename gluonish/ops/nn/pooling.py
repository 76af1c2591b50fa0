"""Pooling along one, two or three spatial axes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch
from torch import Tensor
from torch.nn import functional

from gluonish.errors import DTypeError, InvalidArgumentError, ShapeError
from gluonish.ops.nn.layouts import Sizes, channels_first, channels_last, is_channels_last, per_axis
from gluonish.ops.nn.max_pooling import max_pool2d
from gluonish.ops.nn.pictures import POOLING
from gluonish.ops.table import EXACT, Graph, Quantized, op
from gluonish.ops.table.choices import LAYOUTS, unknown_choice
from gluonish.ops.table.explain import describe

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

CONVENTIONS = ("full", "same", "valid")
_MAXIMUM: dict[int, Callable[..., Tensor]] = {
    1: torch.max_pool1d,
    2: max_pool2d,
    3: torch.max_pool3d,
}
_AVERAGE: dict[int, Callable[..., Tensor]] = {
    1: functional.avg_pool1d,
    2: functional.avg_pool2d,
    3: functional.avg_pool3d,
}
POOLINGS = ("avg", "lp", "max", "sum")
_CHANNELS_FIRST = {None: 0, "NCW": 1, "NCHW": 2, "NCDHW": 3}


def _counted(given: Mapping[str, Any]) -> int:
    """Rule for the outputs that MXNet counts: where maxima are, too."""
    return 2 if given["pool_type"] == "max" else 1


def _is_of_integers(given: Mapping[str, Any]) -> bool:
    """Rule for quantized networks: they have maxima and averages."""
    return given["pool_type"] in ("avg", "max") and not (given["layout"] or "").endswith("C")


@op(
    nd="Pooling",
    npx="pooling",
    graph=Graph(names_input=True, outputs=_counted),
    precision=EXACT,
    picture=POOLING,
    quantized=Quantized("_contrib_quantized_pooling", _is_of_integers),
    choices={
        "pool_type": POOLINGS,
        "pooling_convention": CONVENTIONS,
        "layout": LAYOUTS,
    },
)
def pooling(
    data: Tensor,
    kernel: Sizes = (),
    pool_type: str = "max",
    global_pool: bool = False,
    cudnn_off: bool = False,  # noqa: ARG001 - a hint to MXNet's own kernels
    pooling_convention: str = "valid",
    stride: Sizes = (),
    pad: Sizes = (),
    p_value: int | None = None,
    count_include_pad: bool | None = None,
    layout: str | None = None,
) -> Tensor:
    """Reduce each window of the data to one number per channel.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        One, two or three spatial axes; channels come last in the layouts that say so.
    kernel : tuple of int
        Sizes of the window.
    pool_type : {'max', 'avg', 'sum', 'lp'}, default 'max'
        What is computed of a window; `'lp'` is the root of a sum of powers, with its sign.
    global_pool : bool, default False
        Whether the window is the whole image.
    cudnn_off : bool, default False
        Hint to MXNet's own kernels, which torch's do not need.
    pooling_convention : {'valid', 'full', 'same'}, default 'valid'
        Whether windows that reach over the padded end are left out or kept, or there is one
        window for each stride.
    stride : tuple of int, default 1 everywhere
        Steps between windows.
    pad : tuple of int, default 0 everywhere
        Padding on each side.
    p_value : int, optional
        Which power `'lp'` sums: 1, 2 or 3.
    count_include_pad : bool, optional
        Whether the average counts padding as zeros; by default it does.
    layout : {'NCW', 'NCHW', 'NCDHW', 'NWC', 'NHWC', 'NDHWC'}, optional
        Order of the axes of data and result.

    Raises
    ------
    ShapeError
        The data is smaller than a window, or has another number of axes.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[1, 3, 2, 0]]])
    >>> print(mx.nd.Pooling(x, kernel=(2,), stride=(2,)).asnumpy())
    [[[3. 2.]]]
    """
    axes = data.dim() - 2
    if not global_pool and pooling_convention == "valid":
        include = _includes_pad(count_include_pad)
        result = _pool_plainly(data, axes, kernel, stride, pad, pool_type, include, layout)
        if result is not None:
            return result
    last = layout is not None and is_channels_last("Pooling", layout, axes)
    if last:
        data = channels_first(data)
    if global_pool:
        result = _pool_whole(data, axes, pool_type, p_value)
    else:
        windows = _windows(data, axes, kernel, stride, pad)
        result = _pool(
            data, axes, windows, pool_type, pooling_convention, p_value, count_include_pad
        )
    return channels_last(result) if last else result


def _pool_plainly(
    data: Tensor,
    axes: int,
    kernel: Sizes,
    stride: Sizes,
    pad: Sizes,
    pool_type: str,
    include_pad: bool,
    layout: str | None,
) -> Tensor | None:
    """Pool the most common way, without a closer look; None if that is not possible."""
    if _CHANNELS_FIRST.get(layout) not in (0, axes) or isinstance(kernel, int):
        return None
    if len(kernel) != axes or pool_type not in ("max", "avg"):
        return None
    try:
        if pool_type == "max":
            return _MAXIMUM[axes](data, kernel, stride or 1, pad or 0)
        return _AVERAGE[axes](data, kernel, stride or 1, pad or 0, False, include_pad)
    except (KeyError, RuntimeError):
        return None  # the long way explains what is wrong, or does without torch's padding


def _pool_whole(data: Tensor, axes: int, pool_type: str, p_value: int | None) -> Tensor:
    if axes not in _MAXIMUM:
        raise _wrong_axes(data)
    spatial = tuple(range(2, axes + 2))
    if pool_type == "max":
        return _MAXIMUM[axes](data, tuple(data.shape[2:]))
    if pool_type == "avg":
        return data.mean(spatial, keepdim=True)
    if pool_type == "sum":
        return data.sum(spatial, keepdim=True)
    power = _power(pool_type, p_value)
    return _root(data.pow(power).sum(spatial, keepdim=True), power)


def _root(sums: Tensor, power: int) -> Tensor:
    """Return the root of sums of powers, with their sign; its gradient at 0 is 0."""
    if power == 1:
        return sums
    sizes = torch.where(sums == 0, 1, sums.abs())
    return sizes.pow(1 / power) * sums.sign()


def _power(pool_type: str, p_value: int | None) -> int:
    if pool_type != "lp":
        raise unknown_choice(pool_type, "Pooling", "pool_type", POOLINGS)
    if p_value not in (1, 2, 3):
        msg = (
            f"Pooling: pool_type='lp' was given with p_value={p_value!r}. Expected which power to "
            f"sum: 1, 2 or 3. Pass p_value=2 for the Euclidean norm."
        )
        raise InvalidArgumentError(msg)
    return p_value


Windows = tuple[tuple[int, ...], tuple[int, ...], tuple[int, ...]]


def _windows(data: Tensor, axes: int, kernel: Sizes, stride: Sizes, pad: Sizes) -> Windows:
    """Return sizes, strides and padding of the windows, one number per spatial axis.

    MXNet reads as many strides and paddings as there are axes, and takes more.
    """
    steps, padding = per_axis(stride, axes, 1)[:axes], per_axis(pad, axes, 0)[:axes]
    windows = per_axis(kernel, axes, 0), steps, padding
    if axes not in _MAXIMUM or len(windows[0]) != axes:
        raise _wrong_axes(data)
    if min(windows[0]) < 1:
        msg = (
            f"Pooling: kernel={kernel} was given. Expected a window of {axes} sizes, or "
            f"global_pool=True. Pass kernel=(2, 2), for example."
        )
        raise InvalidArgumentError(msg)
    if min(windows[1]) < 1 or min(windows[2]) < 0:
        msg = (
            f"Pooling: stride={stride} and pad={pad} were given. Expected steps of 1 or more, and "
            f"no negative padding. Cut data with x[...] before it is pooled."
        )
        raise InvalidArgumentError(msg)
    too_small = any(
        width > size + 2 * padding
        for width, size, padding in zip(windows[0], data.shape[2:], windows[2], strict=True)
    )
    if too_small:
        msg = (
            f"Pooling: kernel={windows[0]} and pad={windows[2]} were given for data of shape "
            f"{tuple(data.shape)}. Expected a window that fits into the padded data. Use a "
            f"smaller window or larger images, leave out this pooling or one before it, or pool "
            f"over all of them, which global_pool=True does, and nn.GlobalMaxPool2D() and its like."
        )
        raise ShapeError(msg)
    return windows


def _wrong_axes(data: Tensor) -> ShapeError:
    msg = (
        f"Pooling: data of shape {tuple(data.shape)} was given. Expected batch, channels and one "
        f"to three spatial axes, as many as the window has. Reshape the data."
    )
    return ShapeError(msg)


def _pool(
    data: Tensor,
    axes: int,
    windows: Windows,
    pool_type: str,
    convention: str,
    p_value: int | None,
    count_include_pad: bool | None,
) -> Tensor:
    widths, strides, padding = windows
    sizes = tuple(data.shape[2:])
    counted = _count(sizes, windows, convention)
    floor = counted == _count(sizes, windows, "valid")
    plain = floor and all(2 * pad <= width for pad, width in zip(padding, widths, strict=True))
    if axes == 3:  # torch's kernel asks for data as large as the window, without its padding
        plain = plain and all(w <= size for w, size in zip(widths, sizes, strict=True))
        plain = plain and (data.dtype is not torch.float16 or pool_type == "max")
    try:
        if plain and pool_type == "max":
            return _MAXIMUM[axes](data, widths, strides, padding)
        if plain and pool_type == "avg":
            include = _includes_pad(count_include_pad)
            return _AVERAGE[axes](data, widths, strides, padding, False, include)
        return _pool_padded(data, axes, windows, counted, pool_type, p_value, count_include_pad)
    except RuntimeError as error:
        if isinstance(error, InvalidArgumentError) or data.is_floating_point():
            raise
        msg = (
            f"Pooling: data is an {describe(data)}. Expected a floating-point dtype. Convert it "
            f"with x.astype('float32')."
        )
        raise DTypeError(msg) from error


def _count(sizes: tuple[int, ...], windows: Windows, convention: str) -> tuple[int, ...]:
    """Return how many windows there are along each axis."""
    if convention == "same":
        if any(windows[2]):
            msg = (
                f"Pooling: pad={windows[2]} was given with pooling_convention='same'. Expected no "
                f"padding: it follows from the convention. Leave pad out."
            )
            raise InvalidArgumentError(msg)
        return tuple(-(-size // step) for size, step in zip(sizes, windows[1], strict=True))
    rests = [
        (size + 2 * pad - width, step)
        for size, width, step, pad in zip(sizes, *windows, strict=True)
    ]
    if convention == "valid":
        return tuple(rest // step + 1 for rest, step in rests)
    if convention == "full":
        return tuple(-(-rest // step) + 1 for rest, step in rests)
    raise unknown_choice(convention, "Pooling", "pooling_convention", CONVENTIONS)


def _pool_padded(
    data: Tensor,
    axes: int,
    windows: Windows,
    counted: tuple[int, ...],
    pool_type: str,
    p_value: int | None,
    count_include_pad: bool | None,
) -> Tensor:
    """Pool windows that torch's own padding does not offer: pad first, then pool."""
    widths, strides, _ = windows
    margins: list[int] = []
    for size, width, step, before, count in zip(data.shape[2:], *windows, counted, strict=True):
        after = (count - 1) * step + width - size - before
        margins = [before, after, *margins]
    if pool_type == "max":
        lowest = torch.finfo(data.dtype).min
        padded = functional.pad(data, margins, value=lowest)
        return _MAXIMUM[axes](padded, widths, strides)
    power = 1 if pool_type in ("avg", "sum") else _power(pool_type, p_value)
    terms = data if power == 1 else data.pow(power)
    terms = functional.pad(terms, margins)
    if axes == 3 and terms.dtype is torch.float16:  # which torch's kernel lacks
        terms = terms.float()
    sums = (_AVERAGE[axes](terms, widths, strides) * math.prod(widths)).to(data.dtype)
    if pool_type == "avg":
        return sums / _elements(
            data, windows, counted, includes_pad=_includes_pad(count_include_pad)
        )
    return _root(sums, power)


def _includes_pad(count_include_pad: bool | None) -> bool:
    return count_include_pad is None or bool(count_include_pad)


def _elements(
    data: Tensor, windows: Windows, counted: tuple[int, ...], *, includes_pad: bool
) -> Tensor:
    """Return how many elements each window has; at least 1 along each axis that has padding."""
    product = torch.ones((), dtype=data.dtype, device=data.device)
    # Windows without data: in three dimensions MXNet divides 0 by 0, or by a negative number.
    is_counted = data.dim() == 5
    for size, width, step, before, count in zip(data.shape[2:], *windows, counted, strict=True):
        low, high = (-before, size + before) if includes_pad else (0, size)
        starts = torch.arange(count, device=data.device) * step - before
        lengths = (starts + width).clamp(max=high) - starts.clamp(min=low)
        lengths = lengths if is_counted else lengths.clamp(min=1)
        product = product.unsqueeze(-1) * lengths.to(data.dtype)
    return product
