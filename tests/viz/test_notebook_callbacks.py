"""mx.notebook.callback: metrics of a training as tables, and as curves."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import InvalidArgumentError, MissingExtraError, MissingMethodError
from gluonish.notebook import callback


def train(**options):
    data = mx.io.NDArrayIter(onp.eye(4, dtype="float32"), onp.array([0, 1, 0, 1]), 2)
    net = mx.sym.SoftmaxOutput(
        mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2), name="softmax"
    )
    mx.mod.Module(net).fit(data, eval_data=data, num_epoch=3, **options)


def test_a_logger_keeps_rows_of_batches_evaluations_and_epochs():
    logger = callback.PandasLogger(batch_size=2, frequent=1)
    train(**logger.callback_args())
    assert [len(logger.rows[name]) for name in ("train", "eval", "epoch")] == [6, 3, 3]
    first = logger.rows["train"][0]
    assert {"accuracy", "elapsed", "epoch", "minibatch_count", "records_per_sec"} <= set(first)
    assert [row["minibatch_count"] for row in logger.rows["train"]] == [0, 1] * 3
    assert logger.rows["epoch"][1]["elapsed"] > logger.rows["epoch"][0]["elapsed"]


def test_rows_become_tables_of_pandas(monkeypatch):
    logger = callback.PandasLogger(2)
    logger.append_metrics({"accuracy": 0.5}, "train")
    logger.append_metrics({"accuracy": 0.7, "loss": 2}, "train")
    monkeypatch.setitem(__import__("sys").modules, "pandas", None)
    with pytest.raises(MissingExtraError, match="pip install pandas"):
        _ = logger.train_df
    monkeypatch.undo()
    pytest.importorskip("pandas")
    assert logger.train_df["accuracy"].tolist() == [0.5, 0.7]
    assert list(logger.all_dataframes) == ["train", "eval", "epoch"]
    assert len(logger.eval_df) == len(logger.epoch_df) == 0


def test_curves_are_drawn_in_their_place_as_a_training_goes_on(monkeypatch):
    shown = []

    class Handle:
        def update(self, figure):
            shown.append(figure)

    monkeypatch.setattr(callback._Curves, "setup_chart", lambda self: Handle())
    monkeypatch.setattr(
        callback, "plot_history", lambda curves: {k: list(v) for k, v in curves.items()}
    )
    curve = callback.LiveLearningCurve("accuracy", display_freq=0, frequent=1)
    logger = callback.PandasLogger(2, frequent=1)
    train(**callback.args_wrapper(curve))
    assert [len(shown[-1][f"{which} accuracy"]) for which in ("train", "validation")] == [6, 3]
    assert not logger.rows["train"]
    series = callback.LiveTimeSeries(title="x")
    series.update_chart_data(2.0)
    series.update_chart_data(3.0)
    assert shown[-1] == {"value": [2.0, 3.0]}
    assert len(series.x_axis_val) == 2


def test_mistakes_are_explained():
    with pytest.raises(InvalidArgumentError, match="df_name='x' was given. Expected one of train"):
        callback.PandasLogger(2).append_metrics({}, "x")
    with pytest.raises(MissingMethodError, match=r"setup_chart\(\) is not defined"):
        callback.LiveBokehChart(None, "accuracy")
