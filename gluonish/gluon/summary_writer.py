"""`summary_writer`: who writes files for TensorBoard, which is an extra."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from gluonish.errors import MissingExtraError

if TYPE_CHECKING:
    import os


def summary_writer(folder: str | os.PathLike[str], owner: str) -> Any:
    """Return torch's SummaryWriter of a folder.

    Parameters
    ----------
    folder : path
        Where its files are.
    owner : str
        For whom, in messages.

    Raises
    ------
    MissingExtraError
        The package `tensorboard` is not installed.
    """
    try:
        writers = importlib.import_module("torch.utils.tensorboard")
    except ImportError as error:
        msg = (
            f"{owner}: TensorBoard cannot be used here ({error}). Expected the package "
            f"tensorboard. Install it with: pip install 'gluonish[tensorboard]'."
        )
        raise MissingExtraError(msg) from error
    return writers.SummaryWriter(str(folder))
