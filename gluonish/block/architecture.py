"""`Block.save` and `load`: parameters with the names that Blocks had, and the graphs of some."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from gluonish.block.exporting import grouped, latest_graph
from gluonish.errors import ArchitectureError
from gluonish.serialization import json_text
from gluonish.serialization.files import open_source, path_text, replacing

if TYPE_CHECKING:
    import os

    from gluonish.block.block import Block
    from gluonish.block.parameter import Parameter

_SAVED = "orig_name"


def save(block: Block, prefix: str | os.PathLike[str]) -> None:
    """Write names and graphs to `prefix-model.json`, parameters to `prefix-model.params`."""
    start = path_text(prefix)
    found: dict[str, Any] = {}
    _describe(block, found, 0)
    block.save_parameters(f"{start}-model.params")
    with replacing(f"{start}-model.json") as stream:
        stream.write(json.dumps(found).encode())


def _describe(block: Block, into: dict[str, Any], number: int) -> int:
    """Add a Block and its children to a description; return the next free number."""
    own: dict[str, Any] = {_SAVED: block.name}
    into[f"{_kind(block)}{number}"] = own
    if hasattr(block, "hybrid_forward"):
        graph = _graph(block)
        own |= {**graph, "hybridized": bool(graph)}
    own["children"] = {child.name: key for key, child in block._children.items()}
    number += 1
    for child in block._children.values():
        number = _describe(child, own, number)
    return number


def _graph(block: Any) -> dict[str, Any]:
    graph = latest_graph(block)
    if not graph:
        return {}
    inputs, outputs = graph
    return {
        "in_format": [0] * len(inputs),
        "out_format": _format(outputs),
        "inputs": [symbol.tojson() for symbol in inputs],
        "symbol": grouped(outputs).tojson(),
    }


def _format(outputs: Any) -> Any:
    return [_format(part) for part in outputs] if isinstance(outputs, (list, tuple)) else 0


def load(block: Block, prefix: str | os.PathLike[str]) -> None:
    """Give a Block, its children and their parameters the names and values that were saved.

    Raises
    ------
    ArchitectureError
        The file does not describe such a Block.
    """
    start = path_text(prefix)
    file = f"{start}-model.json"
    with open_source(file) as source:
        text = source.stream.read()
    try:
        found = json_text.parse(text)
    except ValueError as error:
        raise _refusal(file, f"it is no JSON ({error})") from error
    if not isinstance(found, dict) or len(found) != 1:
        raise _refusal(file, "it does not describe one Block")
    names: list[tuple[Block, str]] = []
    _compare(block, found, 0, file, names)
    block.load_parameters(f"{start}-model.params")
    _rename(names)
    if next(iter(found.values())).get("hybridized") is True:
        block.hybridize()


def _compare(
    block: Block, within: dict[str, Any], number: int, file: str, names: list[tuple[Block, str]]
) -> int:
    """Find the names of a Block and its children; return the next free number."""
    key = f"{_kind(block)}{number}"
    own = within.get(key)
    if not isinstance(own, dict) or not isinstance(own.get(_SAVED), str):
        there = [name for name, value in within.items() if isinstance(value, dict)]
        there = [name for name in there if name != "children"]
        raise _refusal(file, f"it has no {key!r} for {block.name!r}, but {there or 'nothing'}")
    children = own.get("children")
    count = len(children) if isinstance(children, dict) else 0
    if count != len(block._children):
        raise _refusal(
            file, f"{key!r} has {count} children, and {block.name!r} has {len(block._children)}"
        )
    names.append((block, own[_SAVED]))
    number += 1
    for child in block._children.values():
        number = _compare(child, own, number, file, names)
    return number


def _rename(names: list[tuple[Block, str]]) -> None:
    renamed: dict[Parameter, str] = {}
    for block, name in names:
        prefix = block.prefix
        new = f"{name}_" if name else ""
        if block.name and prefix == f"{block.name}_":
            for param in block.params.values():
                if param.name.startswith(prefix):
                    renamed.setdefault(param, new + param.name[len(prefix) :])
            block._rename(name, new)  # noqa: SLF001 - the Block's other half
        else:
            block._rename(name, prefix)  # noqa: SLF001
    for param, full in renamed.items():
        param.rename(full)
    for block, _ in names:
        block.params.follow_names()


def _kind(block: Block) -> str:
    return type(block).__name__.lower()


def _refusal(file: str, reason: str) -> ArchitectureError:
    msg = (
        f"Loading {file!r}: {reason}. Expected what save() wrote for a Block that was built in the "
        f"same way. Build it with the same layers in the same order."
    )
    return ArchitectureError(msg)
