"""The table that `Block.summary` prints, line for line as MXNet's."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array import NDArray
from gluonish.display.tables import heading, show, table
from gluonish.errors import ParameterError

if TYPE_CHECKING:
    from gluonish.block.block import Block
    from gluonish.block.hooks import HookHandle
    from gluonish.block.parameter import Parameter

_WIDTH = 80
_LINE = "{:>20}  {:>42} {:>15}"
_TITLES = "Layer (type)", "Output Shape", "Param #"


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


def print_summary(block: Block, inputs: tuple[Any, ...]) -> None:
    """Run a Block once and print the output shapes and parameters of its layers."""
    _refuse_hybridized(block)
    summary = _Table()
    summary.rows.append(("Input", _shapes(inputs), 0))
    handles: list[HookHandle] = []

    def watch(layer: Block) -> None:
        if not layer._in_summary:
            return
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


def _refuse_hybridized(block: Block) -> None:
    if block._graphs is not None:
        msg = (
            f'"{block.name}" must not be hybridized to print summary. Call net.summary(...) before '
            f"net.hybridize(), or net.hybridize(False) first."
        )
        raise ParameterError(msg)
    for child in block._children.values():
        _refuse_hybridized(child)


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
