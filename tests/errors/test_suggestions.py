"""Names that are misspelt are answered with the nearest one that exists."""

from __future__ import annotations

import pickle
import re
import tempfile

import pytest
import torch

import gluonish as mx
from gluonish.errors.habits import ATTRIBUTES
from gluonish.errors.suggestions import did_you_mean, instead, nearest
from gluonish.gluon.contrib.estimator import Estimator
from gluonish.mxnet_import.explaining import lacks_name
from gluonish.mxnet_import.finder import lacks_module


@pytest.mark.parametrize(
    ("module", "name", "meant"),
    [
        (mx.nd, "sofmax", "softmax"),
        (mx.np, "matmull", "matmul"),
        (mx.npx, "rellu", "relu"),
        (mx.sym, "sofmax", "softmax"),
        (mx.nd.contrib, "foreech", "foreach"),
        (mx.gluon, "Trainr", "Trainer"),
        (mx.gluon.nn, "dense", "Dense"),
        (mx.gluon.loss, "SoftmaxCELos", "SoftmaxCELoss"),
        (mx.gluon.data.vision, "MINST", "MNIST"),
        (mx.init, "Xaviar", "Xavier"),
        (mx.metric, "Acuracy", "Accuracy"),
        (mx.optimizer, "Addam", "Adam"),
        (mx, "gluonn", "gluon"),
    ],
)
def test_modules_name_the_nearest(module, name, meant):
    with pytest.raises(AttributeError, match=f"'{name}'. The nearest name there is '{meant}'"):
        getattr(module, name)
    assert not hasattr(module, name)


def test_a_name_like_no_other_has_no_suggestion():
    with pytest.raises(AttributeError) as caught:
        _ = mx.nd.qqqqqqqq
    assert str(caught.value) == (
        "module 'gluonish.ndarray' has no attribute 'qqqqqqqq'. "
        "Expected one of the names that dir(gluonish.ndarray) lists."
    )


def test_the_error_can_be_sent_to_another_process():
    with pytest.raises(mx.MXNetError) as caught:
        _ = mx.gluon.nn.Dence
    assert str(pickle.loads(pickle.dumps(caught.value))) == str(caught.value)


@pytest.mark.parametrize(
    ("make", "meant"),
    [
        (lambda: mx.metric.create("acuracy"), "accuracy"),
        (lambda: mx.init.create("xavierr"), "xavier"),
        (lambda: mx.optimizer.create("addam"), "adam"),
        (lambda: mx.optimizer.create("adam", lr=1), "learning_rate"),
        (lambda: mx.optimizer.create("sgd", momentm=1), "momentum"),
        (lambda: mx.gluon.nn.Activation("Relu"), "relu"),
        (lambda: mx.gluon.nn.Dense(2, in_unit=3), "in_units"),
        (lambda: mx.gluon.nn.Flatten(prefx="a_"), "prefix"),
        (lambda: mx.gluon.model_zoo.vision.get_model("resnet18v1"), "resnet18_v1"),
        (lambda: mx.nd.ones(2, dtype="flot32"), "float32"),
        (lambda: mx.nd.softmax(mx.nd.ones(2), axs=0), "axis"),
    ],
)
def test_registries_and_arguments_name_the_nearest(make, meant):
    with pytest.raises(mx.MXNetError, match=f"Did you mean '{meant}'"):
        make()


def test_learning_rates_that_are_no_numbers_are_refused():
    with pytest.raises(ValueError, match="learning_rate=nan was given"):
        mx.optimizer.SGD(learning_rate=float("nan"))
    with pytest.raises(TypeError, match="learning_rate='0.1' was given, a str"):
        mx.optimizer.create("sgd", learning_rate="0.1")


def test_spelling_of_the_same_case_is_preferred():
    assert nearest("sofmax", ["Softmax", "softmax"]) == "softmax"
    assert nearest("Sofmax", ["Softmax", "softmax"]) == "Softmax"
    assert did_you_mean("x", ["adam"]) == ""


@pytest.mark.parametrize(
    ("module", "name", "other"),
    [
        (mx.contrib, "quant", "contrib.quantization is it"),
        (mx.onnx, "onnx2mx", "Load ONNX models by onnx.import_model"),
        (mx.gluon.nn, "Linear", r"Linear\(n, m\) is Dense\(m\) here"),
        (mx.gluon.nn, "ModuleList", "ModuleList is Sequential here"),
        (mx.nd, "cat", "cat is nd.concat here"),
        (mx.np, "tensor", "tensor is np.array here"),
    ],
)
def test_what_is_missing_on_purpose_names_what_to_use(module, name, other):
    with pytest.raises(AttributeError, match=other):
        getattr(module, name)
    path = f"{module.__name__}.{name}"
    assert re.search(other, str(instead(path)))
    assert re.search(other, lacks_name(module, name))
    assert re.search(other, lacks_module(path.replace("gluonish", "mxnet")))


# Objects of programs, and modules that are inside of others.
_SKIPPED = {"self", "layer", "contrib", "loss", "mean", "data", "tensor", "estimator", "init"}


def _record():
    with tempfile.TemporaryDirectory() as folder:
        record = mx.recordio.MXRecordIO(f"{folder}/a.rec", "w")
        record.close()
    return record


def samples():
    net = mx.gluon.nn.HybridSequential(mx.gluon.nn.Dense(2, in_units=3))
    net.initialize()
    params = net.collect_params()
    trainer = mx.gluon.Trainer(params, "sgd")
    return {
        "NDArray": mx.nd.ones(2),
        "Block": net,
        "Parameter": net[0].weight,
        "ParameterDict": params,
        "Trainer": trainer,
        "LRScheduler": mx.lr_scheduler.CosineScheduler(10, 0.1),
        "Context": mx.cpu(),
        "Optimizer": mx.optimizer.SGD(),
        "EvalMetric": mx.metric.Accuracy(),
        "Estimator": Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer),
        "Dataset": mx.gluon.data.ArrayDataset(mx.nd.ones(2)),
        "DataLoader": mx.gluon.data.DataLoader(mx.gluon.data.ArrayDataset(mx.nd.ones(2)), 1),
        "DataBatch": mx.io.DataBatch([mx.nd.ones(2)]),
        "MXRecordIO": _record(),
        "Symbol": mx.sym.var("data"),
        "BaseModule": mx.mod.Module(mx.sym.var("data"), label_names=None),
    }


@pytest.mark.parametrize(
    ("cls", "name"),
    [(cls, name) for cls, names in ATTRIBUTES.items() for name in names if name.isidentifier()],
)
def test_names_of_torchs_objects_are_answered_with_ours(cls, name):
    found = samples()
    one = found[cls]
    if cls == "Block" and hasattr(one, name):
        one = mx.gluon.nn.Sequential()  # which lacks what HybridBlocks have
    assert not hasattr(one, name)
    assert name not in dir(one)
    with pytest.raises(AttributeError) as caught:
        getattr(one, name)
    assert isinstance(caught.value, mx.MXNetError)
    told = str(pickle.loads(pickle.dumps(caught.value)))
    assert told.startswith(f"'{type(one).__name__}' object has no attribute '{name}'. ")
    owners = {"x": found["NDArray"], "net": found["Block"], "p": found["Parameter"]} | {
        "new": found["Block"], "other": found["Block"], "nn": mx.gluon.nn, "q": found["Parameter"],
        "trainer": found["Trainer"], "nd": mx.nd, "gluon": mx.gluon, "autograd": mx.autograd,
        "np": mx.np,
        "mx": mx, "params": found["ParameterDict"], "optimizer": found["Optimizer"],
        "metric": found["EvalMetric"], "est": found["Estimator"],
        "dataset": found["Dataset"], "torch": torch, "s": found["Symbol"],
        "record": found["MXRecordIO"],
        "batch": found["DataBatch"], "ctx": mx.cpu(), "mod": found["BaseModule"],
        "executor": mx.sym.var("x").simple_bind(mx.cpu(), x=(1,)), "io": mx.io, "sym": mx.sym,
    }  # fmt: skip
    meant = re.findall(r"\b([a-z]+)\.([a-z_]+)", told)

    for owner, attribute in meant:
        assert owner in _SKIPPED or hasattr(owners[owner], attribute), (owner, attribute)


def test_numpys_arrays_say_so_too():
    with pytest.raises(AttributeError, match=r"'ndarray' object has no attribute 'view'. x.resh"):
        _ = mx.np.ones(2).view


def test_blocks_may_have_names_that_torchs_modules_have():
    class Named(mx.gluon.nn.Dense):
        def parameters(self):
            return ["mine"]

    net = Named(2)
    net.train = 3
    assert net.parameters() == ["mine"]
    assert net.train == 3
    assert {"parameters", "train"} <= set(dir(net))
    net.eval = mx.gluon.nn.Dense(1)
    assert len(net._children) == 1
