"""Indices of `np` Symbols select parts of the array that they stand for, as MXNet's do."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx

VALUES = onp.arange(24, dtype="float32").reshape(2, 3, 4)
KEYS = (
    "0", "-1", "0:1", "1:", "::2", "::-1", ":", "1, 2, 3", "()", "0:1, 1", ":, -1, :", ":, 1:0:-1",
    "1:2, 0:3:2, -1", "onp.int64(1)", "1, :, -2",
)  # fmt: skip


@pytest.fixture(autouse=True)
def _in_np_mode():
    with mx.util.np_shape(True), mx.util.np_array(True):
        yield


def data():
    return mx.sym.var("data").as_np_ndarray()


def run(symbol):
    return symbol.bind(mx.cpu(), {"data": mx.np.array(VALUES)}).forward()[0].asnumpy()


@pytest.mark.parametrize("key", KEYS)
def test_parts_are_numpys(key):
    symbol = eval(f"x[{key}]", {"x": data(), "onp": onp})
    expected = eval(f"x[{key}]", {"x": VALUES, "onp": onp})
    onp.testing.assert_array_equal(run(symbol), expected)
    if symbol.infer_shape(data=(2, 3, 4))[1]:
        assert symbol.infer_shape(data=(2, 3, 4))[1] == [expected.shape]


def test_parts_of_parts_and_of_one_of_several_outputs():
    onp.testing.assert_array_equal(run(data()[0][1]), VALUES[0][1])
    halves = mx.sym.np.split(data(), 2)
    onp.testing.assert_array_equal(run(halves[1][0]), VALUES[1])
    x = data()
    onp.testing.assert_array_equal(run(x[1:] - x[:-1]), VALUES[1:] - VALUES[:-1])


def test_of_several_outputs_an_index_is_one_of_them():
    x = data()
    both = mx.sym.Group([x, x + 1]).as_np_ndarray()
    onp.testing.assert_array_equal(run(both[1]), VALUES + 1)
    assert (len(both), len(both[:1].list_outputs()), len(list(both))) == (2, 1, 2)


@pytest.mark.parametrize("key", ["...", "None", "1.0", "'data'", "[0, 1]", "(0, None)"])
def test_other_indices_are_refused(key):
    with pytest.raises(IndexError, match="Only integer, slice, or tuple of these types"):
        eval(f"x[{key}]", {"x": data()})


def test_one_output_has_no_length_and_is_not_gone_through():
    with pytest.raises(TypeError, match=r"does not support len\(\)"):
        len(data())
    with pytest.raises(TypeError, match="is not iterable"):
        list(data())


def test_exported_nets_select_what_they_selected(tmp_path):
    class Net(mx.gluon.HybridBlock):
        def hybrid_forward(self, F, x):
            return x[0], x[0:1, 1], x[:, -1, :]

    net = Net()
    net.hybridize()
    x = mx.np.array(VALUES)
    expected = [part.asnumpy() for part in net(x)]
    net.export(str(tmp_path / "net"))
    again = mx.gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), ["data"], None)
    for part, other in zip(again(x), expected, strict=True):
        onp.testing.assert_array_equal(part.asnumpy(), other)
