"""What an operator's card says beside names and inputs: one group of facts for each who asks."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, TypeAlias

Given: TypeAlias = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Graph:
    """What graphs, and the files that hold them, know of an operator.

    Parameters
    ----------
    needed : tuple of str
        Arguments that graphs need, beside those without default value.
    initial : dict of str to str
        What variables for its inputs start with, as the attribute `__init__` says it.
    own_dtypes : tuple of str
        Inputs whose dtypes follow from no other array.
    outputs : int or callable
        How many outputs MXNet counts, where that is more than a graph can use; a rule for its
        arguments (a dictionary) where that depends on them.
    is_loss : bool
        Whether its gradient is its own, whatever is computed from its result.
    written : dict of str to str
        For functions that MXNet has in Python, and which pass all of their arguments on: what they
        write where an argument is not given, by front end (for methods with `_method`) and name.
    hint : str
        What names of nodes begin with in np and npx, if not with the operator's name there.
    parts : callable, optional
        Rule that names the parts of its list of inputs for its arguments, as files write them
        (a dictionary); nothing where they are alike.
    modernize : callable, optional
        Changes the arguments (a dictionary) that a file of an older version of MXNet has; it
        receives the version, 904 for 0.9.4, and them.
    """

    needed: tuple[str, ...] = ()
    initial: Mapping[str, str] = field(default_factory=dict)
    own_dtypes: tuple[str, ...] = ()
    outputs: int | Callable[[Given], int] = 0
    is_loss: bool = False
    written: Mapping[str, str] = field(default_factory=dict)
    hint: str = ""
    parts: Callable[[Mapping[str, str]], Sequence[str]] | None = None
    modernize: Callable[[int, dict[str, str]], None] | None = None

    def count(self, arguments: Given) -> int:
        """Return how many outputs MXNet counts for some arguments; 0 if no more than graphs use."""
        return self.outputs if isinstance(self.outputs, int) else self.outputs(arguments)
