"""Transforms: what is done to the pictures of a dataset before a net sees them."""

from __future__ import annotations

import math
import random
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array.guises import plain_number
from gluonish.block import Block, HybridBlock
from gluonish.block.hooks import is_watched
from gluonish.errors import DTypeError, InvalidArgumentError
from gluonish.gluon.data.together import change_together
from gluonish.gluon.data.vision.rotations import RandomRotation, Rotate
from gluonish.nn import HybridSequential, Sequential

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from gluonish.array import NDArray

Size: TypeAlias = "int | Sequence[int]"

__all__ = [
    "Cast",
    "CenterCrop",
    "Compose",
    "CropResize",
    "HybridRandomApply",
    "Normalize",
    "RandomApply",
    "RandomBrightness",
    "RandomColorJitter",
    "RandomContrast",
    "RandomFlipLeftRight",
    "RandomFlipTopBottom",
    "RandomHue",
    "RandomLighting",
    "RandomResizedCrop",
    "RandomRotation",
    "RandomSaturation",
    "Resize",
    "Rotate",
    "ToTensor",
]
_UNSTARRED = ("Block", "HybridBlock", "HybridSequential", "Sequential")


class Compose(Sequential):
    """Several transforms, one after the other.

    Neighbours that can be hybridized are captured as one graph.

    Parameters
    ----------
    transforms : list of Block
        Applied in this order.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.data.vision import transforms
    >>> prepare = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.13, 0.31)])
    >>> prepare(mx.nd.ones((28, 28, 1))).shape
    (1, 28, 28)
    """

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        super().__init__()
        run: list[HybridBlock] = []
        for transform in (*transforms, None):
            if isinstance(transform, HybridBlock):
                run.append(transform)
                continue
            self._add_run(run)
            run = []
            if transform is not None:
                self.add(transform)  # type: ignore[arg-type] # MXNet takes any function here

    @override
    def register_child(self, block: Block, name: str | None = None) -> None:
        """Make a transform a step; it may be any function."""
        given: object = block
        if isinstance(given, (Block, type)) or not callable(given):
            super().register_child(block, name)
        else:
            self._children[str(len(self._children)) if name is None else name] = block

    def _add_run(self, run: list[HybridBlock]) -> None:
        if len(run) < 2:
            self.add(*run)
            return
        together = HybridSequential()
        together.add(*run)
        together.hybridize()
        self.add(together)

    def _together(self, column: NDArray) -> NDArray | None:
        changed: Any = column
        for child in self._children.values():
            steps: Any = child if type(child) is HybridSequential else [child]
            if steps is child and is_watched(child):
                return None
            for transform in steps:
                changed = None if changed is None else change_together(transform, changed)
        return changed  # type: ignore[no-any-return]


class _ByOperator(HybridBlock):
    """A transform that is one operator of `nd.image`."""

    _operator: str
    _args: tuple[Any, ...] = ()

    @override
    def hybrid_forward(self, F: Any, x: NDArray) -> NDArray:
        return getattr(F.image, self._operator)(x, *self._args)  # type: ignore[no-any-return]


class Cast(HybridBlock):
    """Conversion to another dtype.

    Parameters
    ----------
    dtype : str or type, default 'float32'
        The new dtype.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.Cast("float64")(mx.np.ones((2,))).dtype
    dtype('float64')
    """

    def __init__(self, dtype: Any = "float32") -> None:
        super().__init__()
        self._dtype = dtype

    @override
    def hybrid_forward(self, F: Any, x: NDArray) -> NDArray:
        return F.cast(x, self._dtype)  # type: ignore[no-any-return]

    def _together(self, column: NDArray) -> NDArray:
        return self(column)  # type: ignore[no-any-return]


class RandomApply(Sequential):
    """A transform that is applied with some probability, and otherwise left out.

    Parameters
    ----------
    transforms : Block
        What is applied.
    p : float, default 0.5
        Probability in [0, 1].

    Notes
    -----
    As in MXNet, Python's `random` decides.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon.data.vision import transforms
    >>> transforms.RandomApply(transforms.Cast("float64"), p=0)(mx.np.ones((2,))).dtype
    dtype('float32')
    """

    def __init__(self, transforms: Callable[[Any], Any], p: float = 0.5) -> None:
        super().__init__()
        self.transforms = transforms
        self.p = _probability(type(self).__name__, p)

    @override
    def forward(self, x: Any) -> Any:
        return self.transforms(x) if random.random() < self.p else x


class HybridRandomApply(RandomApply):
    """The same as `RandomApply`, under the name that MXNet 2 gives it for hybrid transforms."""


class ToTensor(_ByOperator):
    """Pictures of 0 to 255, channels last, become float32 of 0 to 1, channels first.

    Shapes: data (height, width, channels) -> (channels, height, width), batches alike.

    Examples
    --------
    >>> import gluonish as mx
    >>> picture = mx.np.full((2, 2, 1), 51, dtype="uint8")
    >>> mx.gluon.data.vision.transforms.ToTensor()(picture)
    array([[[0.2, 0.2],
            [0.2, 0.2]]])
    """

    _operator = "to_tensor"

    def _together(self, column: NDArray) -> NDArray | None:
        return self(column) if column.ndim == 4 else None


class Normalize(_ByOperator):
    """Pictures, channels first, less a mean and divided by a standard deviation.

    Shapes: data (channels, height, width) -> the same, batches alike.

    Parameters
    ----------
    mean : float or tuple of float, default 0.0
        One for all channels or one for each.
    std : float or tuple of float, default 1.0
        One for all channels or one for each.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.Normalize(0.5, 0.25)(mx.np.ones((1, 1, 2)))
    array([[[2., 2.]]])
    """

    _operator = "normalize"

    def __init__(
        self, mean: float | Sequence[float] = 0.0, std: float | Sequence[float] = 1.0
    ) -> None:
        super().__init__()
        self._args = (mean, std)

    def _together(self, column: NDArray) -> NDArray | None:
        return self(column) if column.ndim == 4 else None


class Resize(_ByOperator):
    """Pictures in another size.

    Shapes: data (height, width, channels) -> (new height, new width, channels), batches alike.

    Parameters
    ----------
    size : int or (int, int)
        New (width, height); a single number stands for both.
    keep_ratio : bool, default False
        Whether a single number is the shorter side's, and the other side follows.
    interpolation : {0, 1, 2, 3, 4}, default 1
        Nearest pixel, bilinear, bicubic, or mean over the area.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.Resize(96)(mx.np.ones((28, 28, 1))).shape
    (96, 96, 1)
    """

    _operator = "resize"

    def __init__(self, size: Size, keep_ratio: bool = False, interpolation: int = 1) -> None:
        super().__init__()
        self._args = (size, keep_ratio, interpolation)


class CropResize(HybridBlock):
    """A fixed rectangle of pictures, resized if a size is given.

    Shapes: data (height, width, channels) -> (new height, new width, channels), batches alike.

    Parameters
    ----------
    x, y : int
        Left column and top row, from 0.
    width, height : int
        Size of the rectangle.
    size : int or (int, int), optional
        New (width, height).
    interpolation : {0, 1, 2, 3, 4}, optional
        As for `Resize`; bilinear by default.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.CropResize(1, 2, 3, 2)(mx.np.ones((28, 28, 1))).shape
    (2, 3, 1)
    """

    def __init__(
        self,
        x: int,
        y: int,
        width: int,
        height: int,
        size: Size | None = None,
        interpolation: int | None = None,
    ) -> None:
        super().__init__()
        self._rectangle = {"x": x, "y": y, "width": width, "height": height}
        self._size = size
        self._interpolation = 1 if interpolation is None else interpolation

    @override
    def hybrid_forward(self, F: Any, x: NDArray) -> NDArray:
        part = F.image.crop(x, **self._rectangle)
        if self._size is None:
            return part  # type: ignore[no-any-return]
        return F.image.resize(part, self._size, False, self._interpolation)  # type: ignore[no-any-return]


class CenterCrop(HybridBlock):
    """The middle of pictures; where they are too small, the largest part of its form, enlarged.

    Shapes: data (height, width, channels) -> (new height, new width, channels).

    Parameters
    ----------
    size : int or (int, int)
        (width, height); a single number stands for both.
    interpolation : {0, 1, 2, 3, 4}, default 1
        As for `Resize`.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.CenterCrop((10, 20))(mx.np.ones((28, 28, 1))).shape
    (20, 10, 1)
    """

    def __init__(self, size: Size, interpolation: int = 1) -> None:
        super().__init__()
        self._size = _pair(size)
        self._interpolation = interpolation

    @override
    def hybrid_forward(self, F: Any, x: NDArray) -> NDArray:
        rows, columns = x.shape[-3:-1]
        width, height = _shrink(self._size, columns, rows)
        left, top = (columns - width) // 2, (rows - height) // 2
        box = (left, top, width, height)
        return _cut(F, x, box, self._size, self._interpolation)


class RandomResizedCrop(Block):
    """A random part of pictures, resized: the usual augmentation for large photographs.

    Shapes: data (height, width, channels) -> (new height, new width, channels).

    Parameters
    ----------
    size : int or (int, int)
        New (width, height); a single number stands for both.
    scale : (float, float), default (0.08, 1.0)
        Smallest and largest share of the picture's area.
    ratio : (float, float), default (3/4, 4/3)
        Smallest and largest width per height.
    interpolation : {0, 1, 2, 3, 4}, default 1
        As for `Resize`.

    Notes
    -----
    As in MXNet, Python's `random` decides. Where ten tries give no part that fits, it is the
    middle.

    References
    ----------
    Szegedy et al.: Going deeper with convolutions, 2014, arXiv:1409.4842.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.gluon.data.vision.transforms.RandomResizedCrop(14)(mx.np.ones((28, 28, 1))).shape
    (14, 14, 1)
    """

    def __init__(
        self,
        size: Size,
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3.0 / 4.0, 4.0 / 3.0),
        interpolation: int = 1,
    ) -> None:
        super().__init__()
        self._size = _pair(size)
        self._scale = scale
        self._ratio = ratio
        self._interpolation = interpolation

    @override
    def forward(self, x: NDArray) -> NDArray:
        from gluonish.block.frontends import FRONTENDS

        rows, columns = x.shape[-3:-1]
        box = self._rectangle(columns, rows)
        return _cut(FRONTENDS[type(x)], x, box, self._size, self._interpolation)

    def _rectangle(self, columns: int, rows: int) -> tuple[int, int, int, int]:
        flattest, steepest = (math.log(bound) for bound in self._ratio)
        for _ in range(10):
            area = random.uniform(*self._scale) * columns * rows
            ratio = math.exp(random.uniform(flattest, steepest))
            width, height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if width <= columns and height <= rows:
                left, top = random.randint(0, columns - width), random.randint(0, rows - height)
                return left, top, width, height
        width, height = _shrink(self._size, columns, rows)
        return (columns - width) // 2, (rows - height) // 2, width, height


class RandomFlipLeftRight(_ByOperator):
    """Pictures, mirrored left to right with probability 1/2.

    Shapes: data (height, width, channels) -> the same.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.random.seed(3)
    >>> flip = mx.gluon.data.vision.transforms.RandomFlipLeftRight()
    >>> flip(mx.np.arange(3).reshape(1, 3, 1)).shape
    (1, 3, 1)
    """

    _operator = "random_flip_left_right"


class RandomFlipTopBottom(_ByOperator):
    """Pictures, mirrored top to bottom with probability 1/2.

    Shapes: data (height, width, channels) -> the same.

    Examples
    --------
    >>> import gluonish as mx
    >>> flip = mx.gluon.data.vision.transforms.RandomFlipTopBottom()
    >>> flip(mx.np.arange(3).reshape(3, 1, 1)).shape
    (3, 1, 1)
    """

    _operator = "random_flip_top_bottom"


class RandomBrightness(_ByOperator):
    """Pictures, brighter or darker by a random factor in [1 - brightness, 1 + brightness).

    Shapes: data (height, width, channels) -> the same.

    Parameters
    ----------
    brightness : float
        0 or more; factors below 0 become 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> change = mx.gluon.data.vision.transforms.RandomBrightness(0.5)
    >>> change(mx.np.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _operator = "random_brightness"

    def __init__(self, brightness: float) -> None:
        super().__init__()
        self._args = _around_one(type(self).__name__, brightness)


class RandomContrast(_ByOperator):
    """Pictures, with a random contrast in [1 - contrast, 1 + contrast).

    Shapes: data (height, width, channels) -> the same.

    Parameters
    ----------
    contrast : float
        0 or more; factors below 0 become 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> change = mx.gluon.data.vision.transforms.RandomContrast(0.5)
    >>> change(mx.np.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _operator = "random_contrast"

    def __init__(self, contrast: float) -> None:
        super().__init__()
        self._args = _around_one(type(self).__name__, contrast)


class RandomSaturation(_ByOperator):
    """Colour pictures, with a random saturation in [1 - saturation, 1 + saturation).

    Shapes: data (height, width, channels) -> the same.

    Parameters
    ----------
    saturation : float
        0 or more; factors below 0 become 0.

    Examples
    --------
    >>> import gluonish as mx
    >>> change = mx.gluon.data.vision.transforms.RandomSaturation(0.5)
    >>> change(mx.np.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _operator = "random_saturation"

    def __init__(self, saturation: float) -> None:
        super().__init__()
        self._args = _around_one(type(self).__name__, saturation)


class RandomHue(_ByOperator):
    """Colour pictures, with hues turned by a random factor in [1 - hue, 1 + hue).

    Shapes: data (height, width, channels) -> the same.

    Parameters
    ----------
    hue : float
        0 or more; factors below 0 become 0. A factor of 2 is a full turn.

    Examples
    --------
    >>> import gluonish as mx
    >>> change = mx.gluon.data.vision.transforms.RandomHue(0.1)
    >>> change(mx.np.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _operator = "random_hue"

    def __init__(self, hue: float) -> None:
        super().__init__()
        self._args = _around_one(type(self).__name__, hue)


class RandomColorJitter(_ByOperator):
    """Pictures with random brightness, contrast, saturation and hue, in random order.

    Shapes: data (height, width, channels) -> the same.

    Parameters
    ----------
    brightness, contrast, saturation, hue : float, default 0
        As for the transforms of these names.

    Examples
    --------
    >>> import gluonish as mx
    >>> change = mx.gluon.data.vision.transforms.RandomColorJitter(0.5, 0.5, 0.5, 0.1)
    >>> change(mx.np.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _operator = "random_color_jitter"

    def __init__(
        self,
        brightness: float = 0,
        contrast: float = 0,
        saturation: float = 0,
        hue: float = 0,
    ) -> None:
        super().__init__()
        self._args = (brightness, contrast, saturation, hue)


class RandomLighting(_ByOperator):
    """Colour pictures with noise along the principal components of ImageNet's colours.

    Shapes: data (height, width, channels) -> the same.

    Parameters
    ----------
    alpha : float
        Standard deviation of the noise, 0 or more.

    References
    ----------
    Krizhevsky, Sutskever, Hinton: ImageNet classification with deep convolutional neural
    networks, 2012.

    Examples
    --------
    >>> import gluonish as mx
    >>> change = mx.gluon.data.vision.transforms.RandomLighting(0.1)
    >>> change(mx.np.ones((2, 2, 3))).shape
    (2, 2, 3)
    """

    _operator = "random_lighting"

    def __init__(self, alpha: float) -> None:
        super().__init__()
        self._args = (alpha,)


def _cut(
    F: Any, x: NDArray, box: tuple[int, int, int, int], size: tuple[int, int], interpolation: int
) -> NDArray:
    part: NDArray = F.image.crop(x, *box)
    return part if box[2:] == size else F.image.resize(part, size, False, interpolation)


def _shrink(size: tuple[int, int], columns: int, rows: int) -> tuple[int, int]:
    """Return a size of the same form that fits into a picture."""
    width, height = size
    if rows < height:
        width, height = width * rows / height, rows  # type: ignore[assignment]
    if columns < width:
        width, height = columns, height * columns / width  # type: ignore[assignment]
    return int(width), int(height)


def _pair(size: Size) -> tuple[int, int]:
    number = plain_number(size)
    if isinstance(number, (int, float)):
        return int(number), int(number)
    if isinstance(size, (list, tuple, range)) and len(size) == 2:
        return size[0], size[1]
    msg = f"size={size!r} was given. Expected a length, or a pair (width, height). Write 224."
    raise DTypeError(msg)


def _around_one(name: str, spread: float) -> tuple[float, float]:
    if not spread >= 0:
        msg = (
            f"{name}: {spread!r} was given. Expected 0 or more: factors are drawn from [1 - x, "
            f"1 + x). Leave the transform out to change nothing."
        )
        raise InvalidArgumentError(msg)
    return max(0.0, 1.0 - spread), 1.0 + spread


def _probability(name: str, p: float) -> float:
    if not 0 <= p <= 1:
        msg = f"{name}: p={p!r} was given. Expected a probability in [0, 1]. Leave it out for 0.5."
        raise InvalidArgumentError(msg)
    return p
