"""What symbolic cells refuse, their checkpoints, and batches of sentences."""

from __future__ import annotations

import logging

import numpy as onp
import pytest

import gluonish as mx
from gluonish.errors import (
    InvalidArgumentError,
    MissingMethodError,
    ModuleStateError,
    RefusedArgumentError,
    UnknownModeError,
)

x = mx.sym.var("x")


@pytest.mark.parametrize(
    ("use", "error", "says"),
    [
        (lambda: mx.rnn.BaseRNNCell()(x, []), MissingMethodError, r"no __call__\(inputs, states"),
        (lambda: mx.rnn.BaseRNNCell().state_info, MissingMethodError, "no the property state_info"),
        (lambda: mx.rnn.RNNCell(2).unroll(3, [x]), RefusedArgumentError, "data of 1 steps was"),
        (
            lambda: mx.rnn.RNNCell(2).unroll(2, mx.sym.Group([x, x])),
            RefusedArgumentError,
            "unroll doesn't allow grouped symbol",
        ),
        (
            lambda: mx.rnn.RNNCell(2).unroll(2, x, layout="NCT"),
            RefusedArgumentError,
            "Expected 'NTC' or 'TNC'",
        ),
        (lambda: mx.rnn.FusedRNNCell(2, mode="elman"), UnknownModeError, "mode='elman' was given"),
        (lambda: mx.rnn.FusedRNNCell(2)(x, []), MissingMethodError, "FusedRNNCell cannot be step"),
        (
            lambda: mx.rnn.BidirectionalCell(mx.rnn.RNNCell(2), mx.rnn.RNNCell(2))(x, []),
            MissingMethodError,
            "Bidirectional cannot be stepped",
        ),
        (
            lambda: mx.rnn.ConvRNNCell((1, 2, 8, 9), 4, h2h_kernel=(2, 3)),
            RefusedArgumentError,
            r"Only support odd number, get h2h_kernel= \(2, 3\)",
        ),
        (lambda: mx.rnn.DropoutCell("0.5"), RefusedArgumentError, "must be a number"),
        (
            lambda: mx.rnn.ZoneoutCell(mx.rnn.FusedRNNCell(2)),
            RefusedArgumentError,
            "Please unfuse first",
        ),
        (
            lambda: mx.rnn.ZoneoutCell(
                mx.rnn.BidirectionalCell(mx.rnn.RNNCell(2), mx.rnn.RNNCell(2))
            ),
            RefusedArgumentError,
            "add ZoneoutCell to the cells underneath",
        ),
        (
            lambda: mx.rnn.encode_sentences([["a", "z"]], vocab={"a": 1}),
            RefusedArgumentError,
            "Unknown token z",
        ),
        (
            lambda: mx.rnn.BucketSentenceIter([[1]], 1, layout="X"),
            InvalidArgumentError,
            "Invalid layout X: Must by NT",
        ),
        (
            lambda: mx.rnn.BucketSentenceIter([[1]], 4),
            InvalidArgumentError,
            "no length has 4 sentences among 1",
        ),
    ],
)
def test_what_does_not_fit_is_explained(use, error, says):
    with pytest.raises(error, match=says):
        use()


def test_a_cell_in_another_one_is_not_called_directly():
    cell = mx.rnn.RNNCell(2)
    outer = mx.rnn.ResidualCell(cell)
    with pytest.raises(ModuleStateError, match="After applying modifier cells"):
        cell.begin_state()
    assert [state.name for state in outer.begin_state()] == ["rnn_begin_state_0"]
    assert [state.name for state in outer.begin_state(init_sym=mx.sym.Variable)] == [
        "rnn_begin_state_1"
    ]
    assert outer.params is cell.params


def test_params_are_given_to_a_stack_or_to_its_cells():
    stack = mx.rnn.SequentialRNNCell(params=mx.rnn.RNNParams())
    stack.add(mx.rnn.RNNCell(2))
    with pytest.raises(RefusedArgumentError, match="Either specify params for SequentialRNNCell"):
        stack.add(mx.rnn.RNNCell(2, params=mx.rnn.RNNParams("a_")))


def test_a_warning_says_which_layout_is_faster():
    with pytest.warns(UserWarning, match="Consider using TNC") as heard:
        mx.rnn.FusedRNNCell(2).unroll(2, x)
    assert heard[0].filename == __file__


def test_zoneout_keeps_some_elements_of_the_step_before():
    cell = mx.rnn.ZoneoutCell(mx.rnn.RNNCell(50, prefix="a_"), zoneout_outputs=0.5)
    outputs, _ = cell.unroll(2, x, merge_outputs=False)
    net = mx.sym.Group(outputs)
    executor = net.simple_bind(mx.cpu(), x=(4, 2, 3))
    for array in executor.arg_arrays:
        array[:] = mx.nd.random.normal(shape=array.shape)
    first, second = (out.asnumpy() for out in executor.forward(is_train=True))
    assert 0.3 < (first == 0).mean() < 0.7
    assert 0.3 < (first == second).mean() < 0.7


def test_checkpoints_have_the_weights_of_each_gate(tmp_path):
    cell = mx.rnn.LSTMCell(2)
    outputs, _ = cell.unroll(2, x, merge_outputs=True)
    args = {
        name: mx.nd.random.normal(shape=shape)
        for name, shape in zip(
            outputs.list_arguments(), outputs.infer_shape(x=(1, 2, 3))[0], strict=True
        )
        if name != "x"
    }
    prefix = str(tmp_path / "net")
    mx.rnn.save_rnn_checkpoint(cell, prefix, 1, outputs, args, {})
    assert "arg:lstm_i2h_f_weight" in mx.nd.load(f"{prefix}-0001.params")
    symbol, loaded, states = mx.rnn.load_rnn_checkpoint([cell], prefix, 1)
    assert (symbol.list_arguments(), states) == (outputs.list_arguments(), {})
    assert list(loaded) == list(args)
    for name, array in args.items():
        onp.testing.assert_array_equal(loaded[name].asnumpy(), array.asnumpy())
    callback = mx.rnn.do_rnn_checkpoint(cell, prefix, period=2)
    for epoch in range(4):
        callback(epoch, outputs, args, {})
    assert sorted(path.name for path in tmp_path.glob("*.params")) == [
        "net-0001.params", "net-0002.params", "net-0004.params",
    ]  # fmt: skip


def test_steps_without_data_get_variables():
    outputs, _ = mx.rnn.rnn_unroll(mx.rnn.RNNCell(3), 2, input_prefix="p_")
    arguments = mx.sym.Group(outputs).list_arguments()
    assert [name for name in arguments if name.startswith("p_")] == ["p_t0_data", "p_t1_data"]


def test_an_unknown_word_keeps_its_number():
    vocab = {"a": 1, "<unk>": 0}
    found, numbers = mx.rnn.encode_sentences([["a", "y"], ["z"]], vocab, unknown_token="<unk>")
    assert (found, numbers) == ([[1, 0], [0]], {"a": 1, "<unk>": 0})


def test_long_sentences_are_left_out_with_a_line_of_the_log(caplog):
    with caplog.at_level(logging.WARNING):
        batches = mx.rnn.BucketSentenceIter([[1, 2], [3] * 9], 1, buckets=[2, 4])
    assert "discarded 1 sentences longer than the largest bucket." in caplog.text
    assert [batch.bucket_key for batch in batches] == [2]


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
@pytest.mark.parametrize("kind", ["ConvRNNCell", "ConvLSTMCell", "ConvGRUCell"])
def test_cells_with_convolutions_run_in_both_layouts(kind, layout):
    shape = (1, 2, 5, 6) if layout == "NCHW" else (1, 5, 6, 2)
    cell = getattr(mx.rnn, kind)(shape, 4, conv_layout=layout)
    outputs, _ = cell.unroll(2, [mx.sym.var("a"), mx.sym.var("b")])
    executor = mx.sym.Group(outputs).simple_bind(mx.cpu(), a=shape, b=shape)
    for array in executor.arg_arrays:
        array[:] = mx.nd.random.normal(shape=array.shape)
    found = executor.forward()[1]
    assert found.shape == ((1, 4, 5, 6) if layout == "NCHW" else (1, 5, 6, 4))
    assert found.asnumpy().std() > 0
