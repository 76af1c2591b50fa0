"""The Blocks of `make_block_symbols.py`, in gluonish."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import gluonish as mx
from gluonish import gluon
from gluonish.gluon import loss, nn, rnn

GOLDEN = json.loads((Path(__file__).parents[1] / "golden" / "block_symbols.json").read_text())


class Unrolled(gluon.HybridBlock):
    """A cell over a sequence."""

    def __init__(self, cell: rnn.RecurrentCell, length: int, **options: Any) -> None:
        super().__init__(prefix="u_")
        self.cell = cell
        self.length = length
        self.options = options

    def hybrid_forward(self, F, x, lengths=None):
        outputs, states = self.cell.unroll(self.length, x, valid_length=lengths, **self.options)
        return outputs, states


class WithLengths(gluon.HybridBlock):
    """A layer with lengths and without states."""

    def __init__(self, layer: gluon.HybridBlock) -> None:
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


def build(source):
    return eval(source, globals() | {"loss": loss})


def variables(names, is_np):
    if isinstance(names, list):
        return [variables(name, is_np) for name in names]
    symbol = mx.sym.var(names)
    return symbol.as_np_ndarray() if is_np else symbol


def flat(value):
    if isinstance(value, (list, tuple)):
        return [part for each in value for part in flat(each)]
    return [value]
