"""Programs that subclass MXNet's classes, for the real MXNet and for gluonish alike."""

from __future__ import annotations

import numpy as onp

OPTIMIZERS = {
    "sgd": {"momentum": 0.9}, "nag": {"momentum": 0.9}, "signum": {}, "ftml": {}, "lars": {},
    "lbsgd": {}, "lamb": {}, "dcasgd": {}, "adam": {}, "adagrad": {}, "rmsprop": {},
    "adadelta": {}, "ftrl": {}, "adamax": {}, "nadam": {}, "test": {},
}  # fmt: skip
ONE = ("_get_lr", "_get_wd", "_get_lrs", "_get_wds", "_update_count")
WEIGHTS = ("update", "update_multi_precision", "create_state", "create_state_multi_precision")
UNASKED = {("adadelta", "_get_lrs"), ("adadelta", "_get_lr")} | {
    ("test", name) for name in (*ONE, "update")
}
"""What MXNet's own update leaves out: a rate that AdaDelta does not have, all that Test has not."""


def cases():
    """Yield titles and programs: each takes the module, and returns plain data."""
    for name in OPTIMIZERS:
        for method in (*ONE, *WEIGHTS):
            if (name, method) not in UNASKED:
                yield f"{name} {method}", lambda mx, n=name, m=method: watched(mx, n, m)
    for name in ("sgd", "adam", "nadam", "lamb"):
        yield f"{name} still", lambda mx, name=name: still(mx, name)
        yield f"{name} in a module", lambda mx, name=name: in_module(mx, name)
        yield f"{name} on a store", lambda mx, name=name: on_store(mx, name)
        if name != "nadam":  # whose products of all contexts differ, as docs/differences.md says
            yield f"{name} on contexts", lambda mx, name=name: on_contexts(mx, name)
    yield "several at once", several_at_once
    yield "several for an own update", lists_for_own
    yield "half precision", half_precision
    yield "mixed in", mixed_in
    yield "updater", own_updater
    yield "wrapper", wrapper
    yield "states as lists", states_as_lists
    for kind in PARAMETERS:
        for is_hybrid in (False, True):
            for copies in (1, 2):
                title = f"{kind} {'hybridized' * is_hybrid} {copies}"
                yield title, lambda mx, k=kind, h=is_hybrid, c=copies: parameter(mx, k, h, c)
    yield "private names", private_names
    yield "formats", formats
    for kind in ("RNNCell", "LSTMCell", "GRUCell"):
        yield f"own {kind}", lambda mx, kind=kind: own_cell(mx, kind)
    yield "estimator", own_estimator
    for kind in ("Module", "BucketingModule"):
        yield f"own {kind}", lambda mx, kind=kind: own_module(mx, kind)
    yield "order of handlers", order_of_handlers


def run(mx):
    """Return what every program gives."""
    found = {}
    for title, program in cases():
        with mx.name.NameManager():
            found[title] = program(mx)
    return found


def plain(value):
    """Return a value as JSON holds it."""
    if hasattr(value, "asnumpy"):
        return plain(value.asnumpy())
    if isinstance(value, onp.ndarray):
        return [float(f"{one:.4g}") for one in value.astype("float64").ravel()]
    if isinstance(value, (list, tuple)):
        return [plain(one) for one in value]
    return value if isinstance(value, (int, str, float, type(None))) else type(value).__name__


# --- optimizers -----------------------------------------------------------------------------


def logging(mx, name, method, log, **options):
    """Return an optimizer one of whose methods writes down what it is called with."""

    def called(self, index, *args):
        log.append([method, plain(index)])
        return getattr(super(kind, self), method)(index, *args)

    base = type(mx.optimizer.create(name))
    kind = type(f"Own{name}", (base,), {method: called})
    return kind(learning_rate=0.1, wd=0.01, **OPTIMIZERS[name], **options)


def layers(mx, ctx=None):
    """Return a net of three parameters that has a gradient for each."""
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(2, in_units=2, use_bias=True))
        net.add(mx.gluon.nn.Dense(1, in_units=2, use_bias=False))
    net.initialize(mx.init.Constant(0.25), ctx=ctx)
    return net


def trained(mx, net, trainer, steps=2, ctxs=None):
    """Take steps, and return the weights."""
    for step in range(steps):
        parts = [mx.nd.array([[1.0, 2.0 + step]], ctx=ctx) for ctx in ctxs or [mx.cpu()]]
        with mx.autograd.record():
            losses = [net(part) for part in parts]
        for loss in losses:
            loss.backward()
        trainer.step(len(parts))
    return [plain(param.data(param.list_ctx()[0])) for param in net.collect_params().values()]


def watched(mx, name, method):
    log = []
    net = layers(mx)
    trainer = mx.gluon.Trainer(net.collect_params(), logging(mx, name, method, log))
    return [trained(mx, net, trainer), log]


def stilled(mx, name):
    """Return a class that moves the second parameter only."""

    class Still(type(mx.optimizer.create(name))):
        def _get_lrs(self, indices):
            rates = super()._get_lrs(indices)
            return [rate if i in (1, "b") else 0.0 for i, rate in zip(indices, rates, strict=True)]

        def _get_wds(self, indices):
            return [0.0 for _ in indices]

    return Still


def still(mx, name):
    net = layers(mx)
    optimizer = stilled(mx, name)(learning_rate=0.1)
    return trained(mx, net, mx.gluon.Trainer(net.collect_params(), optimizer))


def on_contexts(mx, name):
    found = []
    for on_store in (False, True):
        net = layers(mx, ctx=[mx.cpu(0), mx.cpu(1)])
        log = []
        trainer = mx.gluon.Trainer(
            net.collect_params(),
            logging(mx, name, "_update_count", log),
            update_on_kvstore=on_store,
        )
        found.append([trained(mx, net, trainer, ctxs=[mx.cpu(0), mx.cpu(1)]), log])
    return found


def on_store(mx, name):
    log = []
    kv = mx.kv.create("local")
    kv.init(["a", "b"], [mx.nd.ones((2,)), mx.nd.ones((2,))])
    kv.set_optimizer(logging(mx, name, "update_multi_precision", log))
    kv.push(["a", "b"], [mx.nd.array([1.0, 2.0]), mx.nd.array([3.0, -1.0])])
    out = [mx.nd.zeros((2,)), mx.nd.zeros((2,))]
    kv.pull(["a", "b"], out=out)
    return [plain(out), log]


def in_module(mx, name):
    data = mx.sym.Variable("data")
    net = mx.sym.FullyConnected(data, num_hidden=2, name="first")
    net = mx.sym.LinearRegressionOutput(net, mx.sym.Variable("label"), name="last")
    found = []
    for store in (None, "local"):
        module = mx.mod.Module(net, ["data"], ["label"])
        module.bind([("data", (1, 2))], [("label", (1, 2))])
        module.init_params(mx.init.Constant(0.5))
        log = []
        optimizer = logging(mx, name, "_get_lrs", log, rescale_grad=1.0)
        module.init_optimizer(kvstore=store, optimizer=optimizer)
        batch = mx.io.DataBatch([mx.nd.array([[1.0, 2.0]])], [mx.nd.array([[0.0, 1.0]])])
        for _ in range(2):
            module.forward_backward(batch)
            module.update()
        weights, _ = module.get_params()
        found.append([[plain(weights[key]) for key in sorted(weights)], log])
    return found


def arrays_of(mx, dtype="float32"):
    weights = [mx.nd.array([1.0, 2.0], dtype=dtype) for _ in range(3)]
    grads = [mx.nd.array([0.5, 0.25], dtype=dtype) for _ in range(3)]
    return weights, grads


def several_at_once(mx):
    found = []
    for name, size in (("sgd", 2), ("sgd", 0), ("lamb", 2)):
        log = []
        optimizer = logging(mx, name, "update_multi_precision", log)
        optimizer.aggregate_num = size
        updater = mx.optimizer.get_updater(optimizer)
        weights, grads = arrays_of(mx)
        if size:
            updater([0, 1, 2], grads, weights)
        updater(5, grads[0], weights[0])
        found.append([plain(weights), log])
    return found


def lists_for_own(mx):
    log = []

    class Own(mx.optimizer.Optimizer):
        def __init__(self, **options):
            super().__init__(**options)
            self.aggregate_num = 2

        def create_state(self, index, weight):
            log.append(["create_state", index])

        def update(self, index, weight, grad, state):
            log.append(["update", plain(index), len(state)])
            self._update_count(index)
            rates, decays = self._get_lrs(index), self._get_wds(index)
            for w, g, rate, decay in zip(weight, grad, rates, decays, strict=True):
                w -= rate * (g * self.rescale_grad + decay * w)

    net = layers(mx)
    trainer = mx.gluon.Trainer(net.collect_params(), Own(learning_rate=0.1, wd=0.01))
    return [trained(mx, net, trainer), log]


def half_precision(mx):
    found = []
    for name in ("sgd", "adam", "nag"):
        for method in ("create_state", "create_state_multi_precision", "update"):
            log = []
            optimizer = logging(mx, name, method, log, multi_precision=True)
            updater = mx.optimizer.get_updater(optimizer)
            weights, grads = arrays_of(mx, "float16")
            more, others = arrays_of(mx)
            updater(list(range(6)), grads + others, weights + more)
            found.append([plain(weights + more), log])
    return found


def mixed_in(mx):
    class Halved:
        def _get_lr(self, index):
            return super()._get_lr(index) / 2

    class Own(Halved, mx.optimizer.Adam):
        pass

    net = layers(mx)
    return trained(mx, net, mx.gluon.Trainer(net.collect_params(), Own(learning_rate=0.1)))


def own_updater(mx):
    log = []

    class Own(mx.optimizer.Updater):
        def __call__(self, index, grad, weight):
            log.append(plain(index))
            super().__call__(index, grad, weight)

    updater = Own(mx.optimizer.Adam(learning_rate=0.1))
    weights, grads = arrays_of(mx)
    updater(0, grads[0], weights[0])
    updater([1, 2], grads[1:], weights[1:])
    return [plain(weights), log, updater.aggregate_updates]


def wrapper(mx):
    log = []

    class Wrapper(mx.optimizer.Optimizer):
        def __init__(self, optimizer):  # as libraries for many machines do, without super()
            self._optimizer = optimizer

        def __getattr__(self, name):
            return getattr(self._optimizer, name)

        def create_state_multi_precision(self, index, weight):
            return self._optimizer.create_state_multi_precision(index, weight)

        def update_multi_precision(self, index, weight, grad, state):
            log.append(plain(index))
            self._optimizer.update_multi_precision(index, weight, grad, state)

        def set_learning_rate(self, lr):
            self._optimizer.set_learning_rate(lr)

    found = []
    for name in ("sgd", "adam"):
        net = layers(mx)
        own = Wrapper(mx.optimizer.create(name, learning_rate=0.1))
        found.append(trained(mx, net, mx.gluon.Trainer(net.collect_params(), own)))
    return [found, log]


def states_as_lists(mx):
    class Own(mx.optimizer.Adam):
        def create_state(self, index, weight):
            return [one + 1 for one in super().create_state(index, weight)]

    net = layers(mx)
    return trained(mx, net, mx.gluon.Trainer(net.collect_params(), Own(learning_rate=0.1)))


# --- parameters -----------------------------------------------------------------------------


def parameter(mx, kind, is_hybrid, copies):
    """Train a net with a parameter of a class that `kind` makes, on one context or two."""
    made = PARAMETERS[kind](mx)

    class Net(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__(prefix="net_")
            weight = made("net_weight", shape=(2,), init="ones")
            self.params.update({"net_weight": weight})
            self.weight = weight

        def hybrid_forward(self, F, x, weight):
            return x * weight

    ctxs = [mx.cpu(i) for i in range(copies)]
    net = Net()
    net.initialize(ctx=ctxs)
    if is_hybrid:
        net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    found = []
    for _ in range(3):
        with mx.autograd.record():
            results = [net(mx.nd.array([1.0, 2.0], ctx=ctx)) for ctx in ctxs]
        for result in results:
            result.backward()
        found.append(plain(results))
        trainer.step(1)
    return [found, plain(net.weight.list_data()), plain(net.weight.list_grad())]


def doubled(mx):
    class Own(mx.gluon.Parameter):
        def data(self, ctx=None):
            return super().data(ctx) * 2

    return Own


def looked_up(mx):
    class Own(mx.gluon.Parameter):
        def _check_and_get(self, arr_list, ctx):
            found = super()._check_and_get(arr_list, ctx)
            return found if ctx is list else found * 3

    return Own


def started(mx):
    class Own(mx.gluon.Parameter):
        def _init_impl(self, data, ctx_list):
            super()._init_impl(data * 5, ctx_list)

    return Own


def started_alone(mx):
    class Own(mx.gluon.Parameter):
        def _init_impl(self, data, ctx_list):
            self._ctx_list = list(ctx_list)
            self._ctx_map = [[], []]
            for i, ctx in enumerate(self._ctx_list):
                places = self._ctx_map[ctx.device_typeid & 1]
                while len(places) <= ctx.device_id:
                    places.append(None)
                places[ctx.device_id] = i
            self._data = [data.copyto(ctx) + ctx.device_id for ctx in self._ctx_list]
            self._init_grad()

    return Own


def written(mx):
    class Own(mx.gluon.Parameter):
        def initialize(self, *args, **kwargs):
            super().initialize(*args, **kwargs)
            self._data = [array * 7 for array in self._data]
            self._init_grad()

    return Own


def without_gradient(mx):
    class Own(mx.gluon.Parameter):
        def list_grad(self):
            return [array * 0 for array in super().list_grad()]

    return Own


def with_own_gradient(mx):
    class Own(mx.gluon.Parameter):
        def _init_grad(self):
            super()._init_grad()
            self._grad = [array + 4 for array in self._grad]
            mx.autograd.mark_variables(self._data, self._grad, "add")

    return Own


def plain_class(mx):
    class Own(mx.gluon.Parameter):
        pass

    return Own


PARAMETERS = {
    "doubled": doubled, "looked up": looked_up, "started": started,
    "started alone": started_alone, "written": written, "without gradient": without_gradient,
    "own gradient": with_own_gradient, "nothing overridden": plain_class,
}  # fmt: skip


def private_names(mx):
    param = mx.gluon.Parameter("w", shape=(2,))
    found = [plain([param._data, param._grad, param._ctx_list, param._ctx_map])]
    param.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    found.append(plain([param._data, param._grad, len(param._ctx_list), param._ctx_map]))
    found.append(plain(param._check_and_get(param._data, mx.cpu(1))))
    param._data = None
    try:
        param.data()
    except RuntimeError as error:
        found.append(type(error).__name__ != "")
    return found


def loader(mx):
    """Return a DataLoader of two batches."""
    data = mx.gluon.data.ArrayDataset(mx.nd.ones((4, 3)), mx.nd.ones((4, 2)))
    return mx.gluon.data.DataLoader(data, batch_size=2)


def estimator_of(mx, cls, **options):
    """Return an Estimator of a class, whose logger is silent."""
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    found = cls(net, mx.gluon.loss.L2Loss(), trainer=trainer, **options)
    found.logger.setLevel("ERROR")
    return found


def own_estimator(mx):
    """Return which methods of an Estimator and of its BatchProcessor are called, in turn."""
    base = mx.gluon.contrib.estimator
    called = []

    def watched_class(parent, names):
        def watching(name):
            def method(self, *args, **kwargs):
                called.append(name)
                return getattr(parent, name)(self, *args, **kwargs)

            return method

        return type("Own", (parent,), {name: watching(name) for name in names})

    estimator = watched_class(
        base.Estimator,
        (
            "_check_loss", "_check_context", "_initialize", "_is_initialized",
            "_add_default_training_metrics", "_add_validation_metrics", "_prepare_default_handlers",
            "_prepare_default_validation_handlers", "_categorize_handlers", "evaluate",
        ),
    )  # fmt: skip
    processor = watched_class(
        base.BatchProcessor, ("fit_batch", "evaluate_batch", "_get_data_and_label")
    )
    own = estimator_of(mx, estimator, batch_processor=processor())
    own.fit(loader(mx), loader(mx), epochs=1)
    return called


def order_of_handlers(mx):
    """Return the default handlers, and how many of them each event has."""
    base = mx.gluon.contrib.estimator

    class Own(base.TrainBegin, base.BatchEnd):
        pass

    own = estimator_of(mx, base.Estimator)
    own.max_epoch, own.max_batch = 1, None
    given = [Own(), base.EarlyStoppingHandler(own.val_metrics[0], mode="min")]
    counts = [len(each) for each in own._categorize_handlers(given)]
    found = own._prepare_default_handlers(loader(mx), given)
    after = own._prepare_default_validation_handlers(None)
    return [[type(each).__name__ for each in part] for part in (found, after)] + [counts]


MODULE = (
    "bind", "init_params", "init_optimizer", "forward", "backward", "update", "update_metric",
    "forward_backward", "get_params", "set_params", "prepare",
)  # fmt: skip


def own_module(mx, kind):
    """Return which methods of a module are called when it trains and scores, and its weights."""
    parent = getattr(mx.mod, kind)
    called = []

    def watching(name):
        def method(self, *args, **kwargs):
            called.append(name)
            found = getattr(parent, name)(self, *args, **kwargs)
            if name == "backward":  # changed gradients count
                group = getattr(self, "_curr_module", self)._exec_group
                for grads in group.grad_arrays:
                    for grad in grads:
                        grad[:] = 1
            return found

        return method

    own = type("Own", (parent,), {name: watching(name) for name in MODULE})
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=2, name="fc")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    if kind == "Module":
        module = own(net)
    else:
        module = own(lambda key: (net, ("data",), ("softmax_label",)), default_bucket_key=3)
    data = mx.io.NDArrayIter(mx.nd.ones((4, 3)), mx.nd.array([0, 1, 0, 1]), 2)
    if kind != "Module":
        plain_next = data.next

        def with_key():
            batch = plain_next()
            batch.bucket_key = 3
            batch.provide_data, batch.provide_label = data.provide_data, data.provide_label
            return batch

        data.next = with_key
    options = {"optimizer_params": {"learning_rate": 0.5}, "initializer": mx.init.One()}
    module.fit(data, num_epoch=2, **options)
    steps = ("forward_backward", "forward", "backward", "update", "update_metric", "prepare")
    trained = [name for name in called if name in steps]
    called.clear()
    module.score(data, "acc")
    return [trained, called, *(plain(array) for _, array in sorted(module.get_params()[0].items()))]


def formats(mx):
    """Return how Blocks say that arguments and results are nested."""

    class Nested(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, a, b, c=None):
            return a + b[0], [b[1]]

    one = mx.nd.ones(1)
    found = []
    for arguments in ((one, [one, one]), (one, [one, one], None)):
        block = Nested()
        block.hybridize()
        found.append([block._in_format, block._out_format])
        block(*arguments)
        found.append([block._in_format, block._out_format])
    block = mx.gluon.nn.Dense(2)
    block.initialize()
    block.hybridize()
    block(mx.nd.ones((1, 2)))
    return [*found, [block._in_format, block._out_format]]


def own_cell(mx, kind):
    """Return what cells around a cell of one's own call, and give."""
    rnn = mx.gluon.rnn
    called = []

    def watching(name):
        def method(self, *args, **kwargs):
            called.append(name)
            found = getattr(getattr(rnn, kind), name)(self, *args, **kwargs)
            return [state + 1 for state in found] if name == "begin_state" else found

        return method

    names = ("begin_state", "forward", "hybrid_forward")
    own = type("Own", (getattr(rnn, kind),), {name: watching(name) for name in names})
    found = []
    for build in (
        lambda cell: cell,
        rnn.ResidualCell,
        rnn.ZoneoutCell,
        lambda cell: rnn.BidirectionalCell(cell, getattr(rnn, kind)(2, input_size=2)),
    ):
        cell = build(own(2, input_size=2))
        cell.initialize(mx.init.Constant(0.3))
        outputs, _ = cell.unroll(2, mx.nd.ones((1, 2, 2)), merge_outputs=True)
        found.append([list(called), plain(outputs)])
        called.clear()
    return found
