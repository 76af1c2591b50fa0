"""Run short programs, cell by cell as a notebook does, and describe what they give."""

from __future__ import annotations

import ast
import contextlib
import io
import json
import math
import re
import tomllib
import warnings
from pathlib import Path
from typing import Any

import numpy as onp

GOLDEN = Path(__file__).with_name("golden")

_IMPORT = re.compile(r"^(\s*(?:from|import)\s.*)$", re.MULTILINE)
_ENGINE = re.compile(r"\[\d\d:\d\d:\d\d\].*\n?")
_FOLDERS = re.compile(r"/[^\s\"]*/site-packages/")  # where a traceback's files lie

_OURS_ALONE = ("x[mask]",)  # warnings of what MXNet takes in silence


def translate(code: str) -> str:
    """Name gluonish instead of mxnet in the import lines of a program."""
    return _IMPORT.sub(lambda line: line[1].replace("mxnet", "gluonish"), code)


def run_cell(code: str, names: dict[str, Any]) -> dict[str, Any]:
    """Run one cell; return what it printed, the value of its last expression, or its error."""
    tree = ast.parse(code)
    last = None
    if tree.body and isinstance(tree.body[-1], ast.Expr) and not code.rstrip().endswith(";"):
        last = ast.Expression(tree.body.pop().value)
    printed, found = io.StringIO(), {}
    with contextlib.redirect_stdout(printed), warnings.catch_warnings(record=True) as heard:
        warnings.simplefilter("always")
        try:
            exec(compile(tree, "<cell>", "exec"), names)
            value = None if last is None else eval(compile(last, "<cell>", "eval"), names)
            text = None if value is None else repr(value)
            found = {} if value is None else {"value": describe(value), "text": text}
        except Exception as error:  # noqa: BLE001 - the error is what is asked for
            found = {"error": describe_error(error)}
    if printed.getvalue():
        found["printed"] = _FOLDERS.sub("", _ENGINE.sub("", printed.getvalue()))
    told = [[type(w.message).__mro__[0].__name__, str(w.message)] for w in heard]
    told = [pair for pair in told if pair[0] in {"UserWarning", "RuntimeWarning"}]
    told = [pair for pair in told if not pair[1].startswith(_OURS_ALONE)]
    if told:
        found["warned"] = told
    return found


def describe_error(error: BaseException) -> dict[str, Any]:
    """Return the builtin classes by which an error can be caught, and what it says."""
    plain = [c.__name__ for c in type(error).__mro__ if c.__module__ == "builtins"]
    plain = [name for name in plain if name not in {"Exception", "BaseException", "object"}]
    said = re.split(r"\n\s*(?:\[bt\]|Stack trace)", str(error))[0].strip()
    own = any(c.__name__ == "MXNetError" for c in type(error).__mro__)
    return {"class": type(error).__name__, "own": own, "caught_as": plain, "says": said}


def describe(value: Any) -> Any:  # noqa: ANN401
    """Return a JSON form of a result: arrays with class, dtype, shape, context and values."""
    if isinstance(value, type):
        return {"type": "type", "is": value.__name__}
    if hasattr(value, "asnumpy"):
        host = value.asnumpy()
        return {
            "class": type(value).__name__,
            "dtype": str(host.dtype),
            "shape": list(value.shape),
            "ctx": str(value.ctx if hasattr(value, "ctx") else value.context),
            "values": host.tolist(),
        }
    if isinstance(value, (bool, int, float, str)):
        return {"type": type(value).__name__, "is": value}
    if isinstance(value, (list, tuple)):
        return {"type": type(value).__name__, "parts": [describe(part) for part in value]}
    if isinstance(value, dict):
        return {"type": "dict", "parts": {str(k): describe(v) for k, v in value.items()}}
    if hasattr(value, "dtype") and hasattr(value, "tolist"):
        return {"type": type(value).__name__, "dtype": str(value.dtype), "is": value.tolist()}
    return {"type": type(value).__name__}


def differences(found: Any, expected: Any, where: str = "") -> list[str]:  # noqa: ANN401
    """List where a description differs from MXNet's; numbers are compared to 5 digits."""
    if isinstance(expected, dict) and isinstance(found, dict):
        if "text" in expected and "value" not in expected:
            found = {key: value for key, value in found.items() if key != "value"}
        unread = {"says", "own", *({"text"} if "value" in expected else ())}
        keys = [key for key in expected if key not in unread]
        found = {key: value for key, value in found.items() if key not in unread}
        lost = [f"{where}: no {key!r} in {found}" for key in keys if key not in found]
        grown = [f"{where}: {key!r} too: {found[key]}" for key in found if key not in expected]
        if lost or grown:
            return lost + grown
        return [d for key in keys for d in _differences_at(key, found, expected, where)]
    if isinstance(expected, list) and isinstance(found, list):
        if len(found) != len(expected):
            return [f"{where}: {found} is not {expected}"]
        pairs = enumerate(zip(found, expected, strict=True))
        return [d for n, (f, e) in pairs for d in differences(f, e, f"{where}[{n}]")]
    if isinstance(expected, float) and isinstance(found, (int, float)):
        same = math.isclose(found, expected, rel_tol=1e-5, abs_tol=1e-7) or (
            math.isnan(found) and math.isnan(expected)
        )
        return [] if same else [f"{where}: {found} is not {expected}"]
    return [] if found == expected else [f"{where}: {found!r} is not {expected!r}"]


def cell_differences(found: dict[str, Any], gives: dict[str, Any]) -> list[str]:
    """List where what a cell shows differs from MXNet's: errors by class, the rest as text."""
    failed = "error" in found or "error" in gives
    keys = {"error", "printed"} if failed else {"shown", "warned"}
    pair = [{k: v for k, v in one.items() if k in keys} for one in (found, gives)]
    return differences(*pair)


def _differences_at(
    key: str, found: dict[str, Any], expected: dict[str, Any], where: str
) -> list[str]:
    if key == "error":
        wanted = expected[key]["caught_as"][:1]
        if set(wanted) <= set(found[key]["caught_as"]):
            return []
        return [f"{where}: {found[key]} cannot be caught as {wanted}"]
    if key in {"printed", "shown", "text"}:
        if same_text(found[key], expected[key]):
            return []
        return [f"{where}: {found[key]!r} is not {expected[key]!r}"]
    return differences(found[key], expected[key], f"{where}.{key}")


_NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]\d+)?|-?\d+e[+-]\d+")


def same_text(found: str, expected: str) -> bool:
    """Compare printed text: letter for letter, but for numbers, which need 5 digits."""
    if _shape_of(found) != _shape_of(expected):
        return found == expected
    numbers = [float(number) for number in _NUMBER.findall(expected)]
    scale = max(map(abs, numbers), default=0.0)
    pairs = zip(map(float, _NUMBER.findall(found)), numbers, strict=True)
    return all(math.isclose(f, e, rel_tol=1e-5, abs_tol=1e-6 * scale) for f, e in pairs)


def _shape_of(text: str) -> str:
    # Only blanks that pad a number's column may differ with its digits.
    return re.sub(r" *# *", "#", _NUMBER.sub("#", text)).rstrip()


def load(name: str) -> dict[str, list[dict[str, Any]]]:
    """Read a file of facts: group name -> facts, each with its program and what MXNet gave."""
    return json.loads((GOLDEN / f"{name}.json").read_text(encoding="utf-8"))["groups"]


def own_ways(name: str) -> list[dict[str, Any]]:
    """Read where gluonish means to differ from MXNet in a file of facts, and what it gives."""
    text = GOLDEN.with_name("known_differences.toml").read_text(encoding="utf-8")
    rows = [row for row in tomllib.loads(text).get("difference", []) if row["file"] == name]
    if not onp.__version__.startswith("1."):
        return rows
    rows = [row for row in rows if not row["why"].startswith("NumPy 2")]
    shows = re.compile(r"np\.\w+\(([^()]*)\)")  # NumPy 1 shows numbers without their type
    return [
        row | {"shows": shows.sub(r"\1", row["shows"])} if "shows" in row else row for row in rows
    ]


def judge(code: str, found: dict[str, Any], wrong: list[str], rows: list[Any]) -> list[str]:
    """Return the differences from MXNet; from the known difference where there is one."""
    own = [row for row in rows if any(_ends_with(code, end) for end in row["programs"])]
    if not own:
        return wrong
    assert wrong, f"no longer a difference: {code}"
    if "raises" in own[0]:
        raised = found.get("error", {}).get("class")
        return [] if raised == own[0]["raises"] else [f"{found} is no {own[0]['raises']}"]
    text = shown(found)
    return [] if same_text(text, own[0]["shows"].strip()) else [f"it shows {text!r}"]


def _ends_with(code: str, end: str) -> bool:
    end = end.strip()
    return code == end or code.endswith(f"\n{end}")


def shown(found: dict[str, Any]) -> str:
    """Return what a notebook shows for a cell: the printed lines, then the last value."""
    if "error" in found:
        return found["error"]["class"]
    return (found.get("printed", "") + (found.get("text") or "")).strip()


def check(name: str, group: str) -> None:
    """Run every program of a group of facts under gluonish and compare with MXNet."""
    facts, rows, wrong = load(name)[group], own_ways(name), []
    for fact in facts:
        found = run_cell(translate(fact["code"]), namespace(numpy_mode=fact["np"]))
        mine = [row for row in rows if row.get("np", fact["np"]) == fact["np"]]
        unlike = judge(fact["code"], found, differences(found, fact["gives"]), mine)
        wrong += [f"{fact['code']}\n    {d}" for d in unlike]
    assert not wrong, f"{len(wrong)} differ, in {len(facts)} programs\n" + "\n".join(wrong)


def namespace(*, numpy_mode: bool) -> dict[str, Any]:
    """Return the names that programs may use without importing them."""
    import numpy as onp

    import gluonish as mx

    mx.npx.set_np() if numpy_mode else mx.npx.reset_np()
    mx.random.seed(0)
    shared = {"nd": mx.nd, "np": mx.np, "npx": mx.npx, "gluon": mx.gluon, "init": mx.init}
    return {"__name__": "__main__", "mx": mx, "onp": onp, "autograd": mx.autograd, **shared}
