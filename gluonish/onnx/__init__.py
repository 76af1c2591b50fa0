"""`mx.onnx`: models of graphs and parameters as ONNX, and back; `mx.contrib.onnx`, too."""

from __future__ import annotations

from gluonish.onnx.exporting import export_model
from gluonish.onnx.importing import (
    get_model_metadata,
    import_model,
    import_to_gluon,
)
from gluonish.onnx.supported import get_operator_support

# MXNet's `mx.contrib.onnx` has each under two names.
export_model_, get_model_metadata_ = export_model, get_model_metadata
import_model_, import_to_gluon_ = import_model, import_to_gluon

__all__ = [
    "export_model",
    "get_model_metadata",
    "get_operator_support",
    "import_model",
    "import_to_gluon",
]
_UNSTARRED = ("export_model_", "get_model_metadata_", "import_model_", "import_to_gluon_")
