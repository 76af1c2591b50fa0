"""Nothing is said of lines that are right, where a program's own check fails."""

from __future__ import annotations

import linecache

import pytest

from gluonish.errors import own_checks
from gluonish.errors.last_words import improve

_BEGIN = """\
import numpy as onp
import gluonish as mx
from gluonish import autograd, gluon, nd, np
from gluonish.gluon import nn
"""
_RIGHT = {
    "what changes its array": "x = nd.array([3, 1])\nx.attach_grad()\nx.wait_to_read()",
    "shuffling of np": "x = np.array([3, 1])\nnp.random.shuffle(x)",
    "what is given on": "x = nd.array([3, 1])\nprint(nd.relu(x))\nnd.relu(x, out=x)",
    "gradients that begin anew": """\
net = nn.Dense(2, in_units=2)
net.initialize()
net.collect_params().setattr('grad_req', 'add')
trainer = gluon.Trainer(net.collect_params(), 'sgd')
with autograd.record():
    value = net(nd.ones((2, 2)))
value.backward()
trainer.step(1)
net.collect_params().zero_grad()""",
    "one order": "x, y = onp.ones(3), onp.ones(3)\nonp.random.shuffle(x)",
    "rows by whole numbers": "x = nd.ones((3, 2))\ny = x[nd.array([0, 1, 1], dtype='int32')]",
    "columns": "x, y = nd.ones((4, 1)), nd.ones((1, 4))\nz = x - y",
    "other lengths": "x = nd.ones((4, 5, 3))\ny = x.reshape((20, 3))\nz = x.reshape((4, 15))",
    "a copy": """\
net = nn.Dense(2, in_units=2)
net.initialize()
trainer = gluon.Trainer(net.collect_params(), 'sgd')
before = net.weight.data().copy()
with autograd.record():
    value = net(nd.ones((2, 2)))
value.backward()
trainer.step(1)""",
}


def _ended(source: str) -> BaseException:
    """Return the error of a program, as its end shows it."""
    text = f"{_BEGIN}{source}\n"
    name = f"<{source}>"
    linecache.cache[name] = (len(text), None, text.splitlines(True), name)
    with pytest.raises((AssertionError, ZeroDivisionError)) as caught:
        exec(compile(text, name, "exec"), {"__name__": "program"})
    trace = caught.value.__traceback__
    improve(caught.value, None if trace is None else trace.tb_next)
    return caught.value


@pytest.mark.parametrize("text", _RIGHT.values(), ids=_RIGHT)
@pytest.mark.parametrize("check", ["assert not 1", "1 / 0"])
def test_lines_that_are_right_are_not_told_of(text: str, check: str) -> None:
    assert not hasattr(_ended(f"{text}\n{check}"), "__notes__")


_CHECKED = """
def check():
    x, y = nd.ones((3, 1)), nd.ones(3)
    assert (x - y).shape == (3, 1)
check()"""


def test_functions_of_the_program_are_looked_at_where_they_still_run() -> None:
    assert _ended(_CHECKED).__notes__[0].startswith("Line 8: x - y has shape (3, 3)")


def test_what_can_not_be_looked_at_leaves_the_programs_error_alone(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def fails(scene: object) -> None:
        raise RuntimeError(scene)

    monkeypatch.setattr(own_checks, "_CHECKS", (fails, *own_checks._CHECKS))
    assert _ended(_CHECKED).__notes__[0].startswith("Line 8: x - y has shape (3, 3)")
