"""Classes that are imported while somebody looks are measured, too."""

from __future__ import annotations

from gluonish.errors.doors import settle_class
from gluonish.profiler.stages import listening, measured


class Kiln:
    def fire(self, degrees: int) -> int:
        return degrees


def test_a_class_that_comes_late_is_measured_and_left_as_it_was() -> None:
    settle_class(Kiln)
    plain = Kiln.fire
    found: list[object] = []
    with listening(found.append):
        measured(Kiln, "update", "fire")
        assert Kiln().fire(3) == 3
        assert Kiln.fire is not plain
    assert len(found) == 1
    assert Kiln.fire is plain
