"""What the cells do, beside what the golden file has."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as onp
import pytest

import gluonish as mx
from gluonish import autograd, gluon, nd
from gluonish.gluon import nn, rnn

if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import TypeAlias

    Kind: TypeAlias = "Callable[..., rnn.HybridRecurrentCell]"

CELLS = {"RNNCell": rnn.RNNCell, "LSTMCell": rnn.LSTMCell, "GRUCell": rnn.GRUCell}


@pytest.fixture(params=CELLS)
def cls(request: pytest.FixtureRequest) -> type[rnn.HybridRecurrentCell]:
    return CELLS[request.param]


def ready(cell: gluon.Block) -> gluon.Block:
    cell.initialize(mx.init.Normal(0.5))
    return cell


def close(found: nd.NDArray, wanted: nd.NDArray) -> None:
    onp.testing.assert_allclose(found.asnumpy(), wanted.asnumpy(), 1e-5, 1e-6)


def sequences() -> nd.NDArray:
    return nd.random.normal(shape=(2, 5, 3))


def watched(cell: gluon.Block) -> list[tuple[int, ...]]:
    """Return a list of the shapes of the steps that a cell will have run."""
    shapes: list[tuple[int, ...]] = []
    cell.register_forward_hook(lambda _, inputs, __: shapes.append(inputs[0].shape))
    return shapes


def test_unrolled_at_once_is_unrolled_step_by_step(cls: Kind) -> None:
    cell, x = ready(cls(4)), sequences()
    outputs, states = cell.unroll(5, x)
    steps = watched(cell)
    wanted, wanted_states = cell.unroll(5, x)
    assert steps == [(2, 3)] * 5
    assert len(outputs) == 5
    for found, each in zip(outputs + states, wanted + wanted_states, strict=True):
        close(found, each)


def test_a_step_is_a_step_of_the_unrolled_cell(cls: Kind) -> None:
    cell, x = ready(cls(4)), sequences()
    states = cell.begin_state(batch_size=2)
    wanted, wanted_states = cell.unroll(5, x)
    for number in range(5):
        output, states = cell(x[:, number], states)
        close(output, wanted[number])
    close(states[-1], wanted_states[-1])


@pytest.mark.parametrize("layout", ["NTC", "TNC"])
@pytest.mark.parametrize("merge", [None, True, False])
@pytest.mark.parametrize("is_list", [False, True], ids=["array", "list"])
@pytest.mark.parametrize("is_valid", [False, True], ids=["all", "valid"])
def test_unroll_returns_the_form_that_mxnet_returns(
    cls: Kind, layout: str, merge: bool | None, is_list: bool, is_valid: bool
) -> None:
    cell, x = ready(cls(4)), sequences()
    wanted = cell.unroll(5, x, merge_outputs=True)[0]
    inputs = x if layout == "NTC" else x.swapaxes(0, 1)
    if is_list:
        inputs = [x[:, number] for number in range(5)]
    valid = nd.array([5, 5]) if is_valid else None
    outputs, _ = cell.unroll(5, inputs, None, layout, merge, valid)
    if merge or (merge is None and is_valid):
        assert outputs.shape == ((2, 5, 4) if layout == "NTC" else (5, 2, 4))
        close(outputs if layout == "NTC" else outputs.swapaxes(0, 1), wanted)
    else:
        assert [each.shape for each in outputs] == [(2, 4)] * 5
        close(outputs[3], wanted[:, 3])


def test_states_after_the_last_valid_step_are_returned(cls: Kind) -> None:
    cell, x = ready(cls(4)), sequences()
    _, states = cell.unroll(5, x, valid_length=nd.array([2, 4]))
    for row, length in enumerate((2, 4)):
        _, wanted = cell.unroll(length, x[row : row + 1, :length])
        for state, each in zip(states, wanted, strict=True):
            close(state[row], each[0])


def test_cells_run_in_double_precision(cls: Kind) -> None:
    cell, x = ready(cls(4, input_size=3)), sequences().astype("float64")
    cell.cast("float64")
    outputs, _ = cell.unroll(5, x, merge_outputs=True)
    assert outputs.dtype == onp.float64


def test_cells_take_np_arrays(cls: Kind) -> None:
    cell, x = ready(cls(4)), sequences()
    wanted, _ = cell.unroll(5, x, merge_outputs=True)
    outputs, states = cell.unroll(5, mx.np.array(x.asnumpy()), merge_outputs=True)
    assert type(outputs) is type(states[0]) is mx.np.ndarray
    close(outputs, wanted)


@pytest.mark.parametrize("activation", [nn.LeakyReLU(0.1), nd.sigmoid, "softrelu"])
def test_other_activation_functions_are_applied(
    activation: str | Callable[..., nd.NDArray],
) -> None:
    cell, x = ready(rnn.RNNCell(4, activation=activation)), sequences()[:, 0]
    output, _ = cell(x, [nd.zeros((2, 4))])
    total = nd.dot(x, cell.i2h_weight.data().T)
    name = {"act_type": activation} if isinstance(activation, str) else None
    close(output, activation(total) if name is None else nd.Activation(total, **name))


def test_a_subclass_of_a_cell_is_asked_for_each_step() -> None:
    class Halved(rnn.GRUCell):
        def hybrid_forward(self, F, inputs, states, **weights):
            output, states = super().hybrid_forward(F, inputs, states, **weights)
            return output / 2, states

    cell, x = ready(Halved(4, prefix="gru_")), sequences()
    plain = rnn.GRUCell(4, prefix="gru_", params=cell.params)
    halves = cell.unroll(5, x)[0]
    close(halves[2] * 2, plain.unroll(5, x)[0][2])


@pytest.mark.parametrize("active", [False, True], ids=["eager", "hybridized"])
def test_a_cell_of_a_user_is_unrolled(active: bool) -> None:
    class Decay(rnn.HybridRecurrentCell):
        def __init__(self) -> None:
            super().__init__()
            self.rate = self.params.get("rate", shape=(3,), init=mx.init.Constant(0.5))

        def state_info(self, batch_size=0):
            return [{"shape": (batch_size, 3), "__layout__": "NC"}]

        def hybrid_forward(self, F, inputs, states, rate):
            mean = F.broadcast_mul(states[0], rate) + inputs
            return mean, [mean]

    cell = ready(Decay())
    cell.hybridize(active)
    outputs, _ = cell.unroll(3, nd.ones((2, 3, 3)), merge_outputs=True)
    onp.testing.assert_allclose(outputs.asnumpy()[0, :, 0], [1, 1.5, 1.75])


def test_reset_reaches_all_cells_inside() -> None:
    zoneout = ready(rnn.ZoneoutCell(rnn.RNNCell(3), 0.5))
    cells = rnn.SequentialRNNCell()
    cells.add(zoneout)
    x = sequences()[:, 0]
    cells(x, cells.begin_state(batch_size=2))
    assert zoneout._previous is not None
    cells.reset()
    assert zoneout._previous is None


def test_sequential_cells_step_and_index() -> None:
    cells = rnn.SequentialRNNCell()
    cells.add(rnn.LSTMCell(4))
    cells.add(rnn.GRUCell(2))
    ready(cells)
    output, states = cells(sequences()[:, 0], cells.begin_state(batch_size=2))
    assert output.shape == (2, 2)
    assert [state.shape for state in states] == [(2, 4), (2, 4), (2, 2)]
    assert len(cells) == 2
    assert isinstance(cells[1], rnn.GRUCell)
    assert cells[-1] is cells[1]


def test_both_directions_are_the_layer_of_both_directions() -> None:
    layer = ready(rnn.GRU(4, 1, "NTC", bidirectional=True, input_size=3))
    x, lengths = sequences(), nd.array([3, 5])
    outputs, _ = layer.unfuse()[0].unroll(5, x)
    close(nd.stack(*outputs, axis=1), layer(x))
    merged, _ = layer.unfuse()[0].unroll(5, x, valid_length=lengths)
    assert (merged.asnumpy()[0, 3:] == 0).all()


def test_zoneout_keeps_old_values_while_training_only() -> None:
    cell = ready(rnn.ZoneoutCell(rnn.RNNCell(50), zoneout_outputs=0.4))
    x = sequences()
    outputs, _ = cell.unroll(5, x)
    plain, _ = cell.unroll(5, x)
    onp.testing.assert_array_equal(outputs[4].asnumpy(), plain[4].asnumpy())
    with autograd.train_mode():
        outputs, _ = cell.unroll(5, x)
    kept = (outputs[1] == outputs[0]).asnumpy().mean()
    assert 0.2 < kept < 0.6


def test_gradients_flow_through_a_stack_of_all_kinds() -> None:
    cells = rnn.HybridSequentialRNNCell()
    cells.add(rnn.BidirectionalCell(rnn.LSTMCell(2), rnn.GRUCell(1)))
    cells.add(rnn.ResidualCell(rnn.ZoneoutCell(rnn.RNNCell(3), 0.1, 0.1)))
    cells.add(rnn.DropoutCell(0.1))
    ready(cells)
    x = sequences()
    with autograd.record():
        outputs, _ = cells.unroll(5, x, merge_outputs=True, valid_length=nd.array([4, 5]))
    outputs.backward()
    params = cells.collect_params().values()
    assert len(params) == 12
    assert all(abs(param.grad().asnumpy()).max() > 0 for param in params)


def test_states_are_numbered_on_until_a_reset() -> None:
    cell = rnn.LSTMCell(3, prefix="lstm_")
    several = [cell.begin_state(batch_size=1, func=mx.sym.zeros) for _ in range(2)]
    names = [f"lstm_begin_state_{number}" for number in range(4)]
    assert [state.name for states in several for state in states] == names
    cell.reset()
    assert cell.begin_state(batch_size=1, func=mx.sym.zeros)[0].name == names[0]


def test_states_of_a_modifier_are_made_by_a_function_that_comes_first() -> None:
    cell = mx.gluon.rnn.ZoneoutCell(mx.gluon.rnn.LSTMCell(3))
    states = cell.begin_state(mx.nd.ones, batch_size=2)
    assert [state.asnumpy().tolist() for state in states] == [[[1] * 3] * 2] * 2
    assert cell.begin_state(2)[0].shape == (2, 3)
