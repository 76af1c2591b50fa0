"""Subclasses that call `super().hybrid_forward` compute and compose what their bases do."""

from __future__ import annotations

from types import ModuleType, SimpleNamespace
from typing import TYPE_CHECKING, Any

import layer_samples
import numpy as onp
import pytest

import gluonish as mx
from gluonish import gluon, npx
from gluonish.gluon import loss, nn, rnn
from tests.block import block_programs
from tests.block.block_programs import GOLDEN, build, flat, variables

if TYPE_CHECKING:
    from collections.abc import Iterator

ARRAYS = {"nd": mx.nd.array, "np": mx.np.array}
CELLS = {
    "RNNCell(3)": 1,
    "RNNCell(3, 'softrelu')": 1,
    "LSTMCell(3)": 2,
    "LSTMCell(3, activation='relu')": 2,
    "GRUCell(3)": 1,
    "DropoutCell(0.5)": 0,
    "ZoneoutCell(rnn.RNNCell(3), 0.1, 0.2)": 1,
    "ResidualCell(rnn.RNNCell(3))": 1,
}
SEQUENCES = ["LSTM(3, 2, 'NTC', bidirectional=True)", "GRU(3)", "RNN(3)"]
SEQUENCES += ["LSTM(3, projection_size=2)"]
LOSSES = {
    **dict.fromkeys(("L2Loss()", "L1Loss()", "SigmoidBCELoss()", "HuberLoss()"), 2),
    **dict.fromkeys(("KLDivLoss()", "HingeLoss()", "SquaredHingeLoss()", "LogisticLoss()"), 2),
    **dict.fromkeys(("PoissonNLLLoss()", "SoftmaxCELoss(sparse_label=False)", "SDMLLoss()"), 2),
    **dict.fromkeys(("L2Loss(2)", "TripletLoss()"), 3),
}


@pytest.fixture(autouse=True)
def names() -> Iterator[None]:
    with mx.name.NameManager():
        yield
    npx.reset_np()


def extended(module: ModuleType) -> SimpleNamespace:
    """Return a module's Blocks, each as a subclass of the same name that calls its base."""

    def subclass(base: type[gluon.HybridBlock]) -> type[gluon.HybridBlock]:
        class Extended(base):
            def hybrid_forward(self, F, *args, **kwargs):
                return super().hybrid_forward(F, *args, **kwargs)

        Extended.__name__ = base.__name__
        return Extended

    found = vars(module) | {
        name: subclass(each)
        for name, each in vars(module).items()
        if isinstance(each, type) and issubclass(each, gluon.HybridBlock)
    }
    return SimpleNamespace(**found)


@pytest.mark.parametrize("key", GOLDEN)
def test_the_graph_is_that_of_the_base(key: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if key.endswith("(np)"):
        npx.set_np()

    def graph() -> str:
        with mx.name.NameManager():
            block = build(GOLDEN[key]["source"])
            parts = flat(block(*variables(GOLDEN[key]["inputs"], key.endswith("(np)"))))
        # A group of NumPy's Symbols is written as one of the plain ones.
        return mx.sym.Group([part.as_nd_ndarray() for part in parts]).tojson()

    expected = graph()
    for name, module in {"nn": nn, "rnn": rnn, "loss": loss}.items():
        monkeypatch.setattr(block_programs, name, extended(module))
    assert graph() == expected


def check_values(source: str, module: ModuleType, front: str, *inputs: Any) -> None:
    """Compare what a Block and a subclass make of arrays, with the same parameters."""
    if front == "np":
        npx.set_np()
    name = module.__name__.rpartition(".")[2]
    base = eval(source, {name: module})
    base.initialize(mx.init.Normal(0.5))
    expected = flat(base(*inputs))
    block = eval(source, {name: extended(module)})
    block.initialize()
    block(*inputs)
    params = block._collect_params_with_prefix()
    for key, param in base._collect_params_with_prefix().items():
        params[key].set_data(param.data())
    found = flat(block(*inputs))
    assert [type(each) for each in found] == [type(each) for each in expected]
    for one, other in zip(found, expected, strict=True):
        onp.testing.assert_allclose(one.asnumpy(), other.asnumpy(), rtol=1e-6, atol=1e-6)


def values(front: str, *shape: int) -> mx.nd.NDArray:
    return ARRAYS[front](onp.random.RandomState(7).uniform(0.1, 0.9, shape), dtype="float32")


@pytest.mark.parametrize("front", ARRAYS)
@pytest.mark.parametrize("source", CELLS)
def test_a_cell_computes_what_its_base_does(source: str, front: str) -> None:
    states = [values(front, 2, 3) for _ in range(CELLS[source])]
    check_values(f"rnn.{source}", rnn, front, values(front, 2, 3), states)


@pytest.mark.parametrize("front", ARRAYS)
@pytest.mark.parametrize("source", SEQUENCES)
def test_a_recurrent_layer_computes_what_its_base_does(source: str, front: str) -> None:
    check_values(f"rnn.{source}", rnn, front, values(front, 2, 4, 3))


@pytest.mark.parametrize("front", ARRAYS)
@pytest.mark.parametrize("source", LOSSES)
def test_a_loss_computes_what_its_base_does(source: str, front: str) -> None:
    arrays = [values(front, 4, 4) for _ in range(LOSSES[source])]
    check_values(f"loss.{source}", loss, front, *arrays)


@pytest.mark.parametrize("front", ARRAYS)
@pytest.mark.parametrize("weights", [0, 1])
@pytest.mark.parametrize("source", ["SoftmaxCELoss()", "SoftmaxCELoss(weight=2)"])
def test_a_loss_of_class_numbers_computes_what_its_base_does(
    source: str, weights: int, front: str
) -> None:
    labels = ARRAYS[front]([0, 3, 1, 2])
    rows = [values(front, 4, 1) for _ in range(weights)]
    check_values(f"loss.{source}", loss, front, values(front, 4, 4), labels, *rows)


@pytest.mark.parametrize("front", ARRAYS)
def test_losses_of_sequences_and_angles_compute_what_their_bases_do(front: str) -> None:
    steps = values(front, 2, 5, 4)
    check_values("loss.CTCLoss()", loss, front, steps, ARRAYS[front]([[0, 1], [2, 0]]))
    pair = values(front, 4, 3), values(front, 4, 3)
    check_values("loss.CosineEmbeddingLoss()", loss, front, *pair, ARRAYS[front]([1, -1, 1, -1]))


@pytest.mark.parametrize("front", ARRAYS)
@pytest.mark.parametrize("name", layer_samples.LAYERS)
def test_a_layer_computes_what_its_base_does(
    name: str, front: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, *shapes = layer_samples.LAYERS[name]
    inputs = [values(front, *shape) for shape in shapes]

    def outputs() -> onp.ndarray[Any, Any]:
        block = make()
        block.initialize(mx.init.Constant(0.1))
        return block(*inputs).asnumpy()

    expected = outputs()
    monkeypatch.setattr(layer_samples, "nn", extended(nn))
    onp.testing.assert_array_equal(outputs(), expected)


@pytest.mark.parametrize("hybridized", [False, True])
def test_a_forward_that_is_put_onto_a_layer_is_called(hybridized):
    net = mx.gluon.nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.One())
    net.forward = lambda x: x * 7
    if hybridized:
        net.hybridize()
    assert [net(mx.nd.ones((1, 1))).asscalar() for _ in range(3)] == [7.0] * 3


@pytest.mark.parametrize("is_hybrid", [False, True])
def test_results_are_arrays_of_one_kind_where_programs_use_numpys(is_hybrid):
    class Both(gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return [x, (x * 2, x.as_nd_ndarray())]

    net = Both()
    net.hybridize(is_hybrid)
    with mx.util.np_array(True), pytest.raises(TypeError, match=r"arrays of mx\.np and of mx\.nd"):
        net(mx.np.ones(2))
