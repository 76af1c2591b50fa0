"""The switches of npx.set_np() and their scopes."""

from __future__ import annotations

import threading

import pytest

import gluonish as mx
from gluonish import npx, util
from gluonish.errors import DTypeError, InvalidArgumentError, MXNetError


def flags() -> tuple[bool, bool]:
    return util.is_np_shape(), util.is_np_array()


def test_set_np_holds_until_reset_np() -> None:
    npx.set_np()
    assert flags() == (True, True)
    npx.reset_np()
    assert flags() == (False, False)


def test_set_np_holds_in_threads_that_start_later() -> None:
    npx.set_np()
    seen: list[tuple[bool, bool]] = []
    thread = threading.Thread(target=lambda: seen.append(flags()))
    thread.start()
    thread.join()
    assert seen == [(True, True)]


def test_np_array_without_np_shape_is_refused() -> None:
    with pytest.raises(InvalidArgumentError, match="NumPy Shape semantics is required"):
        npx.set_np(shape=False, array=True)
    assert flags() == (False, False)


def test_scopes_nest_and_are_undone_after_an_error() -> None:
    scope = util.np_array(True)
    with scope, util.np_shape(True):
        assert flags() == (True, True)
        with scope, util.np_array(False):
            assert flags() == (True, False)
        assert flags() == (True, True)
    with pytest.raises(KeyError), util.np_array(True):
        raise KeyError
    assert flags() == (False, False)


def test_use_np_wraps_functions_and_classes() -> None:
    @util.use_np
    class Thing:
        def look(self) -> tuple[bool, bool]:
            return flags()

    assert Thing().look() == (True, True)
    assert util.use_np_array(flags)() == (False, True)
    assert util.use_np_shape(flags)() == (True, False)
    with pytest.raises(DTypeError, match="use_np: int was given. Expected a function or a class"):
        util.use_np(3)


def test_set_np_shape_returns_what_was_before() -> None:
    assert util.set_np_shape(True) is False
    assert util.set_np_shape(False) is True


def test_set_np_shape_of_2_is_for_new_threads_too() -> None:
    def elsewhere() -> list[bool]:
        seen: list[bool] = []
        thread = threading.Thread(target=lambda: seen.append(util.is_np_shape()))
        thread.start()
        thread.join()
        return seen

    try:
        for active, here, there in ((2, True, True), (1, True, False), (2, True, True)):
            util.set_np_shape(active)
            assert (util.is_np_shape(), elsewhere()) == (here, [there])
    finally:
        util.set_np_shape(False)
    assert elsewhere() == [False]
    mx.npx.set_np()
    try:
        util.set_np_shape(True)
        assert elsewhere() == [True]
    finally:
        mx.npx.reset_np()


def test_environment_variables_can_be_set_and_removed() -> None:
    util.setenv("GLUONISH_TEST_VARIABLE", "7")
    assert util.getenv("GLUONISH_TEST_VARIABLE") == "7"
    util.setenv("GLUONISH_TEST_VARIABLE", None)
    assert util.getenv("GLUONISH_TEST_VARIABLE") is None


def test_questions_about_gpus() -> None:
    assert util.get_gpu_count() == mx.context.num_gpus()
    with pytest.raises(InvalidArgumentError, match=r"context cpu\(0\) was given"):
        util.get_cuda_compute_capability(mx.cpu())
    with pytest.raises(MXNetError):
        util.get_gpu_memory(99)


def test_use_np_reaches_inherited_methods_and_properties():
    @mx.util.use_np
    class Net(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            self.weight = self.params.get("weight", shape=(2, 3))

        def hybrid_forward(self, F, x, weight):
            return F.np.dot(x, weight)

        @property
        def mode(self):
            return mx.util.is_np_array()

    net = Net()
    net.initialize()
    assert (type(net.weight.data()), net.mode) == (mx.np.ndarray, True)
    assert net(mx.np.ones((4, 2))).shape == (4, 3)
    layer = mx.util.use_np(type("Layer", (mx.gluon.nn.Dense,), {}))(3)
    layer.initialize()
    assert type(layer(mx.np.ones((2, 2)))) is mx.np.ndarray
    assert type(layer.weight.data()) is mx.np.ndarray
    assert not mx.util.is_np_array()
