"""Time the ways to feed pictures beside the real MXNet, and torchvision on PyTorch's DataLoader.

Everyone reads the same files in turns, once through all of them, and the best of several rounds
counts.
"""

from __future__ import annotations

import tempfile
import time
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch

import gluonish as mx
from benchmarks import input_gluon, input_torch
from benchmarks.remote import MXNet

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.timing import Timer

__all__ = ["table_rows"]

_TITLES = {
    "records": "`io.ImageRecordIter`: resize, random crop, mirror, 2 threads",
    "folders, 0 workers": "`ImageFolderDataset`, five transforms, `DataLoader`",
    "folders, 2 workers": "`ImageFolderDataset`: the same, 2 workers",
    "augmenters": "`image.imdecode`, `CreateAugmenter` with colours",
    "digits, 0 workers": "digits: `ArrayDataset`, `ToTensor`, `DataLoader`",
    "digits, 2 workers": "digits: the same, 2 workers",
}
_COUNT, _QUICK_COUNT = 320, 64
_ROUNDS, _QUICK_ROUNDS = 5, 2
_SIZE = (320, 384)  # rows and columns
_DETAILS = ((10, 60.0), (30, 40.0), (100, 25.0), (380, 9.0))  # columns of noise, and its deviation
_KINDS = 8


def table_rows(*, quick: bool, mxnet: str | None) -> list[dict[str, Any]]:
    """Return pictures a second of each way, by contestant."""
    with tempfile.TemporaryDirectory() as folder, ExitStack() as stack:
        write_pictures(Path(folder), _QUICK_COUNT if quick else _COUNT)
        process = None
        if mxnet is not None:
            process = stack.enter_context(MXNet(mxnet, input_gluon.WORKERS))
        return _rows(folder, process, _QUICK_ROUNDS if quick else _ROUNDS)


def write_pictures(folder: Path, count: int) -> None:
    """Write JPEG files of noise at several scales, as photographs have it, and records of them."""
    numbers = onp.random.default_rng(0)
    writer = mx.recordio.MXIndexedRecordIO(folder / "all.idx", folder / "all.rec", "w")
    for number in range(count):
        kind = number % _KINDS
        path = folder / "folders" / f"kind{kind}" / f"{number:04}.jpg"
        path.parent.mkdir(parents=True, exist_ok=True)
        header = mx.recordio.IRHeader(0, float(kind), number, 0)
        record = mx.recordio.pack_img(header, _picture(numbers), quality=90)
        writer.write_idx(number, record)
        path.write_bytes(mx.recordio.unpack(record)[1])
    writer.close()


def _picture(numbers: onp.random.Generator) -> Any:  # noqa: ANN401
    total = torch.full((1, 3, *_SIZE), 128.0)
    for columns, deviation in _DETAILS:
        shape = (1, 3, columns * _SIZE[0] // _SIZE[1], columns)
        noise = torch.from_numpy(numbers.normal(0, deviation, shape)).float()
        total += torch.nn.functional.interpolate(noise, _SIZE, mode="bicubic")
    return total.clamp(0, 255).byte()[0].permute(1, 2, 0).numpy()


def _timer(run: Callable[[], int]) -> Timer:
    def seconds(calls: int) -> float:
        start = time.perf_counter()
        count = sum(run() for _ in range(calls))
        return (time.perf_counter() - start) / count

    return seconds


def _rows(folder: str, mxnet: MXNet | None, rounds: int) -> list[dict[str, Any]]:
    """Measure all ways; workers end with their loaders here, for they hold MXNet's pipe open."""
    contestants: dict[str, dict[str, Timer]] = {
        "gluonish": {name: _timer(run) for name, run in input_gluon.passes(mx, folder).items()},
        "torch": {name: _timer(run) for name, run in input_torch.passes(folder).items()},
    }
    if mxnet is not None:
        contestants["mxnet"] = mxnet.input(folder)
    rows = []
    for name, title in _TITLES.items():
        best = dict.fromkeys(contestants, float("inf"))
        for _ in range(rounds + 1):  # the first one starts workers
            for who, timers in contestants.items():
                best[who] = min(best[who], timers[name](1))
        speeds = {who: round(1 / seconds, 1) for who, seconds in best.items()}
        rows.append({"name": title, "by_hand": input_torch.library(), "speeds": speeds})
    return rows
