"""Gluon and the rest of MXNet 1.x's Python API, alive again on PyTorch: `import gluonish as mx`."""

from __future__ import annotations

from gluonish import ndarray, ndarray as nd, numpy, numpy as np, numpy_extension, numpy_extension as npx
from gluonish.context import Context, cpu, cpu_pinned, current_context, gpu, num_gpus
from gluonish.errors import MXNetError
