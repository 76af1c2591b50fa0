"""What captured graphs need of Blocks and Parameters, which stand above them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeGuard

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from gluonish.array import NDArray
    from gluonish.context import Context
    from gluonish.hybrid.graphs import GraphCache

# Attributes that each Block has for itself: none of them is something that its forward computes by.
OWN_ATTRIBUTES = frozenset(
    {
        "_empty_prefix", "_prefix", "_params", "_name", "_scope", "_children", "_reg_params",
        "_forward_hooks", "_forward_pre_hooks", "_graphs", "_watchers", "_torch_module",
    }
)  # fmt: skip


class Named(Protocol):
    """Whatever has graphs and a name to tell them by."""

    @property
    def name(self) -> str:
        """Its name."""


class Weight(Named, Protocol):
    """A Parameter, as graphs see it."""

    @property
    def _arrays(self) -> dict[Context, NDArray]:
        """Its copies; graphs keep the dictionary and read it at each call."""

    @property
    def _stype(self) -> str:
        """The storage type of its values."""

    @property
    def grad_req(self) -> str:
        """What becomes of its gradients."""


class Weights(Protocol):
    """Parameters by name."""

    def values(self) -> Iterable[Weight]:
        """Return the Parameters."""


class Captured(Named, Protocol):
    """A Block, as graphs see it."""

    @property
    def _children(self) -> Mapping[str, Captured]:
        """Its children."""

    @property
    def _reg_params(self) -> Mapping[str, Weight]:
        """The parameters that are attributes of its own."""

    @property
    def _graphs(self) -> GraphCache | None:
        """Its captured graphs."""

    @property
    def params(self) -> Weights:
        """All that it made by `self.params.get`."""

    def forward(self, *args: Any, **kwargs: Any) -> Any:
        """Compute."""


def is_block(value: object) -> TypeGuard[Captured]:
    """Return whether a value is a Block; one whose constructor has not run is none yet."""
    return "_reg_params" in getattr(value, "__dict__", ())


def is_weight(value: object) -> TypeGuard[Weight]:
    """Return whether a value is a Parameter."""
    return hasattr(value, "_finish_deferred_init")
