"""Layers that are looked for among operators, and the operators that compute them."""

from __future__ import annotations

from typing import Final

_LAYERS: Final[dict[str, str]] = {
    "Dense": "FullyConnected(data, num_hidden=32)",
    "Linear": "FullyConnected(data, num_hidden=32)",
    **{
        f"Conv{n}{d}": f"Convolution(data, kernel={(3,) * n}, num_filter=16)"
        for n in (1, 2, 3)
        for d in "dD"
    },
    **{
        name.format(n, d): f"Deconvolution(data, kernel={(3,) * n}, num_filter=16)"
        for n in (1, 2, 3)
        for name, d in (("Conv{}{}Transpose", "D"), ("ConvTranspose{}{}", "d"))
    },
    **{
        f"{kind}Pool{n}{d}": f"Pooling(data, kernel={(2,) * n}, stride={(2,) * n}, "
        f"pool_type='{kind.lower()}')"
        for kind in ("Max", "Avg")
        for n in (1, 2, 3)
        for d in "dD"
    },
    **{
        f"Global{kind}Pool{n}D": f"Pooling(data, global_pool=True, pool_type='{kind.lower()}')"
        for kind in ("Max", "Avg")
        for n in (1, 2, 3)
    },
    "LSTM": "RNN(data, state_size=32, num_layers=1, mode='lstm')",
    "GRU": "RNN(data, state_size=32, num_layers=1, mode='gru')",
    **dict.fromkeys(
        ("BatchNormalization", "BatchNorm1d", "BatchNorm2d", "BatchNorm3d"), "BatchNorm(data)"
    ),
    **{
        name: f"Activation(data, act_type='{name.lower()}')" for name in ("ReLU", "Sigmoid", "Tanh")
    },
}
# What is said of a layer's name there, by path.
OPERATORS_OF_LAYERS: Final[dict[str, str]] = {
    **{
        f"symbol.{name}": f"mx.sym.{call} is the operator of that layer"
        for name, call in _LAYERS.items()
    },
    **{
        f"ndarray.{name}": (
            f"Layers are in gluon.nn and gluon.rnn; mx.nd.{call.partition('(')[0]} is the operator"
        )
        for name, call in _LAYERS.items()
    },
}
