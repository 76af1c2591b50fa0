"""Changes of pictures before they come into a batch: what ImageRecordIter's arguments ask for."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as onp

from gluonish.errors import RefusedArgumentError
from gluonish.io.options import read_options
from gluonish.numpy_images.colours import change_hls, grey_of
from gluonish.numpy_images.resizing import resize
from gluonish.numpy_images.warping import warp

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.io.image_draws import Draws
    from gluonish.io.image_records import Decoded
    from gluonish.io.image_scaling import Scale, Scaler
    from gluonish.numpy_images.codec import Pixels

    Step: TypeAlias = "Callable[[Pixels], Pixels]"

# Principal components of ImageNet's colours, and the roots of their variances.
EIGVAL = (55.46, 4.794, 1.148)
EIGVEC = ((-0.5675, 0.7192, 0.4009), (-0.5808, -0.0045, -0.8140), (-0.5836, -0.6948, 0.4203))
_TRIES = 10  # of a random crop of random size


class SampleChanges(NamedTuple):
    """What is to be done to a sample: steps of the picture, its label, and how it is scaled."""

    steps: list[Step]
    label: onp.ndarray[Any, Any]
    scale: Scale

    def change(self, pixels: Pixels) -> Pixels:
        """Return a picture after all steps."""
        for step in self.steps:
            pixels = step(pixels)
        return pixels


@dataclasses.dataclass(frozen=True)
class ImageChanges:
    """Arguments of MXNet's default augmenter, under their own names."""

    resize: int = -1
    rand_crop: bool = False
    random_resized_crop: bool = False
    max_rotate_angle: int = 0
    max_aspect_ratio: float = 0.0
    min_aspect_ratio: float | None = None
    max_shear_ratio: float = 0.0
    max_crop_size: int = -1
    min_crop_size: int = -1
    max_random_scale: float = 1.0
    min_random_scale: float = 1.0
    max_random_area: float = 1.0
    min_random_area: float = 1.0
    max_img_size: float = 1e10
    min_img_size: float = 0.0
    brightness: float = 0.0
    contrast: float = 0.0
    saturation: float = 0.0
    pca_noise: float = 0.0
    random_h: int = 0
    random_s: int = 0
    random_l: int = 0
    rotate: int = -1
    fill_value: int = 255
    inter_method: int = 1
    pad: int = 0


@dataclasses.dataclass(frozen=True)
class ImageScaling:
    """Arguments of MXNet's normalization, under their own names."""

    mirror: bool = False
    rand_mirror: bool = False
    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 1.0
    std_g: float = 1.0
    std_b: float = 1.0
    std_a: float = 1.0
    scale: float = 1.0
    max_random_contrast: float = 0.0
    max_random_illumination: float = 0.0


def read_image_options(where: str, given: dict[str, Any]) -> tuple[ImageChanges, ImageScaling]:
    """Return arguments as the two groups, each value of the kind of its default.

    Raises
    ------
    UnknownArgumentError
        There is no argument of that name.
    RefusedArgumentError
        A value is of another kind, or out of its range.
    """
    first, second = read_options(where, given, ImageChanges, ImageScaling)
    changes, scaling = ImageChanges(**first), ImageScaling(**second)
    _check(where, changes)
    return changes, scaling


def _check(where: str, changes: ImageChanges) -> None:
    conflict = changes.random_resized_crop and (
        changes.rand_crop
        or (changes.min_random_scale, changes.max_random_scale) != (1.0, 1.0)
        or (changes.min_crop_size, changes.max_crop_size) != (-1, -1)
    )
    if conflict:
        msg = (
            f"{where}: random_resized_crop=True was given with rand_crop, a random scale or a "
            f"crop size. Expected it alone, since it draws size and place itself. Leave the "
            f"others out."
        )
        raise RefusedArgumentError(msg)
    pairs = (
        ("random_area", changes.min_random_area, changes.max_random_area),
        ("random_scale", changes.min_random_scale, changes.max_random_scale),
        ("crop_size", changes.min_crop_size, changes.max_crop_size),
        ("aspect_ratio", changes.min_aspect_ratio or 0.0, changes.max_aspect_ratio or math.inf),
    )
    for name, low, high in pairs:
        if low > high:
            msg = (
                f"{where}: min_{name}={low} and max_{name}={high} were given. Expected the lower "
                f"bound first. Exchange them."
            )
            raise RefusedArgumentError(msg)
    check_method(where, changes.inter_method)


def check_method(where: str, method: int) -> None:
    """Refuse a number that stands for no way to resize.

    Raises
    ------
    RefusedArgumentError
        It stands for none.
    """
    if method not in (0, 1, 2, 3, 4, 9, 10):
        msg = (
            f"{where}: inter_method={method} was given. Expected 0 to 4, 9 or 10. Leave it out for "
            f"1, bilinear."
        )
        raise RefusedArgumentError(msg)


def resized(
    steps: list[Step], old: tuple[int, int], new: tuple[int, int], method: int, draws: Draws
) -> tuple[int, int]:
    """Add the step that resizes a picture to another height and width, which are returned."""
    interp = chosen_method(method, old, new, draws)
    steps.append(functools.partial(resize, width=new[1], height=new[0], interp=interp))
    return new


def chosen_method(method: int, old: tuple[int, int], new: tuple[int, int], draws: Draws) -> int:
    """Return how to resize: 9 goes by the two sizes, 10 draws."""
    if method == 9:
        if new[0] > old[0] and new[1] > old[1]:
            return 2
        return 3 if new[0] < old[0] and new[1] < old[1] else 1
    return draws.whole(0, 4) if method == 10 else method


def with_short_side(size: tuple[int, int], short: int) -> tuple[int, int]:
    """Return height and width of a picture whose shorter side gets another length."""
    rows, columns = size
    return (short * rows // columns, short) if rows > columns else (short, short * columns // rows)


class Planner:
    """Draws what is to be done to a picture of some size, in MXNet's order.

    Parameters
    ----------
    changes : ImageChanges
        What may be done.
    data_shape : (int, int, int)
        Channels, height and width of the result.
    scaler : Scaler
        What makes numbers of pixels.
    """

    def __init__(self, changes: ImageChanges, data_shape: tuple[int, ...], scaler: Scaler) -> None:
        self._changes = changes
        self._scaler = scaler
        self._channels, self._rows, self._columns = data_shape

    def plan(self, sample: Decoded, draws: Draws) -> SampleChanges:
        """Return what is to be done to a sample."""
        size = sample.pixels.shape[:2]
        steps: list[Step] = []
        for stage in (self._resized, self._warped, self._padded):
            size = stage(steps, size, draws)
        if self._changes.random_resized_crop:
            self._crop_of_any_size(steps, size, draws)
        elif self._changes.max_crop_size != -1 or self._changes.min_crop_size != -1:
            self._square_crop(steps, size, draws)
        else:
            self._crop(steps, size, draws)
        self._recolour(steps, draws)
        return SampleChanges(steps, sample.label, self._scaler.draw(draws))

    def _method(self, old: tuple[int, int], new: tuple[int, int], draws: Draws) -> int:
        return chosen_method(self._changes.inter_method, old, new, draws)

    def _resize_to(
        self, steps: list[Step], old: tuple[int, int], new: tuple[int, int], draws: Draws
    ) -> tuple[int, int]:
        return resized(steps, old, new, self._changes.inter_method, draws)

    def _resized(self, steps: list[Step], size: tuple[int, int], draws: Draws) -> tuple[int, int]:
        short = self._changes.resize
        if short < 1:
            return size
        new = with_short_side(size, short)
        return self._resize_to(steps, size, new, draws)

    def _warped(self, steps: list[Step], size: tuple[int, int], draws: Draws) -> tuple[int, int]:
        """Turn, shear and scale, if one of them is asked for; then all of them draw."""
        changes = self._changes
        stretches = changes.max_aspect_ratio != 0 and not changes.random_resized_crop
        scales = (changes.max_random_scale, changes.min_random_scale) != (1.0, 1.0)
        bounded = changes.max_img_size != 1e10 or changes.min_img_size != 0
        turns = changes.max_rotate_angle > 0 or changes.rotate > 0 or changes.max_shear_ratio > 0
        if not (turns or scales or bounded or stretches):
            return size
        shear = draws.real(0, 1) * changes.max_shear_ratio * 2 - changes.max_shear_ratio
        angle = draws.whole(-changes.max_rotate_angle, changes.max_rotate_angle)
        if changes.rotate > 0:
            angle = changes.rotate
        low, high = changes.min_random_scale, changes.max_random_scale
        scale = draws.real(0, 1) * (high - low) + low
        ratio = self._ratio(draws) if not changes.random_resized_crop else 1.0
        across = 2 * scale / (1 + ratio)
        down = ratio * across
        cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
        rows, columns = size
        lengths = (scale * columns, scale * rows)
        exact = onp.clip(lengths, changes.min_img_size, changes.max_img_size)
        width, height = (int(length) for length in exact)
        turn: Any = onp.array(
            [
                [across * cos - shear * sin * down, across * sin + shear * cos * down],
                [-sin * down, cos * down],
            ],
            onp.float32,
        )
        middle = exact - turn @ (columns, rows)
        matrix = onp.column_stack([turn, middle / 2]).astype(onp.float32)
        method = self._method(size, (height, width), draws)
        fill = changes.fill_value
        steps.append(lambda pixels: warp(pixels, matrix, width, height, method, fill))
        return height, width

    def _ratio(self, draws: Draws) -> float:
        least, most = self._changes.min_aspect_ratio, self._changes.max_aspect_ratio
        if least is None:
            return draws.real(0, 1) * most * 2 - most + 1
        return draws.real(0, 1) * (most - least) + least

    def _padded(self, steps: list[Step], size: tuple[int, int], _: Draws) -> tuple[int, int]:
        width = self._changes.pad
        if width < 1:
            return size
        widths, fill = ((width, width), (width, width), (0, 0)), self._changes.fill_value
        steps.append(lambda pixels: onp.pad(pixels, widths, constant_values=fill))
        return size[0] + 2 * width, size[1] + 2 * width

    def _cut(self, steps: list[Step], box: tuple[int, int, int, int]) -> None:
        x, y, width, height = box
        steps.append(lambda pixels: pixels[y : y + height, x : x + width])

    def _crop_of_any_size(self, steps: list[Step], size: tuple[int, int], draws: Draws) -> None:
        changes = self._changes
        rows, columns = size
        least = changes.min_aspect_ratio
        low = 1 - changes.max_aspect_ratio if least is None else least
        high = 1 + changes.max_aspect_ratio if least is None else changes.max_aspect_ratio
        for _ in range(_TRIES):
            area = draws.real(changes.min_random_area, changes.max_random_area) * rows * columns
            ratio = draws.real(low, high)
            height, width = round(math.sqrt(area / ratio)), round(math.sqrt(area * ratio))
            if draws.real(0, 1) > 0.5:
                height, width = width, height
            if 0 < height <= rows and 0 < width <= columns:
                y = draws.whole(0, rows - height)
                x = draws.whole(0, columns - width)
                self._cut(steps, (x, y, width, height))
                self._resize_to(steps, (height, width), (self._rows, self._columns), draws)
                return
        side = min(rows, columns)
        self._cut(steps, ((columns - side) // 2, (rows - side) // 2, side, side))
        self._resize_to(steps, (side, side), (self._rows, self._columns), draws)

    def _square_crop(self, steps: list[Step], size: tuple[int, int], draws: Draws) -> None:
        changes = self._changes
        least, most = changes.min_crop_size, changes.max_crop_size
        most = min(most, *size)
        side = draws.whole(min(max(least, 1), most), most)
        self._place(steps, size, (side, side), draws)
        self._resize_to(steps, (side, side), (self._rows, self._columns), draws)

    def _crop(self, steps: list[Step], size: tuple[int, int], draws: Draws) -> None:
        """Cut a part of the wanted size, of a picture that is enlarged first if it is smaller."""
        rows, columns = size
        method = self._method(size, (self._rows, self._columns), draws)
        if rows < self._rows:
            rows, columns = self._rows, int(self._rows / rows * columns)
            steps.append(functools.partial(resize, width=columns, height=rows, interp=method))
        if columns < self._columns:
            rows, columns = int(self._columns / columns * rows), self._columns
            steps.append(functools.partial(resize, width=columns, height=rows, interp=method))
        self._place(steps, (rows, columns), (self._rows, self._columns), draws)

    def _place(
        self, steps: list[Step], size: tuple[int, int], part: tuple[int, int], draws: Draws
    ) -> None:
        y, x = size[0] - part[0], size[1] - part[1]
        if self._changes.rand_crop:
            y = draws.whole(0, y)
            x = draws.whole(0, x)
        else:
            y, x = y // 2, x // 2
        self._cut(steps, (x, y, part[1], part[0]))

    def _recolour(self, steps: list[Step], draws: Draws) -> None:
        changes = self._changes
        spreads = (changes.brightness, changes.contrast, changes.saturation)
        if any(spreads):
            factors = [1 + draws.real(-spread, spread) for spread in spreads]
            steps += [
                functools.partial(_JITTERS[kind], factor=factors[kind])
                for kind in draws.shuffled([0, 1, 2])
                if spreads[kind]
            ]
        limits = (changes.random_h, changes.random_s, changes.random_l)
        if any(limits) and self._channels == 3:
            hue, saturation, light = (int(draws.real(0, 1) * x * 2 - x) for x in limits)
            steps.append(lambda pixels: change_hls(pixels, hue, light, saturation))
        if changes.pca_noise > 0 and self._channels == 3:
            alpha = onp.array(draws.normals(3, changes.pca_noise))
            shift = (onp.array(EIGVEC) * alpha) @ onp.array(EIGVAL)
            steps.append(lambda pixels: (pixels + shift).clip(0, 255).astype(onp.uint8))


def _bytes(values: Any) -> Pixels:
    result: Pixels = onp.rint(values).clip(0, 255).astype(onp.uint8)
    return result


def _grey(pixels: Pixels) -> Pixels:
    """Return the brightness as MXNet computes it here: red and blue are exchanged."""
    return grey_of(pixels[..., 2::-1])


def _brighten(pixels: Pixels, factor: float) -> Pixels:
    return _bytes(pixels * factor)


def _contrast(pixels: Pixels, factor: float) -> Pixels:
    grey = _grey(pixels) if pixels.shape[2] >= 3 else pixels
    return _bytes(pixels * factor + (1 - factor) * grey.mean())


def _saturate(pixels: Pixels, factor: float) -> Pixels:
    if pixels.shape[2] < 3:
        return pixels
    return _bytes(pixels * factor + (1 - factor) * _grey(pixels)[..., onp.newaxis])


_JITTERS = (_brighten, _contrast, _saturate)
