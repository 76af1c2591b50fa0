"""Executors over several steps whose operators update states: values of MXNet 1.9.1."""

from __future__ import annotations

import random

import numpy as onp
import pytest

import gluonish as mx
from gluonish import nd, sym

WAYS = [("GLUONISH_HYBRIDIZE", "0"), ("GLUONISH_BACKEND", "fx"), ("GLUONISH_BACKEND", "auto")]
# First numbers of the output, of the gradients of data and weight, and of both moving averages.
STEPS = [
    (1.0546, 1.2332, 1.4629), (0.2381, 0.2261, 0.2601), (0.2064, 0.2803, 0.0740),
    (0.3172, 0.4253, 0.5304), (0.3509, 0.4505, 0.5456),
    (0.4201, 0.7037, 1.4371), (0.3810, 0.3881, 0.2767), (0.7446, 0.5250, 0.5929),
    (0.3686, 0.4631, 0.5558), (0.4177, 0.4996, 0.5791),
    (-0.0324, 0.0022, 0.8200), (0.2917, -0.0596, 0.2152), (1.1623, 0.1803, 0.7541),
    (0.4031, 0.4857, 0.5888), (0.4548, 0.5226, 0.6216),
    (0.3425, 0.7175, 1.6648), (0.4623, 0.4913, 0.5312), (1.1749, 0.9171, 1.1368),
    (0.4341, 0.5058, 0.5963), (0.4858, 0.5417, 0.6230),
]  # fmt: skip


@pytest.fixture(params=WAYS, ids=lambda way: way[1])
def way(request, monkeypatch):
    monkeypatch.setenv(*request.param)


@pytest.mark.usefixtures("way")
def test_a_state_that_gradients_need_is_updated_on_the_way_back():
    net = sym.sigmoid(sym.FullyConnected(sym.Variable("data"), num_hidden=3, name="fc"))
    net = sym.IdentityAttachKLSparseReg(net, name="kl", penalty=0.5, momentum=0.8)
    net = sym.LinearRegressionOutput(sym.BatchNorm(net, name="norm", momentum=0.7), name="lro")
    requests = {"data": "write", "fc_weight": "add", "fc_bias": "write", "norm_gamma": "null"}
    requests |= {"norm_beta": "add", "lro_label": "null"}
    executor = net.simple_bind(mx.cpu(), grad_req=requests, data=(4, 2), lro_label=(4, 3))
    for array in (executor.arg_dict | executor.aux_dict).values():
        array[:] = nd.array((onp.arange(array.size) % 5 / 8 + 0.25).reshape(array.shape))
    found = []
    for step in range(4):
        executor.arg_dict["data"][:] = onp.cos(onp.arange(8) * (step + 1)).reshape(4, 2)
        executor.forward(is_train=True)
        executor.backward()
        arrays = [executor.outputs[0], executor.grad_dict["data"], executor.grad_dict["fc_weight"]]
        arrays += [executor.aux_dict["kl_moving_avg"], executor.aux_dict["norm_moving_mean"]]
        found += [array.asnumpy().ravel()[:3] for array in arrays]
    onp.testing.assert_allclose(found, STEPS, atol=2e-4)


@pytest.mark.usefixtures("way")
def test_each_way_back_updates_what_a_state_is_by_then():
    net = sym.BatchNorm(sym.Dropout(sym.Variable("data"), p=0.5), name="norm", momentum=0.5)
    executor = net.simple_bind(mx.cpu(), data=(4, 1))
    state, data = executor.aux_dict["norm_moving_mean"], executor.arg_dict["data"]
    for _ in range(4):
        data[:] = 1
        executor.forward(is_train=True)
        state[:] = 8
        executor.backward(nd.ones((4, 1)))
        once = state.asscalar()
        executor.backward(nd.ones((4, 1)))
        mean = 2 * once - 8  # of what is left by Dropout: 0, 0.5, 1, 1.5 or 2
        assert mean in {0, 0.5, 1, 1.5, 2}
        assert state.asscalar() == once / 2 + mean / 2


OPERATORS = [
    lambda x, name: sym.BatchNorm(x, name=name, momentum=0.7),
    lambda x, name: sym.BatchNorm(x, name=name, use_global_stats=True, fix_gamma=False),
    lambda x, name: sym.broadcast_add(*sym.BatchNorm(x, name=name, output_mean_var=True)[:2]),
    lambda x, name: sym.BatchNorm_v1(x, name=name),
    lambda x, name: sym.contrib.SyncBatchNorm(x, name=name, key=name),
    lambda x, name: sym.IdentityAttachKLSparseReg(sym.sigmoid(x), name=name, penalty=0.3),
    lambda x, name: sym.IdentityAttachKLSparseReg(sym.sigmoid(x), name=name, momentum=0.5),
    lambda x, name: sym.FullyConnected(x, num_hidden=3, name=name),
    lambda x, name: sym.BlockGrad(x, name=name) * x,
    lambda x, name: sym.concat(*sym.split(x, 3, axis=1, name=name), dim=1),
]


def drawn(seed):
    """Return the program of one graph: what outputs, gradients and states are in five steps."""
    draw = random.Random(seed)
    heads = [sym.Variable("data")]
    for position in range(draw.randint(1, 4)):
        heads.append(draw.choice(OPERATORS)(heads[-1], f"node{position}"))
    chosen = [heads[-1], *draw.sample(heads[:-1], draw.randint(0, len(heads) - 1))]
    net = sym.Group(chosen)
    requests = {name: draw.choice(["write", "add", "null"]) for name in net.list_arguments()}
    executor = net.simple_bind(mx.cpu(), grad_req=requests, data=(4, 3))
    values = onp.random.RandomState(seed)
    for array in (executor.arg_dict | executor.aux_dict).values():
        array[:] = values.uniform(0.2, 0.8, array.shape)
    found = []
    for _ in range(5):
        executor.arg_dict["data"][:] = values.uniform(-1, 1, (4, 3))
        outputs = executor.forward(is_train=True)
        executor.backward([nd.array(values.uniform(-1, 1, each.shape)) for each in outputs])
        arrays = [*outputs, *executor.grad_arrays, *executor.aux_arrays]
        found += [each.asnumpy() for each in arrays if each is not None]
    return found


@pytest.mark.parametrize("seed", range(24))
def test_drawn_graphs_with_states_are_the_same_in_halves_and_in_one(monkeypatch, seed):
    found = drawn(seed)
    monkeypatch.setenv("GLUONISH_HYBRIDIZE", "0")
    for one, other in zip(found, drawn(seed), strict=True):
        onp.testing.assert_allclose(one, other, rtol=1e-3, atol=1e-4)


class Counting(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] * aux[0])
        aux[0][:] += 1

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], out_grad[0] * aux[0])
        aux[0][:] += 10


@mx.operator.register("counting_passes")
class CountingProp(mx.operator.CustomOpProp):
    def list_auxiliary_states(self):
        return ["passes"]

    def infer_shape(self, in_shape):
        return in_shape, in_shape, [(1,)]

    def create_operator(self, ctx, shapes, dtypes):
        return Counting()


def test_states_of_custom_operators_are_written_when_their_program_writes_them():
    net = sym.Custom(sym.Variable("data"), op_type="counting_passes", name="count")
    executor = net.simple_bind(mx.cpu(), data=(1,))
    seen = []
    for _ in range(3):
        executor.forward(is_train=True)
        seen.append(executor.aux_dict["count_passes"].asscalar())
        executor.backward(nd.ones(1))
        seen += [
            executor.aux_dict["count_passes"].asscalar(),
            executor.grad_dict["data"].asscalar(),
        ]
    assert seen == [1, 11, 1, 12, 22, 12, 23, 33, 23]
