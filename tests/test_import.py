"""What `import gluonish` offers, under which names, and what it leaves alone."""

from __future__ import annotations

import importlib
import operator
import subprocess
import sys

import pytest

import gluonish as mx
from gluonish.mxnet_import.second_names import SECOND_NAMES

HEAVY = ("matplotlib", "pandas", "PIL", "scipy", "torch._dynamo", "torch._inductor", "fsspec")


def test_a_fresh_import_leaves_heavy_modules_alone_and_gives_second_names() -> None:
    program = (
        "import sys, torch; before = set(sys.modules); import gluonish; "
        "print(*sorted(set(sys.modules) - before)); "
        "from gluonish.np import array; from gluonish.nd.ndarray import NDArray, zeros; "
        "import multiprocessing; multiprocessing.pool.Pool"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert [name for name in done.stdout.split() if name.startswith(HEAVY)] == []


def test_all_names_are_there() -> None:
    assert [name for name in mx.__all__ if not hasattr(mx, name)] == []


@pytest.mark.parametrize(("second", "first"), [("nd", "ndarray"), ("np", "numpy")])
def test_second_names_are_the_same_module(second: str, first: str) -> None:
    module = importlib.import_module(f"gluonish.{second}")
    assert module is importlib.import_module(f"gluonish.{first}")
    assert module.__spec__.name == f"gluonish.{first}"
    assert importlib.import_module(f"gluonish.{second}.random") is module.random


@pytest.mark.parametrize("second", list(SECOND_NAMES))
def test_every_second_name_can_be_imported(second: str) -> None:
    module = importlib.import_module(second)
    assert not module.__name__.startswith("gluonish.nd.")
    assert operator.attrgetter(second.partition(".")[2])(mx) is module


def test_an_unknown_submodule_is_not_found() -> None:
    with pytest.raises(ModuleNotFoundError, match="no_such_module"):
        importlib.import_module("gluonish.nd.no_such_module")
