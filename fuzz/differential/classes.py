"""Draws objects from the signatures of their classes: every keyword, layouts, dtypes, axes."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

import gluonish as mx
from fuzz.differential.chance import Chance, Shape, Value, tuple_of
from fuzz.differential.objects import Case, _case, built, kind

if TYPE_CHECKING:
    from collections.abc import Callable

_ACTS = ("relu", "sigmoid", "tanh", "softrelu", "softsign")
_LAYOUTS = {1: ("NCW", "NWC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}
_LOSSES = [name for name in mx.gluon.loss.__all__ if name not in ("Loss", "SDMLLoss")]
_LAYERS = [
    *[f"nn.{name}" for name in mx.gluon.nn.__all__],
    *[f"contrib.nn.{name}" for name in mx.gluon.contrib.nn.__all__],
    *[f"rnn.{name}" for name in ("RNN", "LSTM", "GRU", "RNNCell", "LSTMCell", "GRUCell")],
    "contrib.rnn.LSTMPCell",
]
_LAYERS = [
    name
    for name in _LAYERS
    if name.rpartition(".")[2]
    not in (
        "Block", "HybridBlock", "SymbolBlock", "HybridLambda", "Lambda", "HybridSequential",
        "Sequential", "BatchNormReLU", "Concurrent", "HybridConcurrent", "basic_layers",
        "SparseEmbedding",
    )
]  # fmt: skip


def written(draw: Chance, value: Value) -> Value:
    """Return a number as programs may write it: plain, of NumPy, or as text."""
    if isinstance(value, bool) or not isinstance(value, (int, float)) or draw.happens(0.9):
        return value
    kinds = ["int64", "int32"] if isinstance(value, int) else ["float32", "float64"]
    return {"number": [draw.choice(kinds), value]}


def _sizes(*choices: int) -> Callable[[Chance, int], Value]:
    def draw_sizes(draw: Chance, rank: int) -> Value:
        if draw.happens(0.5):
            return written(draw, draw.choice(choices))
        several = [draw.choice(choices) for _ in range(rank)]
        return draw.one(tuple_of(several), tuple_of(several), several)

    return draw_sizes


_VALUES: dict[str, Callable[[Chance, int], Value]] = {
    "activation": lambda draw, rank: draw.one(None, *_ACTS),
    "recurrent_activation": lambda draw, rank: draw.one("sigmoid", "tanh", "relu"),
    "alpha": lambda draw, rank: draw.one(0.1, 0.5, 0, 1, 1.7),
    "axes": lambda draw, rank: draw.one(tuple_of([]), tuple_of([0]), 0, tuple_of([1])),
    "beta": lambda draw, rank: draw.one(1.0, 0.5, -1.0, 2),
    "channels": lambda draw, rank: draw.one(2, 4),
    "dilation": _sizes(1, 1, 2),
    "dropout": lambda draw, rank: 0,
    "epsilon": lambda draw, rank: draw.one(1e-5, 1e-3, 0.1),
    "eps": lambda draw, rank: draw.one(1e-12, 1e-3, 0.1, 0),
    "factor": lambda draw, rank: draw.one(1, 2, tuple_of([2] * rank)) if rank > 1 else 2,
    "from_logits": lambda draw, rank: draw.happens(0.5),
    "from_sigmoid": lambda draw, rank: draw.happens(0.5),
    "hidden_size": lambda draw, rank: draw.one(1, 2, 3),
    "input_dim": lambda draw, rank: 4,
    "kernel_size": _sizes(1, 2, 3),
    "label_format": lambda draw, rank: draw.one("signed", "binary"),
    "margin": lambda draw, rank: draw.one(0, 0.5, 1, 2),
    "momentum": lambda draw, rank: draw.one(0.9, 0.5, 0.0, 1.0),
    "num_groups": lambda draw, rank: draw.one(1, 2, 4),
    "num_layers": lambda draw, rank: draw.one(1, 2),
    "output_dim": lambda draw, rank: draw.one(1, 3),
    "output_padding": _sizes(0, 0, 1),
    "padding": _sizes(0, 1, 2),
    "pool_size": _sizes(1, 2, 3),
    "projection_size": lambda draw, rank: draw.one(1, 2),
    "rate": lambda draw, rank: draw.one(0, 0.3, 0.5, 0.9, 1),
    "rho": lambda draw, rank: draw.one(0.5, 1, 2),
    "strides": lambda draw, rank: draw.one(None, _sizes(1, 2, 3)(draw, rank)),
    "units": lambda draw, rank: draw.one(1, 2, 4),
    "weight": lambda draw, rank: draw.one(None, 0.5, 2.0, 0, -1, 3),
    "batch_axis": lambda draw, rank: draw.one(0, 0, 1, -1),
    "axis": lambda draw, rank: draw.one(0, 1, -1, -2, 2),
}
_NEVER = (
    "self", "kwargs", "prefix", "params", "state_clip_min", "state_clip_max", "state_clip_nan",
    "in_channels", "in_units", "input_size", "name", "output_names", "label_names", "num_devices",
    "options", "layout", "dtype", "groups",
)  # fmt: skip


def settings(draw: Chance, build: Any, rank: int, **fixed: Value) -> dict[str, Value]:
    """Return keywords for a class: all it needs, some of the others, and what is fixed."""
    found: dict[str, Value] = {}
    often = draw.one(0.15, 0.4, 0.8)
    for name, parameter in inspect.signature(build.__init__).parameters.items():
        if name in _NEVER or name in fixed:
            continue
        needed = parameter.default is parameter.empty
        if not needed and not draw.happens(often):
            continue
        if name in _VALUES:
            found[name] = _VALUES[name](draw, rank)
        elif name.endswith("_initializer"):
            found[name] = draw.one("zeros", "ones")
        elif isinstance(parameter.default, bool):
            found[name] = draw.one(True, False, True, False, 1, 0)
        elif isinstance(parameter.default, (int, float)):
            found[name] = written(draw, draw.one(0.5, 0.1, 1.0))
    return {name: found[name] for name in found if name != "rate" or found[name] != 1} | fixed


def _rank(name: str) -> int:
    return next((int(rank) for rank in "123" if f"{rank}D" in name), 0)


@kind
def _any_layer(draw: Chance) -> Case:
    """Return a layer with keywords from its signature, and data of its layout and dtype."""
    path = draw.choice(_LAYERS)
    name = path.rpartition(".")[2]
    build: Any = mx.gluon
    for part in path.split("."):
        build = getattr(build, part)
    rank, is_np = _rank(name), draw.happens(0.35)
    dtype = draw.one("float32", "float32", "float32", "float64", "float16")
    fixed: dict[str, Value] = {}
    inputs: list[Value] = []
    parameters = inspect.signature(build.__init__).parameters
    shape = draw.shape(2, 4)
    if name in ("RNN", "LSTM", "GRU"):
        layout, dtype = draw.one("TNC", "NTC"), "float32"
        fixed = {"layout": layout}
        steps, batch, width = draw.one(1, 3), draw.one(1, 2), draw.one(1, 2)
        shape = (steps, batch, width) if layout == "TNC" else (batch, steps, width)
    elif name.endswith("Cell"):
        return _any_cell(draw, path, build, is_np)
    elif rank and "PixelShuffle" not in name and "Pad" not in name:
        layout = draw.choice(_LAYOUTS[rank]) if draw.happens(0.3) else _LAYOUTS[rank][0]
        space = tuple(draw.one(1, 4, 5, 7) for _ in range(rank))
        batch, channels = draw.one(1, 2, 3), draw.one(2, 4)
        is_last = layout.endswith("C")
        shape = (batch, *space, channels) if is_last else (batch, channels, *space)
        fixed = {"layout": layout} if is_last or draw.happens(0.2) else {}
        if "groups" in parameters and draw.happens(0.25):
            fixed["groups"] = 2
        if "in_channels" in parameters and draw.happens(0.2):
            fixed["in_channels"] = channels
    elif name.startswith("PixelShuffle"):
        shape = (draw.one(1, 2), 2**rank * draw.one(1, 2), *[draw.one(1, 2, 3)] * rank)
        fixed = {"factor": draw.one(2, 2.0, tuple_of([2] * rank), {"number": ["int64", 2]})}
    elif name == "ReflectionPad2D":
        shape = (draw.one(1, 2), 2, 4, 5)
        one = draw.one(0, 1, 2)
        fixed = {"padding": draw.one(one, written(draw, one), tuple_of([0, 0, 0, 0, 1, one, 2, 0]))}
    elif name == "GroupNorm":
        shape = (draw.one(1, 2), 4, *draw.shape(1, 2))
    elif name in ("Conv2D", "DeformableConvolution", "ModulatedDeformableConvolution"):
        shape = (draw.one(1, 2), draw.one(2, 4), 5, 4)
        dtype = "float32"
    elif name == "Embedding":
        ids = draw.one("float32", "int32", "int64", "float64", "uint8")
        inputs = [draw.array(draw.shape(1, 3), ids, ("ints", 0, 3))]
    elif name == "PReLU":
        fixed = {"in_channels": shape[1]} if draw.happens(0.5) else {}
    kwargs = settings(draw, build, rank or 2, **fixed)
    if "dtype" in parameters and dtype != "float32" and draw.happens(0.5):
        kwargs["dtype"] = dtype
    inputs = inputs or [draw.array(shape, dtype)]
    more = {"cast": dtype} if dtype != "float32" else {}
    if is_np:
        more["np"] = True
    return _case(draw, "layer", path, kwargs, inputs=inputs, hybrid=draw.happens(0.4), **more)


def _any_cell(draw: Chance, path: str, build: Any, is_np: bool) -> Case:
    width, batch = draw.one(1, 2), draw.one(1, 2)
    kwargs = settings(draw, build, 1)
    if kwargs.get("activation", "") is None:
        kwargs["activation"] = "tanh"
    sizes = [kwargs["hidden_size"]]
    if "LSTMP" in path:
        sizes = [kwargs["projection_size"], kwargs["hidden_size"]]
    elif "LSTM" in path:
        sizes *= 2
    states = [draw.array((batch, size), "float32", ("normal",)) for size in sizes]
    inputs = [draw.array((batch, width), "float32", ("normal",)), states]
    more = {"np": True} if is_np else {}
    return _case(draw, "layer", path, kwargs, inputs=inputs, hybrid=draw.happens(0.4), **more)


@kind
def _any_loss(draw: Chance) -> Case:
    """Return a loss with keywords from its signature, and data of one to four axes."""
    name = draw.choice(_LOSSES)
    build = getattr(mx.gluon.loss, name)
    kwargs = settings(draw, build, 2)
    dtype = draw.one("float32", "float32", "float32", "float64", "float16")
    shape: Shape = tuple(draw.one(1, 2, 3, 4) for _ in range(draw.one(1, 2, 2, 3, 4)))
    values: tuple[Value, ...] = draw.one(("normal",), ("normal", 4.0))
    is_rate = name == "PoissonNLLLoss" and not kwargs.get("from_logits", 1)
    if kwargs.get("from_sigmoid") or is_rate:
        values = ("uniform", 0.01, 0.99)
    pred = draw.array(shape, dtype, values)
    label = draw.array(shape, dtype, ("normal",))
    inputs = [pred, label]
    if name.startswith("Softmax"):
        axis = kwargs.get("axis", -1)
        if kwargs.get("sparse_label", True) and -len(shape) <= axis < len(shape):
            where = tuple(s for place, s in enumerate(shape) if place != axis % len(shape))
            if draw.happens(0.15):
                where = tuple(
                    1 if place == axis % len(shape) else s for place, s in enumerate(shape)
                )
            ids = draw.one(dtype, "int32", "int64", "float32")
            inputs[1] = draw.array(where or (1,), ids, ("ints", 0, shape[axis] - 1))
        else:
            inputs[1] = draw.array(shape, dtype, ("simplex",))
    elif name in ("KLDivLoss",):
        inputs[1] = draw.array(shape, dtype, ("simplex",))
    elif name.startswith("Sigmoid"):
        inputs[1] = draw.array(shape, dtype, draw.one(("uniform", 0.0, 1.0), ("ints", 0, 1)))
        if draw.happens(0.3):
            inputs += [None, draw.array(draw.one(shape, (1,)), dtype, ("uniform", 0.5, 2.0))]
    elif name == "CTCLoss":
        layout, label_layout = draw.one("NTC", "TNC"), draw.one("NT", "TN")
        kwargs |= {"layout": layout, "label_layout": label_layout}
        batch, steps, length = draw.one(1, 2), draw.one(4, 5), draw.one(1, 2)
        inputs = [
            draw.array(
                (batch, steps, 4) if layout == "NTC" else (steps, batch, 4), "float32", ("normal",)
            ),
            draw.array(
                (batch, length) if label_layout == "NT" else (length, batch),
                draw.one("float32", "int32"),
                ("ints", draw.one(0, 0, -1), 2),
            ),
        ]
        if draw.happens(0.4):
            inputs += [
                draw.array((batch,), "float32", ("ints", 3, steps)),
                draw.array((batch,), "float32", ("ints", 1, length)),
            ]
    elif name in ("HingeLoss", "SquaredHingeLoss", "LogisticLoss"):
        inputs[1] = draw.array(shape, dtype, ("ints", 0, 1))
    elif name == "TripletLoss":
        inputs.append(draw.array(shape, dtype, ("normal",)))
    elif name == "PoissonNLLLoss":
        inputs[1] = draw.array(shape, dtype, ("ints", 1, 4))
    elif name == "CosineEmbeddingLoss":
        count = shape[0]
        signs = ("literal", [draw.one(-1, 1) for _ in range(count)])
        inputs.append(draw.array((count,), dtype, signs))
    if len(inputs) == 2 and draw.happens(0.25):
        alone = tuple(1 if place else s for place, s in enumerate(shape))
        inputs.append(draw.array(draw.one(shape, alone, (1,)), dtype, ("uniform", 0.0, 2.0)))
    more = {"np": True} if draw.happens(0.3) else {}
    hybrid = draw.happens(0.4)
    return _case(draw, "layer", f"loss.{name}", kwargs, inputs=inputs, hybrid=hybrid, **more)


_OPTIMIZERS = [
    name
    for name in mx.optimizer.__all__
    if name[0].isupper() and name not in ("AdamW", "LBSGD", "Optimizer", "Test", "Updater")
]
_COMMON: dict[str, tuple[Value, ...]] = {
    "learning_rate": (0.1, 0.01, 1.0, 0, 1),
    "wd": (0.0, 0.1, 0.5),
    "rescale_grad": (1.0, 0.5, 2, 0.1),
    "clip_gradient": (None, 0.3, 1.0, 5, 0),
    "begin_num_update": (0, 5, 3),
    "multi_precision": (True, False),
}
_RATES: dict[str, tuple[Value, ...]] = {
    "epsilon": (1e-8, 1e-3, 1e-6),
    "eps": (1e-7, 1e-3, 0),
    "schedule_decay": (0.004, 0.1),
    "lamda": (0.04, 0.5),
    "lamda1": (0.01, 0.1, 1),
    "beta": (1, 0.5, 2.0),
    "beta1": (0.9, 0.5, 0.0),
    "beta2": (0.999, 0.9, 0.5),
    "lower_bound": (None, 0.1),
    "upper_bound": (None, 1.0, 10),
    "clip_weights": (None, 0.5),
    "eta": (0.001, 0.1, 1),
    "wd_lh": (0.0, 0.1),
    "rho": (0.9, 0.5),
}


@kind
def _any_optimizer(draw: Chance) -> Case:
    """Return an optimizer with keywords from its signature, for one or several weights."""
    name = draw.choice(_OPTIMIZERS)
    kwargs: dict[str, Value] = {}
    for key, parameter in inspect.signature(
        getattr(mx.optimizer, name).__init__
    ).parameters.items():
        if key in ("self", "kwargs", "args", "learning_rate") or not draw.happens(0.4):
            continue
        if key in _RATES:
            kwargs[key] = written(draw, draw.choice(_RATES[key]))
        elif isinstance(parameter.default, bool):
            kwargs[key] = draw.happens(0.5)
        else:
            kwargs[key] = written(draw, draw.one(*([] if key == "gamma1" else [0.0]), 0.9, 0.5))
    for key, choices in _COMMON.items():
        if draw.happens(0.35):
            kwargs[key] = written(draw, draw.choice(choices))
    dtype = draw.one("float32", "float32", "float32", "float64", "float16")
    shape = draw.shape(1, 3)
    values = draw.one(("normal",), ("normal",), ("normal", 5.0), ("ints", -1, 1))
    arrays = [draw.array(shape, dtype, values) for _ in range(draw.one(2, 3, 4))]
    more: dict[str, Any] = {"np": True} if draw.happens(0.2) else {}
    if draw.happens(0.2):
        more["scheduled"] = built(
            "lr_scheduler.FactorScheduler", 2, factor=0.5, base_lr=draw.one(0.1, 1.0)
        )
    return _case(draw, "optimizer", name, kwargs, inputs=arrays, **more)


_METRICS = [
    name
    for name in mx.metric.__all__
    if name[0].isupper() and name not in ("EvalMetric", "CompositeEvalMetric", "CustomMetric")
]


@kind
def _any_metric(draw: Chance) -> Case:
    """Return a metric with keywords from its signature."""
    name = draw.choice(_METRICS)
    kwargs: dict[str, Value] = {}
    choices: dict[str, tuple[Value, ...]] = {
        "axis": (1, -1, 0, "1"),
        "eps": (1e-12, 1e-3, 0.1),
        "average": ("macro", "micro"),
        "ignore_label": (None, 0, 1, -1),
        "top_k": (2, 3, 5),
        "name": ("mine",),
        "has_global_stats": (True, False),
    }
    parameters = inspect.signature(getattr(mx.metric, name).__init__).parameters
    for key, several in choices.items():
        if key in parameters and (key in ("ignore_label", "top_k") or draw.happens(0.4)):
            kwargs[key] = draw.choice(several)
    batch, classes = draw.one(1, 3, 5), draw.one(2, 3, 6)
    ids = draw.one("float32", "int32", "int64", "float64")
    dtype = draw.one("float32", "float32", "float64", "float16")
    updates = []
    for _ in range(draw.one(1, 2, 3)):
        if name in ("MAE", "MSE", "RMSE", "PearsonCorrelation"):
            shape = draw.one((batch,), (batch, 2), (batch, 1))
            other = draw.one(shape, shape, (batch, 1), (batch,))
            updates.append(
                [draw.array(other, dtype, ("normal",)), draw.array(shape, dtype, ("normal",))]
            )
            continue
        shape = (batch, 2 if name in ("F1", "MCC") else classes)
        if name in ("Accuracy", "Perplexity", "Loss", "PCC") and draw.happens(0.3):
            shape = draw.one((batch,), (batch, classes, 2), (2, batch, classes))
        where = shape[:-1] if name == "Perplexity" else (batch, *shape[2:])
        if draw.happens(0.15):
            where = draw.one((batch, 1), shape)
        label = draw.array(where, ids, ("ints", 0, 1 if name in ("F1", "MCC") else classes - 1))
        updates.append([label, draw.array(shape, dtype, ("simplex",))])
    more = {"np": True} if draw.happens(0.2) else {}
    return _case(draw, "metric", name, kwargs, inputs=updates, **more)


@kind
def _any_initializer(draw: Chance) -> Case:
    """Return an initializer, for parameters of several names, shapes and dtypes."""
    name = draw.one(
        "Uniform", "Normal", "Orthogonal", "Xavier", "MSRAPrelu", "Constant", "LSTMBias"
    )
    choices: dict[str, tuple[Value, ...]] = {
        "value": (0, 1, -0.5, 3.5),
        "scale": (0.1, 2, 1, 0, 1.414),
        "sigma": (0.1, 2, 1),
        "rand_type": ("uniform", "normal"),
        "rnd_type": ("uniform", "gaussian"),
        "factor_type": ("avg", "in", "out"),
        "magnitude": (3, 2.24, 1, 6),
        "slope": (0.25, 0.0, 1),
        "forget_bias": (1.0, 2.0, 0),
    }
    kwargs = {
        key: written(draw, draw.choice(choices[key]))
        for key, parameter in inspect.signature(getattr(mx.init, name).__init__).parameters.items()
        if key in choices and (parameter.default is parameter.empty or draw.happens(0.5))
    }
    word = draw.one(
        "fc_weight", "fc_weight", "fc_bias", "bn_gamma", "bn_beta", "bn_running_mean",
        "bn_running_var", "bn_moving_avg", "data_min", "data_max", "weight", "lstm_i2h_bias",
    )  # fmt: skip
    shape = draw.shape(1, 4) if draw.happens(0.5) else draw.shape(2, 4)
    if name == "LSTMBias":
        word, shape = "lstm_i2h_bias", (4 * draw.one(1, 2, 3),)
    dtype = draw.one("float32", "float32", "float64", "float16")
    return _case(draw, "initializer", name, kwargs, word=word, shape=list(shape), dtype=dtype)


@kind
def _any_transform(draw: Chance) -> Case:
    """Return a transform with keywords from its signature, for images of bytes or numbers."""
    name = draw.one(
        "ToTensor", "Normalize", "Cast", "Resize", "CenterCrop", "RandomResizedCrop", "CropResize",
        "RandomBrightness", "RandomContrast", "RandomSaturation", "RandomColorJitter",
        "RandomLighting", "Rotate", "RandomRotation",
    )  # fmt: skip
    height, width, channels = draw.one(1, 4, 6, 9), draw.one(2, 4, 5, 8), draw.one(3, 3, 3, 1)
    dtype = draw.one("uint8", "uint8", "float32")
    image = draw.array((height, width, channels), dtype, ("ints", 0, 255))
    batch = (draw.one(1, 2),) if name in ("ToTensor", "Resize", "CropResize") else ()
    if batch and draw.happens(0.3):
        image = draw.array((*batch, height, width, channels), dtype, ("ints", 0, 255))
    sizes = [draw.one(1, 3, 6), tuple_of([draw.one(2, 4, 7), draw.one(2, 3, 5)])]
    choices: dict[str, tuple[Value, ...]] = {
        "dtype": ("float32", "float16", "int32", "float64", "uint8"),
        "size": tuple(sizes),
        "interpolation": (0, 1, 2),
        "keep_ratio": (True, False),
        "x": (0, 1), "y": (0, 1), "width": (1, 2), "height": (1, 2),
        "scale": (tuple_of([0.3, 1.0]), tuple_of([0.5, 0.5])),
        "ratio": (tuple_of([0.5, 2.0]), tuple_of([1, 1])),
        "brightness": (0.1, 0.5, 0), "contrast": (0.1, 0.5, 0), "saturation": (0.1, 0.5, 0),
        "hue": (0,), "alpha": (0.1, 0.5, 0),
        "rotation_degrees": (30, 90, -45.0), "angle_limits": (tuple_of([-30, 30]),),
        "zoom_in": (True, False), "zoom_out": (False,),
        "rotate_with_proba": (1.0, 0.5),
    }  # fmt: skip
    parameters = inspect.signature(
        getattr(mx.gluon.data.vision.transforms, name).__init__
    ).parameters
    kwargs = {
        key: draw.choice(several)
        for key, several in choices.items()
        if key in parameters
        and (parameters[key].default is inspect.Parameter.empty or draw.happens(0.5))
    }
    if name == "Normalize":
        shape = (*((2,) if draw.happens(0.3) else ()), channels, height, width)
        image = draw.array(shape, "float32", ("uniform", 0.0, 1.0))
        each = [0.1, 0.2, 0.3][:channels]
        kwargs = {
            "mean": draw.one(0.5, tuple_of(each)),
            "std": draw.one(0.5, tuple_of([0.5, *each[1:]])),
        }
    if "Rotat" in name:
        image = draw.array((channels, height, width), "float32", ("uniform", 0.0, 1.0))
    more = {"np": True} if draw.happens(0.2) else {}
    return _case(draw, "transform", name, kwargs, inputs=[image], **more)
