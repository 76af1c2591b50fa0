"""Small products of matrices become sums, which have the same values; others stay."""

from __future__ import annotations

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from gluonish.hybrid.small_products import MOST, unroll

ADDMM, MM = torch.ops.aten.addmm.default, torch.ops.aten.mm.default


def unrolled(function, *tensors):
    traced = make_fx(function, tracing_mode="fake")(*tensors)
    unroll(traced)
    traced.recompile()
    traced.graph.lint()
    return traced, {node.target for node in traced.graph.nodes}


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("size", [(2, 20, 25), (1, 1, 1), (3, 0, 4), (0, 3, 4), (16, 64, 32)])
@pytest.mark.parametrize("bias", [None, "row", "whole"])
def test_values(size, dtype, bias):
    rows, inner, columns = size
    first = torch.randn(inner, rows, dtype=dtype).t()
    second = torch.randn(inner, columns, dtype=dtype)
    shape = {None: None, "row": (columns,), "whole": (rows, columns)}[bias]

    def product(*tensors):
        return torch.mm(*tensors) if bias is None else torch.addmm(*tensors)

    given = [first, second] if shape is None else [torch.randn(shape, dtype=dtype), first, second]
    traced, targets = unrolled(product, *given)
    assert not targets & {ADDMM, MM}
    torch.testing.assert_close(traced(*given), product(*given))


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (torch.randn(2, MOST), torch.randn(MOST, 1)),
        (torch.randn(2, 3).half(), torch.randn(3, 2).half()),
        (torch.ones(2, 3, dtype=torch.int32), torch.ones(3, 2, dtype=torch.int32)),
    ],
    ids=["large", "half", "integers"],
)
def test_others_stay(first, second):
    _, targets = unrolled(torch.mm, first, second)
    assert MM in targets


def test_sums_with_factors_stay():
    _, targets = unrolled(
        lambda *tensors: torch.addmm(*tensors, beta=2, alpha=3),
        torch.randn(2), torch.randn(2, 3), torch.randn(3, 2),
    )  # fmt: skip
    assert ADDMM in targets
