"""mx.contrib: its names, the autograd of old, and metrics for TensorBoard."""

from __future__ import annotations

import importlib
import sys
import types

import pytest

import gluonish as mx
from gluonish.callback import BatchEndParam
from gluonish.contrib import autograd
from gluonish.errors import CallCountError, InvalidArgumentError, MissingExtraError, OperandError


def values(arrays):
    return [array.asnumpy().tolist() for array in arrays]


def marked(*numbers):
    x, dx = mx.nd.array(list(numbers)), mx.nd.zeros(len(numbers))
    autograd.mark_variables([x], [dx])
    return x, dx


@pytest.mark.parametrize("name", ["foreach", "while_loop", "cond", "box_nms", "MultiBoxPrior"])
def test_contrib_is_that_of_arrays_and_symbols(name):
    assert getattr(mx.contrib.nd, name) is getattr(mx.nd.contrib, name)
    assert getattr(mx.contrib.ndarray, name) is getattr(mx.nd.contrib, name)
    assert getattr(mx.contrib.sym, name) is getattr(mx.sym.contrib, name)
    assert getattr(mx.contrib.symbol, name) is getattr(mx.sym.contrib, name)
    assert getattr(importlib.import_module("gluonish.contrib.nd"), name) is getattr(
        mx.nd.contrib, name
    )


def test_sections_record_or_do_not():
    x, dx = marked(1, 2)
    with autograd.train_section():
        assert (mx.autograd.is_recording(), mx.autograd.is_training()) == (True, True)
        with autograd.test_section():
            assert (mx.autograd.is_recording(), mx.autograd.is_training()) == (False, False)
        y = x * x
    autograd.compute_gradient([y])
    assert dx.asnumpy().tolist() == [2, 4]


def test_training_is_switched():
    assert autograd.set_is_training(True) is False
    assert mx.autograd.is_recording()
    assert autograd.set_is_training(False) is True
    assert not mx.autograd.is_recording()


def test_gradients_of_outputs_count():
    x, dx = marked(1, 2)
    with autograd.train_section():
        y = x * x
    autograd.backward([y], [mx.nd.array([2, 3])], retain_graph=True)
    assert dx.asnumpy().tolist() == [4, 12]
    autograd.backward([y])
    assert dx.asnumpy().tolist() == [2, 4]


def test_functions_are_differentiated_by_their_arguments():
    x, y = mx.nd.array([1, 2]), mx.nd.array([3, 4])
    grads, loss = autograd.grad_and_loss(lambda a, b: a * b)(x, y)
    assert values(grads) == [[3, 4], [1, 2]]
    assert loss.asnumpy().tolist() == [3, 8]
    assert values(autograd.grad(lambda a, b: a * b, argnum=1)(x, y)) == [[1, 2]]
    assert values(autograd.grad(lambda a, b: a * b, argnum=[0, 1])(x, y)) == [[3, 4], [1, 2]]
    assert values(autograd.grad(lambda a, b: [a * b, a])(x, y)) == [[4, 5], [1, 2]]


@pytest.mark.parametrize(
    ("call", "error", "match"),
    [
        (lambda x: autograd.backward(x), OperandError, "must be a list or tuple"),
        (lambda x: autograd.backward([x], [x, x]), CallCountError, "same length"),
        (lambda x: autograd.grad(lambda a: a)(3), OperandError, "type of autograd input"),
        (lambda x: autograd.grad(lambda a: a, argnum="a")(x), OperandError, "argnum='a'"),
        (lambda x: autograd.grad(lambda a: a, argnum=1)(x), OperandError, "Count from 0"),
        (lambda x: autograd.mark_variables([x, x], [x]), InvalidArgumentError, "same length"),
    ],
)
def test_mistakes_are_explained(call, error, match):
    with pytest.raises(error, match=match):
        call(mx.nd.ones((2,)))


class Writer:
    def __init__(self, folder):
        self.folder = folder
        self.rows = []

    def add_scalar(self, name, value, global_step):
        self.rows.append((name, value, global_step))


def test_metrics_are_written_for_tensorboard(monkeypatch, tmp_path):
    module = types.ModuleType("torch.utils.tensorboard")
    module.SummaryWriter = Writer
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", module)
    callback = mx.contrib.tensorboard.LogMetricsCallback(tmp_path, prefix="train")
    metric = mx.metric.Accuracy()
    metric.update([mx.nd.array([0, 1])], [mx.nd.array([[1, 0], [1, 0]])])
    callback(BatchEndParam(epoch=3, nbatch=1, eval_metric=metric, locals=None))
    callback(BatchEndParam(epoch=4, nbatch=1, eval_metric=None, locals=None))
    assert callback.summary_writer.rows == [("train-accuracy", 0.5, 3)]
    plain = mx.contrib.tensorboard.LogMetricsCallback(tmp_path)
    plain(BatchEndParam(epoch=5, nbatch=1, eval_metric=metric, locals=None))
    assert plain.summary_writer.rows == [("accuracy", 0.5, 5)]


def test_a_missing_tensorboard_is_explained(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gluonish\[tensorboard\]'"):
        mx.contrib.tensorboard.LogMetricsCallback(tmp_path)
