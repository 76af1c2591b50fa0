"""Compares two libraries' answers to a case."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as onp

if TYPE_CHECKING:
    from collections.abc import Iterator

_RELATIVE = {"float16": 1e-2, "float32": 2e-4, "float64": 1e-6}
Answer = dict[str, Any]


class Difference(NamedTuple):
    """How an answer differs from MXNet's.

    Attributes
    ----------
    kind : str
        `refused`, `crash`, `values`, `gradient`, `shape`, ... what stands in summaries.
    details : str
        Ours and theirs.
    """

    kind: str
    details: str


def differences(ours: Answer, theirs: Answer, least: float = 0) -> Iterator[Difference]:
    """Yield how our answer differs: its result, each part of it, or else all beside the result.

    What MXNet refuses, and we do not, is of kind `more`; a crash of MXNet counts as a refusal.
    """
    if "error" in ours or "error" in theirs:
        found = _refusals(ours, theirs)
        if found:
            yield found
        return
    several = [*_in_result(ours["result"], theirs["result"], least)]
    if several:  # what follows from it differs, too
        yield from several
        return
    if "out" in theirs:
        found = _part(ours.get("out"), theirs["out"], "out ", least)
        if found:
            yield found
    if "graph" in theirs:
        found = _compared(ours["graph"], theirs["graph"], "graph ")
        if found:
            yield Difference(f"graph {found.kind}", found.details)
    mine, other = dict(ours["changed"]), dict(theirs["changed"])
    if set(mine) != set(other):
        yield Difference("changed", f"{sorted(mine)}, MXNet {sorted(other)}")
    for place in sorted(set(mine) & set(other)):
        found = _compared(mine[place], other[place], f"changed {place} ", least)
        if found:
            yield found
    yield from _gradients(ours.get("gradients"), theirs.get("gradients"), least)


def _in_result(ours: Any, theirs: Any, least: float) -> Iterator[Difference]:
    """Yield how a result differs, or each of several, so that none hides behind another one."""
    if ours[0] == theirs[0] == "parts" and len(ours[2]) == len(theirs[2]) and theirs[1] != "dict":
        for place, (mine, other) in enumerate(zip(ours[2], theirs[2], strict=True)):
            found = _compared(mine, other, f"{place}: ", least)
            if found:
                yield found
        return
    found = _compared(ours, theirs, "", least)
    if found:
        yield found


def _refusals(ours: Answer, theirs: Answer) -> Difference | None:
    """Return how answers differ of which one is a refusal."""
    if "error" in ours and ours["error"] in ("crash", "timeout"):
        if theirs.get("error") == "timeout":
            return None
        return Difference(ours["error"], f"{ours['says']}, MXNet: {_short(theirs)}")
    if "error" in theirs:
        kind = "" if "error" in ours else "more"
        return Difference(kind, f"{theirs['error']}: {theirs['says'][:150]}") if kind else None
    return Difference("refused", f"{ours['error']}: {ours['says']}")


def coarseness(case: dict[str, Any]) -> float:
    """Return the relative tolerance that a case asks for at least, whatever dtype its results have.

    It is that of the coarsest dtype that something is computed in.
    """
    texts = json.dumps([case["args"], case["kwargs"], case.get("inputs"), case.get("lines")])
    named = [relative for dtype, relative in _RELATIVE.items() if dtype in texts]
    in_float32 = "update" in case["name"] or case["front"] in ("optimizer", "metric")
    if in_float32 or "BilinearResize2D" in case["name"]:
        named.append(_RELATIVE["float32"])
    weight = case["kwargs"].get("weight") if case["name"].startswith("loss.") else 1
    times = max(1.0, abs(weight)) if isinstance(weight, (int, float)) else 1.0
    return times * max(named, default=0.0)


def _part(ours: Any, theirs: Any, where: str, least: float) -> Difference | None:
    if isinstance(theirs, dict):
        return None
    if isinstance(ours, dict):
        return Difference(f"{where}refused", f"{ours['error']}: {ours.get('says')}")
    return _compared(ours, theirs, where, least)


def _gradients(ours: Any, theirs: Any, least: float) -> Iterator[Difference]:
    if theirs is None or isinstance(theirs, dict):
        return
    if isinstance(ours, dict):
        yield Difference("gradient refused", f"{ours['error']}: {ours['says']}")
        return
    for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        found = _compared(mine, other, f"gradient {place} ", 5 * least)
        if found:
            yield Difference(f"gradient {found.kind}", found.details)


def _compared(ours: Any, theirs: Any, where: str, least: float = 0) -> Difference | None:
    if theirs[0] == "parts" or ours[0] == "parts":
        if ours[0] != theirs[0] or len(ours[2]) != len(theirs[2]):
            return Difference("structure", f"{where}{ours[:2]}, MXNet {theirs[:2]}")
        for place, (mine, other) in enumerate(zip(ours[2], theirs[2], strict=True)):
            if theirs[1] == ours[1] == "dict":  # names, too
                if mine[0] != other[0]:
                    return Difference("value", f"{where}{mine[0]}, MXNet {other[0]}")
                mine, other = mine[1], other[1]
            found = _compared(mine, other, f"{where}{place}: ", least)
            if found:
                return found
        return None
    if "array" in (ours[0], theirs[0]) and {ours[0], theirs[0]} <= {"array", "scalar"}:
        mine, other = _array(ours), _array(theirs)
        if mine is None or other is None:
            return Difference("structure", f"{where}{ours[:3]}, MXNet {theirs[:3]}")
        if ours[0] == theirs[0]:
            if mine.shape != other.shape:
                return Difference("shape", f"{where}{mine.shape}, MXNet {other.shape}")
            if mine.dtype != other.dtype:
                return Difference("dtype", f"{where}{mine.dtype}, MXNet {other.dtype}")
        elif mine.shape != other.shape:
            return Difference("shape", f"{where}{mine.shape}, MXNet {other.shape}")
        return _values(mine, other, where, least)
    if ours[0] == theirs[0] == "scalar":
        mine, other = onp.asarray(ours[2]), onp.asarray(theirs[2])
        if mine.dtype.kind in "fiub" and other.dtype.kind in "fiub":
            return _values(mine, other, where, least)
    return None if ours == theirs else Difference("value", f"{where}{ours}, MXNet {theirs}")


def _array(part: Any) -> onp.ndarray | None:
    if part[0] == "scalar":
        value = onp.asarray(part[2])
        return value if value.dtype.kind in "fiub" else None
    _, _, dtype, shape, content = part
    return onp.frombuffer(content, dtype).reshape(shape)


def alike(ours: onp.ndarray, theirs: onp.ndarray, least: float = 0) -> onp.ndarray:
    """Return where two arrays of one shape count as equal."""
    if ours.dtype.kind in "iub" and theirs.dtype.kind in "iub":
        return onp.asarray(ours == theirs)
    names = [a.dtype.name for a in (ours, theirs) if a.dtype.kind == "f"]
    relative = max([least, *(_RELATIVE.get(name, 1e-4) for name in names)])
    mine, other = ours.astype("float64"), theirs.astype("float64")
    finite = onp.abs(other[onp.isfinite(other)])
    absolute = relative * (0.05 * (finite.max() if finite.size else 0) + 0.02)
    with onp.errstate(all="ignore"):
        same = onp.isclose(mine, other, rtol=relative, atol=absolute, equal_nan=True)
    return onp.asarray(same)


def _values(ours: onp.ndarray, theirs: onp.ndarray, where: str, least: float) -> Difference | None:
    same = alike(ours, theirs, least)
    if same.all():
        return None
    wrong = onp.argwhere(~same)
    place = tuple(wrong[0])
    text = f"{where}{ours[place]}, MXNet {theirs[place]} at {tuple(map(int, place))}"
    return Difference("values", f"{text}; {len(wrong)} of {same.size}")


def _short(theirs: Answer) -> str:
    return str(theirs.get("error", "answers"))
