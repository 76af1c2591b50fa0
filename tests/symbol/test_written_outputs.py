"""Outputs overwritten before the way back: gradients are those of what was computed."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close

import gluonish as mx
from gluonish import nd, sym
from gluonish.process.needed_memory import needed

WAYS = [("GLUONISH_HYBRIDIZE", "0"), ("GLUONISH_BACKEND", "fx"), ("GLUONISH_BACKEND", "auto")]
DATA = onp.array([-2, -1, 0.5, 2], "float32")


def shifted(output):
    output += nd.array([1, 0, 1, -2])


def part_added(output):
    output[1:3] += 7


def in_parts(output):
    for position in range(4):
        output[position][:] = position


WRITES = {
    "+=": shifted,
    "[:] =": lambda output: output.__setitem__(slice(None), 0.25),
    "[:] = array": lambda output: output.__setitem__(slice(None), nd.array([1, 0, 1, -2])),
    "[0:1] =": lambda output: output.__setitem__(slice(0, 1), 3),
    "[1:3] +=": part_added,
    "[i][:] =": in_parts,
    "out=": lambda output: nd.exp(nd.ones(4), out=output),
    "out= of itself": lambda output: nd.elemwise_add(output, output, out=output),
    "copyto": lambda output: nd.array([1, 0, 1, -2]).copyto(output),
    "reshape": lambda output: output.reshape((2, 2)).__setitem__(slice(None), 5),
}
SLOPES = {
    "relu": (DATA > 0).astype("float32"),
    "sigmoid": 1 / (2 + 2 * onp.cosh(DATA)),
    "tanh": 1 / onp.cosh(DATA) ** 2,
    "softrelu": 1 / (1 + onp.exp(-DATA)),
    "softsign": 1 / (1 + abs(DATA)) ** 2,
}  # MXNet 1.9.1 has these, too, but relu's, which it takes from what is there now


@pytest.fixture(params=WAYS, ids=lambda way: way[1])
def way(request, monkeypatch):
    monkeypatch.setenv(*request.param)


@pytest.mark.usefixtures("way")
@pytest.mark.parametrize("write", WRITES.values(), ids=WRITES)
def test_an_executors_outputs_may_be_overwritten_before_it_goes_back(write):
    for kind, slope in SLOPES.items():
        net = sym.Activation(sym.Variable("data"), act_type=kind, name="act")
        executor = net.simple_bind(mx.cpu(), data=(4,))
        for step in range(4):
            executor.arg_dict["data"][:] = DATA
            executor.forward(is_train=True)
            output = [executor.outputs[0], executor.output_dict["act_output"]][step % 2]
            before = output.asnumpy()
            write(output)
            assert (executor.outputs[0].asnumpy() != before).any()
            for _ in range(2):
                executor.backward(nd.ones(4))
                assert_close(executor.grad_dict["data"], slope, where=kind)
                write(output)


@pytest.mark.usefixtures("way")
def test_all_outputs_of_a_graph_may_be_overwritten():
    data = sym.Variable("data")
    stopped = sym.BlockGrad(sym.exp(data))
    net = sym.Group([sym.exp(data), sym.sqrt(sym.exp(data)), stopped, stopped * data, data])
    executor = net.simple_bind(mx.cpu(), data=(4,), grad_req="add")
    executor.grad_dict["data"][:] = 1
    total = 1
    for _ in range(4):
        outputs = executor.forward(is_train=True, data=nd.array(DATA))
        for output in outputs:
            output[:] = 9
        executor.backward([nd.ones(4)] * 5)
        total = total + 2 * onp.exp(DATA) + onp.exp(DATA / 2) / 2 + 1
        assert_close(executor.grad_dict["data"], total)
        gradient = executor.grad_dict["data"]
        gradient *= 1
        assert executor.arg_dict["data"].asnumpy().tolist() == DATA.tolist()


def residual(act, shape):
    """Return a chain of two Modules, the second of which adds its data to its outputs."""

    class Residual(mx.mod.Module):
        def forward(self, data_batch, is_train=None):
            super().forward(data_batch, is_train)
            (output,) = self.get_outputs()
            output += data_batch.data[0]

        def backward(self, out_grads=None):
            super().backward(out_grads)
            (grad,) = self.get_input_grads()
            grad += out_grads[0]

    first = sym.Activation(sym.Variable("data"), act_type=act)
    second = sym.Activation(sym.Variable("data"), act_type=act)
    chain = mx.mod.SequentialModule()
    chain.add(mx.mod.Module(first, label_names=None))
    chain.add(Residual(second, label_names=None), auto_wiring=True)
    chain.bind([("data", shape)], inputs_need_grad=True)
    chain.init_params()
    return chain


@pytest.mark.usefixtures("way")
def test_a_chain_of_modules_adds_to_outputs_and_gradients():
    chain = residual("tanh", (4,))
    for _ in range(4):
        chain.forward(mx.io.DataBatch([nd.array(DATA)]), is_train=True)
        hidden = onp.tanh(DATA)
        assert_close(chain.get_outputs()[0], onp.tanh(hidden) + hidden)
        chain.backward([nd.ones(4)])
        slope = (2 - onp.tanh(hidden) ** 2) * (1 - hidden**2)
        assert_close(chain.get_input_grads()[0], slope)


@pytest.mark.usefixtures("way")
def test_outputs_of_each_bucket_may_be_overwritten():
    def make(key):
        return sym.sigmoid(sym.Variable("data"), name="act"), ("data",), None

    module = mx.mod.BucketingModule(make, default_bucket_key=4)
    module.bind([("data", (4,))], inputs_need_grad=True)
    module.init_params()
    for step in range(8):
        length = 4 - step % 2
        data = nd.array(DATA[:length])
        batch = mx.io.DataBatch([data], bucket_key=length, provide_data=[("data", (length,))])
        module.forward(batch, is_train=True)
        module.get_outputs()[0][:] = 3
        module.backward([nd.ones(length)])
        assert_close(module.get_input_grads()[0], SLOPES["sigmoid"][:length])


def test_memory_is_copied_only_when_it_is_written_to():
    executor = sym.tanh(sym.Variable("data")).simple_bind(mx.cpu(), data=(4,))
    for _ in range(3):
        executor.forward(is_train=True)
    (kept,) = executor.execution._kept
    output = executor.outputs[0]
    assert kept.data_ptr() == output._tensor.data_ptr()
    executor.arg_dict["data"][:] = 1
    assert executor.execution._kept[0] is kept
    output[:] = 1
    assert executor.execution._kept[0] is not kept
    executor.forward(is_train=True)
    assert len(executor.execution._lent) == 1
    places = executor.execution._lent
    assert set(places) <= set(needed)
    del executor
    assert not set(places) & set(needed)
