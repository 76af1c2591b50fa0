"""Position-sensitive pooling of regions, run by gluonish or by the real MXNet."""

from __future__ import annotations

import numpy as onp

REGIONS = [[0, 4, 4, 60, 50], [1, -8, 10.5, 30, 100], [0, 20, 20, 20, 20], [1, 70, 60, 200, 90]]

# Each call's operator, options, and number of classes of offsets: 0 means none.
CALLS = {
    "plain": ("PSROIPooling", {"output_dim": 2, "pooled_size": 3, "group_size": 3}, 0),
    "groups": ("PSROIPooling", {"output_dim": 3, "pooled_size": 4, "group_size": 2}, 0),
    "default": ("PSROIPooling", {"output_dim": 2, "pooled_size": 2}, 0),
    "still": (
        "DeformablePSROIPooling",
        {"output_dim": 2, "pooled_size": 3, "group_size": 3, "no_trans": True},
        0,
    ),
    "samples": (
        "DeformablePSROIPooling",
        {
            "output_dim": 2, "pooled_size": 3, "group_size": 2, "no_trans": True,
            "sample_per_part": 3,
        },
        0,
    ),
    "moved": (
        "DeformablePSROIPooling",
        {
            "output_dim": 2, "pooled_size": 3, "group_size": 3, "sample_per_part": 2,
            "trans_std": 0.1,
        },
        1,
    ),
    "classes": (
        "DeformablePSROIPooling",
        {
            "output_dim": 4, "pooled_size": 4, "group_size": 1, "sample_per_part": 2,
            "trans_std": 0.2, "part_size": 2,
        },
        2,
    ),
}  # fmt: skip


def inputs(mx, name):
    """Return feature maps, regions and, where there are some, offsets."""
    _, options, classes = CALLS[name]
    draws = onp.random.RandomState(len(name))
    group = options.get("group_size", options["pooled_size"])
    data = draws.randn(2, options["output_dim"] * group**2, 8, 10)
    arrays = [data, REGIONS]
    if classes:
        part = options.get("part_size", options["pooled_size"])
        arrays.append(draws.randn(len(REGIONS), 2 * classes, part, part))
    return [mx.nd.array(onp.array(each, dtype="float32")) for each in arrays]


def answers(mx, name):
    """Return the result of a call, and the gradients of data and offsets."""
    operator, options, _ = CALLS[name]
    data, _, *trans = arrays = inputs(mx, name)
    for array in (data, *trans):
        array.attach_grad()
    with mx.autograd.record():
        found = getattr(mx.nd.contrib, operator)(*arrays, spatial_scale=0.125, **options)
    weights = onp.random.RandomState(1).randn(*found.shape)
    found.backward(mx.nd.array(weights))
    result = {"y": found.asnumpy(), "data": data.grad.asnumpy()}
    return {**result, "trans": trans[0].grad.asnumpy()} if trans else result
