"""Names of arrays: MXNet's marks, and what PyTorch calls the same things."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING, Any, Final, Literal, TypeAlias

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

Style: TypeAlias = Literal["plain", "keep", "torch"]
STYLES: Final = ("plain", "keep", "torch")

MARKS: Final = ("arg", "aux")
NAMES_KEY: Final = "gluonish.names"  # in the metadata of safetensors files
_SHOWN: Final = 5
# The last part of a name stands after a dot (structural names) or an underscore (full ones).
_BATCH_NORM: Final = {
    "gamma": "weight",
    "beta": "bias",
    "running_mean": "running_mean",
    "running_var": "running_var",
    "moving_mean": "running_mean",
    "moving_var": "running_var",
}
_LAST: Final = re.compile(
    rf"(?P<start>.*?)(?P<joint>[._]|^)(?P<last>{'|'.join(_BATCH_NORM)}|weight|bias)"
)
_UNFUSED: Final = re.compile(
    r"(?P<start>.*?)_unfused\.(?P<layer>\d+)\.((?P<side>[lr])_cell\.)?"
    r"(?P<what>i2h|h2h)_(?P<last>weight|bias)"
)
_FUSED: Final = re.compile(
    r"(?P<start>.*?)(?P<side>[lr])(?P<layer>\d+)_(?P<what>i2h|h2h)_(?P<last>weight|bias)"
)


def split_mark(name: str) -> tuple[str, str]:
    """Return the mark `'arg'` or `'aux'`, or '', and the name without it.

    Examples
    --------
    >>> from gluonish.conversion.naming import split_mark
    >>> split_mark('aux:bn0_moving_mean'), split_mark('0.weight')
    (('aux', 'bn0_moving_mean'), ('', '0.weight'))
    """
    mark, colon, rest = name.partition(":")
    return (mark, rest) if colon and mark in MARKS else ("", name)


def torch_name(name: str) -> str:
    """Return what PyTorch's layers call a parameter of MXNet's.

    Notes
    -----
    The layouts of the values are the same in both: dense, convolution, embedding, batch
    normalization, and the order of gates in recurrent layers.

    Examples
    --------
    >>> from gluonish.conversion.naming import torch_name
    >>> torch_name('4.bn1.gamma'), torch_name('bn0_moving_var'), torch_name('dense0_bias')
    ('4.bn1.weight', 'bn0.running_var', 'dense0.bias')
    >>> torch_name('1._unfused.0.r_cell.i2h_weight'), torch_name('lstm0_l1_h2h_bias')
    ('1.weight_ih_l0_reverse', 'lstm0.bias_hh_l1')
    """
    found = _UNFUSED.fullmatch(name) or _FUSED.fullmatch(name)
    if found:
        start = found["start"].rstrip("._")
        kind = "ih" if found["what"] == "i2h" else "hh"
        reverse = "_reverse" if found["side"] == "r" else ""
        last = f"{found['last']}_{kind}_l{found['layer']}{reverse}"
        return f"{start}.{last}" if start else last
    found = _LAST.fullmatch(name)
    if found is None:
        return name
    last = _BATCH_NORM.get(found["last"], found["last"])
    return f"{found['start']}.{last}" if found["start"] else last


def renamed(
    names: Sequence[str], style: Style, renames: Iterable[tuple[str, str]] = ()
) -> list[str]:
    """Return the new names of a file's arrays.

    Parameters
    ----------
    names : sequence of str
        The names as they stand in the file.
    style : str
        `'plain'`: without the marks `arg:` and `aux:`. `'keep'`: as they are. `'torch'`: what
        PyTorch's layers call them.
    renames : iterable of (str, str), optional
        Regular expressions, and what stands in the place of what they match; applied last.

    Raises
    ------
    InvalidArgumentError
        Two arrays would have the same name, or an expression is none.

    Examples
    --------
    >>> from gluonish.conversion.naming import renamed
    >>> renamed(['arg:net0_fc_weight'], 'plain', [('^net0_', '')])
    ['fc_weight']
    """
    change = _changer(style)
    found = [change(name) for name in names]
    for pattern, replacement in renames:
        try:
            expression = re.compile(pattern)
            found = [expression.sub(replacement, name) for name in found]
        except (re.error, IndexError) as error:
            msg = (
                f"Renaming by {pattern!r} to {replacement!r}: {error}. Expected a regular "
                f"expression and its replacement, such as '^net0_=' or 'gamma$=weight'."
            )
            raise InvalidArgumentError(msg) from error
    _check_distinct(names, found)
    return found


def _changer(style: Style) -> Callable[[str], str]:
    if style == "keep":
        return str
    if style == "plain":
        return lambda name: split_mark(name)[1]
    return lambda name: torch_name(split_mark(name)[1])


def _check_distinct(old: Sequence[str], new: Sequence[str]) -> None:
    first: dict[str, str] = {}
    clashes = []
    lost = [before for before, after in zip(old, new, strict=True) if before and not after]
    for before, after in zip(old, new, strict=True):
        if after in first:
            clashes.append(f"{first[after]!r} and {before!r} are both {after!r}")
        first.setdefault(after, before)
    if clashes or lost:
        more = f", and {len(clashes) - _SHOWN} more" if len(clashes) > _SHOWN else ""
        what = ", ".join(clashes[:_SHOWN]) + more or f"{lost[0]!r} has no name left"
        msg = (
            f"New names of arrays: {what}. Expected distinct names. Choose other names "
            f"(--names keep), or correct --rename."
        )
        raise InvalidArgumentError(msg)


def marks_of(names: Iterable[str]) -> dict[str, str]:
    """Return the marks by the names without them, if all names have one; else nothing."""
    pairs = [split_mark(name) for name in names]
    if not pairs or any(not mark for mark, _ in pairs):
        return {}
    return {name: mark for mark, name in pairs}


def mark_all(names: Sequence[str], auxiliary: Mapping[str, object]) -> list[str]:
    """Return names with the marks that MXNet's checkpoints have."""
    return [f"{'aux' if name in auxiliary else 'arg'}:{name}" for name in names]


def original_names(metadata: Mapping[str, str]) -> dict[str, str]:
    """Return the names that arrays of a safetensors file had in its source, by their new names."""
    told = json_of(metadata, NAMES_KEY)
    return {name: text for name, text in told.items() if isinstance(text, str)}


def json_of(metadata: Mapping[str, str], key: str) -> dict[str, Any]:
    """Return the JSON object in some metadata, or an empty one if there is none."""
    try:
        told = json.loads(metadata.get(key, "{}"))
    except (ValueError, RecursionError):
        return {}
    return told if isinstance(told, dict) else {}
