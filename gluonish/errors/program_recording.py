"""Where a program's text leaves out, or leaves, what autograd records."""

from __future__ import annotations

import ast
import contextlib
import re
from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.errors import MXNetError
from gluonish.errors.program_assignments import (
    ASSIGNMENTS,
    FUNCTIONS,
    made_of,
    scope_of,
    sets,
)
from gluonish.errors.program_text import (
    expression,
    is_of_gluonish,
    names_of_objects,
    nodes_of_file,
    of_file,
    place,
    short_name,
    value_of,
)
from gluonish.errors.tracebacks import users_frame
from gluonish.errors.wording import listed

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType

_TAPE = re.compile(
    r"(?:(?P<to>\w+(?:, \w+)*) = )?\w+\.gradient\((?P<loss>\w+), (?P<names>\w+|\[\w+(?:, \w+)*\])\)"
)
_PAUSES = ("pause", "no_grad")
_LEAVES = ("detach", "asnumpy", "asscalar", "item", "array")  # calls whose result is a constant
_RECORD = "'with autograd.record():'"
_NOT_KNOWN = ", and net(x) and the loss in it; backward() stands below"
_BODIES = (*FUNCTIONS, ast.ClassDef, ast.Lambda)


def where_it_is_lost() -> str | None:
    """Return which line of a program computes what `backward` is called on without a record.

    Examples
    --------
    >>> from gluonish.errors.program_recording import where_it_is_lost
    >>> where_it_is_lost() is None
    True
    """
    _, frame = users_frame()
    name = None if frame is None else _head(frame)
    scope = None if frame is None else scope_of(frame)
    if frame is None or scope is None or name is None:
        return None
    found = [way for way in _ways(scope, ()) if sets(way[-1], name)]
    before = [way for way in found if way[-1].lineno < frame.f_lineno]
    if not before:
        return None
    *around, line = before[-1]
    withs = [_called(each) for each in around]
    recorded = [names for names in withs if "record" in names]
    paused = [each for names in withs for each in names if each in _PAUSES]
    what = f"Line {line.lineno} computes {name}"
    if paused:
        return f"{what} inside of {paused[-1]}(). Move it out of that block."
    tree = of_file(frame.f_code.co_filename)
    if tree is None or not any("record" in _called(each) for each in ast.walk(tree)):
        modes = [each.lineno for each in around if "train_mode" in _called(each)]
        if modes:
            return f"train_mode() of line {modes[-1]} records nothing: write record() in its place."
        own = what_to_record() if tree is not None else _NOT_KNOWN
        return None if own == _NOT_KNOWN else f"No line records: write {_RECORD}{own}."
    if not recorded:
        inside = {way[-1].lineno for way in _ways(scope, ()) if _is_recorded(way)}
        left = [each for each in _learning(name, frame) if each.lineno not in inside]
        return _outside([each for each in left if each.lineno <= line.lineno] or [line])
    block = next(each for each in around if "record" in _called(each))
    steps = [way[-1] for way in _ways(block, ()) if way[-1].lineno <= line.lineno]
    lost = next(_constants(steps, name, frame), None)
    if lost is None:
        early = [each for each in _learning(name, frame) if each.lineno < block.lineno]
        return _outside(early) if early else None
    return f"Line {lost.lineno} makes a constant, by {_text(lost)}. {_instead(lost, frame)}."


def what_to_record() -> str:
    """Return which lines of a program without a recording one has to have in it.

    Examples
    --------
    >>> from gluonish.errors.program_recording import what_to_record
    >>> what_to_record()
    ', and net(x) and the loss in it; backward() stands below'
    """
    _, frame = users_frame()
    name = None if frame is None else _head(frame)
    steps = [] if frame is None or name is None else _learning(name, frame)
    steps = [each for each in steps if frame is not None and each.lineno < frame.f_lineno]
    if not steps or len({each.col_offset for each in steps}) > 1:
        return _NOT_KNOWN
    first, last = steps[0].lineno, steps[-1].end_lineno or steps[-1].lineno
    those = f"lines {first} {'to' if last > first + 1 else 'and'} {last}"
    those = those if last > first else f"line {first}"
    return f" above line {first}, and {those} in it; {name}.backward() stands below"


def _learning(name: str, frame: FrameType) -> list[ast.Assign]:
    """Return the assignments on the way to a name that compute with what learns, in their order."""
    found, names = list[ast.Assign](), set[str]()
    for step in made_of(name):
        nodes = [*ast.walk(step.value)]
        called = [value_of(node.func, frame) for node in nodes if isinstance(node, ast.Call)]
        read = [node for node in nodes if isinstance(node, ast.Name)]
        learns = any(hasattr(type(each), "_collect_params_with_prefix") for each in called)
        held = (value_of(each, frame) for each in read if each.id not in names)
        ours = [each for each in held if is_of_gluonish(each)]
        learns = learns or any(getattr(each, "grad", None) is not None for each in ours)
        if learns or any(each.id in names for each in read):
            found.append(step)
            names |= {n.id for each in step.targets for n in ast.walk(each) if hasattr(n, "id")}
    return found


def _outside(steps: Sequence[Any]) -> str:
    """Return which statements to move into the recording."""
    where = f"into the {_RECORD} block"
    if len(steps) == 1:
        (step,) = steps
        made = ast.unparse(step.targets[0] if isinstance(step, ast.Assign) else step.target)
        what = f"Line {step.lineno} computes {made} outside of the recording."
        return f"{what} Move that line {where}."
    lines = f"{', '.join(str(each.lineno) for each in steps[:-1])} and {steps[-1].lineno}"
    return f"Lines {lines} stand outside of the recording. Move them {where}."


def how_to_differentiate() -> str:
    """Return what a program whose gradients are all old has to do before an update.

    Examples
    --------
    >>> from gluonish.errors.program_recording import how_to_differentiate
    >>> how_to_differentiate().partition(",")[0]
    "Compute the loss from the network's output inside 'with autograd.record():'"
    """
    nodes = nodes_of_file()
    records = [node for node in nodes if "record" in _called(node)]
    methods = {getattr(node.func, "attr", "") for node in nodes if isinstance(node, ast.Call)}
    if records and not methods & {"backward", "grad"}:
        last = records[-1].body[-1]  # type: ignore[attr-defined]
        loss = ast.unparse(last.targets[0]) if isinstance(last, ast.Assign) else "loss"
        return (
            f"No line computes gradients: write {loss}.backward() below the block of line "
            f"{records[-1].lineno}, above this one."  # type: ignore[attr-defined]
        )
    return (
        "Compute the loss from the network's output inside 'with autograd.record():', and call "
        "loss.backward() behind it; no gradient goes back through what .detach() or .asnumpy() "
        "returned."
    )


def earlier_backward() -> tuple[int, str] | None:
    """Return where the last backward() above the one that runs stands, and how it keeps a graph.

    Examples
    --------
    >>> from gluonish.errors.program_recording import earlier_backward
    >>> earlier_backward() is None
    True
    """
    return call_above("backward", "retain_graph=True")


def constant_gradient() -> tuple[int, str] | None:
    """Return where the last call of `grad` above the line stands, and how it records itself.

    Examples
    --------
    >>> from gluonish.errors.program_recording import constant_gradient
    >>> constant_gradient() is None
    True
    """
    return call_above("grad", "create_graph=True")


def call_above(method: str, argument: str) -> tuple[int, str] | None:
    """Return where the last call of a method above the line stands, and its text with one more.

    Examples
    --------
    >>> from gluonish.errors.program_recording import call_above
    >>> call_above("initialize", "ctx=mx.cpu()") is None
    True
    """
    _, frame = users_frame()
    scope = None if frame is None else scope_of(frame)
    if frame is None or scope is None:
        return None
    calls = [
        (node.lineno, node)
        for node in ast.walk(scope)
        if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == method
    ]
    before = [call for call in calls if call[0] < frame.f_lineno]
    twice = [ast.unparse(node) for line, node in calls if line == frame.f_lineno]
    if not before or len(twice) > len(set(twice)):
        return None
    line, last = max(before, key=lambda call: call[0])
    kept = [each for each in last.keywords if each.arg != argument.partition("=")[0]]
    arguments = ", ".join([*map(ast.unparse, (*last.args, *kept)), argument])
    return line, f"{ast.unparse(last.func)}({arguments})"


def lines_of_updates() -> str:
    """Return the lines of a recording that write to arrays, the one that runs and those after it.

    Examples
    --------
    >>> from gluonish.errors.program_recording import lines_of_updates
    >>> lines_of_updates()
    ''
    """
    _, frame = users_frame()
    scope = None if frame is None else scope_of(frame)
    if frame is None or scope is None:
        return ""
    ways = [way for way in _ways(scope, ()) if _is_recorded(way)]
    numbers = [
        way[-1].lineno
        for way in ways
        if way[-1].lineno >= frame.f_lineno and isinstance(way[-1], ast.AugAssign)
    ]
    if len(numbers) < 2 or numbers[0] != frame.f_lineno:
        return ""
    return f"lines {', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def what_replaced_them() -> str | None:
    """Return the lines that give names of arrays with gradients to computed ones: `w = w - g`.

    Examples
    --------
    >>> from gluonish.errors.program_recording import what_replaced_them
    >>> what_replaced_them() is None
    True
    """
    _, frame = users_frame()
    scope = None if frame is None else scope_of(frame)
    found = []
    held = {} if frame is None else {**frame.f_globals, **frame.f_locals}
    made = [n for n in (ast.walk(scope) if scope else ()) if isinstance(n, ast.Assign)]
    for node in made:
        name = short_name(node.targets[0])
        read = [ast.unparse(n) for n in ast.walk(node.value) if isinstance(n, ast.Attribute)]
        is_computed = isinstance(node.value, ast.BinOp) and f"{name}.grad" in read
        if is_computed and name in held and getattr(held[name], "grad", None) is None:
            found.append((node.lineno, name, ast.unparse(node.value)))
    if not found:
        return None
    names = " and ".join(dict.fromkeys(name for _, name, _ in found))
    mends = " and ".join(f"{name}[:] = {value} in line {line}" for line, name, value in found)
    became = "became other arrays" if len(found) > 1 else "became another array"
    return f"Write {mends}: with = alone {names} {became}, without a gradient."


def what_is_frozen() -> str | None:
    """Return what a program calls its nets where none of them has a parameter that learns.

    Examples
    --------
    >>> from gluonish.errors.program_recording import what_is_frozen
    >>> what_is_frozen() is None
    True
    """
    kind = "_collect_params_with_prefix"
    nets: dict[str, list[Any]] = {}
    for name, net in names_of_objects(lambda value: hasattr(type(value), kind)):
        with contextlib.suppress(MXNetError, AttributeError):  # of one that is not constructed
            if params := [*getattr(net, kind)().values()]:
                nets[name] = params
    if not nets or any(p.grad_req != "null" for params in nets.values() for p in params):
        return None
    first = next(iter(nets))
    return (
        f"No parameter of {listed(nets)} learns: grad_req is 'null' for all. Set it for those that "
        f"shall, as by {first}.collect_params('.*dense').setattr('grad_req', 'write')."
    )


def names_of_gradients() -> list[str]:
    """Return what a program calls the arrays whose `grad` it asks for.

    Examples
    --------
    >>> from gluonish.errors.program_recording import names_of_gradients
    >>> names_of_gradients()
    []
    """
    _, frame = users_frame()
    found: dict[str, None] = {}
    for node in nodes_of_file():
        if isinstance(node, ast.Attribute) and node.attr == "grad" and frame is not None:
            is_name = isinstance(node.value, ast.Name)
            if is_name and hasattr(value_of(node.value, frame), "attach_grad"):
                found[ast.unparse(node.value)] = None
    return [*found]


def _head(frame: FrameType) -> str | None:
    """Return the name of the array that a line goes back from."""
    node: ast.AST | None = expression(place())
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        is_method = not ast.unparse(node.func.value).endswith("autograd")
        node = node.func.value if is_method else next(iter(node.args), None)
    while isinstance(node, (ast.Attribute, ast.Subscript, ast.Call)):
        node = node.func if isinstance(node, ast.Call) else node.value
    if not isinstance(node, ast.Name) or not hasattr(value_of(node, frame), "attach_grad"):
        return None
    return node.id


def _ways(node: ast.AST, around: tuple[ast.stmt, ...]) -> Iterator[tuple[ast.stmt, ...]]:
    """Give each statement of a scope, after those that it stands in."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt) and not isinstance(child, _BODIES):
            yield (*around, child)
            yield from _ways(child, (*around, child))


def _is_recorded(way: tuple[ast.stmt, ...]) -> bool:
    """Return whether a statement stands in a recording."""
    return any("record" in _called(each) for each in way[:-1])


def _constants(
    steps: list[ast.stmt], name: str, frame: FrameType, *, is_inside: bool = False
) -> Iterator[ast.Call]:
    """Give the calls that leave the recording on the way to a name, the nearest first."""
    wanted = {name}
    for step in reversed(steps):
        if any(sets(step, each) for each in wanted):
            nodes = [*ast.walk(step.value)] if isinstance(step, ASSIGNMENTS) and step.value else []
            yield from (n for n in nodes if isinstance(n, ast.Call) and _leaves(n, frame))
            if not is_inside:
                yield from _constants_within(nodes, frame)
            wanted.update(n.id for n in nodes if isinstance(n, ast.Name))


def _constants_within(nodes: list[ast.AST], frame: FrameType) -> Iterator[ast.Call]:
    """Give those on the way to what a program's own functions return, which are called there."""
    names = {n.func.id for n in nodes if isinstance(n, ast.Call) and isinstance(n.func, ast.Name)}
    tree = of_file(frame.f_code.co_filename)
    for function in ast.walk(tree) if tree is not None else ():
        if not isinstance(function, ast.FunctionDef) or function.name not in names:
            continue
        steps = [way[-1] for way in _ways(function, ())]
        for step in steps:
            inner = [*ast.walk(step.value)] if isinstance(step, ast.Return) and step.value else []
            yield from (n for n in inner if isinstance(n, ast.Call) and _leaves(n, frame))
            for name in dict.fromkeys(n.id for n in inner if isinstance(n, ast.Name)):
                yield from _constants(steps, name, frame, is_inside=True)


def _called(node: ast.AST) -> list[str]:
    """Return the last names of what a `with` calls; none of other statements."""
    calls = [item.context_expr for item in node.items] if isinstance(node, ast.With) else []
    return [
        ast.unparse(call.func).rpartition(".")[2] for call in calls if isinstance(call, ast.Call)
    ]


def _leaves(call: ast.Call, frame: FrameType) -> bool:
    if not isinstance(call.func, ast.Attribute) or call.func.attr not in _LEAVES:
        return False
    owner = value_of(call.func.value, frame)
    return call.func.attr != "array" or getattr(owner, "__name__", "").startswith("gluonish")


def _text(call: ast.Call) -> str:
    name = ast.unparse(call.func)
    method = name.rpartition(".")[2]
    return f"{name}(...)" if method == "array" else f".{method}()"


class _InArrays(ast.NodeTransformer):
    """Writes NumPy's functions of arrays' values as functions of the arrays."""

    def __init__(self, own: str) -> None:
        self.own = own
        self.is_changed = False

    @override
    def visit_Call(self, node: ast.Call) -> ast.expr:
        self.generic_visit(node)
        function = node.func
        if isinstance(function, ast.Attribute):
            if function.attr == "asnumpy":
                return function.value
            if isinstance(function.value, ast.Name) and function.value.id in ("np", "numpy", "onp"):
                self.is_changed = True
                node.func = ast.Attribute(ast.Name(self.own), function.attr, ast.Load())
        return node


def _instead(call: ast.Call, frame: FrameType) -> str:
    """Return what to write for a call that makes a constant."""
    if isinstance(call.func, ast.Attribute) and call.func.attr == "array" and call.args:
        written = of_arrays(call.args[0], ast.unparse(call.func.value), frame)
        if written is not None:
            return f"Write {written} in its place"
    return "Leave that out"


def of_arrays(node: ast.expr, module: str, frame: FrameType) -> str | None:
    """Return an expression with NumPy's functions of values as functions of the arrays, or None.

    Parameters
    ----------
    node : expression
        Of the program.
    module : str
        What the program calls the module whose functions are to be called, as in `nd`.
    frame : frame
        Of the program.

    Examples
    --------
    >>> import ast, sys
    >>> from gluonish import nd
    >>> from gluonish.errors.program_recording import of_arrays
    >>> node = ast.parse("np.log(x.asnumpy())", mode="eval").body
    >>> of_arrays(node, "nd", sys._getframe())
    'nd.log(x)'
    """
    changes = _InArrays(module)
    written = changes.visit(ast.parse(ast.unparse(node), mode="eval").body)
    names = {
        node.func.attr
        for node in ast.walk(written)
        if isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and ast.unparse(node.func.value) == module
    }
    held = value_of(ast.parse(module, mode="eval").body, frame)
    if not changes.is_changed or not all(hasattr(held, name) for name in names):
        return None
    return ast.unparse(written)


def variables() -> list[str]:
    """Return what `autograd.grad` is to go back to in a program's line, and has no gradient.

    Examples
    --------
    >>> from gluonish.errors.program_recording import variables
    >>> variables()
    []
    """
    _, frame = users_frame()
    node = expression(place())
    if not isinstance(node, ast.Call) or ast.unparse(node.func).rpartition(".")[2] != "grad":
        return []
    keywords = [each.value for each in node.keywords if each.arg == "variables"]
    given = [*keywords, *node.args[1:]][:1]
    parts = given[0].elts if given and isinstance(given[0], (ast.List, ast.Tuple)) else given
    named = [(short_name(each), value_of(each, frame)) for each in parts if frame is not None]
    return [name for name, held in named if name and getattr(held, "grad", held) is None]


def is_no_tape(error: BaseException, line: str) -> str | None:
    """Return what takes the place of a tape's methods, which Keras' scopes have.

    Parameters
    ----------
    error : BaseException
        What happened.
    line : str
        The program's.

    Examples
    --------
    >>> from gluonish.errors.program_recording import is_no_tape
    >>> error = AttributeError("'_RecordingStateScope' object has no attribute 'gradient'")
    >>> print(is_no_tape(error, "g = tape.gradient(loss, [w, b])"))
    autograd.record() has no methods. Write loss.backward() and g = [w.grad, b.grad] in place of \
this line, below the block; arrays keep gradients after w.attach_grad() and b.attach_grad().
    """
    if "'_RecordingStateScope' object has no attribute" not in str(error):
        return None
    found = _TAPE.search(line)
    if found is None:
        return (
            "autograd.record() has no methods: loss.backward(), below the block, computes "
            "gradients; net.weight.grad() of a Parameter, w.grad of an array with "
            "w.attach_grad(), then holds them."
        )
    names = found["names"].strip("[]").replace(" ", "").split(",")
    grads = ", ".join(f"{name}.grad" for name in names)
    grads = f"[{grads}]" if "[" in found["names"] else grads
    taken = f"{found['to']} = {grads}" if found["to"] else grads
    return (
        f"autograd.record() has no methods. Write {found['loss']}.backward() and {taken} in place "
        f"of this line, below the block; arrays keep gradients after {attached(names)}."
    )


def attached(names: list[str]) -> str:
    """Return the calls that have arrays keep gradients.

    Examples
    --------
    >>> from gluonish.errors.program_recording import attached
    >>> attached(["w", "b"])
    'w.attach_grad() and b.attach_grad()'
    """
    return " and ".join(f"{name}.attach_grad()" for name in names or ["x"])
