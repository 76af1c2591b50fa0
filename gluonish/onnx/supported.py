"""Which of MXNet's operators become ONNX."""

from __future__ import annotations

__all__ = ["get_operator_support"]

_OLDEST = 12  # the first opset that MXNet's exporter knows

# Those that MXNet's own exporter has; `null` is a variable.
_NAMES = """
Activation BatchNorm BlockGrad Cast Concat Convolution Crop Deconvolution Dropout Embedding Flatten
FullyConnected InstanceNorm L2Normalization LRN LayerNorm LeakyReLU LogisticRegressionOutput
MakeLoss Pad Pooling RNN ROIPooling Reshape SequenceMask SequenceReverse SliceChannel SoftmaxOutput
SwapAxis UpSampling _arange _contrib_AdaptiveAvgPooling2D _contrib_BilinearResize2D
_contrib_ROIAlign _contrib_arange_like _contrib_box_decode _contrib_box_nms _contrib_div_sqrt_dim
_contrib_interleaved_matmul_selfatt_qk _contrib_interleaved_matmul_selfatt_valatt _copy _div_scalar
_equal_scalar _greater_scalar _lesser_scalar _linalg_gemm2 _maximum _maximum_scalar _minimum
_minimum_scalar _minus_scalar _mul_scalar _ones _plus_scalar _power _power_scalar _random_normal
_random_uniform _random_uniform_like _rdiv_scalar _rminus_scalar _rnn_param_concat
_sample_multinomial _split_v2 _zeros abs add_n arccos arcsin arctan argmax argmin argsort batch_dot
broadcast_add broadcast_axis broadcast_div broadcast_equal broadcast_greater
broadcast_greater_equal broadcast_lesser broadcast_lesser_equal broadcast_like
broadcast_logical_and broadcast_logical_or broadcast_logical_xor broadcast_maximum
broadcast_minimum broadcast_mod broadcast_mul broadcast_not_equal broadcast_power broadcast_sub
broadcast_to ceil clip cos depth_to_space dot elemwise_add elemwise_div elemwise_mul elemwise_sub
exp expand_dims floor gather_nd hard_sigmoid identity log log2 log_softmax logical_not max mean min
negative norm null one_hot ones_like prod reciprocal relu repeat reshape_like reverse shape_array
sigmoid sin size_array slice slice_axis slice_like softmax space_to_depth sqrt square squeeze stack
sum sum_axis take tan tanh tile topk transpose where zeros_like
"""


def get_operator_support(opset_version: int | None = None) -> list[str]:
    """Return the operators of graphs that `export_model` writes, by their names in files.

    Parameters
    ----------
    opset_version : int, optional
        A version of ONNX's operators. There are none before 12, as in MXNet; models are written
        in the version that torch's exporter chooses, and later ones have all that earlier ones had.

    Returns
    -------
    list of str
        All operators that MXNet's exporter knows, in order. Others are written where torch's
        exporter can: `export_model` names those that it can't write.

    Examples
    --------
    >>> import gluonish as mx
    >>> "Convolution" in mx.onnx.get_operator_support(), mx.onnx.get_operator_support(11)
    (True, [])
    """
    if opset_version is not None and opset_version < _OLDEST:
        return []
    return sorted(_NAMES.split())
