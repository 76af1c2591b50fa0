"""Augmenters: what is done to pictures before a net sees them, and how they are combined."""

from __future__ import annotations

import json
import random
from typing import TYPE_CHECKING, Any

import numpy as onp
from typing_extensions import override

from gluonish.array import NDArray
from gluonish.errors import MissingMethodError
from gluonish.image.geometry import (
    center_crop,
    get_interp_method,
    imresize,
    random_crop,
    random_size_crop,
    resize_short,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    Size = tuple[int, int]

__all__ = [
    "Augmenter",
    "CastAug",
    "CenterCropAug",
    "ForceResizeAug",
    "HorizontalFlipAug",
    "RandomCropAug",
    "RandomOrderAug",
    "RandomSizedCropAug",
    "ResizeAug",
    "SequentialAug",
]


def _plain_value(value: Any) -> Any:
    """Return numbers and lists for arrays, so that JSON can hold them."""
    if isinstance(value, NDArray):
        value = value.asnumpy()
    return value.tolist() if isinstance(value, onp.ndarray) else value


class Described:
    """What tells its settings as JSON."""

    def __init__(self, **kwargs: Any) -> None:
        self._kwargs = {name: _plain_value(value) for name, value in kwargs.items()}

    def dumps(self) -> Any:
        """Return name and arguments as JSON; a list of name and parts for a combination."""
        return json.dumps([type(self).__name__.lower(), self._kwargs])


class Augmenter(Described):
    """Base of all augmenters: a subclass defines `__call__(src)`.

    Parameters
    ----------
    **kwargs
        What `dumps` tells of the augmenter.

    Examples
    --------
    >>> import gluonish as mx
    >>> class Invert(mx.image.Augmenter):
    ...     def __call__(self, src):
    ...         return 255 - src
    >>> Invert(strength=1).dumps()
    '["invert", {"strength": 1}]'
    """

    def __call__(self, src: NDArray) -> NDArray:
        """Return the changed picture.

        Raises
        ------
        MissingMethodError
            The subclass does not define it.
        """
        msg = (
            f"{type(self).__name__}: it has no __call__ for a {type(src).__name__}. Must override "
            f"implementation, expected one in every augmenter. Write `def __call__(self, src):` "
            f"in the class."
        )
        raise MissingMethodError(msg)


class _Several(Augmenter):
    def __init__(self, ts: Sequence[Augmenter]) -> None:
        super().__init__()
        self.ts = list(ts)

    @override
    def dumps(self) -> list[Any]:
        return [type(self).__name__.lower(), [part.dumps() for part in self.ts]]

    @override
    def __call__(self, src: NDArray) -> NDArray:
        for augmenter in self.ts:
            src = augmenter(src)
        return src


class _Sized(Augmenter):
    def __init__(self, size: Size, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp


class SequentialAug(_Several):
    """Several augmenters, one after the other.

    Parameters
    ----------
    ts : list of Augmenter
        Applied in this order.

    Examples
    --------
    >>> import gluonish as mx
    >>> both = mx.image.SequentialAug([mx.image.ResizeAug(20), mx.image.CastAug()])
    >>> both(mx.nd.zeros((40, 60, 3), dtype="uint8")).shape
    (20, 30, 3)
    """


class RandomOrderAug(_Several):
    """Several augmenters, in random order.

    Parameters
    ----------
    ts : list of Augmenter
        All are applied.

    Examples
    --------
    >>> import gluonish as mx
    >>> both = mx.image.RandomOrderAug([mx.image.ResizeAug(20), mx.image.CastAug()])
    >>> both(mx.nd.zeros((40, 60, 3), dtype="uint8")).shape
    (20, 30, 3)
    """

    @override
    def __call__(self, src: NDArray) -> NDArray:
        # The list itself is shuffled, so that the draws and the orders are MXNet's.
        random.shuffle(self.ts)
        return super().__call__(src)


class ResizeAug(Augmenter):
    """Resizing of the shorter side to a length, in the same proportions.

    Parameters
    ----------
    size : int
        New length of the shorter side.
    interp : int, default 2
        As in `imresize`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.ResizeAug(20)(mx.nd.zeros((40, 60, 3))).shape
    (20, 30, 3)
    """

    def __init__(self, size: int, interp: int = 2) -> None:
        super().__init__(size=size, interp=interp)
        self.size = size
        self.interp = interp

    @override
    def __call__(self, src: NDArray) -> NDArray:
        return resize_short(src, self.size, self.interp)


class ForceResizeAug(_Sized):
    """Resizing to a size, whatever the proportions.

    Parameters
    ----------
    size : (int, int)
        New width and height.
    interp : int, default 2
        As in `imresize`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.ForceResizeAug((5, 7))(mx.nd.zeros((40, 60, 3))).shape
    (7, 5, 3)
    """

    @override
    def __call__(self, src: NDArray) -> NDArray:
        width, height = self.size
        method = get_interp_method(self.interp, (*src.shape[:2], height, width))
        return imresize(src, width, height, method)


class RandomCropAug(_Sized):
    """Cutting of a part at a random place.

    Parameters
    ----------
    size : (int, int)
        Width and height of the part.
    interp : int, default 2
        As in `imresize`, for pictures that are smaller.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.RandomCropAug((5, 7))(mx.nd.zeros((40, 60, 3))).shape
    (7, 5, 3)
    """

    @override
    def __call__(self, src: NDArray) -> NDArray:
        return random_crop(src, self.size, self.interp)[0]


class RandomSizedCropAug(Augmenter):
    """Cutting of a part of random place, area and proportions, and resizing of it.

    Parameters
    ----------
    size : (int, int)
        Width and height of the result.
    area : float or (float, float)
        Bounds of the part's share in the picture, in (0, 1]; a single number is the lower one.
    ratio : (float, float)
        Bounds of the part's width divided by its height.
    interp : int, default 2
        As in `imresize`.
    **kwargs
        `min_area`, an older name of `area`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.RandomSizedCropAug((5, 7), 0.3, (0.5, 2))(mx.nd.zeros((40, 60, 3))).shape
    (7, 5, 3)
    """

    def __init__(
        self,
        size: Size,
        area: float | Sequence[float],
        ratio: Sequence[float],
        interp: int = 2,
        **kwargs: Any,
    ) -> None:
        area = kwargs.get("min_area", area)
        super().__init__(size=size, area=area, ratio=ratio, interp=interp)
        self.size = size
        self.area = area
        self.ratio = ratio
        self.interp = interp
        self._others = {name: value for name, value in kwargs.items() if name != "min_area"}

    @override
    def __call__(self, src: NDArray) -> NDArray:
        others = self._others
        return random_size_crop(src, self.size, self.area, self.ratio, self.interp, **others)[0]


class CenterCropAug(_Sized):
    """Cutting of the middle.

    Parameters
    ----------
    size : (int, int)
        Width and height of the part.
    interp : int, default 2
        As in `imresize`, for pictures that are smaller.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.CenterCropAug((5, 7))(mx.nd.zeros((40, 60, 3))).shape
    (7, 5, 3)
    """

    @override
    def __call__(self, src: NDArray) -> NDArray:
        return center_crop(src, self.size, self.interp)[0]


class HorizontalFlipAug(Augmenter):
    """Mirroring, left to right, with some probability.

    Parameters
    ----------
    p : float
        Probability in [0, 1].

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.HorizontalFlipAug(1.0)(mx.nd.array([[[1], [2]]])).asnumpy().ravel().tolist()
    [2.0, 1.0]
    """

    def __init__(self, p: float) -> None:
        super().__init__(p=p)
        self.p = p

    @override
    def __call__(self, src: NDArray) -> NDArray:
        return src.flip(axis=1) if random.random() < self.p else src


class CastAug(Augmenter):
    """Conversion to another dtype.

    Parameters
    ----------
    typ : str or type, default 'float32'
        The new dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.image.CastAug()(mx.nd.zeros((4, 6, 3), dtype="uint8")).dtype
    <class 'numpy.float32'>
    """

    def __init__(self, typ: Any = "float32") -> None:
        super().__init__(type=typ)
        self.typ = typ

    @override
    def __call__(self, src: NDArray) -> NDArray:
        return src.astype(self.typ)
