"""Waiting for computations that run beside Python."""

from __future__ import annotations

import torch


def waitall() -> None:
    """Wait until everything that was computed so far is there; at once without a GPU.

    Examples
    --------
    >>> from gluonish import npx
    >>> npx.waitall()
    """
    if torch.cuda.is_available():
        torch.cuda.synchronize()
