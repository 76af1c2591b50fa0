"""What operators there are, and what they take."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from gluonish.errors import UnknownOperatorError
from gluonish.ops import ops
from gluonish.ops.table import file_name

if TYPE_CHECKING:
    import inspect

    from gluonish.ops import Op

__all__ = [
    "OperatorArguments",
    "get_all_registered_operators",
    "get_all_registered_operators_grouped",
    "get_operator_arguments",
]


class OperatorArguments(NamedTuple):
    """What an operator takes: how many arguments, their names and kinds."""

    narg: int
    names: list[str]
    types: list[str]


def get_all_registered_operators() -> list[str]:
    """Return the names of all operators, as files of Symbols have them.

    Examples
    --------
    >>> import gluonish as mx
    >>> 'FullyConnected' in mx.operator.get_all_registered_operators()
    True
    """
    return sorted(_by_file_name())


def get_all_registered_operators_grouped() -> dict[str, list[str]]:
    """Return the names of all operators, each with the other names that it has.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.operator.get_all_registered_operators_grouped()['SoftmaxOutput']
    ['Softmax']
    """
    starts = {"nd": "", "np": "_npi_", "npx": "_npx_"}
    groups: dict[str, list[str]] = {}
    for each in ops():
        for (space, path), name in each.files.items():
            group = groups.setdefault(name, [])
            other = file_name(path, starts[space])
            if other != name and other not in group:
                group.append(other)
    return {name: sorted(groups[name]) for name in sorted(groups)}


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """Return what an operator takes: how many arguments, their names and kinds.

    Parameters
    ----------
    op_name : str
        The operator's name in files of Symbols.

    Raises
    ------
    UnknownOperatorError
        There is no such operator.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.operator.get_operator_arguments('Flatten')
    OperatorArguments(narg=1, names=['data'], types=['NDArray-or-Symbol'])
    """
    found = _by_file_name().get(op_name)
    if found is None:
        msg = (
            f"get_operator_arguments: Operator {op_name} is not registered. Expected one of "
            f"those that get_all_registered_operators() lists. Correct the name."
        )
        raise UnknownOperatorError(msg)
    parameters = [
        parameter
        for parameter in found.signature.parameters.values()
        if parameter.kind is not parameter.VAR_KEYWORD and parameter.name != "ctx"
    ]
    names = [parameter.name for parameter in parameters]
    types = [_kind(found, parameter) for parameter in parameters]
    return OperatorArguments(len(names), names, types)


def _by_file_name() -> dict[str, Op]:
    return {name: each for each in ops() for name in each.files.values()}


_KINDS = (
    ("bool", "boolean"),
    ("float", "float"),
    ("tuple", "Shape(tuple)"),
    ("Sequence", "Shape(tuple)"),
    ("int", "int"),
    ("str", "string"),
)


def _kind(op: Op, parameter: inspect.Parameter) -> str:
    annotation = str(parameter.annotation)
    if parameter.name in op.inputs:
        many = parameter.kind is parameter.VAR_POSITIONAL or "Sequence" in annotation
        return "NDArray-or-Symbol[]" if many else "NDArray-or-Symbol"
    kind = next((told for sign, told in _KINDS if sign in annotation), "string")
    if parameter.default is parameter.empty:
        return f"{kind}, required"
    if parameter.default is None:
        return f"{kind} or None, optional, default=None"
    return f"{kind}, optional, default={_shown(parameter.default)}"


def _shown(default: object) -> str:
    if isinstance(default, (bool, int, float)):
        return f"{default:g}"
    return str(list(default)) if isinstance(default, (list, tuple)) else repr(default)
