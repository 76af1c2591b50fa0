"""A bar that shows how far an epoch is."""

from __future__ import annotations

import io
import sys
from typing import TYPE_CHECKING, Any

from tqdm.auto import tqdm

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from gluonish.metric import EvalMetric


def is_watched() -> bool:
    """Return whether somebody sees a bar move: on a terminal, or in a notebook.

    Examples
    --------
    >>> from gluonish.model.progress import is_watched
    >>> is_watched() in (True, False)
    True
    """
    return sys.stderr.isatty() or "ipykernel" in sys.modules


def bar(**options: Any) -> tqdm[Any]:
    """Return tqdm's bar, which draws nothing where nobody watches; `tell` writes a line of it.

    Examples
    --------
    >>> from gluonish.model.progress import bar
    >>> with bar(total=3) as shown:
    ...     _ = shown.update()
    """
    return tqdm(**options) if is_watched() else tqdm(file=io.StringIO(), **options)


def tell(shown: tqdm[Any]) -> None:
    """Write where a bar stands as a line of its own, where nobody sees it move."""
    if not is_watched():
        sys.stderr.write(f"{shown}\n")


class Progress:
    """A context manager around an epoch, with a bar if one is asked for.

    Where nobody sees the bar move, as in a log, there is one line when the epoch is over.

    The number of batches of an epoch is known after the first one.

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
        if self._bar is not None:
            values = {name: f"{value:.4f}" for name, value in metric.get_name_value()}
            self._bar.set_postfix(values, refresh=False)
            self._bar.update()
