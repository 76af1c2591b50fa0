"""What a program's line hands over to what it calls, as it is written there."""

from __future__ import annotations

import ast
import re
from typing import TYPE_CHECKING

from gluonish.errors.program_text import (
    expression,
    names_of_objects,
    nodes_of_file,
    of_line,
    place,
    short_name,
    text_of,
    value_of,
)
from gluonish.errors.tracebacks import users_frame

if TYPE_CHECKING:
    from collections.abc import Sequence

_LONGEST = 30  # letters of an expression that advice repeats
_LONG = 60  # letters of a call
_SEVERAL = 2
_SPACES = frozenset(("nd", "np", "npx", "sym", "F"))  # whose functions take arrays


def last_argument() -> str:
    """Return what a program calls the last thing that it hands over; '' if it has no short name.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import last_argument
    >>> last_argument()
    ''
    """
    node = expression(place())
    return short_name(node.args[-1]) if isinstance(node, ast.Call) and node.args else ""


def of_argument(advice: str) -> str:
    """Return advice about `x` with what a program calls the only array of an operator.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import of_argument
    >>> of_argument("Convert it with x.astype('float32')")
    "Convert it with x.astype('float32')"
    """
    node = expression(place())
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Attribute):
        return advice
    owner = node.func.value
    is_function = ast.unparse(owner).rpartition(".")[2] in _SPACES
    name = short_name(node.args[0] if node.args else owner) if is_function else short_name(owner)
    return re.sub(r"(?<![\w.'\"])x(?=\.[a-zT])", lambda _: name, advice) if name else advice


def without_list(arguments: str, otherwise: str = "") -> str:
    """Return a program's call of one list as one of its elements; `net(*list)` if it is none.

    `otherwise` is returned in the place of the latter, if it is given.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import without_list
    >>> without_list('x, y')
    'net(x, y), or with the star, net(*list)'
    """
    node = expression(place())
    if isinstance(node, ast.Call) and len(node.args) == 1 and short_name(node.func):
        if isinstance(node.args[0], (ast.List, ast.Tuple)):
            return f"{short_name(node.func)}({', '.join(map(ast.unparse, node.args[0].elts))})"
        if short_name(node.args[0]):
            return f"{short_name(node.func)}(*{short_name(node.args[0])})"
    return otherwise or f"net({arguments}), or with the star, net(*list)"


def written_arguments(name: str, parameters: Sequence[str]) -> dict[str, str]:
    """Return what a program's call of a function or method hands over, by its parameters.

    Parameters
    ----------
    name : str
        The function's.
    parameters : list of str
        Its parameters; the first is what a method is called on.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import written_arguments
    >>> written_arguments("dot", ["lhs", "rhs"])
    {}
    """
    node, (_, frame) = expression(place()), users_frame()
    if not isinstance(node, ast.Call) or frame is None:
        return {}
    if ast.unparse(node.func).rpartition(".")[2] != name:
        return {}
    given = list(node.args)
    if isinstance(node.func, ast.Attribute):
        held = value_of(node.func.value, frame)
        given = [node.func.value, *given] if hasattr(held, "as_in_context") else given
    texts = {key: short_name(each) for key, each in zip(parameters, given, strict=False)}
    texts |= {str(each.arg): short_name(each.value) for each in node.keywords}
    return {key: text for key, text in texts.items() if text and text != key}


def callee() -> str:
    """Return what a program's line calls, as it writes it; '' if that is long or nothing.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import callee
    >>> callee()
    'callee'
    """
    node = expression(place())
    return short_name(node.func) if isinstance(node, ast.Call) else ""


def with_unused(given: Sequence[object]) -> str:
    """Return a program's call with one array more, if it has one alike that it uses nowhere; or ''.

    Parameters
    ----------
    given : list
        The arrays that the call has, all of one shape.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import with_unused
    >>> with_unused([])
    ''
    """
    node = expression(place())
    shapes = [getattr(each, "shape", None) for each in given]
    if not isinstance(node, ast.Call) or not shapes or not isinstance(shapes[0], tuple):
        return ""
    if any(shape != shapes[0] for shape in shapes):
        return ""
    names = [each for each in nodes_of_file() if isinstance(each, ast.Name)]
    read = {each.id for each in names if isinstance(each.ctx, ast.Load)}
    alike = names_of_objects(lambda held: getattr(held, "shape", None) == shapes[0])
    unused = [name for name, held in alike if name not in read]
    if len(unused) != 1:
        return ""
    text = ast.unparse(ast.Call(node.func, [*node.args, ast.Name(unused[0])], node.keywords))
    return text if len(text) <= _LONG else ""


def lengths(shape: Sequence[object]) -> list[str]:
    """Return how a program's call writes each length of a shape; [] where it does not so.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import lengths
    >>> lengths((2, 3))
    ['2', '3']
    """
    node = expression(place())
    if not isinstance(node, ast.Call):
        return []
    given = [*node.args, *(each.value for each in node.keywords)]
    for each in given:
        parts = each.elts if isinstance(each, (ast.Tuple, ast.List)) else given
        texts = [ast.unparse(part) for part in parts]
        if len(texts) == len(shape) and all(len(text) <= _LONGEST for text in texts):
            return texts
    return []


def taken_apart(count: int) -> str:
    """Return a program's call with what its tuples and lists hold one by one; '' of other calls.

    Parameters
    ----------
    count : int
        How many arguments that call has then.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import taken_apart
    >>> taken_apart(3)
    ''
    """
    node, (_, frame) = expression(place()), users_frame()
    if not isinstance(node, ast.Call) or node.keywords or frame is None:
        return ""
    given, total = list[ast.expr](), 0
    for each in node.args:
        held = value_of(each, frame) if short_name(each) else None
        if isinstance(each, (ast.Tuple, ast.List)):
            given += each.elts
            total += len(each.elts)
        elif isinstance(held, (tuple, list)):
            given.append(ast.Starred(each))
            total += len(held)
        else:
            given.append(each)
            total += 1
    text = ast.unparse(ast.Call(node.func, given, []))
    return text if total == count and len(text) <= 2 * _LONG else ""


def exchanged(otherwise: str) -> str:
    """Return a program's call of two things with these exchanged; something else if it is none.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import exchanged
    >>> exchanged('loss(pred, label)')
    'loss(pred, label)'
    """
    node = expression(place())
    if not isinstance(node, ast.Call) or len(node.args) != _SEVERAL:
        return otherwise
    text = ast.unparse(ast.Call(node.func, node.args[::-1], node.keywords))
    return text if len(text) <= _LONG else otherwise


def arguments(count: int, names: Sequence[str] = ()) -> list[str]:
    """Return what a program's call is given first, as it is written there; [] of other lines.

    Parameters
    ----------
    count : int
        How many.
    names : list of str, optional
        The keywords that may give them all, too.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import arguments
    >>> arguments(1)
    ['1']
    """
    node = expression(place())
    given = node.args if isinstance(node, ast.Call) else []
    if isinstance(node, ast.Call) and names and not given:
        by_name = {each.arg: each.value for each in node.keywords}
        given = [by_name[name] for name in names if name in by_name]
    texts = [ast.unparse(each) for each in given[:count] if not isinstance(each, ast.Starred)]
    is_whole = len(texts) == count and all(len(text) <= _LONGEST for text in texts)
    return texts if is_whole else []


def argument_of(value: Sequence[object]) -> str:
    """Return how a program's call writes a tuple or list that it is given; '' if that is not told.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import argument_of
    >>> argument_of((2, 3))
    '(2, 3)'
    """
    node, (_, frame) = expression(place()), users_frame()
    for each in node.args if isinstance(node, ast.Call) else ():
        is_it = frame is not None and value_of(each, frame) is value
        is_written = isinstance(each, (ast.Tuple, ast.List)) and len(each.elts) == len(value)
        if is_it or is_written:
            return ast.unparse(each)
    return ""


def inner_argument() -> str:
    """Return what a call is given by which a program's call is given its first thing; or ''.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import inner_argument
    >>> inner_argument()
    ''
    """
    node = expression(place())
    inner = node.args[0] if isinstance(node, ast.Call) and node.args else None
    found = inner.args[:1] if isinstance(inner, ast.Call) else []
    text = ast.unparse(found[0]) if found else ""
    return text if len(text) <= _LONGEST else ""


def keyword(name: str) -> str:
    """Return what a program's call is given by a keyword; '' if that has no short name.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import keyword
    >>> keyword("weight")
    ''
    """
    node = expression(place())
    given = node.keywords if isinstance(node, ast.Call) else []
    return next((short_name(each.value) for each in given if each.arg == name), "")


def with_keyword(name: str, value: str, otherwise: str) -> str:
    """Return a program's call with one keyword more, which no value stands for by position.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import with_keyword
    >>> with_keyword("axis", "1", "")
    "with_keyword('axis', '1', '', axis=1)"
    """
    node = expression(place())
    if not isinstance(node, ast.Call):
        return otherwise
    args = [each for each in node.args if ast.unparse(each) != value]
    more = ast.keyword(name, ast.parse(value, mode="eval").body)
    text = ast.unparse(ast.Call(node.func, args, [*node.keywords, more]))
    return text if len(text) <= 2 * _LONG else otherwise


def with_first(value: str, otherwise: str) -> str:
    """Return a program's call with something else as its first argument.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import with_first
    >>> with_first("'a'", "")
    "with_first('a', '')"
    """
    node = expression(place())
    if not isinstance(node, ast.Call) or not node.args:
        return otherwise
    args = [ast.parse(value, mode="eval").body, *node.args[1:]]
    text = ast.unparse(ast.Call(node.func, args, node.keywords))
    return text if len(text) <= 2 * _LONG else otherwise


def array_first() -> str:
    """Return a program's call of a number and an array with the array first; '' if it is none.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import array_first
    >>> array_first()
    ''
    """
    node, (_, frame) = expression(place()), users_frame()
    if not isinstance(node, ast.Call) or len(node.args) < _SEVERAL or frame is None:
        return ""
    whole = [each.value if isinstance(each, ast.Subscript) else each for each in node.args]
    held = [hasattr(value_of(each, frame), "as_in_context") for each in whole]
    if held[0] or held.count(True) != 1:
        return ""
    found = node.args[held.index(True)]
    others = [each for each in node.args if each is not found]
    text = ast.unparse(ast.Call(node.func, [found, *others], node.keywords))
    return text if len(text) <= _LONG else ""


def parameters() -> list[str]:
    """Return how a program's line writes the arrays of the parameters in it: `w.data()`.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import parameters
    >>> parameters()
    []
    """
    where, (_, frame) = place(), users_frame()
    if where is None or frame is None:
        return []
    tree = of_line(text_of(where)) or expression(where)
    found: dict[str, None] = {}
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.expr) and (text := short_name(node)):
            value = value_of(node, frame)
            if any(cls.__name__ == "Parameter" for cls in type(value).__mro__):
                found[f"{text}.data()"] = None
    return [*found]


def with_tuple(otherwise: str) -> str:
    """Return a program's call of numbers with one tuple of them; something else if it is none.

    Examples
    --------
    >>> from gluonish.errors.program_arguments import with_tuple
    >>> with_tuple('nd.zeros((2, 3))')
    'nd.zeros((2, 3))'
    """
    node = expression(place())
    if not isinstance(node, ast.Call) or len(node.args) < _SEVERAL:
        return otherwise
    if any(isinstance(each, (ast.Tuple, ast.List)) for each in node.args):
        return otherwise
    text = f"{ast.unparse(node.func)}(({', '.join(map(ast.unparse, node.args))}))"
    return text if len(text) <= 2 * _LONGEST else otherwise
