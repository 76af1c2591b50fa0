"""Networks on 8-bit integers: `mx.contrib.quantization`."""

from __future__ import annotations

from gluonish.contrib.quantization.collecting import (
    LayerHistogramCollector,
    LayerOutputMinMaxCollector,
    combine_histogram,
)
from gluonish.contrib.quantization.models import (
    calib_graph,
    quantize_graph,
    quantize_model,
    quantize_model_mkldnn,
)
from gluonish.contrib.quantization.networks import quantize_net, quantize_net_v2

__all__ = [
    "LayerHistogramCollector",
    "LayerOutputMinMaxCollector",
    "calib_graph",
    "combine_histogram",
    "quantize_graph",
    "quantize_model",
    "quantize_model_mkldnn",
    "quantize_net",
    "quantize_net_v2",
]

# MXNet's names for these classes.
_LayerHistogramCollector = LayerHistogramCollector
_LayerOutputMinMaxCollector = LayerOutputMinMaxCollector
