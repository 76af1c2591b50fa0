"""Finds which value of a file is meant for which parameter, whatever the names say."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Final

from gluonish.errors import ParameterFileError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from torch import Tensor

    from gluonish.block.parameter import Parameter

    Params = Mapping[str, Parameter]
    Values = Mapping[str, Tensor]

_MARKS: Final = ("arg:", "aux:")
_NUMBERED: Final = re.compile(r"(.*?)(\d+)")
# A recurrent layer's parameter in files, as an attribute, and in a stack of cells.
_CELL: Final = re.compile(
    r"(?:_unfused\.)?(?P<layer>\d+)\.(?:(?P<side>[lr])_cell\.)?(?P<part>(?:i2h|h2h|h2r)_\w+)$"
)
FLAT: Final = "rnn_param"


@dataclass(frozen=True, slots=True)
class Match:
    """Which values are for which parameters.

    Attributes
    ----------
    params : dict of str to Parameter
        The parameters, by the names that errors show.
    values : dict of str to Tensor
        The values, by the same names; by their own where there is no parameter.
    prefix : str
        What errors leave out of the names.
    how : str or None
        How the names were understood, unless they are the parameters'.
    renamed : dict of str to str
        Names of the file, and of the parameters that they were found to mean.
    """

    params: Params
    values: Values
    prefix: str = ""
    how: str | None = None
    renamed: dict[str, str] = field(default_factory=dict)


def unmarked(loaded: Values, source: str) -> dict[str, Tensor]:
    """Return values without the marks that `export` puts before names.

    Raises
    ------
    ParameterFileError
        Two names differ in the mark only.
    """
    found = {_bare(name): value for name, value in loaded.items()}
    if len(found) < len(loaded):
        bare = [_bare(name) for name in loaded]
        twice = next(name for name in bare if bare.count(name) > 1)
        msg = (
            f"Loading {source!r}: it holds several values for {twice!r}, with 'arg:', with 'aux:' "
            f"or without. Expected one for each name. Rename one with mx.nd.load and mx.nd.save."
        )
        raise ParameterFileError(msg)
    return found


def _bare(name: str) -> str:
    return name[4:] if name.startswith(_MARKS) else name


def for_block(structural: Params, full: Params, prefix: str, values: Values) -> Match:
    """Return how the names of a file fit a Block's parameters.

    Parameters
    ----------
    structural, full : dict of str to Parameter
        The Block's parameters by their two names.
    prefix : str
        The Block's prefix, which old files leave out.
    values : dict of str to Tensor
        What the file holds, without marks.
    """
    values = _without_flat(structural, values)
    less = {name.removeprefix(prefix): param for name, param in full.items()}
    namings = [structural, full, *([less] if len(less) == len(full) else [])]
    for params in namings:
        if is_whole(params, values):
            return Match(params, values)
    found = _likely(namings, values)
    if found is not None:
        return found
    most = max(namings, key=lambda params: len(params.keys() & values.keys()))
    if not most.keys() & values.keys():  # as MXNet decides
        most = structural if any("." in name for name in values) else less
    return Match(most, values)


def for_dictionary(full: Params, prefix: str, values: Values) -> Match:
    """Return how the names of a file fit parameters by full name, with a prefix left out."""
    restored = {prefix + name: value for name, value in values.items()}
    if is_whole(full, restored):
        return Match(full, restored, prefix)
    found = _likely([full], restored) or _likely([full], values)
    return Match(full, restored, prefix) if found is None else found


def is_whole(params: Params, values: Values) -> bool:
    """Return whether all names are known and no parameter is missing."""
    if not values.keys() <= params.keys():
        return False
    present = {id(params[name]) for name in values}
    return all(id(param) in present for param in params.values())


# --- names that are not quite the same ---------------------------------------------------------


def _likely(namings: list[Params], values: Values) -> Match | None:
    """Return the first understanding of the names by which everything fits, shapes included."""
    for how, key in _KEYS:
        theirs = _by_key(values, key)
        for params in namings:
            own = _by_key(params, key)
            if theirs is None or own is None:
                continue
            meant = {name: own[form] for form, name in theirs.items() if form in own}
            found = _checked(params, values, meant, how)
            if found is not None:
                return found
    for params in namings:
        found = _checked(params, values, _only_possible(params, values), "by attribute and shape")
        if found is not None:
            return found
    return None


def _checked(params: Params, values: Values, meant: dict[str, str], how: str) -> Match | None:
    if len(meant) < len(values):
        return None
    renamed = {meant[name]: value for name, value in values.items()}
    if not is_whole(params, renamed):
        return None
    if not all(fits(params[name], tuple(value.shape)) for name, value in renamed.items()):
        return None
    return Match(params, renamed, how=how, renamed=meant)


def fits(param: Parameter, given: tuple[int, ...]) -> bool:
    """Return whether a parameter can have a shape."""
    known = param._shape
    return known is None or (
        len(known) == len(given)
        and all(size in (None, new) for size, new in zip(known, given, strict=True))
    )


def _by_key(named: Params | Values, key: Callable[[list[str]], list[str]]) -> dict[str, str] | None:
    """Return names by what they are compared by; None if that tells them not apart."""
    names = list(named)
    found = dict(zip(key(names), names, strict=True))
    return found if len(found) == len(names) else None


def _as_cells(names: list[str]) -> list[str]:
    """Write recurrent layers, which files take apart into cells, and cells in one way."""

    def attribute(match: re.Match[str]) -> str:
        return f"{match['side'] or 'l'}{match['layer']}_{match['part']}"

    return [_CELL.sub(attribute, name) for name in names]


def _less_start(names: list[str]) -> list[str]:
    """Leave out what all names start with, in whole words."""
    first, last = (min(names), max(names)) if names else ("", "")
    pairs = enumerate(zip(first, last, strict=False))
    length = next((i for i, (a, b) in pairs if a != b), min(len(first), len(last)))
    while length and first[length - 1] not in "._":
        length -= 1
    return [name[length:] for name in names]


def _numbered(names: list[str]) -> list[str]:
    """Put the rank of layers, among those beside them, in the place of what a counter said."""
    places: dict[tuple[str, str], set[int]] = {}
    for name in names:
        for above, base, number in _numbers(name):
            places.setdefault((above, base), set()).add(number)
    ranks = {
        (place, number): rank
        for place, numbers in places.items()
        for rank, number in enumerate(sorted(numbers))
    }
    found = []
    for name in names:
        tokens = name.split("_")
        numbers = {(above, base): number for above, base, number in _numbers(name)}
        above = ""
        renamed = []
        for token in tokens:
            match = _NUMBERED.fullmatch(token)
            if match is None:
                renamed.append(token)
            else:
                place = (above, match[1])
                renamed.append(f"{match[1]}{ranks[place, numbers[place]]}")
            above += f"{token}_"
        found.append("_".join(renamed))
    return found


def _numbers(name: str) -> Iterator[tuple[str, str, int]]:
    """Yield the numbers of a name's words: what stands above the word, its letters, its number."""
    above = ""
    for token in name.split("_"):
        match = _NUMBERED.fullmatch(token)
        if match is not None:
            yield above, match[1], int(match[2])
        above += f"{token}_"


_KEYS: Final[tuple[tuple[str, Callable[[list[str]], list[str]]], ...]] = (
    ("as cells of recurrent layers", _as_cells),
    ("less what all names start with", _less_start),
    ("less what all names start with, as cells", lambda names: _less_start(_as_cells(names))),
    ("with layers numbered anew", _numbered),
    (
        "less what all names start with, with layers numbered anew",
        lambda names: _numbered(_less_start(names)),
    ),
)


def _only_possible(params: Params, values: Values) -> dict[str, str]:
    """Return the parameters of values for which there is just one, by attribute and shape."""
    meant: dict[str, str] = {}
    for name, value in values.items():
        possible = [
            own
            for own, param in params.items()
            if _same_attribute(name, own)
            and param.is_shape_known()
            and fits(param, tuple(value.shape))
        ]
        if len(possible) == 1:
            meant[name] = possible[0]
    return meant if len(set(meant.values())) == len(meant) else {}


def _same_attribute(one: str, other: str) -> bool:
    """Return whether a structural name and a full one end in the same attribute."""
    short, long = (one, other) if "." in one else (other, one)
    attribute = short.rpartition(".")[2]
    return f"_{long}".endswith((f"_{attribute}", f".{attribute}"))


# --- MXNet 2.0's recurrent layers --------------------------------------------------------------


def _without_flat(structural: Params, values: Values) -> Values:
    """Return values with the one vector of a recurrent layer, as of MXNet 2.0, taken apart."""
    if not any(name.rpartition(".")[2] == FLAT for name in values):
        return values
    found: dict[str, Tensor] = {}
    for name, value in values.items():
        start = name.removesuffix(FLAT) + "_unfused."
        own = {key: param for key, param in structural.items() if key.startswith(start)}
        is_flat = name.rpartition(".")[2] == FLAT and name not in structural
        found.update((is_flat and _apart(own, value)) or {name: value})
    return found


def _apart(params: Params, vector: Tensor) -> dict[str, Tensor]:
    """Return the parts of a vector: all weights, then all biases; {} if it is not of that size."""
    names = [name for name in params if not name.endswith("bias")]
    names += [name for name in params if name.endswith("bias")]
    shapes = [list(params[name]._shape or ()) for name in names]
    known = sum(math.prod(size or 0 for size in shape) for shape in shapes)
    rows = sum(shape[0] or 0 for shape in shapes if None in shape)
    rest = vector.numel() - known
    if vector.dim() != 1 or rest < 0 or (rest % rows if rows else rest):
        return {}
    found: dict[str, Tensor] = {}
    start = 0
    for name, shape in zip(names, shapes, strict=True):
        sizes = [rest // rows if size is None else size for size in shape]
        stop = start + math.prod(sizes)
        found[name] = vector[start:stop].reshape(sizes)
        start = stop
    return found
