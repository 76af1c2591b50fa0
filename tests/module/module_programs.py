"""Programs for modules, run under the real MXNet for golden values, and under gluonish by tests."""

from __future__ import annotations

import logging
import re

import numpy as onp

TIMES = re.compile(r"(Time cost=|Speed: )[\d.]+(e[+-]\d+)?|inf(?= samples)")


class Heard(logging.Handler):
    """Keeps the lines of the log, without times."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        """Keep one line."""
        self.lines.append(TIMES.sub(r"\1#", f"{record.levelname} {record.getMessage()}"))

    def __enter__(self):
        self.root = logging.getLogger()
        self.before = self.root.level
        self.root.addHandler(self)
        self.root.setLevel(logging.INFO)
        return self

    def __exit__(self, *_):
        self.root.removeHandler(self)
        self.root.setLevel(self.before)


def data(count=40, width=6, classes=3, seed=0):
    """Return data and labels that can be learned."""
    random = onp.random.RandomState(seed)
    x = random.randn(count, width).astype("float32")
    return x, (x @ random.randn(width, classes)).argmax(1).astype("float32")


def mlp(mx):
    """Return a perceptron with one hidden layer."""
    sym = mx.sym
    net = sym.FullyConnected(sym.Variable("data"), num_hidden=8, name="fc1")
    net = sym.Activation(net, act_type="relu", name="relu1")
    net = sym.FullyConnected(net, num_hidden=3, name="fc2")
    return sym.SoftmaxOutput(net, name="softmax")


def convolutional(mx):
    """Return a net with BatchNorm, for images of 6 x 6."""
    sym = mx.sym
    net = sym.Convolution(sym.Variable("data"), kernel=(3, 3), num_filter=4, name="conv")
    net = sym.BatchNorm(net, name="bn", fix_gamma=False)
    net = sym.Activation(net, act_type="relu")
    net = sym.Pooling(net, kernel=(2, 2), stride=(2, 2), pool_type="max")
    net = sym.FullyConnected(sym.Flatten(net), num_hidden=3, name="fc")
    return sym.SoftmaxOutput(net, name="softmax")


def iterator(mx, batch_size=10, **options):
    """Return batches of the data."""
    x, y = data()
    return mx.io.NDArrayIter(x, y, batch_size, **options)


def values(params):
    """Return parameters as nested lists."""
    return {name: array.asnumpy().tolist() for name, array in params.items()}


def parameters(module):
    """Return a module's parameters as nested lists."""
    return [values(params) for params in module.get_params()]


def fitted(optimizer="sgd", contexts=1, options=None, module_options=None, **fit):
    """Return a program that trains a perceptron."""

    def program(mx):
        mx.random.seed(3)
        context = [mx.cpu(i) for i in range(contexts)]
        own = dict(options or {"learning_rate": 0.5})
        if "schedule" in own:
            own["lr_scheduler"] = mx.lr_scheduler.FactorScheduler(
                step=own.pop("schedule"), factor=0.5
            )
        module = mx.mod.Module(mlp(mx), context=context, **(module_options or {}))
        train = iterator(mx)
        with Heard() as heard:
            module.fit(
                train,
                eval_data=iterator(mx, 8),
                num_epoch=3,
                optimizer=optimizer,
                optimizer_params=own,
                initializer=mx.init.Xavier(),
                batch_end_callback=mx.callback.Speedometer(10, 2),
                **fit,
            )
        train.reset()
        return [parameters(module), heard.lines, module.predict(train).asnumpy().tolist()]

    return program


def images(contexts):
    """Return a program that trains a net with BatchNorm."""

    def program(mx):
        mx.random.seed(5)
        x, y = data(48, 36)
        train = mx.io.NDArrayIter(x.reshape(48, 1, 6, 6), y, 12)
        module = mx.mod.Module(convolutional(mx), context=[mx.cpu(i) for i in range(contexts)])
        module.fit(train, num_epoch=2, optimizer_params={"learning_rate": 0.1, "wd": 0.01})
        train.reset()
        return [parameters(module), module.predict(train).asnumpy().tolist()]

    return program


def by_hand(mx):
    """Forward, backward and update with gradients that are added, and gradients of the data."""
    mx.random.seed(1)
    module = mx.mod.Module(mlp(mx), context=[mx.cpu(0), mx.cpu(1)])
    train = iterator(mx)
    module.bind(train.provide_data, train.provide_label, inputs_need_grad=True, grad_req="add")
    module.init_params(mx.init.Normal(0.1))
    module.init_optimizer(optimizer="adam", optimizer_params={"learning_rate": 0.01})
    seen = []
    for batch in train:
        module.forward(batch, is_train=True)
        module.backward()
        module.update()
        seen.append(module.get_input_grads()[0].asnumpy().tolist())
        seen.append([x.asnumpy().tolist() for x in module.get_outputs(False)[0]])
    return [seen, parameters(module)]


def head_gradients(mx):
    """A net that is no loss, with gradients of its outputs from outside."""
    mx.random.seed(2)
    a = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="a")
    net = mx.sym.Group([a, mx.sym.tanh(a, name="b")])
    seen = []
    for contexts in ([mx.cpu()], [mx.cpu(i) for i in range(3)]):
        module = mx.mod.Module(net, label_names=None, context=contexts)
        module.bind([("data", (5, 4))], inputs_need_grad=True)
        module.init_params(mx.init.One())
        x = mx.nd.array(onp.arange(20).reshape(5, 4) / 20)
        module.forward(mx.io.DataBatch([x]), is_train=True)
        module.backward([mx.nd.ones((5, 3)) * 2, mx.nd.array(onp.arange(15).reshape(5, 3))])
        seen += [module.output_names, module.output_shapes]
        seen += [grad.asnumpy().tolist() for grad in module.get_input_grads()]
        module.init_optimizer(optimizer_params={"learning_rate": 0.1})
        module.update()
        seen.append(parameters(module))
    return seen


def fixed(mx):
    """Parameters that are not trained, and factors on learning rates in the Symbol."""
    mx.random.seed(4)
    w = mx.sym.Variable("fc2_weight", lr_mult=0.1, wd_mult=2.0)
    net = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=8, name="fc1")
    net = mx.sym.FullyConnected(mx.sym.relu(net), w, num_hidden=3, name="fc2")
    net = mx.sym.SoftmaxOutput(net, name="softmax")
    module = mx.mod.Module(net, fixed_param_names=["fc1_weight", "fc1_bias"])
    module.fit(
        iterator(mx), num_epoch=2, optimizer_params={"learning_rate": 0.5, "wd": 0.1},
        initializer=mx.init.Normal(0.5),
    )  # fmt: skip
    return parameters(module)


def reshaped(mx):
    """Batches of several lengths, in training and in prediction."""
    mx.random.seed(6)
    module = mx.mod.Module(mlp(mx))
    module.bind([("data", (10, 6))], [("softmax_label", (10,))])
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer_params={"learning_rate": 0.1, "momentum": 0.9})
    x, y = data()
    seen = []
    for size in (10, 4, 16, 10, 3):
        batch = mx.io.DataBatch([mx.nd.array(x[:size])], [mx.nd.array(y[:size])])
        module.forward_backward(batch)
        module.update()
        seen.append(module.output_shapes)
    module.reshape([("data", (2, 6))], [("softmax_label", (2,))])
    seen.append([[name, shape] for name, shape in module.data_shapes])
    return [seen, parameters(module)]


def scored(mx):
    """Every way to measure and to predict."""
    mx.random.seed(7)
    module = mx.mod.Module(mlp(mx))
    batches = iterator(mx, 16)
    module.bind(batches.provide_data, batches.provide_label, for_training=False)
    module.init_params(mx.init.Xavier())
    told = []

    def tell(param):
        told.append([param.epoch, param.nbatch, dict(param.eval_metric.get_name_value())])

    seen = [
        module.score(batches, "acc", score_end_callback=tell, batch_end_callback=[tell], epoch=4),
        module.score(batches, ["acc", "ce"], num_batch=2),
        module.score(batches, mx.metric.CustomMetric(lambda y, p: float(p.sum()), name="sum")),
        [list(x.shape) for x in module.predict(batches, always_output_list=True)],
        [[list(x.shape) for x in each] for each in module.predict(batches, merge_batches=False)],
        module.predict(batches, num_batch=1).asnumpy().tolist(),
        module.predict(mx.nd.array(data()[0][:16])).asnumpy().tolist(),
        [[i, list(out[0].shape), b.pad] for out, i, b in module.iter_predict(batches)],
    ]
    return [*seen, told]


def buckets(mx):
    """Batches of several lengths, each with a Symbol of its own."""
    mx.random.seed(8)

    def sym_gen(length):
        x = mx.sym.Embedding(mx.sym.Variable("data"), input_dim=9, output_dim=4, name="embed")
        cells = mx.sym.SliceChannel(x, num_outputs=length, axis=1, squeeze_axis=True, name="cut")
        state = mx.sym.FullyConnected(cells[0], num_hidden=5, name="first")
        w = mx.sym.Variable("step_weight")
        for t in range(1, length):
            both = mx.sym.Concat(state, cells[t], dim=1)
            state = mx.sym.FullyConnected(both, w, num_hidden=5, no_bias=True, name=f"t{t}")
            state = mx.sym.tanh(state)
        out = mx.sym.FullyConnected(state, num_hidden=3, name="out")
        return mx.sym.SoftmaxOutput(out, name="softmax"), ("data",), ("softmax_label",)

    module = mx.mod.BucketingModule(sym_gen, default_bucket_key=5, context=[mx.cpu(0), mx.cpu(1)])
    module.bind([("data", (4, 5))], [("softmax_label", (4,))])
    module.init_params(mx.init.Xavier())
    module.init_optimizer(optimizer_params={"learning_rate": 0.2, "momentum": 0.9})
    random = onp.random.RandomState(1)
    metric = mx.metric.create("acc")
    for length in (5, 3, 2, 3, 5, 2, 2):
        batch = mx.io.DataBatch(
            [mx.nd.array(random.randint(0, 9, (4, length)))],
            [mx.nd.array(random.randint(0, 3, (4,)))],
            bucket_key=length,
            provide_data=[("data", (4, length))],
            provide_label=[("softmax_label", (4,))],
        )
        module.prepare(batch)
        module.forward(batch)
        module.update_metric(metric, batch.label)
        module.backward()
        module.update()
    names = [sorted(module._buckets), module.data_names, module.output_names]
    return [parameters(module), metric.get(), names, module._curr_bucket_key]


def chained(mx):
    """Two modules one after the other, and one in Python at the end."""
    seen = []
    for last in ("symbol", "python"):
        mx.random.seed(9)
        first = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=8, name="fc1")
        first = mx.sym.Activation(first, act_type="relu", name="relu1")
        second = mx.sym.FullyConnected(mx.sym.Variable("data"), num_hidden=3, name="fc2")
        chain = mx.mod.SequentialModule()
        chain.add(mx.mod.Module(first, label_names=[]))
        if last == "symbol":
            second = mx.sym.SoftmaxOutput(second, name="softmax")
            chain.add(mx.mod.Module(second), take_labels=True, auto_wiring=True)
        else:
            chain.add(mx.mod.Module(second, label_names=[]), auto_wiring=True)

            def gradient(scores, labels):
                found = mx.nd.softmax(scores) - mx.nd.one_hot(labels, 3)
                return found.asnumpy()

            loss = mx.mod.PythonLossModule(grad_func=gradient)
            chain.add(loss, take_labels=True, auto_wiring=True)
        with Heard() as heard:
            chain.fit(
                iterator(mx), num_epoch=2, optimizer_params={"learning_rate": 0.2},
                initializer=mx.init.Xavier(),
            )  # fmt: skip
        seen += [parameters(chain), heard.lines, chain.data_names, chain.output_names]
        seen.append([list(x) for x in chain.output_shapes])
    return seen


def stateful(mx):
    """States that are handed on from batch to batch."""
    mx.random.seed(1)
    new = mx.sym.FullyConnected(
        mx.sym.Concat(mx.sym.Variable("data"), mx.sym.Variable("state", shape=(0, 3)), dim=1),
        num_hidden=3, name="fc",
    )  # fmt: skip
    out = mx.sym.LinearRegressionOutput(mx.sym.sum(new, axis=1), mx.sym.Variable("label"))
    net = mx.sym.Group([out, mx.sym.BlockGrad(new, name="new")])
    module = mx.mod.Module(
        net, ["data"], ["label"], state_names=["state"], context=[mx.cpu(0), mx.cpu(1)]
    )
    seen = []
    module.bind([("data", (4, 2))], [("label", (4,))])
    module.init_params(mx.init.Normal(0.3))
    module.init_optimizer(optimizer_params={"learning_rate": 0.1})
    module.set_states(value=0.5)
    for step in range(3):
        batch = mx.io.DataBatch([mx.nd.ones((4, 2)) * step], [mx.nd.ones((4,))])
        module.forward(batch)
        states = module.get_outputs(merge_multi_context=False)[1:]
        module.set_states(states=states)
        module.backward()
        module.update()
        held = module.get_states(merge_multi_context=False)
        seen.append([[x.asnumpy().tolist() for x in parts] for parts in held])
    return [seen, parameters(module)]


def feed_forward(contexts=1, **options):
    """Return a program that trains a FeedForward on arrays of NumPy."""

    def program(mx):
        mx.random.seed(11)
        onp.random.seed(11)  # noqa: NPY002 - the iterators shuffle by it
        x, y = data()
        fit = {k: options[k] for k in ("work_load_list", "eval_metric", "kvstore") if k in options}
        made = {key: value for key, value in options.items() if key not in fit}
        made = {"num_epoch": 3, "numpy_batch_size": 8, "learning_rate": 0.3, **made}
        model = mx.model.FeedForward(
            mlp(mx), ctx=[mx.cpu(i) for i in range(contexts)], initializer=mx.init.Xavier(), **made
        )
        with Heard() as heard:
            model.fit(
                x, y, eval_data=(x[:16], y[:16]),
                batch_end_callback=mx.callback.Speedometer(8, 2), **fit,
            )  # fmt: skip
        outputs, inputs, labels = model.predict(mx.io.NDArrayIter(x, y, 16), return_data=True)
        return [
            values(model.arg_params),
            heard.lines,
            model.predict(x).tolist(),
            [outputs.tolist(), list(inputs.shape), labels.tolist()],
            model.score(mx.io.NDArrayIter(x, y, 8)),
        ]

    return program


def initialized(mx):
    """What the initializers of a Module and of a FeedForward give each parameter."""
    mx.random.seed(12)
    net = convolutional(mx)
    x, y = data(12, 36)
    batches = mx.io.NDArrayIter(x.reshape(12, 1, 6, 6), y, 12)
    seen = []
    for initializer in (mx.init.Uniform(0.1), mx.init.Xavier(magnitude=2)):
        module = mx.mod.Module(net)
        module.bind(batches.provide_data, batches.provide_label)
        module.init_params(initializer)
        seen.append(parameters(module))
        model = mx.model.FeedForward(net, num_epoch=0, initializer=initializer)
        model._init_params(batches.provide_data + batches.provide_label)
        seen.append([values(model.arg_params), values(model.aux_params)])
    return seen


def rows(optimizer, contexts=1, **options):
    """Return a program that fits weights of rows to matrices of elements."""

    def program(mx):
        sym, numbers = mx.sym, onp.random.RandomState(3)
        x = sym.var("data", stype="csr")
        score = sym.sparse.dot(x, sym.var("w", shape=(4, 1), stype="row_sparse"))
        factors = sym.var("v", shape=(4, 2), stype="row_sparse")
        squares = sym._internal._square_sum(factors, axis=1, keepdims=True)
        score = score + sym.sparse.dot(sym.sparse.square(x), squares)
        net = sym.LinearRegressionOutput(score, sym.var("label"), name="out")
        values = numbers.rand(12, 4) * (numbers.rand(12, 4) > 0.5)
        data = mx.nd.array(values.astype("float32")).tostype("csr")
        label = mx.nd.array(numbers.rand(12, 1).astype("float32"))
        batches = mx.io.NDArrayIter(
            data, {"label": label}, batch_size=4, last_batch_handle="discard"
        )
        devices = [mx.cpu(i) for i in range(contexts)]
        module = mx.mod.Module(net, label_names=["label"], context=devices)
        arrays = {"w": mx.nd.array([[0.1], [0.2], [0.3], [0.4]]), "v": mx.nd.ones((4, 2)) * 0.1}
        starts = {name: array.tostype("row_sparse") for name, array in arrays.items()}
        module.bind(batches.provide_data, batches.provide_label)
        module.init_params(arg_params=starts)
        module.init_optimizer(optimizer=optimizer, optimizer_params=options)
        everything = mx.nd.arange(4, dtype="int64")
        all_rows = (lambda _: dict.fromkeys("wv", everything)) if contexts > 1 else None
        for _ in range(2):
            batches.reset()
            for batch in batches:
                module.prepare(batch, sparse_row_id_fn=all_rows)
                module.forward(batch, is_train=True)
                module.backward()
                module.update()
        module.prepare(batch, sparse_row_id_fn=all_rows)
        found = module.get_params()[0]
        stypes = {name: array.stype for name, array in found.items()}
        kinds = [array.stype for array in module._exec_group.execs[0].arg_arrays]
        return [stypes, kinds, {name: a.asnumpy().tolist() for name, a in found.items()}]

    return program


PROGRAMS = {
    "sgd": fitted(),
    "momentum": fitted(options={"learning_rate": 0.3, "momentum": 0.9, "wd": 0.01}),
    "adam": fitted("adam", options={"learning_rate": 0.05}),
    "schedule": fitted("nag", options={"learning_rate": 0.3, "momentum": 0.5, "schedule": 4}),
    "rmsprop_ce": fitted("rmsprop", options={"learning_rate": 0.01}, eval_metric=["acc", "ce"]),
    "two_contexts": fitted(contexts=2),
    "four_contexts": fitted("adam", contexts=4, options={"learning_rate": 0.05}),
    "work_load": fitted(contexts=3, module_options={"work_load_list": [1, 2, 2]}),
    "device": fitted(contexts=2, kvstore="device", options={"learning_rate": 0.3, "momentum": 0.9}),
    "no_store": fitted("adam", contexts=2, kvstore=None, options={"learning_rate": 0.05}),
    "validation_metric": fitted(validation_metric="ce"),
    "images": images(1),
    "images_two_contexts": images(2),
    "by_hand": by_hand,
    "head_gradients": head_gradients,
    "fixed": fixed,
    "reshaped": reshaped,
    "scored": scored,
    "buckets": buckets,
    "chained": chained,
    "stateful": stateful,
    "initialized": initialized,
    "rows": rows("sgd", learning_rate=0.1),
    "rows_adam": rows("adam", learning_rate=0.1),
    "rows_two_contexts": rows("sgd", 2, learning_rate=0.1),
    "feed_forward": feed_forward(),
    "feed_forward_two_contexts": feed_forward(2, momentum=0.9),
    "feed_forward_epoch_size": feed_forward(epoch_size=7, optimizer="adam", learning_rate=0.02),
    "feed_forward_work_load": feed_forward(2, work_load_list=[1, 3], eval_metric=["acc", "ce"]),
}
