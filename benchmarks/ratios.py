"""Ratios between contestants' times: what tables and pictures show."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["RIVALS", "best_of", "over_mxnet", "over_torch", "torch_best"]

# With which of MXNet's modes each of ours is compared.
RIVALS = {
    "eager": "mxnet",
    "hybrid": "mxnet-hybrid",
    "unfused": "mxnet-hybrid",
    "fused": "mxnet-hybrid",
}


def best_of(microseconds: Mapping[str, float], names: tuple[str, ...]) -> float | None:
    """Return the shortest time of some contestants, or None if none of them ran."""
    return min((microseconds[name] for name in names if name in microseconds), default=None)


def torch_best(microseconds: Mapping[str, float]) -> float | None:
    """Return the time of PyTorch's best: the faster of eager and a compiled model."""
    return best_of(microseconds, ("torch", "compile"))


def over_torch(case: Mapping[str, Any], name: str) -> float | None:
    """Return how many times as fast as PyTorch's best a contestant is, or None."""
    microseconds = case["microseconds"]
    best = torch_best(microseconds)
    return None if best is None or name not in microseconds else best / microseconds[name]


def over_mxnet(case: Mapping[str, Any], name: str) -> float | None:
    """Return how many times as fast as MXNet's corresponding mode one of ours is, or None."""
    microseconds = case["microseconds"]
    rival = RIVALS[name]
    if name not in microseconds or rival not in microseconds:
        return None
    return microseconds[rival] / microseconds[name]
