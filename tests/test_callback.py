"""Callbacks and monitors log what the real MXNet 1.9.1 logs, letter by letter."""

from __future__ import annotations

import importlib.util
import io
import json
import logging
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import gluonish as mx
from gluonish import nd
from gluonish.callback import BatchEndParam
from gluonish.display import progress

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = Path(__file__).parent / "golden"
CASES = json.loads((GOLDEN / "callbacks.json").read_text())["cases"]
_SPEC = importlib.util.spec_from_file_location("callbacks", GOLDEN / "callback_programs.py")
programs = importlib.util.module_from_spec(_SPEC)
_SPEC.loader.exec_module(programs)
FOUND = programs.run(mx)


@pytest.mark.parametrize("title", sorted(CASES))
def test_lines_and_results_are_those_of_mxnet(title: str) -> None:
    assert FOUND[title]["lines"] == CASES[title]["lines"]
    assert FOUND[title]["result"] == CASES[title]["result"]


def test_all_programs_are_run() -> None:
    assert sorted(FOUND) == sorted(CASES)


def bars(monkeypatch: pytest.MonkeyPatch) -> io.StringIO:
    stream = io.StringIO()
    make = progress.tqdm
    monkeypatch.setattr(progress, "is_watched", lambda: True)
    monkeypatch.setattr(
        progress,
        "tqdm",
        lambda **options: make(file=stream, ascii=True, mininterval=0, **options),
    )
    return stream


def test_progress_is_one_moving_bar_for_each_epoch_if_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream, metric = bars(monkeypatch), mx.metric.create("acc")
    bar = mx.callback.ProgressBar(total=3, length=90, tqdm=True)
    for epoch in range(2):
        for nbatch in range(3):
            metric.update([nd.array([0])], [nd.array([[1, 0]])])
            bar(BatchEndParam(epoch, nbatch, metric, None))
    text = stream.getvalue()
    assert "Epoch[0]: 100%" in text
    assert "Epoch[1]: 100%" in text
    assert "3/3" in text
    assert "accuracy=1.0000" in text


def test_a_moving_bar_is_one_line_an_epoch_in_a_log(capsys: pytest.CaptureFixture[str]) -> None:
    bar, metric = mx.callback.ProgressBar(total=3, tqdm=True), mx.metric.create("acc")
    for epoch in range(2):
        for nbatch in range(3):
            metric.update([nd.array([0])], [nd.array([[1, 0]])])
            bar(BatchEndParam(epoch, nbatch, metric, None))
    first, second = capsys.readouterr().err.splitlines()
    assert first.startswith("Epoch[0]: 100%")
    assert second.startswith("Epoch[1]: 100%")
    assert "accuracy=1.0000" in second


def test_moving_bar_starts_again_where_an_epoch_was_shorter(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    stream = bars(monkeypatch)
    bar = mx.callback.ProgressBar(total=10, tqdm=True)
    for epoch, nbatch in ((0, 0), (0, 1), (1, 0), (1, 0)):
        bar(BatchEndParam(epoch, nbatch, None, None))
    assert stream.getvalue().count("Epoch[1]:   0%") == 2


def test_checkpoints_are_saved_every_few_epochs(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    callback = mx.callback.do_checkpoint(str(tmp_path / "net"), period=2)
    weights = {"fc_weight": nd.array([[1, 2]])}
    with caplog.at_level(logging.INFO):
        for epoch in range(4):
            callback(epoch, None, weights, {"mean": nd.array([3])})
    names = ["net-0002.params", "net-0004.params"]
    assert sorted(path.name for path in tmp_path.iterdir()) == names
    assert caplog.messages == [f'Saved checkpoint to "{tmp_path / name}"' for name in names]
    found = nd.load(str(tmp_path / names[0]))
    assert sorted(found) == ["arg:fc_weight", "aux:mean"]


@pytest.mark.parametrize("wrap", [lambda value: value, lambda value: [value]])
def test_statistics_have_to_be_arrays(wrap: Callable[[object], object]) -> None:
    monitor = mx.mon.Monitor(1, stat_func=lambda array: wrap(3.5))
    monitor.tic()
    monitor.stat_helper("x", nd.ones(1))
    message = "stat_func returned a float for 'x'. Expected an NDArray, or a list of them"
    with pytest.raises(AssertionError, match=message) as caught:
        monitor.toc()
    assert isinstance(caught.value, mx.MXNetError)


def test_monitor_takes_arrays_of_numpy_mode() -> None:
    monitor = mx.mon.Monitor(1, stat_func=lambda array: array.max())
    monitor.tic()
    monitor.stat_helper(b"x", mx.np.array([1.0, 3.0]))
    assert monitor.toc() == [(1, "x", "3.0\t")]
    assert monitor.toc() == []


def test_second_names_are_importable() -> None:
    import gluonish.mon

    assert gluonish.mon is mx.monitor


def test_checkpoints_are_saved_and_loaded_by_names_of_other_modules(tmp_path):
    symbol = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=1, name="fc")
    arrays = {"fc_weight": mx.nd.ones((1, 2)), "fc_bias": mx.nd.zeros(1)}
    mx.callback.save_checkpoint(str(tmp_path / "net"), 3, symbol, arrays, {})
    for module in (mx.rnn, mx.model):
        found, args, aux = module.load_checkpoint(str(tmp_path / "net"), 3)
        assert found.list_arguments() == symbol.list_arguments()
        assert (args["fc_weight"].asnumpy() == 1).all()
        assert aux == {}
    assert mx.rnn.save_checkpoint is mx.model.save_checkpoint
