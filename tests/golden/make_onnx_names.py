"""Writes onnx_names.json: the operators that the exporter of the real MXNet 1.9.1 writes.

Run it under the real MXNet: `python tests/golden/make_onnx_names.py`. The names are read from the
exporter's text, as running it takes an old onnx.
"""

from __future__ import annotations

import ast
import importlib.util
import json
import pathlib

HERE = pathlib.Path(__file__).parent
FOLDER = "onnx/mx2onnx/_op_translations"


def names():
    root = pathlib.Path(importlib.util.find_spec("mxnet").origin).parent
    found = set()
    for path in sorted((root / FOLDER).glob("_op_translations_opset*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "attr", "") == "register":
                found.add(node.args[0].value)
    return sorted(found)


if __name__ == "__main__":
    text = json.dumps(names(), indent=1)
    (HERE / "onnx_names.json").write_text(text + "\n", encoding="utf-8")
