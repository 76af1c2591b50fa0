"""Printing of both array classes, as the real MXNet 1.9.1 does it (golden/printing.json)."""

from __future__ import annotations

import facts
import pytest


@pytest.mark.parametrize("group", facts.load("printing"))
def test_printing_is_mxnets(group: str) -> None:
    facts.check("printing", group)
