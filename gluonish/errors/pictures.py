"""A warning for pictures whose axes seem to be in another order than the call reads them."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from gluonish.errors.tracebacks import users_level

if TYPE_CHECKING:
    from collections.abc import Sequence

_CHANNELS = (1, 3, 4)  # of grey and coloured pictures, the latter with or without opacity


def warn_of_channels(where: str, shape: Sequence[int]) -> None:
    """Warn where the last axis, which is to be the channels, is longer, and the first would fit.

    Parameters
    ----------
    where : str
        Who was called.
    shape : tuple of int
        Of a picture (height, width, channels), or of a batch of them.

    Examples
    --------
    >>> from gluonish.errors.pictures import warn_of_channels
    >>> warn_of_channels('resize', (32, 32, 3))
    """
    if shape[-3] in _CHANNELS and shape[-1] > max(_CHANNELS):
        warnings.warn(
            f"{where}: a picture of {shape[-1]} channels was given, of shape {tuple(shape)}. "
            f"Expected (height, width, channels). If its channels are first, write "
            f"x.transpose((1, 2, 0)), or resize and crop before ToTensor.",
            stacklevel=users_level(),
        )
