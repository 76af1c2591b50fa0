"""What a program's line calls things at this moment, so that advice can use its own names."""

from __future__ import annotations

import ast
import contextlib
import dis
import inspect
import linecache
import re
import textwrap
from typing import TYPE_CHECKING, Any, TypeGuard

from typing_extensions import override

from gluonish.errors.tracebacks import users_frame

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import CodeType, FrameType

_BEGINNING = re.compile(r"^(for\b.*?\bin|while|if|elif|with|return|assert|else\s*:)\s")
_LONGEST = 30  # letters of an expression that advice repeats
_LONG = 60  # letters of a condition
_LOSS = "gluon.loss.SoftmaxCrossEntropyLoss()"  # stands for another, by these words
_LOSSES = {
    "mse": "gluon.loss.L2Loss()",
    "mean_squared": "gluon.loss.L2Loss()",
    "mae": "gluon.loss.L1Loss()",
    "mean_absolute": "gluon.loss.L1Loss()",
    "binary_cross": "gluon.loss.SigmoidBCELoss()",
}
_CONTEXT = "(ctx)"  # stands for a program's
_GPU = "reset_ctx(mx.gpu())"
_AXIS = "axis=0"  # stands for what a program hands over
_SHAPE = "(2, -1)"  # stands for a program's
_LAYERS = "gluonish.nn.containers"  # of which an element is no work
_CHOICES = (ast.If, ast.While)
_SPACES = frozenset(("nd", "np", "npx", "sym", "F"))  # whose functions take arrays


class Place:
    """An instruction of a program, which errors that leave the process lose.

    Parameters
    ----------
    code : code
        Of a function or module.
    instruction : int
        The offset in it.
    """

    def __init__(self, code: CodeType, instruction: int) -> None:
        self.code = code
        self.instruction = instruction

    @override
    def __reduce__(self) -> tuple[type[None], tuple[()]]:
        return type(None), ()


def place() -> Place | None:
    """Return which instruction of a program runs at this moment, or None.

    Examples
    --------
    >>> from gluonish.errors.program_text import place
    >>> place().code.co_name
    '<module>'
    """
    _, frame = users_frame()
    return None if frame is None else Place(frame.f_code, frame.f_lasti)


def names_of_objects(is_one: Callable[[object], bool]) -> list[tuple[str, Any]]:
    """Return variables of the program that hold objects of a kind, those of functions first.

    Examples
    --------
    >>> from gluonish.errors.program_text import names_of_objects
    >>> names_of_objects(lambda value: isinstance(value, complex))
    []
    """
    _, frame = users_frame()
    found: dict[str, Any] = {}
    while frame is not None:
        for held in (frame.f_locals, frame.f_globals):
            for name, value in held.items():
                is_name = not name.startswith("_") and name not in ("self", "cls")
                if is_name and name not in found and not isinstance(value, type) and is_one(value):
                    found[name] = value
        frame = frame.f_back
    return [*found.items()]


def name_of(value: object) -> str:
    """Return what a program calls an object, first in the function that runs; '' if nothing.

    Examples
    --------
    >>> from gluonish.errors.program_text import name_of
    >>> name_of(object())
    ''
    """
    found = names_of_objects(lambda held: held is value)
    return found[0][0] if found else ""


def expression(where: Place | None) -> ast.AST | None:
    """Return the syntax of what an instruction computes, or None where the text is not known."""
    if where is None:
        return None
    positions = [*where.code.co_positions()]
    first, last, begin, end = positions[where.instruction // 2]
    if first is None or last is None or begin is None or end is None:
        return None
    name = where.code.co_filename
    lines = [linecache.getline(name, number).encode() for number in range(first, last + 1)]
    if not all(lines):
        return None
    lines[-1] = lines[-1][:end]
    lines[0] = lines[0][begin:]
    text = b"".join(lines).decode(errors="replace")
    try:
        return ast.parse(f"({text})", mode="eval").body
    except SyntaxError:
        pass
    try:
        return ast.parse(text).body[0]
    except (SyntaxError, IndexError):
        return None


def operands() -> tuple[str, str]:
    """Return what a program calls the two arrays that it combines; '' for what has no short name.

    Examples
    --------
    >>> from gluonish.errors.program_text import operands
    >>> operands()
    ('', '')
    """
    node = expression(place())
    if isinstance(node, ast.BinOp):
        return short_name(node.left), short_name(node.right)
    if isinstance(node, ast.AugAssign):
        return short_name(node.target), short_name(node.value)
    if isinstance(node, ast.Compare) and len(node.comparators) == 1:
        return short_name(node.left), short_name(node.comparators[0])
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and len(node.args) > 1:
        space = ast.unparse(node.func.value).rpartition(".")[2]
        if space in _SPACES:
            return short_name(node.args[0]), short_name(node.args[1])
    return "", ""


def written_out() -> str:
    """Return a program's `x += y` as `x = x + y`, and `x[:] = y` as `x = y`; '' for other lines.

    Examples
    --------
    >>> from gluonish.errors.program_text import written_out
    >>> written_out()
    ''
    """
    node, line = expression(place()), statement()
    if isinstance(line, ast.Assign) and isinstance(target := line.targets[0], ast.Subscript):
        text = f"{short_name(target.value)} = {ast.unparse(line.value)}"
        is_array = not isinstance(line.value, ast.Constant) and text[0] != " "
        return text if is_array and _is_whole(target.slice) and len(text) <= _LONG else ""
    if not isinstance(node, ast.AugAssign) or not short_name(node.target):
        return ""
    target = ast.parse(ast.unparse(node.target), mode="eval").body
    text = ast.unparse(ast.BinOp(target, node.op, node.value))
    return f"{short_name(node.target)} = {text}" if len(text) <= _LONG else ""


def _is_whole(index: ast.expr) -> bool:
    """Return whether an index stands for all of an array: `x[:]`, `x[...]`."""
    is_ellipsis = isinstance(index, ast.Constant) and index.value is ...
    return is_ellipsis or ast.unparse(index) == ":"


def in_place(otherwise: str) -> str:
    """Return a program's `x += y`, or `x[:] = y`, as it is written, if it is short.

    Examples
    --------
    >>> from gluonish.errors.program_text import in_place
    >>> in_place("x += y")
    'x += y'
    """
    node, line = expression(place()), statement()
    is_part = isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Subscript)
    written = line if is_part else node if isinstance(node, ast.AugAssign) else None
    text = ast.unparse(written) if written is not None else ""
    return text if text and len(text) <= _LONG else otherwise


def with_part(shape: tuple[int, ...]) -> str:
    """Return how a program's `x[1] = 0` is written without a write; '' for other lines.

    Examples
    --------
    >>> from gluonish.errors.program_text import with_part
    >>> with_part((2, 3))
    ''
    """
    node = expression(place())
    node = node.targets[0] if isinstance(node, ast.Assign) else node
    node = node.target if isinstance(node, ast.AugAssign) else node
    where = place()
    if not isinstance(node, ast.Subscript) or not short_name(node.value) or where is None:
        return ""
    name, line = short_name(node.value), of_line(text_of(where))
    written = line.body[0] if line is not None and line.body else None
    if isinstance(written, ast.AugAssign) and written.target is not None:
        return _changed_part(written, name)
    if not isinstance(written, ast.Assign) or not isinstance(written.value, ast.Constant):
        return ""
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    key, value = ", ".join(map(ast.unparse, parts)), ast.unparse(written.value)
    other = f"0 * {name}" if value in ("0", "0.0") else f"0 * {name} + {value}"
    mask, new = _free_name("mask", "keep", "kept"), _free_name("masked", f"{name}_masked")
    return (
        f"Before the block write {mask} = mx.nd.ones({shape}), with {mask}[{key}] = 0; "
        f"here {new} = mx.nd.where({mask}, {name}, {other}), and {new} for "
        f"{name} in the lines below, so that {name} keeps its gradient"
    )


def _free_name(*names: str) -> str:
    """Return the first name that a program has not given to anything, or the last one."""
    taken = {name for name, _ in names_of_objects(lambda _: True)}
    return next((name for name in names if name not in taken), names[-1])


def _changed_part(written: ast.AugAssign, name: str) -> str:
    """Return how `x[:, 1] *= 2` is written without a write."""
    target = written.target
    if not isinstance(target, ast.Subscript):
        return ""
    parts = target.slice.elts if isinstance(target.slice, ast.Tuple) else [target.slice]
    key = ", ".join(map(ast.unparse, parts))
    whole = ast.parse(name, mode="eval").body
    changed = ast.unparse(ast.BinOp(whole, written.op, written.value))
    return (
        f"Make mask = mx.nd.ones({name}.shape) with mask[{key}] = 0, and write {name} = "
        f"mx.nd.where(mask, {name}, {changed}) here"
    )


def mentions(part: str) -> bool:
    """Return whether a text stands in what a program computes at this moment.

    Examples
    --------
    >>> from gluonish.errors.program_text import mentions
    >>> mentions("mentions"), mentions("no such" + " text")
    (True, False)
    """
    where = place()
    return where is not None and part in text_of(where)


def indexed() -> str:
    """Return what a program calls the array that it takes a part of; 'x' if it has no short name.

    Examples
    --------
    >>> from gluonish.errors.program_text import indexed
    >>> indexed()
    'x'
    """
    node = expression(place())
    if isinstance(node, ast.Assign):
        node = node.targets[0]
    return (short_name(node.value) if isinstance(node, ast.Subscript) else "") or "x"


def place_in(otherwise: object) -> str:
    """Return the index by which a program's line writes to an array, if it is short.

    Examples
    --------
    >>> from gluonish.errors.program_text import place_in
    >>> place_in(3)
    '3'
    """
    node = expression(place())
    if isinstance(node, ast.Assign):
        node = node.targets[0]
    return (short_name(node.slice) if isinstance(node, ast.Subscript) else "") or str(otherwise)


def computed_index() -> str:
    """Return the index of a program's array that is a sum, or another computation; '' if none is.

    Examples
    --------
    >>> from gluonish.errors.program_text import computed_index
    >>> computed_index()
    ''
    """
    node = expression(place())
    index = node.slice if isinstance(node, ast.Subscript) else None
    parts = index.elts if isinstance(index, ast.Tuple) else [index]
    found = [ast.unparse(part) for part in parts if isinstance(part, ast.BinOp)]
    return found[0] if len(found) == 1 and len(found[0]) <= _LONGEST else ""


def divided() -> str:
    """Return the quotient in a program's index as a whole number, `a // b`; '' if it has none.

    Examples
    --------
    >>> from gluonish.errors.program_text import divided
    >>> divided()
    ''
    """
    node = expression(place())
    inner = ast.walk(node.slice) if isinstance(node, ast.Subscript) else ()
    found = [n for n in inner if isinstance(n, ast.BinOp) and isinstance(n.op, ast.Div)]
    text = ast.unparse(ast.BinOp(found[0].left, ast.FloorDiv(), found[0].right)) if found else ""
    return text if len(text) <= _LONG else ""


def condition() -> str:
    """Return what an `if` or `while` of a program asks, in brackets where it is a comparison.

    Examples
    --------
    >>> from gluonish.errors.program_text import condition
    >>> condition()
    ''
    """
    where = place()
    is_asked = where is not None and "JUMP" in dis.opname[where.code.co_code[where.instruction]]
    tree = of_line(text_of(where)) if where is not None and is_asked else None
    tests = [each.test for each in tree.body if isinstance(each, _CHOICES)] if tree else []
    for test in tests:
        text = ast.unparse(test)
        is_one = isinstance(test, ast.Compare) and len(test.ops) == 1
        is_in = isinstance(test, ast.Compare) and isinstance(test.ops[0], (ast.In, ast.NotIn))
        if not is_in and len(text) <= _LONG and (is_one or short_name(test)):
            return f"({text})" if is_one else text
    return ""


def as_index(otherwise: str) -> str:
    """Return how a program's index of a list is written as a number.

    Examples
    --------
    >>> from gluonish.errors.program_text import as_index
    >>> as_index('x')
    'int(x.asscalar())'
    """
    node = expression(place())
    if not isinstance(node, ast.Subscript):
        return f"int({otherwise}.asscalar())"
    text = ast.unparse(node.slice)
    name = short_name(node.value)
    number = f"int({text if len(text) <= _LONGEST else otherwise}.asscalar())"
    return f"{name}[{number}]" if name else number


def targets(count: int) -> list[str]:
    """Return the names that a program's line gives so many results; [] of other lines.

    Parameters
    ----------
    count : int
        How many.

    Examples
    --------
    >>> from gluonish.errors.program_text import targets
    >>> targets(2)
    []
    """
    line = statement()
    target = line.targets[0] if isinstance(line, ast.Assign) else None
    names = [short_name(each) for each in target.elts] if isinstance(target, ast.Tuple) else []
    return names if len(names) == count and all(names) else []


def method_of_line(method: str) -> tuple[str, str] | None:
    """Return whose `data` has a method called on it in a program's line, and with what.

    Examples
    --------
    >>> from gluonish.errors.program_text import method_of_line
    >>> method_of_line("normal_") is None
    True
    """
    where = place()
    given = None if where is None else _asked(where, method)
    tree = None if where is None else of_line(text_of(where))
    for node in ast.walk(tree) if tree is not None else ():
        if not isinstance(node, ast.Attribute) or node.attr != method:
            continue
        if isinstance(node.value, ast.Attribute) and short_name(node.value.value):
            return short_name(node.value.value), given or ""
    return None


def _asked(where: Place, name: str) -> str | None:
    """Return what a line hands to a method of some name, as it is written there, or None."""
    tree = of_line(text_of(where))
    for node in ast.walk(tree) if tree is not None else ():
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == name:
            return ", ".join(map(ast.unparse, (*node.args, *node.keywords)))
    return None


def _shape_asked_for(where: Place, name: str) -> str:
    """Return what a line hands to a method of some name, as a tuple; '' if that is not one."""
    try:
        nodes = ast.walk(ast.parse(text_of(where)))
    except SyntaxError:
        return ""
    for node in nodes:
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == name and node.args:
            shape = ", ".join(map(ast.unparse, node.args))
            return f"({shape})" if len(node.args) > 1 else shape
    return ""


def text_of(where: Place) -> str:
    """Return the line of an instruction.

    Examples
    --------
    >>> from gluonish.errors.program_text import Place, text_of
    >>> text_of(Place(compile("x = 1", "no such file", "exec"), 0))
    ''
    """
    line = [*where.code.co_positions()][where.instruction // 2][0]
    return "" if line is None else linecache.getline(where.code.co_filename, line).strip()


def short_name(node: ast.AST) -> str:
    """Return a name as it is written, with attributes and numbers of elements after it.

    Examples
    --------
    >>> import ast
    >>> from gluonish.errors.program_text import short_name
    >>> [short_name(ast.parse(text).body[0].value) for text in ("net[0].weight", "net(x)")]
    ['net[0].weight', '']
    """
    inner = node
    while isinstance(inner, ast.Attribute) or _is_element(inner):
        inner = inner.value
    text = ast.unparse(node) if isinstance(inner, ast.Name) else ""
    return text if len(text) <= _LONGEST else ""


def _is_element(node: ast.AST) -> TypeGuard[ast.Subscript]:
    if not isinstance(node, ast.Subscript) or not isinstance(node.slice, ast.Constant):
        return False
    return isinstance(node.slice.value, int)


def of_receiver(advice: str, stands_for: str, where: Place | None) -> str:
    r"""Return advice with the program's own name in the place of one that stands for it.

    Parameters
    ----------
    advice : str
        As in `x.asnumpy() copies`.
    stands_for : str
        An expression for the name there: `x\b`.
    where : Place or None
        The instruction that asks for an attribute.

    Examples
    --------
    >>> from gluonish.errors.program_text import of_receiver
    >>> of_receiver('x.asnumpy() copies x', 'x', None)
    'x.asnumpy() copies x'
    """
    node = expression(where)
    if isinstance(node, ast.Call):
        node = node.func
    if _SHAPE in advice and where is not None and isinstance(node, ast.Attribute):
        advice = advice.replace(_SHAPE, _shape_asked_for(where, node.attr) or _SHAPE)
    if where is not None and isinstance(node, ast.Attribute) and _AXIS in advice:
        asked = _asked(where, node.attr)
        asked = _AXIS if asked is None else asked
        advice = advice.replace(f".{node.attr}({_AXIS})", f".{node.attr}({asked})")
    if where is not None and isinstance(node, ast.Attribute) and _CONTEXT in advice:
        asked = _asked(where, node.attr) or ""
        advice = advice.replace(_CONTEXT, f"({asked})" if asked.isidentifier() else _CONTEXT)
    if where is not None and isinstance(node, ast.Attribute) and _GPU in advice:
        asked = _asked(where, node.attr) or ""
        advice = advice.replace("mx.gpu()", asked if asked.isidentifier() else "mx.gpu()")
    if _LOSS in advice and where is not None:
        line = text_of(where)
        advice = advice.replace(_LOSS, next((_LOSSES[w] for w in _LOSSES if w in line), _LOSS))
    name = short_name(node.value) if isinstance(node, ast.Attribute) else ""
    if not name:
        return advice
    return re.sub(rf"(?<![\w.'\"]){stands_for}(?!['\"])(?!\s*=[^=])", lambda _: name, advice)


def of_line(text: str) -> ast.Module | None:
    """Return the syntax of a line of a program, or None if it can't be read alone.

    Examples
    --------
    >>> import ast
    >>> from gluonish.errors.program_text import of_line
    >>> ast.unparse(of_line("elif x > 0:")), of_line("net.add(")
    ('x > 0', None)
    """
    for each in (text, f"{text} pass", _BEGINNING.sub("", text).rstrip(":")):
        with contextlib.suppress(SyntaxError):
            return ast.parse(each)
    return None


def of_file(path: str) -> ast.Module | None:
    """Return the syntax of a program's file, or of a cell, or None if it can't be read.

    Examples
    --------
    >>> from gluonish.errors.program_text import of_file
    >>> of_file("no such file").body
    []
    """
    try:
        return ast.parse("".join(linecache.getlines(path)))
    except SyntaxError:  # a cell with a magic, for example
        return None


def nodes_of_file() -> list[ast.AST]:
    """Return the syntax of all of the program's file that runs; [] where its text is not known.

    Examples
    --------
    >>> from gluonish.errors.program_text import nodes_of_file
    >>> all(hasattr(node, "_fields") for node in nodes_of_file())
    True
    """
    _, frame = users_frame()
    tree = None if frame is None else of_file(frame.f_code.co_filename)
    return [] if tree is None else [*ast.walk(tree)]


def statement() -> ast.stmt | None:
    """Return the syntax of the program's line that runs, or None.

    Examples
    --------
    >>> from gluonish.errors.program_text import statement
    >>> type(statement()).__name__
    'Expr'
    """
    where = place()
    tree = of_line(text_of(where)) if where is not None else None
    return tree.body[0] if tree is not None and tree.body else None


def of_function(function: object) -> ast.FunctionDef | None:
    """Return the syntax of a program's function, or None if its text is not known.

    Examples
    --------
    >>> from gluonish.errors.program_text import of_function
    >>> of_function(len) is None
    True
    """
    function = inspect.unwrap(getattr(function, "__func__", function))  # type: ignore[arg-type]
    if not inspect.isfunction(function):
        return None
    try:
        node = ast.parse(textwrap.dedent(inspect.getsource(function))).body[0]
    except (OSError, SyntaxError):
        return None
    return node if isinstance(node, ast.FunctionDef) else None


def value_of(node: ast.expr, frame: FrameType) -> object:
    """Return what a name, or a chain of attributes, holds; no call is run for it.

    Examples
    --------
    >>> import ast
    >>> import sys
    >>> from gluonish.errors.program_text import value_of
    >>> value_of(ast.parse("no_such_name", mode="eval").body, sys._getframe()) is None
    True
    """
    if isinstance(node, ast.Name):
        held: dict[str, object] = {**frame.f_globals, **frame.f_locals}
        return held.get(node.id)
    if isinstance(node, ast.Attribute):
        owner = value_of(node.value, frame)
        is_module = inspect.ismodule(owner) and owner.__name__.startswith("gluonish")
        if owner is None or not (is_module or is_of_gluonish(owner)):
            return None
        with contextlib.suppress(Exception):  # of a property that can't tell at this moment
            return getattr(owner, node.attr, None)
        return None
    if _is_element(node):
        owner = value_of(node.value, frame)
        getter: Any = getattr(type(owner), "__getitem__", None)
        if type(owner) in (list, tuple) or getattr(getter, "__module__", "") == _LAYERS:
            with contextlib.suppress(LookupError):
                return getter(owner, ast.literal_eval(node.slice))
    return None


def is_of_gluonish(obj: object) -> bool:
    """Return whether an object's class is ours, or derives from one of ours.

    Examples
    --------
    >>> from gluonish.errors.program_text import is_of_gluonish
    >>> is_of_gluonish([])
    False
    """
    return any(base.__module__.startswith("gluonish.") for base in type(obj).__mro__[:-1])
