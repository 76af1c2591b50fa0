"""Computes a captured graph in double precision, to tell what rounding makes of its results."""

from __future__ import annotations

import tempfile
from typing import IO, TYPE_CHECKING, Any, Final

import numpy as onp
import torch
from torch import Tensor, fx
from typing_extensions import override

from gluonish.hybrid.program import extent

if TYPE_CHECKING:
    from collections.abc import Sequence

    from gluonish.hybrid.steps import StepUpdate

_COARSE = frozenset({torch.float32, torch.float16, torch.bfloat16})
_TO_COARSE = frozenset({"float", "half", "bfloat16"})
_LARGE: Final = 2**20  # bytes of a value that is worth a file
_FAR: Final = 16  # calls that come before its next use


class _InFile:
    """A value of a graph that waits in a file: what the way forward keeps for the way back."""

    _file: IO[bytes] | None = None  # a full disk has none

    def __init__(self, tensor: Tensor) -> None:
        self._shape, self._strides, self._dtype = tensor.shape, tensor.stride(), tensor.dtype
        self._file = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as this
        extent(tensor).numpy().tofile(self._file)

    def tensor(self) -> Tensor:
        """Return the value; the file goes with it."""
        assert self._file is not None  # noqa: S101 - for the type checker
        with self._file as file:
            file.seek(0)
            memory = torch.from_numpy(onp.fromfile(file, dtype="uint8"))
        return memory.view(self._dtype).as_strided(self._shape, self._strides)

    def __del__(self) -> None:
        if self._file is not None:
            self._file.close()


class _InDouble(fx.Interpreter):
    """Runs a graph's calls with double in the place of each coarser floating-point dtype.

    That needs no more memory than the graph by itself: large values whose next use is far wait in
    files.
    """

    def __init__(self, module: fx.GraphModule) -> None:
        super().__init__(module)
        self._places = {node: place for place, node in enumerate(module.graph.nodes)}

    @override
    def run_node(self, n: fx.Node) -> Any:
        for source in n.all_input_nodes:
            value = self.env.get(source)
            if isinstance(value, _InFile):
                self.env[source] = value.tensor()
        result = super().run_node(n)
        for source in n.all_input_nodes:
            if self._waits(source, self._places[n], result):
                self.env[source] = _InFile(self.env[source])
        return result

    def _waits(self, source: fx.Node, place: int, result: Any) -> bool:
        """Return whether a value is large, not needed soon, and alone in its memory."""
        value = self.env[source]
        if not (isinstance(value, Tensor) and value.is_cpu and value.nbytes >= _LARGE):
            return False
        later = [use for user in source.users if (use := self._places[user]) > place]
        if source.op != "call_function" or not later or min(later) < place + _FAR:
            return False
        memory = value.untyped_storage().data_ptr()
        return not any(
            other is not value
            and isinstance(other, Tensor)
            and other.untyped_storage().data_ptr() == memory
            for other in (result, *self.env.values())
        )

    @override
    def fetch_attr(self, target: str) -> Any:
        return in_double(super().fetch_attr(target))

    @override
    def call_function(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        return super().call_function(target, *_mapped((args, kwargs)))

    @override
    def call_method(self, target: Any, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        name = "double" if target in _TO_COARSE else target
        return super().call_method(name, *_mapped((args, kwargs)))


def exactly(
    module: fx.GraphModule, update: StepUpdate | None, tensors: Sequence[Tensor], inputs: int
) -> tuple[Sequence[Tensor], list[Tensor]] | None:
    """Return the results of a graph, and tensors as it leaves them; None if it can't be said.

    Parameters
    ----------
    module : fx.GraphModule
        The graph, with its draws as its last inputs.
    update : StepUpdate or None
        What makes a training step of it.
    tensors : sequence of Tensor
        What it runs on; they are not written to.
    inputs : int
        How many of them the graph takes; the others are the step's.
    """
    copies = [in_double(tensor.detach()).clone() for tensor in tensors]
    run: Any = _InDouble(module).run
    if update is not None:
        run = update.function(run, inputs)
    try:
        with torch.no_grad():
            return run(*copies), copies
    except (OSError, RuntimeError, TypeError, ValueError):  # no kernel of that dtype, a full disk
        return None


def in_double(value: Any) -> Any:
    """Return a tensor in double precision; anything else, and other dtypes, as they are."""
    return value.double() if isinstance(value, Tensor) and value.dtype in _COARSE else value


def _mapped(value: Any) -> Any:
    """Return nested arguments with double in the place of coarser dtypes."""
    return fx.node.map_aggregate(
        value, lambda one: torch.float64 if isinstance(one, torch.dtype) and one in _COARSE else one
    )
