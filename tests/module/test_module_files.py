"""Files of modules: checkpoints, those of the real MXNet among them, and optimizers' states."""

from __future__ import annotations

import logging
import os
import pickle
from pathlib import Path

import numpy as onp
import pytest
from module_programs import convolutional, data, iterator, mlp, parameters
from test_module_programs import unlike

import gluonish as mx
from gluonish.errors import DTypeError, FileFormatError, MissingFileError

GOLDEN = Path(__file__).parents[1] / "golden" / "mxnet" / "models" / "module_mlp"


@pytest.fixture(scope="module")
def golden():
    with onp.load(GOLDEN / "io.npz") as found:
        return dict(found)


def test_checkpoint_of_mxnet_predicts_what_it_predicted(golden):
    module = mx.mod.Module.load(str(GOLDEN / "mod"), 3)
    batches = mx.io.NDArrayIter(golden["x"], golden["label"], 10)
    module.bind(batches.provide_data, batches.provide_label, for_training=False)
    onp.testing.assert_allclose(module.predict(batches).asnumpy(), golden["prob"], atol=1e-5)
    assert dict(module.score(batches, "acc"))["accuracy"] == golden["accuracy"]


@pytest.mark.parametrize("name", ["mod-symbol.json", "mod-symbol-09.json", "mod-symbol-08.json"])
def test_gradients_are_those_of_the_loss(golden, name):
    module = mx.mod.Module(mx.sym.load(str(GOLDEN / name)))
    batches = mx.io.NDArrayIter(golden["x"], golden["label"], 40)
    module.bind(batches.provide_data, batches.provide_label, inputs_need_grad=True)
    module.set_params(*mx.model.load_params(str(GOLDEN / "mod"), 3))
    module.forward_backward(next(batches))
    scores = golden["prob"] - onp.eye(3, dtype="float32")[golden["label"].astype(int)]
    grads = {
        name: grads[0].asnumpy()
        for name, grads in zip(
            module._exec_group.param_names, module._exec_group.grad_arrays, strict=True
        )
    }
    params = {name: array.asnumpy() for name, array in module.get_params()[0].items()}
    hidden = onp.maximum(golden["x"] @ params["fc1_weight"].T + params["fc1_bias"], 0)
    back = (scores @ params["fc2_weight"]) * (hidden > 0)
    expected = {
        "fc1_weight": back.T @ golden["x"],
        "fc1_bias": back.sum(0),
        "fc2_weight": scores.T @ hidden,
        "fc2_bias": scores.sum(0),
    }
    for key, value in expected.items():
        onp.testing.assert_allclose(grads[key], value, atol=1e-5)
    found = module.get_input_grads()[0].asnumpy()
    onp.testing.assert_allclose(found, back @ params["fc1_weight"], atol=1e-5)


def test_training_follows_mxnet_epoch_by_epoch(golden):
    module = mx.mod.Module(mx.sym.load(str(GOLDEN / "mod-symbol.json")))
    start = {k[6:]: mx.nd.array(v) for k, v in golden.items() if k.startswith("start.")}

    def follow(epoch, symbol, arg_params, aux_params):
        for name, array in arg_params.items():
            expected = golden[f"epoch{epoch}.{name}"]
            onp.testing.assert_allclose(array.asnumpy(), expected, rtol=1e-4, atol=1e-5)

    module.fit(
        mx.io.NDArrayIter(golden["x"], golden["label"], 10),
        arg_params=start, aux_params={}, num_epoch=4, epoch_end_callback=follow,
        optimizer_params={"learning_rate": 0.5, "momentum": 0.9},
    )  # fmt: skip


def fitted(module, epochs, **options):
    options.setdefault("optimizer_params", {"learning_rate": 0.1, "momentum": 0.9})
    module.fit(iterator(mx), num_epoch=epochs, initializer=mx.init.Xavier(), **options)
    return module


@pytest.mark.parametrize("contexts", [1, 2])
def test_training_goes_on_from_a_checkpoint(tmp_path, caplog, contexts):
    context = [mx.cpu(i) for i in range(contexts)]
    mx.random.seed(1)
    straight = parameters(fitted(mx.mod.Module(mlp(mx), context=context), 4))
    mx.random.seed(1)
    half = fitted(mx.mod.Module(mlp(mx), context=context), 2)
    with caplog.at_level(logging.INFO):
        half.save_checkpoint(str(tmp_path / "net"), 2, save_optimizer_states=True)
    assert [record.getMessage() for record in caplog.records] == [
        f'Saved checkpoint to "{tmp_path / "net"}-0002.params"',
        f'Saved optimizer state to "{tmp_path / "net"}-0002.states"',
    ]
    loaded = mx.mod.Module.load(
        str(tmp_path / "net"), 2, load_optimizer_states=True, context=context
    )
    with pytest.warns(UserWarning, match="init_params call ignored"):
        fitted(loaded, 4, begin_epoch=2)
    assert not unlike(parameters(loaded), straight)


def test_states_are_saved_and_loaded_by_themselves(tmp_path):
    mx.random.seed(1)
    module = fitted(mx.mod.Module(mlp(mx)), 1)
    module.save_optimizer_states(tmp_path / "momentum")
    before = module._updater.states[0].asnumpy()
    module._updater.states[0][:] = 0
    module.load_optimizer_states(tmp_path / "momentum")
    module.forward_backward(next(iterator(mx)))
    module.update()
    assert onp.abs(module._updater.states[0].asnumpy()).max() > 0.1 * onp.abs(before).max()


def test_parameters_are_saved_with_auxiliary_states(tmp_path):
    x, y = data(12, 36)
    batches = mx.io.NDArrayIter(x.reshape(12, 1, 6, 6), y, 12)
    module = mx.mod.Module(convolutional(mx))
    module.fit(batches, num_epoch=1)
    module.save_params(tmp_path / "bn.params")
    assert {name.partition(":")[0] for name in mx.nd.load(tmp_path / "bn.params")} == {"arg", "aux"}
    other = mx.mod.Module(convolutional(mx))
    other.bind(batches.provide_data, for_training=False, label_shapes=batches.provide_label)
    other.load_params(tmp_path / "bn.params")
    assert parameters(other) == parameters(module)


def test_other_files_are_refused(tmp_path):
    mx.nd.save(str(tmp_path / "plain"), {"fc1_weight": mx.nd.ones((1,))})
    mx.nd.save(str(tmp_path / "list"), [mx.nd.ones((1,))])
    module = mx.mod.Module(mlp(mx))
    for name in ("plain", "list"):
        with pytest.raises(FileFormatError, match="Invalid param file .*'arg:' or 'aux:'"):
            module.load_params(tmp_path / name)
    with pytest.raises(MissingFileError, match=r"no-symbol\.json"):
        mx.mod.Module.load(str(tmp_path / "no"), 1)
    with pytest.raises(FileFormatError, match="it names 'posix.getcwd'.* Nothing in it was run"):
        _pickled(tmp_path, fitted(module, 1))


def _pickled(folder, module):
    (folder / "states").write_bytes(pickle.dumps({0: os.getcwd}))
    module.load_optimizer_states(folder / "states")


def sym_gen(length):
    x = mx.sym.sum(mx.sym.var("data"), axis=1, keepdims=True)
    net = mx.sym.FullyConnected(x, num_hidden=3, name="fc")
    return mx.sym.SoftmaxOutput(net, name="softmax"), ("data",), ("softmax_label",)


def batch(length, rows=2):
    return mx.io.DataBatch(
        [mx.nd.ones((rows, length))],
        [mx.nd.ones((rows,))],
        bucket_key=length,
        provide_data=[("data", (rows, length))],
        provide_label=[("softmax_label", (rows,))],
    )


def bucketed():
    module = mx.mod.BucketingModule(sym_gen, default_bucket_key=5)
    module.bind([("data", (2, 5))], [("softmax_label", (2,))])
    module.init_params(mx.init.One())
    module.init_optimizer(optimizer_params={"learning_rate": 0.5})
    module.forward_backward(batch(3))
    module.update()
    return module


def test_buckets_are_saved_with_their_keys(tmp_path):
    module = bucketed()
    module.save_checkpoint(str(tmp_path / "net"), 2)
    assert {path.name for path in tmp_path.iterdir()} == {
        "net-5-symbol.json", "net-3-symbol.json", "net-0002.params", "net.buckets",
    }  # fmt: skip
    loaded = mx.mod.BucketingModule.load(
        str(tmp_path / "net"), 2, sym_gen=sym_gen, default_bucket_key=5
    )
    assert loaded.params_initialized
    loaded.bind([("data", (2, 5))], [("softmax_label", (2,))], for_training=False)
    assert parameters(loaded) == parameters(module)
    for length in (3, 5):
        loaded.forward(batch(length))
        module.forward(batch(length), is_train=False)
        assert loaded.get_outputs()[0].asnumpy().tolist() == (
            module.get_outputs()[0].asnumpy().tolist()
        )


def test_buckets_without_numbers_as_keys_are_not_saved(tmp_path):
    module = mx.mod.BucketingModule(sym_gen, default_bucket_key="long")
    module.bind([("data", (2, 5))], [("softmax_label", (2,))])
    module.init_params()
    with pytest.raises(DTypeError, match="keys are .*'long'.* Use lengths as keys"):
        module.save_checkpoint(str(tmp_path / "net"), 1)


@pytest.mark.parametrize("kind", ["structural", "full names", "other prefix"])
def test_bound_modules_take_files_of_gluon(kind, tmp_path):
    net = mx.gluon.nn.HybridSequential(prefix="other_" if kind == "other prefix" else "net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(4, in_units=3), mx.gluon.nn.BatchNorm(in_channels=4))
        net.add(mx.gluon.nn.Dense(2, in_units=4))
    net.initialize(mx.init.Uniform(1))
    x = mx.nd.random.normal(shape=(5, 3))
    expected = net(x).asnumpy()
    file = tmp_path / "net.params"
    if kind == "structural":
        net.save_parameters(file)
    else:
        net.collect_params().save(file)
    symbol = net(mx.sym.var("data"))
    if kind == "other prefix":
        symbol = mx.sym.load_json(symbol.tojson().replace("other_", "net_"))
    module = mx.mod.Module(symbol, label_names=None)
    with pytest.raises(FileFormatError, match="Expected names that begin with 'arg:' or 'aux:'"):
        module.load_params(file)
    module.bind([("data", x.shape)], for_training=False)
    module.load_params(file)
    module.forward(mx.io.DataBatch([x]))
    onp.testing.assert_allclose(module.get_outputs()[0].asnumpy(), expected, rtol=1e-5)
