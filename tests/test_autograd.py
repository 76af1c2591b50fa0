"""Autograd in both front ends, as the real MXNet 1.9.1 does it (golden/autograd.json)."""

from __future__ import annotations

import facts
import pytest


@pytest.mark.parametrize("group", facts.load("autograd"))
def test_autograd_is_mxnets(group: str) -> None:
    facts.check("autograd", group)
