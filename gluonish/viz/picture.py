"""graphviz's picture, with errors that say what is missing."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import shutil
from typing import TYPE_CHECKING, Any, Final

from typing_extensions import override

from gluonish.errors import MissingExtraError

if TYPE_CHECKING:
    from graphviz import Digraph


HOW_TO_GET_DOT: Final = (
    "Install graphviz with your system's packages (apt install graphviz, brew install graphviz, "
    "conda install graphviz)"
)


def has_dot() -> bool:
    """Return whether graphviz' own program, which draws, is on the search path."""
    return shutil.which("dot") is not None


def can_draw() -> bool:
    """Return whether both graphviz and its program `dot` are installed."""
    return importlib.util.find_spec("graphviz") is not None and has_dot()


@functools.cache
def picture_class() -> type[Digraph]:
    """Return the class of pictures.

    Raises
    ------
    MissingExtraError
        The package graphviz is not installed.
    """
    if importlib.util.find_spec("graphviz") is None:
        msg = (
            "The Python package graphviz is not installed. Draw network requires graphviz library. "
            "Install it with: pip install 'gluonish[viz]'"
        )
        raise MissingExtraError(msg)
    graphviz = importlib.import_module("graphviz")

    class Picture(graphviz.Digraph):  # type: ignore[name-defined, misc]
        """A directed graph that graphviz draws.

        Its text is MXNet's, where boxes cut their labels off; what is drawn has boxes that grow.
        """

        keeps_sizes = False  # whether the program has asked for boxes of one size

        @override
        def pipe(self, *args: Any, **kwargs: Any) -> Any:
            """Return the picture's bytes; see graphviz."""
            _check_dot()
            return super(Picture, self._grown()).pipe(*args, **kwargs)

        @override
        def render(self, *args: Any, **kwargs: Any) -> Any:
            """Write the picture to a file; see graphviz."""
            _check_dot()
            return super(Picture, self._grown()).render(*args, **kwargs)

        def _grown(self) -> Picture:
            if self.keeps_sizes:
                return self
            grown: Picture = self.copy()
            grown.body = [line.replace("fixedsize=true", "fixedsize=false") for line in self.body]
            return grown

        def _repr_svg_(self) -> str | None:
            if not has_dot():  # which the text in its place tells
                return None
            return str(self.pipe(format="svg", encoding="utf-8", quiet=True))

        def _repr_mimebundle_(self, *_args: Any, **_kwargs: Any) -> dict[str, str]:
            drawn = self._repr_svg_()  # and not graphviz's own, which warns
            return {"text/plain": _no_dot()} if drawn is None else {"image/svg+xml": drawn}

    return Picture


def _check_dot() -> None:
    if not has_dot():
        raise MissingExtraError(_no_dot())


def _no_dot() -> str:
    return (
        f"The program dot is not installed, or not on the search path. Expected it for drawing "
        f"a network. {HOW_TO_GET_DOT}; picture.source is the text that it draws."
    )
