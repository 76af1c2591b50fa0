"""Finds the dtypes of a graph's arrays: by trial runs, and because most operators keep them."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING

import torch

from gluonish.array.dtypes import dtype_name, torch_dtype
from gluonish.errors import DTypeError, MXNetError
from gluonish.ops.elementwise.pairs import same_shape
from gluonish.ops.table.dtype_rules import beside
from gluonish.ops.table.inference import elementwise
from gluonish.symbol.graph import Entry, order
from gluonish.symbol.trial import UnknowableError, run

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from gluonish.symbol.graph import Node
    from gluonish.symbol.trial import Known

# Shapes that trials are made with, the first that works: 240 can be divided in many ways.
_SHAPES = ((240,) * 4, (240,) * 2, (240,) * 3, (240,), (240,) * 5)
_STRICT = (elementwise, same_shape)
_OTHERS = (torch.float32, torch.float64)


def infer(
    entries: Iterable[Entry],
    dtypes: Mapping[str, torch.dtype],
    assumed: torch.dtype | None = None,
) -> dict[Entry, torch.dtype | None]:
    """Return the dtype of each array of a graph; None if it is not known.

    Parameters
    ----------
    entries : iterable of Entry
        The graph's outputs.
    dtypes : dict of str to dtype
        What is known of the variables of these names.
    assumed : dtype, optional
        What variables have that nothing tells about.

    Raises
    ------
    DTypeError
        The dtypes contradict each other.

    Examples
    --------
    >>> import torch
    >>> import gluonish as mx
    >>> from gluonish.symbol.dtype_inference import infer
    >>> net = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=2, no_bias=True)
    >>> list(infer(net.entries, {'x': torch.float16}).values())
    [torch.float16, torch.float16, torch.float16]
    """
    inference = _Inference(entries, dtypes)
    if assumed is not None:
        inference.assume(assumed)
    return inference.run()


class _Inference:
    """The state of one inference: what is known so far, and which nodes to look at."""

    def __init__(self, entries: Iterable[Entry], dtypes: Mapping[str, torch.dtype]) -> None:
        self.nodes = order(entries)
        self.found: dict[tuple[int, int], torch.dtype | None] = {}
        self.users: dict[int, list[Node]] = {}
        for node in self.nodes:
            known = dtypes.get(node.name) if node.is_variable else None
            self.found.update(((id(node), index), known) for index in range(node.outputs))
            for entry in node.inputs:
                self.users.setdefault(id(entry.node), []).append(node)
        self.waiting = deque(node for node in self.nodes if not node.is_variable)
        self.is_waiting = {id(node) for node in self.waiting}

    def run(self) -> dict[Entry, torch.dtype | None]:
        """Look at nodes until nothing changes any more, and return what is known."""
        self._settle()
        return {
            Entry(node, index): self.found[id(node), index]
            for node in self.nodes
            for index in range(node.outputs)
        }

    def assume(self, dtype: torch.dtype) -> None:
        """Take a dtype for the variables that nothing tells about, one after the other."""
        self._settle()
        for node in self.nodes:
            if node.is_variable and self.found[id(node), 0] is None:
                self._learn((id(node), 0), dtype)
                self._settle()

    def _settle(self) -> None:
        while self.waiting:
            node = self.waiting.popleft()
            self.is_waiting.discard(id(node))
            self._visit(node)

    def _visit(self, node: Node) -> None:
        op = node.op
        if op is None:
            return
        free = (*op.graph.own_dtypes, *op.graph.float32)
        keys = [(id(entry.node), entry.position) for entry in node.inputs]
        if self._told(node, keys):
            return
        if op.graph.float32:
            self._learn_float32(node, keys)
        shared = [key for key, name in zip(keys, node.names, strict=True) if name not in free]
        known = [found for key in shared if (found := self.found[key]) is not None]
        if shared and (not known or (self.found[shared[0]] is None and not _is_symmetric(node))):
            dtype = self._from_outputs(node)
            known = [dtype] if dtype is not None else []
            if dtype is None:
                self._learn_what_is_fixed(node)
        if known:
            lead = self.found[shared[0]] or known[0]
            for key, name in zip(keys, node.names, strict=True):
                if self.found[key] is None and name not in free:
                    self._learn(key, beside(op, name, lead))
            self._check(node, keys, free)
        if "dtype" in op.signature.parameters and free and not shared[1:]:
            self._from_argument(node, shared)
        dtypes = [self.found[key] for key in keys]
        if all(dtype is not None for dtype in dtypes):
            given = [dtype for dtype in dtypes if dtype is not None]
            for index, dtype in enumerate(self._results(node, given)):
                self._learn((id(node), index), dtype)

    def _told(self, node: Node, keys: Sequence[tuple[int, int]]) -> bool:
        """Learn what a rule says of an operator's dtypes; return whether there is one."""
        op = node.op
        told = getattr(op and op.function, "dtypes", None)  # of the graphs that the operator runs
        targets = [(id(node), index) for index in range(node.outputs)]
        inputs = [self.found[key] for key in keys]
        if op is not None and op.graph.dtypes is not None:
            inner, outer = op.graph.dtypes(node.names, node.arguments(), inputs)
        elif told is not None:
            inner, outer = told(inputs, [self.found[key] for key in targets])
        else:
            return False
        for key, dtype in zip([*keys, *targets], [*inner, *outer], strict=True):
            if dtype is not None:
                self._learn(key, dtype)
        return True

    def _from_argument(self, node: Node, shared: Sequence[tuple[int, int]]) -> None:
        """Learn what an argument says, as that of Embedding does of the weight."""
        dtype = node.arguments().get("dtype")
        for key in shared:
            if self.found[key] is None and dtype is not None:
                self._learn(key, torch_dtype(dtype))

    def _from_outputs(self, node: Node) -> torch.dtype | None:
        """Return the outputs' dtype where the inputs must have the same."""
        dtype = self.found[id(node), 0]
        if dtype is None:
            return None
        other = _OTHERS[dtype is _OTHERS[0]]
        keeps = all(
            self._results(node, [each] * len(node.inputs))[:1] == (each,) for each in (dtype, other)
        )
        return dtype if keeps else None

    def _learn_float32(self, node: Node, keys: Sequence[tuple[int, int]]) -> None:
        """Learn which inputs are float32 by their operator's card; refuse others."""
        names = node.op.graph.float32 if node.op is not None else ()
        for key, name, entry in zip(keys, node.names, node.inputs, strict=True):
            if name not in names:
                continue
            self._learn(key, torch.float32)
            if (given := self.found[key]) is not torch.float32:
                msg = (
                    f"Error in operator {node.name} ({node.file_name}): {name} "
                    f"{entry.node.name!r} of {dtype_name(given)} was given. Expected float32, "
                    f"whatever the others are. Convert it with mx.sym.cast."
                )
                raise DTypeError(msg)

    def _learn_what_is_fixed(self, node: Node) -> None:
        """Learn the outputs' dtypes that are the same for any input, as of a Cast."""
        one, two = (_trial(node, [each] * len(node.inputs)) for each in _OTHERS)
        for index, (dtype, other) in enumerate(zip(one or (), two or (), strict=False)):
            if dtype is other:
                self._learn((id(node), index), dtype)

    def _learn(self, key: tuple[int, int], dtype: torch.dtype) -> None:
        if self.found.get(key, dtype) is not None:
            return
        self.found[key] = dtype
        for node in self.users.get(key[0], []):
            self._wake(node)
        maker = next((node for node in self._makers(key)), None)
        if maker is not None:
            self._wake(maker)

    def _makers(self, key: tuple[int, int]) -> Iterable[Node]:
        for user in self.users.get(key[0], [])[:1]:
            for entry in user.inputs:
                if id(entry.node) == key[0] and not entry.node.is_variable:
                    yield entry.node

    def _wake(self, node: Node) -> None:
        if id(node) not in self.is_waiting:
            self.is_waiting.add(id(node))
            self.waiting.append(node)

    def _check(self, node: Node, keys: Sequence[tuple[int, int]], free: tuple[str, ...]) -> None:
        """Refuse arrays of different dtypes where MXNet wants one."""
        if node.op is None or node.space != "nd":
            return
        pairs = [
            (name, entry, dtype)
            for name, entry, key in zip(node.names, node.inputs, keys, strict=True)
            if name not in free and (dtype := self.found[key]) is not None
        ]
        first = pairs[0][2]
        wrong = [
            (name, entry)
            for name, entry, dtype in pairs
            if name != "label" and dtype not in (first, beside(node.op, name, first))
        ]
        if not wrong:
            return
        if node.op.shapes is None:
            given = [dtype for _, _, dtype in pairs]
            if len(given) < len(keys) or self._works(node, given):
                return
        told = ", ".join(
            f"{name} {entry.node.name!r} of {dtype_name(dtype)}" for name, entry, dtype in pairs
        )
        others = ", ".join(f"{name} {entry.node.name!r}" for name, entry in wrong)
        msg = (
            f"Error in operator {node.name} ({node.file_name}): {told} was given. Expected "
            f"{dtype_name(first)} for {others} "
            f"too. Convert one with mx.sym.cast."
        )
        raise DTypeError(msg)

    def _works(self, node: Node, dtypes: Sequence[torch.dtype]) -> bool:
        """Return whether an operator takes dtypes that differ, where it takes equal ones."""
        return _trial(node, dtypes) is not None or _trial(node, [dtypes[0]] * len(dtypes)) is None

    def _results(self, node: Node, dtypes: Sequence[torch.dtype]) -> tuple[torch.dtype, ...]:
        """Return the outputs' dtypes."""
        found = _trial(node, dtypes)
        if found is not None:
            return found
        given = node.arguments().get("dtype")
        dtype = dtypes[0] if dtypes else torch.float32
        if given not in (None, "None"):
            dtype = torch_dtype(given)
        return (dtype,) * node.outputs


def _is_symmetric(node: Node) -> bool:
    """Return whether the first of several arrays does not lead the others."""
    op = node.op
    return op is not None and (op.shapes in (None, *_STRICT) or op.shapes is op.reverse)


def _trial(node: Node, dtypes: Sequence[torch.dtype]) -> tuple[torch.dtype, ...] | None:
    """Return the outputs' dtypes for the first shapes that work; None if none does."""
    key = (node.op and node.op.function, repr(node.params), node.names, tuple(dtypes))
    if key not in _trials:
        if len(_trials) >= _LIMIT:
            _trials.clear()
        _trials[key] = _first_trial(node, dtypes)
    return _trials[key]


_LIMIT = 4096
_trials: dict[object, tuple[torch.dtype, ...] | None] = {}


def _first_trial(node: Node, dtypes: Sequence[torch.dtype]) -> tuple[torch.dtype, ...] | None:
    for shape in _SHAPES if node.inputs else ((),):
        given = _fabricated(node, shape, dtypes)
        try:
            return tuple(dtype for _, dtype in run(node, given))
        except (MXNetError, UnknowableError):
            continue
    return None


def _fabricated(node: Node, shape: tuple[int, ...], dtypes: Sequence[torch.dtype]) -> list[Known]:
    """Return inputs of some shape; the rest as the operator's rule has them."""
    op = node.op
    found: dict[str, object] = {}
    if op is not None and op.shapes is not None and node.names:
        known = dict.fromkeys(op.inputs) | {node.names[0]: shape}
        try:
            found = dict(op.shapes(known, **node.arguments()))
        except (TypeError, IndexError, KeyError, ValueError):
            found = {}
    shapes = [shape, *(found.get(name) or shape for name in node.names[1:])]
    return [
        (tuple(240 if size is None else size for size in each), dtype)  # type: ignore[attr-defined]
        for each, dtype in zip(shapes, dtypes, strict=False)
    ]
