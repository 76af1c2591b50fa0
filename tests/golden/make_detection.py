"""Ask the real MXNet 1.9.1 for values and gradients of the rows of samples_detection.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes detection.npz and
detection.json beside this file. Every row runs in a process of its own, since some crash MXNet.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path

os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"

import numpy as onp

sys.path.insert(0, str(Path(__file__).parents[1] / "ops" / "vision"))

import mxnet as mx
import samples_detection as samples
from mxnet import autograd, nd

HERE = Path(__file__).parent


def answer(expression):
    """Return what an expression gives: arrays, then gradients by the inputs' names."""
    values = {name: nd.array(value) for name, value in samples.data().items()}
    for key in samples.DIFFERENTIABLE:
        values[key].attach_grad()
    names = {"nd": nd, "npx": mx.npx, "np_of": lambda array: array.as_np_ndarray(), **values}
    with autograd.record():
        result = eval(expression, names)
    parts = list(result) if isinstance(result, (list, tuple)) else [result]
    found = [part.asnumpy() for part in parts]
    weights = [nd.array(samples.weights(part.shape), dtype=part.dtype) for part in found]
    if "npx." in expression:
        weights = [part.as_np_ndarray() for part in weights]
    try:
        autograd.backward(parts, weights)
    except mx.MXNetError:  # none of the differentiable arrays takes part
        return found, {}
    gradients = {key: values[key].grad.asnumpy() for key in samples.DIFFERENTIABLE}
    return found, {key: each for key, each in gradients.items() if each.any()}


def apart(expression):
    """Return the answer to an expression out of a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        with os.fdopen(writer, "wb") as stream:
            pickle.dump(answer(expression), stream)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    os.waitpid(child, 0)
    if not content:
        sys.exit(f"no answer to {expression}")
    return pickle.loads(content)


def main():
    """Write the golden files."""
    store, manifest = {}, {}
    for family in samples.FAMILIES:
        for number, expression in enumerate(samples.rows(family)):
            found, gradients = apart(expression)
            name = f"{family}.{number}"
            store |= {f"{name}.{place}": part for place, part in enumerate(found)}
            store |= {f"{name}.grad.{key}": part for key, part in gradients.items()}
            manifest[expression] = {
                "results": [f"{name}.{place}" for place in range(len(found))],
                "gradients": {key: f"{name}.grad.{key}" for key in gradients},
            }
    onp.savez_compressed(HERE / "detection.npz", **store)
    text = json.dumps({"mxnet": mx.__version__, "rows": manifest}, indent=1)
    (HERE / "detection.json").write_text(text + "\n")


if __name__ == "__main__":
    main()
