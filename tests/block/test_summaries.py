"""Summaries with costs, and reports of what is trained."""

from __future__ import annotations

import re

import pytest

import gluonish as mx
from gluonish import nd
from gluonish.gluon import nn, rnn


def layers(text):
    """Return name, share, multiply-adds and memory by row."""
    rows = [line.split() for line in text.splitlines()]
    return {row[0]: row for row in rows if row and re.fullmatch(r"\w+-\d+", row[0])}


def images():
    net = nn.HybridSequential()
    net.add(nn.Conv2D(8, 3), nn.BatchNorm(), nn.Dense(10), nn.Dropout(0.5))
    net.initialize()
    return net


def test_details_are_what_each_layer_costs(capsys):
    net = images()
    net(nd.ones((2, 3, 8, 8)))
    net[0].weight.grad_req = "null"
    net.summary(nd.ones((2, 3, 8, 8)), details=True)
    text = capsys.readouterr().out
    found = layers(text)
    assert found["Conv2D-1"][-5:] == ["224", "4%", f"{2 * 8 * 36 * 27:,}", "2.2", "KiB"]
    assert found["BatchNorm-2"][-5:] == ["32", "50%", "0", "2.2", "KiB"]
    assert found["Dense-3"][-5:] == ["2,890", "100%", "5,760", "80", "B"]
    assert found["Dropout-4"][-4:] == ["0", "0", "80", "B"]
    assert "Parameters: 3,146; 2,914 are trained (93%), 0 are shared" in text
    assert "convolutions: 21,312\n" in text
    assert "Memory: parameters 12.3 KiB, outputs of layers 4.7 KiB" in text


@pytest.mark.parametrize("details", [False, True])
def test_hybridized_nets_have_the_same_summary_and_keep_their_graphs(capsys, details):
    net, x = images(), nd.ones((2, 3, 8, 8))
    net.summary(x, details=details)
    plain = capsys.readouterr().out
    net.hybridize(backend="fx")
    net(x)
    graphs = net._graphs
    net.summary(x, details=details)
    assert capsys.readouterr().out == plain
    assert net._graphs is graphs
    assert net[0]._graphs is not None
    before = net(x).asnumpy()
    assert (net(x).asnumpy() == before).all()


def test_a_failed_summary_keeps_graphs():
    net = images()
    net(nd.ones((2, 3, 8, 8)))
    net.hybridize(backend="fx")
    graphs = net._graphs
    with pytest.raises(mx.MXNetError):
        net.summary(nd.ones((2, 3)), details=True)
    assert net._graphs is graphs
    assert not net[0]._forward_hooks
    assert not net[0]._forward_pre_hooks


@pytest.mark.parametrize(("kind", "gates"), [(rnn.LSTM, 4), (rnn.GRU, 3), (rnn.RNN, 1)])
@pytest.mark.parametrize("bidirectional", [False, True])
def test_products_of_recurrent_layers_are_counted(capsys, kind, gates, bidirectional):
    net = kind(16, num_layers=2, bidirectional=bidirectional)
    net.initialize()
    net.summary(nd.ones((5, 3, 4)), details=True)
    ways = 1 + bidirectional
    count = 5 * 3 * gates * 16 * ways * ((4 + 16) + (16 * ways + 16))
    assert f"convolutions: {count:,}\n" in capsys.readouterr().out


def test_costs_of_children_are_not_their_parents(capsys):
    class Twice(nn.HybridBlock):
        def __init__(self):
            super().__init__()
            self.first = nn.Dense(5, in_units=3)

        def hybrid_forward(self, F, x):
            return F.dot(self.first(x), F.ones((5, 7)))

    net = Twice()
    net.initialize()
    net.summary(nd.ones((4, 3)), details=True)
    found = layers(capsys.readouterr().out)
    assert found["Dense-1"][-3] == str(4 * 3 * 5)
    assert found["Twice-2"][-3] == str(4 * 5 * 7)


def test_shared_parameters_count_once(capsys):
    first = nn.Dense(3, in_units=3)
    net = nn.Sequential()
    net.add(first, nn.Dense(3, in_units=3, params=first.params))
    net.initialize()
    net.summary(nd.ones((2, 3)), details=True)
    text = capsys.readouterr().out
    assert "Parameters: 12; 12 are trained (100%), 12 are shared" in text
    assert "parameters 48 B" in text


def test_details_are_a_table_in_notebooks(monkeypatch):
    import sys
    import types

    from gluonish.display import tables

    shown = []
    module = types.SimpleNamespace(display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython.display", module)
    monkeypatch.setattr(tables, "is_shown_in_notebook", lambda: True)
    images().summary(nd.ones((2, 3, 8, 8)), details=True)
    text = shown[0]._repr_html_()
    assert "Multiply-adds</th>" in text
    assert "15,552</td>" in text
    assert "· Parameters: 3,146" in text


# --- what is trained ------------------------------------------------------------------------


def test_reports_say_what_is_frozen():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Conv2D(2, 3), nn.Dense(4, in_units=5))
    net.initialize()
    assert net.collect_params(".*conv").setattr("grad_req", "null") is None
    found = net.collect_params().report()
    assert found.frozen == ["net_conv0_weight", "net_conv0_bias"]
    assert (found.trained, found.total) == (24, 26)  # one shape is not known yet
    lines = repr(found).splitlines()
    assert lines[1].split() == ["net_conv0_weight", "(2,", "?,", "3,", "3)", "null", "0"]
    assert lines[-1] == "2 of 4 parameters are trained, 24 of 26 numbers (92%)"
    assert "<b>Parameters</b> · 2 of 4 parameters are trained" in found._repr_html_()
    assert repr(mx.gluon.ParameterDict().report()).endswith(
        "0 of 0 parameters are trained, 0 of 0 numbers"
    )


def test_patterns_that_match_nothing_are_told():
    net = nn.Dense(2, in_units=3, prefix="fc_")
    text = (
        r"setattr\('grad_req', 'null'\) changed nothing: collect_params\('weight'\) found no "
        r"parameter. Expected a regular expression for the beginning of a name. There are "
        r"'fc_weight', 'fc_bias'\."
    )
    with pytest.warns(UserWarning, match=text) as caught:
        net.collect_params("weight").setattr("grad_req", "null")
    assert caught[0].filename == __file__
    assert net.weight.grad_req == "write"
    nn.Dropout(0.5).collect_params().setattr("grad_req", "null")  # asks for nothing
    assert len(net.collect_params("weight")) == 0
