"""hybrid_report() says what runs each graph, or why there is none."""

from __future__ import annotations

import re

import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn
from gluonish.hybrid.report import TITLES, HybridReport, Row


def dense(**options):
    net = nn.HybridSequential(prefix="net_")
    net.add(nn.Dense(4, in_units=2, prefix="dense_"), nn.Dropout(0.5))
    net.initialize()
    net.hybridize(**options)
    return net


def test_nothing_is_reported_before_the_first_call():
    assert dense().hybrid_report().rows == []
    assert nn.Dense(2).hybrid_report().rows == []
    assert str(dense().hybrid_report()) == "  ".join(TITLES)


def test_each_signature_has_a_line():
    net = dense(backend="fx")
    net.initialize(ctx=[mx.cpu(0), mx.cpu(1)], force_reinit=True)
    for size in (1, 2, 1):
        net(nd.ones((size, 2)))
    with autograd.record():
        net(nd.ones((1, 2)))
    with autograd.train_mode():
        net(nd.ones((1, 2), ctx=mx.cpu(1)))
    rows = net.hybrid_report().rows
    assert [row.signature for row in rows] == [
        "float32(1, 2) cpu(0)",
        "float32(2, 2) cpu(0)",
        "float32(1, 2) cpu(0) record train",
        "float32(1, 2) cpu(1) train",
    ]
    assert {row.block for row in rows} == {"HybridSequential 'net'"}
    assert all(row.capture > 0 and row.compile == 0 for row in rows)
    assert all((row.before, row.after) == (None, None) for row in rows)


def test_signature_names_all_arrays():
    class Net(nn.Block):
        def forward(self, x, states, scale=None):
            return x * scale, [state + 1 for state in states]

    net = Net()
    net.hybridize()
    net(nd.ones((2,)), [nd.ones((1, 2)), nd.ones((3,), dtype="int32")], scale=nd.ones((1,)))
    (row,) = net.hybrid_report().rows
    assert row.signature == "float32(2,), float32(1, 2), int32(3,), float32(1,) cpu(0)"


def test_reason_names_file_and_line():
    class Net(nn.Block):
        def __init__(self):
            super().__init__(prefix="net_")
            self.dense = nn.Dense(2, in_units=3, prefix="dense_")

        def forward(self, x):
            y = self.dense(x)
            return y if y.sum().asscalar() > 0 else -y

    net = Net()
    net.initialize()
    net.hybridize()
    for _ in range(2):
        net(nd.ones((1, 3)))
    first, second = net.hybrid_report().rows
    line = Net.forward.__code__.co_firstlineno + 2
    reason = rf".*test_hybrid_report\.py:{line}: Python reads a value of the data \(\w+\)"
    assert re.fullmatch(reason, first.state)
    assert (first.block, first.backend, first.signature) == ("Net 'net'", "python", "")
    assert (second.block, second.backend) == ("Dense 'dense'", "fx")


def test_shared_children_are_reported_once():
    child = nn.Dense(2, in_units=2)
    child.initialize()

    class Net(nn.Block):
        def __init__(self):
            super().__init__()
            self.one, self.two = child, child

        def forward(self, x):
            return x * self.one(self.two(x)).asnumpy().sum()

    net = Net()
    net.hybridize()
    for _ in range(2):
        net(nd.ones((1, 2)))
    assert [row.backend for row in net.hybrid_report().rows] == ["python", "fx"]


def test_times_are_reported_as_they_come(instant):
    net = dense()
    seen = []
    for _ in range(8):
        net(nd.ones((1, 2)))
        (row,) = net.hybrid_report().rows
        seen.append((row.state, row.backend))
    assert seen[0] == ("timing", "fx")
    assert ("racing", "fx") in seen
    assert seen[-1] == ("compiled", "aot")


@pytest.mark.usefixtures("instant")
def test_fused_steps_have_lines_of_their_own():
    net = dense()
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    step = gluon.FusedStep(net, gluon.loss.L2Loss(), trainer)
    assert step.hybrid_report().rows == []
    for _ in range(8):
        for size in (2, 3):
            step(nd.ones((size, 2)), nd.ones((size, 4)))
    rows = step.hybrid_report().rows
    assert [row.signature for row in rows] == [
        "float32(2, 2), float32(2, 4) cpu(0) record train",
        "float32(3, 2), float32(3, 4) cpu(0) record train",
    ]
    assert {row.state for row in rows} == {"compiled"}


def test_report_is_a_table():
    rows = [
        Row("Dense 'd'", "float32(1, 2) cpu(0)", "aot", 0.0012, 7.25, 30.04, 12.0, 3.21, "done"),
        Row("Net '<n>'", "", "python", 0.0, 0.0, None, None, None, "file.py:3: reason"),
    ]
    report = HybridReport(rows)
    assert str(report) == repr(report)
    lines = str(report).splitlines()
    columns = [lines[0].index(title) for title in TITLES]
    assert [[line[start:].split("  ")[0].strip() for start in columns] for line in lines] == [
        list(TITLES),
        list(rows[0].cells()),
        list(rows[1].cells()),
    ]
    expected = ("Dense 'd'", "float32(1, 2) cpu(0)", "aot", "0.001", "7.2", "30.0", "12.0")
    assert rows[0].cells() == (*expected, "2.50", "3.2", "done")
    assert rows[1].cells()[3:] == ("0.000", "", "", "", "", "", "file.py:3: reason")
    page = report._repr_html_()
    assert page.startswith('<table><tr><th style="text-align: left">block</th>')
    assert '<td style="text-align: left">Net &#x27;&lt;n&gt;&#x27;</td>' in page
    assert "<td>0.001</td><td>7.2</td>" in page
    assert page.count("<tr>") == 3


def test_graph_of_the_latest_signature_is_readable():
    net = dense(backend="fx")
    assert net.graph is None
    net(nd.ones((1, 2)))
    first = net.graph
    net(nd.ones((2, 2)))
    assert net.graph is not first
    assert "torch._C._nn.linear(input0, dense_weight, dense_bias)" in net.graph.code
    net.hybridize(False)
    assert net.graph is None
