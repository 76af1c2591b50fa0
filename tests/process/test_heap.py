"""Memory that was freed stays with the process, unless somebody says otherwise."""

from __future__ import annotations

import os
import platform
import subprocess
import sys
from pathlib import Path

import pytest

from gluonish.process import heap

ROOT = Path(__file__).parents[2]
pytestmark = pytest.mark.skipif(
    platform.libc_ver()[0] != "glibc", reason="the heap of another C library"
)
PAGES = """
import resource
import gluonish as mx

def pages():
    return resource.getrusage(resource.RUSAGE_SELF).ru_minflt

for step in range(20):
    if step == 10:
        before = pages()
    arrays = [mx.nd.ones((1024, 1024)) for _ in range(20)]  # of 4 MB
    del arrays
print((pages() - before) // 10)
"""
STEP = 20 * 1024  # pages of 4 KB that a step touches


def printed(program, **environment):
    known = {k: v for k, v in os.environ.items() if not k.startswith(("MALLOC_", "GLIBC_"))}
    run = subprocess.run(
        [sys.executable, "-c", program], env={**known, "PYTHONPATH": str(ROOT), **environment},
        capture_output=True, text=True, check=True,
    )  # fmt: skip
    return [int(word) for word in run.stdout.split()]


def test_freed_memory_stays():
    assert printed(PAGES)[0] < STEP / 10


@pytest.mark.parametrize(
    "environment",
    [
        {"MALLOC_MMAP_THRESHOLD_": "65536"},
        {"GLIBC_TUNABLES": "glibc.malloc.mmap_threshold=65536"},
    ],
)
def test_what_the_environment_says_counts(environment):
    assert printed(PAGES, **environment)[0] > STEP / 2


def test_it_can_be_switched_off(monkeypatch):
    def asked(name):
        raise AssertionError(name)

    for name in ("MALLOC_TRIM_THRESHOLD_", "MALLOC_MMAP_THRESHOLD_", "GLIBC_TUNABLES"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("GLUONISH_KEEP_MEMORY", "off")
    monkeypatch.setattr(heap, "_glibc", asked)
    assert not heap.keep_freed()
    monkeypatch.delenv("GLUONISH_KEEP_MEMORY")
    with pytest.raises(AssertionError, match="mallopt"):
        heap.keep_freed()


RESIDENT = """
from pathlib import Path
import gluonish as mx

def resident():
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4 // 1024

arrays = [mx.nd.ones((1024, 1024)) for _ in range(50)]  # 200 MB
mx.nd.waitall()
full = resident()
del arrays
kept = resident()
mx.cpu().empty_cache()
print(full - kept, full - resident())
"""


def test_empty_cache_gives_memory_back():
    kept, given = printed(RESIDENT)
    assert kept < 20
    assert given > 180


APART = """
import gluonish as mx
from gluonish.process import heap

def resident():
    for line in open("/proc/self/status"):
        if line.startswith("VmRSS"):
            return int(line.split()[1]) // 1024

def rise(count):
    before = resident()
    arrays = [mx.nd.ones((256, 1024)) for _ in range(count)]  # of 1 MB
    arrays = arrays[-1:]  # the one that lies last
    return resident() - before

with heap.pages_apart():
    with heap.pages_apart():
        pass
    apart = rise(60)
print(apart, rise(60))
"""


def test_blocks_with_pages_of_their_own_leave_no_holes():
    apart, in_heap = printed(APART)
    assert apart < 10
    assert in_heap > 50


PEAK = """
import sys
import gluonish as mx

def most():
    for line in open("/proc/self/status"):
        if line.startswith("VmHWM"):
            return int(line.split()[1]) // 1024

net = mx.gluon.nn.HybridSequential()
for _ in range(40):
    net.add(mx.gluon.nn.Conv2D(8, 3, padding=1), mx.gluon.nn.BatchNorm())
net.initialize()
data = mx.nd.ones((4, 8, 256, 256))  # 8 MB, as are all results
data.wait_to_read()
before = most()
if "hybrid" in sys.argv:
    net.hybridize()
for _ in range(3):
    net(data).wait_to_read()
print(most() - before)
"""


def test_the_first_call_of_a_net_needs_no_more_memory_than_others(tmp_path):
    program = tmp_path / "peak.py"
    program.write_text(PEAK)
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "GLUONISH_COMPILE": "0"}
    run = subprocess.run(
        [sys.executable, str(program), "hybrid"], env=environment, capture_output=True, text=True,
        check=True,
    )  # fmt: skip
    assert int(run.stdout) < 15 * 8  # all results together would be 80 * 8
