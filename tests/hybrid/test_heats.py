"""Whether folding pays is found out in little memory."""

from __future__ import annotations

import math

import pytest
import torch

from gluonish.hybrid import judging
from gluonish.hybrid.inference.comparing import difference
from gluonish.hybrid.inference.heats import Heats


def run(heats, plain, folded):
    """Return whose turns there are until it is known who wins."""
    turns = []
    while True:
        turns.append(heats.turn)
        if heats.add(folded if heats.turn else plain):
            return turns


@pytest.mark.parametrize("folded", [0.5, 2.0])
def test_a_clear_case_needs_no_turns_of_the_plain_way(folded):
    heats = Heats(1.0)
    assert run(heats, 1.0, folded) == [1] * (judging.FEWEST_ROUNDS + 1)
    assert heats.best == [1.0, folded]


def test_a_close_case_is_raced_in_turns():
    heats = Heats(1.0)
    turns = run(heats, 0.9, 0.95)
    first = judging.FEWEST_ROUNDS + 1
    assert turns[:first] == [1] * first
    row = judging.IN_A_ROW
    assert turns[first : first + 4 * row] == 2 * ([0] * row + [1] * row)
    assert heats.best == [0.9, 0.95]


def test_calls_that_the_folded_way_could_not_do_are_not_its_time():
    heats = Heats(math.inf)
    heats.turn = 0
    assert not heats.add(0.25)
    assert (heats.turn, heats.best) == (1, [0.25, math.inf])


def test_quick_calls_are_timed_many_times():
    assert len(run(Heats(1e-3), 1e-3, 1e-4)) == judging.MOST_ROUNDS + 1


@pytest.mark.parametrize("shape", [(), (1,), (700, 1000), (3, 400, 500)])
def test_the_largest_difference_is_found_wherever_it_is(shape):
    right = torch.linspace(0, 1, math.prod(shape)).reshape(shape) + 1
    assert difference([right.clone()], [right]) is None
    for place in (0, -1):
        one = right.clone()
        one.view(-1)[place] += 1e-3
        assert difference([right, one], [right, right]) == "result 1 differs"


def test_what_is_no_number_is_the_same_in_the_same_place():
    right = torch.tensor([1.0, math.nan, math.inf, -math.inf])
    assert difference([right.clone()], [right]) is None
    assert difference([right.flip(0)], [right]) == "result 0 differs"
    assert difference([right.double()], [right]) == "result 0 is of another kind"
    assert difference([torch.ones(0)], [torch.ones(0)]) is None
    assert difference([torch.tensor([1])], [torch.tensor([2])]) == "result 0 differs"
