"""What is measured: each workload's net, its data and its sizes, without any framework."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import Any

import numpy as onp

__all__ = ["NETS", "WORKLOADS", "Workload", "shown"]

_SEED = 20241


def shown(output: Any) -> list[float]:  # noqa: ANN401 - any NumPy's array
    """Return some numbers of an array, by which predictions are compared."""
    flat = output.reshape(-1)
    return [float(each) for each in (*flat[:4], flat.mean(), abs(flat).max())]


@dataclass(frozen=True)
class Workload:
    """One net with one batch of data.

    Parameters
    ----------
    name : str
        What the command line calls it.
    title : str
        What tables call it.
    net : str
        Which function of `nets_gluon` and `nets_torch` builds it.
    data : tuple of int
        Shape of the batch.
    labels : int
        How many labels there are, one for each row of the net's output.
    classes : int
        How many different labels there are.
    ids : int, default 0
        The data are integers below this; 0 for real numbers in [0, 1).
    sizes : dict of str to int
        The net's own sizes, and whether it is one kind or another.
    """

    name: str
    title: str
    net: str
    data: tuple[int, ...]
    labels: int
    classes: int = 10
    ids: int = 0
    sizes: dict[str, int] = field(default_factory=dict)

    def batch(self) -> tuple[Any, Any]:
        """Return data and labels, as MXNet programs have them: in float32."""
        generator = onp.random.Generator(onp.random.PCG64(_SEED))
        if self.ids:
            data = generator.integers(0, self.ids, self.data).astype("float32")
        else:
            data = generator.random(self.data, "float32")
        return data, generator.integers(0, self.classes, self.labels).astype("float32")

    def values(self, shapes: list[tuple[int, ...]]) -> list[Any]:
        """Return initial values for a net's trainable parameters.

        Vectors that scale (the first of a normalization's two) cannot be told from biases here,
        so all vectors are near 1/2; what matters is that every contestant starts from the same.
        """
        generator = onp.random.Generator(onp.random.PCG64(_SEED + 1))
        found = []
        for shape in shapes:
            noise = generator.random(shape, "float32") - onp.float32(0.5)
            fan_in = int(onp.prod(shape[1:]))
            scale = 2.0 / fan_in**0.5 if len(shape) > 1 else 0.2
            found.append(noise * onp.float32(scale) + onp.float32(len(shape) == 1) / 2)
        return found

    def as_dict(self) -> dict[str, Any]:
        """Return the fields, for another process."""
        return asdict(self)

    @classmethod
    def from_dict(cls, fields: dict[str, Any]) -> Workload:
        """Return the workload that `as_dict` described, perhaps after a trip through JSON."""
        return cls(**{**fields, "data": tuple(fields["data"])})


def _perceptron(batch: int) -> Workload:
    title = f"20-256-10 perceptron, batch {batch}"
    return Workload(f"perceptron-{batch}", title, "perceptron", (batch, 20), batch)


def _lenet(batch: int) -> Workload:
    return Workload(f"lenet-{batch}", f"LeNet, batch {batch}", "lenet", (batch, 1, 28, 28), batch)


WORKLOADS = {
    workload.name: workload
    for workload in (
        _perceptron(2),
        _perceptron(256),
        _lenet(32),
        _lenet(256),
        Workload("resnet", "small ResNet, batch 32", "resnet", (32, 3, 32, 32), 32),
        Workload(
            "lstm",
            "LSTM language model, 35 x 20",
            "language_model",
            (35, 20),
            labels=35 * 20,
            classes=2000,
            ids=2000,
            sizes={"vocabulary": 2000, "width": 200, "layers": 2},
        ),
        Workload(
            "transformer",
            "transformer encoder, batch 16",
            "transformer",
            (16, 64),
            labels=16,
            ids=1000,
            sizes={"vocabulary": 1000, "steps": 64, "width": 128, "heads": 4, "blocks": 2},
        ),
    )
}

_PICTURE = (3, 224, 224)

# Nets of the size that people use, which the part `nets` measures.
NETS = {
    workload.name: workload
    for workload in (
        Workload("resnet50", "ResNet-50, batch 4", "resnet50", (4, *_PICTURE), 4),
        Workload("mobilenet-v2", "MobileNetV2, batch 4", "mobilenet_v2", (4, *_PICTURE), 4),
        Workload("vgg16", "VGG-16, batch 2", "vgg16", (2, *_PICTURE), 2),
        Workload(
            "bert",
            "BERT-like encoder, batch 2 x 128",
            "transformer",
            (2, 128),
            labels=2,
            ids=30522,
            sizes={
                "vocabulary": 30522, "steps": 128, "width": 768, "heads": 12, "blocks": 12,
                "is_bert": True,
            },
        ),
        Workload(
            "lstm-650",
            "LSTM language model of 650, 35 x 20",
            "language_model",
            (35, 20),
            labels=35 * 20,
            classes=10_000,
            ids=10_000,
            sizes={"vocabulary": 10_000, "width": 650, "layers": 2},
        ),
    )
}  # fmt: skip
