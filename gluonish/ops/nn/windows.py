"""Windows of images: one that is cut out, all of them as columns, and columns put together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from torch.nn import functional

from gluonish.errors import InvalidArgumentError, ShapeError
from gluonish.ops.table import EITHER, Graph, op
from gluonish.ops.table.explain import explained
from gluonish.ops.table.variadic import flat

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.ops.nn.layouts import Sizes

_IMAGES = "images of shape (batch, channels, height, width) that hold the window. Make it smaller"


@op(nd="Crop", precision=EITHER)
def crop(
    *data: Tensor,
    num_args: int | None = None,
    offset: Sequence[int] = (0, 0),
    h_w: Sequence[int] = (0, 0),
    center_crop: bool = False,
) -> Tensor:
    """Cut the same window out of all images.

    Parameters
    ----------
    *data : Tensor
        Images of shape (batch, channels, height, width), and optionally an array whose last two
        axes are as long as the window's.
    num_args : int, optional
        How many arrays there are, 1 or 2.
    offset : pair of int, default (0, 0)
        Row and column where the window begins, if it is not in the middle.
    h_w : pair of int
        Height and width of the window, where only images are given.
    center_crop : bool, default False
        Whether the window lies in the middle instead.

    Examples
    --------
    >>> import gluonish as mx
    >>> x = mx.nd.arange(9).reshape((1, 1, 3, 3))
    >>> mx.nd.Crop(x, h_w=(1, 2), offset=(2, 1)).asnumpy()
    array([[[[7., 8.]]]], dtype=float32)
    """
    parts = flat(data)
    if len(parts) not in (1, 2) or num_args not in (None, len(parts)):
        msg = (
            f"Crop: {len(parts)} arrays and num_args={num_args} were given. Expected images, and "
            f"at most one more array as large as the window. Leave num_args out."
        )
        raise InvalidArgumentError(msg)
    images = parts[0]
    height, width = parts[1].shape[2:] if len(parts) == 2 else h_w
    middle = ((images.shape[2] - height) // 2, (images.shape[3] - width) // 2)
    row, column = middle if center_crop else offset
    if not (0 <= row <= images.shape[2] - height and 0 <= column <= images.shape[3] - width):
        msg = (
            f"Crop: a window of {height} x {width} at {(row, column)} was asked for, of images of "
            f"shape {tuple(images.shape)}. Expected a window inside them. Change offset or h_w."
        )
        raise ShapeError(msg)
    return images[:, :, row : row + height, column : column + width].clone()


@op(nd="im2col", graph=Graph(names_input=True))
@explained(_IMAGES)
def im2col(
    data: Tensor, kernel: Sizes, stride: Sizes = (), dilate: Sizes = (), pad: Sizes = ()
) -> Tensor:
    """Return each window of images as a column.

    Parameters
    ----------
    data : Tensor, shape (batch, channels, height, width)
        The images.
    kernel : pair of int
        Height and width of the window.
    stride, dilate, pad : pair of int, optional
        Steps of the window, distances of its elements and zeros around, as of `Convolution`.

    Returns
    -------
    Tensor, shape (batch, channels * kernel height * kernel width, windows)

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.nd.im2col(mx.nd.zeros((1, 2, 3, 3)), kernel=(2, 2)).shape
    (1, 8, 4)
    """
    return functional.unfold(data, _pair(kernel), _pair(dilate), _pair(pad, 0), _pair(stride))


@op(nd="col2im", graph=Graph(names_input=True))
@explained("as many columns as windows of that size fit in. Change output_size or kernel")
def col2im(
    data: Tensor,
    output_size: Sizes,
    kernel: Sizes,
    stride: Sizes = (),
    dilate: Sizes = (),
    pad: Sizes = (),
) -> Tensor:
    """Put columns together as windows of images, and add what overlaps.

    Parameters
    ----------
    data : Tensor, shape (batch, channels * kernel height * kernel width, windows)
        The columns, as `im2col` gives them.
    output_size : pair of int
        Height and width of the images.
    kernel, stride, dilate, pad : pair of int
        Of the windows.

    Examples
    --------
    >>> import gluonish as mx
    >>> columns = mx.nd.im2col(mx.nd.ones((1, 1, 2, 3)), kernel=(2, 2))
    >>> mx.nd.col2im(columns, output_size=(2, 3), kernel=(2, 2)).asnumpy()
    array([[[[1., 2., 1.],
             [1., 2., 1.]]]], dtype=float32)
    """
    return functional.fold(
        data, _pair(output_size), _pair(kernel), _pair(dilate), _pair(pad, 0), _pair(stride)
    )


def _pair(sizes: Sizes, default: int = 1) -> tuple[int, int]:
    """Return two lengths; an empty tuple means the default."""
    given = (sizes,) if isinstance(sizes, int) else tuple(sizes)
    first, *rest = given or (default,)
    return first, rest[0] if rest else first
