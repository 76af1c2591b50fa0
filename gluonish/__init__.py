"""Gluon and the rest of MXNet 1.x's Python API, alive again on PyTorch: `import gluonish as mx`."""

from __future__ import annotations

import gc
import multiprocessing.pool  # noqa: F401 - programs that import multiprocessing alone use it
from typing import TYPE_CHECKING

from gluonish.mxnet_import import late_modules, second_names
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
    context,
    engine,
    error,
    gluon,
    init,
    init as initializer,
    libinfo,
    log,
    name,
    ndarray,
    ndarray as nd,
    numpy,
    numpy as np,
    numpy_extension,
    numpy_extension as npx,
    random,
    random as rnd,
    runtime,
    util,
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
from gluonish.errors import MXNetError, last_words as _last_words  # noqa: E402
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

if TYPE_CHECKING:
    from gluonish import (
        callback,
        contrib,
        executor,
        executor_manager,
        image,
        image as img,
        io,
        kvstore,
        kvstore as kv,
        library,
        lr_scheduler,
        metric,
        model,
        module,
        module as mod,
        monitor,
        monitor as mon,
        notebook,
        onnx,
        operator,
        optimizer,
        profiler,
        recordio,
        registry,
        rnn,
        rtc,
        symbol,
        symbol as sym,
        test_utils,
        viz,
        viz as visualization,
    )

# Imported when they are asked for, as their second names are.
_LATE = (
    "callback", "contrib", "executor", "executor_manager", "image", "io", "kvstore", "library",
    "lr_scheduler", "metric", "model", "module", "monitor", "notebook", "onnx", "operator",
    "optimizer", "profiler", "recordio", "registry", "rnn", "rtc", "symbol", "test_utils",
    "viz",
)  # fmt: skip

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
    "notebook",
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

late_modules.install(__name__)
_last_words.install()
if _collecting:
    gc.enable()
