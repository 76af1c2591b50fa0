"""Runs cases with the library that a worker has chosen, MXNet or gluonish."""

from __future__ import annotations

import importlib
import json
import operator
import random
from typing import Any

import numpy as onp

from fuzz.differential.values import array_of, decoded

mx: Any = None


def start(library: str) -> None:
    """Import the library, 'gluonish:gpu' for one of its devices, with all that cases name."""
    global mx
    mx = importlib.import_module(library.partition(":")[0])
    ones = mx.nd.ones(1)
    mx.sym.exp(mx.sym.var("x")).bind(mx.cpu(), {"x": ones}).forward()  # what is slow once


def go_to(device: str) -> None:
    """Have arrays be on a device from now on; of processes that fork, only the last may do that."""
    if device:
        mx.Context.default_ctx = mx.Context(device, 0)


def answer(case: dict[str, Any]) -> dict[str, Any]:
    """Return what becomes of a case, as plain data."""
    is_np = case["front"] in ("np", "npx") or case.get("np", False)
    (mx.npx.set_np if is_np else mx.npx.reset_np)()
    mx.random.seed(case["seed"])
    onp.random.seed(case["seed"])  # noqa: NPY002 - what MXNet's samplers and transforms draw from
    return RUNNERS[case.get("kind", "call")](case, is_np)


def described(value: Any) -> Any:
    """Return a result as plain data."""
    if isinstance(value, (list, tuple)):
        return ("parts", type(value).__name__, [described(part) for part in value])
    if isinstance(value, dict):
        return ("parts", "dict", [(key, described(part)) for key, part in value.items()])
    if hasattr(value, "asnumpy"):
        kind = getattr(value, "stype", "default")
        return ("array", kind, *_plain(value.asnumpy()))
    if isinstance(value, onp.ndarray) and value.dtype.hasobject:
        return ("other", "objects", str(value))
    if isinstance(value, onp.ndarray):
        return ("array", "numpy", *_plain(value))
    if isinstance(value, onp.generic):
        return ("scalar", value.dtype.name, value.item())
    if isinstance(value, onp.dtype):
        return ("scalar", "dtype", value.name)
    if value is None or isinstance(value, (bool, int, float, str)):
        return ("scalar", type(value).__name__, value)
    return ("other", type(value).__name__, "")


def _plain(array: onp.ndarray) -> tuple[str, tuple[int, ...], bytes]:
    name = "uint16" if array.dtype.kind == "V" else array.dtype.name  # the bits of bfloat16
    return name, array.shape, onp.ascontiguousarray(array).tobytes()


class Arguments:
    """A case's arguments as the library's own, with the arrays among them in order."""

    def __init__(self, case: dict[str, Any], is_np: bool) -> None:
        self.is_np = is_np
        self.values: list[onp.ndarray] = []
        self.arrays: list[Any] = []
        self.positions = [decoded(value, self._made) for value in case.get("args", ())]
        names = case.get("kwargs", {})
        self.names = {name: decoded(value, self._made) for name, value in names.items()}

    def _made(self, spec: dict[str, Any]) -> Any:
        if "given" in spec:  # an array that was made before
            return self.arrays[spec["given"]]
        if "object" in spec:
            return made(spec["object"], self)
        value = array_of(spec)
        if spec.get("numpy"):
            return value
        if spec.get("turned"):  # in other strides, where the library has such
            array = library_array(value.T, is_np=self.is_np).T
        else:
            array = library_array(value, is_np=self.is_np)
        if spec.get("stype", "default") != "default":
            array = array.tostype(spec["stype"])
        self.values.append(value)
        self.arrays.append(array)
        return array

    def replaced(self, others: list[Any]) -> tuple[list[Any], dict[str, Any]]:
        """Return the arguments with other things in place of the arrays."""
        places = {id(array): other for array, other in zip(self.arrays, others, strict=True)}

        def swap(value: Any) -> Any:
            if isinstance(value, (list, tuple)):
                return type(value)(swap(part) for part in value)
            return places.get(id(value), value)

        positions = [swap(value) for value in self.positions]
        return positions, {name: swap(value) for name, value in self.names.items()}

    def changed(self) -> list[Any]:
        """Return the arrays that the call has written to, with their positions."""
        found = []
        for place, (array, value) in enumerate(zip(self.arrays, self.values, strict=True)):
            after = array.asnumpy()
            if after.shape != value.shape or after.tobytes() != value.tobytes():
                found.append((place, described(array)))
        return found


def library_array(value: onp.ndarray, *, is_np: bool) -> Any:
    """Return a NumPy array as one of the library's."""
    make = mx.np.array if is_np else mx.nd.array
    return make(value, dtype=value.dtype)


def made(spec: dict[str, Any], arguments: Arguments) -> Any:
    """Return an object of the library: what a name stands for, called if there are arguments."""
    found = reached(mx, spec["name"])
    if "args" not in spec and "kwargs" not in spec:
        return found
    inner = Arguments(spec, arguments.is_np)
    arguments.values += inner.values
    arguments.arrays += inner.arrays
    return found(*inner.positions, **inner.names)


def reached(start: Any, path: str) -> Any:
    """Return what a path of names leads to."""
    for name in path.split("."):
        start = getattr(start, name)
    return start


def heads_of(result: Any) -> list[Any]:
    """Return the arrays of floating-point numbers in a result."""
    parts = result if isinstance(result, (list, tuple)) else [result]
    return [p for p in parts if hasattr(p, "asnumpy") and onp.dtype(p.dtype).kind == "f"]


def head_gradients(heads: list[Any], is_np: bool) -> list[Any]:
    """Return fixed gradients for some heads."""
    found = []
    for head in heads:
        size = int(onp.prod(head.shape))
        value = (onp.arange(size) % 7 - 2.5).reshape(head.shape).astype(head.dtype)
        found.append(library_array(value, is_np=is_np))
    return found


def _function(case: dict[str, Any]) -> Any:
    if case["front"] == "method":
        return lambda array, *args, **kwargs: reached(array, case["name"])(*args, **kwargs)
    return reached(getattr(mx, case["front"]), case["name"])


def _call(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    mode = case.get("mode", "eager")
    arguments = Arguments(case, is_np)
    if mode == "symbol":
        return _executed(case, arguments, is_np)
    function = _function(case)
    if mode == "hybrid":
        function = _hybridized(case, arguments)
    if not case.get("gradient"):
        with mx.autograd.record() if case.get("record") else mx.autograd.pause(case["train"]):
            result = function(*arguments.positions, **arguments.names)
        found = {"result": described(result)}
        if case.get("out"):
            found["out"] = _written(function, arguments, result)
        return {**found, "changed": arguments.changed()}
    leaves = [a for a in arguments.arrays if onp.dtype(a.dtype).kind == "f"]
    for array in leaves:
        array.attach_grad(case.get("grad_req", "write"))
    with mx.autograd.record(case["train"]):
        result = function(*arguments.positions, **arguments.names)
    answer = {"result": described(result), "changed": arguments.changed()}
    heads = heads_of(result)
    if heads:
        try:
            mx.autograd.backward(heads, head_gradients(heads, is_np), train_mode=case["train"])
            answer["gradients"] = [described(array.grad) for array in leaves]
        except Exception as error:  # noqa: BLE001 - told apart from a refused call
            says = " ".join(str(error).split())[:300]
            answer["gradients"] = {"error": type(error).__name__, "says": says}
    return answer


def _written(function: Any, arguments: Arguments, result: Any) -> Any:
    """Return what a call writes to arrays that it is given as `out`."""
    zeros = mx.np.zeros_like if arguments.is_np else mx.nd.zeros_like
    several = isinstance(result, (list, tuple))
    out = [zeros(part) for part in result] if several else zeros(result)
    try:
        function(*arguments.positions, **arguments.names, out=out)
    except Exception as error:  # noqa: BLE001 - told apart from a refused call
        return {"error": type(error).__name__}
    return described(out)


def _hybridized(case: dict[str, Any], arguments: Arguments) -> Any:
    """Return a hybridized Block that makes the call with what it is given."""
    path = case["name"] if case["front"] == "nd" else f"{case['front']}.{case['name']}"

    class Net(mx.gluon.HybridBlock):  # type: ignore[misc]
        def hybrid_forward(self, F: Any, *arrays: Any) -> Any:  # noqa: N803 - MXNet's name
            args, kwargs = arguments.replaced(list(arrays))
            return reached(F, path)(*args, **kwargs)

    net = Net()
    net.hybridize()
    with mx.autograd.pause(case["train"]):
        net(*arguments.arrays)  # what comes after is a replay
    mx.random.seed(case["seed"])
    return lambda *_, **__: net(*arguments.arrays)


def _executed(case: dict[str, Any], arguments: Arguments, is_np: bool) -> dict[str, Any]:
    """Run the call as a graph, by an Executor."""
    names = [f"in{number}" for number in range(len(arguments.arrays))]
    variables = [mx.sym.var(name) for name in names]
    if is_np:
        variables = [variable.as_np_ndarray() for variable in variables]
    args, kwargs = arguments.replaced(variables)
    front = {"nd": "sym", "np": "sym.np", "npx": "sym.npx"}[case["front"]]
    symbol = reached(reached(mx, front), case["name"])(*args, **kwargs)
    auxiliary = set(symbol.list_auxiliary_states())
    bound = dict(zip(names, arguments.arrays, strict=True))
    given = {name: bound[name] for name in symbol.list_arguments()}
    zeros = mx.np.zeros_like if is_np else mx.nd.zeros_like
    floats = {name for name, array in given.items() if onp.dtype(array.dtype).kind == "f"}
    wanted = case.get("gradient", False)
    grads = {name: zeros(given[name]) for name in floats if wanted}
    req = {name: "write" if wanted and name in floats else "null" for name in given}
    executor = symbol.bind(
        mx.current_context(), given, grads or None, req, {name: bound[name] for name in auxiliary}
    )
    outputs = executor.forward(is_train=wanted)
    shapes = symbol.infer_shape(**{name: array.shape for name, array in given.items()})[1]
    answer = {"result": described(outputs)}
    if case["front"] in ("nd", "np", "npx"):
        answer["graph"] = described([shapes, _graph_of(symbol)])
    heads = heads_of(outputs)
    if wanted and len(heads) == len(outputs):
        executor.backward(head_gradients(heads, is_np))
        answer["gradients"] = [described(grads[name]) for name in names if name in floats]
    answer["changed"] = arguments.changed()
    return answer


def _graph_of(symbol: Any) -> list[str]:
    """Return the nodes of a graph as files have them, without what is counted in their names."""
    nodes = [node for node in json.loads(symbol.tojson())["nodes"] if node["op"] != "null"]
    texts = []
    for node in nodes:
        given = sorted(
            (k, v) for k, v in node.get("attrs", {}).items() if (k, v) != ("ctx", "None")
        )
        texts.append(f"{node['op']} {node['name'].rstrip('0123456789')} {given}")
    return texts


def _layer(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    """Build a layer or a loss, and run it forward and backward with values of our own."""
    build = reached(mx.gluon, case["name"])
    options = Arguments(case, is_np)
    net = build(*options.positions, **options.names)
    given = Arguments({"args": case["inputs"]}, is_np)
    net.initialize()
    if "cast" in case:
        net.cast(case["cast"])
    net(*given.positions)
    draw = onp.random.RandomState(case["seed"])
    params = list(net.collect_params().values())
    for param in params:
        value = draw.uniform(0.2, 1.0, size=param.shape) * 0.7
        param.set_data(library_array(value.astype(param.dtype), is_np=is_np))
    if case["hybrid"]:
        net.hybridize()
        net(*given.positions)  # what comes after is a replay
    leaves = [array for array in given.arrays if onp.dtype(array.dtype).kind == "f"]
    for array in leaves:
        array.attach_grad()
    mx.random.seed(case["seed"])
    with mx.autograd.record(case["train"]):
        result = net(*given.positions)
    answer = {"result": described(result), "changed": given.changed()}
    first = result[0] if isinstance(result, (list, tuple)) else result  # the others may be the same
    heads = heads_of(first)
    mx.autograd.backward(heads, head_gradients(heads, is_np), train_mode=case["train"])
    answer["gradients"] = [described(array.grad) for array in leaves]
    answer["gradients"] += [described(p.grad()) for p in params if p.grad_req != "null"]
    answer["out"] = [described(param.data()) for param in params]
    answer["out"] = ("parts", "list", answer["out"])
    return answer


def _optimizer(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    options, given = Arguments(case, is_np), Arguments({"args": case["inputs"]}, is_np)
    if "scheduled" in case:
        options.names["lr_scheduler"] = made(case["scheduled"]["object"], options)
    updater = mx.optimizer.get_updater(mx.optimizer.create(case["name"], **options.names))
    weight, *gradients = given.arrays
    found = []
    for gradient in gradients:
        updater(0, gradient, weight)
        found.append(described(weight.copy()))
    return {"result": ("parts", "list", found), "changed": []}


def _metric(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    build = getattr(mx.metric, case["name"]) if case["name"][0].isupper() else None
    names = Arguments(case, is_np).names
    metric = build(**names) if build else mx.metric.create(case["name"], **names)
    for label, pred in case["inputs"]:
        arrays = Arguments({"args": [label, pred]}, is_np).arrays
        metric.update([arrays[0]], [arrays[1]])
    return {"result": described([metric.get(), metric.get_global()]), "changed": []}


def _initializer(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    initializer = getattr(mx.init, case["name"])(**Arguments(case, is_np).names)
    array = mx.nd.zeros(case["shape"], dtype=case["dtype"])
    initializer(mx.init.InitDesc(case["word"]), array)
    return {"result": described([array, initializer.dumps()]), "changed": []}


def _transform(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    random.seed(case["seed"])
    transform = getattr(mx.gluon.data.vision.transforms, case["name"])(
        **Arguments(case, is_np).names
    )
    (image,) = Arguments({"args": case["inputs"]}, is_np).arrays
    return {"result": described([transform(image), transform(image)]), "changed": []}


def _schedule(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    schedule = getattr(mx.lr_scheduler, case["name"])(**Arguments(case, is_np).names)
    return {"result": described([schedule(count) for count in range(12)]), "changed": []}


def _sampler(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    sampler = reached(mx, case["name"])(*Arguments(case, is_np).positions)
    return {"result": described([list(sampler), list(sampler), len(sampler)]), "changed": []}


def _index(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    """Read what an index stands for, with its gradient, and write there."""
    arguments = Arguments({"args": case["inputs"]}, is_np)
    array, key = arguments.positions
    if onp.dtype(array.dtype).kind == "f":
        array.attach_grad()
    with mx.autograd.record():
        result = array[key]
    answer: dict[str, Any] = {"result": described(result), "changed": []}
    if onp.dtype(array.dtype).kind == "f":
        mx.autograd.backward([result], head_gradients([result], is_np))
        answer["gradients"] = [described(array.grad)]
    written = array.copy()
    written[key] = 7
    answer["out"] = described(written)
    return answer


def _chain(case: dict[str, Any], is_np: bool) -> dict[str, Any]:
    """Run steps on arrays and on what came before, and go back from the last result."""
    arguments = Arguments({"args": case["inputs"]}, is_np)
    leaves = [array for array in arguments.arrays if onp.dtype(array.dtype).kind == "f"]
    for array in leaves:
        array.attach_grad()

    def run(functions: Any, *arrays: Any) -> list[Any]:
        values = list(arrays)
        for name, place, *rest in case["steps"]:
            given = [values[r["at"] % len(values)] if isinstance(r, dict) else r for r in rest]
            place %= len(values)
            values.append(_step(functions, is_np, name, values[place], *given))
        return values[len(arrays) :]

    class Net(mx.gluon.HybridBlock):  # type: ignore[misc]
        def hybrid_forward(self, F: Any, *arrays: Any) -> Any:  # noqa: N803 - MXNet's name
            return run(F, *arrays)

    net = Net()
    if case["hybrid"]:
        net.hybridize()
    if case["hybrid"]:
        net(*arguments.arrays)  # what comes after is a replay
    with mx.autograd.record():
        results = net(*arguments.arrays) if case["hybrid"] else run(mx, *arguments.arrays)
    answer = {"result": described(list(results)), "changed": arguments.changed()}
    heads = heads_of(results[-1])
    if heads:
        mx.autograd.backward(heads, head_gradients(heads, is_np))
        answer["gradients"] = [described(array.grad) for array in leaves]
    return answer


def _step(functions: Any, is_np: bool, name: str, value: Any, *rest: Any) -> Any:
    """Return what a step of a chain makes of a value."""
    space = functions.np if is_np else getattr(functions, "nd", functions)
    if name in ("iadd", "imul", "isub"):
        return getattr(operator, name)(value, rest[0])
    if hasattr(operator, name) and len(rest) == 2:
        other, reflected = rest
        pair = (other, value) if reflected else (value, other)
        return getattr(operator, name)(*pair)
    if len(rest) == 2:
        axis, keepdims = rest
        if name == "argmax":
            return value.argmax(axis=axis)
        options = {} if axis is None else {"axis": axis}
        return getattr(value, name)(keepdims=keepdims, **options)
    return _CHAINED[name](value, space, functions, *rest)


def _assigned(value: Any, space: Any, functions: Any, number: float) -> Any:
    value[:] = number
    return value


_CHAINED: dict[str, Any] = {
    "neg": lambda x, space, functions: -x,
    "abs": lambda x, space, functions: space.abs(x),
    "T": lambda x, space, functions: x.T if hasattr(x, "asnumpy") else space.transpose(x),
    "flat": lambda x, space, functions: x.reshape((-1,)),
    "first": lambda x, space, functions: x[0:1],
    "copy": lambda x, space, functions: x.copy(),
    "backward": lambda x, space, functions: space.flip(x, axis=0),
    "expand": lambda x, space, functions: space.expand_dims(x, axis=0),
    "astype": lambda x, space, functions: x.astype("float32"),
    "assign": _assigned,
    "relu": lambda x, space, functions: (functions.npx if hasattr(space, "tril") else space).relu(
        x
    ),
    "sigmoid": lambda x, space, functions: (
        functions.npx if hasattr(space, "tril") else space
    ).sigmoid(x),
    **{
        name: lambda x, space, functions, name=name: getattr(space, name)(x)
        for name in ("exp", "sqrt", "log", "tanh", "square", "sign", "floor")
    },
}

RUNNERS = {
    "chain": _chain,
    "index": _index,
    "call": _call,
    "layer": _layer,
    "optimizer": _optimizer,
    "metric": _metric,
    "initializer": _initializer,
    "transform": _transform,
    "schedule": _schedule,
    "sampler": _sampler,
}
