"""Trials compare a compiled graph with the plain way, on few copies and piece by piece."""

from __future__ import annotations

import pytest
import torch

from gluonish.hybrid import trials
from gluonish.hybrid.trials import Trial, are_close

LARGE = trials.PIECE * 2 + 3
SHAPES = [(LARGE,), (1, LARGE), (3, LARGE // 2), (LARGE // 8, 2, 4), (2, 2, LARGE // 4)]


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize("shape", SHAPES)
def test_one_wrong_element_is_found_wherever_it_is(shape, turned):
    expected = torch.linspace(-1, 1, torch.Size(shape).numel()).reshape(shape)
    if turned:
        expected = expected.transpose(0, -1)
    before = torch.full_like(expected, 0.5)
    assert are_close(expected.clone(), expected)
    assert are_close(expected.clone(), expected, before)
    for place in (0, expected.numel() // 2, expected.numel() - 1):
        wrong, mask = expected.clone(), torch.ones(expected.shape, dtype=torch.bool)
        spot = torch.unravel_index(torch.tensor(place), expected.shape)
        wrong[spot] += 0.1
        mask[spot] = False
        assert not are_close(wrong, expected)
        assert not are_close(wrong, expected, before)
        assert not are_close(wrong, expected, before, ~mask)
        assert are_close(wrong, expected, before, mask)


def test_comparing_large_tensors_takes_little_memory(monkeypatch):
    sizes = []
    allclose = torch.allclose
    monkeypatch.setattr(
        torch, "allclose", lambda a, b, **rest: sizes.append(a.numel()) or allclose(a, b, **rest)
    )
    assert are_close(torch.ones(3, LARGE), torch.ones(3, LARGE), torch.zeros(3, LARGE))
    assert max(sizes) <= trials.PIECE
    assert sum(sizes) == 3 * LARGE


def tried(change, *, is_thorough=False, sure=None):
    """Return how a trial that changes tensors otherwise differs from a step."""
    generator = torch.Generator().manual_seed(1)
    weight, gradient = (torch.randn(4, 5, generator=generator) for _ in range(2))
    kept = torch.full((4, 5), float("nan"))
    tensors = [weight, kept, torch.ones(3)]
    trial = Trial(tensors, {0, 1}, {1}, is_thorough=is_thorough)

    def run(given):
        given[1].copy_(gradient)
        given[0].sub_(0.01 * gradient)
        change(given)
        return []

    assert trial.run(run, has_draws=False) == []
    weight.sub_(0.01 * gradient)
    return trial.difference([], [], [weight, gradient.clone(), tensors[2]], sure)


@pytest.mark.parametrize("is_thorough", [False, True])
def test_what_a_step_writes_is_compared(is_thorough):
    def differs(change):
        return tried(change, is_thorough=is_thorough)

    assert differs(lambda given: None) is None
    assert differs(lambda given: given[0].add_(1e-7)) is None
    assert differs(lambda given: given[0][2, 3].add_(1e-3)) == "what is written to tensor 0"
    assert differs(lambda given: given[0].mul_(1e6)) == "what is written to tensor 0"
    assert differs(lambda given: given[0].fill_(float("nan"))) == "what is written to tensor 0"
    assert differs(lambda given: given[1][0, 0].add_(0.1)) == "what is written to tensor 1"
    assert differs(lambda given: given[1].mul_(-1)) == "what is written to tensor 1"


def test_elements_that_rounding_decides_need_not_agree():
    mask = torch.ones(4, 5, dtype=torch.bool)
    mask[2, 3] = False
    for is_thorough in (False, True):
        found = tried(
            lambda given: given[0][2, 3].add_(1e-2), is_thorough=is_thorough, sure={0: mask}
        )
        assert found is None


def test_a_quick_trial_keeps_one_copy_of_what_is_written_to(monkeypatch):
    copied, copy = [], trials._copy
    monkeypatch.setattr(trials, "_copy", lambda tensor: copied.append(1) or copy(tensor))
    tensors = [torch.ones(3) for _ in range(4)]
    Trial(tensors, {0, 1}, {1}, is_thorough=False)
    assert len(copied) == 2
    Trial(tensors, {0, 1}, {1})
    assert len(copied) == 2 + 3


@pytest.mark.parametrize("is_thorough", [False, True])
@pytest.mark.parametrize(
    "tensor",
    [
        torch.ones(0, 3),
        torch.ones(2, dtype=torch.int64),
        torch.ones(2, dtype=torch.complex64),
        torch.ones(2).to(torch.float8_e5m2),
        torch.ones(2, requires_grad=True),
    ],
    ids=lambda tensor: f"{tuple(tensor.shape)} {tensor.dtype}",
)
def test_tensors_of_any_kind_are_compared(tensor, is_thorough):
    for replaced in ((), (0,)):
        trial = Trial([tensor], {0}, replaced, is_thorough=is_thorough)
        trial.run(lambda given: [], has_draws=False)
        assert trial.difference([], [], [tensor]) is None
        if tensor.numel():
            other = torch.full(tensor.shape, 3.0).to(tensor.dtype)
            assert trial.difference([], [], [other]) == "what is written to tensor 0"
