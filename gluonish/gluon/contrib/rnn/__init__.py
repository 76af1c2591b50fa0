"""Further recurrent cells."""

from __future__ import annotations

from gluonish.gluon.contrib.rnn import conv_cells
from gluonish.gluon.contrib.rnn.cells import LSTMPCell, VariationalDropoutCell
from gluonish.gluon.contrib.rnn.conv_cells import *
from gluonish.gluon.contrib.rnn.unrolling import dynamic_unroll

__all__ = [*conv_cells.__all__, "LSTMPCell", "VariationalDropoutCell", "dynamic_unroll"]
