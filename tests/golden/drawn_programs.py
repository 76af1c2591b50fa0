"""Calls that the fuzzer of calls has drawn, for the real MXNet and for gluonish alike."""

from __future__ import annotations

import numpy as onp


def _nd(mx, values, dtype="float32"):
    return mx.nd.array(onp.array(values), dtype=dtype)


def _np(mx, values, dtype="float32"):
    return mx.np.array(onp.array(values), dtype=dtype)


def _pow(mx, dtype, exponents):
    return _np(mx, [3, 7, 2], dtype) ** exponents


def _adamw(mx, scale, **options):
    arrays = [_nd(mx, values) for values in ([1, 2], [3, 4], [0.1, 0.2], [0.5, 0.6], scale)]
    return mx.nd.contrib.adamw_update(*arrays, lr=0.1, eta=1, **options)


def _rmsprop(mx, **options):
    arrays = [_nd(mx, values) for values in ([1, 2], [3, 4], [0.1, 0.2])]
    return mx.nd.rmsprop_update(*arrays, lr=0.1, **options)


def _adam(mx, **options):
    arrays = [_nd(mx, values) for values in ([1, 2], [3, 4], [0.1, 0.2], [0.5, 0.6])]
    return [mx.nd.adam_update(*arrays, **options), *arrays[2:]]


def _updated(mx, name, **options):
    weight = _nd(mx, [1, 2])
    updater = mx.optimizer.get_updater(mx.optimizer.create(name, learning_rate=0.1, **options))
    updater(0, _nd(mx, [3, 4]), weight)
    return weight


def _gradient(mx, function):
    x = _np(mx, [1, 2])
    x.attach_grad()
    with mx.autograd.record():
        y = function(x)
    y.backward()
    return x.grad


def _slope(mx, function):
    x = _nd(mx, [[1, 2], [3, 1]])
    x.attach_grad()
    with mx.autograd.record():
        y = function(x)
    y.backward()
    return x.grad


def _graph(mx, build, **arrays):
    inputs = {name: mx.sym.var(name).as_np_ndarray() for name in arrays}
    given = {name: _np(mx, values) for name, values in arrays.items()}
    return build(mx.sym.np, **inputs).bind(mx.cpu(), given).forward()


def _lstm(mx, **options):
    layer = mx.gluon.rnn.LSTM(2, 2, projection_size=2, **options)
    layer.initialize(mx.init.Constant(0.3))
    return layer(_nd(mx, onp.arange(6).reshape(3, 1, 2) / 6))


def _pooled(mx, shape, **options):
    return mx.nd.Pooling(mx.nd.ones(shape), pool_type="avg", **options)


def _dropped(mx, axes):
    mx.random.seed(3)
    with mx.autograd.train_mode():
        return mx.gluon.nn.Dropout(0.5, axes=axes)(mx.nd.ones((3, 4)))


def _accuracy(mx, axis):
    metric = mx.metric.Accuracy(axis=axis)
    metric.update([_nd(mx, [0, 1])], [_nd(mx, [[0.2, 0.8], [0.4, 0.6]])])
    return metric.get()[1]


def _chosen(mx, **options):
    mx.random.seed(3)
    return mx.np.random.choice(_np(mx, onp.arange(6).reshape(3, 2)), **options)


_PIXELS = onp.arange(32).reshape(1, 8, 2, 2)
PROGRAMS = {
    "int64 powers": lambda mx: _pow(mx, "int64", _np(mx, [23, 12, -1], "int64")),
    "int32 powers": lambda mx: _pow(mx, "int32", _np(mx, [19, 11, -1], "int32")),
    "powers of a number": lambda mx: _pow(mx, "int64", 23),
    "norm, odd order of matrices": lambda mx: [
        mx.np.linalg.norm(_np(mx, onp.arange(8).reshape(2, 4)), ord=o, axis=(0, 1))
        for o in (3, 0, 0.5, -3, "2", "inf")
    ],
    "norm, text": lambda mx: mx.np.linalg.norm(_np(mx, [[3, 4], [1, 2]]), ord="2", axis=1),
    "remainders of what is 0 in float16": lambda mx: (
        mx.nd.array([0, 1, -2.5], dtype="float16") % 1e-9
    ),
    "norm, text of all elements": lambda mx: [
        mx.np.linalg.norm(_np(mx, [[3, -4], [1, 2]]), ord=o) for o in ("inf", "-inf")
    ],
    "norms of infinite matrices": lambda mx: [
        mx.np.linalg.norm(
            _np(mx, [[[1, onp.inf, 2]], [[3, 4, 0]]]), ord=o, axis=(1, 2), keepdims=o == 2
        )
        for o in ("nuc", 2, -2)
    ],
    "norm, three axes": lambda mx: mx.np.linalg.norm(mx.np.ones((2, 3, 4)), ord=1),
    "norm, zeros": lambda mx: [
        mx.np.linalg.norm(_np(mx, [[0, 0], [0, 2], [1, 2]]), ord=o, axis=1) for o in (-1, -2)
    ],
    "mean of nothing": lambda mx: [mx.np.mean(mx.np.zeros((0, 3)), axis=a) for a in (None, 0)],
    "histogram": lambda mx: [
        mx.np.histogram(_np(mx, [1, 2, 3], d), bins=3, range=(0, 1))[1]
        for d in ("int8", "uint8", "int64", "float16", "float64")
    ],
    "bincount": lambda mx: mx.np.bincount(_np(mx, 3, "uint8"), _np(mx, 2, "uint8")),
    "nancumsum": lambda mx: mx.np.nancumsum(_np(mx, [1, 0, 1], "int8")),
    "trapz": lambda mx: mx.np.trapz(_np(mx, [1, 0, 1], "int64")),
    "tensordot": lambda mx: mx.np.tensordot(mx.np.ones((2, 2)), mx.np.ones((2,)), axes=-1),
    "unique": lambda mx: mx.np.unique(_np(mx, 3), return_counts=True, axis=0),
    "choice": lambda mx: _chosen(mx, size=3),
    "choice without": lambda mx: _chosen(mx, size=3, replace=False),
    "smooth_l1": lambda mx: mx.npx.smooth_l1(_np(mx, [-4, -1, 0, 1, 5], "int8"), scalar=0.5),
    "reshape_view": lambda mx: [
        mx.np.ones((3, 1, 4)).reshape_view(shape) for shape in ((0, -1), (-1, 0), (-3, 4), (-2,))
    ],
    "multi_dot": lambda mx: mx.np.linalg.multi_dot(
        [mx.np.ones((2, 2)), mx.np.ones((2, 2), dtype="float64"), mx.np.ones((2, 2))]
    ),
    "tensorinv": lambda mx: [
        mx.np.linalg.tensorinv(_np(mx, [4])),
        mx.np.linalg.tensorinv(_np(mx, [[4]]), ind=3),
    ],
    "solve": lambda mx: mx.np.linalg.solve(_np(mx, [[2, 0], [0, 4]]), _np(mx, [2, 2], "float64")),
    "order": lambda mx: [mx.np.ravel(mx.np.ones((2, 2)), order=order) for order in "CAK"],
    "full": lambda mx: [mx.np.full((2,), _np(mx, 3, d)) for d in ("int32", "float64")],
    "lcm": lambda mx: mx.np.lcm(_np(mx, [1, 0], "bool"), _np(mx, [1, 1], "bool")),
    "isclose": lambda mx: mx.np.isclose(mx.np.ones(2), mx.np.ones(2), atol=-1),
    "allclose": lambda mx: mx.nd.contrib.allclose(mx.nd.ones(2), mx.nd.ones(2), atol=-1),
    "squeeze in graphs": lambda mx: _graph(
        mx, lambda np, x: np.squeeze(x, axis=onp.int32(0)), x=[[1, 2]]
    ),
    "rand in graphs": lambda mx: mx.sym.np.random.rand(5, 2).infer_shape()[1],
    "arange of integers": lambda mx: [
        mx.nd.arange(3, step=0.5, dtype="int64"),
        mx.nd.arange(-1.5, 4, dtype="int64"),
    ],
    "arange_like": lambda mx: [
        mx.nd.contrib.arange_like(mx.nd.ones((4,), dtype=d), start=1.5, step=step)
        for d in ("int64", "uint8", "float16", "float64")
        for step in (0.5, 2)
    ],
    "amp_cast": lambda mx: [
        mx.nd.amp_cast(_nd(mx, [1.9, -1.9, 0.5, 300]), dtype=d) for d in ("int32", "uint8", "int8")
    ],
    "amp_multicast": lambda mx: mx.nd.amp_multicast(mx.nd.ones(2), num_outputs=1),
    "div_sqrt_dim": lambda mx: mx.nd.contrib.div_sqrt_dim(_nd(mx, [[7, 8, 9]], "int64")),
    "broadcast_axis": lambda mx: mx.nd.broadcast_axis(mx.nd.ones((1, 2)), axis=None, size=None),
    "adamw, many scales": lambda mx: _adamw(mx, [2, 3]),
    "adamw, no gradient": lambda mx: _adamw(mx, [2], clip_gradient=0.0),
    "lamb": lambda mx: mx.nd.lamb_update_phase2(
        *(_nd(mx, values) for values in ([1, 2], [0.1, 0.2], [[2, 5]], [4])), lr=0.5
    ),
    "rmsprop, no weight": lambda mx: _rmsprop(mx, clip_weights=0.0),
    "adam, text": lambda mx: _adam(mx, lr="1", epsilon="3"),
    "a bound of 0": lambda mx: [
        _updated(mx, name, clip_gradient=0)
        for name in ("sgd", "nag", "adam", "signum", "ftml", "lamb", "rmsprop", "ftrl", "adagrad")
    ],
    "a bound of weights": lambda mx: _updated(mx, "rmsprop", clip_weights=0),
    "projections as long as states": lambda mx: [_lstm(mx), _lstm(mx, bidirectional=True)],
    "pooling, no padding counted": lambda mx: [
        _pooled(mx, (1, 1, 4), kernel=(3,), pad=(1,), count_include_pad=0),
        _pooled(
            mx, (1, 1, 4, 4, 4), kernel=(2,) * 3, stride=(2,) * 3, pad=(1,) * 3, count_include_pad=0
        ),
    ],
    "pooling, small data": lambda mx: [
        _pooled(mx, (1, 1, 5, 1, 4), kernel=(2,) * 3, stride=(2,) * 3, pad=(1,) * 3),
    ],
    "dropout": lambda mx: _dropped(mx, 0),
    "accuracy": lambda mx: [_accuracy(mx, "1"), _accuracy(mx, "-1")],
    "where": lambda mx: [
        mx.np.where(_np(mx, [1, 0], "bool"), onp.int64(3), 0),
        mx.np.where(_np(mx, [1, 0], "bool"), _np(mx, [1, 2], "int32"), 2.5),
        mx.np.where(_np(mx, [1, 0], "bool"), True, False),
    ],
    "padding": lambda mx: mx.gluon.nn.ReflectionPad2D(onp.int64(1))(
        mx.nd.arange(9).reshape((1, 1, 3, 3))
    ),
    "parts assigned backward": lambda mx: [
        mx.nd._internal._slice_assign_scalar(
            mx.nd.arange(12).reshape((4, 3)), scalar=9, begin=(3, 1), end=(0, None), step=(-2, 1)
        ),
        mx.nd._internal._slice_assign(
            mx.nd.arange(4), mx.nd.array([7, 8, 9]), begin=(3,), end=(0,), step=(-1,)
        ),
    ],
    "gamma": lambda mx: (mx.random.seed(5), mx.nd.random.gamma(0.3, 1.5, 3, "float64"))[1],
    "var": lambda mx: [mx.np.var(_np(mx, [1, 2]), ddof=3), mx.np.std(_np(mx, 3), ddof=3)],
    "argwhere": lambda mx: [mx.np.argwhere(_np(mx, 2)), mx.np.argwhere(_np(mx, 0))],
    "exponential with out": lambda mx: (
        mx.random.seed(1),
        mx.nd.random.exponential(mx.nd.array([1, 2]), out=mx.nd.zeros((2,))),
    )[1],
    "gradient of what text was given": lambda mx: _gradient(
        mx, lambda x: mx.npx.arange_like(x, start="2.0")
    ),
    "norm of vectors": lambda mx: mx.np.linalg.norm(_np(mx, [3, 4]), ord="fro", axis=-1),
    "rows of what is not 0": lambda mx: mx.npx.nonzero(_np(mx, 2)),
    "one element": lambda mx: [
        mx.np.delete(_np(mx, 3), 2, axis=-1),
        mx.np.insert(_np(mx, 3), 0, 2.0, axis=0),
    ],
    "diagonals": lambda mx: [mx.nd.diag(mx.nd.ones((2, 3)), k=k) for k in (-2, 3)],
    "slice_like": lambda mx: mx.nd.slice_like(mx.nd.ones((2, 3)), mx.nd.ones((1, 2)), axes=None),
    "pooling, float16": lambda mx: mx.gluon.nn.AvgPool3D(2)(
        mx.nd.ones((1, 1, 3, 3, 3), dtype="float16")
    ),
    "einsum of booleans": lambda mx: mx.np.einsum(
        "ij,kj->ik", *[_np(mx, [[1, 0], [0, 1]], "bool")] * 2
    ),
    "vander": lambda mx: mx.np.vander(_np(mx, [1, 2], "uint8"), N=3),
    "matrix_power": lambda mx: [
        mx.np.linalg.matrix_power(_np(mx, [[1, 2], [3, 1]], dtype), n)
        for dtype in ("uint8", "int32")
        for n in (0, 3)
    ],
    "isin": lambda mx: mx.np.isin(_np(mx, [1, 0], "bool"), _np(mx, [1, 2], "float16")),
    "tensorsolve": lambda mx: mx.np.linalg.tensorsolve(
        _np(mx, [[2, 0], [0, 4]], "int32"), _np(mx, [4, 4], "int32")
    ),
    "losses, text": lambda mx: [
        _slope(mx, lambda x: mx.nd.SoftmaxOutput(x, mx.nd.array([0, 1]), grad_scale="0.5")),
        _slope(mx, lambda x: mx.nd.SVMOutput(x, mx.nd.array([0, 1]), margin="0.5")),
        _slope(mx, lambda x: mx.nd.MakeLoss(x, grad_scale="0.5")),
        _slope(mx, lambda x: mx.nd.contrib.gradientmultiplier(x, scalar="2")),
    ],
    "batch_take": lambda mx: mx.nd.batch_take(
        mx.nd.arange(6).reshape((3, 2)), _nd(mx, [[0], [1], [1]], "int32")
    ),
    "box_nms": lambda mx: mx.nd.contrib.box_nms(
        _nd(mx, [[i, s, 1, 1, 1, 1] for i, s in ((1.2, 0.9), (1.7, 0.8), (2.1, 0.7))]),
        overlap_thresh=0.3,
        in_format="center",
        id_index=0,
    ),
    "pixels": lambda mx: mx.gluon.contrib.nn.PixelShuffle2D(2.0)(_nd(mx, _PIXELS)),
}


def told(result):
    """Return a result as plain data."""
    if isinstance(result, (list, tuple)):
        return [told(part) for part in result]
    if hasattr(result, "asnumpy"):
        array = result.asnumpy()
        return {
            "dtype": array.dtype.name,
            "shape": list(array.shape),
            "values": [float(value) for value in array.ravel()],
        }
    return float(result)


def run(mx, name):
    """Return what a program tells; those of `CLASSIC` are of the time before `np`."""
    (mx.npx.reset_np if name in CLASSIC else mx.npx.set_np)()
    try:
        return told(PROGRAMS[name](mx))
    finally:
        mx.npx.reset_np()


CLASSIC = (
    "allclose", "arange of integers", "arange_like", "amp_cast", "amp_multicast", "div_sqrt_dim",
    "broadcast_axis", "adamw, many scales", "adamw, no gradient", "lamb", "rmsprop, no weight",
    "adam, text", "a bound of 0", "a bound of weights", "projections as long as states",
    "pooling, no padding counted", "pooling, small data", "dropout", "accuracy", "pixels",
    "padding", "parts assigned backward", "gamma", "exponential with out", "slice_like",
    "pooling, float16", "losses, text", "batch_take", "box_nms",
)  # fmt: skip
