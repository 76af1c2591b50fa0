"""Transforms that turn pictures."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
from typing_extensions import override

from gluonish import image
from gluonish.block import Block
from gluonish.errors import DTypeError, InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.array import NDArray

__all__ = ["RandomRotation", "Rotate"]


class Rotate(Block):
    """Turning of pictures about their middle, by a fixed angle.

    Shapes: data (channels, height, width) -> the same, batches alike.

    Parameters
    ----------
    rotation_degrees : float
        The angle, clockwise.
    zoom_in : bool, default False
        Whether to enlarge pictures until no border shows.
    zoom_out : bool, default False
        Whether to shrink pictures until all of them shows.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.Rotate(30)(mx.nd.ones((3, 8, 8))).shape
    (3, 8, 8)
    """

    def __init__(
        self, rotation_degrees: float, zoom_in: bool = False, zoom_out: bool = False
    ) -> None:
        super().__init__()
        self._args = (rotation_degrees, zoom_in, zoom_out)

    @override
    def forward(self, x: NDArray) -> NDArray:
        _check_float32(x, "Rotate")
        return image.imrotate(x, *self._args)


class RandomRotation(Block):
    """Turning of pictures about their middle, by a random angle.

    Shapes: data (channels, height, width) -> the same, batches alike.

    Parameters
    ----------
    angle_limits : (float, float)
        Bounds of the angle in degrees, the lower one first.
    zoom_in : bool, default False
        Whether to enlarge pictures until no border shows.
    zoom_out : bool, default False
        Whether to shrink pictures until all of them shows.
    rotate_with_proba : float, default 1.0
        Probability in [0, 1] of turning at all.

    Raises
    ------
    InvalidArgumentError
        The bounds are in the wrong order, or the probability is none.
    DTypeError
        `angle_limits` is no pair.

    Notes
    -----
    The numbers come from NumPy's global generator, as in MXNet.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.RandomRotation((-30, 30))(mx.nd.ones((3, 8, 8))).shape
    (3, 8, 8)
    """

    def __init__(
        self,
        angle_limits: Sequence[float],
        zoom_in: bool = False,
        zoom_out: bool = False,
        rotate_with_proba: float = 1.0,
    ) -> None:
        super().__init__()
        if not hasattr(angle_limits, "__len__") or len(angle_limits) != 2:
            msg = (
                f"RandomRotation: angle_limits={angle_limits!r} was given. Expected two angles in "
                f"degrees. Write (-30, 30), for example."
            )
            raise DTypeError(msg)
        if not angle_limits[0] < angle_limits[1]:
            msg = (
                f"RandomRotation: `angle_limits` must be an ordered tuple, {angle_limits!r} was "
                f"given. Expected the lower angle first. Write (-30, 30), for example."
            )
            raise InvalidArgumentError(msg)
        if not 0 <= rotate_with_proba <= 1:
            msg = (
                f"RandomRotation: rotate_with_proba={rotate_with_proba!r} was given. Probability "
                f"of rotating the image should be between 0 and 1. Leave it out for 1."
            )
            raise InvalidArgumentError(msg)
        self._args = (angle_limits, zoom_in, zoom_out)
        self._probability = rotate_with_proba

    @override
    def forward(self, x: NDArray) -> NDArray:
        if onp.random.random() > self._probability:  # noqa: NPY002 - MXNet's generator
            return x
        _check_float32(x, "RandomRotation")
        return image.random_rotate(x, *self._args)


def _check_float32(x: NDArray, where: str) -> None:
    if onp.dtype(x.dtype) != onp.float32:
        msg = (
            f"{where}: This transformation only supports float32, {onp.dtype(x.dtype)} was given. "
            f"Consider calling it after ToTensor."
        )
        raise DTypeError(msg)
