"""Corners of operators, graphs and recording, as in the real MXNet (golden/corners.json)."""

from __future__ import annotations

import facts
import pytest


@pytest.mark.parametrize("group", facts.load("corners"))
def test_corners_are_mxnets(group: str) -> None:
    facts.check("corners", group)
