"""Networks that are drawn, and such that join arrays, quantized by the real MXNet and by gluonish.

What MXNet 1.9.1 gets wrong is not drawn (docs/differences.md): convolutions of several groups, ReLU
of what is never negative, signed numbers that are added before a ReLU, `fix_gamma`, and what is
clipped and joined with what is not.
"""

from __future__ import annotations

import json
import random
import re

import numpy as onp

SEEDS = range(60)
EXAMPLES = 8


class _Parts:
    """The operators of a graph; each call makes a node of its own name."""

    def __init__(self, mx):
        self.sym = mx.sym
        self.data = mx.sym.var("data")
        self.count = 0

    def name(self, kind):
        self.count += 1
        return f"{kind}{self.count}"

    def conv(self, x, filters=4, size=1, **options):
        name = self.name("conv")
        return self.sym.Convolution(
            x, kernel=(size, size), num_filter=filters, name=name, **options
        )

    def dense(self, x, units=4, **options):
        return self.sym.FullyConnected(x, num_hidden=units, name=self.name("dense"), **options)

    def pool(self, x, kind="max", size=3, **options):
        options = {"pad": (size // 2, size // 2), **options}
        name = self.name("pool")
        return self.sym.Pooling(x, kernel=(size, size), pool_type=kind, name=name, **options)

    def norm(self, x):
        return self.sym.BatchNorm(x, fix_gamma=False, name=self.name("norm"))

    def act(self, x, kind="relu"):
        return self.sym.Activation(x, act_type=kind, name=self.name(kind))

    def add(self, x, y):
        return self.sym.elemwise_add(x, y, name=self.name("add"))

    def join(self, *parts, dim=1):
        return self.sym.concat(*parts, dim=dim, name=self.name("join"))

    def seen(self, x):
        return self.sym.sum(x, axis=(2, 3), name=self.name("sum"))


def joins(mx):
    """Return graphs that join arrays, by what their names say."""
    found = {}

    def keep(name, make):
        parts = _Parts(mx)
        a, b, c = (parts.conv(parts.data) for _ in range(3))
        outputs = make(parts, a, b, c)
        first, *others = outputs if isinstance(outputs, tuple) else (outputs,)
        found[name] = mx.sym.Group([parts.conv(first, 2), *others])

    def poured(p, x):
        return p.pool(p.norm(p.pool(x)))

    keep("plain", lambda p, a, b, c: p.join(a, b, c))
    keep("rows", lambda p, a, b, c: p.join(a, b, dim=2))
    keep("pooled", lambda p, a, b, c: p.join(p.pool(a), p.pool(p.pool(b, "avg"))))
    keep("pooled by one", lambda p, a, b, c: p.join(a, p.pool(a), b))
    keep("normalized", lambda p, a, b, c: p.join(poured(p, a), b))
    keep("activated", lambda p, a, b, c: p.join(p.act(p.pool(a)), b, c))
    keep("not whole", lambda p, a, b, c: p.join(p.act(a, "tanh"), p.pool(p.act(b, "tanh"))))
    keep("sums", lambda p, a, b, c: p.join(p.pool(p.add(a, b)), c))
    keep("join in a join", lambda p, a, b, c: p.join(p.pool(p.join(a, b)), c))
    keep("flat", lambda p, a, b, c: (c, p.join(p.sym.Flatten(a), p.sym.Flatten(b))))
    keep("seen by others", lambda p, a, b, c: (p.join(a, b, c), p.seen(a)))
    keep("pooling seen", lambda p, a, b, c: (lambda q: (p.join(q, b), p.seen(q)))(p.pool(a)))
    keep("only one left", lambda p, a, b, c: (p.join(a, b), p.seen(a)))
    keep("an output", lambda p, a, b, c: (p.join(a, b), b))
    keep("of another", lambda p, a, b, c: p.join(a, p.conv(a), b))
    keep("inner of another", lambda p, a, b, c: p.join(p.join(a, p.conv(a)), b))
    keep("inner seen", lambda p, a, b, c: (lambda q: (p.join(q, c), p.seen(q)))(p.join(a, b)))
    keep("chain", lambda p, a, b, c: (lambda q: p.join(q, p.conv(q), c))(p.join(a, b)))
    keep("twice", lambda p, a, b, c: p.join(a, a, b))
    keep("data", lambda p, a, b, c: p.join(a, b, p.data))
    keep("two", lambda p, a, b, c: p.join(p.conv(p.join(a, b)), p.conv(p.join(b, c))))
    return found


def drawn(mx, seed):
    """Return a graph, and how it is quantized."""
    draw = random.Random(seed)
    parts = _Parts(mx)

    def layer(x, *, may_clip=True):
        size = draw.choice([1, 3, 5])
        stride = draw.choice([1, 1, 2])
        x = parts.conv(
            x, draw.choice([4, 6, 8]), size, pad=(size // 2,) * 2, stride=(stride, stride),
            no_bias=draw.random() < 0.4,
        )  # fmt: skip
        if draw.random() < 0.4:
            x = parts.norm(x)
        kind = draw.choice(["", "", "relu", "tanh", "sigmoid", "clip", "leaky"])
        if kind == "clip" and not may_clip:
            return x
        if kind == "clip":
            return parts.sym.clip(x, a_min=0, a_max=1, name=parts.name(kind))
        if kind == "leaky":
            return parts.sym.LeakyReLU(x, slope=0.2, name=parts.name(kind))
        return parts.act(x, kind) if kind else x

    def residual(x):
        x = parts.act(parts.conv(x, 4))
        body = parts.conv(parts.act(parts.conv(x, 4, 3, pad=(1, 1))), 4, 3, pad=(1, 1))
        return parts.act(parts.add(body, x))

    def branches(x):
        found = [layer(x, may_clip=False) for _ in range(draw.choice([2, 3]))]
        return parts.join(*(parts.pool(y, "avg", 3, global_pool=True, pad=(0, 0)) for y in found))

    kinds = [layer, layer, residual, branches, lambda x: parts.pool(x, draw.choice(["max", "avg"]))]
    x = parts.data
    for _ in range(draw.randint(1, 4)):
        x = draw.choice(kinds)(x)
    for _ in range(draw.randint(0, 2)):
        x = parts.dense(x, draw.choice([4, 6]), no_bias=draw.random() < 0.3)
        if draw.random() < 0.4:
            x = parts.act(x, draw.choice(["relu", "tanh"]))
    way = {
        "quantized_dtype": draw.choice(["auto", "int8"]),
        "quantize_mode": draw.choice(["full", "smart"]),
        "quantize_granularity": draw.choice(["tensor-wise", "channel-wise"]),
        "calib_mode": "naive",
    }
    return x, way


def silent(mx):
    """Return a graph of layers behind one whose results are always 0."""
    parts = _Parts(mx)
    x = mx.sym.Convolution(parts.data, kernel=(3, 3), num_filter=4, name="silent")
    x = parts.conv(parts.conv(parts.act(x), 4, 3))
    return parts.dense(x)


def run(mx, quantization, symbol, way, seed):
    """Return the ranges of a quantized graph's nodes, and its outputs for the first example."""
    random_numbers = onp.random.RandomState(seed)
    data = random_numbers.uniform(-1, 1, (EXAMPLES, 3, 8, 8)).astype("float32")
    shapes, _, others = symbol.infer_shape(data=data.shape)
    args = {
        name: mx.nd.array(random_numbers.normal(0.1, 1 / max(1, onp.prod(shape[1:])) ** 0.5, shape))
        for name, shape in zip(symbol.list_arguments(), shapes, strict=True)
        if name != "data"
    }
    if "silent_bias" in args:
        args["silent_bias"] -= 100
    states = {
        name: mx.nd.array(random_numbers.uniform(0.5, 1, shape))
        for name, shape in zip(symbol.list_auxiliary_states(), others, strict=True)
    }
    fused = symbol.get_backend_symbol("MKLDNN_QUANTIZE")
    made, args, states = quantization.quantize_model(
        fused, args, states, ctx=mx.cpu(), label_names=None, num_calib_examples=EXAMPLES,
        calib_data=mx.io.NDArrayIter(data, batch_size=EXAMPLES), **way,
    )  # fmt: skip
    made = made.get_backend_symbol("MKLDNN_QUANTIZE")
    names = made.list_arguments()
    arrays = {name: mx.nd.array(data) if name == "data" else args[name] for name in names}
    executor = made.bind(mx.cpu(), arrays, aux_states=states, grad_req="null")
    outputs = [output.asnumpy()[0].ravel().tolist() for output in executor.forward()]
    ranges = {}
    for node in json.loads(made.tojson())["nodes"]:
        texts = node.get("attrs", {})
        if "min_calib_range" in texts:
            name = re.sub("_0_quantize$", "_output_quantize", node["name"])
            ranges[name] = [float(texts[f"{end}_calib_range"]) for end in ("min", "max")]
    return {"ranges": ranges, "outputs": outputs}


NAIVE = {"quantized_dtype": "auto", "quantize_mode": "full", "calib_mode": "naive"}


def programs(mx):
    """Return graphs with how they are quantized, by name."""
    found = {f"joined: {name}": (symbol, NAIVE) for name, symbol in joins(mx).items()}
    found["silent"] = silent(mx), NAIVE
    found |= {f"drawn {seed}": drawn(mx, seed) for seed in SEEDS}
    return found
