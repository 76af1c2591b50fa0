"""GraphWriter: knows which node of a torch.fx graph made each tensor of a running program."""

from __future__ import annotations

import operator
import weakref
from typing import Any

import numpy as onp
import torch
from torch import Tensor, fx

from gluonish.hybrid.replaying import note


class GraphWriter:
    """Base of modes of torch that write a running program into a graph.

    Attributes
    ----------
    graph : fx.Graph
        The graph so far.
    root : Module
        Its constants.
    constants : set of int
        Addresses of their memory.
    """

    def __init__(self) -> None:
        super().__init__()
        self.graph = fx.Graph()
        self.root = torch.nn.Module()
        self.constants: set[int] = set()
        self._nodes: dict[int, fx.Node] = {}
        self._alive: list[Any] = []
        self._living: dict[int, weakref.ref[Tensor]] = {}

    def node_of(self, tensor: Tensor) -> fx.Node:
        """Return the node that makes a tensor; a tensor from elsewhere becomes a constant."""
        node = self._nodes.get(id(tensor))
        if node is None:
            node = self._from_elsewhere(tensor)
            self._bind(tensor, node)
        return node

    def _from_elsewhere(self, tensor: Tensor) -> fx.Node:
        return self._constant(tensor)

    def _bind(self, tensor: Tensor, node: fx.Node) -> None:
        """Note that a node makes a tensor."""
        note(node, tensor)
        self._nodes[id(tensor)] = node
        self._stand_by(tensor)

    def _stand_by(self, tensor: Tensor) -> None:
        """Forget a tensor when the program does, so that it needs no more memory than alone."""
        number, itself = id(tensor), weakref.ref(self)

        def tell(dead: weakref.ref[Tensor]) -> None:
            writer = itself()
            if writer is not None:
                writer.forget(number, dead)

        self._living[number] = weakref.ref(tensor, tell)

    def forget(self, number: int, dead: weakref.ref[Tensor]) -> None:
        """Forget a tensor that is no more; its id may be another one's soon."""
        if self._living.get(number) is dead:
            del self._living[number], self._nodes[number]
            self._forgotten(number)

    def _forgotten(self, number: int) -> None:
        """Forget what else is known of a tensor."""

    def _bind_result(self, result: Any, node: fx.Node) -> None:
        if isinstance(result, Tensor):
            self._bind(result, node)
        elif isinstance(result, (list, tuple)):
            for position, part in enumerate(result):
                if has_tensor(part):
                    item = self.graph.call_function(operator.getitem, (node, position))
                    self._bind_result(part, item)

    def _argument(self, value: Any) -> Any:
        if isinstance(value, Tensor):
            return self.node_of(value)
        if isinstance(value, onp.generic):
            return value.item()  # torch.fx writes numbers as they print
        if value is None or isinstance(value, fx.node.base_types):
            return value
        return self._constant(value)

    def _constant(self, value: Any) -> fx.Node:
        name = f"constant{len(self._alive)}"
        keep(self.root, name, value)
        if isinstance(value, Tensor):
            self.constants.add(address(value))
        self._alive.append(value)
        return self.graph.get_attr(name)


def keep(root: torch.nn.Module, name: str, value: Any) -> None:
    """Give a module a constant of its graph."""
    if isinstance(value, Tensor):
        root.register_buffer(name, value, persistent=False)
    else:
        object.__setattr__(root, name, value)


def has_tensor(value: Any) -> bool:
    """Return whether a value is a tensor, or holds one."""
    if isinstance(value, Tensor):
        return True
    return isinstance(value, (list, tuple)) and any(has_tensor(part) for part in value)


def address(tensor: Tensor) -> int:
    """Return what tells the memory of tensors apart."""
    if tensor.device.type == "meta" or not tensor.numel():
        return -id(tensor)
    return tensor.untyped_storage().data_ptr()
