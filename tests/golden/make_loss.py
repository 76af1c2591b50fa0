"""Writes loss.json and loss.npz: the losses of the real MXNet 1.9.1, with their gradients.

Run it under the real MXNet: `python tests/golden/make_loss.py`. Losses that MXNet computes for
np.ndarray too are recorded for both array classes.
"""

from __future__ import annotations

import json
import pathlib
import zlib

import mxnet as mx
import numpy as onp
from mxnet import autograd
from mxnet.gluon import loss as losses

HERE = pathlib.Path(__file__).parent
WITH_NP = ("L1Loss", "L2Loss", "SigmoidBinaryCrossEntropyLoss", "SoftmaxCrossEntropyLoss")

PRED = [3, 4]
IDS = {"values": [0, 3, 1]}
LABELS = {"values": [[1, 2, -1], [3, 0, 1]]}
WEIGHTS = {"values": [[1], [2], [3]]}


def positive(*shape):
    return {"positive": list(shape)}


def units(*shape):
    return {"units": list(shape)}


def signs(*shape):
    return {"signs": list(shape)}


def rows():
    """Yield name of the loss, arguments of its constructor, inputs (None for no array)."""
    for name in ("L2Loss", "L1Loss", "HuberLoss", "SigmoidBinaryCrossEntropyLoss"):
        yield name, {}, [PRED, PRED]
        yield name, {}, [PRED, [12]]
        yield name, {}, [PRED, PRED, WEIGHTS]
        yield name, {"weight": 0.5}, [PRED, PRED, WEIGHTS]
        yield name, {}, [[4], [4]]
        yield name, {"batch_axis": 1}, [PRED, PRED]
    yield "HuberLoss", {"rho": 0.3}, [PRED, PRED]
    for name in ("HingeLoss", "SquaredHingeLoss"):
        yield name, {}, [PRED, signs(3, 4)]
        yield name, {"margin": 2, "weight": 3}, [PRED, signs(3, 4), WEIGHTS]
    yield "LogisticLoss", {}, [PRED, signs(3, 4)]
    yield "LogisticLoss", {"label_format": "binary", "batch_axis": 1}, [PRED, units(3, 4)]
    yield "SigmoidBinaryCrossEntropyLoss", {}, [PRED, units(3, 4), None, positive(1, 4)]
    yield "SigmoidBinaryCrossEntropyLoss", {"from_sigmoid": True}, [units(3, 4), units(3, 4)]
    inputs = [units(3, 4), units(3, 4), WEIGHTS, positive(1, 4)]
    yield "SigmoidBinaryCrossEntropyLoss", {"from_sigmoid": True}, inputs
    yield from cross_entropies()
    yield "KLDivLoss", {}, [PRED, units(3, 4)]
    yield "KLDivLoss", {"from_logits": False}, [PRED, units(3, 4), WEIGHTS]
    yield "KLDivLoss", {"from_logits": False, "axis": 0, "weight": 2}, [PRED, units(3, 4)]
    yield "TripletLoss", {}, [PRED, PRED, PRED]
    yield "TripletLoss", {"margin": 3, "weight": 2}, [[2, 3, 2], [2, 3, 2], [2, 3, 2]]
    for full in (False, True):
        yield "PoissonNLLLoss", {"compute_full": full}, [PRED, positive(3, 4)]
        options = {"from_logits": False, "compute_full": full, "weight": 2}
        yield "PoissonNLLLoss", options, [positive(3, 4), positive(3, 4), WEIGHTS]
    yield "CosineEmbeddingLoss", {}, [PRED, PRED, signs(3)]
    yield "CosineEmbeddingLoss", {"margin": 0.2, "weight": 2}, [PRED, PRED, signs(3), WEIGHTS]
    yield "SDMLLoss", {}, [PRED, PRED]
    yield "SDMLLoss", {"smoothing_parameter": 0.1, "weight": 2}, [PRED, PRED]
    yield "CTCLoss", {}, [[2, 6, 5], LABELS]
    yield "CTCLoss", {"weight": 2}, [[2, 6, 5], LABELS, None, None, {"values": [1, 3]}]
    lengths = [{"values": [4, 6]}, {"values": [2, 1]}]
    yield "CTCLoss", {}, [[2, 6, 5], {"values": [[1, 2, 0], [3, 0, 1]]}, *lengths]
    turned = {"values": [[1, 3], [2, 0], [-1, 1]]}
    yield "CTCLoss", {"layout": "TNC", "label_layout": "TN"}, [[6, 2, 5], turned]


def cross_entropies():
    name = "SoftmaxCrossEntropyLoss"
    yield name, {}, [PRED, IDS]
    yield name, {}, [PRED, {"values": [[0], [3], [1]]}]
    yield name, {}, [PRED, {"values": [0, 7, -1]}]
    yield name, {}, [PRED, IDS, WEIGHTS]
    yield name, {"weight": 2}, [PRED, IDS]
    yield name, {"from_logits": True}, [PRED, IDS]
    yield name, {"sparse_label": False}, [PRED, units(3, 4)]
    yield name, {"sparse_label": False, "weight": 3}, [PRED, units(3, 4), WEIGHTS]
    two = {"values": [[0, 1, 2], [3, 1, 0]]}
    yield name, {}, [[2, 3, 4], two]
    yield name, {"axis": 1}, [[2, 4, 3], two]
    yield name, {"batch_axis": 1}, [[2, 3, 4], two]
    yield name, {"axis": 0, "batch_axis": 1}, [PRED, {"values": [0, 1, 2, 0]}]


def make(spec, random):
    if spec is None:
        return None
    if isinstance(spec, list):
        return random.normal(size=spec).astype("float32")
    ((kind, value),) = spec.items()
    if kind == "values":
        return onp.array(value, "float32")
    if kind == "positive":
        return (onp.abs(random.normal(size=value)) * 2 + 0.3).astype("float32")
    if kind == "units":
        return random.uniform(0.05, 0.95, size=value).astype("float32")
    return onp.sign(random.normal(size=value)).astype("float32")


def run(name, options, values, array):
    inputs = [None if value is None else array(value) for value in values]
    inputs[0].attach_grad()
    block = getattr(losses, name)(**options)
    if options.get("compute_full"):  # MXNet can't record it: it multiplies in place
        return block(*inputs).asnumpy(), None, repr(block)
    with autograd.record():
        loss = block(*inputs)
    loss.backward()
    return loss.asnumpy(), inputs[0].grad.asnumpy(), repr(block)


def main():
    arrays, manifest = {}, []
    for index, (name, options, specs) in enumerate(rows()):
        key = f"{index:02d}_{name}"
        random = onp.random.RandomState(zlib.crc32(key.encode()) % 2**31)
        values = [make(spec, random) for spec in specs]
        for place, value in enumerate(values):
            if value is not None:
                arrays[f"{key}/in{place}"] = value
        mx.npx.reset_np()
        result = run(name, options, values, lambda v: mx.nd.array(v))
        arrays[f"{key}/loss"] = result[0]
        if result[1] is not None:
            arrays[f"{key}/grad"] = result[1]
        with_np = name in WITH_NP and "batch_axis" not in options
        if with_np:
            mx.npx.set_np()
            found = run(name, options, values, lambda v: mx.np.array(v, dtype="float32"))
            arrays[f"{key}/np_loss"], arrays[f"{key}/np_grad"] = found[:2]
            mx.npx.reset_np()
        entry = {"key": key, "loss": name, "options": options, "inputs": len(values)}
        manifest.append({**entry, "repr": result[2], "np": with_np})
    onp.savez_compressed(HERE / "loss.npz", **arrays)
    versions = {"mxnet": mx.__version__, "script": "make_loss.py"}
    text = json.dumps({"versions": versions, "rows": manifest}, indent=1)
    (HERE / "loss.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
