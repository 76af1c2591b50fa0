"""Further recurrent cells."""

from __future__ import annotations

from gluonish.gluon.contrib.rnn.cells import LSTMPCell, VariationalDropoutCell

__all__ = ["LSTMPCell", "VariationalDropoutCell"]
