"""Programs that hand numbers over in every guise, for the real MXNet and for gluonish alike."""

from __future__ import annotations

import numpy as onp

GUISES = {
    "float32": lambda mx: onp.float32(2),
    "int64": lambda mx: onp.int64(2),
    "numpy": lambda mx: onp.array(2),
    "float": lambda mx: 2.0,
    "true": lambda mx: True,
    "text": lambda mx: "2",
    "inf": lambda mx: "inf",
    "one": lambda mx: onp.array([2]),
    "scalar": lambda mx: mx.np.array(2),
    "nd": lambda mx: mx.nd.array([2], dtype="int32"),
}


def _x(mx):
    return mx.nd.arange(24).reshape((2, 3, 4))


def _y(mx):
    return mx.np.arange(24).reshape((2, 3, 4))


def _images(mx):
    return mx.nd.ones((1, 3, 8, 8))


OPERATORS = {
    "nd.sum": lambda mx, v: mx.nd.sum(_x(mx), axis=v),
    "x.sum": lambda mx, v: _x(mx).sum(axis=v),
    "np.sum": lambda mx, v: mx.np.sum(_y(mx), axis=v),
    "nd.argmax": lambda mx, v: mx.nd.argmax(_x(mx), axis=v),
    "np.argmax": lambda mx, v: mx.np.argmax(_y(mx), axis=v),
    "nd.softmax": lambda mx, v: mx.nd.softmax(_x(mx), axis=v),
    "temperature": lambda mx, v: mx.nd.softmax(_x(mx), temperature=v),
    "nd.concat": lambda mx, v: mx.nd.concat(_x(mx), _x(mx), dim=v),
    "nd.stack": lambda mx, v: mx.nd.stack(_x(mx), _x(mx), axis=v),
    "nd.split": lambda mx, v: mx.nd.split(_x(mx), v, axis=0),
    "np.split": lambda mx, v: mx.np.split(_y(mx), v),
    "nd.clip": lambda mx, v: mx.nd.clip(_x(mx), 0, v),
    "np.clip": lambda mx, v: mx.np.clip(_y(mx), 0, v),
    "nd.repeat": lambda mx, v: mx.nd.repeat(_x(mx), v),
    "np.repeat": lambda mx, v: mx.np.repeat(_y(mx), v),
    "nd.tile": lambda mx, v: mx.nd.tile(_x(mx), v),
    "nd.zeros": lambda mx, v: mx.nd.zeros(v),
    "np.zeros": lambda mx, v: mx.np.zeros(v),
    "np.zeros of two": lambda mx, v: mx.np.zeros((v, 3)),
    "nd.arange": lambda mx, v: mx.nd.arange(v),
    "nd.arange by": lambda mx, v: mx.nd.arange(0, 9, v),
    "np.arange": lambda mx, v: mx.np.arange(v),
    "nd.linspace": lambda mx, v: mx.nd.linspace(0, 1, v),
    "np.linspace": lambda mx, v: mx.np.linspace(0, 1, v),
    "nd.eye": lambda mx, v: mx.nd.eye(v),
    "nd.reshape": lambda mx, v: _x(mx).reshape((v, -1)),
    "nd.expand_dims": lambda mx, v: mx.nd.expand_dims(_x(mx), v),
    "np.expand_dims": lambda mx, v: mx.np.expand_dims(_y(mx), v),
    "np.squeeze": lambda mx, v: mx.np.squeeze(_y(mx)[:, :, :1], v),
    "np.transpose": lambda mx, v: _y(mx).transpose(v, 0, 1),
    "np.moveaxis": lambda mx, v: mx.np.moveaxis(_y(mx), 0, v),
    "np.roll": lambda mx, v: mx.np.roll(_y(mx), v),
    "nd.flip": lambda mx, v: mx.nd.flip(_x(mx), v),
    "nd.slice_axis": lambda mx, v: mx.nd.slice_axis(_x(mx), axis=1, begin=0, end=v),
    "nd.take": lambda mx, v: mx.nd.take(_x(mx), mx.nd.array([1]), axis=v),
    "nd.one_hot": lambda mx, v: mx.nd.one_hot(mx.nd.array([1]), v),
    "nd.topk": lambda mx, v: mx.nd.topk(_x(mx), k=v),
    "np.cumsum": lambda mx, v: mx.np.cumsum(_y(mx), axis=v),
    "nd.norm": lambda mx, v: mx.nd.norm(_x(mx), ord=v),
    "np.tensordot": lambda mx, v: mx.np.tensordot(_y(mx), _y(mx).transpose(2, 1, 0), v),
    "nd.FullyConnected": lambda mx, v: mx.nd.FullyConnected(
        mx.nd.ones((1, 3)), mx.nd.ones((2, 3)), no_bias=True, num_hidden=v
    ),
    "nd.UpSampling": lambda mx, v: mx.nd.UpSampling(_images(mx), scale=v, sample_type="nearest"),
    "leaky": lambda mx, v: mx.nd.LeakyReLU(-_images(mx), slope=v),
}


def _trained(mx, kind="sgd", batch_size=1, rate=None, settings=None):
    """Return a weight after two steps."""
    mx.npx.set_np()
    try:
        net = mx.gluon.nn.Dense(1, in_units=2)
        net.initialize(mx.init.One())
        options = {"learning_rate": 0.1, **(settings or {})}
        trainer = mx.gluon.Trainer(net.collect_params(), kind, options)
        if rate is not None:
            trainer.set_learning_rate(rate)
        for _ in range(2):
            with mx.autograd.record():
                loss = net(mx.np.ones((2, 2))).sum()
            loss.backward()
            trainer.step(batch_size)
        return net.weight.data()
    finally:
        mx.npx.reset_np()


def _with(kind, name):
    return lambda mx, v: _trained(mx, kind, settings={name: v})


TRAINERS = {
    "step": lambda mx, v: _trained(mx, batch_size=v),
    "step of adam": lambda mx, v: _trained(mx, "adam", batch_size=v),
    "set_learning_rate": lambda mx, v: _trained(mx, rate=v),
    "schedule": lambda mx, v: _trained(mx, settings={"lr_scheduler": lambda n: 0.1 * float(v) / n}),
    "learning_rate": _with("sgd", "learning_rate"),
    "wd": _with("sgd", "wd"),
    "clip_gradient": _with("sgd", "clip_gradient"),
    "momentum": _with("sgd", "momentum"),
    "rescale_grad": _with("sgd", "rescale_grad"),
    "epsilon": _with("adam", "epsilon"),
    "clip_weights": _with("rmsprop", "clip_weights"),
    "gamma1": _with("rmsprop", "gamma1"),
    "momentum of nag": _with("nag", "momentum"),
}


def told(result):
    """Return what can be compared of a result."""
    if isinstance(result, (list, tuple)):
        return [told(each) for each in result]
    if hasattr(result, "asnumpy"):
        result = result.asnumpy()
        return [list(result.shape), str(result.dtype), result.ravel()[:40].astype(str).tolist()]
    return result


def run(mx, programs, guises=GUISES):
    """Return what each program makes of each guise; leave out what is refused."""
    found = {}
    for name, program in programs.items():
        for guise, make in guises.items():
            try:
                found[f"{name}, {guise}"] = told(program(mx, make(mx)))
            except Exception:  # noqa: BLE001 - whatever it refuses it with
                continue
    return found
