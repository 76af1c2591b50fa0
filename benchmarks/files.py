"""Time saving and loading of 100 MB of parameters beside the safetensors library's functions.

Both write into the same folder in turns, and the best of several rounds counts. The library leaves
what it wrote to the system, which loses it if the machine stops; gluonish has the disk write it.
So each is timed both ways: with `fsync` of file and folder, and without.
"""

from __future__ import annotations

import os
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
from safetensors.torch import load_file, load_model, save_file

import gluonish as mx
from gluonish import serialization

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from torch import Tensor

__all__ = ["table_rows"]

_ROUNDS, _QUICK_ROUNDS = 12, 4
_STAGES = ((64, 256, 3), (128, 512, 4), (256, 1024, 6), (512, 2048, 3))  # of a ResNet-50
_LARGE = (2560, 2560)
_FORMATS = ("safetensors", "params")


def table_rows(*, quick: bool) -> list[dict[str, Any]]:
    """Return the best milliseconds of each call, theirs and ours in both formats."""
    rows = []
    for title, tensors in {"as in a ResNet-50": _resnet(), "large": _large()}.items():
        size = sum(tensor.nbytes for tensor in tensors.values())
        name = f"{size / 1e6:.0f} MB in {len(tensors)} arrays, {title}"
        with tempfile.TemporaryDirectory() as folder:
            calls = _calls(tensors, Path(folder))
            best = _best(calls, _QUICK_ROUNDS if quick else _ROUNDS)
        rows += [
            {"name": f"{name}: {what}", "milliseconds": {who: best[what, who] for who in whos}}
            for what, whos in calls.items()
        ]
    return rows


def _resnet() -> dict[str, Tensor]:
    """Return arrays of the shapes that a ResNet-50 has, 161 of them."""
    shapes: list[tuple[int, ...]] = [(64, 3, 7, 7), (64,), (64,)]
    before = 64
    for width, out, blocks in _STAGES:
        for block in range(blocks):
            shapes += [(width, before, 1, 1), (width,), (width,)]
            shapes += [(width, width, 3, 3), (width,), (width,)]
            shapes += [(out, width, 1, 1), (out,), (out,)]
            shapes += [(out, before, 1, 1), (out,), (out,)] if block == 0 else []
            before = out
    shapes += [(1000, before), (1000,)]
    return {f"{number}.weight": torch.randn(shape) for number, shape in enumerate(shapes)}


def _large() -> dict[str, Tensor]:
    return {f"{number}.weight": torch.randn(_LARGE) for number in range(4)}


def _calls(tensors: dict[str, Tensor], folder: Path) -> dict[str, dict[str, Callable[[], object]]]:
    """Return what is timed: what is done, who does it, and how."""
    theirs = folder / "theirs.safetensors"
    paths = {kind: folder / f"ours.{kind}" for kind in _FORMATS}
    module = torch.nn.Sequential(*(_Module(tensor) for tensor in tensors.values()))
    net = mx.gluon.nn.Sequential()
    for tensor in tensors.values():
        net.add(_Holder(tuple(tensor.shape)))
    net.initialize(mx.init.Zero())
    for kind, path in paths.items():
        serialization.save(path, tensors)
        if kind == "params":
            net.load_parameters(path)
    save_file(tensors, theirs)

    def saved(path: Path) -> Callable[[], object]:
        return lambda: serialization.save(path, tensors)

    def left(path: Path) -> Callable[[], object]:
        return lambda: _without_sync(saved(path))

    def loaded(path: Path) -> Callable[[], object]:
        return lambda: serialization.load(path)

    def used(path: Path) -> Callable[[], object]:
        return lambda: _use(serialization.load(path))

    def put(path: Path) -> Callable[[], object]:
        return lambda: net.load_parameters(path)

    def ours(how: Callable[[Path], Callable[[], object]]) -> dict[str, Callable[[], object]]:
        return {kind: how(path) for kind, path in paths.items()}

    return {
        "saved, on the disk": {"theirs": lambda: _save_synced(tensors, theirs), **ours(saved)},
        "saved, left to the system": {"theirs": lambda: save_file(tensors, theirs), **ours(left)},
        "loaded into arrays": {"theirs": lambda: load_file(theirs), **ours(loaded)},
        "loaded, every value used": {"theirs": lambda: _use(load_file(theirs)), **ours(used)},
        "loaded into a net": {"theirs": lambda: load_model(module, theirs), **ours(put)},
    }


class _Holder(mx.gluon.Block):
    """A layer that has a weight and does nothing."""

    def __init__(self, shape: tuple[int, ...]) -> None:
        super().__init__()
        self.weight = self.params.get("weight", shape=shape, init=mx.init.Zero(), grad_req="null")


class _Module(torch.nn.Module):
    """The same for PyTorch."""

    def __init__(self, tensor: Tensor) -> None:
        super().__init__()
        self.weight = torch.nn.Parameter(torch.zeros_like(tensor), requires_grad=False)


def _best(
    calls: Mapping[str, Mapping[str, Callable[[], object]]], rounds: int
) -> dict[tuple[str, str], float]:
    best: dict[tuple[str, str], float] = {}
    for _ in range(rounds):
        for what, contestants in calls.items():
            for who, call in contestants.items():
                start = time.perf_counter()
                call()
                seconds = time.perf_counter() - start
                best[what, who] = min(best.get((what, who), seconds), seconds)
    return {key: round(seconds * 1e3, 2) for key, seconds in best.items()}


def _save_synced(tensors: dict[str, Tensor], path: Path) -> None:
    save_file(tensors, path)
    for place in (path, path.parent):
        number = os.open(place, os.O_RDONLY)
        os.fsync(number)
        os.close(number)


def _without_sync(save: Callable[[], object]) -> None:
    with _no_sync():
        save()


@contextmanager
def _no_sync() -> Iterator[None]:
    """Leave what is written to the system, for a comparison with those who do."""
    sync = os.fsync
    os.fsync = lambda _: None
    try:
        yield
    finally:
        os.fsync = sync


def _use(tensors: dict[str, Tensor] | list[Tensor]) -> None:
    for tensor in tensors.values() if isinstance(tensors, dict) else tensors:
        torch.sum(tensor)
