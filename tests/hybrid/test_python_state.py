"""hybridize(): what Python remembers between calls is never forgotten by a replay."""

from __future__ import annotations

import copy
import logging
import pickle
import random
import time
import types
import warnings

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd, np
from gluonish.gluon import nn

FACTOR = 2
ARRAY = nd.array([3.0])
CONFIG = types.SimpleNamespace(factor=2, names=["a"])
GENERATOR = onp.random.default_rng(3)
SEEN = []


def helper(x):
    return x * FACTOR


def data(*shape):
    return nd.array(onp.arange(1, 1 + int(onp.prod(shape))).reshape(shape))


def block(forward, **attributes):
    """Return a Block with a forward and with attributes."""

    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            for name, value in attributes.items():
                setattr(self, name, value)

    Net.forward = forward
    return Net()


def values(part):
    if isinstance(part, nd.NDArray):
        numbers = part.asnumpy().round(5).tolist()  # before its type: in a loop it may be put off
        return (type(part), str(part.context), part.shape, numbers)
    if isinstance(part, (list, tuple)):
        return [values(one) for one in part]
    return part


def both(program):
    """Run a program eagerly and hybridized; return what it yields."""
    results = []
    for is_hybrid in (False, True):
        mx.random.seed(1)
        onp.random.seed(1)  # noqa: NPY002
        random.seed(1)

        def start(net, is_hybrid=is_hybrid):
            net.initialize(mx.init.Xavier())
            if is_hybrid:
                net.hybridize()
            return net

        results.append([values(part) for part in program(start)])
    return results


def scalar_attribute(start):
    net = start(block(lambda self, x: x * self.k, k=2))
    for k in (2, 2, 5):
        net.k = k
        yield net(data(2))


def attribute_set_for_the_first_time(start):
    net = start(block(lambda self, x: x * getattr(self, "k", 1)))
    yield net(data(2))
    net.k = 4
    yield net(data(2))
    del net.k
    yield net(data(2))


def attribute_of_the_class(start):
    net = block(lambda self, x: x * self._k)
    type(net)._k = 2
    start(net)
    yield net(data(2))
    type(net)._k = 3
    yield net(data(2))


def array_attribute_replaced_and_overwritten(start):
    net = start(block(lambda self, x: x * self.a, a=nd.array([2.0])))
    yield net(data(2))
    net.a = nd.array([7.0])
    yield net(data(2))
    net.a[:] = 3
    yield net(data(2))
    net.a += 1
    yield net(data(2))


def array_attribute_with_gradient(start):
    net = start(block(lambda self, x: x * self.a, a=nd.array([2.0])))
    for request in ("write", "write", "add"):
        net.a.attach_grad(request)
        for _ in range(2):
            with autograd.record():
                y = net(data(2)).sum()
            y.backward()
            yield net.a.grad
            net.a -= 0.1 * net.a.grad


def array_in_a_list(start):
    net = start(block(lambda self, x: x * self.a[0], a=[nd.array([2.0])]))
    yield net(data(2))
    net.a[0] = nd.array([5.0])
    yield net(data(2))


def list_dict_numpy_and_object_attributes(start):
    class Thing:
        __slots__ = ("k",)

    thing = Thing()
    thing.k = 1
    net = block(
        lambda self, x: x * sum(self.l) * self.d["a"] * nd.array(self.n) * self.o.k * self.s.k,
        l=[1, 2], d={"a": 1}, n=onp.array([1.0, 2.0]), o=types.SimpleNamespace(k=1), s=thing,
    )  # fmt: skip
    start(net)
    yield net(data(2))
    net.l.append(3)
    yield net(data(2))
    net.d["a"] = 10
    yield net(data(2))
    net.n[0] = 9
    yield net(data(2))
    net.o.k = 5
    yield net(data(2))
    thing.k = 6
    yield net(data(2))


def global_number_and_array(start):
    global FACTOR, ARRAY
    FACTOR, ARRAY = 2, nd.array([3.0])
    net = start(block(lambda _, x: helper(x) * ARRAY))
    yield net(data(2))
    FACTOR = 5
    yield net(data(2))
    ARRAY = nd.array([7.0])
    yield net(data(2))
    ARRAY[:] = 1
    yield net(data(2))


def global_object(start):
    CONFIG.factor, CONFIG.names = 2, ["a"]
    net = start(block(lambda _, x: x * CONFIG.factor * len(CONFIG.names)))
    yield net(data(2))
    CONFIG.factor = 3
    yield net(data(2))
    CONFIG.names.append("b")
    yield net(data(2))


def variables_of_a_function(start):
    k, a = 2, nd.array([3.0])
    net = nn.HybridSequential()
    net.add(nn.HybridLambda(lambda _, x: x * k * a))
    start(net)
    yield net(data(2))
    k = 5
    yield net(data(2))
    a = nd.array([7.0])
    yield net(data(2))


def net_outside_of_the_tree(start):
    teacher = nn.Dense(2)
    teacher.initialize(mx.init.Xavier())
    net = start(block(lambda _, x: teacher(x)))
    for _ in range(3):
        yield net(data(1, 2))
    teacher.weight.set_data(nd.ones((2, 2)))
    yield net(data(1, 2))
    teacher.initialize(mx.init.One(), force_reinit=True)
    with autograd.record():
        y = net(data(1, 2)).sum()
    y.backward()
    yield teacher.weight.grad()


def same_array_for_two_arguments(start):
    net = start(block(lambda _, x, y: x * 2 if x is y else x + y))
    a, b = data(2), data(2) * 3
    for x, y in ((a, a), (a, b), (a, a), (b, a)):
        yield net(x, y)


def inputs_with_and_without_gradient(start):
    def forward(_, x):
        with autograd.pause():
            w = x * 2
        return x * w + x.detach()

    net = start(block(forward))
    for has_grad in (False, True, False, True):
        x = data(2)
        if has_grad:
            x.attach_grad()
        with autograd.record():
            y = net(x)
        if has_grad:
            y.backward()
            yield x.grad
        yield y


def frozen_and_thawed_parameters(start):
    def forward(self, x):
        with autograd.pause():
            w = self.dense(x)
        return w * self.dense(x)

    net = start(block(forward, dense=nn.Dense(2, in_units=2)))
    x = data(1, 2)
    x.attach_grad()
    for request in ("null", "write", "null", "add"):
        net.collect_params().setattr("grad_req", request)
        with autograd.record():
            y = net(x).sum()
        y.backward()
        yield x.grad
        if request != "null":
            yield net.dense.weight.grad()


def context_of_the_surroundings(start):
    net = start(block(lambda _, n: (nd.zeros((n,)), mx.util.is_np_array())))
    yield net(2)
    with mx.cpu(1):
        yield net(2)
    mx.npx.set_np()
    try:
        yield net(2)
    finally:
        mx.npx.reset_np()


def result_that_is_the_argument(start):
    net = start(block(lambda _, x: x))
    for _ in range(3):
        x = data(2)
        yield net(x) is x


def result_made_of_numbers(start):
    net = start(block(lambda _, x: (x * 1, nd.array([1.0, 2.0]))))
    for _ in range(3):
        out = net(data(2))
        yield out
        out[1][:] = 9


def buffer_made_of_numbers(start):
    def forward(_, x):
        buffer = np.array([0.0, 0.0])
        buffer[1] += x[0]
        buffer += x
        return buffer

    net = start(block(forward))
    yield [net(np.ones(2) * i) for i in range(3)]

    def forward_with_nd(_, x):
        buffer = nd.array([0.0, 0.0])
        buffer[0] = x[0]
        buffer += 1
        return buffer * 1

    net = start(block(forward_with_nd))
    yield [net(nd.ones(2) * i) for i in range(3)]


def minus_zero(start):
    net = start(block(lambda _, x, k: x / onp.float64(k)))
    with onp.errstate(all="ignore"):
        for k in (2.0, 1, True, 1.0):
            yield net(data(2), k)
        net = start(block(lambda _, x, k: x * onp.copysign(1, k)))
        yield net(data(2), 0.0)
        yield net(data(2), -0.0)


def gradient_inside(start):
    def forward(self, x):
        out = (self.dense(x) ** 2).sum()
        (slope,) = autograd.grad(out, [x], create_graph=True)
        return (slope**2).sum()

    net = start(block(forward, dense=nn.Dense(1, in_units=2)))
    for i in range(3):
        x = data(2, 2) * (i + 1)
        x.attach_grad()
        with autograd.record():
            y = net(x)
        y.backward()
        yield y, net.dense.weight.grad()


CAPTURED = [
    scalar_attribute, attribute_set_for_the_first_time, attribute_of_the_class,
    array_attribute_replaced_and_overwritten, array_attribute_with_gradient, array_in_a_list,
    list_dict_numpy_and_object_attributes, global_number_and_array, global_object,
    variables_of_a_function, net_outside_of_the_tree, same_array_for_two_arguments,
    inputs_with_and_without_gradient, frozen_and_thawed_parameters, context_of_the_surroundings,
    result_that_is_the_argument, result_made_of_numbers, buffer_made_of_numbers, minus_zero,
    gradient_inside,
]  # fmt: skip


@pytest.mark.parametrize("program", CAPTURED, ids=lambda program: program.__name__)
def test_replay_sees_changes(program, caplog):
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        eager, hybrid = both(program)
    assert hybrid == eager
    assert not caplog.records


def count(self, x):
    self.n += 1
    return x * self.n


def store(self, x):
    self.last = x * 2
    return self.last + 1


def append(self, x):
    self.items.append(1)
    return x * len(self.items)


def append_to_global(_, x):
    SEEN.append(x.shape)
    return x * len(SEEN)


def append_to_default(_, x, seen=[]):  # noqa: B006
    seen.append(1)
    return x * len(seen)


def select(_, x):
    chosen = x.as_np_ndarray()
    chosen = chosen[chosen > 2]
    return chosen.sum() / chosen.shape[0]


def print_it(_, x):
    print("x")  # noqa: T201
    return x


def warn(_, x):
    warnings.warn("something", stacklevel=1)
    return x


def make_a_layer(_, x):
    dense = nn.Dense(2)
    dense.initialize(mx.init.Xavier())
    return dense(x.reshape((1, -1)))


def restart(_, x):
    mx.random.seed(3)
    return x + nd.random.uniform(shape=(2,))


IN_PYTHON = [
    (count, {"n": 0}, "attribute 'n' of Net is set"),
    (store, {}, "attribute 'last' of Net is set"),
    (append, {"items": []}, "Net.items is changed"),
    (append_to_global, {}, "SEEN is changed"),
    (append_to_default, {}, "a default of append_to_default is changed"),
    (select, {}, "the size of a result depends on the data"),
    (lambda _, x: nd.contrib.boolean_mask(x, x > 2), {}, "the size of a result depends"),
    (lambda _, x: x * random.random(), {}, "random draws random numbers in Python"),
    (lambda _, x: x * float(onp.random.rand()), {}, "numpy.random draws random numbers"),  # noqa: NPY002
    (lambda _, x: x * GENERATOR.random(), {}, "GENERATOR draws random numbers in Python"),
    (lambda _, x: x * (time.time() > 0), {}, "Python asks for the time"),
    (lambda self, x: x * next(self.it), {"it": iter(range(9))}, "Net.it is an iterator"),
    (lambda _, x: (x * k for k in (1, 2)), {}, "is of type generator"),
    (lambda _, x: x.tensor * 2, {}, "is of type Tensor"),
    (print_it, {}, r"Python calls print\(\)"),
    (warn, {}, r"Python calls warn\(\)"),
    (make_a_layer, {}, "of Dense is set"),
    (restart, {}, "restart can't be replayed"),
    (lambda _, x: nd.from_dlpack(x.to_dlpack_for_read()), {}, "capsule can't be replayed"),
]


@pytest.mark.filterwarnings("ignore:something")
@pytest.mark.parametrize(("forward", "attributes", "reason"), IN_PYTHON)
def test_what_a_replay_would_get_wrong_stays_in_python(forward, attributes, reason, caplog):
    def program(start):
        global GENERATOR
        GENERATOR = onp.random.default_rng(3)
        SEEN.clear()
        if forward is append_to_default:
            forward.__defaults__[0].clear()
        net = start(block(forward, **copy.deepcopy(attributes)))
        for numbers in ([1, 3], [3, 4], [0, 9]):
            out = net(nd.array(numbers))
            yield list(out) if isinstance(out, types.GeneratorType) else out
            assert net.graph is None

    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        eager, hybrid = both(program)
    assert str(hybrid) == str(eager)
    assert len(caplog.records) == 1
    text = caplog.records[0].getMessage()
    assert __import__("re").search(reason, text)
    assert "iterator" in reason or "test_python_state.py:" in text


def test_arguments_that_can_change_unseen_stay_in_python(caplog):
    net = block(lambda _, x, y: x * nd.array(y))
    net.hybridize()
    mask = onp.array([1.0, 2.0])
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        net(data(2), mask)
        mask[0] = 7
        assert net(data(2), mask).asnumpy().tolist() == [7, 4]
    assert "of type ndarray, whose contents are not watched" in caplog.text


def test_lists_among_the_arguments_may_be_changed(caplog):
    def forward(_, x, states):
        states[0] = x * 3
        return x

    net = block(forward)
    net.hybridize()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        for factor in (1, 2):
            states = [data(2)]
            net(data(2) * factor, states)
            assert states[0].asnumpy().tolist() == [3 * factor, 6 * factor]
    assert "a list or dictionary among the arguments is changed" in caplog.text


def test_hybrid_forward_prints_once_as_in_mxnet(capsys):
    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            print("traced")  # noqa: T201
            return x * 2

    net = Net()
    net.hybridize()
    for _ in range(3):
        net(data(2))
    assert capsys.readouterr().out == "traced\n"


def test_attribute_that_changes_all_the_time_is_given_up(caplog):
    net = block(lambda self, x: x * self.k, k=0)
    net.hybridize()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        for k in range(30):
            net.k = k
            assert net(data(1)).asscalar() == k
    assert len(caplog.records) == 1
    assert "attribute 'k' of Net changes from call to call" in caplog.text


@pytest.mark.parametrize("duplicate", [copy.copy, copy.deepcopy])
def test_copy_has_graphs_of_its_own(duplicate):
    net = block(lambda self, x: x * self.k, k=2)
    net.hybridize()
    net(data(2))
    other = duplicate(net)
    other.k = 5
    assert other(data(2)).asnumpy().tolist() == [5, 10]
    assert other(data(1)).asnumpy().tolist() == [5]
    assert net(data(2)).asnumpy().tolist() == [2, 4]
    assert other.graph is not None


def test_hybridized_net_can_be_pickled():
    net = nn.HybridSequential()
    net.add(nn.Dense(2, in_units=2), nn.Dense(1, in_units=2))
    net.initialize()
    net.hybridize()
    before = net(data(1, 2)).asnumpy()
    other = pickle.loads(pickle.dumps(net))
    assert (other(data(1, 2)).asnumpy() == before).all()
    other[0].weight.set_data(nd.ones((2, 2)))
    assert (net(data(1, 2)).asnumpy() == before).all()
    assert other.graph is not None


def test_errors_are_the_same_when_parameters_were_cast_or_moved():
    net = nn.Dense(2, in_units=2)
    net.initialize()
    net.hybridize()
    net(data(1, 2))
    net.collect_params().reset_ctx(mx.cpu(1))
    with pytest.raises(RuntimeError, match="was not initialized on context"):
        net(data(1, 2))
    net.collect_params().reset_ctx(mx.cpu(0))
    net.weight.cast("float64")
    with pytest.raises(mx.MXNetError, match="Expected one floating-point dtype"):
        net(data(1, 2))


def test_unused_parameters_are_no_inputs_of_a_graph():
    net = nn.Dense(1, in_units=1, prefix="d_")
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    net.hybridize()
    net(nd.ones((1, 1), ctx=mx.cpu(1)))
    inputs = [node.name for node in net.graph.graph.nodes if node.op == "placeholder"]
    assert len(inputs) == 3


def test_trainer_and_dropout_agree_over_changing_batches():
    def program(start):
        net = nn.HybridSequential()
        net.add(nn.Dense(4, in_units=3, activation="relu"), nn.BatchNorm(in_channels=4))
        net.add(nn.Dropout(0.3), nn.Dense(1, in_units=4))
        start(net)
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
        for size in (4, 4, 3, 4, 3):
            x = nd.random.normal(shape=(size, 3))
            with autograd.record():
                loss = ((net(x) - 1) ** 2).mean()
            loss.backward()
            trainer.step(size)
            yield loss, net(x)

    eager, hybrid = both(program)
    for (loss, out), (other_loss, other_out) in zip(eager, hybrid, strict=True):
        onp.testing.assert_allclose(loss[-1], other_loss[-1], rtol=1e-3)
        onp.testing.assert_allclose(out[-1], other_out[-1], rtol=1e-3, atol=1e-3)


def test_lines_of_a_log_do_not_keep_a_block_in_python(caplog):
    class Net(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            logging.getLogger("tests.net").warning("called")
            return F.zeros_like(x, dtype="float32") + x  # a keyword that gluonish tells of

    net = Net()
    net.hybridize()
    net(nd.ones((2,)))
    assert net.hybrid_report().rows[0].backend == "fx"
    assert net(nd.ones((2,))).asnumpy().tolist() == [1, 1]
    assert caplog.text.count("called") == 1
