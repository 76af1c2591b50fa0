"""Draws lines of programs: indices, arithmetic, draws, gradients, symbols, as people write them."""

# ruff: noqa: E501 - lines of programs are written as they are
from __future__ import annotations

from typing import TYPE_CHECKING, Any

from fuzz.differential.objects import Case, kind

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.differential.chance import Chance, Shape, Value

FAMILIES: dict[str, tuple[Any, bool]] = {}


def family(*, has_np: bool) -> Callable[[Any], Any]:
    """Return a decorator for what draws programs of a kind, for arrays of `np`, too, or not."""

    def register(function: Any) -> Any:
        FAMILIES[function.__name__.removeprefix("_")] = function, has_np
        return function

    return register


_DTYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8")


def _program(
    draw: Chance, name: str, lines: list[str], inputs: list[Value], *, is_np: bool = False
) -> Case:
    return {
        "kind": "text",
        "front": "text",
        "name": name,
        "args": [],
        "kwargs": {},
        "lines": lines,
        "inputs": inputs,
        "seed": draw.randrange(1000),
        "np": is_np,
    }


def _numbers(draw: Chance, shape: Shape, low: int, high: int) -> str:
    """Return nested lists of whole numbers, as text."""
    if not shape:
        return str(draw.randint(low, high))
    return "[" + ", ".join(_numbers(draw, shape[1:], low, high) for _ in range(shape[0])) + "]"


def _place(draw: Chance, size: int, is_np: bool) -> str:
    """Return one subscript for an axis, as text."""
    sort = draw.random()
    number = str(draw.randint(-size, size - 1))
    if sort < 0.25:
        return draw.choice((number, number, f"onp.int64({number})", f"onp.int32({number})"))
    if sort < 0.6:
        ends = [draw.one("", str(draw.randint(-size - 1, size + 1))) for _ in range(2)]
        return ":".join(ends) + draw.choice(("", "", ":2", ":-1", ":-2", ":3"))
    if sort < 0.68:
        return draw.one(":", "...") if size else ":"
    count = draw.one((2,), (1,), (3,), (2, 2))
    several = _numbers(draw, count, 0, size - 1)
    low = several if draw.happens(0.7) else _numbers(draw, count, -size, size - 1)
    if sort < 0.8:
        return low
    if sort < 0.9:
        return f"onp.array({low}, dtype='{draw.one('int32', 'int64')}')"
    if is_np and draw.happens(0.4):
        mask = [draw.happens(0.5) for _ in range(size)]
        return draw.choice((str(mask), f"np.array({mask}, dtype='bool')", f"onp.array({mask})"))
    space = "np" if is_np else "nd"
    return f"{space}.array({several}, dtype='{draw.one('int32', 'int64', 'int32')}')"


def _key(draw: Chance, shape: Shape, is_np: bool) -> str:
    places = [_place(draw, size, is_np) for size in shape[: draw.randint(1, len(shape))]]
    if places.count("...") > 1:
        places = [":" if place == "..." else place for place in places]
    if draw.happens(0.1):
        places.insert(draw.randint(0, len(places)), "None")
    return ", ".join(places)


@family(has_np=True)
def _read(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    shape = tuple(draw.one(1, 2, 3, 4) for _ in range(draw.randint(1, 3)))
    array = draw.array(shape, draw.any_dtype())
    return [f"found.append(x0[{_key(draw, shape, is_np)}])"], [array]


@family(has_np=True)
def _write(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    shape = tuple(draw.one(1, 2, 3, 4) for _ in range(draw.randint(1, 3)))
    dtype = draw.any_dtype()
    array = draw.array(shape, dtype, ("ints", 0, 5))
    key = _key(draw, shape, is_np)
    value = draw.one(
        "7", "-1.5", "True", "onp.float32(2)", f"x0[{key}] * 2", f"x0[{key}][0:1]",
        f"x0[{key}].asnumpy() + 1", f"onp.ones(x0[{key}].shape)", "x1", "[1]",
        f"x0[{key}].astype('float64')", f"x0[{key}].asnumpy().tolist()",
    )  # fmt: skip
    if dtype in ("uint8", "bool") and value == "-1.5":
        value = "1"
    verb = draw.one("=", "=", "=", "+=", "*=", "-=") if value != "True" else "="
    return [f"x0[{key}] {verb} {value}", "found.append(x0)"], [
        array,
        draw.array((1,), dtype, ("ints", 0, 5)),
    ]


@family(has_np=True)
def _arithmetic(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    shape = draw.shape(1, 3)
    dtype = draw.any_dtype()
    one = draw.array(shape, dtype)
    other = draw.array(draw.alike(shape) if is_np else shape, draw.any_dtype() if is_np else dtype)
    number = draw.one(
        "2", "3", "0.5", "-1", "-2.5", "True", "onp.float32(1.5)", "onp.float64(0.3)",
        "onp.int32(2)", "onp.int64(-3)", "onp.bool_(True)", "1e10", "0", "x1", "x1", "x1",
        "onp.array(2.0)", "onp.array(3)", "float('inf')", "7",
    )  # fmt: skip
    verb = draw.one("+", "-", "*", "/", "**", "%", "==", "!=", "<", ">", "<=", ">=", "//")
    if verb == "//" and not is_np:
        verb = "-"
    pair = f"x0 {verb} {number}" if draw.happens(0.65) else f"{number} {verb} x0"
    lines = [f"found.append({pair})"]
    if draw.happens(0.2):
        lines = [f"y = x0.copy(); y {draw.one('+', '-', '*', '/', '**', '%')}= {number}",
                 "found.append(y)"]  # fmt: skip
    return lines, [one, other]


@family(has_np=True)
def _made(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    """Return how arrays are made of numbers, lists and NumPy's arrays."""
    space = "np" if is_np else "nd"
    dtype = draw.one(
        "", "", f", dtype='{draw.choice(_DTYPES)}'", f", dtype=onp.{draw.choice(_DTYPES)}"
    )
    shape = tuple(draw.one(1, 2, 3) for _ in range(draw.randint(1, 3)))
    lists = _numbers(draw, shape, -3, 9)
    source = draw.one(
        lists, lists, f"onp.array({lists})", f"onp.array({lists}, 'float32')", str(draw.number()),
        f"onp.array({lists}) > 2", f"{space}.array({lists}, dtype='int32')", "[]", "[[]]",
        "[0.5, 1]", "(1, 2)", "[True, False]", "range(3)", f"onp.array({lists}).T",
        f"[onp.array({lists}), onp.array({lists})]", f"onp.float32({draw.number()})",
        f"[{space}.array([1, 2]), {space}.array([3, 4])]", "onp.zeros((0, 3))",
    )  # fmt: skip
    size = draw.one("3", "(2, 3)", "[2, 3]", "(2,)", "onp.int64(3)", "(onp.int64(2), 1)", "(1, 0)")
    numbers = [draw.one("0", "1", "5", "-2", "0.5", "2.5", "10", "1.0") for _ in range(3)]
    step = draw.one("1", "2", "0.5", "-1", "0.3", "3")
    text = draw.one(
        f"{space}.array({source}{dtype})", f"{space}.array({source}{dtype})",
        f"{space}.zeros({size}{dtype})", f"{space}.ones({size}{dtype})",
        f"{space}.full({size}, {numbers[0]}{dtype})", f"{space}.arange({numbers[0]}{dtype})",
        f"{space}.arange({numbers[0]}, {numbers[1]}{dtype})",
        f"{space}.arange({numbers[0]}, {numbers[1]}, {step}{dtype})",
        f"{space}.linspace({numbers[0]}, {numbers[1]}, {draw.one(1, 2, 5)}{dtype})",
        f"{space}.eye({draw.one(1, 2, 3)}, {draw.one(1, 2, 4)}, k={draw.one(0, 1, -1, 5)}{dtype})",
        f"{space}.zeros_like({space}.array({lists}))", f"{space}.ones_like({space}.array({lists}))",
    )  # fmt: skip
    if is_np:
        text = draw.one(
            text, text, f"np.full_like(np.array({lists}), {numbers[0]}{dtype})",
            f"np.zeros_like(np.array({lists}){dtype})", f"np.identity({draw.one(1, 3)}{dtype})",
            f"np.logspace({numbers[0]}, {numbers[1]}, {draw.one(2, 5)}{dtype})",
            f"np.indices((2, 3){dtype})", f"np.hanning({draw.one(1, 4, 5)})",
            f"np.meshgrid(np.arange(2), np.arange(3), indexing='{draw.one('xy', 'ij')}')",
            f"np.tril(np.array({lists}), k={draw.one(0, 1, -1)})",
        )  # fmt: skip
    else:
        text = draw.one(
            text, text, f"nd.arange({numbers[0]}, {numbers[1]}, repeat={draw.one(1, 2)}{dtype})",
            f"nd.array({source}{dtype}).astype('{draw.choice(_DTYPES)}')",
            f"nd.moveaxis(nd.array({lists}), 0, -1)", f"nd.concatenate([nd.array({lists})] * 2)",
            f"nd.stack(nd.array({lists}), nd.array({lists}), axis={draw.one(0, 1, -1)})",
            f"nd.one_hot(nd.array({_numbers(draw, (3,), 0, 3)}), 4)",
        )  # fmt: skip
    return [f"found.append({text})"], []


_ND_DRAWS = (
    "nd.random.uniform(-1, 2, shape=({n}, 2))", "nd.random.normal(1, 0.5, shape=({n},))",
    "nd.random.randn({n}, 2)", "nd.random.randint(0, 10, shape=({n},))",
    "nd.random.poisson(3, shape=({n},))", "nd.random.exponential(2, shape=({n},))",
    "nd.random.gamma(2, 1.5, shape=({n},))", "nd.random.shuffle(nd.arange({n}))",
    "nd.random.multinomial(nd.array([0.2, 0.3, 0.5]), shape={n})",
    "nd.random.negative_binomial(3, 0.4, shape=({n},))",
    "nd.random.uniform(nd.array([0, 1]), nd.array([1, 3]), shape={n})",
    "nd.random.normal(nd.array([0, 1]), nd.array([1, 3]), shape={n})",
    "nd.random.uniform(shape={n}, dtype='float64')", "nd.random.normal(shape={n}, dtype='float16')",
    "nd.Dropout(nd.ones(({n}, 3)), p=0.4, mode='always')",
    "nd.random.normal_like(nd.ones(({n}, 2)))", "mx.random.uniform(0, 1, shape=({n},))",
    "mx.random.normal(0, 1, shape=({n},))", "nd.random.generalized_negative_binomial(2, 0.3, shape={n})",
    "nd.random_uniform(0, 1, shape=({n},))", "nd.sample_normal(nd.array([0, 9]), nd.array([1, 2]))",
    "nd.random.gamma(nd.array([0.5, 3]), nd.array([1, 2]), shape={n})",
    "nd.random.exponential(nd.array([0.5, 3]), shape={n})", "nd.LeakyReLU(nd.ones({n}), act_type='elu')",
)  # fmt: skip
_NP_DRAWS = (
    "np.random.uniform(-1, 2, size=({n}, 2))", "np.random.normal(1, 0.5, size={n})",
    "np.random.randn({n}, 2)", "np.random.randint(0, 10, size=({n},))", "np.random.rand({n})",
    "np.random.exponential(2, size={n})", "np.random.choice(5, {n})",
    "np.random.multinomial({n}, [0.2, 0.3, 0.5])", "np.random.weibull(2.0, size={n})",
    "np.random.pareto(2.0, size={n})", "np.random.power(2.0, size={n})",
    "np.random.rayleigh(2.0, size={n})", "np.random.gumbel(1, 2, size={n})",
    "np.random.logistic(1, 2, size={n})", "np.random.lognormal(1, 0.5, size={n})",
    "np.random.uniform(size={n}, dtype='float64')", "np.random.laplace(1, 2, size={n})",
    "npx.random.bernoulli(0.4, size={n})", "npx.random.uniform_n(0, 1, batch_shape={n})",
    "npx.dropout(np.ones(({n}, 3)), p=0.4, mode='always')",
    "np.random.normal(np.array([0, 1]), np.array([1, 3]), size=({n}, 2))",
    "np.random.permutation({n})", "np.random.randint(5)", "np.random.uniform()",
    "np.random.normal(loc=np.ones(2))", "np.random.choice(5, {n}, replace=False)",
)  # fmt: skip


@family(has_np=True)
def _random(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    lines = [f"mx.random.seed({draw.randrange(10000)})"]
    for _ in range(draw.randint(1, 4)):
        text = draw.choice(_NP_DRAWS if is_np else _ND_DRAWS).format(n=draw.one(1, 2, 5, 9))
        lines.append(f"found.append({text})")
    if draw.happens(0.2):
        lines.append(lines[0])
        lines.append(lines[1])
    return lines, []


_UNARY = (
    "exp", "log", "sqrt", "square", "tanh", "sin", "cos", "arctan", "abs", "sign", "cbrt",
    "reciprocal", "log1p", "expm1", "sinh", "cosh", "arcsinh", "negative", "tan", "floor",
    "rint", "log2", "log10", "degrees", "ceil",
)  # fmt: skip
_ND_MORE = (
    "relu", "sigmoid", "softmax", "log_softmax", "rsqrt", "erf", "gamma", "gammaln", "softsign",
    "hard_sigmoid", "smooth_l1", "rcbrt", "flatten", "cumsum", "sum", "mean", "max", "norm", "prod",
    "transpose", "BlockGrad",
)  # fmt: skip
_NP_MORE = (
    "np.sum", "np.mean", "np.max", "np.prod", "np.cumsum", "np.transpose", "np.flip", "np.tril",
    "npx.relu", "npx.sigmoid", "npx.softmax", "npx.log_softmax", "npx.gamma", "npx.gammaln",
    "np.ravel", "np.std", "np.var", "np.trace", "np.nan_to_num", "np.absolute", "np.fabs",
)  # fmt: skip


def _function(draw: Chance, is_np: bool, inner: str) -> str:
    if is_np:
        name = draw.choice([f"np.{each}" for each in _UNARY] + list(_NP_MORE))
    else:
        name = "nd." + draw.choice(_UNARY + _ND_MORE)
    return f"{name}({inner})"


def _expression(draw: Chance, is_np: bool) -> str:
    """Return a differentiable expression of x0 and x1."""
    one = draw.choice(("x0", "x1", "x0"))
    for _ in range(draw.randint(1, 3)):
        sort = draw.random()
        if sort < 0.55:
            one = _function(draw, is_np, one)
        elif sort < 0.75:
            others = [each for each in ("x0", "x1", "2", "0.5") if each != one]
            one = f"({one} {draw.one('+', '-', '*', '/')} {draw.choice(others)})"
        elif sort < 0.85:
            one = f"({one} ** {draw.one('2', '3', '0.5', '-1')})"
        else:
            one = f"({draw.one('1', '2', '-3')} {draw.one('-', '/', '*')} {one})"
    return one


@family(has_np=True)
def _slopes(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    """Return a program that asks for gradients, in one of the ways there are."""
    shape = tuple(draw.one(2, 2, 3) for _ in range(draw.one(1, 2, 2)))
    dtype = draw.one("float32", "float32", "float64")
    values = draw.one(("uniform", 0.2, 2.0), ("uniform", 0.2, 2.0), ("normal",))
    inputs = [draw.array(shape, dtype, values) for _ in range(2)]
    text = _expression(draw, is_np)
    req = draw.one("", "", "'add'", "'write'", "grad_req='add'")
    lines = [f"x0.attach_grad({req})", "x1.attach_grad()"]
    ones = "np.ones_like" if is_np else "nd.ones_like"
    sort = draw.one(
        "plain", "head", "grad", "second", "twice", "several", "detached", "paused", "train"
    )
    block = "with autograd.record():\n    "
    if sort == "plain":
        lines += [f"{block}y = {text}", "y.backward()"]
    elif sort == "head":
        lines += [f"{block}y = {text}", f"y.backward({ones}(y) * 3)"]
    elif sort == "grad":
        lines += [
            f"{block}y = {text} * x1",
            f"found += autograd.grad(y, [x0, x1], head_grads={ones}(y) * 2)",
        ]
    elif sort == "second":
        lines += [
            f"{block}y = {text} * x0 * x1\n    z = autograd.grad(y, [x0], create_graph=True, retain_graph=True)[0]\n    w = (z * z).sum()",
            "w.backward()", "found.append(z)",
        ]  # fmt: skip
    elif sort == "twice":
        lines += [f"{block}y = {text}", "y.backward(retain_graph=True)", "y.backward()"]
    elif sort == "several":
        lines += [
            f"{block}y = {text}\n    z = {_expression(draw, is_np)}",
            "autograd.backward([y, z])",
        ]
    elif sort == "detached":
        lines += [
            f"{block}y = {text}\n    z = y.detach() * x1 + y",
            "z.backward()",
            "found.append(z)",
        ]
    elif sort == "paused":
        lines += [
            f"{block}y = {text}\n    with autograd.pause():\n        z = y * 2\n    w = z * y", "w.backward()",
        ]  # fmt: skip
    else:
        lines += [
            f"with autograd.record(train_mode={draw.one(True, False)}):\n    y = {text}\n    found.append(int(autograd.is_training()))",
            "y.backward(train_mode=False)",
        ]  # fmt: skip
    lines += ["found += [y, x0.grad, x1.grad]"]
    return lines, inputs


@family(has_np=False)
def _symbols(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    """Return a program that composes, asks and binds a symbol."""
    shape = (draw.one(1, 2, 3), draw.one(2, 4))
    data = draw.array(shape, "float32", ("normal",))
    layers = []
    for place in range(draw.randint(1, 4)):
        name = draw.one("", f", name='l{place}'")
        layers.append(
            draw.one(
                f"sym.FullyConnected(s, num_hidden={draw.one(1, 3)}{name}{draw.one('', ', no_bias=True', ', flatten=False')})",
                f"sym.Activation(s, act_type='{draw.one('relu', 'tanh', 'sigmoid')}'{name})",
                f"sym.BatchNorm(s{name}{draw.one('', ', fix_gamma=False', ', use_global_stats=True')})",
                f"sym.Dropout(s, p={draw.one('0.0', '0.5')}{name})", f"sym.LeakyReLU(s, slope=0.1{name})",
                f"sym.concat(s, s, dim={draw.one(0, 1)}{name})", "s + s", "s * 2", "1 - s", "s / 3", "-s",
                "s ** 2", f"sym.softmax(s{name})", f"sym.sum(s, axis={draw.one(0, 1)}, keepdims=True{name})",
                "s.reshape((0, -1))", "s.transpose()", "s[0]", f"sym.SliceChannel(s, num_outputs=2, axis=1{name})[1]",
                f"sym.LayerNorm(s{name})", "sym.BlockGrad(s)", "s > 0", f"sym.Flatten(s{name})",
                "sym.Group([s, s * 2])[1]", "s.get_internals()[-1]", "sym.broadcast_add(s, sym.ones((1, 1)))",
                f"sym.L2Normalization(s{name})", "sym.expand_dims(s, axis=0).squeeze(axis=0)", "s.mean(axis=1, keepdims=True)",
            )
        )  # fmt: skip
    lines = ["names = mx.name.NameManager(); names.__enter__()", "s = sym.var('data')"]
    lines += [f"s = {layer}" for layer in layers]
    lines += [
        "names.__exit__(None, None, None)",
        "found += [s.list_arguments(), s.list_outputs(), s.list_auxiliary_states()]",
        "shapes = s.infer_shape(data=x0.shape)", "found += list(shapes)",
        "found.append([onp.dtype(t).name for t in s.infer_type(data='float32')[0]])",
        f"e = s.simple_bind(mx.cpu(), data=x0.shape, grad_req='{draw.one('write', 'add', 'null', 'write')}')",
        "for n, a in e.arg_dict.items(): a[:] = nd.arange(a.size).reshape(a.shape) * 0.1 - 0.2",
        "for n, a in e.aux_dict.items(): a[:] = 0.7",
        "for g in e.grad_arrays:\n    if g is not None: g[:] = 0",
        f"e.forward(is_train={draw.one('True', 'False', 'True')}, data=x0)", "found += list(e.outputs)",
    ]  # fmt: skip
    if "is_train=True" in lines[-2]:
        lines += ["e.backward([nd.ones_like(o) for o in e.outputs])",
                  "found += [g for g in e.grad_arrays if g is not None]"]  # fmt: skip
        if "s[0]" not in str(layers):
            lines += ["found += list(e.aux_arrays)"]
    return lines, [data]


@family(has_np=True)
def _printed(draw: Chance, is_np: bool) -> tuple[list[str], list[Value]]:
    """Return a program that asks what an array is, and prints it."""
    values = draw.one(("normal",), ("ints", 0, 9))
    array = draw.array(draw.shape(1, 3), draw.one("float32", "float64", "int32", "uint8"), values)
    texts = ["repr(x0)", "str(x0)", "x0.shape", "x0.size", "x0.ndim", "str(x0.dtype)", "str(x0.context)", "x0.stype" if not is_np else "len(x0)", "x0.T", "[a for a in x0]", "x0.asnumpy().strides", "x0.tolist()" if is_np else "x0.asnumpy().tolist()", "f'{x0.shape}'", "x0.grad is None", "x0.copy()", "x0.astype('int32')", "x0.reshape(-1)", "x0.reshape((-1, 1))", "x0.flatten()", "x0.as_in_context(mx.cpu())", "len(x0)", "x0 is not None", "x0.size * 2", "bool((x0 == x0).asnumpy().all())"]  # fmt: skip
    return [f"found.append({draw.choice(texts)})" for _ in range(draw.randint(1, 4))], [array]


def written(draw: Chance, name: str) -> Case:
    """Return a program of a family."""
    family, has_np = FAMILIES[name]
    draw.is_np = is_np = has_np and draw.happens(0.5)
    lines, inputs = family(draw, is_np)
    return _program(draw, name, lines, inputs, is_np=is_np)


@kind
def _written(draw: Chance) -> Case:
    """Return a program of a few lines."""
    return written(draw, draw.choice(sorted(FAMILIES)))
