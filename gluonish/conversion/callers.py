"""Finds which operators of a graph call one of torch's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import torch
from typing_extensions import override

from gluonish.errors import MXNetError
from gluonish.process.torch_names import TorchDispatchMode

if TYPE_CHECKING:
    from collections.abc import Sequence

_MOST: Final = 10
_NOTE: Final = "in operator "


class _Stop(TorchDispatchMode):
    """Stops a run at a call of an operator of torch's, after some that it lets pass."""

    def __init__(self, name: str, passed: int) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._name = name
        self._left = passed

    @override
    def __torch_dispatch__(
        self,
        func: Any,
        types: Any,
        args: Any = (),
        kwargs: Any = None,
    ) -> Any:
        if str(func).startswith(f"{self._name}."):
            if not self._left:
                raise RuntimeError(self._name)
            self._left -= 1
        return func(*args, **(kwargs or {}))


def callers_of(name: str, module: torch.nn.Module, examples: Sequence[torch.Tensor]) -> list[str]:
    """Return a graph's operators that call one of torch's, each with its node.

    Parameters
    ----------
    name : str
        That of torch's operator: `'aten.poisson'`.
    module : torch.nn.Module
        The graph.
    examples : sequence of Tensor
        Its inputs.
    """
    found: list[str] = []
    for passed in range(_MOST):
        try:
            with torch.random.fork_rng(devices=[]), _Stop(name, passed):
                module(*examples)
        except MXNetError as error:
            notes = [note for note in getattr(error, "__notes__", ()) if note.startswith(_NOTE)]
            found += [note.removeprefix(_NOTE).partition(" of ")[0] for note in notes]
        else:
            break
    return list(dict.fromkeys(found))
