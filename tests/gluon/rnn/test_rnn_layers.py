"""What RNN, LSTM and GRU do, beside what the golden file has."""

from __future__ import annotations

import copy
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn, rnn

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeAlias

    Kind: TypeAlias = "Callable[..., gluon.HybridBlock]"

LAYERS = {"RNN": rnn.RNN, "LSTM": rnn.LSTM, "GRU": rnn.GRU}


@pytest.fixture(params=LAYERS)
def cls(request: pytest.FixtureRequest) -> type[gluon.HybridBlock]:
    return LAYERS[request.param]


def sequences(*shape: int) -> nd.NDArray:
    return nd.random.normal(shape=shape or (5, 2, 3))


def ready(layer: gluon.HybridBlock) -> gluon.HybridBlock:
    layer.initialize(mx.init.Normal(0.5))
    return layer


def close(found: nd.NDArray, wanted: nd.NDArray) -> None:
    onp.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)


def test_a_call_with_states_returns_output_and_a_list_of_states(cls: Kind) -> None:
    layer, x = ready(cls(4)), sequences()
    output, states = layer(x, layer.begin_state(batch_size=2))
    assert type(states) is list
    assert [state.shape for state in states] == [(1, 2, 4)] * (2 if cls is rnn.LSTM else 1)
    onp.testing.assert_array_equal(output.asnumpy(), layer(x).asnumpy())


def test_states_carry_over_from_call_to_call(cls: Kind) -> None:
    layer, x = ready(cls(4, 2)), sequences()
    first, states = layer(x[:2], layer.begin_state(2))
    second, _ = layer(x[2:], states)
    close(nd.concat(first, second, dim=0), layer(x))


def test_a_single_array_counts_as_list_of_states() -> None:
    layer, x = ready(rnn.GRU(4)), sequences()
    state = nd.ones((1, 2, 4))
    close(layer(x, state)[0], layer(x, [state])[0])


def test_states_are_accepted_by_name(cls: Kind) -> None:
    layer, x = ready(cls(4)), sequences()
    assert len(layer(inputs=x, states=layer.begin_state(2))) == 2


def test_gradients_reach_the_first_states(cls: Kind) -> None:
    layer, x = ready(cls(4)), sequences()
    states = layer.begin_state(2)
    for state in states:
        state.attach_grad()
    with autograd.record():
        output, _ = layer(x, states)
    output.backward()
    assert all(abs(state.grad.asnumpy()).max() > 0 for state in states)


def test_begin_state_takes_a_function_and_its_arguments() -> None:
    layer = rnn.LSTM(4, 2)
    assert (layer.begin_state(3, func=nd.ones)[1].asnumpy() == 1).all()
    assert layer.begin_state(3, dtype="float64")[0].dtype == onp.float64
    assert layer.begin_state(3, ctx=mx.cpu(1))[0].context == mx.cpu(1)
    mx.npx.set_np()
    assert type(layer.begin_state(3)[0]) is mx.np.ndarray


def test_state_info_says_shape_layout_and_dtype() -> None:
    one = {"shape": (4, 3, 5), "__layout__": "LNC", "dtype": "float32"}
    assert rnn.GRU(5, 2, bidirectional=True).state_info(3) == [one]
    hidden = one | {"shape": (1, 3, 2)}
    cell = one | {"shape": (1, 3, 5)}
    assert rnn.LSTM(5, projection_size=2).state_info(3) == [hidden, cell]


def test_layout_ntc_is_tnc_with_axes_exchanged(cls: Kind) -> None:
    first = ready(cls(4, 2, bidirectional=True, input_size=3))
    second = cls(4, 2, layout="NTC", bidirectional=True, params=first.params)
    x = sequences()
    close(second(x.swapaxes(0, 1)).swapaxes(0, 1), first(x))


def test_unknown_input_size_is_found_at_the_first_call(cls: Kind) -> None:
    layer = ready(cls(4, 2, bidirectional=True))
    assert layer.l0_i2h_weight.shape[1] == 0
    layer(sequences())
    assert layer.l0_i2h_weight.shape[1] == layer.r0_i2h_weight.shape[1] == 3
    assert layer.l1_i2h_weight.shape[1] == 8


def test_cast_changes_parameters_and_states(cls: Kind) -> None:
    layer = ready(cls(4, input_size=3))
    layer.cast("float64")
    x = sequences().astype("float64")
    output, states = layer(x, layer.begin_state(2))
    assert output.dtype == states[0].dtype == onp.float64


def test_parameters_survive_a_file(cls: Kind, tmp_path: Path) -> None:
    first, second, x = (
        ready(cls(4, 2, bidirectional=True)),
        cls(4, 2, bidirectional=True),
        sequences(),
    )
    wanted = first(x)
    first.save_parameters(tmp_path / "net.params")
    second.load_parameters(tmp_path / "net.params")
    onp.testing.assert_array_equal(second(x).asnumpy(), wanted.asnumpy())


def test_more_than_ten_layers_have_parameters_in_files() -> None:
    names = rnn.GRU(2, 11)._collect_params_with_prefix()
    assert "_unfused.10.h2h_bias" in names


def test_layers_share_parameters(cls: Kind) -> None:
    first = ready(cls(4, prefix="one_"))
    second = cls(4, prefix="one_", params=first.params)
    x = sequences()
    onp.testing.assert_array_equal(first(x).asnumpy(), second(x).asnumpy())
    assert first.l0_h2h_weight is second.l0_h2h_weight


def test_a_copy_computes_the_same(cls: Kind) -> None:
    layer, x = ready(cls(4)), sequences()
    wanted = layer(x)
    onp.testing.assert_array_equal(copy.deepcopy(layer)(x).asnumpy(), wanted.asnumpy())


def test_unfused_cells_compute_the_same(cls: Kind) -> None:
    layer, x = ready(cls(4, 2, bidirectional=True, dropout=0.5)), sequences()
    wanted = layer(x)
    outputs, _ = layer.unfuse().unroll(5, x, layout="TNC", merge_outputs=True)
    close(outputs, wanted)


def test_unfused_cells_drop_the_same_elements(cls: Kind) -> None:
    layer, x = ready(cls(4, 3, dropout=0.5)), sequences()
    layer(x)
    with autograd.train_mode():
        mx.random.seed(6)
        wanted = layer(x)
        mx.random.seed(6)
        values = x
        for cell in layer._unfuse()._cells():
            values, _ = cell.unroll(5, values, layout="TNC", merge_outputs=True)
    close(values, wanted)
    assert abs((wanted - layer(x)).asnumpy()).max() > 0.01


@pytest.mark.parametrize("layout", ["TNC", "NTC"])
def test_dropout_draws_anew_at_each_call(cls: Kind, layout: str) -> None:
    layer, x = ready(cls(4, 2, layout=layout, dropout=0.5)), sequences()
    layer.hybridize()
    layer(x)
    with autograd.train_mode():
        mx.random.seed(8)
        first, second = layer(x), layer(x)
        layer.hybridize(False)
        mx.random.seed(8)
        close(layer(x), first)
        close(layer(x), second)
    assert abs(first - second).asnumpy().max() > 0.01


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
def test_lengths_are_those_of_unrolled_cells(cls: Kind, active: bool) -> None:
    layer = ready(cls(4, 2, bidirectional=True, use_sequence_length=True))
    layer.hybridize(active)
    x, lengths = sequences(5, 3, 3), nd.array([2, 5, 1])
    x.attach_grad()
    layer(x, None, lengths)
    with autograd.record():
        found = layer(x, sequence_length=lengths)
    found.backward()
    gradient = x.grad.copy()
    cells = layer.unfuse()
    with autograd.record():
        wanted, _ = cells.unroll(5, x, layout="TNC", merge_outputs=True, valid_length=lengths)
    wanted.backward()
    close(found, wanted)
    close(gradient, x.grad)
    assert layer(x, None, nd.array([5, 5, 5])).asnumpy()[4, 0].any()


def test_lengths_follow_each_call_of_a_captured_layer() -> None:
    layer = ready(rnn.LSTM(4, use_sequence_length=True))
    layer.hybridize()
    x = sequences()
    for lengths in ([1, 2], [3, 5], [5, 1]):
        found = layer(x, None, nd.array(lengths)).asnumpy()
        assert layer.graph is not None
        assert [int((found[:, i] != 0).any(axis=1).sum()) for i in range(2)] == lengths


def test_projections_have_gradients() -> None:
    layer, x = ready(rnn.LSTM(4, 2, projection_size=2, bidirectional=True)), sequences()
    layer(x)
    with autograd.record():
        loss = (layer(x) ** 2).sum()
    loss.backward()
    assert layer(x).shape == (5, 2, 4)
    assert all(abs(p.grad().asnumpy()).max() > 0 for p in layer.collect_params().values())


@pytest.mark.parametrize(
    "options",
    [
        {"projection_size": 2},
        {"state_clip_min": -0.2, "state_clip_max": 0.2},
        {"dropout": 0.5, "num_layers": 2},
        {"use_sequence_length": True},
    ],
    ids=["projection", "limits", "dropout", "lengths"],
)
def test_hybridized_options_compute_as_eager_ones(options: dict[str, Any]) -> None:
    layer = ready(rnn.LSTM(4, input_size=3, bidirectional=True, **options))
    x = sequences()
    lengths = (nd.array([2, 4]),) if "use_sequence_length" in options else ()
    results = []
    for active in (False, True):
        layer.hybridize(active)
        for _ in range(2):
            mx.random.seed(2)
            with autograd.record():
                output, states = layer(x, layer.begin_state(2), *lengths)
                loss = sum((each**2).sum() for each in (output, *states))
            loss.backward()
            gradients = [p.grad().asnumpy().copy() for p in layer.collect_params().values()]
            results.append([output.asnumpy(), *(s.asnumpy() for s in states), *gradients])
    assert layer.graph is not None
    for result in results[1:]:
        for found, wanted in zip(result, results[0], strict=True):
            onp.testing.assert_allclose(found, wanted, 1e-5, 1e-6)


class Language(gluon.HybridBlock):
    """Language model that carries its states, as in the tutorials."""

    def __init__(self) -> None:
        super().__init__()
        with self.name_scope():
            self.embedding = nn.Embedding(7, 3)
            self.rnn = rnn.LSTM(4, 2, dropout=0.2)
            self.output = nn.Dense(7, flatten=False)

    def hybrid_forward(self, F, tokens, states):
        values, states = self.rnn(self.embedding(tokens), states)
        return self.output(values), states


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
def test_a_language_model_learns(active: bool) -> None:
    net = Language()
    net.initialize(mx.init.Xavier())
    net.hybridize(active)
    trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.03})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    text = onp.tile(onp.arange(7), 12)
    tokens, labels = (nd.array(text[i : i + 72].reshape(3, 24).T) for i in (0, 1))
    states = net.rnn.begin_state(batch_size=3)
    history = []
    for _ in range(40):
        states = [state.detach() for state in states]
        with autograd.record():
            output, states = net(tokens, states)
            value = loss(output.reshape((-1, 7)), labels.reshape((-1,))).mean()
        value.backward()
        gluon.utils.clip_global_norm([p.grad() for p in net.collect_params().values()], 1.0)
        trainer.step(1)
        history.append(value.asscalar())
    assert history[-1] < history[0] / 2
