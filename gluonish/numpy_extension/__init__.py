"""The front end `mx.npx`: operators of neural networks on `np.ndarray`, from the op table."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from gluonish.array import ndarray
from gluonish.context import (
    Context,
    cpu,
    cpu_pinned,
    current_context,
    gpu,
    gpu_memory_info,
    is_np_array,
    is_np_shape,
    num_gpus,
)
from gluonish.ndarray.creation import waitall
from gluonish.ndarray.frontend import fill
from gluonish.ops import ops
from gluonish.util import (
    get_cuda_compute_capability,
    np_array,
    np_shape,
    reset_np,
    set_np,
    use_np,
    use_np_array,
    use_np_shape,
)

if TYPE_CHECKING:
    from gluonish.numpy_extension.io import load, save

__all__ = [
    "Context",
    "cpu",
    "cpu_pinned",
    "current_context",
    "get_cuda_compute_capability",
    "gpu",
    "gpu_memory_info",
    "is_np_array",
    "is_np_shape",
    "load",
    "np_array",
    "np_shape",
    "num_gpus",
    "reset_np",
    "save",
    "set_np",
    "use_np",
    "use_np_array",
    "use_np_shape",
    "waitall",
    *fill(sys.modules[__name__], ops(), "npx", ndarray),
]
_LATE_NAMES = {"gluonish.numpy_extension.io": ("load", "save")}  # imported when asked for
_UNSTARRED = ("image", "random")
