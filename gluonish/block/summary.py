"""The table that `Block.summary` prints: MXNet's, line for line, or one with costs beside it."""

from __future__ import annotations

import contextlib
import inspect
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array import NDArray
from gluonish.block.costs import Costs, memory_of, memory_text
from gluonish.display.tables import heading, show, table
from gluonish.errors import ArgumentKindError, UnknownArgumentError
from gluonish.errors.habits.keywords import POSITIONS
from gluonish.errors.wording import counted, percent

if TYPE_CHECKING:
    from collections.abc import Iterator

    from gluonish.block.block import Block
    from gluonish.block.hooks import HookHandle
    from gluonish.block.parameter import Parameter

_WIDTH = 80
_LINE = "{:>20}  {:>42} {:>15}"
_TITLES = "Layer (type)", "Output Shape", "Param #"
_MORE = "Trained", "Multiply-adds", "Memory"


class _Table:
    """Rows of the summary and the parameters that were counted."""

    def __init__(self) -> None:
        self.rows: list[tuple[str, str, int]] = []
        self.total = self.trainable = self.shared = 0
        self._seen: set[int] = set()

    def add_layer(self, block: Block, output: Any) -> None:
        """Add one layer's row after it has run."""
        name = f"{type(block).__name__}-{len(self.rows)}"
        own = sum(self._count(param) for param in block.params.values())
        self.rows.append((name, _shapes(output), own))

    def _count(self, param: Parameter) -> int:
        size = param.data().size
        self.total += size
        self.trainable += 0 if param.grad_req == "null" else size
        if id(param) in self._seen:
            self.shared += size
        self._seen.add(id(param))
        return size

    @override
    def __repr__(self) -> str:
        lines = ["-" * _WIDTH, _LINE.format(*_TITLES)]
        lines += ["=" * _WIDTH, *(_LINE.format(*row) for row in self.rows), "=" * _WIDTH]
        lines += [
            "Parameters in forward computation graph, duplicate included",
            f"   Total params: {self.total}",
            f"   Trainable params: {self.trainable}",
            f"   Non-trainable params: {self.total - self.trainable}",
            f"Shared params in forward computation graph: {self.shared}",
            f"Unique parameters in model: {self.total - self.shared}",
            "-" * _WIDTH,
        ]
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        unique = self.total - self.shared
        said = [f"{unique:,} parameters", f"{self.trainable:,} are trained"]
        said += [f"{self.shared:,} are shared"] if self.shared else []
        rows = [[name, shapes, f"{count:,}"] for name, shapes, count in self.rows]
        return heading("Summary", *said) + table(_TITLES, rows, numbers=_TITLES[1:])


class _Detailed(_Table):
    """A table with what each layer costs."""

    def __init__(self, costs: Costs) -> None:
        super().__init__()
        self._costs = costs
        self._details: list[tuple[str, int, int]] = []
        self._own: dict[int, tuple[int, int, bool]] = {}  # numbers, bytes, whether trained

    @override
    def add_layer(self, block: Block, output: Any) -> None:
        total, trained = self.total, self.trainable
        super().add_layer(block, output)
        count = self.total - total
        share = percent(self.trainable - trained, count) if count else ""
        self._details.append((share, self._costs.leave(), memory_of(output)))
        for param in block.params.values():
            value = param.data()
            self._own[id(param)] = value.size, memory_of(value), param.grad_req != "null"

    @override
    def __repr__(self) -> str:
        line = "{:>20}  {:>26} {:>12} {:>8} {:>14} {:>11}"
        width = len(line.format(*_TITLES, *_MORE))
        rows = [line.format(*row).rstrip() for row in self._rows()]
        return "\n".join(
            ["-" * width, line.format(*_TITLES, *_MORE), "=" * width, *rows, "=" * width,
             *self._totals(), "-" * width]
        )  # fmt: skip

    @override
    def _repr_html_(self) -> str:
        told = [text.strip() for text in self._totals()]
        return heading("Summary", *told) + table(
            [*_TITLES, *_MORE], self._rows(), numbers=[*_TITLES[1:], *_MORE]
        )

    def _rows(self) -> list[list[str]]:
        details = [("", "", "")] + [
            (share, f"{count:,}", memory_text(size)) for share, count, size in self._details
        ]
        return [
            [name, shapes, f"{count:,}", *more]
            for (name, shapes, count), more in zip(self.rows, details, strict=True)
        ]

    def _totals(self) -> list[str]:
        count = sum(size for size, *_ in self._own.values())
        trained = sum(size for size, _, is_trained in self._own.values() if is_trained)
        share = f" ({percent(trained, count)})" if count else ""
        held = memory_text(sum(size for _, size, _ in self._own.values()))
        outputs = memory_text(sum(size for *_, size in self._details))
        return [
            f"Parameters: {count:,}; {trained:,} are trained{share}, {self.shared:,} are shared",
            f"Multiply-adds of matrix products and convolutions: {self._costs.total():,}",
            f"Memory: parameters {held}, outputs of layers {outputs}",
        ]


def _check(block: Block, inputs: tuple[Any, ...]) -> None:
    signature = inspect.signature(block.forward)
    try:
        signature.bind(*inputs)
    except TypeError:
        one_by_one = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.POSITIONAL_OR_KEYWORD)
        names = [
            name
            for name, each in signature.parameters.items()
            if each.kind in one_by_one and each.default is each.empty
        ]
        how = f"a batch to send through it. {POSITIONS['summary']}."
        if len(names) > 1:
            how = f"a batch for each of {', '.join(names)}. Write net.summary({', '.join(names)})."
        msg = (
            f"{type(block).__name__} '{block.name}': summary was given "
            f"{counted(len(inputs), 'argument')}. Expected {how}"
        )
        raise UnknownArgumentError(msg) from None


def _refuse_shapes(block: Block, inputs: tuple[Any, ...]) -> None:
    """Refuse a shape where a batch of that shape is meant."""
    for given in inputs:
        if isinstance(given, (tuple, list)) and given and all(type(n) is int for n in given):
            msg = (
                f"{type(block).__name__} '{block.name}': summary was given the shape {given!r}. "
                f"Expected a batch of it. Write net.summary(mx.nd.ones({tuple(given)}))."
            )
            raise ArgumentKindError(msg)


def print_summary(block: Block, inputs: tuple[Any, ...], *, details: bool) -> None:
    """Run a Block once, in Python, and print the output shapes and parameters of its layers."""
    _check(block, inputs)
    _refuse_shapes(block, inputs)
    with Costs(is_counting=details) as costs, _in_python(block):
        summary = _Detailed(costs) if details else _Table()
        summary.rows.append(("Input", _shapes(inputs), 0))
        handles: list[HookHandle] = []

        def watch(layer: Block) -> None:
            if not layer._in_summary:
                return
            if details:
                handles.append(layer.register_forward_pre_hook(lambda *_: costs.enter()))
            handles.append(
                layer.register_forward_hook(lambda b, _inputs, output: summary.add_layer(b, output))
            )

        try:
            block.apply(watch)
            block(*inputs)
        finally:
            for handle in handles:
                handle.detach()
    show(summary)


@contextlib.contextmanager
def _in_python(block: Block) -> Iterator[None]:
    """Have a Block and its children run in Python, whose layers are seen, hybridized or not."""
    found: dict[Block, Any] = {}
    block.apply(lambda one: found.setdefault(one, one._graphs))
    try:
        for one in found:
            one._graphs = None
        yield
    finally:
        for one, graphs in found.items():
            one._graphs = graphs


def _shapes(value: Any) -> str:
    if isinstance(value, (list, tuple)):
        return ", ".join(map(_nested, value))
    return _nested(value)


def _nested(value: Any) -> str:
    if isinstance(value, NDArray):
        return str(value.shape)
    if isinstance(value, (list, tuple)):
        return f"[{', '.join(map(_nested, value))}]"
    return str(value)
