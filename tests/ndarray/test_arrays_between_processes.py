"""Arrays and nets on their way to processes of any start method, and back from them."""

from __future__ import annotations

import pickle
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

import gluonish as mx
from gluonish.array import NDArray, core, sparse_base
from gluonish.array.storage import SparseTensor

PROGRAM = """
import multiprocessing
import sys

import gluonish as mx


def child(things, queue):
    for thing in things:
        is_net = isinstance(thing, mx.gluon.Block)
        queue.put(thing(mx.nd.ones((2, 3))) if is_net else thing)


if __name__ == "__main__":
    net = mx.gluon.nn.Dense(2)
    net.initialize()
    net(mx.nd.ones((2, 3)))
    things = [
        mx.nd.array([[1, 2], [3, 4]]).T,
        mx.np.array([1, 2, 3])[1:],
        mx.nd.zeros((0, 3)),
        mx.nd.ones((2,), dtype="bfloat16"),
        mx.nd.array([[0, 1], [0, 0]]).tostype("csr"),
        mx.nd.array([[0, 1], [0, 0]]).tostype("row_sparse"),
        net,
    ]
    way = multiprocessing.get_context(sys.argv[1])
    queue = way.Queue()
    process = way.Process(target=child, args=(things, queue))
    process.start()
    found = [queue.get(timeout=60) for _ in things]
    process.join()
    assert process.exitcode == 0
    for sent, back in zip(things, found):
        sent = net(mx.nd.ones((2, 3))) if sent is net else sent
        assert type(back) is type(sent)
        assert back.dtype == sent.dtype and back.context == sent.context
        assert back.shape == sent.shape
        assert (back.asnumpy() == sent.asnumpy()).all()
    print(len(found), "came back")
"""


@pytest.mark.parametrize("method", ["fork", "spawn", "forkserver"])
def test_arrays_and_nets_reach_a_process_and_come_back(method: str, tmp_path: Path) -> None:
    program = tmp_path / "sends.py"
    program.write_text(PROGRAM)
    told = subprocess.run(
        [sys.executable, str(program), method],
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
        cwd=Path(mx.__file__).parents[1],
    )
    assert told.returncode == 0, told.stderr
    assert told.stdout == "7 came back\n"


@pytest.mark.parametrize("protocol", range(pickle.HIGHEST_PROTOCOL + 1))
def test_what_is_unpickled_has_memory_of_its_own_and_can_be_written(protocol: int) -> None:
    array = mx.nd.array([[1, 2], [3, 4]])
    found = pickle.loads(pickle.dumps(array.T, protocol))
    found[:] += 1
    assert found.asnumpy().tolist() == [[2, 4], [3, 5]]
    assert array.asnumpy().tolist() == [[1, 2], [3, 4]]


def test_memory_that_cannot_be_written_is_copied() -> None:
    buffers: list[pickle.PickleBuffer] = []
    text = pickle.dumps(mx.nd.ones((3,)), 5, buffer_callback=buffers.append)
    found = pickle.loads(text, buffers=[bytes(buffer.raw()) for buffer in buffers])
    found += 1
    assert found.asnumpy().tolist() == [2, 2, 2]


class Earlier:
    """An array as gluonish pickled it while its tensors were torch's to pickle."""

    def __init__(self, *parts: Any) -> None:
        self.parts = parts

    def __reduce__(self) -> Any:  # noqa: ANN401
        return self.parts


def test_earlier_pickles_are_read() -> None:
    ctx = mx.cpu()
    dense = Earlier(core._rebuild, (NDArray, torch.ones(2), ctx))
    assert pickle.loads(pickle.dumps(dense)).asnumpy().tolist() == [1, 1]
    fields = [(2, 2), torch.ones(1, 2), torch.tensor([1]), None]
    parts = Earlier(SparseTensor.__new__, (SparseTensor,), fields)
    rows = Earlier(sparse_base._rebuild, (mx.nd.sparse.RowSparseNDArray, parts, ctx))
    assert pickle.loads(pickle.dumps(rows)).asnumpy().tolist() == [[0, 0], [1, 1]]
