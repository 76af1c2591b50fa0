"""What a program has overlooked that ends by a check of its own: lines that do something else."""

from __future__ import annotations

import ast
import contextlib
import itertools
import re
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.errors.program_assignments import scope_of
from gluonish.errors.program_text import of_file, short_name, value_of
from gluonish.errors.tracebacks import is_users

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import FrameType, TracebackType

    _Check = Callable[["_Scene"], Iterator[tuple[int, str]]]

_OWN = (AssertionError, ZeroDivisionError, UnboundLocalError)
_MOST = 2  # lines that are told of
_PARTS = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)
_PAIRED = (ast.Sub, ast.Add, ast.Mult)
_FUNCTIONS = ("gluonish.ndarray", "gluonish.nd")
# What changes its array, or something else, or waits.
_CHANGING = re.compile(r"^(attach_grad|backward|drop_grad|wait.*|copyto|save|seed|.*_update|.*_)$")
_COLUMN = (2, 1)  # axes of what is combined as columns and rows


def overlooked(error: BaseException) -> str | None:
    """Return which lines of a program may be why its own check fails, or None.

    Only the program's text and what its variables hold at its end are looked at.

    Parameters
    ----------
    error : BaseException
        What the program raised itself.

    Examples
    --------
    >>> from gluonish.errors.own_checks import overlooked
    >>> overlooked(AssertionError())
    """
    if not isinstance(error, _OWN):
        return None
    told: dict[str, None] = {}
    for scene in _scenes(error.__traceback__):
        for check in _CHECKS:
            with contextlib.suppress(Exception):  # of what a program's own objects answer
                told |= {f"Line {line}: {words}": None for line, words in check(scene)}
    return " ".join([*told][:_MOST]) or None


class _Scene:
    """A function, or module, whose variables still hold what they held.

    Parameters
    ----------
    frame : frame
        Where its variables are.
    tree : Module or FunctionDef
        Its text.
    """

    def __init__(self, frame: FrameType, tree: ast.AST) -> None:
        self._frame = frame
        self.nodes = [*_within(tree)]
        whole = of_file(frame.f_code.co_filename)
        self.whole = [] if whole is None else [*ast.walk(whole)]

    def value(self, node: ast.expr) -> Any:  # noqa: ANN401 - whatever a program has
        return value_of(node, self._frame)

    def shape(self, node: ast.expr) -> tuple[int, ...]:
        """Return the shape of an array, () of what is none."""
        with contextlib.suppress(Exception):  # of a parameter that has no shape yet, for example
            return tuple(self.value(node).shape)
        return ()

    def held(self) -> Iterator[tuple[str, object]]:
        yield from {**self._frame.f_globals, **self._frame.f_locals}.items()

    def calls(self, name: str) -> list[ast.Call]:
        """Return all calls of methods, or functions, of a name in the file."""
        calls = [node for node in self.whole if isinstance(node, ast.Call)]
        return [each for each in calls if _called(each) == name]


def _scenes(trace: TracebackType | None) -> list[_Scene]:
    """Return where the program is, the innermost first."""
    found = []
    while trace is not None:
        tree = scope_of(trace.tb_frame) if is_users(trace) else None
        if tree is not None:
            found.append(_Scene(trace.tb_frame, tree))
        trace = trace.tb_next
    return found[::-1]


def _within(tree: ast.AST) -> Iterator[ast.AST]:
    """Give the parts of a function, or module, without the functions and classes in it."""
    for child in ast.iter_child_nodes(tree):
        if not isinstance(child, _PARTS):
            yield child
            yield from _within(child)


def _called(call: ast.Call) -> str:
    return ast.unparse(call.func).rpartition(".")[2]


def _classes(value: object) -> list[str]:
    return [base.__name__ for base in type(value).__mro__ if base.__module__.startswith("gluonish")]


def _is_array(value: object) -> bool:
    """Return whether it is an array of `nd`; those of `np` have functions that change them."""
    names = _classes(value)
    return "NDArray" in names and "ndarray" not in names


def _spread(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where a column and a row are combined: `pred - y` of shapes (n, 1) and (n,)."""
    for node in scene.nodes:
        if isinstance(node, ast.BinOp) and isinstance(node.op, _PAIRED):
            pair = node.left, node.right
        elif isinstance(node, ast.Compare):
            pair = node.left, node.comparators[0]
        else:
            continue
        shapes = tuple(map(scene.shape, pair))
        if tuple(map(len, shapes)) not in (_COLUMN, _COLUMN[::-1]):
            continue
        column, row = shapes if len(shapes[0]) == _COLUMN[0] else shapes[::-1]
        if column != (*row, 1) or row[0] == 1:
            continue
        names = [ast.unparse(each) for each in pair]
        text = ast.unparse(node)
        flat = shapes.index(row)
        mended = text.replace(names[flat], f"{names[flat]}.reshape((-1, 1))")
        words = (
            f"{text} has shape ({row[0]}, {row[0]}): {names[0]} of shape {shapes[0]} and "
            f"{names[1]} of shape {shapes[1]} are combined each with each. Expected equal shapes. "
            f"Write {mended}."
        )
        yield node.lineno, words


def _mixed(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where `reshape` is to move axes."""
    for call in scene.nodes:
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        if call.func.attr != "reshape" or not call.args:
            continue
        is_function = len(scene.shape(call.func.value)) == 0
        array, sizes = (
            (call.args[0], call.args[1:]) if is_function else (call.func.value, call.args)
        )
        if len(sizes) == 1 and isinstance(sizes[0], (ast.Tuple, ast.List)):
            sizes = sizes[0].elts
        lengths = [_number(scene, each) for each in sizes]
        order = _order(scene.shape(array), lengths)
        if order is not None and short_name(array):
            text, moved = ast.unparse(call), f"{short_name(array)}.transpose({order})"
            given = f"({', '.join(map(ast.unparse, sizes))})"
            if len(order) != len(lengths):
                moved = f"{moved}.reshape({given})"
            words = (
                f"{text} keeps the numbers in their order, and mixes up the axes of an array of "
                f"shape {scene.shape(array)}. Write {moved}, which moves them."
            )
            yield call.lineno, words


def _number(scene: _Scene, node: ast.expr) -> int | None:
    value = node.value if isinstance(node, ast.Constant) else scene.value(node)
    return value if isinstance(value, int) else None


def _order(shape: tuple[int, ...], lengths: list[int | None]) -> tuple[int, ...] | None:
    """Return the order of axes in which a shape has other lengths, None if it has them in none."""
    wanted = [each for each in lengths if each != 1]
    if wanted == [each for each in shape if each != 1] or len(set(wanted)) == 1:
        return None
    left = [place for place, each in enumerate(shape) if each != 1]
    order = [place for place, each in enumerate(shape) if each == 1]
    for length in wanted:
        place = next((each for each in left if shape[each] == length), None)
        if place is None:
            return None
        left.remove(place)
        order.append(place)
    return None if left else tuple(order)


def _not_updated(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where gradients are computed that nobody uses."""
    trainers = [name for name, held in scene.held() if "Trainer" in _classes(held)]
    backward = scene.calls("backward")
    if trainers and backward and not any(map(scene.calls, ("step", "update", "allreduce_grads"))):
        words = (
            f"no line updates the parameters after it. Write {trainers[0]}.step(batch_size) after "
            f"{ast.unparse(backward[0])}."
        )
        yield backward[0].lineno, words


def _same_array(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where a program keeps a parameter's array itself, which every step changes."""
    for node in scene.nodes:
        value = node.value if isinstance(node, ast.Assign) else None
        if not isinstance(node, ast.Assign) or not isinstance(value, ast.Call):
            continue
        is_held = isinstance(node.targets[0], ast.Name) and _called(value) == "data"
        if is_held and not value.args and _is_compared(scene, node.targets[0]):
            text = ast.unparse(value)
            words = (
                f"{text} is the array that each step changes. Write {text}.copy() to keep what it "
                f"holds at that moment."
            )
            yield node.lineno, words


def _is_compared(scene: _Scene, target: ast.expr) -> bool:
    """Return whether a check reads a name, and the same parameter's array again."""
    checks = [node for node in scene.nodes if isinstance(node, ast.Assert)]
    names = {each.id for check in checks for each in ast.walk(check) if isinstance(each, ast.Name)}
    return isinstance(target, ast.Name) and target.id in names and bool(scene.calls("step"))


def _unused(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where a result is left, as if an array were changed: `nd.random.shuffle(x)`."""
    for node in scene.nodes:
        call = node.value if isinstance(node, ast.Expr) else None
        if not isinstance(call, ast.Call) or not isinstance(call.func, ast.Attribute):
            continue
        owner, name = scene.value(call.func.value), call.func.attr
        is_method = _is_array(owner)
        array = call.func.value if is_method else next(iter(call.args), None)
        home = str(getattr(scene.value(call.func), "__module__", ""))
        is_new = home.startswith("gluonish") and not _CHANGING.search(name)
        is_of_arrays = is_method or str(getattr(owner, "__name__", "")).startswith(_FUNCTIONS)
        has_out = any(each.arg == "out" for each in call.keywords)
        if array is None or not (is_new and is_of_arrays) or has_out or not scene.shape(array):
            continue
        if _is_array(scene.value(array)) and short_name(array):
            text = ast.unparse(call)
            words = (
                f"{text} gives a new array, which nothing keeps, and {short_name(array)} stays as "
                f"it is. Write {short_name(array)} = {text}."
            )
            yield call.lineno, words


def _masked_rows(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where a comparison is to choose rows: of numbers, it is a warning that tells."""
    for node in scene.nodes:
        if not isinstance(node, ast.Subscript) or not _is_array(scene.value(node.value)):
            continue
        is_asked = isinstance(node.slice, ast.Compare)
        mask = scene.value(node.slice.left if isinstance(node.slice, ast.Compare) else node.slice)
        owner = scene.shape(node.value)
        if not _is_array(mask) or mask.shape != owner[:1] or len(owner) < _COLUMN[0]:
            continue
        numbers = mask.asnumpy()
        is_mask = is_asked or ((numbers == 0) | (numbers == 1)).all()
        if "int" not in str(mask.dtype) and is_mask:
            name, key = ast.unparse(node.value), ast.unparse(node.slice)
            words = (
                f"{name}[{key}] takes the numbers 0 and 1 of {key} for positions of rows. Write "
                f"nd.contrib.boolean_mask({name}, {key}), which chooses those where it holds."
            )
            yield node.lineno, words


def _added_up(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where gradients are to be added up, and never begin anew."""
    if scene.calls("zero_grad"):
        return
    if not scene.calls("step"):
        yield from _summed(scene)
        return
    for call in scene.calls("setattr"):
        if [ast.unparse(each) for each in call.args[-2:]] == ["'grad_req'", "'add'"]:
            owner = ast.unparse(call.func).rpartition(".")[0]
            words = (
                f"with grad_req='add' the gradients of all steps are added up. Write "
                f"{owner}.zero_grad() after each step, so that they begin anew."
            )
            yield call.lineno, words


def _summed(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where the gradient of an array is that of all passes of a loop."""
    passes = [line.lineno for line in scene.calls("backward")]
    loops = [node for node in scene.nodes if isinstance(node, (ast.For, ast.While))]
    is_looped = any(
        each.lineno <= line <= (each.end_lineno or 0) for each in loops for line in passes
    )
    written = [
        ast.unparse(each.value)
        for node in scene.nodes
        if isinstance(node, ast.Assign)
        for each in node.targets
        if isinstance(each, ast.Subscript)
    ]
    for call in scene.calls("attach_grad"):
        owner = ast.unparse(call.func).rpartition(".")[0]
        asked = [ast.unparse(each) for each in (*call.args, *(k.value for k in call.keywords))]
        if "'add'" in asked and is_looped and f"{owner}.grad" not in written:
            words = (
                f"with grad_req='add' {owner}.grad is the sum over all passes of the loop. Write "
                f"{owner}.attach_grad() for that of the last one, or {owner}.grad[:] = 0 before "
                f"each pass."
            )
            yield call.lineno, words


def _replaced(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where a loop is to add gradients up, and each pass writes them anew."""
    if "add" in {node.value for node in scene.whole if isinstance(node, ast.Constant)}:
        return
    reads = [each.lineno for name in ("grad", "list_grad") for each in scene.calls(name)]
    for loop in scene.nodes:
        if not isinstance(loop, (ast.For, ast.While)):
            continue
        names = {_called(each) for each in ast.walk(loop) if isinstance(each, ast.Call)}
        is_read = any(line > (loop.end_lineno or line) for line in reads)
        if "backward" in names and is_read and names.isdisjoint({"step", "update", "grad"}):
            blocks = [name for name, held in scene.held() if "Block" in _classes(held)]
            net = next(iter(blocks), "net")
            words = (
                f"each backward() in this loop puts its gradients in the place of those before. "
                f"Write {net}.collect_params().setattr('grad_req', 'add') above the first pass, "
                f"and {net}.collect_params().zero_grad() where the sum begins."
            )
            yield loop.lineno, words


def _rounded(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where whole numbers become float32, which does not hold them."""
    for node in scene.nodes:
        call = node.value if isinstance(node, ast.Assign) else node
        if not isinstance(call, ast.Call) or _called(call) != "array" or len(call.args) != 1:
            continue
        if not str(getattr(scene.value(call.func), "__module__", "")).startswith("gluonish"):
            continue
        given = onp.asarray(scene.value(call.args[0]))
        if given.dtype.kind not in "iu" or call.keywords:
            continue
        if (given.astype(onp.float32).astype(given.dtype) != given).any():
            text = ast.unparse(call)
            words = (
                f"{text} is of float32, which holds whole numbers up to 16,777,216 alone. Write "
                f"{text[:-1]}, dtype='int64'), or keep the numbers where they are exact."
            )
            yield call.lineno, words


def _shuffled_apart(scene: _Scene) -> Iterator[tuple[int, str]]:
    """Give where two arrays of the same samples are brought into different orders."""
    shuffled = [
        call
        for call in scene.calls("shuffle")
        if call.args and short_name(call.args[0]) and scene.shape(call.args[0])
    ]
    for first, second in itertools.pairwise(shuffled):
        x, y = ast.unparse(first.args[0]), ast.unparse(second.args[0])
        if x != y and scene.shape(first.args[0])[0] == scene.shape(second.args[0])[0]:
            words = (
                f"{x} and {y} are shuffled each for itself, so that rows and labels do not belong "
                f"together any more. Write, in the place of both, order = "
                f"onp.random.permutation(len({x})) and {x}, {y} = {x}[order], {y}[order], with "
                f"import numpy as onp."
            )
            yield second.lineno, words


_CHECKS: tuple[_Check, ...] = (
    _masked_rows, _added_up, _replaced, _rounded, _shuffled_apart, _spread, _unused, _mixed,
    _not_updated, _same_array,
)  # fmt: skip
