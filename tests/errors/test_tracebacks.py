"""Tracebacks show the user's lines, and everything where that is asked for."""

from __future__ import annotations

import traceback
import warnings
from pathlib import Path

import pytest

import gluonish as mx
from gluonish import autograd, nd
from gluonish.errors.tracebacks import VARIABLE
from gluonish.gluon import nn


class Inner(nn.Block):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(4, in_units=5)

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        return self.dense(x)


_BEGIN = """\
import numpy as onp
import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
"""
_PROGRAMS = dict(
    part.split("\n\n", 1)
    for part in Path(__file__).with_name("own_functions.txt").read_text("utf-8").split("## ")[1:]
)


def _failing_net() -> nn.Block:
    net = nn.Sequential(prefix="top_")
    net.add(Inner(), Inner())
    net.initialize()
    return net


def _frames(error: BaseException) -> list[str]:
    return [Path(frame.filename).name for frame in traceback.extract_tb(error.__traceback__)]


def test_only_the_users_frames_are_shown():
    with pytest.raises(mx.MXNetError) as caught:
        _failing_net()(nd.ones((2, 5)))
    assert _frames(caught.value) == ["test_tracebacks.py", "test_tracebacks.py"]


def test_notes_tell_the_path_of_each_block():
    with pytest.raises(mx.MXNetError) as caught:
        _failing_net()(nd.ones((2, 5)))
    starts = [note.partition(" called")[0] for note in caught.value.__notes__]
    assert [start.rpartition("(")[2] for start in starts[:2]] == ["1.dense)", "1)"]
    assert starts[2] == "in Sequential 'top'"


def test_all_frames_are_shown_where_asked_for(monkeypatch):
    monkeypatch.setenv(VARIABLE, "1")
    with pytest.raises(mx.MXNetError) as caught:
        _failing_net()(nd.ones((2, 5)))
    assert len(_frames(caught.value)) > 5
    assert caught.value.__cause__ is not None


def test_causes_that_say_nothing_more_are_left_out():
    with pytest.raises(mx.MXNetError) as caught:
        nd.dot(nd.ones((2, 3)), nd.ones((2, 3)))
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__
    assert isinstance(caught.value.__context__, RuntimeError)


def test_errors_of_the_users_code_stay_causes():
    def body(x: nd.NDArray, states: list[nd.NDArray]) -> object:
        return x.missing, states  # type: ignore[attr-defined]

    with pytest.raises(AttributeError, match="missing") as caught:
        nd.contrib.foreach(body, nd.ones((2, 3)), [nd.ones(3)])
    assert "test_tracebacks.py" in _frames(caught.value)[1:]


def test_a_deep_net_names_ten_blocks_at_most():
    net: nn.Block = nn.Dense(2, in_units=3)
    for _ in range(14):
        outer = nn.Sequential()
        outer.add(net)
        net = outer
    net.initialize()
    with pytest.raises(mx.MXNetError) as caught:
        net(nd.ones((1, 4)))
    notes = caught.value.__notes__
    assert len(notes) == 11
    assert notes[5] == "in 5 Blocks between"
    assert ".".join(["0"] * 14) in notes[0]


def test_a_block_that_calls_itself_is_told_so_once():
    class Loop(nn.Block):
        def forward(self, x: nd.NDArray) -> nd.NDArray:
            return self(x)

    with pytest.raises(RecursionError) as caught:
        Loop(prefix="loop_")(nd.ones(2))
    assert len(caught.value.__notes__) == 1
    assert caught.value.__notes__[0].startswith("Loop 'loop' is called while it is called")


def test_wrong_arguments_of_a_forward_are_told():
    net = nn.Dense(2, in_units=3, prefix="fc_")
    net.initialize()
    with pytest.raises(TypeError) as caught:
        net(nd.ones((1, 3)), nd.ones((1, 3)))
    array = "<NDArray of shape (1, 3)>"
    assert str(caught.value).startswith(
        f"Dense 'fc': got 2 arguments ({array}, {array}). Expected a call with (x). Leave one out."
    )


def test_warnings_show_the_users_line():
    net = nn.Dense(2, in_units=3)
    net.initialize()
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        net.initialize()
    assert {Path(each.filename).name for each in caught} == {"test_tracebacks.py"}


def test_an_initializer_that_fails_names_the_parameter():
    with pytest.raises(mx.MXNetError, match="Did you mean 'xavier'") as caught:
        nn.Dense(2, in_units=3, prefix="fc_").initialize("xavierr")
    assert caught.value.__notes__ == ["in Parameter 'fc_weight' of shape (2, 3)"]


def test_memory_that_is_not_there_is_told_in_bytes():
    with pytest.raises(MemoryError, match=r"4,000,000,000,000 bytes \(3.6 TiB\)"):
        nd.ones((10**6, 1)) * nd.ones((1, 10**6))
    with pytest.raises(MemoryError, match="initialize: shape"):
        nn.Dense(10**7, in_units=10**7).initialize()


def test_backward_of_a_used_graph_has_one_traceback():
    x = nd.ones(2)
    x.attach_grad()
    with autograd.record():
        y = (x * x).sum()
    y.backward()
    with pytest.raises(mx.MXNetError, match="used up") as caught:
        y.backward()
    assert caught.value.__cause__ is None


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", _PROGRAMS)
def test_what_a_programs_own_functions_raise_has_its_lines_alone(name: str) -> None:
    code = compile(_BEGIN + _PROGRAMS[name], "program.py", "exec")
    with pytest.raises(NameError, match="missing") as caught:
        exec(code, {"__name__": "program"})
    assert {*_frames(caught.value)} == {"test_tracebacks.py", "program.py"}
