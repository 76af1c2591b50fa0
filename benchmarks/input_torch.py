"""The same ways to feed pictures by PyTorch's DataLoader, with torchvision or by hand."""

from __future__ import annotations

import io
import math
import random
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp
import torch
from PIL import Image

from benchmarks import input_gluon
from benchmarks.input_gluon import BATCH, DIGIT_BATCH, MEAN, SIDE, STD, WORKERS

if TYPE_CHECKING:
    from collections.abc import Callable

    from torch import Tensor

try:
    from torchvision import transforms
except (ImportError, RuntimeError):  # it is not there, or made for another PyTorch
    transforms = None

__all__ = ["library", "passes"]


def library() -> str:
    """Return what changes the pictures."""
    return "Pillow by hand" if transforms is None else "torchvision"


def passes(folder: str) -> dict[str, Callable[[], int]]:
    """Return functions that go once through all pictures and count them, by name."""
    paths = sorted(Path(folder).glob("folders/*/*.jpg"))
    values, labels = input_gluon.digits()
    small = _Samples(list(values), labels, _tensor)
    found = {"records": _epoch(_Files(paths, _prepare("crop")), WORKERS, BATCH)}
    for workers in (0, WORKERS):
        dataset = _Files(paths, _prepare("part"))
        found[f"folders, {workers} workers"] = _epoch(dataset, workers, BATCH)
    found["augmenters"] = _augmented(paths)
    for workers in (0, WORKERS):
        found[f"digits, {workers} workers"] = _epoch(small, workers, DIGIT_BATCH)
    return found


class _Samples(torch.utils.data.Dataset):  # type: ignore[type-arg]
    """Values with labels, changed when they are read."""

    def __init__(self, values: Any, labels: Any, change: Callable[[Any], Any]) -> None:  # noqa: ANN401
        self._values, self._labels, self._change = values, labels, change

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, position: int) -> tuple[Any, Any]:
        return self._change(self._values[position]), self._labels[position]


class _Files(_Samples):
    """Pictures in files, changed when they are read."""

    def __init__(self, paths: list[Path], change: Callable[[Any], Any]) -> None:
        kinds = sorted({path.parent.name for path in paths})
        labels = [kinds.index(path.parent.name) for path in paths]
        super().__init__(paths, labels, lambda path: change(_read(path.read_bytes())))


def _read(content: bytes) -> Image.Image:
    return Image.open(io.BytesIO(content)).convert("RGB")


def _epoch(dataset: Any, workers: int, batch: int) -> Callable[[], int]:  # noqa: ANN401
    loader = torch.utils.data.DataLoader(
        dataset, batch, shuffle=True, num_workers=workers, persistent_workers=workers > 0
    )
    return lambda: sum(len(data) for data, _ in loader)


def _augmented(paths: list[Path]) -> Callable[[], int]:
    encoded = [path.read_bytes() for path in paths]
    change = _prepare("colours")

    def run() -> int:
        for content in encoded:
            change(_read(content))
        return len(encoded)

    return run


def _prepare(kind: str) -> Callable[[Any], Any]:
    """Return the changes of one of the ways: 'crop', 'part' or 'colours'."""
    if transforms is None:
        return lambda picture: _by_hand(picture, kind)
    part = transforms.RandomResizedCrop(SIDE) if kind == "part" else transforms.RandomCrop(SIDE)
    steps = [transforms.Resize(256), part, transforms.RandomHorizontalFlip()]
    if kind == "colours":
        steps.append(transforms.ColorJitter(0.4, 0.4, 0.4, 0.1))
    steps.append(transforms.ToTensor())
    if kind != "crop":
        steps.append(transforms.Normalize(MEAN, STD))
    changed: Callable[[Any], Any] = transforms.Compose(steps)
    return changed


def _by_hand(picture: Image.Image, kind: str) -> Tensor:
    """Do what a program without torchvision does; colours are changed as tensors."""
    scale = 256 / min(picture.size)
    width, height = (round(length * scale) for length in picture.size)
    picture = picture.resize((width, height), Image.Resampling.BILINEAR)
    wide = tall = SIDE
    if kind == "part":
        area = random.uniform(0.08, 1) * width * height
        ratio = math.exp(random.uniform(math.log(3 / 4), math.log(4 / 3)))
        wide = min(width, round(math.sqrt(area * ratio)))
        tall = min(height, round(math.sqrt(area / ratio)))
    left, top = random.randint(0, width - wide), random.randint(0, height - tall)
    picture = picture.crop((left, top, left + wide, top + tall))
    if kind == "part":
        picture = picture.resize((SIDE, SIDE), Image.Resampling.BILINEAR)
    if random.random() < 0.5:
        picture = picture.transpose(Image.Transpose.FLIP_LEFT_RIGHT)
    tensor = _tensor(picture)
    if kind == "colours":
        grey = torch.tensor([0.299, 0.587, 0.114]).view(3, 1, 1)
        for change in random.sample(range(3), 3):
            factor = random.uniform(0.6, 1.4)
            brightness = (tensor * grey).sum(0, keepdim=True)
            other = (0.0, brightness.mean(), brightness)[change]
            tensor = tensor * factor + (1 - factor) * other
        tensor = torch.einsum("ij,jhw->ihw", _turn(random.uniform(-0.1, 0.1)), tensor)
    if kind == "crop":
        return tensor
    return (tensor - torch.tensor(MEAN).view(3, 1, 1)) / torch.tensor(STD).view(3, 1, 1)


def _turn(share: float) -> Tensor:
    """Return the matrix that turns colours about grey, by a share of a full turn."""
    angle = 2 * math.pi * share
    across = torch.tensor([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]]) / math.sqrt(3)
    mean = torch.full((3, 3), (1 - math.cos(angle)) / 3)
    return math.cos(angle) * torch.eye(3) + math.sin(angle) * across + mean


def _tensor(pixels: Any) -> Tensor:  # noqa: ANN401
    """Return pixels as torchvision's ToTensor does."""
    if transforms is not None:
        return _TO_TENSOR(pixels)  # type: ignore[no-any-return]
    array = torch.from_numpy(onp.array(pixels))
    return array.permute(2, 0, 1).contiguous().float() / 255


_TO_TENSOR: Any = None if transforms is None else transforms.ToTensor()
