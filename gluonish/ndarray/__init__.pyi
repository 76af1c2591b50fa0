"""The front end `mx.nd`: MXNet's first array and its operators, built from the op table.

Written by scripts/make_stubs.py; do not edit.
"""

import builtins
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as onp

from gluonish.array import NDArray as NDArray, ndarray
from gluonish.array.dtypes import DTypeLike
from gluonish.array.sparse import CSRNDArray as CSRNDArray, RowSparseNDArray as RowSparseNDArray
from gluonish.context import Context
from gluonish.ndarray import (
    _internal as _internal,
    candidates as candidates,
    contrib as contrib,
    control_flow as control_flow,
    edges as edges,
    image as image,
    linalg as linalg,
    random as random,
    sparse as sparse,
    sparse_products as sparse_products,
)
from gluonish.ndarray.creation import (
    array as array,
    from_dlpack as from_dlpack,
    from_numpy as from_numpy,
    from_torch as from_torch,
    onehot_encode as onehot_encode,
    to_dlpack_for_read as to_dlpack_for_read,
    to_dlpack_for_write as to_dlpack_for_write,
    waitall as waitall,
)
from gluonish.ndarray.io import load as load, load_frombuffer as load_frombuffer, save as save
from gluonish.ndarray.mxnet_names import (
    _DTYPE_MX_TO_NP as _DTYPE_MX_TO_NP,
    _DTYPE_NP_TO_MX as _DTYPE_NP_TO_MX,
    _GRAD_REQ_MAP as _GRAD_REQ_MAP,
    _STORAGE_TYPE_CSR as _STORAGE_TYPE_CSR,
    _STORAGE_TYPE_DEFAULT as _STORAGE_TYPE_DEFAULT,
    _STORAGE_TYPE_ID_TO_STR as _STORAGE_TYPE_ID_TO_STR,
    _STORAGE_TYPE_ROW_SPARSE as _STORAGE_TYPE_ROW_SPARSE,
    _STORAGE_TYPE_STR_TO_ID as _STORAGE_TYPE_STR_TO_ID,
    _STORAGE_TYPE_UNDEFINED as _STORAGE_TYPE_UNDEFINED,
    NDArrayBase as NDArrayBase,
    _new_empty_handle as _new_empty_handle,
    py_slice as py_slice,
)
from gluonish.ndarray.pictures import imdecode as imdecode
from gluonish.ndarray.sparse import add_operators as add_operators
from gluonish.profiler.stages import measured as measured

_ArrayLike: TypeAlias = ndarray | Sequence[Any] | onp.ndarray[Any, Any] | float

def _l2_loss(
    data: NDArray,
    label: NDArray,
    weight: builtins.float = 1.0,
    batch_axis: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def _softmax_cross_entropy_loss(
    data: NDArray,
    label: NDArray,
    axis: builtins.int = -1,
    batch_axis: builtins.int = 0,
    weight: builtins.float | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def abs(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def Activation(
    data: NDArray, act_type: builtins.str = "", *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def adam_update(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    lr: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def add(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def add_n(
    *args: NDArray,
    num_args: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def all_finite(
    data: NDArray,
    init_output: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def amp_cast(
    data: NDArray, dtype: DTypeLike, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def amp_multicast(
    *data: NDArray,
    num_outputs: builtins.int | None = None,
    cast_narrow: builtins.bool = False,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def arange(
    start: builtins.float,
    stop: builtins.float | None = None,
    step: builtins.float = 1.0,
    repeat: builtins.int = 1,
    infer_range: builtins.bool | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def arccos(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def arccosh(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def arcsin(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def arcsinh(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def arctan(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def arctanh(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def argmax(
    data: NDArray,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def argmax_channel(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def argmin(
    data: NDArray,
    axis: builtins.int | None = None,
    keepdims: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def argsort(
    data: NDArray,
    axis: builtins.int | None = -1,
    is_ascend: builtins.bool = True,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def batch_dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    forward_stype: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def batch_take(
    a: NDArray, indices: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
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
def BatchNorm_v1(
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
def BilinearSampler(
    data: NDArray,
    grid: NDArray,
    cudnn_off: builtins.bool | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def BlockGrad(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def broadcast_add(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_axes(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = (),
    size: builtins.int | Sequence[builtins.int] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_axis(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = (),
    size: builtins.int | Sequence[builtins.int] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_div(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_greater(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_greater_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_hypot(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_lesser(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_lesser_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_axes: builtins.int | Sequence[builtins.int] | None = None,
    rhs_axes: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_logical_and(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_logical_or(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_logical_xor(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_maximum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_minimum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_minus(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_mod(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_mul(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_not_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_plus(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_power(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_sub(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def broadcast_to(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int] = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Cast(
    data: NDArray, dtype: DTypeLike, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def cast(
    data: NDArray, dtype: DTypeLike, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def cast_storage(
    data: NDArray, stype: builtins.str, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def cbrt(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def ceil(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def choose_element_0index(
    data: NDArray,
    index: NDArray,
    axis: builtins.int | None = -1,
    keepdims: builtins.bool = False,
    mode: builtins.str = "clip",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def clip(
    data: NDArray,
    a_min: builtins.float,
    a_max: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def col2im(
    data: NDArray,
    output_size: Sequence[builtins.int] | builtins.int,
    kernel: Sequence[builtins.int] | builtins.int,
    stride: Sequence[builtins.int] | builtins.int = (),
    dilate: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Concat(
    *data: NDArray,
    dim: builtins.int = 1,
    num_args: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def concat(
    *data: NDArray,
    dim: builtins.int = 1,
    num_args: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def concatenate(
    arrays: Sequence[NDArray],
    axis: builtins.int = 0,
    always_copy: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Convolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
) -> NDArray: ...
def Convolution_v1(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
) -> NDArray: ...
def Correlation(
    data1: NDArray,
    data2: NDArray,
    kernel_size: builtins.int = 1,
    max_displacement: builtins.int = 1,
    stride1: builtins.int = 1,
    stride2: builtins.int = 1,
    pad_size: builtins.int = 0,
    is_multiply: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def cos(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def cosh(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def Crop(
    *data: NDArray,
    num_args: builtins.int | None = None,
    offset: Sequence[builtins.int] = (0, 0),
    h_w: Sequence[builtins.int] = (0, 0),
    center_crop: builtins.bool = False,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def crop(
    data: NDArray,
    begin: builtins.int | Sequence[builtins.int | None] | None,
    end: builtins.int | Sequence[builtins.int | None] | None,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
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
def CuDNNBatchNorm(
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
def cumsum(
    a: NDArray,
    axis: builtins.int | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Custom(
    *data: NDArray,
    op_type: builtins.str = "",
    out: NDArray | Sequence[NDArray] | None = None,
    **attributes: builtins.object,
) -> NDArray | builtins.tuple[NDArray, ...]: ...
def Deconvolution(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
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
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def degrees(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def depth_to_space(
    data: NDArray, block_size: builtins.int, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def diag(
    data: NDArray,
    k: builtins.int = 0,
    axis1: builtins.int = 0,
    axis2: builtins.int = 1,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def divide(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def dot(
    lhs: NDArray,
    rhs: NDArray,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    forward_stype: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Dropout(
    data: NDArray,
    p: builtins.float = 0.5,
    mode: builtins.str = "training",
    axes: Sequence[builtins.int] | None = (),
    cudnn_off: builtins.bool | None = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def ElementWiseSum(
    *args: NDArray,
    num_args: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def elemwise_add(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def elemwise_div(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def elemwise_mul(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def elemwise_sub(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Embedding(
    data: NDArray,
    weight: NDArray,
    input_dim: builtins.int | None = None,
    output_dim: builtins.int | None = None,
    dtype: DTypeLike | None = "float32",
    sparse_grad: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def empty(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    stype: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def erf(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def erfinv(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def exp(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def expand_dims(
    data: NDArray, axis: builtins.int, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def expm1(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def eye(
    N: builtins.int,
    M: builtins.int = 0,
    k: builtins.int = 0,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def fill_element_0index(
    lhs: NDArray, mhs: NDArray, rhs: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def fix(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def Flatten(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def flatten(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def flip(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def floor(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def ftml_update(
    weight: NDArray,
    grad: NDArray,
    d: NDArray,
    v: NDArray,
    z: NDArray,
    *,
    lr: builtins.float,
    t: builtins.int,
    beta1: builtins.float = 0.6,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_grad: builtins.float = -1.0,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def ftrl_update(
    weight: NDArray,
    grad: NDArray,
    z: NDArray,
    n: NDArray,
    lr: builtins.float,
    lamda1: builtins.float = 0.01,
    beta: builtins.float = 1.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def full(
    shape: builtins.int | Sequence[builtins.int],
    val: builtins.float | NDArray,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def FullyConnected(
    data: NDArray,
    weight: NDArray,
    bias: NDArray | None = None,
    num_hidden: builtins.int | None = None,
    no_bias: builtins.bool = False,
    flatten: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def gamma(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def gammaln(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def gather_nd(
    data: NDArray, indices: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def greater(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def greater_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def GridGenerator(
    data: NDArray,
    transform_type: builtins.str,
    target_shape: Sequence[builtins.int] = (0, 0),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def GroupNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    num_groups: builtins.int = 1,
    eps: builtins.float = 1e-05,
    output_mean_var: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray, NDArray]: ...
def hard_sigmoid(
    data: NDArray,
    alpha: builtins.float = 0.2,
    beta: builtins.float = 0.5,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def histogram(
    a: NDArray,
    bins: builtins.int | NDArray = 10,
    range: builtins.tuple[builtins.float, builtins.float] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray]: ...
def identity(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def IdentityAttachKLSparseReg(
    data: NDArray,
    moving_avg: NDArray,
    sparseness_target: builtins.float = 0.1,
    penalty: builtins.float = 0.001,
    momentum: builtins.float = 0.9,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def im2col(
    data: NDArray,
    kernel: Sequence[builtins.int] | builtins.int,
    stride: Sequence[builtins.int] | builtins.int = (),
    dilate: Sequence[builtins.int] | builtins.int = (),
    pad: Sequence[builtins.int] | builtins.int = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def InstanceNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    eps: builtins.float = 0.001,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def khatri_rao(*args: NDArray, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def L2Normalization(
    data: NDArray,
    eps: builtins.float = 1e-10,
    mode: builtins.str = "instance",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    *,
    t: builtins.int,
    wd: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-06,
    bias_correction: builtins.bool = True,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    lr: builtins.float,
    lower_bound: builtins.float = -1.0,
    upper_bound: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def LayerNorm(
    data: NDArray,
    gamma: NDArray,
    beta: NDArray,
    axis: builtins.int = -1,
    eps: builtins.float = 1e-05,
    output_mean_var: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray, NDArray]: ...
def LeakyReLU(
    data: NDArray,
    gamma: NDArray | None = None,
    act_type: builtins.str = "leaky",
    slope: builtins.float = 0.25,
    lower_bound: builtins.float = 0.125,
    upper_bound: builtins.float = 0.334,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def lesser(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def lesser_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_det(A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def linalg_extractdiag(
    A: NDArray, offset: builtins.int = 0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def linalg_extracttrian(
    A: NDArray,
    offset: builtins.int = 0,
    lower: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_gelqf(
    A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> builtins.tuple[NDArray, NDArray]: ...
def linalg_gemm(
    A: NDArray,
    B: NDArray,
    C: NDArray,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    axis: builtins.int = -2,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_gemm2(
    A: NDArray,
    B: NDArray,
    transpose_a: builtins.bool = False,
    transpose_b: builtins.bool = False,
    alpha: builtins.float = 1.0,
    axis: builtins.int = -2,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_inverse(A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def linalg_makediag(
    A: NDArray, offset: builtins.int = 0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def linalg_maketrian(
    A: NDArray,
    offset: builtins.int = 0,
    lower: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_potrf(
    A: NDArray, lower: builtins.bool = True, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def linalg_potri(
    A: NDArray, lower: builtins.bool = True, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def linalg_slogdet(
    A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> builtins.tuple[NDArray, NDArray]: ...
def linalg_sumlogdiag(A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def linalg_syevd(
    A: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> builtins.tuple[NDArray, NDArray]: ...
def linalg_syrk(
    A: NDArray,
    transpose: builtins.bool = False,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_trmm(
    A: NDArray,
    B: NDArray,
    transpose: builtins.bool = False,
    rightside: builtins.bool = False,
    lower: builtins.bool = True,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linalg_trsm(
    A: NDArray,
    B: NDArray,
    transpose: builtins.bool = False,
    rightside: builtins.bool = False,
    lower: builtins.bool = True,
    alpha: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def LinearRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def linspace(
    start: builtins.float,
    stop: builtins.float,
    num: builtins.int,
    endpoint: builtins.bool = True,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def log(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def log10(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def log1p(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def log2(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def log_softmax(
    data: NDArray,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def logical_and(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def logical_not(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def logical_or(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def logical_xor(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def LogisticRegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def LRN(
    data: NDArray,
    alpha: builtins.float = 0.0001,
    beta: builtins.float = 0.75,
    knorm: builtins.float = 2.0,
    nsize: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def MAERegressionOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def make_loss(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def MakeLoss(
    data: NDArray,
    grad_scale: builtins.float = 1.0,
    valid_thresh: builtins.float = 0.0,
    normalization: builtins.str = "null",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def max(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def max_axis(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def maximum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mean(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def min(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def min_axis(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def minimum(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def modulo(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def moments(
    data: NDArray,
    axes: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.tuple[NDArray, NDArray]: ...
def moveaxis(
    tensor: NDArray,
    source: builtins.int | Sequence[builtins.int],
    destination: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mp_lamb_update_phase1(
    weight: NDArray,
    grad: NDArray,
    mean: NDArray,
    var: NDArray,
    weight32: NDArray,
    *,
    t: builtins.int,
    wd: builtins.float,
    beta1: builtins.float = 0.9,
    beta2: builtins.float = 0.999,
    epsilon: builtins.float = 1e-06,
    bias_correction: builtins.bool = True,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mp_lamb_update_phase2(
    weight: NDArray,
    g: NDArray,
    r1: NDArray,
    r2: NDArray,
    weight32: NDArray,
    lr: builtins.float,
    lower_bound: builtins.float = -1.0,
    upper_bound: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mp_nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: builtins.float,
    momentum: builtins.float = 0.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mp_sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    weight32: NDArray,
    lr: builtins.float,
    momentum: builtins.float = 0.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def mp_sgd_update(
    weight: NDArray,
    grad: NDArray,
    weight32: NDArray,
    lr: builtins.float,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def multi_all_finite(
    *data: NDArray,
    num_arrays: builtins.int | None = None,
    init_output: builtins.bool = True,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def multi_lars(
    lrs: NDArray,
    weights_sum_sq: NDArray,
    grads_sum_sq: NDArray,
    wds: NDArray,
    eta: builtins.float,
    eps: builtins.float,
    rescale_grad: builtins.float = 1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def multi_mp_sgd_mom_update(
    *data: NDArray,
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    momentum: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_mp_sgd_update(
    *data: NDArray,
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_sgd_mom_update(
    *data: NDArray,
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    momentum: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_sgd_update(
    *data: NDArray,
    lrs: Sequence[builtins.float],
    wds: Sequence[builtins.float],
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def multi_sum_sq(
    *data: NDArray,
    num_arrays: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def multiply(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def nag_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: builtins.float,
    momentum: builtins.float = 0.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def nanprod(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def nansum(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def negative(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def norm(
    data: NDArray,
    ord: builtins.int = 2,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    out_dtype: DTypeLike | None = None,
    keepdims: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def normal(
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def not_equal(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def one_hot(
    indices: NDArray,
    depth: builtins.int,
    on_value: builtins.float = 1.0,
    off_value: builtins.float = 0.0,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def ones(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def ones_like(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def Pad(
    data: NDArray,
    mode: builtins.str = "",
    pad_width: Sequence[builtins.int] = (),
    constant_value: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def pad(
    data: NDArray,
    mode: builtins.str = "",
    pad_width: Sequence[builtins.int] = (),
    constant_value: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def pick(
    data: NDArray,
    index: NDArray,
    axis: builtins.int | None = -1,
    keepdims: builtins.bool = False,
    mode: builtins.str = "clip",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def Pooling(
    data: NDArray,
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
) -> NDArray: ...
def Pooling_v1(
    data: NDArray,
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
) -> NDArray: ...
def power(
    base: NDArray | builtins.float,
    exp: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def preloaded_multi_mp_sgd_mom_update(
    *data: NDArray,
    momentum: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def preloaded_multi_mp_sgd_update(
    *data: NDArray,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def preloaded_multi_sgd_mom_update(
    *data: NDArray,
    momentum: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def preloaded_multi_sgd_update(
    *data: NDArray,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    num_weights: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def prod(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def radians(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def random_exponential(
    lam: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_gamma(
    alpha: builtins.float = 1.0,
    beta: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_generalized_negative_binomial(
    mu: builtins.float = 1.0,
    alpha: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_negative_binomial(
    k: builtins.int = 1,
    p: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_normal(
    loc: builtins.float = 0.0,
    scale: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_dirichlet(
    sample: NDArray,
    alpha: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_exponential(
    sample: NDArray,
    lam: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_gamma(
    sample: NDArray,
    alpha: NDArray,
    beta: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_generalized_negative_binomial(
    sample: NDArray,
    mu: NDArray,
    alpha: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_negative_binomial(
    sample: NDArray,
    k: NDArray,
    p: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_normal(
    sample: NDArray,
    mu: NDArray,
    sigma: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_poisson(
    sample: NDArray,
    lam: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_pdf_uniform(
    sample: NDArray,
    low: NDArray,
    high: NDArray,
    is_log: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_poisson(
    lam: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_randint(
    low: builtins.int,
    high: builtins.int,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def random_uniform(
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def ravel_multi_index(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def rcbrt(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def reciprocal(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def relu(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def repeat(
    data: NDArray,
    repeats: builtins.int,
    axis: builtins.int | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def reset_arrays(
    *data: NDArray,
    num_arrays: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray]: ...
def Reshape(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int] = (),
    reverse: builtins.bool = False,
    target_shape: Sequence[builtins.int] = (),
    keep_highest: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def reshape(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int] = (),
    reverse: builtins.bool = False,
    target_shape: Sequence[builtins.int] = (),
    keep_highest: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def reshape_like(
    lhs: NDArray,
    rhs: NDArray,
    lhs_begin: builtins.int | None = None,
    lhs_end: builtins.int | None = None,
    rhs_begin: builtins.int | None = None,
    rhs_end: builtins.int | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def reverse(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def rint(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def rmsprop_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    lr: builtins.float,
    gamma1: builtins.float = 0.95,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    clip_weights: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def rmspropalex_update(
    weight: NDArray,
    grad: NDArray,
    n: NDArray,
    g: NDArray,
    delta: NDArray,
    lr: builtins.float,
    gamma1: builtins.float = 0.95,
    gamma2: builtins.float = 0.9,
    epsilon: builtins.float = 1e-08,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    clip_weights: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def RNN(
    data: NDArray,
    parameters: NDArray,
    state: NDArray | None = None,
    state_cell: NDArray | None = None,
    sequence_length: NDArray | None = None,
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
def ROIPooling(
    data: NDArray,
    rois: NDArray,
    pooled_size: Sequence[builtins.int],
    spatial_scale: builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def round(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def rsqrt(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def sample_exponential(
    lam: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sample_gamma(
    alpha: NDArray,
    beta: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sample_generalized_negative_binomial(
    mu: NDArray,
    alpha: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sample_multinomial(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    get_prob: builtins.bool = False,
    dtype: DTypeLike = "int32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.tuple[NDArray, NDArray]: ...
def sample_negative_binomial(
    k: NDArray,
    p: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sample_normal(
    mu: NDArray,
    sigma: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sample_poisson(
    lam: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sample_uniform(
    low: NDArray,
    high: NDArray,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def scatter_nd(
    data: NDArray,
    indices: NDArray,
    shape: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SequenceLast(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: builtins.bool = False,
    axis: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SequenceMask(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: builtins.bool = False,
    value: builtins.float = 0.0,
    axis: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SequenceReverse(
    data: NDArray,
    sequence_length: NDArray | None = None,
    use_sequence_length: builtins.bool = False,
    axis: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sgd_mom_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: builtins.float,
    momentum: builtins.float = 0.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: builtins.float,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    lazy_update: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def shape_array(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def shuffle(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def sigmoid(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def sign(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def signsgd_update(
    weight: NDArray,
    grad: NDArray,
    lr: builtins.float,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def signum_update(
    weight: NDArray,
    grad: NDArray,
    mom: NDArray,
    lr: builtins.float,
    momentum: builtins.float = 0.0,
    wd: builtins.float = 0.0,
    rescale_grad: builtins.float = 1.0,
    clip_gradient: builtins.float = -1.0,
    wd_lh: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sin(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def sinh(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def size_array(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def slice(
    data: NDArray,
    begin: builtins.int | Sequence[builtins.int | None] | None,
    end: builtins.int | Sequence[builtins.int | None] | None,
    step: builtins.int | Sequence[builtins.int | None] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def slice_axis(
    data: NDArray,
    axis: builtins.int,
    begin: builtins.int,
    end: builtins.int | None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def slice_like(
    data: NDArray,
    shape_like: NDArray,
    axes: builtins.int | Sequence[builtins.int] | None = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SliceChannel(
    data: NDArray,
    num_outputs: builtins.int,
    axis: builtins.int = 1,
    squeeze_axis: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray] | NDArray: ...
def smooth_l1(
    data: NDArray, scalar: builtins.float = 1.0, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def Softmax(
    data: NDArray,
    label: NDArray,
    grad_scale: builtins.float = 1.0,
    ignore_label: builtins.float = -1.0,
    multi_output: builtins.bool = False,
    use_ignore: builtins.bool = False,
    preserve_shape: builtins.bool = False,
    normalization: builtins.str = "null",
    out_grad: builtins.bool = False,
    smooth_alpha: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def softmax(
    data: NDArray,
    length: NDArray | None = None,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def softmax_cross_entropy(
    data: NDArray, label: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def SoftmaxActivation(
    data: NDArray,
    mode: builtins.str = "instance",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SoftmaxOutput(
    data: NDArray,
    label: NDArray,
    grad_scale: builtins.float = 1.0,
    ignore_label: builtins.float = -1.0,
    multi_output: builtins.bool = False,
    use_ignore: builtins.bool = False,
    preserve_shape: builtins.bool = False,
    normalization: builtins.str = "null",
    out_grad: builtins.bool = False,
    smooth_alpha: builtins.float = 0.0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def softmin(
    data: NDArray,
    axis: builtins.int = -1,
    temperature: builtins.float | None = None,
    dtype: DTypeLike | None = None,
    use_length: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def softsign(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def sort(
    data: NDArray,
    axis: builtins.int | None = -1,
    is_ascend: builtins.bool = True,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def space_to_depth(
    data: NDArray, block_size: builtins.int, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def SpatialTransformer(
    data: NDArray,
    loc: NDArray,
    target_shape: Sequence[builtins.int] = (0, 0),
    transform_type: builtins.str = "",
    sampler_type: builtins.str = "",
    cudnn_off: builtins.bool | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def split(
    data: NDArray,
    num_outputs: builtins.int,
    axis: builtins.int = 1,
    squeeze_axis: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray] | NDArray: ...
def split_v2(
    ary: NDArray,
    indices_or_sections: builtins.int | Sequence[builtins.int],
    axis: builtins.int = 0,
    squeeze_axis: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> builtins.list[NDArray] | NDArray: ...
def sqrt(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def square(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def squeeze(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def stack(
    *data: NDArray,
    axis: builtins.int = 0,
    num_args: builtins.int | None = None,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def stop_gradient(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def subtract(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sum(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def sum_axis(
    data: NDArray,
    axis: builtins.int | Sequence[builtins.int] | None = None,
    keepdims: builtins.bool = False,
    exclude: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SVMOutput(
    data: NDArray,
    label: NDArray,
    margin: builtins.float = 1.0,
    regularization_coefficient: builtins.float = 1.0,
    use_linear: builtins.bool = False,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def swapaxes(
    data: NDArray,
    dim1: builtins.int = 0,
    dim2: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def SwapAxis(
    data: NDArray,
    dim1: builtins.int = 0,
    dim2: builtins.int = 0,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def take(
    a: NDArray,
    indices: NDArray,
    axis: builtins.int = 0,
    mode: builtins.str = "clip",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def tan(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def tanh(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def tile(
    data: NDArray,
    reps: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def topk(
    data: NDArray,
    axis: builtins.int | None = -1,
    k: builtins.int = 1,
    ret_typ: builtins.str = "indices",
    is_ascend: builtins.bool = False,
    dtype: DTypeLike | None = "float32",
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray | builtins.list[NDArray]: ...
def transpose(
    data: NDArray,
    axes: Sequence[builtins.int] = (),
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def true_divide(
    lhs: NDArray | builtins.float,
    rhs: NDArray | builtins.float,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def trunc(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
def uniform(
    low: builtins.float = 0.0,
    high: builtins.float = 1.0,
    shape: builtins.int | Sequence[builtins.int] | None = None,
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def unravel_index(
    data: NDArray,
    shape: builtins.int | Sequence[builtins.int],
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def UpSampling(
    *data: NDArray,
    scale: builtins.int = 1,
    num_filter: builtins.int = 0,
    sample_type: builtins.str = "",
    multi_input_mode: builtins.str = "concat",
    num_args: builtins.int | None = None,
    workspace: builtins.int = 512,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def where(
    condition: NDArray, x: NDArray, y: NDArray, *, out: NDArray | Sequence[NDArray] | None = None
) -> NDArray: ...
def zeros(
    shape: builtins.int | Sequence[builtins.int],
    ctx: Context | str | None = None,
    dtype: DTypeLike | None = None,
    stype: builtins.str | None = None,
    *,
    out: NDArray | Sequence[NDArray] | None = None,
) -> NDArray: ...
def zeros_like(data: NDArray, *, out: NDArray | Sequence[NDArray] | None = None) -> NDArray: ...
