"""Operators contrib.* of nd.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import NDArray, ndarray
from gluonish.context import Context

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def allclose(
    a: NDArray,
    b: NDArray,
    rtol: builtins.float = 1e-05,
    atol: builtins.float = 1e-08,
    equal_nan: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def arange_like(
    data: NDArray,
    start: builtins.float = 0.0,
    step: builtins.float = 1.0,
    repeat: builtins.int = 1,
    ctx: Context | str | None = None,
    axis: builtins.int | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def BatchNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: builtins.float = 0.001,
    momentum: builtins.float = 0.9,
    fix_gamma: builtins.bool = True,
    use_global_stats: builtins.bool = False,
    output_mean_var: builtins.bool = False,
    axis: builtins.int = 1,
    cudnn_off: builtins.bool = False,
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray, NDArray]: ...
def BatchNormWithReLU(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    eps: builtins.float = 0.001,
    momentum: builtins.float = 0.9,
    fix_gamma: builtins.bool = True,
    use_global_stats: builtins.bool = False,
    output_mean_var: builtins.bool = False,
    axis: builtins.int = 1,
    cudnn_off: builtins.bool = False,
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray, NDArray]: ...
def bipartite_matching(
    data: NDArray,
    threshold: builtins.float,
    is_ascend: builtins.bool = False,
    topk: builtins.int = -1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray]: ...
def boolean_mask(
    data: NDArray,
    index: NDArray,
    axis: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def box_decode(
    data: NDArray,
    anchors: NDArray,
    std0: builtins.float = 1.0,
    std1: builtins.float = 1.0,
    std2: builtins.float = 1.0,
    std3: builtins.float = 1.0,
    clip: builtins.float = -1.0,
    format: builtins.str = "center",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def box_encode(
    samples: NDArray,
    matches: NDArray,
    anchors: NDArray,
    refs: NDArray,
    means: NDArray,
    stds: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray]: ...
def box_iou(
    lhs: NDArray,
    rhs: NDArray,
    format: builtins.str = "corner",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def box_nms(
    data: NDArray,
    overlap_thresh: builtins.float = 0.5,
    valid_thresh: builtins.float = 0.0,
    topk: builtins.int = -1,
    coord_start: builtins.int = 2,
    score_index: builtins.int = 1,
    id_index: builtins.int = -1,
    background_id: builtins.int = -1,
    force_suppress: builtins.bool = False,
    in_format: builtins.str = "corner",
    out_format: builtins.str = "corner",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def box_non_maximum_suppression(
    data: NDArray,
    overlap_thresh: builtins.float = 0.5,
    valid_thresh: builtins.float = 0.0,
    topk: builtins.int = -1,
    coord_start: builtins.int = 2,
    score_index: builtins.int = 1,
    id_index: builtins.int = -1,
    background_id: builtins.int = -1,
    force_suppress: builtins.bool = False,
    in_format: builtins.str = "corner",
    out_format: builtins.str = "corner",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def ctc_loss(
    data: NDArray,
    label: NDArray,
    data_lengths: NDArray | None = None,
    label_lengths: NDArray | None = None,
    use_data_lengths: builtins.bool = False,
    use_label_lengths: builtins.bool = False,
    blank_label: builtins.str = "first",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def CTCLoss(
    data: NDArray,
    label: NDArray,
    data_lengths: NDArray | None = None,
    label_lengths: NDArray | None = None,
    use_data_lengths: builtins.bool = False,
    use_label_lengths: builtins.bool = False,
    blank_label: builtins.str = "first",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def div_sqrt_dim(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def index_array(
    data: NDArray,
    axes: Sequence[builtins.int] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def index_copy(
    old_tensor: NDArray,
    index_vector: NDArray,
    new_tensor: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def isfinite(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def isinf(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def isnan(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def quadratic(
    data: NDArray,
    a: builtins.float = 0.0,
    b: builtins.float = 0.0,
    c: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
