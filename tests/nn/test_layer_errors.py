"""What layers say about arguments that do not fit, and the small rules of each."""

from __future__ import annotations

import inspect

import numpy as onp
import pytest

import gluonish as mx
from gluonish.gluon import nn

_REFUSED = [
    (lambda: nn.LeakyReLU(-1), AssertionError, "Slope coefficient for LeakyReLU must be no less"),
    (lambda: nn.Lambda(3), ValueError, "Unrecognized function in lambda: 3 of type <class 'int'>"),
    (lambda: nn.HybridLambda(3), ValueError, "Unrecognized function in lambda: 3"),
    (lambda: nn.Lambda("nofoo"), AssertionError, "Function name nofoo is not found in ndarray"),
    (lambda: nn.HybridLambda("nofoo"), AssertionError, "Function name nofoo is not found"),
    (
        lambda: nn.Conv2D(4, (3, 3, 3)),
        AssertionError,
        r"Conv2D: kernel_size=\(3, 3, 3\) .* must be a number or a list of 2 ints",
    ),
    (
        lambda: nn.Conv2D(4, 3, strides=(1, 2, 3)),
        ValueError,
        "strides must be a number or a list of 2 ints",
    ),
    (
        lambda: nn.Conv2D(4, 3, layout="NCW"),
        AssertionError,
        "Conv2D: layout='NCW' was given. Only supports 'NCHW' and 'NHWC' layout for now",
    ),
    (lambda: nn.Conv1D(4, 3, layout="NWC"), AssertionError, "Only supports 'NCW' layout for now"),
    (
        lambda: nn.Conv2DTranspose(4, 3, output_padding=(1, 2, 3)),
        AssertionError,
        "output_padding must be a number or a list of 2 ints",
    ),
    (
        lambda: nn.MaxPool2D((2, 2, 2)),
        AssertionError,
        "pool_size must be a number or a list of 2 ints",
    ),
    (lambda: nn.AvgPool2D(layout="NCW"), AssertionError, "Only supports 'NCHW' and 'NHWC' layout"),
    (lambda: nn.ReflectionPad2D((1, 2)), ValueError, "padding must be a number or a list of 8"),
    (lambda: nn.Dropout(1.5), ValueError, r"rate=1.5 was given. Expected a probability in \[0"),
    (lambda: nn.Dropout("a"), ValueError, "rate='a' was given. Expected a probability"),
]


@pytest.mark.parametrize(("build", "kind", "text"), _REFUSED)
def test_constructor_explains_what_it_refuses(
    build: object, kind: type[Exception], text: str
) -> None:
    with pytest.raises(kind, match=text) as caught:
        build()
    assert isinstance(caught.value, mx.MXNetError)


def test_wrong_number_of_features_names_the_layer() -> None:
    net = nn.Dense(256, in_units=16, prefix="hidden_")
    net.initialize()
    with pytest.raises(mx.MXNetError, match="has 12 features per row.*in_units=12") as caught:
        net(mx.nd.ones((8, 12)))
    assert any("Dense 'hidden'" in note for note in caught.value.__notes__)


def test_unknown_activation_is_explained_at_once() -> None:
    with pytest.raises(mx.MXNetError, match="activation='foo' was given. Expected one of 'relu'"):
        nn.Dense(2, activation="foo")
    with pytest.raises(mx.MXNetError, match="act_type='foo' was given. Expected one of 'relu'"):
        mx.nd.Activation(mx.nd.ones((2, 2)), "foo")


def test_activation_is_named_after_its_function() -> None:
    net = nn.Dense(2, activation="relu", prefix="fc_")
    assert net.act.prefix == "fc_relu_"
    assert nn.Activation("tanh").prefix.startswith("tanh")
    assert nn.Conv2D(1, 2).prefix.startswith("conv")
    assert nn.AvgPool2D().prefix.startswith("pool")


def test_batch_norm_stays_in_single_precision() -> None:
    net = nn.BatchNorm(in_channels=2)
    net.initialize()
    net.cast("float16")
    assert {onp.dtype(p.dtype).name for p in net.params.values()} == {"float32"}
    net.cast("float64")
    assert net.gamma.data().dtype == onp.float64


def test_embedding_table_may_be_of_another_dtype() -> None:
    net = nn.Embedding(3, 2, dtype="float64")
    net.initialize()
    assert net(mx.nd.array([1])).dtype == onp.float64
    assert repr(net) == "Embedding(3 -> 2, float64)"


def test_lambda_takes_several_arrays() -> None:
    x, y = mx.nd.ones((2,)), mx.nd.ones((2,))
    assert nn.Lambda("broadcast_add")(x, y).asnumpy().tolist() == [2, 2]
    assert nn.HybridLambda("broadcast_add")(x, y).asnumpy().tolist() == [2, 2]
    assert nn.Lambda(lambda a, b: a - b)(x, y).asnumpy().tolist() == [0, 0]


def test_lambda_finds_operators_of_np_and_npx() -> None:
    x = mx.np.array([[1.0, -1.0]])
    for name in ("relu", "cumsum", "batch_flatten"):
        for kind in (nn.Lambda, nn.HybridLambda):
            result = kind(name)(x)
            assert type(result) is type(x)


def test_layers_have_mxnets_arguments_in_order() -> None:
    expected = {
        nn.MaxPool2D: ["pool_size", "strides", "padding", "layout", "ceil_mode"],
        nn.MaxPool3D: ["pool_size", "strides", "padding", "ceil_mode", "layout"],
        nn.AvgPool1D: [
            "pool_size", "strides", "padding", "layout", "ceil_mode", "count_include_pad",
        ],
        nn.AvgPool2D: [
            "pool_size", "strides", "padding", "ceil_mode", "layout", "count_include_pad",
        ],
        nn.Conv2DTranspose: [
            "channels", "kernel_size", "strides", "padding", "output_padding", "dilation", "groups",
            "layout", "activation", "use_bias", "weight_initializer", "bias_initializer",
            "in_channels",
        ],
        nn.LayerNorm: [
            "axis", "epsilon", "center", "scale", "beta_initializer", "gamma_initializer",
            "in_channels", "prefix", "params",
        ],
    }  # fmt: skip
    for layer, names in expected.items():
        parameters = [name for name in inspect.signature(layer).parameters if name != "kwargs"]
        assert parameters == names


def test_layers_share_parameters() -> None:
    first = nn.Dense(2, prefix="a_")
    second = nn.Dense(2, params=first.params, prefix="b_")
    assert second.weight is first.weight
    first.initialize()
    x = mx.nd.ones((1, 3))
    assert (first(x).asnumpy() == second(x).asnumpy()).all()
