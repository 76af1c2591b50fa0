"""`mx.sym.sparse`: what MXNet has for sparse arrays, too; graphs compute with dense copies."""

from __future__ import annotations

from types import ModuleType
from typing import Any

from typing_extensions import override

from gluonish.errors.namespaces import without_inner
from gluonish.errors.suggestions import unknown_name
from gluonish.ops import ops
from gluonish.symbol.frontend import build_function, by_path
from gluonish.symbol.symbol import Symbol

PATHS = {name: name if name in op.nd else op.nd[0] for op in ops() for name in op.sparse.names}


class Sparse(ModuleType):
    """The module; each function is built when it is asked for.

    Parameters
    ----------
    name : str
        The module's name.
    """

    def __init__(self, name: str) -> None:
        super().__init__(name, __doc__)
        self.__all__ = sorted(PATHS)

    @override
    def __getattr__(self, name: str) -> Any:
        if name not in self.__dict__.get("__all__", ()):
            raise unknown_name(self.__name__, name)
        path = PATHS[name]
        hint = "" if path == name else name
        function = build_function(by_path("nd", path), "nd", path, Symbol, hint)
        setattr(self, name, function)
        return function

    @override
    def __dir__(self) -> list[str]:
        return sorted({*without_inner(super().__dir__()), *self.__all__})
