"""A user's layers, which `mypy --strict` accepts."""
# mypy: disable-error-code="explicit-override"

from __future__ import annotations

from typing import Any

from gluonish import nd, np, npx
from gluonish.gluon import Block, HybridBlock, nn


class Scaled(HybridBlock):
    """A layer with a parameter of its own."""

    def __init__(self, units: int, in_units: int, prefix: str | None = None) -> None:
        super().__init__(prefix=prefix)
        with self.name_scope():
            self.scale = self.params.get("scale", shape=(units, in_units))

    def hybrid_forward(self, F: Any, x: Any, scale: Any) -> Any:
        """Return the product."""
        return F.dot(x, scale, transpose_b=True)


class Twice(Block):
    """A Block that asks its child twice."""

    def __init__(self) -> None:
        super().__init__()
        self.child = Scaled(3, 3)

    def forward(self, x: nd.NDArray) -> nd.NDArray:
        """Return what the child makes of what it made."""
        once: nd.NDArray = self.child(x)
        twice: nd.NDArray = self.child(once)
        return twice


def numpy_style(x: np.ndarray) -> np.ndarray:
    """Return numbers of mx.np."""
    y = np.exp(x) + npx.relu(x)
    return y.reshape(-1)[:2]


if __name__ == "__main__":
    net = nn.Sequential()
    net.add(Twice())
    net.initialize()
    net(nd.ones((2, 3)))
    numpy_style(np.ones(3))
