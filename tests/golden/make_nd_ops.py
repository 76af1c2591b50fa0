"""Ask the real MXNet 1.9.1 for the values and gradients of every row of tests/ops/samples.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes tests/golden/nd_ops.npz.
Every row runs in a process of its own, since some crash MXNet.
"""

from __future__ import annotations

import json
import os
import pickle
import sys
from pathlib import Path

os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"

import numpy as onp

sys.path.insert(0, str(Path(__file__).parents[1] / "ops"))

import mxnet as mx
import samples
from mxnet import autograd, nd

TARGET = Path(__file__).with_name("nd_ops.npz")


def arrays():
    """Return the samples' arrays as MXNet's."""
    return {name: nd.array(value, dtype=value.dtype) for name, value in samples.data().items()}


def evaluate(expression, values):
    """Return what an expression gives."""
    return eval(expression, {"nd": nd, "onp": onp, "mx": mx, **values})


def describe(value):
    """Return a description of a result."""
    if isinstance(value, (list, tuple)):
        return {"kind": type(value).__name__, "parts": [describe(part) for part in value]}
    return {"array": value.asnumpy(), "dtype": str(onp.dtype(value.dtype)), "ctx": str(value.ctx)}


def gradients(expression):
    """Return the gradient of sum(result * weights) for every input, empty where there is none."""
    values = arrays()
    for key in samples.DIFFERENTIABLE:
        values[key].attach_grad()
    try:
        with autograd.record():
            result = evaluate(expression, values)
            parts = result if isinstance(result, (list, tuple)) else [result]
            heads = [part for part in parts if onp.dtype(part.dtype).kind == "f"]
        weights = [nd.array(samples.weights(head.shape), dtype=head.dtype) for head in heads]
        autograd.backward(heads, weights)
        found = {key: values[key].grad.asnumpy() for key in samples.DIFFERENTIABLE}
    except Exception:  # noqa: BLE001 - whatever MXNet refuses has no gradient
        return {}
    return {key: gradient for key, gradient in found.items() if gradient.any()}


def apart(function, *args):
    """Return what a function returns in a process of its own; None if that crashes."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            answer = function(*args)
        except Exception as error:  # noqa: BLE001 - listed
            lines = str(error).strip().splitlines()
            answer = {"refused": type(error).__name__, "says": "".join(lines[-1:])}
        with os.fdopen(writer, "wb") as stream:
            pickle.dump(answer, stream)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else None


def stored(value, name, store):
    """Move the arrays of a description into `store`."""
    if "parts" in value:
        parts = [stored(part, f"{name}.{n}", store) for n, part in enumerate(value["parts"])]
        return {**value, "parts": parts}
    store[name] = value["array"]
    return {**value, "array": name}


def main():
    """Write the golden file; rows that MXNet refuses are listed as such."""
    store, manifest = {}, {}
    for family in samples.FAMILIES:
        for number, expression in enumerate(samples.rows(family)):
            name = f"{family}.{number}"
            result = apart(lambda text: describe(evaluate(text, arrays())), expression)
            if result is None or "refused" in result:
                manifest[expression] = result or {"refused": "crash"}
                sys.stdout.write(f"{expression}: {result}\n")
                continue
            grads = apart(gradients, expression) or {}
            for key, gradient in grads.items():
                store[f"{name}.grad.{key}"] = gradient
            manifest[expression] = {
                "result": stored(result, name, store),
                "gradients": {key: f"{name}.grad.{key}" for key in grads},
            }
    store["manifest"] = onp.array(json.dumps({"mxnet": mx.__version__, "rows": manifest}))
    onp.savez_compressed(TARGET, **store)


if __name__ == "__main__":
    main()
