"""Ask the real MXNet 1.9.1 what its functions make of a keyword that they do not have.

Run from the repository's root under a Python that has MXNet 1.9.1; writes unknown_keywords.json.
"""

from __future__ import annotations

import ast
import ctypes
import json
import os
import pickle
import sys
import types
from pathlib import Path

os.environ["MXNET_ENGINE_TYPE"] = "NaiveEngine"

import numpy as onp

TESTS = Path(__file__).parents[1]
sys.path.insert(0, str(TESTS / "ops"))

import mxnet as mx
import samples
import samples_np
from mxnet.base import _LIB, c_str, c_str_array, check_call, py_str

KEYWORD = "unknown"
LEFT_OUT = (
    "waitall",
    "load",
    "save",
    "genfromtxt",
    "shuffle",
    "indexing_key_expand_implicit_axes",
    "may_share_memory",
    "shares_memory",
    "linalg.tensorsolve",
)  # of files, chance, memory


def operators():
    """Yield the names of all operators, with whether they take a keyword that they do not have."""
    size, found = ctypes.c_uint(), ctypes.POINTER(ctypes.c_char_p)()
    check_call(_LIB.MXListAllOpNames(ctypes.byref(size), ctypes.byref(found)))
    for name in sorted(py_str(found[i]) for i in range(size.value)):
        handle, symbol = ctypes.c_void_p(), ctypes.c_void_p()
        check_call(_LIB.NNGetOpHandle(c_str(name), ctypes.byref(handle)))
        refused = _LIB.MXSymbolCreateAtomicSymbol(
            handle, ctypes.c_uint(1), c_str_array([KEYWORD]), c_str_array(["1"]),
            ctypes.byref(symbol),
        )  # fmt: skip
        if not name.startswith("_backward") and "_backward" not in name:
            yield name, not refused


def calls():
    """Yield front ends, names and rows: every function's and method's rows, as they stand."""
    for table in (samples, samples_np):
        for family in table.FAMILIES:
            for row in table.rows(family):
                tree = ast.parse(row.strip(), mode="eval").body
                if not isinstance(tree, ast.Call):
                    continue
                space, _, path = ast.unparse(tree.func).partition(".")
                if (
                    space in ("nd", "np", "npx")
                    and path not in LEFT_OUT
                    and path.replace(".", "").isidentifier()
                ):
                    yield space, path, row
    for module, space in ((mx.nd, "nd"), (mx.np, "np")):
        for name in sorted(dir(module)):
            function = getattr(module, name)
            if isinstance(function, types.FunctionType) and name not in LEFT_OUT and name[0] != "_":
                yield space, name, f"{space}.{name}(p)"
                yield space, name, f"{space}.{name}(p, p)"
    arrays = samples.data()
    for cls, space in ((mx.nd.NDArray, "nd"), (mx.np.ndarray, "np")):
        for name in sorted(dir(cls)):
            if name[0] != "_" and name not in arrays and callable(getattr(cls, name)):
                yield f"{space} method", name, f"f.{name}()"


def with_keyword(row):
    """Return a row with one keyword more."""
    tree = ast.parse(row.strip(), mode="eval")
    tree.body.keywords.append(ast.keyword(KEYWORD, ast.Constant(1)))
    return ast.unparse(tree)


def evaluate(space, row, *, is_symbol):
    """Return what kind of value a row gives, and what a symbol's node keeps of the keyword."""
    is_np = space.startswith("np")
    table = samples_np if is_np else samples
    home = mx.sym if is_symbol else mx
    values = {}
    for name, value in table.data().items():
        if is_symbol:
            values[name] = mx.sym.var(name).as_np_ndarray() if is_np else mx.sym.var(name)
        else:
            make = mx.np.array if is_np else mx.nd.array
            values[name] = make(value, dtype=value.dtype)
    spaces = {"np": home.np, "npx": home.npx, "nd": mx.sym if is_symbol else mx.nd}
    if is_np:
        mx.npx.set_np()
    found = eval(row, {"mx": mx, "onp": onp, **spaces, **values})
    if not is_symbol:
        return "ignored"
    attrs = json.loads(found.tojson())["nodes"][-1].get("attrs", {})
    return "kept" if attrs.get(KEYWORD) == "1" else "ignored"


def apart(function, *args, **kwargs):
    """Return what a function returns, or the class of its error, from a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if not child:
        os.close(reader)
        try:
            answer = function(*args, **kwargs)
        except Exception as error:  # noqa: BLE001 - told
            answer = type(error).__name__
        with os.fdopen(writer, "wb") as stream:
            pickle.dump(answer, stream)
        os._exit(0)
    os.close(writer)
    with os.fdopen(reader, "rb") as stream:
        content = stream.read()
    os.waitpid(child, 0)
    return pickle.loads(content) if content else "crash"


def main():
    """Write the file."""
    ignoring = [name for name, is_ignored in operators() if is_ignored]
    answers = {}
    for space, path, row in calls():
        for is_symbol in (False, True):
            where = f"sym {space}" if is_symbol else space
            mine = answers.setdefault(where, {})
            if path in mine or (is_symbol and path not in answers[space]):
                continue
            if apart(evaluate, space, row, is_symbol=is_symbol) == "ignored":
                answer = apart(evaluate, space, with_keyword(row), is_symbol=is_symbol)
                mine[path] = [with_keyword(row), answer]
    text = ",\n".join(
        f"{json.dumps(where)}: {{\n"
        + ",\n".join(f"{json.dumps(path)}: {json.dumps(each)}" for path, each in mine.items())
        + "\n}"
        for where, mine in answers.items()
    )
    Path(__file__).with_name("unknown_keywords.json").write_text(
        f'{{"mxnet": "{mx.__version__}", "operators": {json.dumps(ignoring)},\n{text}\n}}\n'
    )


if __name__ == "__main__":
    main()
