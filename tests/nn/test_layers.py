"""Every layer works eagerly and captured, for both array classes, and from files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import harness
import pytest

from gluonish.gluon import nn

if TYPE_CHECKING:
    from pathlib import Path

_IMAGE = (2, 4, 7, 6)
_CASES = {
    "dense": (lambda: nn.Dense(3, "tanh"), (2, 4, 2)),
    "dense of rows": (lambda: nn.Dense(3, use_bias=False, flatten=False), (2, 4, 5)),
    "dropout": (lambda: nn.Dropout(0.4), (3, 5)),
    "dropout with axes": (lambda: nn.Dropout(0.4, axes=(1,)), (3, 5)),
    "batch norm": (lambda: nn.BatchNorm(), _IMAGE),
    "batch norm of rows": (lambda: nn.BatchNorm(axis=-1), (5, 3)),
    "batch norm fixed": (lambda: nn.BatchNorm(scale=False, center=False), _IMAGE),
    "batch norm global": (lambda: nn.BatchNorm(use_global_stats=True), _IMAGE),
    "batch norm relu": (lambda: nn.BatchNormReLU(), _IMAGE),
    "layer norm": (lambda: nn.LayerNorm(), (3, 5)),
    "layer norm of axis": (lambda: nn.LayerNorm(axis=1), _IMAGE),
    "group norm": (lambda: nn.GroupNorm(2), _IMAGE),
    "instance norm": (lambda: nn.InstanceNorm(scale=True), _IMAGE),
    "instance norm of axis": (lambda: nn.InstanceNorm(axis=2), _IMAGE),
    "flatten": (lambda: nn.Flatten(), _IMAGE),
    "activation": (lambda: nn.Activation("softrelu"), (3, 5)),
    "leaky relu": (lambda: nn.LeakyReLU(0.2), (3, 5)),
    "prelu": (lambda: nn.PReLU(in_channels=4), _IMAGE),
    "elu": (lambda: nn.ELU(0.5), (3, 5)),
    "selu": (lambda: nn.SELU(), (3, 5)),
    "gelu": (lambda: nn.GELU(), (3, 5)),
    "swish": (lambda: nn.Swish(1.5), (3, 5)),
    "lambda": (lambda: nn.Lambda("tanh"), (3, 5)),
    "hybrid lambda": (lambda: nn.HybridLambda(lambda F, x: F.relu(x)), (3, 5)),
    "conv 1d": (lambda: nn.Conv1D(3, 3, padding=1, activation="relu"), (2, 4, 7)),
    "conv 2d": (lambda: nn.Conv2D(6, (3, 2), strides=(1, 2), groups=2), _IMAGE),
    "conv 2d channels last": (lambda: nn.Conv2D(5, 3, layout="NHWC"), (2, 7, 6, 4)),
    "conv 3d": (lambda: nn.Conv3D(3, 2, dilation=2), (1, 2, 4, 5, 4)),
    "conv 3d channels last": (lambda: nn.Conv3D(3, 2, layout="NDHWC"), (1, 4, 5, 4, 2)),
    "conv 1d transpose": (lambda: nn.Conv1DTranspose(3, 3), (2, 4, 7)),
    "conv 2d transpose": (lambda: nn.Conv2DTranspose(3, 3, 2, output_padding=1), _IMAGE),
    "conv 2d transpose last": (lambda: nn.Conv2DTranspose(5, 2, layout="NHWC"), (2, 3, 3, 4)),
    "conv 3d transpose": (lambda: nn.Conv3DTranspose(2, 2, activation="tanh"), (1, 2, 3, 2, 3)),
    "reflection pad": (lambda: nn.ReflectionPad2D(2), _IMAGE),
    "max pool 1d": (lambda: nn.MaxPool1D(), (2, 4, 7)),
    "max pool 2d": (lambda: nn.MaxPool2D(3, 2, 1, ceil_mode=True), _IMAGE),
    "max pool 3d": (lambda: nn.MaxPool3D(), (1, 2, 4, 5, 4)),
    "max pool 2d last": (lambda: nn.MaxPool2D(layout="NHWC"), (2, 7, 6, 4)),
    "avg pool 1d": (lambda: nn.AvgPool1D(layout="NWC"), (2, 7, 4)),
    "avg pool 2d": (lambda: nn.AvgPool2D(3, 2, 1, count_include_pad=False), _IMAGE),
    "avg pool 3d": (lambda: nn.AvgPool3D(3, 2, 1, ceil_mode=True), (1, 2, 4, 5, 4)),
    "global max pool 1d": (lambda: nn.GlobalMaxPool1D(), (2, 4, 7)),
    "global max pool 2d": (lambda: nn.GlobalMaxPool2D(), _IMAGE),
    "global max pool 3d": (lambda: nn.GlobalMaxPool3D(), (1, 2, 4, 5, 4)),
    "global avg pool 1d": (lambda: nn.GlobalAvgPool1D(), (2, 4, 7)),
    "global avg pool 2d": (lambda: nn.GlobalAvgPool2D(layout="NHWC"), (2, 7, 6, 4)),
    "global avg pool 3d": (lambda: nn.GlobalAvgPool3D(), (1, 2, 4, 5, 4)),
}


@pytest.mark.parametrize("name", _CASES)
def test_layer_does_what_every_layer_has_to(name: str, tmp_path: Path) -> None:
    build, *shapes = _CASES[name]
    harness.check_block(build, *shapes, path=tmp_path)


def test_embedding_does_what_every_layer_has_to(tmp_path: Path) -> None:
    harness.check_block(lambda: nn.Embedding(6, 3), (2, 4), path=tmp_path, ids=6)


@pytest.mark.parametrize("container", [nn.Sequential, nn.HybridSequential])
def test_container_does_what_every_layer_has_to(
    container: type[nn.Sequential], tmp_path: Path
) -> None:
    def build() -> nn.Block:
        net = container()
        extra = [nn.Lambda("tanh")] if container is nn.Sequential else []
        net.add(nn.Conv2D(3, 3), nn.BatchNorm(), nn.MaxPool2D(), nn.Dense(4, "relu"), *extra)
        net.add(nn.Dropout(0.3), nn.Dense(2))
        return net

    harness.check_block(build, _IMAGE, path=tmp_path)
