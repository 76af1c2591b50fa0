"""Finds the shapes of a graph's arrays: forward by trial runs, backward by the operators' rules."""

from __future__ import annotations

from collections import deque
from typing import TYPE_CHECKING, Any, TypeAlias

import torch

from gluonish.array.dtypes import torch_dtype
from gluonish.context import is_np_shape
from gluonish.errors import MXNetError, ShapeError
from gluonish.errors.program_layers import where_given
from gluonish.ops.elementwise.pairs import same_shape
from gluonish.ops.table.inference import elementwise
from gluonish.symbol.graph import Entry, order
from gluonish.symbol.trial import UnknowableError, run_for_shapes

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from gluonish.ops.table import Op
    from gluonish.symbol.graph import Node

Shape: TypeAlias = "tuple[int | None, ...]"
Shapes: TypeAlias = "list[Shape | None]"

# What stands for lengths that are not known: results that are the same for both do not depend on
# them. Many operators want lengths that can be divided, or that are not too small.
_LENGTHS = (5040, 10080)
_SHORTER = (240, 480)  # for more open axes than torch can count the bytes of
_MANY = 5
_FREE = (None, same_shape)  # rules that guess instead of demanding


def infer(
    entries: Iterable[Entry],
    shapes: Mapping[str, Shape],
    dtypes: Mapping[str, torch.dtype] | None = None,
) -> dict[Entry, Shape | None]:
    """Return the shape of each array of a graph: None, or None for a length, if not known.

    Parameters
    ----------
    entries : iterable of Entry
        The graph's outputs.
    shapes : dict of str to shape
        What is known of the variables of these names.
    dtypes : dict of str to dtype, optional
        Dtypes of variables, float32 for others.

    Raises
    ------
    ShapeError
        The shapes contradict each other.
    MXNetError
        An operator refuses what goes into it.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.symbol.shape_inference import infer
    >>> net = mx.sym.FullyConnected(mx.sym.var('x'), num_hidden=2, name='fc')
    >>> list(infer(net.entries, {'x': (None, 3)}).values())
    [(None, 3), (2, 3), (2,), (None, 2)]
    """
    return _Inference(entries, shapes, dtypes or {}).run()


class _Inference:
    """The state of one inference: what is known so far, by slot, and which nodes to look at."""

    def __init__(
        self,
        entries: Iterable[Entry],
        shapes: Mapping[str, Shape],
        dtypes: Mapping[str, torch.dtype],
    ) -> None:
        self.nodes = order(entries)
        self.firsts: dict[int, int] = {}  # id of a node -> slot of its first output
        self.makers: list[int] = []  # position of the node that makes each slot
        self.users: list[list[int]] = []
        self.shapes: Shapes = []
        self.dtypes: list[torch.dtype] = []
        self.sources: list[list[int]] = []  # slots of each node's inputs
        self.is_done = bytearray(len(self.nodes))
        for position, node in enumerate(self.nodes):
            self.firsts[id(node)] = len(self.shapes)
            count = node.outputs
            self.makers += [position] * count
            self.users += [[] for _ in range(count)]
            slots = [self.firsts[id(entry.node)] + entry.position for entry in node.inputs]
            for slot in slots:
                self.users[slot].append(position)
            self.sources.append(slots)
            known = shapes.get(node.name) if node.is_variable else _open_shape(node)
            self.shapes += [known] * count
            self.dtypes += [_dtype(node, dtypes)] * count
        self.waiting = deque(i for i, node in enumerate(self.nodes) if not node.is_variable)
        self.is_waiting = bytearray(not node.is_variable for node in self.nodes)

    def run(self) -> dict[Entry, Shape | None]:
        """Look at nodes until nothing changes any more."""
        while self.waiting:
            position = self.waiting.popleft()
            self.is_waiting[position] = False
            if not self.is_done[position]:
                self._visit(position)
        return {
            Entry(node, index): self.shapes[self.firsts[id(node)] + index]
            for node in self.nodes
            for index in range(node.outputs)
        }

    def _visit(self, position: int) -> None:
        node = self.nodes[position]
        sources = self.sources[position]
        first = self.firsts[id(node)]
        targets = range(first, first + node.outputs)
        if not all(_is_complete(self.shapes[slot]) for slot in sources):
            self._apply_rules(position, targets)
        shapes = [self.shapes[slot] for slot in sources]
        if any(shape is None for shape in shapes):
            return
        is_complete = all(map(_is_complete, shapes))
        if node.open_shape and _open_shape(node) is not None:
            return  # others tell
        outputs = self._outputs(position, shapes, is_complete=is_complete)
        if outputs is None:
            return
        for slot, (shape, dtype) in zip(targets, outputs, strict=False):
            if is_complete:
                self.dtypes[slot] = dtype
            self._learn(position, slot, shape, "output")
        self.is_done[position] = is_complete
        if is_complete:
            self._check(position)

    def _outputs(
        self, position: int, shapes: Shapes, *, is_complete: bool
    ) -> list[tuple[Shape | None, torch.dtype]] | None:
        """Return what a trial gives; None if it fails for shapes that are partly known."""
        node = self.nodes[position]
        broadcasts = node.op is not None and node.op.shapes is same_shape
        lengths: Sequence[int] = _lengths(shapes)[: 1 if is_complete else 2]
        if broadcasts and not is_complete:
            lengths = (1,)  # which fits whatever it meets
        dtypes = [self.dtypes[slot] for slot in self.sources[position]]
        found = []
        for length in lengths:
            given = zip(_filled(shapes, length), dtypes, strict=True)
            try:
                found.append(run_for_shapes(node, list(given)))
            except UnknowableError:
                return None
            except MXNetError as error:
                if not is_complete:
                    return None
                raise self._refusal(position, error) from error
        if broadcasts and not is_complete:
            return [(_left_open(shape, shapes), dtype) for shape, dtype in found[0]]
        agreed = [
            (_same(one[0], two[0]), one[1]) for one, two in zip(found[0], found[-1], strict=True)
        ]
        return agreed if is_complete else self._cut_short(node, shapes, dtypes, agreed)

    def _cut_short(
        self,
        node: Node,
        shapes: Shapes,
        dtypes: Sequence[torch.dtype],
        found: list[tuple[Shape | None, torch.dtype]],
    ) -> list[tuple[Shape | None, torch.dtype]]:
        """Leave lengths open that a slice has only of arrays which are long enough."""
        try:
            short = run_for_shapes(node, list(zip(_filled(shapes, 1), dtypes, strict=True)))
        except (UnknowableError, MXNetError):
            (shape, dtype), *_ = found
            if node.op is None or not (node.op.graph.keeps_open and shape and shapes[0]):
                return found  # it takes no array as short as that
            pairs = zip(shapes[0], shape, strict=True)
            return [(tuple(None if before is None else now for before, now in pairs), dtype)]
        return [(_same(one[0], two[0]), one[1]) for one, two in zip(found, short, strict=True)]

    def _apply_rules(self, position: int, targets: Iterable[int]) -> None:
        node = self.nodes[position]
        op = node.op
        if op is None:
            return
        keys = _keys(node)
        known = self._known(position)
        arguments = node.arguments()
        try:
            found = dict(_expected(op, known, arguments))
            if op.reverse is not None:
                outputs = tuple(self.shapes[slot] for slot in targets)
                for key, shape in _asked(op.reverse, known, outputs, **arguments).items():
                    found[key] = _merged(found.get(key), shape) or shape
        except ShapeError as error:
            raise self._by_rule(position, error) from error
        for key, slot in zip(keys, self.sources[position], strict=True):
            if found.get(key) is not None and not _is_complete(self.shapes[slot]):
                self._learn(position, slot, found[key], key)

    def _known(self, position: int) -> dict[str, Shape | None]:
        """Return the shapes of a node's inputs by name, as rules want them."""
        node = self.nodes[position]
        keys = _keys(node)
        known: dict[str, Shape | None] = {}
        if node.op is not None and not node.op.is_variadic:
            known = dict.fromkeys(node.op.inputs)
        known.update(zip(keys, (self.shapes[s] for s in self.sources[position]), strict=True))
        return known

    def _learn(self, position: int, slot: int, shape: Shape | None, key: str) -> None:
        """Take what a node says about one of its inputs or outputs."""
        if shape is None:
            return
        before = self.shapes[slot]
        after = _merged(before, shape)
        if after is None:
            raise self._conflict(position, slot, shape, key)
        if after == before:
            return
        self.shapes[slot] = after
        for other in (self.makers[slot], *self.users[slot]):
            if other != position and not self.is_waiting[other] and not self.is_done[other]:
                self.is_waiting[other] = not self.nodes[other].is_variable
                if self.is_waiting[other]:
                    self.waiting.append(other)

    # --- errors -----------------------------------------------------------------------------

    def _check(self, position: int) -> None:
        """Refuse shapes that torch would broadcast where MXNet does not."""
        op = self.nodes[position].op
        if op is None:
            return
        if op.reverse is elementwise or op.aux:
            wrong = self._wrong(position)
            if wrong:
                raise self._refusal(position, None)

    def _wrong(self, position: int) -> list[str]:
        """Return what the operator expects of those inputs that are otherwise."""
        node = self.nodes[position]
        op = node.op
        if op is None or not node.inputs or op.shapes in _FREE:
            return []
        keys = _keys(node)
        shapes = [self.shapes[slot] for slot in self.sources[position]]
        if op.reverse is elementwise:
            expected: Mapping[str, Shape | None] = dict.fromkeys(keys, shapes[0])
        else:
            expected = _expected(op, self._known(position), node.arguments())
        return [
            f"{_told(key, entry)} of shape {expected[key]}"
            for key, entry, shape in zip(keys, node.inputs, shapes, strict=True)
            if expected.get(key) is not None and _merged(expected[key], shape) is None
        ]

    def _refusal(self, position: int, error: MXNetError | None) -> MXNetError:
        node = self.nodes[position]
        wrong = self._wrong(position)
        shapes = [self.shapes[slot] for slot in self.sources[position]]
        given = ", ".join(
            f"{_told(key, entry)} of shape {shape}"
            for key, entry, shape in zip(_keys(node), node.inputs, shapes, strict=True)
        )
        msg = f"Error in operator {node.name} ({node.file_name}): {given} was given."
        if wrong:
            msg += (
                f" Expected {', '.join(wrong)}. {self._how_to_change(position)}Change one of these "
                f"shapes, or leave a variable's out to have it inferred.{self._made_with(position)}"
            )
        elif error is not None:
            msg += f" {error}"
        kind = ShapeError if error is None or wrong else type(error)
        return kind(msg)

    def _made_with(self, position: int) -> str:
        """Return which numbers of a program the inputs of a node have their last lengths from."""
        told = []
        for entry in self.nodes[position].inputs:
            count = entry.node.params.get("num_hidden") if entry.node.op is not None else None
            line = where_given("num_hidden", int(count)) if count else ""
            if line:
                told.append(f"{entry.node.name!r} has num_hidden={count}{line}")
        return f" {'; '.join(told)}." if told else ""

    def _how_to_change(self, position: int) -> str:
        """Return what to do where an input is the other way round, or nothing."""
        op = self.nodes[position].op
        if op is None or op.reverse is elementwise:
            return ""
        known = self._known(position)
        expected = _expected(op, known, self.nodes[position].arguments())
        turned = [
            name
            for name, shape in known.items()
            if shape and len(shape) > 1 and shape != expected.get(name) == shape[::-1]
        ]
        return f"Transpose {turned[0]}, with x.T. " if turned else ""

    def _by_rule(self, position: int, error: ShapeError) -> ShapeError:
        """Return the error of a rule, with the operator and those inputs whose shape is known."""
        node = self.nodes[position]
        given = [
            f"{_told(key, entry)} of shape {self.shapes[slot]}"
            for key, entry, slot in zip(
                _keys(node), node.inputs, self.sources[position], strict=True
            )
            if _is_complete(self.shapes[slot])
        ]
        shown = f"{', '.join(given)} was given. " if given else ""
        return ShapeError(f"Error in operator {node.name} ({node.file_name}): {shown}{error}")

    def _conflict(self, position: int, slot: int, shape: Shape | None, key: str) -> ShapeError:
        node = self.nodes[position]
        what = "its output" if key == "output" else ""
        for name, entry, source in zip(
            _keys(node), node.inputs, self.sources[position], strict=True
        ):
            if name == key and source == slot:
                what = _told(key, entry)
        others = ", ".join(
            f"{_told(name, entry)} of shape {self.shapes[source]}"
            for name, entry, source in zip(
                _keys(node), node.inputs, self.sources[position], strict=True
            )
            if source != slot
        )
        msg = (
            f"Error in operator {node.name} ({node.file_name}): Shape inconsistent, {what} has "
            f"shape {self.shapes[slot]}{f' beside {others}' if others else ''}. Expected "
            f"{shape}, inferred from the rest of the graph. Change one of these shapes."
        )
        return ShapeError(msg)


def _told(key: str, entry: Entry) -> str:
    return f"{key.partition(':')[0]} {entry.node.name!r}"


def _keys(node: Node) -> list[str]:
    """Return the inputs' names, with their positions where an operator takes any number."""
    if node.op is None or not node.op.is_variadic:
        return list(node.names)
    counts: dict[str, int] = {}
    keys = []
    for name in node.names:
        counts[name] = counts.get(name, -1) + 1
        keys.append(f"{name}:{counts[name]}")
    return keys


def _expected(
    op: Op, known: Mapping[str, Shape | None], arguments: Mapping[str, Any]
) -> dict[str, Shape]:
    """Return the inputs' shapes by the operator's rule, which may want full shapes."""
    if op.shapes in _FREE or op.shapes is None:
        return {}
    if op.shapes is op.reverse:
        return _asked(op.shapes, known, **arguments)
    if next(iter(known.values()), None) is None:
        return {}  # as in MXNet: without data nothing else is known
    results = []
    for length in _lengths(known.values()):
        shapes = dict(zip(known, _filled(list(known.values()), length), strict=True))
        results.append(_asked(op.shapes, shapes, **arguments))
        if all(shape is None or _is_complete(shape) for shape in known.values()):
            break
    found = {key: _same(shape, results[-1].get(key)) for key, shape in results[0].items()}
    return {key: shape for key, shape in found.items() if shape is not None}


def _asked(rule: Callable[..., Mapping[str, Any]], *args: Any, **kwargs: Any) -> dict[str, Any]:
    """Return what a rule finds: nothing for shapes of other kinds than it is made for.

    The trial of the operator then tells what is wrong with them.
    """
    try:
        return dict(rule(*args, **kwargs))
    except (ArithmeticError, LookupError, TypeError, ValueError) as error:
        if isinstance(error, MXNetError):
            raise
        return {}


def _open_shape(node: Node) -> Shape | None:
    """Return the shape of zeros and the like if some of its lengths are told by others."""
    if node.op is None or not node.open_shape:
        return None
    given = node.arguments().get(node.open_shape, node.op.defaults.get(node.open_shape))
    if given is True:
        return (None,)
    shape = (given,) if isinstance(given, int) else given or ()
    if not isinstance(shape, (tuple, list)) or not all(isinstance(size, int) for size in shape):
        return None  # the trial tells what is wrong
    return known_part(shape) if has_unknown(shape) or not shape else None


def has_unknown(shape: Sequence[int]) -> bool:
    """Return whether a shape that a user wrote has lengths that are not known."""
    return any(length < (0 if is_np_shape() else 1) for length in shape)


def known_part(shape: Sequence[int]) -> Shape | None:
    """Return a shape that a user wrote, with None for what it leaves open.

    Outside of np mode 0 and -1 stand for lengths that are not known, and () for any shape.
    """
    if not shape and not is_np_shape():
        return None
    smallest = 0 if is_np_shape() else 1
    return tuple(int(length) if length >= smallest else None for length in shape)


def _dtype(node: Node, dtypes: Mapping[str, torch.dtype]) -> torch.dtype:
    if node.is_variable:
        return dtypes.get(node.name, torch.float32)
    given = node.arguments().get("dtype")
    return torch.float32 if given in (None, "None") else torch_dtype(given)


def _is_complete(shape: Shape | None) -> bool:
    return shape is not None and None not in shape


def _lengths(shapes: Iterable[Shape | None]) -> tuple[int, int]:
    """Return what stands for the lengths of some shapes that are not known."""
    has_many = any(shape is not None and shape.count(None) >= _MANY for shape in shapes)
    return _SHORTER if has_many else _LENGTHS


def _filled(shapes: Shapes, length: int) -> list[Any]:
    return [
        shape if shape is None else tuple(length if size is None else size for size in shape)
        for shape in shapes
    ]


def _same(one: Shape | None, two: Shape | None) -> Shape | None:
    """Return a shape with None where another trial gave another length."""
    if one == two:
        return one
    if one is None or two is None or len(one) != len(two):
        return None
    return tuple(a if a == b else None for a, b in zip(one, two, strict=True))


def _left_open(shape: Shape, operands: Shapes) -> Shape:
    """Return a shape with None where an operand that was broadcast has no known length."""
    reach = len(shape)
    axes = {
        reach - len(operand) + axis
        for operand in operands
        if operand is not None
        for axis, length in enumerate(operand)
        if length is None
    }
    return tuple(None if axis in axes else length for axis, length in enumerate(shape))


def _merged(one: Shape | None, two: Shape | None) -> Shape | None:
    """Return what two partly known shapes say together; None if they contradict each other."""
    if one is None or two is None or one == two:
        return two if one is None else one
    if len(one) != len(two):
        return None
    if any(a != b and a is not None and b is not None for a, b in zip(one, two, strict=True)):
        return None
    return tuple(b if a is None else a for a, b in zip(one, two, strict=True))
