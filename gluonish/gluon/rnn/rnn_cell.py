"""All cells, under the module name that MXNet has for them."""

from __future__ import annotations

from gluonish.gluon.rnn import base_cell, cells, containers, modifiers
from gluonish.gluon.rnn.base_cell import *
from gluonish.gluon.rnn.cells import *
from gluonish.gluon.rnn.containers import *
from gluonish.gluon.rnn.modifiers import *

__all__ = [*base_cell.__all__, *cells.__all__, *containers.__all__, *modifiers.__all__]
