"""Deformable convolutions, run by gluonish or by the real MXNet."""

from __future__ import annotations

from typing import Any

import numpy as onp

OPTIONS = {
    "plain": {"kernel": (3, 2), "num_filter": 6},
    "full": {
        "kernel": (3, 2), "stride": (2, 2), "dilate": (1, 2), "pad": (1, 1), "num_filter": 6,
        "num_group": 2, "num_deformable_group": 2,
    },
}  # fmt: skip
SIZES = {"plain": (3, 5), "full": (3, 3)}


def arrays(name: str) -> dict[str, onp.ndarray]:
    """Return data, offsets, mask, weight, bias and the gradient from above."""
    draw = onp.random.RandomState(1)
    options = OPTIONS[name]
    groups, sizes = options.get("num_deformable_group", 1), SIZES[name]
    shapes = {
        "data": (2, 4, 5, 6),
        "offset": (2, 2 * groups * 6, *sizes),
        "mask": (2, groups * 6, *sizes),
        "weight": (6, 4 // options.get("num_group", 1), 3, 2),
        "bias": (6,),
        "head": (2, 6, *sizes),
    }
    found = {key: draw.randn(*shape).astype("float32") for key, shape in shapes.items()}
    found["offset"] *= 1.5
    return found


def run(mx: Any) -> dict[str, onp.ndarray]:  # noqa: ANN401 - a module
    """Return all results and gradients."""
    results = {}
    for name, options in OPTIONS.items():
        given = {key: mx.nd.array(value) for key, value in arrays(name).items()}
        head, mask = given.pop("head"), given.pop("mask")
        for value in given.values():
            value.attach_grad()
        with mx.autograd.record():
            y = mx.nd.contrib.DeformableConvolution(**given, **options)
        y.backward(head)
        results[f"{name}_result"] = y.asnumpy()
        for key, value in given.items():
            results[f"{name}_{key}"] = value.grad.asnumpy()
        y = mx.nd.contrib.ModulatedDeformableConvolution(**given, mask=mask, **options)
        results[f"{name}_modulated"] = y.asnumpy()
    return results
