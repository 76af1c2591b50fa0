"""Metrics as type checkers see them: one name and one number."""

from __future__ import annotations

from typing import TYPE_CHECKING

from gluonish.metric.base import EvalMetric

__all__ = ["Metric"]

if TYPE_CHECKING:
    from typing_extensions import override

    class Metric(EvalMetric):
        """Metric of one value."""

        @override
        def get(self) -> tuple[str, float]: ...

        @override
        def get_global(self) -> tuple[str, float]: ...

        @override
        def get_name_value(self) -> list[tuple[str, float]]: ...

else:
    Metric = EvalMetric
