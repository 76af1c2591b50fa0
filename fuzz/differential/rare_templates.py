"""Arguments of operators that their signatures, drawn from alone, never satisfy."""

from __future__ import annotations

from typing import TYPE_CHECKING

from fuzz.differential.chance import FLOATS, Chance, Value, tuple_of
from fuzz.differential.templates import (
    TEMPLATES,
    Call,
    _batch_norm,
    _dot,
    _rnn,
    _update,
    _windows,
    given,
    indices,
    template,
)

if TYPE_CHECKING:
    from collections.abc import Callable

_SMALL = ("float32", "float32", "float64")


@template("moments")
def _moments(draw: Chance) -> Call:
    shape = draw.shape(1, 4)
    axes = sorted(draw.sample(range(len(shape)), draw.randint(1, len(shape))))
    axes = [axis - len(shape) * draw.happens(0.2) for axis in axes]
    return [draw.array(shape)], {"axes": tuple_of(axes)} | given(draw, keepdims=draw.happens(0.7))


@template("fill_element_0index")
def _fill_element(draw: Chance) -> Call:
    shape, dtype = draw.shape(2, 2), draw.choice(FLOATS)
    places = draw.array(shape[:1], dtype, ("ints", 0, max(shape[1] - 1, 0)))
    return [draw.array(shape, dtype), draw.array(shape[:1], dtype), places], {}


@template("contrib.index_copy")
def _index_copy(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 3), draw.any_dtype()
    count = draw.randint(0, max(shape[0], 1))
    places = draw.array((count,), draw.one("int32", "int64"), ("ints", 0, max(shape[0] - 1, 0)))
    return [draw.array(shape, dtype), places, draw.array((count, *shape[1:]), dtype)], {}


@template("_internal._slice_assign", "_internal._slice_assign_scalar")
def _slice_assign(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 3), draw.any_dtype()
    begin, end, sizes = [], [], []
    for size in shape:
        low = draw.randint(0, max(size - 1, 0))
        high = draw.randint(min(low + 1, size), size)
        begin.append(None if low == 0 and draw.happens(0.3) else low)
        end.append(high if high < size or draw.happens(0.5) else None)
        sizes.append(high - low)
    bounds = {"begin": tuple_of(begin), "end": tuple_of(end)}
    if draw.happens(0.2):
        bounds["step"] = tuple_of([draw.one(1, None) for _ in shape])
    return [draw.array(shape, dtype), draw.array(tuple(sizes), dtype)], bounds


def _slice_assign_scalar(draw: Chance) -> Call:
    (first, _), bounds = _slice_assign(draw)
    return [first], {**bounds, "scalar": draw.number()}


TEMPLATES["_internal._slice_assign_scalar"] = _slice_assign_scalar


@template("_internal._scatter_set_nd")
def _scatter_set(draw: Chance) -> Call:
    shape, dtype = tuple(draw.one(2, 3, 4) for _ in range(draw.randint(1, 3))), draw.any_dtype()
    depth, count = draw.randint(1, len(shape)), draw.one(1, 2, 3)
    places = draw.array((depth, count), draw.one("int32", "int64"), ("ints", 0, 1))
    values = draw.array((count, *shape[depth:]), dtype)
    return [draw.array(shape, dtype), values, places], {"shape": tuple_of(shape)}


@template("Pooling_v1")
def _pooling_v1(draw: Chance) -> Call:
    arrays, options = TEMPLATES["Pooling"](draw)
    options = {name: value for name, value in options.items() if name != "p_value"}
    if options["pool_type"] == "lp":
        options["pool_type"] = "avg"
    options.pop("count_include_pad", None)
    return arrays, options


@template("_internal._onehot_encode")
def _onehot(draw: Chance) -> Call:
    count, depth, dtype = draw.one(1, 2, 4), draw.one(2, 3), draw.choice(FLOATS)
    return [
        draw.array((count,), dtype, ("ints", 0, depth - 1)),
        draw.array((count, depth), dtype),
    ], {}


@template("linalg.extractdiag", "linalg.extracttrian")
def _extracted(draw: Chance) -> Call:
    batch, size = draw.shape(1, 2) if draw.happens(0.5) else (), draw.one(1, 2, 3, 4)
    options = given(draw, 0.6, offset=draw.randint(-size, size))
    return [draw.array((*batch, size, size), draw.choice(_SMALL))], options


def _extracted_triangle(draw: Chance) -> Call:
    arrays, options = _extracted(draw)
    return arrays, options | given(draw, lower=draw.happens(0.5))


TEMPLATES["linalg.extracttrian"] = _extracted_triangle


@template("linalg.makediag")
def _made_diagonal(draw: Chance) -> Call:
    shape = (*(draw.shape(1, 2) if draw.happens(0.5) else ()), draw.one(1, 2, 3))
    return [draw.array(shape, draw.choice(_SMALL))], given(draw, 0.6, offset=draw.randint(-2, 2))


@template("linalg.maketrian")
def _made_triangle(draw: Chance) -> Call:
    shape = (*(draw.shape(1, 2) if draw.happens(0.5) else ()), draw.one(1, 3, 6))
    options = given(draw, 0.5, offset=draw.randint(-2, 2), lower=draw.happens(0.5))
    return [draw.array(shape, draw.choice(_SMALL))], options


@template("khatri_rao")
def _khatri_rao(draw: Chance) -> Call:
    columns, dtype = draw.one(1, 2, 3), draw.choice(_SMALL)
    return [draw.array((draw.one(1, 2, 3), columns), dtype) for _ in range(draw.one(1, 2, 3))], {}


@template("contrib.interleaved_matmul_selfatt_qk")
def _selfatt(draw: Chance) -> Call:
    steps, batch, heads, width = draw.one(1, 3), draw.one(1, 2), draw.one(1, 2), draw.one(1, 2)
    return [draw.array((steps, batch, heads * width * 3), draw.choice(_SMALL))], {"heads": heads}


@template("contrib.interleaved_matmul_selfatt_valatt")
def _selfatt_values(draw: Chance) -> Call:
    arrays, options = _selfatt(draw)
    spec = arrays[0]["array"]
    steps, batch, _ = spec["shape"]
    weights = draw.array((batch * options["heads"], steps, steps), spec["dtype"])
    return [*arrays, weights], options


@template("contrib.interleaved_matmul_encdec_qk")
def _encdec(draw: Chance) -> Call:
    steps, others, batch = draw.one(1, 3), draw.one(1, 2), draw.one(1, 2)
    heads, width, dtype = draw.one(1, 2), draw.one(1, 2), draw.choice(_SMALL)
    return [
        draw.array((steps, batch, heads * width), dtype),
        draw.array((others, batch, heads * width * 2), dtype),
    ], {"heads": heads}


@template("contrib.interleaved_matmul_encdec_valatt")
def _encdec_values(draw: Chance) -> Call:
    (queries, keys), options = _encdec(draw)
    steps, batch, _ = queries["array"]["shape"]
    others = keys["array"]["shape"][0]
    shape = (batch * options["heads"], steps, others)
    return [keys, draw.array(shape, keys["array"]["dtype"])], options


@template("contrib.BatchNormWithReLU", "contrib.SyncBatchNorm", "BatchNorm_v1")
def _batch_norm_kin(draw: Chance) -> Call:
    arrays, options = _batch_norm(draw)
    if "axis" in options or len(arrays[0]["array"]["shape"]) < 2:
        return _batch_norm_kin(draw)
    return arrays, {k: v for k, v in options.items() if k != "output_mean_var"}


def _sync_batch_norm(draw: Chance) -> Call:
    arrays, options = _batch_norm_kin(draw)
    return arrays, {**options, "key": f"key{draw.randrange(10**6)}"}


TEMPLATES["contrib.SyncBatchNorm"] = _sync_batch_norm


@template("LRN")
def _lrn(draw: Chance) -> Call:
    shape = (draw.one(1, 2), draw.one(1, 3, 5, 6), draw.one(1, 3), draw.one(1, 2))
    options = given(
        draw, alpha=draw.one(1e-4, 0.1, 1.0), beta=draw.one(0.75, 0.5, 1.0), knorm=draw.one(2, 1.0)
    )
    return [draw.array(shape, "float32")], {"nsize": draw.one(1, 3, 5)} | options


@template("contrib.DeformableConvolution")
def _deformable(draw: Chance) -> Call:
    group, deformable = draw.one(1, 1, 2), draw.one(1, 1, 2)
    channels, filters = 2 * draw.one(1, 2), group * draw.one(1, 2)
    kernel, batch = [draw.one(1, 2, 3), draw.one(1, 2, 3)], draw.one(1, 2)
    stride, pad, dilate = (
        [draw.one(1, 1, 2), draw.one(1, 2)],
        [draw.one(0, 1), draw.one(0, 1)],
        [draw.one(1, 1, 2), 1],
    )
    space = [draw.one(5, 6), draw.one(5, 7)]
    out = [
        (space[i] + 2 * pad[i] - dilate[i] * (kernel[i] - 1) - 1) // stride[i] + 1 for i in (0, 1)
    ]
    offsets = (batch, 2 * deformable * kernel[0] * kernel[1], *out)
    values = draw.one(("normal", 0.5), ("normal",))
    arrays = [
        draw.array((batch, channels, *space), "float32", ("normal",)),
        draw.array(offsets, "float32", values),
        draw.array((filters, channels // group, *kernel), "float32", ("normal",)),
    ]
    options = {
        "kernel": tuple_of(kernel),
        "stride": tuple_of(stride),
        "pad": tuple_of(pad),
        "dilate": tuple_of(dilate),
        "num_filter": filters,
        "num_group": group,
        "num_deformable_group": deformable,
    }
    if draw.happens(0.4):
        return arrays, options | {"no_bias": True}
    return [*arrays, draw.array((filters,), "float32", ("normal",))], options


@template("contrib.ModulatedDeformableConvolution")
def _modulated(draw: Chance) -> Call:
    (data, offset, *rest), options = _deformable(draw)
    shape = list(offset["array"]["shape"])
    shape[1] //= 2
    mask = draw.array(tuple(shape), "float32", ("uniform", 0.0, 1.0))
    return [data, offset, mask, *rest], options


@template("contrib.hawkesll")
def _hawkes(draw: Chance) -> Call:
    batch, marks, length = draw.one(1, 2), draw.one(1, 3), draw.one(1, 4)
    positive = ("uniform", 0.1, 1.5)
    return [
        draw.array((batch, marks), "float32", positive),
        draw.array((marks,), "float32", ("uniform", 0.1, 0.8)),
        draw.array((marks,), "float32", positive),
        draw.array((batch, marks), "float32", positive),
        draw.array((batch, length), "float32", positive),
        draw.array((batch, length), "int32", ("ints", 0, marks - 1)),
        draw.array((batch,), "float32", ("ints", 1, length)),
        draw.array((batch,), "float32", ("uniform", 6.0, 9.0)),
    ], {}


@template("softmax_cross_entropy")
def _softmax_cross_entropy(draw: Chance) -> Call:
    batch, classes, dtype = draw.one(1, 2, 4), draw.one(2, 3, 5), draw.choice(_SMALL)
    label = draw.array((batch,), dtype, ("ints", 0, classes - 1))
    return [draw.array((batch, classes), dtype), label], {}


@template("IdentityAttachKLSparseReg")
def _sparse_penalty(draw: Chance) -> Call:
    shape = draw.shape(2, 2)
    arrays = [
        draw.array(shape, "float32", ("uniform", 0.1, 0.9)),
        draw.array(shape[1:], "float32", ("uniform", 0.1, 0.9)),
    ]
    options = given(draw, sparseness_target=0.2, penalty=draw.one(0.01, 1.0), momentum=0.5)
    return arrays, options


@template("Crop")
def _crop(draw: Chance) -> Call:
    data = draw.array((draw.one(1, 2), draw.one(1, 2), 5, 6), "float32")
    if draw.happens(0.5):
        return [data], {"h_w": tuple_of([draw.one(2, 3), draw.one(2, 4)])} | draw.one(
            {"offset": tuple_of([draw.one(0, 1), draw.one(0, 2)])}, {"center_crop": True}, {}
        )
    like = draw.array((1, 1, draw.one(2, 3, 5), draw.one(1, 4)), "float32")
    return [data, like], draw.one({}, {"center_crop": True}, {"offset": tuple_of([0, 1])})


@template("col2im")
def _col2im(draw: Chance) -> Call:
    kernel, stride = [draw.one(1, 2, 3), draw.one(1, 2)], [draw.one(1, 2), draw.one(1, 2)]
    pad, dilate, size = [draw.one(0, 1), draw.one(0, 1)], [draw.one(1, 2), 1], [5, 4]
    count = 1
    for i in (0, 1):
        count *= (size[i] + 2 * pad[i] - dilate[i] * (kernel[i] - 1) - 1) // stride[i] + 1
    shape = (draw.one(1, 2), 2 * kernel[0] * kernel[1], count)
    names = ("kernel", "stride", "pad", "dilate", "output_size")
    values = map(tuple_of, (kernel, stride, pad, dilate, size))
    return [draw.array(shape, draw.choice(_SMALL))], dict(zip(names, values, strict=True))


def _density(*ranges: tuple[float, float], sample: tuple[Value, ...]) -> Callable[[Chance], Call]:
    def drawn(draw: Chance) -> Call:
        shape, dtype = draw.shape(1, 2), draw.choice(_SMALL)
        more = draw.shape(1, 1) if draw.happens(0.6) else ()
        arrays = [draw.array((*shape, *more), dtype, sample)]
        arrays += [draw.array(shape, dtype, ("uniform", *ends)) for ends in ranges]
        return arrays, given(draw, 0.5, is_log=draw.happens(0.7))

    return drawn


_PROPER, _POSITIVE = (0.1, 0.9), (0.2, 3.0)
_COUNTS = ("ints", 0, 4)
TEMPLATES |= {
    "random_pdf_uniform": _density((-2.0, -1.0), (1.0, 2.0), sample=("normal",)),
    "random_pdf_normal": _density((-1.0, 1.0), _POSITIVE, sample=("normal",)),
    "random_pdf_gamma": _density(_POSITIVE, _POSITIVE, sample=("uniform", 0.1, 3.0)),
    "random_pdf_exponential": _density(_POSITIVE, sample=("uniform", 0.1, 3.0)),
    "random_pdf_poisson": _density(_POSITIVE, sample=_COUNTS),
    "random_pdf_negative_binomial": _density((1.0, 4.0), _PROPER, sample=_COUNTS),
    "random_pdf_generalized_negative_binomial": _density(_POSITIVE, _POSITIVE, sample=_COUNTS),
}


def _draws(kind: str, *ranges: tuple[float, float]) -> Callable[[Chance], Call]:
    """Return what draws the arguments of a draw: numbers, or arrays of parameters."""

    def drawn(draw: Chance) -> Call:
        size: Value = draw.one(None, 3, tuple_of([2, 3]), tuple_of([]), tuple_of([0, 2]), 1)
        size = size if kind != "nd" or size != tuple_of([]) else 2
        is_array = kind == "arrays" or (kind == "np" and draw.happens(0.5))
        shape = draw.shape(1 if kind == "arrays" else 0, 2)
        dtype = draw.one("float32", "float32", "float64")
        values: list[Value] = []
        for low, high in ranges:
            one = draw.array(shape, dtype, ("uniform", low, high))
            number = draw.one(round(draw.uniform(low, high), 3), max(1, int(low)))
            number = 0.5 if high <= 1 and number == 1 else number
            values.append(one if is_array else number)
        options: dict[str, Value] = {}
        if is_array and kind == "np" and size is not None:
            lead = [draw.one(2, 3)] if draw.happens(0.6) else []
            size = tuple_of([*lead, *shape])
        if size is not None and draw.happens(0.8):
            options["size" if kind == "np" else "shape"] = size
        if kind != "np" or draw.happens(0.3):
            options |= given(draw, 0.4, dtype=draw.one("float32", "float64", "float16"))
        return values, options

    return drawn


_ANY = (-2.0, 2.0)
for _name, _ranges in {
    "normal": (_ANY, _POSITIVE),
    "uniform": ((-2.0, -1.0), (0.5, 2.0)),
    "gamma": (_POSITIVE, _POSITIVE),
    "exponential": (_POSITIVE,),
    "poisson": (_POSITIVE,),
    "negative_binomial": ((1.0, 4.0), _PROPER),
    "generalized_negative_binomial": (_POSITIVE, _POSITIVE),
}.items():
    TEMPLATES[f"random_{_name}"] = _draws("nd", *_ranges)
    TEMPLATES[f"sample_{_name}"] = _draws("arrays", *_ranges)
for _name, _ranges in {
    "normal": (_ANY, _POSITIVE),
    "uniform": ((-2.0, -1.0), (0.5, 2.0)),
    "gamma": (_POSITIVE, _POSITIVE),
    "beta": (_POSITIVE, _POSITIVE),
    "exponential": (_POSITIVE,),
    "lognormal": (_ANY, _POSITIVE),
    "logistic": (_ANY, _POSITIVE),
    "gumbel": (_ANY, _POSITIVE),
    "rayleigh": (_POSITIVE,),
    "weibull": (_POSITIVE,),
    "pareto": (_POSITIVE,),
    "power": (_POSITIVE,),
    "chisquare": (_POSITIVE,),
}.items():
    TEMPLATES[f"np:random.{_name}"] = _draws("np", *_ranges)
    TEMPLATES[f"nd:random.{_name}"] = _draws("nd", *_ranges)


@template("np:random.multinomial")
def _multinomial(draw: Chance) -> Call:
    chances = draw.array((draw.one(2, 3),), "float64", ("simplex",))
    chances = draw.one(chances, [0.25, 0.25, 0.5], tuple_of([0.5, 0.5]))
    return [draw.one(1, 5, 20), chances], given(draw, 0.7, size=draw.one(3, tuple_of([2, 2]), None))


@template("np:random.choice")
def _choice(draw: Chance) -> Call:
    count = draw.one(3, 5)
    values = draw.one(count, draw.array((count,), "float32"))
    options = given(draw, 0.7, size=draw.one(2, 3, tuple_of([1, 2]), None))
    options |= given(draw, replace=draw.happens(0.5))
    if draw.happens(0.4):
        options["p"] = draw.array((count,), draw.one("float32", "float64"), ("simplex",))
    return [values], options


@template("np:random.multivariate_normal")
def _multivariate(draw: Chance) -> Call:
    size, dtype = draw.one(1, 2, 3), draw.one("float32", "float64")
    arrays = [draw.array((size,), dtype), draw.array((size, size), dtype, ("definite",))]
    return arrays, given(draw, 0.6, size=draw.one(2, tuple_of([2, 2]), None))


@template("np:random.permutation", "np:random.shuffle")
def _permutation(draw: Chance) -> Call:
    return [draw.array(draw.shape(1, 3))], {}


def _several(
    draw: Chance, states: int, multi_precision: bool, last: int = 0
) -> tuple[list[Value], int]:
    """Return weights, gradients and states in turns, and how many weights."""
    count, arrays = draw.one(1, 2, 3), []
    dtype = "float16" if multi_precision else draw.choice(("float32", "float32", "float64"))
    for _ in range(count):
        shape = draw.shape(1, 2)
        arrays += [draw.array(shape, dtype, ("normal",)) for _ in range(2)]
        state = "float32" if multi_precision else dtype
        arrays += [draw.array(shape, state, ("uniform", 0.1, 1.0)) for _ in range(states)]
        arrays += [draw.array(shape, "float32", ("normal",)) for _ in range(last)]
    return arrays, count


def _multi_sgd(states: int, multi_precision: bool, preloaded: bool) -> Callable[[Chance], Call]:
    def drawn(draw: Chance) -> Call:
        arrays, count = _several(draw, states, multi_precision, int(multi_precision))
        options: dict[str, Value] = {"num_weights": count}
        if preloaded:
            arrays += [draw.array((count,), "float32", ("uniform", 0.01, 0.5)) for _ in range(2)]
        else:
            options |= {"lrs": tuple_of([draw.one(0.1, 0.5) for _ in range(count)])}
            options |= {"wds": tuple_of([draw.one(0.0, 0.1) for _ in range(count)])}
        if states:
            options |= given(draw, 0.7, momentum=draw.one(0.9, 0.5))
        options |= given(draw, rescale_grad=draw.one(0.5, 2.0), clip_gradient=draw.one(0.3, -1.0))
        each = 2 + states + multi_precision
        return arrays, options | {"out": [{"given": each * place} for place in range(count)]}

    return drawn


for _mp in (False, True):
    for _preloaded in (False, True):
        for _states in (0, 1):
            _name = f"multi_{'mp_' * _mp}sgd_{'mom_' * _states}update"
            _name = "preloaded_" * _preloaded + _name
            TEMPLATES[_name] = _multi_sgd(_states, _mp, _preloaded)


def _multi_adam(kind: str, multi_precision: bool) -> Callable[[Chance], Call]:
    def drawn(draw: Chance) -> Call:
        count = draw.one(1, 2)
        dtype = "float16" if multi_precision else "float32"
        shapes = [draw.shape(1, 2) for _ in range(count)]

        def lists(dtype: str, values: tuple[Value, ...]) -> list[Value]:
            return [draw.array(shape, dtype, values) for shape in shapes]

        args = [lists(dtype, ("normal",)) for _ in range(2)]
        args += [lists("float32", ("uniform", 0.1, 1.0)) for _ in range(2)]
        if multi_precision:
            args.append([{"array": {**one["array"], "dtype": "float32"}} for one in args[0]])
        rates = {
            "lrs": tuple_of([draw.one(0.1, 0.01) for _ in shapes]),
            "wds": tuple_of([draw.one(0.0, 0.1) for _ in shapes]),
        }
        some = given(draw, beta1=0.8, beta2=0.95, epsilon=1e-3, clip_gradient=draw.one(0.5, 0.1))
        if kind == "adamw":
            scale = draw.array((1,), "float32", ("uniform", 0.5, 2.0))
            rates |= {"rescale_grad": scale, "etas": tuple_of([draw.one(1.0, 0.5) for _ in shapes])}
        else:
            rates["step_count"] = tuple_of([draw.one(1, 2, 9) for _ in shapes])
            some |= given(
                draw,
                lower_bound=0.1,
                upper_bound=1.0,
                rescale_grad=0.5,
                bias_correction=draw.happens(0.5),
            )
        return args, rates | some | {"out": [{"given": place} for place in range(count)]}

    return drawn


for _mp in (False, True):
    TEMPLATES[f"contrib.multi_{'mp_' * _mp}adamw_update"] = _multi_adam("adamw", _mp)
    TEMPLATES[f"contrib.multi_{'mp_' * _mp}lamb_update"] = _multi_adam("lamb", _mp)


@template("contrib.adamw_update")
def _adamw(draw: Chance) -> Call:
    arrays, options = _update(draw, 2, False)
    scale = draw.array((1,), arrays[0]["array"]["dtype"], ("uniform", 0.5, 2.0))
    options.pop("rescale_grad", None)
    options |= given(draw, beta1=0.8, beta2=0.9, epsilon=1e-4)
    return [*arrays, scale], options | {"eta": draw.one(1.0, 0.5)}


@template("contrib.mp_adamw_update")
def _mp_adamw(draw: Chance) -> Call:
    arrays, options = _update(draw, 3, True)
    scale = draw.array((1,), "float32", ("uniform", 0.5, 2.0))
    options.pop("rescale_grad", None)
    options |= given(draw, beta1=0.8, beta2=0.9, epsilon=1e-4)
    return [*arrays, scale], options | {"eta": draw.one(1.0, 0.5)}


@template("contrib.group_adagrad_update")
def _group_adagrad(draw: Chance) -> Call:
    (weight, grad), options = _update(draw, 0, False)
    shape, dtype = weight["array"]["shape"], weight["array"]["dtype"]
    if len(shape) < 2:
        return _group_adagrad(draw)
    history = draw.array((shape[0], 1), dtype, ("uniform", 0.1, 1.0))
    options.pop("wd", None)
    return [weight, grad, history], options | given(draw, epsilon=1e-3)


@template("mp_lamb_update_phase1")
def _mp_lamb_1(draw: Chance) -> Call:
    arrays, _ = _update(draw, 3, True)
    options = given(
        draw, beta1=0.8, beta2=0.9, epsilon=1e-4, rescale_grad=0.5, clip_gradient=0.5,
        bias_correction=draw.happens(0.5),
    )  # fmt: skip
    return arrays, {"t": draw.one(1, 2, 10), "wd": draw.one(0.0, 0.1)} | options


def _lamb_2(draw: Chance, multi_precision: bool = False) -> Call:
    shape, dtype = draw.shape(1, 2), draw.choice(_SMALL)
    kept = "float16" if multi_precision else dtype
    dtype = "float32" if multi_precision else dtype
    arrays = [draw.array(shape, kept, ("normal",)), draw.array(shape, dtype, ("normal",))]
    arrays += [draw.array((1,), dtype, ("uniform", 0.0, 2.0)) for _ in range(2)]
    options = given(draw, lower_bound=draw.one(0.5, -1.0), upper_bound=draw.one(1.0, -1.0))
    return arrays, {"lr": draw.one(0.1, 1.0)} | options


def _mp_lamb_2(draw: Chance) -> Call:
    arrays, options = _lamb_2(draw, multi_precision=True)
    return [*arrays, draw.array(tuple(arrays[0]["array"]["shape"]), "float32")], options


TEMPLATES |= {"lamb_update_phase2": _lamb_2, "mp_lamb_update_phase2": _mp_lamb_2}


@template("multi_lars")
def _multi_lars(draw: Chance) -> Call:
    count = draw.one(1, 3)
    arrays = [draw.array((count,), "float32", ("uniform", 0.0, 2.0)) for _ in range(4)]
    options = {"eta": draw.one(0.001, 0.1), "eps": draw.one(1e-8, 0.1)}
    return arrays, options | given(draw, rescale_grad=0.5)


@template("multi_sum_sq", "multi_all_finite", "reset_arrays", "all_finite")
def _several_arrays(draw: Chance) -> Call:
    count = draw.one(1, 2, 3)
    dtype = draw.choice(FLOATS)
    return [draw.array(draw.shape(1, 3), dtype) for _ in range(count)], {"num_arrays": count}


TEMPLATES["all_finite"] = lambda draw: ([draw.array(draw.shape(1, 3), draw.choice(FLOATS))], {})


@template("contrib.bipartite_matching")
def _matching(draw: Chance) -> Call:
    shape = (*((2,) if draw.happens(0.4) else ()), draw.one(1, 2, 3), draw.one(1, 2, 4))
    options = given(draw, is_ascend=draw.happens(0.5), topk=draw.one(1, 2, -1))
    data = draw.array(shape, "float32", ("uniform", 0.0, 1.0))
    return [data], {"threshold": draw.one(1e-12, 0.3, 0.8)} | options


@template("contrib.box_encode")
def _box_encode(draw: Chance) -> Call:
    batch, count, boxes = draw.one(1, 2), draw.one(1, 3), draw.one(1, 2)
    return [
        draw.array((batch, count), "float32", ("ints", -1, 1)),
        draw.array((batch, count), "float32", ("ints", 0, boxes - 1)),
        draw.array((batch, count, 4), "float32", ("boxes", 3.0)),
        draw.array((batch, boxes, 4), "float32", ("boxes", 3.0)),
        draw.array((4,), "float32", ("uniform", -0.1, 0.1)),
        draw.array((4,), "float32", ("uniform", 0.1, 0.3)),
    ], {}


def _picture(draw: Chance, batches: bool = True, channels: tuple[int, ...] = (1, 3)) -> Value:
    dtype = draw.one("uint8", "uint8", "float32")
    shape = (draw.one(2, 5, 6), draw.one(3, 4, 7), draw.choice(channels))
    batch = (draw.one(1, 2),) if batches and draw.happens(0.3) else ()
    return draw.array((*batch, *shape), dtype, ("ints", 0, 255))


@template("image.to_tensor")
def _to_tensor(draw: Chance) -> Call:
    return [_picture(draw)], {}


@template("image.normalize")
def _normalize(draw: Chance) -> Call:
    channels = draw.one(1, 3)
    shape = (*((2,) if draw.happens(0.3) else ()), channels, 3, 4)
    values: list[Value] = [
        draw.one(0.5, tuple_of([0.1, 0.2, 0.3][:channels]), tuple_of([0.5])) for _ in range(2)
    ]
    data = draw.array(shape, draw.one("float32", "float32", "float64", "float16", "uint8", "int32"))
    return [data], given(draw, 0.8, mean=values[0], std=values[1])


@template("image.crop")
def _image_crop(draw: Chance) -> Call:
    x, y = draw.one(0, 1), draw.one(0, 1)
    options = {"x": x, "y": y, "width": draw.one(1, 2), "height": draw.one(1, 1)}
    return [_picture(draw)], options


@template("image.resize")
def _image_resize(draw: Chance) -> Call:
    size = draw.one(3, 8, tuple_of([4, 3]), tuple_of([2, 9]))
    options = given(draw, keep_ratio=draw.happens(0.5), interp=draw.one(0, 1, 2))
    return [_picture(draw)], {"size": size} | options


@template("image.flip_left_right", "image.flip_top_bottom")
def _flipped(draw: Chance) -> Call:
    shape = (draw.one(2, 4), draw.one(2, 6), draw.one(1, 3))
    return [draw.array(shape, draw.one("uint8", "float32"), ("ints", 0, 255))], {}


@template(
    "image.random_brightness",
    "image.random_contrast",
    "image.random_saturation",
    "image.random_hue",
)
def _coloured(draw: Chance) -> Call:
    low = draw.one(0.0, 0.5, 1.0)
    options = {"min_factor": low, "max_factor": low + draw.one(0.0, 0.5)}
    return [_picture(draw, batches=False, channels=(3,))], options


@template("image.adjust_lighting")
def _lighting(draw: Chance) -> Call:
    alpha = tuple_of([draw.one(-0.1, 0.0, 0.3) for _ in range(3)])
    return [_picture(draw, batches=False, channels=(3,))], {"alpha": alpha}


@template("image.random_lighting")
def _random_lighting(draw: Chance) -> Call:
    return [_picture(draw, batches=False, channels=(3,))], {"alpha_std": draw.one(0.05, 0.5)}


@template("image.random_flip_left_right", "image.random_flip_top_bottom")
def _random_flip(draw: Chance) -> Call:
    return _flipped(draw)


@template("contrib.AdaptiveAvgPooling2D")
def _adaptive(draw: Chance) -> Call:
    data = draw.array(
        (draw.one(1, 2), draw.one(1, 2), draw.one(1, 4, 5), draw.one(3, 6)), draw.choice(_SMALL)
    )
    sizes = draw.one(
        {}, {"output_size": draw.one(1, 2, 3)}, {"output_size": tuple_of([2, draw.one(1, 3, 7)])}
    )
    return [data], sizes


@template("contrib.BilinearResize2D")
def _bilinear_resize(draw: Chance) -> Call:
    data = draw.array((1, draw.one(1, 2), draw.one(1, 3, 4), draw.one(2, 5)), draw.choice(_SMALL))
    kind, some = draw.random(), given(draw, align_corners=draw.happens(0.4))
    if kind < 0.4:
        return [data], {"height": draw.one(1, 2, 6), "width": draw.one(1, 4, 7)} | some
    if kind < 0.7:
        mode = draw.one(
            "size", "odd_scale", "to_even_down", "to_even_up", "to_odd_down", "to_odd_up"
        )
        scales = {"scale_height": draw.one(2.0, 0.5, 1.5), "scale_width": draw.one(2.0, 1.3)}
        return [data], (scales if "scale" in mode or mode == "size" else {}) | {"mode": mode} | some
    like = draw.array((1, 1, draw.one(1, 5), draw.one(2, 3)), data["array"]["dtype"])
    return [data, like], {"mode": "like"} | some


@template("contrib.RROIAlign")
def _rotated(draw: Chance) -> Call:
    rois = [[0, draw.one(2.0, 4.5), 3.0, draw.one(2.0, 5.0), 3.0, draw.one(0.0, 30.0, -60.0)]]
    options = {"pooled_size": tuple_of([draw.one(1, 2), 2]), "spatial_scale": draw.one(1.0, 0.5)}
    return [
        draw.array((1, draw.one(1, 2), 7, 8), "float32", ("normal",)),
        draw.array((1, 6), "float32", ("literal", rois)),
    ], options | given(draw, sampling_ratio=draw.one(1, 2, -1))


@template("contrib.count_sketch")
def _sketch(draw: Chance) -> Call:
    width, out = draw.one(2, 4), draw.one(2, 3)
    return [
        draw.array((draw.one(1, 2), width), "float32"),
        draw.array((1, width), "float32", ("ints", 0, out - 1)),
        draw.array((1, width), "float32", ("literal", [draw.one(-1, 1) for _ in range(width)])),
    ], {"out_dim": out}


@template("UpSampling")
def _upsampling_more(draw: Chance) -> Call:
    dtype, scale, channels = draw.choice(_SMALL), draw.one(1, 2, 3), draw.one(1, 2)
    data = draw.array((draw.one(1, 2), channels, 2, 4), dtype)
    if draw.happens(0.5):
        return [data], {"scale": scale, "sample_type": "nearest"}
    if draw.happens(0.5):
        shape = (data["array"]["shape"][0], channels, 4, 8)
        options = {"scale": 4, "sample_type": "nearest", "num_args": 2}
        mode = given(draw, 0.7, multi_input_mode=draw.one("concat", "sum"))
        return [data, draw.array(shape, dtype)], options | mode
    size = 2 * scale - scale % 2
    weight = draw.array((channels, 1, size, size), dtype)
    options = {"scale": scale, "sample_type": "bilinear", "num_filter": channels, "num_args": 2}
    return [data, weight], options


@template("softmax", "log_softmax", "softmin")
def _softmax_more(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 4), draw.choice(FLOATS)
    axis = draw.randrange(-len(shape), len(shape))
    options = given(
        draw,
        axis=axis,
        temperature=draw.one(None, 0.5, 2.0, 1.0),
        dtype=draw.one("float32", "float64"),
    )
    arrays = [draw.array(shape, dtype)]
    if draw.happens(0.3):
        axis = options.get("axis", -1) % len(shape)
        lengths = tuple(size for place, size in enumerate(shape) if place != axis)
        if lengths:
            arrays.append(draw.array(lengths, "int32", ("ints", 1, max(shape[axis], 1))))
            options["use_length"] = True
    return arrays, options


def _plain_softmin(draw: Chance) -> Call:
    arrays, options = _softmax_more(draw)
    options.pop("use_length", None)
    return arrays[:1], options


TEMPLATES["softmin"] = TEMPLATES["log_softmax"] = _plain_softmin


@template("LeakyReLU")
def _leaky(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 4), draw.choice(FLOATS)
    kind = draw.one("leaky", "elu", "selu", "gelu", "prelu", "rrelu")
    options: dict[str, Value] = {"act_type": kind}
    arrays = [draw.array(shape, dtype)]
    if kind == "prelu":
        channels = shape[1] if len(shape) > 1 else shape[0]
        arrays.append(draw.array((draw.one(1, channels, channels),), dtype))
    if kind == "rrelu":
        options |= given(draw, lower_bound=0.2, upper_bound=0.5)
    return arrays, options | given(draw, 0.5, slope=draw.one(0.1, 0.5, 1.0, 0))


@template("reshape_like")
def _reshape_like(draw: Chance) -> Call:
    a, b, c = draw.one(1, 2, 3), draw.one(2, 4), draw.one(1, 3)
    dtype = draw.any_dtype()
    if draw.happens(0.4):
        return [draw.array((a, b * c), dtype), draw.array(draw.one((a * b, c), (a, b, c)))], {}
    lhs, rhs, bounds = draw.one(
        ((a * b, c), (a, b, 5), (0, 1, 0, 2)),
        ((a, b, c), (7, a * b), (0, 2, 1, 2)),
        ((a, b * c), (a, b, c), (-1, None, 1, None)),
        ((a, b, c), (b * c,), (1, 3, 0, 1)),
    )
    names = ("lhs_begin", "lhs_end", "rhs_begin", "rhs_end")
    options = dict(zip(names, bounds, strict=True))
    return [draw.array(lhs, dtype), draw.array(rhs)], options


@template("broadcast_like")
def _broadcast_like(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    one = tuple(1 if draw.happens(0.5) else size for size in shape)
    dtype = draw.any_dtype()
    if draw.happens(0.5):
        return [draw.array(one, dtype), draw.array(shape)], {}
    axis = draw.randrange(len(shape))
    lhs = tuple(1 if place == axis else size for place, size in enumerate(shape))
    other = draw.shape(1, 3)
    place = draw.randrange(-len(other), len(other))
    options = {"lhs_axes": tuple_of([axis]), "rhs_axes": tuple_of([place])}
    return [draw.array(lhs, dtype), draw.array(other)], options


@template("contrib.boolean_mask")
def _boolean_mask(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    mask = draw.array((shape[0],), draw.one("float32", "int32", "int64", "uint8"), ("ints", 0, 1))
    return [draw.array(shape), mask], given(draw, 0.2, axis=0)


@template("contrib.allclose")
def _allclose(draw: Chance) -> Call:
    shape, dtype = draw.shape(1, 2), draw.choice(FLOATS)
    first = draw.array(shape, dtype)
    options = given(draw, rtol=draw.one(0.1, 1.0), atol=draw.one(0.1, 2.0), equal_nan=False)
    return [first, draw.one(first, draw.array(shape, dtype))], options


@template("MakeLoss")
def _make_loss(draw: Chance) -> Call:
    options = given(
        draw,
        grad_scale=draw.one(0.5, 2.0),
        valid_thresh=draw.one(0.0, 0.5),
        normalization=draw.one("null", "batch", "valid"),
    )
    return [draw.array(draw.shape(1, 3), draw.choice(FLOATS))], options


@template("contrib.MultiBoxTarget")
def _box_target_more(draw: Chance) -> Call:
    anchors, count, classes = draw.one(2, 4, 6), draw.one(1, 2), draw.one(2, 3)
    rows = []
    for _ in range(count):
        left, top = round(draw.uniform(0, 0.5), 2), round(draw.uniform(0, 0.5), 2)
        sort = draw.one(-1, 0, 1)
        rows.append([sort, left, top, left + draw.one(0.2, 0.5), top + draw.one(0.2, 0.4)])
    arrays = [
        draw.array((1, anchors, 4), "float32", ("boxes", 1.0)),
        draw.array((1, count, 5), "float32", ("literal", [rows])),
        draw.array((1, classes, anchors), "float32", ("normal",)),
    ]
    return arrays, given(
        draw,
        overlap_threshold=draw.one(0.3, 0.5),
        ignore_label=draw.one(-1.0, -2.0),
        negative_mining_ratio=draw.one(-1.0, 1.0, 3.0),
        negative_mining_thresh=draw.one(0.5, 0.1),
        minimum_negative_samples=draw.one(0, 1),
        variances=tuple_of([0.1, 0.1, 0.2, draw.one(0.2, 0.3)]),
    )


@template("contrib.DeformablePSROIPooling")
def _deformable_rois(draw: Chance) -> Call:
    dim, pooled = draw.one(1, 2), draw.one(1, 2)
    arrays = [
        draw.array((1, dim * pooled * pooled, 6, 6), "float32", ("normal",)),
        draw.array((2, 5), "float32", ("regions", 1, 6.0)),
    ]
    options = {
        "spatial_scale": draw.one(1.0, 0.5),
        "output_dim": dim,
        "group_size": pooled,
        "pooled_size": pooled,
    } | given(draw, sample_per_part=draw.one(1, 2), part_size=pooled)
    if draw.happens(0.5):
        return arrays, options | {"no_trans": True}
    shift = draw.array((2, 2, pooled, pooled), "float32", ("normal", 0.3))
    return [*arrays, shift], options | given(draw, 0.8, trans_std=0.1)


@template("RNN")
def _rnn_more(draw: Chance) -> Call:
    arrays, options = _rnn(draw)
    return arrays, options | ({"p": 0.0} if draw.happens(0.3) else {})


@template("dot")
def _dot_more(draw: Chance) -> Call:
    if draw.is_np or draw.happens(0.3):
        return _dot(draw)
    n, k, m, dtype = draw.size(), draw.size(), draw.size(), draw.choice(FLOATS)
    ta, tb = draw.happens(0.5), draw.happens(0.5)
    arrays = [
        draw.array((k, n) if ta else (n, k), dtype),
        draw.array((m, k) if tb else (k, m), dtype),
    ]
    return arrays, {"transpose_a": ta, "transpose_b": tb}


@template("linalg.gemm2")
def _gemm_axis(draw: Chance) -> Call:
    n, k, m, batch = draw.size(), draw.size(), draw.size(), draw.one(1, 2)
    dtype = draw.one("float32", "float64")
    ta, tb, is_first = draw.happens(0.4), draw.happens(0.4), draw.happens(0.4)
    lhs, rhs = (k, n) if ta else (n, k), (m, k) if tb else (k, m)
    options: dict[str, Value] = {"transpose_a": ta, "transpose_b": tb}
    shapes: list[tuple[int, ...]] = [lhs, rhs]
    if is_first:
        shapes, options["axis"] = [(one[0], batch, one[1]) for one in (lhs, rhs)], 0
    arrays = [draw.array(shape, dtype) for shape in shapes]
    return arrays, options | given(draw, alpha=draw.one(2.0, -0.5))


@template("CTCLoss")
def _ctc_more(draw: Chance) -> Call:
    steps, batch, classes, length = draw.one(4, 6), draw.one(1, 2), draw.one(3, 5), draw.one(1, 2)
    blank = draw.one("first", "last")
    low, high = (1, classes - 1) if blank == "first" else (0, classes - 2)
    arrays = [
        draw.array((steps, batch, classes), "float32", ("normal",)),
        draw.array((batch, length), "float32", ("ints", low, high)),
    ]
    options: dict[str, Value] = {"blank_label": blank}
    if draw.happens(0.4):
        options |= {"use_data_lengths": True}
        arrays.append(draw.array((batch,), "float32", ("ints", steps - 1, steps)))
    if draw.happens(0.4):
        options |= {"use_label_lengths": True}
        lengths = draw.array((batch,), "float32", ("ints", 1, length))
        if len(arrays) == 2:
            return arrays, options | {"label_lengths": lengths}
        arrays.append(lengths)
    return arrays, options


@template("take_along_axis")
def _along(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    axis = draw.randrange(len(shape))
    return [draw.array(shape), indices(draw, shape, max(1, shape[axis]), "int64"), axis], {}


@template("interp")
def _interp(draw: Chance) -> Call:
    count = draw.one(2, 4)
    points = ("literal", sorted(round(draw.uniform(-2, 2), 3) for _ in range(count)))
    arrays = [
        draw.array(draw.shape(0, 2), "float64"),
        draw.array((count,), "float64", points),
        draw.array((count,), "float64"),
    ]
    return arrays, given(draw, left=-1.5, right=9.0)


@template("quantile", "percentile")
def _quantile(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    data = draw.array(shape, draw.one("float32", "float64", "int32", "float16"))
    several = draw.array((2,), "float32", ("uniform", 0.0, 1.0))
    options = given(
        draw,
        axis=draw.axes(len(shape)),
        keepdims=draw.happens(0.5),
        interpolation=draw.one("linear", "lower", "higher", "midpoint", "nearest"),
    )
    return [data, draw.one(0.5, 0, 1, 0.25, several, [0.1, 0.9], tuple_of([0.5]))], options


@template("array_equal")
def _equal(draw: Chance) -> Call:
    shape, dtype = draw.shape(), draw.any_dtype()
    first = draw.array(shape, dtype)
    return [first, draw.one(first, draw.array(shape, dtype))], {}


@template("histogram")
def _histogram(draw: Chance) -> Call:
    data = draw.array(draw.shape(), draw.one("float32", "float64", "int32", "int8", "uint8"))
    if draw.happens(0.3):
        edges = sorted(draw.sample([-3, -1, 0, 1, 2, 5], draw.one(2, 3, 5)))
        edge = draw.array((len(edges),), data["array"]["dtype"], ("literal", edges))
        if "uint" not in data["array"]["dtype"] or edges[0] >= 0:
            return [data, edge], {}
    ends = tuple_of([draw.one(-2, 0, 0.5, -1.0), draw.one(1, 2, 3.5, 0.5)])
    return [data], {"bins": draw.one(1, 3, 4, 10), "range": ends}


@template("im2col")
def _im2col_more(draw: Chance) -> Call:
    kernel = tuple_of([draw.one(1, 2, 3), draw.one(1, 2)])
    return [draw.array((2, 2, 5, 4), draw.choice(_SMALL))], {"kernel": kernel} | _windows(draw, 2)


@template("contrib.fft", "contrib.ifft")
def _fourier(draw: Chance) -> Call:
    shape = draw.one((2, 4), (1, 6), (2, 2, 4))
    return [draw.array(shape, "float32")], given(draw, compute_size=draw.one(128, 1))


@template("_internal._split_v2")
def _split(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    axis = draw.randrange(-len(shape), len(shape))
    size = shape[axis]
    if draw.happens(0.5):
        parts = draw.one(*[n for n in range(1, size + 1) if size % n == 0] or [1])
        options = {"sections": parts, "axis": axis, "indices": tuple_of([])}
        return [draw.array(shape)], options | given(draw, squeeze_axis=draw.happens(0.5))
    places = sorted(draw.sample(range(size + 1), min(size, draw.one(1, 2))))
    return [draw.array(shape)], {"indices": tuple_of([0, *[p for p in places if p]]), "axis": axis}


@template("diff")
def _diff(draw: Chance) -> Call:
    shape = draw.shape(1, 3)
    return [draw.array(shape)], given(
        draw, 0.5, n=draw.one(0, 1, 2, 3), axis=draw.randrange(-len(shape), len(shape))
    )


@template("bincount")
def _bincount(draw: Chance) -> Call:
    count = draw.size()
    options = given(draw, minlength=draw.one(0, 3, 8))
    if draw.happens(0.4):
        options["weights"] = draw.array((count,), draw.one("float32", "float64", "int32"))
    ids = draw.array((count,), draw.one("int32", "int64", "uint8", "int8"), ("ints", 0, 5))
    return [ids], options
