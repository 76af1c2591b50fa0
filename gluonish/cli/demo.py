"""`gluonish demo`: LeNet learns to read digits, the Gluon way."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import numpy as onp
import torch

from gluonish import autograd, init, metric, ndarray as nd, random
from gluonish.cli import picture
from gluonish.display.progress import bar, tell
from gluonish.errors import FileFormatError, MissingExtraError
from gluonish.gluon import Trainer, nn
from gluonish.gluon.data import DataLoader, Dataset
from gluonish.gluon.data.vision import MNISTSample, transforms
from gluonish.gluon.loss import SoftmaxCrossEntropyLoss

if TYPE_CHECKING:
    from pathlib import Path

    from gluonish.array import NDArray

EPOCHS = 10
_BATCH = 64
_LEARNING_RATE = 2e-3
_DECAY = 0.75  # of the learning rate, each epoch
_SHIFT = 2  # pixels by which training digits move at most, each way


@dataclass
class History:
    """What training looked like: a loss for each batch, accuracies for each epoch."""

    losses: list[float] = field(default_factory=list)
    train_accuracies: list[float] = field(default_factory=list)
    test_accuracies: list[float] = field(default_factory=list)
    images: int = 0
    seconds: float = 0.0


def lenet() -> nn.HybridSequential:
    """Return LeNet, with today's activations; it finds its input sizes by itself.

    Examples
    --------
    >>> import gluonish as mx
    >>> from gluonish.cli.demo import lenet
    >>> net = lenet()
    >>> net.initialize()
    >>> net(mx.nd.zeros((2, 1, 28, 28))).shape
    (2, 10)
    """
    net = nn.HybridSequential()
    net.add(
        nn.Conv2D(32, kernel_size=5, padding=2, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Conv2D(64, kernel_size=5, activation="relu"),
        nn.MaxPool2D(pool_size=2, strides=2),
        nn.Dense(128, activation="relu"),
        nn.Dropout(0.5),
        nn.Dense(10),
    )
    return net


def run(output: Path, epochs: int, seed: int) -> int:
    """Train, evaluate, save, load again, and draw if matplotlib is there.

    Parameters
    ----------
    output : Path
        Folder for parameters and picture.
    epochs : int
        How often to go through the training set.
    seed : int
        Seed of all random numbers.

    Returns
    -------
    int
        Exit status.
    """
    threads = torch.get_num_threads()
    # One thread gives the same numbers everywhere. With a net this small, two are 1.5 times as
    # fast on an idle machine, and 5 times as slow on one whose cores are busy.
    torch.set_num_threads(1)
    try:
        _run(output, epochs, seed)
    finally:
        torch.set_num_threads(threads)
    return 0


def _run(output: Path, epochs: int, seed: int) -> None:
    random.seed(seed)
    onp.random.seed(seed & 0xFFFFFFFF)  # noqa: NPY002 - gluon's samplers draw from it
    to_tensor = transforms.ToTensor()
    framed = transforms.Compose([_framed, to_tensor])
    training = MNISTSample(train=True).transform_first(framed, lazy=False)
    training = training.transform_first(_shifted)
    test = MNISTSample(train=False).transform_first(to_tensor, lazy=False)
    _say(f"LeNet on {len(training):,} handwritten digits, {epochs} epochs, seed {seed}")

    net = lenet()
    net.initialize(init.Xavier())
    net.hybridize()
    history = _train(net, training, test, epochs)
    accuracy = history.test_accuracies[-1]
    rate = history.images / history.seconds
    _say(f"test accuracy {accuracy:.1%} of {len(test):,} digits it has never seen")
    _say(f"trained on {history.images:,} images in {history.seconds:.1f} s: {rate:,.0f} a second")

    output.mkdir(parents=True, exist_ok=True)
    ((images, labels),) = DataLoader(test, len(test))
    scores = net(images)
    _check_reload(net, scores, images, output / "lenet.params")
    try:
        path = picture.draw(history, images, labels, nd.softmax(scores), output / "lenet.png")
    except MissingExtraError as error:
        _say(f"picture    none: {error}")
    else:
        _say(f"picture    {path.resolve()}")


def _train(net: nn.HybridSequential, training: Dataset, test: Dataset, epochs: int) -> History:
    loss_of = SoftmaxCrossEntropyLoss()
    trainer = Trainer(net.collect_params(), "adam", {"learning_rate": _LEARNING_RATE})
    loader = DataLoader(training, _BATCH, shuffle=True)
    history = History()
    loss_metric, accuracy = metric.Loss(), metric.Accuracy()
    with bar(total=epochs * len(training), unit=" images", dynamic_ncols=True) as progress:
        for epoch in range(epochs):
            progress.set_description(f"epoch {epoch + 1}/{epochs}")
            trainer.set_learning_rate(_LEARNING_RATE * _DECAY**epoch)
            loss_metric.reset()
            accuracy.reset()
            start = time.perf_counter()
            for x, y in loader:
                with autograd.record():
                    scores = net(x)
                    loss = loss_of(scores, y)
                loss.backward()
                trainer.step(len(x))
                loss_metric.update(None, [loss])
                accuracy.update([y], [scores])
                history.losses.append(float(loss.mean().asscalar()))
                progress.set_postfix_str(
                    f"loss {loss_metric.get()[1]:.3f}, accuracy {accuracy.get()[1]:.1%}",
                    refresh=False,
                )
                progress.update(len(x))
            tell(progress)
            history.seconds += time.perf_counter() - start
            history.images += len(training)
            history.train_accuracies.append(accuracy.get()[1])
            history.test_accuracies.append(_evaluate(net, test))
    return history


def _framed(image: NDArray) -> NDArray:
    """Put a margin around a digit, so that it can move."""
    rows, columns, channels = image.shape
    frame = nd.zeros((rows + 2 * _SHIFT, columns + 2 * _SHIFT, channels), dtype=image.dtype)
    frame[_SHIFT:-_SHIFT, _SHIFT:-_SHIFT] = image
    return frame


def _shifted(frame: NDArray) -> NDArray:
    """Move a digit by some random pixels, so that each epoch shows the net new pictures."""
    row, column = onp.random.randint(0, 2 * _SHIFT + 1, 2)  # noqa: NPY002
    _, rows, columns = frame.shape
    return frame[:, row : row + rows - 2 * _SHIFT, column : column + columns - 2 * _SHIFT]


def _evaluate(net: nn.HybridSequential, test: Dataset) -> float:
    accuracy = metric.Accuracy()
    for x, y in DataLoader(test, 250):
        accuracy.update([y], [net(x)])
    return float(accuracy.get()[1])


def _check_reload(net: nn.HybridSequential, scores: NDArray, images: NDArray, path: Path) -> None:
    net.save_parameters(str(path))
    fresh = lenet()
    fresh.load_parameters(str(path))
    difference = float((fresh(images) - scores).abs().max().asscalar())
    if difference > 1e-5:
        msg = (
            f"{path}: a fresh net with these parameters answers differently, by {difference}. "
            f"Expected the same answers. Report it with the output of `gluonish doctor`."
        )
        raise FileFormatError(msg)
    _say(f"parameters {path.resolve()}, loaded into a fresh net: same answers")


def _say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()
