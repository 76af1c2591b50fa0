"""Blocks that are made of other Blocks, called one after the other."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeVar, overload

from typing_extensions import override

from gluonish.block import Block, HybridBlock, ParameterDict
from gluonish.block.typed import Layer, Stack
from gluonish.errors import IndexKindError, InvalidIndexError
from gluonish.errors.tracebacks import users_level
from gluonish.errors.wording import counted

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from typing import Self

__all__ = ["HybridSequential", "Sequential"]

B = TypeVar("B", bound=Block)


class _Stack(Stack):
    """What both containers have: a list of children."""

    _in_summary = False

    def __init__(
        self,
        *blocks: Block | Sequence[Block] | str | ParameterDict | None,
        prefix: str | None = None,
        params: ParameterDict | None = None,
    ) -> None:
        # MXNet's first arguments are prefix and params.
        first = blocks[0] if blocks else None
        if first is None or isinstance(first, str):
            prefix, blocks = first or prefix, blocks[1:]
            if blocks and (blocks[0] is None or isinstance(blocks[0], ParameterDict)):
                params, blocks = blocks[0] or params, blocks[1:]
        super().__init__(prefix, params)
        for block in blocks:
            self.add(*(block if isinstance(block, (list, tuple)) else (block,)))

    def add(self, *blocks: Block) -> None:
        """Append Blocks, which are called after those that are there.

        Parameters
        ----------
        *blocks : Block
            The Blocks.

        Examples
        --------
        >>> from gluonish.gluon import nn
        >>> net = nn.Sequential()
        >>> net.add(nn.Dense(4), nn.Dense(2))
        >>> len(net)
        2
        """
        for block in blocks:
            self.register_child(block)

    @overload
    def __getitem__(self, key: slice) -> Self: ...
    @overload
    def __getitem__(self, key: int) -> Block: ...

    def __getitem__(self, key: int | slice) -> Block:
        try:
            layers = list(self._children.values())[key]
        except (IndexError, TypeError) as error:
            number = len(self._children)
            known = (
                f"a number from {-number} to {number - 1}" if number else "no number: it is empty"
            )
            msg = (
                f"{type(self).__name__} '{self.name}': [{key!r}] was asked for, of "
                f"{counted(number, 'layer')}. Expected {known}, or a slice. Print the net to see "
                f"its layers."
            )
            raise (InvalidIndexError if isinstance(error, IndexError) else IndexKindError)(
                msg
            ) from error
        if not isinstance(layers, list):
            return layers
        part = type(self)(prefix=self._prefix)
        with part.name_scope():
            part.add(*layers)
        return part

    def __len__(self) -> int:
        return len(self._children)

    def __iter__(self) -> Iterator[Block]:
        return iter(list(self._children.values()))


class Sequential(_Stack):
    """Blocks that are called one after the other.

    Parameters
    ----------
    *blocks : Block or list of Block
        The Blocks; `add` appends more.
    prefix : str, optional
        Start of the names of its parameters and children.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon import nn
    >>> net = nn.Sequential()
    >>> net.add(nn.Dense(4, activation='relu'), nn.Dense(2))
    >>> net.initialize()
    >>> net(mx.nd.ones((3, 5))).shape
    (3, 2)
    >>> net
    Sequential(
      (0): Dense(5 -> 4, Activation(relu))
      (1): Dense(4 -> 2, linear)
    )
    """

    @override
    def forward(self, x: Any) -> Any:
        """Call the children in order."""
        for block in self._children.values():
            x = block(x)
        return x

    @override
    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Capture the children's next calls as graphs; see `Block.hybridize`."""
        children = self._children.values()
        if children and all(isinstance(child, HybridBlock) for child in children):
            warnings.warn(
                f"All children of this Sequential layer '{self.prefix}' are HybridBlocks. Consider "
                f"using HybridSequential for the best performance.",
                stacklevel=users_level(),
            )
        super().hybridize(active, **kwargs)


class HybridSequential(Layer, _Stack):
    """HybridBlocks that are called one after the other, and captured as one graph.

    Parameters
    ----------
    *blocks : HybridBlock or list of HybridBlock
        The Blocks; `add` appends more.
    prefix : str, optional
        Start of the names of its parameters and children.
    params : ParameterDict, optional
        Parameters of another Block to share.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.gluon import nn
    >>> net = nn.HybridSequential()
    >>> net.add(nn.Dense(4, activation='relu'), nn.Dense(2))
    >>> net.initialize()
    >>> net.hybridize()
    >>> net(mx.nd.ones((3, 5))).shape
    (3, 2)
    """

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        for block in self._children.values():
            x = block(x)
        return x
