"""What `inspect` found in a file."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any, Final

import torch

from gluonish.display.progress import tqdm

if TYPE_CHECKING:
    from collections.abc import Sequence

    from torch import Tensor

    from gluonish.serialization.kinds import Kind

_LARGE: Final = 1 << 26  # bytes from which on a bar shows the progress
_PIECE: Final = 2**20  # elements that are looked at together


@dataclass(frozen=True, slots=True)
class Statistics:
    """Numbers about the values of an array, those aside that are not finite."""

    least: float
    largest: float
    mean: float
    not_finite: int = 0


@dataclass(frozen=True, slots=True)
class ArrayReport:
    """One array of a file.

    Attributes
    ----------
    name : str
        Its name; its position in a file without names.
    shape : tuple of int
        Its shape.
    dtype : str
        The type of its values.
    storage : str
        `'default'` (dense), `'row_sparse'` or `'csr'`.
    bytes : int
        What it takes in the file.
    statistics : Statistics or None
        Numbers about its values, if they were asked for and there are any.
    """

    name: str
    shape: tuple[int, ...]
    dtype: str
    storage: str
    bytes: int
    statistics: Statistics | None = None

    def as_json(self) -> dict[str, Any]:
        """Return plain values."""
        found = asdict(self) | {"shape": list(self.shape)}
        numbers = found.pop("statistics")
        if numbers is not None:
            found |= {"min": numbers.pop("least"), "max": numbers.pop("largest"), **numbers}
        return found


@dataclass(frozen=True, slots=True)
class NodeReport:
    """One operator of a graph, and the shape of its first result if that is known."""

    name: str
    operator: str
    shape: tuple[int | None, ...] | None


@dataclass(slots=True)
class Report:
    """What is in a file.

    Attributes
    ----------
    path : str
        The file.
    kind : Kind
        What it is.
    size : int
        Its length in bytes.
    facts : dict of str to object
        What there is to say, by short titles: texts, numbers, lists, or numbers by name.
    arrays : list of ArrayReport
        Its arrays; of a damaged file those before the damage.
    nodes : list of NodeReport
        The operators of a graph.
    damage : str or None
        What is damaged, and where.
    """

    path: str
    kind: Kind
    size: int
    facts: dict[str, Any] = field(default_factory=dict)
    arrays: list[ArrayReport] = field(default_factory=list)
    nodes: list[NodeReport] = field(default_factory=list)
    damage: str | None = None

    @property
    def elements(self) -> int:
        """How many numbers the arrays have together."""
        return sum(math.prod(array.shape) for array in self.arrays)

    def as_json(self) -> dict[str, Any]:
        """Return plain values, for machines."""
        found: dict[str, Any] = {
            "path": self.path,
            "kind": self.kind.name.lower(),
            "size": self.size,
            "facts": self.facts,
            "damage": self.damage,
        }
        if self.arrays:
            found["elements"] = self.elements
            found["arrays"] = [array.as_json() for array in self.arrays]
        if self.nodes:
            found["operators"] = [
                {
                    "name": node.name,
                    "op": node.operator,
                    "shape": None if node.shape is None else list(node.shape),
                }
                for node in self.nodes
            ]
        return found


def statistics_of(tensor: Tensor) -> Statistics | None:
    """Return least, largest and mean value; None without any that is finite.

    Examples
    --------
    >>> import torch
    >>> from gluonish.conversion.reports import statistics_of
    >>> statistics_of(torch.tensor([1.0, 2.0, float('nan')]))
    Statistics(least=1.0, largest=2.0, mean=1.5, not_finite=1)
    """
    least, largest, total, count = math.inf, -math.inf, 0.0, 0
    for piece in torch.split(tensor.reshape(-1), _PIECE):  # of which copies are small
        if not piece.is_floating_point():
            # Neither bool nor the unsigned types have all that is needed.
            piece = piece.to(torch.float64 if piece.dtype is torch.uint64 else torch.int64)
        else:
            piece = piece[torch.isfinite(piece)]
        if piece.numel():
            low, high = torch.aminmax(piece)
            least, largest = min(least, float(low)), max(largest, float(high))
            total += float(piece.sum(dtype=torch.float64))
            count += piece.numel()
    if count == 0:
        return None
    return Statistics(least, largest, total / count, tensor.numel() - count)


def is_shown(size: int, progress: bool | None) -> bool:
    """Return whether a bar shows the progress over some bytes, where `progress` may say so."""
    return size >= _LARGE if progress is None else progress


def bytes_bar(total: int, *, shows: bool, label: str | None = None) -> tqdm[Any]:
    """Return a bar that counts bytes."""
    return tqdm(
        total=total, desc=label, unit="B", unit_scale=True, disable=not shows, dynamic_ncols=True
    )


def tally(items: Sequence[str]) -> dict[str, int]:
    """Return how often each text occurs, the most frequent first."""
    return dict(sorted(Counter(items).items(), key=lambda pair: (-pair[1], pair[0])))
