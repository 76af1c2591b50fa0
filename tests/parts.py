"""Takes a part of the tests, another one for each change: what all of them take is too long for CI.

`make test` runs all tests. With COSTLY_PART=2/4 it takes a fourth of those below, the third one.
"""

from __future__ import annotations

import os
import zlib
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

    import pytest

# Rows of tables that take seconds each: they compile, export, calibrate, or start processes.
COSTLY = (
    "tests/benchmarks/",
    "tests/block/test_torch_module_onnx.py",
    "tests/contrib/quantization/",
    "tests/conversion/test_converted_graphs.py",
    "tests/distributed/",
    "tests/gluon/model_zoo/test_torch_weights.py",
    "tests/gluon/model_zoo/test_vision_chapters.py",
    "tests/hybrid/test_captured_correctly.py",
    "tests/hybrid/test_drawn_loops.py",
    "tests/hybrid/test_jobs.py",
    "tests/onnx/",
    "tests/random_streams/test_rejection.py",
    "tests/symbol/test_zoo_graphs.py",
    "tests/tutorials/",
)


def keep_costly_part(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the tests of other parts, if COSTLY_PART names one."""
    if part := os.environ.get("COSTLY_PART"):
        keep_part(config, items, part, lambda item: item.nodeid.startswith(COSTLY))


def keep_part(
    config: pytest.Config,
    items: list[pytest.Item],
    part: str,
    is_divided: Callable[[pytest.Item], bool],
) -> None:
    """Keep the tests of one part, such as 2/4, of those that are divided, and all others."""
    number, parts = map(int, part.split("/"))
    kept, left = [], []
    for item in items:
        is_elsewhere = zlib.crc32(item.nodeid.encode()) % parts != number % parts
        (left if is_divided(item) and is_elsewhere else kept).append(item)
    config.hook.pytest_deselected(items=left)
    items[:] = kept
