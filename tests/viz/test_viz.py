"""Pictures and tables of networks, beside those of the real MXNet 1.9.1."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

import gluonish as mx
from gluonish import gluon, viz
from gluonish.errors import MissingExtraError, SymbolNameError, SymbolTypeError
from gluonish.gluon import nn
from gluonish.viz import picture as pictures

if TYPE_CHECKING:
    from collections.abc import Callable

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "viz.json").read_text())


def build(name: str) -> mx.sym.Symbol:
    space: dict[str, Any] = {"sym": mx.sym}
    with mx.name.NameManager():
        exec(GOLDEN[name]["source"], space)
    net: mx.sym.Symbol = space["net"]
    return net


def options(given: dict[str, Any]) -> dict[str, Any]:
    found = dict(given)
    if "shape" in found:
        found["shape"] = {name: tuple(shape) for name, shape in found["shape"].items()}
    return found


def small() -> mx.sym.Symbol:
    return mx.sym.FullyConnected(mx.sym.var("data"), num_hidden=3, name="fc")


@pytest.mark.parametrize("name", GOLDEN)
def test_pictures_have_the_nodes_and_edges_of_mxnet(name: str) -> None:
    for given, title, kind, body in GOLDEN[name]["pictures"]:
        found = viz.plot_network(build(name), **options(given))
        assert (found.name, found.format) == (title, kind)
        assert [line.strip() for line in found.body] == body, given


@pytest.mark.parametrize("name", GOLDEN)
def test_tables_are_those_of_mxnet(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    for given, text in GOLDEN[name]["tables"]:
        viz.print_summary(build(name), **options(given))
        assert capsys.readouterr().out == text, given


def test_visualization_is_another_name_of_viz() -> None:
    assert mx.visualization is mx.viz is viz


def test_recurrent_layers_have_pictures_and_tables(capsys: pytest.CaptureFixture[str]) -> None:
    layer = gluon.rnn.LSTM(3, prefix="l_")(mx.sym.var("data"))
    shape = {"data": (5, 2, 4)}
    assert "l_rnn0 -> data" in viz.plot_network(layer, shape=shape).source
    viz.print_summary(layer, shape=shape)
    assert "l_rnn0(RNN)" in capsys.readouterr().out


@pytest.mark.parametrize("is_called", [False, True])
def test_hybrid_blocks_are_shown_by_their_graphs(
    is_called: bool, capsys: pytest.CaptureFixture[str]
) -> None:
    net = nn.HybridSequential(prefix="n_")
    with net.name_scope():
        net.add(nn.Dense(4, activation="relu"), nn.Dense(2))
    if is_called:
        net.initialize()
        net.hybridize()
        net(mx.nd.ones((1, 3)))
    found = viz.plot_network(net, shape={"data": (1, 3)})
    assert "n_dense1_fwd -> n_dense0_relu_fwd [label=4" in found.source
    viz.print_summary(net, shape={"data": (1, 3)})
    assert "Total params: 26" in capsys.readouterr().out


def test_weights_of_any_name_but_the_usual_ones_are_shown() -> None:
    net = mx.sym.var("data") * mx.sym.var("factor") + mx.sym.var("my_weight")
    source = viz.plot_network(net).source
    assert "factor [" in source
    assert "my_weight" not in source


def test_a_custom_operator_is_labelled_with_its_type() -> None:
    class Twice(mx.operator.CustomOpProp):
        def list_arguments(self) -> list[str]:
            return ["data"]

    mx.operator.register("viz_twice")(Twice)
    net = mx.sym.Custom(mx.sym.var("data"), op_type="viz_twice", name="c")
    assert "label=viz_twice" in viz.plot_network(net).source


def test_names_that_occur_twice_are_warned_of() -> None:
    x = mx.sym.var("x")
    net = mx.sym.exp(x, name="a") + mx.sym.sin(x, name="a")
    with pytest.warns(RuntimeWarning, match="multiple variables with the same name.*names: a"):
        viz.plot_network(net)


@pytest.mark.parametrize("show", [viz.plot_network, viz.print_summary])
@pytest.mark.parametrize("network", [3, None, nn.Sequential()])
def test_what_is_no_network_is_refused(show: Callable[..., object], network: object) -> None:
    with pytest.raises(SymbolTypeError, match="symbol must be .*Expected a Symbol, or a HybridBl"):
        show(network)


def test_shapes_and_dtypes_are_given_by_name() -> None:
    with pytest.raises(SymbolTypeError, match=r"shape=\(1, 2\) was given.*shape=\{'data'"):
        viz.plot_network(small(), shape=(1, 2))  # type: ignore[arg-type]
    with pytest.raises(SymbolTypeError, match=r"dtype='float32' was given.*dtype=\{'data'"):
        viz.plot_network(small(), dtype="float32")  # type: ignore[arg-type]
    with pytest.raises(SymbolTypeError, match="node_attrs=3 was given"):
        viz.plot_network(small(), node_attrs=3)  # type: ignore[arg-type]


@pytest.mark.filterwarnings("ignore:Cannot decide")
@pytest.mark.parametrize("show", [viz.plot_network, viz.print_summary])
def test_shapes_that_do_not_tell_all_are_refused(show: Callable[..., object]) -> None:
    with pytest.raises(SymbolNameError, match=r"Input shape is incomplete.*'data', 'fc_weight'"):
        show(small(), shape={})


@pytest.mark.filterwarnings("ignore:Cannot decide")
def test_dtypes_that_do_not_tell_all_are_refused() -> None:
    net = mx.sym.Cast(mx.sym.var("x"), dtype="float16") * small()
    with pytest.raises(SymbolNameError, match="Input dtype is incomplete"):
        viz.plot_network(net, dtype={})


def test_without_the_package_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(pictures.importlib.util, "find_spec", lambda name: None)
    pictures.picture_class.cache_clear()
    with pytest.raises(MissingExtraError, match=r"pip install 'gluonish\[viz\]'"):
        viz.plot_network(small())
    assert small()._repr_svg_() is None
    pictures.picture_class.cache_clear()


def test_without_the_program_the_error_says_how_to_install_it(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    picture = viz.plot_network(small())
    monkeypatch.setattr(shutil, "which", lambda name: None)
    for draw in (picture.pipe, lambda: picture.render(tmp_path / "n")):
        with pytest.raises(MissingExtraError, match="The program dot is not installed.*apt inst"):
            draw()
    assert picture._repr_svg_() is None  # in notebooks a text stands in its place
    assert picture._repr_mimebundle_()["text/plain"].startswith("The program dot is not installed")
    assert small()._repr_svg_() is None


def test_notebooks_show_pictures_and_symbols(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    calls: list[dict[str, Any]] = []

    def pipe(self: object, **kwargs: Any) -> str:
        calls.append(kwargs)
        return "<svg></svg>"

    monkeypatch.setattr(shutil, "which", lambda name: "dot")
    monkeypatch.setattr(pictures.picture_class().__base__, "pipe", pipe)
    assert viz.plot_network(small())._repr_svg_() == "<svg></svg>"
    assert viz.plot_network(small())._repr_mimebundle_() == {"image/svg+xml": "<svg></svg>"}
    assert small()._repr_svg_() == "<svg></svg>"
    assert calls == [{"format": "svg", "encoding": "utf-8", "quiet": True}] * 3
    assert mx.sym.var("x")._repr_svg_() is None


def test_boxes_of_what_is_drawn_grow_with_their_labels(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    sources: list[str] = []

    def render(self: object, *_args: Any, **_kwargs: Any) -> str:
        sources.append(self.source)  # type: ignore[attr-defined]
        return "net.png"

    monkeypatch.setattr(shutil, "which", lambda name: "dot")
    monkeypatch.setattr(pictures.picture_class().__base__, "render", render)
    for attrs in (None, {"fixedsize": "true"}):
        picture = viz.plot_network(small(), node_attrs=attrs)
        assert picture.render(str(tmp_path / "net"), format="png") == "net.png"
        assert "fixedsize=true" in picture.source
    assert "fixedsize=false" in sources[0]
    assert "fixedsize=true" not in sources[0]
    assert "fixedsize=true" in sources[1]
