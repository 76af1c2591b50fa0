"""Overlaps of boxes, and which of them suppress others."""

from __future__ import annotations

import pytest
import torch

from gluonish.ops.vision.overlap import overlaps, suppress


def naive(boxes: torch.Tensor, threshold: float) -> list[int]:
    table = overlaps(boxes, boxes)
    kept: list[int] = []
    for number in range(len(boxes)):
        if not any(table[other, number] > threshold for other in kept):
            kept.append(number)
    return kept


@pytest.mark.parametrize("threshold", [0.0, 0.1, 0.4, 0.9])
def test_suppression_by_blocks_keeps_what_one_by_one_does(threshold: float) -> None:
    draw = torch.Generator().manual_seed(4)
    low = torch.rand(2, 400, 2, generator=draw)
    boxes = torch.cat([low, low + 0.3 * torch.rand(2, 400, 2, generator=draw)], -1)
    alive = torch.arange(400) < torch.tensor([[400], [300]])
    kept = suppress(boxes, alive, threshold)
    for number, count in enumerate((400, 300)):
        expected = naive(boxes[number, :count], threshold)
        assert kept[number].nonzero().squeeze(1).tolist() == expected


def test_overlap_of_boxes_without_area_is_zero() -> None:
    assert overlaps(torch.zeros(1, 4), torch.zeros(2, 4)).tolist() == [[0, 0]]
