"""Draws lines of programs whose steps meddle with one another: views, outputs, gradients, symbols."""

# ruff: noqa: E501 - lines of programs are written as they are
from __future__ import annotations

from fuzz.differential.chance import Chance, Value
from fuzz.differential.texts import family

Found = tuple[list[str], list[Value]]

_BINARY = ("{a} + {b}", "{a} - {b}", "{a} * {b}", "{a} / ({b} * {b} + 1)", "{s}.maximum({a}, {b})", "{s}.minimum({a}, {b})", "{a} > {b}", "{a} == {b}",
           "{s}.where({a} > 0, {a}, {b})", "{s}.hypot({a}, {b})", "{a} % 2 + {b}", "{a} ** 2 - {b}")  # fmt: skip
_UNARY = ("{a}[0:1]", "{a}[:, ::-1]", "{a}[-1:]", "{a}.reshape((-1,))", "{a}.reshape((3, 2))", "{a}.T", "{a} * 0.5", "1 - {a}", "{s}.exp({a} * 0.3)", "{s}.square({a})", "{s}.abs({a})", "{s}.tanh({a})",
          "{a}.sum(axis=0)", "{a}.mean(axis=1, keepdims=True)", "{a}.max(axis=0)", "{a}.copy()", "{a}.astype('float64')", "{a}.astype('int32')", "{a}.astype('float16')", "{s}.expand_dims({a}, axis=0)", "{a}.detach()",
          "{s}.flip({a}, axis=0)", "{s}.clip({a}, -0.5, 0.8)", "{a}.argmax(axis=0)", "{s}.sign({a})", "-{a}", "{a}.flatten()", "{a}.repeat(2, axis=0)", "{s}.tile({a}, (1, 2))", "{a}.squeeze()")  # fmt: skip
_ND_UNARY = ("nd.softmax({a})", "nd.relu({a})", "nd.sort({a})", "nd.topk({a}, k=1)", "nd.L2Normalization({a})", "nd.one_hot({a}.argmax(axis=0), 3)", "nd.slice({a}, begin=(0,), end=(1,))", "nd.take({a}, nd.array([0, 5]))",
             "nd.split({a}, num_outputs=1, axis=0)", "nd.Pad({a}.reshape((1, 1, 2, 3)), mode='reflect', pad_width=(0, 0, 0, 0, 1, 1, 0, 1))", "nd.Flatten({a})", "nd.norm({a}, axis=1)", "nd.gather_nd({a}, nd.array([[0, 0], [0, 0]]))", "nd.SequenceReverse({a})")  # fmt: skip
_NP_UNARY = ("npx.softmax({a})", "npx.relu({a})", "np.sort({a})", "np.cumsum({a}, axis=0)", "np.concatenate([{a}, {a}], axis=0)", "np.stack([{a}, {a}])", "{a}[np.array([0, 0])]", "{a}[{a} > 0]", "np.var({a}, axis=0)", "np.ravel({a})",
             "np.argsort({a})", "np.unique({a})", "np.nonzero({a})[0]", "np.linalg.norm({a})", "np.einsum('ij->ji', {a})", "np.pad({a}, ((1, 1), (0, 1)), mode='reflect')", "np.pad({a}, ((0, 1), (2, 0)), mode='symmetric')", "np.pad({a}, ((1, 0), (0, 2)), mode='edge')", "np.roll({a}, 1)", "np.tril({a})")  # fmt: skip
_WRITES = ("{a} += {b}", "{a} *= 2", "{a} -= 0.5", "{a} /= 2", "{a}[0] = 7", "{a}[:] = {b}", "{a}[:, 0] = 1", "{a}[0:1] = {b}[0:1]", "{a}[...] *= 2", "{a}[-1] += {b}[0]", "{a}[:] = 0", "{a}[1:] = {a}[:-1]",
           "{s}.exp({b} * 0.1, out={a})", "{s}.add({b}, {b}, out={a})", "{a}[0] *= {a}[0]", "{b}.copyto({a})", "{a}[:, 1:] -= 1")  # fmt: skip


def _pick(draw: Chance, texts: tuple[str, ...], names: list[str], space: str) -> str:
    """Return a line with names in it, drawn among those that there are."""
    later = names[-1] if draw.happens(0.6) else draw.choice(names)
    return draw.choice(texts).format(a=later, b=draw.choice(names), s=space)


@family(has_np=True)
def _shared(draw: Chance, is_np: bool) -> Found:
    """Return values that are made of one another and written to, all of them shown at the end."""
    space = "np" if is_np else "nd"
    dtype = draw.one("float32", "float32", "float32", "float64", "float16", "int32")
    names = ["x0", "x1"]
    lines: list[str] = []
    texts = _BINARY + _UNARY * 2 + (_NP_UNARY if is_np else _ND_UNARY)
    for number in range(draw.randint(3, 7)):
        if draw.happens(0.35):
            lines.append(_pick(draw, _WRITES, names, space))
        else:
            lines.append(f"y{number} = {_pick(draw, texts, names, space)}")
            names.append(f"y{number}")
    lines.append(f"found += [{', '.join(names)}]")
    return lines, [draw.array((2, 3), dtype, ("ints", -2, 4)) for _ in range(2)]


@family(has_np=True)
def _written_gradients(draw: Chance, is_np: bool) -> Found:
    """Return gradients of what is read, joined, cut and masked, with heads of their own."""
    space = "np" if is_np else "nd"
    dtype = draw.one("float32", "float32", "float32", "float64", "float16")
    names = ["x0", "x1"]
    texts = tuple(each for each in _BINARY + _UNARY * 2 + (_NP_UNARY if is_np else _ND_UNARY)
                  if "int32" not in each and "unique" not in each and "nonzero" not in each)  # fmt: skip
    body = []
    for number in range(draw.randint(2, 5)):
        body.append(f"y{number} = {_pick(draw, texts, names, space)}")
        names.append(f"y{number}")
    reqs = [draw.one("", "", "'add'", "'null'") for _ in range(2)]
    lines = [f"x{place}.attach_grad({req})" for place, req in enumerate(reqs)]
    last = names[-1]
    lines += ["with autograd.record():\n    " + "\n    ".join(body)]
    lines += draw.one(
        [f"{last}.backward()"],
        [f"{last}.backward({last}.detach() * 0 + 2)"],
        [f"autograd.backward([{last}, {names[-2]}])" if len(names) > 3 else f"{last}.backward()"],
        [f"{last}.backward(retain_graph=True)", f"{last}.backward()"],
        [f"{last}.backward(train_mode=False)"],
        [f"found += autograd.grad({last}, [x0, x1], head_grads={last}.detach() * 0 + 0.5)"],
        [f"found.append(autograd.grad([{last}], x0))"],
    )
    lines.append(f"found += [{', '.join(names[2:])}, x0.grad, x1.grad]")
    return lines, [draw.array((2, 3), dtype, ("normal",)) for _ in range(2)]


_SMOOTH = ("{s}.exp({v} * 0.5)", "{s}.tanh({v})", "{s}.sin({v})", "{s}.log({v} * {v} + 1)", "{v} * {v}", "{v} ** 3", "{v} * x1", "{v} / (x1 * x1 + 1)", "1 / ({v} * {v} + 2)", "{s}.sqrt({v} * {v} + 0.5)", "{v}.sum(axis=0, keepdims=True) * x1", "{v}.mean() * x0",
           "{v}.reshape((3, 2)).reshape((2, 3)) * x1", "{v}[:, ::-1]", "{v}[0:1] * x1", "{v}.T.T", "{s}.concatenate([{v}, x1], axis=0)[1:3]", "{s}.where(x1 > 0, {v}, {v} * 2)", "{v}.clip(-5, 5)", "{s}.arctan({v})", "{s}.cosh({v} * 0.3)",
           "{s}.log1p({v} * {v})", "{s}.expm1({v} * 0.2)", "{s}.dot({v}, x1.T).sum() * x0", "{s}.arcsinh({v})", "{s}.maximum({v}, x1)", "{s}.cbrt({v} + 3)", "{s}.reciprocal({v} + 4)", "{s}.stack({v}, x1)[0]", "{s}.abs({v}) * {v}", "{s}.square({v})", "{s}.broadcast_to({v}.sum(axis=0, keepdims=True), (2, 3)) * x0")  # fmt: skip


@family(has_np=True)
def _orders(draw: Chance, is_np: bool) -> Found:
    """Return gradients of gradients, in the ways there are to ask for them."""
    space = "np" if is_np else "nd"
    text = "x0"
    for _ in range(draw.randint(1, 3)):
        step = draw.choice(_SMOOTH)
        if "concatenate" in step and not is_np:
            step = "nd.concat({v}, x1, dim=0)[1:3]"
        if "stack" in step and is_np:
            step = "np.stack([{v}, x1])[0]"
        text = step.format(v=f"({text})" if text != "x0" else text, s=space)
    if draw.happens(0.25):
        text = draw.one(f"nd.sigmoid({text})", f"nd.softmax({text})", f"nd.relu({text})", f"nd.log_softmax({text})", f"nd.FullyConnected({text}, x1, no_bias=True, num_hidden=2)") if not is_np else draw.one(
            f"npx.sigmoid({text})", f"npx.relu({text})", f"npx.softmax({text})")  # fmt: skip
    sort = draw.one("grad of grad", "squared", "penalty", "with heads", "three", "same twice")
    lines = ["x0.attach_grad(); x1.attach_grad()"]
    first = f"with autograd.record():\n    y = {text}\n    z = autograd.grad(y, x0, create_graph=True, retain_graph=True)"
    if sort == "grad of grad":
        lines += [first + "\n    z = z[0] if isinstance(z, list) else z", "z.backward()"]
    elif sort == "squared":
        lines += [
            first + "\n    z = z[0] if isinstance(z, list) else z\n    w = (z * z).sum() + y.sum()",
            "w.backward()",
            "found.append(w)",
        ]
    elif sort == "penalty":
        lines += [
            first.replace("x0, create", "[x0, x1], create") + "\n    w = (z[0] * z[1]).sum()",
            "w.backward()",
            "found.append(w)",
        ]
    elif sort == "with heads":
        lines += [
            first.replace("x0, create", "x0, head_grads=y * 2, create")
            + "\n    z = z[0] if isinstance(z, list) else z",
            "z.backward()",
        ]
    elif sort == "three":
        lines += [
            first
            + "\n    z = z[0] if isinstance(z, list) else z\n    w = autograd.grad(z, x0, create_graph=True, retain_graph=True)\n    w = w[0] if isinstance(w, list) else w",
            "w.backward()",
            "found.append(w)",
        ]
    else:
        lines += [first, "y.backward()"]
    lines.append("found += [y, z, x0.grad, x1.grad]")
    return lines, [
        draw.array((2, 3), draw.one("float32", "float64"), ("normal",)) for _ in range(2)
    ]


_OUTS = ("{s}.exp({a}, out={o})", "{s}.add({a}, {b}, out={o})", "{s}.subtract({a}, {b}, out={o})", "{s}.sum({a}, axis=0, out={o})", "{s}.mean({a}, axis=0, out={o})", "{s}.max({a}, axis=0, out={o})", "{s}.dot({a}, {b}.T, out={o})", "{s}.sqrt({s}.abs({a}), out={o})", "{s}.clip({a}, 0, 1, out={o})",
         "{s}.maximum({a}, {b}, out={o})", "{s}.tanh({a}, out={o})", "{s}.negative({a}, out={o})", "{s}.square({a}, out={o})", "{s}.expand_dims({a}, axis=0, out={o})", "{s}.ones_like({a}, out={o})", "{s}.transpose({a}, out={o})", "{s}.sign({a}, out={o})", "{s}.argmax({a}, axis=0, out={o})", "{s}.multiply({a}, 2, out={o})")  # fmt: skip
_ND_OUTS = ("nd.relu({a}, out={o})", "nd.softmax({a}, out={o})", "nd.concat({a}, {b}, dim=0, out={o})", "nd.stack({a}, {b}, out={o})", "nd.elemwise_mul({a}, {b}, out={o})", "nd.broadcast_add({a}, {b}, out={o})", "nd.take({a}, nd.array([1]), out={o})", "nd.cast({a}, dtype='float64', out={o})", "nd.cast({a}, dtype='int32', out={o})",
            "nd.reshape({a}, shape=(-1,), out={o})", "nd.slice_axis({a}, axis=0, begin=0, end=1, out={o})", "nd.add_n({a}, {b}, out={o})", "nd.flip({a}, axis=0, out={o})", "nd.topk({a}, k=1, out={o})", "nd.where({a} > 0, {a}, {b}, out={o})", "nd.identity({a}, out={o})", "nd.zeros({a}.shape, out={o})", "nd.one_hot({a}[0], 3, out={o})")  # fmt: skip


@family(has_np=True)
def _outs(draw: Chance, is_np: bool) -> Found:
    """Return functions that write into arrays of other shapes and dtypes, views and their own arguments."""
    space = "np" if is_np else "nd"
    lines = [
        f"o = {draw.one('x0', 'x1', 'x2', 'x2[0]', 'x2[0:2]', 'x3', 'x2.T', 'x2.reshape((3, 2))')}"
    ]
    for _ in range(draw.randint(1, 3)):
        text = draw.choice(_OUTS + (() if is_np else _ND_OUTS)).format(
            a=draw.one("x0", "x1", "o"), b=draw.one("x0", "x1"), o="o", s=space
        )
        lines.append(f"r = {text}; found += [r, r is o]")
    lines.append("found += [x0, x1, x2, x3]")
    dtype = draw.one("float32", "float32", "float64", "float16")
    other = draw.one(dtype, dtype, dtype, "float64", "float32", "int32")
    return lines, [
        draw.array((2, 3), dtype, ("normal",)), draw.array((2, 3), dtype, ("normal",)),
        draw.array((2, 3), other, ("normal",)), draw.array((3,), dtype, ("normal",)),
    ]  # fmt: skip


_TYPES = ("float32", "float64", "float16", "int32", "int64", "int8", "uint8", "bool")


@family(has_np=True)
def _types(draw: Chance, is_np: bool) -> Found:
    """Return arithmetic of arrays of several dtypes with numbers of several kinds."""
    types = _TYPES if is_np else _TYPES[:-1]
    one, two = draw.choice(types), draw.choice(types)
    if not is_np:
        two = one
    number = draw.one(
        "2",
        "2.5",
        "True",
        "onp.float32(1.5)",
        "onp.float64(0.5)",
        "onp.int32(3)",
        "onp.int8(2)",
        "-1",
        "0",
        "1e10",
        "300",
        "x1",
    )
    lines = []
    for _ in range(draw.randint(1, 3)):
        text = draw.one("x0 + {n}", "{n} - x0", "x0 * {n}", "x0 / {n}", "{n} / (x0 + 4)", "x0 % {n}", "{n} ** x0", "x0 ** {n}", "x0 > {n}", "x0 == {n}", "{n} <= x0", "{s}.maximum(x0, {n})", "{s}.add(x0, {n})", "{s}.where(x0 > 1, x0, x1)",
                        "{s}.power(x0, {n})", "abs(x0) + {n}", "x0.sum() + {n}", "x0.mean() * {n}", "{s}.concatenate([x0, x1])", "{s}.stack(x0, x1)" if not is_np else "{s}.stack([x0, x1])", "{s}.dot(x0, x1)", "x0.astype('float32') * x1", "x0[0] + {n}", "{s}.clip(x0, 0, {n})", "{s}.full((2,), {n})",
                        "{s}.exp(x0)", "{s}.sqrt(abs(x0))", "{s}.log(abs(x0) + 1)", "x0.max() - x1.min()", "-x0 + {n}", "{s}.mod(x0, {n})" if is_np else "nd.modulo(x0, {n})", "{s}.cumsum(x0)", "x0.prod()", "{s}.floor(x0 / 2)", "{s}.array(x0)" if is_np else "nd.array(x0)")  # fmt: skip
        lines.append(f"found.append({text.format(n=number, s='np' if is_np else 'nd')})")
    if draw.happens(0.3):
        lines.append(
            draw.one(
                "x0 += {n}", "x0 *= {n}", "x0 -= x1", "x0[:] = {n}", "x0[0] = {n}", "x0 /= {n}"
            ).format(n=number)
            + "; found.append(x0)"
        )
    return lines, [draw.array((3,), one, ("ints", 0, 3)), draw.array((3,), two, ("ints", 1, 4))]


_SYMBOLS = ("{a} + {b}", "{a} * {b}", "{a} - {b}", "{a} / ({b} * {b} + 1)", "{a} ** 2", "2 - {a}", "{a} * 0.5", "sym.Activation({a}, act_type='tanh')", "sym.FullyConnected({a}, num_hidden=3, name='{n}')", "sym.broadcast_add({a}, {b})", "sym.slice_axis(sym.concat({a}, {b}, dim=0), axis=0, begin=0, end=2)",
            "sym.maximum({a}, {b})", "sym.maximum({a}, 0.3)", "{a} > {b}", "sym.where({a} > 0, {a}, {b})", "sym.softmax({a})", "sym.BatchNorm({a}, name='{n}', fix_gamma=False)", "sym.LayerNorm({a}, name='{n}')", "sym.transpose(sym.transpose({a}))", "sym.reshape({a}, shape=(0, -1))", "sym.stack({a}, {b}, axis=0).sum(axis=0)",
            "sym.broadcast_mul(sym.split({a}, num_outputs=3, axis=1)[1], {b})", "sym.BlockGrad({a}) * {b}", "sym.exp({a} * 0.2)", "sym.sum({a}, axis=1, keepdims=True) * 1", "sym.add_n({a}, {b}, {a})", "sym.broadcast_like(sym.mean({a}, axis=0, keepdims=True), {b})", "sym.flip({a}, axis=1)", "sym.tile({a}, reps=(1, 1))",
            "sym.LeakyReLU({a}, slope=0.2)", "sym.relu({a})", "-{a}", "sym.dot({a}, {b}, transpose_b=True)", "sym.take({a}, sym.zeros((2,)))", "sym.zeros_like({a}) + {b}", "sym.clip({a}, -0.5, 0.5)", "sym.Dropout({a}, p=0.0)", "sym.identity({a})")  # fmt: skip


@family(has_np=False)
def _graphs(draw: Chance, is_np: bool) -> Found:
    """Return a graph of several paths that is asked, composed, run, reshaped and run again."""
    names = ["a", "b"]
    lines = [
        "names = mx.name.NameManager(); names.__enter__()",
        "a = sym.var('a'); b = sym.var('b')",
    ]
    for number in range(draw.randint(2, 5)):
        text = draw.choice(_SYMBOLS).format(
            a=draw.choice(names[-2:]), b=draw.choice(names), n=f"n{number}"
        )
        lines.append(f"s{number} = {text}")
        names.append(f"s{number}")
    last, other = names[-1], draw.choice(names)
    lines.append(draw.one(f"s = {last}", f"s = {last}", f"s = sym.Group([{last}, {other}])", f"s = sym.Group([sym.BlockGrad({other}), {last}])", f"s = mx.sym.load_json({last}.tojson())", f"s = {last}(a=sym.var('b') * 2, name='new')", f"s = {last}(b=sym.var('a'))", f"s = {last}.get_internals()[{last}.list_outputs()[0]]", f"import copy; s = copy.deepcopy({last})"))  # fmt: skip
    lines += [
        "names.__exit__(None, None, None)",
        "found += [s.list_arguments(), s.list_outputs(), s.list_auxiliary_states()]",
    ]
    asked = draw.one(
        "found.append(s.infer_shape(a=(2, 3), b=(2, 3)))",
        "found.append(s.infer_shape_partial(a=(2, 3)))",
        "found.append([[str(onp.dtype(t)) for t in g] for g in s.infer_type(a='float32', b='float32')])",
        "found.append(len(s.get_internals().list_outputs()))",
        "found.append(sorted((k, sorted(v.items())) for k, v in s.attr_dict().items()))",
    )
    given = draw.one("{'a': 'write', 'b': 'null'}", "{'a': 'add', 'b': 'write'}")
    each = f"{{n: {given}.get(n, 'write') for n in s.list_arguments()}}"
    reqs = draw.one("'write'", "'add'", "'null'", each)
    lines += [
        asked,
        "shapes = {n: v for n, v in {'a': (2, 3), 'b': (2, 3)}.items() if n in s.list_arguments()}",
        f"e = s.simple_bind(mx.cpu(), grad_req={reqs}, **shapes)",
        "for i, n in enumerate(sorted(e.arg_dict)): e.arg_dict[n][:] = nd.arange(e.arg_dict[n].size).reshape(e.arg_dict[n].shape) * 0.1 - 0.1 * i",
        "for g in e.grad_arrays:\n    if g is not None: g[:] = 1",
        "for n in e.aux_dict: e.aux_dict[n][:] = 0.5",
        f"outs = e.forward(is_train={draw.one('True', 'True', 'False')}, **{{n: (x0 if n == 'a' else x1) for n in shapes}})",
        "found += [o.copy() for o in outs]",
    ]  # fmt: skip
    if "is_train=True" in lines[-2] and reqs != "'null'":
        lines += [
            "e.backward([nd.ones_like(o) * 2 for o in e.outputs])",
            "found += [e.grad_dict[n].copy() for n in sorted(e.grad_dict) if e.grad_dict[n] is not None]",
        ]
    lines += draw.one(
        ["found += list(e.aux_arrays)"], ["found.append(sorted(e.output_dict))"], ["found.append(s.eval(ctx=mx.cpu(), a=x0, b=x1) if sorted(s.list_arguments()) == ['a', 'b'] else 0)"],
        ["e = e.reshape(allow_up_sizing=True, **{n: (4, 3) for n in shapes})", "found += [o.shape for o in e.forward(is_train=False)]"],
        ["e.copy_params_from({'a': x1}, allow_extra_params=True)", "found += e.forward()"],
    )  # fmt: skip
    return lines, [draw.array((2, 3), "float32", ("normal",)) for _ in range(2)]
