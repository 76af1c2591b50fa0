"""The cells, under the name that MXNet's programs import them by."""

from __future__ import annotations

from gluonish.rnn.base_cell import BaseRNNCell, RNNParams
from gluonish.rnn.cells import GRUCell, LSTMCell, RNNCell
from gluonish.rnn.containers import BidirectionalCell, SequentialRNNCell
from gluonish.rnn.conv_cells import BaseConvRNNCell, ConvGRUCell, ConvLSTMCell, ConvRNNCell
from gluonish.rnn.dropout_cell import DropoutCell
from gluonish.rnn.fused_cell import FusedRNNCell
from gluonish.rnn.modifiers import ModifierCell, ResidualCell, ZoneoutCell

__all__ = [
    "BaseConvRNNCell",
    "BaseRNNCell",
    "BidirectionalCell",
    "ConvGRUCell",
    "ConvLSTMCell",
    "ConvRNNCell",
    "DropoutCell",
    "FusedRNNCell",
    "GRUCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RNNParams",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]
