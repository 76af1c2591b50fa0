"""How a program makes its layers and parameters: their channels, initializers, names and lines."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING, Any

from gluonish.errors.program_assignments import scope_of, sets
from gluonish.errors.program_text import (
    expression,
    nodes_of_file,
    of_file,
    of_function,
    place,
    statement,
    value_of,
)
from gluonish.errors.tracebacks import users_frame

if TYPE_CHECKING:
    from types import FrameType

_LONGEST = 90  # letters of a list that is repeated
_VECTORS = {"bias": "zeros", "beta": "zeros", "gamma": "ones"}


def channels_of_block(otherwise: object) -> str:
    """Return how the Block that runs writes the channels of its last convolution, or a number.

    Parameters
    ----------
    otherwise : object
        What stands there where no Block of the program runs, or its convolutions take a number.

    Examples
    --------
    >>> from gluonish.errors.program_layers import channels_of_block
    >>> channels_of_block(32)
    '32'
    """
    _, frame = users_frame()
    block = None if frame is None else frame.f_locals.get("self")
    tree = None if frame is None or block is None else of_file(frame.f_code.co_filename)
    found = str(otherwise)
    nodes = [*ast.walk(tree)] if tree is not None else []
    classes = [one for one in nodes if isinstance(one, ast.ClassDef)]
    for node in (n for c in classes if c.name == type(block).__name__ for n in ast.walk(c)):
        if isinstance(node, ast.Call) and node.args and isinstance(node.args[0], ast.Name):
            is_layer = ast.unparse(node.func).rpartition(".")[2].startswith("Conv")
            found = node.args[0].id if is_layer else found
    return found


def added_to(cls: type, name: str) -> str:
    """Return how what a program's constructor puts into a list of its object is added to a net.

    Parameters
    ----------
    cls : type
        The program's class.
    name : str
        The attribute that holds the list.

    Examples
    --------
    >>> from gluonish.errors.program_layers import added_to
    >>> added_to(dict, "layers")
    'self.layers.add(layer) for each'
    """
    function = of_function(vars(cls).get("__init__"))
    whole, layer = "", "layer"
    for node in [] if function is None else ast.walk(function):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == f"self.{name}":
            value = ast.unparse(node.value)
            is_all = isinstance(node.value, (ast.List, ast.ListComp)) and value != "[]"
            whole = f"self.{name}.add(*{value})" if is_all and len(value) <= _LONGEST else whole
        if isinstance(node, ast.Call) and ast.unparse(node.func) == f"self.{name}.append":
            layer = ast.unparse(node.args[0]) if len(node.args) == 1 else layer
            whole = f"self.{name}.add({layer}) for each"
    return whole or f"self.{name}.add({layer}) for each"


def written_initializer(name: str) -> str:
    """Return what to write for a vector's initializer, where a program's line names it, or ''.

    Parameters
    ----------
    name : str
        The parameter: `dense0_bias`.

    Examples
    --------
    >>> from gluonish.errors.program_layers import written_initializer
    >>> written_initializer("dense0_bias")
    ''
    """
    kind = next((kind for kind in _VECTORS if name.endswith(kind)), "")
    for node in nodes_of_file():
        if isinstance(node, ast.Call) and (own := _own_initializer(node, name)):
            return own
        if not kind or not isinstance(node, ast.keyword) or node.arg is None:
            continue
        is_right = ast.unparse(node.value) in ("'zeros'", "'ones'")
        if node.arg.endswith(f"{kind}_initializer") and not is_right:
            return (
                f"Write {node.arg}={_VECTORS[kind]!r} in the place of {ast.unparse(node)}, in line "
                f"{node.value.lineno}."
            )
    return ""


def where_written(value: str | int) -> str:
    """Return in which other line than the one that runs a program writes a value; '' if in none.

    A number is found where it stands once.

    Examples
    --------
    >>> from gluonish.errors.program_layers import where_written
    >>> where_written("he_normal")
    ''
    """
    _, frame = users_frame()
    lines = [
        node.lineno
        for node in nodes_of_file()
        if isinstance(node, ast.Constant) and node.value == value
    ]
    if not lines or frame is None or frame.f_lineno in lines:
        return ""
    if isinstance(value, int) and len(lines) > 1:  # numbers stand for many things
        return ""
    several = sorted({*lines})
    return f", in line{'s' * (len(several) > 1)} {', '.join(map(str, several))}"


def where_given(keyword: str, value: int) -> str:
    """Return in which line a program gives a number by a keyword; '' if in none, or in several.

    Examples
    --------
    >>> from gluonish.errors.program_layers import where_given
    >>> where_given("in_units", 400)
    ''
    """
    _, frame = users_frame()
    lines = [
        node.value.lineno
        for node in nodes_of_file()
        if isinstance(node, ast.keyword) and node.arg == keyword
        if frame is not None and _number(node.value, frame) == value
    ]
    return f", in line {lines[0]}" if len(lines) == 1 else ""


def _number(node: ast.expr, frame: FrameType) -> int | None:
    """Return the whole number that a name, a constant or their product stands for; or None."""
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Mult):
        one, two = _number(node.left, frame), _number(node.right, frame)
        return None if one is None or two is None else one * two
    held = node.value if isinstance(node, ast.Constant) else value_of(node, frame)
    return held if type(held) is int else None


def called_in(method: str, argument: str | None = None) -> str:
    """Return in which line a program calls a method or function, with one name if that is asked.

    '' if in none, or in several.

    Examples
    --------
    >>> from gluonish.errors.program_layers import called_in
    >>> called_in("transform", "scale")
    ''
    """
    lines = list[int]()
    for node in nodes_of_file():
        called = ast.unparse(node.func) if isinstance(node, ast.Call) else ""
        if isinstance(node, ast.Call) and called.rpartition(".")[2] == method:
            given = [ast.unparse(each) for each in (*node.args, *node.keywords)]
            if argument is None or given[:1] == [argument]:
                lines.append(node.lineno)
    return f", in line {lines[0]}" if len(lines) == 1 else ""


def classes_without(base: str, decorator: str) -> list[str]:
    """Return the classes of a program that derive from one by its name, and lack a decorator.

    Examples
    --------
    >>> from gluonish.errors.program_layers import classes_without
    >>> classes_without("CustomOpProp", "register")
    []
    """
    return [
        node.name
        for node in nodes_of_file()
        if isinstance(node, ast.ClassDef)
        if any(ast.unparse(each).rpartition(".")[2] == base for each in node.bases)
        if not any(decorator in ast.unparse(each) for each in node.decorator_list)
    ]


def is_told(keyword: str, value: str) -> bool:
    """Return whether a program's calls have a keyword whose value mentions a text.

    Examples
    --------
    >>> from gluonish.errors.program_layers import is_told
    >>> is_told("label_names", "softmax_label")
    False
    """
    nodes = nodes_of_file()
    told = [node.value for node in nodes if isinstance(node, ast.keyword) and node.arg == keyword]
    return any(repr(value) in ast.unparse(each) for each in told)


def _own_initializer(call: ast.Call, name: str) -> str:
    """Return what to write where a program makes a vector by `params.get('scale', init=...)`."""
    first = call.args[0] if call.args else None
    own = str(first.value) if isinstance(first, ast.Constant) else ""
    is_made = ast.unparse(call.func).endswith(("params.get", "Parameter")) and bool(own)
    given = next((each for each in call.keywords if each.arg == "init"), None)
    if not is_made or given is None or not name.endswith(own):
        return ""
    return (
        f"Write init='ones' for a scale, init='zeros' for a shift, or init=mx.init.Normal(0.01), "
        f"in the place of {ast.unparse(given)}, in line {given.value.lineno}."
    )


def attribute_set() -> tuple[str, str]:
    """Return which attribute a program's line sets, and the text of the value; or `weight`.

    Examples
    --------
    >>> from gluonish.errors.program_layers import attribute_set
    >>> attribute_set()
    ('weight', '')
    """
    node = statement()
    if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Attribute):
        return node.targets[0].attr, ast.unparse(node.value)
    return "weight", ""


def made_in_call(param: object) -> tuple[str, str, str] | None:
    """Return how a layer is made that a Block makes and calls in its own call, or None.

    Returns
    -------
    tuple of str
        What makes it, an attribute for it, and the call of that.

    Examples
    --------
    >>> from gluonish.errors.program_layers import made_in_call
    >>> made_in_call(None)
    """
    _, frame = users_frame()
    node = expression(place())
    block: Any = None if frame is None else frame.f_locals.get("self")
    if frame is None or not isinstance(node, ast.Call) or not hasattr(block, "collect_params"):
        return None
    made: ast.AST | None = node.func
    if isinstance(made, ast.Name):
        scope = scope_of(frame)
        values = [
            each.value
            for each in (ast.walk(scope) if scope is not None else ())
            if isinstance(each, ast.Assign) and sets(each, made.id)
        ]
        made = values[0] if len(values) == 1 else None
    if not isinstance(made, ast.Call):
        return None
    if any(each is param for each in block.collect_params().values()):
        return None
    name = ast.unparse(made.func).rpartition(".")[2].lower()
    given = ", ".join(map(ast.unparse, node.args))
    return ast.unparse(made), name, f"self.{name}({given})"
