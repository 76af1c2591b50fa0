"""What Module does beside training, and what it says where it can't."""

from __future__ import annotations

import logging
from collections import namedtuple

import numpy as onp
import pytest
from module_programs import Heard, data, iterator, mlp, parameters

import gluonish as mx
from gluonish.errors import (
    InvalidArgumentError,
    MissingEpochsError,
    MissingMethodError,
    MissingNameError,
    MissingParameterError,
    ModuleStateError,
    RefusedArgumentError,
    ShapeError,
)
from gluonish.executor_group.group import DataParallelExecutorGroup, prepare_group2ctxs


def bound(**options):
    module = mx.mod.Module(mlp(mx))
    batches = iterator(mx)
    module.bind(batches.provide_data, batches.provide_label, **options)
    return module


def ready(**options):
    module = bound(**options)
    module.init_params()
    if module.for_training:
        module.init_optimizer()
    return module


def test_names_and_shapes_are_known_after_binding():
    module = mx.mod.Module(mlp(mx))
    names = module.data_names, module.label_names, module.output_names
    assert names == (["data"], ["softmax_label"], ["softmax_output"])
    assert module.symbol.list_outputs() == ["softmax_output"]
    module = bound()
    assert module.data_shapes == [("data", (10, 6))]
    assert module.label_shapes == [("softmax_label", (10,))]
    assert module.output_shapes == [("softmax_output", (10, 3))]
    assert (module.binded, module.params_initialized, module.for_training) == (True, False, True)


@pytest.mark.parametrize(
    ("use", "says"),
    [
        (lambda m: m.data_shapes, "data_shapes: it is not bound"),
        (lambda m: m.label_shapes, "label_shapes: it is not bound"),
        (lambda m: m.output_shapes, "output_shapes: it is not bound"),
        (lambda m: m.get_params(), "get_params: it is not bound"),
        (lambda m: m.init_params(), "Call bind before"),
        (lambda m: m.init_optimizer(), "init_optimizer: it is not bound"),
        (lambda m: m.forward(None), "forward: it is not bound"),
        (lambda m: m.update(), "update: it is not bound"),
        (lambda m: m.get_outputs(), "get_outputs: it is not bound"),
        (lambda m: m.score(None, "acc"), "score: it is not bound"),
        (lambda m: m.predict(None), "predict: it is not bound"),
        (lambda m: m.reshape([("data", (1, 6))]), "reshape: it is not bound"),
        (lambda m: m.install_monitor(None), "install_monitor: it is not bound"),
        (lambda m: m.save_optimizer_states("x"), "save_optimizer_states: it has no optimizer"),
        (lambda m: m.load_optimizer_states("x"), "load_optimizer_states: it has no optimizer"),
    ],
)
def test_a_module_that_is_not_bound_says_what_to_call(use, says):
    with pytest.raises(ModuleStateError, match=says) as caught:
        use(mx.mod.Module(mlp(mx)))
    assert isinstance(caught.value, AssertionError)


@pytest.mark.parametrize(
    ("use", "says"),
    [
        (lambda m: m.forward(next(iterator(mx))), "has no parameters yet.* Call m.init_params"),
        (lambda m: m.get_params(), "has no parameters yet"),
        (lambda m: m.set_states(value=1), "has no parameters yet"),
    ],
)
def test_a_module_without_parameters_says_so(use, says):
    with pytest.raises(ModuleStateError, match=says):
        use(bound())


def test_gradients_and_updates_need_what_was_left_out():
    module = bound()
    module.init_params()
    with pytest.raises(ModuleStateError, match="has no optimizer yet"):
        module.update()
    with pytest.raises(ModuleStateError, match="computes no gradients of its data"):
        module.get_input_grads()
    with pytest.raises(ModuleStateError, match="computes no gradients of its data|inputs_need"):
        module._exec_group.get_input_grads()
    with pytest.raises(ModuleStateError, match="merge_multi_context=True is not supported"):
        module.get_states()
    with pytest.raises(ModuleStateError, match="Only one of states & value"):
        module.set_states()
    predicting = ready(for_training=False)
    with pytest.raises(ModuleStateError, match="re-bind with for_training=True"):
        predicting.backward()
    with pytest.raises(ModuleStateError, match="inputs_need_grad=True and for_training=False"):
        bound(for_training=False, inputs_need_grad=True)
    with pytest.raises(ModuleStateError, match=r"shared_module=.* Bind and initialize it"):
        bound(shared_module=bound())
    with pytest.raises(MissingEpochsError, match="please specify number of epochs") as caught:
        module.fit(iterator(mx))
    assert isinstance(caught.value, AssertionError)


def test_names_are_checked_when_a_module_is_made():
    with pytest.raises(InvalidArgumentError, match=r"data_names=\['x'\]\) but input with name 'x'"):
        mx.mod.Module(mlp(mx), data_names=["x"])
    with pytest.raises(InvalidArgumentError, match="Did you mean one of:\n\tdata\n\tsoftmax"):
        mx.mod.Module(mlp(mx), fixed_param_names=["fc9_weight"])
    with pytest.raises(InvalidArgumentError, match="state_names"):
        mx.mod.Module(mlp(mx), state_names=["h"])
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    with pytest.warns(UserWarning, match="name 'softmax_label' is not found") as heard:
        module = mx.mod.Module(net)
    assert heard[0].filename == __file__
    with pytest.raises(MissingNameError, match="label 'softmax_label' is no argument") as caught:
        module.bind([("data", (2, 3))], [("softmax_label", (2,))])
    assert isinstance(caught.value, KeyError)
    with pytest.raises(RefusedArgumentError, match=r"work_load_list=\[1\] was given for 2"):
        mx.mod.Module(mlp(mx), context=[mx.cpu(0), mx.cpu(1)], work_load_list=[1])


def test_names_of_data_are_checked_when_it_is_bound():
    module = mx.mod.Module(mlp(mx))
    with pytest.raises(InvalidArgumentError, match="Data provided by data_shapes don't match"):
        module.bind([("x", (10, 6))])
    with pytest.warns(UserWarning, match=r"label_names \(\[\] vs. \['softmax_label'\]\)"):
        module.bind([("data", (10, 6))], for_training=False)
    assert module.label_shapes is None
    parsed = mx.mod.base_module._parse_data_desc(["a"], ["b"], [("a", (2,))], [("b", (2,))])
    assert [descs[0].dtype for descs in parsed] == [onp.float32, onp.float32]
    with pytest.raises(RefusedArgumentError, match="all data must have the same batch size: batch"):
        bound_to([("data", (10, 6))], [("softmax_label", (9,))])


def bound_to(data_shapes, label_shapes):
    mx.mod.Module(mlp(mx)).bind(data_shapes, label_shapes)


def test_a_second_bind_or_optimizer_is_ignored_with_a_line_of_the_log():
    module = ready()
    with Heard() as heard:
        module.bind([("data", (2, 6))])
        module.init_optimizer(optimizer="adam")
    assert heard.lines == [
        "WARNING Already bound, ignoring bind()",
        "WARNING optimizer already initialized, ignoring...",
    ]
    assert module.data_shapes == [("data", (10, 6))]
    before = parameters(module)
    module.bind([("data", (2, 6))], [("softmax_label", (2,))], force_rebind=True)
    assert module.data_shapes == [("data", (2, 6))]
    assert parameters(module) == before
    module.init_optimizer(optimizer="adam", force_init=True)
    assert isinstance(module._optimizer, mx.optimizer.Adam)


def test_parameters_are_set_all_or_some():
    module = ready()
    values = {name: mx.nd.ones(array.shape) for name, array in module.get_params()[0].items()}
    some = {"fc1_bias": values["fc1_bias"] * 3}
    with pytest.raises(MissingParameterError, match="fc1_weight, fc2_bias, .* are not presented"):
        module.set_params(some, {})
    module.set_params(some, {}, allow_missing=True)
    assert module.get_params()[0]["fc1_bias"].asnumpy().tolist() == [3.0] * 8
    assert module.get_params()[0]["fc2_bias"].asnumpy().tolist() == [0.0] * 3
    module.set_params(values | {"other": mx.nd.ones((1,))}, {})
    module.init_params(mx.init.Zero(), arg_params=some, allow_missing=True, force_init=True)
    assert module.get_params()[0]["fc1_bias"].asnumpy().tolist() == [3.0] * 8
    assert module.get_params()[0]["fc2_weight"].asnumpy().any() == onp.False_
    for again in (
        lambda: module.set_params(values, {}, force_init=False),
        lambda: module.set_params(values, {}, allow_missing=True, force_init=False),
        module.init_params,
    ):
        with pytest.warns(UserWarning, match="Parameters already initialized"):
            again()
    with pytest.raises(mx.MXNetError, match="shape"):
        module.set_params(values | {"fc1_bias": mx.nd.ones((2,))}, {})
    with pytest.raises(MissingParameterError, match="fc1_bias"):
        bound().init_params(initializer=None)


def test_batches_may_be_anything_with_data():
    batch = namedtuple("Batch", ["data"])
    module = mx.mod.Module(mx.sym.var("data") * 2, label_names=None)
    module.bind(data_shapes=[("data", (1, 10))])
    module.init_params()
    module.forward(batch([mx.nd.ones((1, 10))]))
    assert module.get_outputs()[0].asnumpy().tolist() == [[2.0] * 10]
    module.forward(batch([mx.nd.ones((3, 5))]))
    assert module.get_outputs()[0].shape == (3, 5)
    assert module.predict(onp.ones((2, 5), "float32")).shape == (2, 5)
    module.forward(batch([onp.ones((2, 5), "float32") * 3]))
    assert module.get_outputs()[0].asnumpy().tolist() == [[6.0] * 5] * 2


def test_batches_of_another_length_need_no_labels():
    module = ready()
    with pytest.warns(UserWarning, match="Data provided by label_shapes don't match"):
        assert module.predict(mx.nd.ones((3, 6))).shape == (3, 3)
    assert module.label_shapes is None
    x, y = data(3)
    module.forward_backward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]))
    assert module._exec_group.label_arrays[0][0][1].asnumpy().tolist() == y.tolist()
    module.forward_backward(next(iterator(mx)))
    module.update()
    assert module.label_shapes == [("softmax_label", (10,))]


def test_data_of_the_wrong_kind_is_refused():
    module = ready()
    with pytest.raises(InvalidArgumentError, match="eval_data must be of type NDArray or DataIter"):
        module.predict([1, 2])
    with pytest.raises(mx.MXNetError, match="fc1"):
        module.forward(mx.io.DataBatch([mx.nd.ones((10, 5))], [mx.nd.ones((10,))]))
    module = ready()
    with pytest.raises(ShapeError, match=r"shape \(9,\) was given for 'softmax_label'"):
        module.forward(mx.io.DataBatch([mx.nd.ones((10, 6))], [mx.nd.ones((9,))]))


def test_a_list_has_a_batch_for_each_context():
    x, y = data(8)
    whole = mx.mod.Module(mlp(mx), context=[mx.cpu(0), mx.cpu(1)])
    whole.bind([("data", (8, 6))], [("softmax_label", (8,))])
    whole.init_params(mx.init.Xavier())
    whole.forward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]))
    expected = whole.get_outputs()[0].asnumpy()
    halves = [
        mx.io.DataBatch([mx.nd.array(x[i : i + 4])], [mx.nd.array(y[i : i + 4])]) for i in (0, 4)
    ]
    whole.forward(halves, is_train=True)
    onp.testing.assert_array_equal(whole.get_outputs()[0].asnumpy(), expected)
    metric = mx.metric.create("acc")
    whole.update_metric(metric, [half.label for half in halves], pre_sliced=True)
    assert metric.num_inst == 8
    with pytest.raises(RefusedArgumentError, match="a list of 1 batches was given"):
        whole.forward(halves[:1])


def test_an_optimizer_of_ones_own_keeps_its_settings():
    module = bound()
    module.init_params()
    sgd = mx.optimizer.SGD(learning_rate=0.1)
    with pytest.warns(UserWarning, match=r"rescale_grad is not normalized .*\(1.0 vs. 0.1\)"):
        module.init_optimizer(optimizer=sgd)
    assert module._optimizer is sgd
    assert sgd.idx2name == {0: "fc1_weight", 1: "fc1_bias", 2: "fc2_weight", 3: "fc2_bias"}
    with pytest.raises(RefusedArgumentError, match="Expected an Optimizer or its name"):
        module.init_optimizer(optimizer=3, force_init=True)
    with pytest.warns(UserWarning, match="No need to call sparse_row_id_fn"):
        module.prepare(None, sparse_row_id_fn=lambda batch: {})


def test_modules_share_parameters_and_optimizer():
    first = ready()
    second = mx.mod.Module(mlp(mx))
    second.bind([("data", (4, 6))], [("softmax_label", (4,))], shared_module=first)
    assert second.optimizer_initialized
    assert second._optimizer is first._optimizer
    x, y = data(4)
    second.forward_backward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]))
    second.update()
    shared = [
        one[0] is other[0]
        for one, other in zip(
            first._exec_group.param_arrays, second._exec_group.param_arrays, strict=True
        )
    ]
    assert all(shared)


def test_a_bar_shows_progress_when_asked(capsys):
    module = mx.mod.Module(mlp(mx))
    module.fit(iterator(mx), num_epoch=2, progress_bar=True)
    shown = capsys.readouterr().err
    assert "Epoch[1]" in shown
    assert "4batch" in shown
    assert "4/4" in shown
    assert "accuracy=" in shown


def test_callbacks_are_told_of_the_loop():
    told = []
    module = mx.mod.Module(mlp(mx))
    module.fit(
        iterator(mx), eval_data=iterator(mx), num_epoch=3, begin_epoch=1,
        batch_end_callback=[lambda p: told.append((p.epoch, p.nbatch, p.locals["self"] is module))],
        epoch_end_callback=lambda *args: told.append((args[0], sorted(args[2]))),
        eval_end_callback=lambda p: told.append(("eval", p.epoch, p.nbatch)),
    )  # fmt: skip
    names = ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"]
    one = [(1, 0, True), (1, 1, True), (1, 2, True), (1, 3, True), (1, names), ("eval", 1, 4)]
    assert told[: len(one)] == one
    assert told[len(one) :][-2:] == [(2, names), ("eval", 2, 4)]


def test_callbacks_see_the_arguments_of_fit_and_the_batch():
    seen = []
    data = iterator(mx)
    mx.mod.Module(mlp(mx)).fit(
        data, num_epoch=1, optimizer_params={"learning_rate": 0.5},
        batch_end_callback=lambda p: seen.append(p.locals),
    )  # fmt: skip
    assert seen[0]["train_data"] is data
    assert (seen[0]["num_epoch"], seen[-1]["nbatch"]) == (1, len(seen) - 1)
    assert seen[0]["optimizer_params"] == {"learning_rate": 0.5}
    assert seen[0]["data_batch"] is not seen[1]["data_batch"]


def test_requests_for_gradients_go_to_each_argument():
    module = bound(grad_req={"fc1_weight": "null", "fc2_bias": "add"})
    requests = module._exec_group.grad_req
    assert requests == {
        "data": "null", "fc1_weight": "null", "fc1_bias": "write", "fc2_weight": "write",
        "fc2_bias": "add", "softmax_label": "null",
    }  # fmt: skip
    every = ["write", "null", "null", "add", "null", "null"]
    assert list(bound(grad_req=every)._exec_group.grad_req.values()) == every
    with pytest.raises(RefusedArgumentError, match="1 values were given"):
        bound(grad_req=["write"])
    with pytest.raises(InvalidArgumentError, match="grad_req must be one of str, list"):
        bound(grad_req=3)


def test_groups_of_contexts_go_to_each_executor():
    cpus = [mx.cpu(0), mx.cpu(1)]
    assert prepare_group2ctxs(None, 2) == [None, None]
    assert prepare_group2ctxs({"a": cpus, "b": cpus[0]}, 2) == [
        {"a": cpus[0], "b": cpus[0]},
        {"a": cpus[1], "b": cpus[0]},
    ]
    assert prepare_group2ctxs([{"a": cpus[0]}], 1) == [{"a": cpus[0]}]
    with pytest.raises(RefusedArgumentError, match="Length of group2ctxs should be 3"):
        prepare_group2ctxs({"a": cpus}, 3)
    with mx.AttrScope(ctx_group="first"):
        net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
    with mx.AttrScope(ctx_group="second"):
        net = mx.sym.FullyConnected(net, num_hidden=3, name="fc2")
        net = mx.sym.SoftmaxOutput(net, name="softmax")
    module = mx.mod.Module(net, group2ctxs={"first": mx.cpu(1), "second": mx.cpu(2)})
    module.fit(iterator(mx), num_epoch=1)
    contexts = {n: p[0].context for n, p in zip(
        module._exec_group.param_names, module._exec_group.param_arrays, strict=True)}  # fmt: skip
    assert contexts["fc1_weight"] == mx.cpu(1)
    assert contexts["fc2_weight"] == mx.cpu(2)


def test_an_executor_group_may_be_used_alone():
    group = DataParallelExecutorGroup(
        mlp(mx), [mx.cpu(0), mx.cpu(1)], [1, 3], [("data", (8, 6))], [("softmax_label", (8,))],
        ["fc1_weight", "fc1_bias", "fc2_weight", "fc2_bias"], True, False,
    )  # fmt: skip
    assert mx.mod.executor_group.DataParallelExecutorGroup is DataParallelExecutorGroup
    assert group.slices == [slice(0, 2), slice(2, 8)]
    assert (group.batch_size, len(group.execs), len(group.param_arrays)) == (8, 2, 4)
    group.set_params({name: mx.nd.ones(s[0].shape) for name, s in zip(
        group.param_names, group.param_arrays, strict=True)}, {})  # fmt: skip
    x, y = data(8)
    group.forward(mx.io.DataBatch([mx.nd.array(x)], [mx.nd.array(y)]), is_train=True)
    group.backward()
    assert [out.shape for out in group.get_outputs(merge_multi_context=False)[0]] == [
        (2, 3),
        (6, 3),
    ]
    assert group.get_output_shapes() == [("softmax_output", (8, 3))]
    found = {name: mx.nd.zeros(s[0].shape) for name, s in zip(
        group.param_names, group.param_arrays, strict=True)}  # fmt: skip
    group.get_params(found, {})
    assert all(array.asnumpy().min() == 1 for array in found.values())


def test_what_a_subclass_leaves_out_is_named():
    base = mx.mod.BaseModule()
    for use, what in (
        (lambda: base.data_names, "data_names"),
        (lambda: base.output_names, "output_names"),
        (lambda: base.data_shapes, "data_shapes"),
        (lambda: base.label_shapes, "label_shapes"),
        (lambda: base.output_shapes, "output_shapes"),
        (base.get_params, "get_params"),
        (base.init_params, "init_params"),
        (lambda: base.bind([]), "bind"),
        (base.init_optimizer, "init_optimizer"),
        (lambda: base.forward(None), "forward"),
        (base.backward, "backward"),
        (base.update, "update"),
        (base.get_outputs, "get_outputs"),
        (base.get_input_grads, "get_input_grads"),
        (lambda: base.update_metric(None, None), "update_metric"),
        (lambda: base.install_monitor(None), "install_monitor"),
    ):
        with pytest.raises(MissingMethodError, match=f"BaseModule: it has no {what}"):
            use()
    base.binded = base.params_initialized = True
    assert base.get_states(merge_multi_context=False) == []
    with pytest.raises(ModuleStateError, match="merge_multi_context=True is not supported"):
        base.get_states()
    base.set_states()
    with pytest.raises(ModuleStateError, match="states were given, and it has none"):
        base.set_states(value=3)
    with pytest.warns(UserWarning, match="sparse_row_id_fn is not invoked"):
        base.prepare(None, lambda batch: {})


def test_a_logger_of_ones_own_is_told(caplog):
    logger = logging.getLogger("mine")
    with caplog.at_level(logging.INFO, "mine"):
        mx.mod.Module(mlp(mx), logger=logger).fit(iterator(mx), num_epoch=1)
    assert [record.name for record in caplog.records] == ["mine", "mine"]


def test_predictions_of_batches_with_several_outputs_are_not_merged():
    module = ready(for_training=False)
    module.get_outputs = lambda: [mx.nd.ones((10, 1))] * next(counts)
    counts = iter((1, 2, 1, 1))
    with pytest.raises(RefusedArgumentError, match=r"batches have \[1, 2\] outputs. Cannot merge"):
        module.predict(iterator(mx))
