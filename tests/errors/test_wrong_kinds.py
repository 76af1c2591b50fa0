"""Whatever operators are given in place of what they take, the error speaks of the operator."""

from __future__ import annotations

import ast
import traceback
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import pytest

import gluonish as mx
from tests.ops import samples, samples_np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from types import ModuleType

_OURS = str(Path(mx.__file__).parent)
_WRONG = ("None", "'abc'", "mx.gluon.nn.Dense", "{'a': 1}", "mx.nd.zeros")
_NAMES: dict[str, Any] = {"nd": mx.nd, "np": mx.np, "npx": mx.npx, "mx": mx, "onp": onp}


def _calls(rows: ModuleType) -> Iterator[ast.Call]:
    """Return one call of each function that the samples call."""
    known = set()
    lists = [value for name, value in vars(rows).items() if name.isupper()]
    for line in "\n".join(each for each in lists if isinstance(each, str)).split("\n"):
        call = ast.parse(line, mode="eval").body if line else None
        if isinstance(call, ast.Call) and ast.unparse(call.func) not in known:
            known.add(ast.unparse(call.func))
            yield call


def _wrong_calls(call: ast.Call) -> Iterator[str]:
    for place in range(len(call.args)):
        for value in _WRONG:
            args = [*call.args]
            args[place] = ast.parse(value, mode="eval").body
            yield ast.unparse(ast.Call(call.func, args, call.keywords))


def _left_raw(text: str, known: dict[str, Any]) -> str | None:
    """Return what a call raises, if it says nothing of the call."""
    try:
        eval(text, dict(known))
    except mx.MXNetError as error:
        files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
        is_long = any(file.startswith(_OURS) for file in files)
        return f"{text}: a long traceback" if is_long else None
    except Exception as error:  # noqa: BLE001 - any
        note = getattr(error, "noted_call", "")
        is_pythons = "dispatcher for" in str(error) or not _frames_of_ours(error)
        return (
            None if is_pythons or (note and not note.startswith("call(")) else f"{text}: {error!r}"
        )
    return None


def _frames_of_ours(error: Exception) -> bool:
    files = [frame.filename for frame in traceback.extract_tb(error.__traceback__)]
    return any(file.startswith(_OURS) for file in files)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize(("rows", "wrap"), [(samples, mx.nd.array), (samples_np, mx.np.array)])
def test_operators_leave_no_error_of_python_unexplained(
    rows: ModuleType, wrap: Callable[..., Any]
) -> None:
    known = _NAMES | {name: wrap(value) for name, value in samples.data().items()}
    if rows is samples_np:
        known |= {name: wrap(value) for name, value in samples_np.data().items()}
    left = [_left_raw(text, known) for call in _calls(rows) for text in _wrong_calls(call)]
    assert [each for each in left if each is not None] == []
