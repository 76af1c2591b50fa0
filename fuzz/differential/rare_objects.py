"""Draws programs of classes and functions that are no layers or operators: cells, images, data."""

from __future__ import annotations

from typing import Any

import gluonish as mx
from fuzz.differential.chance import FLOATS, Chance, Value, tuple_of
from fuzz.differential.classes import settings, written
from fuzz.differential.objects import Case, _case, built, kind
from fuzz.differential.templates import given

_DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def _cell(draw: Chance, depth: int = 0) -> tuple[Value, int]:
    """Return the plain data of a recurrent cell, and how wide its results are."""
    name = draw.one("RNNCell", "LSTMCell", "GRUCell")
    hidden, width = draw.one(1, 2, 3), 2
    plain = built(f"gluon.rnn.{name}", hidden, **given(draw, 0.3, input_size=width))
    kind = draw.random()
    if depth or kind < 0.3:
        return plain, hidden
    if kind < 0.5:
        other = draw.one("RNNCell", "LSTMCell", "GRUCell")
        base = built(f"gluon.rnn.{other}", width)
        return built("gluon.rnn.ResidualCell", base), width
    if kind < 0.7:
        options = given(draw, 0.7, zoneout_outputs=0.0, zoneout_states=0.0)
        return built("gluon.rnn.ZoneoutCell", plain, **options), hidden
    if kind < 0.85:
        return built("gluon.rnn.DropoutCell", draw.one(0.0, 0.0, 0.3)), width
    other = draw.one("RNNCell", "LSTMCell", "GRUCell")
    return built("gluon.rnn.BidirectionalCell", plain, built(f"gluon.rnn.{other}", 2)), hidden + 2


@kind
def _unrolled(draw: Chance) -> Case:
    """Return a recurrent cell that runs over several steps."""
    cell, _ = _cell(draw)
    steps, batch = draw.one(1, 2, 4), draw.one(1, 2, 3)
    layout = draw.one("NTC", "NTC", "TNC")
    shape = (batch, steps, 2) if layout == "NTC" else (steps, batch, 2)
    options: dict[str, Value] = given(draw, merge_outputs=draw.one(True, False, None))
    if layout == "TNC" or draw.happens(0.3):
        options["layout"] = layout
    if draw.happens(0.4):
        options["valid_length"] = draw.array((batch,), "float32", ("ints", 1, steps))
    data = draw.array(shape, "float32", ("normal",))
    return _case(
        draw,
        "unroll",
        cell["object"]["name"],
        options,
        cell=cell,
        length=steps,
        inputs=[data],
        hybrid=draw.happens(0.3),
    )


_SIMPLE: dict[str, Any] = {
    "Dense": lambda draw: built("gluon.nn.Dense", draw.one(1, 2, 3), **given(
        draw, activation=draw.one("relu", "tanh"), use_bias=draw.happens(0.5),
        flatten=draw.happens(0.5),
    )),
    "Dropout": lambda draw: built("gluon.nn.Dropout", draw.one(0.0, 0.4)),
    "BatchNorm": lambda draw: built("gluon.nn.BatchNorm", **given(
        draw, center=draw.happens(0.5), scale=draw.happens(0.5), epsilon=1e-3)),
    "LayerNorm": lambda draw: built("gluon.nn.LayerNorm"),
    "Flatten": lambda draw: built("gluon.nn.Flatten"),
    "Activation": lambda draw: built("gluon.nn.Activation", draw.one("relu", "tanh", "softsign")),
    "LeakyReLU": lambda draw: built("gluon.nn.LeakyReLU", 0.1),
    "PReLU": lambda draw: built("gluon.nn.PReLU"),
    "ELU": lambda draw: built("gluon.nn.ELU"),
    "Swish": lambda draw: built("gluon.nn.Swish"),
}  # fmt: skip
_CONVOLVED: dict[str, Any] = {
    "Conv2D": lambda draw: built("gluon.nn.Conv2D", draw.one(1, 2), draw.one(1, 2, 3), **given(
        draw, padding=1, strides=draw.one(1, 2), use_bias=draw.happens(0.5))),
    "MaxPool2D": lambda draw: built("gluon.nn.MaxPool2D", **given(draw, pool_size=2, strides=1)),
    "AvgPool2D": lambda draw: built("gluon.nn.AvgPool2D", **given(draw, pool_size=2, strides=1)),
    "InstanceNorm": lambda draw: built("gluon.nn.InstanceNorm"),
    "GlobalAvgPool2D": lambda draw: built("gluon.nn.GlobalAvgPool2D"),
}  # fmt: skip
_INITIALIZERS: tuple[Value, ...] = (
    None,
    "xavier",
    "normal",
    "uniform",
    "zeros",
    built("init.Normal", 0.5),
    built("init.Uniform", 0.3),
    built("init.Xavier", rnd_type="gaussian", factor_type="in", magnitude=2),
    built("init.MSRAPrelu"),
    built("init.One"),
    built("init.Orthogonal", rand_type="normal"),
)


@kind
def _network(draw: Chance) -> Case:
    """Return a network of several layers, with weights of an initializer."""
    is_deep = draw.happens(0.4)
    choices = {**_SIMPLE, **_CONVOLVED} if is_deep else _SIMPLE
    layers = [choices[draw.choice(sorted(choices))](draw) for _ in range(draw.randint(1, 4))]
    container = draw.one("nn.Sequential", "nn.HybridSequential", "nn.HybridSequential")
    if draw.happens(0.15):
        container = draw.one("contrib.nn.HybridConcurrent", "contrib.nn.Concurrent")
        layers = [_SIMPLE[draw.one("Dense", "Activation", "ELU")](draw) for _ in range(2)]
        layers = [built("gluon.nn.Flatten"), *layers][draw.one(0, 1) :]
    shape = (draw.one(2, 3), 2, 5, 6) if is_deep else (draw.one(2, 3), *draw.shape(1, 2))
    more: dict[str, Any] = {"np": True} if draw.happens(0.25) else {}
    return _case(
        draw,
        "network",
        container,
        {},
        layers=layers,
        init=draw.choice(_INITIALIZERS),
        inputs=[draw.array(shape, "float32", ("normal",))],
        hybrid=draw.happens(0.5),
        again=draw.happens(0.3),
        **more,
    )


@kind
def _convolved_cell(draw: Chance) -> Case:
    """Return a step of a convolutional or other contributed cell."""
    rank = draw.one(1, 2, 2, 3)
    sort = draw.one("RNN", "LSTM", "GRU")
    space = [draw.one(3, 4) for _ in range(rank)]
    batch, channels, hidden = draw.one(1, 2), draw.one(1, 2), draw.one(1, 2)
    path = f"contrib.rnn.Conv{rank}D{sort}Cell"
    kernel = tuple_of([draw.one(1, 3) for _ in range(rank)])
    kwargs: dict[str, Value] = {
        "input_shape": tuple_of([channels, *space]),
        "hidden_channels": hidden,
        "i2h_kernel": kernel,
        "h2h_kernel": tuple_of([draw.one(1, 3) for _ in range(rank)]),
        "i2h_pad": tuple_of([size // 2 for size in kernel["tuple"]]),
    }
    kwargs |= given(
        draw,
        activation=draw.one("relu", "sigmoid", "tanh"),
        h2h_dilate=tuple_of([1] * rank),
        i2h_dilate=tuple_of([1] * rank),
    )
    states = [
        draw.array((batch, hidden, *space), "float32", ("normal",))
        for _ in range(1 + (sort == "LSTM"))
    ]
    inputs = [draw.array((batch, channels, *space), "float32", ("normal",)), states]
    return _case(draw, "layer", path, kwargs, inputs=inputs, hybrid=draw.happens(0.4))


def _program(
    draw: Chance, name: str, args: list[Value], kwargs: dict[str, Value], *steps: Value, **more: Any
) -> Case:
    return _case(draw, "program", name, kwargs, args=args, steps=list(steps), **more)


@kind
def _image_function(draw: Chance) -> Case:
    """Return a function or an augmenter of mx.image."""
    height, width = draw.one(4, 6, 9), draw.one(5, 8)
    dtype = draw.one("uint8", "uint8", "float32")
    image = draw.array((height, width, 3), dtype, ("ints", 0, 255))
    numbers = draw.array((height, width, 3), "float32", ("ints", 0, 255))
    interp = given(draw, interp=draw.one(0, 1, 2, 3))
    size = tuple_of([draw.one(2, 4, 5), draw.one(2, 3, 4)])
    name = draw.one(
        "fixed_crop", "center_crop", "random_crop", "resize_short", "imresize", "color_normalize",
        "scale_down", "random_size_crop", "augmenter", "augmenter", "CreateAugmenter",
        "copyMakeBorder", "imrotate", "random_rotate",
    )  # fmt: skip
    if name == "fixed_crop":
        args = [image, draw.one(0, 1), draw.one(0, 1), draw.one(2, 3), draw.one(2, 3)]
        return _program(draw, "image.fixed_crop", args, given(draw, size=size) | interp)
    if name in ("center_crop", "random_crop"):
        return _program(draw, f"image.{name}", [image, size], interp)
    if name == "resize_short":
        return _program(draw, "image.resize_short", [image, draw.one(3, 5, 10)], interp)
    if name == "imresize":
        return _program(draw, "image.imresize", [image, draw.one(3, 10), draw.one(2, 7)], interp)
    if name == "copyMakeBorder":
        widths = [draw.one(0, 1, 2) for _ in range(4)]
        options = given(draw, type=draw.one(0, 1, 2), value=7.0)
        return _program(draw, "image.copyMakeBorder", [image, *widths], options)
    if name == "color_normalize":
        mean, std = (draw.array((3,), "float32", ("uniform", 1.0, 9.0)) for _ in range(2))
        return _program(draw, "image.color_normalize", [numbers, mean, draw.one(std, None)], {})
    if name == "scale_down":
        sizes = [tuple_of([draw.one(3, 9), draw.one(4, 7)]) for _ in range(2)]
        return _program(draw, "image.scale_down", sizes, {})
    if name == "random_size_crop":
        area = draw.one(0.3, tuple_of([0.2, 0.9]))
        args = [image, size, area, tuple_of([0.5, 2.0])]
        return _program(draw, "image.random_size_crop", args, interp)
    if name in ("imrotate", "random_rotate"):
        planes = draw.array((3, 5, 6), "float32", ("ints", 0, 255))
        angle = draw.one(30, -45, 90) if name == "imrotate" else tuple_of([-30, 30])
        options = given(draw, zoom_in=draw.happens(0.5))
        if "zoom_in" not in options:
            options = given(draw, zoom_out=draw.happens(0.5))
        return _program(draw, f"image.{name}", [planes, angle], options)
    if name == "CreateAugmenter":
        options = given(
            draw, resize=draw.one(4, 6), rand_crop=True, rand_resize=False, rand_mirror=True,
            mean=True, std=True, brightness=0.2, contrast=0.2, saturation=0.2, inter_method=1,
            rand_gray=0.5, pca_noise=0.1,
        )  # fmt: skip
        shape = tuple_of([3, draw.one(3, 4), draw.one(3, 4)])
        return _program(draw, "image.CreateAugmenter", [shape], options, ["apply all", [image]])
    sort, args, picture = draw.one(
        ("ResizeAug", [draw.one(4, 7)], image),
        ("ForceResizeAug", [size], image),
        ("RandomCropAug", [size], image),
        ("CenterCropAug", [size], image),
        ("HorizontalFlipAug", [draw.one(0, 0.5, 1)], image),
        ("CastAug", [draw.one("float32", "float16")], image),
        ("BrightnessJitterAug", [0.3], numbers),
        ("ContrastJitterAug", [0.3], numbers),
        ("SaturationJitterAug", [0.3], numbers),
        ("HueJitterAug", [0.3], numbers),
        ("ColorJitterAug", [0.3, 0.2, 0.1], numbers),
        ("RandomGrayAug", [0.6], numbers),
        ("RandomSizedCropAug", [size, 0.3, tuple_of([0.7, 1.3])], image),
    )
    return _program(draw, f"image.{sort}", args, {}, ["call", [picture]])


@kind
def _data(draw: Chance) -> Case:
    """Return an iterator, a dataset, or a function that splits data."""
    count = draw.one(1, 3, 5, 6)
    data = draw.array((count, 2), draw.one("float32", "float64", "int32"), ("ints", 0, 9))
    label = draw.array((count,), "float32", ("ints", 0, 3))
    batch = draw.one(1, 2, 3)
    sort = draw.one("iter", "iter", "loader", "dataset", "split", "split_load", "clip")
    if sort == "iter":
        options = given(
            draw,
            shuffle=draw.happens(0.3),
            last_batch_handle=draw.one("pad", "discard", "roll_over"),
            data_name="d",
            label_name="l",
        )
        args = [data, draw.one(None, label, label), min(batch, count)]
        return _program(draw, "io.NDArrayIter", args, options, ["batches", []])
    dataset = built("gluon.data.ArrayDataset", data, label)
    if sort == "loader":
        options = {"batch_size": batch} | given(
            draw, shuffle=draw.happens(0.4), last_batch=draw.one("keep", "discard", "rollover")
        )
        return _program(draw, "gluon.data.DataLoader", [dataset], options, ["list", []])
    if sort == "dataset":
        step = draw.one(
            ["shard", [draw.one(1, 2), 0]],
            ["take", [draw.one(0, 2, 9, None)]],
            ["sample", [built("gluon.data.SequentialSampler", draw.one(1, min(2, count)))]],
        )
        return _program(draw, "gluon.data.ArrayDataset", [data, label], {}, step, ["items", []])
    if sort in ("split", "split_load"):
        even = {"even_split": draw.happens(0.5)} if draw.happens(0.6) else {}
        axis = given(draw, batch_axis=draw.one(0, 1))
        if sort == "split":
            return _program(draw, "gluon.utils.split_data", [data, draw.one(1, 2, 3)], axis | even)
        contexts = [built("cpu", 0), built("cpu", 1)][: draw.one(1, 2)]
        return _program(draw, "gluon.utils.split_and_load", [data, contexts], axis | even)
    arrays = [draw.array(draw.shape(1, 2), "float32", ("normal", 3.0)) for _ in range(2)]
    options = given(draw, check_isfinite=draw.happens(0.5))
    return _program(
        draw, "gluon.utils.clip_global_norm", [arrays, draw.one(1.0, 0.1, 100)], options
    )


@kind
def _sparse(draw: Chance) -> Case:
    """Return a call with sparse arrays."""
    dtype = draw.one("float32", "float32", "float64")
    rows, columns = draw.one(1, 3, 4), draw.one(1, 2, 5)
    values = ("ints", -1, 2)
    stype = draw.one("csr", "row_sparse")

    def one(shape: tuple[int, ...], stype: str) -> Value:
        array = draw.array(shape, dtype, values)
        if stype != "default":
            array["array"]["stype"] = stype
        return array

    first = one((rows, columns), stype)
    dense = one((rows, columns), "default")
    name = draw.one(
        "dot", "dot", "retain", "binary", "binary", "unary", "unary", "sum", "scalar", "clip",
        "cast", "slice", "add_n", "norm", "zeros_like", "method",
    )  # fmt: skip
    if name == "dot":
        ta = draw.happens(0.5)
        inner, width = (rows if ta else columns), draw.one(1, 2, 3)
        first = one((rows, columns), "csr")
        other = one((inner, width), draw.one("default", "row_sparse"))
        return _program(draw, "nd.sparse.dot", [first, other], given(draw, 1.0, transpose_a=ta))
    if name == "retain":
        first = one((rows, columns), "row_sparse")
        ids = sorted(draw.sample(range(rows), draw.randint(1, rows)))
        places = draw.array((len(ids),), "int64", ("literal", ids))
        return _program(draw, "nd.sparse.retain", [first, places], {})
    if name == "binary":
        operator = draw.one("elemwise_add", "elemwise_sub", "elemwise_mul", "add", "subtract",
                            "multiply", "divide", "elemwise_div")  # fmt: skip
        other = draw.one(dense, one((rows, columns), stype), one((rows, columns), stype))
        pair = [first, other] if draw.happens(0.8) else [other, first]
        return _program(draw, f"nd.sparse.{operator}", pair, {})
    if name == "unary":
        function = draw.one(
            "abs", "sign", "square", "sqrt", "relu", "sin", "tan", "arcsin", "arctan", "sinh",
            "tanh", "arcsinh", "expm1", "log1p", "ceil", "floor", "rint", "round", "fix", "trunc",
            "negative", "degrees", "radians",
        )  # fmt: skip
        if function == "round":
            function = "rint"
        return _program(draw, f"nd.sparse.{function}", [first], {})
    if name == "sum":
        options = given(draw, 0.8, axis=draw.one(0, 1), keepdims=draw.happens(0.5))
        return _program(draw, f"nd.sparse.{draw.one('sum', 'mean')}", [first], options)
    if name == "scalar":
        number = draw.one(2, 0.5, -1.0, 3)
        method = draw.one("__mul__", "__truediv__", "__rmul__", "__add__", "__sub__")
        return _program(draw, "nd.sparse.abs", [first], {}, [method, [number]])
    if name == "clip":
        return _program(draw, "nd.sparse.clip", [first, draw.one(-1, 0, 1), 1.5], {})
    if name == "cast":
        other = draw.one("default", "row_sparse", "csr")
        return _program(draw, "nd.sparse.cast_storage", [draw.one(dense, first), other], {})
    if name == "slice":
        bounds = [draw.randint(0, rows - 1), None]
        return _program(
            draw,
            "nd.sparse.abs",
            [one((rows, columns), "csr")],
            {},
            ["[]", [{"slice": [*bounds, None]}]],
        )
    if name == "add_n":
        return _program(
            draw,
            "nd.sparse.add_n",
            [first, one((rows, columns), stype), draw.one(first, dense)],
            {},
        )
    if name == "norm":
        return _program(draw, "nd.norm", [first], {})
    if name == "zeros_like":
        return _program(draw, "nd.sparse.zeros_like", [first], {})
    method = draw.one(
        ["asnumpy", []], ["copy", []], ["tostype", ["default"]], ["astype", ["float64"]],
        ["asscipy", []], ["as_nd_ndarray", []], ["todense", []],
    )  # fmt: skip
    return _program(draw, "nd.sparse.abs", [first], {}, method)


@kind
def _array(draw: Chance) -> Case:
    """Return what an array's own methods and Python's functions make of it."""
    is_np = draw.happens(0.5)
    draw.is_np = is_np
    shape, dtype = draw.shape(0, 3), draw.any_dtype()
    values = ("ints", 0 if dtype[0] in "ub" else -3, 1 if dtype == "bool" else 9)
    first = draw.array(shape, dtype, draw.one(values, draw.values(dtype)))
    rank, number = len(shape), draw.number()
    key: Value = draw.randrange(-shape[0], shape[0]) if shape and shape[0] else None
    others = draw.array(draw.alike(shape), draw.one(dtype, draw.any_dtype()))
    number = draw.one(number, number, True, {"number": ["float32", 1.5]}, {"number": ["int64", 2]})
    operators = (
        "add", "sub", "mul", "truediv", "mod", "pow", "eq", "ne", "lt", "le", "gt", "ge",
    )  # fmt: skip
    in_place = ("iadd", "isub", "imul", "itruediv", "imod")
    step = draw.one(
        ["repr", []],
        ["str", []],
        ["len", []],
        ["bool", []],
        ["float", []],
        ["int", []],
        ["list", []] if rank else ["item", []],
        ["python", [draw.choice(operators), draw.one(number, others)]],
        ["python", [draw.choice(operators), draw.one(number, others)]],
        ["python", [draw.choice(in_place), draw.one(number, others)]],
        ["python", [draw.choice(in_place), draw.one(number, others)]],
        ["reflected", [draw.choice(operators), number]],
        ["reflected", [draw.choice(operators), number]],
        ["asnumpy", []],
        ["asscalar", []],
        ["item", []],
        ["tolist", []],
        ["copy", []],
        ["astype", [draw.choice(_DTYPES)]],
        ["astype", [draw.choice(_DTYPES), draw.happens(0.5)]],
        ["reshape", [draw.one(-1, tuple_of([-1]), tuple_of([-1, *shape[1:]]), tuple_of([0, -1]))]],
        ["reshape", [-1, draw.one(1, 2)]],
        ["attribute", [draw.one("shape", "size", "ndim", "dtype", "T", "context", "stype")]],
        ["transpose", draw.sample(range(rank), rank) if draw.happens(0.7) else []],
        ["set", [draw.one(key, {"ellipsis": 0}, {"slice": [None, None, None]}), number]],
        ["set", [draw.one({"ellipsis": 0}, {"slice": [None, None, None]}), others]],
        ["[]", [draw.one(key, tuple_of([key, None]), {"slice": [None, None, -1]})]],
        ["detach", []],
        ["as_np_ndarray", []],
        ["as_nd_ndarray", []],
        ["onp", [draw.one("sum", "mean", "exp", "sort", "concatenate", "shape"), 1]],
    )  # fmt: skip
    return _program(
        draw, "np.array" if is_np else "nd.array", [{**first}], {"dtype": dtype}, step, np=is_np
    )


@kind
def _second_gradient(draw: Chance) -> Case:
    """Return a function whose gradient is differentiated again."""
    name = draw.one(
        "sin", "cos", "exp", "log", "sqrt", "square", "tanh", "sigmoid", "relu", "reciprocal",
        "rsqrt", "cbrt", "abs", "log1p", "expm1", "arctan", "sinh", "cosh", "log2", "log10",
        "rcbrt", "arcsin", "arccos", "tan",
    )  # fmt: skip
    values = ("uniform", 0.1, 0.9) if name.startswith(("log", "sqrt", "r", "arc")) else ("normal",)
    data = draw.array(draw.shape(1, 2), draw.one("float32", "float64"), values)
    return _case(draw, "second", name, {}, inputs=[data])


_SHAPED = ("FullyConnected", "Convolution", "BatchNorm", "Embedding", "LayerNorm", "Deconvolution",
           "Concat", "broadcast_add", "elemwise_add", "Reshape", "Pooling", "LeakyReLU", "dot",
           "SliceChannel", "transpose", "expand_dims", "sum", "InstanceNorm")  # fmt: skip


@kind
def _inferred(draw: Chance) -> Case:
    """Return a graph whose shapes, dtypes, names and JSON are asked for."""
    name = draw.choice(_SHAPED)
    options: dict[str, Value] = {}
    draw.empty = 0.0
    shape = draw.shape(2, 4)
    count = 1
    if name == "FullyConnected":
        options = {"num_hidden": 3} | given(draw, flatten=False, no_bias=True)
    elif name in ("Convolution", "Deconvolution"):
        shape = (2, 4, 7, 8)
        options = {"kernel": tuple_of([2, 3]), "num_filter": 4} | given(
            draw, stride=tuple_of([2, 1]), pad=tuple_of([1, 0]), num_group=2, no_bias=True
        )
    elif name == "Pooling":
        shape = (2, 4, 7, 8)
        options = {"kernel": tuple_of([2, 2]), "pool_type": draw.one("max", "avg")} | given(
            draw, stride=tuple_of([2, 2]), pooling_convention="full", global_pool=True
        )
    elif name == "Embedding":
        options = {"input_dim": 5, "output_dim": 3}
    elif name in ("Concat", "broadcast_add", "elemwise_add", "dot"):
        count = 2
        shape = (3, 3) if name == "dot" else shape
        options = {"dim": draw.one(0, 1)} if name == "Concat" else {}
    elif name == "Reshape":
        options = {"shape": draw.one(tuple_of([-1]), tuple_of([0, -1]), tuple_of([-2]))}
    elif name == "SliceChannel":
        shape = (2, 4, 3)
        options = {"num_outputs": draw.one(2, 4), "axis": 1} | given(draw, squeeze_axis=False)
    elif name == "expand_dims":
        options = {"axis": draw.randint(0, len(shape))}
    elif name == "sum":
        options = given(draw, axis=draw.randrange(len(shape)), keepdims=True)
    elif name == "InstanceNorm":
        shape = (2, 3, 4)
    elif name == "LeakyReLU":
        options = {"act_type": draw.one("leaky", "prelu", "elu")}
    if draw.happens(0.5):
        options["name"] = "mine"
    more = {"known": draw.happens(0.8), "after": draw.one("", "Activation", "Flatten", "mean")}
    return _case(
        draw, "inferred", name, options, shape=list(shape), count=count,
        dtype=draw.one("float32", "float64", "float16"), **more,
    )  # fmt: skip


@kind
def _measured(draw: Chance) -> Case:
    """Return a metric made otherwise, updated by name, reset, and asked for everything."""
    updates = []
    batch, classes = draw.one(1, 3), draw.one(2, 4)
    for _ in range(draw.one(1, 2)):
        label = draw.array((batch,), draw.one("float32", "int32"), ("ints", 0, classes - 1))
        pred = draw.array((batch, classes), draw.one("float32", "float64"), ("simplex",))
        updates.append([label, pred])
    name = draw.one("acc", "ce", "top_k_accuracy", "nll_loss", "composite", "list", "loss")
    kwargs: dict[str, Value] = given(draw, 0.5, name="mine") if name != "list" else {}
    if name == "top_k_accuracy":
        kwargs["top_k"] = 2
    reset = draw.one("", "", "reset", "reset_local")
    return _case(draw, "measured", name, kwargs, inputs=updates, reset=reset)


@kind
def _any_rnn(draw: Chance) -> Case:
    """Return a recurrent layer with states, layouts and dtypes."""
    name = draw.one("RNN", "LSTM", "GRU")
    steps, batch, width = draw.one(1, 3), draw.one(1, 2), draw.one(1, 2)
    hidden, layers, both = draw.one(1, 2, 3), draw.one(1, 2), draw.happens(0.4)
    layout = draw.one("TNC", "NTC")
    shape = (steps, batch, width) if layout == "TNC" else (batch, steps, width)
    kwargs: dict[str, Value] = {"hidden_size": hidden, "num_layers": layers, "layout": layout}
    kwargs |= {"bidirectional": both} | given(
        draw, input_size=width, i2h_weight_initializer="ones", h2h_bias_initializer="ones"
    )
    if name == "RNN":
        kwargs |= given(draw, activation=draw.one("relu", "tanh"))
    inputs: list[Value] = [draw.array(shape, "float32", ("normal",))]
    if draw.happens(0.6):
        state = (layers * (1 + both), batch, hidden)
        states = [draw.array(state, "float32", ("normal",)) for _ in range(1 + (name == "LSTM"))]
        inputs.append(states if draw.happens(0.7) or len(states) > 1 else states[0])
    more = {"np": True} if draw.happens(0.2) else {}
    hybrid = draw.happens(0.4)
    return _case(draw, "layer", f"rnn.{name}", kwargs, inputs=inputs, hybrid=hybrid, **more)


@kind
def _scheduled(draw: Chance) -> Case:
    """Return a schedule with every keyword, written in every way."""
    name = draw.one("FactorScheduler", "MultiFactorScheduler", "PolyScheduler", "CosineScheduler")
    kwargs = given(
        draw,
        base_lr=written(draw, draw.one(0.1, 1.0, 2)),
        warmup_steps=draw.one(0, 1, 3, 5),
        warmup_begin_lr=draw.one(0, 0.01),
        warmup_mode=draw.one("linear", "constant"),
    )
    if name == "FactorScheduler":
        kwargs |= {"step": draw.one(1, 2, 3)} | given(
            draw, factor=draw.one(0.5, 1, 0.1), stop_factor_lr=draw.one(1e-3, 0.2)
        )
    elif name == "MultiFactorScheduler":
        kwargs |= {"step": draw.one([1], [2, 5], [1, 2, 3, 9])} | given(
            draw, factor=draw.one(0.5, 1)
        )
    else:
        kwargs |= {"max_update": draw.one(1, 5, 10)} | given(draw, final_lr=draw.one(0, 0.01))
        if name == "PolyScheduler":
            kwargs |= given(draw, pwr=draw.one(1, 2, 3))
    return _case(draw, "schedule", name, kwargs)


@kind
def _trained(draw: Chance) -> Case:
    """Return a Trainer's steps over a small network."""
    name = draw.one(
        "sgd", "adam", "nag", "rmsprop", "adagrad", "adadelta", "ftrl", "adamax", "signum"
    )
    options: dict[str, Value] = {"learning_rate": draw.one(0.1, 0.01)} | given(
        draw, wd=draw.one(0.1, 0.01), clip_gradient=0.5, rescale_grad=0.5
    )
    if name in ("sgd", "nag", "signum"):
        options |= given(draw, momentum=0.9)
    shape = (draw.one(1, 2, 3), 2)
    return _case(
        draw, "trained", name, options,
        inputs=[draw.array(shape, "float32", ("normal",)) for _ in range(2)],
        hybrid=draw.happens(0.5), req=draw.one("write", "write", "add"),
        mults=[draw.one(1.0, 0.5, 0), draw.one(1.0, 2.0)],
        size=draw.one(1, 2, 4), init=draw.choice(_INITIALIZERS[1:]),
    )  # fmt: skip


@kind
def _any_np(draw: Chance) -> Case:
    """Return a layer of settings for `np` arrays, of any dtype."""
    dtype = draw.choice(FLOATS)
    shape = draw.shape(2, 4)
    name = draw.one(
        "nn.Dense", "nn.LayerNorm", "nn.BatchNorm", "nn.Activation", "nn.Flatten", "nn.Dropout"
    )
    kwargs = settings(draw, getattr(mx.gluon.nn, name[3:]), 2)
    inputs = [draw.array(shape, dtype)]
    return _case(
        draw, "layer", name, kwargs, inputs=inputs, hybrid=draw.happens(0.4), np=True, cast=dtype
    )


@kind
def _computed_by_numpy(draw: Chance) -> Case:
    """Return a function of `np` that NumPy itself computes in MXNet."""
    draw.is_np = True
    shape = draw.shape(1, 2)
    first = draw.array(shape, draw.one("float32", "float64", "int32"))
    count = draw.one(1, 3, 5)
    flat = draw.array((count,), draw.one("float32", "float64", "int32"))
    other = draw.array((count,), flat["array"]["dtype"])
    name, args, kwargs = draw.one(
        ("lexsort", [[flat, other]], {}),
        ("argpartition", [flat, draw.randrange(count)], {}),
        ("partition", [flat, draw.randrange(count)], {}),
        ("correlate", [flat, other], given(draw, mode=draw.one("valid", "same", "full"))),
        ("divmod", [first, 2.0], {}),
        ("float_power", [first, 2], {}),
        ("frexp", [first], {}),
        ("modf", [first], {}),
        ("signbit", [first], {}),
        ("spacing", [draw.array(shape, "float32")], {}),
        ("i0", [first], {}),
        ("histogram2d", [flat, other], given(draw, bins=draw.one(2, 3))),
        ("histogram_bin_edges", [flat], given(draw, bins=draw.one(2, 3))),
        ("intersect1d", [flat, other], {}),
        ("union1d", [flat, other], {}),
        ("setdiff1d", [flat, other], {}),
        ("setxor1d", [flat, other], {}),
        ("nanmedian", [first], given(draw, axis=draw.randrange(len(shape)))),
        ("nanpercentile", [first, draw.one(30, 50)], {}),
        ("nanquantile", [first, draw.one(0.3, 0.5)], {}),
        ("polyadd", [flat, other], {}),
        ("polymul", [flat, other], {}),
        ("polysub", [flat, other], {}),
        ("polyint", [flat], {}),
        ("poly", [flat], {}),
        ("roots", [flat], {}),
        ("trim_zeros", [draw.array((count,), "float32", ("ints", 0, 1))], {}),
        ("unwrap", [flat], {}),
        ("ndim", [first], {}),
        ("size", [first], {}),
        ("shape", [first], {}),
        ("may_share_memory", [first, first], {}),
        ("packbits", [draw.array((count,), "uint8", ("ints", 0, 1))], {}),
        ("unravel_index", [draw.array((count,), "int32", ("ints", 0, 5)), tuple_of([2, 3])], {}),
        ("ix_", [draw.array((count,), "int32", ("ints", 0, 5))], {}),
        ("promote_types", ["float32", draw.choice(_DTYPES)], {}),
        ("apply_along_axis", [{"object": {"name": "np.sum"}}, 0, first], {}),
    )  # fmt: skip
    return _program(draw, f"np.{name}", args, kwargs, np=True)


@kind
def _rows_updated(draw: Chance) -> Case:
    """Return an optimizer with gradients of rows."""
    name = draw.one(
        "sgd", "adam", "adagrad", "ftrl", "nag", "rmsprop", "sgd", "adam", "groupadagrad"
    )
    kwargs: dict[str, Value] = given(
        draw, learning_rate=draw.one(0.1, 0.01), wd=draw.one(0.0, 0.1), clip_gradient=0.4,
        rescale_grad=0.5,
    )  # fmt: skip
    if name in ("sgd", "nag"):
        kwargs |= given(draw, momentum=0.9)
    if name in ("sgd", "adam"):
        kwargs |= given(draw, lazy_update=draw.happens(0.5))
    if name == "groupadagrad":
        kwargs.pop("wd", None)
    shape = (draw.one(2, 4), draw.one(1, 3))
    arrays = [draw.array(shape, "float32", ("normal",))]
    for _ in range(draw.one(1, 3)):
        rows = [[draw.one(0, 0, 1)] * shape[1] for _ in range(shape[0])]
        arrays.append(draw.array(shape, "float32", ("literal", rows)))
        arrays[-1]["array"]["stype"] = "row_sparse"
    if draw.happens(0.3):
        arrays[0]["array"]["stype"] = "row_sparse"
    return _case(draw, "optimizer", name, kwargs, inputs=arrays)


@kind
def _composed(draw: Chance) -> Case:
    """Return transforms after each other, or one that happens at times."""
    image = draw.array((draw.one(5, 6), draw.one(4, 7), 3), "uint8", ("ints", 0, 255))
    path = "gluon.data.vision.transforms."
    first = built(path + "Resize", draw.one(4, tuple_of([5, 4])))
    several = [first, built(path + "ToTensor")]
    if draw.happens(0.5):
        several.append(built(path + "Normalize", draw.one(0.3, tuple_of([0.1, 0.2, 0.3])), 0.5))
    if draw.happens(0.3):
        return _program(
            draw, path + "RandomApply", [built(path + "Cast"), 0.5], {}, ["call", [image]]
        )
    name = draw.one("Compose", "HybridCompose")
    return _program(draw, path + name, [several], {}, ["call", [image]])
