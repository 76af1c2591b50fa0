"""`autograd.get_symbol`: what was recorded, as graphs that compute the same."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
from pathlib import Path

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import AutogradError, OperandError

GOLDEN = Path(__file__).parent / "golden"
FOUND = json.loads((GOLDEN / "recorded.json").read_text())["results"]
sys.path.insert(0, str(GOLDEN))
PROGRAMS = importlib.import_module("recorded_programs")

# What is noted is noted for good, so that the tests run in processes of their own.
_RUN = """
import json, sys
sys.path.insert(0, sys.argv[1])
import gluonish as mx
import recorded_programs
print(json.dumps({each: recorded_programs.run(mx, each) for each in recorded_programs.NUMBERS}))
"""
_OTHERS = """
import gluonish as mx
from gluonish import autograd, nd, np


class Twice(autograd.Function):
    def forward(self, x):
        return x * 2

    def backward(self, dy):
        return dy * 2


def refused(call):
    try:
        call()
    except mx.MXNetError as error:
        print(type(error).__name__, str(error).split(". ")[0])


net = mx.gluon.nn.HybridSequential()
net.add(mx.gluon.nn.Dense(2), mx.gluon.nn.BatchNorm(), mx.gluon.nn.Dropout(0.5))
net.initialize()
net.hybridize()
net(nd.ones((2, 3)))
x = np.ones((2, 3))
x.attach_grad()
y = nd.ones((2, 3))
y.attach_grad()
with autograd.record():
    a, b = np.sum(2 - x / 3, axis=1), mx.npx.relu(x[0]) * 2
    c, d, e, f = net(y), Twice()(y) + 1, y[nd.array([0, 1])], y * 2
    g = y
    for _ in range(3000):
        g = g + 1
print(type(autograd.get_symbol(a)).__name__, autograd.get_symbol(a).list_arguments())
print([node for node in autograd.get_symbol(b).get_internals().list_outputs()])
print(len(autograd.get_symbol(c).list_arguments()), len(autograd.get_symbol(g).tojson()) > 3000)
print(autograd.get_symbol(f).list_outputs() == autograd.get_symbol(f).list_outputs())
refused(lambda: autograd.get_symbol(d))
refused(lambda: autograd.get_symbol(e))
refused(lambda: autograd.get_symbol(nd.ones(2)))
f.backward()
refused(lambda: autograd.get_symbol(f))
"""
_TOO_LATE = """
import gluonish as mx

x = mx.nd.ones(2)
x.attach_grad()
for name in ("get_" + "symbol", "get_" + "symbol"):
    with mx.autograd.record():
        y = x * 2
    try:
        print(getattr(mx.autograd, name)(y).list_arguments())
    except mx.MXNetError as error:
        print(type(error).__name__, "Compute it again" in str(error))
"""


def output_of(tmp_path, program, *args):
    file = tmp_path / "program.py"
    file.write_text(program)
    done = subprocess.run(
        [sys.executable, str(file), *args], capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    return done.stdout


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    return json.loads(output_of(tmp_path_factory.mktemp("recorded"), _RUN, str(GOLDEN)))


def test_there_is_an_answer_for_each_program():
    assert list(FOUND) == PROGRAMS.NUMBERS


@pytest.mark.parametrize("program", FOUND)
def test_graphs_are_those_of_mxnet(program, ours):
    found, expected = ours[program], FOUND[program]
    for key in ("arguments", "operators", "outputs"):
        assert found[key] == expected[key]
    for key in ("value", "result"):
        onp.testing.assert_allclose(found[key], expected[key], rtol=1e-5, atol=1e-6)


def test_arrays_of_np_and_captured_nets_have_graphs(tmp_path):
    lines = output_of(tmp_path, _OTHERS).splitlines()
    assert lines[0] == "_Symbol ['var0']"
    assert lines[1].count("node_") == 4  # x[0] is two of MXNet's operators
    assert lines[2:4] == ["5 True", "True"]
    assert [line.split(" ")[0] for line in lines[4:]] == ["AutogradError"] * 4, lines
    assert "no graph holds" in lines[4]
    assert "was not computed inside" in lines[6]


def test_what_was_recorded_before_anybody_asked_is_refused_once(tmp_path):
    assert output_of(tmp_path, _TOO_LATE).splitlines() == ["AutogradError True", "['var0']"]


def test_other_things_than_arrays_are_refused():
    graphs = importlib.import_module("gluonish.symbol.recorded_graphs")
    with pytest.raises(OperandError, match="int was given"):
        graphs.get_symbol(3)
    with pytest.raises(AutogradError, match="was not computed inside"):
        graphs.get_symbol(mx.nd.ones(2))
