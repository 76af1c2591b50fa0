"""Ask the real MXNet 1.9.1 for the values and gradients of every row of tests/ops/samples_np.py.

Run from the repository's root under a Python that has MXNet 1.9.1; writes tests/golden/np_ops.npz.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

import numpy as onp

sys.path.insert(0, str(Path(__file__).parents[1] / "ops"))

import mxnet as mx
import samples_np
from mxnet import autograd, np, npx

npx.set_np()
TARGET = Path(__file__).with_name("np_ops.npz")


def arrays():
    """Return the samples' arrays as MXNet's."""
    return {name: np.array(value, dtype=value.dtype) for name, value in samples_np.data().items()}


def describe(value, name, store):
    """Return a JSON description of a result; its values go into `store`."""
    if isinstance(value, np.ndarray):
        store[name] = value.asnumpy()
        return {"array": name, "dtype": str(onp.dtype(value.dtype)), "ctx": str(value.ctx)}
    if isinstance(value, (list, tuple)):
        parts = [describe(part, f"{name}.{n}", store) for n, part in enumerate(value)]
        return {"kind": "list" if isinstance(value, list) else "tuple", "parts": parts}
    if isinstance(value, (bool, int, float, str)) or value is None:
        return {"value": value, "type": type(value).__name__}
    if isinstance(value, (onp.generic, onp.ndarray)):
        return {"value": value.tolist(), "type": type(value).__name__}
    return {"value": str(value), "type": type(value).__name__}


def gradients(expression, name, store):
    """Store the gradient of sum(result * weights) for every input that has one."""
    values = arrays()
    for key in samples_np.DIFFERENTIABLE:
        values[key].attach_grad()
    try:
        with autograd.record():
            result = eval(expression, {"np": np, "npx": npx, "onp": onp, "mx": mx, **values})
            parts = result if isinstance(result, (list, tuple)) else [result]
            heads = [part for part in parts if isinstance(part, np.ndarray)]
            heads = [part for part in heads if onp.dtype(part.dtype).kind == "f"]
        weights = [np.array(samples_np.weights(head.shape), dtype=head.dtype) for head in heads]
        autograd.backward(heads, weights)
        found = {}
        for key in samples_np.DIFFERENTIABLE:
            gradient = values[key].grad.asnumpy()
            if gradient.any():
                store[f"{name}.grad.{key}"] = gradient
                found[key] = f"{name}.grad.{key}"
    except Exception:  # noqa: BLE001 - whatever MXNet refuses has no gradient
        return {}
    return found


def main():
    """Write the golden file; rows that MXNet refuses are left out and listed."""
    store, manifest = {}, {}
    for family in samples_np.FAMILIES:
        for number, expression in enumerate(samples_np.rows(family)):
            name = f"{family}.{number}"
            space = {"np": np, "npx": npx, "onp": onp, "mx": mx, **arrays()}
            try:
                result = describe(eval(expression, space), name, store)
            except Exception as error:  # noqa: BLE001 - listed
                text = str(error).strip().splitlines()
                manifest[expression] = {"refused": type(error).__name__}
                sys.stdout.write(f"{expression}: {type(error).__name__}: {text[-1:]}\n")
                continue
            grads = gradients(expression, name, store)
            manifest[expression] = {"result": result, "gradients": grads}
    store["manifest"] = onp.array(json.dumps({"mxnet": mx.__version__, "rows": manifest}))
    onp.savez_compressed(TARGET, **store)


if __name__ == "__main__":
    main()
