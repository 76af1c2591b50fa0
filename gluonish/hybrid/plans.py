"""What is added to a captured graph before it is compiled, and done before and after it runs."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.hybrid.steps import StepUpdate


class Plan:
    """What is added to a captured graph; a subclass says what.

    Attributes
    ----------
    update : StepUpdate or None
        What makes a training step of the graph.
    trials : int
        Of so many, one has to give equal results.
    """

    update: StepUpdate | None = None
    trials = 1

    @property
    def beside(self) -> Sequence[Tensor]:
        """What the compiled graph takes beside the captured one's tensors."""
        return ()

    def holds(self) -> bool:
        """Return whether all that it was made for is as it was."""
        return True

    def written(self) -> set[int]:
        """Return the places of tensors that it writes to, `beside` coming last."""
        return set()

    def replaced(self) -> set[int]:
        """Return the places of those of them whose values it does not read."""
        return set()

    def rehearsal(self) -> contextlib.AbstractContextManager[None]:
        """Return a context whose `expect` is forgotten at its end."""
        return contextlib.nullcontext()

    def expect(self) -> None:
        """Prepare for one more run."""

    def finish(self, outputs: Sequence[Tensor]) -> Sequence[Tensor]:
        """Take what is the plan's own from a run's results, and return the others."""
        return outputs

    def compared(self, outputs: Sequence[Tensor]) -> Sequence[Tensor]:
        """Return those of a trial's results that the plain way has, too."""
        return outputs

    def certain(self) -> dict[int, Tensor] | None:
        """Return for tensors, by position, which elements have to agree; None if all have to."""
        return None

    @property
    def has_skipped(self) -> bool:
        """Whether the latest run has left out what was to be compared."""
        return False


class NoPlan(Plan):
    """Nothing is added."""
