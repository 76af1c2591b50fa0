"""What `Estimator.fit` has beside MXNet's: updates, bars, histories, files."""

from __future__ import annotations

import math
import sys
import types

import numpy as onp
import pytest
from estimator_programs import estimator_of, loader

import gluonish as mx
from gluonish import autograd
from gluonish.errors import FileFormatError, InvalidArgumentError, MissingExtraError
from gluonish.gluon.contrib import estimator as kinds
from gluonish.gluon.contrib.estimator import GradientUpdateHandler


def net_of(layers=2):
    net = mx.gluon.nn.HybridSequential()
    for _ in range(layers - 1):
        net.add(mx.gluon.nn.Dense(4, in_units=4 if len(net) else 2, activation="tanh"))
    net.add(mx.gluon.nn.Dense(3, in_units=4))
    mx.random.seed(3)
    net.initialize(mx.init.Xavier())
    return net


def made(ctx=None, **options):
    net = net_of()
    net.collect_params().reset_ctx(ctx or mx.cpu())
    options = {"learning_rate": 0.3, "momentum": 0.9, **options}
    store = {"update_on_kvstore": False} if ctx else {}
    return net, mx.gluon.Trainer(net.collect_params(), "sgd", options, **store)


def weights(net):
    return b"".join(param.data(param.list_ctx()[0]).asnumpy().tobytes()
                    for param in net.collect_params().values())  # fmt: skip


def by_hand(ctx, epochs, accumulate, clip_norm, batches=None):
    """Train as somebody writes the loop, and return the weights."""
    net, trainer = made(ctx)
    params, loss_of = net.collect_params(), mx.gluon.loss.SoftmaxCrossEntropyLoss()
    params.setattr("grad_req", "add")
    samples = pending = seen = 0

    def update():
        if clip_norm is None:
            trainer.step(samples)
        else:
            trainer.allreduce_grads()
            for at in ctx or [mx.cpu()]:
                grads = [param.grad(at) for param in params.values()]
                mx.gluon.utils.clip_global_norm(grads, clip_norm)
            trainer.update(samples)
        params.zero_grad()

    for _ in range(epochs):
        for data, label in loader(mx, 3):
            with autograd.record():
                losses = [
                    loss_of(net(x), y)
                    for x, y in zip(
                        mx.gluon.utils.split_and_load(data, ctx or [mx.cpu()], even_split=False),
                        mx.gluon.utils.split_and_load(label, ctx or [mx.cpu()], even_split=False),
                        strict=True,
                    )
                ]
            autograd.backward(losses)
            samples, pending, seen = samples + len(data), pending + 1, seen + 1
            if pending == accumulate:
                update()
                samples = pending = 0
            if seen == batches:
                break
        if pending:
            update()
            samples = pending = 0
    return weights(net)


class Uneven(kinds.BatchProcessor):
    def _get_data_and_label(self, batch, ctx, batch_axis=0):
        return tuple(
            mx.gluon.utils.split_and_load(part, ctx, batch_axis, even_split=False)
            for part in batch[:2]
        )


def fit(net, trainer, epochs=2, batches=None, **options):
    found = kinds.Estimator(
        net, mx.gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer, batch_processor=Uneven()
    )
    found.logger.setLevel("WARNING")
    found.fit(loader(mx, 3), epochs=None if batches else epochs, batches=batches, **options)
    return found


@pytest.mark.parametrize("hybridized", [False, True])
@pytest.mark.parametrize("ctx", [None, [mx.cpu(0), mx.cpu(1)]], ids=["one", "two"])
@pytest.mark.parametrize("accumulate", [1, 2, 3, 100])
@pytest.mark.parametrize("clip_norm", [None, 0.05])
def test_updates_are_those_of_a_loop_by_hand(ctx, accumulate, clip_norm, hybridized):
    net, trainer = made(ctx)
    if hybridized:
        net.hybridize(backend="fx")
    fit(net, trainer, accumulate=accumulate, clip_norm=clip_norm)
    assert weights(net) == by_hand(ctx, 2, accumulate, clip_norm)
    assert {param.grad_req for param in net.collect_params().values()} == {"write"}


def test_batches_that_are_left_over_make_an_update():
    net, trainer = made()
    fit(net, trainer, batches=4, accumulate=3)
    assert trainer.optimizer.num_update == 2
    assert weights(net) == by_hand(None, 1, 3, None, batches=4)


def test_clipping_bounds_what_is_applied():
    net, trainer = made(momentum=0.0, learning_rate=1.0)
    before = onp.frombuffer(weights(net), "float32")
    fit(net, trainer, batches=1, clip_norm=0.01)
    change = onp.frombuffer(weights(net), "float32") - before
    assert onp.linalg.norm(change) == pytest.approx(0.01 / 3, rel=1e-3)  # the batch has 3 samples


def test_a_failed_fit_leaves_gradients_as_they_were():
    class Fails(kinds.BatchEnd):
        def batch_end(self, estimator, *args, **kwargs):
            raise ZeroDivisionError

    net, trainer = made()
    net[0].bias.grad_req = "null"
    with pytest.raises(ZeroDivisionError):
        fit(net, trainer, accumulate=2, event_handlers=Fails())
    asked = [param.grad_req for param in net.collect_params().values()]
    assert asked == ["write", "null", "write", "write"]


def test_parameters_may_be_frozen_and_thawed_while_gradients_add_up():
    class Thaws(kinds.EpochBegin):
        epoch = 0

        def epoch_begin(self, estimator, *args, **kwargs):
            net[0].collect_params().setattr("grad_req", "null" if self.epoch == 0 else "write")
            net[1].bias.grad_req = "add" if self.epoch == 0 else "null"
            self.epoch += 1

    net, trainer = made()
    before = net[0].weight.data().asnumpy()
    fit(net, trainer, epochs=1, accumulate=2, event_handlers=Thaws())
    assert (net[0].weight.data().asnumpy() == before).all()
    assert net[0].weight.grad_req == "null"
    net, trainer = made()
    fit(net, trainer, epochs=2, accumulate=2, event_handlers=Thaws())
    assert not (net[0].weight.data().asnumpy() == before).all()
    assert net[0].weight.grad_req == "write"
    assert net[1].bias.grad_req == "null"


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"accumulate": 0}, "accumulate=0 was given. Expected a whole number of at least 1"),
        ({"accumulate": 1.5}, "accumulate=1.5 was given"),
        ({"accumulate": True}, "accumulate=True was given"),
        ({"clip_norm": 0}, "clip_norm=0 was given. Expected a positive number, or None"),
        ({"clip_norm": "1"}, "clip_norm='1' was given"),
        (
            {"accumulate": 2, "event_handlers": GradientUpdateHandler()},
            r"accumulate=2 and clip_norm=None were given beside a GradientUpdateHandler",
        ),
    ],
)
def test_updates_that_are_impossible_are_refused(options, text):
    net, trainer = made()
    before = weights(net)
    with pytest.raises(InvalidArgumentError, match=text):
        fit(net, trainer, **options)
    assert weights(net) == before


def test_handlers_of_updates_with_a_constructor_of_their_own_work():
    class Own(GradientUpdateHandler):
        def __init__(self):
            self.priority = -2000

    net, trainer = made()
    fit(net, trainer, event_handlers=Own())
    assert weights(net) == by_hand(None, 2, 1, None)


# --- bars -----------------------------------------------------------------------------------


def test_a_progress_bar_is_one_line_an_epoch_where_nobody_watches(tmp_path, capsys):
    found, lines = estimator_of(mx, tmp_path)
    found.fit(loader(mx), loader(mx, 10), epochs=2, progress_bar=True)
    shown = capsys.readouterr().err.splitlines()
    assert len(shown) == 2
    assert shown[1].startswith("[Epoch 1]: 100%")
    assert "3/3" in shown[1]
    for name in ("training accuracy=0.", "validation accuracy=0."):
        assert name in shown[1]
    assert lines.lines == []
    found.fit(loader(mx), epochs=1, progress_bar=True)
    assert "validation" not in capsys.readouterr().err


def test_a_progress_bar_moves_where_somebody_watches(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    found, _ = estimator_of(mx, tmp_path)
    found.fit(loader(mx), epochs=1, progress_bar=True)
    assert "\r[Epoch 0]:   0%|" in capsys.readouterr().err


def test_bars_know_how_many_batches_there_are(tmp_path, capsys):
    found, _ = estimator_of(mx, tmp_path)
    found.fit(loader(mx), batches=2, progress_bar=True)
    assert "2/2" in capsys.readouterr().err
    found.fit(loader(mx), batches=5, progress_bar=True)
    assert ["3/3" in line for line in capsys.readouterr().err.splitlines()] == [True, False]


def test_lines_come_back_after_a_bar(tmp_path):
    found, lines = estimator_of(mx, tmp_path)
    found.fit(loader(mx), epochs=1, progress_bar=True)
    found.evaluate(loader(mx))
    assert lines.lines[0] == "Validation Begin"


# --- histories ------------------------------------------------------------------------------


def test_history_has_what_was_measured_after_each_epoch(tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    found.fit(loader(mx), loader(mx, 10), epochs=2)
    metrics = [*found.train_metrics, *found.val_metrics]
    assert list(found.history) == [metric.name for metric in metrics]
    assert [values[-1] for values in found.history.values()] == [m.get()[1] for m in metrics]
    found.fit(loader(mx), epochs=1)
    assert [len(values) for values in found.history.values()] == [3, 3, 3, 3]
    assert math.isnan(found.history["validation accuracy"][2])
    found.history.clear()
    found.fit(loader(mx), epochs=1)
    assert list(found.history) == [metric.name for metric in found.train_metrics]


def test_epochs_without_validation_have_no_values(tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    handler = kinds.ValidationHandler(loader(mx, 10), found.evaluate, epoch_period=2)
    found.fit(loader(mx), epochs=4, event_handlers=handler)
    known = [not math.isnan(value) for value in found.history["validation accuracy"]]
    assert known == [False, True, False, True]


def test_history_follows_functions_of_ones_own_that_validate(tmp_path):
    found, _ = estimator_of(mx, tmp_path)

    def judge(val_data, **_):
        found.val_metrics[0].reset()
        found.val_metrics[0].update([mx.nd.array([1])], [mx.nd.array([[0, 1]])])

    handler = kinds.ValidationHandler(None, judge)
    found.fit(loader(mx), epochs=1, event_handlers=handler)
    assert found.history["validation accuracy"] == [1.0]


def test_histories_are_drawn(tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    handler = kinds.ValidationHandler(loader(mx, 10), found.evaluate, epoch_period=2)
    found.fit(loader(mx), epochs=4, event_handlers=handler)
    losses, others = mx.viz.plot_history(found.history).axes
    lines = {line.get_label(): line.get_xdata() for line in others.lines}
    assert list(lines) == ["training accuracy", "validation accuracy"]
    assert list(lines["training accuracy"]) == [1, 2, 3, 4]
    assert list(lines["validation accuracy"]) == [2, 4]
    assert [line.get_label() for line in losses.lines][1] == "validation softmaxcrossentropyloss"
    again = mx.viz.plot_history({"epoch": [5, 10], "loss": [2, 1]})
    assert list(again.axes[0].lines[0].get_xdata()) == [5, 10]


def test_tables_in_files_are_the_history(tmp_path):
    found, _ = estimator_of(mx, tmp_path)
    file = tmp_path / "new" / "history.csv"
    handler = kinds.ValidationHandler(loader(mx, 10), found.evaluate, epoch_period=2)
    found.fit(loader(mx), epochs=2, event_handlers=[handler, kinds.CSVHandler(file)])
    head, first, second = file.read_text().splitlines()
    assert head == ",".join(["epoch", *found.history])
    assert first.endswith(",,")
    rows = [float(text) for text in second.split(",")]
    assert rows == [2.0, *(values[1] for values in found.history.values())]


def test_a_resumed_training_has_the_whole_history(tmp_path):
    def train(folder, epochs, resume):
        found, _ = estimator_of(mx, tmp_path)
        saving = kinds.CheckpointHandler(folder, epoch_period=2, resume_from_checkpoint=resume)
        table = kinds.CSVHandler(folder / "history.csv")
        found.fit(loader(mx), loader(mx, 10), epochs, event_handlers=[saving, table])
        return found.history, (folder / "history.csv").read_text()

    whole = train(tmp_path / "a", 6, resume=False)
    train(tmp_path / "b", 3, resume=False)  # whose third epoch is in no checkpoint
    history, text = train(tmp_path / "b", 6, resume=True)
    assert history == whole[0]
    assert text == whole[1]


@pytest.mark.parametrize("text", ["epoch,loss\n1,high\n", "loss\n1\n", "epoch,loss\n1,2,3\n"])
def test_files_that_are_no_history_are_named(tmp_path, text):
    file = tmp_path / "history.csv"
    file.write_text(text)
    found, _ = estimator_of(mx, tmp_path)
    found.resumed_epochs = 1
    with pytest.raises(FileFormatError, match=r"is no table of numbers .* Give another path"):
        kinds.CSVHandler(file).train_begin(found)
    assert found.history == {}


# --- TensorBoard ----------------------------------------------------------------------------


class Writer:
    def __init__(self, folder):
        self.scalars, self.histograms = [], []

    def add_scalar(self, name, value, number):
        self.scalars.append((name, value, number))

    def add_histogram(self, name, values, number):
        self.histograms.append((name, values.shape, number))

    def flush(self):
        pass


def test_metrics_are_written_for_tensorboard(monkeypatch, tmp_path):
    module = types.ModuleType("torch.utils.tensorboard")
    module.SummaryWriter = Writer
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", module)
    found, _ = estimator_of(mx, tmp_path)
    handler = kinds.TensorBoardHandler(tmp_path, batch_period=2, weights=True)
    found.fit(loader(mx), loader(mx, 10), epochs=2, event_handlers=handler)
    writer = handler.summary_writer
    of_epochs = [row for row in writer.scalars if not row[0].startswith("batch/")]
    names = [*found.history, "learning rate"]
    assert [(name, number) for name, _, number in of_epochs] == [
        (name, number) for number in (1, 2) for name in names
    ]
    assert of_epochs[-2][1] == found.history[names[-2]][1]
    batches = [(name, number) for name, _, number in writer.scalars if name.startswith("batch/")]
    assert batches[::2] == [(f"batch/{names[0]}", number) for number in (2, 4, 6)]
    assert writer.histograms[0] == ("net_dense0_weight", (3, 2), 1)


def test_a_missing_tensorboard_is_explained(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "torch.utils.tensorboard", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'gluonish\[tensorboard\]'"):
        kinds.TensorBoardHandler(tmp_path)


# --- the best weights -----------------------------------------------------------------------


class Judge(mx.metric.EvalMetric):
    """A metric whose values are given."""

    def __init__(self, values):
        self.given, self.seen = values, []
        super().__init__("judge")

    def get(self):
        return self.name, self.given[max(len(self.seen) - 1, 0)]

    def update(self, labels, preds):
        pass


class Remembers(kinds.EpochEnd):
    priority = -3000

    def epoch_end(self, estimator, *args, **kwargs):
        estimator.train_metrics[0].seen.append(weights(estimator.net))


@pytest.mark.parametrize("restore_best", [False, True])
@pytest.mark.parametrize(
    ("scores", "best"), [([3, 1, 2, 2, 2, 2], 1), ([6, 5, 4, 3, 2, 1], 5), ([1, 2, 2, 2, 2, 2], 0)]
)
def test_the_best_weights_come_back(restore_best, scores, best):
    net, trainer = made()
    net.add(mx.gluon.nn.BatchNorm(in_channels=3))
    net[2].initialize()
    judge = Judge(scores)
    found = kinds.Estimator(
        net, mx.gluon.loss.SoftmaxCrossEntropyLoss(), train_metrics=judge, trainer=trainer
    )
    found.logger.setLevel("WARNING")
    stopping = kinds.EarlyStoppingHandler(judge, patience=2, mode="min", restore_best=restore_best)
    found.fit(loader(mx, 4), epochs=6, event_handlers=[Remembers(), stopping])
    assert weights(net) == judge.seen[best if restore_best else -1]
    assert stopping.best_epoch == (best if restore_best else None)


def test_best_weights_that_no_epoch_had_are_not_restored():
    net, trainer = made()
    judge = Judge([math.nan] * 2)
    found = kinds.Estimator(
        net, mx.gluon.loss.SoftmaxCrossEntropyLoss(), train_metrics=judge, trainer=trainer
    )
    found.logger.setLevel("WARNING")
    stopping = kinds.EarlyStoppingHandler(judge, mode="min", restore_best=True)
    with pytest.warns(RuntimeWarning, match="not updated"):
        found.fit(loader(mx, 4), epochs=2, event_handlers=[Remembers(), stopping])
    assert weights(net) == judge.seen[-1]


def test_checkpoints_are_saved_and_found_by_methods_that_subclasses_override(tmp_path):
    class Counts(kinds.CheckpointHandler):
        saved, asked = [], []

        def _save_checkpoint(self, estimator):
            self.saved.append((self.current_epoch, self.current_batch))
            super()._save_checkpoint(estimator)

        def _find_max_iteration(self, folder, prefix, start, end, saved=None):
            self.asked.append((prefix, start))
            return super()._find_max_iteration(folder, prefix, start, end, saved)

    net, trainer = made()
    fit(net, trainer, epochs=2, event_handlers=Counts(tmp_path, "m"))
    assert [epoch for epoch, _ in Counts.saved] == [0, 1]
    again = Counts(tmp_path, "m", resume_from_checkpoint=True)
    fit(*made(), epochs=5, event_handlers=again)
    assert Counts.asked == [("m-epoch", "epoch"), ("m-epoch1", "batch")]
    names: list[str] = []
    (tmp_path / "m-epoch12batch7.params").touch()
    (tmp_path / "m-epochXbatch99.params").touch()
    assert again._find_max_iteration(tmp_path, "m-epoch", "epoch", "batch", names) == 12
    assert "m-epoch12batch7" in names
    assert again._find_max_iteration(tmp_path, "m-epoch1", "batch", ".params") == Counts.saved[1][1]
    assert again._find_max_iteration(tmp_path, "n-epoch", "epoch", "batch") == -1
