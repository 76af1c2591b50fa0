"""Draws single nodes of graphs from the list of MXNet's operators, their arguments as text."""

from __future__ import annotations

import contextlib
import json
from functools import cache
from pathlib import Path
from typing import Any

import gluonish as mx
from fuzz.differential.chance import FLOATS, Chance, Shape, Value
from fuzz.differential.graphs import of_one_node
from fuzz.differential.objects import Case, kind
from gluonish.errors import MXNetError

_FILE = Path(__file__).parents[2] / "tests" / "golden" / "mxnet_registry.json"
_PASSED_OVER = (  # ends the process, needs functions of Python, devices, subgraphs or the clock
    "_CachedOp", "_CachedOpThreadSafe", "_CrossDeviceCopy", "_CustomFunction", "_NDArray",
    "_Native", "_NoGradient", "_broadcast_backward", "_cond", "_foreach", "_while_loop", "Custom",
    "_copyto", "_cvimdecode", "_sample_multinomial", "_zeros_without_dtype", "_cvimread",
    "_cvimresize", "_cvcopyMakeBorder", "_imdecode", "_npi_share_memory",
)  # fmt: skip
_UNLISTED = {  # what MXNet's list lacks
    "_npi_norm": {
        "ord": ["double", "2"],
        "axis": ["Shape or None", "None"],
        "keepdims": ["boolean", "0"],
        "flag": ["int", "-1"],
    }
}
_ORDERS = ("1", "-1", "2", "-2", "inf", "-inf")  # of matrices' norms; vectors have others, too
_PREFIXES = ("_contrib_dgl", "_sg_mkldnn", "_contrib_quantized", "_contrib_edge", "_contrib_getnnz")
_WEIGHTS = ("weight", "bias", "gamma", "beta", "moving_mean", "moving_var", "parameters")
_DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


@cache
def _operators() -> dict[str, Any]:
    return {
        name: facts
        for name, facts in json.loads(_FILE.read_text(encoding="utf-8"))["operators"].items()
        if name not in _PASSED_OVER and not name.startswith(_PREFIXES) and "backward" not in name
    }


@kind
def _node(draw: Chance) -> Case:
    """Return a graph of one operator, read from text, that an Executor runs."""
    name = draw.choice(sorted(_operators()))
    facts = _operators()[name]
    draw.is_np = name.startswith("_np")
    shape, dtype = draw.shape(), draw.any_dtype()
    arguments = {**facts["arguments"], **_UNLISTED.get(name, {})}
    often = draw.one(0.1, 0.4, 0.7)
    attrs: dict[str, str] = {}
    for key, (sort, *default) in arguments.items():
        if not default or draw.happens(often):
            text = _text(draw, key, sort, shape)
            if text is not None:
                attrs[key] = text
    inputs = facts["inputs"] if not facts.get("count") else []
    if facts.get("count"):
        count = draw.randint(1, 3)
        attrs[facts["count"]] = str(count)
        inputs = [f"arg{place}" for place in range(count)]
    if attrs.get("no_bias") in ("True", "1"):
        inputs = [each for each in inputs if each != "bias"]
    arrays = _arrays(draw, name, inputs, attrs, shape, dtype)
    return {
        "kind": "node",
        "front": "node",
        "name": name,
        "args": [],
        "kwargs": attrs,
        "inputs": arrays,
        "seed": draw.randrange(1000),
        "train": draw.happens(0.7),
        "gradient": draw.happens(0.7),
        "np": draw.is_np,
    }


def _arrays(
    draw: Chance, name: str, inputs: list[str], attrs: dict[str, str], shape: Shape, dtype: str
) -> list[Value]:
    """Return arrays that go together most often; those of weights have the shapes they need."""
    found: dict[int, Shape] = {}
    for count in range(len(inputs), -1, -1):
        try:
            symbol = mx.sym.load_json(of_one_node(name, attrs, count))
        except MXNetError:  # with these arguments it has fewer inputs
            continue
        inputs = inputs[:count]
        if any(each in _WEIGHTS for each in inputs):
            with contextlib.suppress(MXNetError):
                shapes = symbol.infer_shape_partial(in0=shape)[0] or []
                found = {place: tuple(each) for place, each in enumerate(shapes) if each}
        break
    sort = draw.random()
    arrays = []
    for place, each in enumerate(inputs):
        one = (
            shape if not place or sort < 0.5 else draw.alike(shape) if sort < 0.8 else draw.shape()
        )
        one = found.get(place, one)
        if any(word in each for word in ("ind", "label", "index")):
            ids = draw.one("float32", "int32", "int64")
            arrays.append(draw.array(one, ids, ("ints", draw.one(0, 0, -2), 3)))
        elif each == "condition":
            arrays.append(
                draw.array(
                    one,
                    draw.one("float32", "int32", "bool" if draw.is_np else "uint8"),
                    ("ints", 0, 1),
                )
            )
        elif name.startswith("_sample_") or "size" in _operators()[name]["arguments"]:
            arrays.append(draw.array(one, "float32", ("uniform", 0.1, 3.0)))
        else:
            other = draw.choice(FLOATS) if draw.happens(0.03) else dtype
            arrays.append(draw.array(one, other))
    return arrays


def _text(draw: Chance, key: str, sort: Any, shape: Shape) -> str | None:
    """Return an argument of a kind that MXNet names, None to leave it out."""
    rank = len(shape)
    if isinstance(sort, list):
        words: list[str] = [word for word in sort if word != "bfloat16"]
        return draw.choice(words) if words else None
    if sort.endswith("or None"):
        if draw.happens(0.2):
            return "None"
        sort = sort.removesuffix(" or None")
    if key == "ord":
        return draw.choice(_ORDERS)
    if key == "flag":
        return str(draw.randint(-2, 2))
    if sort == "boolean":
        return draw.choice(("True", "False", "1", "0"))
    if key.startswith("ctx"):
        return draw.choice(("cpu(0)", "", None))
    if key == "dtype" and sort == "string":
        return draw.choice(_DTYPES)
    if sort.startswith(("int", "long")):
        if "ax" in key or key == "dim":
            return str(draw.axis(rank))
        low = 0 if "non-neg" in sort else -1
        return str(draw.randint(low, 4))
    if sort in ("float", "double", "real_t"):
        return repr(draw.number())
    if sort.startswith("Shape"):
        if "ax" in key:
            axes = draw.axes(rank)
            return _spelled(draw, axes["tuple"] if isinstance(axes, dict) else [axes or 0])
        if key in ("begin", "end"):
            return _spelled(
                draw, [draw.one(None, *range(-4, 5)) for _ in range(draw.randint(1, max(rank, 1)))]
            )
        if "shape" in key:
            return _spelled(
                draw,
                draw.one(
                    list(shape),
                    list(draw.alike(shape)),
                    [-1],
                    list(reversed(shape)),
                    [0, -1],
                    list(draw.shape()),
                ),
            )
        size = draw.one(max(rank - 2, 1), rank, draw.randint(0, 3))
        return _spelled(draw, [draw.one(0, 1, 1, 2, 2, 3) for _ in range(size)])
    if "float" in sort or "double" in sort:
        return _spelled(draw, [draw.number() for _ in range(draw.randint(1, 3))])
    if sort.startswith("tuple of <Shape"):
        return "(" + ", ".join(f"({draw.one(0, 1, 2)}, {draw.one(0, 1)})" for _ in shape) + ",)"
    if sort.startswith("tuple"):
        return _spelled(draw, [draw.randint(-1, 3) for _ in range(draw.randint(1, 3))])
    return None


def _spelled(draw: Chance, several: list[Any]) -> str:
    """Return a tuple as files and programs write it."""
    if len(several) == 1 and draw.happens(0.4):
        return str(several[0])
    return str(list(several)) if draw.happens(0.3) else str(tuple(several))
