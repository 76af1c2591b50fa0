"""`mx.rnn`: recurrent cells made of Symbols, and batches of sentences."""

from __future__ import annotations

from gluonish.model.checkpoint import load_checkpoint, save_checkpoint
from gluonish.rnn import io, rnn, rnn_cell
from gluonish.rnn.io import *
from gluonish.rnn.rnn import *
from gluonish.rnn.rnn_cell import *

__all__ = [
    "io",
    "load_checkpoint",
    "rnn",
    "rnn_cell",
    "save_checkpoint",
    *io.__all__,
    *rnn.__all__,
    *rnn_cell.__all__,
]
