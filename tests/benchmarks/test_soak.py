"""Steps and new shapes leave nothing behind; `python -m benchmarks.soak` runs many more."""

from __future__ import annotations

import gc
import linecache

import pytest

from benchmarks import soak
from gluonish.hybrid.graphs import MAX_SIGNATURES
from gluonish.process.torch_names import texts_of_graphs


def objects():
    gc.collect()
    return len(gc.get_objects())


@pytest.mark.parametrize("way", soak.WAYS)
def test_training_steps_leave_nothing_behind(way, monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE", "0")
    training = soak.WAYS[way]()
    for _ in range(150):  # a loop has been learned, tried and raced by then
        training.step(4)
    before = objects()
    for _ in range(300):
        training.step(4)
    assert objects() - before < 30


@pytest.mark.parametrize(
    ("way", "what"),
    [("eager", "step"), ("hybrid", "predict"), ("hybrid", "step"), ("loop", "step"),
     ("fused", "step")],
)  # fmt: skip
def test_new_shapes_leave_nothing_behind(way, what, monkeypatch):
    monkeypatch.setenv("GLUONISH_COMPILE", "0")
    training = soak.WAYS[way]()
    call = getattr(training, what)
    for size in range(2, 12 + MAX_SIGNATURES):
        call(size)
    before, texts = objects(), len(texts_of_graphs)
    for size in range(200, 240):
        call(size)
    assert objects() - before < 200  # less than one graph has
    assert len(texts_of_graphs) <= texts
    assert len([name for name in linecache.cache if "eval_with_key" in name]) <= texts


def test_growth_is_that_of_the_last_nine_tenths():
    assert soak.growth([50] * 10 + [100] * 80 + [101] * 10) == pytest.approx(0.01)


def test_what_is_resident_is_looked_at():
    looks = soak.run("eager", "shapes", 10)
    assert len(looks) == 10
    assert min(looks) > 2**26
