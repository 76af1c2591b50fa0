"""A failed first call changes nothing: every layer works with the right batch after it."""

# ruff: noqa: ANN401 - layers and what they take are of many kinds

from __future__ import annotations

import inspect
import pickle
import warnings
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest
from layer_samples import LAYERS

import gluonish as mx
from gluonish import autograd, gluon, nd, random_streams
from gluonish.block.parameter import State
from gluonish.gluon import nn, rnn
from gluonish.gluon.contrib import cnn as contrib_cnn, nn as contrib_nn, rnn as contrib_rnn

if TYPE_CHECKING:
    from collections.abc import Callable

STEP = (3, 5)
SEQUENCE = (4, 3, 5)
CUBES = (2, 3, 4, 4, 4)
MORE = {
    "embedding": (lambda: nn.Embedding(4, 3), (2, 3)),
    "sequential": (lambda: _filled(nn.Sequential()), (4, 5)),
    "hybrid sequential": (lambda: _filled(nn.HybridSequential()), (4, 5)),
    "symbol block": (lambda: _graph(), (4, 5)),
    "rnn": (lambda: rnn.RNN(3, 2, bidirectional=True), SEQUENCE),
    "lstm": (lambda: rnn.LSTM(3, dropout=0.5, num_layers=2), SEQUENCE),
    "gru": (lambda: rnn.GRU(3, layout="NTC"), SEQUENCE),
    "rnn cell": (lambda: rnn.RNNCell(3), STEP),
    "lstm cell": (lambda: rnn.LSTMCell(3), STEP),
    "gru cell": (lambda: rnn.GRUCell(3), STEP),
    "cells in turn": (lambda: _filled(rnn.SequentialRNNCell(), rnn.GRUCell), STEP),
    "hybrid cells in turn": (lambda: _filled(rnn.HybridSequentialRNNCell(), rnn.GRUCell), STEP),
    "dropout cell": (lambda: rnn.DropoutCell(0.5), STEP),
    "residual cell": (lambda: rnn.ResidualCell(rnn.RNNCell(5)), STEP),
    "zoneout cell": (lambda: rnn.ZoneoutCell(rnn.RNNCell(3), 0.5, 0.5), STEP),
    "cell with masks": (
        lambda: contrib_rnn.VariationalDropoutCell(rnn.RNNCell(3), 0.5, 0.5, 0.5),
        STEP,
    ),
    "projected cell": (lambda: contrib_rnn.LSTMPCell(4, 3), STEP),
    "conv rnn cell": (lambda: contrib_rnn.Conv1DRNNCell((0, 4), 2, 3, 3), (2, 3, 4)),
    "conv lstm cell": (lambda: contrib_rnn.Conv1DLSTMCell((0, 4), 2, 3, 3), (2, 3, 4)),
    "conv gru cell": (lambda: contrib_rnn.Conv1DGRUCell((0, 4), 2, 3, 3), (2, 3, 4)),
    "conv rnn cell 2d": (lambda: contrib_rnn.Conv2DRNNCell((3, 4, 4), 2, 3, 3), (2, 3, 4, 4)),
    "conv lstm cell 2d": (lambda: contrib_rnn.Conv2DLSTMCell((0, 4, 4), 2, 3, 3), (2, 3, 4, 4)),
    "conv gru cell 2d": (lambda: contrib_rnn.Conv2DGRUCell((3, 4, 4), 2, 3, 3), (2, 3, 4, 4)),
    "conv rnn cell 3d": (lambda: contrib_rnn.Conv3DRNNCell((0, 4, 4, 4), 2, 3, 3), CUBES),
    "conv lstm cell 3d": (lambda: contrib_rnn.Conv3DLSTMCell((3, 4, 4, 4), 2, 3, 3), CUBES),
    "conv gru cell 3d": (lambda: contrib_rnn.Conv3DGRUCell((0, 4, 4, 4), 2, 3, 3), CUBES),
    "deformable": (
        lambda: contrib_cnn.DeformableConvolution(3, (3, 3), padding=(1, 1)),
        (2, 4, 5, 5),
    ),
    "modulated deformable": (
        lambda: contrib_cnn.ModulatedDeformableConvolution(3, (3, 3), padding=(1, 1)),
        (2, 4, 5, 5),
    ),
    "concurrent": (lambda: _filled(contrib_nn.Concurrent()), (4, 5)),
    "hybrid concurrent": (lambda: _filled(contrib_nn.HybridConcurrent()), (4, 5)),
    "identity": (lambda: contrib_nn.Identity(), (4, 5)),
    "sparse embedding": (lambda: contrib_nn.SparseEmbedding(4, 3), (2, 3)),
    "batch norm of devices": (lambda: contrib_nn.SyncBatchNorm(), (2, 4, 3, 3)),
    "shuffle 1d": (lambda: contrib_nn.PixelShuffle1D(2), (2, 4, 3)),
    "shuffle 2d": (lambda: contrib_nn.PixelShuffle2D(2), (2, 4, 3, 3)),
    "shuffle 3d": (lambda: contrib_nn.PixelShuffle3D(2), (2, 8, 3, 3, 3)),
}
ALL = LAYERS | MORE
# Base classes, and a cell that has no single steps: another test unrolls it.
NOT_ALONE = {
    "Block", "HybridBlock", "RecurrentCell", "HybridRecurrentCell", "ModifierCell",
    "BidirectionalCell",
}  # fmt: skip


def _filled(net: Any, kind: Callable[..., Any] = nn.Dense) -> Any:
    for _ in range(2):
        net.add(kind(3))
    return net


def _graph() -> gluon.SymbolBlock:
    x = mx.sym.var("x")
    hidden = mx.sym.BatchNorm(mx.sym.FullyConnected(x, num_hidden=3, name="fc"), name="norm")
    return gluon.SymbolBlock(hidden, x)


def _layer(name: str) -> tuple[Any, list[Any]]:
    """Return a layer, initialized, and what it is called with."""
    build, shape = ALL[name]
    layer = build()
    layer.initialize(mx.init.Uniform(0.5))
    data = nd.array(onp.arange(onp.prod(shape)).reshape(shape) % 4)
    if not isinstance(layer, rnn.RecurrentCell):
        return layer, [data]
    states = layer.base_cell if isinstance(layer, rnn.ModifierCell) else layer
    return layer, [data, [nd.zeros(one["shape"]) for one in states.state_info(shape[0])]]


class _Failure(Exception):  # noqa: N818 - it is no mistake of anybody
    pass


class _Then(nn.Block):
    """A net that does something after a layer, such as failing."""

    def __init__(self, layer: Any, then: Callable[[Any], Any]) -> None:
        super().__init__()
        self.layer = layer
        self.then = then
        self.extra = self.params.get("extra", shape=(1,), init="zeros")
        self.extra.initialize()

    def forward(self, *args: Any) -> Any:
        return self.then(self.layer(*args))


class _HybridThen(nn.HybridBlock):
    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.layer = layer

    def hybrid_forward(self, F: Any, *args: Any) -> Any:
        self.layer(*args)
        raise _Failure


class _Inferring(nn.HybridBlock):
    """A HybridBlock around a layer that is none."""

    def __init__(self, layer: Any) -> None:
        super().__init__()
        self.hidden = (layer,)

    def forward(self, *args: Any) -> Any:
        self.hidden[0](*args)
        raise _Failure


def _hybridize(net: Any, active: bool = True) -> None:
    with warnings.catch_warnings():  # of Sequential, that there is HybridSequential
        warnings.simplefilter("ignore", UserWarning)
        net.hybridize(active)


def _fail(*_: Any) -> Any:
    raise _Failure


def _interrupt(*_: Any) -> Any:
    raise KeyboardInterrupt


def _hook_fails(layer: Any, args: Any) -> None:
    with layer.register_forward_hook(_fail):
        layer(*args)


def _rest_fails(layer: Any, args: Any) -> None:
    _Then(layer, _fail)(*args)


def _interrupted(layer: Any, args: Any) -> None:
    _Then(layer, _interrupt)(*args)


def _training_fails(layer: Any, args: Any) -> None:
    with autograd.record():
        _Then(layer, _fail)(*args)


def _hidden_layer_fails(layer: Any, args: Any) -> None:
    nn.Lambda(lambda _: _fail(layer(*args)))(args[0])


def _hybrid_net_fails(layer: Any, args: Any) -> None:
    net = _HybridThen(layer) if isinstance(layer, nn.HybridBlock) else _Then(layer, _fail)
    _hybridize(net)
    try:
        with autograd.train_mode():
            net(*args)
    finally:
        _hybridize(net, False)


def _hybrid_layer_is_left(layer: Any, args: Any) -> None:
    _hybridize(layer)
    try:
        with autograd.record():
            _Then(layer, _fail)(*args)
    finally:
        assert layer._graphs.latest is None
        assert layer._graphs.call is None
        _hybridize(layer, False)


def _loss_of_a_step_fails(layer: Any, args: Any) -> None:
    net = _Then(layer, lambda output: output)
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    gluon.FusedStep(net, _fail, trainer)(args, nd.ones((3,)))


def _summary_fails(layer: Any, args: Any) -> None:
    _Then(layer, _fail).summary(*args)


def _inference_fails(layer: Any, args: Any) -> None:
    kind = _HybridThen if isinstance(layer, nn.HybridBlock) else _Inferring
    kind(layer).infer_shape(*args)


def _too_many_arguments(layer: Any, args: Any) -> None:
    _Then(layer, _fail)(*args, args[0], args[0], args[0])


def _axis_is_missing(layer: Any, args: Any) -> None:
    _Then(layer, _fail)(args[0][0], *args[1:])


def _bind_fails(layer: Any, args: Any) -> None:
    """Bind a Module of the layer's graph, where it has one, to data of another shape."""
    if not isinstance(layer, nn.HybridBlock):
        _Then(layer, _fail)(*args)
    states = [mx.sym.var(f"state{i}") for i in range(len(args[1]) if args[1:] else 0)]
    outputs = _flat(layer(mx.sym.var("data"), *([states] if states else [])))
    if isinstance(layer, rnn.RecurrentCell):
        layer.reset()  # forgets the graph's masks
    names = ["data", *(each.name for each in states)]
    module = mx.mod.Module(mx.sym.Group(outputs), data_names=names, label_names=None)
    module.bind(data_shapes=[(name, (1, 1)) for name in names])
    module.forward(_fail)


def _flat(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [each for part in value for each in _flat(part)]
    return [value]


FAILURES = [
    _hook_fails, _rest_fails, _interrupted, _training_fails, _hidden_layer_fails,
    _hybrid_net_fails, _hybrid_layer_is_left, _loss_of_a_step_fails, _summary_fails,
    _inference_fails, _too_many_arguments, _axis_is_missing, _bind_fails,
]  # fmt: skip


def _facts(layer: Any) -> list[Any]:
    params = layer.collect_params().values()
    return [(p.shape, p.state, [a.asnumpy().tolist() for a in p._arrays.values()]) for p in params]


def _streams() -> bytes:
    return pickle.dumps(random_streams.get_state())


def _numbers(value: Any) -> list[Any]:
    if isinstance(value, (list, tuple)):
        return [number for part in value for number in _numbers(part)]
    return [value.asnumpy()]


def test_every_layer_is_here() -> None:
    built = {type(build()).__name__ for build, _ in ALL.values()}
    modules = (nn, rnn, contrib_nn, contrib_rnn, contrib_cnn)
    named = [getattr(module, name) for module in modules for name in module.__all__]
    layers = {cls.__name__ for cls in named if inspect.isclass(cls) and issubclass(cls, nn.Block)}
    assert layers - built == NOT_ALONE


@pytest.mark.parametrize("fail", FAILURES, ids=lambda fail: fail.__name__.strip("_"))
@pytest.mark.parametrize("name", ALL)
def test_a_failed_first_call_changes_nothing(name: str, fail: Any) -> None:
    mx.random.seed(5)
    layer, args = _layer(name)
    before, streams = _facts(layer), _streams()
    with pytest.raises((_Failure, KeyboardInterrupt, TypeError, mx.MXNetError)):
        fail(layer, args)
    assert _facts(layer) == before
    if any(state is State.DEFERRED for _, state, _ in before):
        assert _streams() == streams
    else:
        mx.random.seed(5)
    with autograd.train_mode():
        results = _numbers(layer(*args))
    mx.random.seed(5)
    twin, args = _layer(name)
    with autograd.train_mode():
        expected = _numbers(twin(*args))
    for result, right in zip(results, expected, strict=True):
        onp.testing.assert_array_equal(result, right)
    assert _facts(layer) == _facts(twin)
