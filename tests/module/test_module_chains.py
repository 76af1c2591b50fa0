"""BucketingModule, SequentialModule, PythonModule and PythonLossModule, beside training."""

from __future__ import annotations

import numpy as onp
import pytest
from module_programs import Heard, iterator, parameters
from test_module_files import batch, bucketed, sym_gen

import gluonish as mx
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    MissingMethodError,
    ModuleStateError,
    RefusedArgumentError,
)


def test_buckets_share_parameters_and_optimizer():
    module = bucketed()
    small, large = module._buckets[3], module._buckets[5]
    assert small._optimizer is large._optimizer
    assert small._exec_group.param_arrays[0][0] is large._exec_group.param_arrays[0][0]
    assert module._curr_module is small
    module.switch_bucket(5, [("data", (2, 5))], [("softmax_label", (2,))])
    assert (module._curr_module, module._curr_bucket_key) == (large, 5)
    module.prepare(batch(2))
    assert sorted(module._buckets) == [2, 3, 5]
    assert module._curr_bucket_key == 5


def test_buckets_fit_and_score():
    class Batches(mx.io.DataIter):
        default_bucket_key = 5
        provide_data, provide_label = batch(5).provide_data, batch(5).provide_label

        def reset(self):
            self.lengths = iter((5, 3, 3))

        def next(self):
            return batch(next(self.lengths))

    train = Batches(2)
    train.reset()
    module = mx.mod.BucketingModule(sym_gen, default_bucket_key=5)
    module.fit(train, num_epoch=2, optimizer_params={"learning_rate": 0.5})
    assert sorted(module._buckets) == [3, 5]
    assert dict(module.score(train, "acc")) == {"accuracy": 1.0}
    assert [out[0].shape for out, _, _ in module.iter_predict(train)] == [(2, 3)] * 3


def test_buckets_know_what_they_are():
    module = mx.mod.BucketingModule(sym_gen, default_bucket_key=5)
    assert module.data_names == ["data"]
    assert module.output_names == ["softmax_output"]
    for use in (
        lambda: module.symbol, lambda: module.data_shapes, lambda: module.label_shapes,
        lambda: module.output_shapes, module.get_params, module.init_params, module.update,
        module.get_outputs, module.get_input_grads, module.get_states, module.set_states,
        module.init_optimizer, module.backward, lambda: module.forward(batch(3)),
        lambda: module.prepare(batch(3)), lambda: module.install_monitor(None),
        lambda: module.update_metric(None, None), lambda: module.save_checkpoint("x", 1),
        lambda: module.switch_bucket(3, []),
    ):  # fmt: skip
        with pytest.raises(ModuleStateError, match="it is not bound"):
            use()
    module = bucketed()
    assert module.data_shapes == [("data", (2, 3))]
    assert module.label_shapes == [("softmax_label", (2,))]
    assert module.output_shapes == [("softmax_output", (2, 3))]
    assert module.symbol.list_outputs() == ["softmax_output"]
    assert module.get_states(merge_multi_context=False) == []
    values = {name: array * 0 for name, array in module.get_params()[0].items()}
    module.set_params({"fc_bias": values["fc_bias"]}, {}, allow_missing=True)
    assert module.get_params()[0]["fc_bias"].asnumpy().tolist() == [0, 0, 0]
    with pytest.warns(UserWarning, match="set_params call ignored"):
        module.set_params(values, {}, allow_missing=True, force_init=False)
    module.set_params(values, {})
    assert not module.get_params()[0]["fc_weight"].asnumpy().any()


def test_buckets_say_what_is_missing():
    with pytest.raises(RefusedArgumentError, match="default_bucket_key is missing"):
        mx.mod.BucketingModule(sym_gen)
    with pytest.raises(RefusedArgumentError, match="sym_gen is required for loading"):
        mx.mod.BucketingModule.load_dict({}, default_bucket_key=5)
    module = bucketed()
    with Heard() as heard:
        module.bind([("data", (2, 5))])
        module.init_optimizer()
    assert heard.lines == [
        "WARNING Already bound, ignoring bind()",
        "WARNING optimizer already initialized, ignoring.",
    ]
    with pytest.raises(ModuleStateError, match="shared_module for BucketingModule is not"):
        module.bind([("data", (2, 5))], force_rebind=True, shared_module=module)


def test_a_monitor_watches_buckets_that_come_later():
    module = bucketed()
    monitor = mx.mon.Monitor(1, pattern="fc_output")
    module.install_monitor(monitor)
    monitor.tic()
    module.forward(batch(2))
    assert [name for _, name, _ in monitor.toc()] == ["fc_output"]


def modules():
    first = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=4, name="fc1")
    second = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc2")
    second = mx.sym.SoftmaxOutput(second, name="softmax")
    return mx.mod.Module(first, label_names=[]), mx.mod.Module(second)


def chain(**options):
    first, second = modules()
    found = mx.mod.SequentialModule()
    found.add(first).add(second, **{"take_labels": True, "auto_wiring": True, **options})
    return found


def test_a_chain_passes_data_forward_and_gradients_back():
    module = chain()
    batches = iterator(mx)
    module.bind(batches.provide_data, batches.provide_label, inputs_need_grad=True)
    module.init_params(mx.init.One())
    module.init_optimizer()
    module.forward_backward(next(batches))
    assert module.get_input_grads()[0].shape == (10, 6)
    assert module.get_outputs()[0].shape == (10, 3)
    assert module.data_shapes == batches.provide_data
    assert module.label_shapes == batches.provide_label
    assert sorted(module.get_params()[0]) == ["fc1_bias", "fc1_weight", "fc2_bias", "fc2_weight"]
    before = parameters(module)
    module.update()
    assert parameters(module) != before
    with Heard() as heard:
        module.bind(batches.provide_data)
        module.init_optimizer()
    assert len(heard.lines) == 2
    monitor = mx.mon.Monitor(1, pattern="fc2_output")
    module.install_monitor(monitor)
    monitor.tic()
    batches.reset()
    module.forward(mx.io.DataBatch(next(batches).data, next(batches).label, provide_data=[
        ("data", (10, 6))]))  # fmt: skip
    assert [name for _, name, _ in monitor.toc()] == ["fc2_output"]


def test_a_chain_says_what_does_not_fit():
    with pytest.raises(RefusedArgumentError, match='Unknown meta "take_label", a typo?'):
        mx.mod.SequentialModule().add(modules()[0], take_label=True)
    with pytest.raises(ModuleStateError, match="bind an empty SequentialModule"):
        mx.mod.SequentialModule().bind([("data", (1, 2))])
    with pytest.raises(ModuleStateError, match="Shared module is not supported"):
        chain().bind([("data", (1, 2))], shared_module=chain())
    with pytest.raises(ModuleStateError, match="inputs_need_grad=True needs for_training"):
        chain().bind([("data", (1, 2))], for_training=False, inputs_need_grad=True)
    twice = mx.mod.SequentialModule()
    twice.add(modules()[0]).add(modules()[0], auto_wiring=True)
    twice.bind([("data", (1, 2))])
    with pytest.raises(InvalidArgumentError, match='name "fc1_.*already used in layer 0'):
        twice.init_params()
    x = mx.sym.var("data")
    two = mx.sym.Group([x * 2, x * 3])
    wrong = mx.mod.SequentialModule().add(mx.mod.Module(two, label_names=[]))
    wrong.add(modules()[1], auto_wiring=True, take_labels=True)
    with pytest.raises(RefusedArgumentError, match="follows one with 2 outputs"):
        wrong.bind([("data", (1, 2))], [("softmax_label", (1,))])
    assert mx.mod.SequentialModule().data_names == []
    assert mx.mod.SequentialModule().output_names == []


class Doubling(mx.mod.PythonModule):
    def __init__(self):
        super().__init__(("data",), None, ["out"])

    def _compute_output_shapes(self):
        return [("out", tuple(self.data_shapes[0][1]))]

    def forward(self, data_batch, is_train=None):
        self.outputs = [data_batch.data[0] * 2]

    def get_outputs(self, merge_multi_context=True):
        return self.outputs


def test_a_module_in_python_needs_its_computation_only():
    module = Doubling()
    module.bind([("data", (2, 1))], for_training=False)
    assert (module.data_names, module.output_names) == (["data"], ["out"])
    assert (module.output_shapes, module.label_shapes) == ([("out", (2, 1))], None)
    assert module.get_params() == ({}, {})
    module.init_params()
    module.init_optimizer()
    module.update()
    assert module.predict(mx.nd.ones((2, 1))).asnumpy().tolist() == [[2], [2]]
    module.update_metric(None, None)
    module.bind([("data", (3, 1))])
    assert module.data_shapes == [("data", (2, 1))]
    with pytest.raises(ModuleStateError, match="only support write gradient"):
        Doubling().bind([("data", (2, 1))], grad_req="add")
    with pytest.raises(ModuleStateError, match=r"data_shapes are for \['x'\]"):
        Doubling().bind([("x", (2, 1))])
    with pytest.raises(MissingMethodError, match="_compute_output_shapes"):
        mx.mod.PythonModule(["data"], [], ["out"]).bind([("data", (1,))])


def test_a_loss_in_python_says_what_does_not_fit():
    batch = mx.io.DataBatch([mx.nd.ones((2,))], [mx.nd.zeros((2,))])
    for grad in (onp.ones(2), [1.0, 1.0], mx.nd.ones((2,))):
        loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels, grad=grad: grad)
        loss.bind([("data", (2,))], [("softmax_label", (2,))])
        loss.forward(batch)
        loss.backward()
        assert loss.get_input_grads()[0].asnumpy().tolist() == [1, 1]
        assert loss.output_shapes == [("pyloss_output", (2,))]
    with pytest.raises(ModuleStateError, match="out_grads should be None"):
        loss.backward([mx.nd.ones((2,))])
    with pytest.raises(ModuleStateError, match="merge_multi_context=False"):
        loss.get_outputs(merge_multi_context=False)
    metric = mx.metric.create("mse")
    loss.update_metric(metric, batch.label)
    assert metric.get()[1] == 1
    with pytest.raises(ModuleStateError, match="does not support presliced labels"):
        loss.update_metric(metric, batch.label, pre_sliced=True)
    with pytest.raises(MissingMethodError, match="install_monitor"):
        loss.install_monitor(None)
    loss = mx.mod.PythonLossModule(grad_func=lambda scores, labels: "?")
    loss.bind([("data", (2,))], [("softmax_label", (2,))])
    loss.forward(batch)
    with pytest.raises(DTypeError, match="grad_func returned str"):
        loss.backward()
    loss = mx.mod.PythonLossModule()
    loss.bind([("data", (2,))], [("softmax_label", (2,))])
    with pytest.raises(MissingMethodError, match="no grad_func"):
        loss.backward()
    loss = mx.mod.PythonLossModule()
    loss.bind([("data", (2,))], for_training=False)
    with pytest.raises(ModuleStateError, match="not bound for training"):
        loss.backward()
    with pytest.raises(RefusedArgumentError, match="Expected one name"):
        mx.mod.PythonLossModule(data_names=["a", "b"])
    with pytest.raises(RefusedArgumentError, match="Expected a function of scores and labels"):
        mx.mod.PythonLossModule(grad_func=3)
