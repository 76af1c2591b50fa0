"""Blocks that are made of other Blocks, called one after the other."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING, Any, TypeVar, overload

from typing_extensions import override

from gluonish.block import Block, HybridBlock, ParameterDict

if TYPE_CHECKING:
    from collections.abc import Iterator
    from typing import Self

__all__ = ["HybridSequential", "Sequential"]

B = TypeVar("B", bound=Block)


class _Stack(Block):
    """What both containers have: a list of children."""

    _in_summary = False

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
        layers = list(self._children.values())[key]
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
                stacklevel=2,
            )
        super().hybridize(active, **kwargs)


class HybridSequential(HybridBlock, _Stack):
    """HybridBlocks that are called one after the other, and captured as one graph.

    Parameters
    ----------
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

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        super().__init__(prefix, params)

    @override
    def hybrid_forward(self, F: Any, x: Any) -> Any:
        for block in self._children.values():
            x = block(x)
        return x
