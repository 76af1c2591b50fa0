"""What to say where a program takes a class or function of ours for what a call of it gives."""

from __future__ import annotations

import ast
import inspect
import linecache
import re
from typing import TYPE_CHECKING, Any, Final

from gluonish.errors.program_text import Place, of_line, short_name, text_of, value_of
from gluonish.errors.tracebacks import users_frame

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from types import FrameType

# What Python says of classes, and of functions, that are taken for objects.
_TAKEN: Final = re.compile(
    r"AttributeError: (?:type object '\w+'|'function' object) has no attribute"
    r"|TypeError: type '\w+' is not subscriptable"
    r"|TypeError: '(?:\w*type|ABCMeta|function)' object (?:is not|does not support|has no)"
    r"|TypeError: object of type '(?:\w*type|ABCMeta|function)' has no len"
    r"|TypeError: \w+\.\w+\(\) missing"
    r"|TypeError: unsupported operand type\(s\) for .*'(?:\w*type|ABCMeta|function)'"
    r"|TypeError: .* not supported between instances of .*'(?:\w*type|ABCMeta|function)'"
)


def is_maker(error: BaseException, frame: FrameType, line: int) -> str | None:
    """Return what to call first, where a line takes a class or function for an object; or None.

    Parameters
    ----------
    error : BaseException
        What happened.
    frame : frame
        Where in the program, in the scope whose names are looked at.
    line : int
        Its line, from 1.

    Examples
    --------
    >>> import sys
    >>> from gluonish.errors.makers import is_maker
    >>> is_maker(TypeError("no such thing"), sys._getframe(), 1)
    """
    if not _TAKEN.match(f"{type(error).__name__}: {error}"):
        return None
    tree = of_line(linecache.getline(frame.f_code.co_filename, line).strip())
    nodes = [] if tree is None else list(ast.walk(tree))
    called = {id(node.func) for node in nodes if isinstance(node, ast.Call)}
    for node in nodes:
        if not isinstance(node, (ast.Name, ast.Attribute)) or id(node) in called:
            continue
        made = value_of(node, frame)
        is_ours = str(getattr(made, "__module__", "")).startswith("gluonish")
        if not is_ours or not (isinstance(made, type) or inspect.isfunction(made)):
            continue
        text, name = ast.unparse(node), made.__name__
        kind = "class" if isinstance(made, type) else "function"
        what = f"the {kind} itself" if text.endswith(name) else f"the {kind} {name} itself"
        given = "an object of it" if kind == "class" else "what it returns"
        return f"{text} is {what}. Expected {given}. Call it first, with parentheses: {name}(...)."
    return None


def on_class(function: Callable[..., Any], args: Sequence[Any]) -> str | None:
    """Return what to say of a method that was called on its class, without an object; or None.

    Examples
    --------
    >>> import gluonish as mx
    >>> mx.metric.Accuracy.reset()
    Traceback (most recent call last):
    gluonish.errors.UnknownArgumentError: EvalMetric.reset: it was called on a class. Expected a \
call on an object. Call the class first, with parentheses, as in x = Class(...), then x.reset().
    """
    owner, _, name = function.__qualname__.rpartition(".")
    parameters = list(inspect.signature(function).parameters)
    if not owner or parameters[:1] != ["self"] or "<locals>" in owner or name.startswith("__"):
        return None
    owner = owner.rpartition(".")[2]
    if args and any(base.__name__ == owner for base in type(args[0]).__mro__):
        return None
    rest = "..." if len(parameters) > 1 else ""
    return (
        f"{owner}.{name}: it was called on a class. Expected a call on an object. Call the class "
        f"first, with parentheses, as in {_made(name)}.{name}({rest})."
    )


def _made(method: str) -> str:
    """Return how a program that has a class, and calls its method, makes an object of it first."""
    _, frame = users_frame()
    if frame is None:
        return "x = Class(...), then x"
    tree = of_line(text_of(Place(frame.f_code, frame.f_lasti)))
    for node in () if tree is None else ast.walk(tree):
        if isinstance(node, ast.Attribute) and node.attr == method:
            held, made = short_name(node.value), value_of(node.value, frame)
            if held and isinstance(made, type) and not held.endswith(made.__name__):
                return f"{held} = {made.__name__}(...), then {held}"
    return "x = Class(...), then x"
