"""In place of mxnet, gluonish is imported by each of mxnet's names, here and in workers."""

from __future__ import annotations

import importlib
import json
import os
import pickle
import subprocess
import sys
import types
from pathlib import Path

import pytest

import gluonish
from gluonish.errors import MXNetError
from gluonish.mxnet_import import taking_over
from gluonish.mxnet_import.explaining import explain
from gluonish.mxnet_import.taking_over import give_back, installed_mxnet

MODULES = json.loads(Path(__file__).with_name("modules.json").read_text(encoding="utf-8"))
WORKERS = """
import multiprocessing, subprocess, sys
import mxnet as mx
from mxnet.gluon.data import DataLoader, ArrayDataset

def seen(_):
    import mxnet
    return mxnet.__name__, mxnet.__version__, float(mx.nd.ones(3).sum().asscalar())

if __name__ == "__main__":
    for method in ("fork", "spawn", "forkserver"):
        with multiprocessing.get_context(method).Pool(1) as pool:
            print(method, pool.map(seen, [0])[0])
    program = "from mxnet.gluon.block import HybridBlock; print(HybridBlock.__module__)"
    print(subprocess.check_output([sys.executable, "-c", program], cwd="/", text=True), end="")
    data = ArrayDataset(mx.nd.arange(6))
    print(sorted(float(v) for b in DataLoader(data, 3, num_workers=1) for v in b.asnumpy()))
"""


@pytest.fixture
def stood_in():
    gluonish.as_mxnet()
    yield
    give_back()


def test_mxnet_is_gluonish(stood_in):
    import mxnet as mx
    from mxnet import nd
    from mxnet.gluon.nn.basic_layers import Dense

    assert mx is gluonish
    assert nd is gluonish.nd
    assert Dense is gluonish.gluon.nn.Dense
    assert mx.__version__ == "1.9.1"
    assert gluonish.libinfo.__version__ != "1.9.1"
    assert gluonish.__spec__.name == "gluonish"
    assert gluonish.nn.__spec__.name == "gluonish.nn"


@pytest.mark.parametrize("name", MODULES)
def test_modules_that_programs_import_are_there(name, stood_in):
    module = importlib.import_module(name)
    assert module.__name__.startswith("gluonish")
    assert module is sys.modules[name]


def test_star_gives_what_programs_use(stood_in):
    names: dict[str, object] = {}
    exec("from mxnet import *", names)
    assert names["nd"] is gluonish.nd
    assert {"sym", "gluon", "autograd", "np", "npx", "cpu", "gpu", "io", "init"} <= set(names)


def test_a_second_call_changes_nothing(stood_in):
    before = list(sys.meta_path), list(sys.path), os.environ["PYTHONPATH"]
    gluonish.as_mxnet()
    assert before == (list(sys.meta_path), list(sys.path), os.environ["PYTHONPATH"])


def test_all_is_given_back(monkeypatch):
    monkeypatch.delenv("PYTHONPATH", raising=False)
    before = list(sys.meta_path), list(sys.path), sys.excepthook, gluonish.__version__
    gluonish.as_mxnet()
    importlib.import_module("mxnet.gluon.data")
    give_back()
    give_back()
    assert before == (list(sys.meta_path), list(sys.path), sys.excepthook, gluonish.__version__)
    assert not [name for name in sys.modules if name.partition(".")[0] == "mxnet"]
    assert "PYTHONPATH" not in os.environ


def test_the_path_of_children_keeps_what_it_had(monkeypatch):
    monkeypatch.setenv("PYTHONPATH", "elsewhere")
    gluonish.as_mxnet()
    assert os.environ["PYTHONPATH"].endswith(f"children{os.pathsep}elsewhere")
    give_back()
    assert os.environ["PYTHONPATH"] == "elsewhere"


def test_pickles_that_name_classes_of_mxnet_are_read(stood_in):
    assert pickle.loads(b"cmxnet.gluon.nn.basic_layers\nDense\n.") is gluonish.gluon.nn.Dense
    assert pickle.loads(b"cmxnet.context\nContext\n(Vcpu\nI0\ntR.") == gluonish.cpu()


def test_workers_find_gluonish_too(tmp_path):
    path = tmp_path / "train.py"
    path.write_text(WORKERS, encoding="utf-8")
    command = "import sys; from gluonish.cli import main; sys.exit(main())"
    try:
        done = subprocess.run(
            [sys.executable, "-c", command, "run", str(path)],
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )
    except subprocess.TimeoutExpired as error:
        pytest.fail((error.stderr or b"").decode()[:3000])
    seen = "('gluonish', '1.9.1', 3.0)"
    assert done.stdout.splitlines() == [
        f"fork {seen}",
        f"spawn {seen}",
        f"forkserver {seen}",
        "gluonish.block.block",
        "[0.0, 1.0, 2.0, 3.0, 4.0, 5.0]",
    ], done.stderr


def test_an_mxnet_that_is_imported_already_is_left_alone(monkeypatch):
    real = types.ModuleType("mxnet")
    real.__file__ = "/somewhere/mxnet/__init__.py"
    monkeypatch.setitem(sys.modules, "mxnet", real)
    with pytest.raises(MXNetError, match="mxnet itself is imported, from /somewhere") as caught:
        gluonish.as_mxnet()
    assert isinstance(caught.value, ImportError)
    assert sys.modules["mxnet"] is real


def test_an_installed_mxnet_is_found_and_not_taken(tmp_path, monkeypatch):
    package = tmp_path / "mxnet"
    package.mkdir()
    (package / "__init__.py").write_text("raise SystemError", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path)
    assert installed_mxnet() == ("of unknown version", str(package))
    gluonish.as_mxnet()
    try:
        assert importlib.import_module("mxnet") is gluonish
        assert installed_mxnet() == ("of unknown version", str(package))
    finally:
        give_back()


def test_without_mxnet_none_is_found(stood_in, monkeypatch):
    monkeypatch.setattr(sys, "path", [str(taking_over._CHILDREN)])
    assert installed_mxnet() is None


@pytest.mark.parametrize(
    ("program", "told"),
    [
        ("from mxnet.gluon.nn import Dence", "has no 'nn.Dence'; is it 'nn.Dense'?"),
        ("from mxnet import ndaray", "has no 'ndaray'; is it 'ndarray'?"),
        ("import mxnet.gluon.dta", "no module 'mxnet.gluon.dta'; is it 'mxnet.gluon.data'?"),
        ("import mxnet.zzzzzz.y", "has no module 'mxnet.zzzzzz'"),
    ],
)
def test_names_that_are_not_there_are_explained(program, told, stood_in):
    with pytest.raises(ImportError) as caught:
        exec(program)
    explained = explain(caught.value)
    assert explained is not None
    assert explained.startswith("gluonish stands in for mxnet and ")
    assert explained.endswith(told)


@pytest.mark.parametrize("error", [ValueError("x"), ImportError("x"), AttributeError("x")])
def test_other_errors_are_left_alone(error):
    assert explain(error) is None
    assert explain(ModuleNotFoundError("x", name="nosuch")) is None


def test_modules_that_tell_themselves_are_not_explained_twice(stood_in):
    import mxnet as mx

    with pytest.raises(AttributeError, match="softmax") as caught:
        _ = mx.nd.sofmax
    assert explain(caught.value) is None


def test_a_folder_called_mxnet_is_not_taken_for_it(monkeypatch, tmp_path):
    (tmp_path / "mxnet").mkdir()
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.delitem(sys.modules, "mxnet", raising=False)
    folder = importlib.import_module("mxnet")
    assert getattr(folder, "__file__", None) is None
    gluonish.as_mxnet()
    try:
        assert importlib.import_module("mxnet") is gluonish
    finally:
        give_back()


def test_programs_that_are_run_import_mxnet_themselves(tmp_path):
    program = tmp_path / "program.py"
    program.write_text(
        "import sys\n"
        "assert 'mxnet' not in sys.modules\n"
        "import mxnet as mx\n"
        "assert sys.modules['mxnet.ndarray'] is mx.nd\n"
        "assert {'mxnet.gluon', 'mxnet.symbol', 'mxnet.io'} <= set(sys.modules)\n"
        "from mxnet.gluon import nn\n"
        "print(nn.Dense(2))\n"
    )
    command = [sys.executable, "-m", "gluonish", "run", str(program)]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert done.stdout == "Dense(None -> 2, linear)\n"
