"""Programs with callbacks and monitors, for the real MXNet and for gluonish alike."""

from __future__ import annotations

import logging
from types import SimpleNamespace

import numpy as onp


class Lines(logging.Handler):
    """Keeps what is logged."""

    def __init__(self):
        super().__init__()
        self.lines = []

    def emit(self, record):
        self.lines.append([record.name, record.levelname, record.getMessage()])


class Executor:
    """Has of an executor what a Monitor needs."""

    def __init__(self, mx):
        nd = mx.nd
        self.arg_dict = {
            "data": nd.array([[1, -2], [3, 4]]),
            "fc_weight": nd.array([[-6, 0.25]]),
            "fc_bias": nd.array([0.5]),
        }
        self.arg_names = list(self.arg_dict)
        self.arg_arrays = list(self.arg_dict.values())
        self.grad_arrays = [None, nd.array([[1e-7, 123456.789]]), nd.array([-3])]
        self.aux_arrays = [nd.array([7])]
        self._symbol = SimpleNamespace(
            list_arguments=lambda: self.arg_names,
            list_auxiliary_states=lambda: ["bn_moving_mean"],
        )
        self.outputs = [nd.array([[1, 2, 3]])]
        self.output_dict = {"fc_output": self.outputs[0]}
        self.aux_dict = {"bn_moving_mean": self.aux_arrays[0]}
        self.callback = None

    def set_monitor_callback(self, callback, monitor_all=False):
        self.callback, self.monitor_all = callback, monitor_all

    def tell(self, name, array):
        """Tell the monitor as the engine would: in MXNet, with bytes and a bare handle."""
        if self.by_handle:
            array = array.copy()
            name, handle = name.encode(), array.handle
            array.handle = type(handle)()  # the monitor frees it
            array = handle
        self.callback(name, array)


def batches(mx, callback, counts, metric, per_batch=0.25, start=100.0):
    """Call a callback as `fit` does, with a clock of its own."""
    now = [start]
    # MXNet keeps both in one module.
    told, timed = mx.model, mx.callback
    if mx.__name__ == "gluonish":
        told, timed = mx.callback, mx.callback.progress
    real = timed.time
    timed.time = SimpleNamespace(time=lambda: now[0])
    try:
        for epoch, nbatch in counts:
            now[0] += per_batch
            if metric is not None:
                metric.update([mx.nd.array([0, 1])], [mx.nd.array([[0.9, 0.1], [nbatch % 2, 0.5]])])
            callback(
                told.BatchEndParam(epoch=epoch, nbatch=nbatch, eval_metric=metric, locals=None)
            )
    finally:
        timed.time = real


def cases():
    """Yield titles and programs of one argument, the module."""
    two = [(epoch, nbatch) for epoch in range(2) for nbatch in range(9)]

    def speed(auto_reset, names, per_batch=0.25, counts=two, frequent=3):
        def program(mx):
            metric = None if names is None else mx.metric.create(names)
            meter = mx.callback.Speedometer(32, frequent=frequent, auto_reset=auto_reset)
            batches(mx, meter, counts, metric, per_batch)
            return None if metric is None else [metric.get()[1], metric.get_global()[1]]

        return program

    yield "speedometer", speed(True, "acc")
    yield "speedometer, two metrics", speed(True, ["acc", "ce"])
    yield "speedometer without reset", speed(False, ["acc", "ce"])
    yield "speedometer without metric", speed(True, None)
    yield "speedometer in no time", speed(True, "acc", per_batch=0.0)
    yield "speedometer from one", speed(True, "acc", counts=[(0, i) for i in range(1, 8)])
    yield "speedometer, each batch", speed(False, "acc", frequent=1, counts=two[:3])

    def bar(mx):
        for length, total in ((80, 3), (10, 7)):
            progress = mx.callback.ProgressBar(total=total, length=length)
            batches(mx, progress, [(0, i) for i in range(total + 1)], None)

    yield "progress bar", bar

    def train_metric(auto_reset):
        def program(mx):
            metric = mx.metric.create(["acc", "ce"])
            batches(mx, mx.callback.log_train_metric(4, auto_reset), two, metric)
            return [metric.get()[1], metric.get_global()[1]]

        return program

    yield "train metric", train_metric(False)
    yield "train metric with reset", train_metric(True)
    yield (
        "train metric without metric",
        lambda mx: batches(mx, mx.callback.log_train_metric(1), two[:2], None),
    )

    def validation(mx):
        metric = mx.metric.create(["acc", "ce"])
        batches(mx, mx.callback.LogValidationMetricsCallback(), [(3, 1)], metric)
        batches(mx, mx.callback.LogValidationMetricsCallback(), [(3, 1)], None)

    yield "validation metrics", validation

    def module_checkpoint(mx):
        told = []
        module = SimpleNamespace(save_checkpoint=lambda *args: told.append(list(args)))
        for period, states in ((1, False), (2, True), (0, False), (2.7, False)):
            callback = mx.callback.module_checkpoint(module, "net", period, states)
            for epoch in range(4):
                callback(epoch)
                callback(epoch, None, {}, {})
        return told

    yield "module checkpoint", module_checkpoint

    def monitor(**options):
        def program(mx):
            watch = mx.mon.Monitor(**options)
            shown = []
            executor = Executor(mx)
            executor.by_handle = mx.__name__ == "mxnet"
            watch.install(executor)
            shown.append(bool(executor.monitor_all))
            for step in range(4):
                watch.tic()
                executor.tell("fc_output", mx.nd.array([[step, -step]]))
                if step % 2:
                    watch.toc_print()
                else:
                    shown.append([list(row) for row in watch.toc()])
            return shown

        return program

    yield "monitor", monitor(interval=1)
    yield "monitor, every second batch", monitor(interval=2, sort=True)
    yield "monitor of weights", monitor(interval=1, pattern=".*weight", monitor_all=True)
    yield "monitor with statistics", monitor(interval=1, stat_func=lambda x: x.max())
    yield "monitor with lists", monitor(interval=1, stat_func=lambda x: [x.max(), x + 1])
    yield "monitor with a vector", monitor(interval=3, stat_func=lambda x: x * 2, sort=True)


def run(mx):
    """Return for each program what it logs and returns, as plain data."""
    found = {}
    root = logging.getLogger()
    before = root.level
    for title, program in cases():
        lines = Lines()
        root.addHandler(lines)
        root.setLevel(logging.INFO)
        try:
            result = program(mx)
        finally:
            root.removeHandler(lines)
            root.setLevel(before)
        found[title] = {"lines": lines.lines, "result": plain(result)}
    return found


def plain(value):
    """Return nested results as JSON has them."""
    if isinstance(value, (list, tuple)):
        return [plain(part) for part in value]
    if isinstance(value, onp.generic):
        value = value.item()
    return f"{value:.6f}" if isinstance(value, float) else value
