"""Makes the modules of graphs, whose text goes with them."""

from __future__ import annotations

import linecache
import weakref

import torch
from torch import fx

from gluonish.process.torch_names import texts_of_graphs


def graph_module(root: torch.nn.Module, graph: fx.Graph) -> fx.GraphModule:
    """Return the module of a graph.

    Torch keeps the text of each for tracebacks, for as long as the process lives: a program whose
    data have ever new shapes would grow by that.
    """
    module = fx.GraphModule(root, graph)
    name = module.forward.__code__.co_filename
    weakref.finalize(module, _forget, name).atexit = False
    return module


def _forget(name: str) -> None:
    texts_of_graphs.pop(name, None)
    linecache.cache.pop(name, None)
