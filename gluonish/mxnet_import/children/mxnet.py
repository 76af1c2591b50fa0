"""What worker processes import as mxnet: it makes gluonish stand in, as their parent did."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

if importlib.util.find_spec("gluonish") is None:
    # The parent found gluonish in a folder that this process does not search.
    sys.path.append(str(Path(__file__).parents[3]))

from gluonish.mxnet_import.taking_over import as_mxnet

as_mxnet()
