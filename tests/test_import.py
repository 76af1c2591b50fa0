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


_SIGNATURES_PROGRAM = """
import gluonish
from gluonish.ops import ops

def is_built(signature):
    try:
        object.__getattribute__(signature, "_parameters")
    except AttributeError:
        return False
    return True

print(len(ops()), *(op.name for op in ops() if is_built(op.signature) and not op.takes_ctx))
"""


def test_a_fresh_import_builds_no_signatures_but_of_what_makes_arrays() -> None:
    command = [sys.executable, "-c", _SIGNATURES_PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    count, *built = done.stdout.split()
    assert int(count) > 500
    assert built == []


_BUILDING_PROGRAM = """
import torch
import gluonish as mx
from gluonish.ndarray.exchanges import wrap
from gluonish.ops import ops

def built(module):
    return vars(module)["_BUILDERS"].keys() & vars(module).keys()

assert len(built(mx.nd)) < 10 and not built(mx.np) and not built(mx.npx), built(mx.nd)
assert "relu" in dir(mx.nd) and "gemm2" in dir(mx.nd.linalg)
assert mx.nd.relu is mx.nd.relu is vars(mx.nd)["relu"]
taken = {}
exec("from gluonish.nd.linalg import *", taken)
assert taken["gemm2"] is mx.nd.linalg.gemm2 and "_BUILDERS" not in taken
function = next(op.function for op in ops() if "sigmoid" in op.nd)
assert "sigmoid" not in vars(mx.nd)
for text, hint in (
    ("torch.topk(mx.nd.ones(2), 1)", "or nd.topk(x)"),
    ("mx.nd.ones(2).hypot(2)", "np.hypot(x.as_np_ndarray(), ...)"),
    ("mx.np.LeakyReLU", "mx.nd.LeakyReLU is it"),
    ("mx.nd.image.resizee", "The nearest name there is 'resize'"),
):
    try:
        eval(text)
    except Exception as error:
        assert hint in str(error), error
    else:
        raise AssertionError(text)
assert not built(mx.np) and not {"topk", "LeakyReLU"} & vars(mx.nd).keys()
wrap(function, lambda _: lambda x: x - 8)
assert mx.nd.sigmoid(mx.nd.ones((1,))).asscalar() == -7
"""


def test_functions_are_built_when_they_are_asked_for_and_stay() -> None:
    command = [sys.executable, "-c", _BUILDING_PROGRAM]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


_LATE_PROGRAM = """
import sys
import gluonish as mx

late = ("callback", "contrib", "gluon.contrib", "gluon.model_zoo", "module", "rnn", "test_utils")
assert [name for name in late if f"gluonish.{name}" in sys.modules] == []
assert {"contrib", "viz", "mod"} <= set(dir(mx)) and "model_zoo" in dir(mx.gluon)
assert mx.mod is mx.module and mx.visualization is mx.viz and mx.contrib.onnx is mx.onnx
from gluonish.gluon.contrib.data.text import WikiText2
assert mx.gluon.contrib.data.text.WikiText2 is WikiText2
import gluonish.test_utils as direct
assert mx.test_utils is direct and "TYPE_CHECKING" not in dir(direct)
try:
    mx.rnn.LSTMCell(num_hiden=3)
except mx.MXNetError as error:
    print(error)
for owner, name in ((mx, "vizz"), (mx.test_utils, "asert_almost_equal"), (mx.gluon, "model_zo")):
    try:
        getattr(owner, name)
    except AttributeError as error:
        print(error)
"""


def test_modules_that_are_imported_when_they_are_asked_for_are_as_all_others() -> None:
    done = subprocess.run(
        [sys.executable, "-c", _LATE_PROGRAM], capture_output=True, text=True, check=False
    )
    assert done.stderr == ""
    ends = ["num_hidden", "'viz'.", "'assert_almost_equal'.", "'model_zoo'."]
    for line, end in zip(done.stdout.splitlines(), ends, strict=True):
        assert f"{'Did you mean' if end == 'num_hidden' else 'The nearest name there is'}" in line
        assert end in line


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
