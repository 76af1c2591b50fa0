"""Indexing of both array classes, as the real MXNet 1.9.1 does it (golden/indexing.json)."""

from __future__ import annotations

import facts
import pytest


@pytest.mark.filterwarnings("ignore:x.mask")  # keys of 0 and 1 are among them
@pytest.mark.parametrize("group", facts.load("indexing"))
def test_indexing_is_mxnets(group: str) -> None:
    facts.check("indexing", group)
