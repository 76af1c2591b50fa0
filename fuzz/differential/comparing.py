"""Compares two libraries' answers to a case."""

from __future__ import annotations

import json
from typing import Any, NamedTuple

import numpy as onp

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


def difference(ours: Answer, theirs: Answer, wider: float = 1) -> Difference | None:
    """Return how our answer differs, None if it does not.

    What MXNet refuses, and we do not, is of kind `more`; a crash of MXNet counts as a refusal.
    """
    if "error" in ours and ours["error"] in ("crash", "timeout"):
        if theirs.get("error") == "timeout":
            return None
        return Difference(ours["error"], f"{ours['says']}, MXNet: {_short(theirs)}")
    if "error" in theirs:
        kind = "" if "error" in ours else "more"
        return Difference(kind, f"{theirs['error']}: {theirs['says'][:150]}") if kind else None
    if "error" in ours:
        return Difference("refused", f"{ours['error']}: {ours['says'][:200]}")
    found = _compared(ours["result"], theirs["result"], "", wider)
    if found:
        return found
    if "out" in theirs:
        found = _part(ours.get("out"), theirs["out"], "out ", wider)
        if found:
            return found
    if ours["changed"] != theirs["changed"]:
        mine, other = dict(ours["changed"]), dict(theirs["changed"])
        if set(mine) != set(other):
            return Difference("changed", f"{sorted(mine)}, MXNet {sorted(other)}")
        for place, value in other.items():
            found = _compared(mine[place], value, f"changed {place} ", wider)
            if found:
                return found
    return _gradients(ours.get("gradients"), theirs.get("gradients"), wider)


def width(case: dict[str, Any]) -> float:
    """Return how much wider the tolerance is for what is computed in float16 in between."""
    texts = json.dumps([case["args"], case["kwargs"], case.get("inputs")])
    if "Norm" in json.dumps(case.get("layers", "")):
        return 100
    if "float16" in texts and case["front"] == "metric":
        return 10_000
    if "float16" in texts:
        return 10_000 if "float64" in texts else 50
    if case["front"] == "metric":  # Python's numbers, computed from arrays
        return 100
    if "Norm" in case["name"] or "_norm" in case["name"]:  # divides by small deviations
        return 100 if "float64" in texts else 30
    if case["name"].startswith("loss."):
        weight = case["kwargs"].get("weight")
        times = max(1.0, abs(weight)) if isinstance(weight, (int, float)) else 1
        return 100 if "float64" in texts else 3 * times
    if "BilinearResize2D" in case["name"]:  # MXNet computes in float32
        return 100
    is_rounded = "float32" in texts or "update" in case["name"] or case["front"] == "optimizer"
    return 100 if "float64" in texts and is_rounded else 1


def _part(ours: Any, theirs: Any, where: str, wider: float) -> Difference | None:
    if isinstance(theirs, dict):
        return None
    if isinstance(ours, dict):
        return Difference(f"{where}refused", f"{ours['error']}: {ours.get('says')}")
    return _compared(ours, theirs, where, wider)


def _gradients(ours: Any, theirs: Any, wider: float) -> Difference | None:
    if theirs is None or isinstance(theirs, dict):
        return None
    if isinstance(ours, dict):
        return Difference("gradient refused", f"{ours['error']}: {ours['says'][:200]}")
    for place, (mine, other) in enumerate(zip(ours, theirs, strict=True)):
        found = _compared(mine, other, f"gradient {place} ", 5 * wider)
        if found:
            return Difference(f"gradient {found.kind}", found.details)
    return None


def _compared(ours: Any, theirs: Any, where: str, wider: float = 1) -> Difference | None:
    if theirs[0] == "parts" or ours[0] == "parts":
        if ours[0] != theirs[0] or len(ours[2]) != len(theirs[2]):
            return Difference("structure", f"{where}{ours[:2]}, MXNet {theirs[:2]}")
        for place, (mine, other) in enumerate(zip(ours[2], theirs[2], strict=True)):
            found = _compared(mine, other, f"{where}{place}: ", wider)
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
        return _values(mine, other, where, wider)
    if ours[0] == theirs[0] == "scalar":
        mine, other = onp.asarray(ours[2]), onp.asarray(theirs[2])
        if mine.dtype.kind in "fiub" and other.dtype.kind in "fiub":
            return _values(mine, other, where, wider)
    return None if ours == theirs else Difference("value", f"{where}{ours}, MXNet {theirs}")


def _array(part: Any) -> onp.ndarray | None:
    if part[0] == "scalar":
        value = onp.asarray(part[2])
        return value if value.dtype.kind in "fiub" else None
    _, _, dtype, shape, content = part
    return onp.frombuffer(content, dtype).reshape(shape)


def alike(ours: onp.ndarray, theirs: onp.ndarray, wider: float = 1) -> onp.ndarray:
    """Return where two arrays of one shape count as equal."""
    if ours.dtype.kind in "iub" and theirs.dtype.kind in "iub":
        return onp.asarray(ours == theirs)
    names = [a.dtype.name for a in (ours, theirs) if a.dtype.kind == "f"]
    relative = max(_RELATIVE.get(name, 1e-4) for name in names) * wider
    mine, other = ours.astype("float64"), theirs.astype("float64")
    finite = onp.abs(other[onp.isfinite(other)])
    absolute = relative * (0.05 * (finite.max() if finite.size else 0) + 0.02)
    with onp.errstate(all="ignore"):
        same = onp.isclose(mine, other, rtol=relative, atol=absolute, equal_nan=True)
    return onp.asarray(same)


def _values(ours: onp.ndarray, theirs: onp.ndarray, where: str, wider: float) -> Difference | None:
    same = alike(ours, theirs, wider)
    if same.all():
        return None
    wrong = onp.argwhere(~same)
    place = tuple(wrong[0])
    text = f"{where}{ours[place]}, MXNet {theirs[place]} at {tuple(map(int, place))}"
    return Difference("values", f"{text}; {len(wrong)} of {same.size}")


def _short(theirs: Answer) -> str:
    return str(theirs.get("error", "answers"))
