"""hybridize(): what is captured equals what Python computes, in values and gradients."""

from __future__ import annotations

import logging

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
from gluonish.hybrid import graphs


def run(net, *inputs, train=True):
    """Return outputs and gradients of a net on data."""
    with autograd.record(train_mode=train):
        out = net(*inputs)
        first = out[0] if isinstance(out, (list, tuple)) else out
        loss = (first * first).sum()
    loss.backward()
    grads = [
        param.grad().asnumpy()
        for param in net.collect_params().values()
        if param.grad_req != "null"
    ]
    return first.asnumpy(), grads


def assert_same(build, *inputs, calls=3):
    """Check eager against hybridized over several calls, from the same start."""
    results = []
    for hybridize in (False, True):
        mx.random.seed(3)
        net = build()
        net.initialize(mx.init.Xavier())
        net(*inputs)
        if hybridize:
            net.hybridize()
        mx.random.seed(5)
        results.append([run(net, *inputs) for _ in range(calls)])
        if hybridize:
            assert net.graph is not None
    for (out, grads), (hybrid_out, hybrid_grads) in zip(*results, strict=True):
        assert_close(out, hybrid_out)
        assert len(grads) == len(hybrid_grads)
        for one, other in zip(grads, hybrid_grads, strict=True):
            onp.testing.assert_allclose(one, other, rtol=1e-5, atol=1e-6)


def sequential(*layers):
    net = nn.HybridSequential()
    net.add(*layers)
    return net


def test_dense_net_is_the_same():
    assert_same(lambda: sequential(nn.Dense(8, activation="relu"), nn.Dense(3)), nd.ones((2, 5)))


def test_convolutions_with_batch_norm_are_the_same():
    x = nd.random.uniform(shape=(2, 3, 8, 8))
    assert_same(
        lambda: sequential(
            nn.Conv2D(4, 3), nn.BatchNorm(), nn.Activation("relu"), nn.MaxPool2D(), nn.Dense(2)
        ),
        x,
    )


def test_dropout_draws_the_same_masks():
    assert_same(lambda: sequential(nn.Dense(16), nn.Dropout(0.5), nn.Dense(2)), nd.ones((4, 5)))


def test_plain_block_is_captured_too():
    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.a, self.b = nn.Dense(4), nn.Dense(2)

        def forward(self, x):
            return self.b(self.a(x).relu()) * 2

    assert_same(Net, nd.ones((2, 3)))


def test_running_statistics_move_on_replay():
    net = nn.BatchNorm(in_channels=2)
    net.initialize()
    net.hybridize()
    x = nd.array([[1.0, 2.0], [3.0, 6.0]])
    means = []
    for _ in range(3):
        with autograd.record():
            net(x)
        means.append(net.running_mean.data().asnumpy().tolist())
    assert means[0] != means[1] != means[2]
    assert means[2] == pytest.approx([2 * (1 - 0.9**3), 4 * (1 - 0.9**3)], rel=1e-5)


def test_python_runs_once_for_a_signature():
    calls = []

    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            calls.append(x.shape)
            return x * 2 if x.shape[0] > 2 else x * 3

    net = Net()
    net.hybridize()
    assert net(nd.ones((3, 1))).asnumpy().sum() == 6
    assert net(nd.ones((3, 1)) * 2).asnumpy().sum() == 12
    assert net(nd.ones((2, 1))).asnumpy().sum() == 6
    assert net(nd.ones((2, 1))).asnumpy().sum() == 6
    assert calls == [(3, 1), (2, 1)]


def test_data_dependent_python_stays_in_python_and_says_where(caplog):
    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.dense = nn.Dense(2)

        def forward(self, x):
            y = self.dense(x)
            while y.abs().sum() > 1:
                y = y / 2
            return y

    net = Net()
    net.initialize()
    net.hybridize()
    with caplog.at_level(logging.WARNING, "gluonish.hybrid"):
        for scale in (1, 1, 50):
            out = net(nd.ones((1, 3)) * scale)
            assert out.abs().sum().asscalar() <= 1
    assert len(caplog.records) == 1
    text = caplog.records[0].getMessage()
    assert "test_capture.py:" in text
    assert "Python reads a value of the data" in text
    assert net.graph is None
    assert net.dense.graph is not None


def test_nested_inputs_and_outputs_keep_their_structure():
    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x, states, scale=None):
            new = [state + 1 for state in states]
            return {"out": x * scale, "states": (new, None, 3)}

    net = Net()
    net.hybridize()
    for _ in range(2):
        result = net(nd.ones((2,)), [nd.zeros((1,)), nd.ones((1,))], scale=nd.array([2.0]))
        assert result["out"].asnumpy().tolist() == [2, 2]
        (first, second), nothing, three = result["states"]
        assert (first.asscalar(), second.asscalar(), nothing, three) == (1, 2, None, 3)


def test_parameters_may_change_after_the_capture():
    net = nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.One())
    net.hybridize()
    x = nd.array([[2.0]])
    assert net(x).asscalar() == 2
    net.weight.set_data(nd.array([[3.0]]))
    assert net(x).asscalar() == 6
    net.initialize(mx.init.Constant(5), force_reinit=True)
    assert net(x).asscalar() == 10
    net.cast("float64")
    assert net(x.astype("float64")).dtype is onp.float64


def test_gradients_reach_the_input_and_honour_grad_req():
    net = nn.Dense(1, in_units=2, use_bias=False)
    net.initialize(mx.init.One())
    net.hybridize()
    net.weight.grad_req = "add"
    x = nd.array([[1.0, 2.0]])
    x.attach_grad()
    for _ in range(2):
        with autograd.record():
            y = net(x)
        y.backward()
    assert x.grad.asnumpy().tolist() == [[1, 1]]
    assert net.weight.grad().asnumpy().tolist() == [[2, 4]]
    net.weight.grad_req = "null"
    with autograd.record():
        y = net(x)
    y.backward()
    assert x.grad.asnumpy().tolist() == [[1, 1]]


def test_child_added_later_takes_part():
    net = sequential(nn.Dense(2, in_units=2))
    net.initialize(mx.init.One())
    net.hybridize()
    x = nd.ones((1, 2))
    assert net(x).shape == (1, 2)
    last = nn.Dense(5, in_units=2)
    last.initialize()
    net.add(last)
    assert net(x).shape == (1, 5)


def test_hook_on_a_child_keeps_running():
    net = sequential(nn.Dense(2, in_units=2))
    net.initialize()
    net.hybridize()
    x = nd.ones((1, 2))
    net(x)
    seen = []
    handle = net[0].register_forward_hook(lambda *_: seen.append(1))
    net(x)
    net(x)
    handle.detach()
    net(x)
    assert seen == [1, 1]


def test_switching_off_runs_python_again():
    calls = []

    class Net(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            calls.append(1)
            return x + 1

    net = Net()
    net.hybridize()
    x = nd.ones((1,))
    net(x)
    net(x)
    net.hybridize(False)
    net(x)
    assert len(calls) == 2


def test_error_in_a_call_leaves_the_net_usable():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    with pytest.raises(mx.MXNetError, match="expects 3"):
        net(nd.ones((1, 4)))
    assert net(nd.ones((1, 3))).shape == (1, 2)
    assert net(nd.ones((1, 3))).shape == (1, 2)


def test_np_arrays_stay_np_arrays():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    net.hybridize()
    x = mx.np.ones((1, 3))
    for _ in range(2):
        assert type(net(x)) is mx.np.ndarray
    assert type(net(nd.ones((1, 3)))) is nd.NDArray


def test_several_contexts_have_graphs_of_their_own():
    net = nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.One(), ctx=[mx.cpu(0), mx.cpu(1)])
    net.hybridize()
    for _ in range(2):
        for ctx in (mx.cpu(0), mx.cpu(1)):
            assert net(nd.ones((1, 1), ctx=ctx)).context == ctx
    net.weight.data(mx.cpu(1))[:] = 4
    assert net(nd.ones((1, 1), ctx=mx.cpu(1))).asscalar() == 4


def test_cache_is_bounded(monkeypatch):
    monkeypatch.setattr(graphs, "MAX_SIGNATURES", 3)
    net = nn.Dense(1, in_units=1)
    net.initialize()
    net.hybridize()
    for rows in range(1, 8):
        net(nd.ones((rows, 1)))
    assert len(net._graphs._graphs) == 3


def test_random_operators_draw_anew_on_replay():
    class Noise(nn.HybridBlock):
        def hybrid_forward(self, F, x):
            return x + F.random.uniform(shape=(4,))

    net = Noise()
    net.hybridize()
    mx.random.seed(1)
    hybrid = [net(nd.zeros((4,))).asnumpy().tolist() for _ in range(3)]
    mx.random.seed(1)
    eager = [nd.random.uniform(shape=(4,)).asnumpy().tolist() for _ in range(3)]
    assert hybrid == eager


def test_loss_is_captured():
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    out, label = nd.array([[1.0, 2.0, 0.5]]), nd.array([1])
    eager = loss(out, label).asnumpy()
    loss.hybridize()
    for _ in range(2):
        onp.testing.assert_allclose(loss(out, label).asnumpy(), eager)


def test_unknown_options_are_refused():
    net = nn.Dense(1)
    with pytest.raises(TypeError, match="hybridize.. was given nonsense"):
        net.hybridize(nonsense=True)
    with pytest.raises(ValueError, match="backend='nonsense' was given. Expected 'auto'"):
        net.hybridize(backend="nonsense")
    with pytest.raises(ValueError, match="inline_limit=-1 was given"):
        net.hybridize(inline_limit=-1)
    with pytest.raises(ValueError, match="data_indices='x' was given"):
        net.hybridize(data_indices="x")
    net.hybridize(static_alloc=True, static_shape=True, data_indices=0, param_indices=[1, 2])


def test_graph_is_readable():
    net = nn.Dense(2, in_units=3, prefix="d_")
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 3)))
    assert "linear" in net.graph.code
    assert "d_weight" in net.graph.code


def test_optimize_for_captures_at_once():
    seen = []

    def backend(module, examples):
        seen.append([tuple(one.shape) for one in examples])
        return module.forward

    net = nn.Dense(2)
    net.initialize()
    net.optimize_for(nd.ones((4, 3)), backend=backend, static_alloc=True)
    assert seen == [[(4, 3), (2, 3), (2,)]]
    assert net(nd.ones((4, 3))).shape == (4, 2)
    assert [row.backend for row in net.hybrid_report().rows] == ["backend"]
    with pytest.raises(ValueError, match="backend='TVM' was given"):
        net.optimize_for(nd.ones((4, 3)), backend="TVM")
