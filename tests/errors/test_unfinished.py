"""A class whose constructor leaves out its parent's, or calls it too early, is told so."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

import gluonish as mx
from gluonish.errors.last_words import improve

if TYPE_CHECKING:
    from collections.abc import Callable

_PARENTS: dict[type, Callable[[Any], object]] = {
    mx.optimizer.Optimizer: lambda one: one.set_lr_mult({}),
    mx.optimizer.SGD: lambda one: mx.gluon.Trainer({}, one).step(1),
    mx.init.Initializer: lambda one: one.dumps(),
    mx.init.Uniform: lambda one: mx.gluon.nn.Dense(1, in_units=2).initialize(one),
    mx.gluon.data.ArrayDataset: len,
    mx.gluon.data.vision.ImageFolderDataset: len,
    mx.gluon.data.DataLoader: list,
    mx.gluon.data.RandomSampler: list,
    mx.gluon.Trainer: lambda one: one.step(1),
    mx.gluon.Parameter: lambda one: one.initialize(),
    mx.io.NDArrayIter: next,
    mx.metric.EvalMetric: lambda one: one.get(),
    mx.metric.Accuracy: lambda one: one.update(mx.nd.ones(2), mx.nd.ones(2)),
    mx.mod.Module: lambda one: one.bind([("data", (2, 2))]),
    mx.image.ForceResizeAug: lambda one: one(mx.nd.ones((2, 2, 3))),
    mx.recordio.MXRecordIO: lambda one: one.read(),
}


@pytest.mark.parametrize("parent", _PARENTS)
def test_constructor_that_leaves_out_its_parents_is_named(parent: type) -> None:
    class Own(parent):  # type: ignore[misc]
        def __init__(self) -> None:
            self.limit = 3

    with pytest.raises(AttributeError) as caught:
        _PARENTS[parent](Own())
    improve(caught.value, caught.value.__traceback__)
    told = caught.value.__notes__[-1]
    assert told.startswith(f"Own.__init__() does not call {parent.__name__}.__init__(), which ")
    assert " as the first line of Own.__init__, which begins in line " in told


def test_arguments_have_the_names_of_the_constructor() -> None:
    class Own(mx.mod.Module):
        def __init__(self, symbol: object, context: object = None) -> None:
            self.limit = 3

    with pytest.raises(AttributeError) as caught:
        Own(None).bind([("data", (2, 2))])
    improve(caught.value, caught.value.__traceback__)
    assert "super().__init__(symbol, context=context) as" in caught.value.__notes__[-1]


def test_what_comes_after_the_parents_constructor_is_named() -> None:
    class Largest(mx.metric.EvalMetric):
        def __init__(self) -> None:
            super().__init__("largest")
            self.start = 0.0

        def reset(self) -> None:
            self.largest = self.start

    with pytest.raises(AttributeError) as caught:
        Largest()
    improve(caught.value, caught.value.__traceback__)
    told = caught.value.__notes__[-1]
    assert told.startswith("Largest.reset() runs inside of line ")
    assert " sets self.start. Move that line above line " in told


def test_other_missing_attributes_are_not_explained_so() -> None:
    class Own(mx.gluon.data.Dataset):
        def __init__(self) -> None:
            self.values = [1]

        def __len__(self) -> int:
            return len(self.vales)  # type: ignore[attr-defined]

    with pytest.raises(AttributeError) as caught:
        len(Own())
    improve(caught.value, caught.value.__traceback__)
    assert "__init__" not in "".join(getattr(caught.value, "__notes__", []))


def test_metric_that_needs_nothing_of_its_parent_works() -> None:
    class Count(mx.metric.EvalMetric):
        def __init__(self) -> None:
            self.sum_metric = 0
            self.num_inst = 0

        def update(self, labels: object, preds: object) -> None:
            self.sum_metric += 3
            self.num_inst += 1

        def get(self) -> tuple[str, float]:
            return "count", self.sum_metric / self.num_inst

    metric = Count()
    metric.update(None, None)
    metric.update(None, None)
    assert metric.get() == ("count", 3.0)


def test_class_in_the_place_of_an_object_is_named() -> None:
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2)
    module = mx.mod.Module(symbol, label_names=None)
    with pytest.raises(TypeError) as caught:
        module.fit(mx.io.NDArrayIter, num_epoch=1)
    improve(caught.value, caught.value.__traceback__)
    told = caught.value.__notes__[-1]
    assert told.startswith("Module.fit: train_data is the class NDArrayIter. Expected one of its ")
    assert told.endswith("Write mx.io.NDArrayIter(...), with its arguments, where it is made.")


def test_functions_refuse_what_is_no_array() -> None:
    class Clamp(mx.autograd.Function):
        def forward(self, x: mx.nd.NDArray) -> mx.nd.NDArray:
            return x.clip(0, 1)

        def backward(self, dy: mx.nd.NDArray) -> mx.nd.NDArray:
            return dy

    x, function = mx.nd.array([0.5, 2]), Clamp()
    x.attach_grad()
    with mx.autograd.record():
        with pytest.raises(mx.MXNetError, match=r"nothing was given. .*Clamp\(\)\(x\)"):
            function()
        with pytest.raises(mx.MXNetError, match="Clamp: an input is a tuple of .*Take the tuple"):
            function((x, x))
        y = function(x)  # which the failed calls have not used up
    assert y.asnumpy().tolist() == [0.5, 1]
