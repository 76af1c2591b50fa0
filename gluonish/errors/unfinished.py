"""What to say of an object whose class's constructor has not run, or not to its end."""

from __future__ import annotations

import ast
import dis
import inspect
from typing import TYPE_CHECKING

from gluonish.errors.program_text import of_function
from gluonish.errors.tracebacks import is_program

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import CodeType, TracebackType

_CONSTRUCTOR = "__init__"
_SEVERAL = (inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD)


def lacks_its_parents(error: AttributeError) -> str | None:
    """Return what to say where the constructor of a program's class did not call its parent's.

    Examples
    --------
    >>> from gluonish.errors.unfinished import lacks_its_parents
    >>> lacks_its_parents(AttributeError("'list' object has no attribute 'x'")) is None
    True
    """
    cls = type(error.obj)
    parent = _parent(cls)
    if parent is None or error.name not in _set_by(parent):
        return None
    for each in cls.__mro__[: cls.__mro__.index(parent)]:
        code = _code(each)
        if code is not None and not _calls_parents(each, code):
            name = f"{each.__name__}.__init__"
            return (
                f"{name}() does not call {_first(cls).__name__}.__init__(), which makes "
                f"'{error.name}'. Write super().__init__({_arguments(parent, each)}) as the first "
                f"line of {name}, which begins in line {code.co_firstlineno}."
            )
    return None


def _calls_parents(cls: type, code: CodeType) -> bool:
    """Return whether a constructor calls another one, as far as its text tells."""
    if _CONSTRUCTOR not in code.co_names:
        return False
    tree = of_function(vars(cls)[_CONSTRUCTOR])
    if tree is None:
        return True
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(isinstance(call, ast.Attribute) and call.attr == _CONSTRUCTOR for call in calls)


def is_asked_too_early(error: AttributeError, trace: TracebackType | None) -> str | None:
    """Return what to say where a method runs inside its class's constructor and lacks what follows.

    Examples
    --------
    >>> from gluonish.errors.unfinished import is_asked_too_early
    >>> is_asked_too_early(AttributeError("'list' object has no attribute 'x'"), None) is None
    True
    """
    cls = type(error.obj)
    if _parent(cls) is None:
        return None
    codes = {code: each for each in cls.__mro__ if (code := _code(each)) is not None}
    step = trace
    while step is not None:
        code, line = step.tb_frame.f_code, step.tb_lineno
        after = [number for name, number in _stored(code) if name == error.name and number > line]
        if code in codes and is_program(code.co_filename) and after and step.tb_next is not None:
            method = _deepest(step).tb_frame.f_code.co_name
            return (
                f"{cls.__name__}.{method}() runs inside of line {line}, before line {after[0]} "
                f"sets self.{error.name}. Move that line above line {line}."
            )
        step = step.tb_next
    return None


def _deepest(step: TracebackType) -> TracebackType:
    """Return the last step of a traceback that is the program's."""
    found = step
    rest: TracebackType | None = step
    while rest is not None:
        found = rest if is_program(rest.tb_frame.f_code.co_filename) else found
        rest = rest.tb_next
    return found


def _parent(cls: type) -> type | None:
    """Return the first class of ours below a program's that has a constructor; None if none is."""
    first = _first(cls)
    below = first.__mro__ if first is not cls else ()
    return next((each for each in below if _code(each) is not None), None)


def _first(cls: type) -> type:
    """Return the first class of ours that a class derives from; the class if there is none."""
    return next((one for one in cls.__mro__ if one.__module__.startswith("gluonish.")), cls)


def _code(cls: type) -> CodeType | None:
    function = inspect.unwrap(vars(cls).get(_CONSTRUCTOR, None) or cls)
    return function.__code__ if inspect.isfunction(function) else None


def _set_by(cls: type) -> set[str]:
    """Return what methods of a class, and of those that it derives from, set."""
    found: set[str] = set()
    for each in cls.__mro__:
        for member in vars(each).values():
            if inspect.isfunction(member):
                found.update(name for name, _ in _stored(inspect.unwrap(member).__code__))
    return found


def _stored(code: CodeType) -> Iterator[tuple[str, int]]:
    """Give the attributes that a function sets, with the line of each."""
    for each in dis.get_instructions(code):
        line = each.positions.lineno if each.positions is not None else None
        if each.opname == "STORE_ATTR" and line is not None:
            yield each.argval, line


def _arguments(parent: type, cls: type) -> str:
    """Return what a constructor must be given: what the class's own takes by these names, too."""
    own = inspect.signature(cls).parameters
    given: list[str] = []
    for position, one in enumerate(inspect.signature(parent).parameters.values()):
        if one.kind in _SEVERAL:
            if one.name in own and one.kind is inspect.Parameter.VAR_KEYWORD:
                given.append(f"**{one.name}")
        elif one.name in own:
            given.append(one.name if len(given) == position else f"{one.name}={one.name}")
        elif one.default is inspect.Parameter.empty:
            given.append(repr(cls.__name__.lower()) if one.name == "name" else one.name)
    return ", ".join(given)
