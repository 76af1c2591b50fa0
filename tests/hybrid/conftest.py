"""Fixtures of tests that compile."""

from __future__ import annotations

import pytest


@pytest.fixture
def own_cache(monkeypatch, tmp_path):
    """Have compilers keep what they make in a folder of the test's own."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "inductor"))
    monkeypatch.setenv("GLUONISH_CACHE", str(tmp_path / "graphs"))
    return tmp_path
