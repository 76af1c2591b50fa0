"""Backends: who may run a captured graph, and who says so."""

from __future__ import annotations

import logging

import numpy as onp
import pytest
import torch
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, nd
from gluonish.errors import CompileError
from gluonish.gluon import nn
from gluonish.hybrid import report


def dense():
    net = nn.HybridSequential()
    net.add(nn.Dense(4, activation="tanh", in_units=2), nn.Dense(3, in_units=4))
    net.initialize(mx.init.Xavier())
    return net


def lines(net):
    return [(row.backend, row.state) for row in net.hybrid_report().rows]


class Recorded:
    """A backend that keeps what it was given."""

    def __init__(self):
        self.modules, self.examples, self.options, self.calls = [], [], [], 0

    def __call__(self, module, examples, **options):
        self.modules.append(module)
        self.examples.append(examples)
        self.options.append(options)

        def run(*tensors):
            self.calls += 1
            return module(*tensors)

        return run


# --- which there are ------------------------------------------------------------------------


def test_auto_is_the_default(monkeypatch):
    monkeypatch.delenv("GLUONISH_BACKEND", raising=False)
    for options in ({}, {"backend": None}, {"backend": "auto"}):
        net = dense()
        net.hybridize(**options)
        net(nd.ones((1, 2)))
        assert lines(net) == [("fx", "timing")]
    net.hybridize(backend="fx")
    net(nd.ones((1, 2)))
    assert lines(net) == [("fx", "fx")]


@pytest.mark.parametrize("name", ["eager", "aot_eager"])
def test_names_of_torch_are_known(name):
    net = dense()
    x = nd.array([[1.0, -2.0]])
    expected = net(x).asnumpy()
    net.hybridize(backend=name)
    for _ in range(2):
        assert_close(net(x).asnumpy(), expected)
    assert lines(net) == [(name, "compiled")]


def test_unknown_names_are_refused():
    net = dense()
    with pytest.raises(ValueError, match="backend='nonsense' was given. Expected 'auto', 'fx'"):
        net.hybridize(backend="nonsense")
    with pytest.raises(ValueError, match="cudagraphs, .*inductor"):
        net.optimize_for(nd.ones((1, 2)), backend="nonsense")


def test_a_callable_gets_graph_and_examples():
    backend = Recorded()
    net = dense()
    x = nd.ones((5, 2))
    expected = net(x).asnumpy()
    net.hybridize(backend=backend)
    assert backend.modules == []
    for _ in range(3):
        onp.testing.assert_array_equal(net(x).asnumpy(), expected)
    assert backend.calls == 2
    (module,), (examples,) = backend.modules, backend.examples
    assert isinstance(module, torch.fx.GraphModule)
    assert [tuple(one.shape) for one in examples] == [(5, 2), (4, 2), (4,), (3, 4), (3,)]
    assert lines(net) == [("Recorded", "compiled")]


def test_a_callable_is_called_for_each_signature_and_for_recording():
    backend = Recorded()
    net = dense()
    net.hybridize(backend=backend)
    for size in (2, 3, 2):
        net(nd.ones((size, 2)))
    with autograd.record():
        net(nd.ones((2, 2)))
    needs = [[one.requires_grad for one in examples] for examples in backend.examples]
    assert needs == [[False] * 5, [False] * 5, [False, True, True, True, True]]


def test_a_callable_may_be_given_as_class_or_lambda():
    for backend in (lambda module, examples: module, lambda module, examples: module.forward):
        net = dense()
        net.hybridize(backend=backend)
        for _ in range(2):
            assert net(nd.ones((1, 2))).shape == (1, 3)
        assert lines(net) == [("<lambda>", "compiled")]


def test_options_reach_the_backend():
    backend = Recorded()
    net = dense()
    net.hybridize(backend=backend, static_alloc=True, inline_limit=3, level=7)
    net(nd.ones((1, 2)))
    assert backend.options == [{"level": 7}]
    with pytest.raises(TypeError, match="was given level. Expected options among backend"):
        net.hybridize(level=7)
    with pytest.raises(TypeError, match="Leave the others out, or name the backend they are for"):
        net.hybridize(backend="fx", level=7)


def test_optimize_for_captures_at_once():
    backend = Recorded()
    net = dense()
    net.optimize_for(nd.ones((1, 2)), backend=backend, level=2)
    assert net.graph is not None
    assert backend.options == [{"level": 2}]
    assert backend.calls == 0
    net(nd.ones((1, 2)))
    assert backend.calls == 1


def test_inference_and_training_have_the_callables_gradients():
    net = dense()
    x = nd.array([[1.0, 2.0], [3.0, -4.0]])

    def gradients():
        with autograd.record():
            out = net(x)
        out.backward()
        return [param.grad().asnumpy() for param in net.collect_params().values()]

    expected = gradients()
    net.hybridize(backend=Recorded())
    for _ in range(3):
        for one, other in zip(gradients(), expected, strict=True):
            assert_close(one, other)


# --- errors ---------------------------------------------------------------------------------


def refuse(module, examples):
    msg = "not today\nand many more lines"
    raise LookupError(msg)


def test_refusal_of_a_named_backend_is_an_error():
    net = dense()
    net.hybridize(backend=refuse)
    text = (
        r"hybridize\(backend='refuse'\): the backend refused the graph of float32\(1, 2\) "
        r"cpu\(0\): LookupError: not today. Expected a graph that it can compile. Choose "
        r"backend='auto' or 'fx'."
    )
    with pytest.raises(CompileError, match=text):
        net(nd.ones((1, 2)))
    net.hybridize(backend="fx")
    assert net(nd.ones((1, 2))).shape == (1, 3)


def test_a_callable_that_returns_none_is_an_error():
    net = dense()
    net.hybridize(backend=lambda module, examples: None)
    with pytest.raises(CompileError, match="the backend returned NoneType. Expected a callable"):
        net(nd.ones((1, 2)))


@pytest.mark.parametrize(
    ("wrap", "given"), [(lambda x: x, "Tensor"), (lambda x: (x, x), "tuple of 2")]
)
def test_a_callable_with_other_results_is_an_error(wrap, given):
    def backend(module, examples):
        return lambda *tensors: wrap(module(*tensors)[0])

    net = dense()
    net.hybridize(backend=backend)
    net(nd.ones((1, 2)))
    with pytest.raises(CompileError, match=f"function returned {given}. Expected a tuple of 1"):
        net(nd.ones((1, 2)))


def test_options_that_a_backend_refuses_are_an_error():
    net = dense()
    net.hybridize(backend=refuse, nonsense=3)
    with pytest.raises(CompileError, match="the backend refused the graph .*TypeError: .*nonsense"):
        net(nd.ones((1, 2)))


def test_graphs_that_torch_cant_look_inside_are_replayed(caplog):
    class Boxes(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return F.contrib.box_nms(x) * 2

    report._said.clear()
    x = nd.random.uniform(shape=(1, 4, 6))
    expected = Boxes()(x).asnumpy()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        for _ in range(2):
            net = Boxes()
            net.hybridize(backend="aot_eager")
            for _ in range(2):
                onp.testing.assert_array_equal(net(x).asnumpy(), expected)
    (record,) = caplog.records
    text = record.getMessage()
    assert text.startswith("hybridize(backend='aot_eager'): a graph is replayed instead: ")
    assert text.endswith("is no torch function")
    ((backend, state),) = lines(net)
    assert backend == "fx"
    assert state in text


def test_graphs_that_write_to_arguments_are_replayed():
    def forward(_, x, y):
        x[:] = x + 1
        return y * 1

    class Net(nn.Block):
        pass

    Net.forward = forward
    for backend in ("fx", "aot_eager", "auto"):
        net = Net()
        net.hybridize(backend=backend)
        x = nd.zeros((4,))
        for number in range(3):
            assert net(x, nd.zeros((4,))).asnumpy().tolist() == [0] * 4
            assert x.asnumpy().tolist() == [2 * number + 1] * 4
            assert net(x, x[:]).asnumpy().tolist() == [2 * number + 2] * 4
        (line, *more) = lines(net)
        assert line[0] == "fx"
        assert not more
        assert backend == "fx" or line[1] == "it writes to what it is called with"


def test_gradient_that_depends_on_backward_is_replayed(caplog):
    net = nn.BatchNorm(in_channels=2)
    net.initialize()
    x = nd.array([[1.0, 2.0], [3.0, -4.0]])
    x.attach_grad()
    found = []
    for backend in ("fx", "aot_eager"):
        net.hybridize(backend=backend)
        for train_mode in (True, False, True):
            with autograd.record(train_mode=False):
                out = net(x)
            out.backward(nd.array([[1.0, 2.0], [3.0, 4.0]]), train_mode=train_mode)
            found.append(x.grad.asnumpy().tolist())
    assert found[:3] == found[3:]
    assert found[0] != found[1]


def test_draws_of_a_compiled_graph_are_those_of_eager_calls():
    net = nn.Dropout(0.5)
    found = []
    for backend in (None, Recorded(), "aot_eager", "fx"):
        net.hybridize(backend is not None, backend=backend)
        mx.random.seed(4)
        for size in (3, 5, 3):
            with autograd.train_mode():
                found.append(net(nd.ones((size, 4))).asnumpy().tolist())
    for number in range(3):
        assert found[number] == found[3 + number] == found[6 + number] == found[9 + number]


def test_other_strides_than_at_the_first_call_are_replayed():
    backend = Recorded()
    net = dense()
    net.hybridize(backend=backend)
    x = nd.array(onp.arange(10).reshape(5, 2))
    expected = [net(x).asnumpy(), net(x).asnumpy()]
    turned = nd.array(onp.arange(10).reshape(5, 2).T).T
    assert_close(net(turned).asnumpy(), expected[0])
    assert backend.calls == 1


# --- environment ----------------------------------------------------------------------------


def test_environment_overrides_the_backend(monkeypatch):
    backend = Recorded()
    monkeypatch.setenv("GLUONISH_BACKEND", "aot_eager")
    net = dense()
    net.hybridize(backend=backend, level=3)
    assert net(nd.ones((1, 2))).shape == (1, 3)
    assert backend.modules == []
    assert lines(net) == [("aot_eager", "compiled")]
    monkeypatch.setenv("GLUONISH_BACKEND", "")
    net.hybridize(backend="fx")
    net(nd.ones((1, 2)))
    assert lines(net) == [("fx", "fx")]


def test_unknown_name_in_the_environment_is_refused(monkeypatch):
    monkeypatch.setenv("GLUONISH_BACKEND", "nonsense")
    with pytest.raises(ValueError, match="variable GLUONISH_BACKEND: backend='nonsense' was given"):
        dense().hybridize()


@pytest.mark.parametrize("value", ["0", "false", "Off", "no"])
def test_environment_switches_hybridize_off(monkeypatch, value):
    monkeypatch.setenv("GLUONISH_HYBRIDIZE", value)
    net = dense()
    net.hybridize()
    net(nd.ones((1, 2)))
    assert net.graph is None
    assert net.hybrid_report().rows == []
    with pytest.raises(ValueError, match="backend='nonsense' was given"):
        net.hybridize(backend="nonsense")
    monkeypatch.setenv("GLUONISH_HYBRIDIZE", "1")
    net.hybridize()
    net(nd.ones((1, 2)))
    assert net.graph is not None


# --- the real ones --------------------------------------------------------------------------


@pytest.mark.compiler
@pytest.mark.usefixtures("own_cache")
def test_inductor_takes_its_options():
    net = dense()
    x = nd.array([[1.0, -2.0]])
    expected = net(x).asnumpy()
    net.hybridize(backend="inductor", max_autotune=False)
    for _ in range(2):
        onp.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5)
    (row,) = net.hybrid_report().rows
    assert (row.backend, row.state) == ("inductor", "compiled")
    assert row.compile > 0
    net.hybridize(backend="inductor", no_such_option=1)
    with pytest.raises(CompileError, match="no_such_option"):
        net(x)


@pytest.mark.gpu
def test_cudagraphs_give_what_eager_calls_give():
    with mx.gpu():
        net = dense()
        x = nd.array([[1.0, -2.0]])
        expected = net(x).asnumpy()
        net.hybridize(backend="cudagraphs")
        for _ in range(4):
            onp.testing.assert_allclose(net(x).asnumpy(), expected, rtol=1e-5)
