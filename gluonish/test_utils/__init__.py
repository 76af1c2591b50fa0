"""What tests of MXNet programs use: comparisons, random arrays, checks of graphs and generators."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors.suggestions import unknown_name
from gluonish.test_utils import (
    attempts,
    comparisons,
    consistency,
    defaults,
    drawn_arrays,
    files,
    generators,
    graphs,
    matrices,
    second_hand,
    surroundings,
    tolerances,
    updates,
)
from gluonish.test_utils.attempts import *
from gluonish.test_utils.comparisons import *
from gluonish.test_utils.consistency import *
from gluonish.test_utils.defaults import *
from gluonish.test_utils.drawn_arrays import *
from gluonish.test_utils.files import *
from gluonish.test_utils.generators import *
from gluonish.test_utils.graphs import *
from gluonish.test_utils.matrices import *
from gluonish.test_utils.speed import check_speed
from gluonish.test_utils.surroundings import *
from gluonish.test_utils.tolerances import *
from gluonish.test_utils.updates import *
from gluonish.util import use_np

__all__ = [
    "check_speed",
    "use_np",
    *attempts.__all__,
    *comparisons.__all__,
    *consistency.__all__,
    *defaults.__all__,
    *drawn_arrays.__all__,
    *files.__all__,
    *generators.__all__,
    *graphs.__all__,
    *matrices.__all__,
    *surroundings.__all__,
    *tolerances.__all__,
    *updates.__all__,
]
__all__ += sorted(name for name in second_hand.NAMES if not name.startswith("_"))

if not TYPE_CHECKING:  # which knows the names above

    def __getattr__(name: str) -> Any:  # noqa: ANN401 - a module, a class, a function
        if name not in second_hand.NAMES:
            raise unknown_name(__name__, name)
        value = globals()[name] = second_hand.found(name)
        return value
