"""Advice uses the names that a program has for our modules, and tells the imports of others."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

import gluonish as mx


@pytest.mark.parametrize(
    ("program", "told"),
    [
        (
            "import numpy\nfrom gluonish import nd\nnd.save('x', {'a': numpy.ones(2)})",
            "Write nd.array(...) around it.\n",
        ),
        ("import gluonish as g\ng.nd.where(g.nd.ones(2))", " g.np.nonzero(g.nd.ones(2))[0]"),
        ("from gluonish.gluon import nn\nnn.LSTM(3)", "module 'gluonish.nn' has no attribute"),
        (
            "from gluonish import nd\nnd.where(nd.ones(2))",
            "counts them. (mx is there after 'import gluonish as mx'.)",
        ),
        ("from gluonish.nd import ones, where\nwhere(ones(2))", "is there after"),
        (
            "from gluonish import nd\nnd.unique(nd.ones(2))",
            "mx.np.unique is it. (mx is there after 'import gluonish as mx'.)",
        ),
        (
            (
                "from gluonish import autograd, nd\nw, b = nd.ones(3), nd.zeros(1)\n"
                "with autograd.record():\n    l = (w * 2 + b).sum()\nl.backward()\n"
                "w -= 0.1 * w.grad\nb -= 0.1 * b.grad"
            ),
            "write w.attach_grad() and b.attach_grad() before autograd.record().",
        ),
        ("import gluonish as mx\nmx.nd.where(mx.nd.ones(2))", "; mx.nd.where(mx.nd.ones(2), x, y)"),
        (
            "from gluonish import nd\nx = nd.ones(2)\nx @ x",
            "arrays of mx.np by x @ y.\n",
        ),
    ],
)
def test_advice_is_in_the_names_of_the_program(program: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "program.py"
    path.write_text(program)
    ended = subprocess.run(
        [sys.executable, str(path)],
        capture_output=True,
        text=True,
        check=False,
        cwd=Path(mx.__file__).parents[1],
        env={"PYTHONPATH": str(Path(mx.__file__).parents[1])},
    )
    assert ended.returncode == 1
    assert told in ended.stderr
