"""Where the dtypes of an operator's arrays are not one: what graphs need to infer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from gluonish.ops.table import Op

_AT_LEAST_FLOAT32 = ("gamma", "beta", "moving_mean", "moving_var")


def beside(op: Op, name: str, dtype: torch.dtype) -> torch.dtype:
    """Return the dtype of an input beside data of some dtype.

    BatchNorm keeps its parameters in float32 beside float16.
    """
    if op.aux and name in _AT_LEAST_FLOAT32 and dtype in (torch.float16, torch.bfloat16):
        return torch.float32
    return dtype
