"""A bar that shows how far an epoch is."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.display.progress import bar, tell

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from gluonish.metric import EvalMetric


class Progress:
    """A context manager around an epoch, with a bar if one is asked for.

    Where nobody sees the bar move, as in a log, there is one line when the epoch is over.

    The number of batches is known after the first epoch: `count` is the next one's `total`.

    Parameters
    ----------
    epoch : int
        The epoch's number.
    shown : bool
        Whether there is a bar.
    total : int, optional
        The number of batches, where it is known.
    """

    def __init__(self, epoch: int, *, shown: bool, total: int | None = None) -> None:
        self._bar: Any = None
        self.count = 0
        if shown:
            self._bar = bar(desc=f"Epoch[{epoch}]", total=total, unit="batch")

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        traceback: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            tell(self._bar)
            self._bar.close()

    def advance(self, metric: EvalMetric) -> None:
        """Count one more batch, and show what the metric says."""
        self.count += 1
        if self._bar is not None:
            values = {name: f"{value:.4f}" for name, value in metric.get_name_value()}
            self._bar.set_postfix(values, refresh=False)
            self._bar.update()
