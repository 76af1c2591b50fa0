"""Write states.npz: optimizer states pickled by the real MXNet, and how training went on.

Run with `python tests/golden/make_states.py` where mxnet==1.9.1 and numpy<1.24 are installed, then
where mxnet==1.6.0 is, which adds its own.
"""

from __future__ import annotations

import io
import pickle
import sys
import tempfile
import warnings
from pathlib import Path
from typing import ClassVar

import mxnet as mx
import numpy as onp

sys.path.insert(0, str(Path(__file__).parent))

import make_optimizers as settings

BEFORE = 5
PROTOCOLS = ("adam-scheduled", "lbsgd-linear", "sgd-momentum-half")


class Python2Pickler(pickle._Pickler):
    """Writes text and bytearrays as Python 2 did."""

    dispatch: ClassVar = dict(pickle._Pickler.dispatch)

    def save_text(self, value):
        if self.bin:
            encoded = value.encode("latin-1")
            self.write(b"U" + bytes([len(encoded)]) + encoded)
        else:
            self.write(b"S" + repr(value).encode("ascii") + b"\n")
        self.memoize(value)

    def save_unicode(self, value):
        if self.bin:
            encoded = value.encode("utf-8")
            self.write(b"X" + len(encoded).to_bytes(4, "little") + encoded)
        else:
            escaped = value.replace("\\", "\\u005c").replace("\0", "\\u0000")
            escaped = escaped.replace("\n", "\\u000a").replace("\r", "\\u000d")
            escaped = escaped.replace("\x1a", "\\u001a")
            self.write(b"V" + escaped.encode("raw-unicode-escape") + b"\n")

    def save_bytearray(self, value):
        self.save(bytearray)
        self.write(b"(")
        self.save_unicode(value.decode("latin-1"))
        self.save("latin-1")
        self.write(b"tR")
        self.memoize(value)

    dispatch[str] = save_text
    dispatch[bytearray] = save_bytearray


def python2(value, protocol):
    """Return a pickle as Python 2 wrote it."""
    stream = io.BytesIO()
    Python2Pickler(stream, protocol).dump(value)
    return stream.getvalue()


def run(case):
    """Return the updater after some steps, its weights then, and those after each further step."""
    weights, steps = settings.start(case.get("shapes", settings.SHAPES))
    dtype = case.get("dtype", "float32")
    arrays = [mx.nd.array(weight, dtype=dtype) for weight in weights]
    updater = mx.optimizer.get_updater(settings.make(case))
    mx.random.seed(23)
    rows, states = [], {}
    for count, grads in enumerate(steps, 1):
        grads = [mx.nd.array(grad, dtype=dtype) for grad in grads]
        updater(list(range(len(arrays))), grads, arrays)
        rows.append(onp.concatenate([array.asnumpy().ravel() for array in arrays]))
        if count == BEFORE:
            mx.nd.waitall()
            states = {"both": updater.get_states(True), "states": updater.get_states(False)}
            value = updater.states, updater.optimizer
            for protocol in range(6):
                states[f"protocol{protocol}"] = pickle.dumps(value, protocol)
            for protocol in (0, 2):
                states[f"python2_{protocol}"] = python2(value, protocol)
            for part in ("both", "protocol2", "python2_0", "python2_2"):
                kept = updater.states, updater.optimizer
                updater.set_states(states[part])  # MXNet itself reads it
                updater.states, updater.optimizer = kept
    return onp.stack(rows)[BEFORE - 1 :], states


def module_states():
    """Return files of a Module's and a KVStore's states on two contexts."""
    found = {}
    data = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc1")
    for store in ("local", None):
        module = mx.mod.Module(
            mx.sym.SoftmaxOutput(data, name="softmax"), context=[mx.cpu(0), mx.cpu(1)]
        )
        module.bind([("data", (4, 5))], [("softmax_label", (4,))])
        module.init_params(mx.init.One())
        module.init_optimizer(kvstore=store, optimizer="adam")
        batch = mx.io.DataBatch([mx.nd.arange(20).reshape((4, 5)) * 0.01], [mx.nd.arange(4)])
        for _ in range(2):
            module.forward_backward(batch)
            module.update()
        with tempfile.TemporaryDirectory() as folder:
            module.save_optimizer_states(folder + "/s")
            found[f"module-{store}"] = Path(folder, "s").read_bytes()
            if store:
                module._kvstore.save_optimizer_states(folder + "/t", dump_optimizer=True)
                found["kvstore"] = Path(folder, "t").read_bytes()
        module.forward_backward(batch)
        module.update()
        values = module.get_params()[0]
        found[f"module-{store}-after"] = onp.concatenate(
            [values[name].asnumpy().ravel() for name in sorted(values)]
        )
    return found


def sparse_states():
    """Return states that are row_sparse, their dense form, and np arrays."""
    weight = mx.nd.ones((4, 2)).tostype("row_sparse")
    grad = mx.nd.array([[0, 0], [1, 2], [0, 0], [3, 4]]).tostype("row_sparse")
    updater = mx.optimizer.get_updater(mx.optimizer.SGD(momentum=0.5))
    updater(0, grad, weight)
    found = {"sparse": updater.get_states(), "sparse-dense": updater.states[0].asnumpy()}
    mx.npx.set_np()
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "adam")
    with mx.autograd.record():
        loss = net(mx.np.ones((1, 3))).sum()
    loss.backward()
    trainer.step(1)
    found["np"] = trainer._updaters[0].get_states(True)
    found["np-mean"] = trainer._updaters[0].states[1][0].asnumpy()
    mx.npx.reset_np()
    return found


def as_array(value):
    """Return bytes as an array."""
    return onp.frombuffer(value, onp.uint8) if isinstance(value, bytes) else value


def main():
    """Write the file, or add to it."""
    warnings.simplefilter("ignore")
    path = Path(__file__).with_name("states.npz")
    version = mx.__version__
    found = {}
    if version != "1.9.1":
        with onp.load(path) as kept:
            found = {name: kept[name] for name in kept.files if not name.startswith(version)}
    for name, case in settings.cases().items():
        if version != "1.9.1" and name.count("-") > 1:
            continue
        rows, states = run(case)
        found[f"{version}/{name}/rows"] = rows
        for part, value in states.items():
            if part == "both" or (version == "1.9.1" and name in PROTOCOLS):
                found[f"{version}/{name}/{part}"] = as_array(value)
    for name, value in {**module_states(), **sparse_states()}.items():
        found[f"{version}/{name}"] = as_array(value)
    onp.savez_compressed(path, **found)


if __name__ == "__main__":
    main()
