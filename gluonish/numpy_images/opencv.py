"""OpenCV, where it is installed, for what it computes to the same bytes as we do."""

from __future__ import annotations

import functools
import os
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import ModuleType

_THREADS = "OPENCV_FOR_THREADS_NUM"  # what OpenCV reads when it is loaded


@functools.cache
def opencv() -> ModuleType | None:
    """Return OpenCV if it is installed."""
    try:
        import cv2
    except ImportError:
        return None
    return cv2


def use_one_thread() -> None:
    """Have OpenCV use one thread in this process, whether it is loaded already or not."""
    os.environ[_THREADS] = "1"
    if "cv2" in sys.modules:
        sys.modules["cv2"].setNumThreads(1)
