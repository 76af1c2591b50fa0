"""Changes of pictures and their boxes: what ImageDetRecordIter's arguments ask for."""

from __future__ import annotations

import dataclasses
import functools
import math
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors import RefusedArgumentError
from gluonish.io.boxes import Boxes, Window, read_boxes
from gluonish.io.image_changes import (
    ImageScaling,
    SampleChanges,
    check_method,
    resized,
    with_short_side,
)
from gluonish.io.image_scaling import Scale
from gluonish.io.options import read_options
from gluonish.numpy_images.colours import change_hls

if TYPE_CHECKING:
    from gluonish.io.image_changes import Step
    from gluonish.io.image_draws import Draws
    from gluonish.io.image_records import Decoded
    from gluonish.numpy_images.codec import Pixels

_NO_BORDER = 1.05  # a frame that is not larger than this is left away
_LEAST_CONTRAST = 1e-3


@dataclasses.dataclass(frozen=True)
class DetectionChanges:
    """Arguments of MXNet's augmenter for detection, under their own names."""

    resize: int = -1
    rand_crop_prob: float = 0.0
    min_crop_scales: tuple[float, ...] = (0.0,)
    max_crop_scales: tuple[float, ...] = (1.0,)
    min_crop_aspect_ratios: tuple[float, ...] = (1.0,)
    max_crop_aspect_ratios: tuple[float, ...] = (1.0,)
    min_crop_overlaps: tuple[float, ...] = (0.0,)
    max_crop_overlaps: tuple[float, ...] = (1.0,)
    min_crop_sample_coverages: tuple[float, ...] = (0.0,)
    max_crop_sample_coverages: tuple[float, ...] = (1.0,)
    min_crop_object_coverages: tuple[float, ...] = (0.0,)
    max_crop_object_coverages: tuple[float, ...] = (1.0,)
    num_crop_sampler: int = 1
    crop_emit_mode: str = "center"
    emit_overlap_thresh: float = 0.3
    max_crop_trials: tuple[int, ...] = (25,)
    rand_pad_prob: float = 0.0
    max_pad_scale: float = 1.0
    max_random_hue: int = 0
    random_hue_prob: float = 0.0
    max_random_saturation: int = 0
    random_saturation_prob: float = 0.0
    max_random_illumination: int = 0
    random_illumination_prob: float = 0.0
    max_random_contrast: float = 0.0
    random_contrast_prob: float = 0.0
    rand_mirror_prob: float = 0.0
    fill_value: int = 127
    inter_method: int = 1
    resize_mode: str = "force"


@dataclasses.dataclass(frozen=True)
class DetectionScaling:
    """Arguments of MXNet's normalization for detection, under their own names."""

    mean_img: str = ""
    mean_r: float = 0.0
    mean_g: float = 0.0
    mean_b: float = 0.0
    mean_a: float = 0.0
    std_r: float = 0.0
    std_g: float = 0.0
    std_b: float = 0.0
    std_a: float = 0.0
    scale: float = 1.0


@dataclasses.dataclass(frozen=True)
class Sampler:
    """Bounds of the parts that one sampler cuts out, and how often it tries."""

    scales: tuple[float, float]
    ratios: tuple[float, float]
    overlaps: tuple[float, float]
    sample_coverages: tuple[float, float]
    object_coverages: tuple[float, float]
    trials: int

    def propose(self, picture_ratio: float, draws: Draws) -> Window:
        """Draw a part of a picture, whose width divided by its height is given."""
        f32 = onp.float32
        low, high = map(f32, self.scales)
        scale = f32(draws.real(0, 1)) * (high - low) + low + f32(1e-12)
        bounds = (f32(ratio) / f32(picture_ratio) for ratio in self.ratios)
        least, most = next(bounds), next(bounds)
        least = max(least, scale * scale)
        most = f32(min(float(most), 1.0 / float(scale * scale)))
        ratio = onp.sqrt(f32(draws.real(0, 1)) * (most - least) + least)
        width, height = min(f32(1), scale * ratio), min(f32(1), scale / ratio)
        x = f32(draws.real(0, 1)) * (f32(1) - width)
        y = f32(draws.real(0, 1)) * (f32(1) - height)
        return Window(x, y, width, height)

    def accepts(self, boxes: Boxes, window: Window) -> bool:
        """Return whether an object shows in a part as this sampler wants it."""
        inner, areas = boxes.areas_in(window), boxes.areas()
        whole = window.width * window.height
        shares = (
            (self.overlaps, inner / (whole + areas - inner)),
            (self.sample_coverages, inner / whole),
            (self.object_coverages, inner / areas),
        )
        fits: Any = onp.ones(len(areas), bool)
        for (low, high), share in shares:
            if low > 0 or high < 1:
                fits &= (share >= onp.float32(low)) & (share <= onp.float32(high))
        return bool(fits.any())


def read_detection_options(
    where: str, given: dict[str, Any]
) -> tuple[DetectionChanges, list[Sampler], ImageScaling]:
    """Return what arguments ask for.

    Raises
    ------
    UnknownArgumentError
        There is no argument of that name.
    RefusedArgumentError
        A value is of another kind, or out of its range.
    """
    first, second = read_options(where, given, DetectionChanges, DetectionScaling)
    changes = DetectionChanges(**first)
    check_method(where, changes.inter_method)
    _check_choice(where, "resize_mode", changes.resize_mode, ("force", "fit", "shrink"))
    _check_choice(where, "crop_emit_mode", changes.crop_emit_mode, ("center", "overlap"))
    if changes.resize < 1 and changes.resize != -1:
        msg = (
            f"{where}: resize={changes.resize} was given. Expected the new length of the shorter "
            f"side, in pixels, or -1. Leave it out to keep the size."
        )
        raise RefusedArgumentError(msg)
    return changes, _samplers(where, changes), _scaling(DetectionScaling(**second))


def _samplers(where: str, changes: DetectionChanges) -> list[Sampler]:
    count = changes.num_crop_sampler

    def each(name: str) -> tuple[Any, ...]:
        values: tuple[Any, ...] = getattr(changes, name)
        if len(values) not in (1, count):
            msg = (
                f"{where}: {name}={values} was given with num_crop_sampler={count}. Expected one "
                f"number, or one for each sampler. Write num_crop_sampler={len(values)}, for "
                f"example."
            )
            raise RefusedArgumentError(msg)
        return values * count if len(values) == 1 else values

    def bounds(name: str, *, least: float = 0.0, most: float = math.inf) -> list[Any]:
        pairs = list(zip(each(f"min_{name}"), each(f"max_{name}"), strict=True))
        for low, high in pairs:
            if not least <= low <= high <= most or (low == high and name == "crop_scales"):
                msg = (
                    f"{where}: min_{name}={low} and max_{name}={high} were given. Expected the "
                    f"lower bound first, from {least} on. Correct or exchange them."
                )
                raise RefusedArgumentError(msg)
        return pairs

    return [
        Sampler(*values)
        for values in zip(
            bounds("crop_scales", most=1.0),
            bounds("crop_aspect_ratios"),
            bounds("crop_overlaps"),
            bounds("crop_sample_coverages"),
            bounds("crop_object_coverages"),
            each("max_crop_trials"),
            strict=True,
        )
    ]


def _check_choice(where: str, name: str, value: str, choices: tuple[str, ...]) -> None:
    if value not in choices:
        msg = (
            f"{where}: {name}={value!r} was given. Expected one of {', '.join(map(repr, choices))}."
            f" Leave it out for {choices[0]!r}."
        )
        raise RefusedArgumentError(msg)


def _scaling(given: DetectionScaling) -> ImageScaling:
    """Return MXNet's rules: means count if one is above 0, deviations if they are themselves."""
    means = (given.mean_r, given.mean_g, given.mean_b, given.mean_a)
    stds = (given.std_r, given.std_g, given.std_b, given.std_a)
    has_means = any(mean > 0 for mean in means)
    mean_r, mean_g, mean_b, mean_a = means if has_means else (0.0,) * 4
    std_r, std_g, std_b, std_a = (std if std > 0 else 1.0 for std in stds)
    return ImageScaling(
        mean_img="" if has_means else given.mean_img,
        mean_r=mean_r,
        mean_g=mean_g,
        mean_b=mean_b,
        mean_a=mean_a,
        std_r=std_r,
        std_g=std_g,
        std_b=std_b,
        std_a=std_a,
        scale=given.scale,
    )


class DetectionPlanner:
    """Draws what is to be done to a picture and its boxes, in MXNet's order.

    Parameters
    ----------
    changes : DetectionChanges
        What may be done.
    samplers : list of Sampler
        Of the parts that may be cut out.
    data_shape : (int, int, int)
        Channels, height and width of a picture in a batch.
    scale : float
        What the numbers are multiplied by.
    """

    def __init__(
        self,
        changes: DetectionChanges,
        samplers: list[Sampler],
        data_shape: tuple[int, ...],
        scale: float,
    ) -> None:
        self._changes = changes
        self._samplers = samplers
        self._channels, self._rows, self._columns = data_shape
        self._scale = Scale(is_mirrored=False, contrast=scale, illumination=0.0)

    def plan(self, sample: Decoded, draws: Draws) -> SampleChanges:
        """Return what is to be done to a sample: its label begins with the picture's shape."""
        boxes = read_boxes(sample.label, sample.where)
        rows, columns = sample.pixels.shape[:2]
        size = (rows, columns)
        steps: list[Step] = []
        if self._changes.resize > 0:
            new = with_short_side(size, self._changes.resize)
            size = resized(steps, size, new, self._changes.inter_method, draws)
        self._recolour(steps, draws)
        if self._happens(self._changes.rand_mirror_prob, draws):
            steps.append(lambda pixels: pixels[:, ::-1])
            boxes = boxes.mirrored()
        size, boxes = self._frame(steps, size, boxes, draws)
        size, boxes = self._cut(steps, size, boxes, draws)
        size = self._fit(steps, size, draws)
        row = boxes.row()
        label = onp.concatenate([[self._channels, *size, len(row)], row]).astype(onp.float32)
        return SampleChanges(steps, label, self._scale)

    def _happens(self, probability: float, draws: Draws) -> bool:
        """Draw whether something is done; what never is draws nothing."""
        return probability > 0 and bool(draws.real(0, 1) < onp.float32(probability))

    def _recolour(self, steps: list[Step], draws: Draws) -> None:
        changes = self._changes
        pairs = (
            (changes.max_random_hue, changes.random_hue_prob),
            (changes.max_random_saturation, changes.random_saturation_prob),
            (changes.max_random_illumination, changes.random_illumination_prob),
            (changes.max_random_contrast, changes.random_contrast_prob),
        )
        if not any(probability > 0 for _, probability in pairs):
            return
        drawn = [draws.real(0, 1) * most * 2 - most for most, _ in pairs]
        shifts = [
            shift if draws.real(0, 1) < onp.float32(probability) else 0
            for shift, (_, probability) in zip(drawn, pairs, strict=True)
        ]
        hue, saturation, light = (int(shift) for shift in shifts[:3])
        if (hue or saturation or light) and self._channels == 3:
            steps.append(lambda pixels: change_hls(pixels, hue, light, saturation))
        if abs(shifts[3]) > _LEAST_CONTRAST:
            steps.append(functools.partial(_contrast, factor=1 + shifts[3]))

    def _frame(
        self, steps: list[Step], size: tuple[int, int], boxes: Boxes, draws: Draws
    ) -> tuple[tuple[int, int], Boxes]:
        """Put a frame around the picture, which lies at a random place in it."""
        changes = self._changes
        if changes.max_pad_scale <= 1 or not self._happens(changes.rand_pad_prob, draws):
            return size, boxes
        f32 = onp.float32
        scale = f32(draws.real(0, 1)) * (f32(changes.max_pad_scale) - f32(1)) + f32(1)
        if scale < f32(_NO_BORDER):
            return size, boxes
        rest = scale - f32(1)
        x, y = (f32(draws.real(0, float(rest))) for _ in range(2))
        rows, columns = map(f32, size)
        widths = (
            (int(y * rows), int((scale - y - f32(1)) * rows)),
            (int(x * columns), int((scale - x - f32(1)) * columns)),
            (0, 0),
        )
        steps.append(lambda pixels: onp.pad(pixels, widths, constant_values=changes.fill_value))
        larger = (size[0] + sum(widths[0]), size[1] + sum(widths[1]))
        return larger, boxes.seen_in(Window(-x, -y, scale, scale))

    def _cut(
        self, steps: list[Step], size: tuple[int, int], boxes: Boxes, draws: Draws
    ) -> tuple[tuple[int, int], Boxes]:
        """Cut out the first part that a sampler proposes and that shows what it should."""
        if not self._samplers or not self._happens(self._changes.rand_crop_prob, draws):
            return size, boxes
        rows, columns = size
        for place in draws.shuffled(list(range(len(self._samplers)))):
            sampler = self._samplers[place]
            for _ in range(sampler.trials):
                window = sampler.propose(columns / rows, draws)
                seen = self._seen(boxes, sampler, window)
                if seen is not None:
                    return _cut_out(steps, size, window), seen
        return size, boxes

    def _seen(self, boxes: Boxes, sampler: Sampler, window: Window) -> Boxes | None:
        """Return the boxes in a part, or None if it does not show what it should."""
        if not len(boxes.objects):
            return boxes
        if not sampler.accepts(boxes, window):
            return None
        if self._changes.crop_emit_mode == "center":
            shown = boxes.centers_in(window)
        else:
            least = onp.float32(self._changes.emit_overlap_thresh)
            shown = boxes.areas_in(window) / boxes.areas() > least
        return boxes.only(shown).seen_in(window) if shown.any() else None

    def _fit(self, steps: list[Step], size: tuple[int, int], draws: Draws) -> tuple[int, int]:
        """Make the picture fit a batch; zeros fill up what is smaller."""
        mode, method = self._changes.resize_mode, self._changes.inter_method
        rows, columns = self._rows, self._columns
        if mode == "force":
            return resized(steps, size, (rows, columns), method, draws)
        if mode == "fit" or size[0] > rows or size[1] > columns:
            f32 = onp.float32
            ratio = min(f32(rows) / f32(size[0]), f32(columns) / f32(size[1]))
            new = (max(1, int(ratio * f32(size[0]))), max(1, int(ratio * f32(size[1]))))
            size = resized(steps, size, new, method, draws)
        rest = ((0, rows - size[0]), (0, columns - size[1]), (0, 0))
        steps.append(lambda pixels: onp.pad(pixels, rest))
        return size


def _cut_out(steps: list[Step], size: tuple[int, int], window: Window) -> tuple[int, int]:
    rows, columns = map(onp.float32, size)
    x, y = int(window.x * columns), int(window.y * rows)
    # Of small pictures a part may be less than a pixel, which MXNet fails on.
    width, height = max(1, int(window.width * columns)), max(1, int(window.height * rows))
    steps.append(lambda pixels: pixels[y : y + height, x : x + width])
    return height, width


def _contrast(pixels: Pixels, factor: float) -> Pixels:
    result: Pixels = onp.rint(pixels * onp.float32(factor)).clip(0, 255).astype(onp.uint8)
    return result
