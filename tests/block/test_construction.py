"""Blocks whose constructor is incomplete, and layers that find their own shapes."""

from __future__ import annotations

import pytest

import gluonish as mx
from gluonish import errors
from gluonish.gluon import nn

FORGOTTEN = r"before its parent's constructor ran. Expected super\(\).__init__\(\)"


class Numbers(nn.Block):
    def __init__(self) -> None:
        self.size = 3

    def forward(self, x):
        return x


@pytest.mark.parametrize(
    "use",
    [
        lambda net: net.initialize(),
        lambda net: net.collect_params(),
        lambda net: net.params,
        lambda net: net.name,
        lambda net: net.name_scope(),
        lambda net: net(mx.nd.ones((2,))),
        lambda net: net.register_child(nn.Dense(2)),
        lambda net: net.hybridize(),
        lambda net: setattr(net, "layer", nn.Dense(2)),
    ],
)
def test_forgotten_constructor_is_named_wherever_it_shows(use) -> None:
    with pytest.raises(errors.BlockError, match=rf"'Numbers'.*{FORGOTTEN}") as caught:
        use(Numbers())
    assert isinstance(caught.value, AttributeError)


def test_block_without_constructor_can_be_printed() -> None:
    assert repr(Numbers()) == "Numbers(\n\n)"


def test_layer_may_find_the_shape_of_its_parameters_itself() -> None:
    class Shift(nn.HybridBlock):
        def __init__(self) -> None:
            super().__init__()
            self.shift = self.params.get("shift", shape=(0,), allow_deferred_init=True, init="ones")

        def infer_shape(self, x) -> None:
            self.shift.shape = (x.shape[1],)

        def hybrid_forward(self, F, x, shift):
            return F.broadcast_add(x, shift)

    net = nn.HybridSequential()
    net.add(nn.Dense(4), Shift())
    net.initialize()
    net.hybridize()
    assert net(mx.nd.ones((2, 3))).shape == (2, 4)
    assert net[1].shift.shape == (4,)


def test_zero_is_an_unknown_size_under_numpy_shapes_as_well() -> None:
    mx.npx.set_np()
    param = mx.gluon.Parameter("w", shape=(0, 3))
    assert param.shape == (-1, 3)
    with pytest.raises(ValueError, match="w"):
        param.initialize()


def test_parameter_that_does_not_exist_is_named_with_those_that_do() -> None:
    net = nn.Dense(2, in_units=2, prefix="out_")
    said = "'out_': no parameter is named 'out_wieght'. Expected one of 'out_bias', 'out_weight'"
    with pytest.raises(errors.MissingNameError, match=said) as caught:
        net.collect_params()["out_wieght"]
    assert isinstance(caught.value, KeyError)


def test_calling_a_block_without_its_parents_constructor_is_named() -> None:
    class Plain(nn.HybridBlock):
        def __init__(self) -> None:
            self.factor = 3

        def hybrid_forward(self, F, x):
            return x * self.factor

    with pytest.raises(AttributeError, match=r"Expected super\(\).__init__\(\)"):
        Plain()(mx.nd.ones((2,)))
