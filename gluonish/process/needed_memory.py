"""Memory whose values somebody needs yet: whoever writes to it has them copied first."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import weakref
    from collections.abc import Iterable

    from torch import Tensor


needed: dict[int, weakref.ref[Any]] = {}
"""The owner of the values at an address; its `copy_from(address)` copies them."""


def place_of(tensor: Tensor) -> int:
    """Return the address of a tensor's memory."""
    return tensor.untyped_storage().data_ptr()


def need(owner: weakref.ref[Any], tensors: Iterable[Tensor]) -> list[int]:
    """Have an owner copy values before others write to the memory of tensors.

    Returns
    -------
    list of int
        The addresses, to be given to `let_go`.
    """
    places = [place_of(tensor) for tensor in tensors]
    for place in places:
        needed[place] = owner
    return places


def let_go(owner: weakref.ref[Any], places: Iterable[int]) -> None:
    """Let others write to memory as they like."""
    for place in places:
        if needed.get(place) is owner:
            del needed[place]


def forget(owner: weakref.ref[Any]) -> None:
    """Forget an owner that is no more."""
    let_go(owner, list(needed))


def spare(tensor: Tensor) -> None:
    """Have the values in a tensor's memory copied by who needs them; it is written to next."""
    place = place_of(tensor)
    owner = needed.pop(place, None)
    if owner is not None and (one := owner()) is not None:
        one.copy_from(place)
