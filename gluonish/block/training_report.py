"""TrainingReport: which parameters are trained, and which are frozen."""

from __future__ import annotations

import math
import warnings
from typing import TYPE_CHECKING

from typing_extensions import override

from gluonish.display.tables import heading, table
from gluonish.errors.tracebacks import users_level
from gluonish.errors.wording import listed, percent, shape_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from gluonish.block.parameter import Parameter

_TITLES = "Parameter", "Shape", "grad_req", "Numbers"


class TrainingReport:
    """A table of parameters: shapes, what becomes of gradients, and how many numbers there are.

    Parameters
    ----------
    params : list of Parameter
        What it is about; sizes that are not known yet count as none.

    Attributes
    ----------
    trained, total : int
        How many numbers are trained, and how many there are.
    frozen : list of str
        Names of the parameters that are not trained.
    """

    def __init__(self, params: Iterable[Parameter]) -> None:
        self._rows: list[tuple[str, str, str, int]] = []
        self.trained = self.total = 0
        self.frozen: list[str] = []
        for param in params:
            size = math.prod(param.shape or ()) if param.is_shape_known() else 0
            self._rows.append((param.name, shape_text(param._shape), param.grad_req, size))
            self.total += size
            if param.grad_req == "null":
                self.frozen.append(param.name)
            else:
                self.trained += size

    @override
    def __repr__(self) -> str:
        rows = self._texts()
        widths = [max(map(len, column)) for column in zip(_TITLES, *rows, strict=True)]
        form = "  ".join([*(f"{{:<{width}}}" for width in widths[:3]), f"{{:>{widths[3]}}}"])
        return "\n".join([*(form.format(*row) for row in (_TITLES, *rows)), self._sum()])

    def _repr_html_(self) -> str:
        return heading("Parameters", self._sum()) + table(
            _TITLES, self._texts(), numbers=_TITLES[3:]
        )

    def _texts(self) -> list[list[str]]:
        return [[name, shape, asked, f"{size:,}"] for name, shape, asked, size in self._rows]

    def _sum(self) -> str:
        share = f" ({percent(self.trained, self.total)})" if self.total else ""
        return (
            f"{len(self._rows) - len(self.frozen)} of {len(self._rows)} parameters are trained, "
            f"{self.trained:,} of {self.total:,} numbers{share}"
        )


def warn_of_no_match(what: str, pattern: str, names: Sequence[str]) -> None:
    """Warn that something was done to no parameter, since no name begins with a pattern."""
    shown = listed(map(repr, names)) or "none"
    warnings.warn(
        f"{what} changed nothing: collect_params({pattern!r}) found no parameter. Expected a "
        f"regular expression for the beginning of a name. There are {shown}.",
        stacklevel=users_level(),
    )
