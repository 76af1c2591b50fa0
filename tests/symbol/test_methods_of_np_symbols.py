"""Methods of `np` Symbols take what those of arrays take, in the order of these."""

from __future__ import annotations

import numpy as onp
import pytest

import gluonish as mx

VALUES = [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]
CALLS = (
    "clip(2, 4)", "clip(min=2)", "clip(max=3)", "clip(2)", "sum(0, None, None, True)",
    "max(0, None, True)", "std(0, None, None, 1)", "mean(1, 'float64')", "cumsum(1)", "argmax(1)",
    "transpose(1, 0)", "repeat(2, 0)", "swapaxes(0, 1)", "reshape(3, 2)", "var(0, ddof=1)",
)  # fmt: skip


@pytest.mark.parametrize("call", CALLS)
def test_methods_of_np_symbols_take_what_arrays_take(call):
    with mx.util.np_shape(True), mx.util.np_array(True):
        space = {"x": mx.sym.var("x").as_np_ndarray(), "array": mx.np.array(VALUES)}
        symbol, expected = eval(f"x.{call}", space), eval(f"array.{call}", space)
        found = symbol.bind(mx.cpu(), {"x": space["array"]}).forward()[0]
    assert found.dtype == expected.dtype
    onp.testing.assert_allclose(found.asnumpy(), expected.asnumpy(), rtol=1e-6)
