"""Arguments that belong together, of operators whose signatures do not say how."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

from fuzz.differential.chance import FLOATS, Chance, Shape, Value, tuple_of

if TYPE_CHECKING:
    from collections.abc import Callable

Call: TypeAlias = "tuple[list[Value], dict[str, Value]]"
TEMPLATES: dict[str, Callable[[Chance], Call]] = {}


def template(*names: str) -> Callable[[Callable[[Chance], Call]], Callable[[Chance], Call]]:
    """Return a decorator for what draws the arguments of some operators."""

    def register(function: Callable[[Chance], Call]) -> Callable[[Chance], Call]:
        TEMPLATES.update(dict.fromkeys(names, function))
        return function

    return register


def given(draw: Chance, probability: float = 0.4, **several: Value) -> dict[str, Value]:
    """Return some of several arguments."""
    return {name: value for name, value in several.items() if draw.happens(probability)}


def indices(draw: Chance, shape: Shape, high: int, dtype: str = "") -> Value:
    """Return an array of positions, some of them rarely outside."""
    low = draw.one(0, 0, 0, -high)
    return draw.array(
        shape,
        dtype or draw.one("float32", "int32", "int64"),
        ("ints", low, high - 1 + draw.happens(0.1)),
    )


@template("FullyConnected")
def _dense(draw: Chance) -> Call:
    dtype, data, hidden = draw.choice(FLOATS), draw.shape(1, 4), draw.one(1, 2, 4)
    flatten = draw.happens(0.6)
    features = 1
    for size in data[1:] if flatten else data[-1:]:
        features *= size
    weight = (hidden, features)
    options = {"num_hidden": hidden, "flatten": flatten}
    arrays = [draw.array(data, dtype), draw.array(weight, dtype), draw.array((hidden,), dtype)]
    if draw.happens(0.3):
        return arrays[:2], options | {"no_bias": True}
    return arrays, options


def _windows(draw: Chance, rank: int) -> dict[str, Value]:
    return given(
        draw,
        stride=tuple_of([draw.one(1, 2, 3) for _ in range(rank)]),
        pad=tuple_of([draw.one(0, 1, 2) for _ in range(rank)]),
        dilate=tuple_of([draw.one(1, 2) for _ in range(rank)]),
    )


@template("Convolution")
def _convolution(draw: Chance) -> Call:
    rank, group, dtype = draw.one(1, 2, 2, 2, 3), draw.one(1, 1, 1, 2), draw.choice(FLOATS)
    channels, filters = group * draw.one(1, 2, 3), group * draw.one(1, 2)
    kernel = [draw.one(1, 2, 3) for _ in range(rank)]
    space = [draw.one(4, 5, 7) for _ in range(rank)]
    data = draw.array((draw.one(1, 2), channels, *space), dtype)
    weight = draw.array((filters, channels // group, *kernel), dtype)
    options = {"kernel": tuple_of(kernel), "num_filter": filters, **_windows(draw, rank)}
    if group > 1:
        options["num_group"] = group
    if draw.happens(0.4):
        return [data, weight], options | {"no_bias": True}
    return [data, weight, draw.array((filters,), dtype)], options


@template("Deconvolution")
def _deconvolution(draw: Chance) -> Call:
    rank, group, dtype = draw.one(1, 2, 2, 2, 3), draw.one(1, 1, 1, 2), draw.choice(FLOATS)
    channels, filters = group * draw.one(1, 2, 3), group * draw.one(1, 2)
    kernel = [draw.one(1, 2, 3) for _ in range(rank)]
    data = draw.array((draw.one(1, 2), channels, *[draw.one(3, 4, 5) for _ in kernel]), dtype)
    weight = draw.array((channels, filters // group, *kernel), dtype)
    options = {"kernel": tuple_of(kernel), "num_filter": filters, **_windows(draw, rank)}
    options |= given(draw, 0.15, adj=tuple_of([draw.one(0, 1) for _ in kernel]))
    options |= given(draw, 0.1, target_shape=tuple_of([draw.one(5, 6, 8) for _ in kernel]))
    if group > 1:
        options["num_group"] = group
    if draw.happens(0.5):
        return [data, weight], options
    return [data, weight, draw.array((filters,), dtype)], options | {"no_bias": False}


@template("Pooling")
def _pooling(draw: Chance) -> Call:
    rank, dtype = draw.one(1, 2, 2, 2, 3), draw.choice(FLOATS)
    data = draw.array(
        (draw.one(1, 2), draw.one(1, 2, 3), *[draw.one(3, 4, 5, 7) for _ in range(rank)]), dtype
    )
    kind = draw.one("max", "avg", "sum", "lp")
    options = {"kernel": tuple_of([draw.one(1, 2, 3) for _ in range(rank)]), "pool_type": kind}
    options |= given(
        draw,
        stride=tuple_of([draw.one(1, 2, 3) for _ in range(rank)]),
        pad=tuple_of([draw.one(0, 1) for _ in range(rank)]),
        pooling_convention=draw.one("valid", "full"),
        count_include_pad=draw.happens(0.5),
    )
    if kind == "lp":
        options["p_value"] = draw.one(1, 2, 3)
    return [data], options | given(draw, 0.15, global_pool=True)


@template("BatchNorm")
def _batch_norm(draw: Chance) -> Call:
    shape, dtype = draw.shape(2, 4), draw.choice(FLOATS)
    axis = draw.randrange(-len(shape), len(shape)) if draw.happens(0.3) else 1
    channels = (shape[axis],)
    arrays = [draw.array(shape, dtype)]
    arrays += [
        draw.array(channels, "float32" if dtype == "float16" else dtype, ("uniform", 0.5, 2.0))
        for _ in range(4)
    ]
    options = given(
        draw,
        fix_gamma=draw.happens(0.3),
        use_global_stats=draw.happens(0.3),
        output_mean_var=draw.happens(0.3),
        eps=draw.one(1e-3, 1e-5, 0.1),
        momentum=draw.one(0.9, 0.5, 0.0),
    )
    return arrays, options | ({"axis": axis} if axis != 1 else {})


@template("LayerNorm")
def _layer_norm(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 4), draw.choice(FLOATS)
    axis = draw.randrange(-len(shape), len(shape)) if draw.happens(0.5) else -1
    arrays = [draw.array(shape, dtype), *[draw.array((shape[axis],), dtype) for _ in range(2)]]
    options = given(draw, eps=draw.one(1e-5, 0.1), output_mean_var=draw.happens(0.5))
    return arrays, options | ({"axis": axis} if axis != -1 else {})


@template("GroupNorm")
def _group_norm(draw: Chance) -> Call:
    groups, dtype = draw.one(1, 2, 3), draw.choice(FLOATS)
    shape = (draw.one(1, 2), groups * draw.one(1, 2), *draw.shape(1, 2))
    arrays = [draw.array(shape, dtype), *[draw.array((groups,), dtype) for _ in range(2)]]
    return arrays, {"num_groups": groups} | given(draw, eps=0.1, output_mean_var=draw.happens(0.5))


@template("InstanceNorm")
def _instance_norm(draw: Chance) -> Call:
    shape, dtype = draw.shape(3, 4), draw.choice(FLOATS)
    arrays = [draw.array(shape, dtype), *[draw.array((shape[1],), dtype) for _ in range(2)]]
    return arrays, given(draw, eps=draw.one(1e-5, 0.1))


@template("Embedding")
def _embedding(draw: Chance) -> Call:
    rows, width, dtype = draw.one(1, 3, 5), draw.one(1, 2, 4), draw.choice(FLOATS)
    arrays = [indices(draw, draw.shape(1, 3), rows), draw.array((rows, width), dtype)]
    return arrays, {"input_dim": rows, "output_dim": width} | given(draw, 0.1, dtype=dtype)


@template("take")
def _take(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    options = given(draw, mode=draw.one("clip", "wrap", "raise"))
    axis = draw.randrange(-len(shape), len(shape)) if draw.happens(0.5) else 0
    return [draw.array(shape), indices(draw, draw.shape(1, 2), max(1, shape[axis]))], options | (
        {"axis": axis} if axis or draw.happens(0.2) else {}
    )


@template("batch_take", "choose_element_0index")
def _batch_take(draw: Chance) -> Call:
    shape = draw.shape(2, 2)
    return [draw.array(shape), indices(draw, shape[:1], max(1, shape[1]), "int32")], {}


@template("pick")
def _pick(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    axis = draw.randrange(len(shape))
    keepdims = draw.happens(0.4)
    where = tuple(1 if keepdims else size for a, size in enumerate(shape) if a != axis or keepdims)
    where = tuple(1 if a == axis else size for a, size in enumerate(shape)) if keepdims else where
    options = given(draw, mode=draw.one("clip", "wrap")) | {
        "axis": axis - len(shape) * draw.happens(0.3)
    }
    if not where and not draw.is_np:
        where = (1,)
    return [draw.array(shape), indices(draw, where, max(1, shape[axis]))], options | (
        {"keepdims": True} if keepdims else {}
    )


TEMPLATES["one_hot"] = lambda draw: (
    [indices(draw, draw.shape(1, 3), 4)],
    {"depth": draw.one(4, 5, 1)}
    | given(
        draw,
        on_value=draw.number(),
        off_value=draw.number(),
        dtype=draw.one("float32", "int32", "float64", "uint8"),
    ),
)


@template("gather_nd")
def _gather_nd(draw: Chance) -> Call:
    shape = draw.shape(1, 4)
    depth = draw.randint(1, len(shape))
    where = (depth, *draw.shape(1, 2))
    return [draw.array(shape), indices(draw, where, max(1, min(shape[:depth])))], {}


@template("scatter_nd")
def _scatter_nd(draw: Chance) -> Call:
    shape = tuple(draw.one(2, 3, 4) for _ in range(draw.randint(1, 3)))
    depth = draw.randint(1, len(shape))
    count = draw.size()
    data = draw.array((count, *shape[depth:]))
    places = draw.array((depth, count), draw.one("float32", "int32", "int64"), ("ints", 0, 1))
    return [data, places], {"shape": tuple_of(shape)}


@template("dot")
def _dot(draw: Chance) -> Call:
    dtype, inner = draw.any_dtype(), draw.size()
    first, second = draw.shape(1, 3)[1:], draw.shape(1, 3)[1:]
    ta, tb = (draw.happens(0.3), draw.happens(0.3)) if not draw.is_np else (False, False)
    lhs = (inner, *first) if ta else (*first, inner)
    if draw.is_np:
        rhs = (*second[:-1], inner, *second[-1:]) if second else (inner,)
    else:
        rhs = (*second, inner) if tb else (inner, *second)
    options = {"transpose_a": True} if ta else {}
    return [draw.array(lhs, dtype), draw.array(rhs, dtype)], options | (
        {"transpose_b": True} if tb else {}
    )


@template("batch_dot")
def _batch_dot(draw: Chance) -> Call:
    dtype, inner, batch = draw.choice(FLOATS), draw.size(), draw.size()
    ta, tb = draw.happens(0.3), draw.happens(0.3)
    n, m = draw.size(), draw.size()
    lhs = (batch, inner, n) if ta else (batch, n, inner)
    rhs = (batch, m, inner) if tb else (batch, inner, m)
    options = {"transpose_a": True} if ta else {}
    return [draw.array(lhs, dtype), draw.array(rhs, dtype)], options | (
        {"transpose_b": True} if tb else {}
    )


@template("matmul")
def _matmul(draw: Chance) -> Call:
    dtype, inner = draw.choice(FLOATS), draw.size()
    batch = draw.shape(0, 2)
    lhs = (*draw.alike(batch), draw.size(), inner) if draw.happens(0.8) else (inner,)
    rhs = (*draw.alike(batch), inner, draw.size()) if draw.happens(0.8) else (inner,)
    return [draw.array(lhs, dtype), draw.array(rhs, dtype)], {}


def _square(draw: Chance, values: tuple[Value, ...], dtype: str = "") -> tuple[Value, Shape, str]:
    dtype = dtype or draw.one("float32", "float32", "float64")
    batch = () if draw.happens(0.6) else draw.shape(1, 2)
    size = draw.one(1, 2, 3, 4)
    return draw.array((*batch, size, size), dtype, values), (*batch, size), dtype


@template(
    "linalg.potrf",
    "linalg.cholesky",
    "linalg.det",
    "linalg.slogdet",
    "linalg.inverse",
    "linalg.inv",
    "linalg.eigvalsh",
    "linalg.eigh",
    "linalg.syevd",
    "linalg.sumlogdiag",
)
def _definite(draw: Chance) -> Call:
    return [_square(draw, ("definite",))[0]], {}


@template("linalg.potri")
def _lower(draw: Chance) -> Call:
    return [_square(draw, ("lower",))[0]], {}


@template("linalg.trsm", "linalg.trmm")
def _triangular(draw: Chance) -> Call:
    first, shape, dtype = _square(draw, ("lower",))
    rightside, width = draw.happens(0.4), draw.one(1, 2, 3)
    other = (*shape[:-1], width, shape[-1]) if rightside else (*shape, width)
    options = {"rightside": True} if rightside else {}
    options |= given(
        draw, transpose=draw.happens(0.5), lower=draw.happens(0.5), alpha=draw.one(1.0, 2.5)
    )
    return [first, draw.array(other, dtype)], options


@template("linalg.gemm", "linalg.gemm2")
def _gemm(draw: Chance) -> Call:
    dtype, batch = draw.one("float32", "float64"), () if draw.happens(0.5) else draw.shape(1, 2)
    n, k, m = draw.size(), draw.size(), draw.size()
    ta, tb = draw.happens(0.3), draw.happens(0.3)
    arrays = [
        draw.array((*batch, *((k, n) if ta else (n, k))), dtype),
        draw.array((*batch, *((m, k) if tb else (k, m))), dtype),
    ]
    options = ({"transpose_a": True} if ta else {}) | ({"transpose_b": True} if tb else {})
    return arrays, options | given(draw, alpha=draw.one(1.0, -0.5))


def _gemm_three(draw: Chance) -> Call:
    arrays, options = _gemm(draw)
    a, b = (arrays[i]["array"]["shape"] for i in (0, 1))
    n = a[-1] if "transpose_a" in options else a[-2]
    m = b[-2] if "transpose_b" in options else b[-1]
    third = draw.array((*a[:-2], n, m), arrays[0]["array"]["dtype"])
    return [*arrays, third], options | given(draw, beta=draw.one(1.0, 0.5))


TEMPLATES["linalg.gemm"] = _gemm_three


@template("linalg.solve")
def _solve(draw: Chance) -> Call:
    first, shape, dtype = _square(draw, ("definite",))
    return [first, draw.array((*shape, draw.one(1, 2)) if draw.happens(0.6) else shape, dtype)], {}


@template("linalg.lstsq")
def _least(draw: Chance) -> Call:
    n, m, dtype = draw.one(2, 3, 5), draw.one(1, 2, 3), draw.one("float32", "float64")
    return [draw.array((n, m), dtype), draw.array((n,) if draw.happens(0.5) else (n, 2), dtype)], {
        "rcond": draw.one("warn", None, 1e-3)
    }


@template(
    "linalg.svd", "linalg.pinv", "linalg.gelqf", "linalg.syrk", "linalg.matrix_rank", "linalg.cond"
)
def _matrix(draw: Chance) -> Call:
    batch = () if draw.happens(0.6) else draw.shape(1, 1)
    n, m = draw.one(1, 2, 3), draw.one(1, 2, 3, 4)
    return [
        draw.array((*batch, min(n, m), max(n, m)), draw.one("float32", "float64"), ("normal",))
    ], {}


@template("linalg.norm")
def _norm(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    orders = [None, 1, 2, -1, -2, 0, 3, 0.5, "fro", "nuc", {"float": "inf"}, {"float": "-inf"}]
    axis = draw.one(
        None, draw.axis(len(shape)), tuple_of(draw.sample(range(len(shape)), min(2, len(shape))))
    )
    return [draw.array(shape, draw.choice(FLOATS))], {
        "ord": draw.choice(orders),
        "axis": axis,
        "keepdims": draw.happens(0.4),
    }


@template("RNN")
def _rnn(draw: Chance) -> Call:
    mode, layers, both = (
        draw.one("rnn_relu", "rnn_tanh", "lstm", "gru"),
        draw.one(1, 1, 2),
        draw.happens(0.4),
    )
    steps, batch, width, state = (
        draw.one(1, 3),
        draw.one(1, 2),
        draw.one(1, 2, 3),
        draw.one(1, 2, 3),
    )
    gates = {"lstm": 4, "gru": 3}.get(mode, 1)
    count, size, ways = 0, width, 1 + both
    for _ in range(layers):
        count += ways * gates * state * (size + state + 2)
        size = state * ways
    arrays = [
        draw.array((steps, batch, width), "float32", ("normal",)),
        draw.array((count,), "float32", ("normal", 0.5)),
    ]
    arrays += [
        draw.array((layers * ways, batch, state), "float32", ("normal",))
        for _ in range(1 + (mode == "lstm"))
    ]
    options = {"mode": mode, "state_size": state, "num_layers": layers, "bidirectional": both}
    return arrays, options | given(draw, state_outputs=True)


@template("SequenceMask", "SequenceLast", "SequenceReverse")
def _sequence(draw: Chance) -> Call:
    shape, axis = (
        (draw.one(1, 2, 3, 4), draw.one(1, 2, 3), *draw.shape(1, 2)[1:]),
        draw.one(0, 0, 1),
    )
    steps, batch = shape[axis], shape[1 - axis]
    arrays = [draw.array(shape)]
    options: dict[str, Value] = {"axis": axis} if axis else {}
    if draw.happens(0.7):
        arrays.append(draw.array((batch,), draw.one("float32", "int32"), ("ints", 1, steps)))
        options["use_sequence_length"] = True
    return arrays, options


@template("CTCLoss")
def _ctc(draw: Chance) -> Call:
    steps, batch, classes, length = (
        draw.one(3, 5),
        draw.one(1, 2),
        draw.one(3, 5),
        draw.one(1, 2, 3),
    )
    blank = draw.one("first", "last")
    arrays = [draw.array((steps, batch, classes), "float32", ("normal",))]
    arrays += [
        draw.array((batch, length), "float32", ("ints", 1, classes - 2 + (blank == "first")))
    ]
    return arrays, given(draw, blank_label=blank) if blank == "first" else {"blank_label": blank}


@template("ROIPooling", "ROIAlign")
def _rois(draw: Chance) -> Call:
    batch, size = draw.one(1, 2), draw.one(5, 8)
    arrays = [draw.array((batch, draw.one(1, 2), size, size), "float32")]
    arrays += [draw.array((draw.one(1, 2, 3), 5), "float32", ("regions", batch, size * 1.5))]
    options = {
        "pooled_size": tuple_of([draw.one(1, 2, 3), draw.one(1, 2, 3)]),
        "spatial_scale": draw.one(1.0, 0.5, 0.7),
    }
    return arrays, options


def _roi_align(draw: Chance) -> Call:
    arrays, options = _rois(draw)
    return arrays, options | given(draw, sample_ratio=draw.one(1, 2, -1), aligned=draw.happens(0.5))


TEMPLATES["contrib.ROIAlign"] = _roi_align


@template("contrib.PSROIPooling")
def _psroi(draw: Chance) -> Call:
    dim, pooled = draw.one(1, 2), draw.one(1, 2, 3)
    arrays = [
        draw.array((2, dim * pooled * pooled, 6, 6), "float32"),
        draw.array((2, 5), "float32", ("regions", 2, 6.0)),
    ]
    return arrays, {
        "spatial_scale": draw.one(1.0, 0.5),
        "output_dim": dim,
        "pooled_size": pooled,
    } | given(draw, group_size=pooled)


@template("contrib.Proposal")
def _proposal(draw: Chance) -> Call:
    h, w = draw.one(2, 3), draw.one(2, 3)
    anchors = 4
    arrays = [
        draw.array((1, 2 * anchors, h, w), "float32", ("uniform", 0.0, 1.0)),
        draw.array((1, 4 * anchors, h, w), "float32", ("normal", 0.3)),
        draw.array((1, 3), "float32", ("literal", [48.0, 48.0, 1.0])),
    ]
    options = {
        "scales": tuple_of([1, 2]),
        "ratios": tuple_of([0.5, 1]),
        "rpn_min_size": draw.one(1, 4),
        "rpn_post_nms_top_n": draw.one(3, 6),
        "rpn_pre_nms_top_n": 12,
    }
    return arrays, options | given(
        draw, threshold=draw.one(0.5, 0.7), output_score=True, feature_stride=16
    )


@template("contrib.box_iou")
def _iou(draw: Chance) -> Call:
    arrays = [draw.array((*draw.shape(1, 2), 4), "float32", ("boxes", 3.0)) for _ in range(2)]
    return arrays, given(draw, format=draw.one("corner", "center"))


@template("contrib.box_nms")
def _nms(draw: Chance) -> Call:
    shape = (*((draw.one(1, 2),) if draw.happens(0.5) else ()), draw.one(1, 3, 5), 6)
    options = given(
        draw,
        overlap_thresh=draw.one(0.3, 0.5, 0.7),
        valid_thresh=draw.one(0.0, 0.3),
        topk=draw.one(-1, 2),
        force_suppress=draw.happens(0.5),
        in_format=draw.one("corner", "center"),
        out_format=draw.one("corner", "center"),
        id_index=0,
        background_id=draw.one(-1, 0),
    )
    return [draw.array(shape, draw.one("float32", "float64"), ("uniform", 0.0, 2.0))], options


@template("contrib.MultiBoxPrior")
def _priors(draw: Chance) -> Call:
    options = given(
        draw,
        sizes=tuple_of([0.5, 0.3][: draw.one(1, 2)]),
        ratios=tuple_of([1.0, 2.0, 0.5][: draw.one(1, 2, 3)]),
        clip=draw.happens(0.5),
        steps=tuple_of([0.3, 0.2]),
        offsets=tuple_of([0.5, 0.3]),
    )
    return [draw.array((1, 2, draw.one(1, 2, 3), draw.one(1, 2, 3)), "float32")], options


@template("contrib.MultiBoxTarget")
def _box_target(draw: Chance) -> Call:
    anchors, labels, classes = draw.one(2, 4), draw.one(1, 2), draw.one(2, 3)
    label = draw.array((1, labels, 5), "float32", ("uniform", 0.0, 1.0))
    arrays = [
        draw.array((1, anchors, 4), "float32", ("boxes", 1.0)),
        label,
        draw.array((1, classes, anchors), "float32"),
    ]
    return arrays, given(
        draw,
        overlap_threshold=draw.one(0.3, 0.5),
        negative_mining_ratio=draw.one(-1.0, 3.0),
        negative_mining_thresh=0.5,
    )


@template("contrib.MultiBoxDetection")
def _box_detection(draw: Chance) -> Call:
    anchors, classes = draw.one(2, 4), draw.one(2, 3)
    arrays = [
        draw.array((1, classes, anchors), "float32", ("uniform", 0.0, 1.0)),
        draw.array((1, anchors * 4), "float32", ("normal", 0.3)),
        draw.array((1, anchors, 4), "float32", ("boxes", 1.0)),
    ]
    return arrays, given(
        draw,
        clip=draw.happens(0.5),
        threshold=draw.one(0.01, 0.4),
        nms_threshold=draw.one(0.3, 0.5),
        force_suppress=draw.happens(0.5),
        nms_topk=draw.one(-1, 2),
    )


@template("contrib.box_decode")
def _decode(draw: Chance) -> Call:
    arrays = [
        draw.array((draw.one(1, 2), 3, 4), "float32"),
        draw.array((1, 3, 4), "float32", ("boxes", 3.0)),
    ]
    return arrays, given(
        draw, std0=0.1, std1=0.2, clip=draw.one(-1.0, 2.0), format=draw.one("center", "corner")
    )


@template("Correlation")
def _correlation(draw: Chance) -> Call:
    shape = (draw.one(1, 2), draw.one(1, 2), 6, 6)
    options = given(
        draw,
        kernel_size=draw.one(1, 3),
        max_displacement=draw.one(1, 2),
        stride1=draw.one(1, 2),
        stride2=draw.one(1, 2),
        pad_size=draw.one(0, 1, 2),
        is_multiply=draw.happens(0.5),
    )
    return [draw.array(shape, "float32"), draw.array(shape, "float32")], options


@template("SpatialTransformer")
def _transformer(draw: Chance) -> Call:
    batch = draw.one(1, 2)
    arrays = [
        draw.array((batch, 2, 5, 4), "float32", ("normal",)),
        draw.array((batch, 6), "float32", ("uniform", -1.0, 1.0)),
    ]
    return arrays, {
        "target_shape": tuple_of([draw.one(2, 3, 5), draw.one(2, 4)]),
        "transform_type": "affine",
        "sampler_type": "bilinear",
    }


@template("GridGenerator")
def _grid(draw: Chance) -> Call:
    if draw.happens(0.5):
        return [draw.array((2, 6), "float32")], {
            "transform_type": "affine",
            "target_shape": tuple_of([draw.one(2, 3), draw.one(2, 4)]),
        }
    return [draw.array((2, 2, 3, 4), "float32")], {"transform_type": "warp"}


@template("BilinearSampler")
def _sampler(draw: Chance) -> Call:
    return [
        draw.array((2, 2, 4, 5), "float32", ("normal",)),
        draw.array((2, 2, 3, 2), "float32", ("uniform", -1.3, 1.3)),
    ], {}


@template("UpSampling")
def _upsampling(draw: Chance) -> Call:
    return [draw.array((1, 2, 2, 3), "float32")], {
        "scale": draw.one(1, 2, 3),
        "sample_type": "nearest",
    }


@template("Pad")
def _pad(draw: Chance) -> Call:
    rank = draw.one(4, 5)
    widths = [0, 0, 0, 0] + [draw.one(0, 1, 2) for _ in range(2 * (rank - 2))]
    mode = draw.one("constant", "edge", "reflect")
    options = {"mode": mode, "pad_width": tuple_of(widths)}
    return [
        draw.array((1, 2, *[draw.one(3, 4) for _ in range(rank - 2)]), draw.choice(FLOATS))
    ], options | given(draw, constant_value=1.5)


@template("pad")
def _np_pad(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    widths = tuple_of([tuple_of([draw.one(0, 1, 2), draw.one(0, 1, 2)]) for _ in shape])
    return [draw.array(shape), draw.one(widths, 1)], given(
        draw, mode=draw.one("constant", "edge", "reflect", "symmetric", "minimum", "maximum")
    )


@template("im2col")
def _im2col(draw: Chance) -> Call:
    return [draw.array((2, 2, 5, 4), "float32")], {
        "kernel": tuple_of([draw.one(1, 2, 3), draw.one(1, 2)])
    } | _windows(draw, 2)


@template("SoftmaxOutput", "SVMOutput")
def _softmax_output(draw: Chance) -> Call:
    batch, classes, dtype = draw.one(1, 2, 3), draw.one(2, 3, 4), draw.choice(FLOATS)
    options = given(
        draw,
        0.3,
        grad_scale=draw.one(1.0, 0.5),
        normalization=draw.one("null", "batch", "valid"),
        use_ignore=True,
        ignore_label=draw.one(0, 1),
        smooth_alpha=0.1,
    )
    return [
        draw.array((batch, classes), dtype),
        draw.array((batch,), dtype, ("ints", 0, classes - 1)),
    ], options


TEMPLATES["SVMOutput"] = lambda draw: (
    _softmax_output(draw)[0],
    given(
        draw,
        margin=draw.one(0.5, 1.0),
        regularization_coefficient=draw.one(0.5, 1.0),
        use_linear=draw.happens(0.5),
    ),
)


@template("LinearRegressionOutput", "MAERegressionOutput", "LogisticRegressionOutput")
def _regression(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 3), draw.choice(FLOATS)
    return [draw.array(shape, dtype), draw.array(shape, dtype)], given(
        draw, grad_scale=draw.one(0.5, 2.0)
    )


@template("where")
def _where(draw: Chance) -> Call:
    shape, dtype = draw.shape(), draw.any_dtype()
    condition = draw.array(
        shape, draw.one("float32", "int32", "bool" if draw.is_np else "uint8"), ("ints", 0, 1)
    )
    if draw.is_np:
        return [condition, *[draw.array(draw.alike(shape), dtype) for _ in range(2)]], {}
    return [
        condition if draw.happens(0.7) else draw.array(shape[:1], "float32", ("ints", 0, 1)),
        draw.array(shape, dtype),
        draw.array(shape, dtype),
    ], {}


@template("Concat", "concatenate", "concat")
def _concat(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 3), draw.any_dtype()
    axis = draw.randrange(len(shape))
    arrays = [
        draw.array(tuple(draw.size() if a == axis else s for a, s in enumerate(shape)), dtype)
        for _ in range(draw.randint(1, 3))
    ]
    return arrays, {"dim": axis - len(shape) * draw.happens(0.3)}


@template("concatenate")
def _concatenate(draw: Chance) -> Call:
    arrays, options = _concat(draw)
    return [arrays], {"axis": options["dim"]}


@template("ravel_multi_index")
def _ravel(draw: Chance) -> Call:
    return [draw.array((2, draw.size()), draw.one("float32", "int32", "int64"), ("ints", 0, 2))], {
        "shape": tuple_of([3, 4])
    }


@template("unravel_index")
def _unravel(draw: Chance) -> Call:
    return [draw.array((draw.size(),), draw.one("float32", "int32", "int64"), ("ints", 0, 11))], {
        "shape": tuple_of([3, 4])
    }


@template("depth_to_space", "space_to_depth")
def _space(draw: Chance) -> Call:
    block = draw.one(1, 2)
    return [
        draw.array(
            (
                draw.one(1, 2),
                block * block * draw.one(1, 2),
                block * draw.one(1, 2),
                block * draw.one(1, 3),
            )
        )
    ], {"block_size": block}


@template("einsum")
def _einsum(draw: Chance) -> Call:
    text, *shapes = draw.one(
        ("ij,jk->ik", (2, 3), (3, 4)),
        ("ij,ij->", (2, 3), (2, 3)),
        ("ii->i", (3, 3)),
        ("ii", (3, 3)),
        ("ij->ji", (2, 3)),
        ("...j,j->...", (2, 2, 3), (3,)),
        ("i,j->ij", (2,), (3,)),
        ("ij,jk,kl->il", (2, 3), (3, 2), (2, 2)),
        ("ij->", (2, 3)),
        ("ijk->ik", (2, 3, 2)),
    )
    dtype = draw.any_dtype()
    return [text, *[draw.array(shape, dtype) for shape in shapes]], given(
        draw, 0.2, optimize=draw.one(True, False)
    )


@template("tensordot")
def _tensordot(draw: Chance) -> Call:
    dtype = draw.choice(FLOATS)
    a, b = draw.size(), draw.size()
    lhs, rhs, axes = draw.one(
        ((2, a, b), (a, b, 3), 2),
        ((2, a), (a, 3), 1),
        ((a, 2), (3, a), tuple_of([0, 1])),
        ((2, 2), (3,), 0),
        ((a, b, 2), (b, a), tuple_of([tuple_of([0, 1]), tuple_of([1, 0])])),
    )
    return [draw.array(lhs, dtype), draw.array(rhs, dtype)], {"axes": axes}


def _update(draw: Chance, count: int, multi_precision: bool, **options: Value) -> Call:
    shape, dtype = draw.shape(1, 3), "float16" if multi_precision else draw.choice(FLOATS)
    arrays = [draw.array(shape, dtype, ("normal",)) for _ in range(2)]
    state = "float32" if multi_precision else dtype
    arrays += [draw.array(shape, state, ("uniform", 0.1, 2.0)) for _ in range(count)]
    some = given(
        draw,
        wd=draw.one(0.1, 0.01),
        rescale_grad=draw.one(0.5, 2.0),
        clip_gradient=draw.one(0.5, -1.0, 0.1),
    )
    return arrays, {"lr": draw.one(0.1, 0.01), **some, **options}


for _name, _count, _multi, _more in (
    ("sgd_update", 0, False, {}),
    ("mp_sgd_update", 1, True, {}),
    ("sgd_mom_update", 1, False, {"momentum": 0.9}),
    ("mp_sgd_mom_update", 2, True, {"momentum": 0.9}),
    ("nag_mom_update", 1, False, {"momentum": 0.9}),
    ("mp_nag_mom_update", 2, True, {"momentum": 0.9}),
    ("signsgd_update", 0, False, {}),
    ("signum_update", 1, False, {"momentum": 0.5, "wd_lh": 0.1}),
    ("adam_update", 2, False, {}),
    ("ftrl_update", 2, False, {"lamda1": 0.1, "beta": 0.5}),
    ("rmsprop_update", 1, False, {"gamma1": 0.5}),
    ("rmspropalex_update", 3, False, {"gamma2": 0.5}),
):
    TEMPLATES[_name] = lambda draw, c=_count, m=_multi, o=_more: _update(draw, c, m, **o)  # type: ignore[misc]
for _name in (
    "random.multinomial",
    "sample_multinomial",
    "_internal._sample_multinomial",
    "multinomial",
):
    TEMPLATES[_name] = lambda draw: (
        [
            draw.array(
                (*draw.shape(1, 1), draw.one(2, 3)) if draw.happens(0.5) else (3,),
                "float32",
                ("simplex",),
            )
        ],
        given(draw, shape=draw.one(2, tuple_of([2, 3])), get_prob=draw.happens(0.3), dtype="int32"),
    )
TEMPLATES["ftml_update"] = lambda draw: (
    _update(draw, 3, False)[0],
    {"lr": 0.1, "t": draw.one(1, 2, 10)} | given(draw, wd=0.1, clip_grad=0.5, rescale_grad=2.0),
)
TEMPLATES["lamb_update_phase1"] = lambda draw: (
    _update(draw, 2, False)[0],
    {"t": draw.one(1, 2, 10), "wd": draw.one(0.0, 0.1)}
    | given(draw, bias_correction=draw.happens(0.5), clip_gradient=0.5),
)
