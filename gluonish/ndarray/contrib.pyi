"""Operators contrib.* of nd.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import NDArray, ndarray
from gluonish.array.dtypes import DTypeLike
from gluonish.context import Context

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    rescale_grad: NDArray | builtins.float,
    lr: builtins.float,
    eta: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def AdaptiveAvgPooling2D(
    data: NDArray,
    output_size: builtins.int | Sequence[builtins.int] = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
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
def backward_gradientmultiplier(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
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
def BilinearResize2D(
    data: NDArray,
    like: NDArray | None = None,
    height: builtins.int = 1,
    width: builtins.int = 1,
    scale_height: builtins.float | None = None,
    scale_width: builtins.float | None = None,
    mode: builtins.str = "size",
    align_corners: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def bipartite_matching(
    data: NDArray,
    is_ascend: builtins.bool = False,
    threshold: builtins.float | None = None,
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
def calibrate_entropy(
    hist: NDArray,
    hist_edges: NDArray,
    num_quantized_bins: builtins.int = 255,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray]: ...
def cond(
    pred: Any, then_func: Callable[[], Any], else_func: Callable[[], Any], name: str = "cond"
) -> Any: ...
def count_sketch(
    data: NDArray,
    h: NDArray,
    s: NDArray,
    out_dim: builtins.int,
    processing_batch_size: builtins.int = 32,
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
def DeformableConvolution(
    data: NDArray,
    offset: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: Sequence[builtins.int] | builtins.int = (),
    stride: Sequence[builtins.int] | builtins.int = (),
    dilate: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    num_filter: builtins.int | None = None,
    num_group: builtins.int = 1,
    num_deformable_group: builtins.int = 1,
    workspace: builtins.int = 1024,
    no_bias: builtins.bool = False,
    layout: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def DeformablePSROIPooling(
    data: NDArray,
    rois: NDArray,
    trans: NDArray | None = None,
    *,
    spatial_scale: builtins.float,
    output_dim: builtins.int,
    group_size: builtins.int,
    pooled_size: builtins.int,
    part_size: builtins.int = 0,
    sample_per_part: builtins.int = 1,
    trans_std: builtins.float = 0,
    no_trans: builtins.bool = False,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def dequantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: builtins.str = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def dgl_adjacency(data: NDArray) -> NDArray: ...
def dgl_csr_neighbor_non_uniform_sample(
    csr_matrix: NDArray,
    probability: NDArray,
    *seed_arrays: NDArray,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    **kwargs: Any,
) -> list[Any]: ...
def dgl_csr_neighbor_uniform_sample(
    csr_matrix: NDArray,
    *seed_arrays: NDArray,
    num_hops: int = 1,
    num_neighbor: int = 2,
    max_num_vertices: int = 100,
    **kwargs: Any,
) -> list[Any]: ...
def dgl_graph_compact(
    *graph_data: NDArray, return_mapping: bool, graph_sizes: int | Sequence[int], **kwargs: Any
) -> Any: ...
def dgl_subgraph(graph: NDArray, *data: NDArray, return_mapping: bool, **kwargs: Any) -> Any: ...
def div_sqrt_dim(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def edge_id(data: NDArray, u: NDArray, v: NDArray, out: NDArray | None = None) -> NDArray: ...
def fft(
    data: NDArray,
    compute_size: builtins.int = 128,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def foreach(
    body: Callable[..., Any], data: Any, init_states: Any, name: str = "foreach"
) -> Any: ...
def getnnz(data: NDArray, axis: int | None = None, out: NDArray | None = None) -> NDArray: ...
def gradientmultiplier(
    data: NDArray,
    scalar: builtins.float = 1.0,
    is_int: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def group_adagrad_update(
    weight: NDArray,
    grad: NDArray,
    history: NDArray,
    lr: builtins.float,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    epsilon: builtins.float = 1e-05,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def hawkesll(
    lda: NDArray,
    alpha: NDArray,
    beta: NDArray,
    state: NDArray,
    lags: NDArray,
    marks: NDArray,
    valid_length: NDArray,
    max_time: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray]: ...
def ifft(
    data: NDArray,
    compute_size: builtins.int = 128,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def index_array(
    data: NDArray,
    axes: builtins.int | Sequence[builtins.int] | None = None,
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
def interleaved_matmul_encdec_qk(
    queries: NDArray,
    keys_values: NDArray,
    heads: builtins.int,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def interleaved_matmul_encdec_valatt(
    keys_values: NDArray,
    attention: NDArray,
    heads: builtins.int,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def interleaved_matmul_selfatt_qk(
    queries_keys_values: NDArray,
    heads: builtins.int,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def interleaved_matmul_selfatt_valatt(
    queries_keys_values: NDArray,
    attention: NDArray,
    heads: builtins.int,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def isfinite(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def isinf(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def isnan(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def ModulatedDeformableConvolution(
    data: NDArray,
    offset: NDArray,
    mask: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    kernel: Sequence[builtins.int] | builtins.int = (),
    stride: Sequence[builtins.int] | builtins.int = (),
    dilate: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    num_filter: builtins.int | None = None,
    num_group: builtins.int = 1,
    num_deformable_group: builtins.int = 1,
    workspace: builtins.int = 1024,
    no_bias: builtins.bool = False,
    im2col_step: builtins.int = 64,
    layout: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mp_adamw_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    rescale_grad: NDArray | builtins.float,
    lr: builtins.float,
    eta: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def multi_adamw_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    rescale_grad: NDArray | builtins.float,
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    etas: Sequence[builtins.float],
    size: builtins.int = 0,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_lamb_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    step_count: Sequence[builtins.int],
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    num_tensors: builtins.int = 0,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-06,
    rescale_grad: builtins.float = 1.0,
    lower_bound: builtins.float = -1.0,
    upper_bound: builtins.float = -1.0,
    clip_gradient: builtins.float = -1.0,
    bias_correction: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_mp_adamw_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    weights32: Sequence[NDArray],
    rescale_grad: NDArray | builtins.float,
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    etas: Sequence[builtins.float],
    size: builtins.int = 0,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_mp_lamb_update(
    weights: Sequence[NDArray],
    grads: Sequence[NDArray],
    mean: Sequence[NDArray],
    var: Sequence[NDArray],
    weights32: Sequence[NDArray],
    step_count: Sequence[builtins.int],
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    num_tensors: builtins.int = 0,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-06,
    rescale_grad: builtins.float = 1.0,
    lower_bound: builtins.float = -1.0,
    upper_bound: builtins.float = -1.0,
    clip_gradient: builtins.float = -1.0,
    bias_correction: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def MultiBoxDetection(
    cls_prob: NDArray,
    loc_pred: NDArray,
    anchor: NDArray,
    clip: builtins.bool = True,
    threshold: builtins.float = 0.01,
    background_id: builtins.int = 0,
    nms_threshold: builtins.float = 0.5,
    force_suppress: builtins.bool = False,
    variances: Sequence[builtins.float] = (0.1, 0.1, 0.2, 0.2),
    nms_topk: builtins.int = -1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def MultiBoxPrior(
    data: NDArray,
    sizes: builtins.float | Sequence[builtins.float] = (1.0,),
    ratios: builtins.float | Sequence[builtins.float] = (1.0,),
    clip: builtins.bool = False,
    steps: Sequence[builtins.float] = (-1.0, -1.0),
    offsets: Sequence[builtins.float] = (0.5, 0.5),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def MultiBoxTarget(
    anchor: NDArray,
    label: NDArray,
    cls_pred: NDArray,
    overlap_threshold: builtins.float = 0.5,
    ignore_label: builtins.float = -1.0,
    negative_mining_ratio: builtins.float = -1.0,
    negative_mining_thresh: builtins.float = 0.5,
    minimum_negative_samples: builtins.int = 0,
    variances: Sequence[builtins.float] = (0.1, 0.1, 0.2, 0.2),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray]: ...
def MultiProposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: builtins.int = 6000,
    rpn_post_nms_top_n: builtins.int = 300,
    threshold: builtins.float = 0.7,
    rpn_min_size: builtins.int = 16,
    scales: Sequence[builtins.float] = (4, 8, 16, 32),
    ratios: Sequence[builtins.float] = (0.5, 1, 2),
    feature_stride: builtins.int = 16,
    output_score: builtins.bool = False,
    iou_loss: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray]: ...
def Proposal(
    cls_prob: NDArray,
    bbox_pred: NDArray,
    im_info: NDArray,
    rpn_pre_nms_top_n: builtins.int = 6000,
    rpn_post_nms_top_n: builtins.int = 300,
    threshold: builtins.float = 0.7,
    rpn_min_size: builtins.int = 16,
    scales: Sequence[builtins.float] = (4, 8, 16, 32),
    ratios: Sequence[builtins.float] = (0.5, 1, 2),
    feature_stride: builtins.int = 16,
    output_score: builtins.bool = False,
    iou_loss: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray]: ...
def PSROIPooling(
    data: NDArray,
    rois: NDArray,
    spatial_scale: builtins.float,
    output_dim: builtins.int,
    pooled_size: builtins.int,
    group_size: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def quadratic(
    data: NDArray,
    a: builtins.float = 0.0,
    b: builtins.float = 0.0,
    c: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def quantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: builtins.str = "uint8",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantize_asym(
    data: NDArray,
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantize_v2(
    data: NDArray,
    out_type: builtins.str = "int8",
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_act(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    act_type: builtins.str,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_batch_norm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    moving_mean: NDArray,
    moving_var: NDArray,
    min_data: NDArray,
    max_data: NDArray,
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
) -> Any: ...
def quantized_concat(
    *data: NDArray,
    num_args: builtins.int | None = None,
    dim: builtins.int = 1,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_conv(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    min_data: NDArray | None = None,
    max_data: NDArray | None = None,
    min_weight: NDArray | None = None,
    max_weight: NDArray | None = None,
    min_bias: NDArray | None = None,
    max_bias: NDArray | None = None,
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
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray, NDArray]: ...
def quantized_elemwise_add(
    lhs: NDArray,
    rhs: NDArray,
    lhs_min: NDArray,
    lhs_max: NDArray,
    rhs_min: NDArray,
    rhs_max: NDArray,
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_elemwise_mul(
    lhs: NDArray,
    rhs: NDArray,
    lhs_min: NDArray,
    lhs_max: NDArray,
    rhs_min: NDArray,
    rhs_max: NDArray,
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    enable_float_output: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | Any: ...
def quantized_embedding(
    data: NDArray,
    weight: NDArray,
    min_weight: NDArray,
    max_weight: NDArray,
    input_dim: builtins.int | None = None,
    output_dim: builtins.int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_flatten(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_fully_connected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    min_data: NDArray | None = None,
    max_data: NDArray | None = None,
    min_weight: NDArray | None = None,
    max_weight: NDArray | None = None,
    min_bias: NDArray | None = None,
    max_bias: NDArray | None = None,
    num_hidden: builtins.int | None = None,
    no_bias: builtins.bool = False,
    flatten: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray, NDArray]: ...
def quantized_pooling(
    data: NDArray,
    min_data: NDArray,
    max_data: NDArray,
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
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def quantized_rnn(
    data: NDArray,
    parameters: NDArray,
    state: NDArray,
    state_cell: NDArray,
    data_scale: NDArray,
    data_shift: NDArray,
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
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, ...]: ...
def rand_zipfian(
    true_classes: NDArray, num_sampled: int, range_max: int, ctx: Context | None = None
) -> tuple[NDArray, NDArray, NDArray]: ...
def requantize(
    data: NDArray,
    min_range: NDArray,
    max_range: NDArray,
    out_type: builtins.str = "int8",
    min_calib_range: builtins.float | None = None,
    max_calib_range: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> Any: ...
def ROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: Sequence[builtins.int],
    spatial_scale: builtins.float,
    sample_ratio: builtins.int = -1,
    position_sensitive: builtins.bool = False,
    aligned: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def round_ste(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def RROIAlign(
    data: NDArray,
    rois: NDArray,
    pooled_size: Sequence[builtins.int],
    spatial_scale: builtins.float,
    sampling_ratio: builtins.int = -1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sign_ste(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def SparseEmbedding(
    data: NDArray,
    weight: NDArray,
    input_dim: builtins.int | None = None,
    output_dim: builtins.int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SyncBatchNorm(
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
    ndev: builtins.int = 1,
    key: builtins.str = "",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray, NDArray]: ...
def while_loop(
    cond: Callable[..., Any],
    func: Callable[..., Any],
    loop_vars: Any,
    max_iterations: int | None = None,
    name: str = "while_loop",
) -> Any: ...
