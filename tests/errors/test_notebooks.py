"""Notebooks show what a program's end shows: its own lines, and what helps."""

from __future__ import annotations

import linecache
import sys
import traceback
from types import ModuleType
from typing import TYPE_CHECKING, Any

import gluonish as mx
from gluonish.errors import last_words

if TYPE_CHECKING:
    import pytest


class _Shell:
    """What of IPython's shell counts here: it leaves out as many steps as it is told."""

    def __init__(self) -> None:
        self.shown: list[str] = []

    def run(self, code: str, tb_offset: int | None = None) -> str:
        linecache.cache["<cell>"] = (len(code), None, code.splitlines(True), "<cell>")
        try:
            exec(compile(code, "<cell>", "exec"), {"mx": mx})
        except (TypeError, AttributeError):
            self.showtraceback(tb_offset=tb_offset)
        return self.shown[-1]

    def showtraceback(
        self,
        exc_tuple: tuple[Any, ...] | None = None,
        filename: str | None = None,
        tb_offset: int | None = None,
    ) -> None:
        kind, error, trace = exc_tuple or sys.exc_info()
        assert trace is not None
        for _ in range(1 if tb_offset is None else tb_offset):
            trace = trace.tb_next
        self.shown.append("".join(traceback.format_exception(kind, error, trace)))


def _shell(monkeypatch: pytest.MonkeyPatch) -> _Shell:
    shell, module = _Shell(), ModuleType("IPython")
    module.get_ipython = lambda: shell  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "IPython", module)
    last_words.install()
    return shell


def test_a_cells_error_shows_the_cell_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = _shell(monkeypatch)
    shown = shell.run("mx.rnn.SequentialRNNCell().add('x')")
    assert shown.count("File ") == 1
    assert 'File "<cell>", line 1' in shown
    assert "SequentialRNNCell.add('x') did not work with these arguments" in shown
    shown = shell.run("net = mx.gluon.nn.Dense(2)\nnet = net.hybridize()\nnet(1)")
    assert "returns nothing. Call it on a line of its own" in shown


def test_others_errors_are_told_in_cells_too(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = _shell(monkeypatch)
    net = "net = mx.gluon.nn.Dense(2)\nimport torch\n"
    shown = shell.run(f"{net}torch.optim.SGD(net.collect_params(), lr=0.1)")
    assert shown.count("File ") == 1
    assert "torch.optim.SGD(net.to_torch().parameters(), lr=0.1) trains it" in shown


def test_all_steps_are_shown_where_asked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = _shell(monkeypatch)
    monkeypatch.setenv("GLUONISH_FULL_TRACEBACK", "1")
    assert shell.run("mx.rnn.SequentialRNNCell().add('x')").count("File ") > 2


def test_a_shell_is_taken_once(monkeypatch: pytest.MonkeyPatch) -> None:
    shell = _shell(monkeypatch)
    first = shell.showtraceback
    last_words.install()
    assert shell.showtraceback is first
    assert shell.run("mx.nd.ones(2).numpy()", tb_offset=0).count("File ") == 2
