"""Every layer works eagerly and captured, for both array classes, and from files."""

from __future__ import annotations

from typing import TYPE_CHECKING

import harness
import pytest
from layer_samples import IMAGE, LAYERS

from gluonish.gluon import nn

if TYPE_CHECKING:
    from pathlib import Path


@pytest.mark.parametrize("name", LAYERS)
def test_layer_does_what_every_layer_has_to(name: str, tmp_path: Path) -> None:
    build, *shapes = LAYERS[name]
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

    harness.check_block(build, IMAGE, path=tmp_path)
