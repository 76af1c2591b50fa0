"""Sequential and HybridSequential: lists of Blocks that are called in order."""

from __future__ import annotations

import harness
import pytest

import gluonish as mx
from gluonish.gluon import nn

_BOTH = pytest.mark.parametrize("container", [nn.Sequential, nn.HybridSequential])


@_BOTH
def test_container_is_a_list_of_blocks(container: type[nn.Sequential]) -> None:
    net = container()
    layers = [nn.Dense(2), nn.Dense(3), nn.Dense(4)]
    net.add(layers[0])
    net.add(*layers[1:])
    assert len(net) == 3
    assert list(net) == layers
    assert net[0] is layers[0]
    assert net[-1] is layers[2]
    assert list(net._children) == ["0", "1", "2"]
    with pytest.raises(IndexError, match="of 3 layers. Expected a number from -3 to 2"):
        net[3]


@_BOTH
def test_slices_share_layers_and_prefix(container: type[nn.Sequential]) -> None:
    net = container(prefix="model_")
    with net.name_scope():
        net.add(nn.Dense(2), nn.Dense(3), nn.Dense(4))
    part = net[1:]
    assert type(part) is container
    assert part.prefix == "model_"
    assert list(part) == list(net)[1:]
    assert list(part.collect_params()) == [
        "model_dense1_weight",
        "model_dense1_bias",
        "model_dense2_weight",
        "model_dense2_bias",
    ]


@_BOTH
def test_container_prints_its_children(container: type[nn.Sequential]) -> None:
    net = container()
    assert repr(net) == f"{container.__name__}(\n\n)"
    net.add(nn.Dense(2, "relu"))
    inner = nn.HybridSequential()
    inner.add(nn.Flatten())
    net.add(inner)
    assert repr(net) == (
        f"{container.__name__}(\n"
        "  (0): Dense(None -> 2, Activation(relu))\n"
        "  (1): HybridSequential(\n"
        "    (0): Flatten\n"
        "  )\n"
        ")"
    )


@_BOTH
def test_empty_container_passes_data_on(container: type[nn.Sequential]) -> None:
    x = mx.nd.ones((2,))
    assert container()(x).asnumpy().tolist() == [1, 1]


@_BOTH
def test_container_takes_one_input(container: type[nn.Sequential]) -> None:
    net = container()
    net.add(nn.Dense(2))
    with pytest.raises(
        TypeError, match=r"got 2 arguments .*\. Expected a call with .x.. Each layer of a"
    ):
        net(mx.nd.ones((2, 2)), mx.nd.ones((2, 2)))


def test_hybridizing_a_sequential_of_hybrid_blocks_warns() -> None:
    harness.fresh_names()
    net = nn.Sequential()
    net.hybridize()
    net.add(nn.Dense(2))
    text = "All children of this Sequential layer 'sequential0_' are HybridBlocks. Consider"
    with pytest.warns(UserWarning, match=text):
        net.hybridize()
    net.add(nn.Lambda("tanh"))
    net.hybridize()


def test_hybrid_sequential_takes_hybrid_blocks_only() -> None:
    with pytest.raises(ValueError, match="Children of HybridBlock must also be HybridBlock"):
        nn.HybridSequential().add(nn.Lambda("tanh"))


def test_subclass_may_define_its_own_forward() -> None:
    class Residual(nn.HybridSequential):
        def hybrid_forward(self, F: object, x: mx.nd.NDArray) -> mx.nd.NDArray:
            for block in self._children.values():
                x = x + block(x)
            return x

    net = Residual()
    net.add(nn.Activation("relu"), nn.Activation("relu"))
    for hybridized in (False, True):
        net.hybridize(hybridized)
        assert net(mx.nd.ones((2,))).asnumpy().tolist() == [4, 4]
