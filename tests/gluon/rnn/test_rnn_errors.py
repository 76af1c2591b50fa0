"""What recurrent layers and cells refuse, and how they say it."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any

import pytest

from gluonish import init, nd
from gluonish.errors import MXNetError
from gluonish.gluon import contrib, rnn

if TYPE_CHECKING:
    from collections.abc import Callable

X = nd.ones((5, 2, 3))
STEPS = nd.ones((2, 5, 3))


def layer(**options: Any) -> rnn.LSTM:
    made = rnn.LSTM(4, input_size=3, **options)
    made.initialize()
    return made


def cell() -> rnn.LSTMCell:
    made = rnn.LSTMCell(4, input_size=3)
    made.initialize()
    return made


def modified() -> rnn.GRUCell:
    base = rnn.GRUCell(3)
    rnn.ResidualCell(base)
    return base


def both() -> rnn.BidirectionalCell:
    made = rnn.BidirectionalCell(rnn.GRUCell(3), rnn.GRUCell(3))
    made.initialize()
    return made


CASES: dict[str, tuple[Callable[[], Any], type[Exception], str]] = {
    "rank": (
        lambda: layer()(nd.ones((5, 3))),
        ValueError,
        "LSTM: data of shape (5, 3) has 2 axes. Expected rank 3, layout TNC: (steps, batch, feat",
    ),
    "rank before the first call": (
        lambda: rnn.GRU(4, layout="NTC").infer_shape(nd.ones((5, 3, 2, 1))),
        ValueError,
        "GRU: data of shape (5, 3, 2, 1) has 4 axes. Expected rank 3, layout NTC: (batch, steps",
    ),
    "features": (
        lambda: layer()(nd.ones((5, 2, 7))),
        ValueError,
        "LSTM: data of shape (5, 2, 7) has 7 features per step. Its weights expect 3. Build",
    ),
    "state shape": (
        lambda: layer()(X, layer().begin_state(3)),
        ValueError,
        "LSTM: Invalid recurrent state shape. Expecting (1, 2, 4), got (1, 3, 4) as state 0",
    ),
    "too few states": (
        lambda: layer()(X, nd.zeros((1, 2, 4))),
        MXNetError,
        "LSTM: 1 state was given. Expected 2: the hidden state and the cell state.",
    ),
    "too many states": (
        lambda: layer()(X, layer().begin_state(2) * 2),
        TypeError,
        "LSTM: 4 states were given. Expected 2: the hidden state and the cell state.",
    ),
    "dtype": (
        lambda: layer()(X.astype("float64")),
        TypeError,
        "LSTM: data of dtype float64 and states of dtype float64, float64 were given beside",
    ),
    "integers": (
        lambda: layer()(X.astype("int32")),
        TypeError,
        "LSTM: data of dtype int32 and states of dtype int32, int32 were given",
    ),
    "layout": (lambda: rnn.LSTM(4, layout="CNT"), AssertionError, "LSTM: Invalid layout CNT; must"),
    "activation": (
        lambda: rnn.RNN(4, activation="sigmoid"),
        KeyError,
        "RNN: mode='rnn_sigmoid' was given. Expected one of 'gru', 'lstm', 'rnn_relu' and",
    ),
    "sizes": (
        lambda: rnn.GRU(0),
        ValueError,
        "GRU: hidden_size=0 was given. Expected a whole number, 1 or more. Write hidden_size=1,",
    ),
    "dropout": (lambda: rnn.GRU(4, dropout=2), ValueError, "GRU: dropout=2 was given"),
    "one limit": (
        lambda: rnn.LSTM(4, state_clip_max=1),
        ValueError,
        "LSTM: state_clip_min=None and state_clip_max=1 were given. Expected both",
    ),
    "lengths missing": (
        lambda: layer(use_sequence_length=True)(X),
        ValueError,
        "sequence_length was not given. Expected one, since the layer has use_sequence_length=True",
    ),
    "lengths not asked for": (
        lambda: layer()(X, None, nd.array([1, 2])),
        ValueError,
        "sequence_length was given. Expected none, since the layer has use_sequence_length=False",
    ),
    "lengths of another batch": (
        lambda: layer(use_sequence_length=True)(X, None, nd.array([1, 2, 3])),
        ValueError,
        "LSTM: sequence_length has shape (3,). Expected (2,): one length for each sequence",
    ),
    "no batch": (
        lambda: layer().begin_state(),
        ValueError,
        "LSTM.begin_state: batch_size=0 was given. Expected the number of sequences",
    ),
    "unfuse projection": (
        lambda: rnn.LSTM(4, projection_size=2).unfuse(),
        AssertionError,
        "_unfuse does not support projection layer yet!",
    ),
    "unfuse limits": (
        lambda: rnn.LSTM(4, state_clip_min=-1, state_clip_max=1).unfuse(),
        AssertionError,
        "_unfuse does not support state clipping yet!",
    ),
    "cell rank": (
        lambda: cell()(X, cell().begin_state(2)),
        ValueError,
        "LSTMCell: data of shape (5, 2, 3) has 3 axes. Expected 2, one step of each sequence",
    ),
    "cell features": (
        lambda: cell()(nd.ones((2, 7)), cell().begin_state(2)),
        ValueError,
        "LSTMCell: data of shape (2, 7) has 7 features. Its weights expect 3.",
    ),
    "cell states": (
        lambda: cell()(X[0], cell().begin_state(2)[:1]),
        IndexError,
        "LSTMCell: 1 state was given. Expected 2",
    ),
    "cell state shape": (
        lambda: cell()(X[0], cell().begin_state(7)),
        ValueError,
        "LSTMCell: Invalid recurrent state shape. Expecting (2, 4), got (7, 4) as state 0",
    ),
    "unroll length": (
        lambda: cell().unroll(4, STEPS),
        AssertionError,
        "LSTMCell.unroll: length=4 and 5 steps in layout NTC, of inputs of shape (2, 5, ",
    ),
    "unroll list": (
        lambda: cell().unroll(3, [X[0], X[1]]),
        AssertionError,
        "LSTMCell.unroll: length=3 and a list of 2 steps were given.",
    ),
    "unroll layout": (
        lambda: cell().unroll(5, STEPS, layout="NCT"),
        AssertionError,
        "LSTMCell.unroll: layout='NCT' was given. Expected 'NTC' or 'TNC'",
    ),
    "unroll nothing": (
        lambda: cell().unroll(5, 3),
        TypeError,
        "LSTMCell.unroll: inputs of type int were given. Expected an array of sequences",
    ),
    "unroll states": (
        lambda: cell().unroll(5, STEPS, begin_state=cell().begin_state(2)[0]),
        MXNetError,
        "LSTMCell: 1 state was given. Expected 2",
    ),
    "modified": (
        lambda: modified().begin_state(2),
        AssertionError,
        "GRUCell 'NAME': After applying modifier cells (e.g. ZoneoutCell) the base cell cannot be",
    ),
    "modified twice": (
        lambda: rnn.ZoneoutCell(modified()),
        AssertionError,
        "ZoneoutCell: Cell NAME is already modified. One cell cannot be modified twice.",
    ),
    "zoneout of both": (
        lambda: rnn.ZoneoutCell(both()),
        AssertionError,
        "BidirectionalCell doesn't support zoneout since it doesn't support step.",
    ),
    "zoneout rate": (
        lambda: rnn.ZoneoutCell(rnn.GRUCell(3), 1.5),
        ValueError,
        "ZoneoutCell: zoneout_outputs=1.5 was given",
    ),
    "variational dropout of both": (
        lambda: contrib.rnn.VariationalDropoutCell(both(), drop_states=0.1),
        AssertionError,
        "BidirectionalCell doesn't support variational state dropout.",
    ),
    "variational rate": (
        lambda: contrib.rnn.VariationalDropoutCell(rnn.GRUCell(3), drop_inputs=-1),
        ValueError,
        "VariationalDropoutCell: drop_inputs=-1 was given",
    ),
    "even window over states": (
        lambda: contrib.rnn.Conv1DRNNCell((2, 6), 3, 3, 4),
        AssertionError,
        "Conv1DRNNCell: Only support odd number, get h2h_kernel= 4.",
    ),
    "window of another number of axes": (
        lambda: contrib.rnn.Conv2DGRUCell((2, 6, 6), 3, (3, 3, 3), 3),
        AssertionError,
        "For 2D convolution, the convolution settings can only be either int or list/tuple",
    ),
    "dropout rate": (
        lambda: rnn.DropoutCell("a"),
        AssertionError,
        "DropoutCell: rate='a' was given; rate must be a number.",
    ),
    "step of both": (
        lambda: both()(X[0], both().begin_state(batch_size=2)),
        NotImplementedError,
        "Bidirectional cannot be stepped. Please use unroll.",
    ),
    "no state_info": (
        lambda: rnn.RecurrentCell().begin_state(2),
        NotImplementedError,
        "RecurrentCell: state_info() is not defined.",
    ),
    "no such cell": (
        lambda: rnn.SequentialRNNCell()[0],
        KeyError,
        "cell 0 was asked for. Expected a number below 0",
    ),
    "states of a stack": (
        lambda: layer().unfuse()(X[0], []),
        MXNetError,
        "HybridSequentialRNNCell: 0 states were given. Expected 2",
    ),
    "packed size": (
        lambda: init.FusedRNN("ones", 4, 1, "gru")._init_weight("p", nd.zeros((100,))),
        ValueError,
        "FusedRNN: an array of shape (100,) was given. Expected 72 numbers and 12 more for each",
    ),
    "packed without initializer": (
        lambda: init.FusedRNN(None, 4, 1, "gru")._init_weight("p", nd.zeros((84,))),
        ValueError,
        "FusedRNN: init=None was given, and 'p' is filled on its own.",
    ),
}


@pytest.mark.parametrize("case", CASES)
def test_bad_input_gives_one_clear_error(case: str) -> None:
    call, kind, text = CASES[case]
    with pytest.raises(kind, match=re.escape(text).replace("NAME", r"gru\d+")) as caught:
        call()
    assert isinstance(caught.value, MXNetError)


def test_an_error_says_which_layer_was_called() -> None:
    with pytest.raises(MXNetError) as caught:
        rnn.LSTM(4, prefix="my_")(X)
    net = rnn.LSTM(4, input_size=3, prefix="my_")
    net.initialize()
    with pytest.raises(MXNetError) as caught:
        net(nd.ones((5, 2, 7)))
    assert "in LSTM 'my' called with float32 (5, 2, 7) on cpu(0)" in caught.value.__notes__[0]
