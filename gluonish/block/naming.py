"""Names and prefixes of Blocks: dense0_, and what `with net.name_scope():` makes of them."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING

from gluonish import name as symbol_names
from gluonish.block.parameter_dict import ParameterDict
from gluonish.errors import ArgumentKindError
from gluonish.errors.arguments import value_text

if TYPE_CHECKING:
    from types import TracebackType
    from typing import Self

    from gluonish.block.block import Block


class _Ambient(threading.local):
    """The innermost scope of one thread."""

    def __init__(self) -> None:
        self.value: BlockScope | None = None


_ambient = _Ambient()


class BlockScope:
    """Scope in which new Blocks are named as children of a Block, and new Symbols after it."""

    _current = _ambient
    """Has the innermost scope as `value`."""

    def __init__(self, block: Block) -> None:
        self._block = block
        self._counter: dict[str, int] = {}
        self._outer: list[tuple[BlockScope | None, symbol_names.Prefix | None]] = []

    def __enter__(self) -> Self:
        prefix = self._block.prefix
        # A Block with prefix='' has its children, and operators, named as its parent's.
        has_own = prefix and not self._block._empty_prefix  # noqa: SLF001 - the scope's Block
        names = symbol_names.Prefix(prefix) if has_own else None
        self._outer.append((_ambient.value, names))
        if names is not None:
            _ambient.value = self
            names.__enter__()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        _ambient.value, names = self._outer.pop()
        if names is not None:
            names.__exit__(kind, error, trace)

    @staticmethod
    def create(
        prefix: str | None, params: ParameterDict | None, hint: str
    ) -> tuple[str, ParameterDict]:
        """Return the prefix and the parameter dictionary of a new Block in the present scope."""
        return name_block(prefix, params, hint)


def name_block(
    prefix: str | None, params: ParameterDict | None, hint: str
) -> tuple[str, ParameterDict]:
    """Return the prefix and the parameter dictionary of a new Block."""
    scope = _ambient.value
    if scope is None:
        full = f"{symbol_names.current().get(None, hint)}_" if prefix is None else prefix
        own = ParameterDict(full) if params is None else _shared(params)
        return full, own
    parent = scope._block
    if prefix is None:
        prefix = f"{_next(scope._counter, hint)}_"
    if params is None:
        own = ParameterDict(parent.params.prefix + prefix, parent.params._shared)
    else:
        own = _shared(params)
    return parent.prefix + prefix, own


def _next(counters: dict[str, int], hint: str) -> str:
    number = counters.get(hint, 0)
    counters[hint] = number + 1
    return f"{hint}{number}"


def _shared(params: object) -> ParameterDict:
    """Return the dict of a Block that shares the parameters of another."""
    if not isinstance(params, ParameterDict):
        kind = type(params).__name__
        msg = (
            f"params={value_text(params)} was given, a {kind}. Expected the ParameterDict of a "
            f"Block whose parameters are shared. Write params=other.params."
        )
        raise ArgumentKindError(msg)
    return ParameterDict(params.prefix, params)
