"""Gluon and the rest of MXNet 1.x's Python API, alive again on PyTorch: `import gluonish as mx`."""

from __future__ import annotations

import gc
import importlib

from gluonish.mxnet_import import second_names
from gluonish.process import heap, requirements

requirements.check()
second_names.install()
heap.keep_freed()
# A collection walks all of torch's objects, and importing would start several: 0.1 s in all.
_collecting = gc.isenabled()
gc.disable()

from gluonish import (  # noqa: E402 - second names must be importable first
    attribute,
    autograd,
    base,
    callback,
    context,
    contrib,
    engine,
    error,
    executor,
    executor_manager,
    gluon,
    image,
    image as img,
    init,
    init as initializer,
    io,
    kvstore,
    kvstore as kv,
    libinfo,
    library,
    log,
    lr_scheduler,
    metric,
    model,
    module,
    module as mod,
    monitor,
    monitor as mon,
    name,
    ndarray,
    ndarray as nd,
    numpy,
    numpy as np,
    numpy_extension,
    numpy_extension as npx,
    onnx,
    operator,
    optimizer,
    profiler,
    random,
    random as rnd,
    recordio,
    registry,
    rnn,
    rtc,
    runtime,
    symbol,
    symbol as sym,
    test_utils,
    util,
    viz,
    viz as visualization,
)
from gluonish.attribute import AttrScope  # noqa: E402
from gluonish.context import (  # noqa: E402
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    num_gpus,
)
from gluonish.errors import (  # noqa: E402
    MXNetError,
    doors as _doors,
    last_words as _last_words,
    namespaces as _namespaces,
)
from gluonish.libinfo import __version__  # noqa: E402
from gluonish.mxnet_import import as_mxnet  # noqa: E402
from gluonish.util import (  # noqa: E402
    is_np_array,
    is_np_shape,
    np_array,
    np_shape,
    set_np_shape,
    use_np,
    use_np_array,
    use_np_shape,
)

importlib.import_module("gluonish.contrib.text.wikitext")
second_names.bind()
if _collecting:
    gc.enable()

__all__ = [
    "AttrScope",
    "Context",
    "MXNetError",
    "__version__",
    "as_mxnet",
    "attribute",
    "autograd",
    "base",
    "callback",
    "context",
    "contrib",
    "cpu",
    "cpu_pinned",
    "current_context",
    "engine",
    "error",
    "executor",
    "executor_manager",
    "gluon",
    "gpu",
    "image",
    "img",
    "init",
    "initializer",
    "io",
    "is_np_array",
    "is_np_shape",
    "kv",
    "kvstore",
    "libinfo",
    "library",
    "log",
    "lr_scheduler",
    "metric",
    "mod",
    "model",
    "module",
    "mon",
    "monitor",
    "name",
    "nd",
    "ndarray",
    "np",
    "np_array",
    "np_shape",
    "npx",
    "num_gpus",
    "numpy",
    "numpy_extension",
    "onnx",
    "operator",
    "optimizer",
    "profiler",
    "random",
    "recordio",
    "registry",
    "rnd",
    "rnn",
    "rtc",
    "runtime",
    "set_np_shape",
    "sym",
    "symbol",
    "test_utils",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "util",
    "visualization",
    "viz",
]

_namespaces.install(__name__)
_doors.install(__name__)
_last_words.install()
