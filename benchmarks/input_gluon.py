"""Ways to feed pictures, as a Gluon program has them; `mx` is gluonish or the real MXNet."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as onp

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["BATCH", "DIGITS", "DIGIT_BATCH", "MEAN", "SIDE", "STD", "WORKERS", "digits", "passes"]

BATCH = 32
SIDE = 224
WORKERS = 2
MEAN, STD = (0.485, 0.456, 0.406), (0.229, 0.224, 0.225)
DIGITS = 10_000
DIGIT_BATCH = 256


def passes(mx: Any, folder: str) -> dict[str, Callable[[], int]]:  # noqa: ANN401
    """Return functions that go once through all pictures and count them, by name.

    Parameters
    ----------
    mx : module
        gluonish or MXNet.
    folder : str
        Has the pictures in folders below `folders`, and as `all.rec` with `all.idx`.
    """
    place = Path(folder)
    data, transforms = mx.gluon.data, mx.gluon.data.vision.transforms
    prepare = transforms.Compose(
        [
            transforms.Resize(256, keep_ratio=True),
            transforms.RandomResizedCrop(SIDE),
            transforms.RandomFlipLeftRight(),
            transforms.ToTensor(),
            transforms.Normalize(MEAN, STD),
        ]
    )
    pictures = data.vision.ImageFolderDataset(str(place / "folders")).transform_first(prepare)
    values, labels = digits()
    rows = data.ArrayDataset(mx.nd.array(values, dtype="uint8"), labels)
    small = rows.transform_first(transforms.ToTensor())
    found: dict[str, Callable[[], int]] = {"records": _records(mx, place)}
    for workers in (0, WORKERS):
        loader = data.DataLoader(pictures, BATCH, shuffle=True, num_workers=workers)
        found[f"folders, {workers} workers"] = _epoch(loader)
    found["augmenters"] = _augmented(mx, place)
    for workers in (0, WORKERS):
        loader = data.DataLoader(small, DIGIT_BATCH, shuffle=True, num_workers=workers)
        found[f"digits, {workers} workers"] = _epoch(loader)
    return found


def digits() -> tuple[Any, Any]:
    """Return random bytes in the form of MNIST's digits, and labels."""
    numbers = onp.random.RandomState(0)
    values = numbers.randint(0, 256, (DIGITS, 28, 28, 1)).astype("uint8")
    return values, numbers.randint(0, 10, DIGITS).astype("int32")


def _records(mx: Any, place: Path) -> Callable[[], int]:  # noqa: ANN401
    batches = mx.io.ImageRecordIter(
        path_imgrec=str(place / "all.rec"),
        path_imgidx=str(place / "all.idx"),
        data_shape=(3, SIDE, SIDE),
        batch_size=BATCH,
        resize=256,
        rand_crop=True,
        rand_mirror=True,
        shuffle=True,
        preprocess_threads=WORKERS,
        verbose=False,
    )

    def run() -> int:
        batches.reset()
        count = 0
        for batch in batches:
            batch.data[0].wait_to_read()
            count += BATCH - batch.pad
        return count

    return run


def _epoch(loader: Any) -> Callable[[], int]:  # noqa: ANN401
    def run() -> int:
        count = 0
        for data, _ in loader:
            data.wait_to_read()
            count += len(data)
        return count

    return run


def _augmented(mx: Any, place: Path) -> Callable[[], int]:  # noqa: ANN401
    encoded = [path.read_bytes() for path in sorted(place.glob("folders/*/*.jpg"))]
    augmenters = mx.image.CreateAugmenter(
        (3, SIDE, SIDE),
        resize=256,
        rand_crop=True,
        rand_mirror=True,
        mean=True,
        std=True,
        brightness=0.4,
        contrast=0.4,
        saturation=0.4,
        hue=0.1,
        pca_noise=0.1,
    )

    def run() -> int:
        for content in encoded:
            picture = mx.image.imdecode(content)
            for augmenter in augmenters:
                picture = augmenter(picture)
            picture.wait_to_read()
        return len(encoded)

    return run
