"""The cells, under the name that MXNet's programs import them by."""

from __future__ import annotations

from gluonish.rnn import base_cell, cells, containers, conv_cells, modifiers
from gluonish.rnn.base_cell import *
from gluonish.rnn.cells import *
from gluonish.rnn.containers import *
from gluonish.rnn.conv_cells import *
from gluonish.rnn.dropout_cell import DropoutCell
from gluonish.rnn.fused_cell import FusedRNNCell
from gluonish.rnn.modifiers import *

__all__ = [
    "DropoutCell",
    "FusedRNNCell",
    *base_cell.__all__,
    *cells.__all__,
    *containers.__all__,
    *conv_cells.__all__,
    *modifiers.__all__,
]
