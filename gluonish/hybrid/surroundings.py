"""Survey of a Block: what its Python can see beside its arguments."""

from __future__ import annotations

import dis
import functools
import os
import random
import sys
import types
from collections import deque
from typing import TYPE_CHECKING, Any

import numpy as onp

from gluonish.array import NDArray
from gluonish.hybrid.blocks import OWN_ATTRIBUTES, is_block, is_weight
from gluonish.hybrid.guards import (
    Attribute,
    Binding,
    Entries,
    Guard,
    Items,
    Numbers,
    SameKind,
    Variable,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from gluonish.hybrid.blocks import Captured, Weight

MOST_ITEMS = 1000  # elements of containers, in all: watching them costs time at every call
MOST_NUMBERS = 1_000_000

_LIBRARIES = frozenset({"gluonish", "numpy", "torch", "builtins", *sys.stdlib_module_names})
_ATOMS = (
    type(None), bool, int, float, complex, str, bytes, type, types.ModuleType, types.CodeType,
    types.BuiltinFunctionType, onp.generic, onp.dtype, onp.ufunc, type(Ellipsis), slice, range,
)  # fmt: skip


class Survey:
    """What the Python of a Block, and of its children, can see beside the arguments.

    Attributes of Blocks report changes themselves. What else there is, is found here: arrays
    and parameters, whose values a graph reads at every call, and state of Python, which the
    graph takes as it was: containers, objects, NumPy arrays, variables of modules and functions.

    Parameters
    ----------
    block : Block
        The Block.

    Attributes
    ----------
    blocks : list of Block
        All Blocks that were found, in lists and dictionaries too.
    weights : dict of int to Parameter
        Their parameters, by identity.
    arrays : list of NDArray
        Arrays that are no parameters.
    guards : list of Guard
        What must not change.
    obstacle : str or None
        What can't be watched.
    """

    def __init__(self, block: Captured) -> None:
        self.blocks: list[Captured] = []
        self.weights: dict[int, Weight] = {}
        self.arrays: list[NDArray] = []
        self.guards: list[Guard] = []
        self.obstacle: str | None = None
        self._generators: list[tuple[str, Any, Any]] = []
        self._seen: dict[int, Any] = {}
        self._items = 0
        self._is_strict = True
        self._see(block, "")
        self._draws_of(random, "random")
        self._generators.append(("numpy.random", onp.random, _state_of(onp.random)))

    def changed(self) -> str | None:
        """Return what the captured program has changed, or None."""
        for guard in self.guards:
            if guard.is_strict and not guard.holds():
                return f"{guard.what} is changed"
        for what, generator, before in self._generators:
            if _state_of(generator) != before:
                return f"{what} draws random numbers in Python"
        return None

    def holds(self) -> bool:
        """Return whether all guards hold."""
        return all(guard.holds() for guard in self.guards)

    def structure(self) -> list[Any]:
        """Return what graphs rely on, without the state of Python; see `is_same`."""
        parts: list[Any] = []
        for block in self.blocks:
            parts += [block, tuple(block._children), *block._children.values()]
            parts += [tuple(block._reg_params), *block._reg_params.values()]
        for weight in self.weights.values():
            parts += [weight, weight._arrays]
            for ctx, array in weight._arrays.items():
                tensor = array._tensor
                parts += [array, (ctx, tensor.shape, tensor.dtype, weight.grad_req)]
        return [*parts, *self.arrays]

    # --- values ---------------------------------------------------------------------------------

    def _see(self, value: Any, what: str) -> None:
        if isinstance(value, _ATOMS) or id(value) in self._seen:
            return
        self._seen[id(value)] = value
        if isinstance(value, NDArray) and value.stype != "default":
            self.obstacle = f"{what} is a sparse array"
        elif isinstance(value, NDArray):
            self.arrays.append(value)
            self.guards.append(SameKind(what, False, value))
        elif is_block(value):
            self._see_block(value)
        elif is_weight(value):
            self.weights[id(value)] = value
        elif isinstance(value, (list, tuple, set, frozenset, deque)):
            self._see_items(value, what)
        elif isinstance(value, (dict, types.MappingProxyType)):
            self._see_entries(value, what)
        elif isinstance(value, onp.ndarray):
            self._see_numbers(value, what)
        elif isinstance(value, types.FunctionType):
            self._see_function(value)
        elif isinstance(value, types.MethodType):
            self._see(value.__self__, what)
            self._see(value.__func__, what)
        elif isinstance(value, functools.partial):
            for part in (value.func, value.args, value.keywords):
                self._see(part, what)
        elif _is_generator(value):
            self._draws_of(value, what)
        else:
            self._see_object(value, what)

    def _see_items(self, container: Any, what: str) -> None:
        if self._count(len(container), what):
            if not isinstance(container, (tuple, frozenset)):
                self.guards.append(Items(what, self._is_strict, container))
            for part in tuple(container):
                self._see(part, what)

    def _see_entries(self, mapping: Any, what: str) -> None:
        if self._count(len(mapping), what):
            self.guards.append(Entries(what, self._is_strict, mapping))
            for part in tuple(mapping.values()):
                self._see(part, what)

    def _see_numbers(self, values: onp.ndarray[Any, Any], what: str) -> None:
        if values.size > MOST_NUMBERS:
            self._give_up(f"{what} holds {values.size} numbers of NumPy, too many to watch")
        else:
            self.guards.append(Numbers(what, self._is_strict, values))

    def _see_object(self, value: Any, what: str) -> None:
        if hasattr(value, "__next__"):
            self._give_up(f"{what} is an iterator")
        elif _library(type(value).__module__) and type(value) is not types.SimpleNamespace:
            return
        else:
            if hasattr(value, "__dict__"):
                self._see_entries(value.__dict__, what)
            for cls in type(value).__mro__:
                for name in _slots_of(cls):
                    if hasattr(value, name):
                        part = f"{what}.{name}"
                        self.guards.append(Attribute(part, self._is_strict, value, name))
                        self._see(getattr(value, name), part)

    def _count(self, length: int, what: str) -> bool:
        self._items += length
        if self._items > MOST_ITEMS:
            self._give_up(f"{what} holds too many things to watch")
        return self.obstacle is None

    def _give_up(self, reason: str) -> None:
        if self.obstacle is None:
            self.obstacle = reason

    def _draws_of(self, generator: Any, what: str) -> None:
        self._generators.append((what, generator, _state_of(generator)))

    # --- Blocks ---------------------------------------------------------------------------------

    def _see_block(self, block: Captured) -> None:
        self.blocks.append(block)
        for param in (*block.params.values(), *block._reg_params.values()):
            self.weights[id(param)] = param
            if param._stype != "default":
                self.obstacle = f"parameter {param.name} has sparse values"
        for child in block._children.values():
            self._see(child, "")
        before, self._is_strict = self._is_strict, True
        is_library = _library(type(block).__module__)
        for name, value in tuple(block.__dict__.items()):
            if name not in OWN_ATTRIBUTES and (not is_library or callable(value)):
                self._see(value, f"{type(block).__name__}.{name}")
        if not is_library:
            for cls in type(block).__mro__:
                if _library(cls.__module__):
                    break
                self._see_class(cls)
        self._is_strict = before

    def _see_class(self, cls: type) -> None:
        for name, value in tuple(vars(cls).items()):
            function = _function_of(value)
            if function is not None:
                if not name.startswith("__") or name == "__call__":
                    self._see_function(function, is_hybrid="hybrid_forward" in vars(cls))
            elif not name.startswith("__") and not hasattr(value, "__get__"):
                self.guards.append(Binding(f"{cls.__name__}.{name}", True, vars(cls), name))
                self._see(value, f"{cls.__name__}.{name}")

    # --- functions ------------------------------------------------------------------------------

    def _see_function(self, function: types.FunctionType, *, is_hybrid: bool = False) -> None:
        if _library(function.__module__):
            return
        before = self._is_strict
        # What hybrid_forward does to the world around it is done once, as in MXNet.
        self._is_strict = before and not is_hybrid
        names = function.__code__.co_freevars
        for name, cell in zip(names, function.__closure__ or (), strict=True):
            if name != "__class__" and _is_filled(cell):
                self.guards.append(Variable(name, self._is_strict, cell))
                self._see(cell.cell_contents, name)
        for name, attribute in _globals_of(function.__code__):
            self._see_global(function.__globals__, name, attribute)
        for value in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
            self._see(value, f"a default of {function.__name__}")
        self._is_strict = before

    def _see_global(self, scope: dict[str, Any], name: str, attribute: str | None) -> None:
        if name not in scope:
            return
        value = scope[name]
        if isinstance(value, (types.ModuleType, type)):
            module = value.__name__ if isinstance(value, types.ModuleType) else value.__module__
            if value is os and attribute == "environ":
                self._see_entries(os.environ, "os.environ")
            if attribute is None or _library(module) or attribute not in vars(value):
                return
            name, scope = attribute, vars(value)
            value = scope[attribute]
        if not isinstance(value, (types.FunctionType, type, types.ModuleType)):
            self.guards.append(Binding(name, self._is_strict, scope, name))
        self._see(value, name)


def is_same(structure: list[Any], other: list[Any]) -> bool:
    """Return whether two structures consist of the same objects."""
    return len(structure) == len(other) and all(
        one is two or (type(one) is tuple and one == two)
        for one, two in zip(structure, other, strict=True)
    )


def _library(module: str | None) -> bool:
    return (module or "").partition(".")[0] in _LIBRARIES


def _function_of(value: Any) -> types.FunctionType | None:
    for attribute in ("__func__", "fget", "func"):
        value = getattr(value, attribute, value)
    return value if isinstance(value, types.FunctionType) else None


def _slots_of(cls: type) -> Iterable[str]:
    slots = vars(cls).get("__slots__", ())
    return (slots,) if isinstance(slots, str) else slots


def _is_filled(cell: types.CellType) -> bool:
    try:
        return cell.cell_contents is not cell
    except ValueError:  # the variable has no value
        return False


def _is_generator(value: Any) -> bool:
    """Return whether a value draws random numbers; NumPy's are imported when they are asked for."""
    if isinstance(value, random.Random):
        return True
    return isinstance(value, (onp.random.Generator, onp.random.RandomState))


def _state_of(generator: Any) -> Any:
    if isinstance(generator, onp.random.Generator):
        return repr(generator.bit_generator.state)
    if generator is onp.random or isinstance(generator, onp.random.RandomState):
        parts: Any = generator.get_state(legacy=True)
        return (parts[0], parts[1].tobytes(), *parts[2:])
    return generator.getstate()


@functools.lru_cache(maxsize=4096)
def _globals_of(code: types.CodeType) -> tuple[tuple[str, str | None], ...]:
    """Return the global names that a function's code reads, each with the attribute it takes."""
    return tuple(dict.fromkeys(_read_globals(code)))


def _read_globals(code: types.CodeType) -> Iterator[tuple[str, str | None]]:
    instructions: Iterable[dis.Instruction] = dis.get_instructions(code)
    pending: str | None = None
    for instruction in instructions:
        if pending is not None:
            takes = instruction.opname in ("LOAD_ATTR", "LOAD_METHOD")
            yield pending, instruction.argval if takes else None
        pending = instruction.argval if instruction.opname == "LOAD_GLOBAL" else None
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _read_globals(constant)
