"""gluon.contrib.estimator, compared with the real MXNet line by line."""

from __future__ import annotations

import json
import logging
import math
from pathlib import Path

import numpy as onp
import pytest
from closeness import assert_close
from estimator_programs import PROGRAMS, Lines, estimator_of, loader, run

import gluonish as mx
from gluonish.errors import (
    FileAccessError,
    FileFormatError,
    InvalidArgumentError,
    MissingCheckpointError,
    RefusedArgumentError,
)
from gluonish.gluon.contrib import estimator as kinds

GOLDEN = Path(__file__).parents[1] / "golden" / "estimator.json"
EXPECTED = json.loads(GOLDEN.read_text())["results"]


def assert_same(found, expected, where):
    if isinstance(expected, dict):
        assert sorted(found) == sorted(expected), where
        for key, value in expected.items():
            assert_same(found[key], value, f"{where}.{key}")
    elif isinstance(expected, list) and not where.endswith(".lines"):
        assert len(found) == len(expected), where
        for index, value in enumerate(expected):
            assert_same(found[index], value, f"{where}.{index}")
    elif isinstance(expected, float) or isinstance(found, float):
        onp.testing.assert_allclose(found, float(expected), rtol=1e-4, atol=1e-5, err_msg=where)
    else:
        assert found == expected, where


@pytest.mark.parametrize("name", sorted(PROGRAMS))
def test_estimators_do_what_they_do_in_mxnet(name, tmp_path):
    with mx.name.NameManager():
        found = run(mx, name, tmp_path)
    assert_same(found, EXPECTED[name], name)


def test_estimators_train_where_the_parameters_are():
    net = mx.gluon.nn.Dense(1, in_units=2)
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)])
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    found = kinds.Estimator(net, mx.gluon.loss.L2Loss(), trainer=trainer)
    assert found.context == [mx.cpu(0), mx.cpu(1)]


def test_estimators_initialize_what_is_not_initialized():
    net = mx.gluon.nn.Dense(1, in_units=2)
    with pytest.warns(UserWarning, match="No trainer specified, default SGD"):
        found = kinds.Estimator(
            net, mx.gluon.loss.L2Loss(), initializer=mx.init.One(), context=mx.cpu(1)
        )
    assert net.weight.data(mx.cpu(1)).asnumpy().tolist() == [[1, 1]]
    assert found.trainer.learning_rate == 0.001


def test_estimators_keep_what_is_initialized():
    net = mx.gluon.nn.Dense(1, in_units=2)
    net.initialize(mx.init.One())
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    with pytest.warns(UserWarning, match="already fully initialized, skipping initialization"):
        kinds.Estimator(net, mx.gluon.loss.L2Loss(), initializer=mx.init.Zero(), trainer=trainer)
    assert net.weight.data().asnumpy().tolist() == [[1, 1]]


@pytest.mark.parametrize(
    ("options", "names"),
    [
        ({}, ["training accuracy", "training softmaxcrossentropyloss"]),
        ({"loss": mx.gluon.loss.L1Loss()}, ["training l1loss"]),
        ({"train_metrics": mx.metric.MSE()}, ["training mse"]),
        (
            {"train_metrics": mx.metric.create(["acc", "mse"])},
            ["training accuracy", "training mse"],
        ),
    ],
)
def test_metrics_are_named_for_training_and_validation(options, names, tmp_path):
    found, _ = estimator_of(mx, tmp_path, **options)
    assert [metric.name for metric in found.train_metrics] == names
    validation = [name.replace("training", "validation") for name in names]
    assert [metric.name for metric in found.val_metrics] == validation


def test_metrics_that_are_used_again_keep_their_names(tmp_path):
    metric = mx.metric.MSE()
    for _ in range(2):
        found, _ = estimator_of(mx, tmp_path, train_metrics=metric)
    assert found.train_metrics == [metric]
    assert [metric.name, found.val_metrics[0].name] == ["training mse", "validation mse"]


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"loss": 3}, "loss must be a Loss"),
        ({"val_loss": 3}, "loss must be a Loss"),
        ({"train_metrics": "acc"}, r"Write mx\.metric\.create\('acc'\)"),
        ({"val_metrics": [3]}, "Metrics must be a Metric or a list of Metric"),
        ({"trainer": 3}, "Trainer must be a Gluon Trainer instance"),
        ({"context": "cpu"}, "context must be a Context or a list of Context"),
        ({"context": []}, "context must be a Context or a list of Context"),
        ({"context": mx.gpu(99)}, r"gpu\(99\) is not available"),
        ({"batch_processor": 3}, "must contain fit_batch"),
    ],
)
def test_estimators_refuse_what_they_cannot_use(options, text):
    net = mx.gluon.nn.Dense(3, in_units=2)
    net.initialize()
    options = {"loss": mx.gluon.loss.L2Loss(), **options}
    with pytest.raises(InvalidArgumentError, match=text):
        kinds.Estimator(net, **options)


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({}, "one and only one of: epochs or batches"),
        ({"epochs": 1, "batches": 1}, "one and only one of: epochs or batches"),
        ({"epochs": -1}, r"epochs=-1 was given\. Expected a whole number of at least 1"),
        ({"batches": 1.5}, r"batches=1\.5 was given"),
        ({"epochs": 1, "val_data": [1]}, "val_data of type list"),
        ({"epochs": 1, "event_handlers": 3}, "must be an EventHandler or a list"),
        ({"epochs": 1, "event_handlers": [kinds.EpochEnd]}, "must be an EventHandler"),
    ],
)
def test_fit_refuses_what_it_cannot_do(options, text, tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    with pytest.raises(InvalidArgumentError, match=text):
        found.fit(loader(mx), **options)


def test_fit_and_evaluate_need_loaders_with_data(tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    with pytest.raises(InvalidArgumentError, match="only support input as Gluon DataLoader"):
        found.fit([1], epochs=1)
    with pytest.raises(InvalidArgumentError, match="val_data of type list"):
        found.evaluate([1])
    empty = mx.gluon.data.DataLoader(mx.gluon.data.SimpleDataset([]), batch_size=2)
    with pytest.raises(InvalidArgumentError, match="train_data gave no batch"):
        found.fit(empty, batches=2)


@pytest.mark.parametrize("kind", [kinds.MetricHandler, kinds.LoggingHandler])
def test_handlers_take_only_metrics_that_are_updated(kind, tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    handler = kind(metrics=mx.metric.Accuracy())
    with pytest.raises(InvalidArgumentError, match=r"outside of the known training and validation"):
        found.fit(loader(mx), epochs=1, event_handlers=handler)


@pytest.mark.parametrize("interval", ["batch", 0, -1, 1.5])
def test_lines_need_an_interval(interval):
    with pytest.raises(InvalidArgumentError, match="integer of at least 1 or string 'epoch'"):
        kinds.LoggingHandler(log_interval=interval)


def test_lines_without_metrics_tell_of_training(tmp_path):
    found, lines = estimator_of(mx, tmp_path)
    found.fit(loader(mx), epochs=1, event_handlers=kinds.LoggingHandler(10))
    assert lines.lines[2:] == [
        "[Epoch 0] Begin, current learning rate: 0.1000",
        "[Epoch 0][Batch 0][Samples 8] time/interval: Ts",
        "[Epoch 0] Finished in Ts",
        "Train finished using total Ts with 1 epochs.",
    ]


def test_a_stopping_handler_keeps_its_own_limits(tmp_path):
    for handler in (kinds.StoppingHandler(max_epoch=2), kinds.StoppingHandler(max_batch=5)):
        found, lines = estimator_of(mx, tmp_path)
        found.fit(loader(mx), epochs=9, event_handlers=handler)
        assert "with 2 epochs" in lines.lines[-1]


def test_samples_are_counted_along_the_batch_axis(tmp_path):
    net = mx.gluon.nn.Dense(3, in_units=2, flatten=False)
    net.initialize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd")
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss(batch_axis=1)
    metric = mx.metric.Loss()
    found = kinds.Estimator(net, loss, train_metrics=metric, trainer=trainer)
    lines = Lines(tmp_path)
    found.logger.handlers[0].setStream(lines)
    data = mx.gluon.data.ArrayDataset(onp.zeros((10, 2, 2), "f"), onp.zeros((10, 2), "f"))

    def stacked(samples):
        return [mx.nd.array(onp.stack(part, axis=1)) for part in zip(*samples, strict=True)]

    batches = mx.gluon.data.DataLoader(data, batch_size=5, batchify_fn=stacked)
    handler = kinds.LoggingHandler(1, found.train_metrics)
    found.fit(batches, epochs=1, batch_axis=1, event_handlers=handler)
    assert "[Samples 10]" in lines.lines[4]


def test_a_batch_processor_decides_what_a_batch_is(tmp_path):
    class Autoencoder(kinds.BatchProcessor):
        def fit_batch(self, estimator, batch, batch_axis=0):
            with mx.autograd.record():
                pred = estimator.net(batch["x"])
                loss = estimator.loss(pred, batch["x"]).mean()
            loss.backward()
            return [batch["x"]], [batch["x"]], [pred], [loss]

    net = mx.gluon.nn.Dense(2, in_units=2)
    net.initialize(mx.init.Zero())
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    found = kinds.Estimator(
        net, mx.gluon.loss.L2Loss(), trainer=trainer, batch_processor=Autoencoder()
    )
    found.logger.setLevel(logging.WARNING)
    data = mx.gluon.data.SimpleDataset([{"x": onp.eye(2, dtype="f")[i % 2]} for i in range(8)])

    def together(samples):
        return {"x": mx.nd.array(onp.stack([sample["x"] for sample in samples]))}

    batches = mx.gluon.data.DataLoader(data, batch_size=4, batchify_fn=together)
    found.fit(batches, epochs=60)
    weight, bias = net.weight.data().asnumpy(), net.bias.data().asnumpy()
    onp.testing.assert_allclose(weight + bias[:, None], onp.eye(2), atol=1e-3)


@pytest.mark.parametrize(
    ("metric", "higher"),
    [(mx.metric.Accuracy(), True), (mx.metric.F1(), True), (mx.metric.Loss(), False)],
)
def test_which_way_is_better_goes_by_the_metric(metric, higher):
    handler = kinds.EarlyStoppingHandler(metric)
    assert handler.best == (-math.inf if higher else math.inf)


def test_which_way_is_better_is_guessed_with_a_warning():
    metric = mx.metric.np(lambda label, pred: 0.0, name="my_acc")
    with pytest.warns(UserWarning, match="higher values of 'my_acc' are taken for better"):
        assert kinds.EarlyStoppingHandler(metric).best == -math.inf
    with pytest.warns(RuntimeWarning, match="mode 'up' is unknown, fallback to auto mode"):
        assert kinds.EarlyStoppingHandler(mx.metric.MSE(), mode="up").best == math.inf


def test_monitors_are_metrics(tmp_path):
    with pytest.raises(InvalidArgumentError, match="one of the metric objects"):
        kinds.EarlyStoppingHandler("acc")
    with pytest.raises(InvalidArgumentError, match="one of the metric objects"):
        kinds.CheckpointHandler(tmp_path, save_best=True)


def test_monitors_without_values_are_told(tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    handlers = [
        kinds.EarlyStoppingHandler(found.val_metrics[0]),
        kinds.CheckpointHandler(tmp_path, monitor=found.val_metrics[0], save_best=True),
    ]
    with (
        pytest.warns(RuntimeWarning, match="EarlyStoppingHandler: validation accuracy is not"),
        pytest.warns(RuntimeWarning, match="skipping save best because validation accuracy"),
    ):
        found.fit(loader(mx), epochs=1, event_handlers=handlers)
    assert not (tmp_path / "model-best.params").exists()


@pytest.mark.parametrize("name", ["epoch_period", "batch_period", "max_checkpoints"])
def test_periods_are_whole_numbers(name, tmp_path):
    with pytest.raises(InvalidArgumentError, match=rf"{name}=-1 was given"):
        kinds.CheckpointHandler(tmp_path, **{name: -1})


def test_checkpoints_hold_what_was_trained(tmp_path):
    found, _ = estimator_of(mx, tmp_path, hybridize=True)
    found.fit(loader(mx), epochs=2, event_handlers=kinds.CheckpointHandler(tmp_path))
    net = mx.gluon.SymbolBlock.imports(
        str(tmp_path / "model-symbol.json"), ["data"], str(tmp_path / "model-epoch1batch6.params")
    )
    data = mx.nd.ones((1, 2))
    assert net(data).asnumpy().tolist() == found.net(data).asnumpy().tolist()


def test_training_that_resumes_ends_where_it_would_have(tmp_path):
    whole, _ = estimator_of(mx, tmp_path)
    whole.fit(loader(mx), epochs=4)
    for epochs in (2, 4):
        found, _ = estimator_of(mx, tmp_path)
        handler = kinds.CheckpointHandler(tmp_path, resume_from_checkpoint=True)
        found.fit(loader(mx), epochs=epochs, event_handlers=handler)
    weight = whole.net[0].weight.data().asnumpy()
    assert_close(found.net[0].weight.data().asnumpy(), weight)


def test_the_best_of_a_fit_that_is_resumed_stays_until_one_is_better(tmp_path):
    def fit(epochs, values):
        found, _ = estimator_of(mx, tmp_path)
        told = iter(values)
        metric = mx.metric.np(lambda label, pred: next(told), name="given_acc")
        handler = kinds.CheckpointHandler(
            tmp_path, monitor=metric, mode="max", save_best=True, resume_from_checkpoint=True
        )

        class Telling(kinds.EpochEnd):
            def epoch_end(self, estimator, *args, **kwargs):
                metric.reset()
                metric.update(mx.nd.zeros(1), mx.nd.zeros(1))

        found.fit(loader(mx), epochs=epochs, event_handlers=[Telling(), handler])
        return handler.best, (tmp_path / "model-best.params").read_bytes()

    best, file = fit(2, [0.9, 0.5])
    assert best == 0.9
    assert fit(4, [0.6, 0.8]) == (0.9, file)
    assert json.loads((tmp_path / "model-best.json").read_text()) == {
        "monitor": "given_acc",
        "value": 0.9,
    }
    best, after = fit(5, [0.95])
    assert best == 0.95
    assert after != file
    (tmp_path / "model-best.json").write_text('{"monitor": 3}')
    with pytest.raises(FileFormatError, match="no note of the best value .'value'.*found anew"):
        fit(6, [0.5])


@pytest.mark.parametrize(
    ("length", "options"),
    [
        ({"epochs": 2}, {"batch_period": 1}),
        ({"batches": 2}, {}),
        ({"epochs": 2}, {"epoch_period": None}),
    ],
)
def test_training_resumes_only_by_one_period(length, options, tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    handler = kinds.CheckpointHandler(tmp_path, resume_from_checkpoint=True, **options)
    with pytest.raises(RefusedArgumentError, match="only specify the same type of period"):
        found.fit(loader(mx), event_handlers=handler, **length)


def test_training_that_is_done_does_not_resume(tmp_path):
    for epochs, text in ((2, "maximum number of epochs 2 reached"), (3, None)):
        found, _ = estimator_of(mx, tmp_path)
        saving = kinds.CheckpointHandler(tmp_path)
        found.fit(loader(mx), epochs=2, event_handlers=saving)
        handler = kinds.CheckpointHandler(tmp_path, resume_from_checkpoint=True)
        if text is None:
            found.fit(loader(mx), epochs=epochs, event_handlers=handler)
            assert handler.saved_checkpoints == ["model-epoch2batch9"]
            continue
        with pytest.raises(InvalidArgumentError, match=text):
            found.fit(loader(mx), epochs=epochs, event_handlers=handler)


@pytest.mark.parametrize("kind", ["params", "states"])
def test_half_a_checkpoint_is_refused(kind, tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    found.fit(loader(mx), epochs=1, event_handlers=kinds.CheckpointHandler(tmp_path))
    (tmp_path / f"model-epoch0batch3.{kind}").unlink()
    handler = kinds.CheckpointHandler(tmp_path, resume_from_checkpoint=True)
    with pytest.raises(MissingCheckpointError, match=rf"epoch0batch3.{kind}' does not exist"):
        found.fit(loader(mx), epochs=2, event_handlers=handler)


def test_checkpoints_need_a_folder(tmp_path):
    (tmp_path / "file").write_text("")
    found, _ = estimator_of(mx, tmp_path)
    handler = kinds.CheckpointHandler(tmp_path / "file" / "folder")
    with pytest.raises(FileAccessError, match="Saving"):
        found.fit(loader(mx), epochs=1, event_handlers=handler)
