"""Write amp.json: lists, dtypes and training steps of mixed precision, by the real MXNet 1.9.1.

Run with `python tests/golden/make_amp.py` where mxnet==1.9.1 and numpy<1.24 are installed. MXNet
can't end mixed precision, so that each dtype has a process of its own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import mxnet as mx
import numpy as onp
from mxnet import autograd, gluon, nd
from mxnet.contrib import amp

HERE = Path(__file__).parent
LISTS = (
    "lp16_ops", "fp32_ops", "lp16_fp32_ops", "conditional_fp32_ops", "widest_type_cast",
    "loss_output_functions", "lp16_use_fp32_params",
)  # fmt: skip
# f and c are float32, h the low precision. MXNet's CPU kernels compute these.
CALLS = """
nd.FullyConnected(f, f, num_hidden=2, no_bias=True)
nd.FullyConnected(f, h, num_hidden=2, no_bias=True)
nd.FullyConnected(data=f, weight=f, num_hidden=2, no_bias=True)
nd.Convolution(c, c, kernel=(2, 2), num_filter=1, no_bias=True)
nd.exp(h)
nd.exp(f)
h.exp()
nd.softmax(h)
nd.sum(h)
h.sum()
h.mean()
nd.square(h)
nd.relu(h)
nd.dot(f, h)
f + h
h + h
h * h
h + 1
2 * h
1 / h
h ** 2
nd.stack(h, f)
nd.where(f, h, f)
nd.concat(h, h, dim=0)
nd.Activation(h, act_type='softrelu')
nd.Activation(h, act_type='relu')
nd.LeakyReLU(h, act_type='elu')
nd.LeakyReLU(h, act_type='leaky')
nd.LayerNorm(h, nd.ones((2,)), nd.ones((2,)))
nd.BatchNorm(h, nd.ones((2,)), nd.ones((2,)), nd.ones((2,)), nd.ones((2,)))
nd.Dropout(h)
nd.linalg.gemm2(h, h)
nd.slice_axis(h, axis=0, begin=0, end=1)
nd.argmax(h, axis=1)
""".strip().splitlines()
OWN = {
    "target": {"target_precision_ops": ["exp"]},
    "fp32": {"fp32_ops": ["FullyConnected", "relu"]},
    "conditional": {"conditional_fp32_ops": [("Activation", "act_type", ["relu"])]},
    "both": {"target_precision_ops": ["exp", "relu"], "fp32_ops": ["relu", "softmax"]},
}
STEPS = 10
BAD = (2, 5, 6)


def name_of(dtype):
    """Return a dtype's name."""
    return "bfloat16" if dtype == amp.amp.bfloat16 else onp.dtype(dtype).name


def dtypes():
    """Return the dtype of each call's result."""
    f = nd.ones((2, 2))
    names = {"nd": nd, "f": f, "c": f.reshape((1, 1, 2, 2))}
    names["h"] = nd.amp_cast(f, dtype=amp.amp.bfloat16)
    found = {}
    for call in CALLS:
        try:
            found[call] = name_of(eval(call, names).dtype)
        except mx.MXNetError:  # dtypes that do not fit together
            continue
    return found


class Scaled(gluon.HybridBlock):
    """A weight for each feature; no operator of the low precision."""

    def __init__(self):
        super().__init__()
        with self.name_scope():
            self.weight = self.params.get("weight", shape=(3,), init="ones")

    def hybrid_forward(self, F, x, weight):
        return x * weight


def steps_of(net, optimizer, options, *, clip=None):
    """Return what ten steps leave, three of which run over."""
    net.initialize(mx.init.One())
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    amp.init_trainer(trainer)
    trainer._amp_loss_scaler._scale_seq_len = 2
    loss = gluon.loss.L2Loss()
    random = onp.random.RandomState(3)
    rows = []
    for step in range(STEPS):
        x = nd.array(random.randn(4, 3))
        y = nd.array(random.randn(4, 3))
        if step in BAD:
            x[0, 0] = float("inf")
        with autograd.record():
            found = loss(net(x), y)
            with amp.scale_loss(found, trainer) as scaled:
                autograd.backward(scaled)
        if clip is not None:
            amp.unscale(trainer)
            grads = [p.grad() for p in net.collect_params().values()]
            gluon.utils.clip_global_norm(grads, clip, check_isfinite=False)
        trainer.step(4)
        rows.append(
            {
                "loss": [float(v) for v in found.astype("float32").asnumpy()],
                "scale": trainer._amp_loss_scaler.loss_scale,
                "updates": trainer.optimizer.num_update,
                "weights": [
                    [float(v) for v in p.data().asnumpy().ravel()]
                    for p in net.collect_params().values()
                ],
            }
        )
    return rows


def dense():
    """Return a small network."""
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(4, activation="relu", in_units=3), gluon.nn.Dense(3, in_units=4))
    return net


RUNS = {
    "sgd": lambda: steps_of(Scaled(), "sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}),
    "adam": lambda: steps_of(Scaled(), "adam", {"learning_rate": 0.1, "rescale_grad": 0.5}),
    "clipped": lambda: steps_of(Scaled(), "sgd", {"learning_rate": 0.5}, clip=0.5),
    "dense": lambda: steps_of(dense(), "sgd", {"learning_rate": 0.1, "momentum": 0.9}),
}


class Parameter:
    """What a LossScaler looks at."""

    def __init__(self, value):
        self._grad = [nd.array([1.0, value])]
        self.grad_req = "write"

    def list_grad(self):
        """Return the gradients."""
        return self._grad

    def list_ctx(self):
        """Return where they are."""
        return [mx.cpu()]


def scales(checks, **attributes):
    """Return a LossScaler's answers and scales for a series of checks."""
    scaler = amp.loss_scaler.LossScaler()
    vars(scaler).update(attributes)
    values = {"o": 1.0, "i": float("inf"), "n": float("nan")}
    found = []
    for check in checks:
        skips = scaler.has_overflow([Parameter(1.0), Parameter(values[check])])
        found.append([bool(skips), scaler.loss_scale])
    return found


def child(what):
    """Do one part, and print it."""
    if what == "lists":
        kinds = {"float16": "float16", "bfloat16": amp.amp.bfloat16}
        found = {
            key: {name: getattr(amp, f"list_{name}")(kind) for name in LISTS}
            for key, kind in kinds.items()
        }
    elif what == "scales":
        found = {
            "ooioniiinooo": scales("ooioniiinooo"),
            "growing": scales("o" * 10, _scale_seq_len=3),
            "largest": scales(
                "ooo", _scale_seq_len=1, _loss_scale=2.0**24, _next_loss_scale=2.0**24
            ),
            "smallest": scales("iii", _loss_scale=1.0, _next_loss_scale=1.0),
        }
    elif what.startswith("own/"):
        amp.init(amp.amp.bfloat16, **OWN[what[4:]])
        found = dtypes()
    elif what == "dtypes":
        amp.init("bfloat16")
        found = dtypes()
    else:
        kind, run = what.split("/")
        amp.init(kind)
        found = RUNS[run]()
    (HERE / f"{os.getpid()}.part").write_text(json.dumps(found))
    os._exit(0)  # MXNet's own end fails where a kernel was missing


def main():
    """Write the file."""
    parts = ["lists", "scales", "dtypes", *(f"own/{name}" for name in OWN)]
    parts += [f"float16/{run}" for run in ("sgd", "adam", "clipped")]
    parts += [f"bfloat16/{run}" for run in ("sgd", "dense")]
    found = {"calls": CALLS, "own": OWN, "steps": {}}
    for part in parts:
        with subprocess.Popen([sys.executable, __file__, part]) as process:
            process.wait()
        path = HERE / f"{process.pid}.part"
        value = json.loads(path.read_text())
        path.unlink()
        if "16/" in part:
            found["steps"][part] = value
        else:
            found[part] = value
    (HERE / "amp.json").write_text(json.dumps(found) + "\n")


if __name__ == "__main__":
    if len(sys.argv) > 1:
        child(sys.argv[1])
    main()
