"""Programs that train with an Estimator, run under the real MXNet and by tests."""

from __future__ import annotations

import re
import warnings

import numpy as onp

# What MXNet counts or names wrongly in its lines, and the lines' times, are left out.
CHANGES = [
    (r"in \d+\.\d+s", "in Ts"),
    (r"total \d+s", "total Ts"),
    (r"interval: \d+\.\d+s", "interval: Ts"),
    (r"trained total \d+ batches", "trained total N batches"),
    (r"improved from \S+ to", "improved from V to"),
    (r"\[Epoch \d+\] (CheckpointHandler: .* did not)", r"[Epoch E] \1"),
    ("Hanlder", "Handler"),
]


class Lines:
    """Collects the lines of a logger, without what differs from run to run."""

    def __init__(self, folder):
        self.folder = str(folder)
        self.lines = []

    def write(self, text):
        """Take in some text."""
        text = text.replace(self.folder, "DIR")
        for pattern, new in CHANGES:
            text = re.sub(pattern, new, text)
        self.lines += [line for line in text.splitlines() if not line.startswith("Model arch")]

    def flush(self):
        """Do nothing."""


def files_in(folder):
    """Return the names of files, but for the note of the best value, which gluonish alone has."""
    return sorted(path.name for path in folder.iterdir() if not path.name.endswith("-best.json"))


def values():
    """Return data and labels of three classes."""
    data = onp.random.RandomState(0).randn(20, 2).astype("float32")
    return data, (data[:, 0] > 0).astype("float32") + (data[:, 1] > 0)


def loader(mx, batch_size=8):
    """Return the data in batches."""
    dataset = mx.gluon.data.ArrayDataset(*values())
    return mx.gluon.data.DataLoader(dataset, batch_size=batch_size)


def estimator_of(mx, folder, hybridize=False, ctx=None, loss=None, **options):
    """Return an Estimator of a small net, and its lines."""
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(mx.gluon.nn.Dense(3, in_units=2))
    mx.random.seed(0)
    net.initialize(mx.init.Uniform(0.5), ctx=ctx)  # no two classes score the same
    if hybridize:
        net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.5})
    estimator = mx.gluon.contrib.estimator.Estimator(
        net,
        loss or mx.gluon.loss.SoftmaxCrossEntropyLoss(),
        trainer=trainer,
        context=ctx,
        **options,
    )
    lines = Lines(folder)
    estimator.logger.handlers[0].setStream(lines)
    return estimator, lines


def results(estimator, lines):
    """Return an Estimator's lines, metrics and weights."""
    metrics = estimator.train_metrics + estimator.val_metrics
    return {
        "lines": lines.lines,
        "metrics": [list(metric.get()) for metric in metrics],
        "weight": estimator.net[0].weight.data(estimator.context[0]).asnumpy().tolist(),
    }


def fitted(make=None, val=False, batch_size=8, epochs=3, batches=None, **options):
    """Return a program that trains, with handlers that `make` makes for it."""

    def program(mx, folder):
        estimator, lines = estimator_of(mx, folder, **options)
        handlers = make(mx.gluon.contrib.estimator, estimator, folder) if make else []
        estimator.fit(
            loader(mx, batch_size),
            loader(mx, 10) if val else None,
            epochs=None if batches else epochs,
            batches=batches,
            event_handlers=list(handlers),
        )
        found = results(estimator, lines)
        found["files"] = files_in(folder)
        found["states"] = [states_of(handler) for handler in handlers]
        return found

    return program


def states_of(handler):
    """Return what a handler has counted, and the best value that it has seen."""
    names = ("current_epoch", "current_batch", "wait", "stopped_epoch", "stop_training")
    found = {name: getattr(handler, name) for name in names if hasattr(handler, name)}
    found["best"] = float(getattr(handler, "best", 0))
    found["saved"] = getattr(handler, "saved_checkpoints", None)
    return found


def evaluated(mx, folder):
    """Return what an Estimator finds out about a net without training it."""
    estimator, lines = estimator_of(mx, folder)
    estimator.evaluate(loader(mx))
    return results(estimator, lines)


def two_contexts(mx, folder):
    """Return what two contexts do together."""
    estimator, lines = estimator_of(mx, folder, ctx=[mx.cpu(0), mx.cpu(1)])
    estimator.fit(loader(mx, 10), loader(mx, 10), epochs=2)
    return results(estimator, lines)


def other_validation(mx, folder):
    """Return what validation with another net and loss tells."""
    net = mx.gluon.nn.Dense(3, in_units=2)
    net.initialize()
    net.weight.set_data(mx.nd.array([[0.1, 0.2], [-0.3, 0.5], [0.7, -0.4]]))
    loss = mx.gluon.loss.SoftmaxCrossEntropyLoss(weight=2)
    metric = mx.metric.TopKAccuracy(2)
    options = {"val_net": net, "val_loss": loss, "val_metrics": metric}
    estimator, lines = estimator_of(mx, folder, **options)
    estimator.fit(loader(mx), loader(mx), epochs=1)
    return results(estimator, lines)


def events(mx, folder):
    """Return which handlers are called, in which order, and with what."""
    kinds = mx.gluon.contrib.estimator
    bases = ("TrainBegin", "TrainEnd", "EpochBegin", "EpochEnd", "BatchBegin", "BatchEnd")
    called = []

    def method(event):
        def tell(self, estimator, *args, **kwargs):
            weight = round(float(estimator.net[0].weight.data().sum().asscalar()), 4)
            shapes = {name: [list(part.shape) for part in kwargs[name]] for name in sorted(kwargs)}
            called.append([self.priority, event, weight, shapes])

        return tell

    names = ("train_begin", "train_end", "epoch_begin", "epoch_end", "batch_begin", "batch_end")
    body = {name: method(name) for name in names}
    teller = type("Teller", tuple(getattr(kinds, base) for base in bases), body)
    handlers = []
    for priority in (5, -1500, -2500, 0):
        handlers.append(teller())
        handlers[-1].priority = priority
    estimator, lines = estimator_of(mx, folder)
    estimator.fit(loader(mx, 10), epochs=1, event_handlers=list(handlers))
    estimator.evaluate(loader(mx, 10), event_handlers=handlers[0])
    return {**results(estimator, lines), "called": called}


def resumed(mx, folder, by="epochs", **options):
    """Return what training goes on with from a checkpoint."""
    first, more = {"epochs": (2, 4), "batches": (4, 7)}[by]
    periods = {"epoch_period": 1} if by == "epochs" else {"epoch_period": None, "batch_period": 1}
    found = []
    for length, resume in ((first, False), (more, True)):
        estimator, lines = estimator_of(mx, folder)
        handler = mx.gluon.contrib.estimator.CheckpointHandler(
            str(folder), verbose=1, resume_from_checkpoint=resume, **periods, **options
        )
        estimator.fit(loader(mx), event_handlers=[handler], **{by: length})
        files = files_in(folder)
        found.append({**results(estimator, lines), "files": files, "states": states_of(handler)})
    return found


def stop_after_batch(kinds, estimator, folder):
    """Return a handler that ends each epoch after its first batch."""

    class Stop(kinds.BatchEnd):
        def batch_end(self, estimator, *args, **kwargs):
            return True

    return [Stop()]


def stop_after_epoch(kinds, estimator, folder):
    """Return a handler that ends training after the first epoch."""

    class Stop(kinds.EpochEnd):
        def epoch_end(self, estimator, *args, **kwargs):
            return True

    return [Stop()]


def checkpoints(which=None, **options):
    """Return what makes a CheckpointHandler that monitors one of the metrics."""

    def make(kinds, estimator, folder):
        metrics = estimator.train_metrics + estimator.val_metrics
        monitor = None if which is None else metrics[which]
        return [kinds.CheckpointHandler(str(folder), monitor=monitor, verbose=1, **options)]

    return make


def early(which, **options):
    """Return what makes an EarlyStoppingHandler that monitors one of the metrics."""

    def make(kinds, estimator, folder):
        metrics = estimator.train_metrics + estimator.val_metrics
        return [kinds.EarlyStoppingHandler(metrics[which], **options)]

    return make


def lines_every(interval, which=slice(None)):
    """Return what makes a LoggingHandler that shows some of the metrics."""

    def make(kinds, estimator, folder):
        metrics = (estimator.train_metrics + estimator.val_metrics)[which]
        return [kinds.LoggingHandler(log_interval=interval, metrics=metrics)]

    return make


def validation(**options):
    """Return what makes a ValidationHandler."""

    def make(kinds, estimator, folder):
        data = estimator.loader
        return [kinds.ValidationHandler(data, estimator.evaluate, **options)]

    def program(mx, folder):
        def with_data(kinds, estimator, folder):
            estimator.loader = loader(mx, 10)
            return make(kinds, estimator, folder)

        return fitted(with_data, batch_size=4)(mx, folder)

    return program


PROGRAMS = {
    "plain": fitted(val=True),
    "batches": fitted(batches=4),
    "evaluated": evaluated,
    "two_contexts": two_contexts,
    "other_validation": other_validation,
    "events": events,
    "stop_after_batch": fitted(stop_after_batch),
    "stop_after_epoch": fitted(stop_after_epoch),
    "lines_1": fitted(lines_every(1, slice(2)), val=True),
    "lines_2": fitted(lines_every(2)),
    "validation": validation(),
    "validation_epochs": validation(epoch_period=2),
    "validation_batches": validation(epoch_period=None, batch_period=2),
    "validation_both": validation(batch_period=2),
    "checkpoints": fitted(checkpoints()),
    "checkpoints_hybrid": fitted(checkpoints(), hybridize=True),
    "checkpoints_two": fitted(checkpoints(max_checkpoints=2, model_prefix="net")),
    "checkpoints_epochs": fitted(checkpoints(epoch_period=2)),
    "checkpoints_batches": fitted(checkpoints(epoch_period=None, batch_period=2)),
    "checkpoints_both": fitted(checkpoints(batch_period=1, max_checkpoints=3), batches=4),
    "checkpoints_none": fitted(checkpoints(0, save_best=True, mode="max", max_checkpoints=0)),
    "best_max": fitted(checkpoints(2, save_best=True, mode="max"), val=True, epochs=5),
    "best_min": fitted(checkpoints(1, save_best=True, mode="min"), epochs=4),
    "best_batches": fitted(
        checkpoints(0, save_best=True, mode="max", epoch_period=None, batch_period=2)
    ),
    "resume_scratch": fitted(checkpoints(resume_from_checkpoint=True)),
    "resume_epochs": resumed,
    "resume_batches": lambda mx, folder: resumed(mx, folder, by="batches"),
    "early_max": fitted(early(0, mode="max"), epochs=8),
    "early_patience": fitted(early(0, mode="max", patience=2), epochs=8),
    "early_delta": fitted(early(1, mode="min", min_delta=0.05), epochs=9),
    "early_delta_max": fitted(early(0, mode="max", min_delta=0.05, patience=1), epochs=5),
    "early_baseline": fitted(early(1, mode="min", baseline=1.0, patience=3), epochs=6),
    "early_validation": fitted(early(2, mode="max", patience=1), val=True, epochs=6),
    "early_never": fitted(early(1, mode="min"), epochs=3),
}


def run(mx, name, folder):
    """Return the result of a program, which has a folder of its own."""
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return PROGRAMS[name](mx, folder)
