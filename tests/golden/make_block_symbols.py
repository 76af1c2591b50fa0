"""Records the graphs that the real MXNet 1.9.1 makes of Blocks that are called with Symbols."""

from __future__ import annotations

import json
from pathlib import Path

import mxnet as mx
from mxnet import gluon
from mxnet.gluon import loss, nn, rnn

HERE = Path(__file__).parent
REFUSALS = (TypeError, mx.MXNetError, mx.base.NotImplementedForSymbol)

LAYERS = {
    "dense": "nn.Dense(3, 'tanh')",
    "dense of rows": "nn.Dense(3, use_bias=False, flatten=False, in_units=4)",
    "dropout": "nn.Dropout(0.4)",
    "dropout with axes": "nn.Dropout(0.4, axes=(1,))",
    "batch norm": "nn.BatchNorm()",
    "batch norm fixed": "nn.BatchNorm(axis=-1, scale=False, center=False, in_channels=3)",
    "batch norm relu": "nn.BatchNormReLU()",
    "layer norm": "nn.LayerNorm(axis=1)",
    "group norm": "nn.GroupNorm(2)",
    "instance norm": "nn.InstanceNorm(scale=True)",
    "instance norm of axis": "nn.InstanceNorm(axis=2)",
    "embedding": "nn.Embedding(10, 4)",
    "flatten": "nn.Flatten()",
    "activation": "nn.Activation('softrelu')",
    "leaky relu": "nn.LeakyReLU(0.2)",
    "prelu": "nn.PReLU(in_channels=4)",
    "elu": "nn.ELU(0.5)",
    "selu": "nn.SELU()",
    "gelu": "nn.GELU()",
    "swish": "nn.Swish(1.5)",
    "hybrid lambda": "nn.HybridLambda('tanh')",
    "conv 1d": "nn.Conv1D(3, 3, padding=1, activation='relu')",
    "conv 2d": "nn.Conv2D(6, (3, 2), strides=(1, 2), groups=2, use_bias=False)",
    "conv 2d channels last": "nn.Conv2D(5, 3, layout='NHWC')",
    "conv 3d": "nn.Conv3D(3, 2, dilation=2)",
    "conv 2d transpose": "nn.Conv2DTranspose(3, 3, 2, output_padding=1)",
    "reflection pad": "nn.ReflectionPad2D(2)",
    "max pool": "nn.MaxPool2D(3, 2, 1, ceil_mode=True)",
    "avg pool": "nn.AvgPool2D(3, 2, 1, count_include_pad=False)",
    "global max pool": "nn.GlobalMaxPool2D()",
    "global avg pool": "nn.GlobalAvgPool1D(layout='NWC')",
    "sequential": "stack(nn.HybridSequential(), nn.Dense(4, 'relu'), nn.Dropout(0.5), nn.Dense(2))",
    "scoped": "scoped(nn.HybridSequential(prefix='net_'))",
    "nameless": "scoped(nn.HybridSequential(prefix=''))",
    "lstm": "rnn.LSTM(3, 2, 'NTC', 0.2, True)",
    "lstm projected": "rnn.LSTM(3, projection_size=2, state_clip_min=-1, state_clip_max=1)",
    "gru": "rnn.GRU(3, input_size=4)",
    "rnn": "rnn.RNN(3, activation='tanh')",
}
THREE = (
    "rnn.HybridSequentialRNNCell(), rnn.RNNCell(3), rnn.DropoutCell(0.1), "
    "rnn.ResidualCell(rnn.RNNCell(3))"
)
WITH_MORE = {
    "rnn with state": ("rnn.RNN(3)", ["x", ["h"]]),
    "lstm with states": ("rnn.LSTM(3)", ["x", ["h", "c"]]),
    "gru with lengths": ("rnn.GRU(3, use_sequence_length=True)", ["x", ["h"], "lengths"]),
    "lengths, no state": ("WithLengths(rnn.GRU(3, use_sequence_length=True))", ["x", "lengths"]),
    "rnn cell": ("rnn.RNNCell(3)", ["x", ["h"]]),
    "rnn cell relu": ("rnn.RNNCell(3, 'softrelu')", ["x", ["h"]]),
    "lstm cell": ("rnn.LSTMCell(3)", ["x", ["h", "c"]]),
    "lstm cell other": (
        "rnn.LSTMCell(3, activation='relu', recurrent_activation='softsign')",
        ["x", ["h", "c"]],
    ),
    "gru cell": ("rnn.GRUCell(3)", ["x", ["h"]]),
    "dropout cell": ("rnn.DropoutCell(0.3)", ["x", []]),
    "zoneout cell": ("rnn.ZoneoutCell(rnn.RNNCell(3), 0.1, 0.2)", ["x", ["h"]]),
    "residual cell": ("rnn.ResidualCell(rnn.RNNCell(3))", ["x", ["h"]]),
    "stacked cells": (
        "stack(rnn.HybridSequentialRNNCell(), rnn.LSTMCell(3), rnn.GRUCell(2))",
        ["x", ["h", "c", "g"]],
    ),
    "unrolled lstm": ("Unrolled(rnn.LSTMCell(3), 2)", ["x"]),
    "unrolled merged": ("Unrolled(rnn.GRUCell(3), 2, merge_outputs=True)", ["x"]),
    "unrolled tnc": ("Unrolled(rnn.RNNCell(3), 2, layout='TNC', merge_outputs=True)", ["x"]),
    "unrolled both": (
        "Unrolled(rnn.BidirectionalCell(rnn.RNNCell(3), rnn.RNNCell(3)), 2)",
        ["x"],
    ),
    "unrolled stack": (
        f"Unrolled(stack({THREE}), 2, merge_outputs=True)",
        ["x"],
    ),
    "unrolled zoneout": ("Unrolled(rnn.ZoneoutCell(rnn.RNNCell(3), 0.1, 0.2), 2)", ["x"]),
    "unrolled lengths": ("Unrolled(rnn.LSTMCell(3), 2)", ["x", "lengths"]),
    "unrolled steps": ("Unrolled(rnn.RNNCell(3), 2)", [["x", "y"]]),
    "l2": ("loss.L2Loss()", ["x", "y"]),
    "l2 weighted": ("loss.L2Loss(weight=3, batch_axis=1)", ["x", "y", "w"]),
    "l1": ("loss.L1Loss(weight=2)", ["x", "y"]),
    "sigmoid": ("loss.SigmoidBCELoss()", ["x", "y"]),
    "sigmoid positive": ("loss.SigmoidBCELoss()", ["x", "y", "w", "p"]),
    "sigmoid from": ("loss.SigmoidBCELoss(from_sigmoid=True)", ["x", "y"]),
    "softmax": ("loss.SoftmaxCELoss()", ["x", "y"]),
    "softmax weighted": ("loss.SoftmaxCELoss(axis=1, weight=2)", ["x", "y", "w"]),
    "softmax dense": ("loss.SoftmaxCELoss(sparse_label=False, from_logits=True)", ["x", "y"]),
    "kl": ("loss.KLDivLoss(from_logits=False)", ["x", "y"]),
    "ctc": ("loss.CTCLoss()", ["x", "y"]),
    "ctc lengths": ("loss.CTCLoss('TNC', 'TN')", ["x", "y", "n", "m"]),
    "huber": ("loss.HuberLoss(rho=2)", ["x", "y"]),
    "hinge": ("loss.HingeLoss()", ["x", "y"]),
    "squared hinge": ("loss.SquaredHingeLoss(margin=2)", ["x", "y"]),
    "logistic": ("loss.LogisticLoss()", ["x", "y"]),
    "logistic binary": ("loss.LogisticLoss(label_format='binary')", ["x", "y"]),
    "triplet": ("loss.TripletLoss()", ["x", "y", "z"]),
    "poisson": ("loss.PoissonNLLLoss()", ["x", "y"]),
    "poisson full": ("loss.PoissonNLLLoss(from_logits=False, compute_full=True)", ["x", "y"]),
    "cosine": ("loss.CosineEmbeddingLoss()", ["x", "y", "z"]),
}


class Unrolled(gluon.HybridBlock):
    """A cell over a sequence."""

    def __init__(self, cell, length, **options):
        super().__init__(prefix="u_")
        self.cell = cell
        self.length = length
        self.options = options

    def hybrid_forward(self, F, x, lengths=None):
        outputs, states = self.cell.unroll(self.length, x, valid_length=lengths, **self.options)
        return outputs, states


class WithLengths(gluon.HybridBlock):
    """A layer with lengths and without states."""

    def __init__(self, layer):
        super().__init__(prefix="w_")
        self.layer = layer

    def hybrid_forward(self, F, x, lengths):
        return self.layer(x, sequence_length=lengths)


def stack(net, *parts):
    for part in parts:
        net.add(part)
    return net


def scoped(net):
    with net.name_scope():
        net.add(nn.Dense(4, "relu"), nn.BatchNorm(), nn.Dense(2))
    return net


def variables(names, is_np):
    if isinstance(names, list):
        return [variables(name, is_np) for name in names]
    symbol = mx.sym.var(names)
    return symbol.as_np_ndarray() if is_np else symbol


def flat(value):
    if isinstance(value, (list, tuple)):
        return [part for each in value for part in flat(each)]
    return [value]


def record(source, names, is_np):
    with mx.name.NameManager():
        net = eval(source, {**globals(), "rnn": rnn, "loss": loss})
        result = flat(net(*variables(names, is_np)))
    parts = [part.as_nd_ndarray() if is_np else part for part in result]
    graph = json.loads(mx.sym.Group(parts).tojson())
    nodes = [
        [node["op"], node["name"], node.get("attrs", {}), [e[:2] for e in node["inputs"]]]
        for node in graph["nodes"]
    ]
    return {
        "source": source,
        "inputs": names,
        "nodes": nodes,
        "heads": [head[:2] for head in graph["heads"]],
        "classes": sorted({type(part).__name__ for part in result}),
    }


def main():
    programs = {key: (source, ["x"]) for key, source in LAYERS.items()} | WITH_MORE
    found = {}
    for key, (source, names) in programs.items():
        for space in ("nd", "np"):
            if space == "np":
                mx.npx.set_np()
            try:
                found[f"{key} ({space})"] = record(source, names, space == "np")
            except REFUSALS:
                continue  # MXNet can't
            finally:
                mx.npx.reset_np()
    lines = ",\n".join(f"{json.dumps(key)}: {json.dumps(value)}" for key, value in found.items())
    (HERE / "block_symbols.json").write_text("{\n" + lines + "\n}\n")


if __name__ == "__main__":
    main()
