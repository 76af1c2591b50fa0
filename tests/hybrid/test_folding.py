"""Parameters that are settled go into what is computed of them, until somebody writes to them."""

from __future__ import annotations

import gc
import threading
import weakref

import numpy as onp
import pytest
import torch
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
from gluonish.hybrid.inference import adopting, folding, heats
from gluonish.hybrid.inference.adopting import Inference, State
from gluonish.hybrid.tuning import Tuner
from gluonish.process.torch_names import convolution_onto, convolution_pointwise, linear_pointwise

SHAPE = (4, 8, 24, 24)


@pytest.fixture(autouse=True)
def wins(monkeypatch):
    """Have folding win every race, after one round."""

    class Won(heats.Heats):
        def add(self, seconds):
            self.best = [1.0, 0.5]
            return True

    monkeypatch.setattr(adopting, "Heats", Won)
    monkeypatch.setattr(adopting, "seconds_alone", lambda *_: 0.0)
    monkeypatch.setattr(adopting, "_cost_of", lambda begin: 0.1)


class Residual(gluon.HybridBlock):
    def __init__(self, swapped=False, function="relu", **options):
        super().__init__(**options)
        self.swapped, self.function = swapped, function
        with self.name_scope():
            self.body = nn.HybridSequential()
            self.body.add(conv(), nn.BatchNorm(in_channels=8))
            self.side = nn.HybridSequential()
            self.side.add(conv(), nn.BatchNorm(in_channels=8))

    def hybrid_forward(self, F, x):
        x = F.relu(x)
        a, b = self.body(x), self.side(x)
        total = b + a if self.swapped else a + b
        return getattr(F, self.function)(total)


class ReadLater(gluon.HybridBlock):
    """Reads an array after its memory could have been taken for a sum."""

    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.first, self.second, self.third = conv(), conv(), conv()

    def hybrid_forward(self, F, x):
        a = self.first(x)
        late = self.second(a)
        early = self.third(x) + a
        return F.relu(early * 2 + late) + late


class Several(gluon.HybridBlock):
    """Gives what is on the way, too, and something of parameters alone."""

    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.first, self.second = conv(), conv()
            self.scale = self.params.get("scale", shape=(1, 8, 1, 1), init="ones")

    def hybrid_forward(self, F, x, scale):
        a = self.first(x)
        b = F.relu(a)
        return a, self.second(b) + a, scale * 2, b.reshape((0, -1)), b * scale


class Looping(gluon.HybridBlock):
    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.body, self.dense = conv(), nn.Dense(64, in_units=4608)

    def hybrid_forward(self, F, x):
        y = F.relu(self.body(x))
        outs, _ = F.contrib.foreach(lambda row, total: (row + total, row + total), y, y[0])
        return self.dense(outs)


class Attention(gluon.HybridBlock):
    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.q, self.k, self.v = (nn.Dense(64, flatten=False, in_units=64) for _ in range(3))
            self.norm, self.drop = nn.LayerNorm(in_channels=64), nn.Dropout(0.5)
            self.wide, self.narrow = wide(), nn.Dense(64, flatten=False, in_units=256)

    def hybrid_forward(self, F, x):
        x = F.slice_axis(x.reshape((-1, 32, 64)), axis=0, begin=0, end=2)
        score = F.softmax(F.batch_dot(self.q(x), self.k(x), transpose_b=True) / 8)
        x = self.norm(x + self.drop(F.batch_dot(score, self.v(x))))
        return x + self.drop(self.narrow(self.wide(x)))


def wide():
    layer = nn.HybridSequential()
    layer.add(nn.Dense(256, flatten=False, in_units=64), nn.GELU())
    return layer


def conv(channels=8, kernel=3, **options):
    options = {"padding": kernel // 2, "in_channels": 8, **options}
    return nn.Conv2D(channels, kernel, **options)


def chain(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return net


NETS = {
    "norm and relu": lambda: chain(conv(64), nn.BatchNorm(), nn.Activation("relu")),
    "no bias": lambda: chain(conv(64, use_bias=False), nn.BatchNorm(), nn.Activation("tanh")),
    "no scale": lambda: chain(conv(64), nn.BatchNorm(scale=False, center=False)),
    "norm first": lambda: chain(nn.BatchNorm(), nn.Activation("relu"), conv(64)),
    "strides": lambda: chain(conv(64, strides=2, dilation=2), nn.LeakyReLU(0.1)),
    "groups": lambda: chain(
        conv(64, groups=8), nn.BatchNorm(), nn.Swish(), conv(8, in_channels=64)
    ),
    "1x1": lambda: chain(conv(64, 1), nn.ELU(), conv(64, 1, in_channels=64, activation="sigmoid")),
    "pooled": lambda: chain(
        conv(64, activation="relu"), nn.MaxPool2D(), nn.GlobalAvgPool2D(), nn.Flatten(), nn.Dense(9)
    ),
    "dense": lambda: chain(
        nn.Flatten(), nn.Dense(300, activation="relu"), nn.BatchNorm(), nn.Dropout(0.5), nn.Dense(3)
    ),
    "dense and norm": lambda: chain(nn.Dense(300), nn.BatchNorm(), nn.GELU(), nn.Dense(300)),
    "clipped": lambda: chain(
        conv(64), nn.BatchNorm(), nn.HybridLambda(lambda F, x: F.clip(x, 0, 6))
    ),
    "residual": Residual,
    "residual, swapped": lambda: Residual(swapped=True),
    "residual and tanh": lambda: Residual(function="tanh"),
    "read later": ReadLater,
    "several": Several,
    "looping": Looping,
    "attention": Attention,
}
NETS["norm used twice"] = lambda: chain(conv(64), Twice())


class Twice(gluon.HybridBlock):
    def __init__(self, **options):
        super().__init__(**options)
        with self.name_scope():
            self.norm = nn.BatchNorm(in_channels=64)

    def hybrid_forward(self, F, x):
        return self.norm(x) * F.relu(x)


def made(name="norm and relu"):
    net = NETS[name]()
    net.initialize(mx.init.Uniform(0.5))
    net(nd.random.normal(shape=SHAPE))
    for param in net.collect_params().values():
        if "running" in param.name or "gamma" in param.name or "beta" in param.name:
            param.set_data(nd.random.uniform(0.5, 2, param.shape))
    return net


def folded(net, x):
    """Return what runs the net's graph, once it has folded its parameters."""
    net.optimize_for(x)
    run = inference_of(net)
    assert run.state is State.FOLDED, net.hybrid_report()
    return run


def inference_of(net):
    run = net._graphs.latest.run
    return run._inference if isinstance(run, Tuner) else run


def plain(net, *args):
    """Return what a net computes without its graphs."""
    graphs, net._graphs = net._graphs, None
    before = {}
    net.apply(lambda block: before.setdefault(block, block._graphs))
    for block in before:
        block._graphs = None
    try:
        return net(*args)
    finally:
        for block, own in before.items():
            block._graphs = own
        net._graphs = graphs


def assert_same(found, expected):
    if not isinstance(found, (list, tuple)):
        found, expected = [found], [expected]
    for one, right in zip(found, expected, strict=True):
        scale = abs(right.asnumpy()).max()
        onp.testing.assert_allclose(one.asnumpy(), right.asnumpy(), rtol=0, atol=1e-5 * scale)


def targets(run):
    graph = run._folding._graph
    return [node.target for node in graph.nodes if not run._folding._is_constant(node)]


@pytest.mark.parametrize("name", NETS)
def test_folded_nets_compute_the_same(name):
    net = made(name)
    x = nd.random.normal(shape=SHAPE)
    run = folded(net, x)
    for _ in range(3):
        x = nd.random.normal(shape=SHAPE)
        assert_same(net(x), plain(net, x))
    assert run.state is State.FOLDED
    (row,) = net.hybrid_report().rows
    assert (row.backend, row.state) == ("folded", "folded")


def test_norms_functions_and_sums_are_part_of_a_convolution():
    net = chain(conv(), nn.BatchNorm(), nn.Activation("relu"), Residual(), conv(9, use_bias=False))
    net.initialize()
    x = nd.random.normal(shape=SHAPE)
    run = folded(net, x)
    calls = [each for each in targets(run) if each not in ("contiguous", "output")]
    assert calls == [
        "input0", convolution_pointwise, torch.relu, convolution_pointwise, convolution_onto,
        convolution_pointwise,
    ] or calls == [
        "input0", convolution_pointwise, convolution_pointwise, convolution_onto,
        convolution_pointwise,
    ]  # fmt: skip


def test_products_that_take_longer_are_not_folded(monkeypatch):
    monkeypatch.setattr(adopting, "seconds_alone", lambda *_: 1e9)
    net = made()
    x = nd.random.normal(shape=SHAPE)
    net.optimize_for(x)
    assert inference_of(net).state is State.PLAIN
    (row,) = net.hybrid_report().rows
    assert (row.state, row.after) == ("not folded: its products alone take longer", 1e15)
    assert_same(net(x), plain(net, x))


def test_products_are_tried_one_by_one(monkeypatch):
    net = chain(conv(64), *(conv(64, in_channels=64) for _ in range(3)))
    net.initialize()
    x = nd.random.normal(shape=SHAPE)
    made_products = []
    alone = folding.Folding.alone

    def watched(self, tensors):
        for text, make in alone(self, tensors):
            yield text, lambda make=make: [made_products.append(make()), made_products[-1]][1]

    monkeypatch.setattr(folding.Folding, "alone", watched)
    monkeypatch.setattr(adopting, "seconds_alone", heats.seconds_alone)
    monkeypatch.setattr(Inference, "_is_timed", True)
    net.optimize_for(x)
    assert [tuple(product().shape) for product in made_products] == [(4, 64, 24, 24)] * 2


def test_small_products_stay_torchs_own():
    net = chain(nn.Dense(600, in_units=900), nn.Dense(4, in_units=600))
    net.initialize()
    run = folded(net, nd.ones((4, 900)))
    assert [each for each in targets(run) if callable(each)] == [linear_pointwise, torch.addmm]


def test_a_net_without_large_products_is_left_alone():
    net = chain(nn.Dense(4, in_units=3))
    net.initialize()
    net.optimize_for(nd.ones((2, 3)))
    assert inference_of(net).state is State.PLAIN


def other_values(net):
    other = made()
    other.initialize(mx.init.Normal(0.3), force_reinit=True)
    return other


def load(net, folder):
    other = made()
    other.initialize(mx.init.Normal(0.3), force_reinit=True)
    other.save_parameters(str(folder / "net.params"))
    net.load_parameters(str(folder / "net.params"))


def train(net):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    with autograd.record():
        loss = (net(nd.ones(SHAPE)) ** 2).mean()
    loss.backward()
    trainer.step(1)


def move_statistics(net):
    with autograd.record():
        loss = net(nd.random.normal(2, 3, SHAPE)).sum()
    loss.backward()


def by_torch(net):
    module = net.to_torch()
    module(torch.ones(SHAPE)).square().mean().backward()
    torch.optim.SGD(module.parameters(), lr=0.5).step()


def by_dlpack(net):
    torch.utils.dlpack.from_dlpack(net[0].weight.data().to_dlpack_for_write()).mul_(2)


def by_numpy(net):
    onp.from_dlpack(net[0].bias.data())


def pull(net):
    store = mx.kv.create("local")
    store.init(0, net[0].weight.data() * 3)
    store.pull(0, out=net[0].weight.data())


WRITES = {
    "all elements": lambda net: net[0].weight.data().__setitem__(slice(None), 0.3),
    "one element": lambda net: net[0].bias.data().__setitem__(3, 7.0),
    "a view": lambda net: net[0].weight.data().reshape((-1,)).__setitem__(5, 9.0),
    "a slice": lambda net: net[0].weight.data()[2:4].__setitem__(slice(None), 2.0),
    "without its gradient": lambda net: net[0].weight.data().detach().__setitem__(0, 2.0),
    "as a NumPy array": lambda net: net[0].weight.data().as_np_ndarray().__setitem__(0, 2.0),
    "out=": lambda net: nd.sgd_update(
        net[0].weight.data(), nd.ones(net[0].weight.shape), lr=0.1, out=net[0].weight.data()
    ),
    "copyto": lambda net: nd.ones(net[0].bias.shape).copyto(net[0].bias.data()),
    "set_data": lambda net: net[0].weight.set_data(net[0].weight.data() * 2),
    "statistics": lambda net: net[1].running_var.data().__setitem__(slice(None), 4.0),
    "moved statistics": move_statistics,
    "a Trainer": train,
    "a KVStore": pull,
    "torch's optimizer": by_torch,
    "DLPack": by_dlpack,
    "initialize": lambda net: net.initialize(mx.init.Normal(0.3), force_reinit=True),
    "setattr": lambda net: net.collect_params().setattr("grad_req", "null"),
    "cast": lambda net: (net.cast("float64"), net.cast("float32")),
    "reset_ctx": lambda net: net.collect_params().reset_ctx(mx.cpu(1)),
}


@pytest.mark.parametrize("name", [*WRITES, "load"])
def test_writing_to_a_parameter_undoes_it(name, tmp_path):
    net = made()
    x = nd.random.normal(shape=SHAPE)
    folded(net, x)
    net(x)
    if name == "load":
        load(net, tmp_path)
    else:
        WRITES[name](net)
    if name == "reset_ctx":
        x = x.as_in_context(mx.cpu(1))
    assert_same(net(x), plain(net, x))
    for _ in range(4):
        assert_same(net(x), plain(net, x))


def test_parameters_that_others_share_are_not_folded():
    net = made()
    x = nd.random.normal(shape=SHAPE)
    run = folded(net, x)
    shared = torch.utils.dlpack.from_dlpack(net[0].weight.data().to_dlpack_for_write())
    for _ in range(5):
        shared.mul_(1.5)
        assert_same(net(x), plain(net, x))
    assert run.state is State.PLAIN
    (row,) = net.hybrid_report().rows
    assert row.state == "not folded: others share the memory of a parameter"


def test_an_array_that_numpy_knows_is_shared():
    net = made()
    by_numpy(net)
    net.optimize_for(nd.random.normal(shape=SHAPE))
    assert inference_of(net).state is State.PLAIN


@pytest.mark.usefixtures("instant")
def test_a_compiled_step_leaves_a_trace(monkeypatch, instant):
    plainly = instant.load

    def load(self):
        task = self.task
        if task.update is None:
            return plainly(self)
        module = task.program.module()
        function = task.update.function(module, task.program.inputs + len(task.program.draws))

        def run(tensors):
            with torch.no_grad():  # .data, as compiled code leaves none
                return list(function(*[tensor.data for tensor in tensors]))

        return run

    monkeypatch.setattr(instant, "load", load)
    net = made()
    x, y = nd.random.normal(shape=SHAPE), nd.zeros((4, 64, 24, 24))
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), trainer)
    for _ in range(60):  # on a machine that has much else to do
        step(x, y)
        backends = [row.backend for row in step.hybrid_report().rows]
        if backends == ["aot"]:
            break
    assert backends == ["aot"]
    folded(net, x)
    for _ in range(3):
        step(x, y)
        assert_same(net(x), plain(net, x))


def test_nan_stays_nan():
    net = made()
    x = nd.random.normal(shape=SHAPE)
    run = folded(net, x)
    x[0, 0, 0, 0] = float("nan")
    found = net(x).asnumpy()
    assert onp.isnan(found).sum() == onp.isnan(plain(net, x).asnumpy()).sum() > 0
    assert run.state is State.FOLDED


def test_a_parameter_that_is_no_number_is_not_folded():
    net = made()
    net[0].bias.data()[0] = float("inf")
    x = nd.random.normal(shape=SHAPE)
    net.hybridize()
    run = None
    for _ in range(3):
        net(x)
        run = inference_of(net)
        run._is_asked = True
    assert run.state is State.WAITING
    assert onp.isinf(net(x).asnumpy()).any()


def test_it_is_folded_again_once_that_pays():
    net = made()
    x = nd.random.normal(shape=SHAPE)
    run = folded(net, x)
    states = []
    for _ in range(6):  # a call spares 0.5 seconds, folding takes 0.1
        net[0].weight.data()[:] *= 1.01
        states.append([(net(x), run.state)[1] for _ in range(3)])
    assert states == [[State.WAITING, State.FOLDED, State.FOLDED]] * 6
    assert_same(net(x), plain(net, x))


def test_alternating_steps_are_not_folded_again(monkeypatch):
    monkeypatch.setattr(adopting, "_cost_of", lambda begin: 10.0)
    net = made()
    x = nd.random.normal(shape=SHAPE)
    run = folded(net, x)
    for _ in range(6):
        net[0].weight.data()[:] *= 1.01
        for _ in range(20):
            assert_same(net(x), plain(net, x))
            assert run.state is State.WAITING
    for _ in range(45):  # what 40 calls have lost pays for it twice over
        net(x)
    assert run.state is State.FOLDED
    net[0].weight.data()[:] *= 1.01
    net(x)
    assert run.state is State.WAITING
    net(x)  # as many are expected again
    assert run.state is State.FOLDED


def test_it_waits_until_parameters_are_settled(monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0.01")
    monkeypatch.setenv("GLUONISH_COMPILE", "0")
    net = made()
    net.hybridize()
    x = nd.random.normal(shape=SHAPE)
    for _ in range(30):
        net[0].weight.data()[:] *= 1.01
        net(x)
    run = inference_of(net)
    assert run._folding is None
    for _ in range(500):
        net(x)
        if inference_of(net).state is State.FOLDED:
            break
    assert inference_of(net).state is State.FOLDED
    assert_same(net(x), plain(net, x))


def test_training_beside_it_stays_as_it_was():
    losses = []
    for is_folded in (False, True):
        mx.random.seed(3)
        net = made()
        x, y = nd.random.normal(shape=SHAPE), nd.random.normal(shape=(4, 64, 24, 24))
        if is_folded:
            folded(net, x)
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
        for _ in range(4):
            with autograd.record():
                loss = ((net(x) - y) ** 2).mean()
            loss.backward()
            trainer.step(1)
            losses.append(loss.asscalar())
            losses.append(((net(x) - y) ** 2).mean().asscalar())
            net(x)
    assert_close(onp.array(losses[:8]), onp.array(losses[8:]), steps=64)


def test_batches_of_other_sizes_share_what_was_folded():
    net = made()
    folded(net, nd.ones(SHAPE))
    gc.collect()
    count = len(folding._values)
    smaller = nd.random.normal(shape=(2, *SHAPE[1:]))
    net(smaller)
    net._graphs.decide(smaller)
    assert inference_of(net).state is State.FOLDED
    gc.collect()
    assert len(folding._values) == count > 0
    assert_same(net(smaller), plain(net, smaller))


def test_what_was_folded_goes_with_its_parameters():
    gc.collect()
    before = len(folding._values)
    net = made()
    x = nd.ones(SHAPE)
    folded(net, x)
    assert len(folding._values) > before
    net.cast("float64")
    net(x.astype("float64"))
    gc.collect()
    assert len(folding._values) == before
    assert_same(net(x.astype("float64")), plain(net, x.astype("float64")))


def test_nothing_keeps_a_net_alive():
    net = made()
    folded(net, nd.ones(SHAPE))
    kept = weakref.ref(net[0].weight.data()._tensor)
    del net
    gc.collect()
    assert kept() is None


def test_threads_run_it_and_write_meanwhile():
    net = made()
    x = nd.random.normal(shape=SHAPE)
    folded(net, x)
    values = [net[0].weight.data().copy() * factor for factor in (1, 2)]
    expected = []
    for value in values:
        net[0].weight.set_data(value)
        expected.append(plain(net, x).asnumpy())
    errors = []

    def predict():
        for _ in range(40):
            found = net(x).asnumpy()
            off = min(abs(found - right).max() for right in expected)
            if off > 1e-3:
                errors.append(off)

    for value in (*values, *values):  # each thread sees the one or the other
        net[0].weight.set_data(value)
        threads = [threading.Thread(target=predict) for _ in range(3)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert errors == []


def test_a_kernel_that_fails_is_not_used(monkeypatch):
    def fail(*args):
        msg = "could not create a primitive"
        raise RuntimeError(msg)

    monkeypatch.setattr(folding.Folding, "run", fail)
    net = made()
    x = nd.random.normal(shape=SHAPE)
    net.optimize_for(x)
    assert_same(net(x), plain(net, x))
    (row,) = net.hybrid_report().rows
    assert row.state == "not folded: could not create a primitive"


def test_wrong_results_are_not_used(monkeypatch):
    run = folding.Folding.run
    monkeypatch.setattr(folding.Folding, "run", lambda *args: [each * 1.001 for each in run(*args)])
    net = made()
    x = nd.random.normal(shape=SHAPE)
    net.optimize_for(x)
    assert_same(net(x), plain(net, x))
    (row,) = net.hybrid_report().rows
    assert row.state == "not folded: result 0 differs"


def test_a_graph_that_writes_is_left_alone():
    class Counting(gluon.HybridBlock):
        def __init__(self, **options):
            super().__init__(**options)
            with self.name_scope():
                self.body = conv(64)
                self.count = self.params.get("count", shape=(1,), init="zeros", grad_req="null")

        def hybrid_forward(self, F, x, count):
            count += 1
            return self.body(x) * count

    net = Counting()
    net.initialize()
    x = nd.ones(SHAPE)
    net.optimize_for(x)
    first = net.count.data().asscalar()
    net(x)
    assert net.count.data().asscalar() == first + 1
    assert inference_of(net).state is State.PLAIN


def test_random_numbers_are_drawn_as_before():
    class Noisy(gluon.HybridBlock):
        def __init__(self, **options):
            super().__init__(**options)
            with self.name_scope():
                self.body = conv(64)

        def hybrid_forward(self, F, x):
            return self.body(x) + F.random.normal(shape=(1,))

    net = Noisy()
    net.initialize()
    x = nd.ones(SHAPE)
    net(x)
    mx.random.seed(5)
    expected = [net(x) for _ in range(3)]
    net.hybridize()
    net(x)
    mx.random.seed(5)
    folded(net, x)
    mx.random.seed(5)
    for right in expected:
        assert_same(net(x), right)


@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float64"])
def test_other_dtypes(dtype):
    net = made()
    net.cast(dtype)
    x = nd.random.normal(shape=SHAPE).astype(dtype)
    net.optimize_for(x)
    can_fold = dtype == "bfloat16" and "bf16 path needs" not in net.hybrid_report().rows[0].state
    assert inference_of(net).state is (State.FOLDED if can_fold else State.PLAIN)
    found, right = (each.astype("float32").asnumpy() for each in (net(x), plain(net, x)))
    assert abs(found - right).max() <= 4e-2 * abs(right).max()


@pytest.mark.parametrize("seed", range(12))
def test_drawn_nets(seed):
    draw = onp.random.default_rng(seed)
    layers, channels = [], 8
    for _ in range(draw.integers(3, 9)):
        kind = draw.integers(9)
        if kind < 3:
            wider, kernel = int(draw.integers(4, 40)), int(draw.choice([1, 3, 5]))
            layers.append(
                conv(
                    wider, kernel, in_channels=channels, use_bias=bool(draw.integers(2)),
                    strides=int(draw.choice([1, 1, 2])),
                )
            )  # fmt: skip
            channels = wider
        elif kind == 3:
            layers.append(nn.BatchNorm(scale=bool(draw.integers(2))))
        elif kind == 4:
            names = ["relu", "tanh", "sigmoid", "softrelu", "softsign"]
            layers.append(nn.Activation(str(draw.choice(names))))
        elif kind == 5:
            layers.append(nn.HybridLambda(lambda F, x: F.relu(x + F.identity(x))))
        elif kind == 6:
            layers.append(nn.Dropout(0.3))
        elif kind == 7:
            layers.append(nn.MaxPool2D(2, 1))
        else:
            layers.append(Shortcut(channels))
    net = chain(*layers, conv(32, in_channels=channels), nn.Flatten(), nn.Dense(128), nn.Dense(3))
    net.initialize(mx.init.Uniform(0.3))
    x = nd.random.normal(shape=(3, 8, 24, 24))
    net(x)
    folded(net, x)
    x = nd.random.normal(shape=(3, 8, 24, 24))
    assert_same(net(x), plain(net, x))


class Shortcut(gluon.HybridBlock):
    def __init__(self, channels, **options):
        super().__init__(**options)
        with self.name_scope():
            self.body = chain(conv(channels, in_channels=channels), nn.BatchNorm(), nn.PReLU())

    def hybrid_forward(self, F, x):
        return F.relu(x + self.body(x)) + x


@pytest.fixture
def module():
    """Return a Module, bound for prediction."""
    data = mx.sym.var("data")
    x = mx.sym.Convolution(data, kernel=(3, 3), pad=(1, 1), num_filter=16, name="one")
    x = mx.sym.Activation(mx.sym.BatchNorm(x, name="norm", fix_gamma=False), act_type="relu")
    y = mx.sym.Convolution(x, kernel=(3, 3), pad=(1, 1), num_filter=16, name="two") + x
    y = mx.sym.LeakyReLU(mx.sym.Pooling(y, kernel=(2, 2), stride=(2, 2), pool_type="max"))
    y = mx.sym.FullyConnected(mx.sym.Flatten(y), num_hidden=64, name="dense")
    net = mx.sym.SoftmaxOutput(mx.sym.Activation(y, act_type="tanh"), name="softmax")
    module = mx.mod.Module(net)
    module.bind([("data", (4, 8, 16, 16))], [("softmax_label", (4,))], for_training=False)
    module.init_params(mx.init.Uniform(0.1))
    return module


def test_a_module_predicts_with_folded_parameters(module, monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0.001")
    monkeypatch.setenv("GLUONISH_COMPILE", "0")
    pictures = nd.random.uniform(shape=(40, 8, 16, 16)).asnumpy()
    batches = mx.io.NDArrayIter(pictures, onp.zeros(40), 4)
    first = module.predict(mx.io.NDArrayIter(pictures[:4], onp.zeros(4), 4))  # not captured yet
    found = module.predict(batches)
    (row,) = module._exec_group.execs[0].hybrid_report().rows
    assert row.backend == "folded"
    assert_same(found[:4], first)
    params, states = module.get_params()
    params = {name: value * 1.5 for name, value in params.items()}
    module.set_params(params, states)
    other = mx.mod.Module(module.symbol)
    other.bind(module.data_shapes, module.label_shapes, for_training=False)
    other.set_params(params, states)
    for _ in range(2):
        batches.reset()
        found = module.predict(batches)
    pictures = mx.io.NDArrayIter(pictures[:4], onp.zeros(4), 4)
    assert_same(found[:4], other.predict(pictures))


def test_an_imported_symbol_is_folded(module, tmp_path):
    module.save_checkpoint(str(tmp_path / "net"), 0)
    net = gluon.SymbolBlock.imports(
        str(tmp_path / "net-symbol.json"),
        ["data", "softmax_label"],
        str(tmp_path / "net-0000.params"),
    )
    x, label = nd.random.normal(shape=(4, 8, 16, 16)), nd.zeros((4,))
    net.optimize_for(x, label)
    assert inference_of(net).state is State.FOLDED
    assert_same(net(x, label), plain(net, x, label))


def test_loops_of_calls_are_folded():
    class Cell(gluon.HybridBlock):
        def __init__(self, **options):
            super().__init__(**options)
            with self.name_scope():
                self.dense = nn.Dense(64, in_units=64)

        def hybrid_forward(self, F, x):
            outs, _ = F.contrib.foreach(lambda row, h: (self.dense(row) + h,) * 2, x, x[0])
            return outs

    net = Cell()
    net.initialize()
    x = nd.random.normal(shape=(5, 300, 64))
    net.optimize_for(x)
    assert_same(net(x), plain(net, x))


def test_inference_is_one_of_the_ways_to_run_a_graph():
    net = made()
    x = nd.random.normal(shape=SHAPE)
    folded(net, x)
    net(x)
    assert isinstance(net._graphs.latest.run, (Inference, Tuner))
    net.hybridize(backend="fx")
    net.optimize_for(x, backend="fx")
    assert net.hybrid_report().rows[0].state == "fx"
