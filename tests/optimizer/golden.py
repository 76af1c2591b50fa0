"""The settings of optimizers that the real MXNet 1.9.1 ran, and what came out."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp

import gluonish as mx
from gluonish import nd

_FOLDER = Path(__file__).parent.parent / "golden"
DESCRIBED = json.loads((_FOLDER / "optimizers.json").read_text())
CASES = DESCRIBED["cases"]
EXPECTED = onp.load(_FOLDER / "optimizers.npz")
SHAPES = [[4, 3], [5], [2, 3, 2]]


def _by_index(values):
    return {int(key) if key.isdigit() else key: value for key, value in values.items()}


def make(case):
    """Return the optimizer of a setting."""
    options = dict(case["args"])
    if "scheduler" in case:
        name, arguments = case["scheduler"]
        options["lr_scheduler"] = getattr(mx.lr_scheduler, name)(**arguments)
    if "names" in case:
        options["param_idx2name"] = _by_index(case["names"])
    optimizer = mx.optimizer.create(case["optimizer"], **options)
    if "lr_mult" in case:
        optimizer.set_lr_mult(_by_index(case["lr_mult"]))
        optimizer.set_wd_mult(_by_index(case["wd_mult"]))
    return optimizer


def start(case):
    """Return weights, and a list of gradients for each of ten steps."""
    dtype = case.get("dtype", "float32")
    random = onp.random.RandomState(11)

    def draw():
        shapes = case.get("shapes", SHAPES)
        return [nd.array(random.randn(*shape).astype("float32"), dtype=dtype) for shape in shapes]

    return draw(), [draw() for _ in range(10)]
