"""A bounded machine that reads pickles as plain data, and runs and imports nothing."""

from __future__ import annotations

import codecs
import struct
from dataclasses import dataclass
from sys import getsizeof
from typing import TYPE_CHECKING, Any, Final, NoReturn, Protocol, TypeAlias

from gluonish.serialization.cursor import refuse

if TYPE_CHECKING:
    from collections.abc import Callable

Value: TypeAlias = Any
"""Something that a pickle describes."""

_STOP: Final = ord(".")
_DEEPEST: Final = 64
_LONGEST_NUMBER: Final = 64
_LARGEST_INTEGER: Final = 16
_INLINE: Final = 256
_COST_FACTOR: Final = 32
_COST_FREE: Final = 2**16
_OPCODE, _CONTAINER, _ITEM, _NUMBER, _VIEW = 8, 64, 64, 32, 256
_FIX: Final = (
    "Nothing in it was run. Save the states anew, get the file again, or go on without it."
)


@dataclass(frozen=True, slots=True)
class Global:
    """A name of a Python object in a pickle; only text, which is never looked up."""

    module: str
    name: str

    @property
    def text(self) -> str:
        """The full name, cut if it is long."""
        return f"{self.module[:60]}.{self.name[:60]}"


class World(Protocol):
    """What the names in a pickle stand for."""

    def find(self, name: Global) -> Global:
        """Return the name if it is one of those that are known, else raise `ProblemError`."""

    def call(self, name: object, args: object) -> Value:
        """Return what a call gives."""

    def new(self, name: object, args: object) -> Value:
        """Return a new object of a class."""

    def build(self, made: object, state: object) -> None:
        """Give an object its attributes."""


class ProblemError(Exception):
    """What is wrong with a pickle; the machine adds the file's name and the place."""


def fail(problem: str) -> NoReturn:
    """Refuse the pickle, at the place where the machine is."""
    raise ProblemError(problem)


class Machine:
    """An interpreter of the opcodes in which pickles describe data, protocols 0 to 5.

    There is no recursion, every length is compared with the bytes left before anything is
    allocated, and what is made costs at most a small multiple of the file.

    Parameters
    ----------
    data : bytes or memoryview
        The pickle.
    source : str
        Name for messages.
    world : World
        Decides which names are known, and what they stand for.
    """

    __slots__ = ("budget", "data", "marks", "memo", "place", "position", "source", "stack", "world")

    def __init__(self, data: bytes | memoryview, source: str, world: World) -> None:
        self.data = memoryview(data).toreadonly().cast("B")
        self.source = source
        self.world = world
        self.stack: list[Any] = []
        self.marks: list[int] = []
        self.memo: dict[int, Any] = {}
        self.position = self.place = 0
        self.budget = _COST_FACTOR * len(self.data) + _COST_FREE

    def run(self) -> Value:
        """Return the object that the pickle describes.

        Raises
        ------
        FileFormatError
            The pickle is damaged, names something that is not known, or announces too much.
        """
        try:
            return self._run()
        except ProblemError as problem:
            refuse(self.source, f"byte {self.place}", str(problem), _FIX)

    def _run(self) -> Value:
        data, size, opcodes = self.data, len(self.data), OPCODES
        while self.position < size:
            self.place = self.position
            code = data[self.position]
            self.position += 1
            if code == _STOP:
                return self._result()
            opcode = opcodes.get(code)
            if opcode is None:
                fail(
                    f"the opcode {bytes([code])!r} was found; expected one of those that describe "
                    f"numbers, text, arrays and settings"
                )
            opcode(self)
            self.spend(_OPCODE)
        self.place = size
        return fail("the file ends in the middle of a pickle; expected its end mark")

    def _result(self) -> Value:
        result = self.pop()
        if self.stack or self.marks:
            fail("values are left over at the end; expected a single one")
        if self.position != len(self.data):
            left = len(self.data) - self.position
            fail(f"{left} bytes follow the end mark; expected the end of the file")
        return result

    def spend(self, cost: int) -> None:
        """Count memory, in bytes, that the file makes the reader use."""
        self.budget -= cost
        if self.budget < 0:
            fail(
                f"what it describes takes more than {_COST_FACTOR} times the memory of the file "
                f"({len(self.data)} bytes); expected arrays, numbers and text"
            )

    # --- bytes ------------------------------------------------------------------------------

    def view(self, count: int, what: str) -> memoryview:
        """Return the next bytes without a copy."""
        left = len(self.data) - self.position
        if count < 0 or count > left:
            fail(f"{what} takes {count} bytes; expected at most {left}, all that is left")
        start = self.position
        self.position = start + count
        return self.data[start : self.position]

    def number(self, layout: str, what: str) -> Value:
        """Return the next number laid out as `struct` says."""
        return struct.unpack(layout, self.view(struct.calcsize(layout), what))[0]

    def line(self, what: str, longest: int | None = None) -> bytes:
        """Return the bytes up to the end of a line, and go on after it."""
        found = bytearray()
        step = 128
        while True:
            part = bytes(self.data[self.position : self.position + step])
            end = part.find(b"\n")
            if end >= 0:
                found += part[:end]
                self.position += end + 1
                break
            found += part
            self.position += len(part)
            if not part or (longest is not None and len(found) > longest):
                break
            step = 2 * step
        if end < 0 or (longest is not None and len(found) > longest):
            limit = "the end of a line" if longest is None else f"at most {longest} characters"
            fail(f"{what} begins with {bytes(found[:40])!r}; expected {limit}")
        return bytes(found)

    # --- values -----------------------------------------------------------------------------

    def push(self, value: Value) -> None:
        """Put a value on the stack."""
        self.stack.append(value)

    def pop(self) -> Value:
        """Take the uppermost value from the stack, if no mark is above it."""
        if len(self.stack) <= (self.marks[-1] if self.marks else 0):
            fail("a value is missing; expected one before this opcode")
        return self.stack.pop()

    def top(self) -> Value:
        """Return the uppermost value and leave it on the stack."""
        value = self.pop()
        self.stack.append(value)
        return value

    def pop_marked(self) -> list[Any]:
        """Take all values above the uppermost mark, and the mark."""
        if not self.marks:
            fail("a mark is missing; expected one before this opcode")
        start = self.marks.pop()
        items = self.stack[start:]
        del self.stack[start:]
        return items

    def remember(self, index: int) -> None:
        """Keep the uppermost value for `recall`."""
        value = self.top()
        if index not in self.memo:
            self.spend(_ITEM)
        self.memo[index] = value

    def recall(self, index: int) -> None:
        """Put a value that was kept on the stack again."""
        if index not in self.memo:
            fail(f"value {index} is used; expected one that was kept before")
        self.push(self.memo[index])

    def text(self, value: str) -> None:
        """Push text."""
        self.spend(getsizeof(value))
        self.push(value)

    def blob(self, count: int) -> None:
        """Push bytes: a view of the file if they are many."""
        view = self.view(count, "a byte string")
        self.spend(_VIEW if count > _INLINE else count + _NUMBER)
        self.push(view if count > _INLINE else bytes(view))


# --- numbers, text and bytes ----------------------------------------------------------------


def _integer(machine: Machine, value: int) -> None:
    machine.spend(_NUMBER)
    machine.push(value)


def _text_integer(machine: Machine) -> None:
    line = machine.line("an integer", _LONGEST_NUMBER)
    if line in (b"00", b"01"):
        machine.push(line == b"01")
        return
    try:
        value = int(line.removesuffix(b"L"))
    except ValueError:
        fail(f"an integer is written {line!r}; expected digits")
    _integer(machine, value)


def _text_float(machine: Machine) -> None:
    line = machine.line("a number", _LONGEST_NUMBER)
    try:
        value = float(line)
    except ValueError:
        fail(f"a number is written {line!r}; expected digits")
    _integer(machine, value)  # type: ignore[arg-type] # a float costs as much


def _long(machine: Machine, count: int) -> None:
    if count > _LARGEST_INTEGER:
        fail(f"an integer takes {count} bytes; expected at most {_LARGEST_INTEGER}, as for counts")
    _integer(
        machine, int.from_bytes(machine.view(count, "an integer"), byteorder="little", signed=True)
    )


def _utf8(machine: Machine, count: int) -> None:
    encoded = machine.view(count, "text")
    try:
        value = str(encoded, "utf-8", "surrogatepass")
    except UnicodeDecodeError:
        fail(f"text begins with {bytes(encoded[:40])!r}; expected UTF-8")
    machine.text(value)


def _escaped_utf16(machine: Machine) -> None:
    line = machine.line("text")
    try:
        value = line.decode("raw-unicode-escape")
    except UnicodeDecodeError:
        fail(f"text begins with {line[:40]!r}; expected Unicode escapes")
    machine.text(value)


def _quoted(machine: Machine) -> None:
    line = machine.line("text").rstrip()
    if len(line) < 2 or line[:1] != line[-1:] or line[:1] not in (b"'", b'"'):
        fail(f"text begins with {line[:40]!r}; expected quotes around it")
    try:
        value, _ = codecs.escape_decode(line[1:-1])
    except ValueError:
        fail(f"text begins with {line[:40]!r}; expected valid escapes")
    machine.text(value.decode("latin-1"))


def _python2(machine: Machine, count: int) -> None:
    machine.text(str(machine.view(count, "text"), "latin-1"))


# --- containers -----------------------------------------------------------------------------


def _mark(machine: Machine) -> None:
    if len(machine.marks) == _DEEPEST:
        fail(f"it is nested more than {_DEEPEST} deep; expected a dictionary of states")
    machine.marks.append(len(machine.stack))


def _tuple(machine: Machine, items: list[Any]) -> None:
    machine.spend(_CONTAINER + 8 * len(items))
    machine.push(tuple(items))


def _tuple_of(count: int) -> Callable[[Machine], None]:
    return lambda machine: _tuple(machine, [machine.pop() for _ in range(count)][::-1])


def _list(machine: Machine, items: list[Any]) -> None:
    machine.spend(_CONTAINER + 8 * len(items))
    machine.push(items)


def _extend(machine: Machine, items: list[Any]) -> None:
    target = machine.top()
    if type(target) is not list:
        fail(f"items are added to {_kind(target)}; expected a list")
    machine.spend(8 * len(items))
    target.extend(items)


def _dict(machine: Machine, items: list[Any]) -> None:
    machine.spend(_CONTAINER)
    machine.push({})
    _fill(machine, items)


def _fill(machine: Machine, items: list[Any]) -> None:
    target = machine.top()
    if type(target) is not dict:
        fail(f"items are set in {_kind(target)}; expected a dictionary")
    if len(items) % 2:
        fail("a dictionary has a key without a value; expected pairs")
    machine.spend(_ITEM * (len(items) // 2))
    for key, value in zip(items[::2], items[1::2], strict=True):
        if type(key) not in (int, str):
            fail(f"a key is {_kind(key)}; expected a number or a name")
        target[key] = value


def _set_item(machine: Machine) -> None:
    value, key = machine.pop(), machine.pop()
    _fill(machine, [key, value])


def _append(machine: Machine) -> None:
    value = machine.pop()
    _extend(machine, [value])


def _pop(machine: Machine) -> None:
    if machine.marks and machine.marks[-1] == len(machine.stack):
        machine.marks.pop()
    else:
        machine.pop()


# --- names, calls and the memo --------------------------------------------------------------


def _global(machine: Machine) -> None:
    names = [machine.line("a name") for _ in range(2)]
    try:
        module, name = (one.decode() for one in names)
    except UnicodeDecodeError:
        fail(f"the name {b'.'.join(names)[:60]!r} was found; expected UTF-8")
    _named(machine, module, name)


def _stack_global(machine: Machine) -> None:
    name, module = machine.pop(), machine.pop()
    if type(name) is not str or type(module) is not str:
        fail(f"a name is {_kind(name)} in {_kind(module)}; expected text")
    _named(machine, module, name)


def _named(machine: Machine, module: str, name: str) -> None:
    machine.spend(_CONTAINER)
    machine.push(machine.world.find(Global(module, name)))


def _reduce(machine: Machine) -> None:
    args, function = machine.pop(), machine.pop()
    made = machine.world.call(function, args)
    machine.spend(2 * _CONTAINER + (getsizeof(made) if type(made) in (bytes, str) else 0))
    machine.push(made)


def _new(machine: Machine) -> None:
    args, kind = machine.pop(), machine.pop()
    machine.spend(2 * _CONTAINER)
    machine.push(machine.world.new(kind, args))


def _build(machine: Machine) -> None:
    state = machine.pop()
    machine.world.build(machine.top(), state)


def _protocol(machine: Machine) -> None:
    version = machine.number("B", "the version of the protocol")
    if version > 5:
        fail(f"the version of the protocol is {version}; expected 0 to 5")


def _frame(machine: Machine) -> None:
    length = machine.number("<Q", "the length of a frame")
    left = len(machine.data) - machine.position
    if length > left:
        fail(f"a frame takes {length} bytes; expected at most {left}, all that is left")


def _index(machine: Machine) -> int:
    line = machine.line("a number", _LONGEST_NUMBER)
    if not line.isdigit():
        fail(f"a value is numbered {line!r}; expected digits")
    return int(line)


def _kind(value: object) -> str:
    return "a class" if isinstance(value, Global) else f"of type {type(value).__name__}"


OPCODES: Final[dict[int, Callable[[Machine], None]]] = {
    ord(code): function
    for code, function in {
        "(": _mark,
        "0": _pop,
        "1": lambda m: (m.pop_marked(), None)[1],
        "2": lambda m: m.push(m.top()),
        "F": _text_float,
        "G": lambda m: _integer(m, m.number(">d", "a number")),
        "I": _text_integer,
        "J": lambda m: _integer(m, m.number("<i", "an integer")),
        "K": lambda m: m.push(m.number("B", "an integer")),
        "L": _text_integer,
        "M": lambda m: _integer(m, m.number("<H", "an integer")),
        "N": lambda m: m.push(None),
        "\x88": lambda m: m.push(True),
        "\x89": lambda m: m.push(False),
        "\x8a": lambda m: _long(m, m.number("B", "an integer")),
        "\x8b": lambda m: _long(m, m.number("<i", "an integer")),
        "S": _quoted,
        "T": lambda m: _python2(m, m.number("<i", "text")),
        "U": lambda m: _python2(m, m.number("B", "text")),
        "V": _escaped_utf16,
        "X": lambda m: _utf8(m, m.number("<I", "text")),
        "\x8c": lambda m: _utf8(m, m.number("B", "text")),
        "\x8d": lambda m: _utf8(m, m.number("<Q", "text")),
        "B": lambda m: m.blob(m.number("<I", "a byte string")),
        "C": lambda m: m.blob(m.number("B", "a byte string")),
        "\x8e": lambda m: m.blob(m.number("<Q", "a byte string")),
        "\x96": lambda m: m.blob(m.number("<Q", "a byte string")),
        ")": lambda m: m.push(()),
        "t": lambda m: _tuple(m, m.pop_marked()),
        "\x85": _tuple_of(1),
        "\x86": _tuple_of(2),
        "\x87": _tuple_of(3),
        "]": lambda m: _list(m, []),
        "l": lambda m: _list(m, m.pop_marked()),
        "a": _append,
        "e": lambda m: _extend(m, m.pop_marked()),
        "}": lambda m: _dict(m, []),
        "d": lambda m: _dict(m, m.pop_marked()),
        "s": _set_item,
        "u": lambda m: _fill(m, m.pop_marked()),
        # Sets are read as lists and tuples: no setting of an optimizer is one.
        "\x8f": lambda m: _list(m, []),
        "\x90": lambda m: _extend(m, m.pop_marked()),
        "\x91": lambda m: _tuple(m, m.pop_marked()),
        "c": _global,
        "\x93": _stack_global,
        "R": _reduce,
        "\x81": _new,
        "b": _build,
        "p": lambda m: m.remember(_index(m)),
        "q": lambda m: m.remember(m.number("B", "a number")),
        "r": lambda m: m.remember(m.number("<I", "a number")),
        "\x94": lambda m: m.remember(len(m.memo)),
        "g": lambda m: m.recall(_index(m)),
        "h": lambda m: m.recall(m.number("B", "a number")),
        "j": lambda m: m.recall(m.number("<I", "a number")),
        "\x80": _protocol,
        "\x95": _frame,
    }.items()
}
