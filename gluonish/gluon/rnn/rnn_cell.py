"""All cells, under the module name that MXNet has for them."""

from __future__ import annotations

from gluonish.gluon.rnn import base_cell, cells, containers, modifiers
from gluonish.gluon.rnn.base_cell import *
from gluonish.gluon.rnn.cells import *
from gluonish.gluon.rnn.containers import *
from gluonish.gluon.rnn.modifiers import *
from gluonish.gluon.rnn.mxnet_names import (  # noqa: F401 - cells of others ask
    _cells_begin_state,
    _cells_state_info,
    _format_sequence,
    _get_begin_state,
    _mask_sequence_variable_length,
    _reverse_sequences,
)

__all__ = [*base_cell.__all__, *cells.__all__, *containers.__all__, *modifiers.__all__]
_LATE_NAMES = {"gluonish.gluon.kinds": ("tensor_types",)}
