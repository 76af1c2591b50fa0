"""What programs do with a loss before `backward()`, as Blocks that become part of a loop."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from typing_extensions import override

from gluonish.array.waiting import WAITING
from gluonish.block.block import HybridBlock
from gluonish.block.in_loops import call

if TYPE_CHECKING:
    from collections.abc import Callable

    from gluonish.array import NDArray

_METHODS = (
    "mean", "sum", "reshape", "squeeze", "__add__", "__radd__", "__sub__", "__rsub__", "__mul__",
    "__rmul__", "__truediv__", "__neg__",
)  # fmt: skip


class Method(HybridBlock):
    """A method of arrays, as a Block that may be captured.

    Parameters
    ----------
    method : str
        Its name.
    """

    def __init__(self, method: str) -> None:
        super().__init__()
        self._method = method

    @override
    def hybrid_forward(self, F: Any, x: NDArray, *args: Any, **kwargs: Any) -> Any:
        return getattr(x, self._method)(*args, **kwargs)


def _on_waiting_arrays(name: str) -> Callable[..., Any]:
    block = Method(name)

    def method(array: NDArray, *args: Any, **kwargs: Any) -> Any:
        return call(block, (array, *args), kwargs)

    method.__name__ = name
    return method


def install() -> None:
    """Have arrays that wait, or are watched, make such calls part of their loop."""
    for name in _METHODS:
        method = _on_waiting_arrays(name)
        for cls in WAITING.values():
            setattr(cls, name, method)


install()
