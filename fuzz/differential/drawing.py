"""Makes cases: calls of operators with arguments drawn at random, as plain data."""

from __future__ import annotations

import inspect
import re
from typing import Any

from fuzz.differential import (  # noqa: F401 - each registers what it draws
    chains,
    classes,
    composites,
    longer_texts,
    odd_uses,
    rare_objects,
    rare_templates,
    registered,
    whole_programs,
)
from fuzz.differential.chance import FLOATS, INTEGERS, Chance, Shape, Value, tuple_of
from fuzz.differential.objects import KINDS
from fuzz.differential.parameters import LEFT_OUT, drawn, seldom
from fuzz.differential.targets import Target, targets
from fuzz.differential.templates import TEMPLATES
from fuzz.differential.texts import written

_OPERATORS = ("nd",) * 6 + ("np",) * 6 + ("npx",) + ("method", "np_method")
_OBJECTS = (
    "layer",
    "layer",
    "index",
    "index",
    "loss",
    "optimizer",
    "metric",
    "initializer",
    "transform",
    "schedule",
    "sampler",
    "any_layer",
    "any_layer",
    "any_loss",
    "any_optimizer",
    "any_metric",
    "any_initializer",
    "any_transform",
    "chain",
    "chain",
    "unrolled",
    "network",
    "convolved_cell",
    "image_function",
    "data",
    "sparse",
    "array",
    "array",
    "second_gradient",
    "inferred",
    "measured",
    "any_rnn",
    "scheduled",
    "trained",
    "any_np",
    "computed_by_numpy",
    "rows_updated",
    "composed",
    "node",
    "written",
    "written",
    "written",
    "written",
    "node",
    "written",
    "written",
    "written",
    "written",
    "node",
    "written",
    "written",
    "written",
    "written",
)
FRONTS = _OPERATORS * 2 + _OBJECTS


def case_of(
    seed: int, number: int, fronts: tuple[str, ...] = FRONTS, only: str = ""
) -> dict[str, Any]:
    """Return the case of a seed and a number, the same at every call."""
    chooser = Chance(f"{seed}/{number}", is_np=False)
    front, _, family = chooser.choice(fronts).partition(".")  # "written.steps", for example
    if family:
        return written(Chance(f"{seed}/{number}/case", is_np=False), family)
    if front in KINDS and not only:
        return KINDS[front](Chance(f"{seed}/{number}/case", is_np=False))
    groups = targets().items() if only else [(front, targets().get(front, []))]
    several = [
        (front, target)
        for front, group in groups
        for target in group
        if not only or re.fullmatch(only, target.name)
    ]
    front, target = chooser.choice(several)
    return _drawn(target, Chance(f"{seed}/{number}/case", is_np=False), front)


def _drawn(target: Target, draw: Chance, front: str) -> dict[str, Any]:
    draw.is_np = front in ("np", "npx", "np_method") or target.front in ("np", "npx")
    case: dict[str, Any] = {
        "front": target.front,
        "name": target.name,
        "seed": draw.randrange(1000),
    }
    if front == "np_method":
        case["np"] = True
    short = target.op.name.rpartition(".")[2]
    names = (f"{target.front}:{target.name}", target.op.name, short)
    template = next((TEMPLATES[name] for name in names if name in TEMPLATES), None)
    if template and draw.happens(0.85):
        args, kwargs = template(draw)
    else:
        args, kwargs = _from_signature(target, draw)
    if draw.happens(0.2):
        kwargs = {**kwargs, **_seldom_given(target, draw, args, kwargs)}
    if draw.happens(0.12):
        args, kwargs = _respelled(draw, args), dict(kwargs)
        if kwargs:
            name = draw.choice(sorted(kwargs))
            kwargs[name] = _otherwise(draw, kwargs[name])
    if draw.happens(0.04):
        args = _with_one_twice(args)
    case |= {"args": args, "kwargs": kwargs, "train": draw.happens(0.7)}
    modes = ["eager"] * 7 + ["hybrid", "symbol"]
    if target.front != "method":
        case["mode"] = draw.choice(modes)
    if draw.happens(0.7):
        case["gradient"] = True
        if draw.happens(0.1):
            case["grad_req"] = "add"
    elif draw.happens(0.3):
        case["out"] = True
    return case


def _seldom_given(
    target: Target, draw: Chance, args: list[Value], kwargs: dict[str, Value]
) -> dict[str, Value]:
    """Return a keyword that neither a template nor the signature gives, or none."""
    rest = [
        name for name in list(target.op.signature.parameters)[len(args) :] if name not in kwargs
    ]
    shapes = _shapes([*args, *kwargs.values()])
    if not rest:
        return {}
    name = draw.choice(rest)
    value = seldom(draw, name, shapes[0] if shapes else ())
    return {} if value is LEFT_OUT else {name: value}


def _with_one_twice(args: list[Value]) -> list[Value]:
    """Return arguments whose first array stands in the place of another one like it, too."""
    specs = [arg.get("array") if isinstance(arg, dict) else None for arg in args]
    if len(args) > 1 and specs[0]:
        for place, spec in enumerate(specs[1:], 1):
            if spec and all(spec[key] == specs[0][key] for key in ("shape", "dtype")):
                return [*args[:place], {"given": 0}, *args[place + 1 :]]
    return args


def _respelled(draw: Chance, args: list[Value]) -> list[Value]:
    """Return arguments with one of them written otherwise."""
    place = draw.randrange(len(args)) if args else 0
    return [_otherwise(draw, a) if i == place else a for i, a in enumerate(args)]


def _otherwise(draw: Chance, value: Value) -> Value:
    """Return a value as programs may write it, too: NumPy's numbers and arrays, lists, text."""
    if isinstance(value, (bool, str)) or value is None:
        return value
    if isinstance(value, (int, float)):
        kinds = ("int64", "int32") if isinstance(value, int) else ("float32", "float64")
        if draw.happens(0.1):
            literal = {"shape": [], "dtype": kinds[0], "values": ["literal", value], "seed": 0}
            return {"array": {**literal, "numpy": True}}
        number = {"number": [draw.choice(kinds), value]}
        return draw.one(number, number, str(value), value * 1.0)
    if isinstance(value, dict) and "tuple" in value:
        parts = value["tuple"]
        if parts and all(isinstance(part, int) for part in parts):
            numbers = [{"number": ["int64", part]} for part in parts]
            return draw.one(list(parts), tuple_of(numbers), numbers)
        return list(parts)
    if isinstance(value, dict) and "array" in value and draw.happens(0.3):
        other = {**value["array"], "dtype": draw.any_dtype()}
        if other["dtype"] != "bool" or draw.is_np:
            return {"array": other}
    return value


def _from_signature(target: Target, draw: Chance) -> tuple[list[Value], dict[str, Value]]:
    """Return arguments that an operator's signature suggests."""
    op = target.op
    parameters = op.signature.parameters
    arrays = _inputs(target, draw)
    shapes: list[Shape] = []
    args: list[Value] = []
    kwargs: dict[str, Value] = {}
    for name in op.inputs:
        parameter = parameters[name]
        value = arrays[name]
        shapes += _shapes(value)
        if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
            args += value
        elif parameter.kind is inspect.Parameter.KEYWORD_ONLY:
            kwargs[name] = value
        elif parameter.default is parameter.empty or draw.happens(0.4):
            if len(args) == _place(op.signature, name) and not kwargs:
                args.append(value)
            else:
                kwargs[name] = value
    given = draw.one(0.15, 0.4, 0.7)
    for name, parameter in parameters.items():
        if name in op.inputs or parameter.kind is inspect.Parameter.VAR_KEYWORD:
            continue
        if parameter.default is not parameter.empty and not draw.happens(given):
            continue
        value = drawn(draw, op.name, name, str(parameter.annotation), shapes)
        if value is not LEFT_OUT:
            if parameter.kind is inspect.Parameter.VAR_POSITIONAL:
                args.append(value)
            else:
                kwargs[name] = value
    return args, kwargs


def _place(signature: inspect.Signature, name: str) -> int:
    return list(signature.parameters).index(name)


def _inputs(target: Target, draw: Chance) -> dict[str, Value]:
    """Return arrays, most often of shapes and dtypes that go together."""
    shape, dtype = draw.shape(), draw.any_dtype()
    found: dict[str, Value] = {}
    for name in target.op.inputs:
        parameter = target.op.signature.parameters[name]
        kind = str(parameter.annotation)
        is_list = "Sequence[Tensor" in kind or parameter.kind is inspect.Parameter.VAR_POSITIONAL
        if is_list:
            found[name] = [_one(draw, shape, dtype, name) for _ in range(draw.randint(1, 3))]
        elif "float" in kind and found and draw.happens(0.3):
            found[name] = draw.number()
        elif "int" in kind and draw.happens(0.3):
            found[name] = draw.randint(-2, 4)
        else:
            same = not found or draw.happens(0.5)
            found[name] = _one(draw, shape if same else draw.alike(shape), dtype, name)
    return found


def _one(draw: Chance, shape: Shape, dtype: str, name: str) -> Value:
    if name in ("indices", "index", "label", "indexing"):
        dtype = draw.one("float32", "int32", "int64")
        return draw.array(shape, dtype, ("ints", draw.one(0, 0, -2), 3))
    if draw.happens(0.04):
        dtype = draw.choice((*FLOATS, *INTEGERS))
    return draw.array(shape, dtype)


def _shapes(value: Value) -> list[Shape]:
    if isinstance(value, list):
        return [shape for part in value for shape in _shapes(part)]
    if isinstance(value, dict) and "array" in value:
        return [tuple(value["array"]["shape"])]
    return []
