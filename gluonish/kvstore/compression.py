"""Quantization of gradients before they are summed over contexts, with what is left kept."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from gluonish.errors import InvalidArgumentError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from torch import Tensor

_PER_BYTE = {"1bit": 8, "2bit": 4, "fp16": 1}  # 16 bits count as one item of a message


class Compression:
    """Gradient compression as MXNet's stores do it.

    Parameters
    ----------
    params : dict
        `type`: `'2bit'` sends -threshold, 0 or threshold, `'1bit'` sends -1 or 1, `'fp16'` sends
        half-precision numbers; `threshold`: 0.5 by default, above 0 for `'2bit'`.

    Attributes
    ----------
    residuals : dict of int or str to list of Tensor
        What was lost of the gradients so far, by key and place.

    Raises
    ------
    InvalidArgumentError
        The type is not known, another key was given, or the threshold is out of range.
    """

    def __init__(self, params: Mapping[str, Any]) -> None:
        options = dict(params)
        self.type: Any = options.pop("type", None)
        self.threshold = float(options.pop("threshold", 0.5))
        if self.type not in _PER_BYTE or options or (self.type == "2bit" and self.threshold <= 0):
            msg = (
                f"compression_params={dict(params)!r} were given. Expected "
                f"{{'type': '2bit', '1bit' or 'fp16', 'threshold': a number above 0}}."
            )
            raise InvalidArgumentError(msg)
        self.residuals: dict[Any, list[Tensor]] = {}

    @property
    def per_byte(self) -> int:
        """How many elements an item of a message holds."""
        return _PER_BYTE[self.type]

    def quantize(self, key: int | str, gradients: Sequence[Tensor]) -> list[Tensor]:
        """Return the quantized gradients of one key; what is lost is added next time.

        The first of them has the same residual as the first of the last call, and so on.
        """
        if self.type == "fp16":
            return [gradient.to(torch.float16).to(gradient.dtype) for gradient in gradients]
        residuals = self.residuals.setdefault(key, [])
        residuals.extend(torch.zeros_like(gradient) for gradient in gradients[len(residuals) :])
        return [
            self._sent(residual, gradient)
            for residual, gradient in zip(residuals, gradients, strict=False)
        ]

    def _sent(self, residual: Tensor, gradient: Tensor) -> Tensor:
        residual.add_(gradient.to(residual))
        sent = self._round(residual)
        residual.sub_(sent)
        return sent

    def _round(self, values: Tensor) -> Tensor:
        if self.type == "1bit":
            return torch.where(values > self.threshold, 1.0, -1.0).to(values.dtype)
        above = (values >= self.threshold).to(values.dtype)
        below = (values <= -self.threshold).to(values.dtype)
        return (above - below) * self.threshold
