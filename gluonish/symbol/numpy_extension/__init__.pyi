"""`mx.sym.npx`: what NumPy lacks.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Mapping, Sequence
from typing import Any, Unpack

from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context
from gluonish.symbol.attributes import Attributes
from gluonish.symbol.np_symbol import NumpySymbol
from gluonish.symbol.numpy_extension import image as image, random as random

_Symbol = NumpySymbol
from gluonish.symbol.symbol import Symbol

def activation(
    data: Symbol | None = None,
    act_type: builtins.str = "",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def arange_like(
    data: Symbol | None = None,
    start: builtins.float = 0.0,
    step: builtins.float = 1.0,
    repeat: builtins.int = 1,
    ctx: Context | str | None = None,
    axis: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def batch_dot(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    forward_stype: builtins.str | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def batch_flatten(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def batch_norm(
    data: Symbol | None = None,
    gamma: Symbol | None = None,
    beta: Symbol | None = None,
    moving_mean: Symbol | None = None,
    moving_var: Symbol | None = None,
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
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def cast(
    data: Symbol | None = None,
    dtype: DTypeLike = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def constraint_check(
    x: Symbol | None = None,
    msg: builtins.str = "Constraint violated.",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def convolution(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    bias: Symbol | None = None,
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
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def deconvolution(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    bias: Symbol | None = None,
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
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def dropout(
    data: Symbol | None = None,
    p: builtins.float = 0.5,
    mode: builtins.str = "training",
    axes: Sequence[builtins.int] | None = (),
    cudnn_off: builtins.bool | None = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def embedding(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    input_dim: builtins.int | None = None,
    output_dim: builtins.int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def erf(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def erfinv(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def fully_connected(
    data: Symbol | None = None,
    weight: Symbol | None = None,
    bias: Symbol | None = None,
    num_hidden: builtins.int | None = None,
    no_bias: builtins.bool = False,
    flatten: builtins.bool = True,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def gamma(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def gammaln(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def gather_nd(
    data: Symbol | None = None,
    indices: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def layer_norm(
    data: Symbol | None = None,
    gamma: Symbol | None = None,
    beta: Symbol | None = None,
    axis: builtins.int = -1,
    eps: builtins.float = 1e-05,
    output_mean_var: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def leaky_relu(
    data: Symbol | None = None,
    gamma: Symbol | None = None,
    act_type: builtins.str = "leaky",
    slope: builtins.float = 0.25,
    lower_bound: builtins.float = 0.125,
    upper_bound: builtins.float = 0.334,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def log_softmax(
    data: Symbol | None = None,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multibox_detection(
    cls_prob: Symbol | None = None,
    loc_pred: Symbol | None = None,
    anchor: Symbol | None = None,
    clip: builtins.bool = True,
    threshold: builtins.float = 0.01,
    background_id: builtins.int = 0,
    nms_threshold: builtins.float = 0.5,
    force_suppress: builtins.bool = False,
    variances: Sequence[builtins.float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: builtins.int = -1,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multibox_prior(
    data: Symbol | None = None,
    sizes: builtins.float | Sequence[builtins.float] = (1.0,),
    ratios: builtins.float | Sequence[builtins.float] = (1.0,),
    clip: builtins.bool = False,
    steps: Sequence[builtins.float] = (-1.0, -1.0),
    offsets: Sequence[builtins.float] = (0.5, 0.5),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def multibox_target(
    anchor: Symbol | None = None,
    label: Symbol | None = None,
    cls_pred: Symbol | None = None,
    overlap_threshold: builtins.float = 0.5,
    ignore_label: builtins.float = -1.0,
    negative_mining_ratio: builtins.float = -1.0,
    negative_mining_thresh: builtins.float = 0.5,
    minimum_negative_samples: builtins.int = 0,
    variances: Sequence[builtins.float] = (0.1, 0.1, 0.2, 0.2),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> list[NumpySymbol]: ...
def nonzero(
    a: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def one_hot(
    indices: Symbol | None = None,
    depth: builtins.int = ...,
    on_value: builtins.float = 1.0,
    off_value: builtins.float = 0.0,
    dtype: DTypeLike | None = "float32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def pick(
    data: Symbol | None = None,
    index: Symbol | None = None,
    axis: builtins.int | None = -1,
    keepdims: builtins.bool = False,
    mode: builtins.str = "clip",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def pooling(
    data: Symbol | None = None,
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
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def relu(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def reshape(
    a: Symbol | None = None,
    newshape: builtins.int | Sequence[builtins.int] = ...,
    reverse: builtins.bool = False,
    order: builtins.str = "C",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def reshape_like(
    lhs: Symbol | None = None,
    rhs: Symbol | None = None,
    lhs_begin: builtins.int | None = None,
    lhs_end: builtins.int | None = None,
    rhs_begin: builtins.int | None = None,
    rhs_end: builtins.int | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def rnn(
    data: Symbol | None = None,
    parameters: Symbol | None = None,
    state: Symbol | None = None,
    state_cell: Symbol | None = None,
    sequence_length: Symbol | None = None,
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
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
def roi_pooling(
    data: Symbol | None = None,
    rois: Symbol | None = None,
    pooled_size: Sequence[builtins.int] = ...,
    spatial_scale: builtins.float = ...,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sequence_last(
    data: Symbol | None = None,
    sequence_length: Symbol | None = None,
    use_sequence_length: builtins.bool = False,
    axis: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sequence_mask(
    data: Symbol | None = None,
    sequence_length: Symbol | None = None,
    use_sequence_length: builtins.bool = False,
    value: builtins.float = 0.0,
    axis: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sequence_reverse(
    data: Symbol | None = None,
    sequence_length: Symbol | None = None,
    use_sequence_length: builtins.bool = False,
    axis: builtins.int = 0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def shape_array(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def sigmoid(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def slice(
    data: Symbol | None = None,
    begin: builtins.int | Sequence[builtins.int | None] | None = ...,
    end: builtins.int | Sequence[builtins.int | None] | None = ...,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def smooth_l1(
    data: Symbol | None = None,
    scalar: builtins.float = 1.0,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def softmax(
    data: Symbol | None = None,
    length: Symbol | None = None,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def stop_gradient(
    data: Symbol | None = None,
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> NumpySymbol: ...
def topk(
    data: Symbol | None = None,
    axis: builtins.int | None = -1,
    k: builtins.int = 1,
    ret_typ: builtins.str = "indices",
    is_ascend: builtins.bool = False,
    dtype: DTypeLike | None = "float32",
    *,
    name: builtins.str | None = None,
    attr: Mapping[builtins.str, builtins.str] | None = None,
    **attributes: Unpack[Attributes],
) -> Any: ...
