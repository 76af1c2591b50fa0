"""Draws what is built, then used: layers, losses, optimizers, metrics, initializers, and more."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from fuzz.differential.chance import Chance, Shape, Value, tuple_of
from fuzz.differential.templates import given

if TYPE_CHECKING:
    from collections.abc import Callable

Case: TypeAlias = "dict[str, Any]"
KINDS: dict[str, Callable[[Chance], Case]] = {}


def kind(function: Callable[[Chance], Case]) -> Callable[[Chance], Case]:
    """Register what draws a kind of objects, under its name without the underscore."""
    KINDS[function.__name__.removeprefix("_")] = function
    return function


def built(name: str, *args: Value, **kwargs: Value) -> Value:
    """Return the plain data of a call that builds an object."""
    return {"object": {"name": name, "args": list(args), "kwargs": kwargs}}


def _case(draw: Chance, kind: str, name: str, arguments: dict[str, Value], **more: Any) -> Case:
    return {
        "kind": kind,
        "front": kind,
        "name": name,
        "args": more.pop("args", []),
        "kwargs": arguments,
        "seed": draw.randrange(1000),
        "train": draw.happens(0.6),
        **more,
    }


def _images(draw: Chance, rank: int, last: bool) -> Shape:
    space = tuple(draw.one(4, 5, 7) for _ in range(rank))
    batch, channels = draw.one(1, 2, 3), draw.one(2, 4)
    return (batch, *space, channels) if last else (batch, channels, *space)


def _sizes(draw: Chance, rank: int, *choices: int) -> Value:
    return draw.one(draw.one(*choices), tuple_of([draw.one(*choices) for _ in range(rank)]))


_LAYOUTS = {1: "NCW", 2: "NCHW", 3: "NCDHW"}
_ACTS = ("relu", "sigmoid", "tanh", "softrelu", "softsign")


@kind
def _layer(draw: Chance) -> Case:
    rank = draw.one(1, 2, 2, 3)
    shape = draw.shape(2, 4)
    act = draw.one(None, *_ACTS)
    name = draw.one(
        "Dense",
        "Dense",
        "Dropout",
        "Embedding",
        "BatchNorm",
        "BatchNorm",
        "LayerNorm",
        "GroupNorm",
        "InstanceNorm",
        "Flatten",
        "Activation",
        "LeakyReLU",
        "PReLU",
        "ELU",
        "SELU",
        "GELU",
        "Swish",
        "Conv",
        "Conv",
        "Conv",
        "ConvTranspose",
        "ConvTranspose",
        "MaxPool",
        "AvgPool",
        "GlobalMaxPool",
        "GlobalAvgPool",
        "ReflectionPad2D",
        "rnn",
        "cell",
    )
    kwargs: dict[str, Value] = {}
    data = draw.array(shape, "float32")
    if name == "Dense":
        kwargs = {"units": draw.one(1, 2, 4), "activation": act} | given(
            draw, use_bias=draw.happens(0.5), flatten=draw.happens(0.5)
        )
    elif name == "Dropout":
        kwargs = {"rate": draw.one(0, 0.3, 0.5, 0.9)} | given(
            draw, axes=tuple_of([draw.randrange(len(shape))])
        )
    elif name == "Embedding":
        kwargs = {"input_dim": 4, "output_dim": draw.one(1, 3)}
        data = draw.array(draw.shape(1, 3), draw.one("float32", "int32"), ("ints", 0, 3))
    elif name == "BatchNorm":
        kwargs = given(
            draw,
            axis=draw.one(1, -1),
            momentum=draw.one(0.9, 0.5),
            epsilon=draw.one(1e-5, 1e-3),
            center=draw.happens(0.5),
            scale=draw.happens(0.5),
            use_global_stats=draw.happens(0.3),
        )
    elif name == "LayerNorm":
        kwargs = given(
            draw,
            axis=draw.randrange(-len(shape), len(shape)),
            epsilon=1e-3,
            center=draw.happens(0.5),
            scale=draw.happens(0.5),
        )
    elif name == "GroupNorm":
        data = draw.array((2, 4, *draw.shape(1, 2)), "float32")
        kwargs = {"num_groups": draw.one(1, 2)} | given(
            draw, center=draw.happens(0.5), scale=draw.happens(0.5)
        )
    elif name == "InstanceNorm":
        data = draw.array(draw.shape(3, 4), "float32")
        kwargs = given(draw, epsilon=1e-3, center=draw.happens(0.5), scale=draw.happens(0.5))
    elif name == "Activation":
        kwargs = {"activation": draw.choice(_ACTS)}
    elif name == "LeakyReLU":
        kwargs = {"alpha": draw.one(0.1, 0.5, 0, 1)}
    elif name == "ELU":
        kwargs = {"alpha": draw.one(1.0, 0.5)}
    elif name == "Swish":
        kwargs = {"beta": draw.one(1.0, 0.5)}
    elif name in ("Conv", "ConvTranspose"):
        group = draw.one(1, 1, 2)
        kwargs = {"channels": 2 * draw.one(1, 2), "kernel_size": _sizes(draw, rank, 1, 2, 3)}
        kwargs |= given(
            draw,
            strides=_sizes(draw, rank, 1, 2),
            padding=_sizes(draw, rank, 0, 1, 2),
            dilation=_sizes(draw, rank, 1, 2),
            use_bias=draw.happens(0.5),
            activation=act,
        )
        if group > 1:
            kwargs["groups"] = group
        if name == "ConvTranspose":
            kwargs |= given(draw, 0.2, output_padding=1)
        data = draw.array(_images(draw, rank, last=False), "float32")
        name = f"Conv{rank}D" + name[4:]
    elif name in ("MaxPool", "AvgPool"):
        kwargs = {"pool_size": _sizes(draw, rank, 1, 2, 3)}
        kwargs |= given(
            draw,
            strides=_sizes(draw, rank, 1, 2, 3),
            padding=_sizes(draw, rank, 0, 1),
            ceil_mode=draw.happens(0.5),
        )
        if name == "AvgPool":
            kwargs |= given(draw, count_include_pad=draw.happens(0.5))
        data, name = draw.array(_images(draw, rank, last=False), "float32"), f"{name}{rank}D"
    elif name in ("GlobalMaxPool", "GlobalAvgPool"):
        data, name = draw.array(_images(draw, rank, last=False), "float32"), f"{name}{rank}D"
    elif name == "ReflectionPad2D":
        kwargs = {"padding": draw.one(1, 2)}
        data = draw.array(_images(draw, 2, last=False), "float32")
    elif name == "rnn":
        name = draw.one("rnn.RNN", "rnn.LSTM", "rnn.GRU")
        kwargs = {"hidden_size": draw.one(1, 3)} | given(
            draw, num_layers=draw.one(1, 2), bidirectional=True, layout=draw.one("TNC", "NTC")
        )
        if name == "rnn.RNN":
            kwargs |= given(draw, activation=draw.one("relu", "tanh"))
        data = draw.array((draw.one(1, 3), draw.one(1, 2), draw.one(1, 2)), "float32", ("normal",))
    elif name == "cell":
        name = draw.one("rnn.RNNCell", "rnn.LSTMCell", "rnn.GRUCell")
        width, hidden, batch = draw.one(1, 2), draw.one(1, 3), draw.one(1, 2)
        states = [
            draw.array((batch, hidden), "float32", ("normal",))
            for _ in range(1 + (name == "rnn.LSTMCell"))
        ]
        inputs = [draw.array((batch, width), "float32", ("normal",)), states]
        return _case(
            draw, "layer", name, {"hidden_size": hidden}, inputs=inputs, hybrid=draw.happens(0.4)
        )
    path = name if "." in name else f"nn.{name}"
    return _case(draw, "layer", path, kwargs, inputs=[data], hybrid=draw.happens(0.4))


@kind
def _loss(draw: Chance) -> Case:
    batch, classes = draw.one(1, 2, 3), draw.one(2, 3, 4)
    shape = (batch, classes)
    pred = draw.array(
        shape, draw.one("float32", "float32", "float64"), draw.one(("normal",), ("normal", 4.0))
    )
    weight = draw.array((batch, 1), "float32", ("uniform", 0.0, 2.0))
    name = draw.one(
        "L2Loss",
        "L1Loss",
        "HuberLoss",
        "SigmoidBinaryCrossEntropyLoss",
        "SoftmaxCrossEntropyLoss",
        "KLDivLoss",
        "CTCLoss",
        "HingeLoss",
        "SquaredHingeLoss",
        "LogisticLoss",
        "TripletLoss",
        "PoissonNLLLoss",
        "CosineEmbeddingLoss",
        "SDMLLoss",
    )
    dtype = pred["array"]["dtype"]
    kwargs = given(draw, 0.3, weight=draw.one(0.5, 2.0))
    label = draw.array(shape, dtype, ("normal",))
    inputs = [pred, label]
    if name == "HuberLoss":
        kwargs |= given(draw, rho=draw.one(0.5, 2))
    elif name == "SigmoidBinaryCrossEntropyLoss":
        inputs = [pred, draw.array(shape, dtype, ("uniform", 0.0, 1.0))]
        if draw.happens(0.3):
            inputs[0], kwargs["from_sigmoid"] = (
                draw.array(shape, dtype, ("uniform", 0.01, 0.99)),
                True,
            )
    elif name == "SoftmaxCrossEntropyLoss":
        inputs = [pred, draw.array((batch,), dtype, ("ints", 0, classes - 1))]
        if draw.happens(0.3):
            inputs[1], kwargs["sparse_label"] = draw.array(shape, dtype, ("simplex",)), False
        kwargs |= given(draw, 0.2, from_logits=draw.happens(0.5))
    elif name == "KLDivLoss":
        inputs = [pred, draw.array(shape, dtype, ("simplex",))]
        kwargs |= given(draw, 0.4, from_logits=draw.happens(0.5))
    elif name == "CTCLoss":
        inputs = [
            draw.array((batch, 5, classes), "float32", ("normal",)),
            draw.array((batch, 2), "float32", ("ints", 0, classes - 2)),
        ]
    elif name in ("HingeLoss", "SquaredHingeLoss"):
        kwargs |= given(draw, margin=draw.one(0.5, 2))
        inputs = [
            pred,
            draw.array(
                shape, dtype, ("literal", [draw.one(-1, 1) for _ in range(batch * classes)])
            ),
        ]
    elif name == "LogisticLoss":
        kwargs |= given(draw, label_format=draw.one("signed", "binary"))
        inputs = [pred, draw.array(shape, dtype, ("ints", 0, 1))]
    elif name == "TripletLoss":
        inputs = [pred, label, draw.array(shape, dtype, ("normal",))]
        kwargs |= given(draw, margin=draw.one(0.5, 2))
    elif name == "PoissonNLLLoss":
        inputs = [pred, draw.array(shape, dtype, ("ints", 0, 4))]
        kwargs |= given(draw, from_logits=draw.happens(0.5))
        if kwargs.get("from_logits") is False:
            inputs[0] = draw.array(shape, dtype, ("uniform", 0.1, 3.0))
    elif name == "CosineEmbeddingLoss":
        inputs = [
            pred,
            label,
            draw.array((batch,), dtype, ("literal", [draw.one(-1, 1) for _ in range(batch)])),
        ]
        kwargs |= given(draw, margin=0.3)
    elif name == "SDMLLoss":
        kwargs = given(draw, smoothing_parameter=0.2)
        return _case(draw, "layer", f"loss.{name}", kwargs, inputs=inputs, hybrid=False)
    if (
        name not in ("CTCLoss", "TripletLoss", "PoissonNLLLoss", "CosineEmbeddingLoss")
        and draw.happens(0.3)
        and dtype == "float32"
    ):
        inputs.append(weight)
    return _case(draw, "layer", f"loss.{name}", kwargs, inputs=inputs, hybrid=draw.happens(0.3))


_OPTIMIZERS: dict[str, dict[str, tuple[Value, ...]]] = {
    "sgd": {"momentum": (0.0, 0.9), "lazy_update": (True, False)},
    "nag": {"momentum": (0.0, 0.9)},
    "signum": {"momentum": (0.0, 0.9), "wd_lh": (0.0, 0.1)},
    "ftml": {"beta1": (0.6, 0.5), "beta2": (0.999, 0.9)},
    "lars": {"momentum": (0.0, 0.9), "eta": (0.001, 0.1)},
    "lamb": {
        "beta1": (0.9, 0.5),
        "bias_correction": (True, False),
        "lower_bound": (None, 0.1),
        "upper_bound": (None, 1.0),
    },
    "dcasgd": {"lamda": (0.04, 0.5)},
    "sgld": {},
    "adam": {"beta1": (0.9, 0.5), "beta2": (0.999, 0.9), "epsilon": (1e-8, 1e-3)},
    "adagrad": {"eps": (1e-7, 1e-3)},
    "rmsprop": {
        "gamma1": (0.9, 0.5),
        "gamma2": (0.9, 0.5),
        "centered": (True, False),
        "clip_weights": (None, 0.5),
    },
    "adadelta": {"rho": (0.9, 0.5), "epsilon": (1e-5, 1e-3)},
    "ftrl": {"lamda1": (0.01, 0.1), "beta": (1, 0.5)},
    "adamax": {"beta1": (0.9, 0.5), "beta2": (0.999, 0.9)},
    "nadam": {"schedule_decay": (0.004, 0.1)},
    "groupadagrad": {"eps": (1e-5, 1e-3)},
}


@kind
def _optimizer(draw: Chance) -> Case:
    name = draw.choice(sorted(_OPTIMIZERS))
    kwargs = given(
        draw,
        learning_rate=draw.one(0.1, 0.01, 1.0),
        wd=draw.one(0.0, 0.1),
        rescale_grad=draw.one(1.0, 0.5),
        clip_gradient=draw.one(0.3, 1.0),
        begin_num_update=draw.one(0, 5),
    )
    for key, choices in _OPTIMIZERS[name].items():
        kwargs |= given(draw, **{key: draw.choice(choices)})
    if name == "groupadagrad":
        kwargs.pop("wd", None)
    dtype = draw.one("float32", "float32", "float32", "float64", "float16")
    if dtype == "float16":
        kwargs["multi_precision"] = True
    shape = draw.shape(2, 2) if name == "groupadagrad" else draw.shape(1, 3)
    arrays = [draw.array(shape, dtype, ("normal",)) for _ in range(draw.one(2, 3, 4))]
    return _case(draw, "optimizer", name, kwargs, inputs=arrays)


@kind
def _metric(draw: Chance) -> Case:
    batch, classes = draw.one(1, 3, 5), draw.one(2, 3)
    name = draw.one(
        "acc",
        "top_k_accuracy",
        "f1",
        "mcc",
        "perplexity",
        "mae",
        "mse",
        "rmse",
        "ce",
        "nll_loss",
        "pearsonr",
        "loss",
        "pcc",
    )
    kwargs: dict[str, Value] = {}
    updates = []
    for _ in range(draw.one(1, 2)):
        probabilities = draw.array(
            (batch, 2 if name in ("f1", "mcc") else classes), "float32", ("simplex",)
        )
        label = draw.array((batch,), draw.one("float32", "int32"), ("ints", 0, 1))
        if name in ("mae", "mse", "rmse", "pearsonr"):
            shape = draw.one((batch,), (batch, 2))
            probabilities, label = draw.array(shape, "float32"), draw.array(shape, "float32")
        updates.append([label, probabilities])
    if name == "top_k_accuracy":
        kwargs = {"top_k": draw.one(2, 3)}
    elif name in ("f1", "mcc", "pearsonr"):
        kwargs = given(draw, average=draw.one("macro", "micro"))
    elif name == "perplexity":
        kwargs = {"ignore_label": draw.one(None, 0)}
    elif name == "acc":
        kwargs = given(draw, axis=draw.one(1, -1))
    return _case(draw, "metric", name, kwargs, inputs=updates)


@kind
def _initializer(draw: Chance) -> Case:
    name = draw.one(
        "Zero",
        "One",
        "Constant",
        "Uniform",
        "Normal",
        "Orthogonal",
        "Xavier",
        "MSRAPrelu",
        "Bilinear",
        "LSTMBias",
    )
    shape = draw.shape(2, 4)
    kwargs: dict[str, Value] = {}
    if name == "Constant":
        kwargs = {"value": draw.number()}
    elif name == "Uniform":
        kwargs = given(draw, scale=draw.one(0.1, 2))
    elif name == "Normal":
        kwargs = given(draw, sigma=draw.one(0.1, 2))
    elif name == "Orthogonal":
        kwargs = given(draw, scale=draw.one(1.0, 2), rand_type=draw.one("uniform", "normal"))
    elif name == "Xavier":
        kwargs = given(
            draw,
            rnd_type=draw.one("uniform", "gaussian"),
            factor_type=draw.one("avg", "in", "out"),
            magnitude=draw.one(3, 2.24),
        )
    elif name == "MSRAPrelu":
        kwargs = given(draw, factor_type=draw.one("avg", "in", "out"), slope=draw.one(0.25, 0.0))
    elif name == "Bilinear":
        shape = (draw.one(1, 2), draw.one(1, 2), draw.one(2, 3, 4), draw.one(2, 3, 4))
    elif name == "LSTMBias":
        kwargs, shape = {"forget_bias": draw.one(1.0, 2.0)}, (4 * draw.one(1, 2, 3),)
    word = (
        "lstm_bias"
        if name == "LSTMBias"
        else draw.one("fc_weight", "fc_weight", "fc_bias", "bn_gamma", "bn_running_var")
    )
    return _case(
        draw,
        "initializer",
        name,
        kwargs,
        word=word,
        shape=list(shape),
        dtype=draw.one("float32", "float32", "float64"),
    )


@kind
def _transform(draw: Chance) -> Case:
    height, width = draw.one(4, 6, 9), draw.one(4, 5, 8)
    image = draw.array((height, width, 3), draw.one("uint8", "uint8", "float32"), ("ints", 0, 255))
    name = draw.one(
        "ToTensor",
        "Normalize",
        "Cast",
        "Resize",
        "CenterCrop",
        "RandomResizedCrop",
        "CropResize",
        "RandomCrop",
        "RandomFlipLeftRight",
        "RandomFlipTopBottom",
        "RandomBrightness",
        "RandomContrast",
        "RandomSaturation",
        "RandomHue",
        "RandomColorJitter",
        "RandomLighting",
        "RandomGray",
    )
    kwargs: dict[str, Value] = {}
    if name == "Normalize":
        image = draw.array((3, height, width), "float32", ("uniform", 0.0, 1.0))
        kwargs = {
            "mean": draw.one(0.5, tuple_of([0.1, 0.2, 0.3])),
            "std": draw.one(0.5, tuple_of([0.5, 0.6, 0.7])),
        }
    elif name == "Cast":
        kwargs = {"dtype": draw.one("float32", "float16", "int32")}
    elif name in ("Resize", "CenterCrop"):
        kwargs = {"size": draw.one(3, tuple_of([4, 3]))} | given(draw, interpolation=draw.one(0, 1))
        if name == "Resize":
            kwargs |= given(draw, keep_ratio=draw.happens(0.5))
    elif name == "RandomCrop":
        kwargs = {"size": tuple_of([3, 3])} | given(draw, pad=1)
    elif name == "RandomResizedCrop":
        kwargs = {"size": tuple_of([3, 4])} | given(draw, scale=tuple_of([0.3, 1.0]))
    elif name == "CropResize":
        kwargs = {
            "x": draw.one(0, 1),
            "y": draw.one(0, 1),
            "width": 3,
            "height": 2,
            "size": tuple_of([4, 4]),
            "interpolation": draw.one(0, 1),
        }
    elif name == "RandomLighting":
        kwargs = {"alpha": draw.one(0.1, 0.5)}
    elif name == "RandomColorJitter":
        kwargs = given(draw, 0.6, brightness=0.3, contrast=0.4, saturation=0.5, hue=0.2)
    elif name == "RandomGray":
        kwargs = {"p": 0.5}
    elif name.startswith("Random") and "Flip" not in name:
        kwargs = {name[6:].lower(): draw.one(0.1, 0.5)}
    return _case(draw, "transform", name, kwargs, inputs=[image])


@kind
def _index(draw: Chance) -> Case:
    is_np = draw.happens(0.5)
    shape = draw.shape(1, 3)
    key = [_subscript(draw, size, is_np) for size in shape[: draw.randint(1, len(shape))]]
    if draw.happens(0.15):
        key.insert(draw.randint(0, len(key)), {"ellipsis": 0})
    if draw.happens(0.1):
        key.insert(draw.randint(0, len(key)), None)
    index = key[0] if len(key) == 1 and draw.happens(0.7) else tuple_of(key)
    name = "np" if is_np else "nd"
    return _case(draw, "index", name, {}, inputs=[draw.array(shape), index], np=is_np)


def _subscript(draw: Chance, size: int, is_np: bool) -> Value:
    kind = draw.random()
    if kind < 0.35:
        return draw.randint(-size, max(size - 1, 0)) if draw.happens(0.95) else size
    if kind < 0.85:
        ends = [draw.one(None, draw.randint(-size - 1, size + 1)) for _ in range(2)]
        return {"slice": [*ends, draw.one(None, None, 1, 2, -1, -2, 3)]}
    if kind < 0.95 or not is_np:
        return draw.array(
            (draw.one(1, 2, 3),),
            draw.one("int32", "int64"),
            ("ints", draw.one(0, 0, -size), size - 1),
        )
    return draw.array((size,), "bool", ("ints", 0, 1))


@kind
def _schedule(draw: Chance) -> Case:
    name = draw.one("FactorScheduler", "MultiFactorScheduler", "PolyScheduler", "CosineScheduler")
    kwargs = given(
        draw,
        base_lr=draw.one(0.1, 1.0),
        warmup_steps=draw.one(0, 3),
        warmup_begin_lr=0.01,
        warmup_mode=draw.one("linear", "constant"),
    )
    if name == "FactorScheduler":
        kwargs |= {"step": draw.one(1, 3)} | given(
            draw, factor=draw.one(0.5, 1.0), stop_factor_lr=1e-3
        )
    elif name == "MultiFactorScheduler":
        kwargs |= {"step": [2, draw.one(4, 6)]} | given(draw, factor=0.5)
    else:
        kwargs |= {"max_update": draw.one(5, 10)} | given(draw, final_lr=0.001)
        if name == "PolyScheduler":
            kwargs |= given(draw, pwr=draw.one(1, 2))
    return _case(draw, "schedule", name, kwargs)


@kind
def _sampler(draw: Chance) -> Case:
    length = draw.one(0, 1, 5, 8)
    if draw.happens(0.5):
        name, args = draw.one("SequentialSampler", "RandomSampler"), [length]
    elif draw.happens(0.5):
        name = "BatchSampler"
        args = [
            built(f"gluon.data.{draw.one('SequentialSampler', 'RandomSampler')}", length),
            draw.one(1, 2, 3),
            draw.one("keep", "discard", "rollover"),
        ]
    else:
        name, args = "IntervalSampler", [length, draw.one(1, 2, 3), draw.happens(0.5)]
    path = f"gluon.contrib.data.{name}" if name == "IntervalSampler" else f"gluon.data.{name}"
    return _case(draw, "sampler", path, {}, args=args)
