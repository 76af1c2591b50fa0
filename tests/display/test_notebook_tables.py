"""In notebooks, arrays, parameters, Blocks and curves show themselves."""

from __future__ import annotations

import importlib.util
import sys
import types

import numpy as onp
import pytest

import gluonish as mx
from gluonish.display import tables
from gluonish.gluon import nn
from gluonish.viz import notebook

LEFT = ' style="text-align: left"'


def plain(thing):
    return thing._repr_html_().replace(LEFT, "")


def test_small_matrices_are_tables():
    shown = mx.nd.array([[1, 2.5], [3, 4]])._repr_html_()
    assert shown.startswith("<div><b>NDArray (2, 2)</b> · float32 · cpu(0)</div><table>")
    assert "<tr><th>0</th><td>1</td><td>2.5</td></tr>" in shown
    assert "<tr><th>1</th><td>3</td><td>4</td></tr>" in shown


def test_large_matrices_are_shortened():
    shown = mx.nd.arange(40 * 50).reshape((40, 50))._repr_html_()
    assert shown.count("<tr>") == 1 + 5 + 1 + 5
    assert shown.count("…") == 1 + 10 + 11 + 1
    assert "<td>1999</td>" in shown
    assert len(mx.nd.zeros((10_000, 1000))._repr_html_()) < 10_000


def test_vectors_are_rows_of_a_table():
    shown = mx.np.array([True, False], dtype="bool")._repr_html_()
    assert "<b>ndarray (2,)</b> · bool" in shown
    assert "<tr><th>0</th><td>True</td><td>False</td></tr>" in shown
    assert "<td>7</td>" in mx.nd.array([7], dtype="int32")._repr_html_()


@pytest.mark.parametrize(
    "array",
    [mx.nd.ones((2, 2, 2)), mx.np.array(3), mx.nd.ones((2, 2)).tostype("csr")],
    ids=["cube", "scalar", "sparse"],
)
def test_other_arrays_are_text(array):
    shown = array._repr_html_()
    assert '<pre style="font-family: monospace">' in shown
    assert "<table>" not in shown


def test_arrays_that_are_recorded_can_be_shown():
    x = mx.nd.ones((2, 2))
    x.attach_grad()
    with mx.autograd.record():
        assert "<td>2</td>" in (x * 2)._repr_html_()


def test_parameters_tell_their_state():
    dense = nn.Dense(3, prefix="out_")
    assert "Parameter out_weight</b> · (3, ?) · float32" in dense.weight._repr_html_()
    dense.initialize(mx.init.One())
    shown = plain(dense.collect_params())
    assert "ParameterDict out_</b> · 2 parameters" in shown
    assert "<td>out_weight</td><td>(3, ?)</td><td>float32</td><td>?</td><td>write</td>" in shown
    dense(mx.nd.ones((1, 2)))
    assert "<td>6</td><td>write</td><td>cpu(0)</td>" in plain(dense.collect_params())
    assert "<td>1</td>" in dense.weight._repr_html_()


def test_blocks_are_tables_of_layers():
    net = nn.HybridSequential(prefix="net_")
    with net.name_scope():
        net.add(nn.Dense(3, in_units=2), nn.Dropout(0.5), nn.Dense(1))
    shown = plain(net)
    assert "HybridSequential net_" in shown.replace("net<", "net_<")
    assert "10 numbers in parameters, 1 parameter of unknown shape" in shown
    assert "<td>\u20030</td><td>Dense</td><td>weight (3, 2), bias (3,)</td><td>9</td>" in shown
    assert "<td>\u20032</td><td>Dense</td><td>weight (1, ?), bias (1,)</td><td>?</td>" in shown
    many = nn.Sequential()
    many.add(*[nn.Flatten() for _ in range(300)])
    assert "… 101 more" in many._repr_html_()


def test_texts_begin_on_the_left_and_numbers_end_on_the_right():
    shown = nn.Dense(3, in_units=2)._repr_html_()
    assert f"<td{LEFT}>weight (3, 2), bias (3,)</td><td>9</td>" in shown


def test_metrics_show_their_values():
    accuracy = mx.metric.Accuracy()
    accuracy.update([mx.nd.array([0, 1])], [mx.nd.array([[1, 0], [1, 0]])])
    assert accuracy._repr_html_() == "<div><b>Accuracy</b> · accuracy 0.5</div>"


def test_summary_is_a_table_in_notebooks_and_text_elsewhere(monkeypatch, capsys):
    net = nn.HybridSequential()
    net.add(nn.Dense(40, in_units=30), nn.Dense(1, in_units=40))
    net.initialize()
    net.summary(mx.nd.ones((2, 30)))
    text = capsys.readouterr().out
    shown = []
    display = types.SimpleNamespace(display=shown.append)
    monkeypatch.setitem(sys.modules, "IPython.display", display)
    monkeypatch.setattr(tables, "is_shown_in_notebook", lambda: True)
    net.summary(mx.nd.ones((2, 30)))
    assert capsys.readouterr().out == ""
    (summary,) = shown
    assert f"{summary!r}\n" == text
    table = plain(summary)
    assert "<b>Summary</b> · 1,281 parameters · 1,281 are trained</div>" in table
    assert "<td>Dense-1</td><td>(2, 40)</td><td>1,240</td>" in table


def test_what_is_printed_goes_to_a_notebook_only_there():
    assert not tables.is_shown_in_notebook()


def test_markup_in_names_is_escaped():
    assert "&lt;b&gt;" in mx.gluon.Parameter("<b>", shape=(1,))._repr_html_()


def test_symbols_are_tables_where_nothing_can_draw(monkeypatch):
    net = mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=2, name="fc")
    monkeypatch.setattr(notebook, "can_draw", lambda: False)
    assert "fc(FullyConnected)" in net._repr_html_()
    monkeypatch.setattr(notebook, "picture_of", lambda symbol: "<svg>")
    assert net._repr_html_() is None


def test_curves_are_drawn_in_one_call(tmp_path):
    history = {"train loss": [2, 1.0], "validation loss": onp.array([2.0, 1.5]), "acc": [0.1, 0.5]}
    figure = mx.viz.plot_history(history, str(tmp_path / "a.png"))
    assert [len(axes.get_lines()) for axes in figure.axes] == [2, 1]
    assert figure._repr_png_().startswith(b"\x89PNG")
    assert (tmp_path / "a.png").stat().st_size > 5000


@pytest.mark.parametrize("history", [{}, {"loss": []}])
def test_curves_without_values_are_refused(history):
    with pytest.raises(ValueError, match="Expected names with values of at least one epoch"):
        mx.viz.plot_history(history)


def test_curves_without_matplotlib_say_what_to_install(monkeypatch):
    monkeypatch.setattr(importlib.util, "find_spec", lambda name: None)
    with pytest.raises(ImportError, match=r"pip install 'gluonish\[viz\]'"):
        mx.viz.plot_history({"loss": [1]})
