"""What every test shares: seeded generators, MXNet's default mode, one thread for each worker."""

from __future__ import annotations

import gc
import os
import sys
import zlib
from typing import TYPE_CHECKING, Any

import hypothesis
import numpy as onp
import pytest
import torch

os.environ.setdefault("GLUONISH_COMPILE_AFTER", "inf")  # no compilers beside tests

import compiling
from instant import install
from parts import keep_costly_part
from servers import s3, s3_server, web  # noqa: F401 - fixtures

import gluonish as mx
from gluonish.hybrid import jobs, judging, report
from gluonish.hybrid.jobs import has_compiler
from gluonish.mxnet_import.taking_over import give_back

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator
    from pathlib import Path

    from gluonish.hybrid.compilers import Compilers

collect_ignore_glob = ["golden/make_*.py", "mxnet_import/programs/*.py"]

_SEED = pytest.StashKey[int]()

hypothesis.settings.register_profile("ci", derandomize=True, deadline=None, print_blob=True)
hypothesis.settings.load_profile(os.environ.get("HYPOTHESIS_PROFILE", "ci"))


def pytest_configure() -> None:
    """Keep each xdist worker on one thread, so that workers do not fight for cores."""
    if "PYTEST_XDIST_WORKER" in os.environ:
        torch.set_num_threads(1)


def pytest_collection() -> None:
    """Look for no garbage among 30,000 tests: none of them is any."""
    gc.disable()


def pytest_collection_finish() -> None:
    """Look for it again, but not among these."""
    gc.freeze()
    gc.enable()


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave tests out that need a GPU, or a C++ compiler, where there is none; and other parts."""
    present = {"gpu": torch.cuda.is_available(), "compiler": has_compiler()}
    absent = [name for name, is_present in present.items() if not is_present]
    needy = [item for item in items if any(map(item.get_closest_marker, absent))]
    if needy:
        config.hook.pytest_deselected(items=needy)
        items[:] = [item for item in items if item not in needy]
    keep_costly_part(config, items)


@pytest.fixture(autouse=True)
def seeded(request: pytest.FixtureRequest) -> Iterator[int]:
    """Seed every generator with a number of the test's own, and number names from 0.

    GLUONISH_TEST_SEED replaces the seed.
    """
    own = zlib.crc32(request.node.nodeid.encode()) & 0x7FFFFFFF
    seed = int(os.environ.get("GLUONISH_TEST_SEED", own))
    request.node.stash[_SEED] = seed
    onp.random.seed(seed)  # noqa: NPY002 - gluon's samplers draw from NumPy's global generator
    torch.manual_seed(seed)
    mx.random.seed(seed)
    mx.name.NameManager.current = mx.name.NameManager()  # names are those of a program's beginning
    yield seed
    mx.npx.reset_np()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item,
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Show the seed of a test that failed."""
    report = yield
    if report.failed and _SEED in item.stash:
        line = f"GLUONISH_TEST_SEED={item.stash[_SEED]} repeats this run"
        report.sections.append(("seed", line))
    return report


@pytest.fixture
def in_place_of_mxnet(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let `import mxnet` give gluonish, and programs take the place of pytest's own main."""
    monkeypatch.setattr(sys, "argv", list(sys.argv))
    monkeypatch.setattr(sys, "path", ["", *sys.path])
    monkeypatch.setitem(sys.modules, "__main__", sys.modules["__main__"])
    mx.as_mxnet()
    yield
    give_back()


@pytest.fixture
def instant(monkeypatch: pytest.MonkeyPatch) -> type[Any]:
    """Have graphs 'compiled' at once by a stand-in, and found to be faster; see `instant.py`."""
    report._said.clear()
    return install(monkeypatch)


@pytest.fixture
def own_cache(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    """Have compilers keep what they make in a folder of the test's own."""
    monkeypatch.setenv("TORCHINDUCTOR_CACHE_DIR", str(tmp_path / "inductor"))
    monkeypatch.setenv("GLUONISH_CACHE", str(tmp_path / "graphs"))
    return tmp_path


@pytest.fixture
def real_compiler(monkeypatch: pytest.MonkeyPatch, own_cache: Path) -> Iterator[Compilers]:
    """Have graphs compiled as soon as they are captured; see `compiling.py`."""
    assert own_cache
    monkeypatch.setenv("GLUONISH_COMPILE_AFTER", "0")
    queue = compiling.begin()
    monkeypatch.setattr(jobs, "compilers", queue)
    monkeypatch.setattr(judging, "compilers", queue)
    yield queue
    compiling.end(queue)
