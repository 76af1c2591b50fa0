"""Recurrent layers and cells."""

from __future__ import annotations

from gluonish.gluon.rnn import rnn_cell, rnn_layer
from gluonish.gluon.rnn.base_cell import HybridRecurrentCell, RecurrentCell
from gluonish.gluon.rnn.cells import GRUCell, LSTMCell, RNNCell
from gluonish.gluon.rnn.containers import (
    BidirectionalCell,
    HybridSequentialRNNCell,
    SequentialRNNCell,
)
from gluonish.gluon.rnn.modifiers import DropoutCell, ModifierCell, ResidualCell, ZoneoutCell
from gluonish.gluon.rnn.rnn_layer import GRU, LSTM, RNN

__all__ = [
    "GRU",
    "LSTM",
    "RNN",
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
    "rnn_cell",
    "rnn_layer",
]
