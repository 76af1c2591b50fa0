"""Graphs for each operator that MXNet's exporter writes: (operator, expression, its variables).

In expressions, `S`, `C` and `I` are `mx.sym`, its `contrib` and its `_internal`. A tuple is an
input's shape; a list is what a parameter holds, and `P(2, 3)` a parameter of random numbers.
"""

from __future__ import annotations

import numpy as onp

XY = {"x": (2, 3), "y": (2, 3)}
X = {"x": (2, 3)}
ROIS = [[0, 0, 0, 8, 8], [1, 2, 3, 9, 12]]


def P(*shape):  # noqa: N802 - as short as can be
    return onp.random.RandomState(len(shape)).rand(*shape).tolist()


def _plain():
    for name in [
        "BlockGrad",
        "MakeLoss",
        "L2Normalization",
        "abs",
        "arccos",
        "arcsin",
        "arctan",
        "argsort",
        "ceil",
        "cos",
        "exp",
        "floor",
        "hard_sigmoid",
        "identity",
        "log_softmax",
        "logical_not",
        "negative",
        "ones_like",
        "relu",
        "shape_array",
        "sigmoid",
        "sin",
        "size_array",
        "softmax",
        "square",
        "tan",
        "tanh",
        "zeros_like",
        "SoftmaxOutput",
        "Flatten",
        "LogisticRegressionOutput",
        "Dropout",
    ]:
        yield name, f"S.{name}(x)", X
    for name in ("log", "log2", "reciprocal", "sqrt"):
        yield name, f"S.{name}(S.abs(x) + 0.1)", X
    for name in [
        "div",
        "equal",
        "greater",
        "lesser",
        "maximum",
        "minimum",
        "minus",
        "mul",
        "plus",
        "power",
        "rdiv",
        "rminus",
    ]:
        yield f"_{name}_scalar", f"I._{name}_scalar(S.abs(x) + 0.1, scalar=0.5)", X
    for name in [
        "add",
        "div",
        "equal",
        "greater",
        "greater_equal",
        "lesser",
        "lesser_equal",
        "logical_and",
        "logical_or",
        "logical_xor",
        "minimum",
        "mod",
        "mul",
        "not_equal",
        "power",
        "sub",
    ]:
        call = f"S.broadcast_{name}(S.abs(x) + 0.1, S.abs(y) + 0.1)"
        yield f"broadcast_{name}", call, {"x": (2, 3), "y": (1, 3)}
    for name in ("add", "sub", "mul", "div"):
        yield f"elemwise_{name}", f"S.elemwise_{name}(x, S.abs(y) + 0.1)", XY
    for name in ("maximum", "minimum", "power"):
        yield f"_{name}", f"I._{name}(S.abs(x) + 0.1, y)", XY


def _reductions():
    for name in ("max", "mean", "min", "norm", "prod", "sum"):
        for options in ("", ", axis=1, keepdims=True", ", axis=(0, 2)"):
            yield name, f"S.{name}(x{options})", {"x": (2, 3, 4)}
    yield "norm", "S.norm(x, ord=1, axis=1)", {"x": (2, 3, 4)}
    yield "sum_axis", "S.sum_axis(x, axis=1)", {"x": (2, 3, 4)}
    for name in ("argmax", "argmin"):
        yield name, f"S.{name}(x, axis=1)", X
        yield name, f"S.{name}(x, axis=0, keepdims=True)", X
    for kind in ("indices", "value", "both", "mask"):
        yield "topk", f"S.topk(x, k=2, ret_typ='{kind}')", {"x": (2, 5)}
    yield "topk", "S.topk(x, k=2, is_ascend=True, axis=0, dtype='int32')", {"x": (4, 5)}


def _layers():
    image = {"x": (2, 3, 6, 6)}
    norm = {"g": P(3), "b": P(3)}
    for kind in ("relu", "sigmoid", "tanh", "softrelu", "softsign"):
        yield "Activation", f"S.Activation(x, act_type='{kind}')", X
    for kind in ("leaky", "elu", "selu", "gelu"):
        yield "LeakyReLU", f"S.LeakyReLU(x, act_type='{kind}')", X
    yield "LeakyReLU", "S.LeakyReLU(x, g, act_type='prelu')", {**X, "g": P(3)}
    yield "BatchNorm", "S.BatchNorm(x, g, b, m, s)", {**image, **norm, "m": P(3), "s": P(3)}
    yield "InstanceNorm", "S.InstanceNorm(x, g, b)", {**image, **norm}
    yield "LayerNorm", "S.LayerNorm(x, g, b)", {**X, **norm}
    yield "LayerNorm", "S.LayerNorm(x, g, b, axis=1)", {"x": (2, 3, 4), **norm}
    yield "LRN", "S.LRN(x, nsize=3)", {"x": (2, 5, 4, 4)}
    convolution = "x, w, b, kernel=(3, 3), num_filter=4, pad=(1, 1), stride=(2, 2), num_group=2"
    weights = {"x": (2, 4, 6, 6), "w": P(4, 2, 3, 3), "b": P(4)}
    yield "Convolution", f"S.Convolution({convolution})", weights
    dilated = "S.Convolution(x, w, kernel=(3,), num_filter=4, dilate=(2,), no_bias=True)"
    yield "Convolution", dilated, {"x": (2, 4, 9), "w": P(4, 4, 3)}
    yield "Deconvolution", f"S.Deconvolution({convolution}, adj=(1, 1), no_bias=False)", weights
    for kind in ("max", "avg", "sum", "lp"):
        options = f"pool_type='{kind}', p_value=2"
        yield "Pooling", f"S.Pooling(x, kernel=(2, 3), stride=(2, 2), pad=(1, 1), {options})", image
        yield "Pooling", f"S.Pooling(x, kernel=(1, 1), global_pool=True, {options})", image
    full = "pooling_convention='full', count_include_pad=False"
    options = f"kernel=(3, 3), stride=(2, 2), pad=(1, 1), pool_type='avg', {full}"
    yield "Pooling", f"S.Pooling(x, {options})", image
    for size in (2, 4):
        call = f"C.AdaptiveAvgPooling2D(x, output_size={size})"
        yield "_contrib_AdaptiveAvgPooling2D", call, image
    yield "Embedding", "S.Embedding(i, w, input_dim=5, output_dim=3)", {"i": [1, 4], "w": P(5, 3)}
    dense = "S.FullyConnected(x, w, b, num_hidden=4"
    yield "FullyConnected", dense + ")", {"x": (2, 3, 2), "w": P(4, 6), "b": P(4)}
    flat = "S.FullyConnected(x, w, num_hidden=4, flatten=False, no_bias=True)"
    yield "FullyConnected", flat, {"x": (2, 3, 2), "w": P(4, 2)}
    for mode, gates in (("lstm", 4), ("gru", 3), ("rnn_tanh", 1), ("rnn_relu", 1)):
        cell = ", c" if mode == "lstm" else ""
        options = f"state_size=4, num_layers=2, mode='{mode}', state_outputs=True"
        given = {"x": (5, 2, 3), "p": P(gates * 4 * (9 + 10)), "h": (2, 2, 4)}
        if cell:
            given["c"] = (2, 2, 4)
        yield "RNN", f"S.RNN(x, p, h{cell}, {options})", given
    yield "_rnn_param_concat", "I._rnn_param_concat(x, y, dim=0)", {"x": (6,), "y": (4,)}


def _images():
    image, small = {"x": (2, 4, 6, 6)}, {"x": (2, 4, 3, 3)}
    yield "Crop", "S.Crop(x, h_w=(3, 3), offset=(1, 1), num_args=1)", image
    yield "Crop", "S.Crop(x, y, num_args=2, center_crop=True)", {**image, "y": (2, 4, 3, 4)}
    for mode in ("constant", "edge", "reflect"):
        call = f"S.Pad(x, mode='{mode}', pad_width=(0, 0, 0, 0, 1, 2, 2, 1), constant_value=2)"
        yield "Pad", call, image
    yield "UpSampling", "S.UpSampling(x, scale=2, sample_type='nearest', num_args=1)", small
    name = "_contrib_BilinearResize2D"
    yield name, "C.BilinearResize2D(x, height=5, width=7)", small
    yield name, "C.BilinearResize2D(x, scale_height=2, scale_width=2)", small
    yield name, "C.BilinearResize2D(x, y, mode='like')", {**small, "y": (2, 4, 5, 6)}
    yield "depth_to_space", "S.depth_to_space(x, 2)", {"x": (2, 8, 3, 3)}
    yield "space_to_depth", "S.space_to_depth(x, 2)", {"x": (2, 2, 4, 4)}
    regions = {"x": (2, 3, 8, 8), "r": ROIS}
    yield "ROIPooling", "S.ROIPooling(x, r, pooled_size=(2, 2), spatial_scale=0.5)", regions
    for options in ("sample_ratio=2", "sample_ratio=-1", "sample_ratio=2, aligned=True"):
        call = f"C.ROIAlign(x, r, pooled_size=(2, 2), spatial_scale=0.5, {options})"
        yield "_contrib_ROIAlign", call, regions


def _boxes():
    decode = {"x": (2, 5, 4), "y": (1, 5, 4)}
    yield "_contrib_box_decode", "C.box_decode(x, y, format='corner', clip=2)", decode
    for options in (
        "topk=3",
        "id_index=0, force_suppress=True",
        "id_index=0, background_id=0, in_format='center', valid_thresh=0.1",
    ):
        yield "_contrib_box_nms", f"C.box_nms(x, {options})", {"x": (2, 6, 6)}


def _products():
    yield "_contrib_div_sqrt_dim", "C.div_sqrt_dim(x)", {"x": (2, 4)}
    name = "interleaved_matmul_selfatt_qk"
    yield f"_contrib_{name}", f"C.{name}(x, heads=2)", {"x": (3, 2, 12)}
    name, given = "interleaved_matmul_selfatt_valatt", {"x": (3, 2, 12), "y": (4, 3, 3)}
    yield f"_contrib_{name}", f"C.{name}(x, y, heads=2)", given
    given = {"x": (2, 3, 4), "y": (2, 5, 4)}
    yield "_linalg_gemm2", "S.linalg.gemm2(x, y, alpha=2, transpose_b=True)", given
    given = {"x": (2, 3, 4), "y": (2, 3, 5)}
    yield "batch_dot", "S.batch_dot(x, y, transpose_a=True)", given
    yield "dot", "S.dot(x, y, transpose_b=True)", {"x": (2, 3), "y": (4, 3)}
    yield "add_n", "S.add_n(x, y, z)", {**XY, "z": (2, 3)}


def _shapes():
    cube = {"x": (2, 4, 3)}
    for name in ("_zeros", "_ones"):
        yield name, f"I.{name}(shape=(2, 3)) + x", X
    yield "_arange", "I._arange(start=0, stop=6, step=2) + x", {"x": (3,)}
    yield "_contrib_arange_like", "C.arange_like(x, axis=1)", X
    yield "_contrib_arange_like", "C.arange_like(x, start=2, step=0.5)", X
    yield "_copy", "I._copy(x)", X
    for kind in ("int32", "float16", "float64", "int64", "uint8", "bool"):
        yield "Cast", f"S.Cast(S.abs(x), dtype='{kind}')", X
    yield "Concat", "S.Concat(x, y, dim=1)", {"x": (2, 3), "y": (2, 4)}
    yield "stack", "S.stack(x, y, axis=1)", XY
    yield "Reshape", "S.Reshape(x, shape=(-3, -4, 1, -1))", cube
    yield "reshape_like", "S.reshape_like(x, y)", {"x": (2, 6), "y": (3, 4)}
    masked = {"x": (4, 2, 3), "n": [1, 3]}
    call = "S.SequenceMask(x, n, use_sequence_length=True, value=-1)"
    yield "SequenceMask", call, masked
    yield "SequenceReverse", "S.SequenceReverse(x, n, use_sequence_length=True)", masked
    yield "SequenceReverse", "S.SequenceReverse(x)", cube
    yield "SliceChannel", "S.SliceChannel(x, num_outputs=2, axis=1)", cube
    yield "SliceChannel", "S.SliceChannel(x, num_outputs=4, axis=1, squeeze_axis=True)", cube
    yield "_split_v2", "I._split_v2(x, indices=(0, 1), axis=1)", cube
    yield "_split_v2", "I._split_v2(x, sections=2, axis=1)", cube
    yield "SwapAxis", "S.SwapAxis(x, dim1=0, dim2=2)", cube
    thin = {"x": (2, 1, 3)}
    yield "broadcast_axis", "S.broadcast_axis(x, axis=(1,), size=(4,))", thin
    yield "broadcast_like", "S.broadcast_like(x, y)", {**thin, "y": (2, 4, 3)}
    yield "broadcast_to", "S.broadcast_to(x, shape=(0, 4, 3))", thin
    yield "squeeze", "S.squeeze(x, axis=1)", thin
    yield "expand_dims", "S.expand_dims(x, axis=1)", X
    yield "clip", "S.clip(S.floor(x), 0, 1) + S.clip(S.floor(x), -1, 3)", X
    yield "gather_nd", "S.gather_nd(x, i)", {"x": (3, 4), "i": [[0, 1], [2, 3]]}
    yield "null", "x + 0", X
    yield (
        "one_hot",
        "S.one_hot(i, depth=4, on_value=2, off_value=-1) + x",
        {"x": (2, 4), "i": [0, 3]},
    )
    yield "repeat", "S.repeat(x, repeats=2, axis=1)", X
    yield "repeat", "S.repeat(x, repeats=2)", X
    yield "reverse", "S.reverse(x, axis=1)", X
    yield "slice", "S.slice(x, begin=(0, None), end=(1, None), step=(1, -1))", X
    yield "slice_axis", "S.slice_axis(x, axis=1, begin=1, end=None)", X
    yield "slice_like", "S.slice_like(x, y, axes=(1,))", {"x": (2, 4), "y": (1, 2)}
    for mode in ("clip", "wrap"):
        given = {"x": (3, 4), "i": [[0, 5], [-1, 3]]}
        yield "take", f"S.take(x, i, axis=1, mode='{mode}')", given
    yield "tile", "S.tile(x, reps=(2, 1, 3))", X
    yield "transpose", "S.transpose(x, axes=(2, 0, 1))", cube
    yield "where", "S.where(x, y, z)", {**XY, "z": (2, 3)}


def _draws():
    yield "_random_normal", "I._random_normal(loc=3, shape=(2, 3)) + x", X
    yield "_random_uniform", "I._random_uniform(low=-1, high=2, shape=(2, 3)) + x", X
    yield "_random_uniform_like", "I._random_uniform_like(x, high=4)", X
    yield "_sample_multinomial", "I._sample_multinomial(S.softmax(x), shape=(4,))", X


ROWS = [
    *_plain(), *_reductions(), *_layers(), *_images(), *_boxes(), *_products(), *_shapes(),
    *_draws(),
]  # fmt: skip
