"""Parts of the tests: together they are all of them, and what is divided is there."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest
from parts import COSTLY, keep_costly_part

ROOT = Path(__file__).parents[1]


def test_parts_together_are_all_tests(monkeypatch: pytest.MonkeyPatch) -> None:
    names = [f"{COSTLY[0]}test_file.py::test[{number}]" for number in range(100)]
    others = ["gluonish/nn/basic.py::Dense", "tests/test_parts.py::test"]
    left: list[Any] = []
    config: Any = SimpleNamespace(
        hook=SimpleNamespace(pytest_deselected=lambda items: left.extend(items))
    )
    found: list[str] = []
    for part in (None, "7/4", "8/4", "9/4", "10/4"):
        items: list[Any] = [SimpleNamespace(nodeid=name) for name in names + others]
        monkeypatch.delenv("COSTLY_PART", raising=False)
        if part is not None:
            monkeypatch.setenv("COSTLY_PART", part)
        keep_costly_part(config, items)
        kept = [item.nodeid for item in items]
        assert kept[-2:] == others
        if part is None:
            assert kept == names + others
        else:
            assert 10 < len(kept) < 40
            found += kept[:-2]
    assert sorted(found) == sorted(names)
    assert len(left) == 300


@pytest.mark.parametrize("path", COSTLY)
def test_what_is_divided_is_there(path: str) -> None:
    assert (ROOT / path).exists()
