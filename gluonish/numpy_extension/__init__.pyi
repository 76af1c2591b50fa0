"""The front end `mx.npx`: operators of neural networks on `np.ndarray`, from the op table.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import ndarray as ndarray
from gluonish.array.dtypes import DTypeLike
from gluonish.context import (
    Context as Context,
    cpu as cpu,
    cpu_pinned as cpu_pinned,
    current_context as current_context,
    gpu as gpu,
    gpu_memory_info as gpu_memory_info,
    is_np_array as is_np_array,
    is_np_shape as is_np_shape,
    num_gpus as num_gpus,
)
from gluonish.ndarray.creation import waitall as waitall
from gluonish.numpy_extension import image as image, random as random
from gluonish.numpy_extension.io import load as load, save as save
from gluonish.util import (
    get_cuda_compute_capability as get_cuda_compute_capability,
    np_array as np_array,
    np_shape as np_shape,
    reset_np as reset_np,
    set_np as set_np,
    use_np as use_np,
    use_np_array as use_np_array,
    use_np_shape as use_np_shape,
)

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def activation(
    data: _ArrayLike, act_type: builtins.str = "", *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def arange_like(
    data: _ArrayLike,
    start: builtins.float = 0.0,
    step: builtins.float = 1.0,
    repeat: builtins.int = 1,
    ctx: Context | str | None = None,
    axis: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def batch_dot(
    lhs: _ArrayLike,
    rhs: _ArrayLike,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    forward_stype: builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def batch_flatten(
    data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def batch_norm(
    data: _ArrayLike,
    gamma: _ArrayLike,
    beta: _ArrayLike,
    moving_mean: _ArrayLike,
    moving_var: _ArrayLike,
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
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.tuple[ndarray, ndarray, ndarray]: ...
def cast(
    data: _ArrayLike, dtype: DTypeLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def constraint_check(
    x: _ArrayLike,
    msg: builtins.str = "Constraint violated.",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def convolution(
    data: _ArrayLike,
    weight: _ArrayLike,
    bias: _ArrayLike | None = None,
    kernel: Sequence[builtins.int] | builtins.int = (),
    stride: Sequence[builtins.int] | builtins.int = (),
    dilate: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    num_filter: builtins.int | None = None,
    num_group: builtins.int = 1,
    workspace: builtins.int = 1024,
    no_bias: builtins.bool = False,
    cudnn_tune: builtins.str | None = None,
    cudnn_off: builtins.bool = False,
    layout: builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def deconvolution(
    data: _ArrayLike,
    weight: _ArrayLike,
    bias: _ArrayLike | None = None,
    kernel: Sequence[builtins.int] | builtins.int = (),
    stride: Sequence[builtins.int] | builtins.int = (),
    dilate: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    adj: Sequence[builtins.int] | builtins.int = (),
    target_shape: Sequence[builtins.int] | builtins.int = (),
    num_filter: builtins.int | None = None,
    num_group: builtins.int = 1,
    workspace: builtins.int = 512,
    no_bias: builtins.bool = True,
    cudnn_tune: builtins.str | None = None,
    cudnn_off: builtins.bool = False,
    layout: builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def dropout(
    data: _ArrayLike,
    p: builtins.float = 0.5,
    mode: builtins.str = "training",
    axes: Sequence[builtins.int] | None = (),
    cudnn_off: builtins.bool | None = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def embedding(
    data: _ArrayLike,
    weight: _ArrayLike,
    input_dim: builtins.int | None = None,
    output_dim: builtins.int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: builtins.bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def erf(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def erfinv(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def fully_connected(
    data: _ArrayLike,
    weight: _ArrayLike,
    bias: _ArrayLike | None = None,
    num_hidden: builtins.int | None = None,
    no_bias: builtins.bool = False,
    flatten: builtins.bool = True,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def gamma(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def gammaln(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def gather_nd(
    data: _ArrayLike, indices: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def layer_norm(
    data: _ArrayLike,
    gamma: _ArrayLike,
    beta: _ArrayLike,
    axis: builtins.int = -1,
    eps: builtins.float = 1e-05,
    output_mean_var: builtins.bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.tuple[ndarray, ndarray, ndarray]: ...
def leaky_relu(
    data: _ArrayLike,
    gamma: _ArrayLike | None = None,
    act_type: builtins.str = "leaky",
    slope: builtins.float = 0.25,
    lower_bound: builtins.float = 0.125,
    upper_bound: builtins.float = 0.334,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def log_softmax(
    data: _ArrayLike,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def multibox_detection(
    cls_prob: _ArrayLike,
    loc_pred: _ArrayLike,
    anchor: _ArrayLike,
    clip: builtins.bool = True,
    threshold: builtins.float = 0.01,
    background_id: builtins.int = 0,
    nms_threshold: builtins.float = 0.5,
    force_suppress: builtins.bool = False,
    variances: Sequence[builtins.float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: builtins.int = -1,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def multibox_prior(
    data: _ArrayLike,
    sizes: builtins.float | Sequence[builtins.float] = (1.0,),
    ratios: builtins.float | Sequence[builtins.float] = (1.0,),
    clip: builtins.bool = False,
    steps: Sequence[builtins.float] = (-1.0, -1.0),
    offsets: Sequence[builtins.float] = (0.5, 0.5),
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def multibox_target(
    anchor: _ArrayLike,
    label: _ArrayLike,
    cls_pred: _ArrayLike,
    overlap_threshold: builtins.float = 0.5,
    ignore_label: builtins.float = -1.0,
    negative_mining_ratio: builtins.float = -1.0,
    negative_mining_thresh: builtins.float = 0.5,
    minimum_negative_samples: builtins.int = 0,
    variances: Sequence[builtins.float] = (0.1, 0.1, 0.2, 0.2),
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> builtins.list[ndarray]: ...
def nonzero(a: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def one_hot(
    indices: _ArrayLike,
    depth: builtins.int,
    on_value: builtins.float = 1.0,
    off_value: builtins.float = 0.0,
    dtype: DTypeLike | None = "float32",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def pick(
    data: _ArrayLike,
    index: _ArrayLike,
    axis: builtins.int | None = -1,
    keepdims: builtins.bool = False,
    mode: builtins.str = "clip",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def pooling(
    data: _ArrayLike,
    kernel: Sequence[builtins.int] | builtins.int = (),
    pool_type: builtins.str = "max",
    global_pool: builtins.bool = False,
    cudnn_off: builtins.bool = False,
    pooling_convention: builtins.str = "valid",
    stride: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    p_value: builtins.int | None = None,
    count_include_pad: builtins.bool | None = None,
    layout: builtins.str | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def relu(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def reshape(
    a: _ArrayLike,
    newshape: builtins.int | Sequence[builtins.int],
    reverse: builtins.bool = False,
    order: builtins.str = "C",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def reshape_like(
    lhs: _ArrayLike,
    rhs: _ArrayLike,
    lhs_begin: builtins.int | None = None,
    lhs_end: builtins.int | None = None,
    rhs_begin: builtins.int | None = None,
    rhs_end: builtins.int | None = None,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def rnn(
    data: _ArrayLike,
    parameters: _ArrayLike,
    state: _ArrayLike | None = None,
    state_cell: _ArrayLike | None = None,
    sequence_length: _ArrayLike | None = None,
    state_size: builtins.int | None = None,
    num_layers: builtins.int | None = None,
    bidirectional: builtins.bool = False,
    mode: builtins.str | None = None,
    p: builtins.float = 0.0,
    state_outputs: builtins.bool = False,
    projection_size: builtins.int | None = None,
    lstm_state_clip_min: builtins.float | None = None,
    lstm_state_clip_max: builtins.float | None = None,
    lstm_state_clip_nan: builtins.bool = False,
    use_sequence_length: builtins.bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.tuple[ndarray, ...]: ...
def roi_pooling(
    data: _ArrayLike,
    rois: _ArrayLike,
    pooled_size: Sequence[builtins.int],
    spatial_scale: builtins.float,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def sequence_last(
    data: _ArrayLike,
    sequence_length: _ArrayLike | None = None,
    use_sequence_length: builtins.bool = False,
    axis: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def sequence_mask(
    data: _ArrayLike,
    sequence_length: _ArrayLike | None = None,
    use_sequence_length: builtins.bool = False,
    value: builtins.float = 0.0,
    axis: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def sequence_reverse(
    data: _ArrayLike,
    sequence_length: _ArrayLike | None = None,
    use_sequence_length: builtins.bool = False,
    axis: builtins.int = 0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def shape_array(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def sigmoid(data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None) -> ndarray: ...
def slice(
    data: _ArrayLike,
    begin: builtins.int | Sequence[builtins.int | None] | None,
    end: builtins.int | Sequence[builtins.int | None] | None,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def smooth_l1(
    data: _ArrayLike,
    scalar: builtins.float = 1.0,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def softmax(
    data: _ArrayLike,
    length: _ArrayLike | None = None,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray: ...
def stop_gradient(
    data: _ArrayLike, *, out: ndarray | Sequence[ndarray] | None = None
) -> ndarray: ...
def topk(
    data: _ArrayLike,
    axis: builtins.int | None = -1,
    k: builtins.int = 1,
    ret_typ: builtins.str = "indices",
    is_ascend: builtins.bool = False,
    dtype: DTypeLike | None = "float32",
    *,
    out: ndarray | Sequence[ndarray] | None = None,
) -> ndarray | builtins.list[ndarray]: ...
