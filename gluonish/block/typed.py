"""Layers as type checkers see them: what is given one array returns one of the same kind."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from gluonish.block.block import Block, HybridBlock

__all__ = ["Cell", "Layer", "Stack"]

if TYPE_CHECKING:
    from collections.abc import Sequence

    from typing_extensions import override

    from gluonish.array import NDArray
    from gluonish.symbol import Symbol

    Given = TypeVar("Given", bound="NDArray | Symbol")

    class Layer(HybridBlock):
        """HybridBlock of one result."""

        @override
        def __call__(  # type: ignore[override]
            self, x: Given, *args: Any, **kwargs: Any
        ) -> Given: ...

    class Stack(Block):
        """Block whose Blocks, all of one result, run one after the other."""

        @override
        def __call__(self, x: Given, *args: Any, **kwargs: Any) -> Given: ...

    class Cell(Block):
        """Block that maps data and states to a result and new states."""

        @override
        def __call__(
            self, inputs: Given, states: Sequence[Any], *args: Any, **kwargs: Any
        ) -> tuple[Given, list[Given]]: ...

else:
    Layer, Stack, Cell = HybridBlock, Block, Block
