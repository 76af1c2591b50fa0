"""Calls of Blocks that may infer something, which is taken back where the call fails."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from gluonish import random_streams
from gluonish.array.sparse import memory
from gluonish.block import deferrals
from gluonish.block.parameter_refusals import State
from gluonish.errors import ShapeError
from gluonish.hybrid import ChangeCounts, is_capturing
from gluonish.hybrid.structure import map_arrays
from gluonish.process.recording import state

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.array import NDArray
    from gluonish.block.block import Block
    from gluonish.block.parameter import Parameter

_NOT_NEEDED = -2  # in place of a count: something waits, and the last call did without it


class _Ambient(threading.local):
    """The journal of the outermost call of one thread, if that may infer something."""

    journal: _Journal | None = None


_ambient = _Ambient()


def begins(block: Block, args: tuple[Any, ...] = ()) -> bool:
    """Return whether a call is the outermost one; others are part of its journal."""
    if args:
        block._look_at(*args)
    journal = _ambient.journal
    if journal is None:
        return not state.as_module  # whose parameters wait for nothing
    journal.watch(block)
    if any(param.state is State.DEFERRED for param in block._reg_params.values()):
        journal.keep_streams()
    return False


def run(block: Block, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> Any:
    """Call a method of a Block; if that fails, take back what was inferred.

    Shapes that were inferred before `initialize(force_reinit=True)`, and have met no data since,
    are inferred anew where they do not fit.
    """
    if block._looked == deferrals.count or not begins(block):
        return function(*args, **kwargs)
    journal = _ambient.journal = _Journal(block, args)
    try:
        result = _tried(journal, function, args, kwargs)
    except BaseException:
        journal.take_back()
        raise
    finally:
        _ambient.journal = None
    journal.close()
    return result


def _tried(
    journal: _Journal, function: Callable[..., Any], args: Any, kwargs: dict[str, Any]
) -> Any:
    try:
        return function(*args, **kwargs)
    except ShapeError:
        if not journal.reopen():
            raise
    return function(*args, **kwargs)


def origin(param: Parameter) -> str | None:
    """Return what the shape of a parameter was inferred from, or None."""
    journal = _ambient.journal
    if journal is not None and journal.has_inferred(param):
        return journal.batch
    return param._inferred_from


def is_inferring(param: Parameter) -> bool:
    """Return whether the shape was found out in a call that has not ended yet."""
    return _ambient.journal is not None and _ambient.journal.has_inferred(param)


class _Journal:
    """What was before a call: of parameters, captured graphs, averages, states and streams."""

    def __init__(self, block: Block, args: tuple[Any, ...]) -> None:
        self._args = args
        self._block = block
        self._count = deferrals.count
        self._blocks: dict[int, Block] = {}
        self._params: dict[int, tuple[Parameter, dict[str, Any]]] = {}
        self._values: list[tuple[NDArray, Any]] = []
        self._caches: list[tuple[Any, Any]] = []
        self._states: list[tuple[Block, str, Any]] = []
        self._streams: dict[str, Any] | None = None
        self.watch(block)
        if block._looked != _NOT_NEEDED and any(map(_may_wait, self._watched())):
            self.keep_streams()

    def watch(self, block: Block) -> None:
        """Take note of a Block and its children as they are."""
        if id(block) in self._blocks or not hasattr(type(block), "_children"):  # a function
            return
        children = block._children
        self._blocks[id(block)] = block
        if block._graphs is not None:
            self._caches.append((block._graphs, block._graphs.kept()))
        for name in block._between_calls:
            value = getattr(block, name, None)
            self._states.append((block, name, value))
        for param in (*block.params.values(), *block._reg_params.values()):
            if id(param) not in self._params:
                self._params[id(param)] = (param, dict(vars(param)))
                if not (param.is_differentiable or is_capturing()):
                    arrays = param._arrays.values()
                    self._values += [(array, memory(array).clone()) for array in arrays]
        for child in children.values():
            self.watch(child)

    def keep_streams(self) -> None:
        """Take note of the random streams, before something is drawn for the first time."""
        if self._streams is None:
            self._streams = random_streams.get_state()

    def take_back(self) -> None:
        """Make all as it was."""
        for param, before in self._params.values():
            if _has_changed(param, before):
                vars(param).clear()
                vars(param).update(before)
        for array, values in self._values:
            memory(array).copy_(values)
        for cache, kept in self._caches:
            cache.restore(kept)
        for block, name, value in self._states:
            object.__setattr__(block, name, value)
        if self._streams is not None:
            random_streams.set_state(self._streams)
        ChangeCounts.structure_changed()

    def close(self) -> None:
        """Take note of what shapes come from; Blocks that wait for nothing more are not asked."""
        has_inferred = False
        for param, before in self._params.values():
            if param._fresh is not None:
                param._fresh = None
            if before["_shape"] != param._shape and self.has_inferred(param):
                param._inferred_from = self.batch
                has_inferred = True
        for block in self._blocks.values():
            self._settle(block)
        if self._block._looked != self._count and not has_inferred:
            self._block.__dict__["_looked"] = _NOT_NEEDED

    def _settle(self, block: Block) -> bool:
        """Return whether a Block and its children wait for nothing, and take note of it."""
        if not hasattr(type(block), "_children") or block._looked == self._count:
            return True
        children = [self._settle(child) for child in block._children.values()]
        own = (*block.params.values(), *block._reg_params.values())
        if not all(children) or any(map(_waits, own)):
            return False
        block.__dict__["_looked"] = self._count
        return True

    def reopen(self) -> bool:
        """Have fresh parameters wait for data; return whether there are any."""
        fresh = [param for param in self._watched() if deferrals.is_fresh(param)]
        if fresh:
            self.take_back()
        for param in fresh:
            deferrals.reopen(param)
        return bool(fresh)

    def has_inferred(self, param: Parameter) -> bool:
        """Return whether the call has found out a shape."""
        known = self._params.get(id(param))
        return known is not None and _is_open(known[1]["_shape"]) and not _is_open(param._shape)

    @property
    def batch(self) -> str:
        """The shapes of the call's arrays, for people."""
        shapes: list[str] = []
        map_arrays(lambda array: shapes.append(str(array.shape)), self._args)
        return (
            f"a batch of shape {shapes[0]}"
            if len(shapes) == 1
            else (f"arrays of shapes {', '.join(shapes)}")
        )

    def _watched(self) -> list[Parameter]:
        return [param for param, _ in self._params.values()]


def _waits(param: Parameter) -> bool:
    return param.state is State.DEFERRED


def _may_wait(param: Parameter) -> bool:
    return param._fresh is not None or _waits(param)


def _is_open(shape: tuple[int | None, ...] | None) -> bool:
    return shape is None or None in shape


def _has_changed(param: Parameter, before: dict[str, Any]) -> bool:
    return any(
        vars(param)[name] is not before[name]
        for name in ("_shape", "_deferred_init", "_arrays", "_declared")
    )
