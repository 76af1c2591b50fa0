"""Programs that hand numbers and shapes to layers, samplers, indices and data in every guise."""

from __future__ import annotations

from itertools import islice

import numpy as onp
from number_programs import GUISES

PAIRS = {
    "list": lambda mx: [2, 3],
    "numpy": lambda mx: onp.array([2, 3]),
    "range": lambda mx: range(2, 4),
    "text": lambda mx: "(2, 3)",
    "int64s": lambda mx: (onp.int64(2), onp.int64(3)),
    "scalars": lambda mx: (mx.np.array(2, dtype="int32"), mx.np.array(3, dtype="int32")),
    "nds": lambda mx: (mx.nd.array([2], dtype="int32"), mx.nd.array([3], dtype="int32")),
    "floats": lambda mx: (2.0, 3.0),
    "texts": lambda mx: ("2", "3"),
    "array": lambda mx: mx.np.array([2, 3], dtype="int32"),
    "nd": lambda mx: mx.nd.array([2, 3], dtype="int32"),
    "true": lambda mx: (True, 3),
    "one": lambda mx: (2,),
}


def _images(mx):
    return mx.nd.arange(2 * 4 * 8 * 8).reshape((2, 4, 8, 8)) / 100


def _steps(mx):
    return mx.nd.arange(2 * 4 * 9).reshape((2, 4, 9)) / 10


def _applied(make, data):
    def program(mx, v):
        mx.random.seed(1)
        layer = make(mx.gluon, v)
        if hasattr(layer, "initialize"):
            layer.initialize(mx.init.Uniform(0.5))
        found = [layer(data(mx))]
        if hasattr(layer, "hybridize"):
            layer.hybridize()
            found.append(layer(data(mx)))
        return found

    return program


def _rows(mx):
    return mx.nd.arange(8).reshape((2, 4))


def _ids(mx):
    return mx.nd.array([0, 1])


LAYERS = {
    "Dense": _applied(lambda g, v: g.nn.Dense(v), _rows),
    "Dense in_units": _applied(
        lambda g, v: g.nn.Dense(3, in_units=v), lambda mx: mx.nd.ones((2, 2))
    ),
    "Embedding": _applied(lambda g, v: g.nn.Embedding(v, 3), _ids),
    "Embedding to": _applied(lambda g, v: g.nn.Embedding(3, v), _ids),
    "Dropout": _applied(lambda g, v: g.nn.Dropout(v), _rows),
    "LeakyReLU": _applied(lambda g, v: g.nn.LeakyReLU(v), lambda mx: -_rows(mx)),
    "Swish": _applied(lambda g, v: g.nn.Swish(v), _rows),
    "Conv1D": _applied(lambda g, v: g.nn.Conv1D(v, v, v, v, v), _steps),
    "Conv2D channels": _applied(lambda g, v: g.nn.Conv2D(v, 3), _images),
    "Conv2D kernel": _applied(lambda g, v: g.nn.Conv2D(2, v), _images),
    "Conv2D strides": _applied(lambda g, v: g.nn.Conv2D(2, 3, strides=v), _images),
    "Conv2D padding": _applied(lambda g, v: g.nn.Conv2D(2, 3, padding=v), _images),
    "Conv2D dilation": _applied(lambda g, v: g.nn.Conv2D(2, 3, dilation=v), _images),
    "Conv2D groups": _applied(lambda g, v: g.nn.Conv2D(4, 3, groups=v, in_channels=4), _images),
    "Conv2DTranspose": _applied(lambda g, v: g.nn.Conv2DTranspose(2, 3, strides=v), _images),
    "Conv2DTranspose output": _applied(
        lambda g, v: g.nn.Conv2DTranspose(2, 3, strides=3, output_padding=v), _images
    ),
    "MaxPool2D": _applied(lambda g, v: g.nn.MaxPool2D(v), _images),
    "AvgPool2D": _applied(lambda g, v: g.nn.AvgPool2D(3, v, v), _images),
    "MaxPool1D": _applied(lambda g, v: g.nn.MaxPool1D(v, v), _steps),
    "BatchNorm axis": _applied(lambda g, v: g.nn.BatchNorm(axis=v), _images),
    "BatchNorm epsilon": _applied(lambda g, v: g.nn.BatchNorm(epsilon=v), _images),
    "BatchNorm momentum": _applied(lambda g, v: g.nn.BatchNorm(momentum=v), _images),
    "BatchNorm in_channels": _applied(
        lambda g, v: g.nn.BatchNorm(in_channels=v), lambda mx: mx.nd.ones((2, 2, 3, 3))
    ),
    "LayerNorm axis": _applied(lambda g, v: g.nn.LayerNorm(axis=v), _images),
    "GroupNorm": _applied(lambda g, v: g.nn.GroupNorm(v), _images),
    "InstanceNorm": _applied(lambda g, v: g.nn.InstanceNorm(epsilon=v), _images),
    "LSTM": _applied(lambda g, v: g.rnn.LSTM(v), lambda mx: _steps(mx) / 9),
    "LSTM layers": _applied(lambda g, v: g.rnn.LSTM(3, v), lambda mx: _steps(mx) / 9),
    "GRU input": _applied(
        lambda g, v: g.rnn.GRU(3, input_size=v), lambda mx: mx.nd.ones((3, 2, 2))
    ),
    "RNNCell": _applied(
        lambda g, v: (
            lambda x: (lambda c: (c.initialize(), c(x, [x[:, :2]])[0])[1])(
                g.rnn.RNNCell(v, i2h_weight_initializer="ones", h2h_weight_initializer="ones")
            )
        ),
        _rows,
    ),
    "SoftmaxCELoss axis": _applied(
        lambda g, v: lambda x: g.loss.SoftmaxCELoss(axis=v)(x, x[:, :, 0] * 0), _images
    ),
    "HingeLoss": _applied(lambda g, v: lambda x: g.loss.HingeLoss(margin=v)(x, x * 0 + 1), _rows),
    "TripletLoss": _applied(
        lambda g, v: lambda x: g.loss.TripletLoss(margin=v)(x, x * 0, x + 1), _rows
    ),
    "Parameter": lambda mx, v: _parameter(mx, shape=v),
    "Parameter lr_mult": lambda mx, v: _parameter(mx, lr_mult=v),
    "Constant": lambda mx, v: _filled(mx, mx.init.Constant(v)),
    "Uniform": lambda mx, v: _filled(mx, mx.init.Uniform(v)),
    "Normal": lambda mx, v: _filled(mx, mx.init.Normal(v)),
    "LSTMBias": lambda mx, v: _filled(mx, mx.init.LSTMBias(v), "bias"),
}


def _parameter(mx, **options):
    param = mx.gluon.Parameter("weight", **{"shape": (2,), **options})
    param.initialize(mx.init.One())
    return param.data()


def _filled(mx, init, name="weight"):
    mx.random.seed(2)
    onp.random.seed(2)
    array = mx.nd.zeros((8,) if name == "bias" else (8, 3))
    init(mx.init.InitDesc(name), array)
    return array


PAIR_LAYERS = {
    "Conv2D strides": LAYERS["Conv2D strides"],
    "Conv2D padding": LAYERS["Conv2D padding"],
    "Conv2D dilation": LAYERS["Conv2D dilation"],
    "Conv2DTranspose": LAYERS["Conv2DTranspose"],
    "MaxPool2D": LAYERS["MaxPool2D"],
    "AvgPool2D": _applied(lambda g, v: g.nn.AvgPool2D(4, v, v), _images),
    "LayerNorm": LAYERS["LayerNorm axis"],
    "Parameter": LAYERS["Parameter"],
    "nd.zeros": lambda mx, v: mx.nd.zeros(v),
    "nd.full": lambda mx, v: mx.nd.full(v, 5),
    "nd.empty": lambda mx, v: list(mx.nd.empty(v).shape),
    "np.zeros": lambda mx, v: mx.np.zeros(v),
    "np.ones": lambda mx, v: mx.np.ones(v),
    "np.full": lambda mx, v: mx.np.full(v, 5),
    "np.eye": lambda mx, v: mx.np.eye(*v),
    "nd.reshape": lambda mx, v: mx.nd.arange(6).reshape(v),
    "x.reshape": lambda mx, v: mx.np.arange(6).reshape(v),
    "np.reshape": lambda mx, v: mx.np.reshape(mx.np.arange(6), v),
    "np.broadcast_to": lambda mx, v: mx.np.broadcast_to(mx.np.ones(1), v),
    "nd.tile": lambda mx, v: mx.nd.tile(mx.nd.ones((1, 2)), v),
    "np.tile": lambda mx, v: mx.np.tile(mx.np.ones((1, 2)), v),
    "nd.transpose": lambda mx, v: mx.nd.ones((1, 2)).expand_dims(0).sum(axis=(0,)).reshape(v[:1]),
    "nd.sum": lambda mx, v: _images(mx).sum(axis=v),
    "np.sum": lambda mx, v: _images(mx).as_np_ndarray().sum(axis=v),
    "nd.slice": lambda mx, v: mx.nd.slice(mx.nd.ones((9, 9)), begin=v, end=(4, 5)),
    "nd.random.uniform": lambda mx, v: _seeded(mx, lambda: mx.nd.random.uniform(shape=v)),
    "nd.random.normal": lambda mx, v: _seeded(mx, lambda: mx.nd.random.normal(shape=v)),
    "nd.random.randint": lambda mx, v: _seeded(mx, lambda: mx.nd.random.randint(0, 9, shape=v)),
    "np.random.uniform": lambda mx, v: _seeded(mx, lambda: mx.np.random.uniform(size=v)),
    "np.random.normal": lambda mx, v: _seeded(mx, lambda: mx.np.random.normal(size=v)),
    "np.random.randint": lambda mx, v: _seeded(mx, lambda: mx.np.random.randint(0, 9, size=v)),
    "np.random.rand": lambda mx, v: _seeded(mx, lambda: mx.np.random.rand(*v)),
    "np.random.randn": lambda mx, v: _seeded(mx, lambda: mx.np.random.randn(*v)),
    "np.random.choice": lambda mx, v: _seeded(mx, lambda: mx.np.random.choice(9, v)),
    "np.random.gamma": lambda mx, v: _seeded(mx, lambda: mx.np.random.gamma(2.0, size=v)),
    "np.random.exponential": lambda mx, v: _seeded(mx, lambda: mx.np.random.exponential(size=v)),
    "np.random.multinomial": lambda mx, v: _seeded(
        mx, lambda: list(mx.np.random.multinomial(9, [0.5, 0.5], size=v).shape)
    ),
    "np.random.bernoulli": lambda mx, v: _seeded(mx, lambda: mx.npx.random.bernoulli(0.5, size=v)),
    "uniform limits": lambda mx, v: _seeded(mx, lambda: mx.np.random.uniform(*v, size=4)),
    "nd uniform limits": lambda mx, v: _seeded(mx, lambda: mx.nd.random.uniform(*v, shape=4)),
    "normal limits": lambda mx, v: _seeded(mx, lambda: mx.np.random.normal(*v, size=4)),
    "resize": lambda mx, v: mx.gluon.data.vision.transforms.Resize(v)(_picture(mx)),
    "center crop": lambda mx, v: mx.gluon.data.vision.transforms.CenterCrop(v)(_picture(mx)),
    "get": lambda mx, v: mx.nd.arange(20).reshape((4, 5))[v],
    "slice": lambda mx, v: mx.nd.arange(20)[slice(*v)],
    "slice np": lambda mx, v: mx.np.arange(20)[slice(*v)],
    "nd.array": lambda mx, v: mx.nd.array(v),
    "np.array": lambda mx, v: mx.np.array(v),
}


def _seeded(mx, draw):
    mx.random.seed(5)
    onp.random.seed(5)
    return draw()


def _picture(mx):
    return mx.nd.arange(6 * 5 * 3).reshape((6, 5, 3)).astype("uint8")


def _set(x, key, value):
    x[key] = value
    return x


def _iterator(mx, v, **options):
    batches = mx.io.NDArrayIter(onp.arange(6.0), batch_size=v, **options)
    return [batch.data[0] for batch in islice(batches, 9)]


def _transformed(mx, transform):
    return _seeded(mx, lambda: transform(_picture(mx)))


def _clipped(mx, v, kind="nd"):
    mx_arrays = [getattr(mx, kind).ones((2, 2)) * 3]
    norm = mx.gluon.utils.clip_global_norm(mx_arrays, v)
    return [float(norm), mx_arrays[0]]


PLACES = {
    "nd.array": lambda mx, v: mx.nd.array(v),
    "np.array": lambda mx, v: mx.np.array(v),
    "np.array of two": lambda mx, v: mx.np.array([v, v]),
    "nd.array of two": lambda mx, v: mx.nd.array([v, v]),
    "nd.full": lambda mx, v: mx.nd.full((2,), v),
    "np.full": lambda mx, v: mx.np.full((2,), v),
    "np.full_like": lambda mx, v: mx.np.full_like(mx.np.ones(2), v),
    "nd.empty": lambda mx, v: list(mx.nd.empty(v).shape),
    "nd fill": lambda mx, v: _set(mx.nd.ones((2, 2)), slice(None), v),
    "np fill": lambda mx, v: _set(mx.np.ones((2, 2)), slice(None), v),
    "nd set": lambda mx, v: _set(mx.nd.ones((2, 2)), 0, v),
    "np set": lambda mx, v: _set(mx.np.ones((2, 2)), 0, v),
    "np set ints": lambda mx, v: _set(mx.np.ones((2, 2), dtype="int32"), 0, v),
    "np set one": lambda mx, v: _set(mx.np.ones((2, 2)), (0, 1), v),
    "nd set at": lambda mx, v: _set(mx.nd.ones((4, 2)), v, 5),
    "np set at": lambda mx, v: _set(mx.np.ones((4, 2)), v, 5),
    "nd get": lambda mx, v: mx.nd.arange(8).reshape((4, 2))[v],
    "np get": lambda mx, v: mx.np.arange(8).reshape(4, 2)[v],
    "nd get 0": lambda mx, v: mx.nd.arange(8).reshape((2, 4))[0, v],
    "nd to": lambda mx, v: mx.nd.arange(8)[:v],
    "np to": lambda mx, v: mx.np.arange(8)[:v],
    "nd by": lambda mx, v: mx.nd.arange(8)[::v],
    "np by": lambda mx, v: mx.np.arange(8)[::v],
    "np to of two": lambda mx, v: mx.np.arange(8).reshape(2, 4)[:, v:],
    "nd set to": lambda mx, v: _set(mx.nd.ones((4,)), slice(0, v), 5),
    "np set to": lambda mx, v: _set(mx.np.ones((4,)), slice(0, v), 5),
    "nd add": lambda mx, v: mx.nd.ones((2,)) + v,
    "np add": lambda mx, v: mx.np.ones((2,)) + v,
    "np pow": lambda mx, v: mx.np.ones((2,)) ** v,
    "np rsub": lambda mx, v: v - mx.np.ones((2,)),
    "nd.maximum": lambda mx, v: mx.nd.maximum(mx.nd.ones((2,)), v),
    "np.maximum": lambda mx, v: mx.np.maximum(mx.np.ones((2,)), v),
    "np.random.uniform": lambda mx, v: _seeded(mx, lambda: mx.np.random.uniform(0, v, 3)),
    "np.random.uniform size": lambda mx, v: _seeded(mx, lambda: mx.np.random.uniform(size=v)),
    "np.random.normal": lambda mx, v: _seeded(mx, lambda: mx.np.random.normal(0, v, 3)),
    "np.random.normal size": lambda mx, v: _seeded(mx, lambda: mx.np.random.normal(size=v)),
    "np.random.randint": lambda mx, v: _seeded(mx, lambda: mx.np.random.randint(0, v, 3)),
    "np.random.randint one": lambda mx, v: _seeded(mx, lambda: mx.np.random.randint(v, size=3)),
    "np.random.randint size": lambda mx, v: _seeded(mx, lambda: mx.np.random.randint(0, 9, v)),
    "np.random.rand": lambda mx, v: _seeded(mx, lambda: mx.np.random.rand(v)),
    "np.random.randn": lambda mx, v: _seeded(mx, lambda: mx.np.random.randn(v, 3)),
    "np.random.choice": lambda mx, v: _seeded(mx, lambda: mx.np.random.choice(9, v)),
    "np.random.choice of": lambda mx, v: _seeded(mx, lambda: mx.np.random.choice(v, 3)),
    "np.random.permutation": lambda mx, v: _seeded(mx, lambda: mx.np.random.permutation(v)),
    "np.random.gamma": lambda mx, v: _seeded(mx, lambda: mx.np.random.gamma(v, size=3)),
    "np.random.beta": lambda mx, v: _seeded(mx, lambda: mx.np.random.beta(v, 2, size=3)),
    "np.random.exponential": lambda mx, v: _seeded(mx, lambda: mx.np.random.exponential(v, 3)),
    "np.random.laplace": lambda mx, v: _seeded(mx, lambda: mx.np.random.laplace(0, v, 3)),
    "np.random.gumbel": lambda mx, v: _seeded(mx, lambda: mx.np.random.gumbel(0, v, 3)),
    "np.random.logistic": lambda mx, v: _seeded(mx, lambda: mx.np.random.logistic(0, v, 3)),
    "np.random.pareto": lambda mx, v: _seeded(mx, lambda: mx.np.random.pareto(v, 3)),
    "np.random.rayleigh": lambda mx, v: _seeded(mx, lambda: mx.np.random.rayleigh(v, 3)),
    "np.random.weibull": lambda mx, v: _seeded(mx, lambda: mx.np.random.weibull(v, 3)),
    "np.random.chisquare": lambda mx, v: _seeded(mx, lambda: mx.np.random.chisquare(v, 3)),
    "np.random.lognormal": lambda mx, v: _seeded(mx, lambda: mx.np.random.lognormal(0, v, 3)),
    "nd.random.uniform": lambda mx, v: _seeded(mx, lambda: mx.nd.random.uniform(0, v, shape=3)),
    "nd.random.uniform shape": lambda mx, v: _seeded(mx, lambda: mx.nd.random.uniform(shape=v)),
    "nd.random.normal": lambda mx, v: _seeded(mx, lambda: mx.nd.random.normal(0, v, shape=3)),
    "nd.random.randn": lambda mx, v: _seeded(mx, lambda: mx.nd.random.randn(v, v)),
    "nd.random.randint": lambda mx, v: _seeded(mx, lambda: mx.nd.random.randint(0, v, shape=3)),
    "nd.random.poisson": lambda mx, v: _seeded(mx, lambda: mx.nd.random.poisson(v, shape=3)),
    "nd.random.gamma": lambda mx, v: _seeded(mx, lambda: mx.nd.random.gamma(v, v, shape=3)),
    "seed": lambda mx, v: (mx.random.seed(v), mx.nd.random.uniform(shape=3))[1],
    "np seed": lambda mx, v: (mx.np.random.seed(v), mx.np.random.uniform(size=3))[1],
    "take": lambda mx, v: len(mx.gluon.data.SimpleDataset([5, 6, 7]).take(v)),
    "NDArrayIter": _iterator,
    "NDArrayIter discard": lambda mx, v: _iterator(mx, v, last_batch_handle="discard"),
    "ResizeIter": lambda mx, v: len(
        list(islice(mx.io.ResizeIter(mx.io.NDArrayIter(onp.arange(6.0), batch_size=2), v), 9))
    ),
    "Resize": lambda mx, v: mx.gluon.data.vision.transforms.Resize(v)(_picture(mx)),
    "CenterCrop": lambda mx, v: mx.gluon.data.vision.transforms.CenterCrop(v)(_picture(mx)),
    "RandomBrightness": lambda mx, v: _transformed(
        mx, mx.gluon.data.vision.transforms.RandomBrightness(v)
    ),
    "RandomFlip": lambda mx, v: _transformed(
        mx, mx.gluon.data.vision.transforms.RandomFlipLeftRight(v)
    ),
    "RandomLighting": lambda mx, v: _transformed(
        mx, mx.gluon.data.vision.transforms.RandomLighting(v)
    ),
    "CropResize": lambda mx, v: mx.gluon.data.vision.transforms.CropResize(v, v, v, v)(
        _picture(mx)
    ),
    "imresize": lambda mx, v: mx.image.imresize(_picture(mx), v, v),
    "fixed_crop": lambda mx, v: mx.image.fixed_crop(_picture(mx), v, v, v, v),
    "resize_short": lambda mx, v: mx.image.resize_short(_picture(mx), v),
    "clip_global_norm": _clipped,
    "clip_global_norm np": lambda mx, v: _clipped(mx, v, "np"),
    "split_data": lambda mx, v: mx.gluon.utils.split_data(mx.nd.arange(4), v),
    "np split_data": lambda mx, v: mx.gluon.utils.split_data(mx.np.arange(4), v),
    "Perplexity": lambda mx, v: _measured(
        mx, mx.metric.Perplexity(ignore_label=v), mx.nd.ones((2, 3)) / 3, mx.nd.array([0, 2])
    ),
    "FactorScheduler": lambda mx, v: [
        float(mx.lr_scheduler.FactorScheduler(v, 0.5, base_lr=1)(n)) for n in (1, 3, 9)
    ],
    "FactorScheduler rate": lambda mx, v: [
        float(mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=v)(n)) for n in (1, 3, 9)
    ],
    "MultiFactorScheduler": lambda mx, v: [
        float(mx.lr_scheduler.MultiFactorScheduler([v, 5], 0.5, base_lr=1)(n)) for n in (1, 3, 9)
    ],
    "PolyScheduler": lambda mx, v: [
        float(mx.lr_scheduler.PolyScheduler(v, base_lr=1)(n)) for n in (1, 3, 9)
    ],
    "CosineScheduler": lambda mx, v: [
        float(mx.lr_scheduler.CosineScheduler(8, 1, warmup_steps=v)(n)) for n in (1, 3, 9)
    ],
    "ones_like": lambda mx, v: mx.np.ones_like(mx.np.array([v, v])),
    "x.item": lambda mx, v: float(mx.np.arange(4).item(v)),
    "swapaxes": lambda mx, v: mx.nd.ones((2, 3, 4)).swapaxes(0, v),
    "np swapaxes": lambda mx, v: mx.np.ones((2, 3, 4)).swapaxes(0, v),
    "np.concatenate": lambda mx, v: mx.np.concatenate([mx.np.ones((1, 2, 3))] * 2, axis=v),
    "np.stack": lambda mx, v: mx.np.stack([mx.np.ones((2, 3))] * 2, axis=v),
    "np.mean": lambda mx, v: mx.np.mean(mx.np.ones((2, 3, 4)), v),
    "np.std": lambda mx, v: mx.np.ones((2, 3, 4)).std(v),
    "np.take": lambda mx, v: mx.np.take(mx.np.ones((2, 3, 4)), 0, axis=v),
    "np.take at": lambda mx, v: mx.np.take(mx.np.arange(4), v),
    "x.take": lambda mx, v: mx.np.arange(4).take(v),
    "np.tri": lambda mx, v: mx.np.tri(v),
    "np.tril": lambda mx, v: mx.np.tril(mx.np.ones((3, 3)), v),
    "np.diag": lambda mx, v: mx.np.diag(mx.np.ones((2,)), v),
    "np.indices": lambda mx, v: mx.np.indices((v,)),
    "np.identity": lambda mx, v: mx.np.identity(v),
    "np.around": lambda mx, v: mx.np.around(mx.np.array([1.2345]), v),
    "np.percentile": lambda mx, v: mx.np.percentile(mx.np.arange(4.0), v),
    "np.diff": lambda mx, v: mx.np.diff(mx.np.arange(5.0), v),
    "npx.topk": lambda mx, v: mx.npx.topk(mx.np.arange(5.0), k=v),
    "npx.one_hot": lambda mx, v: mx.npx.one_hot(mx.np.array([1]), v),
    "npx.softmax": lambda mx, v: mx.npx.softmax(mx.np.ones((1, 2, 3)), v),
    "npx.pick": lambda mx, v: mx.npx.pick(mx.np.ones((2, 3, 4)), mx.np.zeros((2, 3)), v),
}


def _measured(mx, metric, preds, labels):
    metric.update([labels], [preds])
    return float(metric.get()[1])


PROGRAMS = {
    "layers": (LAYERS, GUISES),
    "pairs": (PAIR_LAYERS, PAIRS),
    "places": (PLACES, GUISES),
}

# What is written into `out`, the last argument.
UFUNCS = {
    "add": lambda np, a, b, out: np.add(a, b, out),
    "add everywhere": lambda np, a, b, out: np.add(a, b, out, where=True),
    "add into": lambda np, a, b, out: np.add(a, b, out=out, where=True),
    "exp": lambda np, a, b, out: np.exp(a, out),
    "exp everywhere": lambda np, a, b, out: np.exp(a, out, where=True),
    "power": lambda np, a, b, out: np.power(a, 2, out),
    "maximum": lambda np, a, b, out: np.maximum(a, b, out),
}


def written(mx, program):
    """Return whether a universal function returns `out`, and what it leaves there."""
    out = mx.np.zeros(2)
    found = program(mx.np, mx.np.array([1.0, 2.0]), mx.np.array([3.0, 4.0]), out)
    return [found is out, out.asnumpy().astype(str).tolist()]
