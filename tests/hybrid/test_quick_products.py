"""Products are written the quickest way; values and memory stay as they are."""

from __future__ import annotations

import subprocess
import sys

import pytest
import torch
from torch.fx.experimental.proxy_tensor import make_fx

from gluonish.hybrid import quick_products
from gluonish.hybrid.quick_products import LEAST, OTHERS, PLAIN, ROUNDS, TURNED, hasten, quickest
from gluonish.process.torch_names import onednn_product

ADDMM, MM, CLONE = (
    torch.ops.aten.addmm.default, torch.ops.aten.mm.default, torch.ops.aten.clone.default,
)  # fmt: skip
ONEDNN, BY_ONEDNN_TURNED = (way for way in OTHERS if way.is_onednn)
has_onednn = pytest.mark.skipif(
    not torch.backends.mkldnn.is_available(), reason="torch is built without oneDNN"
)


def hastened(function, *tensors):
    traced = make_fx(function, tracing_mode="fake")(*tensors)
    hasten(traced)
    traced.recompile()
    traced.graph.lint()
    return traced, [node.target for node in traced.graph.nodes]


@pytest.fixture
def chosen(monkeypatch):
    """The products that were tried, and the way that is said to be the quickest."""
    found = {"tried": [], "way": TURNED}

    def try_it(dtype, first, second):
        found["tried"].append((dtype, first, second))
        return found["way"]

    monkeypatch.setattr(quick_products, "quickest", try_it)
    return found


@pytest.mark.parametrize(
    ("way", "dtype"),
    [
        (TURNED, torch.float32),
        (TURNED, torch.float64),
        pytest.param(ONEDNN, torch.float32, marks=has_onednn),
        pytest.param(BY_ONEDNN_TURNED, torch.float32, marks=has_onednn),
    ],
    ids=["turned", "turned, double", "oneDNN", "oneDNN, turned"],
)
@pytest.mark.parametrize("bias", [None, "row", "whole"])
def test_values_and_memory(chosen, way, dtype, bias):
    chosen["way"] = way
    first, second = torch.randn(70, 80, dtype=dtype).t(), torch.randn(70, 10, dtype=dtype)
    shape = {None: None, "row": (10,), "whole": (80, 10)}[bias]

    def product(*tensors):
        return torch.mm(*tensors) if bias is None else torch.addmm(*tensors)

    given = [first, second] if shape is None else [torch.randn(shape, dtype=dtype), first, second]
    traced, targets = hastened(product, *given)
    assert chosen["tried"] == [(dtype, ((80, 70), (1, 80)), ((70, 10), (10, 1)))]
    assert targets.count(CLONE) == way.is_turned
    assert targets.count(onednn_product() if way.is_onednn else MM) == 1
    assert ADDMM not in targets
    found, expected = traced(*given), product(*given)
    assert found.stride() == expected.stride()
    torch.testing.assert_close(found, expected)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (torch.randn(LEAST, 1), torch.randn(1, 1)),
        (torch.randn(100, 100).half(), torch.randn(100, 10).half()),
        (torch.ones(100, 100, dtype=torch.int32), torch.ones(100, 10, dtype=torch.int32)),
    ],
    ids=["small", "half", "integers"],
)
def test_others_are_not_tried(chosen, first, second):
    _, targets = hastened(torch.mm, first, second)
    assert CLONE not in targets
    assert chosen["tried"] == []


def test_products_stay_that_are_not_quicker(chosen):
    chosen["way"] = PLAIN
    _, targets = hastened(torch.mm, torch.randn(100, 100), torch.randn(100, 10))
    assert CLONE not in targets
    assert MM in targets


@pytest.mark.parametrize(
    ("least", "dtype", "expected"),
    [
        ({TURNED: 0.5}, torch.float32, TURNED),
        ({TURNED: 0.9}, torch.float32, PLAIN),
        ({TURNED: 2.0}, torch.float32, PLAIN),
        pytest.param({ONEDNN: 0.5}, torch.float32, ONEDNN, marks=has_onednn),
        pytest.param({ONEDNN: 0.5, TURNED: 0.45}, torch.float32, ONEDNN, marks=has_onednn),
        pytest.param(
            {ONEDNN: 0.5, BY_ONEDNN_TURNED: 0.3}, torch.float32, BY_ONEDNN_TURNED, marks=has_onednn
        ),
        ({ONEDNN: 0.5, TURNED: 0.6}, torch.float64, TURNED),
    ],
)
def test_the_shortest_times_decide_and_simpler_ways_go_first(monkeypatch, least, dtype, expected):
    noise = {way: iter([1.0, *[1.0, 3.0, 1.2] * ROUNDS]) for way in (PLAIN, *OTHERS)}

    def seconds(way, _one, _other, times):
        return times * next(noise[way]) * least.get(way, 1.0)

    monkeypatch.setattr(quick_products, "_seconds", seconds)
    monkeypatch.setattr(quick_products, "SECONDS_OF_ALL", 1e9)
    found = quickest.__wrapped__(dtype, ((100, 90), (90, 1)), ((90, 10), (10, 1)))
    assert found == expected


def test_ways_are_timed_once_for_matrices_of_a_kind(monkeypatch):
    calls = []
    monkeypatch.setattr(quick_products, "_seconds", lambda way, *_: calls.append(way) or 1.0)
    quickest.cache_clear()
    first, second = torch.randn(100, 90), torch.randn(90, 10)
    hastened(lambda x, y: torch.mm(x, y) + torch.mm(x, y), first, second)
    once = len(calls)
    assert once > 0
    hastened(torch.mm, first, second)
    assert len(calls) == once
    quickest.cache_clear()


@has_onednn
@pytest.mark.compiler
def test_a_compiler_takes_onednns_products_of_matrices_in_any_order(tmp_path):
    program = f"""
import torch
from torch.fx.experimental.proxy_tensor import make_fx
from gluonish.process.torch_names import aot_compile, library_runners, onednn_product

def products(x, w):
    multiply = onednn_product()
    return multiply(x, w.t()), multiply(x.t() * 2, x + 1), multiply(w, x.t()).relu()

x, w = torch.randn(40, 30), torch.randn(50, 30)
with torch.no_grad():
    traced = make_fx(products, tracing_mode="fake")(x, w)
    made = aot_compile(traced, (x, w), options={{"aot_inductor.output_path": {str(tmp_path)!r}}})
run = library_runners().AOTIModelContainerRunnerCpu(made, 1).run
for found, expected in zip(run([x, w]), traced(x, w), strict=True):
    torch.testing.assert_close(found, expected)
    assert found.stride() == expected.stride()
assert any("__linear_pointwise" in file.read_text() for file in __import__("pathlib").Path(
    {str(tmp_path)!r}).rglob("*.cpp"))
"""  # in a process of its own, since importing the compiler warns
    subprocess.run([sys.executable, "-W", "ignore", "-c", program], check=True)
