"""Runs programs of classes and functions that are no layers or operators."""

from __future__ import annotations

import operator
import random
from typing import TYPE_CHECKING, Any

import numpy as onp

from fuzz.differential import runners
from fuzz.differential.graphs import of_one_node
from fuzz.differential.runners import (
    RUNNERS,
    Arguments,
    described,
    head_gradients,
    heads_of,
    library_array,
    made,
    reached,
)

if TYPE_CHECKING:
    from collections.abc import Callable

Answer = dict[str, Any]


def _object(spec: Any) -> Any:
    """Return what a description builds, and a plain value as it is."""
    if not isinstance(spec, dict):
        return spec
    return made(spec["object"], Arguments({}, is_np=False))


def _numbered(params: Any, seed: int, is_np: bool) -> None:
    """Give parameters values of our own."""
    draw = onp.random.RandomState(seed)
    for param in params:
        value = draw.uniform(0.2, 1.0, size=param.shape) * 0.7
        param.set_data(library_array(value.astype(param.dtype), is_np=is_np))


def _back(heads: list[Any], leaves: list[Any], params: list[Any], is_np: bool) -> list[Any]:
    """Return the gradients of arrays and parameters."""
    runners.mx.autograd.backward(heads, head_gradients(heads, is_np))
    found = [described(array.grad) for array in leaves]
    return found + [described(p.grad()) for p in params if p.grad_req != "null"]


def _unroll(case: dict[str, Any], is_np: bool) -> Answer:
    cell = _object(case["cell"])
    options, given = Arguments(case, is_np), Arguments({"args": case["inputs"]}, is_np)
    (data,) = given.arrays
    cell.initialize()
    cell.unroll(case["length"], data, **options.names)
    params = list(cell.collect_params().values())
    _numbered(params, case["seed"], is_np)
    cell.reset()
    if case["hybrid"]:
        cell.hybridize()
    data.attach_grad()
    runners.mx.random.seed(case["seed"])
    with runners.mx.autograd.record(case["train"]):
        outputs, states = cell.unroll(case["length"], data, **options.names)
    answer = {"result": described([outputs, states]), "changed": given.changed()}
    answer["gradients"] = _back(heads_of(outputs), [data], params, is_np)
    return answer


def _network(case: dict[str, Any], is_np: bool) -> Answer:
    mx = runners.mx
    net = reached(mx.gluon, case["name"])()
    for layer in case["layers"]:
        net.add(_object(layer))
    given = Arguments({"args": case["inputs"]}, is_np)
    init = _object(case["init"])
    net.initialize(*([] if init is None else [init]))
    if case["hybrid"]:
        net.hybridize()
    net(*given.positions)
    params = list(net.collect_params().values())
    first = [described(p.data()) for p in params]
    for array in given.arrays:
        array.attach_grad()
    mx.random.seed(case["seed"])
    with mx.autograd.record(case["train"]):
        result = net(*given.positions)
        if case["again"]:
            result = net(*given.positions) + result
    answer = {"result": described([result, first]), "changed": given.changed()}
    answer["gradients"] = _back(heads_of(result), given.arrays, params, is_np)
    return answer


def _program(case: dict[str, Any], is_np: bool) -> Answer:
    """Call a function of the library, then make more of its result, step by step."""
    random.seed(case["seed"])
    arguments = Arguments(case, is_np)
    value = reached(runners.mx, case["name"])(*arguments.positions, **arguments.names)
    for name, operands in case["steps"]:
        given = Arguments({"args": operands}, is_np)
        do = _STEPS.get(name)
        value = do(value, *given.positions) if do else getattr(value, name)(*given.positions)
    return {"result": described(value), "changed": []}


def _batches(data: Any) -> list[Any]:
    found = []
    for _ in range(2):
        data.reset()
        found += [[batch.data, batch.label, batch.pad] for batch in data]
    names = [[each.name, tuple(each.shape)] for each in data.provide_data + data.provide_label]
    return [found, names]


def _written(value: Any, key: Any, new: Any) -> Any:
    value[key] = new
    return value


def _for_all(steps: Any, image: Any) -> Any:
    for step in steps:
        image = step(image)
    return [image, [type(step).__name__ for step in steps]]


_STEPS: dict[str, Callable[..., Any]] = {
    "[]": operator.getitem,
    "set": _written,
    "call": lambda value, *args: value(*args),
    "list": lambda value: list(value),
    "items": lambda value: [value[place] for place in range(len(value))],
    "batches": _batches,
    "apply all": _for_all,
    "repr": repr,
    "str": str,
    "len": len,
    "bool": bool,
    "float": float,
    "int": int,
    "python": lambda value, name, other: getattr(operator, name)(value, other),
    "reflected": lambda value, name, other: getattr(operator, name)(other, value),
    "attribute": lambda value, name: str(getattr(value, name)),
    "asscipy": lambda value: value.asscipy().toarray(),
    "onp": lambda value, name, _: getattr(onp, name)([value] if name == "concatenate" else value),
}


def _second(case: dict[str, Any], is_np: bool) -> Answer:
    mx = runners.mx
    (data,) = Arguments({"args": case["inputs"]}, is_np).arrays
    data.attach_grad()
    with mx.autograd.record():
        result = getattr(mx.nd, case["name"])(data)
        (slope,) = mx.autograd.grad([result], [data], create_graph=True, retain_graph=True)
        total = (slope * slope).sum()
    total.backward()
    return {"result": described([result, slope, data.grad]), "changed": []}


def _inferred(case: dict[str, Any], is_np: bool) -> Answer:
    mx = runners.mx
    names = [f"in{number}" for number in range(case["count"])]
    options = Arguments(case, is_np).names
    symbol = getattr(mx.sym, case["name"])(*map(mx.sym.var, names), **options)
    if case["after"]:
        first = symbol[0]
        more = {"act_type": "relu"} if case["after"] == "Activation" else {}
        symbol = getattr(mx.sym, case["after"])(first, name="last", **more)
    shapes = dict.fromkeys(names if case["known"] else names[:1], tuple(case["shape"]))
    found = [
        [name for name in symbol.list_arguments() if name in names],
        symbol.list_auxiliary_states() if "name" in options else [],
        symbol.list_outputs() if "name" in options or case["after"] else [],
        symbol.infer_shape(**shapes) if case["known"] else symbol.infer_shape_partial(**shapes),
        [
            [onp.dtype(each).name for each in several]
            for several in symbol.infer_type(**dict.fromkeys(names, case["dtype"]))
        ],
    ]
    return {"result": described(found), "changed": []}


def _measured(case: dict[str, Any], is_np: bool) -> Answer:
    mx = runners.mx
    options = Arguments(case, is_np).names
    if case["name"] == "composite":
        metric = mx.metric.CompositeEvalMetric(["acc", "ce"], **options)
    elif case["name"] == "list":
        metric = mx.metric.create(["acc", "nll_loss"])
    else:
        metric = mx.metric.create(case["name"], **options)
    found = []
    for label, pred in case["inputs"]:
        arrays = Arguments({"args": [label, pred]}, is_np).arrays
        metric.update_dict({"label": arrays[0]}, {"pred": arrays[1]})
        found.append(metric.get_name_value())
        if case["reset"]:
            getattr(metric, case["reset"])()
    found += [
        metric.get(),
        metric.get_global(),
        metric.get_global_name_value(),
        metric.get_config(),
    ]
    return {"result": described(found), "changed": []}


def _trained(case: dict[str, Any], is_np: bool) -> Answer:
    mx = runners.mx
    net = mx.gluon.nn.HybridSequential()
    net.add(mx.gluon.nn.Dense(3, activation="tanh"), mx.gluon.nn.Dense(2))
    net.initialize(_object(case["init"]))
    if case["hybrid"]:
        net.hybridize()
    inputs = Arguments({"args": case["inputs"]}, is_np).arrays
    net(inputs[0])
    params = net.collect_params()
    params.setattr("grad_req", case["req"])
    for param in params.values():
        param.lr_mult, param.wd_mult = case["mults"]
    trainer = mx.gluon.Trainer(params, case["name"], Arguments(case, is_np).names)
    loss = mx.gluon.loss.L2Loss()
    found = []
    for data in [*inputs, *inputs]:
        with mx.autograd.record():
            value = loss(net(data), data)
        value.backward()
        trainer.step(case["size"])
        found.append(value)
    return {"result": described([found, [p.data() for p in params.values()]]), "changed": []}


def _node(case: dict[str, Any], is_np: bool) -> Answer:
    """Run a graph of one operator, with all outputs that it shows."""
    mx = runners.mx
    arrays = Arguments({"args": case["inputs"]}, is_np=False).arrays
    symbol = mx.sym.load_json(of_one_node(case["name"], case["kwargs"], len(arrays)))
    inner = symbol.get_internals()
    symbol = mx.sym.Group([inner[name] for name in inner.list_outputs() if name.startswith("node")])
    bound = {f"in{place}": array for place, array in enumerate(arrays)}
    auxiliary = {name: bound.pop(name) for name in symbol.list_auxiliary_states()}
    floats = [name for name, array in bound.items() if onp.dtype(array.dtype).kind == "f"]
    wanted = floats if case["gradient"] else []
    grads = {name: mx.nd.zeros_like(bound[name]) for name in wanted}
    req = {name: "write" if name in wanted else "null" for name in bound}
    shapes = {name: array.shape for name, array in bound.items()}
    executor = symbol.bind(mx.current_context(), bound, grads or None, req, auxiliary)
    outputs = executor.forward(is_train=case["train"])
    found = [] if auxiliary else symbol.infer_shape(**shapes)[1]
    answer: Answer = {"result": described([outputs, found])}
    heads = heads_of(outputs)
    if wanted and len(heads) == len(outputs) and case["train"]:
        executor.backward(head_gradients(heads, is_np=False))
        answer["gradients"] = [described(grads[name]) for name in wanted]
    states = [described(array) for _, array in sorted(auxiliary.items())]
    return {**answer, "out": ("parts", "list", states), "changed": []}


def _text(case: dict[str, Any], is_np: bool) -> Answer:
    """Run lines of a program, which put what they have found into a list."""
    mx = runners.mx
    random.seed(case["seed"])
    arrays = Arguments({"args": case["inputs"]}, is_np).arrays
    found: list[Any] = []
    names = {"mx": mx, "nd": mx.nd, "np": mx.np, "npx": mx.npx, "onp": onp, "gluon": mx.gluon}
    names |= {"autograd": mx.autograd, "found": found, "sym": mx.sym}
    names |= {f"x{place}": array for place, array in enumerate(arrays)}
    with mx.name.NameManager(), mx.AttrScope():  # which end what a program leaves open
        for line in case["lines"]:
            exec(line, names)
    return {"result": described(found), "changed": []}


RUNNERS |= {
    "text": _text,
    "node": _node,
    "unroll": _unroll,
    "network": _network,
    "program": _program,
    "second": _second,
    "inferred": _inferred,
    "measured": _measured,
    "trained": _trained,
}
