"""Recurrent layers and cells print, name, compute and draw as the real MXNet's do."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon
from gluonish.gluon import contrib, rnn

if TYPE_CHECKING:
    from collections.abc import Iterable

    from gluonish.array import NDArray

GOLDEN = Path(__file__).parents[2] / "golden"
FILES = ("rnn", "conv_cells")
KNOWN = {
    name: about
    for file in FILES
    for name, about in json.loads((GOLDEN / f"{file}.json").read_text()).items()
}
LAYERS = [name for name, about in KNOWN.items() if "names" in about and "options" not in about]
CELLS = [name for name, about in KNOWN.items() if "options" in about]
SEEDED = [name for name, about in KNOWN.items() if "initializer" in about]
FUSED = [name for name in KNOWN if name.startswith("fused")]


@pytest.fixture(scope="module")
def recorded() -> dict[str, onp.ndarray[Any, Any]]:
    found: dict[str, onp.ndarray[Any, Any]] = {}
    for file in FILES:
        with onp.load(GOLDEN / f"{file}.npz") as arrays:
            found |= dict(arrays)
    return found


def stacked(*cells: rnn.RecurrentCell) -> rnn.HybridSequentialRNNCell:
    result = rnn.HybridSequentialRNNCell()
    for cell in cells:
        result.add(cell)
    return result


def build(name: str) -> gluon.HybridBlock:
    return eval(KNOWN[name]["source"], {"rnn": rnn, "contrib": contrib.rnn, "stacked": stacked})


def data(shape: list[int], dtype: str = "float32") -> NDArray:
    values = onp.random.RandomState(7).normal(size=shape)
    make = mx.np if mx.npx.is_np_array() else mx.nd
    return make.array(values, dtype=dtype)


def flat(value: NDArray | list[Any] | tuple[Any, ...]) -> list[NDArray]:
    if isinstance(value, (list, tuple)):
        return [array for part in value for array in flat(part)]
    return [value]


def starts(name: str, recorded: dict[str, Any], what: str) -> dict[str, Any]:
    start = f"{name}/{what}"
    return {key.removeprefix(start): recorded[key] for key in recorded if key.startswith(start)}


def load(block: gluon.Block, name: str, recorded: dict[str, Any]) -> None:
    values = starts(name, recorded, "param/")
    params = block._collect_params_with_prefix()
    assert params.keys() == values.keys()
    for key, param in params.items():
        param.set_data(mx.nd.array(values[key], dtype=values[key].dtype))


def call_layer(layer: gluon.Block, x: NDArray) -> tuple[NDArray, list[NDArray]]:
    batch = x.shape[layer._layout.index("N")]
    return layer(x, [state + 0.1 for state in layer.begin_state(batch, dtype=x.dtype)])


def call_cell(
    given: dict[str, Any], cell: rnn.RecurrentCell, x: NDArray
) -> tuple[Any, list[NDArray]]:
    options = dict(given)
    if "valid_length" in options:
        options["valid_length"] = mx.nd.array(options["valid_length"])
    layout = options.get("layout", "NTC")
    make = mx.np.ones if mx.npx.is_np_array() else mx.nd.ones
    begin = cell.begin_state(batch_size=x.shape[layout.index("N")], func=make)
    return cell.unroll(x.shape[layout.index("T")], x, begin_state=begin, **options)


class Whole(gluon.HybridBlock):
    """Net whose only child is called as in the golden file."""

    def __init__(self, name: str, child: gluon.HybridBlock) -> None:
        super().__init__()
        self.options = KNOWN[name].get("options")
        self.child = child

    def hybrid_forward(self, F, x):
        if self.options is not None:
            return call_cell(self.options, self.child, x)
        return call_layer(self.child, x)


def check(name: str, block: gluon.Block, net: gluon.Block, recorded: dict[str, Any]) -> None:
    wanted = starts(name, recorded, "output")
    gradients = starts(name, recorded, "grad/")
    dtype = wanted["0"].dtype.name
    for _ in range(2):
        x = data(KNOWN[name]["shape"], dtype)
        x.attach_grad()
        with autograd.record(train_mode=False):
            outputs = flat(net(x))
            loss = sum((output**2).sum() for output in outputs)
        loss.backward()
        assert len(outputs) == len(wanted)
        for number, output in enumerate(outputs):
            assert type(output) is type(x)
            assert onp.dtype(output.dtype).name == dtype
            onp.testing.assert_allclose(output.asnumpy(), wanted[str(number)], 1e-5, 1e-6)
        params = block._collect_params_with_prefix().items()
        found = {key: param.grad() for key, param in params} | {"input": x.grad}
        assert found.keys() == gradients.keys()
        for key, gradient in found.items():
            onp.testing.assert_allclose(gradient.asnumpy(), gradients[key], 1e-4, 1e-5, err_msg=key)


@pytest.fixture(params=["nd", "np"])
def arrays(request: pytest.FixtureRequest) -> None:
    if request.param == "np":
        mx.npx.set_np()


@pytest.mark.usefixtures("arrays")
@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", LAYERS + CELLS)
def test_outputs_and_gradients_are_those_of_mxnet(
    name: str, active: bool, recorded: dict[str, Any]
) -> None:
    block = build(name)
    net = Whole(name, block)
    block.initialize()
    net(data(KNOWN[name]["shape"], recorded[f"{name}/output0"].dtype.name))
    load(block, name, recorded)
    net.hybridize(active)
    check(name, block, net, recorded)


@pytest.mark.parametrize("name", LAYERS)
def test_hybridized_layers_are_captured(name: str, recorded: dict[str, Any]) -> None:
    layer = build(name)
    layer.initialize()
    load(layer, name, recorded)
    layer.hybridize()
    call_layer(layer, data(KNOWN[name]["shape"], recorded[f"{name}/output0"].dtype.name))
    assert layer.graph is not None


def test_an_unrolled_stack_of_cells_is_captured() -> None:
    net = Whole("both_stacked", build("both_stacked"))
    net.initialize()
    net.hybridize()
    net(data(KNOWN["both_stacked"]["shape"]))
    assert net.graph is not None


@pytest.mark.parametrize("name", LAYERS + CELLS)
def test_printed_form_is_that_of_mxnet(name: str) -> None:
    block = build(name)
    before, after = KNOWN[name]["repr"]
    assert repr(block) == before
    block.initialize()
    Whole(name, block)(data(KNOWN[name]["shape"], getattr(block, "_dtype", "float32")))
    assert repr(block) == after


@pytest.mark.parametrize("name", LAYERS + CELLS)
def test_parameters_have_the_names_of_mxnet(name: str) -> None:
    def unnumbered(names: Iterable[str]) -> list[str]:
        return [re.sub(r"^([a-z_]+?)\d+_", r"\1_", each) for each in names]

    assert unnumbered(build(name).collect_params()) == unnumbered(KNOWN[name]["names"])


@pytest.mark.parametrize("name", ["projected", "projected_both"])
def test_projections_are_those_of_mxnet(name: str, recorded: dict[str, Any]) -> None:
    layer = build(name)
    layer.initialize()
    load(layer, name, recorded)
    outputs = flat(call_layer(layer, data(KNOWN[name]["shape"])))
    for key, wanted in starts(name, recorded, "output").items():
        onp.testing.assert_allclose(outputs[int(key)].asnumpy(), wanted, 1e-5, 1e-6)


@pytest.mark.parametrize("name", CELLS)
def test_cells_draw_the_masks_of_mxnet_while_training(name: str, recorded: dict[str, Any]) -> None:
    cell = build(name)
    cell.initialize()
    x = data(KNOWN[name]["shape"])
    call_cell(KNOWN[name]["options"], cell, x)
    load(cell, name, recorded)
    mx.random.seed(5)
    with autograd.train_mode():
        outputs = flat(call_cell(KNOWN[name]["options"], cell, x))
    for key, wanted in starts(name, recorded, "train").items():
        onp.testing.assert_allclose(outputs[int(key)].asnumpy(), wanted, 1e-5, 1e-6)


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
@pytest.mark.parametrize("name", SEEDED)
def test_a_seed_initializes_as_in_mxnet(name: str, active: bool, recorded: dict[str, Any]) -> None:
    mx.random.seed(11)
    block = build(name)
    block.initialize(eval(KNOWN[name]["initializer"]))
    block.hybridize(active)
    if KNOWN[name]["shape"] is not None:
        block(data(KNOWN[name]["shape"]))
    for key, param in block._collect_params_with_prefix().items():
        onp.testing.assert_array_equal(param.data().asnumpy(), recorded[f"{name}/param/{key}"])


@pytest.mark.parametrize("name", FUSED)
def test_packed_parameters_are_initialized_as_in_mxnet(name: str, recorded: dict[str, Any]) -> None:
    about = KNOWN[name]
    inner = None if about["init"] is None else eval(f"mx.init.{about['init']}")
    init = mx.init.FusedRNN(inner, *about["arguments"])
    assert init.dumps() == about["dumps"]
    for own in (init, init.dumps()):
        mx.random.seed(11)
        array = mx.nd.zeros((about["size"],))
        desc = mx.init.InitDesc("parameters", {"__init__": own}, mx.init.Normal(0.3))
        mx.init.One()(desc, array)
        onp.testing.assert_array_equal(array.asnumpy(), recorded[f"{name}/parameters"])
