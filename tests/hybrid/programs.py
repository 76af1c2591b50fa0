"""Programs that a captured graph has to get right: each yields what it sees, step by step."""

from __future__ import annotations

import tempfile
import threading
from collections import namedtuple
from pathlib import Path

import numpy as onp

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn, rnn

Pair = namedtuple("Pair", ["first", "second"])


def data(*shape, seed=0, dtype="float32", ctx=None):
    values = onp.random.default_rng(seed).normal(size=shape)
    return nd.array(values, dtype=dtype, ctx=ctx)


def block(forward, **attributes):
    """Return a Block with a forward and with attributes."""

    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

    Net.forward = forward
    return Net()


def sequential(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return net


def arrays_of(value):
    if isinstance(value, nd.NDArray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    if isinstance(value, (list, tuple)):
        return [array for part in value for array in arrays_of(part)]
    return []


def step(net, *args, **kwargs):
    """Return a prediction, a recorded result, its gradients, and the parameters afterwards."""
    predicted = net(*args, **kwargs)
    inputs = [array for array in arrays_of(args) if array.dtype in (onp.float32, onp.float64)]
    for array in inputs:
        array.attach_grad()
    with autograd.record():
        result = net(*args, **kwargs)
        total = 0
        for position, array in enumerate(arrays_of(result)):
            if array.dtype in (onp.float16, onp.float32, onp.float64):
                weights = data(*array.shape, seed=position, dtype=array.dtype, ctx=array.context)
                total = total + (array * weights).sum().astype("float32")
    total.backward()
    return predicted, result, [array.grad for array in inputs], state_of(net)


def state_of(net):
    found = []
    for param in net.collect_params().values():
        for ctx in param.list_ctx():
            found.append(param.data(ctx).copy())
            if param.grad_req != "null":
                found.append(param.grad(ctx).copy())
    return found


# --- Python ---------------------------------------------------------------------------------


def control_flow_on_shapes_and_attributes(start):
    def forward(self, x):
        for _ in range(x.shape[0]):
            x = self.dense(x)
        if x.ndim == 2 and self.is_deep:
            x = x * 2 if x.shape[0] > 2 else self.dense(x).tanh()
        while x.size > 4:
            x = x[:-1]
        return x

    net = start(block(forward, dense=nn.Dense(2, in_units=2), is_deep=True))
    for rows, is_deep in ((2, True), (4, True), (4, False), (2, True)):
        net.is_deep = is_deep
        yield step(net, data(rows, 2))


def control_flow_on_data(start):
    def forward(self, x):
        y = self.first(x)
        if y.sum().asscalar() > 0:
            return self.second(y)
        return self.first(x) - 1

    net = start(block(forward, first=nn.Dense(3, in_units=3), second=nn.Dense(2, in_units=3)))
    for seed in (1, 1, 2, 3):
        yield step(net, data(2, 3, seed=seed))
    assert net.graph is None
    assert net._graphs is None or net.first.graph is not None


def nested_inputs_and_outputs(start):
    def forward(self, x, states, nothing=None, *, scale=None, names=("a",)):
        new = [self.dense(state) for state in states["all"]]
        if nothing is None:
            x = x * len(names)
        out = {"out": x * scale, "states": (new, None, 3), "text": "a"}
        return out, [Pair(x + 1, nothing)], None

    net = start(block(forward, dense=nn.Dense(2, in_units=2)))
    x, scale = data(2, 2), data(1, seed=5)
    states = {"all": (data(3, 2), [data(1, 2)][0])}
    yield step(net, x, states, scale=scale)
    yield step(net, x, states, scale=scale * 2, names=("a", "b"))
    yield step(net, x, states, nothing=data(1), scale=scale)
    yield step(net, x, {"all": []}, scale=scale)


def several_outputs(start):
    class Split(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Dense(2, in_units=4), nn.Dense(3, in_units=4)

        def hybrid_forward(self, F, x, y):
            first, second = F.split(x, num_outputs=2)
            return self.a(x), [self.b(x), first * y], second

    net = start(Split())
    for seed in (1, 2):
        yield step(net, data(3, 4, seed=seed), data(3, 2, seed=seed))


def results_that_share_memory(start):
    def forward(self, x):
        y = x * 2
        return y, y, y.T, x, x.reshape((-1,)), self.w.data(), self.w.data().T

    net = block(forward)
    net.w = net.params.get("w", shape=(2, 3))
    start(net)
    for seed in (1, 2, 3):
        x = data(2, 3, seed=seed)
        y, same, turned, given, flat, weight, weight_turned = net(x)
        yield given is x
        y[:] = 1
        yield same, turned
        flat[:] = 2
        yield x
        weight[:] = seed
        weight_turned[0] = 7
        yield net.w.data()
        yield step(net, data(2, 3, seed=seed))


def writing_in_place(start):
    def forward(self, x):
        y = x * 2
        y[0] = 5
        z = self.dense(y)
        z[:, 1:] = z[:, :1] * 2
        z += 1
        return z

    net = start(block(forward, dense=nn.Dense(2, in_units=2)))
    for seed in (1, 2, 3):
        yield net(data(3, 2, seed=seed))
    assert net._graphs is None or net.graph is not None


def writing_to_other_shapes(start):
    def forward(self, x):
        y = self.convolution(x)
        y.reshape((-1,))[3] = 5
        return y, y.reshape((2, -1)) * 2

    net = start(block(forward, convolution=nn.Conv2D(4, 3, in_channels=2)))
    for seed in (1, 2, 3):
        yield net(data(2, 2, 5, 5, seed=seed))
    assert net._graphs is None or net.graph is not None


def reshaping_arguments_in_another_order(start):
    net = start(block(lambda self, x: x.reshape((2, -1)) * 2))
    for seed in (1, 2, 3):
        x = nd.relu(data(2, 5, 5, 3, seed=seed).transpose((0, 3, 1, 2)))
        yield net(x), x
    assert net._graphs is None or net.graph is not None


def writing_to_arguments_of_other_shapes(start):
    def forward(self, x):
        x.reshape((-1,))[3] = 5
        return x * 2

    net = start(block(forward))
    for seed in (1, 2, 3):
        x = nd.relu(data(2, 5, 5, 3, seed=seed).transpose((0, 3, 1, 2)))
        yield net(x), x


def writing_to_arguments(start):
    def forward(self, x, buffer):
        buffer[:] = self.dense(x)
        buffer += 1
        return buffer * x

    net = start(block(forward, dense=nn.Dense(2, in_units=2)))
    for seed in (1, 2, 3):
        buffer = nd.zeros((3, 2))
        yield net(data(3, 2, seed=seed), buffer), buffer
    yield net(buffer, buffer[:]), buffer


# --- layers ---------------------------------------------------------------------------------


def dense_net(start):
    net = start(sequential(nn.Dense(8, "relu"), nn.Dense(3)))
    for seed in (1, 2):
        yield step(net, data(4, 5, seed=seed))


def dropout_draws_the_stream_of_eager_calls(start):
    net = start(sequential(nn.Dense(16, in_units=5), nn.Dropout(0.5), nn.Dropout(0.3)))
    for seed in (1, 1, 2):
        yield step(net, data(4, 5, seed=seed))
        yield nd.random.uniform(shape=(2,))
    with autograd.train_mode():
        yield net(data(4, 5))
    with autograd.record(train_mode=False):
        yield net(data(4, 5))


def draws_among_computations(start):
    def forward(self, x):
        noise = nd.random.normal(0, 2, shape=(2, 3))
        y = self.dropout(x * noise)
        return y + nd.random.uniform(shape=(1, 3)), nd.random.randint(0, 9, shape=(4,))

    net = start(block(forward, dropout=nn.Dropout(0.5)))
    for seed in (1, 2):
        yield step(net, data(2, 3, seed=seed))


def running_statistics(start):
    net = sequential(nn.Conv2D(4, 3, in_channels=3), nn.BatchNorm(), nn.Activation("relu"))
    net.add(nn.MaxPool2D(), nn.Dense(2))
    start(net)
    for seed in (1, 2, 3):
        yield step(net, data(2, 3, 8, 8, seed=seed))
        with autograd.train_mode():
            yield net(data(2, 3, 8, 8)), state_of(net)


def embedding_with_integers(start):
    net = start(sequential(nn.Embedding(9, 4), nn.LayerNorm(), nn.Dense(2, flatten=False)))
    for dtype in ("int32", "int64", "float32"):
        yield step(net, nd.array([[1, 2], [8, 0]], dtype=dtype))


def recurrent_layers(start):
    def forward(self, x, states):
        x, (h, c) = self.lstm(x, states)
        return self.gru(x) + self.rnn(x), h, c

    layers = {
        "lstm": rnn.LSTM(4, num_layers=2, dropout=0.3, input_size=3),
        "gru": rnn.GRU(2, bidirectional=True, input_size=4),
        "rnn": rnn.RNN(4, input_size=4),
    }
    net = start(block(forward, **layers))
    for size in (2, 2, 1):
        states = net.lstm.begin_state(size)
        yield step(net, data(5, size, 3), states)


def recurrent_cells(start):
    def forward(self, x, states):
        outputs, states = self.cell.unroll(3, x, states, layout="NTC", merge_outputs=True)
        return outputs, states

    cell = rnn.SequentialRNNCell()
    cell.add(rnn.LSTMCell(4, input_size=3))
    cell.add(rnn.DropoutCell(0.3))
    cell.add(rnn.ResidualCell(rnn.GRUCell(4, input_size=4)))
    cell.add(rnn.RNNCell(2, input_size=4))
    net = start(block(forward, cell=cell))
    for seed in (1, 2):
        cell.reset()
        yield step(net, data(2, 3, 3, seed=seed), cell.begin_state(2))


def attention_with_a_mask(start):
    def forward(self, x, mask):
        q, k, v = (self.project(x).split(3, axis=2)[i] for i in range(3))
        scores = nd.batch_dot(q, k, transpose_b=True) / 2
        scores = nd.where(nd.broadcast_to(mask, scores.shape), scores, nd.ones_like(scores) * -1e9)
        return self.norm(x + nd.batch_dot(nd.softmax(scores), v)), scores.argmax(axis=2)

    net = block(forward, project=nn.Dense(12, flatten=False, in_units=4), norm=nn.LayerNorm())
    start(net)
    for seed in (1, 2):
        mask = nd.array(onp.tril(onp.ones((1, 5, 5))))
        yield step(net, data(2, 5, 4, seed=seed), mask.astype("int32"))


def losses(start):
    net = start(sequential(nn.Dense(3, in_units=4)))
    kinds = [
        gluon.loss.SoftmaxCrossEntropyLoss(),
        gluon.loss.L1Loss(),
        gluon.loss.HuberLoss(),
        gluon.loss.SigmoidBinaryCrossEntropyLoss(),
    ]
    for loss in kinds:
        start(loss)
        for seed in (1, 2):
            label = nd.array([0, 2]) if loss is kinds[0] else data(2, 3, seed=9).abs()
            with autograd.record():
                value = loss(net(data(2, 4, seed=seed)), label)
            value.backward()
            yield value, state_of(net)


# --- parameters -----------------------------------------------------------------------------


def shared_parameters(start):
    first = nn.Dense(3, in_units=3)
    net = sequential(first, nn.Activation("tanh"), nn.Dense(3, in_units=3, params=first.params))
    net.add(first)
    start(net)
    for seed in (1, 2):
        yield step(net, data(2, 3, seed=seed))
    first.weight.set_data(data(3, 3, seed=8))
    yield step(net, data(2, 3))


def tied_weights(start):
    class Model(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.embed = nn.Embedding(7, 3)
            self.out = nn.Dense(7, in_units=3, params=self.embed.params, flatten=False)

        def hybrid_forward(self, F, ids):
            return self.out(F.tanh(self.embed(ids)))

    net = start(Model())
    for ids in ([1, 2], [2, 6]):
        yield step(net, nd.array([ids]))


def gradients_written_added_and_dropped(start):
    net = start(sequential(nn.Dense(4, in_units=3), nn.BatchNorm(in_channels=4), nn.Dense(1)))
    net(data(2, 3))
    for request in ("write", "add", "add", "null", "write"):
        net.collect_params(".*weight").setattr("grad_req", request)
        for seed in (1, 2):
            yield step(net, data(3, 3, seed=seed))
    net.collect_params().setattr("grad_req", "null")
    net[0].bias.grad_req = "write"
    yield step(net, data(3, 3))


def gradients_of_inputs(start):
    def forward(_, x, y):
        return x * y, (x.detach() * y).sum()

    net = start(block(forward))
    for request, attached in (("write", (0, 1)), ("add", (0,)), ("write", (1,)), ("null", (0, 1))):
        arrays = [data(2, 2), data(2, 2, seed=4)]
        for position in attached:
            arrays[position].attach_grad(request)
        for _ in range(2):
            with autograd.record():
                out, total = net(*arrays)
                out = out.sum() + total
            if request != "null":
                out.backward()
        yield out, [array.grad for array in arrays]
    x = data(2, 2)
    x.attach_grad()
    with autograd.record():
        first, _ = net(x * 3, x)
    first.backward(data(2, 2, seed=7))
    yield x.grad


def values_set_after_the_capture(start):
    net = start(sequential(nn.Dense(3, in_units=2), nn.BatchNorm(in_channels=3)))
    x = data(4, 2)
    yield step(net, x)
    net[0].weight.set_data(data(3, 2, seed=4))
    yield step(net, x)
    net[0].bias.data()[:] = 3
    net[1].running_mean.data()[1] = -1
    yield step(net, x)
    net.initialize(mx.init.Constant(0.3), force_reinit=True)
    yield step(net, x)
    with tempfile.TemporaryDirectory() as folder:
        file = str(Path(folder) / "net.params")
        net.save_parameters(file)
        net[0].weight.set_data(data(3, 2, seed=4))
        yield step(net, x)
        net.load_parameters(file)
        yield step(net, x)


def dtypes(start):
    net = start(sequential(nn.Dense(3, in_units=2), nn.Activation("tanh"), nn.LayerNorm()))
    for dtype in ("float32", "float64", "float16", "float32"):
        net.cast(dtype)
        for seed in (1, 2):
            yield step(net, data(4, 2, seed=seed, dtype=dtype))


def contexts(start):
    net = start(sequential(nn.Dense(3, in_units=2), nn.BatchNorm(in_channels=3)))
    yield step(net, data(4, 2))
    net.collect_params().reset_ctx([mx.cpu(0), mx.cpu(1)])
    for seed, ctx in ((1, mx.cpu(0)), (2, mx.cpu(1)), (3, mx.cpu(1)), (4, mx.cpu(0))):
        yield step(net, data(4, 2, seed=seed, ctx=ctx))
    net.collect_params().reset_ctx(mx.cpu(1))
    yield step(net, data(4, 2, ctx=mx.cpu(1)))
    with mx.cpu(1):
        net = start(block(lambda _, x: x + nd.ones((2,))))
        yield step(net, data(2))


def last_partial_batch(start):
    net = start(sequential(nn.Conv1D(3, 2, in_channels=2), nn.GlobalAvgPool1D(), nn.Dense(2)))
    for epoch in range(2):
        for size in (4, 4, 3, 1):
            yield step(net, data(size, 2, 5, seed=epoch))
    yield step(net, data(4, 2, 9))


def no_samples(start):
    mx.npx.set_np()
    net = nn.Dense(3, in_units=2)
    start(net)
    for size in (0, 2, 0):
        x = mx.np.ones((size, 2))
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward()
        yield y, x.grad, net.weight.grad()
    mx.npx.reset_np()


def memory_in_another_order(start):
    net = start(sequential(nn.Dense(3, in_units=4, flatten=False), nn.Activation("tanh")))
    base = data(6, 4, 5)
    yield step(net, base.reshape((6, 5, 4)))
    yield step(net, base.transpose((0, 2, 1)))
    yield step(net, nd.slice(data(9, 7, 6), begin=(2, 1, 1), end=(8, 6, 5)))
    yield step(net, data(4, 5, 6).transpose((2, 1, 0)))


# --- changes --------------------------------------------------------------------------------


def child_hybridized_inside(start):
    child = sequential(nn.Dense(4, "relu", in_units=3), nn.Dropout(0.3))
    net = sequential(child, nn.Dense(2, in_units=4))
    start(net)
    start(child)
    for seed in (1, 2):
        yield step(net, data(2, 3, seed=seed))
        yield step(child, data(2, 3, seed=seed))


def child_alone(start):
    child = nn.Dense(4, in_units=3)
    net = block(lambda self, x: self.child(x) * 2, child=child)
    start(child)
    for seed in (1, 2):
        yield step(net, data(2, 3, seed=seed))


def hooks(start):
    net = sequential(nn.Dense(4, in_units=3), nn.Dense(2, in_units=4))
    seen = []
    start(net)
    yield step(net, data(2, 3))
    handles = [
        net.register_forward_pre_hook(lambda _, inputs: seen.append(inputs[0].copy())),
        net.register_forward_hook(lambda _, inputs, out: seen.append(out.copy())),
    ]
    yield step(net, data(2, 3)), list(seen)
    handles.append(net[0].register_forward_hook(lambda *parts: seen.append(parts[2].copy())))
    for seed in (1, 2):
        yield step(net, data(2, 3, seed=seed)), list(seen)
    for handle in handles:
        handle.detach()
    yield step(net, data(2, 3)), list(seen)


def switched_off_and_on(start):
    net = sequential(nn.Dense(4, in_units=3), nn.Dropout(0.5), nn.Dense(2, in_units=4))
    start(net)
    yield step(net, data(2, 3))
    was_hybrid = net._graphs is not None
    net.hybridize(False)
    yield step(net, data(2, 3))
    net.hybridize(was_hybrid, backend="fx")
    yield step(net, data(2, 3))


def children_added_and_replaced(start):
    net = start(sequential(nn.Dense(2, in_units=2)))
    for seed in (1, 2):
        yield step(net, data(2, 2))
        last = nn.Dense(2, in_units=2)
        last.initialize(mx.init.Constant(seed / 4))
        net.add(last)
        yield step(net, data(2, 2))
    other = block(lambda self, x: self.dense(x), dense=nn.Dense(2, in_units=2))
    start(other)
    yield step(other, data(2, 2))
    other.dense = nn.Dense(5, in_units=2)
    other.initialize(mx.init.Constant(2))
    yield step(other, data(2, 2))


def errors_in_the_middle(start):
    def forward(self, x):
        y = self.norm(self.dense(x))
        if self.is_broken:
            msg = "broken"
            raise ValueError(msg)
        return self.last(y)

    net = block(
        forward,
        dense=nn.Dense(3),
        norm=nn.BatchNorm(in_channels=3),
        last=nn.Dense(2),
        is_broken=False,
    )
    start(net)
    for is_broken in (True, False, True, False):
        net.is_broken = is_broken
        for _ in range(2):
            try:
                yield step(net, data(2, 4))
            except ValueError as error:
                yield str(error), autograd.is_recording(), net.norm.running_mean.data()
        try:
            yield step(net, data(2, 5))
        except (ValueError, mx.MXNetError) as error:
            yield isinstance(error, mx.MXNetError)


def several_threads(start):
    net = start(sequential(nn.Dense(8, "relu", in_units=4), nn.Dropout(0.4), nn.Dense(3)))
    net(data(2, 4))
    found = {}

    def work(number):
        mx.random.seed(number)
        rows = 2 + number % 2
        results = []
        for seed in range(6):
            x = data(rows, 4, seed=number * 10 + seed)
            x.attach_grad()
            with autograd.record():
                out = net(x)
            (grad,) = autograd.grad([out], [x])
            results += [out, grad, net(x)]
        found[number] = results

    threads = [threading.Thread(target=work, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    yield [found[number] for number in range(4)]


def more_signatures_than_are_kept(start):
    net = start(nn.Dense(2, in_units=2))
    for rows in (1, 2, 3, 4, 1, 2):
        yield step(net, data(rows, 2))
    assert net._graphs is None or len(net._graphs.graphs) <= 3


def recording_and_training_modes(start):
    net = start(sequential(nn.Dense(4, in_units=3), nn.BatchNorm(in_channels=4), nn.Dropout(0.5)))
    x = data(5, 3)
    for _ in range(2):
        yield net(x)
        with autograd.train_mode():
            yield net(x)
        with autograd.record(train_mode=False):
            out = net(x)
            with autograd.pause():
                yield net(x)
            with autograd.predict_mode():
                yield net(x)
        out.backward()
        yield out, state_of(net)
    for train_mode in (True, False):
        with autograd.record(train_mode=False):
            out = net(x)
        out.backward(train_mode=train_mode)
        yield out, state_of(net)


def higher_gradients(start):
    net = start(sequential(nn.Dense(4, "tanh", in_units=3), nn.Dense(1, in_units=4)))
    x = data(2, 3)
    x.attach_grad()
    for _ in range(2):
        with autograd.record():
            (slope,) = autograd.grad(net(x).sum(), [x], create_graph=True)
            total = (slope**2).sum()
        total.backward()
        yield total, x.grad, state_of(net)


def training(start):
    net = sequential(nn.Dense(8, in_units=4), nn.BatchNorm(in_channels=8), nn.Dropout(0.2))
    net.add(nn.Activation("relu"), nn.Dense(2, in_units=8))
    start(net)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
    for number, size in enumerate((4, 4, 3, 4)):
        with autograd.record():
            loss = ((net(data(size, 4, seed=number)) - 1) ** 2).mean()
        loss.backward()
        trainer.step(1)
        yield loss, state_of(net), net(data(2, 4))
