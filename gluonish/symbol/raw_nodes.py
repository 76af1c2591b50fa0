"""Makes nodes out of what files say of them, older spellings included."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

from gluonish.array.texts import literal, parse
from gluonish.errors import MXNetError
from gluonish.ops.table.graph_names import Found, find
from gluonish.ops.table.loose_keywords import is_hidden, reads_none
from gluonish.symbol.attributes import HIDDEN, cut, initial, missing
from gluonish.symbol.graph import Entry, Node

if TYPE_CHECKING:
    from collections import Counter
    from collections.abc import Mapping, Sequence

    from gluonish.ops.table import Op
    from gluonish.symbol.reading import Raw

_WITHOUT_STATES = 900  # before 0.9 files left out what operators update themselves
_WITHOUT_INITIALIZERS = 904  # before 0.9.4 they did not say what that starts with
_POSITIVE = ("num_hidden", "num_filter", "num_group", "num_layers", "num_outputs", "state_size")
_MOST = 1 << 31
_MOST_OUTPUTS = 1 << 16
_UNREAD = ("num_args", "ctx")  # what counts inputs, and what only arrays need


def build(
    raw: Raw, inputs: list[Entry], version: int, unknown: Counter[str], problems: list[str]
) -> Node:
    """Return the node that a file describes.

    Parameters
    ----------
    raw : Raw
        What the file says.
    inputs : list of Entry
        Its inputs.
    version : int
        MXNet's version in the file: 10901 for 1.9.1.
    unknown : Counter of str
        Counts its operator, if that is not known.
    problems : list of str
        Receives what else is wrong. The node then is of no use.
    """
    attrs, rest, for_inputs = _sorted_out(raw)
    if raw.op == "null":
        return Node(None, raw.name, attrs=attrs | rest)
    found = _operator(raw, rest, unknown, problems)
    if found is None:
        return Node(None, raw.name)
    op, space, path = found
    if op.graph.modernize is not None:
        op.graph.modernize(version, rest)
    if reads_none(op):
        attrs |= {key: rest.pop(key) for key in [*rest] if not _is_read(op, key)}
    count = len(problems)
    params = _params(op, rest, f"{raw.name!r} ({raw.op})", problems)
    if len(problems) > count:
        return Node(None, raw.name)
    node = Node(op, raw.name, space, path, params, attrs, spelled=rest)
    try:
        names = _names(node, len(inputs), version)
        for name in names[len(inputs) :]:
            made = Node(None, f"{raw.name}_{name}", attrs=node.texts())
            inputs.append(Entry(made, 0))
        node.inputs, node.names = inputs, tuple(names)
        if node.outputs > _MOST_OUTPUTS:
            problems.append(f"{raw.name!r} ({raw.op}): {node.outputs} outputs")
            return Node(None, raw.name)
    except (MXNetError, ArithmeticError, LookupError, TypeError, ValueError) as error:
        problems.append(f"{raw.name!r} ({raw.op}): {error}")
        return Node(None, raw.name)
    for name, entry in zip(node.names, node.inputs, strict=True):
        _complete(entry.node, node, name, for_inputs, version)
    return node


def _complete(
    variable: Node, node: Node, name: str, for_inputs: Mapping[str, dict[str, str]], version: int
) -> None:
    """Give an input's variable the attributes that old files have at the operator."""
    if not variable.is_variable:
        return
    variable.attrs.update(for_inputs.get(name, {}))
    if version < _WITHOUT_INITIALIZERS and node.op is not None and name in node.op.aux:
        start = initial(node.op, name)
        if start is not None:
            variable.attrs.setdefault("__init__", start)


def _sorted_out(
    raw: Raw,
) -> tuple[dict[str, str], dict[str, str], dict[str, dict[str, str]]]:
    """Return a node's hidden attributes, its other ones, and the hidden ones of its inputs."""
    attrs: dict[str, str] = {}
    rest: dict[str, str] = {}
    for_inputs: dict[str, dict[str, str]] = {}
    for key, text in raw.attrs.items():
        suffix = next((word for word in HIDDEN if key == word or key.endswith(f"_{word}")), None)
        if is_hidden(key):
            attrs[key] = text
        elif suffix == key:
            attrs[f"__{key}__"] = text
        elif suffix is not None and raw.op != "null":
            name = key.removesuffix(f"_{suffix}")
            for_inputs.setdefault(name, {})[f"__{suffix}__"] = text
        else:
            rest[key] = text
    return attrs, rest, for_inputs


def _operator(
    raw: Raw, rest: Mapping[str, str], unknown: Counter[str], problems: list[str]
) -> Found | None:
    found = find(raw.op, rest.get("op_type", ""))
    if found is None:
        unknown[cut(raw.op)] += 1
        return None
    if found.op.graph.stands_for is not None:
        try:
            return Found(found.op.graph.stands_for(rest), found.space, found.path)
        except MXNetError as error:
            problems.append(f"{raw.name!r}: {error}")
            return None
    return found


def _params(op: Op, texts: Mapping[str, str], where: str, problems: list[str]) -> dict[str, Any]:
    """Return an operator's arguments, read from text."""
    parameters = op.signature.parameters
    params: dict[str, Any] = {}
    for key, text in texts.items():
        name = op.attributes.get(key, key)
        if not name or key in _UNREAD or (key == "op_type" and "op_type" not in parameters):
            continue
        if name in op.inputs:
            if text != "None":  # a number where there could be an array
                try:
                    params[name] = literal(text)
                except ValueError:
                    problems.append(f"{where}: {name}={cut(text)!r} is no number")
            continue
        if name not in parameters or name == "out":  # arrays alone have somewhere to go
            if not _is_custom(op):
                problems.append(f"{where}: Cannot find argument {cut(key)!r}")
            continue
        try:
            params[name] = value = parse(text, parameters[name], where)
        except MXNetError as error:
            problems.append(str(error))
            continue
        if name in _POSITIVE and (type(value) is not int or not 0 < value < _MOST):
            problems.append(f"{where}: {name}={cut(text)!r} is out of range")
    for name, value in op.defaults.items():
        params.setdefault(name, value)
    problems += [f"{where}: {name} is missing" for name in missing(op, params)]
    return params


def _is_read(op: Op, key: str) -> bool:
    name = op.attributes.get(key, key)
    return not name or name in op.signature.parameters or key in _UNREAD


def _is_custom(op: Op) -> bool:
    return hasattr(op.function, "needs_heads")


def _names(node: Node, count: int, version: int) -> Sequence[str]:
    """Return the names of a node's inputs, those included that an old file leaves out."""
    op = node.op
    if op is None:
        return ()
    if op.is_variadic:
        fixed = len(op.inputs) - 1
        return [*op.inputs[:fixed], *[op.inputs[-1]] * max(count - fixed, 0)]
    arguments = node.arguments()
    if op.arguments is not None:
        names = [name for name in op.arguments(arguments) if name not in node.params]
    else:
        parameters = op.signature.parameters
        names = [name for name in op.inputs if parameters[name].default is inspect.Parameter.empty]
        names = [name for name in names if name not in node.params]
        if count > len(names):
            names = [name for name in op.inputs if name not in node.params][:count]
    left_out = names[count:]
    if len(names) < count or (left_out and version >= _WITHOUT_STATES):
        msg = f"{count} inputs, not {len(names)}: {', '.join(names)}"
        raise MXNetError(msg)
    return names
