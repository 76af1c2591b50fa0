"""The recorded calls of the real MXNet, and how to repeat them."""

from __future__ import annotations

import functools
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as onp

import gluonish as mx

GOLDEN = Path(__file__).parent.parent / "golden"


@functools.cache
def cases() -> dict[str, list[dict[str, Any]]]:
    return json.loads((GOLDEN / "random.json").read_text(encoding="utf-8"))["cases"]


@functools.cache
def arrays() -> dict[str, onp.ndarray]:
    with onp.load(GOLDEN / "random.npz") as file:
        return {name: file[name] for name in file.files}


def build(value: object, front: str) -> object:
    if isinstance(value, dict):
        made = mx.np.array if front == "np" else mx.nd.array
        return made(onp.array(value["array"], value["dtype"]), dtype=value["dtype"])
    return tuple(value) if isinstance(value, list) and front == "nd" else value


def play(name: str, args: list[Any], kwargs: dict[str, Any]) -> onp.ndarray | None:
    """Repeat one call and return its result."""
    if name == "seed":
        mx.random.seed(*([args[0], mx.cpu()] if len(args) == 2 else args))
        return None
    if name == "shuffle":
        value = mx.np.arange(args[0], dtype="int64")
        mx.np.random.shuffle(value)
    elif name == "shuffle_rows":
        value = mx.np.stack([mx.np.arange(args[0], dtype="int64")] * 2, axis=1)
        mx.np.random.shuffle(value)
        value = value[:, 0]
    elif name == "dropout":
        kwargs = dict(kwargs)
        ones = mx.nd.ones(tuple(args[0]), dtype=kwargs.pop("dtype", "float32"))
        with mx.autograd.record():
            value = mx.nd.Dropout(ones, p=args[1], **kwargs)
    else:
        front = "np" if name.startswith("np") else "nd"
        function: Any = mx
        for part in name.split("."):
            function = getattr(function, part)
        args = [build(one, front) for one in args]
        kwargs = {key: build(one, front) for key, one in kwargs.items()}
        if isinstance(kwargs.get("size"), list):
            kwargs["size"] = tuple(kwargs["size"])
        value = function(*args, **kwargs)
    return onp.asarray(value.asnumpy())


def digest(value: onp.ndarray) -> str:
    return hashlib.sha256(onp.ascontiguousarray(value).tobytes()).hexdigest()
