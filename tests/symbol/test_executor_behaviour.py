"""Executor: arrays that stay the same objects, captured graphs, gradients of graphs, contexts."""

from __future__ import annotations

import numpy as onp
import pytest
from closeness import assert_close
from executor_programs import conv_net, fill, mlp

import gluonish as mx
from gluonish import nd
from gluonish.executor import Executor
from gluonish.executor_manager import _split_input_slice


def test_arrays_are_those_of_the_user():
    x, dx = nd.array([1, 2]), nd.zeros((2,))
    executor = (mx.sym.var("x") ** 2).bind(mx.cpu(), [x], [dx])
    assert isinstance(executor, mx.executor.Executor)
    assert executor.arg_dict["x"] is x
    assert executor.grad_arrays[0] is dx
    part = dx[1:]
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(nd.ones((2,)))
    assert part.asnumpy().tolist() == [4]


def test_outputs_are_the_same_arrays_in_every_run():
    executor = mx.sym.exp(mx.sym.var("x")).simple_bind(mx.cpu(), x=(2,))
    (output,) = executor.outputs
    assert output.asnumpy().tolist() == [0, 0]
    for value in (0, 1, 2, 3):
        executor.arg_dict["x"][:] = value
        found = executor.forward()
        assert found is executor.outputs
        assert_close(output.asnumpy(), onp.exp([value, value]))
        assert executor.output_dict["exp" + found_number(executor) + "_output"] is output


def found_number(executor):
    return next(iter(executor.output_dict)).removeprefix("exp").removesuffix("_output")


def test_outputs_do_not_share_memory_with_arguments():
    x = mx.sym.var("x")
    net = mx.sym.Group([mx.sym.reshape(x, (4,)), mx.sym.identity(x), x * 1])
    executor = net.simple_bind(mx.cpu(), x=(2, 2))
    for _ in range(3):
        executor.arg_dict["x"][:] = 1
        outputs = executor.forward(is_train=True)
        executor.arg_dict["x"][:] = 7
        assert all((output.asnumpy() == 1).all() for output in outputs)


def test_a_graph_that_runs_often_is_captured_once():
    executor = conv_net(mx).simple_bind(mx.cpu(), data=(2, 1, 4, 4))
    fill(executor, skip=("out_label",))
    for _ in range(4):
        executor.forward(is_train=True)
        executor.backward()
    halves = executor.execution.ways[True]
    assert halves.obstacle is None
    kernels = [node for node in halves.forward.module.graph.nodes if "conv" in str(node.target)]
    assert len(kernels) == 1


def test_a_graph_with_an_operator_in_python_is_run_step_by_step():
    calls = []

    class Twice(mx.operator.CustomOp):
        def forward(self, is_train, req, in_data, out_data, aux):
            calls.append(is_train)
            self.assign(out_data[0], req[0], in_data[0] * 2)

        def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
            self.assign(in_grad[0], req[0], out_grad[0] * 2)

    @mx.operator.register("executor_twice")
    class TwiceProp(mx.operator.CustomOpProp):
        def create_operator(self, ctx, in_shapes, in_dtypes):
            return Twice()

    assert TwiceProp is not None
    net = mx.sym.Custom(mx.sym.var("x"), op_type="executor_twice")
    executor = net.simple_bind(mx.cpu(), x=(2,))
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(nd.ones((2,)))
    assert calls == [True] * 3
    assert executor.grad_dict["x"].asnumpy().tolist() == [2, 2]


def test_shared_gradients_are_summed():
    net = mx.sym.var("a") + 2 * mx.sym.var("b")
    value, grad = nd.ones((2,)), nd.zeros((2,))
    executor = net.bind(mx.cpu(), {"a": value, "b": value}, {"a": grad, "b": grad}, "add")
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(nd.ones((2,)))
    assert grad.asnumpy().tolist() == [9, 9]


def test_integers_have_no_gradient():
    net = mx.sym.Embedding(mx.sym.var("i"), input_dim=3, output_dim=2, name="e")
    executor = net.simple_bind(mx.cpu(), type_dict={"i": "int32"}, i=(2,))
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(nd.ones((2, 2)))
    assert executor.grad_dict["i"].asnumpy().tolist() == [0, 0]
    assert executor.grad_dict["e_weight"].asnumpy().tolist() == [[2, 2], [0, 0], [0, 0]]


def test_backward_without_gradients_does_nothing():
    executor = mx.sym.exp(mx.sym.var("x")).simple_bind(mx.cpu(), grad_req="null", x=(2,))
    executor.forward(is_train=True)
    executor.backward()
    assert executor.grad_dict == {"x": None}


def test_the_monitor_sees_inputs_when_asked():
    executor = mlp(mx).simple_bind(mx.cpu(), data=(2, 3))
    names = []
    executor.set_monitor_callback(lambda name, array: names.append(name), monitor_all=True)
    executor.forward()
    assert names[:6] == ["data", "fc1_data", "fc1_weight", "fc1_weight", "fc1_bias", "fc1_bias"]
    assert names[6] == "fc1_output"
    names.clear()
    executor.set_monitor_callback(None)
    executor.forward()
    assert not names


def test_the_monitor_counts_inputs_without_names_as_mxnet_does():
    x = mx.sym.var("x")
    joined = mx.sym.concat(mx.sym.exp(x, name="e"), mx.sym.tile(x, reps=(1, 1), name="t"), name="c")
    executor = mx.sym.Activation(joined, act_type="relu", name="a").simple_bind(mx.cpu(), x=(1, 2))
    names = []
    executor.set_monitor_callback(lambda name, array: names.append(name), monitor_all=True)
    executor.forward()
    assert [name for name in names if name[1:2] == "_" and "output" not in name] == [
        "e_input0", "t_data", "c_arg0", "c_arg1", "a_input0",
    ]  # fmt: skip


def test_arguments_and_states_are_copied_in_other_dtypes():
    executor = mx.sym.BatchNorm(mx.sym.var("x"), name="bn").simple_bind(mx.cpu(), x=(2, 3))
    executor.copy_params_from(
        {"bn_beta": nd.ones((3,), dtype="float64"), "other": nd.ones((1,))},
        {"bn_moving_mean": nd.ones((3,)) * 5},
        allow_extra_params=True,
    )
    assert executor.arg_dict["bn_beta"].asnumpy().tolist() == [1, 1, 1]
    assert executor.aux_dict["bn_moving_mean"].asnumpy().tolist() == [5, 5, 5]


def test_types_of_arguments_decide_those_of_others():
    executor = mlp(mx).simple_bind(mx.cpu(), type_dict={"data": "float64"}, data=(2, 3))
    assert {array.dtype for array in executor.arg_arrays} == {onp.float64}
    assert executor.forward()[0].dtype == onp.float64


def test_what_is_in_no_group_runs_where_its_inputs_are():
    with mx.AttrScope(ctx_group="one"):
        net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="f")
    net = mx.sym.exp(net)
    executor = net.simple_bind(mx.cpu(), data=(2, 3), group2ctx={"one": mx.cpu(2)})
    assert executor.outputs[0].context == mx.cpu(2)
    net = mx.sym.exp(mx.sym.var("x")) * 2
    executor = net.simple_bind(mx.cpu(1), x=(2,), group2ctx={"one": mx.cpu(2)})
    assert executor.arg_dict["x"].context == executor.forward()[0].context == mx.cpu(1)


def test_the_optimized_symbol_is_the_same_graph():
    executor = mlp(mx).simple_bind(mx.cpu(), data=(2, 3))
    symbol = executor.get_optimized_symbol()
    assert symbol.list_arguments() == list(executor.arg_dict)
    assert "Op:FullyConnected, Name=fc1" in executor.debug_str()
    assert executor.debug_str().endswith("Total 0 MB allocated\n")


def test_gradients_of_a_graph_are_a_graph():
    x, w = mx.sym.var("x"), mx.sym.var("w")
    slope = (mx.sym.sum(x * x * w) + x).gradient(["x", "w"])
    assert slope.list_arguments() == ["x", "w"]
    assert [name.split("_", 1)[1] for name in slope.list_outputs()] == ["x_grad", "w_grad"]
    arrays = {"x": nd.array([1, 2]), "w": nd.array([3, 4])}
    dx, dw = slope.eval(**arrays)
    assert dx.asnumpy().tolist() == [13, 33]
    assert dw.asnumpy().tolist() == [2, 8]
    curve = mx.sym.sum(slope[0] * slope[0])
    grads = {"x": nd.zeros((2,)), "w": nd.zeros((2,))}
    executor = curve.bind(mx.cpu(), arrays, grads)
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(nd.ones((1,)))
    assert grads["x"].asnumpy().tolist() == [2 * 13 * 12, 2 * 33 * 16]
    assert grads["w"].asnumpy().tolist() == [2 * 13 * 4, 2 * 33 * 8]


def test_gradient_of_a_net_with_states():
    net = mx.sym.FullyConnected(mx.sym.BatchNorm(mx.sym.var("x"), name="bn"), num_hidden=1)
    slope = net.gradient("bn_beta")
    assert slope.list_auxiliary_states() == ["bn_moving_mean", "bn_moving_var"]
    assert slope.infer_shape(x=(4, 3))[1] == [(3,)]


@pytest.mark.parametrize(
    ("batch", "loads", "ends"),
    [
        (10, [1, 1], [5, 10]),
        (10, [1, 2, 3], [2, 5, 10]),
        (100, [1, 5], [17, 100]),
        (7, [2, 2, 2], [2, 4, 7]),
        (10, [1, 1, 1, 1], [2, 4, 6, 10]),
        (11, [3, 3, 1], [5, 10, 11]),
        (10, [0.3, 0.7], [3, 10]),
    ],
)
def test_batches_are_divided_as_mxnet_divides_them(batch, loads, ends):
    slices = _split_input_slice(batch, loads)
    assert [each.stop for each in slices] == ends
    assert [each.start for each in slices] == [0, *ends[:-1]]


@pytest.mark.parametrize(("batch", "loads"), [(3, [1, 1, 1, 1]), (1, [1, 100]), (10, [])])
def test_batches_that_are_too_small_are_refused(batch, loads):
    with pytest.raises(ValueError, match=r"Too many slices\. Some splits are empty"):
        _split_input_slice(batch, loads)


def test_executors_are_one_class():
    assert mx.executor.Executor is Executor


def test_binding_passes_over_what_is_no_shape():
    executor = mx.sym.exp(mx.sym.var("x")).simple_bind(
        mx.cpu(), x=(2,), force_rebind=True, axis=0, mode="clip"
    )
    assert executor.forward()[0].asnumpy().tolist() == [1, 1]
    assert executor._ctx == mx.cpu()
    assert executor._symbol is executor.symbol


def test_gradients_of_outputs_that_have_none_may_have_any_shape():
    x = mx.sym.var("x")
    net = mx.sym.Group([x * x, mx.sym.argsort(x)])
    executor = net.simple_bind(mx.cpu(), x=(2,))
    executor.forward(is_train=True, x=nd.array([2, 1]))
    executor.backward([nd.ones((2,)), nd.ones((7, 3))])
    assert executor.grad_dict["x"].asnumpy().tolist() == [4, 2]


def test_dropout_goes_back_by_what_it_drew_on_the_way_there():
    net = mx.sym.Dropout(mx.sym.var("x"), p=0.5, mode="always")
    executor = net.simple_bind(mx.cpu(), x=(100,))
    executor.arg_dict["x"][:] = 1
    for _ in range(3):
        kept = executor.forward(is_train=False)[0].asnumpy()
        executor.backward(nd.ones((100,)), is_train=False)
        assert executor.grad_dict["x"].asnumpy().tolist() == kept.tolist()
        assert 0 < kept.sum() < 200


def test_the_monitor_of_an_executor_or_module_stays_when_it_is_reshaped():
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    executor = symbol.simple_bind(mx.cpu(), data=(3, 2))
    names = []
    executor.set_monitor_callback(lambda name, array: names.append((name, array.shape)))
    executor.reshape(allow_up_sizing=True, data=(4, 2)).forward()
    assert names == [("fc_output", (4, 2))]
    module = mx.mod.Module(symbol, label_names=None)
    module.bind(data_shapes=[("data", (3, 2))])
    module.init_params(mx.init.One())
    monitor = mx.mon.Monitor(1, pattern=".*output")
    module.install_monitor(monitor)
    for count in (3, 2, 4):  # as in MXNet
        monitor.tic()
        module.forward(mx.io.DataBatch([mx.nd.ones((count, 2))]))
        assert [(name, text.strip()) for _, name, text in monitor.toc()] == [("fc_output", "2.0")]
