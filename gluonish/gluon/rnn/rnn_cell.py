"""All cells, under the module name that MXNet has for them."""

from __future__ import annotations

from gluonish.gluon.rnn.base_cell import HybridRecurrentCell, RecurrentCell
from gluonish.gluon.rnn.cells import GRUCell, LSTMCell, RNNCell
from gluonish.gluon.rnn.containers import (
    BidirectionalCell,
    HybridSequentialRNNCell,
    SequentialRNNCell,
)
from gluonish.gluon.rnn.modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell

__all__ = [
    "BidirectionalCell",
    "DropoutCell",
    "GRUCell",
    "HybridRecurrentCell",
    "HybridSequentialRNNCell",
    "LSTMCell",
    "ModifierCell",
    "RNNCell",
    "RecurrentCell",
    "ResidualCell",
    "SequentialRNNCell",
    "ZoneoutCell",
]
