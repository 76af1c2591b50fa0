"""Builds the methods of Symbols that stand for operators out of the op table."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from gluonish.errors import MXNetError
from gluonish.errors.tracebacks import shorten
from gluonish.ndarray.frontend import public_signature
from gluonish.ops import ops
from gluonish.symbol.frontend import VARIADIC, by_path, compose, dress, has_path
from gluonish.symbol.symbol import Symbol

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from gluonish.ops.table import Op


def methods_of(*fields: str) -> Iterator[tuple[str, str, str, str, Op]]:
    """Yield the methods that the table has in some fields.

    Each comes with its name, its field, a front end and the name there, and the operator.
    """
    for field in fields:
        for op in ops():
            spaces = (field.removesuffix("_method"), "nd", "npx", "np")
            space = next((space for space in spaces if getattr(op, space)), spaces[0])
            paths = getattr(op, space)
            for name in getattr(op, field):
                if not paths and not has_path(spaces[0], name):
                    continue  # only arrays have it
                if not name.startswith("__"):
                    path = name if name in paths or not paths else paths[0]
                    yield name, field, space, path, op


_installed: set[str] = set()  # names of methods that stand for operators


def install_methods(cls: type[Symbol], *fields: str) -> None:
    """Install the operators' methods on a class of Symbols; later fields replace earlier ones."""
    by_hand = vars(Symbol).keys() - _installed
    for name, field, space, path, own in methods_of(*fields):
        if name not in by_hand:
            _installed.add(name)
            setattr(cls, name, _build_method(own, space, path, name, f"{field}.{name}"))


def _build_method(own: Op, space: str, path: str, name: str, added: str) -> Callable[..., Any]:
    """Return a method of Symbols; `own` is what arrays' method of that name computes."""
    op = by_path(space, path)
    places, renamed = _as_on_arrays(own, op) if space == "np" else ([], {})

    def method(self: Symbol, *args: Any, **kwargs: Any) -> Any:
        try:
            if renamed or len(args) > 1 < len(places):
                kwargs = {renamed.get(key, key): value for key, value in kwargs.items()}
                kwargs.update(zip(places, args, strict=False))
                args = args[len(places) :]
            return compose(op, space, path, type(self), (self, *args), kwargs, added)
        except MXNetError as error:
            shorten(error)
            raise

    return dress(method, op, name, public_signature(own if renamed else op, is_method=True))


def _as_on_arrays(own: Op, op: Op) -> tuple[list[str], dict[str, str]]:
    """Return parameters in the order of arrays' method, and their names there if they differ."""
    there = [p.name for p in own.signature.parameters.values() if p.kind not in VARIADIC][1:]
    here = [*op.signature.parameters][1:]
    pairs = zip(there, here, strict=False)
    renamed = {name: other for name, other in pairs if name not in here and other not in there}
    return [renamed.get(name, name) for name in there], renamed
