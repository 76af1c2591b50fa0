"""Draws lines of programs that use layers, parameters, data and stores as few programs do."""

# ruff: noqa: E501 - lines of programs are written as they are
from __future__ import annotations

from fuzz.differential.chance import Chance, Value
from fuzz.differential.texts import family

Found = tuple[list[str], list[Value]]

_PLAIN = ("nn.Dense(2)", "nn.Dense(2, flatten=False)", "nn.Dense(3, activation='relu', use_bias=False)", "nn.Dense(1, in_units=3)", "nn.Dense(2, weight_initializer='ones', bias_initializer=mx.init.Constant(0.5))", "nn.Flatten()", "nn.Dropout(0)", "nn.Dropout(0.5, axes=(0,))", "nn.Embedding(5, 2)",
          "nn.LayerNorm()", "nn.LayerNorm(axis=0, scale=False)", "nn.LayerNorm(in_channels=3, epsilon=0.1)", "nn.BatchNorm()", "nn.BatchNorm(axis=0)", "nn.BatchNorm(scale=False, momentum=0)", "nn.BatchNorm(use_global_stats=True, gamma_initializer='zeros')", "nn.InstanceNorm(axis=1)", "nn.GroupNorm(num_groups=1)",
          "nn.Activation('softsign')", "nn.LeakyReLU(0)", "nn.PReLU(alpha_initializer=mx.init.Constant(0.1))", "nn.PReLU(in_channels=3)", "nn.ELU()", "nn.SELU()", "nn.GELU()", "nn.Swish(0.5)", "nn.Lambda('tanh')", "nn.HybridLambda('relu')", "nn.HybridLambda(lambda F, x: F.reshape(x, (0, -1)))", "gluon.contrib.nn.Identity()",
          "rnn.RNN(2)", "rnn.LSTM(2, bidirectional=True)", "rnn.GRU(2, layout='NTC')", "rnn.LSTM(3, num_layers=2, dropout=0.0)", "rnn.RNN(2, activation='tanh', i2h_weight_initializer='ones')")  # fmt: skip
_WIDE = ("nn.Conv1D(2, 2)", "nn.Conv1D(2, 1, groups=1, use_bias=False)", "nn.Conv1D(2, (2,), strides=2, padding=1, dilation=2)", "nn.MaxPool1D()", "nn.AvgPool1D(2, 1, 1, count_include_pad=False)", "nn.GlobalMaxPool1D()", "nn.GlobalAvgPool1D()", "nn.Conv1DTranspose(2, 2, strides=2, output_padding=1)",
         "nn.InstanceNorm()", "nn.BatchNorm(axis=2)", "nn.GroupNorm(num_groups=3)", "nn.LayerNorm(axis=1)", "nn.MaxPool1D(3, 2, ceil_mode=True)", "nn.Dense(2, flatten=True)", "nn.PReLU()", "nn.Conv1D(4, 1, activation='sigmoid', weight_initializer=mx.init.Xavier())")  # fmt: skip


@family(has_np=True)
def _odd_layers(draw: Chance, is_np: bool) -> Found:
    """Return layers alone, in containers, cast, copied, shared, and asked what they are."""
    rank = draw.one(1, 2, 2, 3, 3, 4)
    shape = tuple([draw.one(1, 2), 3, 4, 2][:rank])
    layers = _PLAIN + (_WIDE if rank == 3 else ())
    many = draw.randint(1, 3)
    added = ", ".join(draw.choice(layers) for _ in range(many))
    kind = draw.one(
        "nn.HybridSequential",
        "nn.Sequential",
        "nn.HybridSequential",
        "gluon.contrib.nn.HybridConcurrent",
    )
    lines = ["nn, rnn = gluon.nn, gluon.rnn", "mx.random.seed(3)"]
    if kind.endswith("Concurrent"):
        lines.append(f"net = {kind}(axis=-1, prefix='n_')")
    else:
        lines.append(f"net = {kind}(prefix='n_')")
    lines += [
        f"net.add({added})",
        f"net.initialize({draw.one('', 'mx.init.Xavier()', repr('ones'), 'mx.init.Normal(0.4)')})",
    ]
    if draw.happens(0.4):
        lines.append(
            f"net.hybridize({draw.one('', 'static_alloc=True', 'False', 'True, static_alloc=True, static_shape=True')})"
        )
    lines += ["x0.attach_grad()", f"with autograd.record({draw.one('', 'train_mode=False')}):\n    y = net(x0)\ny.backward()",
              "found += [y, x0.grad]", "found += [p.grad() for p in net.collect_params().values() if p.grad_req != 'null']"]  # fmt: skip
    more = ("found.append(repr(net))", "found.append([n.replace(net.prefix, '') for n in net.collect_params()])", "found.append(net.collect_params().keys() == net.collect_params('.*').keys())", "net.cast('float64'); found.append(net(x0.astype('float64')))", "found.append(len(net))", "found.append(type(net[0]).__name__)",
            "found.append([p.shape for p in net.collect_params().values()])", "found.append(net(x0))", "net.apply(lambda b: found.append(type(b).__name__))", "found.append(sorted(net._children))", "net.collect_params().setattr('grad_req', 'null'); found.append(net(x0))", "net.collect_params().zero_grad(); found += [p.grad() for p in net.collect_params().values() if p.grad_req != 'null']",
            "net.initialize('zeros', force_reinit=True); found.append(net(x0))", "h = net.register_forward_hook(lambda b, i, o: found.append(o)); net(x0); h.detach(); net(x0)", "h = net.register_forward_pre_hook(lambda b, i: found.append(len(i))); net(x0)", "found.append([p.data().sum() for p in net.collect_params('.*weight|.*gamma').values()])",
            "found.append(sorted(net.collect_params('.*bias').keys()))", "found.append([(p.name, p.lr_mult, p.wd_mult, p.grad_req, str(p.dtype)) for p in net.collect_params().values()])", "found.append(str(net.collect_params()))", "net.hybridize(); net(x0); found.append(net(x0[0:1]))", "found.append([str(c) for c in net.collect_params().values()])")  # fmt: skip
    lines += [draw.choice(more) for _ in range(draw.randint(0, 2))]
    values = ("ints", 0, 4) if "Embedding" in added else ("normal",)
    return lines, [draw.array(shape, "float32", values)]


@family(has_np=False)
def _parameters(draw: Chance, is_np: bool) -> Found:
    """Return what a Parameter, a dictionary of them and a constant tell, and what they refuse."""
    shape = draw.one("(2, 3)", "(2, 0)", "(2,)", "(0, 3)", "None", "4")
    lines = [
        f"p = gluon.Parameter('w'{draw.one('', ', shape=' + shape, ', shape=' + shape)}{draw.one('', ', dtype=' + repr('float16'), ', lr_mult=2', ', grad_req=' + repr('null'), ', init=' + repr('ones'), ', allow_deferred_init=True', ', differentiable=False', ', wd_mult=0.5, grad_req=' + repr('add'))})"
    ]
    calls: tuple[str, ...] = ("p.initialize()", "p.initialize()", "p.initialize('ones')", "p.initialize(mx.init.Constant(3), ctx=mx.cpu())", "p.initialize(default_init=mx.init.One())", "p.initialize(force_reinit=True, init='zeros')", "found.append(p.data())", "found.append(p.grad())", "found += p.list_data()", "found += p.list_grad()", "found.append(str(p.list_ctx()))",
             "p.shape = (2, 3); p.initialize(); p.set_data(x0)", "p.shape = (2, 3)", "p.grad_req = 'add'", "p.grad_req = 'null'", "p.zero_grad()", "p.cast('float64')", "p.reset_ctx(mx.cpu())", "found.append(p.var().name)", "found.append(p.shape)", "found.append(repr(p))", "found.append(str(p.dtype))", "p.lr_mult = 0.3; found.append(p.lr_mult)", "found.append(p.stype)", "found.append(sorted(p.var().list_attr().items()))",
             "p.data()[:] = 2", "with autograd.record():\n    y = (p.data() * 2).sum()\ny.backward()", "p.shape = (2, 4)", "p.data().attach_grad()", "found.append(p.grad_req)", "p.dtype = 'float64'")  # fmt: skip
    if draw.happens(0.45):
        lines = [
            f"d = gluon.ParameterDict({draw.one('', repr('d_'), 'prefix=' + repr('q'))})",
            "p = d.get('w', shape=(2, 3))",
        ]
        calls += ("d.get('w', shape=(2, 3))", "d.get('w', shape=(2, 0))", "d.get('w', shape=(3, 3))", "d.get('b', shape=(2,), init='ones')", "d.get('c', allow_deferred_init=True, shape=(0, 2))", "d.get_constant('k', [[1, 2]])", "found.append(d.get_constant('k', x0).value)", "d.initialize()", "d.initialize(mx.init.Normal(0.1), force_reinit=True)", "d.zero_grad()", "d.setattr('lr_mult', 2)",
                  "found.append(list(d.keys()))", "found.append(repr(d))", "found.append(d.prefix)", "e = gluon.ParameterDict('e_'); e.get('z', shape=(1,)); d.update(e)", "found.append([p.name for p in d.values()])", "found.append(len(d.items()))", "found.append('d_w' in d)", "d.reset_ctx(mx.cpu())", "e = gluon.ParameterDict('d_', shared=d); found.append(e.get('w') is p)", "found.append(d.get('w', dtype='float64').dtype)",
                  "import tempfile, os; f = os.path.join(tempfile.mkdtemp(), 'p'); d.save(f); found.append(sorted(nd.load(f))); d.load(f)", "found.append(str(d.list_ctx()))")  # fmt: skip
    elif draw.happens(0.15):
        lines = ["p = gluon.Constant('k', [[1, 2], [3, 4]])"]
        calls = tuple(each for each in calls if "list_attr" not in each)  # its address
    for _ in range(draw.randint(2, 6)):
        text = draw.choice(calls)
        body = "\n    ".join(text.split("\n"))
        lines.append(f"try:\n    {body}\nexcept Exception as error:\n    found.append('refused')")
    return lines, [draw.array((2, 3), "float32", ("normal",))]


_LOSSES = ("L2Loss({o})", "L1Loss({o})", "HuberLoss({o})", "SigmoidBCELoss({o})", "SigmoidBCELoss(from_sigmoid=False{p})", "SoftmaxCELoss({o})", "SoftmaxCELoss(axis=1{p})", "SoftmaxCELoss(sparse_label=False{p})", "SoftmaxCELoss(from_logits=True{p})", "KLDivLoss({o})", "KLDivLoss(from_logits=False{p})", "KLDivLoss(from_logits=False, axis=1{p})",
           "HingeLoss({o})", "SquaredHingeLoss(margin=0.5{p})", "LogisticLoss({o})", "LogisticLoss(label_format='binary'{p})", "PoissonNLLLoss({o})", "PoissonNLLLoss(compute_full=True{p})", "TripletLoss({o})", "CosineEmbeddingLoss({o})", "CTCLoss({o})", "CTCLoss(layout='TNC', label_layout='TN'{p})")  # fmt: skip


@family(has_np=True)
def _odd_losses(draw: Chance, is_np: bool) -> Found:
    """Return losses of arrays of one to four axes, labels of other shapes, and weights that broadcast."""
    rank = draw.one(1, 2, 2, 3, 4)
    shape = tuple([draw.one(1, 2), 3, 2, 2][:rank])
    name = draw.choice(_LOSSES)
    option = draw.one(
        "", "", "weight=0.5", "batch_axis=1" if rank > 1 else "", "weight=2.0, batch_axis=0"
    )
    loss = name.format(o=option, p=f", {option}" if option else "")
    label = draw.one(
        shape, shape, shape, shape[:-1], (shape[0], 1), (*shape[:1], *shape[2:]), (shape[0],)
    )
    weight = draw.one(
        (),
        (),
        shape,
        (shape[0],) + (1,) * (rank - 1),
        (1,) * rank,
        (shape[0],),
        (*shape[:-1], 1) if rank > 1 else (1,),
    )
    values = (
        ("ints", 0, 1)
        if "CE" in name or "CTC" in name or "ogistic" in name
        else draw.one(("normal",), ("ints", -1, 1), ("uniform", 0.1, 1.0))
    )
    if "sparse_label=False" in name or "KL" in name:
        values = ("uniform", 0.1, 1.0)
    lines = [
        f"l = gluon.loss.{loss}",
        *draw.one([], [], ["l.hybridize()"]),
        "x0.attach_grad(); x1.attach_grad()",
    ]
    args = "x0, x1, x3" if name[:3] in ("Tri", "Cos") else "x0, x1"
    if name[:3] == "Cos":
        args = "x0, x3, x4"
    args += ", x2" if weight else ""
    lines += [
        f"with autograd.record():\n    y = l({args})",
        "y.backward()",
        "found += [y, x0.grad, x1.grad]",
    ]
    if draw.happens(0.2):
        lines.append("found.append(repr(l))")
    return lines, [
        draw.array(shape, draw.one("float32", "float32", "float64"), ("normal",)), draw.array(tuple(label), "float32", values),
        draw.array(tuple(weight), "float32", ("uniform", 0.0, 2.0)), draw.array(shape, "float32", ("normal",)), draw.array(shape[:1], "float32", ("literal", [draw.one(-1, 1) for _ in range(shape[0])])),
    ]  # fmt: skip


@family(has_np=True)
def _odd_metrics(draw: Chance, is_np: bool) -> Found:
    """Return metrics of labels and predictions of several shapes and dtypes, in several batches."""
    count, classes = draw.one(1, 2, 4), draw.one(2, 3)
    metric = draw.one(
        "Accuracy()",
        "Accuracy(axis=0)",
        "Accuracy(axis=2)",
        "TopKAccuracy(top_k=2)",
        "TopKAccuracy(top_k=3)",
        "F1()",
        "F1(average='micro')",
        "MCC()",
        "MCC(average='micro')",
        "MAE()",
        "MSE()",
        "RMSE()",
        "CrossEntropy()",
        "CrossEntropy(eps=1e-3)",
        "NegativeLogLikelihood()",
        "Perplexity(None)",
        "Perplexity(1, axis=-1)",
        "PearsonCorrelation()",
        "PearsonCorrelation(average='macro')",
        "PCC()",
        "Loss()",
        "CustomMetric(lambda l, p: (float(abs(l - p).sum()), l.size), allow_extra_outputs=True)",
        "CompositeEvalMetric(['acc', 'mse'])",
        "Torch()",
        "Caffe(name='c')",
    )
    lines = [f"m = mx.metric.{metric}"]
    label_shape = draw.one((count,), (count,), (count, 1), (count, classes), (count, 2))
    pred_shape = draw.one(
        (count, classes), (count, classes), (count,), (count, 1), (count, classes, 2), (count, 2)
    )
    if "TopK" in metric:  # whose order of a single row MXNet leaves to NumPy's partition
        pred_shape = (count, classes)
    lines += [
        draw.one(
            "m.update([x0], [x1])",
            "m.update([x0], [x1])",
            "m.update(x0, x1)",
            "m.update([x0, x0], [x1, x1])",
            "m.update([x0], [x1 * 0.5 + 0.2])",
            "m.update([x0.astype('int32')], [x1])",
            "m.update([x0], [x1.astype('float64')])",
            "m.update([x0], [x1.astype('float16')])",
            "m.reset()",
            "m.reset_local()",
            "found.append(m.get())",
            "m.update([], [])",
            "m.update([x0[:1]], [x1[:1]])",
        )
        for _ in range(draw.randint(1, 4))
    ]
    lines += ["found += [m.get(), m.get_name_value(), m.get_global()]"]
    if draw.happens(0.3):
        lines.append(
            draw.one(
                "found.append(m.num_inst)",
                "found.append(m.sum_metric)",
                "found.append(m.global_num_inst)",
                "found.append(sorted(m.get_config()))",
            )
        )
    return lines, [
        draw.array(label_shape, draw.one("float32", "float32", "int32"), ("ints", 0, classes - 1)),
        draw.array(pred_shape, "float32", ("uniform", 0.05, 0.95)),
    ]


@family(has_np=False)
def _iterators(draw: Chance, is_np: bool) -> Found:
    """Return batches of iterators whose data do not come out even, and what these tell."""
    count = draw.one(3, 4, 5, 7)
    handle = draw.one(
        "",
        ", last_batch_handle='pad'",
        ", last_batch_handle='discard'",
        ", last_batch_handle='roll_over'",
    )
    data = draw.one(
        "x0",
        "x0",
        "{'a': x0}",
        "{'b': x0, 'a': x0 * 2}",
        "[x0, x0 + 1]",
        "x0.asnumpy()",
        "[('z', x0)]",
    )
    label = draw.one(
        "",
        ", x1",
        ", x1",
        ", {'l': x1}",
        ", [x1, x1 * 2]",
        ", label=x1, label_name='softmax_label'",
    )
    name = draw.one("", ", data_name='d'") if data == "x0" else ""
    lines = [
        "mx.random.seed(1); onp.random.seed(1)",
        f"i = mx.io.NDArrayIter({data}{label}, batch_size={draw.one(1, 2, 3, count)}{handle}{name}{draw.one('', '', '', ', shuffle=True')})",
    ]
    if draw.happens(0.3):
        lines.append(
            draw.one(
                "i = mx.io.ResizeIter(i, 3)",
                "i = mx.io.ResizeIter(i, 5, reset_internal=False)",
                "i = mx.io.PrefetchingIter(i); next(i)",
            )
        )
    lines += [
        "show = lambda b: found.append([b.data, b.label, b.pad, None if b.index is None else list(b.index)])"
    ]
    for _ in range(draw.randint(1, 4)):
        lines.append(
            draw.one(
                "for b in i: show(b)",
                "i.reset()",
                "i.reset()\nfor b in i: show(b)",
                "show(next(i))",
                "show(i.next())",
                "found.append([tuple(d) for d in i.provide_data])",
                "found.append([(d.name, d.shape, str(onp.dtype(d.dtype)), d.layout) for d in i.provide_data + i.provide_label])",
                "found.append(i.batch_size)",
                "i.hard_reset()",
                "found.append(i.iter_next())",
                "found += [i.getdata(), i.getlabel(), i.getpad()]",
                "found.append(i.getindex())",
                "found.append(i.num_data)",
                "show(next(i)); i.reset(); show(next(i))",
            )
        )
    return lines, [
        draw.array((count, 2), draw.one("float32", "float32", "int32"), ("ints", 0, 9)),
        draw.array((count,), "float32", ("ints", 0, 3)),
    ]


@family(has_np=False)
def _loaders(draw: Chance, is_np: bool) -> Found:
    """Return what datasets, samplers, batches and transforms make of one another."""
    count = draw.one(1, 3, 5)
    lines = [
        "d = gluon.data",
        "mx.random.seed(2); onp.random.seed(2)",
        f"s = {draw.one('d.ArrayDataset(x0, x1)', 'd.ArrayDataset(x0)', 'd.SimpleDataset(list(range(7)))', 'd.SimpleDataset([1.5, 2.5, 3])', 'd.ArrayDataset(x0, [1, 2, 3, 4, 5][:len(x0)])', 'd.ArrayDataset(x0.asnumpy(), x1)')}",
    ]
    lines += [
        draw.one(
            "s = s.take(2)",
            "s = s.take(None)",
            "s = s.shard(2, 0)",
            "s = s.shard(2, 1)",
            "s = s.filter(lambda *a: True)",
            "s = s.transform(lambda *a: a)",
            "s = s.transform(lambda *a: a, lazy=False)",
            "s = s.transform_first(lambda a: a * 2)",
            "s = s.transform_first(lambda a: a + 1, lazy=False)",
            "s = s.sample(d.SequentialSampler(len(s)))",
            "s = s.sample(d.RandomSampler(len(s)))",
        )
        for _ in range(draw.randint(0, 2))
    ]
    lines.append("found += [len(s), s[0], s[len(s) - 1]]")
    batch = draw.one(
        "batch_size=2",
        "batch_size=2, last_batch='discard'",
        "batch_size=2, last_batch='rollover'",
        "batch_size=3, last_batch='keep'",
        "batch_size=2, shuffle=True",
        "batch_size=2, sampler=d.SequentialSampler(len(s))",
        "batch_sampler=d.BatchSampler(d.SequentialSampler(len(s)), 2, 'discard')",
        "batch_sampler=[[0], [0, 0]]",
        "batch_size=1, batchify_fn=lambda b: len(b)",
        "batch_size=2, batchify_fn=d.batchify.Stack() if hasattr(d, 'batchify') else None",
    )
    lines += [
        f"l = d.DataLoader(s, {batch})",
        "found.append(len(l))",
        *["found += list(l)"] * draw.one(1, 2),
    ]
    if draw.happens(0.4):
        lines.append(
            draw.one(
                "found.append(list(d.BatchSampler(d.SequentialSampler(7), 3, 'rollover')) * 2)",
                "b = d.BatchSampler(d.SequentialSampler(7), 3, 'rollover'); found += [list(b), list(b), len(b)]",
                "found.append(list(d.FilterSampler(lambda v: True, s)))",
                "found.append(list(d.IntervalSampler(10, 3)) if hasattr(d, 'IntervalSampler') else 0)",
                "found.append(list(gluon.contrib.data.IntervalSampler(10, 3, rollover=False)))",
                "found.append(list(gluon.contrib.data.IntervalSampler(7, 3)))",
                "found.append(d.dataloader.default_batchify_fn([x0, x0]))",
                "found.append(d.dataloader.default_batchify_fn([(x0, 1), (x0, 2)]))",
                "found.append(d.dataloader.default_batchify_fn([1, 2.5]))",
            )
        )
    return lines, [
        draw.array((count, 2), draw.one("float32", "int32"), ("ints", 0, 9)),
        draw.array((count,), "float32", ("ints", 0, 3)),
    ]


@family(has_np=False)
def _stores(draw: Chance, is_np: bool) -> Found:
    """Return what stores make of lists, rows, names, updaters and gradients of several devices."""
    lines = [
        f"kv = mx.kv.create({draw.one('', repr('local'), repr('device'), repr('local_allreduce_cpu'))})",
        "y = nd.zeros(x0.shape); z = nd.zeros(x0.shape)",
    ]
    key = draw.one("3", "'w'")
    lines.append(
        f"kv.init({key}, {draw.one('x0', 'x0', 'x0.tostype(' + repr('row_sparse') + ')')})"
    )
    if draw.happens(0.4):
        lines.append(
            draw.one(
                "kv.set_optimizer(mx.optimizer.create('sgd', learning_rate=0.1, momentum=0.9))",
                "kv.set_optimizer(mx.optimizer.Adam(0.1))",
                "kv._set_updater(lambda k, new, stored: stored.__isub__(new))",
                "kv.set_gradient_compression({'type': '2bit', 'threshold': 0.5})",
            )
        )
    calls = ("kv.push({k}, x1)", "kv.push({k}, [x1, x2, x1])", "kv.push([{k}], [x1])", "kv.push([{k}], [[x1, x2]])", "kv.push({k}, x1.tostype('row_sparse'))", "kv.push({k}, [x1.tostype('row_sparse'), x2.tostype('row_sparse')])", "kv.pull({k}, out=y)", "kv.pull({k}, out=[y, z])", "kv.pull([{k}], out=[y])", "kv.pull([{k}], out=[[y, z]])", "kv.pull({k}, y, ignore_sparse=False)", "kv.pushpull({k}, x1, out=y)", "kv.pushpull({k}, [x1, x2], out=[y, z])",
             "kv.pushpull([{k}], [x2], out=[z])", "kv.broadcast('n', x2, out=y)", "kv.broadcast(['m', 'o'], [x1, x2], out=[y, z])", "r = x0.tostype('row_sparse'); kv.row_sparse_pull({k}, out=r, row_ids=nd.array([0])); found.append(r)", "kv.init([7, 8], [x1, x2]); kv.pull([7, 8], out=[y, z])", "kv.init('b', x1); kv.push(['b', 'b'], [x1, x2]); kv.pull('b', out=z)", "kv.push({k}, x1, priority=-3); kv.push({k}, x2, priority=2)",
             "found += [kv.type, kv.rank, kv.num_workers]", "kv.barrier()", "kv.pull({k}, out=y, priority=1)", "import tempfile, os; f = os.path.join(tempfile.mkdtemp(), 's'); kv.save_optimizer_states(f); kv.load_optimizer_states(f)", "found.append(kv.is_capable('optimizer'))")  # fmt: skip
    lines += [draw.choice(calls).format(k=key) for _ in range(draw.randint(1, 5))]
    lines.append("found += [y, z, x0, x1, x2]")
    return lines, [draw.array((2, 3), "float32", ("normal",)) for _ in range(3)]


@family(has_np=False)
def _reshaped(draw: Chance, is_np: bool) -> Found:
    """Return a Module that is bound, reshaped, copied, fed by hand and asked."""
    tail = draw.one(
        "sym.SoftmaxOutput(s, name='softmax')",
        "sym.LinearRegressionOutput(s, name='softmax')",
        "sym.MakeLoss(sym.square(s), name='loss')",
        "sym.MAERegressionOutput(s, name='softmax')",
    )
    label = "loss" not in tail
    middle = draw.one(
        "s",
        "sym.BatchNorm(s, fix_gamma=False, name='bn')",
        "sym.Activation(s, act_type='relu')",
        "sym.Dropout(s, p=0.0)",
        "s * 2",
    )
    if "Softmax" not in tail:  # a norm's gradients cancel, and Adam makes much of what is left
        middle = middle.replace("sym.BatchNorm(s, fix_gamma=False, name='bn')", "s")
    middle = middle.replace("fix_gamma=False, ", "fix_gamma=False, momentum=0.8, ")
    labels = "[('softmax_label', ({n},))]" if "Softmax" in tail else "[('softmax_label', ({n}, 2))]"
    first = labels.format(n=3) if label else "None"
    lines = [
        "mx.random.seed(4); names = mx.name.NameManager(); names.__enter__()",
        "s = sym.FullyConnected(sym.var('data'), num_hidden=2, name='fc')", f"s = {middle}", f"s = {tail}", "names.__exit__(None, None, None)",
        f"m = mx.mod.Module(s, data_names=['data'], label_names={['softmax_label'] if label else None}{draw.one('', ', fixed_param_names=[' + repr('fc_weight') + ']')})",
        f"m.bind(data_shapes=[('data', (3, 2))], label_shapes={first}{draw.one('', ', inputs_need_grad=True', ', for_training=True', ', grad_req=' + repr('add'))})",
        f"m.init_params({draw.one('', 'mx.init.Xavier()', 'mx.init.One()', 'initializer=mx.init.Normal(0.3)')})",
        f"m.init_optimizer({draw.one('', 'optimizer=' + repr('adam'), 'optimizer_params={' + repr('learning_rate') + ': 0.3, ' + repr('momentum') + ': 0.5}', 'kvstore=None')})",
        "batch = lambda n: mx.io.DataBatch([x0[:n]], [" + ("x1[:n, 0]" if "Softmax" in tail else "x1[:n]" if label else "") + "])",
    ]  # fmt: skip
    calls = ("m.forward(batch(3)); found += [o.copy() for o in m.get_outputs()]", "m.forward(batch(3), is_train=True); m.backward(); m.update()", "m.forward_backward(batch(3)); m.update(); found += [o.copy() for o in m.get_outputs()]", "m.forward(batch(2), is_train=False); found += [o.copy() for o in m.get_outputs()]", "m.forward(batch(4), is_train=True); m.backward(); m.update(); found += [o.copy() for o in m.get_outputs()]", "m.forward(batch(1), is_train=True); m.backward()",
             f"m.reshape(data_shapes=[('data', (2, 2))], label_shapes={labels.format(n=2) if label else 'None'}); m.forward(batch(2)); found += [o.copy() for o in m.get_outputs()]", f"m.reshape([('data', (4, 2))], {labels.format(n=4) if label else 'None'}); m.forward_backward(batch(4)); m.update()", "found += [m.data_names, m.output_names, m.label_names]", "found.append([m.data_shapes, m.label_shapes, m.output_shapes])", "found += [o.copy() for o in m.get_input_grads()]",
             "a, b = m.get_params(); m.set_params(a, b); found += [a[n] for n in sorted(a)]", "m.set_params({'fc_weight': nd.ones((2, 2))}, {}, allow_missing=True)", "m.init_params(mx.init.Zero(), force_init=True)", "found.append([m.binded, m.params_initialized, m.optimizer_initialized, m.for_training, m.inputs_need_grad])", "i = mx.io.NDArrayIter(x0, x1[:, 0] if 'Softmax' in str(s) else x1, 3, label_name='softmax_label'); found.append(m.predict(i))",
             "m.forward_backward(batch(3)); found += [g[0].copy() for g in m._exec_group.grad_arrays if g[0] is not None]", "import tempfile, os; f = os.path.join(tempfile.mkdtemp(), 's'); m.save_checkpoint(f, 2); found.append(sorted(os.listdir(os.path.dirname(f))))", "import tempfile, os; f = os.path.join(tempfile.mkdtemp(), 's'); m.save_params(f); m.load_params(f)",
             "e = mx.metric.create('mse'); m.forward(batch(3)); m.update_metric(e, batch(3).label if batch(3).label else [x1[:3]]); found.append(e.get())")  # fmt: skip
    lines += [draw.choice(calls) for _ in range(draw.randint(2, 5))]
    lines += [
        "args, auxs = m.get_params()",
        "found += [args[n] for n in sorted(args)] + [auxs[n] for n in sorted(auxs)]",
    ]
    return lines, [
        draw.array((4, 2), "float32", ("normal",)),
        draw.array((4, 2), "float32", ("ints", 0, 1)),
    ]


@family(has_np=False)
def _states(draw: Chance, is_np: bool) -> Found:
    """Return recurrent layers and cells that carry states from batch to batch."""
    steps, batch, layout = draw.one(1, 3), draw.one(1, 2), draw.one("NTC", "TNC")
    layer = draw.one(
        "rnn.LSTM(2)",
        "rnn.GRU(2)",
        "rnn.RNN(2, num_layers=2)",
        "rnn.LSTM(2, bidirectional=True)",
        "rnn.LSTM(2, layout='NTC')",
        "rnn.GRU(2, num_layers=2, bidirectional=True, layout='NTC')",
        "rnn.LSTM(3, projection_size=2)",
        "rnn.RNN(2, activation='relu')",
    )
    cell = draw.one(
        "rnn.LSTMCell(2)",
        "rnn.GRUCell(2)",
        "rnn.RNNCell(2, activation='relu')",
        "rnn.ResidualCell(rnn.GRUCell(2))",
        "rnn.ZoneoutCell(rnn.RNNCell(2), 0.0, 0.0)",
        "rnn.DropoutCell(0.0)",
        "rnn.SequentialRNNCell()",
        "rnn.BidirectionalCell(rnn.GRUCell(2), rnn.GRUCell(2))",
        "rnn.HybridSequentialRNNCell()",
    )
    lines = ["rnn = gluon.rnn; mx.random.seed(1)", "x0.attach_grad()"]
    init = draw.one("", "mx.init.Uniform(0.5)", "'ones'")
    if draw.happens(0.5):
        size = "1" if "NTC" in layer else "0"
        lines += [f"l = {layer}", f"l.initialize({init})", *draw.one([], ["l.hybridize()"]), f"n = x0.shape[1 - {size}]", "s = l.begin_state(n)",
                  "for _ in range(2):\n    with autograd.record():\n        y, s = l(x0, s)\n    y.backward()\n    s = [a.detach() for a in s]\n    found += [y, *s, x0.grad]"]  # fmt: skip
        lines.append(
            draw.one(
                "found.append(l(x0))",
                "found.append(l.state_info(2))",
                "found.append(repr(l))",
                "found.append(len(l.begin_state(2, func=nd.ones)))",
                "found.append([p.shape for p in l.collect_params().values()])",
                "found.append(l(x0, l.begin_state(n, func=nd.ones)))",
                "pass",
            )
        )
    else:
        lines.append(f"l = {cell}")
        if "Sequential" in cell:
            lines.append("l.add(rnn.GRUCell(2)); l.add(rnn.LSTMCell(2))")
        lines += [f"l.initialize({init})", f"with autograd.record():\n    y, s = l.unroll({steps}, x0, layout='{layout}', merge_outputs={draw.one('True', 'None', 'False')}{draw.one('', ', valid_length=nd.array([1] * x0.shape[0])')})",
                  "(y[-1] if isinstance(y, list) else y).backward()", "found += [y, s, x0.grad]", draw.one("found.append(l.state_info(1))", "found.append(repr(l))", "l.reset(); found.append(len(l.begin_state(1)))", "found.append(len(l.collect_params()))")]  # fmt: skip
    return lines, [
        draw.array(
            (steps, batch, 2) if layout == "TNC" else (batch, steps, 2), "float32", ("normal",)
        )
    ]


_IMAGES = (
    "T.ToTensor()",
    "T.Normalize(0.5, 0.2)",
    "T.Normalize((0.1, 0.2, 0.3), (1, 2, 3))",
    "T.Resize(3)",
    "T.Resize((2, 4))",
    "T.Resize(4, keep_ratio=True)",
    "T.CenterCrop(2)",
    "T.CenterCrop((3, 2))",
    "T.Cast('float32')",
    "T.Cast('float16')",
    "T.RandomFlipLeftRight()",
    "T.RandomFlipTopBottom()",
    "T.CropResize(0, 0, 2, 2)",
    "T.RandomCrop(2)",
    "T.RandomCrop(2, pad=1)",
    "T.RandomResizedCrop(3)",
    "T.RandomBrightness(0.2)",
    "T.RandomContrast(0.2)",
    "T.RandomSaturation(0.2)",
    "T.RandomLighting(0.1)",
    "T.Rotate(90)",
    "T.RandomApply(T.Cast('float32'), 0.5)",
)


@family(has_np=False)
def _pictures(draw: Chance, is_np: bool) -> Found:
    """Return what one or several transforms make of a picture, or of several."""
    several = [draw.choice(_IMAGES) for _ in range(draw.one(1, 1, 2, 3))]
    made = (
        f"T.Compose([{', '.join(several)}])"
        if len(several) > 1 or draw.happens(0.2)
        else several[0]
    )
    shape = draw.one((4, 5, 3), (5, 4, 3), (4, 4, 1), (2, 4, 5, 3))
    lines = [
        "T = gluon.data.vision.transforms",
        "import random; random.seed(1); mx.random.seed(1); onp.random.seed(1)",
        f"t = {made}",
        "y = t(x0)",
        "found.append(y)",
        draw.one("found.append(type(t).__name__)", "found.append(str(y.dtype))", "pass"),
    ]
    return lines, [draw.array(shape, draw.one("uint8", "uint8", "float32"), ("ints", 0, 200))]


@family(has_np=True)
def _helpers(draw: Chance, is_np: bool) -> Found:
    """Return what functions beside operators make of arrays: splits, norms, contexts, names, random parts."""
    calls = ("gluon.utils.split_data(x0, 2)", "gluon.utils.split_data(x0, 3, even_split=False)", "gluon.utils.split_data(x0, 2, batch_axis=1)", "gluon.utils.split_and_load(x0, [mx.cpu()])", "gluon.utils.split_and_load(x0, [mx.cpu(0), mx.cpu(1)], even_split=False)", "gluon.utils.clip_global_norm([x0, x1], 1.0)", "[gluon.utils.clip_global_norm([x0], 0.5, check_isfinite=False), x0]", "x0.as_in_context(mx.cpu())", "x0.copyto(mx.cpu())",
             "x0.asnumpy().dtype.name", "x0.context.device_type", "x0.ctx.device_id", "x0.size", "x0.ndim", "x0.dtype", "x0.shape", "bool((x0 == x0).sum() > 0)", "len(x0)", "[r for r in x0][0]", "x0[0, 1]", "x0[(1, 0)]", "x0[1][0]", "x0[-1, -1]", "x0[:, -1]", "x0[::2, 1:]", "x0[[0, 1]]", "x0[None]", "x0[..., 0]", "x0[1:1]", "x0[:, [0, 2]]", "x0[[1, 0], [0, 2]]", "mx.context.num_gpus()", "str(mx.current_context())", "mx.cpu(1) == mx.cpu()", "mx.Context('cpu', 0) == mx.cpu()",
             "mx.util.is_np_array()", "mx.util.is_np_shape()", "autograd.is_recording()", "mx.random.seed(3)", "x0.asnumpy().tolist()", "repr(x0)", "x0.wait_to_read()", "mx.nd.waitall()", "x0.attach_grad() or x0.grad", "x0.grad is None", "x0.attach_grad('null') or (x0.grad is None)", "x0.attach_grad(grad_req='add') or x0.grad", "x0.detach() is x0", "x0.tostype('default') is x0" if not is_np else "x0.as_nd_ndarray()",
             "mx.AttrScope(a='1').get(None)", "mx.base.string_types", "onp.asarray(x0.asnumpy()).sum()", "onp.mean(x0.asnumpy(), axis=0)", "mx.test_utils.same(x0.asnumpy(), x0.asnumpy())", "mx.test_utils.almost_equal(x0.asnumpy(), x1.asnumpy())", "mx.test_utils.rand_shape_2d is not None")  # fmt: skip
    more = ("nd.moveaxis(x0, 0, 1)", "nd.concatenate([x0, x1], axis=1)", "nd.array(x0.asnumpy(), dtype='int32')", "nd.arange(3, 0, -1)", "nd.full((2,), 3, dtype='int8')", "nd.histogram(x0, bins=3, range=(-1, 2))", "nd.split_v2(x0, (1,), axis=1)", "nd.contrib.isnan(x0)", "nd.onehot_encode(nd.array([0, 1]), nd.zeros((2, 3)))", "nd.true_divide(x0, 2)", "nd.maximum(2, x0)", "nd.power(x0, 2)", "nd.equal(x0, x1)", "nd.logical_and(x0, x1)", "nd.modulo(x0, 2)", "nd.lesser(1, x0)", "nd.zeros_like(x0)", "nd.eye(2, k=1)", "nd.from_numpy(x0.asnumpy())", "nd.from_dlpack(nd.to_dlpack_for_read(x0))", "nd.linspace(0, 1, 3, endpoint=False)", "x0.reshape(-1, 2)", "x0.reshape((0, 0))", "x0.broadcast_to((2, 3))", "x0.asscalar()", "x0.T.reshape((-1,))", "x0.zeros_like()", "x0 == 'a'", "x0 is None")  # fmt: skip
    np_more = ("np.shape(x0)", "np.ndim(x0)", "np.size(x0)", "np.result_type(x0, x1)", "np.may_share_memory(x0, x0[0])", "onp.sum(x0)", "onp.concatenate([x0, x1])", "onp.exp(x0)", "onp.add(x0, x1)", "x0 + x1.asnumpy()", "onp.ones((2, 3)) * x0", "x0.item(0)", "x0.tolist()", "np.array_equal(x0, x0)", "np.split(x0, [1], axis=1)", "np.random.permutation(3)", "x0.any()", "x0.all()", "x0.std(ddof=1)", "x0.argmax(axis=None)", "x0.reshape(3, -1)", "x0.mean(axis=(0, 1))", "np.array(x0, dtype='int32')", "x0.nonzero()", "x0.sort(axis=0)", "np.broadcast_arrays(x0, x0[0])", "np.where(x0 > 0)", "np.mean(x0, dtype='float64')", "np.unravel_index(np.array([1, 5]), (2, 3))", "np.percentile(x0, 30)", "np.linalg.norm(x0, ord='fro')", "np.average(x0, weights=x1 * x1 + 1, axis=1)", "np.bincount(np.array([1, 1, 2]))", "np.around(x0, 1)", "np.isnan(x0)", "np.delete(x0, 1, axis=1)", "np.diag(x0, 1)", "np.identity(2)", "np.ediff1d(x0)", "np.interp(x0, np.array([-1, 0, 1.0]), np.array([0, 1, 4.0]))", "np.polyval(np.array([1.0, 2]), x0)")  # fmt: skip
    texts = calls + (np_more if is_np else more) * 2
    lines = [f"found.append({draw.choice(texts)})" for _ in range(draw.randint(1, 3))]
    return lines, [
        draw.array((2, 3), draw.one("float32", "float32", "float64"), ("ints", -2, 4))
        for _ in range(2)
    ]
