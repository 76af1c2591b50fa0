"""The op table, complete: importing this package imports every family of operators."""

from __future__ import annotations

import importlib
from pathlib import Path

from gluonish.ops.table import Op, op, ops

_HERE = Path(__file__).parent
for _file in sorted(_HERE.glob("*/[!_]*.py")):
    importlib.import_module(f"{__name__}.{_file.parent.name}.{_file.stem}")

__all__ = ["Op", "op", "ops"]
