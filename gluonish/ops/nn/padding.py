"""Padding of images."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from torch.nn import functional

from gluonish.array.dtypes import number_in
from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.choices import unknown_choice
from gluonish.ops.table.explain import describe

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor


_PAD_MODES = {"constant": "constant", "edge": "replicate", "reflect": "reflect"}
_BATCH_AND_CHANNELS = 4  # the first four numbers of pad_width belong to axes that stay


@op(
    nd=("Pad", "pad"),
    nd_method="pad",
    graph=Graph(needed=("mode", "pad_width")),
    precision=EITHER,
    choices={"mode": tuple(_PAD_MODES)},
)
def pad(
    data: Tensor, mode: str = "", pad_width: Sequence[int] = (), constant_value: float = 0.0
) -> Tensor:
    """Enlarge the spatial axes of images.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, *sizes)
        Images with two or three spatial axes.
    mode : {'constant', 'edge', 'reflect'}
        What is put around them: a number, copies of the edge, or the image mirrored at its edge.
    pad_width : tuple of int
        Widths before and after each axis, in order; 0 for batch and channels.
    constant_value : float, default 0
        The number for `'constant'`.

    Raises
    ------
    ShapeError
        There are not two or three spatial axes, or the mirror image would be too small.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.array([[[[1, 2]]]])
    >>> widths = (0, 0, 0, 0, 0, 0, 1, 1)
    >>> print(mx.nd.pad(x, mode='edge', pad_width=widths).asnumpy())
    [[[[1. 1. 2. 2.]]]]
    """
    if str(mode) not in _PAD_MODES:
        raise _unknown_mode(mode)
    margins = _margins(data, pad_width)
    if mode == "constant":
        return functional.pad(data, margins, "constant", number_in(constant_value, data.dtype))
    try:
        return functional.pad(data, margins, mode=_PAD_MODES[mode])
    except RuntimeError as error:
        msg = (
            f"Pad: mode={mode!r} and pad_width={tuple(pad_width)} were given for an "
            f"{describe(data)}. Expected floating-point data, larger than the mirrored widths. "
            f"Lower the widths, or use mode='edge'."
        )
        raise ShapeError(msg) from error


def _margins(data: Tensor, pad_width: Sequence[int]) -> list[int]:
    """Return widths as torch has them: of the last axis first."""
    widths = list(pad_width)
    if data.dim() not in (4, 5) or len(widths) != 2 * data.dim():
        given: list[Any] = widths
        flat = tuple(n for pair in given if isinstance(pair, (list, tuple)) for n in pair)
        how = "Reshape the data, or use concat"
        if len(flat) == 2 * data.dim():
            how = f"Write pad_width={flat}, as one tuple of numbers"
        msg = (
            f"Pad: data of shape {tuple(data.shape)} and pad_width={tuple(pad_width)} were given. "
            f"Expected 4 or 5 axes, and two widths for each, in one row. {how}."
        )
        raise ShapeError(msg)
    if any(widths[:_BATCH_AND_CHANNELS]) or min(widths) < 0:
        msg = (
            f"Pad: pad_width={tuple(pad_width)} was given. Expected no negative width, and 0 for "
            f"the first two axes, batch and channels. Pass (0, 0, 0, 0, top, bottom, left, right)."
        )
        raise InvalidArgumentError(msg)
    if len(widths) == 2 * _BATCH_AND_CHANNELS:
        top, bottom, left, right = widths[_BATCH_AND_CHANNELS:]
        return [left, right, top, bottom]
    pairs = [widths[at : at + 2] for at in range(_BATCH_AND_CHANNELS, len(widths), 2)]
    return [width for pair in reversed(pairs) for width in pair]


def _unknown_mode(mode: object) -> InvalidArgumentError:
    if not isinstance(mode, (tuple, list)):
        return unknown_choice(mode, "Pad", "mode", _PAD_MODES)
    return InvalidArgumentError(
        f"Pad: mode={mode} was given. Expected {', '.join(map(repr, _PAD_MODES))}. Write mx.np.pad("
        f"x.as_np_ndarray(), {mode}), which takes widths as NumPy does."
    )
