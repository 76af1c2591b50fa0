"""What an error that ends a program shows: the program's lines alone, words for others' errors."""

from __future__ import annotations

import ast
import functools
import linecache
import re
import sys
from typing import TYPE_CHECKING, Any

from gluonish.errors import MXNetError, UnknownNameError
from gluonish.errors.tracebacks import alone, is_full, is_ours, is_users
from gluonish.late import LateModule

if TYPE_CHECKING:
    from types import TracebackType

    from gluonish.errors import (
        arguments,
        habits,
        held_values,
        makers,
        objects,
        own_calls,
        own_checks,
        own_names,
        own_objects,
        program_names,
        program_recording,
        program_text,
        second_calls,
        suggestions,
        unfinished,
    )
else:
    arguments = LateModule("gluonish.errors.arguments")
    habits = LateModule("gluonish.errors.habits")
    held_values = LateModule("gluonish.errors.held_values")
    makers = LateModule("gluonish.errors.makers")
    objects = LateModule("gluonish.errors.objects")
    own_calls = LateModule("gluonish.errors.own_calls")
    own_checks = LateModule("gluonish.errors.own_checks")
    own_names = LateModule("gluonish.errors.own_names")
    own_objects = LateModule("gluonish.errors.own_objects")
    program_names = LateModule("gluonish.errors.program_names")
    program_recording = LateModule("gluonish.errors.program_recording")
    program_text = LateModule("gluonish.errors.program_text")
    second_calls = LateModule("gluonish.errors.second_calls")
    suggestions = LateModule("gluonish.errors.suggestions")
    unfinished = LateModule("gluonish.errors.unfinished")


_NO_GRADIENT = r"\g<it> has no gradient"  # how the words for that begin
_AT_END = (
    "There is nothing left to go through. A for loop ends here by itself; iterator.reset() begins "
    "anew, and so does iter(loader) of a DataLoader."
)


def install() -> None:
    """Have errors that end a program show its own lines, and what helps; whatever hook there is.

    Only those of gluonish, a Ctrl-C inside of it, and errors of Python and torch that come from
    taking gluonish for another library, are changed. `GLUONISH_FULL_TRACEBACK=1` keeps all.

    Examples
    --------
    >>> from gluonish.errors.last_words import install
    >>> install()
    """
    _install_in_notebooks()
    before = sys.excepthook
    if getattr(before, "__module__", None) == __name__:
        return

    def show(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if not is_full():
            trace = improve(error, trace)
        before(kind, error, trace)

    sys.excepthook = show


def _install_in_notebooks() -> None:
    """Have IPython's shell, if the program is one, show the same: it asks no hook of Python's."""
    find = getattr(sys.modules.get("IPython"), "get_ipython", None)
    shell = None if find is None else find()
    before = getattr(shell, "showtraceback", None)
    if before is None or getattr(before, "__module__", None) == __name__:
        return

    @functools.wraps(before)
    def show(
        exc_tuple: tuple[Any, ...] | None = None,
        filename: str | None = None,
        tb_offset: int | None = None,
        *args: Any,
        **kwargs: Any,
    ) -> object:
        error = sys.exc_info()[1] if exc_tuple is None else exc_tuple[1]
        if isinstance(error, BaseException) and not is_full():
            _improve_after(error, 1 if tb_offset is None else tb_offset)
            exc_tuple = (type(error), error, error.__traceback__)
        return before(exc_tuple, filename, tb_offset, *args, **kwargs)

    show.__module__ = __name__
    shell.showtraceback = show  # type: ignore[union-attr]


def _improve_after(error: BaseException, skipped: int) -> None:
    """Improve an error whose first steps are a shell's, which leaves these out by their number."""
    first = last = error.__traceback__
    for _ in range(skipped - 1):
        last = None if last is None else last.tb_next
    if skipped and last is not None:
        last.tb_next = improve(error, last.tb_next)
        error.__traceback__ = first
    else:
        error.__traceback__ = improve(error, first)


def improve(error: BaseException, trace: TracebackType | None) -> TracebackType | None:
    """Return the part of a traceback that is the program's, after adding a note if one is known.

    Examples
    --------
    >>> from gluonish.errors.last_words import improve
    >>> error = TypeError("gluonish.nn.basic.Dense is not a Module subclass")
    >>> _ = improve(error, None)
    >>> print(error.__notes__[0])
    net.to_torch() makes a module of PyTorch from a Block; gluon.nn.Sequential takes Blocks.
    """
    if isinstance(error, MXNetError):
        alone(error)
        _shorten_cause(error)
    frames = _steps(trace)
    programs = [frame for frame in frames if is_users(frame)]
    words = _words(error, programs[-1] if programs else None)
    if words is None and not (programs and _after(programs[-1])):
        words = _lacks(error, programs[-1] if programs else None)
    if words is not None:
        noted = getattr(error, "noted_call", None)  # which knows less
        kept = [note for note in getattr(error, "__notes__", ()) if note != noted]
        error.__notes__ = [*kept, words]
    is_told = hasattr(error, "noted_call") or hasattr(error, "is_explained")
    if words is None and programs and not (is_told or isinstance(error, MXNetError)):
        arguments.note_frame(error, next(iter(_after(programs[-1])), None))
    if programs:
        _speak_as(error, programs[-1])
    is_in_ours = any(is_ours(frame.tb_frame.f_code.co_filename) for frame in frames)
    is_interrupt = isinstance(error, KeyboardInterrupt) and is_in_ours
    is_told = words is not None or hasattr(error, "noted_call")
    if not programs or not (is_told or is_interrupt or isinstance(error, MXNetError)):
        return trace
    error.__traceback__ = _linked(programs)
    return programs[0]


def _steps(trace: TracebackType | None) -> list[TracebackType]:
    steps = []
    while trace is not None:
        steps.append(trace)
        trace = trace.tb_next
    return steps


def _linked(steps: list[TracebackType]) -> TracebackType:
    """Return the first of the steps of a traceback, which leads to these alone."""
    for step, after in zip(steps, [*steps[1:], None], strict=True):
        step.tb_next = after
    return steps[0]


def _shorten_cause(error: MXNetError) -> None:
    """Leave our own lines out of what is shown above an error, and all of it if nothing is left."""
    cause = error.__cause__
    if cause is not None:
        steps = [step for step in _steps(cause.__traceback__) if is_users(step)]
        cause.__traceback__ = _linked(steps) if steps else None
        error.__cause__ = cause if steps else None


def _speak_as(error: BaseException, place: TracebackType) -> None:
    """Have what an error advises use the names that the program has for our modules and its own."""
    if isinstance(error, UnknownNameError):
        name, owner, hint = error.args
        said = _spelled(hint(), place, is_unknown=True)
        error.args = name, owner, lambda: said
    elif isinstance(error, MXNetError) and error.args and type(error.args[0]) is str:
        error.args = (_spelled(error.args[0], place), *error.args[1:])
    if hasattr(error, "__notes__"):
        error.__notes__ = [_spelled(note, place) for note in error.__notes__]


def _spelled(advice: str, place: TracebackType, *, is_unknown: bool = False) -> str:
    advice = own_calls.spelled(advice, place, is_unknown=is_unknown)
    return own_names.spelled(own_objects.spelled(advice, place), place.tb_frame)


def _after(place: TracebackType) -> list[TracebackType]:
    """Return the steps of a traceback after one, if the first of them is ours."""
    steps = _steps(place.tb_next)
    return steps if steps and is_ours(steps[0].tb_frame.f_code.co_filename) else []


def _words(error: BaseException, place: TracebackType | None) -> str | None:
    """Return what an error of others means in a program that uses gluonish, or None."""
    if isinstance(error, MXNetError):
        return None
    line = (
        ""
        if place is None
        else linecache.getline(place.tb_frame.f_code.co_filename, place.tb_lineno)
    )
    if isinstance(error, SyntaxError):
        line = error.text or ""
    text = f"{type(error).__name__}: {error}"
    if isinstance(error, AttributeError):
        known = unfinished.lacks_its_parents(error)
        known = known or unfinished.is_asked_too_early(error, error.__traceback__)
        if known is not None:
            return known
    if place is not None:
        where = place.tb_frame, place.tb_lineno
        known = objects.unpacks_an_array(error, *where) or held_values.is_no_key(error, *where)
        known = known or held_values.is_name(error, *where)
        known = known or held_values.is_pair(error, *where) or held_values.has_parts(error, *where)
        known = known or held_values.is_array(error, *where) or held_values.is_list(error, *where)
        known = known or program_names.made_a_number(error, *where)
        known = known or program_recording.is_no_tape(error, line)
        if known is None and text.startswith("TypeError: unsupported operand"):
            known = makers.is_maker(error, *where)
        if known is not None:
            return known
    for message, wanted, words in habits.ELSEWHERE:
        found, there = re.search(message, text), re.search(wanted, line)
        if there is not None and place is not None and words.startswith(_NO_GRADIENT):
            all_of_line = re.finditer(wanted, line)
            there = next((one for one in all_of_line if _lacks_gradient(one["it"], place)), there)
        if found is not None and there is not None:
            return (there if "it" in there.groupdict() else found).expand(words)
    if place is not None:
        maker = makers.is_maker(error, place.tb_frame, place.tb_lineno)
        if maker is not None:
            return maker
    if isinstance(error, ImportError):
        is_told = hasattr(error, "__notes__")  # where gluonish stands in for mxnet
        return None if is_told else suggestions.late_import(str(error))
    if isinstance(error, StopIteration):
        return _AT_END if place is not None and _after(place) else None
    if (known := objects.is_no_row(error)) is not None:
        return known
    is_own = place is not None and place.tb_next is None
    if isinstance(error, AttributeError) and (place is None or is_own):
        known = program_names.what_it_is(error, _array_class())
        if known is not None:
            return known
    if (known := objects.what_it_takes(error)) is not None:
        return known
    if place is None:
        return None
    known = second_calls.is_second(error, place.tb_frame)
    known = known or objects.is_no_function(error, place.tb_frame, place.tb_lineno)
    known = known or objects.is_not_called(error, place.tb_frame, place.tb_lineno)
    known = known or objects.how_it_is_called(error, place.tb_frame, place.tb_lineno)
    known = known or objects.returns_nothing(error, place.tb_frame, place.tb_lineno)
    known = known or program_names.where_it_came_from(error, place.tb_frame, place.tb_lineno)
    return known or (None if _after(place) else own_checks.overlooked(error))


def _lacks_gradient(name: str, place: TracebackType) -> bool:
    """Return whether a variable of the program is an array without a gradient."""
    held = {**place.tb_frame.f_globals, **place.tb_frame.f_locals}.get(name)
    return hasattr(held, "attach_grad") and getattr(held, "grad", None) is None


def _lacks(error: BaseException, place: TracebackType | None) -> str | None:
    """Return what an object has instead, which the program's line calls by its name."""
    words = objects.what_it_lacks(error) if isinstance(error, AttributeError) else None
    if words is None or place is None:
        return words
    frame = place.tb_frame
    node = program_text.expression(program_text.Place(frame.f_code, place.tb_lasti))
    name = program_text.short_name(node.value) if isinstance(node, ast.Attribute) else ""
    if name in ("", "self"):
        return words
    return re.sub(r"(?<=dir\()x(?=\))|(?<= )x(?= has\.$)", name, words)


def _array_class() -> type:
    found: type = sys.modules["gluonish.ndarray"].NDArray
    return found
