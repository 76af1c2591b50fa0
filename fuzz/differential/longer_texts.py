"""Draws lines of programs that train, loop and exchange: modules, stores, cells, blocks, methods."""

# ruff: noqa: E501 - lines of programs are written as they are
from __future__ import annotations

from fuzz.differential.chance import Chance, Value
from fuzz.differential.texts import _expression, family

Found = tuple[list[str], list[Value]]


@family(has_np=True)
def _methods(draw: Chance, is_np: bool) -> Found:
    """Return methods of arrays, one after the other."""
    shape = tuple(draw.one(1, 2, 3) for _ in range(draw.one(2, 2, 3)))
    values = draw.one(("normal",), ("ints", 0, 4), ("uniform", 0.1, 3.0))
    array = draw.array(shape, draw.one("float32", "float32", "float64", "int32"), values)
    axis = draw.one(
        "0", "1", "-1", "axis=0", "axis=-1", "axis=(0, 1)", "axis=(0,)", "", "axis=None"
    )
    keep = draw.one("", "keepdims=True", "keepdims=False")
    both = ", ".join(part for part in (axis, keep) if part)
    common = [
        f".sum({both})", f".mean({both})", f".max({both})", f".min({both})", f".prod({both})",
        ".T", ".copy()", ".reshape(-1)", ".reshape((-1,))", ".reshape(1, -1)", ".flatten()",
        f".argmax({draw.one('axis=0', 'axis=-1')})", f".argmin({draw.one('axis=1', '')})",
        f".astype({draw.one('onp.float32', repr('float64'), repr('int32'), 'float', 'int')})",
        f".clip({draw.one('0, 1', '-1, 0.5', 'a_min=0, a_max=2')})", f".repeat({draw.one('2', '2, axis=0')})",
        f".transpose({draw.one('', '(1, 0)', '1, 0', '(1, 0, 2)')})", f".squeeze({draw.one('', 'axis=0')})",
        ".swapaxes(0, 1)", "[0]", "[-1]", "[..., 0]", "[:, 0:1]", "[::2]", ".asnumpy().sum()",
        " + 1", " * 2.5", " > 0", " ** 2", ".detach()", ".tostype('default')" if not is_np else ".tolist()",
    ]  # fmt: skip
    if is_np:
        common += [
            f".std({both})", f".var({both})", f".cumsum({draw.one('', '0', 'axis=-1')})", ".round()", ".all()", ".any()",
            ".item()", ".ravel()", ".argsort()", ".take(np.array([0, 0]), axis=0)", f".sort({draw.one('', '0')})",
            ".round(1)", f".dot(np.ones(({shape[-1]}, 2)))", ".nonzero()", ".as_nd_ndarray()",
            ".mean(dtype='float64')", f".sum({axis}{', ' if axis else ''}dtype='float64')",
        ]  # fmt: skip
    else:
        common += [
            ".norm()", f".norm({both})", f".sort({draw.one('', 'axis=0', 'is_ascend=False')})", f".argsort({draw.one('', 'axis=0', 'is_ascend=0')})",
            f".topk({draw.one('', 'k=2', 'k=1, axis=0', 'k=2, ret_typ=' + repr('value'))})", ".expand_dims(0)",
            ".expand_dims(axis=-1)", ".broadcast_to((2, 2, 3))", ".tile(2)", ".tile((1, 2))", ".flip(axis=0)", ".flip(1)",
            ".slice_axis(axis=1, begin=0, end=1)", ".slice(begin=(0,), end=(1,))", ".take(nd.array([0, 0]))",
            ".one_hot(3)", f".softmax({draw.one('', 'axis=0')})", ".log_softmax()", ".relu()", ".sigmoid()", ".exp()",
            ".square()", ".sqrt()", ".abs()", ".sign()", ".round()", ".floor()", ".tanh()", f".nansum({both})",
            ".split(1)", f".split(num_outputs=1, axis=1, squeeze_axis={draw.one(0, 1)})", ".reshape(0, -1)", ".reshape(-2)",
            ".reshape(shape=(-3, -2))", ".reshape((-1, 0), reverse=True)", ".asscalar()", ".diag()", ".pick(nd.array([0]))",
            ".zeros_like()", ".ones_like()", ".broadcast_like(x1)", ".reshape_like(x1)", ".slice_like(x1)", ".size_array()", ".shape_array()",
            ".broadcast_axes(axis=0, size=2)", ".argmax_channel()", ".as_np_ndarray()", ".rint()", ".rsqrt()",
        ]  # fmt: skip
    chain = "".join(draw.choice(common) for _ in range(draw.one(1, 1, 2, 2, 3)))
    return [f"found.append(x0{chain})"], [array, draw.array(shape, "float32")]


@family(has_np=False)
def _module(draw: Chance, is_np: bool) -> Found:
    """Return a Module that is trained for a few batches."""
    count, width = draw.one(4, 6), draw.one(2, 3)
    data = draw.array((count, width), "float32", ("normal",))
    label = draw.array((count,), "float32", ("ints", 0, 1))
    last = draw.one(
        "sym.SoftmaxOutput(s, name='softmax')",
        "sym.LinearRegressionOutput(sym.Flatten(s).sum(axis=1), name='softmax')",
        "sym.SoftmaxOutput(s, name='softmax', normalization='batch')",
        "sym.SVMOutput(s, name='softmax')",
        "sym.LogisticRegressionOutput(sym.sum(s, axis=1), name='softmax')",
    )
    middle = draw.one("s", "sym.Activation(s, act_type='tanh')", "sym.BatchNorm(s, name='bn')",
                      "sym.LeakyReLU(s, slope=0.2)")  # fmt: skip
    optimizer = draw.one(
        "'sgd', optimizer_params={'learning_rate': 0.1}",
        "'sgd', optimizer_params={'learning_rate': 0.1, 'momentum': 0.9, 'wd': 0.01}",
        "'adam', optimizer_params={'learning_rate': 0.05}",
        "'rmsprop'", "'nag', optimizer_params={'momentum': 0.5}", "'adagrad'", "'ftrl'", "'adadelta'",
        "'sgd', optimizer_params=(('learning_rate', 0.2), ('clip_gradient', 0.3))",
        "'adam', optimizer_params={'lr_scheduler': mx.lr_scheduler.FactorScheduler(2, 0.5)}",
    )  # fmt: skip
    if (
        "Norm" in middle
    ):  # whose gradients are sums that cancel; an adaptive one makes much of a gradient that is rounding
        optimizer = "'sgd', optimizer_params={'learning_rate': 0.1}"
        last = "sym.SoftmaxOutput(s, name='softmax')"
    init = draw.one(
        "mx.init.Xavier()", "mx.init.Uniform(0.3)", "mx.init.Normal(0.5)", "mx.init.One()"
    )
    metric = draw.one("'acc'", "'mse'", "'ce'", "mx.metric.Loss()", "['acc', 'mae']")
    if "Regression" in last and ("ce" in metric or "acc" in metric):
        metric = "'mse'"
    lines = [
        "mx.random.seed(5); onp.random.seed(5)",
        "names = mx.name.NameManager(); names.__enter__()",
        "s = sym.var('data')", f"s = sym.FullyConnected(s, num_hidden={draw.one(2, 3)}, name='fc1')",
        f"s = {middle}", f"s = {last}",
        f"data = mx.io.NDArrayIter(x0, x1, batch_size={draw.one(2, 3)}, label_name='softmax_label')",
        f"m = mx.mod.Module(s{draw.one('', ', fixed_param_names=[' + repr('fc1_bias') + ']')})",
        f"m.fit(data, num_epoch=2, initializer={init}, eval_metric={metric}, optimizer={optimizer})",
        "names.__exit__(None, None, None)",
        "args, auxs = m.get_params()", "found += [args[n] for n in sorted(args)]",
        "found += [auxs[n] for n in sorted(auxs)]", f"found.append(m.score(data, {metric}))",
        "found += [m.predict(data), m.output_shapes, m.data_shapes[0].name]",
    ]  # fmt: skip
    return lines, [data, label]


@family(has_np=False)
def _store(draw: Chance, is_np: bool) -> Found:
    shape = draw.shape(1, 2)
    arrays = [draw.array(shape, "float32", ("normal",)) for _ in range(3)]
    lines = [
        f"kv = mx.kv.create('{draw.one('local', 'device')}')",
        "kv.init(3, x0)",
        "y = nd.zeros(x0.shape)",
    ]
    if draw.happens(0.4):
        lines.append(draw.one(
            "kv.set_optimizer(mx.optimizer.create('sgd', learning_rate=0.1))",
            "kv._set_updater(lambda key, new, stored: stored.__iadd__(new * 2))",
            "kv.set_optimizer(mx.optimizer.create('test'))",
        ))  # fmt: skip
    calls = (
        "kv.push(3, x1)", "kv.push(3, [x1, x2])", "kv.pull(3, out=y); found.append(y.copy())",
        "kv.push(3, x1, priority=-1)", "kv.pushpull(3, x2, out=y); found.append(y.copy())",
        "kv.init('w', x2); kv.push('w', [x1, x1, x0]); kv.pull('w', out=y); found.append(y.copy())",
        ("kv.init([5, 7], [x0, x1]); kv.push([5, 7], [[x0, x1], [x1, x2]]); "
        "z = [nd.zeros(x0.shape), nd.zeros(x0.shape)]; kv.pull([5, 7], out=z); found += z"),
        "kv.broadcast('b', x1, out=y); found.append(y.copy())",
    )  # fmt: skip
    lines += [draw.choice(calls) for _ in range(draw.randint(1, 4))]
    lines += ["kv.pull(3, out=y)", "found += [y, kv.type, kv.rank, kv.num_workers]"]
    return lines, arrays


@family(has_np=False)
def _loops(draw: Chance, is_np: bool) -> Found:
    steps, width = draw.one(1, 3), draw.one(1, 2)
    arrays = [
        draw.array((steps, width), "float32", ("normal",)),
        draw.array((width,), "float32", ("normal",)),
    ]
    body = draw.one(
        "lambda d, s: (d + s, d * s)", "lambda d, s: (nd.exp(s), s + d)", "lambda d, s: ([d, s], s * 2)",
        "lambda d, s: (d - s.sum(), nd.tanh(d + s))",
    )  # fmt: skip
    text = draw.one(
        f"nd.contrib.foreach({body}, x0, x1)",
        f"nd.contrib.foreach({body}, x0, x1 * 2)",
        "nd.contrib.while_loop(lambda i, s: i < 3, lambda i, s: (s * i, [i + 1, s + x1]), [nd.zeros((1,)), x1], max_iterations=3)",
        "nd.contrib.cond(x1.sum() > 0, lambda: x1 * 2, lambda: x1 - 1)",
        "nd.contrib.foreach(lambda d, s: (d[0] + d[1], [s[0] + d[0], s[1]]), [x0, x0 * 2], [x1, x1])",
    )  # fmt: skip
    lines = ["x0.attach_grad(); x1.attach_grad()", f"with autograd.record():\n    y = {text}",
             "first = y[0] if isinstance(y, (list, tuple)) else y",
             "first = first[0] if isinstance(first, (list, tuple)) else first",
             "first.backward()", "found += [y, x0.grad, x1.grad]"]  # fmt: skip
    return lines, arrays


@family(has_np=False)
def _cells(draw: Chance, is_np: bool) -> Found:
    """Return a cell of mx.rnn that is unrolled into a graph."""
    steps, batch = draw.one(1, 2, 3), draw.one(1, 2)
    data = draw.array((batch, steps, 2), "float32", ("normal",))
    layers, mode, ways = draw.one(1, 2), draw.one("lstm", "gru"), draw.one(True, False)
    cell = draw.one(
        "mx.rnn.RNNCell(2, activation='{}', prefix='c_')".format(draw.one("tanh", "relu")),
        "mx.rnn.LSTMCell(2, prefix='c_')", "mx.rnn.GRUCell(2, prefix='c_')",
        "mx.rnn.LSTMCell(2, prefix='c_', forget_bias=2.0)",
        "mx.rnn.ResidualCell(mx.rnn.GRUCell(2, prefix='c_'))",
        "mx.rnn.BidirectionalCell(mx.rnn.LSTMCell(2, prefix='l_'), mx.rnn.LSTMCell(2, prefix='r_'))",
        f"mx.rnn.FusedRNNCell(2, num_layers={layers}, mode='{mode}', prefix='f_').unfuse()",
        "mx.rnn.ZoneoutCell(mx.rnn.RNNCell(2, prefix='c_'), 0.0, 0.0)",
        f"mx.rnn.FusedRNNCell(2, num_layers={layers}, mode='{mode}', bidirectional={ways}, prefix='f_')",
    )  # fmt: skip
    lines = [
        "names = mx.name.NameManager(); names.__enter__()", f"c = {cell}",
        f"out, states = c.unroll({steps}, sym.var('data'), layout='NTC', merge_outputs=True)",
        "names.__exit__(None, None, None)", "found += [out.list_arguments(), out.list_outputs()]",
        "e = out.simple_bind(mx.cpu(), data=x0.shape, grad_req='write')",
        "for n in sorted(e.arg_dict): e.arg_dict[n][:] = nd.arange(e.arg_dict[n].size).reshape(e.arg_dict[n].shape) * 0.05 - 0.3",
        "e.forward(is_train=True, data=x0)", "e.backward([nd.ones_like(o) for o in e.outputs])",
        "found += list(e.outputs) + [g for g in e.grad_arrays if g is not None]", "found.append(len(states))",
    ]  # fmt: skip
    return lines, [data]


@family(has_np=True)
def _blocks(draw: Chance, is_np: bool) -> Found:
    """Return a Block of one's own, hybridized or not, that is called twice."""
    shape = (draw.one(1, 2, 3), draw.one(2, 3))
    text = _expression(draw, is_np)
    for space in ("np.", "npx.", "nd."):
        target = {"np.": "F.np.", "npx.": "F.npx.", "nd.": "F."}[space]
        text = text.replace(f"{space}", target) if (space == "nd.") != is_np else text
    text = text.replace("F.F.np", "F.np").replace("F.F.npx", "F.npx")
    lines = [
        ("class Net(gluon.HybridBlock):\n    def __init__(self):\n        super().__init__(prefix='net_')\n"
        f"        with self.name_scope():\n            self.w = self.params.get('w', shape={shape}, init={draw.one(repr('ones'), 'mx.init.Constant(0.5)', repr('zeros'))})\n"
        f"    def hybrid_forward(self, F, x0, x1, w):\n        return {text} {draw.one('+', '*', '-')} w"),
        "net = Net(); net.initialize()",
        *(["net.hybridize()"] if draw.happens(0.5) else []),
        "x0.attach_grad(); x1.attach_grad()",
        "for _ in range(2):\n    with autograd.record():\n        y = net(x0, x1)\n    y.backward()",
        "found += [y, x0.grad, x1.grad, net.w.grad(), sorted(net.collect_params())]",
    ]  # fmt: skip
    return lines, [draw.array(shape, "float32", ("uniform", 0.3, 1.5)) for _ in range(2)]


@family(has_np=True)
def _updated(draw: Chance, is_np: bool) -> Found:
    """Return an optimizer whose settings change between updates of several weights."""
    shape = draw.shape(1, 2)
    name = draw.one("sgd", "adam", "nag", "rmsprop", "adagrad", "adadelta", "ftrl", "adamax", "nadam",
                    "signum", "ftml", "dcasgd", "lamb", "lars", "sgld" if is_np else "sgd")  # fmt: skip
    options = draw.one("", ", momentum=0.9" if name in ("sgd", "nag", "lars", "signum") else "", ", wd=0.1",
                       ", rescale_grad=0.5, clip_gradient=0.4",
                       ", lr_scheduler=mx.lr_scheduler.PolyScheduler(5, base_lr=0.3)",
                       ", param_idx2name={0: 'a_weight', 1: 'b_bias'}, wd=0.1",
                       ", begin_num_update=3")  # fmt: skip
    changes = ["o.set_learning_rate(0.05)", "o.set_lr_mult({0: 0.5, 'b_bias': 2.0})", "o.set_wd_mult({0: 0.1})",
               "o.rescale_grad = 2.0", "pass", "pass", "o.set_lr_mult({1: 0.0})"]  # fmt: skip
    lines = [
        "mx.random.seed(1)",
        f"o = mx.optimizer.create('{name}'{options})",
        "u = mx.optimizer.get_updater(o)",
    ]
    for _ in range(draw.randint(1, 4)):
        lines.append(draw.one("u(0, x2 * 1, x0)", "u(0, x2 * 3, x0); u(1, x3 * 1, x1)", "u(0, x2 * 2, x0)",
                              "u([0, 1], [x2 * 1, x3 * 1], [x0, x1])"))  # fmt: skip
        lines.append(draw.choice(changes[1:] if "scheduler" in options else changes))
    lines += ["found += [x0, x1, o.num_update, o.learning_rate]"]
    return lines, [draw.array(shape, "float32", ("normal",)) for _ in range(4)]


@family(has_np=True)
def _single(draw: Chance, is_np: bool) -> Found:
    """Return what arrays of one element are as numbers of Python."""
    shape = draw.one([1], [1, 1], [] if is_np else [1])
    array = draw.array(tuple(shape), draw.any_dtype(), ("ints", 1, 3))
    text = draw.one(
        "float(x0)", "int(x0)", "bool(x0)", "x0.asscalar()" if not is_np else "x0.item()", "range(int(x0))[-1]",
        "[5, 6, 7, 8][int(x0)]", "round(float(x0), 1)", "'%.2f' % float(x0)", "x0 in [1]", "1 if x0 > 0 else 2",
        "x0 == 1", "max(1.5, float(x0))", "sum([x0, x0])", "onp.float32(2) * x0", "x0 * onp.float64(2)", "abs(x0)",
        "-x0", "divmod(int(x0), 2)", "float(x0) / 2", "any([x0 > 5])", "sorted([float(x0), 0])",
        "x0.shape == (1,)", "onp.asarray(x0.asnumpy())", "onp.sqrt(x0)" if is_np else "x0 ** 0.5",
        "max([x0, x0 * 2])", "x0 != None", "hash(x0) == hash(x0)", "list(x0)" if shape else "x0 + 1", "bool(x0 > 2)",
    )  # fmt: skip
    return [f"found.append({text})"], [array]
