"""Draws lines of whole programs: long chains, exported nets, training, metrics, files, streams."""

# ruff: noqa: E501 - lines of programs are written as they are
from __future__ import annotations

from fuzz.differential.chance import Chance, Value
from fuzz.differential.texts import _ND_DRAWS, _NP_DRAWS, family

Found = tuple[list[str], list[Value]]

_STEPS = (
    "v.sum(axis={a}, keepdims=True)", "v.mean(axis={a}, keepdims=True)", "v.max(axis={a}, keepdims=True)", "v.min(axis={a}, keepdims=True)",
    "v.prod(axis={a}, keepdims=True)", "v * x1", "v - x1", "x1 / (v * v + 1)", "v + x0", "v * 0.5", "2 - v", "1 / (v + 4)", "v ** 2", "-v",
    "v[0:1]", "v[:, 0:1]", "v[..., -1:]", "v[::-1]", "v[:, ::2]", "v.reshape((-1, 1))", "v.reshape((1, -1))", "v.reshape((-1,))", "v.T", "v.flatten()",
    "v.astype('float32')", "v.clip(-1, 1)", "v.repeat(2, axis=0)", "abs(v)", "v > 0.5", "v.copy()", "v % 2", "v.argmax(axis=0)", "v.swapaxes(0, 1)", "v.squeeze()",
)  # fmt: skip
_ND_STEPS = (
    "nd.softmax(v, axis={a})", "nd.log_softmax(v, axis={a})", "nd.relu(v)", "nd.sigmoid(v)", "nd.tanh(v)", "nd.exp(v * 0.3)", "nd.log(nd.abs(v) + 1)", "nd.sqrt(nd.abs(v))",
    "nd.broadcast_add(v, x2)", "nd.broadcast_mul(v, x2)", "nd.broadcast_maximum(v, x2)", "nd.dot(v, x1, transpose_b=True)", "nd.dot(v, x1.T)", "nd.concat(v, v, dim={a})",
    "nd.stack(v, v, axis={a})", "nd.split(v, num_outputs=1, axis={a})", "nd.expand_dims(v, axis={a})", "nd.flip(v, axis=0)", "nd.tile(v, reps=(2, 1))", "nd.where(v > 0, v, v * 0.1)",
    "nd.take(v, nd.array([0, 0]), axis={a})", "nd.pick(v, nd.zeros(v.shape[0]), axis=1)", "nd.norm(v, axis={a}, keepdims=True)", "nd.cumsum(v, axis={a})", "nd.slice_axis(v, axis={a}, begin=0, end=1)",
    "nd.Activation(v, act_type='softrelu')", "nd.LeakyReLU(v, slope=0.3)", "nd.L2Normalization(v)", "nd.smooth_l1(v, scalar=1.5)", "nd.clip(v, -0.5, 0.7)", "nd.sort(v, axis={a})", "nd.argsort(v, axis={a})",
    "nd.topk(v, k=1, axis={a}, ret_typ='value')", "nd.one_hot(nd.array([0, 1]), 3) + v.sum()", "nd.sum(v, axis=0, exclude=True)", "nd.square(v)", "nd.BlockGrad(v) * v", "nd.reverse(v, axis=0)",
    "nd.broadcast_to(v.sum().reshape((1, 1)), (2, 3))", "nd.batch_dot(v.expand_dims(0), v.expand_dims(0), transpose_b=True)[0]", "nd.add_n(v, v, v)", "nd.LayerNorm(v, nd.ones(v.shape[-1]), nd.zeros(v.shape[-1]))",
    "nd.diag(v)", "nd.maximum(v, 0.2)", "nd.minimum(v, v * 2)", "nd.round(v)", "nd.elemwise_add(v, v)", "nd.reshape(v, shape=(0, -1))", "nd.reshape(v, shape=(-3,))", "nd.depth_to_space(v.reshape((1, 1, -1, 1)), 1)",
    "nd.contrib.boolean_mask(v, nd.array([1] + [0] * (v.shape[0] - 1)))", "nd.hypot(v, v * 2)", "nd.linalg.gemm2(v, v, transpose_b=True)", "nd.linalg_syrk(v, transpose=False)", "nd.Pad(v.expand_dims(0).expand_dims(0), mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 0, 2))",
)  # fmt: skip
_NP_STEPS = (
    "npx.softmax(v, axis={a})", "npx.log_softmax(v, axis={a})", "npx.relu(v)", "npx.sigmoid(v)", "np.tanh(v)", "np.exp(v * 0.3)", "np.log(np.abs(v) + 1)", "np.sqrt(np.abs(v))",
    "np.add(v, x2)", "np.multiply(v, x2)", "np.maximum(v, x2)", "np.dot(v, x1.T)", "np.matmul(v, x1.T)", "np.concatenate([v, v], axis={a})", "np.stack([v, v], axis={a})", "np.split(v, 1, axis={a})[0]",
    "np.expand_dims(v, axis={a})", "np.flip(v, axis={a})", "np.tile(v, (2, 1))", "np.where(v > 0, v, v * 0.1)", "np.take(v, np.array([0, 0]), axis={a}, mode='clip')", "npx.pick(v, np.zeros(v.shape[0]), axis=1)",
    "np.linalg.norm(v, axis={a}, keepdims=True)", "np.cumsum(v, axis={a})", "npx.leaky_relu(v, slope=0.3)", "np.clip(v, -0.5, 0.7)", "np.sort(v, axis={a})", "np.argsort(v, axis={a})", "npx.topk(v, k=1, axis={a}, ret_typ='value')",
    "npx.one_hot(np.array([0, 1]), 3) + v.sum()", "np.square(v)", "np.broadcast_to(v.sum(), (2, 3))", "np.einsum('ij,kj->ik', v, x1)", "np.tensordot(v, x1, axes=([1], [1]))", "np.moveaxis(v, 0, -1)", "np.roll(v, 1, axis={a})",
    "np.vstack([v, v])", "np.hstack([v, v])", "np.dstack([v, v])", "np.tril(v)", "np.trace(v)", "np.diff(v, axis={a})", "np.ravel(v)", "np.outer(v, x1)", "np.kron(v, x1)", "np.inner(v, x1)", "np.vdot(v, v)", "np.std(v, axis={a}) if not {r} else v",
    "v @ x1.T", "np.squeeze(v)", "np.atleast_2d(v)", "np.maximum(v, 0.2)", "np.power(np.abs(v) + 0.1, 1.5)", "np.arctan2(v, x2)", "np.hypot(v, x2)", "np.logaddexp(v, x2)", "np.absolute(v)", "np.sign(v)", "np.average(v, axis={a})", "np.rot90(v)", "np.fabs(v)",
    "npx.layer_norm(v, np.ones(v.shape[-1]), np.zeros(v.shape[-1]))", "npx.batch_dot(v[None], v[None], transpose_b=True)[0]", "npx.reshape(v, (-4,))", "npx.reshape(v, (-5, -1))", "npx.sequence_mask(v, np.array([1.0] * v.shape[1]), use_sequence_length=True)",
    "v[None]", "v[np.array([0, 0])]", "v[v > 0]", "np.mean(v, axis={a}, keepdims=True)", "np.var(v) if not {r} else v.sum()", "np.delete(v, 0, axis=0)", "np.append(v, x1)", "np.insert(v, 0, 1.5, axis=0)", "np.array_split(v, 2)[0]", "np.diag(v)", "np.pad(v, ((1, 0), (0, 1)))",
)  # fmt: skip
_WRITES = (
    "v[0] = 2", "v[:, 0] = -1", "v[...] = v * 2", "v += 1", "v *= 2", "v -= x1", "v /= 2", "v[0:1] += 3", "v[-1:] = v[0:1]", "w = v[0:1]; w += 1", "w = v[0]; w[:] = 5",
    "v[:, ::2] = 0", "w = v.reshape((-1,)); found.append(w.sum())", "w = v.copy(); w[:] = 0", "x0[0] = 1", "v[:] = x1.sum()", "x1 *= 1.5", "v **= 2",
)  # fmt: skip


@family(has_np=True)
def _steps(draw: Chance, is_np: bool) -> Found:
    """Return three to six functions, one after the other, recorded or written into."""
    shape = (draw.one(1, 2, 3), draw.one(2, 3))
    dtype = draw.one("float32", "float32", "float32", "float64", "float16")
    values = draw.one(("normal",), ("uniform", 0.2, 2.0))
    inputs = [
        draw.array(shape, dtype, values),
        draw.array(shape, dtype, values),
        draw.array((1, shape[1]), dtype, values),
    ]
    is_recorded = draw.happens(0.65)
    names = _STEPS + (_NP_STEPS if is_np else _ND_STEPS) * 2
    body = []
    for _ in range(draw.randint(3, 6)):
        if not is_recorded and draw.happens(0.35):
            body.append(draw.choice(_WRITES) + "; found.append(v.copy())")
        else:
            body.append(
                "v = "
                + draw.choice(names).format(a=draw.one("0", "1", "-1"), r=is_recorded)
                + "; found.append(v)"
            )
    if not is_recorded:
        return ["v = x0", *body, "found += [x0, x1]"], inputs
    lines = [
        "x0.attach_grad(); x1.attach_grad(); x2.attach_grad()",
        "with autograd.record():\n    v = x0 * 1\n    " + "\n    ".join(body),
        "v.backward()", "found += [x0.grad, x1.grad, x2.grad]",
    ]  # fmt: skip
    return lines, inputs


_LAYERS = (
    "nn.Dense({u})", "nn.Dense({u}, activation='{act}')", "nn.Dense({u}, flatten=False, use_bias=False)", "nn.Dropout(0.3)", "nn.Flatten()", "nn.Activation('{act}')", "nn.LeakyReLU(0.2)", "nn.PReLU()", "nn.ELU(0.7)", "nn.SELU()", "nn.GELU()", "nn.Swish(1.3)",
    "nn.BatchNorm()", "nn.BatchNorm(center=False)", "nn.BatchNorm(axis=-1, momentum=0.7, epsilon=1e-3)", "nn.LayerNorm()", "nn.LayerNorm(axis=1, epsilon=1e-3)", "nn.InstanceNorm()", "nn.GroupNorm(1)", "nn.HybridLambda('{act}')",
    "nn.HybridLambda(lambda F, x: x * 2 + 1)", "nn.HybridLambda(lambda F, x: F.exp(x * 0.1))",
)  # fmt: skip
_PICTURES = (
    "nn.Conv2D({u}, 3, padding=1)", "nn.Conv2D({u}, (1, 2), strides=(2, 1), use_bias=False)", "nn.Conv2D({u}, 1, activation='{act}')", "nn.Conv2D(2, 3, padding=1, groups=1, dilation=(2, 1))", "nn.MaxPool2D(2)", "nn.MaxPool2D(3, 2, 1, ceil_mode=True)", "nn.AvgPool2D(2, 1)",
    "nn.AvgPool2D(2, count_include_pad=False, padding=1)", "nn.GlobalAvgPool2D()", "nn.GlobalMaxPool2D()", "nn.ReflectionPad2D(1)", "nn.Conv2DTranspose({u}, 2, strides=2)", "nn.Conv2DTranspose(2, 3, padding=1, output_padding=1, strides=2)",
)  # fmt: skip


def _net(draw: Chance, layers: tuple[str, ...], count: int) -> list[str]:
    """Return lines that make a net of layers, each with a prefix or without."""
    added = []
    for _ in range(count):
        act = draw.one("relu", "tanh", "sigmoid", "softsign")
        added.append(f"    net.add({draw.choice(layers).format(u=draw.one(1, 2, 3), act=act)})")
    prefix = draw.one("", repr("net_"), "prefix=" + repr("a_"))
    return [
        "nn = gluon.nn",
        f"net = nn.HybridSequential({prefix})",
        "with net.name_scope():\n" + "\n".join(added),
    ]


@family(has_np=False)
def _exported(draw: Chance, is_np: bool) -> Found:
    """Return a net that is exported, read as a SymbolBlock, and trained there."""
    is_picture = draw.happens(0.4)
    shape = (
        (draw.one(1, 2), draw.one(1, 2), 5, draw.one(4, 6))
        if is_picture
        else (draw.one(2, 3), draw.one(2, 4))
    )
    lines = _net(draw, _LAYERS + _PICTURES * 2 if is_picture else _LAYERS, draw.randint(1, 4))
    init = draw.one(
        "",
        "mx.init.Xavier()",
        "mx.init.Normal(0.4)",
        "mx.init.Uniform(0.5)",
        "'ones'",
        "mx.init.MSRAPrelu()",
        "mx.init.Constant(0.3)",
    )
    lines += [
        "import json, tempfile, os, warnings",
        f"net.initialize({init})", "net.hybridize()", "y = net(x0); found.append(y)",
        "folder = tempfile.mkdtemp(); path = os.path.join(folder, 'net')",
        f"net.export(path{draw.one('', ', epoch=7')})",
        "found.append(sorted(name for name in os.listdir(folder)))",
        "nodes = json.load(open(path + '-symbol.json'))['nodes']",
        "found.append([[n['op'], n['name'], sorted((k, v) for k, v in n.get('attrs', {}).items() if k[:2] != '__')] for n in nodes])",
        "file = sorted(name for name in os.listdir(folder) if name.endswith('params'))[0]",
        "found.append(sorted((k, v.shape, v.asnumpy().sum().round(3).item()) for k, v in nd.load(os.path.join(folder, file)).items()))",
        "other = gluon.SymbolBlock.imports(path + '-symbol.json', ['data'], os.path.join(folder, file))",
        "found += [other(x0), sorted(other.collect_params())]",
        "x0.attach_grad()",
        "mx.random.seed(3)",
        "with autograd.record():\n    z = other(x0)\nz.backward()",
        "found += [z, x0.grad]",
        "found += [p.grad() for _, p in sorted(other.collect_params().items()) if p.grad_req != 'null']",
    ]  # fmt: skip
    return lines, [draw.array(shape, "float32", ("normal",))]


@family(has_np=True)
def _trainers(draw: Chance, is_np: bool) -> Found:
    """Return a Trainer's steps, with schedules, several precisions, and files of states."""
    name = draw.one(
        "sgd",
        "adam",
        "nag",
        "rmsprop",
        "adagrad",
        "adadelta",
        "ftrl",
        "adamax",
        "nadam",
        "signum",
        "ftml",
        "lamb",
        "lars",
        "dcasgd",
    )
    options = [draw.one("'learning_rate': 0.1", "'learning_rate': 0.02", "'wd': 0.01")]
    if name in ("sgd", "nag", "signum", "lars") and draw.happens(0.6):
        options.append("'momentum': 0.9")
    scheduled = draw.one("", "", "mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.2)", "mx.lr_scheduler.MultiFactorScheduler([1, 3], 0.3, base_lr=0.2)", "mx.lr_scheduler.CosineScheduler(5, base_lr=0.2, final_lr=0.01, warmup_steps=2)",
                         "mx.lr_scheduler.PolyScheduler(4, base_lr=0.1, pwr=1, warmup_steps=1, warmup_begin_lr=0.01, warmup_mode='constant')")  # fmt: skip
    if scheduled:
        options = [option for option in options if "learning_rate" not in option] + [
            f"'lr_scheduler': {scheduled}"
        ]
    half = draw.happens(0.15) and name in ("sgd", "nag", "adam")
    if half:
        options.append("'multi_precision': True")
    if draw.happens(0.2):
        options.append("'clip_gradient': 0.2")
    lines = [
        "mx.random.seed(2)",
        "net = gluon.nn.HybridSequential(prefix='n_')",
        f"net.add(gluon.nn.Dense(3, activation='{draw.one('relu', 'tanh')}', in_units=2, prefix='a_'), gluon.nn.Dense(2, in_units=3, prefix='b_'{draw.one('', ', use_bias=False')}))",
        f"net.initialize({draw.one('mx.init.Normal(0.5)', 'mx.init.Xavier()', 'mx.init.Uniform(1.0)')})",
    ]  # fmt: skip
    if half:
        lines += ["net.cast('float16')"]
    if draw.happens(0.4):
        lines.append("net.hybridize()")
    if draw.happens(0.3):
        lines.append(
            draw.one(
                "net[0].weight.lr_mult = 0.5",
                "net[1].weight.wd_mult = 0.0",
                "net[0].bias.grad_req = 'null'",
                "net.collect_params('.*weight').setattr('lr_mult', 2.0)",
                "net[0].weight.grad_req = 'add'",
            )
        )
    loss = draw.one(
        "gluon.loss.L2Loss()",
        "gluon.loss.L1Loss()",
        "gluon.loss.SoftmaxCrossEntropyLoss()",
        "gluon.loss.HuberLoss()",
        "gluon.loss.HingeLoss()",
    )
    label = "x1[:, 0]" if "Softmax" in loss else "x1"
    lines += [
        f"t = gluon.Trainer(net.collect_params(), '{name}', {{{', '.join(options)}}}{draw.one('', ', update_on_kvstore=False', ', kvstore=None')})",
        f"loss = {loss}",
    ]
    data = "x0.astype('float16')" if half else "x0"
    for _ in range(draw.randint(1, 4)):
        lines.append(f"with autograd.record():\n    l = loss(net({data}), {label})\nl.backward()")
        if draw.happens(0.15):
            lines.append(
                "t.allreduce_grads(); found.append(gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values() if p.grad_req != 'null'], 0.5)); t.update(2)"
                if not half
                else "t.step(2)"
            )
        else:
            lines.append(f"t.step({draw.one('2', '2', '1', '4', 'x0.shape[0]')})")
        lines.append("found.append(l)")
        if draw.happens(0.25) and not scheduled:
            lines.append("t.set_learning_rate(t.learning_rate * 0.5)")
        if draw.happens(0.15):
            lines.append(
                "import tempfile, os; path = os.path.join(tempfile.mkdtemp(), 's'); t.save_states(path); t.load_states(path)"
            )
        if draw.happens(0.1):
            lines.append("net.collect_params().zero_grad()")
    lines += [
        "found += [p.data() for p in net.collect_params().values()]",
        "found.append(t.learning_rate)",
    ]
    count = draw.one(1, 2, 3)
    return lines, [
        draw.array((count, 2), "float32", ("normal",)),
        draw.array((count, 2), "float32", ("ints", 0, 1)),
    ]


_METRICS = (
    "mx.metric.Accuracy()", "mx.metric.TopKAccuracy(2)", "mx.metric.F1()", "mx.metric.F1(average='micro')", "mx.metric.MCC()", "mx.metric.MAE()", "mx.metric.MSE()", "mx.metric.RMSE()", "mx.metric.CrossEntropy()", "mx.metric.NegativeLogLikelihood()",
    "mx.metric.Perplexity(ignore_label=None)", "mx.metric.Perplexity(ignore_label=0)", "mx.metric.Loss()", "mx.metric.PearsonCorrelation()", "mx.metric.PCC()", "mx.metric.np(lambda l, p: float((l.sum() - p.sum())))", "mx.metric.create(['acc', 'ce'])",
    "mx.metric.create(lambda l, p: (float(p.sum()), 2))", "mx.metric.CustomMetric(lambda l, p: 1.5, name='one')", "mx.metric.Accuracy(axis=-1, name='mine')", "mx.metric.Accuracy(output_names=['o_output'], label_names=['l'])", "mx.metric.MSE(output_names=['o_output'])",
)  # fmt: skip


@family(has_np=False)
def _measures(draw: Chance, is_np: bool) -> Found:
    """Return metrics that see several batches, outputs and resets."""
    count, classes = draw.one(1, 3, 4), draw.one(2, 3)
    label = draw.array((count,), draw.one("float32", "int32"), ("ints", 0, classes - 1))
    scores = draw.array((count, classes), "float32", ("uniform", 0.05, 1.0))
    plain = draw.array((count, draw.one(1, classes)), "float32", ("normal",))
    lines = [f"m = {draw.choice(_METRICS)}"]
    if draw.happens(0.3):
        lines = [
            "m = mx.metric.CompositeEvalMetric()",
            *(f"m.add({draw.choice(_METRICS[:10])})" for _ in range(2)),
        ]
    calls = ("m.update([x0], [x1])", "m.update([x0], [x1])", "m.update(x0, x1)", "m.update([x0, x0], [x1, x1])", "m.update_dict({'l': x0}, {'o_output': x1, 'p_output': x1 * 2})", "m.reset_local()", "m.reset()", "found.append(m.get())",
             "found.append(m.get_global())", "found.append(m.get_name_value())", "found.append(m.get_global_name_value())", "m.update([x2], [x2 * 0.5])", "m.update([x0], [x1[0:1]])" if count == 1 else "m.update([x0[0:1]], [x1[0:1]])", "found.append(type(m).__name__)",
             "m.update(0, [x1])", "m.update(None, [x1])" if "Loss" in lines[0] else "m.update([x0], [x1 * 0.5])")  # fmt: skip
    lines += [draw.choice(calls) for _ in range(draw.randint(2, 6))]
    lines += ["found += [m.get(), m.get_global(), m.name if isinstance(m.name, str) else 0]"]
    if draw.happens(0.3):
        lines.append("found.append(sorted((k, str(v)) for k, v in m.get_config().items()))")
    return lines, [label, scores, plain]


_INITS = (
    "mx.init.Xavier()", "mx.init.Xavier('gaussian', 'in', 2)", "mx.init.Normal(0.3)", "mx.init.Uniform(0.2)", "mx.init.One()", "mx.init.Zero()", "mx.init.Constant(1.5)", "mx.init.MSRAPrelu('out', 0.1)", "mx.init.LSTMBias(2.0)", "'ones'", "'zeros'", "'xavier'", "'normal'",
    "mx.init.Bilinear()", "mx.init.Uniform()",
)  # fmt: skip


@family(has_np=True)
def _starts(draw: Chance, is_np: bool) -> Found:
    """Return what initializers make of parameters, by names, attributes and patterns."""
    init = draw.choice(_INITS)
    if draw.happens(0.35):
        pairs = ", ".join(draw.choice(_INITS[:8]) for _ in range(2))
        init = f"mx.init.Mixed([{draw.one(repr('.*bias'), repr('.*weight'), repr('b_.*'))}, '.*'], [{pairs}])"
    lines = [
        f"mx.random.seed({draw.randrange(99)})",
        "net = gluon.nn.HybridSequential(prefix='n_')",
    ]
    with_own = draw.one(
        "",
        "",
        f", weight_initializer={draw.choice(_INITS)}",
        f", bias_initializer={draw.choice(_INITS[:9])}",
    )
    lines += [draw.one(f"net.add(gluon.nn.Dense(3, in_units=2, prefix='a_'{with_own}))", f"net.add(gluon.nn.Conv2D(2, 3, in_channels=2, prefix='c_'{with_own}))", "net.add(gluon.rnn.LSTM(2, input_size=2, prefix='l_'))", "net.add(gluon.nn.Embedding(4, 2, prefix='e_'))",
                       "net.add(gluon.nn.BatchNorm(in_channels=2, prefix='b_'))", "net.add(gluon.rnn.GRUCell(2, input_size=3, prefix='g_'))", "net.add(gluon.nn.PReLU(prefix='p_'))", "net.add(gluon.rnn.LSTMCell(2, input_size=2, i2h_bias_initializer=mx.init.LSTMBias(), prefix='h_'))",
                       "net.add(gluon.nn.Dense(2, in_units=4, weight_initializer=None, prefix='d_'))")
              for _ in range(draw.one(1, 2))]  # fmt: skip
    lines += [
        f"net.initialize({init}{draw.one('', ', force_reinit=True')})",
        "found += [[k, p.data()] for k, p in net.collect_params().items()]",
    ]
    if draw.happens(0.3):
        lines += [
            f"net.collect_params({draw.one(repr('.*weight'), repr('.*bias|.*gamma'), '')}).initialize({draw.choice(_INITS)}, force_reinit=True)",
            "found += [[k, p.data()] for k, p in net.collect_params().items()]",
        ]
    if draw.happens(0.3):
        name = draw.one(
            "fc_weight",
            "fc_bias",
            "bn_gamma",
            "bn_beta",
            "bn_moving_mean",
            "bn_running_var",
            "w",
            "upsampling_w",
            "x_parameters",
            "lstm_parameters",
            "a_min",
            "a_max",
            "my_weight_v2",
        )
        attrs = draw.one(
            "", ", {'__init__': mx.init.Constant(2.0).dumps()}", ", {'__init__': 'ones'}"
        )
        shape = draw.one("(2, 3)", "(3,)", "(1, 1, 4, 4)")
        lines += [
            f"a = nd.zeros({shape})",
            f"i = {draw.choice([each for each in _INITS if each[0] != chr(39)])}",
            f"i(mx.init.InitDesc('{name}'{attrs}), a)",
            "found += [a, i.dumps()]",
        ]
    return lines, []


@family(has_np=True)
def _mixed_draws(draw: Chance, is_np: bool) -> Found:
    """Return draws of nd, np, npx, NumPy, initializers, shuffles and Dropout, one after the other."""
    lines = [f"mx.random.seed({draw.randrange(10000)}); onp.random.seed(3)"]
    others = (
        "nd.random.uniform(shape=({n},))", "net(y)", "mx.init.Normal(0.2)(mx.init.InitDesc('a_weight'), w); found.append(w.copy())", "nd.random.shuffle(nd.arange({n}))", "nd.sample_gamma(nd.array([1.5, 2]), nd.array([1, 0.5]), shape={n})", "nd.random.randint(0, 9, shape=({n}, 2))",
        "list(gluon.data.RandomSampler({n}))", "nd.Dropout(nd.ones(({n}, 9)), p=0.3, mode='always')", "nd.random.poisson(2.5, shape={n})", "onp.random.rand()", "mx.random.seed(5)", "nd.random.multinomial(nd.array([[0.2, 0.8], [0.5, 0.5]]), shape={n}, get_prob=True)",
        "nd.random.normal(shape=({n}, 3), dtype='float64')", "mx.random.seed(7, ctx=mx.cpu())", "nd.random.negative_binomial(nd.array([2, 3]), nd.array([0.3, 0.6]), shape={n})", "nd.random.exponential(1.5, shape=({n},), dtype='float16')",
    )  # fmt: skip
    several: tuple[str, ...] = (
        others[:8] + _ND_DRAWS if not is_np else others[:1] + _NP_DRAWS + _NP_DRAWS + _ND_DRAWS[:4]
    )
    several = (*several, *others[8:])
    lines += [
        "net = gluon.nn.Dropout(0.5); net.initialize()",
        "w = nd.zeros((2, 2))",
        f"y = {'np' if is_np else 'nd'}.ones((2, 4))",
    ]
    for _ in range(draw.randint(2, 6)):
        text = draw.choice(several).format(n=draw.one(1, 2, 3, 7, 40))
        lines.append(
            text
            if text.startswith(("mx.init", "mx.random.seed"))
            else f"with autograd.record():\n    found.append({text})"
            if text == "net(y)"
            else f"found.append({text})"
        )
    return lines, []


@family(has_np=False)
def _thin(draw: Chance, is_np: bool) -> Found:
    """Return a few operations on sparse arrays."""
    rows, columns = draw.one(2, 3, 4), draw.one(2, 3)
    one = draw.array((rows, columns), draw.one("float32", "float32", "float64"), ("ints", 0, 2))
    two = draw.array((rows, columns), "float32", ("ints", -1, 1))
    stype = draw.one("csr", "row_sparse")
    lines = [
        f"s = x0.tostype('{stype}')",
        f"t = x1.tostype('{draw.one(stype, stype, 'row_sparse', 'csr')}')",
    ]
    calls = (
        "s + t", "s * 2", "s - t", "s * t", "s + 1", "s / 2", "-s", "abs(s)", "nd.sparse.add(s, t)", "nd.sparse.elemwise_add(s, t)", "nd.sparse.elemwise_mul(s, t)", "nd.elemwise_sub(s, t)", "nd.dot(s, x1.T)", "nd.dot(s, x1, transpose_a=True)", "nd.sparse.dot(s, x1.T)", "s.sum()",
        "nd.sum(s, axis=1)", "nd.sum(s, axis=0)", "nd.sparse.mean(s, axis=0)", "s[0]", "s[0:1]", "s[1:]", "s[-1]", "s.asscipy().sum()", "s.tostype('default')", "s.astype('float64')", "s.copy()", "nd.sparse.retain(s, nd.array([0, 1]))", "nd.square(s)", "nd.sqrt(s)", "nd.sparse.abs(t)",
        "nd.sign(s)", "nd.sparse.clip(s, 0.5, 1.5)", "nd.cast_storage(s, stype='default')", "nd.cast_storage(s.tostype('default'), stype='csr')", "nd.zeros_like(s)", "nd.ones_like(s)", "nd.norm(s)", "s.norm()", "s == t", "s > 0", "s.data", "s.indices", "s.indptr", "s.shape", "s.stype", "str(s)", "s.asnumpy()",
        "nd.concat(s, t, dim=0)", "nd.relu(s)", "nd.exp(s)", "nd.sparse.where(s, x1, x1 * 2)", "nd.broadcast_mul(s, x1[0:1])", "nd.broadcast_div(s, x1[0:1] + 3)", "nd.broadcast_add(s, x1[0:1])", "s.dtype", "len(s)", "nd.sparse.zeros('csr', (2, 3))", "nd.sparse.array(s)", "nd.sparse.array(s.asscipy())",
        "nd.sparse.csr_matrix(x0.asnumpy())", "nd.sparse.row_sparse_array(x0)", "nd.sparse.add_n(s, t)", "nd.elemwise_add(s, x1)", "x1 - s", "s * x1", "x1 * s", "s / (x1 + 3)", "nd.batch_dot(x0.expand_dims(0), x0.expand_dims(0), transpose_b=True)", "nd.sparse.negative(s)", "nd.round(s)", "s.wait_to_read()", "nd.stack(s, t)",
        "s.reshape((-1,))", "s.as_in_context(mx.cpu())", "s.tostype('row_sparse').stype", "nd.transpose(s)", "s.check_format()", "nd.take(s, nd.array([0, 1]))", "nd.max(s)", "nd.slice(s, begin=(0,), end=(1,))", "nd.slice_axis(s, axis=0, begin=0, end=1)", "nd.maximum(s, t)", "s ** 2",
    )  # fmt: skip
    for _ in range(draw.randint(1, 3)):
        text = draw.choice(calls)
        lines.append(f"r = {text}; found.append([getattr(r, 'stype', ''), r])")
    if draw.happens(0.25):
        lines.append(
            draw.one(
                "s[:] = x1; found.append(s)",
                "x1[:] = s; found.append(x1)",
                "s[:] = t; found.append(s)",
                "s += t; found.append(s)",
                "s *= 2; found.append(s)",
                "s.copyto(x1); found.append(x1)",
                "x1.copyto(s); found.append(s)",
                "x1 += s; found.append(x1)",
                "s[:] = 3; found.append(s)",
            )
        )
    return lines, [one, two]


@family(has_np=True)
def _files(draw: Chance, is_np: bool) -> Found:
    """Return what is saved and read again: arrays, symbols, parameters."""
    array = draw.array(draw.shape(1, 3), draw.any_dtype())
    space = "npx" if is_np else "nd"
    lines = ["import tempfile, os", "path = os.path.join(tempfile.mkdtemp(), 'f')"]
    what = draw.one(
        "x0",
        "[x0]",
        "[x0, x0 * 2]",
        "{'a': x0}",
        "{'b': x0, 'a': x0 + 1}",
        "{'arg:w': x0, 'aux:m': x0}",
        "[]",
        "(x0,)",
        "{'': x0}",
        "[x0.astype('float16'), x0.astype('int32')]",
        "x0[0:1]",
        "{'x': x0.T}",
        "[x0.reshape((-1,))]",
        "{'uni\u00e9': x0}",
    )
    if not is_np and draw.happens(0.25):
        what = draw.one("[x0.reshape((1, -1)).tostype('csr')]", "{'a': x0.tostype('row_sparse')}")
    if draw.happens(0.6):
        lines += [
            f"{space}.save(path, {what})",
            f"r = {space}.load(path)",
            "found += [type(r).__name__, r if not isinstance(r, dict) else sorted(r.items(), key=lambda p: p[0])]",
        ]
        if draw.happens(0.5) and not is_np:
            lines += [
                "found.append(open(path, 'rb').read().hex())",
                "found.append(nd.load_frombuffer(open(path, 'rb').read()) if isinstance(r, list) else 0)",
            ]
        return lines, [array]
    shape = (2, 3)
    lines += _net(draw, _LAYERS[:4] + _LAYERS[12:16], draw.randint(1, 3))
    lines += [f"net.initialize({draw.one('', 'mx.init.Normal(0.3)')})", "x = x0; net(x)", f"net.save_parameters(path{draw.one('', ', deduplicate=True')})", f"found.append(sorted((k, v.shape) for k, v in {space}.load(path).items()))",
              "net.initialize('zeros', force_reinit=True)", f"net.load_parameters(path{draw.one('', ', ctx=mx.cpu()', ', cast_dtype=True', ', allow_missing=True, ignore_extra=True')})", "found.append(net(x))",
              draw.one("net.collect_params().save(path + '2'); found.append(sorted(nd.load(path + '2')))" if not is_np else "pass", "net.collect_params().save(path + '2', strip_prefix=net.prefix); net.collect_params().load(path + '2', restore_prefix=net.prefix); found.append(net(x))", "found.append(repr(net))", "found.append(str(net.collect_params()))")]  # fmt: skip
    return lines, [draw.array(shape, "float32", ("normal",))]


@family(has_np=False)
def _asked(draw: Chance, is_np: bool) -> Found:
    """Return what a symbol tells of itself: names, attributes, parts, shapes, files."""
    lines = ["import json", f"a = sym.var('a'{draw.one('', ', shape=(2, 3)', ', lr_mult=2.0', ', wd_mult=0.5, init=mx.init.One()', ', dtype=' + repr('float64'), ', attr={' + repr('mood') + ': ' + repr('x') + '}', ', __k__=' + repr('v'), ', stype=' + repr('default'))})", "b = sym.var('b')"]  # fmt: skip
    if draw.happens(0.3):
        lines += ["mx.AttrScope(ctx_group='dev1', __mine__='1').__enter__()"]
    if draw.happens(0.2):
        lines += ["mx.name.Prefix('p_').__enter__()"]
    steps = ("sym.FullyConnected(s, num_hidden=2)", "sym.FullyConnected(s, b, num_hidden=3, no_bias=True, name='fc')", "s + b", "s * 2 + 1", "sym.Activation(s, act_type='relu', attr={'__color__': 'red'})", "sym.BatchNorm(s, name='bn')", "sym.concat(s, s, dim=1)", "sym.Group([s, s + 1])[0]", "sym.exp(s)", "s.reshape((-1,))",
             "sym.Convolution(s.reshape((1, 1, 2, -1)), kernel=(1, 1), num_filter=2, name='conv')", "sym.SoftmaxOutput(s, name='sm')", "sym.LayerNorm(s)", "sym.Dropout(s, p=0.1)", "sym.Embedding(s, input_dim=4, output_dim=2)", "sym.RNN(s.expand_dims(0), state_size=2, num_layers=1, mode='rnn_tanh')", "sym.slice_axis(s, axis=0, begin=0, end=1)",
             "sym.split(s, num_outputs=1, axis=1)", "sym.sum(s)", "sym.transpose(s)", "sym.maximum(s, b)", "sym.maximum(s, 2)", "2 ** s", "s > b", "s[0]", "sym.Flatten(s)", "sym.BlockGrad(s)", "sym.mean(s, axis=0)", "sym.identity(s)", "s.sum(axis=0).expand_dims(axis=1)")  # fmt: skip
    lines += ["s = a", *(f"s = {draw.choice(steps)}" for _ in range(draw.randint(1, 4)))]
    asked = ("s.list_arguments()", "s.list_outputs()", "s.list_auxiliary_states()", "s.list_inputs()", "s.name", "s.attr('mood')", "sorted((k, sorted(v.items())) for k, v in s.attr_dict().items())", "s.get_internals().list_outputs()", "[c.name for c in (s.get_children() or [])]", "sorted((s.list_attr() or {}).items())",
             "s.infer_shape(a=(2, 3))", "s.infer_shape_partial(a=(2, 3))", "s.infer_shape_partial(b=(2, 3))", "s.infer_shape(a=(2, 3), b=(2, 3))", "[[str(onp.dtype(t)) if t is not None else None for t in g or []] for g in s.infer_type(a='float32')]", "len(s)", "str(s)", "repr(s)", "s.debug_str()", "[o.name for o in s]",
             "[[n['op'], n['name'], sorted(n.get('attrs', {}).items()), n['inputs']] for n in json.loads(s.tojson())['nodes']]", "json.loads(s.tojson())['heads']", "json.loads(s.tojson())['arg_nodes']", "mx.sym.load_json(s.tojson()).list_outputs()", "s(a=sym.var('z')).list_arguments()", "s.get_internals()[0].name", "s.num_outputs",
             "s.eval(a=x0, b=x0)", "s.simple_bind(mx.cpu(), a=(2, 3), b=(2, 3)).arg_dict.keys().__len__()", "mx.viz.print_summary(s, shape={'a': (2, 3), 'b': (2, 3)})", "[i for i in s.get_internals().list_outputs() if i.endswith('_output')]", "s.__copy__().list_outputs() if hasattr(s, '__copy__') else 0")  # fmt: skip
    lines += [f"found.append({draw.choice(asked)})" for _ in range(draw.randint(1, 4))]
    return lines, [draw.array((2, 3), "float32", ("normal",))]


@family(has_np=True)
def _loaded(draw: Chance, is_np: bool) -> Found:
    """Return data sets, samplers, batches and transforms."""
    count = draw.one(1, 3, 5)
    array = draw.array((count, 2), draw.one("float32", "float32", "int32"), ("ints", 0, 9))
    label = draw.array((count,), draw.one("float32", "int32"), ("ints", 0, 3))
    space = "np" if is_np else "nd"
    data = draw.one(
        "gluon.data.ArrayDataset(x0, x1)",
        "gluon.data.ArrayDataset(x0)",
        "gluon.data.ArrayDataset(x0, x1.asnumpy())",
        "gluon.data.SimpleDataset([i * 2 for i in range(5)])",
        f"gluon.data.SimpleDataset([({space}.ones(2) * i, i) for i in range(4)])",
        "gluon.data.ArrayDataset(list(range(4)), [0.5, 1.5, 2, 3])",
    )
    lines = ["mx.random.seed(1); onp.random.seed(1)", f"d = {data}"]
    changes = (
        "d.transform(lambda *a: a[0])", "d.transform_first(lambda a: a * 2)", "d.take(2)", "d.shard(2, 0)", "d.filter(lambda a: True)", "d.transform(lambda *a: a, lazy=False)",
        "d.sample(gluon.data.SequentialSampler(len(d)))", "d.take(None)",
    )  # fmt: skip
    lines += [f"d = {draw.choice(changes)}" for _ in range(draw.one(0, 1, 1, 2))]
    if draw.happens(0.3):
        lines.append("found.append([len(d), d[0], d[len(d) - 1]])")
    sampler = draw.one(
        "",
        "",
        f"shuffle={draw.one(True, False)}, ",
        "sampler=gluon.data.SequentialSampler(len(d)), ",
        "sampler=gluon.data.FilterSampler(lambda a: True, d), ",
    )
    last = draw.one("", "last_batch='discard', ", "last_batch='rollover', ", "last_batch='keep', ")
    batchify = draw.one(
        "",
        "",
        "batchify_fn=gluon.data.batchify.Stack(), ",
        "batchify_fn=lambda items: len(items), ",
    )
    lines += [
        f"l = gluon.data.DataLoader(d, batch_size={draw.one(1, 2, 3)}, {sampler}{last}{batchify})",
        "found += [len(l), list(l), list(l)]",
    ]
    return lines, [array, label]
