"""What tests of MXNet programs use: comparisons, random arrays and the context to test on."""

from __future__ import annotations

from gluonish.test_utils import comparisons, defaults, drawn_arrays, files, updates
from gluonish.test_utils.comparisons import *
from gluonish.test_utils.defaults import *
from gluonish.test_utils.drawn_arrays import *
from gluonish.test_utils.files import *
from gluonish.test_utils.speed import check_speed
from gluonish.test_utils.updates import *
from gluonish.test_utils.variables import environment
from gluonish.util import use_np

__all__ = [
    "check_speed",
    "environment",
    "use_np",
    *comparisons.__all__,
    *defaults.__all__,
    *drawn_arrays.__all__,
    *files.__all__,
    *updates.__all__,
]
