"""Initializers by name, by array name, from files; what they refuse."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

import numpy as onp
import pytest

import gluonish as mx
from gluonish.init import InitDesc

if TYPE_CHECKING:
    from pathlib import Path


def _filled(init: object, name: str = "fc_weight", shape: tuple[int, ...] = (2,)) -> list[float]:
    array = mx.nd.zeros(shape)
    init(InitDesc(name), array)
    return array.asnumpy().tolist()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("zeros", mx.init.Zero),
        ("zero", mx.init.Zero),
        ("ones", mx.init.One),
        ("ONE", mx.init.One),
        ("xavier", mx.init.Xavier),
        ("MSRAPrelu", mx.init.MSRAPrelu),
        ("bilinear", mx.init.Bilinear),
        ("lstmbias", mx.init.LSTMBias),
        ("orthogonal", mx.init.Orthogonal),
        ('{"initializer": "normal", "sigma": 2}', mx.init.Normal),
    ],
)
def test_create_finds_initializers_by_name(name: str, kind: type) -> None:
    assert type(mx.init.create(name)) is kind


def test_create_passes_arguments_on() -> None:
    assert mx.init.create("uniform", scale=0.5).scale == 0.5
    one = mx.init.One()
    assert mx.init.create(one) is one


def test_create_refuses_what_is_no_name() -> None:
    with pytest.raises(AssertionError, match=r"foo is not registered. Expected one of bilinear"):
        mx.init.create("foo")
    for value in (None, 3, mx.init.One):
        with pytest.raises(AssertionError, match="initializer must be of string type"):
            mx.init.create(value)
    with pytest.raises(AssertionError, match="already an instance"):
        mx.init.create(mx.init.One(), 3)


def test_initializer_module_has_two_names() -> None:
    from gluonish import initializer

    assert initializer is mx.init is mx.initializer


def test_own_initializer_is_used_whatever_the_name() -> None:
    one = mx.init.One()
    for own in (one, "ones", one.dumps(), mx.init.Mixed([".*"], [one])):
        array = mx.nd.zeros((2,))
        mx.init.Uniform()(InitDesc("a_weight", {"__init__": own}), array)
        assert array.asnumpy().tolist() == [1, 1]


def test_initializer_remembers_itself_in_the_description() -> None:
    desc, init = InitDesc("a_bias"), mx.init.Uniform()
    assert desc.global_init is None
    init(desc, mx.nd.zeros((2,)))
    assert desc.global_init is init


def test_unknown_name_is_refused() -> None:
    with pytest.raises(ValueError, match=r"Unknown initialization pattern for foo.*limited to"):
        mx.init.Uniform()(InitDesc("foo"), mx.nd.zeros((2,)))


def test_base_class_has_no_rule_for_weights() -> None:
    with pytest.raises(NotImplementedError, match="no rule for weights was given"):
        mx.init.Initializer()(InitDesc("a_weight"), mx.nd.zeros((2,)))


def test_name_and_array_are_checked() -> None:
    with (
        pytest.warns(DeprecationWarning, match="deprecated"),
        pytest.raises(TypeError, match="name must be string"),
    ):
        mx.init.Uniform()(3, mx.nd.zeros((2,)))


def test_initializers_are_equal_by_class_and_arguments() -> None:
    assert mx.init.One() == mx.init.One()
    assert mx.init.Uniform(0.5) != mx.init.Uniform(0.6)
    assert mx.init.One() != mx.init.Zero()


def test_custom_initializer_fills_weights_and_leaves_biases_at_zero() -> None:
    class Seven(mx.init.Initializer):
        def _init_weight(self, name: str, arr: mx.nd.NDArray) -> None:
            assert name == "d_weight"
            arr[:] = 7

    net = mx.gluon.nn.Dense(1, in_units=2, prefix="d_")
    net.initialize(Seven())
    assert net.weight.data().asnumpy().tolist() == [[7, 7]]
    assert net.bias.data().asnumpy().tolist() == [0]


def test_registering_a_name_twice_warns() -> None:
    class Twice(mx.init.Initializer):
        pass

    mx.init.register(Twice)
    assert type(mx.init.create("twice")) is Twice
    with pytest.warns(UserWarning, match="registered with name twice is overriding existing"):
        mx.init.register(Twice)
    mx.init.alias("thrice")(Twice)
    assert type(mx.init.create("thrice")) is Twice


@pytest.mark.parametrize(
    "value", [[1, 2], onp.array([1, 2]), mx.nd.array([1, 2]), mx.np.array([1, 2])]
)
def test_constant_takes_numbers_lists_and_arrays(value: object) -> None:
    assert _filled(mx.init.Constant(value)) == [1, 2]
    assert mx.init.Constant(value).value is value


def test_constant_of_another_shape_is_refused() -> None:
    with pytest.raises(ValueError, match=r"values of shape \(3,\) .* array of shape \(2,\)"):
        _filled(mx.init.Constant([1, 2, 3]))


def test_xavier_refuses_vectors_and_unknown_kinds() -> None:
    with pytest.raises(ValueError, match="Xavier .* cannot be applied to vector fc_weight"):
        _filled(mx.init.Xavier())
    with pytest.raises(ValueError, match="Incorrect factor type 'foo'"):
        _filled(mx.init.Xavier(factor_type="foo"), shape=(2, 2))
    with pytest.raises(ValueError, match="Unknown random type 'foo'"):
        _filled(mx.init.Xavier(rnd_type="foo"), shape=(2, 2))


def test_orthogonal_rows_are_orthogonal() -> None:
    for shape in ((3, 5), (5, 3), (4, 2, 3), (2,)):
        for kind in ("uniform", "normal"):
            array = mx.nd.zeros(shape)
            mx.init.Orthogonal(2, kind)(InitDesc("a_weight"), array)
            matrix = array.asnumpy().reshape(shape[0], -1)
            matrix = matrix if len(matrix) <= matrix.shape[1] else matrix.T
            expected = 4 * onp.eye(len(matrix))
            onp.testing.assert_allclose(matrix @ matrix.T, expected, atol=1e-5)
    with pytest.raises(ValueError, match="rand_type='foo' was given"):
        _filled(mx.init.Orthogonal(rand_type="foo"), shape=(2, 2))


def test_bilinear_and_affine_shapes_are_checked() -> None:
    with pytest.raises(ValueError, match="Expected 4 axes: filters, channels, height and width"):
        _filled(mx.init.Bilinear())
    with (
        pytest.warns(DeprecationWarning, match="deprecated"),
        pytest.raises(ValueError, match="Expected the 6 numbers of an affine map"),
    ):
        mx.init.Zero()("stn_loc_bias", mx.nd.zeros((5,)))


def test_load_fills_from_arrays_and_files(tmp_path: Path) -> None:
    arrays = {"arg:a_weight": mx.nd.ones((2,)), "aux:b": mx.nd.full((2,), 3)}
    mx.nd.save(str(tmp_path / "file"), arrays)
    for source in (arrays, str(tmp_path / "file")):
        init = mx.init.Load(source)
        assert sorted(init.param) == ["a_weight", "b"]
        assert _filled(init, "a_weight") == [1, 1]
        assert _filled(init, "b") == [3, 3]
        with pytest.raises(AssertionError, match=r"Cannot Initialize c. Not found in loaded param"):
            _filled(init, "c")
        with pytest.raises(AssertionError, match=r"Shape mismatch, target \(3,\) vs loaded \(2,\)"):
            _filled(init, "b", (3,))
    assert _filled(mx.init.Load(arrays, mx.init.One()), "c_weight") == [1, 1]
    with pytest.raises(AssertionError, match="Expected arrays by name"):
        mx.init.Load(3)


def test_mixed_chooses_by_pattern() -> None:
    init = mx.init.Mixed(["a", ".*"], [mx.init.One(), mx.init.Zero()])
    assert _filled(init, "a_weight") == [1, 1]
    assert _filled(init, "b_weight") == [0, 0]
    with pytest.raises(ValueError, match=r"c_weight did not match any pattern. Expected one"):
        _filled(mx.init.Mixed(["a"], [mx.init.One()]), "c_weight")
    with pytest.raises(AssertionError, match="1 patterns and 2 initializers were given"):
        mx.init.Mixed(["a"], [mx.init.One(), mx.init.One()])


def test_mixed_and_load_initialize_networks() -> None:
    net = mx.gluon.nn.Dense(1, in_units=2, prefix="d_")
    net.initialize(mx.init.Mixed([".*weight", ".*"], [mx.init.One(), mx.init.Zero()]))
    assert net.weight.data().asnumpy().tolist() == [[1, 1]]
    values = {"d_weight": mx.nd.array([[3, 4]]), "d_bias": mx.nd.array([5])}
    net.initialize(mx.init.Load(values), force_reinit=True)
    assert net.weight.data().asnumpy().tolist() == [[3, 4]]


def test_verbose_initializer_logs(caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO):
        _filled(mx.init.One().set_verbosity(True))
        _filled(mx.init.One().set_verbosity(True, lambda array: f"size {array.size}"), "a_bias")
        _filled(mx.init.Load({"w": mx.nd.ones((2,))}, verbose=True), "w")
    assert caplog.messages == [
        "Initialized fc_weight as weight: 1.0",
        "Initialized a_bias as bias: size 2",
        "Initialized w by loading",
    ]


def test_weights_are_the_same_on_every_context() -> None:
    contexts = [mx.cpu(0), mx.cpu(1)]
    net = mx.gluon.nn.Dense(2, in_units=3)
    net.initialize(ctx=contexts)
    first, second = (net.weight.data(ctx).asnumpy() for ctx in contexts)
    assert (first == second).all()
    assert first.std() > 0


def test_half_and_double_precision_weights_are_drawn() -> None:
    for dtype in ("float16", "float64"):
        array = mx.nd.zeros((50,), dtype=dtype)
        mx.init.Uniform(1)(InitDesc("a_weight"), array)
        assert array.asnumpy().dtype == dtype
        assert 0.4 < array.asnumpy().std() < 0.75
