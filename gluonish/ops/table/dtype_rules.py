"""Where the dtypes of an operator's arrays are not one: what graphs need to infer them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Mapping

    from gluonish.ops.table import Op

# By the operators' first public names: inputs whose dtypes follow from no other array.
_OWN: Mapping[str, tuple[str, ...]] = {
    "take": ("indices",),
    "pick": ("index",),
    "batch_take": ("indices",),
    "where": ("condition",),
    "gather_nd": ("indices",),
    "scatter_nd": ("indices",),
    "broadcast_like": ("rhs",),
    "reshape_like": ("rhs",),
    "slice_like": ("shape_like",),
    "Embedding": ("data",),
    "one_hot": ("indices",),
    "CTCLoss": ("label", "data_lengths", "label_lengths"),
    "contrib.boolean_mask": ("index",),
    "contrib.index_copy": ("index_vector",),
    "contrib.allclose": (),
    "amp_multicast": ("data",),
}
_AT_LEAST_FLOAT32 = ("gamma", "beta", "moving_mean", "moving_var")


def own(op: Op) -> tuple[str, ...]:
    """Return the inputs of an operator whose dtypes are theirs alone.

    Examples
    --------
    >>> from gluonish.ops.table.dtype_rules import own
    >>> from gluonish.ops.table.graph_names import find
    >>> own(find('take').op)
    ('indices',)
    """
    return _OWN.get(op.name, ())


def beside(op: Op, name: str, dtype: torch.dtype) -> torch.dtype:
    """Return the dtype of an input beside data of some dtype.

    BatchNorm keeps its parameters in float32 beside float16.
    """
    if op.aux and name in _AT_LEAST_FLOAT32 and dtype in (torch.float16, torch.bfloat16):
        return torch.float32
    return dtype
