"""`gluonish profile`, run as a program."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

from gluonish.cli import main

CALL = "import sys; from gluonish.cli import main; sys.exit(main())"
PROGRAM = """
import sys
import mxnet as mx
from mxnet import autograd, gluon

net = gluon.nn.Dense(2, prefix="fc_")
net.initialize()
trainer = gluon.Trainer(net.collect_params(), "sgd")
for x in gluon.data.DataLoader(mx.nd.ones((40, 3)), 4):
    with autograd.record():
        loss = net(x).sum()
    loss.backward()
    trainer.step(4)
print("done", *sys.argv[1:])
"""


def profile(*arguments, cwd):
    command = [sys.executable, "-c", CALL, "profile", *arguments]
    return subprocess.run(command, capture_output=True, text=True, cwd=cwd, check=False)


@pytest.mark.parametrize(
    ("end", "status"),
    [("sys.exit(3)", 3), ("raise KeyboardInterrupt", 130)],
)
def test_a_program_is_explained_however_it_ends(tmp_path, end, status):
    (tmp_path / "train.py").write_text(PROGRAM + end)
    done = profile("train.py", "--lr", "1", cwd=tmp_path)
    assert done.returncode == status, done.stderr
    assert "done --lr 1\n" in done.stdout
    assert " s, 10 steps, " in done.stdout
    assert "train.py:11" in done.stdout
    assert "Dense 'fc'" in done.stdout


def test_modules_and_traces(tmp_path):
    (tmp_path / "train.py").write_text(PROGRAM)
    done = profile("--trace", "trace.json", "-m", "train", "7", cwd=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "done 7\n" in done.stdout
    assert "The trace is in trace.json" in done.stdout
    events = json.loads((tmp_path / "trace.json").read_text())["traceEvents"]
    assert {"layer", "line", "operator"} <= {event["cat"] for event in events}


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        (["missing.py"], "there is no file 'missing.py'"),
        ([], "no program was named. Expected a file"),
        (["--what", "x.py"], "'--what' is no option, or lacks its value"),
        (["--trace"], "'--trace' is no option, or lacks its value"),
    ],
)
def test_mistakes_are_told(arguments, text, monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["gluonish"])
    try:
        status = main(["profile", *arguments])
    except SystemExit as ended:
        status = ended.code
    shown = capsys.readouterr()
    assert status != 0
    assert text in shown.err
    assert "steps" not in shown.out
