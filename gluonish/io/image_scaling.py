"""From pixels to numbers: mirroring, means, random contrast, and standard deviations."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp
import torch

from gluonish.array import NDArray, wrap
from gluonish.array.dtypes import numpy_dtype
from gluonish.context import cpu
from gluonish.errors import FileFormatError
from gluonish.io.options import LOG
from gluonish.ndarray.io import load, save

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.io.image_changes import ImageScaling
    from gluonish.io.image_draws import Draws
    from gluonish.numpy_images.codec import Pixels

    Values = onp.ndarray[Any, Any]


class Scale(NamedTuple):
    """What was drawn for a picture."""

    is_mirrored: bool
    contrast: float
    illumination: float


class Scaler:
    """Makes numbers of the pixels of pictures.

    Parameters
    ----------
    scaling : ImageScaling
        MXNet's arguments.
    channels : int
        1, 3 or 4.
    dtype : torch.dtype
        Of the numbers. uint8 leaves pixels as they are.
    """

    def __init__(self, scaling: ImageScaling, channels: int, dtype: torch.dtype) -> None:
        self._scaling = scaling
        self._dtype = numpy_dtype(dtype)
        mean = (scaling.mean_r, scaling.mean_g, scaling.mean_b, scaling.mean_a)[:channels]
        std = (scaling.std_r, scaling.std_g, scaling.std_b, scaling.std_a)[:channels]
        self._mean = onp.array(mean, onp.float32).reshape(-1, 1, 1)
        self._std = onp.array(std, onp.float32).reshape(-1, 1, 1)
        self._is_divided = bool((self._std != 1).any())

    def load_mean(self, where: str, shape: tuple[int, ...], compute: Callable[[], Values]) -> None:
        """Read the mean picture from its file; compute it, and write the file, if there is none.

        Raises
        ------
        FileFormatError
            The file holds something else.
        """
        path = self._scaling.mean_img
        if not path:
            return
        if "://" not in path and not Path(path).exists():
            LOG.info("%s: cannot find %s: create mean image, this will take some time", where, path)
            self._mean = compute()
            save(path, {"mean_img": wrap(torch.from_numpy(self._mean), cpu(), NDArray)})
            return
        arrays = load(path)
        mean = arrays.get("mean_img") if isinstance(arrays, dict) else None
        if mean is None or mean.shape != shape:
            found = "no array of that name" if mean is None else f"one of shape {mean.shape}"
            msg = (
                f"{where}: mean_img={path!r} has {found}. Expected an array 'mean_img' of shape "
                f"{shape}. Leave the file out, and it is made anew."
            )
            raise FileFormatError(msg)
        self._mean = mean.asnumpy().astype(onp.float32)

    def draw(self, draws: Draws) -> Scale:
        """Draw what is random for a picture."""
        scaling = self._scaling
        is_mirrored = (scaling.rand_mirror and draws.toss()) or scaling.mirror
        contrast, light = scaling.max_random_contrast, scaling.max_random_illumination
        factor = draws.real(0, 1) * contrast * 2 - contrast + 1
        shift = draws.real(0, 1) * light * 2 - light
        return Scale(is_mirrored, factor * scaling.scale, shift * scaling.scale)

    def apply(self, pixels: Pixels, scale: Scale) -> Values:
        """Return a picture's numbers, channels first."""
        if scale.is_mirrored:
            pixels = pixels[:, ::-1]
        planes = pixels.transpose(2, 0, 1)
        if self._dtype == onp.uint8:
            return planes
        values: Values = onp.empty(planes.shape, onp.float32)
        onp.subtract(planes, self._mean, out=values, dtype=onp.float32)
        if scale.contrast != 1:
            values *= onp.float32(scale.contrast)
        if scale.illumination != 0:
            values += onp.float32(scale.illumination)
        if self._is_divided:
            values /= self._std
        if self._dtype.kind in "iu":
            bounds = onp.iinfo(self._dtype)
            values = onp.rint(values).clip(bounds.min, bounds.max)
        return values.astype(self._dtype, copy=False)
