"""Writes rnn.json and rnn.npz: recurrent layers and cells of the real MXNet 1.9.1.

Run it under the real MXNet: `python tests/golden/make_rnn.py`. For layers and cells: how they
print, names of parameters, outputs, states and gradients, outputs in training where there are masks
to draw; for the operator RNN: outputs and states; for constructors with a seed: the parameters.
"""

from __future__ import annotations

import json
import pathlib

import mxnet as mx
import numpy as onp
from mxnet import autograd, nd
from mxnet.gluon import rnn
from mxnet.gluon.contrib import rnn as contrib

HERE = pathlib.Path(__file__).parent

LSTM_SIZES = {"state_size": 4, "mode": "lstm"}

# Name -> (constructor, shape of the data).
LAYERS = {
    "lstm": ("rnn.LSTM(4)", (5, 2, 3)),
    "lstm_two": ("rnn.LSTM(4, 2, prefix='deep_')", (5, 2, 3)),
    "lstm_both": ("rnn.LSTM(4, 2, bidirectional=True, input_size=3)", (5, 2, 3)),
    "lstm_ntc": ("rnn.LSTM(4, 3, layout='NTC', bidirectional=True)", (2, 5, 3)),
    "lstm_double": ("rnn.LSTM(4, 2, dtype='float64')", (5, 2, 3)),
    "gru": ("rnn.GRU(4)", (5, 2, 3)),
    "gru_ntc": ("rnn.GRU(4, 2, 'NTC')", (2, 5, 3)),
    "gru_both": ("rnn.GRU(4, 2, bidirectional=True)", (5, 2, 3)),
    "relu": ("rnn.RNN(4)", (5, 2, 3)),
    "tanh": ("rnn.RNN(4, 2, 'tanh')", (5, 2, 3)),
    "tanh_both": ("rnn.RNN(4, 2, activation='tanh', bidirectional=True, dropout=0.3)", (5, 2, 3)),
    "one_step": ("rnn.LSTM(4)", (1, 1, 3)),
}

# Layers that MXNet runs on a CPU without gradients only.
PROJECTED = {
    "projected": ("rnn.LSTM(4, projection_size=2)", (5, 2, 3)),
    "projected_both": ("rnn.LSTM(4, 2, projection_size=2, bidirectional=True)", (5, 2, 3)),
}

_VALID = {"merge_outputs": True, "valid_length": [2, 5]}
# Name -> (constructor, shape of the data, arguments of unroll).
CELLS = {
    "rnn_cell": ("rnn.RNNCell(3, prefix='r_')", (2, 5, 3), {}),
    "rnn_cell_relu": ("rnn.RNNCell(3, 'relu')", (2, 5, 3), {"merge_outputs": True}),
    "rnn_cell_softsign": ("rnn.RNNCell(3, 'softsign')", (2, 5, 3), {"merge_outputs": False}),
    "lstm_cell": ("rnn.LSTMCell(3)", (2, 5, 3), {}),
    "lstm_cell_tnc": ("rnn.LSTMCell(3)", (5, 2, 3), {"layout": "TNC", "merge_outputs": True}),
    "lstm_cell_valid": ("rnn.LSTMCell(3)", (2, 5, 3), _VALID),
    "lstm_cell_valid_list": (
        "rnn.LSTMCell(3)",
        (5, 2, 3),
        {"layout": "TNC", "merge_outputs": False, "valid_length": [3, 1]},
    ),
    "lstm_cell_other": (
        "rnn.LSTMCell(3, activation='relu', recurrent_activation='softsign')",
        (2, 5, 3),
        _VALID,
    ),
    "gru_cell": ("rnn.GRUCell(3)", (2, 5, 3), {}),
    "gru_cell_valid": ("rnn.GRUCell(3)", (2, 5, 3), _VALID),
    "stacked": (
        "stacked(rnn.LSTMCell(4), rnn.DropoutCell(0.5), rnn.GRUCell(3))",
        (2, 5, 3),
        {"merge_outputs": True},
    ),
    "stacked_list": ("stacked(rnn.RNNCell(4), rnn.DropoutCell(0.5))", (2, 5, 3), {}),
    "stacked_valid": ("stacked(rnn.LSTMCell(4), rnn.DropoutCell(0.5))", (2, 5, 3), _VALID),
    "both": ("rnn.BidirectionalCell(rnn.LSTMCell(4), rnn.GRUCell(3))", (2, 5, 3), {}),
    "both_tnc": (
        "rnn.BidirectionalCell(rnn.LSTMCell(4), rnn.LSTMCell(4))",
        (5, 2, 3),
        {"layout": "TNC", "merge_outputs": True},
    ),
    "both_valid": ("rnn.BidirectionalCell(rnn.LSTMCell(4), rnn.LSTMCell(4))", (2, 5, 3), _VALID),
    "both_stacked": (
        "stacked(rnn.BidirectionalCell(rnn.GRUCell(2), rnn.GRUCell(2)), rnn.LSTMCell(3))",
        (2, 5, 3),
        {"merge_outputs": True},
    ),
    "dropout": ("rnn.DropoutCell(0.4, axes=(1,))", (2, 5, 3), {}),
    "dropout_list": ("rnn.DropoutCell(0.4)", (2, 5, 3), {"merge_outputs": False}),
    "zoneout": ("rnn.ZoneoutCell(rnn.LSTMCell(3), 0.3, 0.4)", (2, 5, 3), {"merge_outputs": True}),
    "zoneout_states": ("rnn.ZoneoutCell(rnn.RNNCell(3), 0.0, 0.5)", (2, 5, 3), {}),
    "zoneout_valid": ("rnn.ZoneoutCell(rnn.GRUCell(3), 0.5)", (2, 5, 3), _VALID),
    "residual": ("rnn.ResidualCell(rnn.GRUCell(3))", (2, 5, 3), {"merge_outputs": True}),
    "residual_list": ("rnn.ResidualCell(rnn.LSTMCell(3))", (2, 5, 3), {}),
    "residual_valid": ("rnn.ResidualCell(rnn.LSTMCell(3))", (2, 5, 3), _VALID),
    "lstmp_cell": ("contrib.LSTMPCell(4, 2)", (2, 5, 3), {"merge_outputs": True}),
    "lstmp_cell_valid": ("contrib.LSTMPCell(4, 2, input_size=3)", (2, 5, 3), _VALID),
    "variational": (
        "contrib.VariationalDropoutCell(rnn.LSTMCell(3), 0.2, 0.3, 0.4)",
        (2, 5, 3),
        {"merge_outputs": True},
    ),
    "variational_valid": (
        "contrib.VariationalDropoutCell(rnn.GRUCell(3), 0.2, 0.3, 0.4)",
        (2, 5, 3),
        _VALID,
    ),
    "variational_stateless": (
        "contrib.VariationalDropoutCell(rnn.LSTMCell(3), 0.2, 0.0, 0.4)",
        (5, 2, 3),
        {"layout": "TNC"},
    ),
    "variational_list": (
        "contrib.VariationalDropoutCell(rnn.RNNCell(3), 0.2, 0.0, 0.4)",
        (2, 5, 3),
        {"merge_outputs": False},
    ),
    "residual_zoneout": (
        "rnn.ResidualCell(rnn.ZoneoutCell(rnn.RNNCell(3), 0.3, 0.3))",
        (2, 5, 3),
        {"merge_outputs": True},
    ),
}

# Name -> arguments of the operator; `size` is the number of its parameters.
OPERATORS = {
    "op_lstm": LSTM_SIZES | {"num_layers": 2, "size": 304, "shape": (5, 2, 3)},
    "op_lstm_both": LSTM_SIZES
    | {"num_layers": 2, "bidirectional": True, "size": 736, "shape": (5, 2, 3)},
    "op_lstm_projected": LSTM_SIZES
    | {"num_layers": 2, "projection_size": 2, "size": 224, "shape": (5, 2, 3)},
    "op_gru": {"state_size": 4, "mode": "gru", "num_layers": 2, "size": 228, "shape": (5, 2, 3)},
    "op_gru_both": {
        "state_size": 4,
        "mode": "gru",
        "num_layers": 1,
        "bidirectional": True,
        "size": 216,
        "shape": (5, 2, 3),
    },
    "op_relu": {
        "state_size": 4,
        "mode": "rnn_relu",
        "num_layers": 1,
        "size": 36,
        "shape": (5, 2, 3),
    },
    "op_tanh": {
        "state_size": 4,
        "mode": "rnn_tanh",
        "num_layers": 2,
        "size": 76,
        "shape": (5, 2, 3),
    },
}

# Name -> (constructor, shape of the first data or None, initializer): the numbers drawn by a seed.
SEEDED = {
    "seed_lstm": ("rnn.LSTM(4, 2, bidirectional=True, input_size=3)", None, "mx.init.Uniform()"),
    "seed_deferred": ("rnn.LSTM(4, 2, bidirectional=True)", (5, 2, 3), "mx.init.Normal(0.1)"),
    "seed_own": (
        "rnn.GRU(4, 1, 'TNC', 0, False, 0, 'xavier', 'normal', h2h_bias_initializer='ones')",
        (5, 2, 3),
        "mx.init.One()",
    ),
    "seed_projected": ("rnn.LSTM(4, projection_size=2, input_size=3)", None, "mx.init.Xavier()"),
    "seed_bias": (
        "rnn.LSTM(4, input_size=3, i2h_bias_initializer='lstmbias')",
        None,
        "mx.init.Uniform(0.2)",
    ),
    "seed_cell": (
        "rnn.LSTMCell(4, input_size=3, h2h_weight_initializer='uniform')",
        None,
        "mx.init.Xavier()",
    ),
}

FUSED = {
    "fused_lstm": ("Uniform(0.2)", (4, 2, "lstm", True, 1.0), 736),
    "fused_gru": ("Normal(0.2)", (4, 1, "gru"), 108),
    "fused_tanh": ("Xavier()", (4, 2, "rnn_tanh"), 76),
    "fused_global": (None, (4, 1, "lstm", False, 2.0), 144),
}


def stacked(*cells):
    result = rnn.HybridSequentialRNNCell()
    for cell in cells:
        result.add(cell)
    return result


def build(source):
    return eval(source, {"rnn": rnn, "contrib": contrib, "stacked": stacked})


def data(shape, dtype="float32"):
    return nd.array(onp.random.RandomState(7).normal(size=shape), dtype=dtype)


def flat(value):
    if isinstance(value, (list, tuple)):
        return [array for part in value for array in flat(part)]
    return [value]


def call_layer(layer, x):
    batch = x.shape[layer._layout.index("N")]
    return layer(x, [state + 0.1 for state in layer.begin_state(batch, dtype=x.dtype)])


def unroller(options):
    layout = options.get("layout", "NTC")
    valid = options.get("valid_length")
    options = dict(options, valid_length=None if valid is None else nd.array(valid))

    def unroll(cell, x):
        begin = cell.begin_state(batch_size=x.shape[layout.index("N")], func=nd.ones)
        return cell.unroll(x.shape[layout.index("T")], x, begin_state=begin, **options)

    return unroll


def fill(block, store, name):
    random = onp.random.RandomState(3)
    for key, param in block._collect_params_with_prefix().items():
        param.set_data(nd.array(random.normal(scale=0.4, size=param.shape), dtype=param.dtype))
        store[f"{name}/param/{key}"] = param.data().asnumpy()


def keep(store, name, what, outputs):
    for number, output in enumerate(flat(outputs)):
        store[f"{name}/{what}{number}"] = output.asnumpy()


def record(store, name, block, x, call):
    block.initialize()
    call(block, x)  # finishes the initialization
    fill(block, store, name)
    x.attach_grad()
    with autograd.record(train_mode=False):
        outputs = flat(call(block, x))
        loss = sum((output**2).sum() for output in outputs)
    loss.backward()
    keep(store, name, "output", outputs)
    store[f"{name}/grad/input"] = x.grad.asnumpy()
    for key, param in block._collect_params_with_prefix().items():
        store[f"{name}/grad/{key}"] = param.grad().asnumpy()
    mx.random.seed(5)
    with autograd.train_mode():
        if isinstance(block, rnn.RecurrentCell):  # layers ignore their dropout, or use C's rand()
            keep(store, name, "train", call(block, x))


def record_cells(store, text, cells):
    for name, (source, shape, options) in cells.items():
        cell = build(source)
        printed = repr(cell)
        record(store, name, cell, data(shape), unroller(options))
        text[name] = {"source": source, "shape": shape, "options": options}
        text[name] |= {"repr": [printed, repr(cell)], "names": list(cell.collect_params())}


def record_all(store, text):
    for name, (source, shape) in LAYERS.items():
        layer = build(source)
        printed = repr(layer)
        record(store, name, layer, data(shape, layer._dtype), call_layer)
        text[name] = {"source": source, "shape": shape, "repr": [printed, repr(layer)]}
        text[name]["names"] = list(layer.collect_params())
    for name, (source, shape) in PROJECTED.items():
        layer = build(source)
        layer.initialize()
        call_layer(layer, data(shape))
        fill(layer, store, name)
        keep(store, name, "output", call_layer(layer, data(shape)))
        text[name] = {"source": source, "shape": shape}
    record_cells(store, text, CELLS)
    for name, options in OPERATORS.items():
        record_operator(store, name, dict(options))
        text[name] = options
    for name, (source, shape, initializer) in SEEDED.items():
        mx.random.seed(11)
        block = build(source)
        block.initialize(eval(initializer))
        if shape is not None:
            block(data(shape))
        for key, param in block._collect_params_with_prefix().items():
            store[f"{name}/param/{key}"] = param.data().asnumpy()
        text[name] = {"source": source, "shape": shape, "initializer": initializer}
    for name, (inner, arguments, size) in FUSED.items():
        mx.random.seed(11)
        init = mx.init.FusedRNN(None if inner is None else eval(f"mx.init.{inner}"), *arguments)
        array = nd.zeros((size,))
        desc = mx.init.InitDesc("parameters", global_init=mx.init.Normal(0.3))
        init._init_weight(desc, array)  # by its dumps() MXNet doesn't find the inner initializer
        store[f"{name}/parameters"] = array.asnumpy()
        text[name] = {"init": inner, "arguments": arguments, "size": size, "dumps": init.dumps()}


def record_operator(store, name, options):
    size, shape = options.pop("size"), options.pop("shape")
    random = onp.random.RandomState(3)
    vector = nd.array(random.normal(scale=0.4, size=(size,)))
    rows = options["num_layers"] * (1 + options.get("bidirectional", False))
    sizes = [options.get("projection_size") or options["state_size"]]
    if options["mode"] == "lstm":
        sizes.append(options["state_size"])
    states = [nd.array(random.normal(size=(rows, shape[1], each))) for each in sizes]
    keep(store, name, "output", nd.RNN(data(shape), vector, *states, state_outputs=True, **options))


def main():
    store, text = {}, {}
    record_all(store, text)
    onp.savez_compressed(HERE / "rnn.npz", **store)
    (HERE / "rnn.json").write_text(json.dumps(text, indent=1) + "\n")


if __name__ == "__main__":
    main()
