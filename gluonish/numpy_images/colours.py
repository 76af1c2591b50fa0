"""Grey, and hue with lightness and saturation, of pictures in bytes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp

if TYPE_CHECKING:
    from gluonish.numpy_images.codec import Pixels

# Shares of red, green and blue in brightness (ITU-R BT.601), as whole numbers of 2**14.
_GREY = (4899, 9617, 1868)


def grey_of(colours: Pixels) -> Pixels:
    """Return the brightness of red, green and blue, shape (height, width)."""
    red, green, blue = (colours[..., channel].astype(onp.int32) for channel in range(3))
    grey = (red * _GREY[0] + green * _GREY[1] + blue * _GREY[2] + (1 << 13)) >> 14
    return grey.astype(onp.uint8)


def change_hls(colours: Pixels, hue: int, light: int, saturation: int) -> Pixels:
    """Add to hue (of 180), lightness and saturation (of 255) of red, green and blue.

    As in MXNet, all three are cut off at the ends of their ranges, the hue too.
    """
    planes = _to_hls(colours)
    limits = (180, 255, 255)
    shifts = (hue, light, saturation)
    changed = [
        (plane + shift).clip(0, limit)
        for plane, shift, limit in zip(planes, shifts, limits, strict=True)
    ]
    return _from_hls(*changed)


def _to_hls(colours: Pixels) -> tuple[Pixels, Pixels, Pixels]:
    """Return hue, lightness and saturation, rounded to whole numbers."""
    values = colours[..., :3].astype(onp.float32) / 255
    red, green, blue = values[..., 0], values[..., 1], values[..., 2]
    high, low = values.max(-1), values.min(-1)
    spread = high - low
    light = (high + low) / 2
    safe = onp.where(spread > 0, spread, 1)
    rest = onp.where(light < 0.5, high + low, 2 - high - low)
    saturation = onp.where(spread > 0, spread / onp.where(rest > 0, rest, 1), 0)
    hue = onp.where(
        high == red,
        (green - blue) / safe,
        onp.where(high == green, (blue - red) / safe + 2, (red - green) / safe + 4),
    )
    hue = onp.where(spread > 0, hue % 6 * 30, 0)
    return onp.rint(hue), onp.rint(light * 255), onp.rint(saturation * 255)


def _from_hls(hue: Pixels, light: Pixels, saturation: Pixels) -> Pixels:
    light, saturation = light / 255, saturation / 255
    high = onp.where(
        light <= 0.5, light * (1 + saturation), light + saturation - light * saturation
    )
    low = 2 * light - high
    channels = []
    for shift in (2, 0, -2):
        # Each channel is high within two sixths of the circle about its own hue.
        sixth = (hue / 30 + shift) % 6
        rising = low + (high - low) * sixth
        falling = low + (high - low) * (4 - sixth)
        channels.append(
            onp.select([sixth < 1, sixth < 3, sixth < 4], [rising, high, falling], default=low)
        )
    result: Pixels = onp.rint(onp.stack(channels, -1) * 255).clip(0, 255).astype(onp.uint8)
    return result
