"""The file of cases that are among the tests, with MXNet's answers."""

from __future__ import annotations

import base64
import gzip
import json
from collections import Counter
from pathlib import Path
from typing import Any

FILE = Path(__file__).parents[2] / "tests" / "golden" / "differential.json.gz"
_SLOW = 0.1  # seconds
_LARGE = 3000  # characters of an answer


def read() -> list[dict[str, Any]]:
    """Return the rows of the file: `case` and `answer` in each."""
    rows = json.loads(gzip.decompress(FILE.read_bytes()))["rows"]
    return [{"case": row["case"], "answer": _unpacked(row["answer"])} for row in rows]


def write(cases: list[dict[str, Any]], answers: list[dict[str, Any]], mxnet: str) -> None:
    """Write the file; the same content gives the same bytes."""
    rows = [
        {"case": case, "answer": _packed(_without_time(answer))}
        for case, answer in zip(cases, answers, strict=True)
    ]
    text = json.dumps({"mxnet": mxnet, "rows": rows}, separators=(",", ":"))
    FILE.write_bytes(gzip.compress(text.encode(), 9, mtime=0))


def chosen(agreed: list[tuple[dict[str, Any], dict[str, Any]]], count: int) -> list[int]:
    """Return the positions of cases to keep: quick and small ones, few of each name.

    Those that were mended (`"mended": true` in a case) come first.
    """
    found = [place for place, (case, _) in enumerate(agreed) if case.get("mended")]
    quick = [place for place, (_, answer) in enumerate(agreed) if answer.get("seconds", 9) < _SLOW]
    # Few of those that both refuse.
    usable = [place for place in quick if "error" not in agreed[place][1] or place % 20 == 0]
    for most in (2, 4, 8, 16, 64):
        names: Counter[str] = Counter(_sort(agreed[place][0], place) for place in found)
        for place in usable:
            case, answer = agreed[place]
            if len(found) == count:
                return sorted(found)
            if place in found or names[_sort(case, place)] >= most:
                continue
            if len(json.dumps(_packed(answer))) < _LARGE:
                found.append(place)
                names[_sort(case, place)] += 1
    return sorted(found)


def _sort(case: dict[str, Any], place: int) -> str:
    """Return what few are kept of: a name, or a twentieth of chains and of indices."""
    is_nameless = case["front"] in ("chain", "index")
    return f"{case['front']} {case['name']} {place % 20 if is_nameless else ''}"


def _without_time(answer: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in answer.items() if key not in ("seconds", "says")}


def _packed(part: Any) -> Any:
    if isinstance(part, bytes):
        return {"bytes": base64.b64encode(part).decode()}
    if isinstance(part, dict):
        return {"dict": [[key, _packed(value)] for key, value in part.items()]}
    if isinstance(part, tuple):
        return {"tuple": [_packed(each) for each in part]}
    return [_packed(each) for each in part] if isinstance(part, list) else part


def _unpacked(part: Any) -> Any:
    if isinstance(part, list):
        return [_unpacked(each) for each in part]
    if not isinstance(part, dict):
        return part
    ((kind, content),) = part.items()
    if kind == "bytes":
        return base64.b64decode(content)
    if kind == "dict":
        return {key: _unpacked(value) for key, value in content}
    return tuple(_unpacked(each) for each in content)
