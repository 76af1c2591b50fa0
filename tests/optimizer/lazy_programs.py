"""Updates by gradients that have some rows only, for the real MXNet and for gluonish alike."""

from __future__ import annotations

CASES = {
    "sgd": ({}, {"momentum": 0.9}, {"lazy_update": False}, {"lazy_update": False, "momentum": 0.9}),
    "nag": ({}, {"momentum": 0.9}),
    "lbsgd": ({}, {"momentum": 0.9}, {"warmup_strategy": "lars"}),
    "adam": ({}, {"lazy_update": True}),
    "signum": ({"momentum": 0.0},),
}


def updated(mx, name, options, dtype):
    """Return a weight after two updates, by gradients of its first row."""
    weight = mx.nd.array([[0.5, -0.3], [1.0, 2.0]], dtype=dtype)
    grad = mx.nd.array([[0.1, 0.2], [0.0, 0.0]], dtype=dtype).tostype("row_sparse")
    optimizer = mx.optimizer.create(
        name, learning_rate=0.1, wd=0.01, multi_precision=dtype == "float16", **options
    )
    state = optimizer.create_state_multi_precision(0, weight)
    for _ in range(2):
        optimizer.update_multi_precision(0, weight, grad, state)
    return weight.asnumpy().ravel().tolist()


def cases():
    """Yield titles, and what `updated` takes."""
    for name, several in CASES.items():
        for options in several:
            for dtype in ("float32", "float16"):
                yield f"{name} {options} {dtype}", (name, options, dtype)
