"""Recurrent layers and cells."""

from __future__ import annotations

from gluonish.gluon.rnn import rnn_cell, rnn_layer
from gluonish.gluon.rnn.rnn_cell import *
from gluonish.gluon.rnn.rnn_layer import *

__all__ = ["rnn_cell", "rnn_layer", *rnn_cell.__all__, *rnn_layer.__all__]
