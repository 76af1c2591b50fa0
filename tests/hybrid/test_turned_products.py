"""Products that are quicker the other way round are turned; values and memory stay as they are."""

from __future__ import annotations

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from gluonish.hybrid import turned_products
from gluonish.hybrid.turned_products import LEAST, SHORT, is_quicker_turned, turn

ADDMM, MM, CLONE = (
    torch.ops.aten.addmm.default, torch.ops.aten.mm.default, torch.ops.aten.clone.default,
)  # fmt: skip


def turned(function, *tensors):
    traced = make_fx(function, tracing_mode="fake")(*tensors)
    turn(traced)
    traced.recompile()
    traced.graph.lint()
    return traced, [node.target for node in traced.graph.nodes]


@pytest.fixture
def quicker(monkeypatch):
    """Products that were tried, all of which are said to be quicker turned."""
    tried = []

    def try_it(first, second):
        tried.append((tuple(first.shape), tuple(second.shape)))
        return True

    monkeypatch.setattr(turned_products, "is_quicker_turned", try_it)
    return tried


@pytest.mark.parametrize("dtype", [torch.float32, torch.float64])
@pytest.mark.parametrize("bias", [None, "row", "whole"])
def test_values_and_memory(quicker, dtype, bias):
    first, second = torch.randn(70, 80, dtype=dtype).t(), torch.randn(70, 10, dtype=dtype)
    shape = {None: None, "row": (10,), "whole": (80, 10)}[bias]

    def product(*tensors):
        return torch.mm(*tensors) if bias is None else torch.addmm(*tensors)

    given = [first, second] if shape is None else [torch.randn(shape, dtype=dtype), first, second]
    traced, targets = turned(product, *given)
    assert quicker == [((80, 70), (70, 10))]
    assert targets.count(MM) == targets.count(CLONE) == 1
    assert ADDMM not in targets
    found, expected = traced(*given), product(*given)
    assert found.stride() == expected.stride()
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (torch.randn(LEAST, 1), torch.randn(1, 1)),
        (torch.randn(100, 100), torch.randn(100, SHORT + 1)),
        (torch.randn(100, 100).half(), torch.randn(100, 10).half()),
        (torch.ones(100, 100, dtype=torch.int32), torch.ones(100, 10, dtype=torch.int32)),
    ],
    ids=["small", "no short side", "half", "integers"],
)
def test_others_are_not_tried(quicker, first, second):
    _, targets = turned(torch.mm, first, second)
    assert CLONE not in targets
    assert quicker == []


def test_products_stay_that_are_not_quicker(monkeypatch):
    monkeypatch.setattr(turned_products, "is_quicker_turned", lambda first, second: False)
    _, targets = turned(torch.mm, torch.randn(100, 100), torch.randn(100, 10))
    assert CLONE not in targets


@pytest.mark.parametrize(("quick", "is_turned"), [(0.5, True), (0.9, False), (2.0, False)])
def test_the_shortest_times_decide(monkeypatch, quick, is_turned):
    first, second = torch.randn(100, 90), torch.randn(90, 10)
    noise = iter([1.0, 3.0, 1.2] * turned_products.ROUNDS)

    def seconds(product, times):
        return times * next(noise) * (quick if product().shape[0] == 10 else 1.0)

    monkeypatch.setattr(turned_products, "_seconds", seconds)
    assert is_quicker_turned(first, second) is is_turned
