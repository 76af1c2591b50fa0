"""The op table, complete: importing this package imports every family of operators."""

from __future__ import annotations

import importlib
import pkgutil

from gluonish.ops.table import Op, op, ops

for _module in sorted(info.name for info in pkgutil.walk_packages(__path__, f"{__name__}.")):
    importlib.import_module(_module)

__all__ = ["Op", "op", "ops"]
