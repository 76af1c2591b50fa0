"""What is wrong with an answer, as far as a program can tell."""

from __future__ import annotations

import builtins
import re
from typing import TYPE_CHECKING, NamedTuple

from fuzz.mistakes import advice

if TYPE_CHECKING:
    from collections.abc import Callable

    from fuzz.mistakes.running import Ending

MOST = 700  # characters of an answer, beside the traceback
_FRAME = re.compile(r'^ +File "(?P<file>[^"]*)", line \d+', re.MULTILINE)
_OF_NAMES = ("builtins.NameError", "builtins.SyntaxError", "builtins.IndentationError")

_PYTHONS = {*vars(builtins), "builtin_function_or_method", "function", "method", "module"}

# Kinds of faults: the first four are mistakes of ours, the others are for somebody to look at.
NO_ANSWER, OTHERS = "no answer", "frames of others"
NO_LINE, NO_HELP = "no line of the program", "advice that does not help"
WRONG = (NO_ANSWER, OTHERS, NO_LINE, NO_HELP)
PYTHONS, LONG, NAMES = "Python's words alone", "long", "names that the program does not have"


class Fault(NamedTuple):
    """What is wrong with an answer: in a word, and the part that is meant."""

    kind: str
    part: str


def words(told: str) -> str:
    """Return what an answer says after the lines of the traceback."""
    lines = told.splitlines()
    after = [i for i, line in enumerate(lines) if line.startswith((" ", "Traceback"))]
    return "\n".join(lines[after[-1] + 1 :] if after else lines)


def faults(program: str, ending: Ending, run: Callable[[str], Ending]) -> list[Fault]:
    """Return what is wrong with what the author of a program was told.

    Parameters
    ----------
    program : str
        The program, which failed.
    ending : Ending
        How it ended.
    run : callable
        Runs another program.
    """
    if not ending.kind:
        return []
    if "." not in ending.kind:
        return [Fault(NO_ANSWER, ending.kind)]
    found = []
    said = words(ending.told)
    others = [file for file in _FRAME.findall(ending.told) if not file.endswith("program.py")]
    if others and "gluonish" in said:
        found.append(Fault(OTHERS, others[0]))
    if not ending.line:
        found.append(Fault(NO_LINE, ""))
    if ending.kind.startswith("builtins.") and "\n" not in said and not _is_of_python(ending, said):
        found.append(Fault(PYTHONS, said))
    if len(said) > MOST:
        found.append(Fault(LONG, str(len(said))))
    for code in advice.advised(said):
        names = advice.unknown_names(code, ending.defined)
        if names:
            found.append(Fault(NAMES, f"{code}: {names}"))
        elif advice.is_complete(code) and not _helps(program, ending, code, run):
            found.append(Fault(NO_HELP, code))
    return found


def _is_of_python(ending: Ending, said: str) -> bool:
    """Return whether an error is about a program's names, or objects of Python's own, alone."""
    kinds = re.findall(r"'(\w+)' object|object of type '(\w+)'", said)
    named = {one or other for one, other in kinds}
    return ending.kind in _OF_NAMES or (bool(named) and named <= _PYTHONS)


def _helps(program: str, ending: Ending, code: str, run: Callable[[str], Ending]) -> bool:
    """Return whether the program comes further in one of the ways to follow an advice."""
    for changed in dict.fromkeys(advice.followed(program, ending.line, code)):
        end = run(changed)
        added = changed.count("\n") - program.count("\n")
        if not end.kind or (end.kind not in _OF_NAMES and end.line - added != ending.line):
            return True
    return False
