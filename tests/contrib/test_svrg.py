"""contrib.svrg_optimization, compared with the real MXNet."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as onp
import pytest
from svrg_programs import PROGRAMS, data, module_of, weights

import gluonish as mx
from gluonish.contrib.svrg_optimization import SVRGModule
from gluonish.errors import (
    DTypeError,
    InvalidArgumentError,
    ModuleStateError,
    UnsupportedOptionError,
)
from gluonish.kvstore.dist_sync import SyncKVStore
from gluonish.module import Module

GOLDEN = Path(__file__).parents[1] / "golden" / "svrg.json"
EXPECTED = json.loads(GOLDEN.read_text())["results"]


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_modules_learn_what_they_learn_in_mxnet(name):
    with mx.name.NameManager():
        found = PROGRAMS[name](mx)
    expected = EXPECTED[name]
    several = expected if isinstance(expected, list) else [expected]
    for one, other in zip(found if several is expected else [found], several, strict=True):
        assert sorted(one) == sorted(other)
        for key, value in other.items():
            onp.testing.assert_allclose(one[key], value, rtol=1e-4, atol=1e-5, err_msg=key)


def test_two_contexts_learn_what_one_does():
    found = []
    for contexts in ([mx.cpu(0)], [mx.cpu(0), mx.cpu(1)]):
        module = module_of(mx, update_freq=2, context=contexts)
        module.fit(
            data(mx, 10),
            eval_metric="mse",
            optimizer_params={"learning_rate": 0.05},
            initializer=mx.init.Constant(0.1),
            num_epoch=3,
        )
        found.append(weights(module))
    for key, value in found[0].items():
        onp.testing.assert_allclose(found[1][key], value, rtol=1e-5, atol=1e-6)


def test_each_time_the_gradients_are_those_of_all_data():
    train, module = data(mx, 5), module_of(mx, update_freq=1)
    options = {"eval_metric": "mse", "optimizer_params": {"learning_rate": 0.025}}
    module.fit(train, initializer=mx.init.Constant(0.1), num_epoch=3, **options)
    before = weights(module)
    module.update_full_grads(train)
    x, y = (each[0][1].asnumpy() for each in (train.data, train.label))
    wrong = x @ before["fc_weight"] + before["fc_bias"] - y
    slope = (wrong[:, None] * x).sum(0) / len(train.data[0][1]) * 5
    found = module._param_dict[0]["fc_weight"].asnumpy()[0]
    onp.testing.assert_allclose(found, slope, rtol=1e-3, atol=1e-5)
    assert weights(module) == before


def test_the_optimizer_is_wrapped_and_its_settings_reach_it():
    train, module = data(mx, 5), module_of(mx, update_freq=2)
    module.bind(train.provide_data, train.provide_label)
    module.init_params()
    module.init_optimizer(optimizer_params={"learning_rate": 0.2, "momentum": 0.5})
    assert type(module._optimizer).__name__ == "_SVRGOptimizer"
    assert module._optimizer.default_opt.momentum == 0.5
    assert module._optimizer.default_opt.rescale_grad == module._optimizer.rescale_grad == 0.2


def test_a_store_updates_weights_and_keeps_the_sums_of_gradients():
    names = {0: "weight", 1: "weight_full"}
    given = {"param_idx2name": names, "learning_rate": 1.0}
    for optimizer in ("sgd", mx.optimizer.SGD(**given)):
        store = mx.kv.create("local")
        store.set_optimizer(
            mx.optimizer.create("_SVRGOptimizer", default_optimizer=optimizer, **given)
        )
        found = []
        for key, gradient in ((0, 1.0), (1, 2.0)):
            weight = mx.nd.ones(3)
            store.init(key, weight)
            store.push(key, mx.nd.ones(3) * gradient)
            store.pull(key, weight)
            found.append(weight.asnumpy().tolist())
        assert found == [[0.0] * 3, [2.0] * 3]


def test_the_rule_of_a_subclass_is_asked():
    class Plain(SVRGModule):
        def _svrg_grads_update_rule(self, own, kept, average):
            return own * 0

    train = data(mx, 5)
    symbol = module_of(mx, update_freq=2).symbol
    module = Plain(symbol, label_names=["lin_label"], update_freq=2)
    module.fit(train, eval_metric="mse", initializer=mx.init.Constant(0.1), num_epoch=2)
    assert all(value == pytest.approx(0.1) for value in weights(module)["fc_weight"])


def test_fixed_parameters_stay():
    module = module_of(mx, update_freq=2, fixed_param_names=["fc_bias"])
    initializer = mx.init.Constant(0.1)
    module.fit(data(mx, 5), eval_metric="mse", initializer=initializer, num_epoch=2)
    found = weights(module)
    assert found["fc_bias"] == [0]
    assert all(value > 0.1 for value in found["fc_weight"])


def test_updates_need_the_gradients_of_all_data():
    train, module = data(mx, 5), module_of(mx, update_freq=2)
    module.bind(train.provide_data, train.provide_label)
    module.init_params()
    module.init_optimizer()
    module.forward_backward(next(train))
    with pytest.raises(ModuleStateError, match=r"Call module\.update_full_grads\(train_data\)"):
        module.update()


def test_all_data_are_at_least_one_batch():
    train, module = data(mx, 5), module_of(mx, update_freq=2)
    module.bind(train.provide_data, train.provide_label)
    module.init_params()

    class Nothing(mx.io.DataIter):
        def next(self):
            raise StopIteration

    with pytest.raises(InvalidArgumentError, match="train_data gave no batch"):
        module.update_full_grads(Nothing(5))


@pytest.mark.parametrize("value", [None, 1.5, "2", True])
def test_the_frequency_is_a_whole_number(value):
    with pytest.raises(DTypeError, match="must be an integer to represent the frequency"):
        module_of(mx, update_freq=value)


@pytest.mark.parametrize("value", [0, -1])
def test_the_frequency_is_positive(value):
    with pytest.raises(InvalidArgumentError, match="must be a positive integer"):
        module_of(mx, update_freq=value)


def test_stores_of_several_processes_are_refused(monkeypatch):
    store = object.__new__(SyncKVStore)
    monkeypatch.setattr(SyncKVStore, "type", "dist_sync")
    monkeypatch.setattr(
        Module, "_init_optimizer", lambda self, *_: vars(self).update(_kvstore=store)
    )
    with pytest.raises(UnsupportedOptionError, match="kvstore='dist_sync' was given"):
        module_of(mx, update_freq=2).init_optimizer(kvstore="dist_sync")
